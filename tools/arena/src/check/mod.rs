//! Whether an engine keeps to SEI 1: a walk through the protocol, step by step.
//!
//! Each step talks to a process of its own, so that what one spoils does not spoil the next. A step is passed,
//! failed, or skipped with the reason; of one that fails, the conversation is shown.

mod game;
mod host;
mod plain;
mod stall;
mod steps;
mod talk;
mod truth;

pub use steps::{STEPS, StepInfo};
pub use talk::{Note, Terms, Trouble};

use host::Host;
use outflank_record::bounds;
use outflank_record::console::STANDARD_OUTPUT;
use std::io::{self, Write};
use std::time::Duration;

/// What `check` is given on the command line.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Go on after a failure
    #[arg(long)]
    all: bool,
    /// Only these steps
    #[arg(long, value_name = "STEP", value_delimiter = ',')]
    only: Vec<String>,
    /// Show the conversations of all steps
    #[arg(long)]
    talk: bool,
    /// List the steps and end
    #[arg(long)]
    list: bool,
    /// Milliseconds by which an answer may be late that is due at once or at the end of a given time
    #[arg(long, value_name = "MS", default_value_t = 200, value_parser = bounds::milliseconds)]
    margin: u64,
    /// Seconds that any other answer may take
    #[arg(long, value_name = "S", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=bounds::MOST_MILLISECONDS / 1000))]
    patience: u64,
    /// The engine and its arguments
    #[arg(
        value_name = "CMD",
        required_unless_present = "list",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    command: Vec<String>,
}

/// What came of one step.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The step's name.
    pub name: &'static str,
    /// What was seen, for people; or why it is not passed.
    pub outcome: Result<String, Trouble>,
    /// The conversation; of several, the last.
    pub talk: Vec<Note>,
}

impl Finding {
    /// Whether the engine breaks the protocol here.
    pub const fn failed(&self) -> bool {
        matches!(self.outcome, Err(Trouble::Failed(_)))
    }
}

/// Makes one step with a fresh process of the engine.
pub fn check(step: &StepInfo, terms: &Terms) -> Finding {
    let mut host = Host::new(terms.clone());
    let outcome = (step.walk)(&mut host);
    Finding { name: step.name, outcome, talk: host.notes() }
}

/// Checks an engine as the command line says and prints what comes of it.
///
/// # Errors
/// If a step fails or the check cannot be made.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let printed = print(arguments, &mut io::stdout().lock());
    let unprinted = |error: anyhow::Error| {
        if error.is::<io::Error>() { error.context(STANDARD_OUTPUT) } else { error }
    };
    let failed = printed.map_err(unprinted)?;
    anyhow::ensure!(failed == 0, "the engine does not keep to SEI 1");
    Ok(())
}

/// Returns how many steps failed.
fn print(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<usize> {
    if arguments.list {
        STEPS.iter().try_for_each(|step| writeln!(out, "{:<14} {}", step.name, step.summary))?;
        return Ok(0);
    }
    let steps = chosen(&arguments.only)?;
    let Some((program, rest)) = arguments.command.split_first() else { anyhow::bail!("no engine is named") };
    let terms = Terms {
        program: program.clone(),
        arguments: rest.to_vec(),
        margin: Duration::from_millis(arguments.margin),
        patience: Duration::from_secs(arguments.patience),
    };
    let mut counts = [0; 3];
    for step in steps {
        let finding = check(step, &terms);
        print_finding(&finding, arguments.talk, out)?;
        counts[match finding.outcome {
            Ok(_) => 0,
            Err(Trouble::Failed(_)) => 1,
            Err(Trouble::Skipped(_)) => 2,
            Err(Trouble::Host(reason)) => anyhow::bail!("the check cannot be made: {reason}"),
        }] += 1;
        if finding.failed() && !arguments.all {
            break;
        }
    }
    let [passed, failed, skipped] = counts;
    writeln!(out, "{passed} passed, {failed} failed, {skipped} skipped")?;
    Ok(failed)
}

/// The steps with these names, in the order of the walk; all if none is named.
fn chosen(only: &[String]) -> anyhow::Result<Vec<&'static StepInfo>> {
    if let Some(unknown) = only.iter().find(|name| STEPS.iter().all(|step| step.name != name.as_str())) {
        anyhow::bail!("no step is called \"{unknown}\"; --list names them");
    }
    let wanted = |step: &&StepInfo| only.is_empty() || only.iter().any(|name| name == step.name);
    Ok(STEPS.iter().filter(wanted).collect())
}

fn print_finding(finding: &Finding, always: bool, out: &mut impl Write) -> io::Result<()> {
    let (word, text) = match &finding.outcome {
        Ok(text) => ("ok", text),
        Err(Trouble::Failed(reason)) => ("failed", reason),
        Err(Trouble::Skipped(reason)) => ("skipped", reason),
        Err(Trouble::Host(reason)) => ("unmade", reason),
    };
    writeln!(out, "{}", format!("{:<14} {word:<7} {text}", finding.name).trim_end())?;
    if always || finding.failed() {
        finding.talk.iter().try_for_each(|note| writeln!(out, "    {note}"))?;
    }
    out.flush()
}
