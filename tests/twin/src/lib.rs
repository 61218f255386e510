//! The rules once more, written from their text alone: slow, plain, and sharing no code with the engine's own.
//!
//! A board is a map from (file, row) to the piece there; every earlier board is kept, and both repetition rules
//! are worked out anew from the whole game each time they are asked. Only the names of ranks, sides, rule keys and
//! endings are the engine's.

#![allow(clippy::missing_panics_doc)] // called by tests alone, which panic where they fail

mod rescue;
mod spn;

use outflank::rules::{Ending, Rank, Reason, Ruleset, Side, Stuck};
use std::collections::{BTreeMap, HashMap};

/// File and row, both from 0.
pub type Place = (u8, u8);
/// From and to.
pub type Ply = (Place, Place);
/// A ply, and what it hands back where.
pub type Turn = (Ply, Option<(Rank, Place)>);

const LAKES: [Place; 8] = [(2, 4), (3, 4), (2, 5), (3, 5), (6, 4), (7, 4), (6, 5), (7, 5)];

/// A piece; `name` tells it from every other piece of the game.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Man {
    /// No other piece of the game has it.
    pub name: usize,
    /// Whose it is.
    pub side: Side,
    /// What it is, hidden or not.
    pub rank: Rank,
}

/// Where every piece stands.
pub type Board = BTreeMap<Place, Man>;

#[derive(Clone, Debug)]
struct Made {
    man: Man,
    ply: Ply,
    strike: bool,
    /// Whether the moved piece still stood afterwards.
    stood: bool,
    rescued: bool,
    before: Board,
    captured_before: Vec<Man>,
    ending_before: Option<Ending>,
}

/// A game with its whole past.
#[derive(Clone, Debug)]
pub struct Twin {
    /// What it is played by.
    pub rules: Ruleset,
    /// Who stands where now.
    pub board: Board,
    /// Who is to move.
    pub turn: Side,
    /// How it ended, if it has.
    pub ending: Option<Ending>,
    /// Everyone who has fallen and not come back.
    pub captured: Vec<Man>,
    past: Vec<Made>,
    /// Men of the game so far, for naming those that come back.
    men: usize,
    /// Rescues of each side, and the names of those who made them, before the first of `past` and since.
    rescues: HashMap<Side, usize>,
    rescuers: Vec<(usize, usize)>,
    /// Plies without a strike, and plies, before the first of `past`.
    earlier: (usize, usize),
}

/// How a strike ends: does the striker stand, does the defender?
fn survivors(striker: Rank, defender: Rank, aggressor: bool) -> (bool, bool) {
    let power = |rank: Rank| "S23456789M".find(rank.letter());
    if defender == Rank::Flag {
        (true, false)
    } else if defender == Rank::Bomb {
        (striker == Rank::Miner, striker != Rank::Miner)
    } else if striker == defender {
        (aggressor, false)
    } else if striker == Rank::Spy && defender == Rank::Marshal || power(striker) > power(defender) {
        (true, false)
    } else {
        (false, true)
    }
}

fn beside((file, row): Place) -> Vec<Place> {
    let mut places = vec![(file + 1, row), (file, row + 1)];
    if file > 0 {
        places.push((file - 1, row));
    }
    if row > 0 {
        places.push((file, row - 1));
    }
    places.retain(|place| place.0 < 10 && place.1 < 10 && !LAKES.contains(place));
    places
}

/// The borders between two squares that a straight way crosses, each as its lower and its upper square.
fn borders(((file, row), (to_file, to_row)): Ply) -> Vec<Ply> {
    if file == to_file {
        (row.min(to_row)..row.max(to_row)).map(|r| ((file, r), (file, r + 1))).collect()
    } else {
        (file.min(to_file)..file.max(to_file)).map(|f| ((f, row), (f + 1, row))).collect()
    }
}

fn enemy_beside(board: &Board, place: Place, side: Side) -> bool {
    beside(place).into_iter().any(|next| board.get(&next).is_some_and(|man| man.side != side))
}

impl Twin {
    /// A game between two setups of forty characters, `.` for an empty place.
    pub fn new(rules: Ruleset, red: &str, blue: &str) -> Twin {
        let mut board = Board::new();
        for (side, setup) in [(Side::Red, red), (Side::Blue, blue)] {
            for (index, letter) in setup.chars().enumerate() {
                let (file, row) = (index as u8 % 10, index as u8 / 10);
                let place = if side == Side::Red { (file, row) } else { (9 - file, 9 - row) };
                if let Some(rank) = Rank::from_letter(letter) {
                    board.insert(place, Man { name: board.len(), side, rank });
                }
            }
        }
        Twin::of_board(rules, board, Side::Red, (0, 0))
    }

