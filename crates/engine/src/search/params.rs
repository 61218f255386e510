//! The tuned numbers of the search, each with its unit and where it came from; sections
//! named are those of `docs/log`. A guess that was never measured alone is called one.

/// The tuned numbers of time management: the section "Clock" of `docs/log/speed.md`.
pub(super) mod clock {
    crate::params::parameters! {
        "clock";
        /// Actions among which the time left is shared out at the start of a game. Games take longer, but it is their
        /// first half that decides them.
        pub(in crate::search) actions_ahead: u32 = 50, 1..=1000;

        /// Plies with which one action more is reckoned with: late in a game its end does not come nearer.
        pub(in crate::search) plies_for_one_more: u32 = 8, 1..=1000;

        /// The most actions among which time is shared out.
        pub(in crate::search) most_actions_ahead: u32 = 100, 1..=2000;

        /// How many times its share an action may take if it is hard to choose.
        pub(in crate::search) most_shares: u32 = 4, 1..=50;

        /// The divisor of the clock that gives the most that an action may take: a machine that stalls must not fell the
        /// flag.
        pub(in crate::search) most_of_clock: u32 = 4, 1..=50;

        /// Quarters of the increment that are used for each action.
        pub(in crate::search) increment_quarters: u32 = 3, 0..=4;

        /// The best action is clear if it leads by this value.
        pub(in crate::search) clear_lead: i32 = 240_000, 0..=1_000_000;

        /// Depth in plies from which on a lead can be clear.
        pub(in crate::search) clear_depth: u32 = 4, 1..=50;

        /// A fall of the best value that is worth more time.
        pub(in crate::search) fall: i32 = 50_000, 0..=1_000_000;

        /// The share of the time that a search without surprises gets.
        pub(in crate::search) calm_share: f32 = 0.8, 0.05..=1.0;

        /// What each change of mind adds to the share; an older one half as much as a newer one.
        pub(in crate::search) share_for_change: f32 = 0.5, 0.0..=3.0;

        /// The share that a clear choice gets.
        pub(in crate::search) clear_share: f32 = 0.25, 0.01..=1.0;
    }
}

