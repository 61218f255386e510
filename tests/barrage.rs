//! Barrage: what eight pieces change. With so few, every army that fits what a player has seen can be counted, so
//! that the belief's hard knowledge is checked against all of them.

use outflank::belief::{Belief, RankProbabilities};
use outflank::deployment;
use outflank::engine::{Control, Engine, Settings};
use outflank::event::Event;
use outflank::rng::Rng;
use outflank::rules::{
    Action, Army, ByRank, BySide, Cell, PieceId, Preset, Rank, RankSet, Ruleset, Setup, Side, Spn, Viewer,
};
use outflank::search::Budget;
use outflank::view::View;
use outflank_referee::{Events, Referee};
use outflank_tests::{Policy, Stopped, random_setup};
use std::sync::atomic::AtomicBool;

fn barrage(rules: Ruleset) -> Ruleset {
    Ruleset { barrage: true, ..rules }
}

/// A game as far as it went, and what one player saw of it.
struct Seen {
    rules: Ruleset,
    setups: BySide<Setup>,
    actions: Vec<Action>,
    events: Vec<Event>,
    view: View,
}

/// Whether the game is over, and each event that `viewer` sees; `None` from where an action is refused.
fn replay(rules: Ruleset, setups: &BySide<Setup>, actions: &[Action], viewer: Side) -> (Vec<Event>, bool) {
    let mut referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue]).unwrap();
    let mut events: Vec<Event> = referee.opening().iter().map(|seen| seen[viewer]).collect();
    for &action in actions {
        match referee.play(action) {
            Ok(seen) => events.push(seen[viewer]),
            Err(_) => break,
        }
    }
    (events, referee.ending().is_some())
}

impl Seen {
    fn random(rules: Ruleset, viewer: Side, plies: usize, rng: &mut Rng) -> Option<Seen> {
        let setups = BySide::from_fn(|_| random_setup(&rules, rng));
        let mut position = outflank_tests::deal(rules, &setups[Side::Red], &setups[Side::Blue]);
        let mut actions = Vec::new();
        while actions.len() < plies && position.ending().is_none() {
            let action = Policy::Fighter.choose(&position, &position.actions(), rng);
            position.play(action.into()).unwrap();
            actions.push(action);
        }
        let (events, over) = replay(rules, &setups, &actions, viewer);
        let mut view = View::new(viewer, rules);
        for event in &events {
            view.observe(event).unwrap();
        }
        (!over).then_some(Seen { rules, setups, actions, events, view })
    }

    /// How many armies of the enemy's fit what was seen, with how many of each rank on each of its places.
    fn count(&self) -> Tally {
        let owner = self.view.viewer().enemy();
        let setup = self.setups[owner];
        let places: Vec<usize> = (0..40).filter(|&place| setup.0[place] != Cell::Empty).collect();
        let mut fitting = Tally::default();
        // The first look at what was reported of single pieces saves most replays.
        let piece = |place: &usize| self.view.position().piece(PieceId::new(owner, *place));
        let possible: Vec<RankSet> = places.iter().map(|place| piece(place).ranks).collect();
        each_army(&possible, &mut Vec::new(), &mut Army::BARRAGE.counts().to_owned(), &mut |ranks| {
            let mut setups = self.setups;
            for (&place, &rank) in places.iter().zip(ranks) {
                setups[owner].0[place] = Cell::Known(rank);
            }
            let (events, over) = replay(self.rules, &setups, &self.actions, self.view.viewer());
            if events == self.events && !over {
                fitting.add(&places, ranks);
            }
        });
        fitting
    }
}

#[derive(Default)]
struct Tally {
    armies: u32,
    by_place: Vec<(usize, ByRank<u32>)>,
}

impl Tally {
    fn add(&mut self, places: &[usize], ranks: &[Rank]) {
        self.armies += 1;
        self.by_place.resize(places.len(), (0, ByRank::filled(0)));
        for ((entry, &place), rank) in self.by_place.iter_mut().zip(places).zip(ranks) {
            entry.0 = place;
            entry.1[*rank] += 1;
        }
    }
}