    fn of_board(rules: Ruleset, board: Board, turn: Side, earlier: (usize, usize)) -> Twin {
        let mut twin = Twin {
            rules,
            men: board.len(),
            board,
            turn,
            ending: None,
            captured: Vec::new(),
            past: Vec::new(),
            rescues: HashMap::from([(Side::Red, 0), (Side::Blue, 0)]),
            rescuers: Vec::new(),
            earlier,
        };
        twin.ending = twin.find_ending();
        twin
    }

    /// Plies made.
    pub fn plies(&self) -> usize {
        self.past.len()
    }

    /// Every action that the rules but for the repetition rules allow `side`.
    fn reach(&self, side: Side) -> Vec<Ply> {
        let mut plies = Vec::new();
        for (&from, man) in &self.board {
            if man.side != side || matches!(man.rank, Rank::Flag | Rank::Bomb) {
                continue;
            }
            for (dx, dy) in [(0i8, 1i8), (0, -1), (1, 0), (-1, 0)] {
                let longest = if man.rank == Rank::Scout { 9 } else { 1 };
                for steps in 1..=longest {
                    let (file, row) = (from.0 as i8 + dx * steps, from.1 as i8 + dy * steps);
                    if !(0..10).contains(&file) || !(0..10).contains(&row) {
                        break;
                    }
                    let to = (file as u8, row as u8);
                    if LAKES.contains(&to) {
                        break;
                    }
                    match self.board.get(&to) {
                        None => plies.push((from, to)),
                        Some(other) => {
                            if other.side != side && (steps == 1 || self.rules.scout) {
                                plies.push((from, to));
                            }
                            break;
                        }
                    }
                }
            }
        }
        plies
    }

    /// The actions of the side to move that only a repetition rule could forbid.
    pub fn reachable(&self) -> Vec<Ply> {
        if self.ending.is_some() { Vec::new() } else { self.reach(self.turn) }
    }

    /// The legal actions of the side to move.
    pub fn legal(&self) -> Vec<Turn> {
        if self.ending.is_some() { Vec::new() } else { self.legal_while_playing() }
    }

    fn legal_while_playing(&self) -> Vec<Turn> {
        let chases = self.chases();
        let mut turns = Vec::new();
        for ply in self.reach(self.turn).into_iter().filter(|&ply| !self.breaks_two_squares(ply)) {
            if !self.breaks_more_squares(ply, &chases) {
                turns.push((ply, None));
            }
            // With one piece more on the board the position cannot have been before.
            turns.extend(self.rescues_with(ply).into_iter().map(|rescue| (ply, Some(rescue))));
        }
        turns
    }

    /// Whether the action crosses some border once too often running.
    pub fn breaks_two_squares(&self, ply: Ply) -> bool {
        let man = self.board[&ply.0];
        let limit = self.rules.twosquares as usize;
        let running = |border: &Ply| {
            let own = self.past.iter().rev().filter(|made| made.man.side == man.side);
            1 + own.take_while(|made| made.man.name == man.name && borders(made.ply).contains(border)).count()
        };
        limit > 0 && borders(ply).iter().any(|border| running(border) > limit)
    }

    /// Both sides' running chases.
    pub fn chases(&self) -> HashMap<Side, usize> {
        let mut chases = HashMap::from([(Side::Red, 0), (Side::Blue, 0)]);
        let mut went_to: HashMap<Side, Place> = HashMap::new();
        for (index, made) in self.past.iter().enumerate() {
            let (side, (from, to)) = (made.man.side, made.ply);
            let hunted = went_to.get(&side.enemy()).is_some_and(|place| beside(*place).contains(&from));
            let theirs = chases[&side.enemy()];
            chases.insert(side.enemy(), if hunted { theirs + 1 } else { 0 });
            if made.strike {
                chases = HashMap::from([(Side::Red, 0), (Side::Blue, 0)]);
            }
            if made.stood {
                let after = self.past.get(index + 1).map_or(&self.board, |next| &next.before);
                let ours = chases[&side];
                chases.insert(side, if enemy_beside(after, to, side) { ours + 1 } else { 0 });
            }
            went_to.insert(side, to);
        }
        chases
    }

