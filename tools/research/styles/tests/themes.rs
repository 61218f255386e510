//! Each style plays its theme: by counts over games against ordinary play.

use crate::common::{ordinary, play, rules};
use outflank::protocol::StandIn;
use outflank::rules::{Action, BySide, PieceId, Rank, Side, Square};
use outflank::view::View;
use outflank_styles::find;
use outflank_styles::knowledge::{Knowledge, Ours};
use outflank_styles::styles::{raider::is_raider, rusher::low_files, turtle};
use outflank_styles::tactics::{Tactics, Weights};

/// How many of a style's actions are of a kind, of all for which the question makes sense.
#[derive(Copy, Clone, Debug, Default)]
struct Share {
    of_a_kind: u32,
    all: u32,
}

impl Share {
    fn value(self) -> f32 {
        self.of_a_kind as f32 / self.all.max(1) as f32
    }
}

const GAMES: u64 = 6;

/// Counts a style's actions in games against ordinary play; `kind` says nothing of those that do not count.
fn share(style: &str, kind: impl Fn(&View, Action) -> Option<bool>) -> Share {
    let style: StandIn = find(style).unwrap();
    let mut share = Share::default();
    for game in 0..GAMES {
        let ours = [Side::Red, Side::Blue][game as usize % 2];
        let players = BySide::from_fn(|side| if side == ours { style } else { ordinary() });
        play(rules("isf", &[], 500), players, 40 + game, |side, view, action| {
            if let Some(counts) = (side == ours).then(|| kind(view, action)).flatten() {
                share.all += 1;
                share.of_a_kind += u32::from(counts);
            }
        });
    }
    share
}

fn mover(view: &View, action: Action) -> PieceId {
    view.position().piece_at(action.from).expect("it acts")
}

fn rank(view: &View, id: PieceId) -> Option<Rank> {
    view.position().piece(id).ranks.single()
}

fn known_enemy(view: &View, square: Square) -> Option<Rank> {
    let id = view.position().piece_at(square).filter(|id| id.side() != view.viewer())?;
    rank(view, id).filter(|rank| rank.is_mobile())
}

/// Whether a hidden piece moves beside a known one that it does not beat; asked where it could.
fn bluffs(view: &View, action: Action) -> Option<bool> {
    let position = view.position();
    let bluff = |action: &Action| {
        let id = mover(view, *action);
        let hidden = position.piece(id).learned.single().is_none() && action.distance() == 1;
        let stronger = |enemy: Rank| rank(view, id).is_some_and(|own| enemy >= own);
        hidden
            && !position.is_strike(*action)
            && action.to.neighbours().any(|near| known_enemy(view, near).is_some_and(stronger))
    };
    position.actions().iter().any(bluff).then(|| bluff(&action))
}

#[test]
fn the_chaser_bluffs_three_times_as_often_as_ordinary_play() {
    let [chaser, ordinary] = ["chaser", "ordinary"].map(|style| share(style, bluffs).value());
    assert!(chaser > 0.1 && chaser > 3.0 * ordinary, "{chaser} and {ordinary}");
}

/// Whether a low piece stands in reach of a stronger known one after an action, with a hidden piece beside it that
/// beats that one; asked while the enemy has such a piece.
fn baits(view: &View, action: Action) -> Option<bool> {
    let knowledge = Knowledge::new(view);
    let prize = |square: Square| known_enemy(view, square).filter(|rank| *rank >= Rank::Captain);
    knowledge.theirs.iter().find_map(|theirs| prize(theirs.square))?;
    if view.position().is_strike(action) {
        return Some(false);
    }
    let acts = mover(view, action);
    let stands = |piece: &Ours| if piece.id == acts { action.to } else { piece.square };
    let guarded = |bait: &Ours, prize: Rank| {
        let beside = knowledge.ours.iter().filter(|guard| stands(guard).is_next_to(stands(bait)));
        beside.filter(|guard| !guard.exposed && guard.rank.is_mobile()).any(|guard| guard.rank > prize)
    };
    let low = knowledge.ours.iter().filter(|bait| bait.rank.is_mobile() && bait.rank <= Rank::Captain);
    let baited = |bait: &&Ours| {
        let prizes = stands(bait).neighbours().filter_map(prize);
        prizes.filter(|prize| *prize > bait.rank).any(|prize| guarded(bait, prize))
    };
    Some(low.into_iter().any(|bait| baited(&bait)))
}

#[test]
fn the_baiter_baits_three_times_as_often_as_ordinary_play() {
    let [baiter, ordinary] = ["baiter", "ordinary"].map(|style| share(style, baits));
    let enough = baiter.of_a_kind >= 10 && baiter.value() > 3.0 * ordinary.value();
    assert!(enough, "{baiter:?} and {ordinary:?}");
}

#[test]
fn the_raider_moves_its_strongest_piece_and_goes_far() {
    let raids = |view: &View, action: Action| {
        let knowledge = Knowledge::new(view);
        Some(is_raider(&knowledge, knowledge.ours_at(action.from)?))
    };
    let [raider, ordinary] = ["raider", "ordinary"].map(|style| share(style, raids).value());
    assert!(raider > 0.35 && raider > 3.0 * ordinary, "{raider} and {ordinary}");
    let far =
        |view: &View, action: Action| raids(view, action)?.then(|| action.to.row_from(view.viewer()) >= 6);
    let far = share("raider", far);
    assert!(far.value() > 0.2, "{far:?}");
}

#[test]
fn the_turtle_leaves_its_half_for_something_certain_alone() {
    let out = |view: &View, action: Action| {
        let rows = [action.from, action.to].map(|square| square.row_from(view.viewer()));
        let forward = rows[1] > rows[0] && rows[1] > turtle::LAST_ROW;
        let strikes = view.position().is_strike(action);
        Some(forward && !strikes && view.position().quiet() < turtle::PATIENCE)
    };
    assert_eq!(share("turtle", out).of_a_kind, 0);
    assert!(share("ordinary", out).of_a_kind > 20);
}

#[test]
fn the_rusher_brings_miners_and_escort_along_one_wing() {
    let rush = |view: &View, action: Action| {
        let knowledge = Knowledge::new(view);
        let ours = knowledge.ours_at(action.from)?;
        let rushes = matches!(ours.rank, Rank::Miner | Rank::Colonel | Rank::General | Rank::Marshal);
        let aside = if low_files(&knowledge) { action.to.file() } else { 9 - action.to.file() };
        Some(rushes && aside < 5)
    };
    let [rusher, ordinary] = ["rusher", "ordinary"].map(|style| share(style, rush).value());
    assert!(rusher > 0.33 && rusher > 1.5 * ordinary, "{rusher} and {ordinary}");
}

#[test]
fn the_coward_strikes_nothing_doubtful() {
    let doubtful = |view: &View, action: Action| {
        let knowledge = Knowledge::new(view);
        let tactics = Tactics::new(&knowledge, Weights::ORDINARY, |_, _, _| 1.0);
        let strikes = view.position().quiet() < 40 && view.position().is_strike(action);
        strikes.then(|| tactics.weigh(action).is_some_and(|weighed| weighed.strike.win < 0.99))
    };
    let [coward, ordinary] = ["coward", "ordinary"].map(|style| share(style, doubtful));
    assert!(coward.all > 20 && coward.value() < 0.02, "{coward:?}");
    assert!(ordinary.value() > 0.3, "{ordinary:?}");
}
