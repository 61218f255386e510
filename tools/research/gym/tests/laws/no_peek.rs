//! What a player does not know changes nothing it is shown.

use crate::support::{Shown, fresh, is_to_move, play, replay, rules};
use outflank::rng::Rng;
use outflank::rules::{BySide, Cell, PieceId, Setup, Side};
use outflank_gym::game::Game;

/// The setups of a game with the ranks that `viewer` does not know exchanged at random, within what it knows.
fn disguised(game: &Game, viewer: Side, rng: &mut Rng) -> BySide<Setup> {
    let view = game.view(viewer);
    let mut setups = *game.setups();
    let cells = &mut setups[viewer.enemy()].0;
    let unknown = view.enemies().filter(|(_, piece)| piece.ranks.len() > 1);
    let unknown: Vec<PieceId> = unknown.map(|(id, _)| id).collect();
    let may_be = |id: PieceId, cell: Cell| match cell {
        Cell::Known(rank) => view.position().piece(id).ranks.contains(rank),
        Cell::Hidden | Cell::Empty => false,
    };
    for _ in 0..40 * unknown.len() {
        let [one, two] = [(); 2].map(|()| unknown[rng.below(unknown.len())]);
        if may_be(one, cells[two.number()]) && may_be(two, cells[one.number()]) {
            cells.swap(one.number(), two.number());
        }
    }
    setups
}

/// What a game shows `viewer` whenever it is to move.
fn shown_to(viewer: Side, shown: &mut Vec<Shown>, game: &Game) {
    if is_to_move(game, viewer) {
        shown.push(Shown::of(game));
    }
}

/// Plays a game, and again with ranks exchanged; how many plies were compared.
fn compare(text: &str, viewer: Side, plies: usize, rng: &mut Rng) -> usize {
    let rules = rules(text);
    let mut game = fresh(rules, rng);
    let (mut one, mut two) = (Vec::new(), Vec::new());
    let codes = play(&mut game, plies, rng, |game| shown_to(viewer, &mut one, game));
    // The end of a game may reveal what nobody could know before.
    if game.ending().is_some() {
        return 0;
    }
    let setups = disguised(&game, viewer, rng);
    if setups == *game.setups() {
        return 0;
    }
    shown_to(viewer, &mut one, &game);
    let other = replay(rules, setups, &codes, |game| shown_to(viewer, &mut two, game));
    shown_to(viewer, &mut two, &other);
    assert_eq!(one.len(), two.len());
    for (turn, (one, two)) in one.iter().zip(&two).enumerate() {
        assert!(one == two, "{text}: {viewer} sees a difference in turn {turn}");
    }
    one.len()
}

#[test]
fn hidden_ranks_change_nothing_a_player_is_shown() {
    let mut rng = Rng::new(51);
    for text in ["isf", "evaluator", "isf silent=on", "isf barrage=on", "vassal barrage=on silent=on"] {
        let mut compared = 0;
        for round in 0..12 {
            let plies = if text.contains("barrage") { 5 + 2 * round } else { 20 + 25 * round };
            compared += compare(text, Side::BOTH[round % 2], plies, &mut rng);
        }
        assert!(compared > if text.contains("barrage") { 30 } else { 300 }, "{text}: {compared}");
    }
}
