//! Who may talk to the server: its own page, under the names that it goes by, with the key where one is needed.

use crate::token::Token;
use axum::http::header::{CONTENT_TYPE, COOKIE, HOST, HeaderValue, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, Uri};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

/// The port of HTTP that no address needs to name.
const USUAL: u16 = 80;

/// Who may talk to the server.
#[derive(Clone, Debug)]
pub struct Access {
    port: u16,
    /// The addresses that it is reached at.
    hosts: Arc<[IpAddr]>,
    /// What a browser has to bring, if other machines can reach the server.
    key: Option<Token>,
}

impl Access {
    /// For this machine alone: nobody else reaches the server, and no key is needed.
    pub fn local(port: u16) -> Access {
        Access { port, hosts: Arc::new([Ipv4Addr::LOCALHOST.into()]), key: None }
    }

    /// For other machines too, at these addresses, with this key.
    pub fn network(hosts: &[IpAddr], port: u16, key: Token) -> Access {
        Access { port, hosts: hosts.into(), key: Some(key) }
    }

    /// `127.0.0.1:8017` or `localhost:8017`. Any other name may be one that a stranger's page leads here by. Browsers
    /// leave out the usual port of HTTP.
    fn is_host(&self, name: &str) -> bool {
        let host = match name.rsplit_once(':') {
            // The colons of an address are inside brackets.
            Some((host, port)) if !port.ends_with(']') => (port == self.port.to_string()).then_some(host),
            Some(_) | None => (self.port == USUAL).then_some(name),
        };
        host.is_some_and(|host| self.is_named(host))
    }

    /// Whether this is what the machine is called, without a port.
    fn is_named(&self, host: &str) -> bool {
        if host.eq_ignore_ascii_case("localhost") {
            return self.hosts.iter().any(IpAddr::is_loopback);
        }
        address(host).is_some_and(|address| self.hosts.contains(&address))
    }

    fn is_origin(&self, name: &str) -> bool {
        name.strip_prefix("http://").is_some_and(|host| self.is_host(host))
    }

    /// Why a request is none of our own page's.
    pub(super) fn foreign(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<&'static str> {
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

    /// The cookie of whoever opens the address with the key in it, and the page that the address leads to: the lobby,
    /// or a game. Browsers keep cookies by machine, not by port.
    pub(super) fn entry(&self, uri: &Uri) -> Option<(String, String)> {
        let rest = uri.path().strip_prefix(ENTER)?;
        let (rest, game) = rest.split_once(GAME).map_or((rest, None), |(rest, game)| (rest, Some(game)));
        let token = Token::try_from(rest.to_owned()).ok()?;
        let key = self.key.as_ref().filter(|key| **key == token)?;
        let game = game.and_then(|game| Token::try_from(game.to_owned()).ok());
        let page = game.map_or_else(|| "/".to_owned(), |game| format!("{GAME}{game}"));
        Some((format!("{}={key}; Path=/; HttpOnly; SameSite=Lax", self.cookie()), page))
    }

    /// Whether other devices reach the server.
    pub(super) const fn is_open(&self) -> bool {
        self.key.is_some()
    }

    /// What another device opens to come to a game, or another window where no other device reaches the server.
    pub(super) fn link_to(&self, game: &Token) -> String {
        let host = self.hosts.first().copied().unwrap_or(Ipv4Addr::LOCALHOST.into());
        let before = match &self.key {
            Some(key) => link(host, self.port, key),
            None => format!("http://{}", SocketAddr::new(host, self.port)),
        };
        format!("{before}{GAME}{game}")
    }

    /// Whether a browser has shown the key, if there is one.
    pub(super) fn has_key(&self, headers: &HeaderMap) -> bool {
        let Some(key) = &self.key else { return true };
        let own = format!("{}={key}", self.cookie());
        let texts = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        texts.flat_map(|text| text.split(';')).any(|pair| pair.trim() == own)
    }

    fn cookie(&self) -> String {
        format!("outflank-{}", self.port)
    }
}

/// Whether a request comes by a name that only this machine answers to. Browsers take plain HTTP for safe there alone.
pub(super) fn is_local(headers: &HeaderMap) -> bool {
    let name = headers.get(HOST).and_then(|name| name.to_str().ok()).unwrap_or_default();
    let host = name.rsplit_once(':').filter(|(_, port)| !port.ends_with(']')).map_or(name, |(host, _)| host);
    host.eq_ignore_ascii_case("localhost") || address(host).is_some_and(|address| address.is_loopback())
}

/// What a host of digits means; IPv6 stands in brackets.
fn address(host: &str) -> Option<IpAddr> {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    match bare {
        Some(bare) => bare.parse().map(IpAddr::V6),
        None => host.parse().map(IpAddr::V4),
    }
    .ok()
}

/// What stands before the key in the address that a device opens first.
const ENTER: &str = "/enter/";
/// What stands before a game's token.
const GAME: &str = "/game/";

/// What a device opens first.
pub(crate) fn link(address: IpAddr, port: u16, key: &Token) -> String {
    format!("http://{}{ENTER}{key}", SocketAddr::new(address, port))
}
