//! The tuned numbers of the evaluation.
//!
//! Values are in points: a captain is worth 80. Each says its unit and where it comes from; the matches and fits are
//! in `docs/experiments.md`. A *guess* was never tried alone, only in the matches of what it belongs to.

use crate::rules::ByRank;

/// Points that are seven tenths of the way to a won game. A logistic fit of how self-play ended; matches agree.
pub(crate) const STEEPNESS: f32 = 1100.0;

/// Points of a piece by rank, F S 2 .. 9 M B, before anybody has fallen. A logistic fit of outcomes to who was left
/// in 953 games against the arena's bots, smoothed by hand. The flag's is what a good chance to take it is worth
/// risking.
pub(super) const BASE_VALUE: ByRank<f32> =
    ByRank::new([700.0, 110.0, 15.0, 150.0, 60.0, 65.0, 80.0, 150.0, 225.0, 340.0, 420.0, 50.0]);
/// Points of a spy once the enemy's Marshal has fallen. This and the next six: matches against the arena's bots.
pub(super) const SPY_WITHOUT_TARGET: f32 = 10.0;
/// Points that the Marshal gains once the enemy's spy has fallen.
pub(super) const MARSHAL_WITHOUT_SPY: f32 = 40.0;
/// Points that a captain or more gains while no enemy piece can beat it.
pub(super) const UNBEATEN: f32 = 90.0;
/// Points of a miner once the enemy has no bomb.
pub(super) const MINER_WITHOUT_BOMBS: f32 = 25.0;
/// Points that each of a side's last miners gains while the enemy has bombs, and how many are the last.
pub(super) const LAST_MINERS: (f32, u8) = (35.0, 2);
/// Points that each of a side's last scouts gains, and how many are the last.
pub(super) const LAST_SCOUTS: (f32, u8) = (8.0, 3);

/// Points of keeping one's own piece unknown to the enemy, by rank. Set by hand; three times as much for what is
/// revealed scored 48.3%.
pub(super) const HIDDEN_VALUE: ByRank<f32> =
    ByRank::new([40.0, 25.0, 1.0, 5.0, 3.0, 4.0, 7.0, 12.0, 24.0, 40.0, 60.0, 12.0]);
/// Share of that while only having moved is known of the piece. A guess.
pub(super) const HIDDEN_SHARE_OF_MOVED: f32 = 0.75;
/// Points of knowing an enemy piece for sure, by rank. Set by hand.
pub(super) const KNOWN_VALUE: ByRank<f32> =
    ByRank::new([120.0, 10.0, 3.0, 7.0, 5.0, 7.0, 11.0, 17.0, 28.0, 45.0, 60.0, 14.0]);

/// Share of a profit in reach that counts before it is made. This and the next seven were settled by matches against
/// the arena's bots.
pub(super) const ATTACK: f32 = 0.14;
/// The progress incentive beyond this makes no target worth more: what is in reach must stay worth less than what is
/// taken.
pub(super) const MOST_ATTACK_INCENTIVE: f32 = 2.0;
/// Share of an enemy's profit in reach that counts before it is made.
pub(super) const THREAT: f32 = 0.35;
/// Plies without a strike that double the value of known information.
pub(super) const STANDSTILL: f32 = 40.0;
/// Plies that a game should take for each fallen piece, and for the opening.
pub(super) const PACE: (u32, u32) = (12, 100);
/// Plies behind that pace that double the value of known information.
pub(super) const BEHIND: f32 = 150.0;
/// Share of the threats of an enemy piece that ridding us of it is worth.
pub(super) const CHASE_OFF: f32 = 0.8;
/// Share of its threats that counts while an enemy piece is unknown: its owner seldom strikes blindly with it.
pub(super) const UNKNOWN_THREAT: f32 = 0.3;

/// Points that a bomb gains beside a flag that may be there, for the miner and the time it takes to get past it;
/// three times as much beside one that stands there for sure, as then nothing else is left to do. Matches against the
/// arena's bots.
pub(super) const FLAG_GUARD: f32 = 100.0;
/// Points that an enemy piece beside our flag threatens, whether it knows or not: many bots strike whatever never
/// moved. Matches against the arena's bots.
pub(super) const BESIDE_FLAG: f32 = 620.0;

/// How much likelier than believed a strike of ours fails, as odds: of what was struck, but by miners, in self-play.
pub(super) const CHOSEN_LOSS: f32 = 1.5;
/// How much likelier than believed a strike of ours finds the flag; from the same games.
pub(super) const CHOSEN_FLAG: f32 = 0.5;

/// Share of what a piece has in reach that counts where another one gains more from the same target. Settled by
/// matches.
pub(super) const CROWD: f32 = 0.2;
/// How much a target counts by its path distance in steps, the last for all that is farther away. Set by hand.
pub(super) const PROXIMITY: [f32; 20] = [
    1.0, 1.0, 0.72, 0.54, 0.41, 0.32, 0.25, 0.2, 0.16, 0.13, 0.11, 0.09, 0.08, 0.07, 0.06, 0.05, 0.045, 0.04,
    0.035, 0.03,
];

/// A profit of three times so many points makes an enemy's strike as good as certain, such a loss all but rules it
/// out. This and the next two are guesses that one match of 100 games confirmed together.
pub(super) const PROFIT_SPREAD: f32 = 15.0;
/// Probability that the enemy does the unreasonable.
pub(super) const UNREASONABLE: f32 = 0.05;
/// Points that the enemy would give for a good chance to take the flag.
pub(super) const FLAG_PRIZE: f32 = 300.0;

/// Share of what may be handed back that the last step before a rescue is worth. A guess, as is the next.
pub(super) const RESCUE_NEXT: f32 = 0.6;
/// What is left of that with each step more.
pub(super) const RESCUE_FADE: f32 = 0.85;

/// Extra steps for a square where a comrade stands that may step aside. This and the next are guesses.
pub(super) const PAST_COMRADE: usize = 1;
/// Extra steps for a square where an enemy stands that would have to be taken on the way.
pub(super) const PAST_ENEMY: usize = 3;

/// Points that a lost race for our flag costs, were it sure. Matches settled this and [`DEFENCE_FADE`], and confirmed
/// the guesses that the other numbers of the flag's defence are, all together.
pub(super) const FLAG_LOST: f32 = 1200.0;
/// Share of that while the enemy has no idea where our flag stands.
pub(super) const FLAG_UNKNOWN: f32 = 0.4;
/// Probabilities below this are left out.
pub(super) const UNLIKELY: f32 = 0.03;
/// An enemy piece that is more steps away than this from every square beside our flag is no danger yet.
pub(super) const FAR: u8 = 7;
/// What is left of a danger with each step that it is away.
pub(super) const DEFENCE_FADE: f32 = 0.88;
/// What is left of a race by how many steps the nearest defender comes late, from two in hand to two late or more.
pub(super) const LATE: [f32; 5] = [0.06, 0.12, 0.25, 0.7, 1.0];

/// Points of a race won, were the enemy's flag there for sure: 1500 lost a match. The other numbers of the attack on
/// the flag are guesses that were part of that match.
pub(super) const FLAG_WON: f32 = 600.0;
/// Pieces that are the flag with a lower probability are no target.
pub(super) const LIKELY_FLAG: f32 = 0.15;
/// An enemy piece that can move with at least this probability may stop us.
pub(super) const MAY_STOP: f32 = 0.4;
/// A piece that is a bomb with at least this probability is left to our miners.
pub(super) const LIKELY_BOMB: f32 = 0.3;
/// What is left of a race for their flag with each step more.
pub(super) const ATTACK_FADE: f32 = 0.9;
