//! What a page gets of a game: what the view of the player before it knows.

use super::{Due, Match, Seat};
use outflank::event::Event;
use outflank::rules::{Action, BySide, Rank, RankSet, Side};
use outflank::view::View;
use outflank_record::{Outcome, by_side};
use serde::Serialize;

/// What a page gets of a game.
#[derive(Clone, Debug, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of its own that the page reads")]
pub struct Seen {
    /// `setup`, `play` or `over`.
    pub stage: &'static str,
    /// Whose eyes these are; none while the page is handed over.
    pub eyes: Option<String>,
    /// Who has to do something.
    pub due: Option<String>,
    /// Whether that is the person before the page.
    pub yours: bool,
    /// Every key of the rule system.
    pub rules: String,
    /// Who plays, Red's player first.
    #[serde(with = "by_side")]
    pub seats: BySide<Seat>,
    /// Their names.
    #[serde(with = "by_side")]
    pub names: BySide<String>,
    /// Whether two persons share the page.
    pub shared: bool,
    /// Whether each of two persons has a device of his own.
    pub devices: bool,
    /// Those of them who have not come yet, on the page from which they go there.
    pub awaited: Vec<String>,
    /// Whether actions may be taken back and hints asked for.
    pub friendly: bool,
    /// Whether the game was loaded from a record.
    pub loaded: bool,
    /// Whether it can be recorded: it began with setups.
    pub recorded: bool,
    /// Who made the first ply.
    pub first: String,
    /// Plies made.
    pub ply: usize,
    /// How many pieces of each rank an army has, with the ranks' letters.
    pub army: Vec<(char, u8)>,
    /// The pieces that stand.
    pub pieces: Vec<SeenPiece>,
    /// Letters of the dead, Red's first; `?` for a rank that was not shown.
    #[serde(with = "by_side")]
    pub dead: BySide<String>,
    /// The plies as they were shown.
    pub moves: Vec<String>,
    /// What the person may do now.
    pub legal: Vec<String>,
    /// Whether something can be taken back.
    pub can_take_back: bool,
    /// Whether the person may offer a draw.
    pub can_offer_draw: bool,
    /// Whose offer of a draw stands.
    pub draw_offered_by: Option<String>,
    /// Who refused a draw not long ago.
    pub draw_refused_by: Option<String>,
    /// How it ended.
    pub outcome: Option<Outcome>,
}

/// A piece on the board.
#[derive(Clone, Debug, Serialize)]
pub struct SeenPiece {
    /// Its square.
    pub at: String,
    /// Its owner.
    pub side: String,
    /// Its rank's letter, or `?`.
    pub rank: char,
    /// Whether it has been seen to move.
    pub moved: bool,
    /// Whether its enemy can tell its rank.
    pub open: bool,
    /// What a piece of unknown rank may be, if strikes narrowed that down.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub may: String,
}

impl Match {
    /// What the page gets.
    pub fn seen(&self) -> Seen {
        let due = self.due();
        let army = *self.options.rules.army().counts();
        let mut seen = Seen {
            stage: self.stage(),
            eyes: self.eyes.map(|side| side.to_string()),
            due: due.map(|due| due.side().to_string()),
            yours: self.person_due().is_some() || self.person_setup().is_some(),
            rules: self.options.rules.to_string(),
            seats: self.options.seats,
            names: self.names(),
            shared: self.options.is_shared() && self.source.is_none(),
            devices: self.options.devices,
            awaited: self.awaited().iter().filter(|_| self.eyes.is_none()).map(Side::to_string).collect(),
            friendly: self.options.friendly,
            loaded: self.source.is_some(),
            recorded: self.start.is_none(),
            first: self.first().to_string(),
            ply: self.ply(),
            army: army
                .iter()
                .filter(|(_, count)| **count > 0)
                .map(|(rank, count)| (rank.letter(), *count))
                .collect(),
            pieces: Vec::new(),
            dead: BySide::from_fn(|_| String::new()),
            moves: Vec::new(),
            legal: Vec::new(),
            can_take_back: self.can_take_back(),
            can_offer_draw: self.can_offer_draw(),
            draw_offered_by: self.draw.offered_by().map(|side| side.to_string()),
            draw_refused_by: self.draw.refused_by(self.ply()).map(|side| side.to_string()),
            outcome: self.outcome.clone(),
        };
        self.see_board(&mut seen);
        seen
    }

    fn stage(&self) -> &'static str {
        match (&self.outcome, &self.course) {
            (Some(_), _) => "over",
            (None, Some(_)) => "play",
            (None, None) => "setup",
        }
    }

    fn names(&self) -> BySide<String> {
        match &self.source {
            Some(record) => record.players.each_ref().map(|player| player.name.clone()),
            None => self.options.seats.map(|seat| seat.to_string()),
        }
    }

    /// The board, the dead and the plies: by the view of the player before the page, or of each army by its own
    /// player's once the game is over.
    fn see_board(&self, seen: &mut Seen) {
        let Some(course) = &self.course else { return };
        let over = self.outcome.is_some() || self.sees_both;
        let Some(eyes) = self.eyes.or_else(|| over.then_some(Side::Red)) else { return };
        for owner in Side::BOTH {
            let view = course.view(if over { owner } else { eyes });
            seen.pieces.extend(pieces(view, owner));
            seen.dead[owner] = dead(view, owner);
        }
        seen.moves = if over {
            course.whole().iter().map(ToString::to_string).collect()
        } else {
            course.shown(eyes).filter_map(ply).collect()
        };
        if let Some(Due::Action(side)) = self.person_due() {
            let position = course.view(side).position();
            let strikes = |action: Action| position.piece_at(action.to).is_some();
            seen.legal = position.actions().into_iter().map(|action| action.text(strikes(action))).collect();
        }
    }
}

fn ply(event: &Event) -> Option<String> {
    match event {
        Event::Deployed(..) => None,
        Event::Played(played) => Some(played.to_string()),
    }
}

fn pieces(view: &View, owner: Side) -> Vec<SeenPiece> {
    let army = view.position().rules().army().ranks();
    let standing = view.position().pieces(owner).filter_map(|(_, piece)| Some((piece, piece.square?)));
    let seen = standing.map(|(piece, square)| {
        // Of its own pieces a player can tell what the enemy has learned; an enemy piece is open if it is known.
        let known = if owner == view.viewer() { piece.learned } else { piece.ranks };
        let plain = if piece.moved { RankSet::MOBILE } else { RankSet::ALL };
        let narrowed = piece.ranks.single().is_none() && piece.ranks != plain.and(army);
        SeenPiece {
            at: square.to_string(),
            side: owner.to_string(),
            rank: piece.ranks.single().map_or('?', Rank::letter),
            moved: piece.moved,
            open: known.single().is_some(),
            may: if narrowed { piece.ranks.to_string() } else { String::new() },
        }
    });
    let mut seen: Vec<SeenPiece> = seen.collect();
    // By square: the order of the army's slots is nobody's business.
    seen.sort_by(|a, b| a.at.cmp(&b.at));
    seen
}

fn dead(view: &View, owner: Side) -> String {
    let fallen = view.position().pieces(owner).filter(|(_, piece)| piece.exists() && !piece.is_alive());
    let mut letters: Vec<(usize, char)> = fallen
        .map(|(_, piece)| {
            piece.ranks.single().map_or((Rank::COUNT, '?'), |rank| (rank.index(), rank.letter()))
        })
        .collect();
    letters.sort_unstable();
    letters.into_iter().map(|(_, letter)| letter).collect()
}
