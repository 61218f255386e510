//! Players that choose by a sparse network alone, or by what playouts make of it.

use anyhow::{Context, ensure};
use outflank::math;
use outflank::rng::Rng;
use outflank::rules::Action;
use outflank::sparse::{Accumulator, Evaluation, Network, Observation, Playouts, Pursuits, Scratch, choose};
use outflank::view::View;
use std::path::Path;
use std::sync::Arc;

/// Actions that are less likely than this, at a temperature below 1, are not drawn.
const LEAST: f32 = 0.01;

/// A network, the name of its file, and how its answers are used.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    file: String,
    temperature: f32,
    network: Arc<Network>,
}

impl Policy {
    /// Reads the network from its file. At temperature 0 the likeliest action is chosen.
    ///
    /// # Errors
    /// If the file cannot be read or holds no sparse network, or the temperature is below 0.
    pub fn load(path: &str, temperature: f32) -> anyhow::Result<Policy> {
        ensure!(
            temperature >= 0.0 && temperature.is_finite(),
            "a temperature is 0 or more, not {temperature}"
        );
        let read = |bytes: Vec<u8>| Ok(Network::read(&bytes)?);
        let network = std::fs::read(path).map_err(anyhow::Error::from).and_then(read);
        let network = Arc::new(network.with_context(|| format!("network {path}"))?);
        let name = Path::new(path).file_name();
        let file = name.map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned());
        Ok(Policy { file, temperature, network })
    }

    /// The name of the network's file, without its folder.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The temperature at which actions are drawn.
    pub const fn temperature(&self) -> f32 {
        self.temperature
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }
}

/// What chooses for a player in one game.
#[derive(Debug)]
pub(crate) struct Chooser {
    network: Arc<Network>,
    temperature: f32,
    playouts: Option<Playouts>,
    accumulator: Accumulator,
    scratch: Scratch,
    rng: Rng,
}

impl Chooser {
    /// One whose draws follow from the seed; `nodes` are the positions of its playouts, if it makes any.
    pub(crate) fn new(policy: &Policy, nodes: Option<u64>, seed: u64) -> Chooser {
        Chooser {
            network: policy.network.clone(),
            temperature: policy.temperature,
            playouts: nodes.map(Playouts::new),
            accumulator: Accumulator::default(),
            scratch: Scratch::default(),
            rng: Rng::new(seed),
        }
    }

    /// Chooses an action for the player of `view`, whose turn it is, by what the pieces did; none if there is none. Tells also
    /// what the network says.
    pub(crate) fn choose(&mut self, view: &View, pursuits: &Pursuits) -> (Option<Action>, Evaluation) {
        let seen = Observation::new(view, pursuits);
        let actions = view.position().actions();
        let said = self.network.evaluate_by(&mut self.accumulator, &seen, actions, &mut self.scratch);
        let said = match &self.playouts {
            Some(playouts) => playouts.improve(&self.network, (view, pursuits), &said, &mut self.rng),
            None => said,
        };
        if self.temperature >= 1.0 {
            return (choose(&said, self.temperature, &mut self.rng), said);
        }
        let likely = without_unlikely(&said, self.temperature);
        (choose(&likely, self.temperature, &mut self.rng), said)
    }
}

/// What is left of the actions once those that are hardly drawn at this temperature are gone.
fn without_unlikely(said: &Evaluation, temperature: f32) -> Evaluation {
    let most = said.log_probabilities.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weight = |value: f32| math::exp((value - most) / temperature.max(1e-6));
    let sum: f32 = said.log_probabilities.iter().map(|&value| weight(value)).sum();
    let numbered = said.actions.iter().zip(&said.log_probabilities);
    let (actions, log_probabilities) = numbered.filter(|(_, value)| weight(**value) >= LEAST * sum).unzip();
    Evaluation { actions, log_probabilities, ..*said }
}
