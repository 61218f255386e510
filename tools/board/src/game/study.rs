//! Moments of a game that is over, and games that go on from one, or from a position.

use super::course::Course;
use super::{EngineSeat, Match, Options, Refused, Seat, Spent};
use outflank::belief::Belief;
use outflank::engine::{Engine, Settings};
use outflank::rng::Rng;
use outflank::rules::{BySide, Position, Ruleset, Side, Spn, Viewer};
use outflank::view::View;

impl Match {
    /// Who makes the first ply.
    pub(super) fn first(&self) -> Side {
        self.start.as_ref().map_or(Side::Red, |start| start.position.to_move())
    }

    /// What a side knew where the game began, if that was a position.
    pub fn start(&self, side: Side) -> Option<Spn> {
        let start = self.start.as_ref()?;
        Some(Spn { position: start.position.masked(side), viewer: Viewer::Player(side) })
    }

    /// The player of a side after so many plies: what it was shown by then.
    ///
    /// # Errors
    /// Before both armies stand, and if there are fewer plies.
    pub fn player(&self, side: Side, plies: usize) -> Result<Engine, Refused> {
        let (rules, mut events) = (*self.rules(), self.events(side));
        // The plies are the last of what it was shown.
        let shown = events.len().checked_sub(self.ply()).ok_or(Refused::Stage)? + plies;
        if self.course.is_none() || plies > self.ply() {
            return Err(Refused::Stage);
        }
        events.truncate(shown);
        let mut player = match &self.start {
            Some(start) => Engine::from(View::from_spn(start, side)),
            None => Engine::new(side, rules, Settings::default()),
        };
        for event in &events {
            player.observe(event).map_err(|_| Refused::Stage)?;
        }
        Ok(player)
    }

    /// The position after so many plies of a game that is over, with both armies.
    ///
    /// # Errors
    /// While the game goes on, and if there are fewer plies.
    pub fn truth(&self, plies: usize) -> Result<Position, Refused> {
        let whole = self.over()?.whole().get(..plies).ok_or(Refused::Stage)?;
        let mut truth = match &self.start {
            Some(start) => start.position.clone(),
            None => Position::new(*self.rules()),
        };
        for (side, setup) in self.setups.iter() {
            if let Some(setup) = setup {
                truth.deploy(side, setup);
            }
        }
        truth.settle();
        for played in whole {
            truth.play(played.action.into()).map_err(|error| Refused::Illegal(error.to_string()))?;
        }
        Ok(truth)
    }

    /// The plies of a game that is over: until then nobody looks at all of it.
    fn over(&self) -> Result<&Course, Refused> {
        self.course.as_ref().filter(|_| self.outcome.is_some()).ok_or(Refused::Stage)
    }

    /// A game of a person on `side` against an engine that goes on from here after so many plies.
    ///
    /// # Errors
    /// While this one goes on, where it ended, and if there are fewer plies.
    pub fn resumed(&self, plies: usize, side: Side, engine: EngineSeat) -> Result<Match, Refused> {
        let whole = self.over()?.whole().get(..plies).ok_or(Refused::Stage)?;
        let course = self.opening()?.replay(whole)?;
        let game =
            Match { setups: self.setups, start: self.start.clone(), ..alone(*self.rules(), side, engine) };
        game.going_on_with(course)
    }

    /// A game of a person on `side` against an engine that begins from a position. Where that holds one player's
    /// knowledge, the other army is one that this player may believe in; ranks that the text names stay, and are hidden
    /// from this player if they are not known to it.
    ///
    /// # Errors
    /// If no army fits, or the game is over there.
    pub fn from_position(
        known: &Spn,
        side: Side,
        engine: EngineSeat,
        rng: &mut Rng,
    ) -> Result<Match, Refused> {
        let position = match known.viewer {
            Viewer::Both => known.position.clone(),
            Viewer::Player(viewer) => {
                let worlds = Belief::of_enemies(&View::from_spn(known, viewer)).sample(1, rng);
                let world = worlds.first();
                let world = world.ok_or_else(|| Refused::Illegal("no army fits this position".to_owned()))?;
                known.position.masked(viewer).in_world(viewer, world.ranks())
            }
        };
        let start = Box::new(Spn { position, viewer: Viewer::Both });
        let course = Course::from_position(&start);
        let game = Match { start: Some(start), ..alone(*known.position.rules(), side, engine) };
        game.going_on_with(course)
    }

    fn going_on_with(mut self, course: Course) -> Result<Match, Refused> {
        if course.referee().ending().is_some() {
            return Err(Refused::Stage);
        }
        self.spent = vec![Spent::default(); course.whole().len()];
        self.course = Some(course);
        Ok(self)
    }
}

/// A friendly game of one person.
fn alone(rules: Ruleset, side: Side, engine: EngineSeat) -> Match {
    let seat = |other| if other == side { Seat::Person } else { Seat::Engine(engine) };
    Match::new(Options {
        rules,
        seats: BySide::from_fn(seat),
        eyes: side,
        friendly: true,
        clock: None,
        devices: false,
    })
}
