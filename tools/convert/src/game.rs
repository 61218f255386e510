//! A game as every text of games can tell it, replayed through the referee.

use crate::archive::{self, End, Kind, Move};
use crate::board::Board;
use anyhow::{Context, anyhow, bail, ensure};
use outflank::rules::{
    Action, BySide, Ending, Played, Position, Reason, Ruleset, Setup, Side, Spn, Stuck, Viewer,
};
use outflank::view::View;
use outflank_record::{EndReason, Outcome, PlayerRecord, Record, Winner, parse_rules, truth, verify};
use outflank_referee::Referee;

/// The version in records of games that no engine of ours has played.
pub const IMPORTED: &str = "imported";
/// What sat at the board of such a game.
pub const HUMAN: &str = "human";

/// A game without what only one of the texts tells.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// The rule system.
    pub rules: Ruleset,
    /// The whole armies, Red's first.
    pub setups: BySide<Setup>,
    /// The actions with their whole results.
    pub moves: Vec<Played>,
    /// The players' names, Red's first.
    pub players: [String; 2],
    /// How it ended, if that is known.
    pub outcome: Option<Outcome>,
}

/// The rule system of a kind of game of the archive, when `rules` are those of its classic games.
///
/// # Errors
/// If no rule system is this kind's.
pub fn rules_of(kind: Kind, rules: &Ruleset) -> anyhow::Result<Ruleset> {
    let no_rules =
        || anyhow!("games of type {:?} have armies and rules that are not played here", kind.name());
    let keys = kind.keys().ok_or_else(no_rules)?;
    parse_rules(&format!("{rules} {keys}")).with_context(|| format!("game type {:?}", kind.name()))
}

impl Game {
    /// The game of a record that is as recorded.
    ///
    /// # Errors
    /// If the record cannot be read or does not replay.
    pub fn of_record(record: &Record) -> anyhow::Result<Game> {
        verify(record)?;
        Ok(Game {
            rules: record.ruleset()?,
            setups: record.armies()?,
            moves: record.actions()?,
            players: record.names().map(str::to_owned),
            outcome: Some(record.outcome.clone()),
        })
    }

    /// Replays a game of the archive, when `rules` are those of its classic games.
    ///
    /// The archive does not tell what happens to a side that cannot act; when the result is that one, the rule is
    /// taken that explains it.
    ///
    /// # Errors
    /// The first action that is not legal, or a result that the game does not have.
    pub fn of_archive(game: &archive::Game, rules: &Ruleset) -> anyhow::Result<Game> {
        let rules = rules_of(game.kind, rules)?;
        let field = game.field.as_ref().context("the game ended before both sides had set up: no field")?;
        let found = Game::replayed(game, field, rules);
        let stuck = game.result.is_some_and(|result| matches!(result.end, End::Stuck | End::BothStuck));
        if found.is_err() && stuck {
            for stuck in [Stuck::Loses, Stuck::Attrition, Stuck::DrawIfBoth] {
                if let Ok(game) = Game::replayed(game, field, Ruleset { stuck, ..rules }) {
                    return Ok(game);
                }
            }
        }
        found
    }

