//! The web side: routes, guards and the files of the page.

mod access;
mod asked;
mod doorway;
mod guard;
mod invitations;
mod refusal;
mod routes;
mod sent;
mod serve;
mod site;
mod studies;

pub use access::Access;
pub(crate) use access::link;
pub use routes::router;
pub use serve::serve;
