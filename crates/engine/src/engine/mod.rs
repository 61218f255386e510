//! A player put together: what it was shown, what it found out about that, what it believes, and the search that
//! chooses.
//!
//! Whoever hosts a player goes through an [`Engine`]: the protocol, the arena's adapter, self-play, measuring tools.
//! It is given events and asked for actions; it knows no file, no wall clock but the one it is given, and no hidden
//! rank.

mod ablation;
#[cfg(test)]
mod tests;
mod tuning;

pub use crate::eval::EvaluatorKind;
pub use crate::search::Control;
pub use ablation::Ablation;
pub use tuning::{Variant, list_parameters, set_parameters};

use crate::belief::contact::just_met;
use crate::belief::{Belief, Evidence, Known, Prediction, predict};
use crate::deployment;
use crate::event::Event;
use crate::policy::reasons::{Reason, reasons};
use crate::rng::Rng;
use crate::rules::{Action, PlayError, Played, RankSet, Ruleset, Setup, Side};
use crate::search::{
    ActionProbability, Budget, Choice, Clock, Conditions, Info, Level, SearchTask, TranspositionTable,
    infer_from_move, search,
};
use crate::sparse::{Evaluation, PLIES_SHOWN, Pursuits};
use crate::view::View;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Plies that thinking looks back on: those that the policy is shown, and the last, which is taken back to ask what it
/// tells.
const LOOKED_BACK: usize = PLIES_SHOWN + 1;

/// What chooses actions: [`crate::search::search`], or whatever a test of the host puts in its place.
pub type Searcher = fn(&SearchTask<'_>, &mut dyn FnMut(&Info)) -> Choice;

/// How a player thinks, from one request to the next: what a host sets once.
#[derive(Copy, Clone, Debug)]
pub struct Settings {
    /// Seeds every random choice.
    pub seed: u64,
    /// How strong to play.
    pub level: Level,
    /// Threads to search on. With more than one, equal questions need not have equal answers.
    pub threads: usize,
    /// How many lines to report.
    pub lines: usize,
    /// What gives positions their value.
    pub evaluator: EvaluatorKind,
    /// What it does not reckon with; nothing, but where its worth is measured.
    pub ablation: Ablation,
    /// What chooses.
    pub searcher: Searcher,
}

/// Full strength, one thread, one line.
impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: 0,
            level: Level::FULL,
            threads: 1,
            lines: 1,
            evaluator: EvaluatorKind::default(),
            ablation: Ablation::default(),
            searcher: search,
        }
    }
}

/// What a player is asked once: how long to think, and about which actions.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// When to end.
    pub budget: Budget,
    /// Consider only these actions, unless empty.
    pub only: Vec<Action>,
}

/// No more than that, among all actions.
impl From<Budget> for Request {
    fn from(budget: Budget) -> Request {
        Request { budget, only: Vec::new() }
    }
}

/// One player in one game.
///
/// The [page of the library](crate) has examples: a game, a belief, an analysis.
#[derive(Clone, Debug)]
pub struct Engine {
    view: View,
    evidence: Evidence,
    settings: Settings,
    table: Option<Arc<TranspositionTable>>,
    /// Of all plies so far, also of those that a copy to think by has forgotten.
    pursuits: Pursuits,
}

impl Engine {
    /// The player of `viewer` at an empty board.
    pub fn new(viewer: Side, rules: Ruleset, settings: Settings) -> Engine {
        Engine { settings, ..Engine::from(View::new(viewer, rules)) }
    }

