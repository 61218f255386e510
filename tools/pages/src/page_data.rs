//! What the page of one game holds, as JSON.

use super::curve::Curve;
use super::packing::{BeliefPacker, BoardPacker, WhyPacker, text};
use anyhow::{Context, ensure};
use indicatif::ProgressBar;
use outflank::belief::{Belief, Likelihood};
use outflank::event::Event;
use outflank::rules::{ByPiece, BySide, PieceId, RankSet, Side};
use outflank::view::View;
use outflank_record::{Outcome, Record, Replay, by_side, truth, verify};
use outflank_referee::Events;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is thought about a game beside what its record tells.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Settings {
    /// Nodes of the search before which players ask what the enemy's last move tells; 0, and they do not.
    pub inference_nodes: u64,
    /// Nodes of a search in every position, for the curve; 0 for none.
    pub nodes: u64,
}

/// Everything that the page of one game shows. Pieces have the numbers of [`PieceId::index`], squares those of
/// [`outflank::rules::Square::index`], sets of ranks are [`RankSet::bits`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageData {
    /// The game's number in its match.
    pub game: u64,
    /// The version that played.
    pub version: String,
    /// The rule system.
    pub rules: String,
    /// The players' names.
    #[serde(with = "by_side")]
    pub players: BySide<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// Whether players thought about the enemy's moves before they believed: nodes, or 0.
    pub inference_nodes: u64,
    /// The plies as they were, strikes with their whole result.
    pub moves: Vec<String>,
    /// Milliseconds taken for each ply, if they were recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<u64>,
    /// Nodes searched for each ply, if any were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<u64>,
    /// For each ply the root's best actions with their expected scores in 1/1000, if they were recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
    /// What the rows of explanations are called, in the order of [`Likelihood::ALL`].
    pub likelihoods: Vec<String>,
    /// Where the pieces stand: see [`super::packing`].
    pub board: String,
    /// What each player knows and believes. Nothing in one of them tells what its player could not know.
    #[serde(with = "by_side")]
    pub views: BySide<ViewData>,
    /// The curve over the game.
    pub curve: Curve,
}

/// What one player knows and believes, ply by ply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ViewData {
    /// What the pieces may be for the player: ply, piece, set of ranks. Each holds until the next about its piece. The
    /// empty set is said of a dead one that a rescue has taken from the dead; the one on the board is a new piece.
    pub facts: Vec<[u32; 3]>,
    /// What the enemy can tell by the rules that the player's pieces may be, in the same way.
    pub learned: Vec<[u32; 3]>,
    /// The plies of which the player was shown less than the whole, from 1.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub moves: BTreeMap<u32, String>,
    /// What it believes of the enemy's pieces: see [`super::packing`].
    pub belief: String,
    /// Why it believes what it does of each enemy piece that moves: see [`super::packing`].
    pub why: String,
}

impl PageData {
    /// Replays a record and notes all of it; the bar moves on with each ply.
    ///
    /// # Errors
    /// If the record does not hold what the referee finds, or has no game.
    pub fn of(record: &Record, settings: Settings, bar: &ProgressBar) -> anyhow::Result<PageData> {
        verify(record)?;
        ensure!(has_game(record), "it ended before there were setups");
        let mut replay = Replay::new(record)?;
        let mut noted = Noted::new(record, settings);
        noted.look(&replay, record, None);
        while let Some(mover) = replay.step()? {
            if settings.inference_nodes > 0 && replay.is_running() {
                replay.infer(mover.enemy(), settings.inference_nodes, record.game);
            }
            noted.hear(&replay, mover).context("the referee reported no ply")?;
            noted.look(&replay, record, Some(mover));
            bar.inc(1);
        }
        Ok(noted.finish(record, settings))
    }
}

/// Whether there is anything to show: players that choose their own setups can fail before there are any.
pub fn has_game(record: &Record) -> bool {
    record.setups.values().all(|setup| !setup.is_empty())
}

/// What has been noted so far.
struct Noted {
    moves: Vec<String>,
    board: BoardPacker,
    views: BySide<ViewNotes>,
    curve: Curve,
}

impl Noted {
    fn new(record: &Record, settings: Settings) -> Noted {
        Noted {
            moves: Vec::new(),
            board: BoardPacker::default(),
            views: BySide::from_fn(|_| ViewNotes::default()),
            curve: Curve::new(record, settings.nodes),
        }
    }

