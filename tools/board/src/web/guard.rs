//! What every request has to pass, and what every answer carries.

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderName, HeaderValue, ORIGIN,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The page loads its own files and nothing else, and no other page may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The port of HTTP that no address needs to name.
const USUAL: u16 = 80;

/// What the server is called by those who may talk to it: its own page on this machine.
#[derive(Copy, Clone, Debug)]
pub(super) struct Own {
    pub(super) port: u16,
}

impl Own {
    /// `127.0.0.1:8017` or `localhost:8017`. Any other name may be one that a stranger's page leads here by. Browsers
    /// leave out the usual port of HTTP.
    fn is_host(self, name: &str) -> bool {
        let host = match name.rsplit_once(':') {
            Some((host, port)) => (port == self.port.to_string()).then_some(host),
            None => (self.port == USUAL).then_some(name),
        };
        host.is_some_and(|host| host == "127.0.0.1" || host.eq_ignore_ascii_case("localhost"))
    }

    fn is_origin(self, name: &str) -> bool {
        name.strip_prefix("http://").is_some_and(|host| self.is_host(host))
    }

    /// Why a request is none of our own page's.
    fn foreign(self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<&'static str> {
        let hosts: Vec<&HeaderValue> = headers.get_all(HOST).iter().collect();
        let [host] = hosts[..] else { return Some("one Host is needed") };
        let named = uri.authority().map(Authority::as_str);
        if !host.to_str().is_ok_and(|host| self.is_host(host))
            || named.is_some_and(|name| !self.is_host(name))
        {
            return Some("foreign Host");
        }
        let mut origins = headers.get_all(ORIGIN).iter();
        if origins.any(|origin| !origin.to_str().is_ok_and(|origin| self.is_origin(origin))) {
            return Some("foreign Origin");
        }
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        // A link or a bookmark comes from nowhere, and only looks.
        let fine = [None, Some(&b"same-origin"[..]), Some(b"none")].contains(&site);
        let visits =
            method == Method::GET && headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate");
        if !fine && !visits {
            return Some("foreign site");
        }
        if method == Method::GET || method == Method::HEAD {
            return None;
        }
        // Browsers name the origin of whatever changes something, and ask first before they send JSON elsewhere.
        if headers.get(ORIGIN).is_none() {
            return Some("no Origin");
        }
        let json = headers.get(CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
        (!json).then_some("no JSON")
    }
}

pub(super) async fn guard(State(own): State<Own>, request: Request, next: Next) -> Response {
    let foreign = own.foreign(request.method(), request.uri(), request.headers());
    let mut response = match foreign {
        Some(why) => (StatusCode::FORBIDDEN, why).into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(CONTENT_SECURITY_POLICY, POLICY);
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(REFERRER_POLICY, "no-referrer");
    set(CACHE_CONTROL, "no-store");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(HeaderName::from_static("x-frame-options"), "DENY");
    response
}
