//! A server that other devices of the network reach: who gets in, and who does not.

use crate::common::{Answer, PORT, Random, Site, against_engine};
use axum::body::{Body, to_bytes};
use axum::http::Request;
use outflank_board::token::Token;
use outflank_board::web::{Access, router};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tower::ServiceExt;

const KEY: &str = "0123456789abcdef0123456789abcdef";
const HOST: &str = "192.168.1.5:8017";
const NO_KEY: &str = "This server needs its key.";

/// A site whose server is reached at 192.168.1.5 and at an address of the sixth version.
struct Open {
    site: Site,
}

impl Open {
    fn new() -> Open {
        let mut site = Site::new(Random::new(1));
        let hosts = ["192.168.1.5", "127.0.0.1", "fd00::2"].map(|host| host.parse().unwrap());
        let key = Token::try_from(KEY.to_owned()).unwrap();
        site.router = router(site.house.clone(), Access::network(&hosts, PORT, key));
        Open { site }
    }

    async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.ask(Request::get(path), headers, Body::empty()).await
    }

    async fn ask(
        &self,
        mut request: axum::http::request::Builder,
        headers: &[(&str, &str)],
        body: Body,
    ) -> Answer {
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.site.answer(request.body(body).unwrap()).await
    }
}

fn cookie() -> String {
    format!("outflank-{PORT}={KEY}")
}

#[tokio::test]
async fn nothing_is_answered_without_the_key() {
    let open = Open::new();
    let game = open.site.house.begin(serde_json::from_value(against_engine("isf")).unwrap()).unwrap();
    let game = format!("/game/{}", game.tokens.own);
    let state = format!("{game}/state");
    let waiting = format!("{game}/state?since=0");
    let wrong = format!("outflank-{PORT}={}", KEY.replace('0', "1"));
    let other_port = format!("outflank-8018={KEY}");
    for path in ["/", "/page/game.js", "/nowhere", &game, &state, &waiting] {
        for cookies in ["", &wrong, &other_port, KEY, &format!("outflank-{PORT}=")] {
            let answer = open.get(path, &[("Host", HOST), ("Cookie", cookies)]).await;
            assert_eq!(answer.status, 403, "{path} with {cookies}");
            assert!(String::from_utf8(answer.bytes).unwrap().starts_with(NO_KEY));
        }
        let answer = open.get(path, &[("Host", HOST), ("Cookie", &format!("a=b; {}", cookie()))]).await;
        assert_ne!(answer.status, 403, "{path}");
    }
}

#[tokio::test]
async fn the_address_in_the_terminal_lets_a_browser_in() {
    let open = Open::new();
    let request = Request::get(format!("/enter/{KEY}")).header("Host", HOST).body(Body::empty()).unwrap();
    let response = open.site.router.clone().oneshot(request).await.unwrap();
    assert_eq!(response.status(), 303);
    assert_eq!(response.headers()["location"], "/");
    let set = response.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert_eq!(set, format!("{}; Path=/; HttpOnly; SameSite=Lax", cookie()));
    assert!(to_bytes(response.into_body(), 1).await.unwrap().is_empty());
    // To a game, and nowhere else.
    let game = KEY.replace('0', "1");
    for (rest, page) in
        [(format!("/game/{game}"), format!("/game/{game}")), ("/game/..".to_owned(), "/".to_owned())]
    {
        let request =
            Request::get(format!("/enter/{KEY}{rest}")).header("Host", HOST).body(Body::empty()).unwrap();
        let response = open.site.router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), 303);
        assert_eq!(response.headers()["location"], page);
    }
    for host in [HOST, "127.0.0.1:8017", "localhost:8017", "[fd00::2]:8017"] {
        assert_eq!(open.get("/", &[("Host", host), ("Cookie", &cookie())]).await.status, 200, "{host}");
    }
    for path in ["/enter/", "/enter/x", &format!("/enter/{}", KEY.replace('0', "1")), "/enter"] {
        assert_eq!(open.get(path, &[("Host", HOST)]).await.status, 403, "{path}");
    }
}

/// A reader of such codes reads the way to each person's page off what is drawn.
#[tokio::test]
async fn a_telephone_reads_the_way_to_its_own_side() {
    let open = Open::new();
    let person = serde_json::json!({ "player": "person" });
    let options = serde_json::json!({ "rules": "isf", "seats": [person, person], "eyes": "red", "friendly": false,
        "clock": null, "devices": true });
    let room = open.site.house.begin(serde_json::from_value(options).unwrap()).unwrap();
    let (table, seats) = (format!("/game/{}", room.tokens.own), room.tokens.seats.clone().unwrap());
    let cookie = cookie();
    let headers = [("Host", HOST), ("Cookie", cookie.as_str())];
    for (side, token) in ["red", "blue"].into_iter().zip(seats) {
        let drawn = open.get(&format!("{table}/invitations/{side}"), &headers).await;
        assert_eq!(drawn.status, 200);
        assert_eq!(
            read(&String::from_utf8(drawn.bytes).unwrap()),
            format!("http://{HOST}/enter/{KEY}/game/{token}")
        );
    }
    assert_eq!(open.get(&format!("{table}/invitations/green"), &headers).await.status, 404);
}

