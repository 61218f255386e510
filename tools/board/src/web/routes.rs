//! What can be asked of the server.

use super::access::Access;
use super::asked::{Begun, Shared, Watching, room};
use super::guard::guard;
use super::invitations;
use super::refusal::Refusal;
use super::sent::Sent;
use super::site;
use super::studies;
use crate::beliefs::Beliefs;
use crate::game::{Match, Options};
use crate::house::House;
use crate::listing;
use crate::room::Snapshot;
use axum::extract::{DefaultBodyLimit, FromRequestParts, Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router, middleware};
use outflank::deployment::{Source, choose_from};
use outflank::engine::random_seed;
use outflank::rng::Rng;
use outflank::rules::{Played, Setup};
use outflank_record::Record;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;

/// Largest body, in bytes; that of a record may be larger.
const BODY: usize = 16 << 10;
const RECORD: usize = 4 << 20;
/// What is said of a file that holds something else.
const NO_RECORD: &str = "This is no record of a game. A file of records has a game on each line, as “Save the record” \
     writes it; outflank-convert makes records of other formats.";
/// How long a page may wait for a change.
const WAIT: Duration = Duration::from_secs(20);
/// The replay page holds its scripts inside. It runs apart from this site: whatever is in it cannot act as its user.
const REPLAY_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts";

/// All routes, for those who have access.
pub fn router(house: Arc<House>, access: Access) -> Router {
    let game = Router::new()
        .route("/", get(board))
        .route("/state", get(state))
        .route("/setup", post(setup))
        .route("/propose", post(propose))
        .route("/move", post(act))
        .route("/do", post(wish))
        .route("/beliefs", get(beliefs))
        .route("/study", post(studies::of_game))
        .route("/resume", post(studies::resume_game))
        .route("/invitations", get(invitations::ways))
        .route("/invitations/{side}", get(invitations::code))
        .route("/record", get(record))
        .route("/replay", get(replay));
    Router::new()
        .route("/", get(site::lobby))
        .route("/page/{name}", get(site::file))
        .route("/new", post(new))
        .route("/study", get(site::study).post(studies::of_position))
        .route("/resume", post(studies::resume))
        .route("/list", post(list).layer(DefaultBodyLimit::max(RECORD)))
        .route("/load", post(load).layer(DefaultBodyLimit::max(RECORD)))
        .nest("/game/{token}", game)
        .fallback(async || site::missing())
        .layer(DefaultBodyLimit::max(BODY))
        .layer(Extension(access.clone()))
        .layer(middleware::from_fn_with_state(access, guard))
        .with_state(house)
}