    fn replayed(game: &archive::Game, field: &Board, rules: Ruleset) -> anyhow::Result<Game> {
        let setups = field.setups()?;
        let mut referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue])?;
        let mut moves = Vec::new();
        for (number, ply) in (1..).zip(&game.moves) {
            let played = play(&mut referee, ply.action).with_context(|| place_of(number, ply));
            moves.push(played?);
        }
        let outcome = match game.result {
            None => referee.ending().map(Outcome::of),
            Some(result) => Some(outcome(result, referee.ending())?),
        };
        Ok(Game { rules, setups, moves, players: game.players.clone(), outcome })
    }

    /// The game that is about to begin in a position.
    ///
    /// # Errors
    /// If the position is none before the first ply, or does not tell both armies whole.
    pub fn of_position(spn: &Spn) -> anyhow::Result<Game> {
        let rules = *spn.position.rules();
        let board = Board::of_position(&spn.position)?;
        ensure!(board.is_start(&rules), "only a position with both armies whole in their rows begins a game");
        let start = board.position(Side::Red, rules)?;
        let plain = Spn { position: spn.position.clone(), viewer: Viewer::Both };
        ensure!(plain.to_string() == start.to_string(), "a game begins with Red to move and nothing known");
        let (setups, players) = (board.setups()?, <[String; 2]>::default());
        Ok(Game { rules, setups, moves: Vec::new(), players, outcome: None })
    }

    /// The record with this number. Nodes are 0, since nobody counted them.
    ///
    /// # Errors
    /// If it is not known how the game ended.
    pub fn record(&self, number: u64) -> anyhow::Result<Record> {
        let no_result = "it does not say how the game ended, and a record has to";
        let player = |name: &String| PlayerRecord {
            name: name.clone(),
            player: HUMAN.to_owned(),
            ..PlayerRecord::default()
        };
        let record = Record {
            game: number,
            version: IMPORTED.to_owned(),
            rules: self.rules.to_string(),
            seed: 0,
            players: BySide::new(self.players.each_ref()).map(player),
            setups: self.setups.map(|setup| setup.to_string()),
            moves: self.moves.iter().map(ToString::to_string).collect(),
            nodes: vec![0; self.moves.len()],
            outcome: self.outcome.clone().context(no_result)?,
            plies: self.moves.len() as u32,
            strikes: self.moves.iter().filter(|played| played.verdict.is_some()).count() as u32,
            ..Record::default()
        };
        verify(&record)?;
        Ok(record)
    }

    /// The game as the archive tells it, and as it will be read from there, when `rules` are those under which the
    /// archive's classic games are read. Only rules may differ, and the word for a side that could not act.
    ///
    /// # Errors
    /// If it would not come back with the same setups, actions, names and ending.
    pub fn archive(&self, rules: &Ruleset) -> anyhow::Result<(archive::Game, Game)> {
        let kind = if self.rules.barrage { Kind::Barrage } else { Kind::Classic };
        let mut game = archive::Game::new(kind);
        game.field = Some(Board::of_setups(&self.setups)?);
        if let Some(ply) = self.moves.iter().position(|played| played.action.rescue.is_some()) {
            bail!("ply {}: XML has no word for a rescue", ply + 1);
        }
        game.moves = self.moves.iter().map(|played| Move { line: 0, action: played.action }).collect();
        game.players.clone_from(&self.players);
        game.result = self.outcome.as_ref().map(result).transpose()?;
        let under = || "it does not hold under the rules that XML is read under (see --rules)";
        let back = Game::of_archive(&game, rules).with_context(under)?;
        for (number, (ours, theirs)) in (1..).zip(self.moves.iter().zip(&back.moves)) {
            ensure!(ours == theirs, "{}: ply {number} is {theirs}, not {ours}", under());
        }
        let ending = |game: &Game| game.outcome.as_ref().map(result).transpose();
        ensure!(ending(self)? == ending(&back)?, "{}: the ending is another", under());
        Ok((game, back))
    }

    /// Shows the positions after those numbers of plies that are `wanted`, as `viewer` knows them.
    ///
    /// # Errors
    /// If an action cannot be made, the viewer cannot follow, or `show` fails.
    pub fn positions(
        &self,
        viewer: Viewer,
        wanted: &dyn Fn(usize) -> bool,
        show: &mut dyn FnMut(&Spn) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut shown = |ply: usize, position: &Position| {
            if wanted(ply) { show(&Spn { position: position.clone(), viewer }) } else { Ok(()) }
        };
        match viewer {
            Viewer::Both => self.truths(&mut shown),
            Viewer::Player(side) => self.views(side, &mut shown),
        }
    }

    fn truths(&self, show: Show<'_>) -> anyhow::Result<()> {
        let mut truth = Position::new(self.rules);
        self.setups.iter().for_each(|(side, setup)| truth.deploy(side, setup));
        truth.settle();
        show(0, &truth)?;
        for (ply, played) in (1..).zip(&self.moves) {
            truth.play(*played).with_context(|| format!("ply {ply}: {played}"))?;
            show(ply, &truth)?;
        }
        Ok(())
    }

    fn views(&self, viewer: Side, show: Show<'_>) -> anyhow::Result<()> {
        let mut referee = Referee::new(self.rules, &self.setups[Side::Red], &self.setups[Side::Blue])?;
        let mut view = View::new(viewer, self.rules);
        for events in referee.opening() {
            view.observe(&events[viewer])?;
        }
        show(0, view.position())?;
        for (ply, played) in (1..).zip(&self.moves) {
            let place = || format!("ply {ply}: {played}");
            let events = referee.play(played.action).with_context(place)?;
            view.observe(&events[viewer]).with_context(place)?;
            show(ply, view.position())?;
        }
        Ok(())
    }
}

