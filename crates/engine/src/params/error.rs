//! Why tuned numbers cannot be set.

use std::fmt;

/// Why numbers cannot be set or listed.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterError {
    /// This program was built without the cargo feature `tune`.
    Constant,
    /// A word that is no `name=value`.
    Word(String),
    /// No number is called so.
    Name(String),
    /// The value is outside the range of the number of this name, or no whole number where one is needed.
    Value(String, f64, f64),
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterError::Constant => {
                f.write_str("parameters are constants: built without the feature tune")
            }
            ParameterError::Word(word) => write!(f, "{word:?} is not name=value"),
            ParameterError::Name(name) => write!(f, "no parameter is called {name:?}"),
            ParameterError::Value(name, least, most) => write!(f, "{name} takes {least} to {most}"),
        }
    }
}

impl std::error::Error for ParameterError {}
