//! Tuned numbers that have a name and can be set.

use super::error::ParameterError;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A tuned number, or one for each key of some kind.
pub(crate) struct Parameter {
    /// The part and its own name: `eval.attack`.
    pub(crate) name: &'static str,
    /// What was set, as the bits of a double; [`Parameter::unset`] where nothing was.
    pub(crate) values: &'static [AtomicU64],
    /// The values that it has if nothing is set.
    pub(crate) given: fn(usize) -> f64,
    /// What follows the name for each value: `.M`; nothing if there is one value.
    pub(crate) key: fn(usize) -> String,
    /// The least and the greatest value that it may have.
    pub(crate) range: fn() -> (f64, f64),
    /// Whether it takes whole numbers only.
    pub(crate) whole: bool,
}

impl Parameter {
    /// No value: the bits of a number that is none.
    const UNSET: u64 = u64::MAX;

    /// Where a value goes once one is set.
    pub(crate) const fn unset() -> AtomicU64 {
        AtomicU64::new(Parameter::UNSET)
    }

    /// What was set.
    pub(crate) fn value(&self, index: usize) -> Option<f64> {
        if let Some(value) = changes::value(&self.values[index]) {
            return Some(value);
        }
        let bits = self.values[index].load(Ordering::Relaxed);
        (bits != Parameter::UNSET).then(|| f64::from_bits(bits))
    }

    /// Names of its values, each with its index.
    pub(crate) fn names(&self) -> impl Iterator<Item = (usize, String)> {
        (0..self.values.len()).map(|index| (index, format!("{}{}", self.name, (self.key)(index))))
    }
}

