//! Strikes at hidden pieces that had never moved.

use crate::figures::share;
use crate::strike::Strike;
use outflank::rules::{Rank, Side};
use outflank_record::Visibility;
use serde::Serialize;

/// A strike at a hidden piece that had never moved.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct BlindStrike {
    /// Who struck.
    pub striker: Rank,
    /// Who was struck.
    pub victim: Rank,
    /// Points taken less points lost.
    pub net: i64,
}

impl BlindStrike {
    /// What a strike brought `side`, if it was its own and as blind as that.
    pub fn of(strike: &Strike, side: Side) -> Option<BlindStrike> {
        let blind = strike.mover() == side && strike.victim.seen == Visibility::Unmoved;
        blind.then(|| BlindStrike {
            striker: strike.striker.rank,
            victim: strike.victim.rank,
            net: i64::from(strike.taken(side)) - i64::from(strike.taken(side.enemy())),
        })
    }
}

/// Blind strikes by pieces of one rank.
#[derive(Clone, Debug, Serialize)]
pub struct BlindReport {
    /// The rank's letter, or `all`.
    pub rank: String,
    /// How many.
    pub strikes: usize,
    /// Points taken less points lost.
    pub net: i64,
    /// That a strike.
    pub net_a_strike: Option<f64>,
    /// Bombs struck.
    pub bombs: usize,
    /// Their share.
    pub bomb_share: Option<f64>,
    /// Flags struck.
    pub flags: usize,
}

impl BlindReport {
    /// By rank, the highest first; the last is all of them.
    pub fn all(strikes: &[BlindStrike]) -> Vec<BlindReport> {
        let all: Vec<&BlindStrike> = strikes.iter().collect();
        let of_rank = |rank: Rank| {
            let those: Vec<&BlindStrike> =
                all.iter().copied().filter(|strike| strike.striker == rank).collect();
            BlindReport::of(rank.to_string(), &those)
        };
        let mobile = Rank::ALL.into_iter().rev().filter(|rank| rank.is_mobile());
        mobile.map(of_rank).chain([BlindReport::of("all".to_owned(), &all)]).collect()
    }

    fn of(rank: String, strikes: &[&BlindStrike]) -> BlindReport {
        let struck = |rank| strikes.iter().filter(|strike| strike.victim == rank).count();
        let (net, bombs) = (strikes.iter().map(|strike| strike.net).sum(), struck(Rank::Bomb));
        BlindReport {
            rank,
            strikes: strikes.len(),
            net,
            net_a_strike: share(net as f64, strikes.len()),
            bombs,
            bomb_share: share(bombs as f64, strikes.len()),
            flags: struck(Rank::Flag),
        }
    }
}
