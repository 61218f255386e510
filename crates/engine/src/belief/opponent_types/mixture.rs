//! Opponent types with what they are believed beforehand.

use super::features::TypeTable;
use super::file::TABLES;
use crate::belief::params;

/// Opponent types and their prior probabilities.
#[derive(Copy, Clone, Debug)]
pub struct TypeMixture<'a> {
    /// A table for each type.
    pub tables: &'a [TypeTable],
    /// The chance (0 to 1) that an opponent is of none of these types and places its pieces blindly.
    pub blind: f32,
    /// The chance (0 to 1) that it is of none of these types, but places and first moves its pieces as most do. The
    /// rest is for the types, the same for each.
    pub plain: f32,
    /// The power of each revealed rank as evidence of the type: 1 if the ranks revealed were drawn as those hidden
    /// are.
    pub trust: f32,
    /// Share (0 to 1) of what is believed without opponent types that no type takes away: anyone may bluff.
    pub doubt: f32,
    /// The power to which chances are raised in the end: mixing leaves them flatter than they come true.
    pub sharper: f32,
}

/// The mixture in use; its numbers are parameters of the belief.
pub fn mixture() -> TypeMixture<'static> {
    TypeMixture {
        tables: &TABLES,
        blind: params::types_blind(),
        plain: params::types_plain(),
        trust: params::types_trust(),
        doubt: params::types_doubt(),
        sharper: params::types_sharper(),
    }
}

/// No types: nothing changes.
pub const NO_TYPES: TypeMixture<'static> =
    TypeMixture { tables: &[], blind: 0.0, plain: 1.0, trust: 0.0, doubt: 1.0, sharper: 1.0 };
