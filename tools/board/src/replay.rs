//! The page of a finished game: the board and what each side believed, ply by ply.

use crate::game::{Match, Refused, Seat};
use crate::resources::Resources;
use crate::room::{Replay, Room};
use indicatif::ProgressBar;
use outflank_pages::{Settings, page};
use outflank_record::Record;
use outflank_record::console::complain;
use std::sync::Arc;

/// Nodes before which a player of full strength asks what the enemy's last move tells; lower levels do not ask.
const INFERENCE_NODES: u64 = 2000;
/// Nodes of the search at each ply that draws the curve of the page: some milliseconds.
const NODES: u64 = 500;

impl Room {
    /// Makes the page, unless it is made or being made.
    pub(crate) fn make_replay(self: &Arc<Room>, resources: &Arc<Resources>) -> Result<(), Refused> {
        let (record, settings, bar) = {
            let mut state = self.lock();
            if matches!(state.replay, Replay::Making(_) | Replay::Made(_)) {
                return Ok(());
            }
            let record = as_you(state.game.record().ok_or(Refused::Stage)?);
            let bar = ProgressBar::hidden();
            bar.set_length(u64::from(record.plies));
            state.replay = Replay::Making(bar.clone());
            (record, settings(&state.game), bar)
        };
        self.bump();
        let (room, resources) = (self.clone(), resources.clone());
        let again = !self.lock().game.is_loaded();
        tokio::spawn(async move {
            let Ok(permit) = resources.thinking.acquire().await else { return };
            let game = format!("/game/{}", room.tokens.own);
            let (study, rematch) = (format!("/study#{}-0-both", room.tokens.own), format!("{game}#rematch"));
            let made = tokio::task::spawn_blocking(move || {
                let mut links = vec![("The game", &*game), ("Lines and playing on", &study), ("Lobby", "/")];
                links.extend(again.then_some(("Rematch", &*rematch)));
                page(&record, settings, &links, &bar)
            });
            let made = made.await;
            drop(permit);
            let replay = match made {
                Ok(Ok(page)) => Replay::Made(page.into()),
                Ok(Err(error)) => Replay::Failed(format!("{error:#}")),
                Err(_) => Replay::Failed("it broke off".to_owned()),
            };
            if let Replay::Failed(why) = &replay {
                complain(format_args!("the replay page of game {}: {why}", room.number));
            }
            room.lock().replay = replay;
            room.bump();
        });
        Ok(())
    }

    /// The page, once it is made.
    pub(crate) fn replay(&self) -> Option<Arc<str>> {
        match &self.lock().replay {
            Replay::Made(page) => Some(page.clone()),
            Replay::None | Replay::Making(_) | Replay::Failed(_) => None,
        }
    }
}

/// The record as the one person who played reads it.
fn as_you(mut record: Record) -> Record {
    let person = Seat::Person.to_string();
    let mut persons: Vec<&mut String> =
        record.players.values_mut().map(|player| &mut player.name).filter(|name| **name == person).collect();
    if let [name] = &mut persons[..] {
        "you".clone_into(name);
    }
    record
}

/// The page shows what the engine believed, so it asks about moves where the engine did.
fn settings(game: &Match) -> Settings {
    let full = |seat: &Seat| matches!(seat, Seat::Engine(engine) if engine.level == 20);
    let inference_nodes = if game.options().seats.values().any(full) { INFERENCE_NODES } else { 0 };
    Settings { inference_nodes, nodes: NODES }
}