/// What an SVG of black rectangles says, each of which is written as in `M8 8h4v4H8V8`.
fn read(svg: &str) -> String {
    let side: usize = svg.split("width=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
    let mut dark = vec![false; side * side];
    for square in svg.split("<path").last().unwrap().split('M').skip(1) {
        let numbers: Vec<usize> = square
            .split(|letter: char| !letter.is_ascii_digit())
            .filter_map(|number| number.parse().ok())
            .collect();
        let [x, y, width, height] = numbers[..4] else { unreachable!() };
        for row in y..y + height {
            dark[row * side + x..row * side + x + width].fill(true);
        }
    }
    let grey = |x: usize, y: usize| if dark[y * side + x] { 0 } else { 255 };
    let mut image = rqrr::PreparedImage::prepare_from_greyscale(side, side, grey);
    image.detect_grids()[0].decode().unwrap().1
}

#[tokio::test]
async fn the_key_is_no_help_to_a_strangers_page() {
    let open = Open::new();
    let key = cookie();
    for host in [
        "example.org:8017",
        "192.168.1.6:8017",
        "192.168.1.5",
        "192.168.1.5:80",
        "192.168.1.5.example.org:8017",
        "[::1]:8017",
        "fd00::2:8017",
        "[fd00::2]",
        "[192.168.1.5]:8017",
    ] {
        assert_eq!(open.get("/", &[("Host", host), ("Cookie", &key)]).await.status, 403, "{host}");
        let enters = open.get(&format!("/enter/{KEY}"), &[("Host", host)]).await;
        assert_eq!(enters.status, 403, "{host}");
    }
    let body = against_engine("isf").to_string();
    let post = async |origin: &str| {
        let headers = [
            ("Host", HOST),
            ("Cookie", key.as_str()),
            ("Origin", origin),
            ("Content-Type", "application/json"),
        ];
        open.ask(Request::post("/new"), &headers, Body::from(body.clone())).await.status.as_u16()
    };
    for origin in [
        "http://example.org",
        "null",
        "http://192.168.1.6:8017",
        "http://192.168.1.5:8018",
        "https://192.168.1.5:8017",
    ] {
        assert_eq!(post(origin).await, 403, "{origin}");
    }
    assert_eq!(open.site.house.games(), 0);
    assert_eq!(post("http://192.168.1.5:8017").await, 200);
    assert_eq!(open.site.house.games(), 1);
}

/// Where no other device reaches the server there is nothing to enter.
#[tokio::test]
async fn a_server_for_this_machine_alone_has_no_key() {
    let site = Site::new(Random::new(1));
    assert_eq!(site.get("/").await.status, 200);
    assert_eq!(site.get(&format!("/enter/{KEY}")).await.status, 404);
}

/// The program, ended when it is dropped.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Program {
    /// A server that other devices could reach; its port, its key and what the terminal shows.
    fn listening(folder: &Path) -> (Program, u16, String, Vec<String>) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_outflank-board"));
        command.args(["--listen", "127.0.0.1", "--port", "0", "--folder"]).arg(folder.join("games"));
        let mut program = Program(command.stdout(Stdio::piped()).spawn().unwrap());
        let mut lines = BufReader::new(program.0.stdout.take().unwrap()).lines().map(Result::unwrap);
        let mut shown = Vec::new();
        while shown.last().is_none_or(|line: &String| !line.starts_with("Ctrl+C")) {
            shown.push(lines.next().expect("it says how it is ended"));
        }
        let link = shown.iter().find_map(|line| line.trim().strip_prefix("http://127.0.0.1:")).unwrap();
        let (port, key) = link.split_once("/enter/").unwrap();
        let (port, key) = (port.parse().unwrap(), key.to_owned());
        (program, port, key, shown)
    }
}

fn folder() -> TempDir {
    tempfile::Builder::new().tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// A connection over which nothing is waited for as long as a stranger once could keep a place.
fn connected(port: u16) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(25))).unwrap();
    stream
}

/// What a server answers to a request in plain text.
fn spoken(port: u16, path: &str, headers: &str) -> String {
    let mut stream = connected(port);
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn the_program_shows_addresses_with_a_key_and_a_warning() {
    let folder = folder();
    let (_program, port, key, shown) = Program::listening(folder.path());
    assert!(shown.iter().any(|line| line.starts_with("WARNING: ")), "{shown:?}");
    assert!(Token::try_from(key.clone()).is_ok(), "{key}");
    assert!(spoken(port, "/", "").starts_with("HTTP/1.1 403"));
    assert!(spoken(port, &format!("/enter/{key}"), "").starts_with("HTTP/1.1 303"));
    let entered = format!("Cookie: outflank-{port}={key}\r\n");
    assert!(spoken(port, "/", &entered).starts_with("HTTP/1.1 200"));
}

/// Half the head of a request, again and again: strangers hold no place that somebody with the key needs.
#[test]
fn strangers_who_dawdle_keep_nobody_out() {
    const STRANGERS: usize = 550;
    let folder = folder();
    let (_program, port, key, _) = Program::listening(folder.path());
    let entered = format!("Cookie: outflank-{port}={key}\r\n");
    let half = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n");
    let mut strangers: Vec<TcpStream> = (0..STRANGERS).map(|_| connected(port)).collect();
    for stranger in &mut strangers {
        // Some are hung up on by now.
        let _ = stranger.write_all(half.as_bytes());
    }
    for _ in 0..11 {
        assert!(spoken(port, "/", &entered).starts_with("HTTP/1.1 200"));
    }
    // The last one had a place, and has it for so long only. It is hung up on, with a word or without.
    let mut last = strangers.pop().unwrap();
    let mut answer = String::new();
    let ended = last.read_to_string(&mut answer);
    let kind = ended.err().map(|error| error.kind());
    assert!([None, Some(ErrorKind::ConnectionReset)].contains(&kind), "{kind:?}");
    assert!(!answer.contains("200 OK"), "{answer}");
}
