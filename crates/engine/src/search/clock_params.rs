//! The tuned numbers of time management, each with its unit; all are from the section "Clock" of
//! `docs/log/speed.md`.

crate::params::parameters! {
    "clock";
    /// Actions among which the time left is shared out at the start of a game. Games take longer, but it is their
    /// first half that decides them.
    pub(super) actions_ahead: u32 = 50, 1..=1000;

    /// Plies with which one action more is reckoned with: late in a game its end does not come nearer.
    pub(super) plies_for_one_more: u32 = 8, 1..=1000;

    /// The most actions among which time is shared out.
    pub(super) most_actions_ahead: u32 = 100, 1..=2000;

    /// How many times its share an action may take if it is hard to choose.
    pub(super) most_shares: u32 = 4, 1..=50;

    /// The divisor of the clock that gives the most that an action may take: a machine that stalls must not fell the
    /// flag.
    pub(super) most_of_clock: u32 = 4, 1..=50;

    /// Quarters of the increment that are used for each action.
    pub(super) increment_quarters: u32 = 3, 0..=4;

    /// The best action is clear if it leads by this value.
    pub(super) clear_lead: i32 = 240_000, 0..=1_000_000;

    /// Depth in plies from which on a lead can be clear.
    pub(super) clear_depth: u32 = 4, 1..=50;

    /// A fall of the best value that is worth more time.
    pub(super) fall: i32 = 50_000, 0..=1_000_000;

    /// The share of the time that a search without surprises gets.
    pub(super) calm_share: f32 = 0.8, 0.05..=1.0;

    /// What each change of mind adds to the share; an older one half as much as a newer one.
    pub(super) share_for_change: f32 = 0.5, 0.0..=3.0;

    /// The share that a clear choice gets.
    pub(super) clear_share: f32 = 0.25, 0.01..=1.0;
}