    /// Whether the action goes on with an endless chase.
    pub fn breaks_more_squares(&self, (from, to): Ply, chases: &HashMap<Side, usize>) -> bool {
        let chase = chases[&self.turn];
        if !self.rules.moresquares || self.board.contains_key(&to) || chase == 0 {
            return false;
        }
        let last = self.past.iter().rev().find(|made| made.man.side == self.turn);
        let mut after = self.board.clone();
        let man = after.remove(&from).unwrap();
        after.insert(to, man);
        let now = self.past.len();
        let again = (1..chase).any(|d| d <= now && self.past[now - d].before == after);
        enemy_beside(&after, to, self.turn) && last.is_none_or(|made| made.ply != (to, from)) && again
    }

    /// Makes an action, whatever the repetition rules say of it.
    pub fn play(&mut self, (ply, rescue): Turn) {
        let mover = self.turn;
        let flag = self.board.get(&ply.1).is_some_and(|man| man.rank == Rank::Flag);
        self.play_on(ply);
        if let Some((rank, place)) = rescue.filter(|_| !flag) {
            self.rescue(rank, place);
        }
        self.ending = if flag {
            Some(Ending { winner: Some(mover), reason: Reason::Flag })
        } else {
            self.find_ending()
        };
    }

    /// Makes an action that is known not to end the game.
    pub fn play_on(&mut self, (from, to): Ply) {
        let (before, ending_before) = (self.board.clone(), self.ending);
        let captured_before = self.captured.clone();
        let man = self.board.remove(&from).unwrap();
        let defender = self.board.remove(&to);
        let mut stood = true;
        if let Some(defender) = defender {
            let (striker_stands, defender_stands) = survivors(man.rank, defender.rank, self.rules.aggressor);
            stood = striker_stands;
            if !striker_stands {
                self.captured.push(man);
            }
            if !defender_stands {
                self.captured.push(defender);
            }
            if defender_stands {
                let advances = self.rules.advance && defender.rank != Rank::Bomb;
                self.board.insert(if advances { from } else { to }, defender);
            }
        }
        if stood {
            self.board.insert(to, man);
        }
        let strike = defender.is_some();
        self.past.push(Made {
            man,
            ply: (from, to),
            strike,
            stood,
            rescued: false,
            before,
            captured_before,
            ending_before,
        });
        self.turn = self.turn.enemy();
    }

    /// Takes the last action back.
    pub fn undo(&mut self) {
        let made = self.past.pop().unwrap();
        self.turn = made.man.side;
        self.board = made.before;
        self.captured = made.captured_before;
        if made.rescued {
            *self.rescues.get_mut(&made.man.side).unwrap() -= 1;
            self.rescuers.retain(|(_, ply)| *ply != self.past.len() + 1);
            self.men -= 1;
        }
        self.ending = made.ending_before;
    }

    fn find_ending(&self) -> Option<Ending> {
        let mut quiet = self.past.iter().rev().take_while(|made| !made.strike).count();
        if quiet == self.past.len() {
            quiet += self.earlier.0;
        }
        let draw = |reason| Some(Ending { winner: None, reason });
        let reached = |limit: u32, count: usize| limit > 0 && count >= limit as usize;
        if let Some(ending) = self.find_stuck() {
            Some(ending)
        } else if reached(self.rules.quiet, quiet) {
            draw(Reason::Quiet)
        } else if reached(self.rules.plies, self.earlier.1 + self.past.len()) {
            draw(Reason::Plies)
        } else {
            None
        }
    }

    fn find_stuck(&self) -> Option<Ending> {
        let mover = self.turn;
        let lost = |side: Side, reason| Some(Ending { winner: Some(side.enemy()), reason });
        let mobile = |side| {
            self.board.values().any(|man| man.side == side && !matches!(man.rank, Rank::Flag | Rank::Bomb))
        };
        if self.rules.stuck == Stuck::Attrition {
            match (mobile(mover), mobile(mover.enemy())) {
                (true, true) => {}
                (false, true) => return lost(mover, Reason::Attrition),
                (true, false) => return lost(mover.enemy(), Reason::Attrition),
                (false, false) => return Some(Ending { winner: None, reason: Reason::Attrition }),
            }
        }
        if !self.legal_while_playing().is_empty() {
            None
        } else if self.rules.stuck == Stuck::DrawIfBoth && self.reach(mover.enemy()).is_empty() {
            Some(Ending { winner: None, reason: Reason::Stuck })
        } else {
            lost(mover, Reason::Stuck)
        }
    }
}
