//! One side's share of a game.

use super::game::{Game, LEADS, Story};
use super::loss::{Loss, losses};
use crate::strike::Strike;
use outflank::named_enum::named_enum;
use outflank::rules::{PieceId, Rank, Side};
use outflank_record::{EndReason, Visibility};

named_enum! {
    /// How a game ended for a side.
    #[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd)]
    pub enum Score {
        /// It won.
        Won = "won",
        /// Nobody did.
        Drawn = "drawn",
        /// The other side did.
        Lost = "lost",
    }
}

impl Score {
    /// A win is 1, a draw a half.
    pub const fn points(self) -> f64 {
        match self {
            Score::Won => 1.0,
            Score::Drawn => 0.5,
            Score::Lost => 0.0,
        }
    }

    /// The score of `side` in a game that `winner` won.
    pub fn of(winner: Option<Side>, side: Side) -> Score {
        match winner {
            None => Score::Drawn,
            Some(winner) if winner == side => Score::Won,
            Some(_) => Score::Lost,
        }
    }
}

named_enum! {
    /// What revealed a piece.
    #[derive(Copy, Clone, Debug, Eq, PartialEq)]
    pub enum Way {
        /// It struck a known piece.
        OnKnown = "strikes known",
        /// It struck a hidden piece that had moved.
        OnMoved = "strikes hidden moved",
        /// It struck a hidden piece that had never moved.
        OnUnmoved = "strikes hidden unmoved",
        /// It was struck.
        Struck = "is struck",
        /// No strike, as where a scout runs.
        Otherwise = "without a strike",
        /// It was never revealed.
        Never = "never",
    }
}

impl Way {
    fn of(id: PieceId, strike: Option<&Strike>) -> Way {
        let Some(strike) = strike else { return Way::Otherwise };
        match strike.victim.seen {
            _ if strike.striker.id != id => Way::Struck,
            Visibility::Known => Way::OnKnown,
            Visibility::Moved => Way::OnMoved,
            Visibility::Unmoved => Way::OnUnmoved,
        }
    }
}

/// How a piece fell.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Fall {
    /// In which ply.
    pub ply: u32,
    /// The rank of the enemy piece.
    pub taker: Rank,
    /// Whether that was known before.
    pub known: bool,
    /// Whether it fell by its own strike.
    pub own: bool,
}

/// What became of a piece.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Fate {
    /// Its rank.
    pub rank: Rank,
    /// The ply with which the enemy first knew it.
    pub revealed: Option<u32>,
    /// What revealed it.
    pub way: Way,
    /// How it fell.
    pub fell: Option<Fall>,
    /// Points that it took before it was revealed.
    pub before: u32,
    /// Points that it took in the strike that revealed it.
    pub revealing: u32,
    /// Points that it took afterwards.
    pub after: u32,
}

impl Fate {
    fn of(game: &Game, id: PieceId, story: &Story) -> Fate {
        let involved = |strike: &&Strike| strike.fighter(id.side()).id == id;
        let strikes: Vec<&Strike> = game.strikes.iter().filter(involved).collect();
        let revealed = story.revealed.unwrap_or(u32::MAX);
        let taken = |part: &dyn Fn(u32) -> bool| {
            strikes.iter().filter(|strike| part(strike.ply)).map(|strike| strike.taken(id.side())).sum()
        };
        let revealing = strikes.iter().find(|strike| strike.ply == revealed).copied();
        let fall = game.fall(id).map(|strike| {
            let enemy = strike.fighter(id.side().enemy());
            let own = strike.mover() == id.side();
            Fall { ply: strike.ply, taker: enemy.rank, known: enemy.seen == Visibility::Known, own }
        });
        Fate {
            rank: story.rank,
            revealed: story.revealed,
            way: story.revealed.map_or(Way::Never, |_| Way::of(id, revealing)),
            fell: fall,
            before: taken(&|ply| ply < revealed),
            revealing: taken(&|ply| ply == revealed),
            after: taken(&|ply| ply > revealed),
        }
    }
}

/// A lead, and the miners with whom to convert it.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Lead {
    /// The ply with which it was first there.
    pub ply: u32,
    /// Plies from then to the end of the game.
    pub rest: u32,
    /// Our miners that lived then.
    pub miners: u32,
    /// Those of them that never moved or struck afterwards.
    pub idle: u32,
}

impl Lead {
    fn of(game: &Game, side: Side, ply: u32) -> Lead {
        let lived = |id: PieceId| game.fall(id).is_none_or(|strike| strike.ply > ply);
        // Who comes back by a rescue came later, or is one more: neither was there to convert the lead.
        let ours = |id: PieceId| id.side() == side && !id.came_back() && lived(id);
        let miners = game.pieces.iter().filter(|(id, story)| story.rank == Rank::Miner && ours(**id));
        let (mut all, mut idle) = (0, 0);
        for (_, story) in miners {
            all += 1;
            idle += u32::from(story.acted.is_none_or(|last| last <= ply));
        }
        Lead { ply, rest: game.plies - ply, miners: all, idle }
    }
}

