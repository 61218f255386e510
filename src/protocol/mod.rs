//! SEI 1, the line protocol. `protocol.md` is its text; this module speaks it.
//!
//! Lowest first: `grammar` reads and writes lines, `game` is the game as the host reported it, `drawing` and
//! `analysis` answer questions about it, `session` carries commands out, `bench` measures with a session of its
//! own, `transport` has the threads and queues. [`for_people`] is the drawings without the protocol.

mod analysis;
mod bench;
mod drawing;
pub mod for_people;
mod game;
mod grammar;
mod session;
mod transport;

pub use drawing::picture::Style;
pub use game::KEPT_PLIES;
pub use grammar::code::Code;
pub use grammar::keyword::Keyword;
pub use grammar::option_name::OptionName;
pub use grammar::options::Options;
pub use grammar::reply::PROTOCOL;
pub use session::settings::ConversationSettings;
pub use session::stand_in::StandIn;
pub use transport::event_loop::converse;
pub use transport::input::{HELD_BYTES, LINE_LIMIT};
pub use transport::output::{BACKLOG_BYTES, INFO_BACKLOG_BYTES, print};
