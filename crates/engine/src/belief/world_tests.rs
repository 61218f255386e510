//! Worlds and chances against all worlds that fit, listed one by one.

use super::army_model::ArmyModel;
use super::tests::opening;
use super::{Belief, WeightedWorld, World, assignment};
use crate::deployment::shuffled;
use crate::event::Event;
use crate::rng::Rng;
use crate::rules::{
    Action, ByRank, BySide, PieceId, Played, Preset, Rank, RankSet, Ruleset, Side, Spn, Square,
};
use crate::view::View;
use outflank_referee::{Events, Referee};
use std::collections::HashMap;

/// Unknown pieces left by [`late`].
const UNKNOWN: usize = 8;

/// What Red knows after a random game that strikes where it can, and after all but a few ranks were revealed; pieces
/// that are dead stay unknown first.
fn late(rules: Ruleset, plies: usize, rng: &mut Rng) -> View {
    let [mut view, truth] = play(rules, plies, rng, |_, _| ()).into_array();
    let mut open: Vec<PieceId> =
        view.enemies().filter(|(_, piece)| piece.ranks.len() > 1).map(|(id, _)| id).collect();
    rng.shuffle(&mut open);
    open.sort_by_key(|id| view.position().piece(*id).is_alive() && !id.came_back());
    for id in open.into_iter().skip(UNKNOWN) {
        let rank = truth.position().piece(id).ranks.single().unwrap();
        assert!(view.tell(id, RankSet::only(rank)));
    }
    view
}

/// What the players know after a random game that strikes where it can; `see` sees what Red does and what Blue does
/// after every ply.
fn play(rules: Ruleset, plies: usize, rng: &mut Rng, mut see: impl FnMut(&View, &View)) -> BySide<View> {
    let [red, blue] = [(); 2].map(|()| shuffled(&rules, rng));
    let mut referee = Referee::new(rules, &red, &blue).unwrap();
    let mut views = BySide::from_fn(|side| View::new(side, rules));
    let show = |views: &mut BySide<View>, events: &Events| {
        for (view, event) in views.values_mut().zip(events.values()) {
            view.observe(event).unwrap();
        }
    };
    for events in referee.opening() {
        show(&mut views, &events);
    }
    for _ in 0..plies {
        if referee.ending().is_some() {
            break;
        }
        let action = eager(&views[referee.to_move()], rng);
        let events = referee.play(action).unwrap();
        show(&mut views, &events);
        see(&views[Side::Red], &views[Side::Blue]);
    }
    views
}

/// A rescue if there is one, else a strike, else anything.
fn eager(view: &View, rng: &mut Rng) -> Action {
    let position = view.position();
    let actions = position.actions();
    let strikes = |action: &&Action| position.piece_at(action.to).is_some();
    let rescues: Vec<Action> = actions.iter().filter(|action| action.rescue.is_some()).copied().collect();
    let strikes: Vec<Action> = actions.iter().filter(strikes).copied().collect();
    let from = [rescues, strikes].into_iter().find(|some| !some.is_empty()).unwrap_or(actions);
    from[rng.below(from.len())]
}

/// Every world of a belief with its share, by the model's definition alone.
fn listed(army: &ArmyModel) -> Vec<(Vec<Rank>, f64)> {
    let mut worlds = Vec::new();
    let mut left = army.counts;
    army.allowed.iter().filter_map(|allowed| allowed.single()).for_each(|rank| left[rank] -= 1);
    extend(army, &mut left, &mut Vec::new(), 0.0, &mut worlds);
    worlds.retain_mut(|(world, log)| {
        let ways = army.hypotheses.count(world);
        *log += f64::from(ways).ln();
        ways > 0
    });
    let best = worlds.iter().map(|(_, log)| *log).fold(f64::MIN, f64::max);
    let sum: f64 = worlds.iter().map(|(_, log)| (log - best).exp()).sum();
    worlds.into_iter().map(|(world, log)| (world, (log - best).exp() / sum)).collect()
}

fn extend(
    army: &ArmyModel,
    left: &mut ByRank<u8>,
    world: &mut Vec<Rank>,
    log: f64,
    out: &mut Vec<(Vec<Rank>, f64)>,
) {
    let Some(&allowed) = army.allowed.get(world.len()) else {
        out.push((world.clone(), log));
        return;
    };
    // What is certain has been taken from the counts.
    let taken = u8::from(allowed.single().is_none());
    for rank in allowed.iter() {
        if left[rank] >= taken {
            left[rank] -= taken;
            let weight = f64::from(army.weights[world.len()][rank]);
            world.push(rank);
            extend(army, left, world, log + weight.ln(), out);
            world.pop();
            left[rank] += taken;
        }
    }
}

