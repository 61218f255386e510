//! Bytes in, bytes out: threads, queues and their bounds.

pub(crate) mod channel;
pub(crate) mod event_loop;
pub(crate) mod input;
pub(crate) mod output;
pub(crate) mod thinker;
