//! Hosting engines that speak SEI 1.

mod answer;

use crate::contender::{Contender, Program};
use crate::engine::{Engine, FAREWELL, Fault, Flaw, Said, Wait};
use crate::player::{Choice, Offer, Player, Seat, Turn};
use answer::Answer;
use outflank::event::Event;
use outflank::rules::{BySide, Played, Setup, Side, Spn};
use std::fmt::Write as _;
use std::time::Duration;

/// Bytes and lines that an engine may say while one answer is waited for; more is a flood.
const FLOOD: (usize, usize) = (4 << 20, 20_000);

/// Characters that are shown of what is said in place of a handshake.
const SHOWN: usize = 60;

/// An engine that speaks SEI 1.
#[derive(Debug)]
pub struct SeiPlayer {
    engine: Engine,
    /// What it is called in the match.
    name: String,
    about: String,
    options: Vec<String>,
    /// Lines that wait for the next question.
    unsaid: String,
    /// What ends its thinking besides clocks, as `go` takes it.
    limits: String,
    seed_told: bool,
    patience: Duration,
    /// Whether an action is asked for.
    thinking: bool,
    /// The last complaint since it was last asked something.
    complaint: Option<String>,
    seat: Option<Seat>,
}

impl SeiPlayer {
    /// Starts an engine and sets its options. `patience` bounds every wait that no clock bounds, but for the handshake,
    /// which has a limit of its own: that shows at once who does not speak SEI.
    ///
    /// # Errors
    /// Any fault; no answer to `sei` is [`Flaw::Silent`], an option that it does not have, or does not take,
    /// [`Flaw::Garbage`].
    pub fn start(contender: &Contender, program: &Program, patience: Duration) -> Result<SeiPlayer, Fault> {
        let engine = Engine::run(program.command())?;
        let mut player = SeiPlayer {
            engine,
            name: contender.name.clone(),
            about: String::new(),
            options: Vec::new(),
            unsaid: String::new(),
            limits: contender.limits.go(),
            seed_told: program.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("Seed")),
            patience,
            thinking: false,
            complaint: None,
            seat: None,
        };
        player.shake_hands(contender.handshake)?;
        for (name, value) in &program.options {
            player.set_option(name, value)?;
        }
        player.fence()?;
        Ok(player)
    }

    /// The options it has, by name.
    pub fn options(&self) -> &[String] {
        &self.options
    }

    fn shake_hands(&mut self, limit: Duration) -> Result<(), Fault> {
        self.say("sei");
        self.speak()?;
        let (mut name, mut version, mut known) = (String::new(), String::new(), false);
        let mut first = None;
        let found = self.listen(&mut Wait::new(None, limit), |said, answer| {
            first.get_or_insert_with(|| said.text.clone());
            if let Answer::Id("name", text) = answer {
                text.clone_into(&mut name);
            } else if let Answer::Id("version", text) = answer {
                text.clone_into(&mut version);
            } else if let Answer::Protocol(number) = answer {
                known = number == "1";
            }
            matches!(answer, Answer::Hello).then_some(())
        })?;
        if found.is_none() {
            return Err(self.no_handshake(limit, first.as_deref()));
        }
        if !known {
            return Err(Fault::new(Flaw::Garbage, "it does not say that it speaks protocol 1"));
        }
        format!("{name} {version}").trim().clone_into(&mut self.about);
        Ok(())
    }

    fn no_handshake(&self, limit: Duration, said: Option<&str>) -> Fault {
        let said = said.map_or_else(
            || "nothing".to_owned(),
            |said| format!("{:?}", said.chars().take(SHOWN).collect::<String>()),
        );
        let detail = format!(
            "{} does not answer `sei` in {} ms (handshake=MS allows more); it says {said}; does it speak another \
             protocol? protocol=strategoevaluator is for bots of that arena",
            self.name,
            limit.as_millis()
        );
        Fault::new(Flaw::Silent, detail).with_errors(&self.engine.last_errors())
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        if !self.has_option(name) {
            let detail = format!("it has no option {name}; it has {}", self.options.join(", "));
            return Err(Fault::new(Flaw::Garbage, detail));
        }
        self.say(&format!("setoption name {name} value {value}"));
        Ok(())
    }

    fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.eq_ignore_ascii_case(name))
    }

    /// Waits until everything said so far is dealt with; a complaint about it is a fault.
    fn fence(&mut self) -> Result<(), Fault> {
        self.say("isready");
        self.until("isready", |_, answer| matches!(answer, Answer::Ready).then_some(()))?;
        match self.complaint.take() {
            Some(complaint) => Err(Fault::new(Flaw::Garbage, complaint)),
            None => Ok(()),
        }
    }

    /// Says a line with the next question: lines that nobody waits for an answer to are written together, so that an
    /// engine is not woken in its enemy's time.
    fn say(&mut self, line: &str) {
        self.unsaid.push_str(line);
        self.unsaid.push('\n');
    }

    /// Says what is still unsaid.
    fn speak(&mut self) -> Result<(), Fault> {
        self.engine.say_bytes(std::mem::take(&mut self.unsaid).into_bytes())
    }

    /// Listens until `take` has what was asked for; no longer than our patience.
    fn until<T>(
        &mut self,
        asked: &str,
        take: impl FnMut(&Said, Answer<'_>) -> Option<T>,
    ) -> Result<T, Fault> {
        self.speak()?;
        let mut wait = Wait::new(None, self.patience);
        let found = self.listen(&mut wait, take)?;
        found.ok_or_else(|| self.silence(&wait, &format!("answer to {asked}")))
    }

    fn silence(&self, wait: &Wait, asked: &str) -> Fault {
        wait.silence(&self.name, asked).with_errors(&self.engine.last_errors())
    }

    /// Listens until `take` has what it wants, or the wait is over.
    fn listen<T>(
        &mut self,
        wait: &mut Wait,
        mut take: impl FnMut(&Said, Answer<'_>) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        let mut heard = (0, 0);
        loop {
            let Some(said) = wait.hear(&mut self.engine, &self.name)? else { return Ok(None) };
            heard = (heard.0 + said.text.len() + 1, heard.1 + 1);
            if heard.0 > FLOOD.0 || heard.1 > FLOOD.1 {
                let (bytes, lines) = heard;
                return Err(Fault::new(
                    Flaw::Flooded,
                    format!("{bytes} bytes in {lines} lines without an answer"),
                ));
            }
            let answer = Answer::read(&said.text);
            match answer {
                Answer::Error(text) => self.complaint = Some(format!("error {text}")),
                Answer::Offers(name) => self.options.push(name.to_owned()),
                Answer::Impossible(what) => {
                    return Err(Fault::new(Flaw::Garbage, format!("{what}: {}", said.text)));
                }
                Answer::Id(..)
                | Answer::Protocol(_)
                | Answer::Hello
                | Answer::Ready
                | Answer::Best(_)
                | Answer::Setup(_)
                | Answer::Info(_)
                | Answer::Other => {}
            }
            if let Some(found) = take(&said, answer) {
                return Ok(Some(found));
            }
        }
    }

    /// Hears what was said when nothing was asked; an answer among it is a fault.
    fn catch_up(&mut self) -> Result<(), Fault> {
        let unasked = self.listen(&mut Wait::new(Some(Duration::ZERO), Duration::ZERO), |said, answer| {
            matches!(answer, Answer::Best(_) | Answer::Setup(_)).then(|| said.text.clone())
        })?;
        match unasked {
            Some(line) => Err(Fault::new(Flaw::Garbage, format!("unasked: {line}"))),
            None => Ok(()),
        }
    }

    /// What `go` takes on this turn.
    fn go(&self, turn: &Turn) -> String {
        let mut line = format!("go{}", self.limits);
        let letters = BySide::new(["r", "b"]);
        for (side, left) in turn.left.iter() {
            if let Some(left) = left {
                let (left, increment) = (left.as_millis(), turn.increment[side].as_millis());
                let side = letters[side];
                let _ = write!(line, " {side}time {left} {side}inc {increment}");
            }
        }
        line
    }

    /// Makes sense of a `bestmove`.
    fn choice(&mut self, text: &str) -> Result<Choice, Fault> {
        if text == "resign" {
            return Ok(Choice::Resign);
        }
        let complaint =
            self.complaint.take().map_or_else(String::new, |complaint| format!(" after {complaint}"));
        match text.parse::<Played>() {
            Ok(Played { action, verdict: None }) => Ok(Choice::Act(action)),
            _ => Err(Fault::new(Flaw::Garbage, format!("bestmove {text}{complaint}"))),
        }
    }
}

impl Player for SeiPlayer {
    fn begin(&mut self, seat: &Seat) -> Result<(), Fault> {
        self.seat = Some(*seat);
        self.catch_up()?;
        self.complaint = None;
        if !self.seed_told && self.has_option("Seed") {
            self.say(&format!("setoption name Seed value {}", seat.seed));
        }
        self.say(&format!("newgame {} rules {}", seat.side, seat.rules));
        self.fence()
    }

    fn place(&mut self, spn: &Spn) -> Result<(), Fault> {
        self.say(&format!("position {spn}"));
        self.fence()
    }

    fn choose_setup(&mut self) -> Result<Setup, Fault> {
        self.say("go setup");
        let text = self.until("go setup", |_, answer| {
            if let Answer::Setup(text) = answer { Some(text.to_owned()) } else { None }
        })?;
        text.parse().map_err(|error| Fault::new(Flaw::Garbage, format!("bestsetup {text}: {error}")))
    }

    fn observe(&mut self, event: &Event) -> Result<(), Fault> {
        match event {
            Event::Deployed(side, setup) => self.say(&format!("setup {side} {setup}")),
            Event::Played(played) => self.say(&format!("play {played}")),
        }
        Ok(())
    }

    fn choose(&mut self, turn: &Turn) -> Result<Offer, Fault> {
        self.catch_up()?;
        let (line, mut wait) = (self.go(turn), Wait::new(turn.allowed, self.patience));
        self.say(&line);
        self.speak()?;
        self.thinking = true;
        let (mut nodes, mut chances) = (0, None);
        let found = self.listen(&mut wait, |said, answer| {
            if let Answer::Info(info) = answer {
                nodes = info.nodes.unwrap_or(nodes);
                chances = info.chances.or(chances);
            }
            if let Answer::Best(text) = answer { Some((text.to_owned(), said.at)) } else { None }
        })?;
        let Some((text, at)) = found else {
            return Err(self.silence(&wait, "bestmove"));
        };
        self.thinking = false;
        let taken = wait.taken(at);
        turn.check(taken)?;
        Ok(Offer { choice: self.choice(&text)?, nodes, chances, candidates: Vec::new(), taken })
    }

    fn end(&mut self, winner: Option<Side>) -> Result<(), Fault> {
        match winner {
            Some(side) => self.say(&format!("gameover {side}")),
            None => self.say("gameover draw"),
        }
        self.speak()
    }

    fn about(&self) -> &str {
        &self.about
    }
}

impl Drop for SeiPlayer {
    fn drop(&mut self) {
        if self.thinking {
            self.say("stop");
        }
        self.say("quit");
        if self.speak().is_ok() {
            self.engine.close(FAREWELL);
        }
    }
}
