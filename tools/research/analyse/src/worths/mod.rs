//! What kinds of actions are worth beyond what the search sees of them.
//!
//! The engine plays itself and draws each action from the best that its search found, the likelier the better: among near
//! equals the choice is a randomised experiment. What comes of it, less what the search expected, is regressed on the
//! features of the chosen action ([`outflank::policy::linear`]) less what was to be expected of them. So a coefficient
//! is the worth of a feature in points of the game (won 1, lost 0) that the search does not see. With the engine's policy
//! in play it is also asked what a point of the search and a nat of each network are worth: what was drawn is then
//! compared with what was expected of the turn.
//!
//! Advantages are generalised advantage estimates (Schulman et al. 2016) with the search's own expectations as critic.
//! Errors are those of the sandwich estimator, a game a cluster (Liang and Zeger 1986).

pub mod command;
mod covariate;
mod play;
mod sums;

pub use covariate::Covariate;
pub use play::{Decision, Settings, play};
pub use sums::{Sums, Worth};

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::thread;

/// Plays games with the numbers of `games` on so many threads; hands over the sums of each by rising number, so that what
/// was kept before a kill is the first games, whole.
///
/// # Errors
/// The first of a game's or of `keep`'s.
pub fn play_all(
    settings: &Settings,
    games: Range<u64>,
    threads: usize,
    mut keep: impl FnMut(Sums) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let (next, (sender, receiver)) = (&AtomicU64::new(games.start), channel());
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let sender = sender.clone();
            scope.spawn(move || {
                let numbers = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
                for number in numbers.take_while(|number| *number < games.end) {
                    if sender.send((number, play(settings, number).map(|game| Sums::of(&game)))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let (mut waiting, mut due) = (BTreeMap::new(), games.start);
        // After an error nobody listens, and whoever plays on stops with the game.
        receiver.into_iter().try_for_each(|(number, game)| {
            waiting.insert(number, game?);
            while let Some(game) = waiting.remove(&due) {
                keep(game)?;
                due += 1;
            }
            Ok(())
        })
    })
}