/// Every order of the army's pieces in which each is one of what is `possible` for it.
fn each_army(
    possible: &[RankSet],
    ranks: &mut Vec<Rank>,
    left: &mut ByRank<u8>,
    look: &mut impl FnMut(&[Rank]),
) {
    let Some(&possible_here) = possible.get(ranks.len()) else {
        look(ranks);
        return;
    };
    for rank in possible_here.iter() {
        if left[rank] > 0 {
            left[rank] -= 1;
            ranks.push(rank);
            each_army(possible, ranks, left, look);
            ranks.pop();
            left[rank] += 1;
        }
    }
}

fn systems() -> Vec<Ruleset> {
    let silent = Ruleset { silent: true, ..Ruleset::default() };
    let systems = [
        Ruleset::default(),
        Ruleset::of(Preset::Original1961),
        silent,
        Ruleset { aggressor: true, ..silent },
        Ruleset { advance: true, ..silent },
        Ruleset { silent: true, ..Ruleset::of(Preset::Original1961) },
        Ruleset { silent: true, aggressor: true, ..Ruleset::of(Preset::Gravon) },
    ];
    systems.map(barrage).to_vec()
}

/// With equal weights a piece's chance of a rank is the share of the armies that fit. This is all hard knowledge at
/// once: moves, strikes that show ranks and those that do not, both counts over the living and the dead.
#[test]
fn the_belief_is_the_share_of_the_armies_that_fit() {
    compare_with_all_armies(12);
}

#[test]
#[ignore = "a soak of minutes: .ci/run runs it"]
fn soak_the_belief_is_the_share_of_the_armies_that_fit() {
    compare_with_all_armies(60);
}

fn compare_with_all_armies(rounds: usize) {
    let mut rng = Rng::new(71);
    let (mut looked, mut hidden, mut dead) = (0, 0, 0);
    for rules in std::iter::repeat_n((), rounds).flat_map(|()| systems()) {
        for (viewer, plies) in
            [(Side::Red, 14), (Side::Blue, 25), (Side::Red, 40), (Side::Blue, 60), (Side::Red, 90)]
        {
            let Some(seen) = Seen::random(rules, viewer, plies, &mut rng) else { continue };
            let fitting = seen.count();
            assert!(fitting.armies > 0);
            let even = Belief::of_enemies_weighed(&seen.view, |_, _| ByRank::filled(1.0));
            let learned = Belief::of_enemies(&seen.view);
            for (place, counts) in &fitting.by_place {
                let id = PieceId::new(viewer.enemy(), *place);
                let piece = seen.view.position().piece(id);
                hidden += usize::from(piece.ranks.len() > 1);
                dead += usize::from(piece.ranks.len() > 1 && !piece.is_alive());
                // No army that fits has chance zero, whatever is thought of squares and first moves.
                let probabilities = learned.probabilities(id).unwrap();
                assert!(
                    Rank::ALL.into_iter().all(|rank| counts[rank] == 0 || probabilities[rank] > 0.0),
                    "{id:?}"
                );
                same_share(even.probabilities(id).unwrap(), counts, fitting.armies);
            }
            looked += 1;
        }
    }
    let enough = looked > 16 * rounds && hidden > 65 * rounds && dead > rounds / 3;
    assert!(enough, "{looked} {hidden} {dead}");
}

fn same_share(probabilities: &RankProbabilities, counts: &ByRank<u32>, armies: u32) {
    for (chance, &count) in probabilities.values().zip(counts.values()) {
        assert!(
            (chance - count as f32 / armies as f32).abs() < 1e-3,
            "{probabilities:?} {counts:?} of {armies}"
        );
    }
}

#[test]
fn the_opening_shows_where_eight_pieces_stand() {
    let rules = barrage(Ruleset::default());
    let mut rng = Rng::new(72);
    let setups = BySide::from_fn(|_| random_setup(&rules, &mut rng));
    let referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue]).unwrap();
    for (side, events) in Side::BOTH.into_iter().zip(referee.opening()) {
        let Event::Deployed(owner, shown) = events[side.enemy()] else { panic!("an army is deployed") };
        assert_eq!((owner, shown), (side, setups[side].hidden()));
        let cells = |cell| shown.0.iter().filter(|&&other| other == cell).count();
        assert_eq!((cells(Cell::Hidden), cells(Cell::Empty)), (8, 32));
    }
    let forty = random_setup(&Ruleset::default(), &mut rng);
    assert!(Referee::new(rules, &forty, &setups[Side::Blue]).is_err());
    assert!(Referee::new(Ruleset::default(), &setups[Side::Red], &forty).is_err());
}

