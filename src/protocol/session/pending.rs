//! What a task was started for: enough to answer even if the task breaks.

use crate::protocol::grammar::reply::Best;
use outflank_engine::search::Choice;
use outflank_rules::rules::{Action, Cell, Rank, Ruleset, Setup, Side};
use outflank_rules::view::View;

/// What is owed for a task.
#[derive(Clone, Debug)]
pub(crate) enum Pending {
    /// A `bestmove`: what the mover knows, and the actions asked for, none for all.
    Action {
        /// What the mover knows.
        view: Box<View>,
        /// The actions asked for.
        only: Vec<Action>,
    },
    /// A `bestsetup` under these rules; the side that gets it at once, if one does.
    Setup(Ruleset, Option<Side>),
    /// Nothing at all: the search was on the enemy's time.
    Ponder,
    /// Nothing but the lines it prints; what it does.
    Lines(&'static str),
}

impl Pending {
    /// What the task does, for messages.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Pending::Action { .. } => "searching",
            Pending::Setup(..) => "choosing a setup",
            Pending::Ponder => "pondering",
            Pending::Lines(name) => name,
        }
    }
}

/// What a search's choice comes to: never an action that is not legal or was not asked for. Without a choice, as
/// after a fault, some legal action.
pub(crate) fn answer(view: &View, only: &[Action], choice: Option<&Choice>) -> Best {
    let sound =
        |action: &Action| view.position().is_legal(*action) && (only.is_empty() || only.contains(action));
    let chosen = choice.and_then(|choice| choice.action);
    let kept = chosen.filter(sound);
    if let Some(action) = chosen.filter(|_| kept.is_none()) {
        log::error!("the search chose {}, which was not to be chosen", action.text(false));
    }
    let action = kept.or_else(|| view.position().actions().into_iter().find(sound));
    action.map_or(Best::None, |action| Best::Action(action.text(view.position().is_strike(action))))
}

/// A setup that needs no thought: the flag behind bombs, the strong in front.
pub(crate) fn plain_setup(rules: &Ruleset) -> Setup {
    let army = rules.army();
    let order =
        [Rank::Flag, Rank::Bomb].into_iter().chain(Rank::ALL.into_iter().filter(|rank| rank.is_mobile()));
    let mut cells: Vec<Cell> =
        order.flat_map(|rank| std::iter::repeat_n(Cell::Known(rank), army.count(rank) as usize)).collect();
    cells.resize(40, Cell::Empty);
    Setup(std::array::from_fn(|place| cells[place]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_setup_is_the_whole_army() {
        let rules = Ruleset::default();
        assert!(plain_setup(&rules).is_complete(&rules.army()));
    }
}