    /// Changes how it thinks from now on.
    pub fn configure(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// How it thinks.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Gives it a transposition table that outlasts a search; without one each search makes its own.
    pub fn share_table(&mut self, table: Option<Arc<TranspositionTable>>) {
        self.table = table;
    }

    /// Takes in what its side is shown. On an error nothing has changed.
    pub fn observe(&mut self, event: &Event) -> Result<(), PlayError> {
        let prediction = self.predicted(event);
        let had_moved = prediction.is_some_and(|Prediction { id, .. }| self.view.position().piece(id).moved);
        self.view.observe(event)?;
        if let Event::Played(_) = event {
            self.pursuits.note_latest(self.view.position());
        }
        if let Some(prediction) = prediction {
            let piece = self.view.position().piece(prediction.id);
            if piece.ranks.single().is_some() {
                self.evidence.note_revealed(&self.view, &prediction, piece.ranks);
            } else if piece.moved && !had_moved {
                self.evidence.note_revealed(&self.view, &prediction, RankSet::MOBILE);
            }
        }
        self.note_contact();
        Ok(())
    }

    /// Keeps what is predicted of a piece that the last ply brought beside ours for the first time.
    fn note_contact(&mut self) {
        let enemies = self.view.hidden_army();
        let Some(met) = just_met(&enemies, &self.view) else { return };
        let id = enemies[met.index].0;
        if self.evidence.has_contact(&self.view, id) {
            return;
        }
        if let Some(contact) = predict(self.known(), id) {
            // It is about the ply that made the contact.
            let contact = Prediction { ply: self.view.position().ply(), ..contact };
            self.evidence.note_contact(&self.view, &contact);
        }
    }

    /// What is predicted of the enemy's piece of which an event may reveal something: its rank by a strike or a move
    /// over several squares, or that it can move at all.
    fn predicted(&self, event: &Event) -> Option<Prediction> {
        let Event::Played(Played { action, .. }) = event else { return None };
        let position = self.view.position();
        let enemy = |square| position.piece_at(square).filter(|id| id.side() != self.view.viewer());
        let id = [action.from, action.to].into_iter().find_map(enemy)?;
        let strike = position.piece_at(action.to).is_some();
        if !strike && action.from.distance(action.to) < 2 && position.piece(id).moved {
            return None;
        }
        predict(self.known(), id)
    }

    /// Takes the last ply back; false if there is none. What was found out about it is known again should it be made
    /// again.
    pub fn undo(&mut self) -> bool {
        let undone = self.view.undo();
        if undone {
            self.pursuits = Pursuits::of(self.view.position());
        }
        undone
    }

    /// Forgets all but the latest `count` plies: the others cannot be taken back any more.
    pub fn keep_latest(&mut self, count: usize) {
        self.view.keep_latest(count);
        self.evidence.keep_only(&[&self.view]);
    }

    /// Takes over what another telling of the game found out, as far as the games agree.
    pub fn inherit(&mut self, other: &Engine) {
        self.evidence = other.evidence.clone();
        self.evidence.keep_only(&[&self.view]);
    }

    /// What each piece was seen to do while it was hidden, in all plies so far.
    pub const fn pursuits(&self) -> &Pursuits {
        &self.pursuits
    }

    /// A copy of the player, to think about its position elsewhere: of the plies that led here it keeps only what thinking
    /// goes by.
    #[must_use]
    pub fn to_think(&self) -> Engine {
        Engine {
            view: self.view.latest(LOOKED_BACK),
            evidence: self.evidence.clone(),
            settings: self.settings,
            table: self.table.clone(),
            pursuits: self.pursuits.clone(),
        }
    }

    /// What it found out, when nothing else of it is needed.
    pub fn into_evidence(self) -> Evidence {
        self.evidence
    }

    /// Takes over what `found` knows of the last ply, unless something is known of it.
    pub fn learn(&mut self, found: &Evidence) {
        self.evidence.take_last(&self.view, found);
    }

    /// What it was shown.
    pub const fn view(&self) -> &View {
        &self.view
    }

    /// What it found out about that.
    pub const fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// The view together with the evidence, as the belief takes them.
    pub const fn known(&self) -> Known<'_> {
        Known { view: &self.view, evidence: &self.evidence }
    }

    /// What it believes of the enemy's pieces.
    pub fn belief(&self) -> Belief {
        Belief::of_enemies_weighing(self.known(), &self.settings.ablation.likelihoods())
    }

    /// What the enemy may believe of its pieces.
    pub fn belief_about_us(&self) -> Belief {
        Belief::of_ours(&self.view)
    }