/// Every world of a belief with its share, the flag and the bombs beside it drawn first.
fn listed_by_parts(belief: &Belief) -> Vec<(Vec<Rank>, f64)> {
    let mut all = Vec::new();
    belief.parts(&mut |army, share| {
        if share > 0.0 {
            all.extend(listed(army).into_iter().map(|(world, of_it)| (world, f64::from(share) * of_it)));
        }
    });
    all
}

/// Whether every neighbour of the flag that its own side may have set up on is a bomb.
fn is_closed(world: &World) -> bool {
    let at = |rank: Rank| {
        let squares = world.ranks().iter().filter(move |(_, other)| *other == rank);
        squares.filter_map(|(id, _)| Square::of_setup(id.side(), id.number()))
    };
    let bombs: Vec<Square> = at(Rank::Bomb).collect();
    let flag = at(Rank::Flag).next().unwrap();
    let home = |square: &Square| square.setup_place(Side::Blue).is_some();
    flag.neighbours().filter(home).all(|square| bombs.contains(&square))
}

/// People close the flag in in 44% of their setups (58,560 from gravon.de), players far above human level in 31%. By
/// weights alone it would be 2.5%.
#[test]
fn worlds_look_like_armies() {
    let belief = Belief::of_enemies(&opening());
    let closed = |worlds: Vec<World>| {
        worlds.iter().filter(|world| is_closed(world)).count() as f64 / worlds.len() as f64
    };
    let [drawn, by_weights] = [
        closed(belief.sample(1_000, &mut Rng::new(5))),
        closed(belief.sample_by_weights(1_000, &mut Rng::new(5))),
    ];
    assert!((0.26..0.46).contains(&drawn) && drawn > 4.0 * by_weights, "{drawn} {by_weights}");
}

/// Who knows where the flag is still believes in bombs beside it.
#[test]
fn a_known_flag_has_bombs_beside_it() {
    let mut view = opening();
    assert!(view.tell(PieceId::new(Side::Blue, 0), RankSet::only(Rank::Flag)));
    let belief = Belief::of_enemies(&view);
    let closed = |worlds: &[World]| worlds.iter().filter(|world| is_closed(world)).count();
    let drawn = closed(&belief.sample(1_000, &mut Rng::new(5)));
    let by_weights = closed(&belief.sample_by_weights(1_000, &mut Rng::new(5)));
    assert!(drawn > by_weights + 50, "{drawn} {by_weights}");
}

/// Pearson's sum over bins that the worlds are thrown into, and how many bins there are.
fn misfit(worlds: &[(Vec<Rank>, f64)], seen: &[Vec<Rank>]) -> (f64, usize) {
    let bins = 16.min(worlds.len());
    let (mut expected, mut found) = (vec![0.0; bins], vec![0.0; bins]);
    // By share: the likeliest worlds get bins of their own, the rest share the last.
    let mut order: Vec<usize> = (0..worlds.len()).collect();
    order.sort_by(|&a, &b| worlds[b].1.total_cmp(&worlds[a].1));
    let mut bin = HashMap::new();
    for (at, &index) in order.iter().enumerate() {
        let at = at.min(bins - 1);
        expected[at] += worlds[index].1 * seen.len() as f64;
        bin.insert(&worlds[index].0, at);
    }
    for world in seen {
        found[bin[world]] += 1.0;
    }
    let parts = expected.iter().zip(&found).filter(|(expected, _)| **expected > 0.0);
    (parts.map(|(expected, found): (&f64, &f64)| (found - expected).powi(2) / expected.max(1.0)).sum(), bins)
}

/// What the belief lists itself is the same, and nothing if it may not list so many.
fn agree(belief: &Belief, worlds: &[(Vec<Rank>, f64)]) {
    let own = belief.worlds(worlds.len()).unwrap();
    assert_eq!(own.len(), worlds.len());
    // Pieces that a study position leaves out are alike.
    let mut shares: HashMap<&[Rank], f64> = HashMap::new();
    for (world, share) in worlds {
        *shares.entry(&world[..belief.pieces().len()]).or_default() += share;
    }
    for WeightedWorld { world, share } in own {
        let ranks: Vec<Rank> = world.ranks().iter().map(|(_, rank)| *rank).collect();
        *shares.get_mut(&ranks[..]).unwrap() -= f64::from(share);
    }
    assert!(shares.values().all(|left| left.abs() < 1e-3));
    assert!(belief.worlds(worlds.len() - 1).is_none());
}

fn rule_systems() -> Vec<Ruleset> {
    let [isf, old, wiki, gravon] =
        [Preset::Isf, Preset::Original1961, Preset::Wiki, Preset::Gravon].map(Ruleset::of);
    vec![
        isf,
        old,
        Ruleset { silent: true, ..gravon },
        Ruleset { silent: true, advance: true, ..isf },
        Ruleset { rescue: true, ..isf },
        Ruleset { silent: true, rescue: true, aggressor: true, ..wiki },
        Ruleset { barrage: true, ..isf },
        Ruleset { barrage: true, silent: true, ..isf },
    ]
}

