//! The house: all games that are played here.

use crate::engine::Launcher;
use crate::game::{Eyes, Match, Options};
pub use crate::resources::Limits;
use crate::resources::Resources;
use crate::room::Room;
use crate::store::Store;
use crate::token::{Token, Tokens};
use outflank::rules::Side;
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
    rooms: Mutex<Rooms>,
}

/// The rooms by where they are reached.
#[derive(Default)]
struct Rooms {
    own: HashMap<Token, Arc<Room>>,
    /// The pages of persons at devices of their own.
    seats: HashMap<Token, (Arc<Room>, Side)>,
}

impl Rooms {
    fn insert(&mut self, room: &Arc<Room>) {
        for (token, side) in room.tokens.seats.iter().flatten().zip(Side::BOTH) {
            self.seats.insert(token.clone(), (room.clone(), side));
        }
        self.own.insert(room.tokens.own.clone(), room.clone());
    }

    fn remove(&mut self, tokens: &Tokens) {
        self.own.remove(&tokens.own);
        for token in tokens.seats.iter().flatten() {
            self.seats.remove(token);
        }
    }
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
        let mut rooms = Rooms::default();
        for found in found {
            rooms.insert(&Arc::new(Room::new(found.tokens, found.number, found.game, found.kept)));
        }
        let house = House {
            numbers: AtomicU64::new(store.next_number()?),
            resources: Arc::new(Resources::new(launcher, store, limits)),
            run: Token::new()?,
            rooms: Mutex::new(rooms),
        };
        for error in wrong {
            complain(format_args!("left alone: {error:#}"));
        }
        Ok(Arc::new(house))
    }

    fn rooms(&self) -> MutexGuard<'_, Rooms> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What tells this server from others.
    pub const fn run(&self) -> &Token {
        &self.run
    }

    /// The game of that token, and whose eyes its page has.
    pub fn room(&self, token: &Token) -> Option<(Arc<Room>, Eyes)> {
        let rooms = self.rooms();
        let seat = || rooms.seats.get(token).map(|(room, side)| (room.clone(), Eyes::Device(*side)));
        rooms.own.get(token).map(|room| (room.clone(), Eyes::Own)).or_else(seat)
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.rooms().own.len()
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
        let tokens = Tokens::new(game.options().devices).map_err(|error| unsaved(&error))?;
        let number = loop {
            let number = self.numbers.fetch_add(1, Ordering::Relaxed);
            // Somebody may have put a file there.
            if self.resources.store.create(number, &tokens, &game).map_err(|error| unsaved(&error))? {
                break number;
            }
        };
        let kept = game.is_loaded();
        let room = Arc::new(Room::new(tokens, number, game, kept));
        {
            let mut rooms = self.rooms();
            if rooms.own.len() >= self.resources.limits.games && !self.make_room(&mut rooms) {
                self.resources.store.forget(number);
                return Err(NoRoom::Crowded);
            }
            rooms.insert(&room);
        }
        room.drive(&self.resources);
        Ok(room)
    }

    /// Lets go of the game that was not looked at for longest, of those that are over or have not begun. The record of
    /// a finished one is kept.
    fn make_room(&self, rooms: &mut Rooms) -> bool {
        let spare = rooms.own.values().filter_map(|room| Some((room.spare()?, room)));
        let Some((_, room)) = spare.max_by_key(|(idle, _)| *idle) else { return false };
        let room = room.clone();
        rooms.remove(&room.tokens);
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
            let rooms: Vec<Arc<Room>> = self.rooms().own.values().cloned().collect();
            for room in rooms {
                room.check_clock(&self.resources);
                room.save_again(&self.resources);
                room.close_idle(&self.resources);
            }
        }
    }

    /// Lets every engine go on whose turn it was when the server ended.
    pub fn resume(self: &Arc<House>) {
        let rooms: Vec<Arc<Room>> = self.rooms().own.values().cloned().collect();
        for room in rooms {
            room.drive(&self.resources);
        }
    }
}
