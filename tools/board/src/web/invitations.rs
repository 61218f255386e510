//! How two persons come to pages of their own.

use super::access::Access;
use super::asked::{Shared, room, side};
use super::refusal::Refusal;
use crate::game::Eyes;
use crate::room::Room;
use crate::token::Token;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use outflank::rules::Side;
use qrcode::render::svg::Color;
use qrcode::types::QrError;
use qrcode::{EcLevel, QrCode};
use serde::Serialize;

/// How one of two persons comes to a page of his own.
#[derive(Serialize)]
pub(super) struct Invitation {
    side: String,
    /// The page, for whoever plays on this device.
    page: String,
    /// What another device opens.
    link: String,
    /// Whether another device reaches this server.
    open: bool,
}

/// The page of a person at a device of his own, before he comes there: then nobody else is shown the way.
fn awaited(room: &Room, side: Side) -> Option<Token> {
    let awaited = room.lock().game.awaited().contains(&side);
    room.tokens.seats.as_ref().filter(|_| awaited).map(|seats| seats[side.index()].clone())
}

/// The ways to the pages of two persons, for the one from which they go there.
pub(super) async fn ways(
    State(house): Shared,
    Extension(access): Extension<Access>,
    Path(token): Path<String>,
) -> Result<Json<Vec<Invitation>>, Refusal> {
    let (room, eyes) = room(&house, token)?;
    if eyes != Eyes::Own {
        return Err(Refusal::Missing);
    }
    let invitation = |side: Side| {
        let token = awaited(&room, side)?;
        let (page, link) = (format!("/game/{token}"), access.link_to(&token));
        Some(Invitation { side: side.to_string(), page, link, open: access.is_open() })
    };
    Ok(Json(Side::BOTH.into_iter().filter_map(invitation).collect()))
}

/// The way to the page of one of them as a picture.
pub(super) async fn code(
    State(house): Shared,
    Extension(access): Extension<Access>,
    Path((token, of)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let (room, eyes) = room(&house, token)?;
    let awaited = side(&of).filter(|_| eyes == Eyes::Own).and_then(|side| awaited(&room, side));
    let drawn = svg(&access.link_to(&awaited.ok_or(Refusal::Missing)?));
    let drawn = drawn.map_err(|error| Refusal::Bad(error.to_string()))?;
    Ok(([(CONTENT_TYPE, "image/svg+xml")], drawn).into_response())
}

/// A link as a QR code, as SVG: black on white whatever the page's colours are.
fn svg(link: &str) -> Result<String, QrError> {
    let code = QrCode::with_error_correction_level(link, EcLevel::M)?;
    Ok(code.render::<Color<'_>>().min_dimensions(200, 200).build())
}
