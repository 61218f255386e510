//! The page in a browser where something is in its way: engines, servers, other windows, a browser that keeps nothing.

use crate::browser::{By, begin, browser, step};
use crate::common::program;
use crate::server::{Server, folder, server, server_with};
use outflank_board::engine::Program;
use outflank_board::invitation;
use outflank_board::token::Token;
use outflank_board::web::Access;
use serde_json::json;
use std::net::{Ipv4Addr, SocketAddr};

#[test]
fn an_engine_that_cannot_be_started_is_reported_while_setting_up() {
    let Some(mut page) = browser() else { return };
    let server = server_with(Program::read("no-such-program-anywhere").unwrap());
    for colour in ["red", "blue"] {
        begin(&mut page, &server, &[&format!("[name=colour][value={colour}]"), "#begin"]);
        page.until("document.getElementById('setup-trouble')?.hidden === false");
        let text = page.value("document.getElementById('setup-trouble-text').textContent");
        assert!(text.as_str().unwrap().contains("its program cannot be started"), "{text}");
        page.click("#setup-trouble button");
        page.until("document.getElementById('setup-trouble').hidden === false");
    }
    assert_eq!(page.complaints, Vec::<String>::new());
}

#[test]
fn a_page_goes_on_with_a_server_that_was_started_again() {
    let Some(mut page) = browser() else { return };
    let server = server();
    begin(&mut page, &server, &["#begin"]);
    page.until("document.getElementById('ready')?.disabled === false");
    page.click("#ready");
    for _ in 0..3 {
        step(&mut page, By::Clicks);
    }
    page.until("!!document.querySelector('#status.yours')");
    let (folder, address) = server.end();
    page.until("document.getElementById('offline').hidden === false");
    let _server = Server::start(program(), folder, address, Access::local);
    page.until("document.getElementById('offline').hidden === true");
    // The page shows its own move and the answer, and asks no more than it has to.
    page.value("void performance.clearResourceTimings()");
    step(&mut page, By::Clicks);
    page.until("Number(document.getElementById('moves').dataset.count) >= 8");
    page.until("!!document.querySelector('#status.yours')");
    let asked = page.value(
        "new Promise(done => setTimeout(done, 500)).then(() => performance.getEntriesByType('resource')
            .filter(entry => entry.name.includes('/state?since')).length)",
    );
    assert!(asked.as_u64() < Some(20), "{asked} questions about one turn");
}

#[test]
fn a_browser_that_keeps_nothing_sets_up_and_plays() {
    let Some(mut page) = browser() else { return };
    let server = server();
    // As where cookies are blocked.
    page.first(
        "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, {
            get() { throw new DOMException('Access is denied for this document.', 'SecurityError'); } });
        Object.defineProperty(Navigator.prototype, 'locks', { get() { return { request: () =>
            Promise.reject(new DOMException('Access is denied for this document.', 'SecurityError')) }; } });",
    );
    begin(&mut page, &server, &["#begin"]);
    page.until("document.getElementById('ready')?.disabled === false");
    page.click("#keep");
    page.until("document.getElementById('setup-note').textContent.includes('keeps nothing')");
    page.click("#ready");
    for _ in 0..2 {
        step(&mut page, By::Clicks);
    }
    page.until("Number(document.getElementById('moves').dataset.count) >= 4");
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// Addresses of the network are no secure context: a browser does without locks there, among others.
#[test]
fn a_device_in_the_network_plays_after_it_has_shown_the_key() {
    let Some(mut page) = browser() else { return };
    let Ok(addresses) = invitation::addresses(Ipv4Addr::UNSPECIFIED.into()) else {
        outflank_browser::skipped("this machine has no address in a network");
        return;
    };
    let key = Token::new().unwrap();
    let access = |port| Access::network(&addresses, port, key.clone());
    let server = Server::start(program(), folder(), ([0; 4], 0).into(), access);
    let address = SocketAddr::new(addresses[0], server.address.port());
    page.go(&format!("http://{address}/"));
    assert!(page.value("document.body.innerText").as_str().unwrap().starts_with("This server needs its key"));
    page.value(&format!("void (location.href = 'http://{address}/enter/{key}')"));
    page.until("!!document.getElementById('begin') && document.readyState === 'complete'");
    assert_eq!(page.value("location.pathname"), "/", "the key does not stay in the address bar");
    page.click("#begin");
    page.until("document.getElementById('ready')?.disabled === false");
    assert_eq!(page.value("window.isSecureContext"), false);
    page.click("#ready");
    for _ in 0..2 {
        step(&mut page, By::Clicks);
    }
    page.until("Number(document.getElementById('moves').dataset.count) >= 4");
    // A page without the key has no icon.
    page.complaints.retain(|complaint| !complaint.contains("403 (Forbidden)"));
    assert_eq!(page.complaints, Vec::<String>::new());
}

