//! SEI 1, the line protocol. `protocol.md` is its text; this module speaks it.
//!
//! Lowest first: `grammar` reads and writes lines, `game` is the game as the host reported it, `drawing` and
//! `analysis` answer questions about it, `session` carries commands out, `bench` measures with a session of its
//! own, `transport` has the threads and queues. `for_people` is the drawings without the protocol.

mod analysis;
mod bench;
mod drawing;
// Of use to the tools and tests only, as are the other hidden parts.
#[doc(hidden)]
pub mod for_people;
mod game;
mod grammar;
mod session;
mod transport;

pub use drawing::picture::Style;
#[doc(hidden)]
pub use game::KEPT_PLIES;
#[doc(hidden)]
pub use grammar::code::Code;
#[doc(hidden)]
pub use grammar::keyword::Keyword;
#[doc(hidden)]
pub use grammar::option_name::OptionName;
#[doc(hidden)]
pub use grammar::options::Options;
pub use grammar::parse::is_command;
pub use grammar::reply::PROTOCOL;
pub use session::settings::{ConversationSettings, StandIn};
pub use transport::event_loop::converse;
#[doc(hidden)]
pub use transport::input::{HELD_BYTES, LINE_LIMIT};
pub use transport::output::print;
#[doc(hidden)]
pub use transport::output::{BACKLOG_BYTES, INFO_BACKLOG_BYTES};
