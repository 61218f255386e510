//! The house: all games that are played here.

use crate::engine::Launcher;
use crate::game::{Match, Options};
pub use crate::resources::Limits;
use crate::resources::Resources;
use crate::room::Room;
use crate::store::Store;
use crate::token::Token;
use outflank_record::console::complain;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// All games that are played here.
pub struct House {
    resources: Arc<Resources>,
    numbers: AtomicU64,
    /// What tells this server from the one before it and the one after it.
    run: Token,
    rooms: Mutex<HashMap<Token, Arc<Room>>>,
}

/// Why a game is not admitted, in words for its page: nothing of the server's own is in them.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum NoRoom {
    /// There are too many games.
    Crowded,
    /// Its file cannot be written.
    Unsaved,
}

impl fmt::Display for NoRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoRoom::Crowded => "There are too many games; finish one first.",
            NoRoom::Unsaved => "The game cannot be saved: the disk may be full, or its folder gone.",
        })
    }
}

impl std::error::Error for NoRoom {}

/// Says in the terminal why a game cannot be saved, and to the page only that.
fn unsaved(error: &anyhow::Error) -> NoRoom {
    complain(format_args!("a new game cannot be saved: {error:#}"));
    NoRoom::Unsaved
}

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(200);

impl House {
    /// A house with the games that its folder has. Complaints about those that cannot be read go to stderr.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn open(store: Store, launcher: Box<dyn Launcher>, limits: Limits) -> anyhow::Result<Arc<House>> {
        let (found, wrong) = store.load(limits.games)?;
        let rooms = found.into_iter().map(|found| {
            let room = Room::new(found.token.clone(), found.number, found.game, found.kept);
            (found.token, Arc::new(room))
        });
        let house = House {
            numbers: AtomicU64::new(store.next_number()?),
            resources: Arc::new(Resources::new(launcher, store, limits)),
            run: Token::new()?,
            rooms: Mutex::new(rooms.collect()),
        };
        for error in wrong {
            complain(format_args!("left alone: {error:#}"));
        }
        Ok(Arc::new(house))
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<Token, Arc<Room>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What tells this server from others.
    pub const fn run(&self) -> &Token {
        &self.run
    }

    /// The game of that token.
    pub fn room(&self, token: &Token) -> Option<Arc<Room>> {
        self.rooms().get(token).cloned()
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.rooms().len()
    }

    /// A new game.
    ///
    /// # Errors
    /// Those of [`House::admit`].
    pub fn begin(self: &Arc<House>, options: Options) -> Result<Arc<Room>, NoRoom> {
        self.admit(Match::new(options))
    }

    /// Gives a game a room, a token and a file.
    ///
    /// # Errors
    /// If there is no room for it, or it cannot be saved.
    pub fn admit(self: &Arc<House>, game: Match) -> Result<Arc<Room>, NoRoom> {
        let token = Token::new().map_err(|error| unsaved(&error))?;
        let number = loop {
            let number = self.numbers.fetch_add(1, Ordering::Relaxed);
            // Somebody may have put a file there.
            if self.resources.store.create(number, &token, &game).map_err(|error| unsaved(&error))? {
                break number;
            }
        };
        let kept = game.is_loaded();
        let room = Arc::new(Room::new(token.clone(), number, game, kept));
        {
            let mut rooms = self.rooms();
            if rooms.len() >= self.resources.limits.games && !self.make_room(&mut rooms) {
                self.resources.store.forget(number);
                return Err(NoRoom::Crowded);
            }
            rooms.insert(token, room.clone());
        }
        room.drive(&self.resources);
        Ok(room)
    }

    /// Lets go of the game that was not looked at for longest, of those that are over or have not begun. The record of
    /// a finished one is kept.
    fn make_room(&self, rooms: &mut HashMap<Token, Arc<Room>>) -> bool {
        let spare = rooms.values().filter_map(|room| Some((room.spare()?, room)));
        let Some((_, room)) = spare.max_by_key(|(idle, _)| *idle) else { return false };
        let room = room.clone();
        rooms.remove(&room.token);
        room.leave(&self.resources);
        true
    }

    /// Engines that run.
    pub fn engines(&self) -> usize {
        self.resources.engines()
    }

    /// What its rooms share.
    pub(crate) const fn resources(&self) -> &Arc<Resources> {
        &self.resources
    }

    /// Looks after clocks and idle engines for as long as the server runs.
    pub async fn look_after(self: Arc<House>) {
        let mut ticks = tokio::time::interval(TICK);
        loop {
            ticks.tick().await;
            let rooms: Vec<Arc<Room>> = self.rooms().values().cloned().collect();
            for room in rooms {
                room.check_clock(&self.resources);
                room.save_again(&self.resources);
                room.close_idle(&self.resources);
            }
        }
    }

    /// Lets every engine go on whose turn it was when the server ended.
    pub fn resume(self: &Arc<House>) {
        let rooms: Vec<Arc<Room>> = self.rooms().values().cloned().collect();
        for room in rooms {
            room.drive(&self.resources);
        }
    }
}
