//! What every request has to pass, and what every answer carries.

use super::access::{Access, is_local};
use super::doorway::Place;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, LOCATION, REFERRER_POLICY, SET_COOKIE,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// The page loads its own files and nothing else, and no other page may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// What a device is shown that has not shown the key.
const NO_KEY: &str = "This server needs its key. Open the whole address that its terminal shows.";

/// What a browser is shown that has too many connections.
const CROWDED: &str = "There are too many connections. Close some windows.";

pub(super) async fn guard(State(access): State<Access>, request: Request, next: Next) -> Response {
    let local = is_local(request.headers());
    let mut response = answer(&access, request, next).await;
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(CONTENT_SECURITY_POLICY, POLICY);
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(REFERRER_POLICY, "no-referrer");
    set(CACHE_CONTROL, "no-store");
    // Elsewhere a browser passes it over, and complains.
    if local {
        set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    }
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(HeaderName::from_static("x-frame-options"), "DENY");
    response
}

async fn answer(access: &Access, request: Request, next: Next) -> Response {
    // The key is looked at first.
    let entry = access.entry(request.uri());
    if entry.is_none() && !access.has_key(request.headers()) {
        return (StatusCode::FORBIDDEN, NO_KEY).into_response();
    }
    if let Some(why) = access.foreign(request.method(), request.uri(), request.headers()) {
        return (StatusCode::FORBIDDEN, why).into_response();
    }
    // Requests of tests come by no connection.
    if request.extensions().get::<Arc<Place>>().is_some_and(|place| !place.welcome()) {
        return (StatusCode::SERVICE_UNAVAILABLE, CROWDED).into_response();
    }
    if let Some((cookie, page)) = entry {
        // The key does not stay in the address bar.
        let headers = [(LOCATION, page), (SET_COOKIE, cookie)];
        return (StatusCode::SEE_OTHER, headers).into_response();
    }
    next.run(request).await
}
