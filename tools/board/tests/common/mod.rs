//! What the tests share: a house with engines of the tests' choice, and a browser without a browser.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use outflank::event::Event;
use outflank::rng::Rng;
use outflank::rules::{Action, Played, Setup, Side};
use outflank::view::View;
use outflank_arena::engine::{Fault, Flaw};
use outflank_arena::player::{Choice, Offer, Player, Seat, Turn};
use outflank_board::engine::{Launcher, Program};
use outflank_board::game::{Clock, EngineSeat};
use outflank_board::house::{House, Limits};
use outflank_board::store::Store;
use outflank_board::web::{Access, router};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tower::ServiceExt;

pub(crate) const PORT: u16 = 8017;
pub(crate) const ARMY: &str = "B3FB3262452B3B6B5S7325B48269474M62225873";
const LONGEST: Duration = Duration::from_secs(120);

/// The program under test, as an engine.
pub(crate) fn program() -> Program {
    Program::read(&format!("{} engine", env!("CARGO_BIN_EXE_outflank-board"))).unwrap()
}

/// Limits for tests: nobody waits.
pub(crate) fn limits() -> Limits {
    Limits { pace: Duration::ZERO, ..Limits::default() }
}

/// A launcher of players inside this process that choose at random, with an army of the test's choice.
pub(crate) struct Random {
    pub(crate) army: String,
    pub(crate) seed: u64,
    /// After so many answers a player fails, if it is to; another one is started then.
    pub(crate) dies_after: Option<u64>,
    pub(crate) started: Arc<AtomicU64>,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random { army: ARMY.to_owned(), seed, dies_after: None, started: Arc::default() }
    }
}

impl Launcher for Random {
    fn start(&self, _: EngineSeat, _: Option<Clock>) -> Result<Box<dyn Player>, Fault> {
        self.started.fetch_add(1, Ordering::Relaxed);
        let (mut rng, mut lives) = (Rng::new(self.seed), self.dies_after);
        let choose = move |legal: &[Action]| {
            if let Some(lives) = &mut lives {
                *lives = lives.checked_sub(1).ok_or_else(|| Fault::new(Flaw::Crashed, "killed"))?;
            }
            Ok(legal[rng.below(legal.len())])
        };
        Ok(Chooser::boxed(&self.army, None, Box::new(choose)))
    }
}

/// A launcher of players with an army and actions of the test's choice; then they do the first thing they may.
pub(crate) struct Scripted {
    pub(crate) army: String,
    pub(crate) actions: Vec<String>,
    /// The chances to win, draw and lose that they tell.
    pub(crate) chances: [u32; 3],
}

impl Launcher for Scripted {
    fn start(&self, _: EngineSeat, _: Option<Clock>) -> Result<Box<dyn Player>, Fault> {
        let mut actions: Vec<Action> =
            self.actions.iter().map(|text| text.parse::<Played>().unwrap().action).collect();
        let choose = move |legal: &[Action]| {
            let planned = actions.iter().position(|action| legal.contains(action));
            Ok(planned.map_or(legal[0], |place| actions.remove(place)))
        };
        Ok(Chooser::boxed(&self.army, Some(self.chances), Box::new(choose)))
    }
}

/// Chooses among the legal actions.
type Choose = Box<dyn FnMut(&[Action]) -> Result<Action, Fault> + Send>;

/// A player inside this process that chooses as a test wants it to.
struct Chooser {
    army: Setup,
    chances: Option<[u32; 3]>,
    choose: Choose,
    view: Option<View>,
}

impl Chooser {
    fn boxed(army: &str, chances: Option<[u32; 3]>, choose: Choose) -> Box<dyn Player> {
        Box::new(Chooser { army: army.parse().unwrap(), chances, choose, view: None })
    }
}

impl Player for Chooser {
    fn begin(&mut self, seat: &Seat) -> Result<(), Fault> {
        self.view = Some(View::new(seat.side, seat.rules));
        Ok(())
    }

    fn choose_setup(&mut self) -> Result<Setup, Fault> {
        Ok(self.army)
    }

    fn observe(&mut self, event: &Event) -> Result<(), Fault> {
        self.view
            .as_mut()
            .unwrap()
            .observe(event)
            .map_err(|error| Fault::new(Flaw::Garbage, error.to_string()))
    }

