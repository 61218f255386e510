//! Hints: what the engine would do in the person's place, by what the person was shown.

use crate::game::{Due, Eyes, Match, Refused};
use crate::outlook::Outlook;
use crate::resources::Resources;
use crate::room::{Advice, Hint, Moment, Room};
use outflank::engine::{Control, Engine, Settings, Stopwatch, random_seed};
use outflank::event::Event;
use outflank::rules::{Action, Ruleset, Side};
use outflank::search::Budget;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long it thinks.
const TIME: Duration = Duration::from_millis(1500);
/// Actions whose values it finds out.
const LINES: usize = 3;
/// Points of evaluation within which two actions are as good as each other: a scout is worth 15.
const ALIKE: f32 = 3.0;
/// How many reasons are named, and how many nats one has to be worth that is not the only one.
const REASONS: usize = 2;
const LIKED: f32 = 0.5;

impl Room {
    /// Lets the engine think about the person's turn.
    pub(crate) fn advise(self: &Arc<Room>, resources: &Arc<Resources>, eyes: Eyes) -> Result<(), Refused> {
        let (side, now, rules, events) = {
            let mut state = self.lock_for(eyes);
            let (side, now) = (asked(&state.game)?, state.moment());
            match &state.hint {
                Hint::Thinking(at) | Hint::Given(at, _) if *at == now => return Ok(()),
                Hint::None | Hint::Thinking(_) | Hint::Given(..) => {}
            }
            state.hint = Hint::Thinking(now);
            (side, now, *state.game.rules(), state.game.events(side))
        };
        self.bump();
        let (room, resources) = (self.clone(), resources.clone());
        tokio::spawn(async move {
            let Ok(permit) = resources.thinking.acquire().await else { return };
            let advice = tokio::task::spawn_blocking(move || think(side, rules, &events)).await;
            drop(permit);
            room.note_advice(now, advice.ok().flatten());
        });
        Ok(())
    }

    /// What was found for a hint, unless another one has been asked for since.
    fn note_advice(&self, asked: Moment, advice: Option<Advice>) {
        let mut state = self.lock();
        if matches!(&state.hint, Hint::Thinking(at) if *at == asked) {
            state.hint = advice.map_or(Hint::None, |advice| Hint::Given(asked, advice));
        }
        drop(state);
        self.bump();
    }
}

/// Who asks.
fn asked(game: &Match) -> Result<Side, Refused> {
    if !game.options().friendly {
        return Err(Refused::Serious);
    }
    match game.person_due() {
        Some(Due::Action(side)) => Ok(side),
        Some(Due::Setup(_)) => Err(Refused::Stage),
        None => Err(Refused::Turn),
    }
}

fn think(side: Side, rules: Ruleset, events: &[Event]) -> Option<Advice> {
    let settings = Settings { seed: random_seed(), lines: LINES, ..Settings::default() };
    let mut engine = Engine::new(side, rules, settings);
    for event in events {
        engine.observe(event).ok()?;
    }
    let budget = Budget { soft: Some(TIME), hard: Some(TIME), ..Budget::default() };
    let (clock, stop) = (Stopwatch::start(), AtomicBool::new(false));
    let choice = engine.think(&budget.into(), Control::new(&clock, &stop), &mut |_| ());
    let action = choice.action?;
    let text = |action: Action| action.text(engine.view().position().piece_at(action.to).is_some());
    let best = choice.candidates.first().map_or(0.0, |candidate| candidate.points + candidate.added);
    let alike =
        choice.candidates.iter().filter(|candidate| candidate.points + candidate.added > best - ALIKE);
    let others = alike.map(|candidate| candidate.action).filter(|other| *other != action).map(text).collect();
    let chances =
        choice.score.map(|score| [score.win, score.draw, score.loss].map(|permille| permille as u32));
    let outlook = Outlook::of(engine.view().position(), &engine.belief(), action);
    Some(Advice { action: text(action), chances, others, reasons: liked(&engine, action), outlook })
}

/// What an action is about that the learned policy likes.
fn liked(engine: &Engine, action: Action) -> Vec<String> {
    let all = engine.reasons(action).into_iter().filter(|reason| reason.nats > 0.0).enumerate();
    let named = all.filter(|(place, reason)| *place == 0 || reason.nats >= LIKED).take(REASONS);
    named.map(|(_, reason)| reason.feature.to_string()).collect()
}
