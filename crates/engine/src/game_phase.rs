//! Phases of a game: early, in the middle or late. What players do differs by that.

/// The first ply of the middle and of the late game.
pub const FIRST_PLIES: [u32; 2] = [60, 300];

/// How many phases a game has.
pub const PHASES: usize = FIRST_PLIES.len() + 1;

/// The phase of a ply: 0 early, 1 in the middle, 2 late.
pub fn phase(ply: u32) -> usize {
    FIRST_PLIES.iter().filter(|&&first| ply >= first).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_begins_with_its_first_ply() {
        assert_eq!([0, 59, 60, 299, 300, 2000].map(phase), [0, 0, 1, 1, 2, 2]);
    }
}
