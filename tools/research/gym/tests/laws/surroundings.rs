//! The planes of what stands beside what, and of trails, against a plain twin that plays the game forward, piece by piece.

use crate::support::{Shown, fresh, play, systems};
use outflank::rng::Rng;
use outflank::rules::{ByRank, Outcome, Rank, Ruleset, SQUARES, Side, Square, battle};
use outflank_gym::encoding::{Plane, seen_from};
use outflank_gym::game::Game;
use std::collections::HashMap;

/// What one piece did last: the plies after which it came beside an enemy, and away from all.
#[derive(Copy, Clone, Debug, Default)]
struct Piece {
    approach: Option<usize>,
    evasion: Option<usize>,
}

/// The pieces of a game by square, and when squares were last come to or left by either side.
#[derive(Clone, Debug, Default)]
struct Twin {
    pieces: HashMap<Square, (Side, Piece)>,
    trails: HashMap<(Side, Square), usize>,
}

impl Twin {
    fn new() -> Twin {
        let home = Square::all().filter_map(|square| {
            let side = Side::BOTH.into_iter().find(|side| square.setup_place(*side).is_some())?;
            Some((square, (side, Piece::default())))
        });
        Twin { pieces: home.collect(), trails: HashMap::new() }
    }

    fn enemies_beside(&self, square: Square, side: Side) -> Vec<Square> {
        let enemy = |beside: &Square| self.pieces.get(beside).is_some_and(|(other, _)| *other != side);
        square.neighbours().filter(enemy).collect()
    }

    /// Plays all plies of a game.
    fn of(game: &Game, rules: &Ruleset) -> Twin {
        let mut twin = Twin::new();
        for (ply, played) in game.moves().iter().enumerate() {
            let (action, side) = (played.action, if ply % 2 == 0 { Side::Red } else { Side::Blue });
            for square in [action.from, action.to] {
                twin.trails.insert((side, square), ply);
            }
            let before = twin.enemies_beside(action.from, side);
            let (_, mut piece) = twin.pieces.remove(&action.from).unwrap();
            let outcome = played.verdict.map(|verdict| verdict.outcome);
            if matches!(outcome, Some(Outcome::Tie)) {
                twin.pieces.remove(&action.to);
            }
            if matches!(outcome, None | Some(Outcome::Win)) {
                let after = twin.enemies_beside(action.to, side);
                if after.iter().any(|square| !before.contains(square)) {
                    piece.approach = Some(ply);
                }
                if after.is_empty() && !before.is_empty() {
                    piece.evasion = Some(ply);
                }
                twin.pieces.insert(action.to, (side, piece));
            }
            let stays = played.verdict.is_some_and(|verdict| verdict.defender == Some(Rank::Bomb));
            if rules.advance && outcome == Some(Outcome::Loss) && !stays {
                let winner = twin.pieces.remove(&action.to).unwrap();
                twin.pieces.insert(action.from, winner);
            }
            if let Some(rescue) = action.rescue {
                twin.pieces.insert(rescue.square, (side, Piece::default()));
            }
        }
        twin
    }
}

/// 255 for the last ply, 7% less with each before it, rounded down each time; nothing after 32.
fn faded(plies: usize, ply: Option<usize>) -> u8 {
    let age = ply.map(|ply| plies - 1 - ply).filter(|&age| age < 32);
    age.map_or(0, |age| (0..age).fold(255_u32, |value, _| value * 93 / 100) as u8)
}

#[test]
fn approaches_evasions_and_trails_are_those_of_a_forward_twin() {
    let mut rng = Rng::new(84);
    let mut seen = [0; 3];
    for rules in systems().into_iter().filter(|rules| !rules.barrage) {
        let mut game = fresh(rules, &mut rng);
        play(&mut game, 250, &mut rng, |game| {
            let (shown, twin, mover) = (Shown::of(game), Twin::of(game, &rules), game.to_move());
            let plies = game.moves().len();
            let mut expected: HashMap<(usize, usize), u8> = HashMap::new();
            let mut note = |kind: usize, planes: [Plane; 2], side: Side, square, ply| {
                let plane = planes[usize::from(side != mover)];
                let byte = faded(plies, ply);
                seen[kind] += usize::from(byte > 0);
                expected.insert((plane.first(), seen_from(mover, square)), byte);
            };
            for (&square, &(side, piece)) in &twin.pieces {
                note(0, [Plane::OurApproaches, Plane::EnemyApproaches], side, square, piece.approach);
                note(1, [Plane::OurEvasions, Plane::EnemyEvasions], side, square, piece.evasion);
            }
            for (&(side, square), &ply) in &twin.trails {
                note(2, [Plane::OurTrails, Plane::EnemyTrails], side, square, Some(ply));
            }
            for plane in Plane::ALL.into_iter().filter(|plane| plane.first() >= Plane::OurApproaches.first())
            {
                for (square, &byte) in shown.plane(plane, 0).iter().enumerate() {
                    let wanted = expected.get(&(plane.first(), square)).copied().unwrap_or(0);
                    assert_eq!(byte, wanted, "{plane:?} on {square} after {plies} plies of {rules:?}");
                }
            }
        });
    }
    assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
}

