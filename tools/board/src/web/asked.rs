//! What requests are about: a game by its token, and whose eyes whoever asks has.

use super::refusal::Refusal;
use crate::game::Eyes;
use crate::house::House;
use crate::room::Room;
use crate::token::Token;
use axum::extract::State;
use outflank::rules::Side;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(super) type Shared = State<Arc<House>>;

pub(super) fn room(house: &House, token: String) -> Result<(Arc<Room>, Eyes), Refusal> {
    let token = Token::try_from(token).map_err(|_| Refusal::Missing)?;
    house.room(&token).ok_or(Refusal::Missing)
}

/// Whose eyes somebody wants to watch two engines through.
#[derive(Deserialize)]
pub(super) struct Watching {
    /// `red`, `blue` or `both`.
    pub(super) eyes: Option<String>,
}

impl Watching {
    /// The page's own eyes, unless there are others to choose.
    pub(super) fn or(&self, own: Eyes) -> Eyes {
        match (own, self.eyes.as_deref()) {
            (Eyes::Own, Some("both")) => Eyes::Watching(None),
            (Eyes::Own, Some(name)) => side(name).map_or(own, |side| Eyes::Watching(Some(side))),
            _ => own,
        }
    }
}

pub(super) fn side(name: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| side.to_string() == name)
}

/// Where a game is that has begun.
#[derive(Serialize)]
pub(super) struct Begun {
    token: Token,
}

impl Begun {
    pub(super) fn at(room: &Room) -> Begun {
        Begun { token: room.tokens.own.clone() }
    }
}
