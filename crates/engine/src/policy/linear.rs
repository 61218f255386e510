//! What an action is about, as a handful of features that hold or not: the words for what the policy likes.
//!
//! A feature tells of the mover's own knowledge only: what moves, what it strikes at and what that may be, what the enemy
//! knows of the piece, what it comes beside, and when.

use crate::belief::{Belief, RankProbabilities};
use crate::rules::{
    Action, Outcome, Piece, PieceId, Position, Rank, RankSet, Square, battle, certain, defenders,
};
use crate::view::View;
use std::fmt;

/// The first ply of the middle and of the late game.
const FIRST_PLIES: [u32; 2] = [60, 300];

/// How many phases a game has.
const PHASES: usize = FIRST_PLIES.len() + 1;

/// The phase of a ply: 0 early, 1 in the middle, 2 late.
fn phase(ply: u32) -> usize {
    FIRST_PLIES.iter().filter(|&&first| ply >= first).count()
}

/// A feature of an action.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct Feature(u8);

/// Features of one kind stand side by side: its name, and how many it has.
const GROUPS: [(Group, usize); 14] = [
    (Group::Move, Rank::COUNT),
    (Group::StrikeUnmoved, Rank::COUNT),
    (Group::StrikeMoved, Rank::COUNT),
    (Group::StrikeKnown, Rank::COUNT),
    (Group::Known, 3),
    (Group::Risk, RISKS.len()),
    (Group::Flag, FLAGS.len()),
    (Group::FirstMove, 4),
    (Group::Direction, 9),
    (Group::Beside, 10),
    (Group::Left, 3),
    (Group::Probe, 3),
    (Group::Zone, 2),
    (Group::Other, Other::ALL.len()),
];

#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum Group {
    /// A move without a strike, by rank.
    Move,
    /// A strike at a hidden piece that has not moved, by the striker's rank.
    StrikeUnmoved,
    /// A strike at a hidden piece that has moved.
    StrikeMoved,
    /// A strike at a known piece.
    StrikeKnown,
    /// What a strike at a known piece comes to.
    Known,
    /// The believed chance that a strike at a hidden piece loses.
    Risk,
    /// The believed chance that it takes the flag.
    Flag,
    /// The first move of a hidden piece, by how strong it is.
    FirstMove,
    /// Ahead, aside or back, early, in the middle or late in the game.
    Direction,
    /// What a move comes beside, by whether the enemy knows the piece.
    Beside,
    /// What a move leaves.
    Left,
    /// A strike at a hidden piece, by when.
    Probe,
    /// A move into the enemy's rows, or into one's own.
    Zone,
    Other,
}

/// Bounds between chances to lose.
const RISKS: [f32; 6] = [0.1, 0.25, 0.4, 0.55, 0.75, 2.0];
/// Bounds between chances that it is the flag; what is below the first has no feature.
const FLAGS: [f32; 2] = [0.05, 0.2];

#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum Other {
    /// A scout goes several squares without a strike.
    LongMove,
    /// A piece that the enemy knows moves.
    KnownMoves,
    /// The piece goes back to where it last came from.
    Back,
    /// The position has stood before.
    Repeated,
}

impl Other {
    const ALL: [Other; 4] = [Other::LongMove, Other::KnownMoves, Other::Back, Other::Repeated];

    const fn name(self) -> &'static str {
        match self {
            Other::LongMove => "a scout's long move",
            Other::KnownMoves => "the enemy knows what moves",
            Other::Back => "takes its last move back",
            Other::Repeated => "the position has stood before",
        }
    }
}

impl Feature {
    /// How many there are.
    pub const COUNT: usize = {
        let (mut sum, mut group) = (0, 0);
        while group < GROUPS.len() {
            sum += GROUPS[group].1;
            group += 1;
        }
        sum
    };

    /// Every feature, in order.
    pub fn all() -> impl Iterator<Item = Feature> {
        (0..Feature::COUNT).map(|index| Feature(index as u8))
    }

    /// Below [`Feature::COUNT`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    fn of(group: Group, place: usize) -> Feature {
        let before = GROUPS.iter().take_while(|(other, _)| *other != group).map(|(_, count)| count);
        Feature((before.sum::<usize>() + place) as u8)
    }

    fn place(self) -> (Group, usize) {
        let mut left = self.index();
        for (group, count) in GROUPS {
            if left < count {
                return (group, left);
            }
            left -= count;
        }
        (Group::Other, 0)
    }
}

