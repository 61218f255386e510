use super::evaluator::Evaluator;
use super::hand_made::{HandMade, Sums, Terms, Totals};
use super::learned::Learned;
use super::state::InformationState;
use super::threat_map::ThreatMap;
use super::walk::Walk;
use crate::belief::Belief;
use crate::event::Event;
use crate::rng::Rng;
use crate::rules::{Outcome, Played, Position, Preset, Rank, Ruleset, Setup, Side, Spn, Verdict};
use crate::sparse::{Pursuits, Shape, network};
use crate::test_support::after_random_plies;
use crate::view::View;

/// The terms with the totals and the threat map computed anew from the evaluations of the pieces.
fn anew(walk: &Walk<HandMade>) -> Terms {
    let mut fresh = walk.state().clone();
    (fresh.totals, fresh.map) = (Totals::default(), ThreatMap::new());
    fresh.count_all(walk.situation());
    terms(walk, &fresh)
}

fn terms(walk: &Walk<HandMade>, sums: &Sums) -> Terms {
    Terms::of(walk.situation(), sums)
}

fn close(a: Terms, b: Terms) -> bool {
    a.named().zip(b.named()).all(|((_, a), (_, b))| (a - b).abs() < 0.05)
}

/// Plays random plies from a view, as far as they go, and takes them back; returns the strikes and rescues among
/// them.
fn make_and_unmake(view: &View, seed: u64) -> [usize; 2] {
    let mut walk = Walk::new(HandMade, view, &Belief::of_enemies(view));
    let mut rng = Rng::new(seed);
    let mut path = Vec::new();
    let mut met = [0; 2];
    for _ in 0..600 {
        let actions = walk.position.actions();
        let Some(&action) = actions.get(rng.below(actions.len())) else { break };
        let outcome = Outcome::ALL[rng.below(3)];
        let strike = walk.position.is_strike(action);
        let verdict = strike.then_some(Verdict { outcome, striker: None, defender: None });
        let before = terms(&walk, walk.state());
        let Some(made) = walk.play(Played { action, verdict }) else { continue };
        met[0] += usize::from(strike);
        met[1] += usize::from(!walk.position.last_rescue().is_empty());
        assert!(close(terms(&walk, walk.state()), anew(&walk)), "{action:?}");
        path.push((made, before));
    }
    while let Some((made, before)) = path.pop() {
        walk.undo(made);
        assert!(close(terms(&walk, walk.state()), before));
    }
    met
}

#[test]
fn plies_made_and_unmade_agree_with_counting_anew() {
    let mut view = View::new(Side::Red, Ruleset::default());
    let ours: Setup = "4532B2BF5BBB37S6362339M7224875466B852224".parse().unwrap();
    view.observe(&Event::Deployed(Side::Red, ours)).unwrap();
    view.observe(&Event::Deployed(Side::Blue, Setup::HIDDEN)).unwrap();
    let [strikes, _] = make_and_unmake(&view, 4);
    assert!(strikes > 10);
}

#[test]
fn rescues_made_and_unmade_agree_with_counting_anew() {
    let mut rescues = 0;
    for silent in ["on", "off"] {
        let text = format!(
            "3??4?/1F+2G+3d+?/9?/10/2__2__2/2__2__2/1BDDEE2?+1/1HHHHIII?+1/DDDDD2?+2/EEM6?+ r r 53B9[789MB],6?[2345]? \
             4 120 preset=gameboard rescue=on silent={silent}"
        );
        let view = View::from_spn(&Spn::parse(&text, Ruleset::default()).unwrap(), Side::Red);
        rescues += (0..20).map(|seed| make_and_unmake(&view, seed)[1]).sum::<usize>();
    }
    assert!(rescues > 60, "{rescues}");
}

