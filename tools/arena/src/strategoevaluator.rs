//! Hosting bots that speak the protocol of the public arena strategoevaluator.
//!
//! They play one game per process, choose their setups themselves, know no limits and no options, and play by the
//! preset `evaluator` alone. Unlike there, a bot that is not on move is not stopped.

use crate::contender::Program;
use crate::engine::{Engine, FAREWELL, Fault, Flaw, Said, Wait, ending};
use crate::player::{Choice, Offer, Player, Seat, Turn};
use outflank::arena_bot::host;
use outflank::event::Event;
use outflank::rules::{Setup, Side};
use outflank::view::View;
use std::time::Duration;

/// A bot of the public arena.
#[derive(Debug)]
pub struct StrategoEvaluatorPlayer {
    engine: Engine,
    /// What it is called in the match.
    name: String,
    about: String,
    patience: Duration,
    /// What it knows; set once a game has begun.
    view: Option<View>,
    /// Its last action as it wrote it.
    wrote: String,
}

impl StrategoEvaluatorPlayer {
    /// Starts a bot for one game. `patience` bounds the wait for its setup.
    ///
    /// # Errors
    /// [`Flaw::Unstartable`].
    pub fn start(
        name: &str,
        program: &Program,
        patience: Duration,
    ) -> Result<StrategoEvaluatorPlayer, Fault> {
        let engine = Engine::run(program.command())?;
        Ok(StrategoEvaluatorPlayer {
            engine,
            name: name.to_owned(),
            about: String::new(),
            patience,
            view: None,
            wrote: String::new(),
        })
    }

    fn view(&mut self) -> Result<&mut View, Fault> {
        self.view.as_mut().ok_or_else(|| Fault::new(Flaw::Garbage, "no game has begun"))
    }

    fn hear(&mut self, wait: &mut Wait, asked: &str) -> Result<Said, Fault> {
        let heard = wait.hear(&mut self.engine, &self.name)?;
        heard.ok_or_else(|| wait.silence(&self.name, asked).with_errors(&self.engine.last_errors()))
    }
}

impl Player for StrategoEvaluatorPlayer {
    fn begin(&mut self, seat: &Seat) -> Result<(), Fault> {
        self.view = Some(View::new(seat.side, seat.rules));
        self.engine.say(&host::opening(seat.side, "opponent"))
    }

    fn choose_setup(&mut self) -> Result<Setup, Fault> {
        let (side, patience) = (self.view()?.viewer(), self.patience);
        let mut lines = Vec::new();
        for _ in 0..4 {
            lines.push(self.hear(&mut Wait::new(None, patience), "setup")?.text);
        }
        host::setup(side, &lines)
            .ok_or_else(|| Fault::new(Flaw::Garbage, format!("setup {}", lines.join(" "))))
    }

    fn observe(&mut self, event: &Event) -> Result<(), Fault> {
        let view = self.view()?;
        let mover = view.position().to_move();
        view.observe(event).map_err(|error| Fault::new(Flaw::Illegal, error.to_string()))?;
        let (own, over) = (mover == view.viewer(), view.position().ending().is_some());
        match event {
            Event::Played(played) if !over => {
                let line =
                    if own { host::result_line(&self.wrote, played.verdict) } else { host::played(played) };
                self.engine.say(&line)
            }
            Event::Played(_) | Event::Deployed(..) => Ok(()),
        }
    }

    fn choose(&mut self, turn: &Turn) -> Result<Offer, Fault> {
        let view = self.view()?;
        let mut lines = host::board(view);
        if view.position().ply() == 0 {
            lines.insert(0, host::START.to_owned());
        }
        if let Some(said) = self.engine.heard()? {
            return Err(Fault::new(Flaw::Garbage, format!("unasked: {}", said.text)));
        }
        let mut wait = Wait::new(turn.allowed, self.patience);
        self.engine.say(&lines.join("\n"))?;
        let Said { text, at, .. } = self.hear(&mut wait, "action")?;
        let taken = wait.taken(at);
        turn.check(taken)?;
        self.wrote = text;
        let choice = if self.wrote.trim() == host::SURRENDER {
            Choice::Resign
        } else {
            let garbage = || Fault::new(Flaw::Garbage, &self.wrote);
            Choice::Act(host::action(&self.wrote).ok_or_else(garbage)?)
        };
        Ok(Offer { choice, nodes: 0, chances: None, candidates: Vec::new(), taken })
    }

    fn end(&mut self, _: Option<Side>) -> Result<(), Fault> {
        self.engine.say(host::QUIT)
    }

    fn about(&self) -> &str {
        &self.about
    }
}

impl Drop for StrategoEvaluatorPlayer {
    fn drop(&mut self) {
        // After a game it knows already.
        if ending() && self.engine.say(host::QUIT).is_ok() {
            self.engine.close(FAREWELL);
        }
    }
}