/// As in `2 strikes what never moved`.
impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (group, place) = self.place();
        let rank = || Rank::ALL[place.min(Rank::COUNT - 1)];
        match group {
            Group::Move => write!(f, "moves {}", rank()),
            Group::StrikeUnmoved => write!(f, "{} strikes what never moved", rank()),
            Group::StrikeMoved => write!(f, "{} strikes a hidden piece that moved", rank()),
            Group::StrikeKnown => write!(f, "{} strikes a known piece", rank()),
            Group::Known => write!(f, "the strike surely {}", ["wins", "ties", "loses"][place]),
            Group::Risk => write!(f, "the strike loses with {}", RISK_NAMES[place]),
            Group::Flag => write!(f, "takes the flag with over {}%", 100.0 * FLAGS[place]),
            Group::FirstMove => {
                write!(f, "first move of a hidden {}", ["S, 2 or 3", "4, 5 or 6", "7 or 8", "9 or M"][place])
            }
            Group::Direction => {
                let (way, phase) = (["ahead", "aside", "back"][place % 3], place / 3);
                write!(f, "goes {way} {}", PHASE_NAMES[phase])
            }
            Group::Beside => {
                let (what, who) = (BESIDE[place % 5], ["hidden", "known"][place / 5]);
                write!(f, "{who}, comes beside {what}")
            }
            Group::Left => write!(f, "leaves {}", [BESIDE[4], BESIDE[1], BESIDE[0]][place]),
            Group::Probe => write!(f, "strikes what is hidden {}", PHASE_NAMES[place]),
            Group::Zone => write!(f, "moves in {}", ["the enemy's rows", "its own rows"][place]),
            Group::Other => f.write_str(Other::ALL[place].name()),
        }
    }
}

const PHASE_NAMES: [&str; PHASES] = ["early", "in the middle", "late"];
const BESIDE: [&str; 5] = [
    "what never moved",
    "a hidden piece that moved",
    "a known weaker piece",
    "a known equal piece",
    "a known stronger piece",
];
/// As [`RISKS`] bound them.
const RISK_NAMES: [&str; 6] =
    ["less than 10%", "10 to 25%", "25 to 40%", "40 to 55%", "55 to 75%", "75% and more"];

/// The features of an action of the player to move, whose view and belief these are.
pub fn features(view: &View, belief: &Belief, action: Action) -> Vec<Feature> {
    let position = view.position();
    let Some(id) = position.piece_at(action.from) else { return Vec::new() };
    let Some(rank) = position.piece(id).ranks.single() else { return Vec::new() };
    let mut found = Found { position, id, rank, action, features: Vec::with_capacity(8) };
    match position.piece_at(action.to) {
        Some(target) => found.strike(target, belief.probabilities(target)),
        None => found.quiet(view),
    }
    found.always();
    found.features
}

struct Found<'a> {
    position: &'a Position,
    id: PieceId,
    rank: Rank,
    action: Action,
    features: Vec<Feature>,
}

impl Found<'_> {
    fn note(&mut self, group: Group, place: usize) {
        self.features.push(Feature::of(group, place));
    }

    fn phase(&self) -> usize {
        phase(self.position.ply())
    }

    fn piece(&self) -> &Piece {
        self.position.piece(self.id)
    }

    fn is_unseen(&self) -> bool {
        self.piece().learned.single().is_none()
    }

    fn strike(&mut self, target: PieceId, probabilities: Option<&RankProbabilities>) {
        let (piece, rank) = (*self.position.piece(target), self.rank.index());
        let strike_rules = self.position.rules().strike_rules();
        if let Some(known) = piece.ranks.single() {
            self.note(Group::StrikeKnown, rank);
            let place = match battle(self.rank, known, strike_rules) {
                Outcome::Win => 0,
                Outcome::Tie => 1,
                Outcome::Loss => 2,
            };
            return self.note(Group::Known, place);
        }
        self.note(if piece.moved { Group::StrikeMoved } else { Group::StrikeUnmoved }, rank);
        self.note(Group::Probe, self.phase());
        let Some(probabilities) = probabilities else { return };
        let beaten_by = defenders(self.rank, Outcome::Loss, strike_rules);
        let risk: f32 = beaten_by.iter().map(|rank| probabilities[rank]).sum();
        let place = RISKS.iter().filter(|&&bound| risk >= bound).count();
        self.note(Group::Risk, place.min(RISKS.len() - 1));
        let flag = FLAGS.iter().filter(|&&bound| probabilities[Rank::Flag] > bound).count();
        if flag > 0 {
            self.note(Group::Flag, flag - 1);
        }
    }

    fn quiet(&mut self, view: &View) {
        let (side, action) = (self.id.side(), self.action);
        self.note(Group::Move, self.rank.index());
        let (from, to) = (action.from.row_from(side), action.to.row_from(side));
        let way = match to.cmp(&from) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Less => 2,
        };
        self.note(Group::Direction, way + 3 * self.phase());
        if to >= 6 {
            self.note(Group::Zone, 0);
        } else if to < 4 {
            self.note(Group::Zone, 1);
        }
        let known = usize::from(!self.is_unseen());
        for (group, place) in self.meetings(action.to).into_iter().map(|place| (Group::Beside, place)) {
            self.note(group, place + 5 * known);
        }
        let left = self.meetings(action.from);
        for (place, met) in [4, 1, 0].into_iter().enumerate() {
            if left.contains(&met) {
                self.note(Group::Left, place);
            }
        }
        let others = [
            (Other::LongMove, action.distance() > 1),
            (Other::Back, goes_back(view, action)),
            (Other::Repeated, self.position.times_reached(action) > 0),
        ];
        for (other, _) in others.into_iter().filter(|(_, holds)| *holds) {
            self.note(Group::Other, other as usize);
        }
    }

    /// What stands beside a square, each kind once, as places of [`BESIDE`].
    fn meetings(&self, square: Square) -> Vec<usize> {
        let enemy = |id: &PieceId| id.side() != self.id.side();
        let mut met: Vec<usize> = square
            .neighbours()
            .filter_map(|square| self.position.piece_at(square).filter(enemy))
            .map(|id| self.meeting(self.position.piece(id)))
            .collect();
        met.sort_unstable();
        met.dedup();
        met
    }

    fn meeting(&self, enemy: &Piece) -> usize {
        match (enemy.ranks.single(), enemy.moved) {
            (None, moved) => usize::from(moved),
            (Some(rank), _) => {
                let own = RankSet::only(self.rank);
                match certain(own, RankSet::only(rank), self.position.rules().strike_rules()) {
                    Some(Outcome::Win) => 2,
                    Some(Outcome::Tie) | None => 3,
                    Some(Outcome::Loss) => 4,
                }
            }
        }
    }

    fn always(&mut self) {
        if self.is_unseen() && !self.piece().moved {
            let place = match self.rank {
                Rank::Sergeant | Rank::Lieutenant | Rank::Captain => 1,
                Rank::Major | Rank::Colonel => 2,
                Rank::General | Rank::Marshal => 3,
                Rank::Spy | Rank::Scout | Rank::Miner | Rank::Flag | Rank::Bomb => 0,
            };
            self.note(Group::FirstMove, place);
        }
        if !self.is_unseen() {
            self.note(Group::Other, Other::KnownMoves as usize);
        }
    }
}