    /// How likely the learned policy chooses each action, rescues aside; it must be its turn. Empty under rules under
    /// which the policy is not used, with an evaluator that offers none, and where the policy is left out.
    pub fn policy(&self) -> Vec<ActionProbability> {
        self.evaluated().map_or_else(Vec::new, |said| {
            let each = said.actions.into_iter().zip(said.log_probabilities);
            each.map(|(action, logarithm)| ActionProbability { action, logarithm }).collect()
        })
    }

    fn evaluated(&self) -> Option<Evaluation> {
        let Settings { ablation, evaluator, .. } = self.settings;
        if ablation.policy { None } else { evaluator.policy(&self.view, &self.pursuits) }
    }

    /// Why the learned policy likes an action, or does not, as far as there are words for it: the weightiest first.
    /// None where [`Engine::policy`] says nothing of the action.
    pub fn reasons(&self, action: Action) -> Vec<Reason> {
        let said = self.evaluated();
        said.map_or_else(Vec::new, |said| reasons(&self.view, &self.belief(), &said, action))
    }

    /// Chooses an action; it must be its turn. First it asks what the enemy's last move tells of the enemy's pieces.
    pub fn think(&mut self, request: &Request, control: Control<'_>, sink: &mut dyn FnMut(&Info)) -> Choice {
        let budget = self.infer(request.budget, control);
        self.search_within(budget, &request.only, control, sink)
    }

    /// Thinks until it is stopped, for what this leaves in the table and in the evidence; false if it was stopped
    /// before the belief was what it will be: then the table is about another one.
    pub fn ponder(&mut self, control: Control<'_>) -> bool {
        let budget = self.infer(Budget::default(), control);
        if control.is_stopped() {
            return false;
        }
        self.search_within(budget, &[], control, &mut |_| ());
        true
    }

    /// Asks what the enemy's last move tells of its pieces, as [`Engine::think`] does first. What is left of the
    /// budget.
    pub fn infer(&mut self, budget: Budget, control: Control<'_>) -> Budget {
        if !self.settings.ablation.infers() {
            return budget;
        }
        let conditions = self.conditions(budget, control);
        infer_from_move(&self.view, &mut self.evidence, &conditions)
    }

    const fn conditions<'a>(&self, budget: Budget, control: Control<'a>) -> Conditions<'a> {
        let Settings { level, seed, .. } = self.settings;
        Conditions { budget, level, seed, control }
    }

    /// Chooses by what is known now: [`Engine::think`] without asking about the enemy's last move.
    pub fn search(&self, request: &Request, control: Control<'_>, sink: &mut dyn FnMut(&Info)) -> Choice {
        self.search_within(request.budget, &request.only, control, sink)
    }

    fn search_within(
        &self,
        budget: Budget,
        only: &[Action],
        control: Control<'_>,
        sink: &mut dyn FnMut(&Info),
    ) -> Choice {
        let Settings { seed: _, level: _, threads, lines, evaluator, ablation, searcher } = self.settings;
        let supposed = ablation.supposed(&self.view);
        let policy = self.policy();
        let task = SearchTask {
            view: supposed.as_ref().unwrap_or(&self.view),
            belief: &self.belief(),
            evaluator,
            conditions: self.conditions(budget, control),
            only,
            policy: &policy,
            lines,
            threads,
            table: self.table.as_deref(),
        };
        searcher(&task, sink)
    }
}

/// The player who knows what a view shows, at full strength.
impl From<View> for Engine {
    fn from(view: View) -> Engine {
        let pursuits = Pursuits::of(view.position());
        Engine { view, evidence: Evidence::new(), settings: Settings::default(), table: None, pursuits }
    }
}

/// A setup of the engine's choice, another than `previous`.
pub fn choose_setup(rules: &Ruleset, previous: Option<&Setup>, rng: &mut Rng) -> Setup {
    deployment::choose(rules, previous, rng)
}

/// Time since an instant, such as that at which a line was read.
#[derive(Copy, Clone, Debug)]
pub struct Stopwatch(pub Instant);

impl Stopwatch {
    /// Runs from now on.
    pub fn start() -> Stopwatch {
        Stopwatch(Instant::now())
    }
}

impl Clock for Stopwatch {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A seed that differs from process to process and from call to call, for whoever was given none.
pub fn random_seed() -> u64 {
    RandomState::new().hash_one(Instant::now())
}
