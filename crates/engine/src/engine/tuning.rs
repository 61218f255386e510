//! The tuned numbers of all parts together.

#[cfg(any(test, feature = "tune"))]
use crate::params::Parameter;
use crate::params::ParameterError;

/// The tuned numbers of all parts, the lowest part's first.
#[cfg(any(test, feature = "tune"))]
pub(crate) fn parameters() -> Vec<&'static Parameter> {
    use crate::{belief, deployment, eval, search};
    let parts = [
        belief::PARAMETERS,
        eval::PARAMETERS,
        deployment::PARAMETERS,
        search::PARAMETERS,
        search::CLOCK_PARAMETERS,
    ];
    parts.concat()
}

/// Sets tuned numbers by name for every engine of this process; to be called before there is one.
///
/// `text` is `name=value`, several with commas between them, names as [`list_parameters`] tells them. Nothing is set
/// unless all can be.
///
/// # Errors
/// If a word is no `name=value`, a name is unknown, or a value is outside its range; for any word if the program was
/// built without the cargo feature `tune`.
#[doc(hidden)]
pub fn set_parameters(text: &str) -> Result<(), ParameterError> {
    #[cfg(feature = "tune")]
    return crate::params::set(&parameters(), text);
    #[cfg(not(feature = "tune"))]
    if text.trim().is_empty() { Ok(()) } else { Err(ParameterError::Constant) }
}

/// A line for each tuned number: its name, its value, the least and the greatest value, and whether it is a `whole` or
/// a `real` number.
///
/// # Errors
/// If the program was built without the cargo feature `tune`.
#[doc(hidden)]
pub fn list_parameters() -> Result<String, ParameterError> {
    #[cfg(feature = "tune")]
    return Ok(crate::params::list(&parameters()).join("\n"));
    #[cfg(not(feature = "tune"))]
    Err(ParameterError::Constant)
}

/// An engine with other tuned numbers, beside engines with the usual ones in the same process.
///
/// Two of them are equal if they were read from the same text.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Variant {
    text: String,
    #[cfg(feature = "tune")]
    values: crate::params::Variant,
}

impl Variant {
    /// The numbers that `text` tells, in the words of [`set_parameters`].
    ///
    /// # Errors
    /// Those of [`set_parameters`].
    pub fn read(text: &str) -> Result<Variant, ParameterError> {
        #[cfg(feature = "tune")]
        return Ok(Variant {
            text: text.to_owned(),
            values: crate::params::Variant::read(&parameters(), text)?,
        });
        #[cfg(not(feature = "tune"))]
        if text.trim().is_empty() {
            Ok(Variant { text: text.to_owned() })
        } else {
            Err(ParameterError::Constant)
        }
    }

    /// What it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Does the work with these numbers, as far as it is done on this thread.
    pub fn while_doing<T>(&self, work: impl FnOnce() -> T) -> T {
        #[cfg(feature = "tune")]
        return self.values.while_doing(work);
        #[cfg(not(feature = "tune"))]
        work()
    }
}

impl PartialEq for Variant {
    fn eq(&self, other: &Variant) -> bool {
        self.text == other.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_number_has_a_name_of_its_own_and_lies_in_its_range() {
        let mut names = HashSet::new();
        for parameter in parameters() {
            let (least, most) = (parameter.range)();
            for (index, name) in parameter.names() {
                assert!((least..=most).contains(&(parameter.given)(index)), "{name}");
                assert!(names.insert(name.clone()), "{name} twice");
            }
        }
        assert!(names.len() > 200, "{}", names.len());
    }
}
