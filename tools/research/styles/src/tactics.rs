//! What an action wins and what it risks, by known ranks and plain odds: shared by all styles.

use crate::knowledge::{FAR, Knowledge, Ours, Theirs};
use outflank::math::powi;
use outflank::rules::{Action, Direction, Outcome, Rank, Square, battle};

/// What a piece is worth, in points.
pub const fn piece_value(rank: Rank) -> f32 {
    match rank {
        Rank::Flag => 1000.0,
        Rank::Scout => 20.0,
        Rank::Sergeant => 40.0,
        Rank::Lieutenant => 55.0,
        Rank::Bomb => 60.0,
        Rank::Spy | Rank::Miner => 70.0,
        Rank::Captain => 80.0,
        Rank::Major => 140.0,
        Rank::Colonel => 220.0,
        Rank::General => 330.0,
        Rank::Marshal => 430.0,
    }
}

/// How a style sees risks and chances. Ordinary play is the default.
#[derive(Copy, Clone, Debug)]
pub struct Weights {
    /// What an expected loss counts against an expected gain.
    pub danger: f32,
    /// What coming nearer to something worth striking counts.
    pub approach: f32,
    /// The share of a hidden piece's worth that its first strike costs, as it shows it.
    pub secrecy: f32,
    /// How much learning a hidden rank counts.
    pub curiosity: f32,
    /// What it costs to come back to a position.
    pub repeat: f32,
    /// How likely a known enemy is to strike a stronger or weaker hidden piece that has just come beside it.
    pub fresh: f32,
    /// How likely a known enemy is to strike such a piece that stood beside it already, and has not run.
    pub firm: f32,
    /// Whether it dares more the longer nothing was struck.
    pub restless: bool,
}

/// Ordinary play.
impl Weights {
    /// Those of ordinary play.
    pub const ORDINARY: Weights = Weights {
        danger: 1.0,
        approach: 0.6,
        secrecy: 0.12,
        curiosity: 1.0,
        repeat: 5.0,
        fresh: 0.3,
        firm: 0.4,
        restless: true,
    };
}

/// How a strike may go.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Strike {
    /// Points won less points lost, on average, with what showing and learning ranks is worth.
    pub gain: f32,
    /// The chance to win it.
    pub win: f32,
    /// The chance of a tie.
    pub tie: f32,
}

impl Strike {
    /// Whether it cannot fail.
    pub fn is_certain(self) -> bool {
        self.win > 0.999
    }
}

/// An action, weighed.
#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    /// The action.
    pub action: Action,
    /// Who acts, as it stands now.
    pub mover: Ours,
    /// Who acts, as it stands afterwards if it lives.
    pub after: Ours,
    /// What it strikes at.
    pub target: Option<&'a Theirs>,
    /// How that may go.
    pub strike: Strike,
    /// Points that the enemy's next action is expected to take.
    pub danger: f32,
    /// How much nearer it brings the mover to what is worth striking, in points.
    pub approach: f32,
    /// How often the position was there.
    pub seen: usize,
    /// Whether it takes its side's last action straight back.
    pub reverses: bool,
}

/// Weighs actions for one player on one turn.
#[derive(Debug)]
pub struct Tactics<'a> {
    /// What it knows.
    pub knowledge: &'a Knowledge<'a>,
    weights: Weights,
    /// How much more than at first it dares: 1 or more.
    boldness: f32,
    appetite: fn(&Knowledge<'_>, &Ours, &Theirs) -> f32,
}

/// A step nearer makes something worth striking so much more worth.
const NEARER: f32 = 0.85;
/// So little of what a known piece that can run is worth does it bring to run after it.
const RUNNER: f32 = 0.4;
/// Points for learning a hidden rank, and the share of what the piece is worth on average.
const LEARNED: (f32, f32) = (6.0, 0.1);

impl<'a> Tactics<'a> {
    /// With a style's weights, and its appetite for each piece of the enemy's.
    pub fn new(
        knowledge: &'a Knowledge<'a>,
        weights: Weights,
        appetite: fn(&Knowledge<'_>, &Ours, &Theirs) -> f32,
    ) -> Tactics<'a> {
        let quiet = knowledge.quiet().saturating_sub(20) as f32;
        let boldness = if weights.restless { (1.0 + quiet / 40.0).min(6.0) } else { 1.0 };
        Tactics { knowledge, weights, boldness, appetite }
    }

