//! The numbers that an engine lets be set.

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::Command;

/// A number that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// As the engine names it: `eval.attack`.
    pub name: String,
    /// Its value when tuning began.
    pub start: f64,
    /// The least value that it may have.
    pub least: f64,
    /// The greatest.
    pub most: f64,
    /// Whether it takes whole numbers only.
    pub whole: bool,
    /// By how much it is changed up and down in the last games; more before.
    pub step: f64,
}

/// Share of its value by which a number is changed, if its step is not given.
const STEP: f64 = 0.15;
/// The least such step, as a share of its range: for numbers near 0.
const LEAST_STEP: f64 = 0.01;

impl Parameter {
    /// Reads a line of `outflank params`: name, value, least, greatest, and `whole` or `real`.
    ///
    /// # Errors
    /// If the line is no such one.
    pub fn read(line: &str) -> anyhow::Result<Parameter> {
        let parse = || -> Option<Parameter> {
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            let &[name, value, least, most, kind] = &words[..] else { return None };
            let whole = ["real", "whole"].iter().position(|word| *word == kind)? == 1;
            let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
            let (start, least, most) = (number(value)?, number(least)?, number(most)?);
            let step = (STEP * start.abs()).max(LEAST_STEP * (most - least));
            let step = if whole { step.max(1.0) } else { step };
            Some(Parameter { name: name.to_owned(), start, least, most, whole, step })
        };
        let parameter = parse().with_context(|| format!("no parameter: {line:?}"))?;
        parameter.check()?;
        Ok(parameter)
    }

    /// Checks what an engine or a file says of a number.
    ///
    /// # Errors
    /// If its value is outside of its range.
    pub fn check(&self) -> anyhow::Result<()> {
        let Parameter { name, start, least, most, .. } = self;
        ensure!(least <= start && start <= most, "{name}: {start} is not within {least} to {most}");
        Ok(())
    }

    /// Every number of an engine, as it lists them.
    ///
    /// # Errors
    /// If it does not run, or was built without the feature `tune`.
    pub fn of_engine(engine: &Path) -> anyhow::Result<Vec<Parameter>> {
        let told = || format!("{} params", engine.display());
        let output = Command::new(engine).arg("params").output().with_context(told)?;
        let error = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{}: {}", told(), error.trim());
        String::from_utf8(output.stdout)?.lines().map(Parameter::read).collect()
    }

    /// The ones that `wanted` names among `all`, each as `NAME` or `NAME:STEP`; a name may end with `*`.
    ///
    /// # Errors
    /// If nothing has such a name, a name is given twice, or a step is no positive number.
    pub fn choose(all: &[Parameter], wanted: &[String]) -> anyhow::Result<Vec<Parameter>> {
        let mut chosen: Vec<Parameter> = Vec::new();
        for word in wanted {
            let (name, step) =
                word.split_once(':').map_or((&word[..], None), |(name, step)| (name, Some(step)));
            let before = chosen.len();
            for parameter in all.iter().filter(|parameter| parameter.is_called(name)) {
                let twice = chosen.iter().any(|other| other.name == parameter.name);
                ensure!(!twice, "{} is told twice", parameter.name);
                let mut parameter = parameter.clone();
                if let Some(step) = step {
                    parameter.step = step.parse().with_context(|| format!("step {step:?}"))?;
                }
                ensure!(parameter.step > 0.0 && parameter.step.is_finite(), "{word}: a step is positive");
                chosen.push(parameter);
            }
            ensure!(chosen.len() > before, "no parameter is called {name:?}");
        }
        Ok(chosen)
    }

    fn is_called(&self, pattern: &str) -> bool {
        match pattern.strip_suffix('*') {
            Some(begin) => self.name.starts_with(begin),
            None => self.name == pattern,
        }
    }

    /// A value within its range.
    pub fn within(&self, value: f64) -> f64 {
        value.clamp(self.least, self.most)
    }
}

/// What sets numbers to values, for `OUTFLANK_PARAMS`.
pub fn assignment<'a>(values: impl IntoIterator<Item = (&'a Parameter, f64)>) -> String {
    let word = |(parameter, value): (&Parameter, f64)| format!("{}={value}", parameter.name);
    values.into_iter().map(word).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Parameter> {
        let lines = ["eval.attack 0.14 0 1 real", "eval.pace 12 0 200 whole", "eval.value.M 420 0 2000 real"];
        lines.iter().map(|line| Parameter::read(line).unwrap()).collect()
    }

    fn choose(words: &[&str]) -> anyhow::Result<Vec<Parameter>> {
        Parameter::choose(&all(), &words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn lines_of_the_engine_are_read() {
        let [attack, pace, value] = &all()[..] else { panic!() };
        assert!((attack.step - 0.021).abs() < 1e-9 && !attack.whole);
        assert!((pace.step - 2.0).abs() < 1e-9 && pace.whole);
        assert!((value.step - 63.0).abs() < 1e-9);
        for line in [
            "",
            "eval.attack 0.14 0 1",
            "eval.attack x 0 1 real",
            "eval.attack 0.14 0 1 odd",
            "eval.attack 0.14 1 0 real",
        ] {
            assert!(Parameter::read(line).is_err(), "{line}");
        }
    }

    #[test]
    fn names_are_chosen_with_steps_and_stars() {
        let chosen = choose(&["eval.attack:0.05", "eval.value.*"]).unwrap();
        assert_eq!(
            chosen.iter().map(|chosen| &chosen.name[..]).collect::<Vec<_>>(),
            ["eval.attack", "eval.value.M"]
        );
        assert!((chosen[0].step - 0.05).abs() < 1e-9);
        for wrong in [&["eval.none"][..], &["eval.attack:-1"], &["eval.attack:x"], &["eval.*", "eval.attack"]]
        {
            assert!(choose(wrong).is_err(), "{wrong:?}");
        }
    }
}