/// The chances of a square, by the bytes of the planes that version 1 has.
fn chances(shown: &Shown, plane: Plane, square: usize) -> Option<ByRank<f32>> {
    let chances = ByRank::from_fn(|rank| f32::from(shown.rank_plane(plane, rank)[square]) / 255.0);
    chances.values().any(|&chance| chance > 0.0).then_some(chances)
}

/// Half a point for a tie.
fn expected_points(strikers: &ByRank<f32>, defenders: &ByRank<f32>, rules: &Ruleset) -> f32 {
    let mut sum = 0.0;
    for (striker, &chance) in strikers.iter().filter(|(rank, _)| rank.is_mobile()) {
        for (defender, &other) in defenders.iter() {
            sum += chance
                * other
                * match battle(striker, defender, rules.strike_rules()) {
                    Outcome::Win => 1.0,
                    Outcome::Tie => 0.5,
                    Outcome::Loss => 0.0,
                };
        }
    }
    sum
}

#[test]
fn threats_and_strengths_follow_from_what_stands_beside() {
    let mut rng = Rng::new(85);
    let strength = |rank: Rank| if rank.is_mobile() { rank.index() as f32 / 10.0 } else { 0.0 };
    for rules in systems() {
        let mut game = fresh(rules, &mut rng);
        play(&mut game, 250, &mut rng, |game| {
            let shown = Shown::of(game);
            for square in 0..SQUARES {
                let beside = neighbours(square);
                let (ours, theirs) =
                    (chances(&shown, Plane::OurRanks, square), chances(&shown, Plane::EnemyRanks, square));
                let most = |values: Vec<f32>| values.into_iter().fold(0.0, f32::max);
                let of = |plane| {
                    beside.iter().filter_map(|&next| chances(&shown, plane, next)).collect::<Vec<_>>()
                };
                let (near_ours, near_theirs) = (of(Plane::OurRanks), of(Plane::EnemyRanks));
                let expected_strength = |chances: &ByRank<f32>| {
                    chances.iter().map(|(rank, chance)| chance * strength(rank)).sum::<f32>()
                };
                let takes = |strikers: &Vec<ByRank<f32>>, defender: &Option<ByRank<f32>>| {
                    most(
                        defender
                            .iter()
                            .flat_map(|defender| {
                                strikers.iter().map(|striker| expected_points(striker, defender, &rules))
                            })
                            .collect(),
                    )
                };
                let protects = |stands: bool, near: &Vec<ByRank<f32>>| {
                    if stands { most(near.iter().map(expected_strength).collect()) } else { 0.0 }
                };
                for (plane, wanted) in [
                    (Plane::OurThreatened, takes(&near_theirs, &ours)),
                    (Plane::EnemyThreatened, takes(&near_ours, &theirs)),
                    (Plane::OurProtected, protects(ours.is_some(), &near_ours)),
                    (Plane::EnemyProtected, protects(theirs.is_some(), &near_theirs)),
                ] {
                    let found = f32::from(shown.plane(plane, 0)[square]) / 255.0;
                    assert!((found - wanted).abs() < 0.03, "{plane:?} on {square}: {found}, {wanted}");
                }
            }
        });
    }
}

fn neighbours(square: usize) -> Vec<usize> {
    let (row, file) = (square / 10, square % 10);
    let steps = [(row + 1, file), (row.wrapping_sub(1), file), (row, file + 1), (row, file.wrapping_sub(1))];
    steps
        .into_iter()
        .filter(|&(row, file)| row < 10 && file < 10)
        .map(|(row, file)| row * 10 + file)
        .collect()
}
