//! Whose requests are answered, and what answers carry.

use crate::common::{ARMY, PORT, Random, Site, against_engine, ready};
use axum::body::Body;
use axum::http::Request;
use outflank_board::web::{Access, router};
use serde_json::json;
use tower::ServiceExt;

#[tokio::test]
async fn only_our_own_page_is_answered() {
    let site = Site::new(Random::new(1));
    let ask = async |headers: &[(&str, &str)]| {
        let mut request = Request::get("/");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        site.answer(request.body(Body::empty()).unwrap()).await.status.as_u16()
    };
    let own = format!("127.0.0.1:{PORT}");
    let origin = format!("http://{own}");
    assert_eq!(ask(&[("Host", &own)]).await, 200);
    assert_eq!(ask(&[("Host", &format!("localhost:{PORT}")), ("Origin", &origin)]).await, 200);
    for host in ["", "example.org", "127.0.0.1", "127.0.0.1:80", "127.0.0.1.example.org:8017", "[::1]:8017"] {
        assert_eq!(ask(&[("Host", host)]).await, 403, "{host}");
    }
    assert_eq!(ask(&[]).await, 403);
    assert_eq!(ask(&[("Host", &own), ("Host", "example.org")]).await, 403);
    for origin in ["null", "http://example.org", "https://127.0.0.1:8017", "http://127.0.0.1:8018", ""] {
        assert_eq!(ask(&[("Host", &own), ("Origin", origin)]).await, 403, "{origin}");
    }
    assert_eq!(ask(&[("Host", &own), ("Sec-Fetch-Site", "cross-site")]).await, 403);
    let link = [("Host", own.as_str()), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")];
    assert_eq!(ask(&link).await, 200);
}

#[tokio::test]
async fn the_usual_port_need_not_be_named() {
    let site = Site::new(Random::new(1));
    let router = router(site.house.clone(), Access::local(80));
    let ask = async |host: &str, origin: &str| {
        let request = Request::get("/").header("Host", host).header("Origin", origin);
        router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap().status().as_u16()
    };
    for own in ["127.0.0.1", "localhost", "127.0.0.1:80"] {
        assert_eq!(ask(own, &format!("http://{own}")).await, 200, "{own}");
    }
    for other in ["example.org", "127.0.0.1:8017", "127.0.0.1.example.org", ""] {
        assert_eq!(ask(other, "http://127.0.0.1").await, 403, "{other}");
        assert_eq!(ask("127.0.0.1", &format!("http://{other}")).await, 403, "{other}");
    }
}

#[tokio::test]
async fn what_changes_something_needs_an_origin_and_json() {
    let site = Site::new(Random::new(1));
    let (host, body) = (format!("127.0.0.1:{PORT}"), against_engine("isf").to_string());
    let post = async |headers: &[(&str, &str)]| {
        let mut request = Request::post("/new").header("Host", &host);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        site.answer(request.body(Body::from(body.clone())).unwrap()).await.status.as_u16()
    };
    let (origin, json) = (("Origin", "http://127.0.0.1:8017"), ("Content-Type", "application/json"));
    assert_eq!(post(&[json]).await, 403);
    assert_eq!(post(&[origin, ("Content-Type", "text/plain")]).await, 403);
    assert_eq!(post(&[origin]).await, 403);
    assert_eq!(site.house.games(), 0);
    assert_eq!(post(&[origin, json]).await, 200);
    assert_eq!(site.house.games(), 1);
}

#[tokio::test]
async fn every_answer_forbids_foreign_scripts_and_frames() {
    let site = Site::new(Random::new(1));
    for path in ["/", "/page/game.js", "/nowhere", "/game/x/state"] {
        let request = Request::get(path).header("Host", format!("127.0.0.1:{PORT}"));
        let response = site.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        let policy = response.headers()["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(response.headers()["x-content-type-options"], "nosniff");
        assert_eq!(response.headers()["referrer-policy"], "no-referrer");
    }
}

#[tokio::test]
async fn the_page_holds_no_script_or_style_of_its_own() {
    let site = Site::new(Random::new(1));
    let game = site.begin(&against_engine("isf")).await;
    for path in ["/", &game, "/nowhere"] {
        let text = String::from_utf8(site.get(path).await.bytes).unwrap();
        assert!(!text.contains("<style") && !text.contains("style=") && !text.contains(" onclick"), "{path}");
        assert!(!text.contains("http:") && !text.contains("https:"), "{path}");
        // Every file that it names is there.
        for part in text.split("/page/").skip(1) {
            let name = part.split('"').next().unwrap();
            assert_eq!(site.get(&format!("/page/{name}")).await.status, 200, "{name}");
        }
    }
}

#[tokio::test]
async fn nothing_of_a_running_game_can_be_downloaded() {
    let site = Site::new(Random::new(1));
    let game = site.begin(&against_engine("isf")).await;
    site.post(&format!("{game}/setup"), &json!({ "setup": ARMY })).await;
    site.until(&game, ready).await;
    for path in ["record", "replay"] {
        assert_eq!(site.get(&format!("{game}/{path}")).await.status, 409, "{path}");
    }
    assert_eq!(site.wish(&game, "replay").await.status, 409);
    site.wish(&game, "resign").await;
    assert_eq!(site.get(&format!("{game}/record")).await.status, 200);
}
