//! The tuned numbers of the evaluation.
//!
//! Values are in points: a captain is worth 80. Each says its unit and where it comes from; the matches and fits are
//! in `docs/log`. *Tuned* ones are those of its "First tuning" and "Second tuning". A *guess* was never
//! tried alone, only in the matches of what it belongs to. Tables and sizes of tables at the end are no parameters.

use crate::rules::Rank;

crate::params::parameters! {
    "eval";
    /// Points that are seven tenths of the way to a won game. A logistic fit of how self-play ended; matches agree.
    pub(crate) steepness: f32 = 1100.0, 200.0..=5000.0;

    /// Points of a piece by rank, F S 2 .. 9 M B, before anybody has fallen. A logistic fit of outcomes to who was
    /// left in 953 games against the arena's bots, smoothed by hand; miner, general and bomb tuned. The flag's is what
    /// a good chance to take it is worth risking.
    pub(super) base_value[Rank]: f32 =
        [700.0, 110.0, 15.0, 142.0, 60.0, 65.0, 80.0, 150.0, 225.0, 320.0, 420.0, 54.0],
        0.0..=2000.0;

    /// Points of a spy once the enemy's Marshal has fallen. This and the next six: matches against the arena's bots.
    pub(super) spy_without_target: f32 = 10.0, 0.0..=200.0;

    /// Points that the Marshal gains once the enemy's spy has fallen. Tuned.
    pub(super) marshal_without_spy: f32 = 45.0, 0.0..=300.0;

    /// Points that a captain or more gains while no enemy piece can beat it. Tuned.
    pub(super) unbeaten: f32 = 72.0, 0.0..=500.0;

    /// How much more a lead in material counts once nothing is left to fight with than with whole armies, as a share.
    /// Tuned.
    pub(super) endgame: f32 = 0.8, 0.0..=4.0;

    /// Points of a miner once the enemy has no bomb.
    pub(super) miner_without_bombs: f32 = 25.0, 0.0..=200.0;

    /// Points that each of a side's last miners gains while the enemy has bombs. Tuned.
    pub(super) last_miners: f32 = 42.0, 0.0..=200.0;

    /// How many miners are the last.
    pub(super) last_miners_count: u8 = 2, 0..=8;

    /// Points that each of a side's last scouts gains.
    pub(super) last_scouts: f32 = 8.0, 0.0..=200.0;

    /// How many scouts are the last.
    pub(super) last_scouts_count: u8 = 3, 0..=8;

    /// Points of keeping one's own piece unknown to the enemy, by rank. Set by hand; three times as much for what is
    /// revealed scored 48.3%.
    pub(super) hidden_value[Rank]: f32 =
        [40.0, 25.0, 1.0, 5.0, 3.0, 4.0, 7.0, 12.0, 24.0, 40.0, 60.0, 12.0],
        0.0..=300.0;

    /// Multiplies the points of every rank, so that they can be moved together.
    pub(super) hidden_scale: f32 = 1.0, 0.0..=5.0;

    /// Points of any piece of ours that is not known. Tuned.
    pub(super) unknown_value: f32 = 1.0, -10.0..=50.0;

    /// Points of any piece of ours that never moved: it may be anything, even a bomb. Tuned.
    pub(super) unmoved_value: f32 = 4.0, -10.0..=50.0;

    /// Points for each doubling of our pieces that never moved: the flag hides among them. Tuned.
    pub(super) cover: f32 = 3.0, -20.0..=100.0;

    /// How much of a secret is lost where the enemy already suspects it, as a share. Tuned.
    pub(super) suspected: f32 = 0.15, 0.0..=1.0;

    /// Share of the value of being unknown that is left while only having moved is known of the piece. Tuned.
    pub(super) hidden_share_of_moved: f32 = 0.67, 0.0..=1.0;

    /// Points of knowing an enemy piece for sure, by rank. Set by hand.
    pub(super) known_value[Rank]: f32 =
        [120.0, 10.0, 3.0, 7.0, 5.0, 7.0, 11.0, 17.0, 28.0, 45.0, 60.0, 14.0],
        0.0..=500.0;

    /// Multiplies the points of every rank, so that they can be moved together.
    pub(super) known_scale: f32 = 1.25, 0.0..=5.0;

    /// Share of a profit in reach that counts before it is made. This and the next seven were settled by matches
    /// against the arena's bots. Tuned.
    pub(super) attack: f32 = 0.19, 0.0..=1.0;

    /// Share of a known enemy captain's or better's value that it is worth to be beside it with a hidden piece that it
    /// has to fear, like a profit in reach: it may run from what is no danger. "Bluffs".
    pub(super) bluff: f32 = 0.3, 0.0..=2.0;

    /// A known enemy piece has to fear what beats it with at least this probability. A guess.
    pub(super) fear_least: f32 = 0.03, 0.0..=1.0;

    /// The progress incentive beyond this makes no target worth more: what is in reach must stay worth less than what
    /// is taken.
    pub(super) most_attack_incentive: f32 = 2.0, 1.0..=10.0;

    /// The most that the progress incentive becomes: after 200 plies without a strike. Beyond that known information
    /// swamped every other term. A guess: few games of any measurement stand still for so long.
    pub(super) most_incentive: f32 = 10.0, 1.0..=100.0;

    /// Share of an enemy's profit in reach that counts before it is made. Tuned.
    pub(super) threat: f32 = 0.38, 0.0..=2.0;

    /// Plies without a strike that double the value of known information. Tuned.
    pub(super) standstill: f32 = 22.0, 5.0..=500.0;

    /// Plies that a game should take for each fallen piece.
    pub(super) pace: u32 = 12, 0..=200;

    /// Plies that a game should take for the opening.
    pub(super) opening_pace: u32 = 100, 0..=1000;

    /// Plies behind that pace that double the value of known information.
    pub(super) behind: f32 = 150.0, 10.0..=2000.0;

    /// Share of the threats of an enemy piece that ridding us of it is worth.
    pub(super) chase_off: f32 = 0.8, 0.0..=2.0;

    /// Share of its threats that counts while an enemy piece is unknown: its owner seldom strikes blindly with it.
    /// Tuned.
    pub(super) unknown_threat: f32 = 0.35, 0.0..=1.0;

    /// By how much less the threats of a known enemy piece count while a piece of ours that beats it stands beside it,
    /// as a share; less so the farther away. Tuned.
    pub(super) stopped: f32 = 0.2, -2.0..=0.9;

    /// How much more the threats of a known enemy piece count where nothing of ours that beats it gets there in time: it
    /// may take one piece after another. "Exact guards, who rules a region, and the network of encoding 2" in
    /// docs/log/policy.md.
    pub(super) domination: f32 = 0.5, 0.0..=4.0;

    /// Steps up to which a known enemy piece is seen to come for a piece of ours.
    pub(super) domination_reach: u8 = 7, 1..=15;

    /// Steps by which ours has to come late for that to count in full.
    pub(super) domination_late: f32 = 8.0, 1.0..=20.0;

    /// Points that a bomb gains beside a flag that may be there, for the miner and the time it takes to get past it;
    /// three times as much beside one that stands there for sure, as then nothing else is left to do. Matches against
    /// the arena's bots.
    pub(super) flag_guard: f32 = 100.0, 0.0..=500.0;

    /// Points that an enemy piece beside our flag threatens, whether it knows or not: many bots strike whatever never
    /// moved. Matches against the arena's bots.
    pub(super) beside_flag: f32 = 620.0, 0.0..=3000.0;

    /// How much likelier than believed a strike of ours fails, as odds: of what was struck, but by miners, in
    /// self-play. Tuned.
    pub(super) chosen_loss: f32 = 2.0, 0.5..=5.0;

    /// How much likelier than believed a strike of ours finds the flag; from the same games.
    pub(super) chosen_flag: f32 = 0.5, 0.05..=2.0;

    /// Share of what a piece has in reach that counts where another one gains more from the same target. Settled by
    /// matches.
    pub(super) crowd: f32 = 0.2, 0.0..=1.0;

    /// A profit of three times so many points makes an enemy's strike as good as certain, such a loss all but rules it
    /// out. This and the next two are guesses that one match of 100 games confirmed together.
    pub(super) profit_spread: f32 = 15.0, 1.0..=200.0;

    /// Probability that the enemy does the unreasonable.
    pub(super) unreasonable: f32 = 0.05, 0.0..=1.0;

    /// How often a strong stranger's known major or better strikes a piece beside it that never moved, when it can:
    /// 4.9% of 650 turns in 40 games. Rounded up for weaker ones.
    pub(super) strikes_unmoved: f32 = 0.08, 0.0..=1.0;

    /// The probability of such a strike on a piece that has moved: 31% of 392 turns. Rounded up as well.
    pub(super) strikes_moved: f32 = 0.4, 0.0..=1.0;

    /// Turns for which these expectations count beside what the enemy does in this game. A guess.
    pub(super) stranger_weight: f32 = 10.0, 0.1..=1000.0;

    /// What profit alone says of the first, in the mean of the same turns.
    pub(super) profit_says_unmoved: f32 = 0.3, 0.01..=1.0;

    /// What profit alone says of the second.
    pub(super) profit_says_moved: f32 = 0.61, 0.01..=1.0;

    /// Points that the enemy would give for a good chance to take the flag.
    pub(super) flag_prize: f32 = 300.0, 0.0..=2000.0;

    /// Share of that for a strike that, if won, leads beside what may be the flag. A guess: "Two at the flag".
    pub(super) way_to_flag: f32 = 1.0, 0.0..=3.0;

    /// Share of what may be handed back that the last step before a rescue is worth. A guess, as is the next.
    pub(super) rescue_next: f32 = 0.6, 0.0..=1.0;

    /// What is left of that with each step more.
    pub(super) rescue_fade: f32 = 0.85, 0.0..=1.0;

    /// Points that a lost race for our flag costs, were it sure. Matches settled this and [`defence_fade`], and
    /// confirmed the guesses that the other numbers of the flag's defence are, all together.
    pub(super) flag_lost: f32 = 1200.0, 0.0..=5000.0;

    /// Share of that while the enemy has no idea where our flag stands.
    pub(super) flag_unknown: f32 = 0.7, 0.0..=1.0;

    /// How much of a defender each piece on its way to our flag takes up: the next one has to be met by another.
    /// A guess: "Two at the flag".
    pub(super) taken_up: f32 = 1.0, 0.0..=2.0;

    /// How far a known enemy piece near our flag is stopped only by what beats it, a tie counting half; at 0 by the
    /// least ranks that stop its kind. The same entry.
    pub(super) stopped_exactly: f32 = 1.0, 0.0..=1.0;

    /// Probabilities below this are left out.
    pub(super) unlikely: f32 = 0.03, 0.0..=1.0;

    /// An enemy piece that is more steps away than this from every square beside our flag is no danger yet.
    pub(super) far: u8 = 7, 1..=19;

    /// What is left of a danger with each step that it is away.
    pub(super) defence_fade: f32 = 0.88, 0.0..=1.0;

    /// Points of a race won, were the enemy's flag there for sure: 1500 lost a match. The other numbers of the attack
    /// on the flag are guesses that were part of that match.
    pub(super) flag_won: f32 = 600.0, 0.0..=5000.0;

    /// Pieces that are the flag with a lower probability are no target.
    pub(super) likely_flag: f32 = 0.15, 0.0..=1.0;

    /// An enemy piece that can move with at least this probability may stop our lieutenants and weaker.
    pub(super) may_stop: f32 = 0.4, 0.0..=1.0;

    /// One that is a captain or better with at least this probability may stop our captains and majors: what nothing
    /// is known of does. A guess, as is the next.
    pub(super) may_stop_middle: f32 = 0.15, 0.0..=1.0;

    /// One that is a colonel or better with at least this probability may stop our colonels and better.
    pub(super) may_stop_strong: f32 = 0.06, 0.0..=1.0;

    /// A piece that is a bomb with at least this probability is left to our miners.
    pub(super) likely_bomb: f32 = 0.3, 0.0..=1.0;

    /// Pieces of ours that are more steps away than this do not count as attacking together. A guess:
    /// "Several at their flag".
    pub(super) far_attack: u8 = 5, 1..=19;

    /// What is left of a race for their flag with each step more.
    pub(super) attack_fade: f32 = 0.9, 0.0..=1.0;
}