crate::params::parameters! {
    "search";
    // Late quiet actions are searched less deeply first (late move reductions).

    /// Depth in plies from which on actions are reduced. A guess, "First search".
    pub(super) reduce_from: i32 = 3, 1..=20;

    /// Place in the order from which on an action is reduced by one ply. A guess, "First search".
    pub(super) late: usize = 3, 1..=100;

    /// Place from which on it is reduced by one more. A guess, "First search".
    pub(super) very_late: usize = 10, 1..=200;

    /// Plies by which a null move is reduced, its own among them. A guess, "First search".
    pub(super) null_move: i32 = 2, 1..=6;

    // Which actions are looked at.

    /// Outcomes of a strike with a chance below this are not searched. A guess, "First search".
    pub(super) negligible: f32 = 0.01, 0.0..=1.0;

    /// Steps to a piece of the other side within which an action counts as near; the null move stands for the others.
    /// "First search".
    pub(super) near: u32 = 2, 1..=10;

    /// With so many pieces or fewer all actions of a side are searched. A guess, "First search".
    pub(super) few_pieces: u32 = 10, 0..=80;

    /// Plies of strikes in quiescence. A guess, "First search".
    pub(super) most_quiescence: u32 = 5, 0..=20;

    /// About how many nodes quiescence may visit below one leaf: each strike gets an equal share of what is left. Where
    /// many pieces stand in contact, five plies of all strikes came to tens of thousands: "Quiescence in contact".
    pub(super) quiescence_effort: u32 = 64, 1..=1_000_000;

    /// The effort of quiescence at depth 1 of the root: it has to be over before anything else, however little time there is.
    pub(super) first_effort: u32 = 12, 1..=1_000_000;

    /// Points that a strike must promise to be searched in quiescence. A guess, "First search".
    pub(super) quiescence_profit: f32 = 4.0, 0.0..=100.0;

    /// Ranks that the root tries to hand back in a rescue, the most valuable first. "Rescues".
    pub(super) rescued_ranks: usize = 2, 1..=12;

    // How a learned policy weighs in at the root.

    /// Points that an action loses for each factor of e by which the learned policy chooses it less often than its
    /// favourite. Five for each of two networks, of which the policy is the geometric mean. "Strong players' moves at
    /// the root".
    pub(super) policy_weight: f32 = 10.0, 0.0..=200.0;

    /// The most such factors that count: 80 points. "Eighty points at most".
    pub(super) policy_floor: f32 = 8.0, 0.0..=20.0;

    // What the search does not see of strikes at hidden pieces: what is learned, and the initiative.

    /// Points that a strike at a hidden piece that has moved gains at the root, unless by a miner. "A bonus for
    /// strikes".
    pub(super) strike_bonus_moved: f32 = 20.0, -100.0..=300.0;

    /// Points that a strike at a hidden piece that never moved gains at the root, unless by a miner.
    pub(super) strike_bonus_unmoved: f32 = 30.0, -100.0..=300.0;

    /// The chance of a bomb from which a major or better is charged for striking what never moved: from there on such
    /// strikes lost in 406 games. "Strikes at what may be a bomb".
    pub(super) bomb_charge_from: f32 = 0.3, 0.0..=1.0;

    /// The points that such a strike loses at the root. A guess, about what each lost. With 120
    /// half as many are left.
    pub(super) bomb_charge: f32 = 60.0, 0.0..=300.0;

    /// The ply from which these bonuses count in full. "The bonus once the game is open".
    pub(super) strike_bonus_from: u32 = 60, 0..=1000;

    /// The share of them that counts before that ply. With none, first actions strike as often as strong players' do:
    /// "Two sparse networks" in `docs/log/policy.md`.
    pub(super) strike_bonus_opening: f32 = 0.0, -2.0..=2.0;

    // What the enemy does at its nodes.

    /// Chance that the enemy sees what its moves are good for: our hidden pieces are open to us, not to it. It sees it
    /// of all that it surely can do, or of none. "Win scale and enemy nodes".
    pub(super) rationality: f32 = 0.7, 0.0..=1.0;

    /// From this chance on an answer counts as surely available. A guess, "Win scale and enemy nodes".
    pub(super) certain: f32 = 0.9, 0.0..=1.0;

    /// A strike of the enemy with a smaller chance is not searched. A guess, "First search".
    pub(super) unlikely_strike: f32 = 0.04, 0.0..=1.0;

    /// How much likelier than believed an enemy piece takes back, as odds: whoever leaves a piece in reach has a reason.
    /// Of 61 such pieces in games of strong players 33% were guarded, where 20% was believed; of this engine's 18%:
    /// "Chasers and baits". In between.
    pub(super) retake_odds: f32 = 1.5, 0.2..=10.0;

    /// How much less likely an enemy's strike is once it could have been made and was not: after n such turns its chance
    /// is divided by 1 + this · n. Read off 40 games of strong players and 200 of the engine: "Strikes that are not made"
    /// in docs/log/strikes.md.
    pub(super) declined: f32 = 1.5, 0.0..=20.0;

    /// A step with a smaller chance that its piece can move is not searched. A guess, "First search".
    pub(super) unlikely_step: f32 = 0.15, 0.0..=1.0;

    /// A move over several squares with a smaller chance that its piece is a scout is not searched. A guess, "First
    /// search".
    pub(super) unlikely_scout: f32 = 0.5, 0.0..=1.0;

    /// A strike at our flag with a smaller chance is not searched, nor a scout's move to where it could strike it: the
    /// game hangs on it. A guess, "Scouts at our flag" in docs/log/flags.md.
    pub(super) unlikely_at_flag: f32 = 0.004, 0.0..=1.0;

    // The root.

    /// Half-width in points of the random bias that mixes near-equal actions. A guess.
    pub(super) tie_break: f32 = 1.0, 0.0..=20.0;

    /// Points by which a move of the opening has to be worse to be chosen less often by a factor of e; it fades over
    /// [`opening_noise_plies`]. The policy takes ten points off for a factor of e, so it is its choice at a temperature of
    /// one and a half. "Noise in the opening" in docs/log/search.md.
    pub(super) opening_noise: f32 = 15.0, 0.0..=50.0;

    /// The plies over which it fades. A guess.
    pub(super) opening_noise_plies: u32 = 40, 1..=1000;

    /// Points that coming back to a position once costs; it grows with the square of the visits. A guess.
    pub(super) returning: f32 = 3.0, 0.0..=50.0;

    // The progress incentive: guesses that games against hunter confirmed together, "Draws against hunter".

    /// Plies without a strike after which half of what a lead has beyond [`great_lead`] is left.
    pub(super) great_lead_half_life: u32 = 1000, 10..=100_000;

    /// From this value on a lead is great: two fifths of the way to a win. On every lead the decay lost games against
    /// ourselves.
    pub(super) great_lead: i32 = 400_000, 0..=1_000_000;

    /// Points ahead at the root that make ready to pay for a strike.
    pub(super) ahead: f32 = 500.0, 0.0..=3000.0;

    /// Plies without a strike after which a game stands still.
    pub(super) standstill: u32 = 120, 1..=1000;

    /// Points that a strike may cost for each further ply.
    pub(super) incentive_per_ply: f32 = 2.0, 0.0..=50.0;

    /// The most points that it may cost.
    pub(super) most_incentive: f32 = 300.0, 0.0..=2000.0;

    /// Plies of standstill after which a lead decays no further.
    pub(super) decay_plies: u32 = 150, 1..=2000;

    /// The share of a lead that has decayed by then.
    pub(super) most_decay: f32 = 0.6, 0.0..=1.0;

    // Scores.

    /// Draws among even games, in permille: humans on gravon.de drew 3.6% of 42,478 games.
    pub(super) even_draws: f32 = 36.0, 0.0..=500.0;

    /// Factor of the log odds that a value of the tree stands for, in the chances that are reported. A logistic fit to how
    /// 135 games ended, "What a score is worth".
    pub(super) score_slope: f32 = 1.12, 0.1..=4.0;

    /// What is added to these log odds late in a game: a search expects too much, as it chooses what it overrates. This
    /// and the next two are a fit to 238 games of commit c93092f against variants of it, "Scores by phase and colour".
    pub(super) score_offset: f32 = -0.4, -2.0..=2.0;

    /// What is added to the log odds before the first ply, when hardly anything can be overrated: "The first moves' scores".
    pub(super) score_offset_first: f32 = -0.14, -2.0..=2.0;

    /// Plies in which all but 1/e of the difference is gone.
    pub(super) score_phase: f32 = 400.0, 1.0..=5000.0;

    /// Log odds that Blue has more than both have on average before the first ply; it fades like the difference above.
    /// Red's share is 48.8%: humans on gravon.de scored 48.4% as Red in 42,478 games, Red 49.1 ± 0.7% in 4,802 of the panel.
    pub(super) score_colour: f32 = 0.05, 0.0..=1.0;

    // Levels, "Levels".

    /// Nodes that level 1 visits: about all its actions once, and what answers them.
    pub(super) fewest_nodes: f32 = 60.0, 1.0..=1000.0;

    /// How many times the nodes each further level visits.
    pub(super) more_nodes: f32 = 1.6, 1.01..=4.0;

    /// The noise of level 19, in points.
    pub(super) least_noise: f32 = 4.0, 0.0..=100.0;

    /// How many times the noise each lower level has.
    pub(super) more_noise: f32 = 1.3, 1.0..=3.0;

    /// The temperature at which levels below full strength listen to the learned policy, if that is more than they
    /// would at full strength. At 0.8 to 3 it hid all noise, and the upper half of the levels played alike.
    pub(super) level_temperature: f32 = 3.5, 0.1..=50.0;

    /// The most factors of e that count against an action below full strength: with the few of full strength, weak
    /// levels struck again and again at what they knew to be stronger. "Levels that err as people do".
    pub(super) level_policy_floor: f32 = 14.0, 0.0..=50.0;

    // What the enemy's last move says of its pieces, "Move evidence".

    /// Worlds in which the ranks of a piece are compared; from two on, more say little more.
    pub(super) inference_worlds: usize = 3, 1..=50;

    /// The divisor of a search's limits that gives what inference may take of them. A guess.
    pub(super) inference_share: u32 = 4, 1..=100;

    /// With fewer milliseconds for it than this it is not begun. A guess.
    pub(super) inference_least_ms: u64 = 1, 0..=1000;

    /// With fewer nodes for it than this it is not begun. A guess.
    pub(super) inference_least_nodes: u64 = 200, 1..=100_000;

    /// The most nodes that it takes where neither time nor nodes are limited: a twentieth of a second. A guess.
    pub(super) inference_most_nodes: u64 = 50_000, 200..=10_000_000;

    /// A loss of so much value makes an action 1/e times as likely.
    pub(super) inference_spread: f32 = 3000.0, 10.0..=1_000_000.0;

    /// Ranks with a smaller chance are not asked about. A guess.
    pub(super) inference_unlikely: f32 = 0.01, 0.0..=1.0;

    /// Pieces beside ours that did not move and are asked about. A guess.
    pub(super) inference_bystanders: usize = 4, 0..=40;
}