/// Whether an action takes its side's last one straight back.
fn goes_back(view: &View, action: Action) -> bool {
    let own = view.position().history().rev().nth(1);
    own.is_some_and(|last| (last.action.from, last.action.to) == (action.to, action.from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Ruleset, Side, Spn};

    fn names(spn: &str, action: &str) -> Vec<String> {
        let view = View::from_spn(&Spn::parse(spn, Ruleset::default()).unwrap(), Side::Red);
        let belief = Belief::of_enemies(&view);
        let action = action.parse::<crate::rules::Played>().unwrap().action;
        features(&view, &belief, action).into_iter().map(|feature| feature.to_string()).collect()
    }

    #[test]
    fn features_have_names_of_their_own() {
        let names: std::collections::BTreeSet<String> = Feature::all().map(|one| one.to_string()).collect();
        assert_eq!(names.len(), Feature::COUNT);
        for feature in Feature::all() {
            let (group, place) = feature.place();
            assert_eq!(Feature::of(group, place), feature);
        }
    }

    const KNOWN_MOVES: &str = "the enemy knows what moves";

    #[test]
    fn an_action_is_described_by_what_it_is_about() {
        // Red's scout on a4 has a hidden piece on a7 before it, a miner stands below another one, and a known colonel on
        // e3 beside Blue's known major on f3.
        let spn = "9?/9?/10/??8/1E+__2__2/2__2__2/D9/4j+u+4/10/MB8 r r -,- 40 100 preset=isf";
        let strike = names(spn, "a4a7");
        assert!(strike.contains(&"2 strikes what never moved".to_owned()), "{strike:?}");
        assert!(strike.contains(&"strikes what is hidden in the middle".to_owned()), "{strike:?}");
        assert!(strike.contains(&"first move of a hidden S, 2 or 3".to_owned()), "{strike:?}");
        assert_eq!(names(spn, "e3f3"), ["8 strikes a known piece", "the strike surely wins", KNOWN_MOVES]);
        let quiet = names(spn, "e3e4");
        let expected = ["moves 8", "goes ahead in the middle", "moves in its own rows", KNOWN_MOVES];
        assert_eq!(quiet, expected);
        let met = names(spn, "e3d3");
        assert_eq!(met, ["moves 8", "goes aside in the middle", "moves in its own rows", KNOWN_MOVES]);
        let aside = names(spn, "b6b5");
        assert!(aside.contains(&"leaves what never moved".to_owned()), "{aside:?}");
    }

    #[test]
    fn a_phase_begins_with_its_first_ply() {
        assert_eq!([0, 59, 60, 299, 300, 2000].map(phase), [0, 0, 1, 1, 2, 2]);
    }
}
