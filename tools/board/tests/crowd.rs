//! Many at once, and whoever means harm.

use crate::common::{ARMY, Answer, PORT, Random, Site, against_engine, limits, names, ready};
use axum::body::{Body, Bytes, HttpBody};
use axum::http::Request;
use hyper::body::Frame;
use outflank::rng::Rng;
use outflank::rules::Setup;
use outflank_board::house::Limits;
use outflank_board::web::{Access, router, serve};
use serde_json::json;
use std::convert::Infallible;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_boards_at_once() {
    let site = Arc::new(Site::new(Random::new(1)));
    let boards = (0..100).map(|_| {
        let site = site.clone();
        tokio::spawn(async move {
            let game = site.begin(&against_engine("isf")).await;
            site.post(&format!("{game}/setup"), &json!({ "setup": ARMY })).await;
            for turn in 0..6 {
                let state = site.until(&game, ready).await;
                assert_eq!(state["ply"], 2 * turn);
                let act = json!({ "action": state["legal"][turn], "ply": state["ply"] });
                assert_eq!(site.post(&format!("{game}/move"), &act).await.status, 200);
            }
            site.until(&game, ready).await["ply"].as_u64().unwrap()
        })
    });
    for board in boards.collect::<Vec<_>>() {
        assert_eq!(board.await.unwrap(), 12);
    }
    assert_eq!(site.house.games(), 100);
    // No more processes stay than there is room for; what is at work at a time may come on top.
    assert!(site.house.engines() <= limits().engines + limits().thinking, "{}", site.house.engines());
}

/// A word that may open something: paths, numbers, other games, the ends of strings.
fn word(rng: &mut Rng) -> String {
    const WORDS: [&str; 24] = [
        "..",
        "%2e%2e",
        "%00",
        "etc/passwd",
        "C:\\",
        "game-1.json",
        "records.jsonl",
        "state",
        "record",
        "replay",
        "setup",
        "move",
        "do",
        "new",
        "load",
        "page",
        "style.css",
        "<script>",
        "';--",
        "game",
        "%ff",
        "a4a5",
        "\"",
        "00000000000000000000000000000000",
    ];
    let pick = WORDS[rng.below(WORDS.len())];
    if rng.below(4) == 0 { pick.repeat(1 + rng.below(40)) } else { pick.to_owned() }
}

fn path(rng: &mut Rng) -> String {
    let words: Vec<String> = (0..=rng.below(4)).map(|_| word(rng)).collect();
    let safe = |c: char| if c.is_ascii_graphic() && !"\"<>\\^`{|}#".contains(c) { c } else { '_' };
    format!("/{}", words.join("/")).chars().map(safe).collect()
}

fn hostile(rng: &mut Rng, game: &str) -> Request<Body> {
    let methods = ["GET", "POST", "PUT", "DELETE", "OPTIONS", "TRACE"];
    let routes = ["setup", "move", "do", "propose", "state?since=99999999999999999999", "record", "replay"];
    let own = rng.below(2) == 0;
    let target = match rng.below(3) {
        0 => path(rng),
        1 => format!("{game}/{}", routes[rng.below(routes.len())]),
        _ => format!("/game/{:032x}/{}", u128::from(rng.bits()), routes[rng.below(routes.len())]),
    };
    let bodies = [
        json!({ "setup": word(rng).repeat(20) }).to_string(),
        json!({ "action": word(rng), "ply": rng.bits() }).to_string(),
        json!({ "wish": word(rng) }).to_string(),
        json!({ "rules": word(rng), "seats": [], "eyes": "red" }).to_string(),
        "[".repeat(5000),
        "\u{0}\u{1}".to_owned(),
        "x".repeat(20 << 10),
    ];
    let host = if own { format!("127.0.0.1:{PORT}") } else { "example.org".to_owned() };
    let request = Request::builder().method(methods[rng.below(methods.len())]).uri(target);
    let request = request.header("Host", &host).header("Origin", format!("http://{host}"));
    request.header("Content-Type", "application/json").body(Body::from(bodies[rng.below(7)].clone())).unwrap()
}