#[test]
fn named_terms_add_up_to_what_search_gets() {
    let mut rng = Rng::new(3);
    let mut differ = 0;
    for rescue in [false, true] {
        for plies in [0, 10, 45, 90, 150, 220, 300, 420] {
            let view = after_random_plies(Ruleset { rescue, ..Ruleset::default() }, plies, &mut rng);
            let mut walk = Walk::new(HandMade, &view, &Belief::of_enemies(&view));
            let (value, terms) = (walk.evaluate(), terms(&walk, walk.state()));
            let sum: f32 = terms.named().map(|(_, points)| points).sum();
            assert!((value - sum).abs() < 0.01, "{value}: {terms:?}");
            // Each is rounded by itself.
            let most = 0.5 * terms.named().count() as f32;
            assert!((value - terms.in_points() as f32).abs() <= most, "{value}: {terms:?}");
            assert_eq!(terms.named().any(|(name, _)| name == "rescue"), rescue);
            differ += terms.named().filter(|(_, points)| points.abs() > 1.0).count();
        }
    }
    assert!(differ > 60, "{differ} terms of some weight");
}

/// A network that follows the plies says what it says of a position that it sees for the first time.
#[test]
fn a_network_that_follows_agrees_with_one_that_begins_there() {
    let mut rng = Rng::new(8);
    let network = network(Shape { hidden: 64, ..Shape::FIRST }, &mut rng);
    for preset in Preset::ALL {
        let view = after_random_plies(Ruleset::of(preset), 60, &mut rng);
        let mut walk = Walk::new(Learned(&network), &view, &Belief::of_enemies(&view));
        let mut path = Vec::new();
        let evaluate = |walk: &mut Walk<Learned<'_>>| {
            let fresh =
                Learned(&network).evaluate(&mut Learned(&network).begin(walk.situation()), walk.situation());
            assert_eq!(walk.evaluate().to_bits(), fresh.to_bits(), "{preset:?}");
            fresh
        };
        for _ in 0..40 {
            let actions = walk.position.actions();
            let Some(&action) = actions.get(rng.below(actions.len())) else { break };
            let outcome = Outcome::ALL[rng.below(3)];
            let verdict =
                walk.position.is_strike(action).then_some(Verdict { outcome, striker: None, defender: None });
            let before = evaluate(&mut walk);
            path.extend(walk.play(Played { action, verdict }).map(|made| (made, before)));
        }
        while let Some((made, before)) = path.pop() {
            walk.undo(made);
            assert_eq!(evaluate(&mut walk).to_bits(), before.to_bits());
        }
        assert!(
            Learned(&network).policy(&view, &Pursuits::default()).is_some_and(|said| said.actions.len() > 1)
        );
    }
}

/// The races for our flag and for theirs, for Red in a position text's board.
fn races(board: &str) -> (f32, f32) {
    let spn = Spn::parse(&format!("{board} r r -,- 0 0 preset=isf"), Ruleset::default()).unwrap();
    let view = View::from_spn(&spn, Side::Red);
    let terms = Terms::of_view(&view, &Belief::of_enemies(&view));
    (-terms.flag_defence, terms.flag_attack)
}

#[test]
fn a_miner_near_our_flag_is_a_danger_that_defenders_lessen() {
    let board = |miner: &str, row: &str| format!("9?/10/10/10/2__2__2/2__2__2/{miner}/10/B{row}/MB8");
    let defence = |miner, row| races(&board(miner, row)).0;
    let alone = defence("q+9", "9");
    assert!(alone > defence("3q+6", "9"), "{alone}");
    assert!(alone > 2.0 * defence("q+9", "H8"));
    assert!(alone > defence("q+9", "8H"));
    // A captain cannot get past bombs; past an open door it can.
    assert!(defence("t+9", "9") < 1.0);
    assert!(races("9?/10/10/10/2__2__2/2__2__2/t+9/10/10/MB8").0 > alone / 2.0);
}

