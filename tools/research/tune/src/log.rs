//! The course of a tuning: a file of JSON lines, the plan first, then a line for each round. It is all that is needed
//! to go on after a kill.

use crate::games::Points;
use crate::parameter::Parameter;
use crate::schedule::Schedule;
use anyhow::{Context, ensure};
use outflank_record::{LineFile, without_mark};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// How lines of the file begin: the plan, and a round.
const BEGINNINGS: [&str; 2] = ["{\"parameters\":", "{\"round\":"];

/// What is tuned, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The numbers.
    pub parameters: Vec<Parameter>,
    /// The course of steps and rates.
    pub schedule: Schedule,
    /// How games are played, for whoever reads the file: how many, the share against opponents, what each engine is given,
    /// opponents, options.
    pub games: Vec<String>,
}

/// A round that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Its number, from 0.
    pub round: u64,
    /// How it ended for the engine with the changes.
    #[serde(flatten)]
    pub points: Points,
    /// Seconds that it took.
    pub seconds: f64,
    /// The numbers after it.
    pub values: Vec<f64>,
}

/// The file, and what it holds.
#[derive(Debug)]
pub struct Log {
    file: LineFile,
    /// The plan.
    pub plan: Plan,
    /// The rounds so far.
    pub played: Vec<Played>,
}

impl Log {
    /// Opens the file for going on with this plan, or begins it. No other process may write to it. What happens to a
    /// last line that is not whole: [`LineFile::resume`].
    ///
    /// # Errors
    /// If it cannot be had, holds another plan, or is no such file; then nothing has changed.
    pub fn resume(path: &Path, plan: Plan) -> anyhow::Result<Log> {
        let mut found = Contents::default();
        let file = LineFile::resume(path, &BEGINNINGS, |line| {
            found.take(line)?;
            ensure!(found.plan.as_ref() == Some(&plan), "it was begun with another plan");
            Ok(())
        })?;
        let mut log = Log { file, plan, played: found.played };
        if found.plan.is_none() {
            log.write(&serde_json::to_string(&log.plan)?)?;
        }
        Ok(log)
    }

    /// What a file holds.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(path: &Path) -> anyhow::Result<(Plan, Vec<Played>)> {
        let Contents { plan, played } = contents(BufReader::new(File::open(path)?))?;
        Ok((plan.context("the file holds no plan")?, played))
    }

    /// Where the numbers stand.
    pub fn values(&self) -> Vec<f64> {
        match self.played.last() {
            Some(last) => last.values.clone(),
            None => self.plan.parameters.iter().map(|parameter| parameter.start).collect(),
        }
    }

    /// Adds a round.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, played: Played) -> anyhow::Result<()> {
        self.write(&serde_json::to_string(&played)?)?;
        self.played.push(played);
        Ok(())
    }

    fn write(&mut self, line: &str) -> anyhow::Result<()> {
        self.file.append(&format!("{line}\n"))
    }
}

/// The plan and the rounds, as far as lines were read.
#[derive(Default)]
struct Contents {
    plan: Option<Plan>,
    played: Vec<Played>,
}

impl Contents {
    fn take(&mut self, line: &str) -> anyhow::Result<()> {
        let Some(plan) = &self.plan else {
            let plan: Plan = serde_json::from_str(line)?;
            plan.parameters.iter().try_for_each(Parameter::check)?;
            self.plan = Some(plan);
            return Ok(());
        };
        let (round, place): (Played, _) = (serde_json::from_str(line)?, self.played.len() as u64);
        ensure!(round.round == place, "round {} stands at {place}", round.round);
        let (told, all) = (round.values.len(), plan.parameters.len());
        ensure!(told == all, "round {place} has {told} values of {all}");
        self.played.push(round);
        Ok(())
    }
}

/// All lines but a last one that is being written.
fn contents(mut input: impl BufRead) -> anyhow::Result<Contents> {
    let (mut contents, mut line) = (Contents::default(), String::new());
    let mut first = true;
    while input.read_line(&mut line)? > 0 {
        let text = if first { without_mark(&line) } else { &line };
        if !text.trim().is_empty() {
            let taken = contents.take(text);
            if line.ends_with('\n') {
                taken?;
            }
        }
        first = false;
        line.clear();
    }
    Ok(contents)
}
