//! `why <mv>`: what speaks for and against one action, in the words of what the mover knows.

use crate::protocol::analysis::context::Context;
use crate::protocol::grammar::reply::{Reply, outcome_name, wdl};
use outflank_engine::belief::{Belief, RankProbabilities, parts_per_million};
use outflank_engine::engine::{Engine, Request};
use outflank_engine::eval::Terms;
use outflank_engine::policy::reasons::Reason;
use outflank_engine::search::{ActionProbability, Budget, Candidate, Choice};
use outflank_rules::event::Event;
use outflank_rules::math;
use outflank_rules::rules::{Action, Outcome, Piece, PieceId, Played, Rank, RankSet, Verdict, defenders};
use outflank_rules::view::View;
use std::time::Duration;

/// Nodes of each of the two short searches.
const NODES: u64 = 2_000;
/// Their longest time.
const TIME: Duration = Duration::from_millis(500);
/// How many ranks of a piece, or actions, are named.
const NAMED: usize = 5;
/// How many of the policy's reasons are named, and how many nats one has to be worth.
const REASONS: usize = 3;
const LEAST_REASON: f32 = 0.3;

/// A question about an action of the side to move.
#[derive(Clone, Debug)]
pub(crate) struct MoveQuestion {
    /// The mover, as it is to search.
    pub player: Engine,
    /// The action; legal.
    pub action: Action,
}

impl MoveQuestion {
    /// Says everything there is to say, line by line.
    pub(crate) fn answer(&self, context: &mut Context<'_>) {
        let belief = self.player.belief();
        let mut lines = self.facts(&belief);
        lines.extend(self.evaluations(&belief));
        lines.extend(self.policy());
        for line in lines {
            context.say(Reply::Why(line));
        }
        for line in self.searches(context) {
            context.say(Reply::Why(line));
        }
    }

    fn mover(&self) -> Option<(PieceId, Rank)> {
        let position = self.player.view().position();
        let id = position.piece_at(self.action.from)?;
        Some((id, position.piece(id).ranks.single()?))
    }

    fn facts(&self, belief: &Belief) -> Vec<String> {
        let position = self.player.view().position();
        let Action { from, to, .. } = self.action;
        let Some((id, rank)) = self.mover() else { return Vec::new() };
        let mut lines = Vec::new();
        let unknown = position.piece(id).learned.len() > 1;
        let rescue = self.action.rescue.and_then(|rescue| Some((rescue.rank?, rescue.square)));
        let rescue = rescue.map(|(rank, square)| format!("rescue {rank} to {square}"));
        let shown = if unknown { "the enemy does not know it" } else { "the enemy knows it" };
        let Some(target) = position.piece_at(to) else {
            lines.push(format!("move {rank} from {from} to {to}; {shown}"));
            lines.extend(rescue);
            return lines;
        };
        lines.push(format!("strike {rank} from {from} at {to}; {shown}"));
        let piece = position.piece(target);
        lines.push(format!("target {to} {}", known(piece, position.rules().army().ranks())));
        if let Some(probabilities) = belief.probabilities(target) {
            lines.push(format!("believed {to} {}", likeliest(probabilities)));
            let outcomes = self.outcomes(rank, probabilities);
            let named: Vec<String> =
                outcomes.iter().map(|(outcome, ppm)| format!("{} {ppm}", outcome_name(*outcome))).collect();
            lines.push(format!("chances {}", named.join(" ")));
        }
        lines.extend(rescue.map(|rescue| format!("{rescue} if it wins")));
        lines
    }

    /// The chance of each outcome, in parts per million.
    fn outcomes(&self, striker: Rank, probabilities: &RankProbabilities) -> [(Outcome, u32); 3] {
        let strike_rules = self.player.view().position().rules().strike_rules();
        let parts = parts_per_million(probabilities);
        Outcome::ALL.map(|outcome| {
            let losers = defenders(striker, outcome, strike_rules);
            (outcome, losers.iter().map(|rank| parts[rank]).sum())
        })
    }

    /// The evaluation now and after the action, once for each outcome it may have.
    fn evaluations(&self, belief: &Belief) -> Vec<String> {
        let mut lines = vec![format!("eval now {}", evaluate(self.player.view(), belief))];
        let Some((_, rank)) = self.mover() else { return lines };
        if self.player.view().position().is_strike(self.action) {
            for outcome in Outcome::ALL {
                let defender = self.winner(rank, outcome, belief);
                let verdict = Verdict { outcome, striker: Some(rank), defender };
                if let Some(after) = self.after(Some(verdict)) {
                    lines.push(format!("eval {} {after}", outcome_name(outcome)));
                }
            }
        } else if let Some(after) = self.after(None) {
            lines.push(format!("eval after {after}"));
        }
        lines
    }

