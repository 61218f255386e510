//! Many games in step: each player draws its actions by the network, and every decision is noted.

use crate::examples::{Example, Examples};
use crate::game::Game;
use crate::network::{ActionSums, Body, Forward, Inputs, softmax};
use crate::setups::Starts;
use anyhow::Context as _;
use outflank::rng::Rng;
use outflank::rules::{Action, Side};
use outflank::sparse::{
    self, MOST_ACTION_FEATURES, Observation, Odds, action_features, choose, position_features,
};
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
    /// Whether it is an example: chosen by someone else, who is to be followed.
    pub is_example: bool,
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
    /// Decisions of examples.
    pub examples: u64,
    /// How surprising these were, in nats, summed.
    pub surprise: f64,
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
        self.examples += other.examples;
        self.surprise += other.surprise;
    }

    /// Counts a game that ended, unless it is an example.
    fn note_end(&mut self, Seat { game, role, .. }: &Seat, winner: Option<Side>) {
        match *role {
            Role::Example(_) => return,
            Role::Past(past) => {
                self.past.0 += 1;
                self.past.1 += winner.map_or(0.5, |winner| f64::from(u8::from(winner != past)));
            }
            Role::Alone => (),
        }
        self.games += 1;
        self.plies_of_games += game.plies().len() as u64;
        self.strikes += u64::from(game.strikes());
        self.draws += u64::from(winner.is_none());
        self.red += u64::from(winner == Some(Side::Red));
    }
}

/// Who plays a game.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Role {
    /// The network that learns, on both sides.
    Alone,
    /// An earlier network plays this side.
    Past(Side),
    /// Nobody: it is the example of this number.
    Example(usize),
}

/// One game of a group.
#[derive(Clone)]
pub struct Seat {
    /// The game.
    pub game: Game,
    /// Who plays it.
    pub role: Role,
    /// The decisions of each side that were noted in this iteration.
    noted: [Vec<usize>; 2],
}

impl Seat {
    /// A seat with a game in progress.
    pub const fn new(game: Game, role: Role) -> Seat {
        Seat { game, role, noted: [Vec::new(), Vec::new()] }
    }
}

/// Where games come from.
#[derive(Copy, Clone, Debug)]
pub struct Source<'a> {
    /// What games begin with.
    pub starts: &'a Starts,
    /// Games to learn from.
    pub examples: &'a Examples,
    /// The share of the seats that these take.
    pub example_share: f32,
    /// In how many of the other games an earlier network plays one side, as a share.
    pub past_share: f32,
}

impl Source<'_> {
    /// The next game of the seat `place` among `count`.
    ///
    /// # Errors
    /// If it cannot begin: a fault.
    pub fn seat(&self, (place, count): (usize, usize), rng: &mut Rng) -> anyhow::Result<Seat> {
        let share = if self.examples.is_empty() { 0.0 } else { self.example_share };
        let examples = (share * count as f32).round() as usize;
        if place < examples {
            let number = rng.below(self.examples.len());
            let example = self.examples.get(number).context("its number is too high")?;
            return Ok(Seat::new(Game::new(example.start)?, Role::Example(number)));
        }
        let start = self.starts.draw(rng);
        let is_past = self.past_share > 0.0 && rng.unit() < self.past_share;
        let role = if is_past { Role::Past(Side::BOTH[rng.below(2)]) } else { Role::Alone };
        Ok(Seat::new(Game::new(start)?, role))
    }
}

