//! What one player sees happen.
//!
//! The referee turns each ply into two events, one per player. An event never carries a rank that its player is
//! not shown by the rules.

use crate::rules::{Action, Outcome, Played, Rank, Rescue, Ruleset, Setup, Side, Verdict};

/// One thing a player sees, with nothing in it that this player may not know. It is for one side alone: the other's event
/// of the same ply may differ.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Event {
    /// A side's army stands; hidden cells are occupied by pieces of untold rank.
    Deployed(Side, Setup),
    /// The side to move acted.
    Played(Played),
}

/// What `viewer` is shown of a ply that `mover` made, when the truth is `played` (with every rank in its verdict).
///
/// Each player always sees its own ranks. The striker's rank is shown; the defender's too, except under `silent`
/// when no scout struck and no flag fell. Under `advance` a winner that stays where it is shows itself a bomb. A
/// rescued piece is shown, except under `silent`.
pub fn mask_played(played: Played, mover: Side, viewer: Side, rules: &Ruleset) -> Played {
    let masked = played.verdict.map(|truth| {
        let flag = truth.outcome == Outcome::Win && truth.defender == Some(Rank::Flag);
        let stays = rules.advance && truth.outcome == Outcome::Loss && truth.defender == Some(Rank::Bomb);
        let shown = truth.striker == Some(Rank::Scout) || flag || stays;
        let hidden = rules.silent && viewer == mover && !shown;
        Verdict { defender: if hidden { None } else { truth.defender }, ..truth }
    });
    let rescue = played.action.rescue.map(|truth| {
        let hidden = rules.silent && viewer != mover;
        Rescue { rank: if hidden { None } else { truth.rank }, ..truth }
    });
    Played { action: Action { rescue, ..played.action }, verdict: masked }
}

/// What `viewer` is shown of a setup of `owner`: of the enemy's, where its pieces stand.
pub fn mask_setup(setup: &Setup, owner: Side, viewer: Side) -> Setup {
    if owner == viewer { *setup } else { setup.hidden() }
}