async fn new(State(house): Shared, body: Sent<Options>) -> Result<Json<Begun>, Refusal> {
    let room = house.begin(body.json()?)?;
    Ok(Json(Begun::at(&room)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Brought {
    /// What the file holds.
    text: String,
}

/// The turn to bring a file. It comes before the body is read, so that the files of those who wait take no memory.
struct Turn(OwnedSemaphorePermit);

impl FromRequestParts<Arc<House>> for Turn {
    type Rejection = Refusal;

    async fn from_request_parts(_: &mut Parts, house: &Arc<House>) -> Result<Turn, Refusal> {
        let permit = house.resources().reading.clone().acquire_owned().await;
        Ok(Turn(permit.map_err(|_| Refusal::Late)?))
    }
}

impl Turn {
    /// Reads what was brought. The turn lasts until it is read, even if nobody waits for the answer any longer.
    async fn read<T: Send + 'static>(
        self,
        otherwise: &str,
        read: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let done = tokio::task::spawn_blocking(move || {
            let done = read();
            drop(self.0);
            done
        });
        done.await.map_err(|_| Refusal::Bad(otherwise.to_owned()))
    }
}

/// The games of a file, to choose one of.
async fn list(turn: Turn, body: Sent<Brought>) -> Result<Json<listing::Listing>, Refusal> {
    let text = body.json()?.text;
    let read = turn.read("This file cannot be read.", move || listing::games(&text)).await?;
    Ok(Json(read.map_err(Refusal::Bad)?))
}

/// A record is played again by the referee, which may take a while for a long one.
async fn load(State(house): Shared, turn: Turn, body: Sent<Record>) -> Result<Json<Begun>, Refusal> {
    let record = body.json_or(NO_RECORD)?;
    let game = turn.read("The record cannot be replayed.", move || Match::from_record(record)).await?;
    let game = game.map_err(|error| Refusal::Bad(format!("The record cannot be replayed: {error:#}.")))?;
    Ok(Json(Begun::at(house.admit(game)?.as_ref())))
}

async fn board(State(house): Shared, Path(token): Path<String>) -> Response {
    match room(&house, token) {
        Ok(_) => site::board().into_response(),
        Err(_) => site::missing().into_response(),
    }
}

#[derive(Deserialize)]
struct Asked {
    /// The version that the page has; it waits for another one.
    since: Option<u64>,
    /// The server that the version is from, if the page says so; another one answers at once.
    run: Option<String>,
    /// Whose eyes somebody wants to watch through, as in [`Watching`].
    eyes: Option<String>,
}

async fn state(
    State(house): Shared,
    Path(token): Path<String>,
    Query(query): Query<Asked>,
) -> Result<Json<Snapshot>, Refusal> {
    let (room, own) = room(&house, token)?;
    let ours = query.run.is_none_or(|run| run == house.run().to_string());
    if let Some(since) = query.since.filter(|_| ours) {
        room.changed(since, WAIT).await;
    }
    let snapshot = room.snapshot(house.run(), Watching { eyes: query.eyes }.or(own));
    // Engines that had stopped because nobody looked go on.
    room.drive(house.resources());
    Ok(Json(snapshot))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Army {
    setup: String,
}

async fn setup(
    State(house): Shared,
    Path(token): Path<String>,
    body: Sent<Army>,
) -> Result<Json<Snapshot>, Refusal> {
    let (room, eyes) = room(&house, token)?;
    let setup: Setup = body.json()?.setup.parse().map_err(crate::game::Refused::Setup)?;
    room.deploy(house.resources(), eyes, &setup)?;
    Ok(Json(room.snapshot(house.run(), eyes)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Proposal {
    /// Whether the army is drawn afresh, and not taken from the book.
    #[serde(default)]
    drawn: bool,
}

/// An army of the engine's choice, as a beginning.
async fn propose(
    State(house): Shared,
    Path(token): Path<String>,
    body: Sent<Proposal>,
) -> Result<Json<serde_json::Value>, Refusal> {
    let ((room, _), proposal) = (room(&house, token)?, body.json()?);
    let rules = *room.lock().game.rules();
    let source = if proposal.drawn { Source::Drawn } else { Source::Book };
    let setup = choose_from(source, &rules, None, &mut Rng::new(random_seed()));
    Ok(Json(serde_json::json!({ "setup": setup.to_string() })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Act {
    /// The action, as in `e4e5`.
    action: String,
    /// How many plies the page knows of.
    ply: usize,
}

async fn act(
    State(house): Shared,
    Path(token): Path<String>,
    body: Sent<Act>,
) -> Result<Json<Snapshot>, Refusal> {
    let ((room, eyes), act) = (room(&house, token)?, body.json()?);
    match act.action.parse() {
        Ok(Played { action, verdict: None }) => room.play(house.resources(), eyes, (action, act.ply))?,
        Ok(Played { verdict: Some(_), .. }) | Err(_) => {
            return Err(Refusal::Bad("That is no move, as in e4e5.".to_owned()));
        }
    };
    Ok(Json(room.snapshot(house.run(), eyes)))
}

/// What a person may want besides moving.
#[derive(Copy, Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Wish {
    TakeBack,
    Resign,
    OfferDraw,
    AcceptDraw,
    DeclineDraw,
    Rematch,
    Hint,
    HandOver,
    SitDown,
    Pause,
    GoOn,
    Step,
    End,
    Pace,
    Retry,
    Replay,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wished {
    wish: Wish,
    /// Milliseconds between the plies of two engines, where a pace is wished for.
    #[serde(default)]
    pace: u64,
}

async fn wish(
    State(house): Shared,
    Path(token): Path<String>,
    Query(watching): Query<Watching>,
    body: Sent<Wished>,
) -> Result<Json<Snapshot>, Refusal> {
    let ((room, own), wished) = (room(&house, token)?, body.json()?);
    let (eyes, resources) = (watching.or(own), house.resources());
    match wished.wish {
        Wish::TakeBack => room.change(resources, eyes, crate::room::State::take_back)?,
        Wish::Resign => room.change(resources, eyes, |state| {
            let side = state.game.resigning().ok_or(crate::game::Refused::Stage)?;
            state.game.resign(side)
        })?,
        Wish::OfferDraw => room.change(resources, eyes, crate::room::State::offer_draw)?,
        Wish::AcceptDraw => room.change(resources, eyes, |state| state.game.answer_draw(true))?,
        Wish::DeclineDraw => room.change(resources, eyes, |state| state.game.answer_draw(false))?,
        Wish::Rematch => {
            if let Err(game) = room.rematch()? {
                let next = house.admit(*game)?;
                room.goes_on_at(next.tokens.clone());
            }
        }
        Wish::Hint => room.advise(resources, eyes)?,
        Wish::HandOver => room.change(resources, eyes, |state| state.game.hand_over())?,
        Wish::SitDown => room.change(resources, eyes, |state| state.game.sit_down())?,
        Wish::Step => room.step_on(resources),
        Wish::End => room.change(resources, eyes, |state| state.game.break_off())?,
        Wish::Pace => room.set_pace(Duration::from_millis(wished.pace)),
        Wish::Pause => room.pause(resources, true),
        Wish::GoOn => room.pause(resources, false),
        Wish::Retry => room.retry(resources),
        Wish::Replay => room.make_replay(resources)?,
    }
    Ok(Json(room.snapshot(house.run(), eyes)))
}

/// What hidden pieces may be, in a friendly game.
async fn beliefs(
    State(house): Shared,
    Path(token): Path<String>,
    Query(watching): Query<Watching>,
) -> Result<Json<Beliefs>, Refusal> {
    let (room, own) = room(&house, token)?;
    let eyes = watching.or(own);
    // An engine that replays the game is one that thinks.
    let permit = house.resources().thinking.acquire().await;
    let believed = tokio::task::spawn_blocking(move || room.beliefs(eyes)).await;
    drop(permit);
    Ok(Json(believed.map_err(|_| Refusal::Bad("The beliefs cannot be reckoned.".to_owned()))??))
}

/// The record, once the game is over: it holds both armies.
async fn record(State(house): Shared, Path(token): Path<String>) -> Result<Response, Refusal> {
    let (room, _) = room(&house, token)?;
    let record = room.lock().game.record().ok_or(crate::game::Refused::Stage)?;
    let line = record.line().map_err(|error| Refusal::Bad(error.to_string()))?;
    let name = format!("attachment; filename=\"stratego-{}.jsonl\"", room.number);
    Ok(([(CONTENT_TYPE, "application/jsonl".to_owned()), (CONTENT_DISPOSITION, name)], line).into_response())
}

async fn replay(State(house): Shared, Path(token): Path<String>) -> Result<Response, Refusal> {
    let (room, _) = room(&house, token)?;
    let page = room.replay().ok_or(crate::game::Refused::Stage)?;
    Ok(([(CONTENT_SECURITY_POLICY, REPLAY_POLICY)], Html(page.to_string())).into_response())
}
