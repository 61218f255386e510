//! The tuned numbers of the search and of its time management, each with its unit and where it came from; sections
//! named are those of `docs/experiments.md`. A guess that was never measured alone is called one.

use std::time::Duration;

// Late quiet actions are searched less deeply first (late move reductions).

/// Depth in plies from which on actions are reduced. A guess, "First search".
pub(super) const REDUCE_FROM: i32 = 3;
/// Places in the order from which on an action is reduced by one ply, and by one more. A guess, "First search".
pub(super) const LATE: [usize; 2] = [3, 10];
/// Plies by which a null move is reduced, its own among them. A guess, "First search".
pub(super) const NULL_MOVE: i32 = 2;

// Which actions are looked at.

/// Outcomes of a strike with a chance below this are not searched. A guess, "First search".
pub(super) const NEGLIGIBLE: f32 = 0.01;
/// Steps to a piece of the other side within which an action counts as near; the null move stands for the others.
/// "First search".
pub(super) const NEAR: u32 = 2;
/// With so many pieces or fewer all actions of a side are searched. A guess, "First search".
pub(super) const FEW_PIECES: u32 = 10;
/// Plies of strikes in quiescence. A guess, "First search".
pub(super) const MOST_QUIESCENCE: u32 = 5;
/// Points that a strike must promise to be searched in quiescence. A guess, "First search".
pub(super) const QUIESCENCE_PROFIT: f32 = 4.0;
/// Ranks that the root tries to hand back in a rescue, the most valuable first. "Rescues".
pub(super) const RESCUED_RANKS: usize = 2;

// What the enemy does at its nodes.

/// Chance that the enemy sees what its moves are good for: our hidden pieces are open to us, not to it. It sees it of
/// all that it surely can do, or of none. "Win scale and enemy nodes".
pub(super) const RATIONALITY: f32 = 0.7;
/// From this chance on an answer counts as surely available. A guess, "Win scale and enemy nodes".
pub(super) const CERTAIN: f32 = 0.9;
/// A strike of the enemy with a smaller chance is not searched. A guess, "First search".
pub(super) const UNLIKELY_STRIKE: f32 = 0.04;
/// A step with a smaller chance that its piece can move is not searched. A guess, "First search".
pub(super) const UNLIKELY_STEP: f32 = 0.15;
/// A move over several squares with a smaller chance that its piece is a scout is not searched. A guess, "First
/// search".
pub(super) const UNLIKELY_SCOUT: f32 = 0.5;

// The root.

/// Half-width in points of the random bias that mixes near-equal actions. A guess.
pub(super) const TIE_BREAK: f32 = 1.0;
/// Points that coming back to a position once costs; it grows with the square of the visits. A guess.
pub(super) const RETURNING: f32 = 3.0;

// The progress incentive: guesses that games against hunter confirmed together, "Draws against hunter".

/// Plies without a strike after which half of what a lead has beyond [`GREAT_LEAD`] is left.
pub(super) const GREAT_LEAD_HALF_LIFE: u32 = 1000;
/// From this value on a lead is great: two fifths of the way to a win. On every lead the decay lost games against
/// ourselves.
pub(super) const GREAT_LEAD: i32 = 400_000;
/// Points ahead at the root that make ready to pay for a strike.
pub(super) const AHEAD: f32 = 500.0;
/// Plies without a strike after which a game stands still.
pub(super) const STANDSTILL: u32 = 120;
/// Points that a strike may cost for each further ply.
pub(super) const INCENTIVE_PER_PLY: f32 = 2.0;
/// The most points that it may cost.
pub(super) const MOST_INCENTIVE: f32 = 300.0;
/// Plies of standstill after which a lead decays no further.
pub(super) const DECAY_PLIES: u32 = 150;
/// The share of a lead that has decayed by then.
pub(super) const MOST_DECAY: f32 = 0.6;

// Scores.

/// Draws among even games, in permille: humans on gravon.de drew 3.6% of 42,478 games.
pub(super) const EVEN_DRAWS: f32 = 36.0;

// Levels, "Levels".

/// Nodes that level 1 visits: about all its actions once, and what answers them.
pub(super) const FEWEST_NODES: f32 = 60.0;
/// How many times the nodes each further level visits.
pub(super) const MORE_NODES: f32 = 1.6;
/// The noise of level 19, in points.
pub(super) const LEAST_NOISE: f32 = 4.0;
/// How many times the noise each lower level has.
pub(super) const MORE_NOISE: f32 = 1.3;

// What the enemy's last move says of its pieces, "Move evidence".

/// Worlds in which the ranks of a piece are compared; from two on, more say little more.
pub(super) const INFERENCE_WORLDS: usize = 3;
/// The divisor of a search's limits that gives what inference may take of them. A guess.
pub(super) const INFERENCE_SHARE: u32 = 4;
/// With less time for it than this it is not begun. A guess.
pub(super) const INFERENCE_LEAST_TIME: Duration = Duration::from_millis(1);
/// With fewer nodes for it than this it is not begun. A guess.
pub(super) const INFERENCE_LEAST_NODES: u64 = 200;
/// A loss of so much value makes an action 1/e times as likely.
pub(super) const INFERENCE_SPREAD: f32 = 3000.0;
/// Ranks with a smaller chance are not asked about. A guess.
pub(super) const INFERENCE_UNLIKELY: f32 = 0.01;
/// Pieces beside ours that did not move and are asked about. A guess.
pub(super) const INFERENCE_BYSTANDERS: usize = 4;

// Time management, "Clock".

/// Actions among which the time left is shared out at the start of a game. Games take longer, but it is their first
/// half that decides them.
pub(super) const ACTIONS_AHEAD: u32 = 50;
/// Plies with which one action more is reckoned with: late in a game its end does not come nearer.
pub(super) const PLIES_FOR_ONE_MORE: u32 = 8;
/// The most actions among which time is shared out.
pub(super) const MOST_ACTIONS_AHEAD: u32 = 100;
/// How many times its share an action may take if it is hard to choose.
pub(super) const MOST_SHARES: u32 = 4;
/// The divisor of the clock that gives the most that an action may take: a machine that stalls must not fell the flag.
pub(super) const MOST_OF_CLOCK: u32 = 4;
/// Three quarters of the increment are used for each action.
pub(super) const INCREMENT_USED: (u32, u32) = (3, 4);
/// The best action is clear if it leads by this value.
pub(super) const CLEAR_LEAD: i32 = 240_000;
/// Depth in plies from which on a lead can be clear.
pub(super) const CLEAR_DEPTH: u32 = 4;
/// A fall of the best value that is worth more time.
pub(super) const FALL: i32 = 50_000;
/// The share of the time that a search without surprises gets.
pub(super) const CALM_SHARE: f32 = 0.8;
/// What each change of mind adds to the share; an older one half as much as a newer one.
pub(super) const SHARE_FOR_CHANGE: f32 = 0.5;
/// The share that a clear choice gets.
pub(super) const CLEAR_SHARE: f32 = 0.25;