/// Sets numbers as `text` says: `name=value`, several with commas or blanks between them. None is set unless all can
/// be.
///
/// # Errors
/// If a word is no `name=value`, a name is unknown, or a value outside its range.
pub(crate) fn set(parameters: &[&'static Parameter], text: &str) -> Result<(), ParameterError> {
    for (value, number) in parse(parameters, text)? {
        value.store(number.to_bits(), Ordering::Relaxed);
    }
    Ok(())
}

/// The values that a text sets, and to what.
fn parse(
    parameters: &[&'static Parameter],
    text: &str,
) -> Result<Vec<(&'static AtomicU64, f64)>, ParameterError> {
    let words = text.split([',', ' ']).filter(|word| !word.is_empty());
    words.map(|word| assignment(parameters, word)).collect()
}

fn assignment(
    parameters: &[&'static Parameter],
    word: &str,
) -> Result<(&'static AtomicU64, f64), ParameterError> {
    let no_word = || ParameterError::Word(word.to_owned());
    let (name, value) = word.split_once('=').ok_or_else(no_word)?;
    let value: f64 = value.parse().map_err(|_| no_word())?;
    let mut named = parameters
        .iter()
        .flat_map(|parameter| parameter.names().map(move |(index, name)| (*parameter, index, name)));
    let (parameter, index, _) =
        named.find(|(.., other)| other == name).ok_or_else(|| ParameterError::Name(name.to_owned()))?;
    let (least, most) = (parameter.range)();
    let fits = (least..=most).contains(&value) && (!parameter.whole || value.fract() == 0.0);
    if fits {
        Ok((&parameter.values[index], value))
    } else {
        Err(ParameterError::Value(name.to_owned(), least, most))
    }
}

/// A line for each number: its name, its value now, the least and the most that it may be, and `whole` or `real`.
pub(crate) fn list(parameters: &[&'static Parameter]) -> Vec<String> {
    let lines = parameters.iter().flat_map(|parameter| {
        let (least, most) = (parameter.range)();
        let kind = if parameter.whole { "whole" } else { "real" };
        parameter.names().map(move |(index, name)| {
            let value = parameter.value(index).unwrap_or_else(|| (parameter.given)(index));
            format!("{name} {} {least} {most} {kind}", value as f32)
        })
    });
    lines.collect()
}

/// Other values of some numbers, for one thread at a time.
#[derive(Clone, Debug)]
pub(crate) struct Variant(Arc<[Change]>);

type Change = (&'static AtomicU64, f64);

impl Variant {
    /// The values that `text` tells, as [`set`] reads them.
    ///
    /// # Errors
    /// Those of [`set`].
    pub(crate) fn read(parameters: &[&'static Parameter], text: &str) -> Result<Variant, ParameterError> {
        Ok(Variant(parse(parameters, text)?.into()))
    }

    /// Does the work on this thread with these values; other threads do not see them. Variants do not nest.
    pub(crate) fn while_doing<T>(&self, work: impl FnOnce() -> T) -> T {
        let _until = changes::begin(Arc::clone(&self.0));
        work()
    }
}

mod changes {
    use crate::params::named::Change;
    use std::cell::{Cell, RefCell};
    use std::ptr;
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    thread_local! {
        /// Asked first, as it nearly always says no.
        static ANY: Cell<bool> = const { Cell::new(false) };
        static CHANGED: RefCell<Arc<[Change]>> = RefCell::new(Arc::new([]));
    }

    pub(super) fn value(place: &'static AtomicU64) -> Option<f64> {
        if !ANY.get() {
            return None;
        }
        CHANGED.with_borrow(|changed| {
            changed.iter().find(|(other, _)| ptr::eq(*other, place)).map(|&(_, value)| value)
        })
    }

    /// Ends the changes, also when the work panics.
    pub(super) struct Until;

    pub(super) fn begin(changes: Arc<[Change]>) -> Until {
        CHANGED.set(changes);
        ANY.set(true);
        Until
    }

    impl Drop for Until {
        fn drop(&mut self) {
            ANY.set(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    mod example {
        use crate::rules::Rank;

        crate::params::parameters! {
            "example";
            /// A share.
            pub(super) share: f32 = 0.25, 0.0..=1.0;
            /// A number of plies.
            pub(super) plies: u32 = 7, 1..=9;
            /// Points by rank.
            pub(super) points[Rank]: f32 = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0], -5.0..=50.0;
        }
    }
    use crate::rules::Rank;
    use example::PARAMETERS;

    #[test]
    fn what_is_set_by_name_is_what_is_listed() {
        assert_eq!(PARAMETERS.len(), 3);
        assert_eq!((example::share(), example::plies(), example::points(Rank::Marshal)), (0.25, 7, 10.0));
        set(PARAMETERS, "example.share=0.5, example.plies=9,example.points.M=-1.5").unwrap();
        assert_eq!((example::share(), example::plies(), example::points(Rank::Marshal)), (0.5, 9, -1.5));
        assert_eq!(example::points(Rank::Bomb).to_bits(), 11f32.to_bits());
        let lines = list(PARAMETERS);
        assert_eq!(lines.len(), 14);
        assert_eq!(lines[..2], ["example.share 0.5 0 1 real", "example.plies 9 1 9 whole"]);
        assert_eq!(lines[12], "example.points.M -1.5 -5 50 real");
        // A change on one thread alone comes first.
        let variant = Variant::read(PARAMETERS, "example.plies=3,example.points.M=4").unwrap();
        let elsewhere = || std::thread::spawn(example::plies).join().unwrap();
        assert_eq!(variant.while_doing(|| (example::plies(), elsewhere())), (3, 9));
        assert_eq!(variant.while_doing(|| example::points(Rank::Marshal)).to_bits(), 4f32.to_bits());
        assert_eq!(example::plies(), 9);
    }

    #[test]
    fn unknown_names_and_values_out_of_range_are_refused() {
        let refused = |text: &str| parse(PARAMETERS, text).unwrap_err().to_string();
        assert_eq!(refused("example.share"), "\"example.share\" is not name=value");
        assert_eq!(refused("example.share=much"), "\"example.share=much\" is not name=value");
        assert_eq!(refused("example.speed=1"), "no parameter is called \"example.speed\"");
        assert_eq!(refused("example.points=1"), "no parameter is called \"example.points\"");
        assert_eq!(refused("example.share=0.5,example.share=1.5"), "example.share takes 0 to 1");
        assert_eq!(refused("example.plies=1.5"), "example.plies takes 1 to 9");
        assert_eq!(refused("example.plies=NaN"), "example.plies takes 1 to 9");
        assert!(parse(PARAMETERS, "").unwrap().is_empty());
    }
}
