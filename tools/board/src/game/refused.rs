//! Why something cannot be done, in words for the page. No text tells more than its reader may know.

use outflank::rules::SetupError;
use std::fmt;

/// Why something cannot be done.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Refused {
    /// The game is at another stage.
    Stage,
    /// It is the other side's turn.
    Turn,
    /// The page is behind: another ply was made since.
    Stale,
    /// A setup that does not fit the army.
    Setup(SetupError),
    /// A setup without the whole army.
    Incomplete,
    /// An action that cannot be made.
    Illegal(String),
    /// Nothing is taken back and no hint given in a game that is not friendly.
    Serious,
    /// There is nothing to take back.
    Nothing,
    /// A draw was offered not long ago: nobody may offer again before so many plies.
    Pressing(usize),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Stage => f.write_str("The game is not at that stage."),
            Refused::Turn => f.write_str("It is the other side's turn."),
            Refused::Stale => f.write_str("The board had changed meanwhile. Look again."),
            Refused::Setup(error) => write!(f, "This setup cannot be read: {error}."),
            Refused::Incomplete => f.write_str("Place the whole army first."),
            Refused::Illegal(why) => write!(f, "Not allowed: {why}."),
            Refused::Serious => f.write_str("Only a friendly game has hints and takes moves back."),
            Refused::Nothing => f.write_str("There is nothing to take back."),
            Refused::Pressing(plies) => {
                write!(
                    f,
                    "A draw was offered not long ago. After a refusal wait for {plies} moves of either side."
                )
            }
        }
    }
}

impl std::error::Error for Refused {}
