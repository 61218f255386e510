//! The page in a browser: whole games by clicks, drags and keys, and pictures of every kind of page.
//!
//! The pictures go to `OUTFLANK_PICTURES`, or to the build's folder of test files. README shows two of them.

use crate::common::chromium::Page;
use crate::common::{limits, program};
use outflank_board::house::House;
use outflank_board::store::Store;
use outflank_board::web::{router, serve};
use serde_json::json;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::mpsc::channel;
use std::thread;

/// A server on a socket, for as long as the tests run.
fn server() -> SocketAddr {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async move {
            let folder = tempfile::Builder::new().tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
            let house =
                House::open(Store::open(folder.path()).unwrap(), Box::new(program()), limits()).unwrap();
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            tokio::spawn(house.clone().look_after());
            sender.send(address).unwrap();
            serve(listener, router(house, address.port())).await.unwrap();
        });
    });
    receiver.recv().unwrap()
}

fn picture(page: &mut Page, name: &str) {
    let folder =
        std::env::var("OUTFLANK_PICTURES").unwrap_or_else(|_| env!("CARGO_TARGET_TMPDIR").to_owned());
    for (suffix, width, height) in [("", 1280, 860), ("-phone", 390, 844)] {
        page.resize(width, height);
        page.value("window.scrollTo(0, 0)");
        // Nothing sticks out of the window sideways.
        assert!(
            page.value("document.documentElement.scrollWidth <= window.innerWidth") == true,
            "{name}{suffix}"
        );
        page.picture(&PathBuf::from(&folder).join(format!("board-{name}{suffix}.png")));
    }
    page.resize(1280, 860);
}

/// A browser, or a loud word that there is none.
fn browser() -> Option<Page> {
    let page = Page::open();
    if page.is_none() {
        eprintln!("SKIPPED: there is no Chromium here (CHROMIUM names its program); the page was not tried");
    }
    page
}

/// Makes the person's move by clicks: a strike if there is one, else as far forward as it goes. False at the end.
fn step(page: &mut Page, clicks: bool) -> bool {
    page.until("!!document.querySelector('#status.yours, #status.over')");
    let found = page.value(
        "fetch(location.pathname + '/state').then(answer => answer.json()).then(state => {
            const place = at => [at.charCodeAt(0), Number(at.slice(1))];
            const enemies = state.pieces.filter(piece => piece.side !== state.eyes).map(piece => place(piece.at));
            const near = (file, row) => Math.min(...enemies.map(([x, y]) => Math.abs(x - file) + Math.abs(y - row)));
            const value = text => (text.includes('x') ? 100 : 0) - near(...place(/x?([a-j]\\d+)$/.exec(text)[1]));
            const best = state.legal.sort((a, b) => value(b) - value(a))[0];
            return best ? /^([a-j]\\d+)x?([a-j]\\d+)/.exec(best).slice(1, 3).concat(state.ply) : null; })",
    );
    let Some(found) = found.as_array() else { return false };
    let square = |at: &serde_json::Value| format!("#board [data-at='{}']", at.as_str().unwrap());
    let (from, to) = (square(&found[0]), square(&found[1]));
    if clicks {
        page.click(&from);
        page.until(&format!("document.querySelector({}).classList.contains('target')", json!(to)));
        page.click(&to);
    } else {
        page.drag(&from, &to);
    }
    // The page knows of the ply once the server has taken it.
    let made = format!("Number(document.getElementById('moves').dataset.count) > {}", found[2]);
    page.until(&made);
    true
}

fn begin(page: &mut Page, address: &SocketAddr, choices: &[&str]) {
    page.go(&format!("http://{address}/"));
    for choice in choices {
        page.click(choice);
    }
}

#[test]
fn a_whole_game_by_clicks_and_what_follows() {
    let Some(mut page) = browser() else { return };
    let address = server();
    begin(&mut page, &address, &[]);
    picture(&mut page, "lobby");
    page.value("document.querySelector('[name=level]').value = 1");
    page.value("document.querySelector('[name=movetime]').value = '200'");
    page.click("[name=army][value=barrage]");
    page.click("#begin");
    page.until("document.getElementById('ready')?.disabled === false");
    page.click("#ready");
    let mut turns = 0;
    while step(&mut page, turns % 2 == 0) {
        turns += 1;
        assert!(turns < 500);
    }
    assert!(turns > 2, "{turns}");
    page.until("!!document.querySelector('#status.over')");
    assert_eq!(
        page.value(
            "document.querySelectorAll('#board .piece b').length > 0 &&
        [...document.querySelectorAll('#board .piece b')].every(rank => rank.textContent !== '?')"
        ),
        true
    );
    picture(&mut page, "over");
    page.click("#replay");
    page.until("!document.getElementById('replay-link').hidden");
    let replay = page.value("document.getElementById('replay-link').href");
    let game = page.value("location.href");
    page.go(replay.as_str().unwrap());
    assert_eq!(page.value("document.querySelectorAll('#board rect').length > 100"), true);
    page.go(game.as_str().unwrap());
    page.until("!!document.querySelector('#status.over')");
    page.click("#rematch");
    page.until("!document.getElementById('next-link').hidden");
    page.click("#next-link");
    page.until("document.getElementById('setup-side')?.textContent.startsWith('blue')");
    assert_eq!(page.complaints, Vec::<String>::new());
}