#[test]
fn worlds_come_as_often_as_the_weights_say() {
    let mut rng = Rng::new(71);
    let (mut dead, mut open) = (0, 0);
    for rules in rule_systems() {
        for plies in [60, 250] {
            let view = late(rules, plies, &mut rng);
            let unknown = view.enemies().filter(|(_, piece)| piece.ranks.len() > 1);
            dead += unknown.filter(|(_, piece)| !piece.is_alive()).count();
            open += view.enemies().filter(|(_, piece)| piece.ranks.len() > 1).count();
            let belief = Belief::of_enemies(&view);
            let worlds = listed(&belief.army);
            let mut probabilities = vec![ByRank::filled(0.0); belief.pieces().len()];
            for (world, share) in &worlds {
                for (probabilities, &rank) in probabilities.iter_mut().zip(world) {
                    probabilities[rank] += share;
                }
            }
            for ((id, believed), listed) in belief.pieces().iter().zip(&probabilities) {
                for (believed, listed) in believed.values().zip(listed.values()) {
                    assert!((f64::from(*believed) - listed).abs() < 1e-3, "{rules:?} {id:?}: {listed}");
                }
            }
            let worlds = listed_by_parts(&belief);
            agree(&belief, &worlds);
            let seen: Vec<Vec<Rank>> = belief
                .sample(20_000, &mut Rng::new(72))
                .iter()
                .map(|world| world.ranks().iter().map(|(_, rank)| *rank).collect())
                .collect();
            let (sum, bins) = misfit(&worlds, &seen);
            // Five standard deviations above what chance gives.
            let most = bins as f64 + 5.0 * (2.0 * bins as f64).sqrt() + 3.0;
            assert!(sum < most, "{rules:?}: {sum} of {bins}, {} worlds", worlds.len());
        }
    }
    assert!(dead > 8 && open > 80, "{dead} {open}");
}

/// Of a lieutenant and a colonel that fell in the dark one came back: the other lies there.
#[test]
fn who_came_back_does_not_lie_there_any_more() {
    let spn = "9?/10/10/10/2__2__2/2__2__2/J8G/10/?+9/1M8 b r -,85 10 30";
    let rules = Ruleset { silent: true, rescue: true, ..Ruleset::of(Preset::Isf) };
    let mut view = View::from_spn(&Spn::parse(spn, rules).unwrap(), Side::Red);
    let played: Played = "a2a1+?@j7".parse().unwrap();
    view.observe(&Event::Played(played)).unwrap();
    let belief = Belief::of_enemies(&view);
    let back = view.position().piece_at("j7".parse().unwrap()).unwrap();
    let (grave, _) = view.enemies().find(|(_, piece)| !piece.is_alive()).unwrap();
    let worlds = belief.sample(2_000, &mut Rng::new(3));
    let ranks = |world: &World| {
        [back, grave].map(|id| world.ranks().iter().find(|(other, _)| *other == id).unwrap().1)
    };
    let [colonel, lieutenant] = [Rank::Colonel, Rank::Lieutenant];
    assert!(
        worlds
            .iter()
            .map(ranks)
            .all(|ranks| { ranks == [colonel, lieutenant] || ranks == [lieutenant, colonel] })
    );
    let drawn = worlds.iter().filter(|world| ranks(world)[0] == colonel).count() as f32 / 2_000.0;
    for (id, rank) in [(back, colonel), (grave, lieutenant)] {
        let believed = belief.probabilities(id).unwrap()[rank];
        assert!((believed - drawn).abs() < 0.03, "{believed} {drawn}");
    }
}

/// Every ply of games in which nobody tells who came back: what is true is one of the ways.
#[test]
fn what_is_true_of_a_rescue_is_one_of_the_ways() {
    let (mut rng, mut open) = (Rng::new(73), 0);
    let rules = Ruleset { silent: true, rescue: true, ..Ruleset::of(Preset::Wiki) };
    for _ in 0..12 {
        play(rules, 400, &mut rng, |view, truth| {
            let army = Belief::of_enemies_weighing(view, &[]).army;
            if army.hypotheses.is_one() {
                return;
            }
            open += 1;
            // Their owner knows what is known of them.
            let theirs = Belief::of_ours(truth).army;
            assert_eq!((&theirs.allowed, &theirs.hypotheses), (&army.allowed, &army.hypotheses));
            let shown = army.by_way(&army.weights).any(|(_, mut army)| {
                for ((id, piece), allowed) in view.enemies().zip(&mut army.allowed) {
                    if piece.is_alive() {
                        *allowed = allowed.and(truth.position().piece(id).ranks);
                    }
                }
                assignment::feasible(&army.problem()).is_some()
            });
            assert!(shown, "{:?}", view.position());
        });
    }
    assert!(open > 200, "{open}");
}