/// Our flag stands on e1 between bombs, a guard on e2; a known piece comes from e4.
#[test]
fn a_known_attacker_is_stopped_by_what_beats_it_alone() {
    let exactly = crate::params::Variant::read(super::PARAMETERS, "eval.stopped_exactly=1").unwrap();
    let cost = |attacker: char, guard: char| {
        races(&format!("9?/10/10/10/2__2__2/2__2__2/4{attacker}+5/10/4{guard}5/3BMB4")).0
    };
    let ours = ['F', 'G', 'H', 'I', 'J', 'K', 'L'];
    for (at, attacker) in ['r', 's', 't', 'u', 'v', 'w', 'x'].into_iter().enumerate() {
        let costs: Vec<f32> = ours.map(|guard| exactly.while_doing(|| cost(attacker, guard))).to_vec();
        for (guard, &found) in costs.iter().enumerate() {
            // A weaker guard stops nobody, a stronger one stops it.
            if guard != at {
                let wanted = if guard < at { costs[0] } else { costs[6] };
                assert!((found - wanted).abs() < 1.0, "{attacker} {costs:?}");
            }
        }
        if (1..6).contains(&at) {
            assert!(costs[0] > 5.0 * costs[6], "{attacker} {costs:?}");
            assert!(costs[6] < costs[at] && costs[at] < costs[0], "{attacker} {costs:?}");
        }
    }
}

/// Their known general stands among our captains; our Marshal is on the other side of the board, or near.
#[test]
fn a_known_raider_is_feared_until_who_beats_it_is_near() {
    let ruling = crate::params::Variant::read(super::PARAMETERS, "eval.domination=1").unwrap();
    let threat = |raider: char, file: usize| {
        let empty = |squares: usize| if squares == 0 { String::new() } else { squares.to_string() };
        let row = format!("{}L{}", empty(file), empty(9 - file));
        let board = format!("9?/10/10/10/2__2__2/2__2__2/10/{raider}+9/{row}/HHH6M");
        let spn = Spn::parse(&format!("{board} r r -,- 0 0 preset=isf"), Ruleset::default()).unwrap();
        let view = View::from_spn(&spn, Side::Red);
        -Terms::of_view(&view, &Belief::of_enemies(&view)).threat
    };
    let more = |raider, file| ruling.while_doing(|| threat(raider, file)) - threat(raider, file);
    // Who comes too late by more steps costs more; who is there in time, and who need not come, nothing.
    assert!(more('w', 9) > more('w', 6) + 1.0 && more('w', 6) > more('w', 4) + 1.0);
    assert!(more('w', 1) < 1.0, "{}", more('w', 1));
    assert!(more('x', 1) > more('w', 6), "nothing of ours beats it");
    assert!(more('?', 9) < 1.0, "an unknown piece rules nothing");
}

/// With bombs two deep around the flag nobody can stand beside it, but who is near still counts.
#[test]
fn defenders_behind_two_rows_of_bombs_count_by_their_distance() {
    let defence = |row: &str| races(&format!("9?/10/10/10/2__2__2/2__2__2/{row}/B9/BB8/MBB7")).0;
    let [alone, far, near] = ["q+9", "q+2H6", "q+1H7"].map(defence);
    assert!(alone > 1.1 * far && far > 1.1 * near, "{alone} {far} {near}");
}

/// A flag beside a lieutenant was lost to a captain that came from the other end of the board.
#[test]
fn a_defender_stops_only_whom_it_can_beat() {
    let defence = |attacker: &str, guard: &str| {
        races(&format!("9?/10/10/10/2__2__2/2__2__2/{attacker}/10/{guard}9/MB8")).0
    };
    for (attacker, too_weak, enough) in
        [("t+9", "G", "I"), ("u+9", "G", "J"), ("v+9", "I", "K"), ("w+9", "J", "L")]
    {
        let (lost, held) = (defence(attacker, too_weak), defence(attacker, enough));
        assert!(lost > 2.0 * held, "{attacker}: {lost} with {too_weak}, {held} with {enough}");
    }
    // Who falls together with it stops it half.
    for (attacker, too_weak, equal) in [("t+9", "G", "H"), ("v+9", "I", "J"), ("x+9", "H", "L")] {
        let (lost, tied) = (defence(attacker, too_weak), defence(attacker, equal));
        assert!(lost > 1.5 * tied, "{attacker}: {lost} with {too_weak}, {tied} with {equal}");
    }
    assert!(defence("?+9", "H") > defence("s+9", "H"), "it may be a major");
    assert!(defence("?+9", "G") > 1.2 * defence("?+9", "K"));
    // At a bomb only a miner counts.
    assert!(races("9?/10/10/10/2__2__2/2__2__2/x+9/10/B9/MB8").0 < 1.0);
}

