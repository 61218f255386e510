//! What several tests share: games, what they show, and random actions.

use outflank::deployment::shuffled;
use outflank::rng::Rng;
use outflank::rules::{BySide, Preset, Rank, Ruleset, SQUARES, Setup, Side};
use outflank::view::View;
use outflank_gym::encoding::{GLOBALS, PLANE_BYTES, Plane, action_of, encode};
use outflank_gym::environment::{Batch, Environment, Options};
use outflank_gym::game::Game;
use outflank_gym::setups::Mix;
use outflank_record::parse_rules;

/// What the player to move is shown.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shown {
    pub(crate) planes: Vec<u8>,
    pub(crate) globals: Vec<u8>,
    pub(crate) codes: Vec<u16>,
}

impl Shown {
    /// What `game` shows to its player to move.
    pub(crate) fn of(game: &Game) -> Shown {
        let (mut planes, mut globals) = (vec![7; PLANE_BYTES], vec![7; GLOBALS]);
        game.observe(&mut planes, &mut globals);
        Shown { planes, globals, codes: game.codes().to_vec() }
    }

    /// A row of a batch.
    pub(crate) fn row(batch: &Batch, row: usize) -> Shown {
        let codes = batch.starts[row] as usize..batch.starts[row + 1] as usize;
        Shown {
            planes: batch.planes[row * PLANE_BYTES..][..PLANE_BYTES].to_vec(),
            globals: batch.globals[row * GLOBALS..][..GLOBALS].to_vec(),
            codes: batch.legal[codes].to_vec(),
        }
    }

    /// The bytes of one plane.
    pub(crate) fn plane(&self, plane: Plane, offset: usize) -> &[u8] {
        &self.planes[(plane.first() + offset) * SQUARES..][..SQUARES]
    }

    /// The bytes of a rank's plane among those that begin with `plane`.
    pub(crate) fn rank_plane(&self, plane: Plane, rank: Rank) -> &[u8] {
        self.plane(plane, rank.index())
    }

    /// Where that is not 0, with what it holds there.
    pub(crate) fn rank_marks(&self, plane: Plane, rank: Rank) -> Vec<(usize, u8)> {
        self.marks(plane, rank.index())
    }

    /// Where a plane is not 0, with what it holds there.
    pub(crate) fn marks(&self, plane: Plane, offset: usize) -> Vec<(usize, u8)> {
        let squares = self.plane(plane, offset).iter().copied().enumerate();
        squares.filter(|(_, byte)| *byte > 0).collect()
    }
}

/// Planes and globals of a view.
pub(crate) fn encoded(view: &View) -> (Vec<u8>, Vec<u8>) {
    let (mut planes, mut globals) = (vec![7; PLANE_BYTES], vec![7; GLOBALS]);
    encode(view, &mut planes, &mut globals);
    (planes, globals)
}

pub(crate) fn rules(text: &str) -> Ruleset {
    parse_rules(text).unwrap()
}

/// Every preset, and options that change what is shown or legal.
pub(crate) fn systems() -> Vec<Ruleset> {
    let mut systems: Vec<Ruleset> = Preset::ALL.into_iter().map(Ruleset::of).collect();
    let more =
        ["isf silent=on", "vassal silent=on advance=on", "evaluator barrage=on", "isf barrage=on silent=on"];
    systems.extend(more.into_iter().chain(["wiki rescue=on"]).map(rules));
    systems
}

/// A game between random setups.
pub(crate) fn fresh(rules: Ruleset, rng: &mut Rng) -> Game {
    Game::new(rules, BySide::from_fn(|_| shuffled(&rules, rng))).unwrap()
}

/// A legal action of a game that is not over; a third of the time a strike, if there is one.
pub(crate) fn any_code(game: &Game, rng: &mut Rng) -> u16 {
    let (mover, codes) = (game.to_move(), game.codes());
    let position = game.view(mover).position();
    let strikes = |code: &u16| position.is_strike(action_of(mover, *code).unwrap());
    let strikes: Vec<u16> = codes.iter().copied().filter(strikes).collect();
    let among = if strikes.is_empty() || rng.below(3) > 0 { codes } else { &strikes };
    among[rng.below(among.len())]
}

/// Plays up to `plies` and returns their codes. `look` sees the game before each.
pub(crate) fn play(game: &mut Game, plies: usize, rng: &mut Rng, mut look: impl FnMut(&Game)) -> Vec<u16> {
    let mut codes = Vec::new();
    while codes.len() < plies && game.ending().is_none() {
        look(game);
        let code = any_code(game, rng);
        game.play_code(code).unwrap();
        codes.push(code);
    }
    codes
}

/// Plays these actions in a new game.
pub(crate) fn replay(
    rules: Ruleset,
    setups: BySide<Setup>,
    codes: &[u16],
    mut look: impl FnMut(&Game),
) -> Game {
    let mut game = Game::new(rules, setups).unwrap();
    for &code in codes {
        look(&game);
        game.play_code(code).unwrap();
    }
    game
}

/// Red's or Blue's to move.
pub(crate) fn is_to_move(game: &Game, side: Side) -> bool {
    game.ending().is_none() && game.to_move() == side
}

/// What games to play; setups are random, since a pool of others takes a while.
pub(crate) fn options(games: usize, seed: u64, systems: &[&str]) -> Options {
    let rules = systems.iter().map(|text| rules(text)).collect();
    Options { games, seed, rules, mix: Mix { human: 0.0, book: 0.0, random: 1.0 } }
}

/// A random action for each game.
pub(crate) fn any_codes(environment: &Environment, rng: &mut Rng) -> Vec<u16> {
    environment.games().map(|game| any_code(game, rng)).collect()
}
