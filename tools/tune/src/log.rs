//! The course of a tuning: a file of JSON lines, the plan first, then a line for each round. It is all that is needed
//! to go on after a kill.

use crate::games::Points;
use crate::parameter::Parameter;
use crate::schedule::Schedule;
use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

/// What is tuned, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The numbers.
    pub parameters: Vec<Parameter>,
    /// The course of steps and rates.
    pub schedule: Schedule,
    /// How games are played, for whoever reads the file: how many, the share against opponents, what each engine is told,
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
    file: File,
    /// The plan.
    pub plan: Plan,
    /// The rounds so far.
    pub played: Vec<Played>,
}

impl Log {
    /// Opens the file for going on with this plan, or begins it. No other process may write to it.
    ///
    /// # Errors
    /// If it cannot be had, holds another plan, or is no such file.
    pub fn resume(path: &Path, plan: Plan) -> anyhow::Result<Log> {
        let told = || path.display().to_string();
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).with_context(told)?;
        file.try_lock().with_context(|| format!("{}: another process is writing to it", path.display()))?;
        let mut log = Log { file, plan, played: Vec::new() };
        let (plan, whole) = log.read().with_context(told)?;
        match plan {
            Some(plan) => ensure!(plan == log.plan, "{}: it was begun with another plan", path.display()),
            None => log.write(&serde_json::to_string(&log.plan)?)?,
        }
        // A line that a kill cut short.
        if whole > 0 {
            log.file.set_len(whole)?;
        }
        Ok(log)
    }

    /// What a file holds.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(path: &Path) -> anyhow::Result<(Plan, Vec<Played>)> {
        let (plan, played, _) = contents(BufReader::new(File::open(path)?))?;
        Ok((plan.context("the file holds no plan")?, played))
    }

    fn read(&mut self) -> anyhow::Result<(Option<Plan>, u64)> {
        self.file.seek(SeekFrom::Start(0))?;
        let (plan, played, whole) = contents(BufReader::new(&self.file))?;
        self.played = played;
        Ok((plan, whole))
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
        self.file.write_all(format!("{line}\n").as_bytes())?;
        Ok(self.file.flush()?)
    }
}

/// The plan and the rounds, and how many bytes are whole lines.
fn contents(mut input: impl BufRead) -> anyhow::Result<(Option<Plan>, Vec<Played>, u64)> {
    let (mut plan, mut played, mut whole, mut line) = (None, Vec::new(), 0, String::new());
    while input.read_line(&mut line)? > 0 && line.ends_with('\n') {
        if plan.is_none() {
            plan = Some(serde_json::from_str(&line)?);
        } else {
            let round: Played = serde_json::from_str(&line)?;
            ensure!(round.round == played.len() as u64, "round {} stands at {}", round.round, played.len());
            played.push(round);
        }
        whole += line.len() as u64;
        line.clear();
    }
    Ok((plan, played, whole))
}