    /// Under `advance` a defender that wins has to be named: the likeliest of those that do.
    fn winner(&self, striker: Rank, outcome: Outcome, belief: &Belief) -> Option<Rank> {
        let position = self.player.view().position();
        let rules = position.rules();
        if !rules.advance || outcome != Outcome::Loss {
            return None;
        }
        let probabilities = belief.probabilities(position.piece_at(self.action.to)?)?;
        let winners = defenders(striker, outcome, rules.strike_rules());
        winners.iter().max_by(|&one, &other| probabilities[one].total_cmp(&probabilities[other]))
    }

    fn after(&self, verdict: Option<Verdict>) -> Option<i32> {
        let mut player = self.player.clone();
        player.observe(&Event::Played(Played { action: self.action, verdict })).ok()?;
        Some(evaluate(player.view(), &player.belief()))
    }

    /// How likely the learned policy chooses the action, why so far as there are words for it, and what it likes best.
    fn policy(&self) -> Vec<String> {
        let mut actions = self.player.policy();
        actions.sort_by(|one, other| other.logarithm.total_cmp(&one.logarithm));
        let this = actions.iter().find(|said| said.action == self.action);
        let mut lines: Vec<String> =
            this.map(|said| format!("policy this {}", in_million(said.logarithm))).into_iter().collect();
        lines.extend(self.reasons());
        let position = self.player.view().position();
        let named = actions.iter().take(NAMED).map(|&ActionProbability { action, logarithm }| {
            format!("{} {}", action.text(position.is_strike(action)), in_million(logarithm))
        });
        let named: Vec<String> = named.collect();
        if !named.is_empty() {
            lines.push(format!("policy best {}", named.join(" ")));
        }
        lines
    }

    fn reasons(&self) -> Vec<String> {
        let weighty = self.player.reasons(self.action).into_iter().take(REASONS);
        weighty
            .filter(|reason| reason.nats.abs() >= LEAST_REASON)
            .map(|Reason { feature, nats }| format!("policy because {nats:+.1} {feature}"))
            .collect()
    }

    /// A short look ahead at this action, and at the one that the search likes best. Where these are two, both numbers
    /// come from one search of these two.
    fn searches(&self, context: &Context<'_>) -> Vec<String> {
        let mut choice = self.search(&[], context);
        let best = choice.candidates.first().map(|best| best.action);
        if let Some(best) = best.filter(|best| *best != self.action) {
            choice = self.search(&[best, self.action], context);
        }
        let this = choice.candidates.iter().find(|candidate| candidate.action == self.action);
        let best = choice.candidates.first();
        let position = self.player.view().position();
        let text = |best: &Candidate| best.action.text(position.is_strike(best.action));
        let this = this.map(|this| format!("search this {}{}", wdl(this.score), bonus(this)));
        let best = best.map(|best| format!("search best {} {}{}", wdl(best.score), text(best), bonus(best)));
        this.into_iter().chain(best).collect()
    }

    fn search(&self, only: &[Action], context: &Context<'_>) -> Choice {
        let hard = Some(context.control.elapsed() + TIME);
        let budget = Budget { soft: None, hard, nodes: Some(NODES), depth: None };
        let request = Request { budget, only: only.to_vec() };
        self.player.search(&request, context.control, &mut |_| ())
    }
}

/// The bonus that the choice adds to an action's score, where there is one.
fn bonus(candidate: &Candidate) -> String {
    match candidate.added.round() as i32 {
        0 => String::new(),
        bonus => format!(" bonus {bonus}"),
    }
}

/// What is known for certain of a piece.
pub(crate) fn known(piece: &Piece, army: RankSet) -> String {
    let moved = if piece.moved { "has moved" } else { "has not moved" };
    match piece.ranks.single() {
        Some(rank) => format!("is known: {rank}; it {moved}"),
        None if piece.ranks == army => format!("is unknown; it {moved}"),
        None => format!("is one of {}; it {moved}", piece.ranks),
    }
}

/// The likeliest ranks with their parts per million.
pub(crate) fn likeliest(probabilities: &RankProbabilities) -> String {
    let parts = parts_per_million(probabilities);
    let mut ranks: Vec<Rank> = Rank::ALL.into_iter().filter(|rank| parts[*rank] > 0).collect();
    ranks.sort_by_key(|rank| std::cmp::Reverse(parts[*rank]));
    ranks.truncate(NAMED);
    let named: Vec<String> = ranks.iter().map(|&rank| format!("{rank} {}", parts[rank])).collect();
    named.join(" ")
}

/// Parts per million of a probability, by its natural logarithm.
fn in_million(logarithm: f32) -> u32 {
    (math::exp(logarithm) * 1e6).round() as u32
}

fn evaluate(view: &View, belief: &Belief) -> i32 {
    Terms::of_view(view, belief).in_points()
}
