use super::*;
use crate::dice::Dice;
use crate::event::Event;
use crate::rules::{Outcome, Played, Ruleset, Setup, Verdict};

/// The gauge's sums and field computed anew from its rows.
fn anew(gauge: &Gauge, position: &Position) -> Parts {
    let mut fresh = Gauge { sums: Sums::default(), field: Field::new(), ..*gauge };
    for id in PieceId::of(gauge.us).chain(PieceId::of(gauge.us.enemy())) {
        fresh.count(position.piece(id), id, 1.0);
        fresh.place(position, id);
    }
    fresh.parts()
}

fn close(a: Parts, b: Parts) -> bool {
    let pairs = [
        (a.material, b.material),
        (a.exposure, b.exposure),
        (a.knowledge, b.knowledge),
        (a.attack, b.attack),
        (a.danger, b.danger),
    ];
    pairs.into_iter().all(|(a, b)| (a - b).abs() < 0.05)
}

#[test]
fn following_plies_and_going_back_agrees_with_counting_anew() {
    let mut view = View::new(Side::Red, Ruleset::default());
    let ours: Setup = "4532B2BF5BBB37S6362339M7224875466B852224".parse().unwrap();
    view.observe(&Event::Deployed(Side::Red, ours)).unwrap();
    view.observe(&Event::Deployed(Side::Blue, Setup::HIDDEN)).unwrap();
    let mut gauge = Gauge::new(&view, &Belief::of_enemies(&view));
    let mut position = view.position().clone();
    let mut dice = Dice::new(4);
    let mut path = Vec::new();
    let mut strikes = 0;
    for _ in 0..600 {
        let actions = position.actions();
        let Some(&action) = actions.get(dice.below(actions.len())) else { break };
        let touched: Vec<_> = [action.from, action.to]
            .into_iter()
            .filter_map(|square| position.piece_at(square))
            .map(|id| (id, *position.piece(id)))
            .collect();
        let outcome = Outcome::ALL[dice.below(3)];
        let verdict = (touched.len() == 2).then_some(Verdict { outcome, striker: None, defender: None });
        let parts = gauge.parts();
        if position.play(Played { action, verdict }).is_err() {
            continue;
        }
        strikes += usize::from(verdict.is_some());
        let before = gauge.follow(&position, &touched, verdict.is_some());
        assert!(close(gauge.parts(), anew(&gauge, &position)), "{action:?}");
        path.push((before, parts));
    }
    assert!(strikes > 10);
    while let Some((before, parts)) = path.pop() {
        position.undo();
        gauge.go_back(before);
        assert!(close(gauge.parts(), parts));
    }
}
