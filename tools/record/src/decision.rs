//! Endings that no rule of the game brings about: what players and hosts decide.

use anyhow::ensure;
use outflank::rules::Side;

/// Why a game ended that the rules had not ended.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum Decision {
    /// The loser gave up.
    Resigned,
    /// Both agreed to a draw.
    Agreed,
    /// The loser's own clock ran out.
    Time,
    /// The whole game's clock ran out.
    GameTime,
    /// The loser was gone.
    Absent,
    /// Both players were gone.
    BothAbsent,
    /// The loser was gone, and its own clock ran out.
    TimeAbsent,
}

impl Decision {
    /// All of them.
    pub const ALL: [Decision; 7] = [
        Decision::Resigned,
        Decision::Agreed,
        Decision::Time,
        Decision::GameTime,
        Decision::Absent,
        Decision::BothAbsent,
        Decision::TimeAbsent,
    ];

    /// The word used in records.
    pub const fn name(self) -> &'static str {
        match self {
            Decision::Resigned => "resigned",
            Decision::Agreed => "agreed",
            Decision::Time => "time",
            Decision::GameTime => "game-time",
            Decision::Absent => "absent",
            Decision::BothAbsent => "both-absent",
            Decision::TimeAbsent => "time-absent",
        }
    }

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