#[test]
fn setting_up_and_playing_with_mouse_and_keys() {
    let Some(mut page) = browser() else { return };
    let address = server();
    begin(&mut page, &address, &["#begin"]);
    page.until("document.getElementById('ready')?.disabled === false");
    picture(&mut page, "setup");
    setting_up(&mut page);
    page.click("#ready");
    page.until("!!document.querySelector('#status.yours')");
    // With keys: the first piece that can move, one step forward.
    page.value("document.querySelector(\"#board [data-at='e4']\").focus()");
    page.key("Enter");
    page.until("document.querySelector(\"#board [data-at='e5']\").classList.contains('target')");
    page.key("ArrowUp");
    page.key("Enter");
    page.until("Number(document.getElementById('moves').dataset.count) >= 1");
    for turn in 0..16 {
        step(&mut page, turn % 2 == 0);
    }
    page.until("!!document.querySelector('#status.yours')");
    page.click("#hint");
    page.until("!document.getElementById('hint-text').hidden");
    picture(&mut page, "play");
    // A reload loses nothing.
    let before = page.value("document.getElementById('board').innerText");
    page.value("location.reload()");
    page.until("!!document.querySelector('#status.yours') && !!document.querySelector('#board .piece')");
    assert_eq!(page.value("document.getElementById('board').innerText"), before);
    page.click("#take-back");
    page.until("document.getElementById('hint-text').hidden");
    page.click("#resign");
    page.click("#resign-dialog [value=yes]");
    page.until("!!document.querySelector('#status.over')");
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// Drags, clicks, text: the army is each time as it should be.
fn setting_up(page: &mut Page) {
    let army = "B3FB3262452B3B6B5S7325B48269474M62225873";
    page.click("#setup summary");
    page.value(&format!("document.getElementById('setup-text').value = '{army}'"));
    page.click("#apply");
    let rank = |page: &mut Page, at: &str| {
        page.value(&format!("document.querySelector(\"#setup-board [data-at='{at}'] b\")?.textContent ?? ''"))
    };
    assert_eq!((rank(page, "a1"), rank(page, "b1"), rank(page, "c1")), (json!("B"), json!("3"), json!("F")));
    page.drag("#setup-board [data-at='a1']", "#setup-board [data-at='b1']");
    assert_eq!((rank(page, "a1"), rank(page, "b1")), (json!("3"), json!("B")));
    page.click("#setup-board [data-at='a1']");
    page.click("#setup-board [data-at='b1']");
    assert_eq!((rank(page, "a1"), rank(page, "b1")), (json!("B"), json!("3")));
    page.drag("#setup-board [data-at='c1']", "#tray");
    assert_eq!(
        (rank(page, "c1"), page.value("document.getElementById('ready').disabled")),
        (json!(""), json!(true))
    );
    picture(page, "setup-tray");
    page.drag("#tray [data-tray='F']", "#setup-board [data-at='c1']");
    assert_eq!(rank(page, "c1"), "F");
    page.value("document.getElementById('setup-text').value = 'MM'");
    page.click("#apply");
    assert_eq!(rank(page, "c1"), "F");
    assert_eq!(page.value("document.getElementById('setup-note').textContent.length > 0"), true);
}

#[test]
fn two_people_and_two_engines() {
    let Some(mut page) = browser() else { return };
    let address = server();
    begin(&mut page, &address, &["[name=mode][value=shared]", "[name=army][value=barrage]", "#begin"]);
    for _ in 0..2 {
        page.until("document.getElementById('setup')?.hidden === false");
        page.until("document.getElementById('ready').disabled === false");
        page.click("#ready");
        page.until("document.getElementById('hands').hidden === false");
        page.click("#sit-down");
    }
    step(&mut page, true);
    page.until("document.getElementById('hand-over').hidden === false");
    page.click("#hand-over");
    page.until("document.getElementById('hands').hidden === false");
    assert_eq!(page.value("document.querySelectorAll('#hands .piece').length"), 0);
    picture(&mut page, "hands");
    page.click("#sit-down");
    page.until("document.querySelector('#status.yours')?.textContent.startsWith('Blue')");

    begin(&mut page, &address, &["[name=mode][value=watch]", "#begin"]);
    page.until("Number(document.getElementById('moves')?.dataset.count ?? 0) > 10");
    page.click("#pause");
    page.until("document.getElementById('go-on').hidden === false");
    picture(&mut page, "watch");
    assert_eq!(page.value("document.querySelectorAll('#board .source').length"), 0);
    assert_eq!(page.complaints, Vec::<String>::new());
}
