//! What several tests share: random setups, ways of playing, and the engine's position beside its twin.

#![allow(clippy::missing_panics_doc)] // called by tests alone, which panic where they fail

mod clock;

pub use clock::{Stopped, Ticking};
pub use outflank::deployment::shuffled as random_setup;
use outflank::engine::Engine;
use outflank::rng::Rng;
use outflank::rules::{
    Action, Cell, Position, Preset, Rank, Ruleset, Setup, Side, Spn, Square, Stuck, Viewer,
};
use outflank::view::View;

/// A player of Red's with this setup, before the first ply.
pub fn opening(red: &str) -> Engine {
    let mut position = Position::new(Ruleset::default());
    position.deploy(Side::Red, &red.parse::<Setup>().unwrap());
    position.deploy(Side::Blue, &Setup::HIDDEN);
    Engine::from(View::from_spn(&Spn { position, viewer: Viewer::Player(Side::Red) }, Side::Red))
}

/// The flag, at least one mobile piece, and others of a random setup: `pieces` in all, or as many as there are.
pub fn sparse_setup(rules: &Ruleset, pieces: usize, rng: &mut Rng) -> Setup {
    let mut setup = random_setup(rules, rng);
    let mut places: Vec<usize> = (0..40).filter(|&place| setup.0[place] != Cell::Empty).collect();
    rng.shuffle(&mut places);
    let rank = |place: usize| match setup.0[place] {
        Cell::Known(rank) => rank,
        Cell::Hidden | Cell::Empty => unreachable!("a random setup has ranks"),
    };
    places.sort_by_key(|&place| rank(place) != Rank::Flag);
    let mobile = places.iter().position(|&place| rank(place).is_mobile()).unwrap();
    places.swap(1, mobile);
    for &place in places.iter().skip(pieces) {
        setup.0[place] = Cell::Empty;
    }
    setup
}

/// Every preset, plain and with options, and mixtures no preset has.
pub fn rule_systems() -> Vec<Ruleset> {
    let mut systems: Vec<Ruleset> = Preset::ALL.into_iter().map(Ruleset::of).collect();
    for preset in Preset::ALL {
        let plain = Ruleset::of(preset);
        systems.push(Ruleset { aggressor: true, silent: true, quiet: 30, ..plain });
        systems.push(Ruleset { advance: !plain.advance, plies: 90, moresquares: true, ..plain });
        systems.push(Ruleset { scout: !plain.scout, twosquares: 1, stuck: Stuck::DrawIfBoth, ..plain });
    }
    for barrage in [Ruleset::default(), Ruleset::of(Preset::Vassal)] {
        systems.push(Ruleset { barrage: true, ..barrage });
        systems.push(Ruleset { barrage: true, silent: true, aggressor: true, ..barrage });
        systems.push(Ruleset { barrage: true, silent: true, advance: true, quiet: 60, ..barrage });
    }
    for plain in [Preset::Gameboard, Preset::Original1961, Preset::Isf].map(Ruleset::of) {
        systems.push(Ruleset { rescue: true, ..plain });
        systems.push(Ruleset {
            rescue: true,
            silent: true,
            advance: false,
            stuck: Stuck::Attrition,
            ..plain
        });
    }
    systems.push(Ruleset { rescue: true, aggressor: true, moresquares: true, ..Ruleset::of(Preset::Vassal) });
    systems.push(Ruleset { rescue: true, silent: true, advance: true, ..Ruleset::of(Preset::Gravon) });
    systems.push(Ruleset { rescue: true, barrage: true, ..Ruleset::default() });
    systems.push(Ruleset { rescue: true, silent: true, barrage: true, ..Ruleset::default() });
    systems.push(Ruleset { twosquares: 0, moresquares: true, ..Ruleset::default() });
    systems.push(Ruleset { twosquares: 8, moresquares: true, ..Ruleset::default() });
    systems.push(Ruleset { twosquares: 3, moresquares: true, advance: true, ..Ruleset::default() });
    systems
}

/// Rule systems with rescues, under which few games end soon.
pub fn rescue_systems() -> Vec<Ruleset> {
    let systems = rule_systems().into_iter().filter(|rules| rules.rescue);
    systems.map(|rules| Ruleset { quiet: 0, plies: 0, ..rules }).collect()
}

/// A position between two setups.
pub fn deal(rules: Ruleset, red: &Setup, blue: &Setup) -> Position {
    let mut position = Position::new(rules);
    position.deploy(Side::Red, red);
    position.deploy(Side::Blue, blue);
    position.settle();
    position
}

/// How a random player chooses among its actions.
#[derive(Copy, Clone, Debug)]
pub enum Policy {
    /// All alike.
    Uniform,
    /// Likes to take its last action back, and to go on with the same piece.
    Shuffler,
    /// Likes to step next to the enemy that moved last, and away from it with a threatened piece.
    Chaser,
    /// Likes to strike.
    Fighter,
    /// Likes to go forward, with one piece if it can, and then to hand a piece back.
    Raider,
}

impl Policy {
    /// Those that play under every rule system.
    pub const ALL: [Policy; 4] = [Policy::Uniform, Policy::Shuffler, Policy::Chaser, Policy::Fighter];

    /// One of them by turns; where there are rescues, the one that gets to make them.
    pub fn by_turns(round: usize, rules: &Ruleset) -> Policy {
        if rules.rescue { Policy::Raider } else { Policy::ALL[round % Policy::ALL.len()] }
    }