/// Whether an answer tells what its sender may not know.
fn leaks(answer: &Answer, army: &str) -> bool {
    let text = String::from_utf8_lossy(&answer.bytes);
    text.contains(army) || text.contains("root:")
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_hostile_requests_change_and_learn_nothing() {
    // Another army than the person's, which the page may have.
    let army = ARMY.parse::<Setup>().unwrap().mirrored().to_string();
    let site = Site::new(Random { army: army.clone(), ..Random::new(1) });
    let game = site.begin(&against_engine("isf")).await;
    site.post(&format!("{game}/setup"), &json!({ "setup": ARMY })).await;
    let before = site.until(&game, ready).await;
    let mut rng = Rng::new(5);
    for _ in 0..10_000 {
        let answer = site.answer(hostile(&mut rng, &game)).await;
        assert!(!answer.status.is_server_error(), "{}", String::from_utf8_lossy(&answer.bytes));
        assert!(!leaks(&answer, &army));
    }
    let after = site.until(&game, ready).await;
    for key in ["pieces", "moves", "legal", "outcome"] {
        assert_eq!(before[key], after[key], "{key}");
    }
    assert_eq!(site.house.games(), 1);
    assert_eq!(names(site.folder().path()), ["game-1.json", "games", "records.jsonl"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn raw_bytes_leave_the_server_alive() {
    let site = Site::new(Random::new(1));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = router(site.house.clone(), Access::local(address.port()));
    tokio::spawn(serve(listener, router));
    let talk = move |bytes: Vec<u8>| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        // The server may hang up while we still send.
        let _ = stream.write_all(&bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    };
    let fine = format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    tokio::task::spawn_blocking(move || {
        let mut rng = Rng::new(9);
        for round in 0..200 {
            let noise: Vec<u8> = (0..rng.below(3000)).map(|_| rng.bits() as u8).collect();
            let bytes = match round % 4 {
                0 => noise,
                1 => format!("GET /{} HTTP/1.1\r\n", "a".repeat(100_000)).into_bytes(),
                2 => format!("POST /new HTTP/1.1\r\nHost: {address}\r\nContent-Length: 99999999999\r\n\r\n")
                    .into_bytes(),
                _ => [fine.as_bytes()[..20].to_vec(), noise].concat(),
            };
            assert!(!talk(bytes).starts_with("HTTP/1.1 200"));
        }
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(fine.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    })
    .await
    .unwrap();
}

/// The body of a request that never ends.
struct Endless;

impl HttpBody for Endless {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Pending
    }
}

/// Time that stands still but while everything waits for it.
#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let site = Site::new(Random::new(1));
    let game = format!("/game/{:032x}", 1);
    for path in
        ["/new", "/list", "/load", &format!("{game}/setup"), &format!("{game}/move"), &format!("{game}/do")]
    {
        let answer = site.post_body(path, Body::new(Endless)).await;
        assert!([408, 404].contains(&answer.status.as_u16()), "{path}: {}", answer.status);
    }
    assert_eq!(site.post_body("/new", Body::new(Endless)).await.status, 408);
    assert_eq!(site.house.games(), 0);
}

/// Each may take much memory: while one is brought, the next one waits.
#[tokio::test(start_paused = true)]
async fn files_are_read_one_after_the_other() {
    let site = Site::new(Random::new(1));
    let record = include_str!("../../record/tests/game.jsonl").lines().next().unwrap();
    let (list, load) = (json!({ "text": record }).to_string(), record.to_owned());
    for (path, body) in [("/list", list), ("/load", load)] {
        let slow = site.post_body(path, Body::new(Endless));
        let fast = site.post_body(path, Body::from(body));
        let (first, second) =
            tokio::join!(async { (slow.await.status, tokio::time::Instant::now()) }, async {
                (fast.await.status, tokio::time::Instant::now())
            });
        assert_eq!((first.0.as_u16(), second.0.as_u16()), (408, 200), "{path}");
        assert!(second.1 >= first.1, "{path}: the second did not wait");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_bounded_and_running_ones_stay() {
    let folder = tempfile::Builder::new().tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let few = Limits { games: 3, ..limits() };
    let site = Site::at(Arc::new(folder), Random::new(1), few);
    let mut running = Vec::new();
    for _ in 0..2 {
        let game = site.begin(&against_engine("isf")).await;
        site.post(&format!("{game}/setup"), &json!({ "setup": ARMY })).await;
        let state = site.until(&game, ready).await;
        site.post(&format!("{game}/move"), &json!({ "action": state["legal"][0], "ply": 0 })).await;
        running.push(game);
    }
    for _ in 0..20 {
        site.begin(&against_engine("isf")).await;
    }
    assert_eq!(site.house.games(), 3);
    for game in &running {
        assert_eq!(site.get(&format!("{game}/state")).await.status, 200);
    }
    assert_eq!(names(&site.games()).len(), 4);
}
