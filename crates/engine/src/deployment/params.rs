//! The tuned numbers of choosing a setup, each with its unit; all are guesses that matches of the whole confirmed
//! (`docs/log/setups.md`). A unit of the heuristics is one clear fault.

crate::params::parameters! {
    "deployment";
    /// Setups drawn before one is chosen.
    pub(super) candidates: usize = 300, 1..=10000;

    /// Largest random noise, in the unit of the heuristics.
    pub(super) noise: f32 = 2.5, 0.0..=20.0;

    /// One setup in so many is drawn outside the book, so that nobody who has the book can be sure. Few are, as the
    /// book wins more.
    pub(super) outside: usize = 16, 1..=1000;

    /// One setup in so many from the book has like pieces exchanged, for the same reason. Exchanges of half
    /// of them cost a fifth of what a book gains.
    pub(super) exchanged: usize = 4, 1..=1000;

    /// Places then tried: about one in five finds a like piece, so two or three exchanges are usual.
    pub(super) exchanges: usize = 12, 0..=100;

    /// What each open side of the flag costs.
    pub(super) open_flag: f32 = 8.0, 0.0..=50.0;

    /// What a flag on the second row costs.
    pub(super) second_row_flag: f32 = 3.0, 0.0..=50.0;

    /// What a flag before the second row costs.
    pub(super) forward_flag: f32 = 9.0, 0.0..=50.0;

    /// In barrage, setups built before one is chosen.
    pub(super) barrage_candidates: usize = 60, 1..=10000;

    /// In barrage, what each open side of the flag costs.
    pub(super) barrage_open_flag: f32 = 4.0, 0.0..=50.0;

    /// In barrage, what a flag costs that a scout can run into at once.
    pub(super) barrage_open_file: f32 = 30.0, 0.0..=100.0;
}
