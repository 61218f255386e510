//! Answers to requests that cannot be met.

use crate::game::Refused;
use crate::house::NoRoom;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Why a request is not met.
pub(super) enum Refusal {
    /// There is no such game.
    Missing,
    /// What was sent cannot be read or cannot be.
    Bad(String),
    /// The game does not allow it.
    Game(Refused),
    /// What was sent did not come in time.
    Late,
    /// The server cannot take another game.
    NoRoom(NoRoom),
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Refusal {
        Refusal::Game(refused)
    }
}

impl From<NoRoom> for Refusal {
    fn from(why: NoRoom) -> Refusal {
        Refusal::NoRoom(why)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, text) = match self {
            Refusal::Missing => (StatusCode::NOT_FOUND, "There is no such game.".to_owned()),
            Refusal::Bad(text) => (StatusCode::BAD_REQUEST, text),
            Refusal::Game(refused) => (StatusCode::CONFLICT, refused.to_string()),
            Refusal::Late => (StatusCode::REQUEST_TIMEOUT, "The request did not come to its end.".to_owned()),
            Refusal::NoRoom(why) => (StatusCode::SERVICE_UNAVAILABLE, why.to_string()),
        };
        (status, Json(json!({ "error": text }))).into_response()
    }
}
