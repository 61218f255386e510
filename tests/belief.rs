//! What a belief may never get wrong, over random games under every rule system: the truth stays possible, chances
//! and counts add up, and sampled worlds are armies that fit what is known.

use outflank::belief::{Belief, RankProbabilities, parts_per_million};
use outflank::math;
use outflank::rng::Rng;
use outflank::rules::{ByRank, BySide, PieceId, Position, Rank, RankSet, Ruleset};
use outflank::view::View;
use outflank_referee::{Events, Referee};
use outflank_tests::{Policy, random_setup, rule_systems};

/// Plies from one look at the beliefs to the next.
const EVERY: usize = 23;
const LONGEST: usize = 400;

/// A game in progress with the truth beside both players.
struct Game {
    truth: Position,
    referee: Referee,
    views: BySide<View>,
}

impl Game {
    fn new(rules: Ruleset, rng: &mut Rng) -> Game {
        let [red, blue] = [(); 2].map(|()| random_setup(&rules, rng));
        let referee = Referee::new(rules, &red, &blue).unwrap();
        let views = BySide::from_fn(|side| View::new(side, rules));
        let mut game = Game { truth: outflank_tests::deal(rules, &red, &blue), referee, views };
        for events in game.referee.opening() {
            game.show(&events);
        }
        game
    }

    fn show(&mut self, events: &Events) {
        for (side, view) in self.views.iter_mut() {
            view.observe(&events[side]).unwrap();
        }
    }

    fn step(&mut self, policy: Policy, rng: &mut Rng) {
        let action = policy.choose(&self.truth, &self.truth.actions(), rng);
        self.truth.play(action.into()).unwrap();
        let events = self.referee.play(action).unwrap();
        self.show(&events);
    }

    fn rank(&self, id: PieceId) -> Rank {
        self.truth.piece(id).ranks.single().unwrap()
    }
}

/// What was looked at, so that no law holds for want of cases.
#[derive(Debug, Default)]
struct Seen {
    beliefs: usize,
    hidden: usize,
    hidden_dead: usize,
    hidden_rescued: usize,
    worlds: usize,
}

/// One belief about all pieces of a side, with what its holder knows of each.
fn look(game: &Game, belief: &Belief, known: &[(PieceId, RankSet)], rng: &mut Rng, seen: &mut Seen) {
    seen.beliefs += 1;
    assert_eq!(
        belief.pieces().iter().map(|(id, _)| *id).collect::<Vec<_>>(),
        known.iter().map(|(id, _)| *id).collect::<Vec<_>>()
    );
    for ((id, probabilities), (_, ranks)) in belief.pieces().iter().zip(known) {
        holds_the_truth(game.rank(*id), probabilities, *ranks);
        let hidden = ranks.len() > 1;
        seen.hidden += usize::from(hidden);
        seen.hidden_rescued += usize::from(hidden && id.number() >= 40);
        seen.hidden_dead += usize::from(hidden && !game.truth.piece(*id).is_alive());
    }
    let army = game.truth.rules().army();
    for rank in Rank::ALL {
        let expected: f32 = belief.pieces().iter().map(|(_, probabilities)| probabilities[rank]).sum();
        assert!((expected - f32::from(army.count(rank))).abs() < 0.02, "{rank}: {expected}");
    }
    for world in belief.sample(4, rng) {
        seen.worlds += 1;
        assert_eq!(world.ranks().len(), army.size());
        for ((id, rank), (other, ranks)) in world.ranks().iter().zip(known) {
            assert!(id == other && ranks.contains(*rank), "{id:?} {rank} {ranks:?}");
        }
        for rank in Rank::ALL {
            let count = world.ranks().iter().filter(|(_, other)| *other == rank).count();
            assert_eq!(count, usize::from(army.count(rank)), "{rank}");
        }
    }
}

fn holds_the_truth(truth: Rank, probabilities: &RankProbabilities, ranks: RankSet) {
    let parts = parts_per_million(probabilities);
    assert!(ranks.contains(truth), "{truth} {ranks:?}");
    assert!(probabilities[truth] > 0.0 && parts[truth] > 0, "{truth} {probabilities:?}");
    assert_eq!(parts.values().sum::<u32>(), 1_000_000, "{probabilities:?}");
    assert!((probabilities.values().sum::<f32>() - 1.0).abs() < 1e-4, "{probabilities:?}");
    for rank in Rank::ALL.into_iter().filter(|rank| !ranks.contains(*rank)) {
        assert!(probabilities[rank] <= 0.0 && parts[rank] == 0, "{rank} {probabilities:?}");
    }
    if let Some(rank) = ranks.single() {
        assert_eq!(parts[rank], 1_000_000);
    }
}

/// What each player thinks of the other, and what it takes the other to think of it.
fn look_at_all(game: &Game, rng: &mut Rng, seen: &mut Seen) {
    for view in game.views.values() {
        assert!(Belief::is_possible(view));
        let enemies: Vec<_> = view.enemies().map(|(id, piece)| (id, piece.ranks)).collect();
        look(game, &Belief::of_enemies(view), &enemies, rng, seen);
        let ours: Vec<_> = view.ours_as_learned().map(|(id, piece)| (id, piece.ranks)).collect();
        look(game, &Belief::of_ours(view), &ours, rng, seen);
    }
}

#[test]
fn the_truth_stays_possible_and_the_counts_hold() {
    // What is believed must not decide which games are played.
    let (mut rng, mut looks) = (Rng::new(61), Rng::new(63));
    let mut seen = Seen::default();
    let mut ended = 0;
    for (round, rules) in rule_systems().into_iter().enumerate() {
        let mut game = Game::new(rules, &mut rng);
        let policy = Policy::by_turns(round, &rules);
        for ply in 0..LONGEST {
            if ply % EVERY == 0 {
                look_at_all(&game, &mut looks, &mut seen);
            }
            if game.truth.ending().is_some() {
                ended += 1;
                break;
            }
            game.step(policy, &mut rng);
        }
        // Also when it is over, and the last strike may have shown the flag.
        look_at_all(&game, &mut looks, &mut seen);
    }
    assert!(seen.beliefs > 800 && seen.hidden > 20_000 && seen.worlds == 4 * seen.beliefs, "{seen:?}");
    assert!(seen.hidden_dead > 50 && seen.hidden_rescued > 10 && ended > 8, "{seen:?} {ended}");
}

/// Games seldom bring chances below a millionth; here many are.
#[test]
fn parts_of_any_chances_add_up_and_no_possible_rank_is_none() {
    let mut rng = Rng::new(62);
    for _ in 0..2000 {
        let mut probabilities: RankProbabilities =
            ByRank::from_fn(|_| if rng.below(3) == 0 { 0.0 } else { math::powi(rng.unit(), 30) + 1e-12 });
        probabilities[Rank::ALL[rng.below(Rank::COUNT)]] = 1.0;
        let sum: f32 = probabilities.values().sum();
        let probabilities = probabilities.map(|chance| chance / sum);
        let parts = parts_per_million(&probabilities);
        assert_eq!(parts.values().sum::<u32>(), 1_000_000, "{probabilities:?}");
        assert!(
            probabilities.iter().all(|(rank, &chance)| (chance > 0.0) == (parts[rank] > 0)),
            "{probabilities:?}"
        );
    }
}