    /// Notes the last ply.
    fn hear(&mut self, replay: &Replay, mover: Side) -> Option<()> {
        let events = replay.last_events()?;
        let whole = truth(events, mover)?.to_string();
        for (side, notes) in self.views.iter_mut() {
            if let Event::Played(shown) = events[side] {
                let shown = shown.to_string();
                if shown != whole {
                    notes.data.moves.insert(replay.ply(), shown);
                }
            }
        }
        self.moves.push(whole);
        Some(())
    }

    /// Notes where the replay stands after a ply of `mover`'s.
    fn look(&mut self, replay: &Replay, record: &Record, mover: Option<Side>) {
        self.board.add(replay.view(Side::Red).position());
        let notes = self.views.iter_mut().collect::<Vec<_>>();
        notes.into_par_iter().for_each(|(side, notes)| {
            let view = replay.view(side);
            let belief = Belief::of_enemies(replay.known(side));
            notes.look(view, replay.ply());
            notes.belief.add(belief.pieces());
            let stranger =
                mover.filter(|mover| *mover != side).and_then(|_| moved_piece(view, replay.last_events()?));
            notes.why.add(&stranger.map_or_else(Vec::new, |id| belief.stages(id)));
        });
        self.curve.add(replay, record);
    }

    fn finish(self, record: &Record, settings: Settings) -> PageData {
        let nodes =
            if record.nodes.iter().any(|nodes| *nodes > 0) { record.nodes.clone() } else { Vec::new() };
        PageData {
            game: record.game,
            version: record.version.clone(),
            rules: record.rules.clone(),
            players: record.players.each_ref().map(|player| player.name.clone()),
            outcome: record.outcome.clone(),
            inference_nodes: settings.inference_nodes,
            moves: self.moves,
            clocks: record.clocks.iter().map(|time| time.round() as u64).collect(),
            nodes,
            candidates: record.candidates.clone(),
            likelihoods: Likelihood::ALL.map(|likelihood| words(likelihood).to_owned()).to_vec(),
            board: text(self.board.bytes()),
            views: self.views.each_ref().map(ViewNotes::finish),
            curve: self.curve,
        }
    }
}

/// The piece of the last ply, if it stands where it went and the player cannot tell its rank.
fn moved_piece(view: &View, events: &Events) -> Option<PieceId> {
    let Event::Played(played) = events[view.viewer()] else { return None };
    let id = view.position().piece_at(played.action.to)?;
    let hidden = view.position().piece(id).ranks.single().is_none();
    (hidden && id.side() != view.viewer()).then_some(id)
}

/// What the table of `why` calls a likelihood.
const fn words(likelihood: Likelihood) -> &'static str {
    match likelihood {
        Likelihood::Place => "where it began",
        Likelihood::FirstMove => "first move, or none",
        Likelihood::History => "history",
        Likelihood::Rescue => "that it came back",
        Likelihood::Neighbours => "what others are",
        Likelihood::Contact => "whom it just met",
        Likelihood::OpponentTypes => "what it has done",
        Likelihood::MoveEvidence => "what moves are for",
    }
}

/// What one player knows, and what has been said of it before.
#[derive(Clone, Debug, Default)]
struct ViewNotes {
    data: ViewData,
    facts: ByPiece<RankSet>,
    learned: ByPiece<RankSet>,
    belief: BeliefPacker,
    why: WhyPacker,
}

impl ViewNotes {
    /// Notes what the player knows now and did not know before.
    fn look(&mut self, view: &View, ply: u32) {
        // Those that have left the dead, for another one that came back, are noted as absent: they have no rank.
        for id in Side::BOTH.into_iter().flat_map(PieceId::of) {
            let piece = view.position().piece(id);
            note(&mut self.data.facts, &mut self.facts, (ply, id), piece.ranks);
            if id.side() == view.viewer() {
                note(&mut self.data.learned, &mut self.learned, (ply, id), piece.learned);
            }
        }
    }

    fn finish(&self) -> ViewData {
        ViewData { belief: text(self.belief.bytes()), why: text(self.why.bytes()), ..self.data.clone() }
    }
}

/// Adds to the list what a piece may be, unless that was known.
fn note(list: &mut Vec<[u32; 3]>, known: &mut ByPiece<RankSet>, (ply, id): (u32, PieceId), ranks: RankSet) {
    if known[id] != ranks {
        known[id] = ranks;
        list.push([ply, id.index() as u32, u32::from(ranks.bits())]);
    }
}