    /// How `ours` fares if it strikes at `theirs`.
    pub fn strike(&self, ours: &Ours, theirs: &Theirs) -> Strike {
        let mut strike = Strike::default();
        let mut mean = 0.0;
        for (rank, &chance) in theirs.odds.iter().filter(|(_, chance)| **chance > 0.0) {
            mean += chance * piece_value(rank).min(400.0);
            match self.battle(ours.rank, rank) {
                Outcome::Win => {
                    strike.win += chance;
                    strike.gain += chance * piece_value(rank);
                }
                Outcome::Tie => {
                    strike.tie += chance;
                    strike.gain += chance * (piece_value(rank) - piece_value(ours.rank));
                }
                Outcome::Loss => strike.gain -= chance * piece_value(ours.rank),
            }
        }
        if theirs.known.is_none() {
            strike.gain += self.weights.curiosity * self.boldness * (LEARNED.0 + LEARNED.1 * mean);
        }
        if !ours.exposed {
            strike.gain -= self.weights.secrecy / self.boldness * piece_value(ours.rank);
        }
        strike
    }

    fn battle(&self, striker: Rank, defender: Rank) -> Outcome {
        battle(striker, defender, self.knowledge.view.position().rules().strike_rules())
    }

    /// Weighs an action of ours.
    pub fn weigh(&self, action: Action) -> Option<Candidate<'a>> {
        let knowledge = self.knowledge;
        let mover = knowledge.ours_at(action.from)?.clone();
        let target = knowledge.theirs_at(action.to);
        let mut strike = target.map_or_else(Strike::default, |theirs| self.strike(&mover, theirs));
        if let Some(rescue) = action.rescue {
            let comes = if target.is_some() { strike.win } else { 1.0 };
            strike.gain += comes * rescue.rank.map_or(0.0, piece_value);
        }
        let exposed = mover.exposed || target.is_some() || action.distance() > 1;
        let after = Ours { square: action.to, exposed, moved: true, ..mover };
        let position = knowledge.view.position();
        let last = position.history().rev().nth(1).map(|played| played.action);
        let reverses = last.is_some_and(|last| (last.from, last.to) == (action.to, action.from));
        let danger = self.danger(&after, target, strike);
        let approach = if target.is_some() { 0.0 } else { self.prospect(&after) - self.prospect(&mover) };
        let seen = position.times_reached(action);
        Some(Candidate { action, mover, after, target, strike, danger, approach, seen, reverses })
    }

    /// The score of ordinary play.
    pub fn score(&self, candidate: &Candidate<'_>) -> f32 {
        let Weights { danger, approach, repeat, .. } = self.weights;
        let again = repeat * (candidate.seen as f32 + if candidate.reverses { 0.4 } else { 0.0 });
        candidate.strike.gain - danger * candidate.danger + approach * self.boldness * candidate.approach
            - again
    }

    /// What the best strike that a piece may come to make from where it stands is worth by now.
    fn prospect(&self, piece: &Ours) -> f32 {
        let value = |theirs: &Theirs| {
            let steps = theirs.steps[piece.square];
            if steps >= FAR {
                return 0.0;
            }
            let gain = self.strike(piece, theirs).gain.max(0.0);
            let runs = if theirs.known_mobile().is_some() { RUNNER } else { 1.0 };
            let near =
                self.knowledge.flag().is_some_and(|flag| theirs.moved && theirs.square.distance(flag) <= 3);
            let urgent = if near { 2.0 } else { 1.0 };
            gain * runs
                * urgent
                * (self.appetite)(self.knowledge, piece, theirs)
                * powi(NEARER, i32::from(steps))
        };
        self.knowledge.theirs.iter().map(value).fold(0.0, f32::max)
    }

    /// What the enemy is expected to take with its next action: the worst threat, and a share of the others, as they
    /// cannot all be met.
    fn danger(&self, after: &Ours, struck: Option<&Theirs>, strike: Strike) -> f32 {
        let (mut worst, mut sum) = (0.0_f32, 0.0_f32);
        for piece in &self.knowledge.ours {
            let moves = piece.id == after.id;
            let piece = if moves { after } else { piece };
            let lives = if moves && struck.is_some() { strike.win } else { 1.0 };
            let threat = lives * self.threat(piece, after, struck, strike);
            worst = worst.max(threat);
            sum += threat;
        }
        worst + 0.25 * (sum - worst)
    }

    /// The worst threat to one piece, once `after` stands where it goes.
    fn threat(&self, piece: &Ours, after: &Ours, struck: Option<&Theirs>, strike: Strike) -> f32 {
        let near = piece.square.neighbours().filter_map(|square| self.knowledge.theirs_at(square));
        let threats = near.map(|theirs| {
            // What we strike at is there only if the strike fails.
            let is_struck = struck.is_some_and(|struck| struck.id == theirs.id);
            let stands = if is_struck { 1.0 - strike.win - strike.tie } else { 1.0 };
            let fresh = piece.id == after.id;
            stands.max(0.0) * self.willing(theirs, piece, fresh) * self.loss(theirs, piece, after)
        });
        let threat = threats.fold(0.0, f32::max);
        if piece.rank == Rank::Flag { threat.max(self.scouts_threat(piece, after)) } else { threat }
    }

    /// The threat to our flag by what may be a scout on an open line to it.
    fn scouts_threat(&self, flag: &Ours, after: &Ours) -> f32 {
        if !self.knowledge.view.position().rules().scout {
            return 0.0;
        }
        let lines = Direction::ALL
            .into_iter()
            .filter_map(|direction| self.first_ahead(flag.square, direction, after));
        let threats = lines.map(|theirs| theirs.odds[Rank::Scout] * self.willing(theirs, flag, false));
        threats.fold(0.0, f32::max) * piece_value(Rank::Flag)
    }

    /// The enemy's piece that is first on a line, once `after` stands where it goes.
    fn first_ahead(&self, from: Square, direction: Direction, after: &Ours) -> Option<&Theirs> {
        let squares = std::iter::successors(from.step(direction), |square| square.step(direction));
        let taken = |square: &Square| {
            *square == after.square
                || self.standing(*square, after).is_some()
                || self.knowledge.theirs_at(*square).is_some()
        };
        let first = squares.into_iter().find(taken).filter(|square| *square != after.square)?;
        self.knowledge.theirs_at(first)
    }

    /// How likely the enemy is to strike at `piece` with `theirs`, should that win.
    fn willing(&self, theirs: &Theirs, piece: &Ours, fresh: bool) -> f32 {
        let Weights { fresh: to_fresh, firm, .. } = self.weights;
        match (theirs.known.is_some(), piece.exposed, piece.moved) {
            (true, true, _) => 1.0,
            (true, false, true) => {
                if fresh {
                    to_fresh
                } else {
                    firm
                }
            }
            (true, false, false) => 0.12,
            (false, true, _) => {
                if theirs.moved {
                    0.8
                } else {
                    0.5
                }
            }
            (false, false, true) => {
                if theirs.moved {
                    0.3
                } else {
                    0.15
                }
            }
            (false, false, false) => 0.1,
        }
    }

    /// Points that we lose on average if `theirs` strikes `piece`, less what retaking brings.
    fn loss(&self, theirs: &Theirs, piece: &Ours, after: &Ours) -> f32 {
        let mut loss = 0.0;
        for (rank, &chance) in theirs.odds.iter().filter(|(rank, chance)| rank.is_mobile() && **chance > 0.0)
        {
            loss += chance
                * match self.battle(rank, piece.rank) {
                    Outcome::Win => {
                        let back =
                            if self.retakes(rank, piece, after) { 0.8 * piece_value(rank) } else { 0.0 };
                        (piece_value(piece.rank) - back).max(0.0)
                    }
                    Outcome::Tie => (piece_value(piece.rank) - piece_value(rank)).max(0.0),
                    Outcome::Loss => 0.0,
                };
        }
        loss
    }

    /// Whether we beat a piece of this rank on the square of `piece`, once it has taken that.
    fn retakes(&self, rank: Rank, piece: &Ours, after: &Ours) -> bool {
        piece.square.neighbours().any(|square| {
            let guard = if square == after.square { Some(after) } else { self.standing(square, after) };
            guard.is_some_and(|guard| {
                guard.id != piece.id
                    && guard.rank.is_mobile()
                    && self.battle(guard.rank, rank) == Outcome::Win
            })
        })
    }

    /// Our piece on a square that the mover does not go to.
    pub fn standing(&self, square: Square, after: &Ours) -> Option<&Ours> {
        self.knowledge.ours_at(square).filter(|piece| piece.id != after.id)
    }
}
