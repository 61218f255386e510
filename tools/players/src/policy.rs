//! Players that choose by a policy network alone, without any search.

use anyhow::{Context, ensure};
use outflank::policy::{Evaluation, Network, Scratch, choose};
use outflank::rng::Rng;
use outflank::rules::Action;
use outflank::view::View;
use std::path::Path;
use std::sync::Arc;

/// A network, the name of its file, and how its answers are used.
#[derive(Clone, Debug, PartialEq)]
pub struct Named<N> {
    file: String,
    temperature: f32,
    network: Arc<N>,
}

/// A policy network and how its answers are used.
pub type Policy = Named<Network>;

/// Reads a network from its file. At temperature 0 the likeliest action is chosen.
pub(crate) fn load<N>(
    path: &str,
    temperature: f32,
    read: impl FnOnce(&[u8]) -> anyhow::Result<N>,
) -> anyhow::Result<Named<N>> {
    ensure!(temperature >= 0.0 && temperature.is_finite(), "a temperature is 0 or more, not {temperature}");
    let network = std::fs::read(path).map_err(anyhow::Error::from).and_then(|bytes| read(&bytes));
    let network = Arc::new(network.with_context(|| format!("network {path}"))?);
    let name = Path::new(path).file_name();
    let file = name.map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned());
    Ok(Named { file, temperature, network })
}

impl Policy {
    /// Reads the network from its file. At temperature 0 the likeliest action is chosen.
    ///
    /// # Errors
    /// If the file cannot be read or holds no network, or the temperature is below 0.
    pub fn load(path: &str, temperature: f32) -> anyhow::Result<Policy> {
        load(path, temperature, |bytes| Ok(Network::read(bytes)?))
    }
}

impl<N> Named<N> {
    /// The name of the network's file, without its folder.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The temperature at which actions are drawn.
    pub const fn temperature(&self) -> f32 {
        self.temperature
    }

    /// The network.
    pub fn network(&self) -> &N {
        &self.network
    }

    pub(crate) fn shared(&self) -> Arc<N> {
        self.network.clone()
    }
}

/// What chooses for a player in one game.
#[derive(Debug)]
pub struct Chooser {
    policy: Policy,
    scratch: Scratch,
    rng: Rng,
}

impl Chooser {
    /// One whose draws follow from the seed.
    pub fn new(policy: Policy, seed: u64) -> Chooser {
        Chooser { policy, scratch: Scratch::default(), rng: Rng::new(seed) }
    }

    /// Chooses an action for the player of `view`, whose turn it is; none if there is none. Tells also what the
    /// network says.
    pub fn choose(&mut self, view: &View) -> (Option<Action>, Evaluation) {
        let evaluation = self.policy.network.evaluate(view, &mut self.scratch);
        (choose(&evaluation, self.policy.temperature, &mut self.rng), evaluation)
    }
}
