//! The truth of a game that an engine is given one player's share of.

use super::talk::{Step, fail};
use outflank::deployment::shuffled;
use outflank::event::{Event, mask_played, mask_setup};
use outflank::rng::Rng;
use outflank::rules::{Action, BySide, Cell, Position, Rank, Ruleset, Setup, Side, Spn, Square, Viewer};
use outflank::view::View;

/// Both armies and all that was played.
#[derive(Clone)]
pub(super) struct Truth {
    pub(super) setups: BySide<Setup>,
    pub(super) position: Position,
    actions: Vec<Action>,
}

impl Truth {
    /// The start of a game.
    pub(super) fn new(rules: Ruleset, setups: BySide<Setup>) -> Truth {
        let mut position = Position::new(rules);
        setups.iter().for_each(|(side, setup)| position.deploy(side, setup));
        position.settle();
        Truth { setups, position, actions: Vec::new() }
    }

    /// The start of a game under the usual rules, from the texts of both setups.
    pub(super) fn of(red: &str, blue: &str) -> Step<Truth> {
        let parse =
            |text: &str| text.parse().or_else(|error| fail(format!("this check's own setup: {error}")));
        Ok(Truth::new(Ruleset::default(), BySide::new([parse(red)?, parse(blue)?])))
    }

    /// The start of a game between random armies.
    pub(super) fn random(rules: Ruleset, rng: &mut Rng) -> Truth {
        let setups = BySide::from_fn(|_| shuffled(&rules, rng));
        Truth::new(rules, setups)
    }

    /// Plays random actions, strikes before others, up to this ply; stops before one that ends the game.
    pub(super) fn wander(&mut self, plies: u32, rng: &mut Rng) {
        while self.position.ply() < plies {
            let Some(action) = self.any(rng) else { return };
            let mut next = self.clone();
            next.play(action);
            if next.position.ending().is_some() {
                return;
            }
            *self = next;
        }
    }

    /// A random legal action, a strike half of the time.
    pub(super) fn any(&self, rng: &mut Rng) -> Option<Action> {
        let mut actions = self.position.actions();
        rng.shuffle(&mut actions);
        let strike = actions.iter().position(|&action| self.position.is_strike(action));
        match strike {
            Some(index) if rng.below(2) == 0 => Some(actions[index]),
            _ => actions.first().copied(),
        }
    }

    /// Makes a legal action; whether that worked.
    pub(super) fn play(&mut self, action: Action) -> bool {
        let played = self.position.is_legal(action) && self.position.play(action.into()).is_ok();
        if played {
            self.actions.push(action);
        }
        played
    }

    /// The legal actions as an engine writes them.
    pub(super) fn legal(&self) -> Vec<String> {
        let text = |action: Action| action.text(self.position.is_strike(action));
        self.position.actions().into_iter().map(text).collect()
    }

    /// What `viewer` is shown of every ply.
    pub(super) fn shown_to(&self, viewer: Side) -> Vec<String> {
        let rules = self.position.rules();
        let movers = Side::BOTH.into_iter().cycle();
        let history = self.position.history().zip(movers);
        history.map(|(&played, mover)| mask_played(played, mover, viewer, rules).to_string()).collect()
    }

    /// The lines that tell a player this game, or, in a study, both armies.
    pub(super) fn lines(&self, viewer: Side, study: bool) -> Vec<String> {
        let rules = self.position.rules().to_string();
        let mut lines = vec![format!("newgame {viewer} rules {}", rules.trim_start_matches("preset="))];
        for (side, setup) in self.setups.iter() {
            let shown = if study { *setup } else { mask_setup(setup, side, viewer) };
            lines.push(format!("setup {side} {shown}"));
        }
        let plies = if study {
            self.actions.iter().map(|action| action.text(false)).collect()
        } else {
            self.shown_to(viewer)
        };
        if !plies.is_empty() {
            lines.push(format!("play {}", plies.join(" ")));
        }
        lines
    }

    /// The position's text, for one player or for whoever may know all.
    pub(super) fn spn(&self, viewer: Viewer) -> String {
        let position = match viewer {
            Viewer::Player(side) => self.position.masked(side),
            Viewer::Both => self.position.clone(),
        };
        Spn { position, viewer }.to_string()
    }

    /// The board alone, with every rank.
    pub(super) fn board(&self) -> String {
        let spn = self.spn(Viewer::Both);
        spn.split(' ').next().unwrap_or_default().to_owned()
    }

    /// The same game with the ranks that `viewer` does not know exchanged within what it knows; `None` if the rng
    /// find no other that goes on as this one does.
    pub(super) fn disguised(&self, viewer: Side, rng: &mut Rng) -> Option<Truth> {
        let owner = viewer.enemy();
        let view = self.view(viewer)?;
        let mut setups = self.setups;
        let cells = &mut setups[owner].0;
        let hidden: Vec<_> =
            view.enemies().filter(|(_, piece)| piece.ranks.len() > 1).map(|(id, _)| id).collect();
        let may_be = |id, cell| match cell {
            Cell::Known(rank) => view.position().piece(id).ranks.contains(rank),
            Cell::Hidden | Cell::Empty => false,
        };
        for _ in 0..40 * hidden.len() {
            let [one, two] = [(); 2].map(|()| hidden[rng.below(hidden.len())]);
            if may_be(one, cells[two.number()]) && may_be(two, cells[one.number()]) {
                cells.swap(one.number(), two.number());
            }
        }
        let mut other = Truth::new(*self.position.rules(), setups);
        let replays = self.actions.iter().all(|&action| other.play(action));
        let same =
            replays && other.shown_to(viewer) == self.shown_to(viewer) && other.position.ending().is_none();
        (same && setups != self.setups).then_some(other)
    }

    /// Squares and true ranks of the enemy's living pieces that `viewer` does not know, Red's back row first.
    pub(super) fn hidden_from(&self, viewer: Side) -> Vec<(String, Rank)> {
        let Some(view) = self.view(viewer) else { return Vec::new() };
        let hidden = |square| {
            let id = view.position().piece_at(square).filter(|id| id.side() != viewer)?;
            let truth = self.position.piece(id).ranks.single()?;
            (view.position().piece(id).ranks.len() > 1).then(|| (square.to_string(), truth))
        };
        Square::all().filter_map(hidden).collect()
    }

    /// What a player knows.
    fn view(&self, viewer: Side) -> Option<View> {
        let rules = *self.position.rules();
        let mut view = View::new(viewer, rules);
        for (side, setup) in self.setups.iter() {
            let setup = mask_setup(setup, side, viewer);
            view.observe(&Event::Deployed(side, setup)).ok()?;
        }
        for (&played, mover) in self.position.history().zip(Side::BOTH.into_iter().cycle()) {
            view.observe(&Event::Played(mask_played(played, mover, viewer, &rules))).ok()?;
        }
        Some(view)
    }
}
