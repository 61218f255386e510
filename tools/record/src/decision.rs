//! Endings that no rule of the game brings about: what players and hosts decide.

use anyhow::ensure;
use outflank::named_enum::named_enum;
use outflank::rules::Side;

named_enum! {
    /// Why a game ended that the rules had not ended.
    #[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
    pub enum Decision {
        /// The loser gave up.
        Resigned = "resigned",
        /// Both agreed to a draw.
        Agreed = "agreed",
        /// The loser's own clock ran out.
        Time = "time",
        /// The whole game's clock ran out.
        GameTime = "game-time",
        /// The loser was gone.
        Absent = "absent",
        /// Both players were gone.
        BothAbsent = "both-absent",
        /// The loser was gone, and its own clock ran out.
        TimeAbsent = "time-absent",
    }
}

impl Decision {
    /// Whether it can end a game with this winner; `None` is a draw. When the whole game's clock runs out, its host
    /// may give the game to anybody.
    ///
    /// # Errors
    /// If there is a winner, or none, against what the decision says.
    pub fn check(self, winner: Option<Side>) -> anyhow::Result<()> {
        let name = self.name();
        match self {
            Decision::Resigned | Decision::Time | Decision::Absent | Decision::TimeAbsent => {
                ensure!(winner.is_some(), "somebody loses a game that ends by {name:?}");
            }
            Decision::Agreed | Decision::BothAbsent => {
                ensure!(winner.is_none(), "nobody wins a game that ends by {name:?}");
            }
            Decision::GameTime => {}
        }
        Ok(())
    }
}