#[test]
fn one_defender_cannot_meet_two_attackers() {
    let defence =
        |row: &str, next: &str| races(&format!("9?/10/10/10/2__2__2/2__2__2/{row}/10/B{next}/MBH7")).0;
    let (one, other) = (defence("q+9", "9"), defence("10", "3q+5"));
    let both = defence("q+9", "3q+5");
    assert!(both > 1.2 * (one + other), "{both} {one} {other}");
    // With two it can be done.
    assert!(defence("q+9", "H2q+5") < 0.8 * both);
}

/// How likely a miner of the enemy's strikes Red's piece on a square where it can, for Red in a position text's board.
fn miner_strikes(board: &str, square: &str) -> f32 {
    let spn = Spn::parse(&format!("{board} r r -,- 0 0 preset=isf"), Ruleset::default()).unwrap();
    let view = View::from_spn(&spn, Side::Red);
    let state = InformationState::new(&view, &Belief::of_enemies(&view));
    let piece = view.position().piece_at(square.parse().unwrap()).unwrap();
    state.attack_probability(view.position(), Rank::Miner, piece)
}

#[test]
fn a_miner_strikes_where_that_may_lead_to_the_flag() {
    let board = "9?/10/10/10/2__2__2/2__2__2/10/10/9G/MB5H1I";
    let [beside, away] = ["b1", "h1"].map(|square| miner_strikes(board, square));
    assert!(beside > 1.5 * away, "{beside} {away}");
}

#[test]
fn a_race_for_their_flag_is_worth_more_the_nearer_we_are_and_nothing_once_they_are_there() {
    let attack =
        |row: &str, guard: &str| races(&format!("{guard}?/10/{row}/10/2__2__2/2__2__2/10/10/10/MB8")).1;
    let near = attack("7E2", "9");
    assert!(near > attack("E9", "9") && attack("E9", "9") > 0.0, "{near}");
    // A captain beside the flag is there in time.
    assert!(near > 2.0 * attack("7E2", "8t+"));
}

#[test]
fn two_at_their_flag_cannot_be_met_by_one() {
    let attack = |left: &str, right: &str, guards: &str| {
        races(&format!("{left}?/8{guards}/10/{right}/2__2__2/2__2__2/10/10/10/MB8")).1
    };
    let (left, right) = (attack("6E2", "10", "v+1"), attack("9", "9E", "v+1"));
    let both = attack("6E2", "9E", "v+1");
    assert!(both > 2.0 * left.max(right), "{both} {left} {right}");
    // With two it can be done.
    assert!(attack("6E2", "9E", "v+u+") < 0.6 * both);
}

#[test]
fn who_can_only_lose_to_a_runner_does_not_stop_it() {
    let attack = |runner: &str, guard: &str| {
        races(&format!("{guard}?/10/7{runner}2/10/2__2__2/2__2__2/10/10/10/MB8")).1
    };
    for (runner, too_weak, enough) in [("H", "8s+", "8t+"), ("I", "8s+", "8u+"), ("K", "8u+", "8v+")] {
        let (open, stopped) = (attack(runner, too_weak), attack(runner, enough));
        assert!(open > 2.0 * stopped, "{runner}: {open} with {too_weak}, {stopped} with {enough}");
    }
    // A scout may stop a miner.
    assert!(attack("E", "9") > 2.0 * attack("E", "8p+"));
}

/// Red's information and position where Blue has a flag, a bomb and a lieutenant left, all unknown, and Red a miner
/// and a Marshal beside one of them.
fn few_worlds() -> (InformationState, Position) {
    let dead = "S222222223333344445556666777889MBBBBB";
    let text = format!("??7?/LE8/10/10/2__2__2/2__2__2/10/10/10/MB8 r r -,{dead} 300 900 preset=isf");
    let view = View::from_spn(&Spn::parse(&text, Ruleset::default()).unwrap(), Side::Red);
    (InformationState::new(&view, &Belief::of_enemies(&view)), view.position().clone())
}