/// Shows the position after so many plies.
type Show<'a> = &'a mut dyn FnMut(usize, &Position) -> anyhow::Result<()>;

fn place_of(number: usize, ply: &Move) -> String {
    let line = if ply.line == 0 { String::new() } else { format!(", line {}", ply.line) };
    format!("move {number}{line}: {}", ply.action.text(false))
}

/// Makes an action and tells what came of it.
fn play(referee: &mut Referee, action: Action) -> anyhow::Result<Played> {
    let mover = referee.to_move();
    let events = referee.play(action)?;
    truth(&events, mover).context("the referee reported no ply")
}

/// The outcome of a game with the archive's result, when the referee has found `ending`.
fn outcome(result: archive::Result, ending: Option<Ending>) -> anyhow::Result<Outcome> {
    let found = ending.map_or_else(|| "has not ended".to_owned(), |ending| format!("ended {ending}"));
    let contradicts = || anyhow!("the result {} is given, but the game {found}", words(result));
    if let End::Decided(decision) = result.end {
        return match ending {
            None => Ok(Outcome::of_decision(result.winner, decision)),
            Some(_) => Err(contradicts()),
        };
    }
    let ending = ending.ok_or_else(contradicts)?;
    let fits = match ending.reason {
        Reason::Flag => result.end == End::Flag,
        Reason::Stuck | Reason::Attrition => match ending.winner {
            Some(_) => result.end == End::Stuck,
            None => result.end == End::BothStuck,
        },
        Reason::Quiet | Reason::Plies => false,
    };
    if fits && ending.winner == result.winner { Ok(Outcome::of(ending)) } else { Err(contradicts()) }
}

fn words(result: archive::Result) -> String {
    let end = match result.end {
        End::Stuck => "stuck",
        End::Flag => "flag",
        End::BothStuck => "both stuck",
        End::Decided(decision) => decision.name(),
    };
    format!("{} {end}", Winner::from(result.winner))
}

/// What the archive calls an outcome.
fn result(outcome: &Outcome) -> anyhow::Result<archive::Result> {
    let winner = outcome.side()?;
    let end = match outcome.reason {
        EndReason::Rule(Reason::Flag) => End::Flag,
        EndReason::Rule(Reason::Stuck | Reason::Attrition) if winner.is_some() => End::Stuck,
        EndReason::Rule(Reason::Stuck | Reason::Attrition) => End::BothStuck,
        EndReason::Decision(decision) => End::Decided(decision),
        reason @ (EndReason::Rule(Reason::Quiet | Reason::Plies)
        | EndReason::Adjudicated
        | EndReason::Fault
        | EndReason::Unfinished) => bail!("XML has no word for a game that ended by {:?}", reason.name()),
    };
    Ok(archive::Result { end, winner })
}
