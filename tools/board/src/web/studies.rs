//! Looking into positions, and playing on from them.

use super::asked::{Begun, Shared, room, side};
use super::refusal::Refusal;
use super::sent::Sent;
use crate::game::{EngineSeat, Match};
use crate::house::House;
use crate::study::{Insight, Study};
use axum::Json;
use axum::extract::{Path, State};
use outflank::engine::random_seed;
use outflank::rng::Rng;
use outflank::rules::{Ruleset, Side, Spn, Viewer};
use serde::Deserialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A moment of a game that is over, as one side saw it or as it was.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Look {
    /// Plies made by then.
    ply: usize,
    /// `red`, `blue`, or anything else for the truth.
    eyes: String,
    nodes: u64,
}

/// A position, by its text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LookAt {
    position: String,
    /// `red`, `blue`, or anything else for both armies.
    #[serde(default)]
    eyes: String,
    nodes: u64,
}

/// A person's side, and the level of the engine on the other one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Against {
    #[serde(default)]
    ply: usize,
    #[serde(default)]
    position: String,
    side: String,
    engine: EngineSeat,
}

impl Against {
    fn side(&self) -> Result<Side, Refusal> {
        side(&self.side)
            .filter(|_| self.engine.is_possible())
            .ok_or_else(|| Refusal::Bad("Nobody plays so.".to_owned()))
    }
}

fn viewer(eyes: &str) -> Viewer {
    side(eyes).map_or(Viewer::Both, Viewer::Player)
}

fn position(text: &str) -> Result<Spn, Refusal> {
    Spn::parse(text, Ruleset::default())
        .map_err(|error| Refusal::Bad(format!("This is no position: {error}.")))
}

/// Stops a search when nobody waits for it any longer.
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Looks into something, in a thread and a turn of its own.
async fn looked(house: Arc<House>, study: Box<Study>, nodes: u64) -> Result<Json<Insight>, Refusal> {
    // A search is one that thinks.
    let permit = house.resources().thinking.acquire().await;
    let stop = Arc::new(AtomicBool::new(false));
    let _waiting = Waiting(stop.clone());
    let found = tokio::task::spawn_blocking(move || study.look(nodes, &stop)).await;
    drop(permit);
    Ok(Json(found.map_err(|_| Refusal::Bad("This position cannot be searched.".to_owned()))?))
}

pub(super) async fn of_position(State(house): Shared, body: Sent<LookAt>) -> Result<Json<Insight>, Refusal> {
    let LookAt { position: text, eyes, nodes } = body.json()?;
    looked(house, Box::new(Study::of_position(&position(&text)?, viewer(&eyes))), nodes).await
}

pub(super) async fn of_game(
    State(house): Shared,
    Path(token): Path<String>,
    body: Sent<Look>,
) -> Result<Json<Insight>, Refusal> {
    let ((room, _), Look { ply, eyes, nodes }) = (room(&house, token)?, body.json()?);
    let game = room.lock().game.clone();
    let study = Study::of_game(&game, ply, viewer(&eyes))?;
    looked(house, Box::new(study), nodes).await
}

pub(super) async fn resume(State(house): Shared, body: Sent<Against>) -> Result<Json<Begun>, Refusal> {
    let asked = body.json()?;
    let (start, side) = (position(&asked.position)?, asked.side()?);
    let game = Match::from_position(&start, side, asked.engine, &mut Rng::new(random_seed()))?;
    Ok(Json(Begun::at(house.admit(game)?.as_ref())))
}

pub(super) async fn resume_game(
    State(house): Shared,
    Path(token): Path<String>,
    body: Sent<Against>,
) -> Result<Json<Begun>, Refusal> {
    let ((room, _), asked) = (room(&house, token)?, body.json()?);
    let game = room.lock().game.resumed(asked.ply, asked.side()?, asked.engine)?;
    Ok(Json(Begun::at(house.admit(game)?.as_ref())))
}
