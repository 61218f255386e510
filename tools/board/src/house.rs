//! The house: all games that are played here, and what they share.

use crate::engine::Launcher;
use crate::game::{Match, Options};
use crate::room::Room;
use crate::store::Store;
use crate::token::Token;
use outflank_record::console::complain;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;

/// How much the house holds.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// Games.
    pub games: usize,
    /// Engines that think at a time.
    pub thinking: usize,
    /// Engines that are kept for their next turn.
    pub engines: usize,
    /// After this long without a look from its page, a game's engines are ended.
    pub idle: Duration,
    /// How long two engines that are watched wait between plies.
    pub pace: Duration,
    /// After this long without a look from its page, two engines stop.
    pub unwatched: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Limits {
            games: 500,
            thinking: cores,
            engines: 8,
            idle: Duration::from_secs(600),
            pace: Duration::from_millis(500),
            unwatched: Duration::from_secs(60),
        }
    }
}

/// All games that are played here.
pub struct House {
    pub(crate) launcher: Box<dyn Launcher>,
    pub(crate) store: Store,
    pub(crate) thinking: Semaphore,
    pub(crate) limits: Limits,
    engines: AtomicUsize,
    numbers: AtomicU64,
    /// What tells this server from the one before it and the one after it.
    run: Token,
    rooms: Mutex<HashMap<Token, Arc<Room>>>,
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
            launcher,
            thinking: Semaphore::new(limits.thinking.max(1)),
            limits,
            engines: AtomicUsize::new(0),
            numbers: AtomicU64::new(store.next_number()?),
            run: Token::new()?,
            rooms: Mutex::new(rooms.collect()),
            store,
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
    /// If there is no room for it.
    pub fn begin(self: &Arc<House>, options: Options) -> anyhow::Result<Arc<Room>> {
        self.admit(Match::new(options))
    }

    /// Gives a game a room, a token and a file.
    ///
    /// # Errors
    /// If there is no room for it, or it cannot be saved.
    pub fn admit(self: &Arc<House>, game: Match) -> anyhow::Result<Arc<Room>> {
        let token = Token::new()?;
        let number = loop {
            let number = self.numbers.fetch_add(1, Ordering::Relaxed);
            // Somebody may have put a file there.
            if self.store.create(number, &token, &game)? {
                break number;
            }
        };
        let kept = game.is_loaded();
        let room = Arc::new(Room::new(token.clone(), number, game, kept));
        {
            let mut rooms = self.rooms();
            if rooms.len() >= self.limits.games && !self.make_room(&mut rooms) {
                self.store.forget(number);
                anyhow::bail!("there are too many games; finish one first");
            }
            rooms.insert(token, room.clone());
        }
        room.drive(self);
        Ok(room)
    }

    /// Lets go of the game that was not looked at for longest, of those that are over or have not begun. The record of
    /// a finished one is kept.
    fn make_room(&self, rooms: &mut HashMap<Token, Arc<Room>>) -> bool {
        let spare = rooms.values().filter_map(|room| Some((room.spare()?, room)));
        let Some((_, room)) = spare.max_by_key(|(idle, _)| *idle) else { return false };
        let room = room.clone();
        rooms.remove(&room.token);
        room.leave(self);
        true
    }

    pub(crate) fn engine_started(&self) {
        self.engines.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn engine_ended(&self) {
        self.engines.fetch_sub(1, Ordering::Relaxed);
    }

    /// Engines that run.
    pub fn engines(&self) -> usize {
        self.engines.load(Ordering::Relaxed)
    }

    /// Whether an engine that has answered may wait for its next turn.
    pub(crate) fn may_keep(&self) -> bool {
        self.engines() <= self.limits.engines
    }

    /// How long a room waits before its next engine answers: nobody waits for a person's enemy.
    pub(crate) fn pace(&self, room: &Room) -> Duration {
        let watched = room.lock().game.options().seats.values().all(|seat| !seat.is_person());
        if watched { self.limits.pace } else { Duration::ZERO }
    }

    /// Looks after clocks and idle engines for as long as the server runs.
    pub async fn look_after(self: Arc<House>) {
        let mut ticks = tokio::time::interval(TICK);
        loop {
            ticks.tick().await;
            let rooms: Vec<Arc<Room>> = self.rooms().values().cloned().collect();
            for room in rooms {
                room.check_clock(&self);
                room.save_again(&self);
                room.close_idle(&self, self.limits.idle);
            }
        }
    }

    /// Lets every engine go on whose turn it was when the server ended.
    pub fn resume(self: &Arc<House>) {
        let rooms: Vec<Arc<Room>> = self.rooms().values().cloned().collect();
        for room in rooms {
            room.drive(self);
        }
    }
}
