//! What a request brings with it.

use super::refusal::Refusal;
use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use std::time::Duration;

/// How long the body of a request may take to come: it comes from this machine, or from one nearby.
const PATIENCE: Duration = Duration::from_secs(10);

/// The body of a request, if it came in time and is what it should be.
pub(super) enum Sent<T> {
    /// It is.
    Whole(T),
    /// It is not.
    Refused(JsonRejection),
    /// It did not come in time.
    Late,
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Sent<T> {
    type Rejection = Infallible;

    async fn from_request(request: Request, state: &S) -> Result<Sent<T>, Infallible> {
        let read = tokio::time::timeout(PATIENCE, Json::<T>::from_request(request, state)).await;
        Ok(match read {
            Ok(Ok(Json(value))) => Sent::Whole(value),
            Ok(Err(refused)) => Sent::Refused(refused),
            Err(_) => Sent::Late,
        })
    }
}

impl<T> Sent<T> {
    /// What was sent.
    pub(super) fn json(self) -> Result<T, Refusal> {
        match self {
            Sent::Whole(value) => Ok(value),
            Sent::Refused(refused) => Err(Refusal::Bad(refused.body_text())),
            Sent::Late => Err(Refusal::Late),
        }
    }

    /// What was sent; of a text that is nothing of the kind this is said, as a parser's words help nobody.
    pub(super) fn json_or(self, otherwise: &str) -> Result<T, Refusal> {
        match self {
            Sent::Refused(refused) if refused.status() != StatusCode::PAYLOAD_TOO_LARGE => {
                Err(Refusal::Bad(otherwise.to_owned()))
            }
            sent => sent.json(),
        }
    }
}