fn strike(position: &mut Position, action: &str, outcome: Outcome) {
    let verdict = Some(Verdict { outcome, striker: None, defender: None });
    let Played { action, .. } = action.parse().unwrap();
    position.play(Played { action, verdict }).unwrap();
}

#[test]
fn what_becomes_of_one_piece_is_known_of_the_others_where_few_worlds_are_left() {
    let (state, mut position) = few_worlds();
    let next = position.piece_at("b10".parse().unwrap()).unwrap();
    let before = state.conditioned(&position, next);
    assert!(before[Rank::Bomb] > 0.1);
    strike(&mut position, "a9xa10", Outcome::Loss);
    let after = state.conditioned(&position, next);
    assert!(after[Rank::Bomb] == 0.0 && after[Rank::Flag] > before[Rank::Flag]);
    let odds = state.odds(&position, Rank::Miner, next);
    assert!((odds.flag + odds.loss - 1.0).abs() < 1e-3 && odds.win == 0.0, "{odds:?}");
}

#[test]
fn what_fell_was_no_flag_in_any_of_few_worlds() {
    let (state, mut position) = few_worlds();
    // The miner wins: it was the bomb.
    strike(&mut position, "b9xb10", Outcome::Win);
    let rest = ["a10", "j10"].map(|square| {
        let id = position.piece_at(square.parse().unwrap()).unwrap();
        state.conditioned(&position, id)
    });
    assert!((rest[0][Rank::Flag] + rest[1][Rank::Flag] - 1.0).abs() < 1e-3, "{rest:?}");
}

/// What the enemy has in reach, for Red in a position text's board.
fn threat(board: &str) -> f32 {
    let spn = Spn::parse(&format!("{board} r r -,- 0 0 preset=isf"), Ruleset::default()).unwrap();
    let view = View::from_spn(&spn, Side::Red);
    -Terms::of_view(&view, &Belief::of_enemies(&view)).threat
}

#[test]
fn standing_still_protects_from_known_strong_pieces() {
    let beside_a_colonel = |piece: &str| threat(&format!("9?/10/10/10/2__2__2/2__2__2/v+9/{piece}9/10/MB8"));
    // What else it may take one after another is left aside.
    let alone = crate::params::Variant::read(super::PARAMETERS, "eval.domination=0").unwrap();
    let [moved, unmoved] = alone.while_doing(|| ["I+", "I"].map(beside_a_colonel));
    // With few bombs about, profit alone makes no difference.
    assert!(moved > 1.8 * unmoved && unmoved > 0.0, "{moved} {unmoved}");
}

#[test]
fn a_strong_enemy_that_is_about_to_be_stopped_is_less_of_a_threat() {
    let among_us = |row: &str| threat(&format!("9?/10/10/10/2__2__2/2__2__2/3v+6/2F1F+5/{row}/MB8"));
    let [near, far, never] = ["3L6", "9L", "9G"].map(among_us);
    assert!(near < 0.95 * far && far < never, "{near} {far} {never}");
}

#[test]
fn a_hidden_piece_beside_a_known_strong_one_is_feared() {
    let attack = |piece: &str, row: &str| {
        let text = format!("9?/10/10/10/2__2__2/2__2__2/{row}/10/{piece}9/MB3LK3 r r -,- 0 0 preset=isf");
        let view = View::from_spn(&Spn::parse(&text, Ruleset::default()).unwrap(), Side::Red);
        Terms::of_view(&view, &Belief::of_enemies(&view)).attack
    };
    // What being hidden is worth to a scout two steps from a colonel, and far from it.
    let [near, far] = ["v+9", "9v+"].map(|row| attack("D+", row) - attack("d+", row));
    assert!(near > 1.0 && near > 1.5 * far, "{near} {far}");
    // A known miner is not worth a bluff.
    assert!((attack("D+", "p+9") - attack("d+", "p+9")).abs() < 1.0);
}
