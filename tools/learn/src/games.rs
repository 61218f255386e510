//! Many games in step: each player draws its actions by the network, and every decision is noted.

use crate::game::Game;
use crate::network::{ActionSums, Body, Forward, Inputs, softmax};
use crate::setups::Starts;
use outflank::policy::choose;
use outflank::rng::Rng;
use outflank::rules::{Action, Side};
use outflank::sparse::{self, MOST_ACTION_FEATURES, Observation, Odds, action_features, position_features};
use std::sync::atomic::{AtomicBool, Ordering};

/// One decision, and what came of it.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Where its features begin in the pool.
    start: usize,
    /// Features of the position.
    position: usize,
    /// Where those of the actions end.
    end: usize,
    /// How many actions there were.
    pub actions: usize,
    /// Which was drawn.
    pub chosen: usize,
    /// The logarithm of the chance with which it was.
    pub log_probability: f32,
    /// The chances of a win, a draw and a loss that the network saw.
    pub outcome: [f32; 3],
    /// How much better than expected its game went on: a win is worth 1, a loss -1.
    pub advantage: f32,
    /// The chances that the value is to learn.
    pub target: [f32; 3],
    /// Whether it is known what came of it.
    pub is_known: bool,
}

/// Counts of one iteration's games.
#[derive(Copy, Clone, Debug, Default)]
pub struct Tally {
    /// Plies made.
    pub plies: u64,
    /// Games that ended.
    pub games: u64,
    /// Plies of these.
    pub plies_of_games: u64,
    /// Draws among them.
    pub draws: u64,
    /// Games that Red won.
    pub red: u64,
    /// Strikes made in them.
    pub strikes: u64,
    /// Entropy, in nats, summed over decisions.
    pub entropy: f64,
    /// Decisions.
    pub decisions: u64,
    /// Games against an earlier network, and points made in them.
    pub past: (u64, f64),
}

impl Tally {
    /// Adds another one.
    pub fn add(&mut self, other: &Tally) {
        self.plies += other.plies;
        self.games += other.games;
        self.plies_of_games += other.plies_of_games;
        self.draws += other.draws;
        self.red += other.red;
        self.strikes += other.strikes;
        self.entropy += other.entropy;
        self.decisions += other.decisions;
        self.past.0 += other.past.0;
        self.past.1 += other.past.1;
    }
}

/// One game of a group.
#[derive(Clone)]
pub struct Seat {
    /// The game.
    pub game: Game,
    /// The side that an earlier network plays, if one does.
    pub past: Option<Side>,
    /// The decisions of each side that were noted in this iteration.
    noted: [Vec<usize>; 2],
}

impl Seat {
    /// A seat with a game in progress.
    pub const fn new(game: Game, past: Option<Side>) -> Seat {
        Seat { game, past, noted: [Vec::new(), Vec::new()] }
    }
}

/// What the players of an iteration play by.
#[derive(Copy, Clone, Debug)]
pub struct Players<'a, const H: usize> {
    /// The network that learns.
    pub network: Forward<'a, H>,
    /// An earlier one.
    pub past: Option<&'a sparse::Network>,
    /// In how many of the games it plays one side, as a share.
    pub past_share: f32,
    /// What new games begin with.
    pub starts: &'a Starts,
    /// How far back what came of a game is passed on.
    pub traces: Traces,
    /// Set to break off.
    pub stop: &'a AtomicBool,
}

/// Games that one thread plays in step, and the decisions noted in them.
pub struct Group {
    /// Its games.
    pub seats: Vec<Seat>,
    /// The decisions of this iteration.
    pub decisions: Vec<Decision>,
    pool: Vec<u16>,
    /// Counts of this iteration.
    pub tally: Tally,
}

/// Memory for one decision.
#[derive(Default)]
struct Scratch<const H: usize> {
    body: Body<H>,
    sums: Vec<ActionSums>,
    scores: Vec<f32>,
    probabilities: Vec<f32>,
    features: Vec<u16>,
    actions: Vec<Action>,
    past: sparse::Scratch,
}