/// What the players of an iteration play by.
#[derive(Copy, Clone, Debug)]
pub struct Players<'a, const H: usize> {
    /// The network that learns.
    pub network: Forward<'a, H>,
    /// An earlier one.
    pub past: Option<&'a sparse::Network>,
    /// Where new games come from.
    pub source: Source<'a>,
    /// How far back what came of a game is passed on.
    pub traces: Traces,
    /// How much what is left of both armies counts at the end of a game, as a share.
    pub material: f32,
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

    /// Plays so many plies of each game. Games that end are followed by others. False if it was to break off.
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
        let role = self.seats[place].role;
        let example = match role {
            Role::Example(number) => players.source.examples.get(number),
            Role::Alone | Role::Past(_) => None,
        };
        let past = players.past.filter(|_| role == Role::Past(mover));
        let action = match (past, example) {
            (Some(network), _) => {
                let said = network.evaluate_actions(&seen, scratch.actions.clone(), &mut scratch.past);
                choose(&said, 1.0, rng).unwrap_or(scratch.actions[0])
            }
            (None, Some(example)) => {
                let wanted = example.plies.get(game.plies().len()).copied();
                let wanted = wanted.context("an example is over")?;
                let place_of = |action: &Action| *action == wanted;
                let chosen = scratch.actions.iter().position(place_of).context("an example is not legal")?;
                self.decide(place, &seen, players, Some(chosen), rng, scratch)
            }
            (None, None) => self.decide(place, &seen, players, None, rng, scratch),
        };
        self.tally.plies += 1;
        let game = &mut self.seats[place].game;
        game.play(action)?;
        let over = |example: &Example| (game.plies().len() >= example.plies.len()).then_some(example.winner);
        if let Some(winner) = game.result().or_else(|| example.and_then(over)) {
            self.end(place, winner, players.traces, players.material);
            let count = self.seats.len();
            self.seats[place] = players.source.seat((place, count), rng)?;
        }
        Ok(())
    }

    /// Draws an action by the network that learns, unless it is given which was chosen, and notes the decision.
    fn decide<const H: usize>(
        &mut self,
        place: usize,
        seen: &Observation,
        players: &Players<'_, H>,
        example: Option<usize>,
        rng: &mut Rng,
        scratch: &mut Scratch<H>,
    ) -> Action {
        let start = self.pool.len();
        position_features(seen, &mut scratch.features);
        let network = &players.network;
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
        let chosen = example.unwrap_or_else(|| draw(&scratch.probabilities, rng));
        let surprise = |score: &f32| norm - score;
        if example.is_some() {
            self.tally.examples += 1;
            self.tally.surprise += f64::from(surprise(&scratch.scores[chosen]));
        } else {
            let terms = scratch.scores.iter().zip(&scratch.probabilities);
            self.tally.entropy += f64::from(terms.map(|(score, share)| share * surprise(score)).sum::<f32>());
            self.tally.decisions += 1;
        }
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
            is_example: example.is_some(),
        });
        scratch.actions[chosen]
    }

    /// Notes how a game ended. What came of its decisions is worked out at once.
    fn end(&mut self, place: usize, winner: Option<Side>, traces: Traces, material: f32) {
        self.tally.note_end(&self.seats[place], winner);
        let of_red = self.seats[place].game.share_of_red();
        for side in Side::BOTH {
            let outcome = winner.map_or(1, |winner| if winner == side { 0 } else { 2 });
            let left = if side == Side::Red { of_red } else { 1.0 - of_red };
            let mut end = [material * left, 0.0, material * (1.0 - left)];
            end[outcome] += 1.0 - material;
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
    examples: 0,
    surprise: 0.0,
};

/// An index, each as likely as its share says.
fn draw(shares: &[f32], rng: &mut Rng) -> usize {
    let mut rest = rng.unit() * shares.iter().sum::<f32>();
    let found = shares.iter().position(|share| {
        rest -= share;
        rest < 0.0
    });
    // Where rounding has left something, it is the last that has a share.
    found.unwrap_or_else(|| shares.iter().rposition(|share| *share > 0.0).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_drawn_as_often_as_they_are_likely() {
        let (mut rng, mut counts) = (Rng::new(1), [0; 4]);
        (0..3000).for_each(|_| counts[draw(&[0.6, 0.39, 0.01, 0.0], &mut rng)] += 1);
        let [first, second, third, never] = counts;
        assert!((1700..1900).contains(&first) && second > 1000 && third > 5 && never == 0, "{counts:?}");
    }
}