/// How much a target counts by its path distance in steps, the last for all that is farther away. Set by hand.
pub(super) const PROXIMITY: [f32; 20] = [
    1.0, 1.0, 0.72, 0.54, 0.41, 0.32, 0.25, 0.2, 0.16, 0.13, 0.11, 0.09, 0.08, 0.07, 0.06, 0.05, 0.045, 0.04,
    0.035, 0.03,
];

/// How much a target of ours counts by its path distance: the same to the power of 1.2. Tuned.
pub(super) const ATTACK_PROXIMITY: [f32; 20] = [
    1.0, 1.0, 0.674, 0.477, 0.343, 0.255, 0.189, 0.145, 0.111, 0.086, 0.071, 0.056, 0.048, 0.041, 0.034,
    0.027, 0.024, 0.021, 0.018, 0.015,
];

/// Extra steps for a square where a comrade stands that may step aside. This and the next are guesses.
pub(super) const PAST_COMRADE: usize = 1;

/// Extra steps for a square where an enemy stands that would have to be taken on the way.
pub(super) const PAST_ENEMY: usize = 3;

/// What is left of a race by how many steps the nearest defender comes late, from two in hand to two late or more.
pub(super) const LATE: [f32; 5] = [0.06, 0.12, 0.25, 0.7, 1.0];