impl Group {
    /// These games.
    pub const fn new(seats: Vec<Seat>) -> Group {
        Group { seats, decisions: Vec::new(), pool: Vec::new(), tally: NOTHING }
    }

    /// The features of a decision.
    pub fn inputs(&self, decision: &Decision) -> Inputs<'_> {
        let (position, actions) = self.pool[decision.start..decision.end].split_at(decision.position);
        Inputs { position, actions }
    }

    /// Plays so many plies of each game. Games that end are followed by others. False if it was told to break off.
    ///
    /// # Errors
    /// If the rules refuse what they listed: a fault.
    pub fn play<const H: usize>(
        &mut self,
        players: &Players<'_, H>,
        steps: usize,
        rng: &mut Rng,
    ) -> anyhow::Result<bool> {
        self.decisions.clear();
        self.pool.clear();
        self.tally = NOTHING;
        self.seats.iter_mut().for_each(|seat| seat.noted.iter_mut().for_each(Vec::clear));
        let mut scratch = Scratch::default();
        for _ in 0..steps {
            if players.stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            for place in 0..self.seats.len() {
                self.step(place, players, rng, &mut scratch)?;
            }
        }
        for place in 0..self.seats.len() {
            for side in Side::BOTH {
                self.look_back(place, side, None, players.traces);
            }
        }
        Ok(true)
    }

    /// Plays one ply of a game.
    fn step<const H: usize>(
        &mut self,
        place: usize,
        players: &Players<'_, H>,
        rng: &mut Rng,
        scratch: &mut Scratch<H>,
    ) -> anyhow::Result<()> {
        let game = &self.seats[place].game;
        game.view().position().actions_into(&mut scratch.actions);
        let (seen, mover) = (game.observation(), game.to_move());
        let past = players.past.filter(|_| self.seats[place].past == Some(mover));
        let action = match past {
            Some(network) => {
                let said = network.evaluate_actions(&seen, scratch.actions.clone(), &mut scratch.past);
                choose(&said, 1.0, rng).unwrap_or(scratch.actions[0])
            }
            None => self.decide(place, &seen, &players.network, rng, scratch),
        };
        self.tally.plies += 1;
        let game = &mut self.seats[place].game;
        game.play(action)?;
        if let Some(winner) = game.result() {
            self.end(place, winner, players.traces);
            let start = players.starts.draw(rng);
            let past = players.past.filter(|_| rng.unit() < players.past_share);
            let side = past.map(|_| Side::BOTH[rng.below(2)]);
            self.seats[place] = Seat::new(Game::new(start)?, side);
        }
        Ok(())
    }

    /// Draws an action by the network that learns, and notes the decision.
    fn decide<const H: usize>(
        &mut self,
        place: usize,
        seen: &Observation,
        network: &Forward<'_, H>,
        rng: &mut Rng,
        scratch: &mut Scratch<H>,
    ) -> Action {
        let start = self.pool.len();
        position_features(seen, &mut scratch.features);
        let shape = network.layout.shape;
        let known = scratch
            .features
            .iter()
            .copied()
            .filter(|&feature| usize::from(feature) < shape.position_features);
        self.pool.extend(known);
        let middle = self.pool.len();
        let odds = Odds::new(seen);
        let mut features = [0; MOST_ACTION_FEATURES];
        for &action in &scratch.actions {
            let count = action_features(seen, &odds, action, &mut features);
            let known = features[..count]
                .iter()
                .copied()
                .filter(|&feature| usize::from(feature) < shape.action_features);
            let header = self.pool.len();
            self.pool.push(0);
            self.pool.extend(known);
            self.pool[header] = (self.pool.len() - header - 1) as u16;
        }
        let (position, actions) = self.pool[start..].split_at(middle - start);
        let inputs = Inputs { position, actions };
        network.scores(inputs, &mut scratch.body, &mut scratch.sums, &mut scratch.scores);
        let norm = softmax(&scratch.scores, &mut scratch.probabilities);
        let chosen = draw(&scratch.probabilities, rng);
        let surprise = |score: &f32| norm - score;
        let terms = scratch.scores.iter().zip(&scratch.probabilities);
        self.tally.entropy += f64::from(terms.map(|(score, share)| share * surprise(score)).sum::<f32>());
        self.tally.decisions += 1;
        let mover = self.seats[place].game.to_move();
        self.seats[place].noted[mover.index()].push(self.decisions.len());
        self.decisions.push(Decision {
            start,
            position: middle - start,
            end: self.pool.len(),
            actions: scratch.actions.len(),
            chosen,
            log_probability: -surprise(&scratch.scores[chosen]),
            outcome: scratch.body.outcome,
            advantage: 0.0,
            target: [0.0; 3],
            is_known: false,
        });
        scratch.actions[chosen]
    }

    /// Notes how a game ended. What came of its decisions is worked out at once.
    fn end(&mut self, place: usize, winner: Option<Side>, traces: Traces) {
        let seat = &self.seats[place];
        let tally = &mut self.tally;
        tally.games += 1;
        tally.plies_of_games += seat.game.plies().len() as u64;
        tally.strikes += u64::from(seat.game.strikes());
        tally.draws += u64::from(winner.is_none());
        tally.red += u64::from(winner == Some(Side::Red));
        if let Some(past) = seat.past {
            let points = winner.map_or(0.5, |winner| f64::from(u8::from(winner != past)));
            tally.past.0 += 1;
            tally.past.1 += points;
        }
        for side in Side::BOTH {
            let outcome = winner.map_or(1, |winner| if winner == side { 0 } else { 2 });
            let mut end = [0.0; 3];
            end[outcome] = 1.0;
            self.look_back(place, side, Some(end), traces);
        }
    }

    /// Works out what came of the decisions of one side of a game, of which this is known to be the end.
    fn look_back(&mut self, place: usize, side: Side, end: Option<[f32; 3]>, traces: Traces) {
        let mut next = end.map(|end| Later { outcome: end, target: end, advantage: 0.0 });
        for &index in self.seats[place].noted[side.index()].iter().rev() {
            let decision = &mut self.decisions[index];
            let outcome = decision.outcome;
            next = Some(match next {
                None => Later { outcome, target: outcome, advantage: 0.0 },
                Some(later) => {
                    decision.is_known = true;
                    decision.target = later.mixed(traces.value);
                    decision.advantage =
                        value(later.outcome) - value(outcome) + traces.policy * later.advantage;
                    Later { outcome, target: decision.target, advantage: decision.advantage }
                }
            });
        }
    }
}

/// What came after a decision.
#[derive(Copy, Clone)]
struct Later {
    outcome: [f32; 3],
    target: [f32; 3],
    advantage: f32,
}

impl Later {
    /// What the network saw then, and what came of that by so much.
    fn mixed(&self, trace: f32) -> [f32; 3] {
        std::array::from_fn(|place| (1.0 - trace) * self.outcome[place] + trace * self.target[place])
    }
}

fn value(outcome: [f32; 3]) -> f32 {
    outcome[0] - outcome[2]
}

/// How far back what came of a game is passed on.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Traces {
    /// For the policy's advantages, 0 to 1 a decision.
    pub policy: f32,
    /// For the value's targets.
    pub value: f32,
}

const NOTHING: Tally = Tally {
    plies: 0,
    games: 0,
    plies_of_games: 0,
    draws: 0,
    red: 0,
    strikes: 0,
    entropy: 0.0,
    decisions: 0,
    past: (0, 0.0),
};

/// An index, each as likely as its share says.
fn draw(shares: &[f32], rng: &mut Rng) -> usize {
    let mut rest = rng.unit();
    let found = shares.iter().position(|share| {
        rest -= share;
        rest < 0.0
    });
    found.unwrap_or(shares.len() - 1)
}
