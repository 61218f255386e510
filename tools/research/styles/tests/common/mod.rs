//! Games between styles and other players, through the referee.

use outflank::event::Event;
use outflank::protocol::StandIn;
use outflank::rng::Rng;
use outflank::rules::{Action, BySide, Ending, Ruleset, Setup, Side};
use outflank::view::View;
use outflank_referee::Referee;

/// Any legal action, from a setup as a style draws it.
pub(crate) const RANDOM: StandIn = StandIn {
    name: "random",
    action: |view, _, seed| {
        let actions = view.position().actions();
        actions.get(Rng::new(seed).below(actions.len())).copied()
    },
    setup: |rules, previous, stream| (ordinary().setup)(rules, previous, stream),
};

/// The style without a theme.
pub(crate) fn ordinary() -> StandIn {
    outflank_styles::find("ordinary").expect("there is one")
}

/// Rules from their text, with a draw after so many plies.
pub(crate) fn rules(preset: &str, keys: &[(&str, &str)], plies: u32) -> Ruleset {
    let preset = outflank::rules::Preset::from_name(preset).expect("a preset");
    let mut rules = Ruleset { plies, ..Ruleset::of(preset) };
    for (key, value) in keys {
        rules.set(key, value).expect("a key");
    }
    rules
}

/// What a game came to.
pub(crate) struct Game {
    pub(crate) ending: Ending,
    pub(crate) plies: u32,
}

/// Plays a game out; every action has to be legal. `watch` sees each choice with what its player knew.
pub(crate) fn play(
    rules: Ruleset,
    players: BySide<StandIn>,
    seed: u64,
    mut watch: impl FnMut(Side, &View, Action),
) -> Game {
    let setups: BySide<Setup> = BySide::from_fn(|side| {
        (players[side].setup)(&rules, None, &mut Rng::stream(seed, side.index() as u64))
    });
    let mut referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue]).expect("whole armies");
    let mut views = BySide::from_fn(|side| View::new(side, rules));
    let tell = |views: &mut BySide<View>, events: BySide<Event>| {
        views.iter_mut().for_each(|(side, view)| view.observe(&events[side]).expect("it fits"));
    };
    referee.opening().into_iter().for_each(|events| tell(&mut views, events));
    let mut rng = Rng::stream(seed, 77);
    loop {
        if let Some(ending) = referee.ending() {
            return Game { ending, plies: referee.ply() };
        }
        let side = referee.to_move();
        let action = (players[side].action)(&views[side], &[], rng.bits());
        let action = action.unwrap_or_else(|| panic!("{} has no action", players[side].name));
        watch(side, &views[side], action);
        let events = referee.play(action);
        let events = events.unwrap_or_else(|error| panic!("{}: {action:?}: {error}", players[side].name));
        tell(&mut views, events);
    }
}

/// Points of `style` in so many games against `other`, half of them with each colour; all plies.
pub(crate) fn points(style: StandIn, other: StandIn, rules: Ruleset, games: u64) -> (f32, u32) {
    let (mut points, mut plies) = (0.0, 0);
    for game in 0..games {
        let side = [Side::Red, Side::Blue][game as usize % 2];
        let players = BySide::from_fn(|seat| if seat == side { style } else { other });
        let Game { ending, plies: made } = play(rules, players, 100 + game, |_, _, _| ());
        points += match ending.winner {
            Some(winner) if winner == side => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        };
        plies += made;
    }
    (points, plies)
}
