//! One game: the referee, and both players' views fed by its events and by nothing else.

use anyhow::{Context, anyhow};
use outflank::rules::{Action, BySide, Rank, Ruleset, Setup, Side};
use outflank::sparse::{Observation, Pursuits};
use outflank::view::View;
use outflank_referee::{Events, Referee};

/// Plies without a strike after which a game counts as drawn, whatever its rules say.
const MOST_QUIET: u32 = 200;
/// Plies after which it does.
const MOST_PLIES: u32 = 2000;

/// What pieces are worth by rank, in points of the engine's evaluation (its base values), without the flag.
pub const PIECE_VALUES: [f32; Rank::COUNT] =
    [0.0, 110.0, 15.0, 142.0, 60.0, 65.0, 80.0, 150.0, 225.0, 320.0, 420.0, 54.0];

/// A game in progress.
#[derive(Clone)]
pub struct Game {
    referee: Referee,
    views: BySide<View>,
    pursuits: Pursuits,
    start: Start,
    plies: Vec<Action>,
    strikes: u32,
}

/// What a game begins with.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Start {
    /// Its rules.
    pub rules: Ruleset,
    /// Its armies.
    pub setups: BySide<Setup>,
}

/// How a game ended: who won, or nobody.
pub type Result = Option<Side>;

impl Game {
    /// Two armies before the first ply.
    ///
    /// # Errors
    /// If a setup is not the whole army.
    pub fn new(start: Start) -> anyhow::Result<Game> {
        let Start { rules, setups } = start;
        let referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue])?;
        let views = BySide::from_fn(|side| View::without_behaviour(side, rules));
        let mut game =
            Game { referee, views, pursuits: Pursuits::default(), start, plies: Vec::new(), strikes: 0 };
        for events in game.referee.opening() {
            game.show(&events)?;
        }
        Ok(game)
    }

    /// The game after these plies.
    ///
    /// # Errors
    /// If it cannot have gone so.
    pub fn replayed(start: Start, plies: &[Action]) -> anyhow::Result<Game> {
        let mut game = Game::new(start)?;
        for &action in plies {
            game.play(action)?;
        }
        Ok(game)
    }

    fn show(&mut self, events: &Events) -> anyhow::Result<()> {
        for (side, view) in self.views.iter_mut() {
            view.observe(&events[side])?;
        }
        Ok(())
    }

    /// Plays an action.
    ///
    /// # Errors
    /// If the referee refuses it.
    pub fn play(&mut self, action: Action) -> anyhow::Result<()> {
        let events = self.referee.play(action).map_err(|refusal| anyhow!("{action:?}: {refusal}"))?;
        self.show(&events)?;
        let position = self.views[Side::Red].position();
        self.pursuits.note_latest(position);
        let (_, latest) = position.latest_plies().next().context("the referee showed no ply")?;
        self.strikes += u32::from(latest.verdict.is_some());
        self.plies.push(action);
        Ok(())
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Side {
        self.referee.to_move()
    }

    /// What the player to move knows.
    pub fn view(&self) -> &View {
        &self.views[self.to_move()]
    }

    /// What the player to move sees, as a network is shown it.
    pub fn observation(&self) -> Observation {
        Observation::new(self.view(), &self.pursuits)
    }

    /// The share of what is left on the board that is Red's, by [`PIECE_VALUES`]; a half if nothing is.
    pub fn share_of_red(&self) -> f32 {
        let left = Side::BOTH.map(|side| {
            let pieces = self.views[side].position().pieces(side);
            let alive =
                pieces.filter(|(_, piece)| piece.is_alive()).filter_map(|(_, piece)| piece.ranks.single());
            alive.map(|rank| PIECE_VALUES[rank.index()]).sum::<f32>()
        });
        if left[0] + left[1] > 0.0 { left[0] / (left[0] + left[1]) } else { 0.5 }
    }

    /// How it ended, if it has, by its rules or because it takes too long.
    pub fn result(&self) -> Option<Result> {
        let position = self.view().position();
        let long = || (position.quiet() >= MOST_QUIET || position.ply() >= MOST_PLIES).then_some(None);
        self.referee.ending().map(|ending| ending.winner).or_else(long)
    }

    /// What it began with.
    pub const fn start(&self) -> &Start {
        &self.start
    }

    /// The plies made.
    pub fn plies(&self) -> &[Action] {
        &self.plies
    }

    /// Strikes made.
    pub const fn strikes(&self) -> u32 {
        self.strikes
    }
}
