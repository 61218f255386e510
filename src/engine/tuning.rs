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
pub fn list_parameters() -> Result<String, ParameterError> {
    #[cfg(feature = "tune")]
    return Ok(crate::params::list(&parameters()).join("\n"));
    #[cfg(not(feature = "tune"))]
    Err(ParameterError::Constant)
}