    /// One of `actions` (not empty) of the side to move.
    pub fn choose(self, position: &Position, actions: &[Action], rng: &mut Rng) -> Action {
        let weights: Vec<usize> = actions.iter().map(|&action| self.weight(position, action)).collect();
        let mut left = rng.below(weights.iter().sum());
        for (&action, weight) in actions.iter().zip(weights) {
            if left < weight {
                return action;
            }
            left -= weight;
        }
        unreachable!("the weights sum to what was drawn below")
    }

    fn weight(self, position: &Position, action: Action) -> usize {
        let count = position.history().len();
        let own_last = count.checked_sub(2).and_then(|index| position.history().nth(index));
        let goes_on = own_last.is_some_and(|last| last.action.to == action.from);
        match self {
            Policy::Uniform => 1,
            Policy::Raider => {
                let side = position.to_move();
                let forward = action.to.row_from(side) > action.from.row_from(side);
                let deep = usize::from(action.to.row_from(side));
                let strike = 5 * usize::from(position.is_strike(action));
                1 + strike + usize::from(forward) * deep * (1 + 9 * usize::from(goes_on)) * deep
            }
            Policy::Fighter => 1 + 20 * usize::from(position.is_strike(action)),
            Policy::Shuffler => match own_last {
                Some(last) if (last.action.to, last.action.from) == (action.from, action.to) => 200,
                Some(_) if goes_on => 20,
                Some(_) | None => 1,
            },
            Policy::Chaser => weight_of_chase(position, action, goes_on),
        }
    }
}

/// Steps next to the enemy that just moved, with the piece that moved last; away from it with a piece that it
/// threatens; strikes hardly ever.
fn weight_of_chase(position: &Position, action: Action, goes_on: bool) -> usize {
    if position.is_strike(action) {
        return 1;
    }
    let theirs = position.history().last().map(|last| last.action.to);
    let hunted = theirs.is_some_and(|square| square.is_next_to(action.from));
    let hunts = theirs.is_some_and(|square| square.is_next_to(action.to));
    let nears = position.is_next_to_side(action.to, position.to_move().enemy());
    match (hunted, hunts) {
        (false, true) => 300 + 3000 * usize::from(goes_on),
        (true, false) => {
            if nears {
                200
            } else {
                2000
            }
        }
        (true, true) | (false, false) => 2 + 30 * usize::from(nears),
    }
}

/// The action from and to these files and rows.
pub fn action_of((from, to): ((u8, u8), (u8, u8))) -> Action {
    let square = |(file, row)| Square::new(file, row).unwrap();
    Action::new(square(from), square(to))
}

/// An action's files and rows, and its rescue's.
pub fn turn_of(action: Action) -> Turn {
    let rescue =
        action.rescue.map(|rescue| (rescue.rank.unwrap(), (rescue.square.file(), rescue.square.row())));
    (places_of(action), rescue)
}

type Place = (u8, u8);
/// From and to, and what is handed back where.
type Turn = ((Place, Place), Option<(Rank, Place)>);

/// An action's files and rows.
pub fn places_of(action: Action) -> ((u8, u8), (u8, u8)) {
    let place = |square: Square| (square.file(), square.row());
    (place(action.from), place(action.to))
}

/// A study position with `turn` to move, from words such as `r3e4` (Red's miner on e4) and `bBe5` (Blue's bomb on
/// e5); of the dead, `r4-`.
pub fn study(rules: Ruleset, turn: Side, pieces: &str) -> Spn {
    let mut board = [['1'; 10]; 10];
    for row in &mut board[4..6] {
        for file in [2, 3, 6, 7] {
            row[file] = '_';
        }
    }
    let mut dead = [String::new(), String::new()];
    for word in pieces.split_ascii_whitespace() {
        let side = usize::from(word.starts_with('b'));
        let rank = word[1..].chars().next().unwrap();
        match word[2..].parse::<Square>() {
            Ok(square) => {
                let letter = b'B' + "BS23456789MF".find(rank).unwrap() as u8 + 12 * side as u8;
                board[usize::from(square.row())][usize::from(square.file())] = char::from(letter);
            }
            Err(_) => dead[side].push(rank),
        }
    }
    let rows: Vec<String> = board.iter().rev().map(|row| joined(row)).collect();
    let dead = dead.map(|dead| if dead.is_empty() { "-".to_owned() } else { dead });
    let turn = if turn == Side::Red { "r" } else { "b" };
    let text = format!("{} {turn} - {},{} 0 0", rows.join("/"), dead[0], dead[1]);
    Spn::parse(&text, rules).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A row of a position text with its runs of `1` added up.
fn joined(row: &[char]) -> String {
    let mut text = String::new();
    let mut open = 0;
    for letter in row.iter().copied().chain(['.']) {
        if letter == '1' {
            open += 1;
            continue;
        }
        if open > 0 {
            text.push_str(&open.to_string());
            open = 0;
        }
        if letter != '.' {
            text.push(letter);
        }
    }
    text
}

/// The action of a text.
pub fn action(text: &str) -> Action {
    text.parse::<outflank::rules::Played>().unwrap_or_else(|_| panic!("no action: {text}")).action
}

/// The legal actions as texts, sorted.
pub fn legal(position: &Position) -> Vec<String> {
    let mut texts: Vec<String> = position.actions().into_iter().map(|action| action.text(false)).collect();
    texts.sort();
    texts
}
