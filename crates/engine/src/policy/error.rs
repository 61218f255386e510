//! Why bytes are no network.

use super::encoding::ENCODING;
use crate::net;
use std::fmt;

/// Why a network cannot be read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ReadError {
    /// The file around it is no net, or lacks a section.
    File(net::Error),
    /// The network belongs to another version of the encoding.
    Encoding(u32),
    /// A dimension is not one that this engine computes: its name, and what it is.
    Dimension(&'static str, u32),
    /// A section does not hold as many numbers as the dimensions ask for.
    Length(String),
    /// A section holds something that is no finite number.
    Number(String),
}

impl From<net::Error> for ReadError {
    fn from(error: net::Error) -> ReadError {
        ReadError::File(error)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::File(error) => error.fmt(f),
            ReadError::Encoding(version) => write!(f, "encoding version {version}, not {ENCODING}"),
            ReadError::Dimension(name, found) => write!(f, "no policy network has {found} {name}"),
            ReadError::Length(section) => write!(f, "section {section} has the wrong length"),
            ReadError::Number(section) => write!(f, "section {section} holds a value that is no number"),
        }
    }
}

impl std::error::Error for ReadError {}
