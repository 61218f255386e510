use super::*;
use crate::event::Event;
use crate::rng::Rng;
use crate::rules::{Army, PieceId, Rank, Ruleset, Setup, Side};
use crate::view::View;

pub(super) fn opening() -> View {
    let mut view = View::new(Side::Red, Ruleset::default());
    let ours: Setup = "4532B2BF5BBB37S6362339M7224875466B852224".parse().unwrap();
    view.observe(&Event::Deployed(Side::Red, ours)).unwrap();
    view.observe(&Event::Deployed(Side::Blue, Setup::HIDDEN)).unwrap();
    view
}

#[test]
fn chances_add_up_by_piece_and_by_rank() {
    let belief = Belief::of_enemies(&opening());
    for rank in Rank::ALL {
        let expected: f32 = belief.pieces().iter().map(|(_, probabilities)| probabilities[rank]).sum();
        assert!((expected - f32::from(Army::CLASSIC.count(rank))).abs() < 1e-2, "{rank}: {expected}");
    }
    for (_, probabilities) in belief.pieces() {
        assert_eq!(parts_per_million(probabilities).values().sum::<u32>(), 1_000_000);
    }
}

/// A setup loaded back to front would put the flags in front: both sides' flags are at home.
#[test]
fn flags_are_expected_at_home() {
    let view = opening();
    for (side, belief) in [(Side::Blue, Belief::of_enemies(&view)), (Side::Red, Belief::of_ours(&view))] {
        let at_home: f32 = (0..10)
            .filter_map(|n| belief.probabilities(PieceId::new(side, n)))
            .map(|probabilities| probabilities[Rank::Flag])
            .sum();
        assert!(at_home > 0.75 && at_home < 0.95, "{side}: {at_home}");
    }
}

#[test]
fn sampled_worlds_are_whole_armies() {
    let belief = Belief::of_enemies(&opening());
    let worlds = belief.sample(100, &mut Rng::new(1));
    assert_eq!(worlds.len(), 100);
    for world in worlds {
        for rank in Rank::ALL {
            let count = world.ranks().iter().filter(|(_, other)| *other == rank).count();
            assert_eq!(count, Army::CLASSIC.count(rank) as usize);
        }
    }
}