#[test]
fn many_windows_on_one_game_keep_none_of_them_waiting() {
    let Some(mut page) = browser() else { return };
    let server = server();
    begin(&mut page, &server, &["#begin"]);
    page.until("document.getElementById('ready')?.disabled === false");
    page.click("#ready");
    page.until("!!document.querySelector('#status.yours')");
    let game = page.value("location.href").as_str().unwrap().to_owned();
    let mut windows = Vec::new();
    for _ in 0..6 {
        windows.push(page.window());
        page.go(&game);
        page.until("!!document.querySelector('#status.yours')");
    }
    // No browser has more than six connections to a server, and each wait lasts 20 s.
    let made = page.value(
        "fetch(location.pathname + '/state').then(answer => answer.json()).then(state => Promise.race([
            fetch(location.pathname + '/move', { method: 'POST', headers: { 'Content-Type': 'application/json' },
                body: JSON.stringify({ action: state.legal[0], ply: state.ply }) }).then(answer => answer.status),
            new Promise(late => setTimeout(late, 10000, 'late'))]))",
    );
    assert_eq!(made, 200);
    for window in &windows {
        page.turn_to(window);
        assert_eq!(page.value("document.hidden"), false, "a page that nobody sees would ask nothing");
        page.until("Number(document.getElementById('moves').dataset.count) >= 2");
    }
    assert_eq!(page.complaints, Vec::<String>::new());
}

#[test]
fn files_that_are_chosen_and_armies_that_are_cleared() {
    let Some(mut page) = browser() else { return };
    let server = server();
    let folder = folder();
    let file = folder.path().join("game.jsonl");
    let note = "document.getElementById('file-note').textContent";
    begin(&mut page, &server, &[]);
    for (text, words) in [
        ("<game/>", "game.jsonl: No game of this file can be read"),
        ("my notes", "game.jsonl: This is no file of games"),
    ] {
        std::fs::write(&file, text).unwrap();
        page.value(&format!("void ({note} = '')"));
        page.choose_file("#file", &file);
        page.until(&format!("{note}.startsWith('{words}')"));
        // Where the person looks, on however small a screen.
        let below = "document.getElementById('file-note').getBoundingClientRect().top \
                     - document.getElementById('file').getBoundingClientRect().bottom";
        assert!((0.0..60.0).contains(&page.value(below).as_f64().unwrap()), "{}", page.value(below));
        // So that the same file is a change when it is chosen again.
        assert_eq!(page.value("document.getElementById('file').value"), "");
    }
    page.complaints.clear();
    std::fs::write(&file, include_str!("../../play/tests/data/begun.jsonl")).unwrap();
    page.choose_file("#file", &file);
    page.until("!!document.querySelector('#status.yours')");
    step(&mut page, By::Clicks);

    // Of several games, and one that is broken, one is chosen.
    let games = [
        include_str!("../../record/tests/game.jsonl").trim(),
        "{}",
        include_str!("../../play/tests/data/begun.jsonl"),
    ];
    std::fs::write(&file, games.join("\n")).unwrap();
    begin(&mut page, &server, &[]);
    page.choose_file("#file", &file);
    page.until("document.querySelectorAll('#found-games button').length === 2");
    assert_eq!(page.value(note), "1 of the games in game.jsonl cannot be read.");
    page.click("#found-games li:first-child button");
    page.until("!!document.querySelector('#status.over')");

    // A game of Gravon's archive without a result is looked at, and nobody plays it on.
    let xml = include_str!("../../convert/tests/data/sample.xml");
    let open = xml.lines().filter(|line| !line.contains("id=\"11\"") && !line.contains("<result"));
    std::fs::write(&file, open.collect::<Vec<_>>().join("\n")).unwrap();
    begin(&mut page, &server, &[]);
    page.choose_file("#file", &file);
    page.until("document.querySelector('#status.over')?.textContent.startsWith('Unfinished')");
    page.click("#replay");
    page.until("location.pathname.endsWith('/replay') && document.readyState === 'complete'");
    assert_eq!(page.value("document.getElementById('about').textContent.includes('No result')"), true);

    let state = "document.getElementById('setup-state').textContent";
    begin(&mut page, &server, &["#begin"]);
    page.until("document.getElementById('ready')?.disabled === false");
    page.until(&format!("{state}.includes('ready to play')"));
    page.click("#clear");
    assert_eq!(page.value(&format!("{state}.includes('ready to play')")), json!(false));
    assert_eq!(page.complaints, Vec::<String>::new());
}