/// A rank that the army lacks is neither believed nor printed, and the text reads back.
#[test]
fn only_the_armys_ranks_are_possible() {
    let rules = barrage(Ruleset::default());
    let mut rng = Rng::new(73);
    let seen = Seen::random(rules, Side::Red, 0, &mut rng).unwrap();
    let army: RankSet = "FS239MB".chars().filter_map(Rank::from_letter).collect();
    for (_, piece) in seen.view.enemies() {
        assert_eq!((piece.ranks, piece.learned), (army, army));
    }
    let text = Spn { position: seen.view.position().clone(), viewer: Viewer::Player(Side::Red) }.to_string();
    assert!(!text.contains('['), "{text}");
    let read = Spn::parse(&text, Ruleset::default()).unwrap();
    assert_eq!(read.to_string(), text);
    assert_eq!(read.position.rules(), &rules);
    // A sergeant, or a second Marshal, belongs to no army of barrage.
    for (wrong, right) in [("10/10/F9/10", "10/10/D9/10"), ("10/10/LL8/10", "10/10/L9/10")] {
        let text = |rows: &str| format!("?9/10/10/10/2__2__2/2__2__2/{rows} r r -,- 0 0 barrage=on");
        assert!(Spn::parse(&text(wrong), Ruleset::default()).is_err(), "{wrong}");
        assert!(Spn::parse(&text(right), Ruleset::default()).is_ok(), "{right}");
    }
}

/// The tables for forty pieces would call a piece in front a scout and one behind a bomb far more boldly.
#[test]
fn squares_lean_and_do_not_decide() {
    let rules = barrage(Ruleset::default());
    let mut view = View::new(Side::Red, rules);
    let ours: Setup = "FB............2....S..39....M..2........".parse().unwrap();
    let theirs: Setup = "?.......?.?........?....?...?.?........?".parse().unwrap();
    view.observe(&Event::Deployed(Side::Red, ours)).unwrap();
    view.observe(&Event::Deployed(Side::Blue, theirs)).unwrap();
    let belief = Belief::of_enemies(&view);
    let flag = |place| belief.probabilities(PieceId::new(Side::Blue, place)).unwrap()[Rank::Flag];
    assert!(flag(0) > flag(10) && flag(10) > flag(24) && flag(24) > flag(30));
    for (id, probabilities) in belief.pieces() {
        for rank in Rank::ALL {
            let count = Army::BARRAGE.count(rank);
            let plain = f32::from(count) / 8.0;
            let chance = probabilities[rank];
            assert!(count == 0 || (plain / 8.0..plain * 4.0).contains(&chance), "{id:?} {rank} {chance}");
        }
    }
}

/// Whole games from chosen setups: legal to the end, and decided.
#[test]
fn the_engine_plays_barrage_out() {
    let rules = barrage(Ruleset { quiet: 200, plies: 600, ..Ruleset::default() });
    let (mut decided, stop) = (0, AtomicBool::new(false));
    for game in 0..8 {
        let mut rng = Rng::stream(74, game);
        let setups = BySide::from_fn(|_| deployment::choose(&rules, None, &mut rng));
        let mut referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue]).unwrap();
        let settings = Settings { seed: game, ..Settings::default() };
        let mut players = BySide::from_fn(|side| Engine::new(side, rules, settings));
        let show = |events: Events, players: &mut BySide<Engine>| {
            players.iter_mut().for_each(|(side, player)| player.observe(&events[side]).unwrap());
        };
        referee.opening().into_iter().for_each(|events| show(events, &mut players));
        while referee.ending().is_none() {
            let limits = Budget { nodes: Some(300), ..Budget::default() }.into();
            let (control, player) = (Control::new(&Stopped, &stop), &players[referee.to_move()]);
            let action = player.search(&limits, control, &mut |_| ()).action;
            let action = action.expect("a side that is not stuck has an action");
            show(referee.play(action).unwrap_or_else(|refusal| panic!("{refusal}")), &mut players);
        }
        decided += usize::from(referee.ending().unwrap().winner.is_some());
    }
    assert!(decided >= 4, "{decided} of 8 decided");
}
