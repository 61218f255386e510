//! The plies of a game, judged by the referee and folded into what each player knows.

use super::refused::Refused;
use outflank::event::Event;
use outflank::rules::{Action, BySide, Played, Ruleset, Setup, Side, Spn};
use outflank::view::View;
use outflank_record::truth;
use outflank_referee::{Events, Referee};

/// A game under way.
#[derive(Clone)]
pub(super) struct Course {
    referee: Referee,
    views: BySide<View>,
    /// What the players were shown: both deployments, then every ply.
    events: Vec<Events>,
    /// The plies as they truly were.
    whole: Vec<Played>,
}

impl Course {
    pub(super) fn new(rules: Ruleset, setups: &BySide<Setup>) -> Result<Course, Refused> {
        let referee =
            Referee::new(rules, &setups[Side::Red], &setups[Side::Blue]).map_err(|_| Refused::Incomplete)?;
        let opening = referee.opening();
        let views = BySide::from_fn(|side| View::new(side, rules));
        let mut course = Course { referee, views, events: Vec::new(), whole: Vec::new() };
        for events in opening {
            course.show(events)?;
        }
        Ok(course)
    }

    /// A game that begins from a position in which all ranks are known.
    pub(super) fn from_position(start: &Spn) -> Course {
        let views = BySide::from_fn(|side| View::from_spn(start, side));
        let referee = Referee::from_position(&start.position);
        Course { referee, views, events: Vec::new(), whole: Vec::new() }
    }

    /// Plays these again.
    pub(super) fn replay(mut self, actions: &[Played]) -> Result<Course, Refused> {
        for played in actions {
            let mover = self.referee.to_move();
            self.play(played.action)?;
            let same = self.whole.last() == Some(played);
            if !same {
                return Err(Refused::Illegal(format!("{mover}'s {played} did not happen so")));
            }
        }
        Ok(self)
    }

    pub(super) fn play(&mut self, action: Action) -> Result<Played, Refused> {
        let mover = self.referee.to_move();
        let refused = |error| Refused::Illegal(format!("{}: {error}", action.text(false)));
        let events = self.referee.play(action).map_err(|error| refused(error.to_string()))?;
        let whole = truth(&events, mover).ok_or_else(|| refused("it is no ply".to_owned()))?;
        self.show(events)?;
        self.whole.push(whole);
        Ok(whole)
    }

    fn show(&mut self, events: Events) -> Result<(), Refused> {
        for (side, view) in self.views.iter_mut() {
            view.observe(&events[side]).map_err(|error| Refused::Illegal(error.to_string()))?;
        }
        self.events.push(events);
        Ok(())
    }

    pub(super) const fn referee(&self) -> &Referee {
        &self.referee
    }

    pub(super) fn view(&self, side: Side) -> &View {
        &self.views[side]
    }

    pub(super) fn whole(&self) -> &[Played] {
        &self.whole
    }

    /// All that a player was shown.
    pub(super) fn shown(&self, side: Side) -> impl Iterator<Item = &Event> {
        self.events.iter().map(move |events| &events[side])
    }
}