    fn choose(&mut self, _: &Turn) -> Result<Offer, Fault> {
        let action = (self.choose)(&self.view.as_ref().unwrap().position().actions())?;
        let (choice, chances, candidates) = (Choice::Act(action), self.chances, Vec::new());
        Ok(Offer { choice, nodes: 0, chances, candidates, taken: Duration::ZERO })
    }

    fn end(&mut self, _: Option<Side>) -> Result<(), Fault> {
        Ok(())
    }

    fn about(&self) -> &'static str {
        "chooser"
    }
}

/// A server without a socket.
pub(crate) struct Site {
    pub(crate) house: Arc<House>,
    pub(crate) router: Router,
    folder: Arc<TempDir>,
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) bytes: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or(Value::Null)
    }
}

/// A server's folder. Tasks of one that was just dropped may hold it a moment longer.
fn opened(games: &Path) -> Store {
    let tries = 200;
    let mut opened = Store::open(games);
    for _ in 0..tries {
        if opened.is_ok() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
        opened = Store::open(games);
    }
    opened.unwrap()
}

impl Site {
    pub(crate) fn new(launcher: impl Launcher + 'static) -> Site {
        let folder = tempfile::Builder::new().tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        Site::at(Arc::new(folder), launcher, limits())
    }

    pub(crate) fn at(folder: Arc<TempDir>, launcher: impl Launcher + 'static, limits: Limits) -> Site {
        let store = opened(&folder.path().join("games"));
        let house = House::open(store, Box::new(launcher), limits).unwrap();
        house.resume();
        Site { router: router(house.clone(), Access::local(PORT)), house, folder }
    }

    pub(crate) fn folder(&self) -> Arc<TempDir> {
        self.folder.clone()
    }

    pub(crate) fn games(&self) -> PathBuf {
        self.folder.path().join("games")
    }

    pub(crate) async fn answer(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let status = response.status();
        let bytes = to_bytes(response.into_body(), 64 << 20).await.unwrap().to_vec();
        Answer { status, bytes }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        let host = format!("127.0.0.1:{PORT}");
        self.answer(Request::get(path).header("Host", host).body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.post_body(path, Body::from(body.to_string())).await
    }

    pub(crate) async fn post_body(&self, path: &str, body: Body) -> Answer {
        let host = format!("127.0.0.1:{PORT}");
        let request = Request::post(path)
            .header("Origin", format!("http://{host}"))
            .header("Host", host)
            .header("Content-Type", "application/json");
        self.answer(request.body(body).unwrap()).await
    }

    /// A new game; its address.
    pub(crate) async fn begin(&self, options: &Value) -> String {
        let answer = self.post("/new", options).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
        format!("/game/{}", answer.json()["token"].as_str().unwrap())
    }

    pub(crate) async fn state(&self, game: &str) -> Value {
        self.get(&format!("{game}/state")).await.json()
    }

    /// Looks until the state is as wanted.
    pub(crate) async fn until(&self, game: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        let mut state = self.state(game).await;
        while !wanted(&state) {
            assert!(begun.elapsed() < LONGEST, "it does not come: {state}");
            state = self.get(&format!("{game}/state?since={}", state["version"])).await.json();
        }
        state
    }

    pub(crate) async fn wish(&self, game: &str, wish: &str) -> Answer {
        self.post(&format!("{game}/do"), &json!({ "wish": wish })).await
    }
}

/// A person who plays red against an engine, and the rules.
pub(crate) fn against_engine(rules: &str) -> Value {
    let engine = json!({ "player": "engine", "level": 1, "movetime": 100 });
    json!({ "rules": rules, "seats": [{ "player": "person" }, engine], "eyes": "red", "friendly": true, "clock": null })
}

/// The person's turn, or the end.
pub(crate) fn ready(state: &Value) -> bool {
    state["yours"] == true || state["stage"] == "over"
}

/// Every name in a folder and below it, but those of games that are still being written: an engine answers at any time.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with(".game-") {
            continue;
        }
        found.push(name);
        if path.is_dir() {
            found.extend(names(&path));
        }
    }
    found.sort();
    found
}