/// What a player expected to score with one of its plies.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Expected {
    /// The ply.
    pub ply: u32,
    /// Its score, in thousandths.
    pub score: u16,
}

named_enum! {
    /// What a player did in a turn, and in [`TurnKind::Struck`] what the enemy answered.
    #[derive(Copy, Clone, Debug, Eq, PartialEq)]
    pub enum TurnKind {
        /// It struck nothing, and the enemy did not either.
        Quiet = "no strike",
        /// It struck nothing, and the enemy struck.
        Struck = "no strike, but the enemy's",
        /// It struck a known piece.
        OnKnown = "strike on known",
        /// It struck a hidden piece that had moved.
        OnMoved = "strike on hidden moved",
        /// Its scout struck a hidden piece that had never moved.
        ScoutOnUnmoved = "strike on hidden unmoved by 2",
        /// Its miner did.
        MinerOnUnmoved = "strike on hidden unmoved by 3",
        /// Its spy, or a piece from sergeant to captain, did.
        WeakOnUnmoved = "strike on hidden unmoved by 4-6, S",
        /// A major or better did.
        StrongOnUnmoved = "strike on hidden unmoved by 7-M",
    }
}

impl TurnKind {
    /// The turn that begins with a ply, given the strikes that it and the enemy's answer are.
    fn of(strike: Option<&Strike>, answer: Option<&Strike>) -> TurnKind {
        let Some(strike) = strike else {
            return if answer.is_some() { TurnKind::Struck } else { TurnKind::Quiet };
        };
        match (strike.victim.seen, strike.striker.rank) {
            (Visibility::Known, _) => TurnKind::OnKnown,
            (Visibility::Moved, _) => TurnKind::OnMoved,
            (Visibility::Unmoved, Rank::Scout) => TurnKind::ScoutOnUnmoved,
            (Visibility::Unmoved, Rank::Miner) => TurnKind::MinerOnUnmoved,
            (Visibility::Unmoved, rank) if rank >= Rank::Major && rank.is_mobile() => {
                TurnKind::StrongOnUnmoved
            }
            (Visibility::Unmoved, _) => TurnKind::WeakOnUnmoved,
        }
    }
}

/// How what a player expected to score changed from one turn to its next.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Change {
    /// What was done in between.
    pub kind: TurnKind,
    /// By how much, in thousandths.
    pub change: i32,
}

/// One side's share of a game.
#[derive(Clone, Debug)]
pub struct Army {
    /// How the game ended for it.
    pub score: Score,
    /// The reason of the ending.
    pub reason: EndReason,
    /// Plies of the game.
    pub plies: u32,
    /// Strikes of the game.
    pub strikes: usize,
    /// What it lost.
    pub losses: Vec<Loss>,
    /// Points of each piece that it took.
    pub taken: Vec<u32>,
    /// What became of its pieces.
    pub pieces: Vec<Fate>,
    /// Its first lead by each of [`LEADS`].
    pub leads: [Option<Lead>; LEADS.len()],
    /// What it expected to score, in the order of the plies; empty if it did not say.
    pub expected: Vec<Expected>,
    /// How that changed, turn by turn.
    pub changes: Vec<Change>,
}

impl Army {
    /// The share of `side` in a game.
    pub fn of(game: &Game, side: Side) -> Army {
        let pieces = game.pieces.iter().filter(|(id, _)| id.side() == side);
        let took = game.strikes.iter().filter(|strike| strike.fell(side.enemy()));
        let expected = expected(game, side);
        Army {
            score: Score::of(game.winner, side),
            reason: game.reason,
            plies: game.plies,
            strikes: game.strikes.len(),
            losses: losses(&game.strikes, side),
            taken: took.map(|strike| strike.taken(side)).collect(),
            pieces: pieces.map(|(id, story)| Fate::of(game, *id, story)).collect(),
            leads: game.leads[side].map(|ply| Some(Lead::of(game, side, ply?))),
            changes: changes(game, &expected),
            expected,
        }
    }
}

/// What `side` expected to score with its plies; Red makes the first.
fn expected(game: &Game, side: Side) -> Vec<Expected> {
    let ours = game.expected.iter().zip(1..).skip(side as usize).step_by(2);
    ours.filter_map(|(score, ply)| Some(Expected { ply, score: (*score)? })).collect()
}

/// How a player's expectations changed from each of its turns to its next.
fn changes(game: &Game, expected: &[Expected]) -> Vec<Change> {
    let strike = |ply| {
        let place = game.strikes.binary_search_by_key(&ply, |strike| strike.ply);
        place.ok().map(|place| &game.strikes[place])
    };
    let turns = expected.windows(2).filter(|turns| turns[1].ply == turns[0].ply + 2);
    let change = |turns: &[Expected]| Change {
        kind: TurnKind::of(strike(turns[0].ply), strike(turns[0].ply + 1)),
        change: i32::from(turns[1].score) - i32::from(turns[0].score),
    };
    turns.map(change).collect()
}
