//! The lines of the protocol, read and written: commands in, replies out.

pub(crate) mod code;
pub(crate) mod command;
pub(crate) mod error;
pub(crate) mod help;
pub(crate) mod keyword;
pub(crate) mod option_name;
pub(crate) mod options;
pub(crate) mod parse;
pub(crate) mod reply;
pub(crate) mod suggestion;
