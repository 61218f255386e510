//! The tuned numbers of the belief, each with its unit and where it came from; sections named are those of
//! `docs/log`. Tables that were fitted are data and stand where they are used.

use super::likelihood::Likelihood;

crate::params::parameters! {
    "belief";
    /// The exponent of each likelihood: 1 takes it as it is, 0 leaves it out.
    pub(super) power[Likelihood]: f32 = [1.0; Likelihood::ALL.len()], 0.0..=4.0;

    /// Share of the plain count prior mixed into the square prior: strong players who are no humans place their pieces
    /// otherwise, and on their games the human prior alone is worse than counts by 1 to 2.5%. On human setups held out
    /// from the fit 0.03 costs 0.0008 nats a piece and 0.10 costs 0.0039; on the arena bots' games 0.10 gains 0.3%.
    #[doc(hidden)]
    pub(super) count_share: f32 = 0.03, 0.0..=1.0;

    /// Share of what is believed of a setup that comes from bombs beside flags alone and not from the net: fewer
    /// players set up as people do than the net expects. "Setups".
    pub(super) flag_and_bombs_share: f32 = 0.4, 0.0..=1.0;

    /// Players who always close their flag in with bombs, for each human of the table of patterns. From 693 games
    /// against the arena's bots: of 5,627 strikes by others than miners on pieces that had never moved, 10 found a
    /// flag there.
    pub(super) closed_flags: f32 = 1.5, 0.0..=20.0;

    /// In barrage, the share of the likelihood that not having moved leaves alone: some keep a piece at home for the
    /// whole game. A guess.
    pub(super) barrage_doubt: f32 = 0.2, 0.0..=1.0;

    /// In barrage, the most that the time of a first move may favour one rank over the others. A guess.
    pub(super) barrage_most: f32 = 2.0, 1.0..=20.0;

    /// The probability that an opponent is of none of the known types and places its pieces blindly. This and the next
    /// three were chosen on games of players left out of the fit, "Opponent types".
    pub(super) types_blind: f32 = 0.1, 0.0..=1.0;

    /// The probability that it is of none of these types, but places and first moves its pieces as most do.
    pub(super) types_plain: f32 = 0.65, 0.0..=1.0;

    /// The power of each revealed rank as evidence of the type: 1 if the ranks revealed were drawn as those hidden
    /// are.
    pub(super) types_trust: f32 = 0.5, 0.0..=2.0;

    /// Share of what is believed without opponent types that no type takes away: anyone may bluff.
    pub(super) types_doubt: f32 = 0.03, 0.0..=0.99;

    /// The power to which probabilities by types are raised in the end: mixing leaves them flatter than they come
    /// true. Chosen on games of players in the fit.
    pub(super) types_sharper: f32 = 1.1, 0.5..=2.0;

    /// How often an enemy of whom nothing is known is thought to choose as we would. This and the next seven were
    /// chosen on games of this engine and of the arena's bots, "Move evidence".
    pub(super) alike: f32 = 0.5, 0.0..=1.0;

    /// How many moves that guess is worth.
    pub(super) alike_moves: f32 = 10.0, 0.1..=1000.0;

    /// The power to which the evidence of one move is raised for the piece that moved, as moves of one plan tell the
    /// same thing again, and so do behaviour features.
    pub(super) moved_power: f32 = 0.5, 0.0..=2.0;

    /// What is left of such evidence, in logarithms, with each further one.
    pub(super) moved_lasting: f32 = 0.95, 0.0..=1.0;

    /// The power for a piece beside an enemy that stood while another moved, if it had moved before.
    pub(super) stood_power: f32 = 0.15, 0.0..=2.0;

    /// The power for one that had not.
    pub(super) still_power: f32 = 0.6, 0.0..=2.0;

    /// What is left of the evidence of pieces that stood, in logarithms, with each further one.
    pub(super) stood_lasting: f32 = 0.9, 0.0..=1.0;

    /// How much a revealed rank counts as evidence of which expert is right: ranks that are revealed are not drawn as
    /// hidden ones are. Chosen with the mixtures, "Experts".
    pub(super) reveal_weight: f32 = 0.5, 0.0..=2.0;

    /// How much it counts as such evidence that a piece can move.
    pub(super) first_move_weight: f32 = 0.5, 0.0..=2.0;

    /// Exponent of what the flag's place and the bombs beside it say of all others, when worlds are drawn. It is not
    /// the trust in the setup: where strong players set their pieces up differs from people's places, but they, too,
    /// close the flag in.
    ///
    /// Source: before the first ply the flag is closed in in 16% of worlds at 0.5, 34% at 0.75 and 48% at 1; people do it
    /// in 44% of their setups (58,560 from gravon.de), 40 games of players far above human level in 31%.
    pub(super) coupling: f32 = 0.75, 0.0..=2.0;

    /// No probability beyond this is reached by what one move tells of a rank that is unproven: a piece may always
    /// bluff. A guess, not fitted: in one game a chaser was believed with 95% and was wrong.
    pub(super) proven: f32 = 0.6, 0.05..=1.0;

    /// The share of spies that leave a known Marshal beside them alone, turn by turn. After two such turns the next ones
    /// tell nothing more.
    ///
    /// Source: 3 of 35 in 129 games of this engine against itself, rounded up: "Who spares a known Marshal".
    pub(super) spares_marshal: f32 = 0.1, 0.001..=1.0;

    /// How much likelier, in nats, a hidden piece is to be one that retakes, if it stands beside a known piece that
    /// was left where a known stronger one can take it: who leaves it there has a reason.
    ///
    /// Source: in 40 games of players far above human level 61 such pieces were guarded in 33%, believed to be without
    /// this in 15% and with it in 20%; in 36 games of this engine against itself 101 in 18%, believed 12% and 18%.
    pub(super) bait_guard: f32 = 1.0, 0.0..=5.0;
}
