//! The page in a browser: whole games by clicks, drags and keys, and pictures of every kind of page.
//!
//! Pictures are taken where `OUTFLANK_PICTURES` names a folder. README shows two of them.

use crate::browser_hint::hint_teaches;
use crate::common::Scripted;
use crate::server::{Server, server, server_with};
use outflank_browser::Page;
use serde_json::json;
use std::path::Path;

pub(crate) fn browser() -> Option<Page> {
    Page::open(Path::new(env!("CARGO_TARGET_TMPDIR")))
}

/// How a person moves a piece.
#[derive(Copy, Clone)]
pub(crate) enum By {
    Clicks,
    Drag,
    Taps,
    Swipe,
    Keys,
}

/// Moves a piece.
pub(crate) fn carry(page: &mut Page, by: By, at: &str, to: &str) {
    let square = |at: &str| format!("#board [data-at='{at}']");
    let (from, target) = (square(at), square(to));
    let marked = format!("document.querySelector({}).classList.contains('target')", json!(target));
    match by {
        By::Clicks => {
            page.click(&from);
            page.until(&marked);
            page.click(&target);
        }
        By::Taps => {
            page.tap_until(&from, &marked);
            page.tap_until(&target, "!document.querySelector('#board .target')");
        }
        By::Drag => page.drag(&from, &target),
        By::Swipe => page.swipe(&from, &target),
        By::Keys => {
            walk(page, at);
            page.key("Enter");
            page.until(&marked);
            walk(page, to);
            page.key("Enter");
        }
    }
}

/// From the square that has the focus to another one, with the arrow keys.
fn walk(page: &mut Page, to: &str) {
    let place = |at: &str| (i32::from(at.as_bytes()[0]), at[1..].parse::<i32>().unwrap());
    let here = page.value("document.activeElement.dataset.at");
    let ((file, row), (to_file, to_row)) = (place(here.as_str().expect("a square")), place(to));
    let across = if to_file > file { "ArrowRight" } else { "ArrowLeft" };
    let along = if to_row > row { "ArrowUp" } else { "ArrowDown" };
    (0..(to_file - file).abs()).for_each(|_| page.key(across));
    (0..(to_row - row).abs()).for_each(|_| page.key(along));
    assert_eq!(page.value("document.activeElement.dataset.at"), to);
}

/// Makes the person's move: a strike if there is one, else as far forward as it goes. False at the end.
pub(crate) fn step(page: &mut Page, by: By) -> bool {
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
    carry(page, by, found[0].as_str().unwrap(), found[1].as_str().unwrap());
    // The page knows of the ply once the server has taken it.
    let made = format!("Number(document.getElementById('moves').dataset.count) > {}", found[2]);
    page.until(&made);
    true
}

pub(crate) fn begin(page: &mut Page, server: &Server, choices: &[&str]) {
    page.go(&format!("http://{}/", server.address));
    for choice in choices {
        page.click(choice);
    }
}

/// A game of barrage against the weakest engine, to its end; how many turns it took.
fn short_game(page: &mut Page, server: &Server) -> usize {
    begin(page, server, &[]);
    page.value("document.querySelector('[name=level]').value = 1");
    page.value("document.querySelector('[name=movetime]').value = '200'");
    page.click("[name=army][value=barrage]");
    page.click("#begin");
    page.until("document.getElementById('ready')?.disabled === false");
    page.click("#ready");
    let mut turns = 0;
    while step(page, if turns % 2 == 0 { By::Clicks } else { By::Drag }) {
        turns += 1;
        assert!(turns < 500);
    }
    turns
}

#[test]
fn a_whole_game_by_clicks_and_what_follows() {
    let Some(mut page) = browser() else { return };
    let server = server();
    begin(&mut page, &server, &[]);
    page.inspect("board-lobby");
    // A scout that happens to find the flag may end a game at once; three in a row is no chance.
    let turns = (0..3).map(|_| short_game(&mut page, &server)).find(|turns| *turns > 2);
    assert!(turns.is_some(), "every game ends at once");
    page.until("!!document.querySelector('#status.over')");
    assert_eq!(
        page.value(
            "document.querySelectorAll('#board .piece .rank').length > 0 &&
        !document.querySelector('#board .piece use[href^=\"#back\"]')"
        ),
        true
    );
    page.inspect("board-over");
    let game = page.value("location.href");
    // One click, and the analysis opens when it is made.
    page.click("#replay");
    page.until("location.pathname.endsWith('/replay') && document.readyState === 'complete'");
    let text = page.value("document.body.innerText");
    assert!(!text.as_str().unwrap().contains("No search was run"), "{text}");
    assert_eq!(page.value("document.querySelectorAll('#board rect').length > 100"), true);
    page.go(game.as_str().unwrap());
    page.until("!!document.querySelector('#status.over') && !document.getElementById('learn-link').hidden");
    let link = page.value("document.getElementById('learn-link').href");
    page.go(link.as_str().unwrap());
    page.until("document.getElementById('lesson')?.hidden === false");
    let lesson = page.value("document.getElementById('lesson').textContent");
    assert!(lesson.as_str().unwrap().contains("Question 1 of "), "{lesson}");
    page.go(game.as_str().unwrap());
    page.until("!!document.querySelector('#status.over')");
    going_on(&mut page, &server);
    page.go(game.as_str().unwrap());
    page.until("!!document.querySelector('#status.over')");
    page.click("#rematch");
    page.until("document.getElementById('setup-side')?.textContent.startsWith('blue')");
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// After a game: the next level is proposed, the lobby tells how the games went, and one click plays another one.
fn going_on(page: &mut Page, server: &Server) {
    let won = page.value("document.getElementById('status').textContent.startsWith('Red wins')") == true;
    let drawn = page.value("document.getElementById('status').textContent.startsWith('A draw')") == true;
    let proposed =
        "[document.getElementById('next-level').hidden, document.getElementById('next-level').textContent]";
    let expected = if won { json!([false, "Play level 2"]) } else { json!([true, ""]) };
    assert_eq!(page.value(proposed), expected, "there is no level below the first");
    begin(page, server, &[]);
    let result = if won {
        "won"
    } else if drawn {
        "drawn"
    } else {
        "lost"
    };
    let listed = page.value("document.querySelector('#games li').innerText.replace(/\\s+/g, ' ')");
    let listed = listed.as_str().unwrap();
    assert!(listed.starts_with("Level 1, you as Red, Barrage ") && listed.contains(result), "{listed}");
    let levels = page.value("document.querySelector('#by-level tbody').innerText.trim().split(/\\s+/)");
    assert_eq!(levels[0], "1");
    page.inspect("board-lobby-games");
    page.click("#play-now");
    page.until("!!document.querySelector('#status.yours')");
    let game = "fetch(location.pathname + '/state').then(answer => answer.json()).then(state =>
        [state.names[1], state.pieces.length])";
    assert_eq!(page.value(game), json!(["Outflank, level 1", 16]), "as the last time, and set up at once");
}

#[test]
fn setting_up_and_playing_with_mouse_and_keys() {
    let Some(mut page) = browser() else { return };
    let server = server();
    begin(&mut page, &server, &["#begin"]);
    page.until("document.getElementById('ready')?.disabled === false");
    page.inspect("board-setup");
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
    for turn in 0..8 {
        step(&mut page, if turn % 2 == 0 { By::Clicks } else { By::Drag });
    }
    page.until("!!document.querySelector('#status.yours')");
    page.click("#hint");
    page.until("!document.getElementById('hint-text').hidden");
    let hint = page.value("document.getElementById('hint-text').textContent");
    let hint = hint.as_str().unwrap();
    assert!(hint.contains("would move the ") || hint.contains("would strike the "), "{hint}");
    hint_teaches(&mut page, hint);
    page.inspect("board-play");
    believing(&mut page);
    page.inspect_colour_blind("board-play");
    // A reload loses nothing.
    let before = page.value("document.getElementById('board').innerText");
    page.reload();
    page.until("!!document.querySelector('#status.yours') && !!document.querySelector('#board .piece')");
    assert_eq!(page.value("document.getElementById('board').innerText"), before);
    page.click("#take-back");
    page.until("document.getElementById('hint-text').hidden && !document.querySelector('#board .arrow')");
    page.click("#resign");
    page.click("#resign-dialog [value=yes]");
    page.until("!!document.querySelector('#status.over')");
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// The panel with what hidden pieces may be: a map over the board, and the chances of one piece.
fn believing(page: &mut Page) {
    let heats = "document.querySelectorAll('#board .heat').length";
    assert_eq!(page.value(heats), 0);
    page.click("#beliefs summary");
    page.until(&format!("{heats} > 20"));
    let percent =
        "[...document.querySelectorAll('#board .heat')].every(heat => /^<?\\d+%$/.test(heat.textContent))";
    assert_eq!(page.value(percent), true);
    // Two pieces on the enemy's side that were not revealed, and one of our own.
    let hidden = page.value(
        "fetch(location.pathname + '/state').then(answer => answer.json()).then(state => {
            const hidden = state.pieces.filter(piece => !piece.open).map(piece => [piece.at, piece.side]);
            const of = side => hidden.filter(([, owner]) => owner === side).map(([at]) => at);
            return [...of('blue').slice(0, 2), of('red')[0]]; })",
    );
    let [first, second, own] = [0, 1, 2].map(|index| hidden[index].as_str().unwrap().to_owned());
    page.click(&format!("#board [data-at='{first}']"));
    page.until("document.querySelectorAll('#belief-bars li').length > 3");
    page.until(&format!("document.getElementById('note').textContent.startsWith('{first}: ')"));
    page.inspect("board-beliefs");
    page.value(
        "(choice => { choice.value = 'ours'; choice.dispatchEvent(new Event('change')); })(
            document.getElementById('belief-of'))",
    );
    page.until(&format!("!!document.querySelector(\"#board [data-at='{own}'] .heat\")"));
    assert_eq!(page.value(&format!("!!document.querySelector(\"#board [data-at='{first}'] .heat\")")), false);
    page.click("#beliefs summary");
    page.until(&format!("{heats} === 0"));
    // A note by the choice below the board, another one by a key; both outlast a reload.
    page.value(
        "(choice => { choice.value = 'M'; choice.dispatchEvent(new Event('change')); })(
            document.getElementById('noting-rank'))",
    );
    let focus = format!("document.querySelector(\"#board [data-at='{second}']\").focus()");
    page.value(&focus);
    page.key("b");
    page.reload();
    let noted =
        "[...document.querySelectorAll('#board .noted')].map(note => note.textContent).sort().join(' ')";
    page.until(&format!("{noted} === 'B M'"));
    page.value(&focus);
    page.key("Delete");
    page.until(&format!("{noted} === 'M'"));
}

/// Drags, clicks, text: the army is each time as it should be.
fn setting_up(page: &mut Page) {
    let army = "B3FB3262452B3B6B5S7325B48269474M62225873";
    page.click("#setup summary");
    page.value(&format!("document.getElementById('setup-text').value = '{army}'"));
    page.click("#apply");
    let rank = |page: &mut Page, at: &str| {
        page.value(&format!(
            "document.querySelector(\"#setup-board [data-at='{at}'] .rank\")?.textContent ?? ''"
        ))
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
    page.inspect("board-setup-tray");
    page.drag("#tray [data-tray='F']", "#setup-board [data-at='c1']");
    assert_eq!(rank(page, "c1"), "F");
    page.value("document.getElementById('setup-text').value = 'MM'");
    page.click("#apply");
    assert_eq!(rank(page, "c1"), "F");
    assert_eq!(page.value("document.getElementById('setup-note').textContent.length > 0"), true);
}

/// Two people at one screen set up Barrage, and Red offers a draw with its move: the page between them.
pub(crate) fn offer_between_two(page: &mut Page, server: &Server) {
    begin(page, server, &["[name=mode][value=shared]", "[name=army][value=barrage]", "#begin"]);
    for _ in 0..2 {
        page.until("document.getElementById('setup')?.hidden === false");
        page.until("document.getElementById('ready').disabled === false");
        page.click("#ready");
        page.until("document.getElementById('hands').hidden === false");
        page.click("#sit-down");
    }
    page.until("!!document.querySelector('#status.yours')");
    page.click("#offer-draw");
    page.until("document.getElementById('draw').hidden === false");
    step(page, By::Clicks);
    page.until("document.getElementById('hand-over').hidden === false");
    page.click("#hand-over");
    page.until("document.getElementById('hands').hidden === false");
}

#[test]
fn two_people_and_two_engines() {
    let Some(mut page) = browser() else { return };
    let server = server();
    offer_between_two(&mut page, &server);
    assert_eq!(page.value("document.querySelectorAll('#hands .piece').length"), 0);
    assert_eq!(
        page.value("document.getElementById('hands-draw').textContent.startsWith('Red offers a draw')"),
        true
    );
    page.inspect("board-hands");
    page.click("#sit-down");
    page.until("document.querySelector('#status.yours')?.textContent.startsWith('Blue')");
    answering_a_draw(&mut page);

    // A game of Barrage, as the lobby remembers, may be over soon.
    begin(&mut page, &server, &["[name=mode][value=watch]", "[name=army][value=classic]", "#begin"]);
    page.until("Number(document.getElementById('moves')?.dataset.count ?? 0) > 10");
    page.click("#pause");
    page.until("document.getElementById('go-on').hidden === false");
    page.inspect("board-watch");
    assert_eq!(page.value("document.querySelectorAll('#board .source').length"), 0);
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// Blue declines Red's draw, offers one itself, and Red accepts.
fn answering_a_draw(page: &mut Page) {
    let said = "document.getElementById('draw-text').textContent";
    assert_eq!(page.value(&format!("{said}.startsWith('Red offers a draw')")), true);
    page.click("#decline-draw");
    page.until(&format!("{said}.startsWith('Blue declined')"));
    assert_eq!(page.value("document.getElementById('offer-draw').disabled"), true);
    page.value(&format!("{REST_OVER}({REST})"));
    page.until(
        "!!document.querySelector('#status.yours') && !document.getElementById('offer-draw').disabled",
    );
    page.click("#offer-draw");
    page.until(&format!("{said}.includes('offers a draw')"));
    step(page, By::Clicks);
    page.until("document.getElementById('hand-over').hidden === false");
    page.click("#hand-over");
    page.until("document.getElementById('hands').hidden === false");
    page.click("#sit-down");
    page.until("document.getElementById('draw-answer').hidden === false");
    page.inspect("board-draw");
    page.click("#accept-draw");
    page.until("document.querySelector('#status.over')?.textContent === 'A draw. Both agreed.'");
}

/// After a refusal nobody may offer a draw before so many plies.
const REST: usize = 20;
/// Two people make so many plies without a strike, past the page, which only hears of them.
const REST_OVER: &str = "(async plies => {
    const ask = async (path, body) => (await fetch(location.pathname + path, { method: 'POST',
        headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })).json();
    let state = await (await fetch(location.pathname + '/state')).json();
    for (let made = 0; made < plies; made++) {
        await ask('/move', { action: state.legal.find(text => !text.includes('x')), ply: state.ply });
        await ask('/do', { wish: 'hand-over' });
        state = await ask('/do', { wish: 'sit-down' });
    } })";

#[test]
fn a_whole_game_by_keys_alone() {
    let Some(mut page) = browser() else { return };
    let server = server();
    begin(&mut page, &server, &[]);
    page.value("document.querySelector('[name=level]').value = 1");
    page.value("document.querySelector('[name=movetime]').value = '200'");
    page.tab_to("[name=army]:checked");
    page.key("ArrowRight");
    assert_eq!(page.value("document.querySelector('[name=army]:checked').value"), "barrage");
    page.tab_to("#begin");
    page.key("Enter");
    page.until("document.getElementById('ready')?.disabled === false");
    setting_up_by_keys(&mut page);
    page.tab_to("#ready");
    page.key("Enter");
    page.until("document.activeElement.closest('#board') !== null");
    page.until("!!document.querySelector('#status.yours')");
    // Each square says what is on it.
    let labels = page
        .value("[...document.querySelectorAll('#board [data-at] .unseen')].map(text => text.textContent)");
    let labels: Vec<&str> = labels.as_array().unwrap().iter().filter_map(|label| label.as_str()).collect();
    assert_eq!(labels.len(), 100);
    assert_eq!(labels.iter().filter(|label| label.contains(", your ")).count(), 8);
    assert_eq!(labels.iter().filter(|label| label.ends_with(", Blue’s unknown piece")).count(), 8);
    assert!(labels.contains(&"c5, lake") && labels.iter().any(|label| label.ends_with(", your marshal")));
    let mut turns = 0;
    while step(&mut page, By::Keys) {
        turns += 1;
        assert!(turns < 500);
        let said = page.value("document.getElementById('said').textContent");
        assert!(said.as_str().is_some_and(|said| !said.is_empty()), "what happened is read out");
    }
    page.until("!!document.querySelector('#status.over')");
    page.tab_to("#rematch");
    page.key("Enter");
    page.until("document.getElementById('setup-side')?.textContent.startsWith('blue')");
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// A piece to another square, one into the tray, and back.
fn setting_up_by_keys(page: &mut Page) {
    let rank = |page: &mut Page, at: &str| {
        page.value(&format!(
            "document.querySelector(\"#setup-board [data-at='{at}'] .rank\")?.textContent ?? ''"
        ))
    };
    page.tab_to("#setup-board [data-at]");
    let squares = page.value(
        "[...document.querySelectorAll('#setup-board .square:has(.rank)')].map(cell => cell.dataset.at)",
    );
    let (first, second) = (squares[0].as_str().unwrap(), squares[1].as_str().unwrap());
    let (one, other) = (rank(page, first), rank(page, second));
    walk(page, first);
    page.key("Enter");
    walk(page, second);
    page.key("Enter");
    assert_eq!((rank(page, first), rank(page, second)), (other.clone(), one.clone()));
    page.key("Delete");
    assert_eq!(
        (rank(page, second), page.value("document.getElementById('ready').disabled")),
        (json!(""), json!(true))
    );
    page.tab_to("#tray button");
    page.key("Enter");
    while page.value("document.activeElement.closest('#setup-board') === null") == true {
        page.key("Shift+Tab");
    }
    page.key("Enter");
    assert_eq!(rank(page, second), one);
}

#[test]
fn setting_up_and_playing_by_touch() {
    let Some(mut page) = browser() else { return };
    let server = server();
    page.resize(390, 844);
    page.go(&format!("http://{}/", server.address));
    let barrage = "[name=army][value=barrage]";
    page.tap_until(barrage, &format!("document.querySelector('{barrage}').checked"));
    page.tap_until("#begin", "!!document.getElementById('ready')");
    page.until("document.getElementById('ready')?.disabled === false");
    let text = "document.getElementById('setup-text').value.replaceAll(' ', '')";
    let army = |expected: &str| format!("{text}.slice(0, 10) + {text}.slice(39) === '{expected}'");
    page.value("document.querySelector('#setup details').open = true");
    page.value("document.getElementById('setup-text').value = 'FB23SM9...' + '.'.repeat(29) + '2'");
    page.tap_until("#apply", &army("FB23SM9...2"));
    let chosen = "!!document.querySelector(\"#setup-board [data-at='a1'].chosen\")";
    page.tap_until("#setup-board [data-at='a1']", chosen);
    page.tap_until("#setup-board [data-at='b1']", &army("BF23SM9...2"));
    page.swipe("#setup-board [data-at='c1']", "#setup-board [data-at='j1']");
    page.until(&army("BF.3SM9..22"));
    page.swipe("#setup-board [data-at='e1']", "#tray");
    page.until(&army("BF.3.M9..22"));
    page.swipe("#tray [data-tray='S']", "#setup-board [data-at='c1']");
    page.until(&army("BFS3.M9..22"));
    page.swipe("#setup-board [data-at='d1']", "#setup-board [data-at='e4']");
    page.until(&army("BFS..M9..22"));
    page.tap_until("#ready", "!!document.querySelector('#status.yours')");
    // Faces fill their squares; the status is seen wherever one scrolls.
    let filled = "[...document.querySelectorAll('#board .piece')].every(piece => piece.getBoundingClientRect().width
        >= 0.98 * piece.parentElement.getBoundingClientRect().width && piece.getBoundingClientRect().width > 34)";
    assert_eq!(page.value(filled), true);
    page.resize(390, 560);
    for place in [0, 10_000] {
        page.value(&format!("window.scrollTo(0, {place})"));
        let seen = "(box => box.top >= 0 && box.bottom <= innerHeight)(
            document.getElementById('status').getBoundingClientRect())";
        assert_eq!(page.value(seen), true, "the status, scrolled to {place}");
    }
    page.resize(390, 844);
    for by in [By::Taps, By::Swipe, By::Taps, By::Swipe] {
        if !step(&mut page, by) {
            break;
        }
    }
    assert_eq!(page.value("document.querySelectorAll('.ghost').length"), 0);
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// A setup of barrage with these pieces on these places.
pub(crate) fn places(pieces: &[(usize, char)]) -> String {
    (0..40)
        .map(|place| pieces.iter().find(|(at, _)| *at == place).map_or('.', |(_, letter)| *letter))
        .collect()
}

pub(crate) const RED: [(usize, char); 8] =
    [(0, 'F'), (1, 'B'), (2, 'S'), (3, '2'), (9, '2'), (34, '3'), (35, '9'), (39, 'M')];
pub(crate) const BLUE: [(usize, char); 8] =
    [(0, 'F'), (1, 'B'), (2, 'S'), (3, '2'), (7, 'M'), (8, '3'), (9, '2'), (35, '9')];

/// Sets up this army as text and begins.
pub(crate) fn set_up(page: &mut Page, army: &str) {
    page.until("document.getElementById('ready')?.disabled === false");
    page.click("#setup summary");
    page.value(&format!("document.getElementById('setup-text').value = '{army}'"));
    page.click("#apply");
    page.click("#ready");
}

#[test]
fn a_rescue_and_draws_that_the_engine_answers() {
    let Some(mut page) = browser() else { return };
    let actions = "c10c9 c9c8 c8c7 c7b7 b7b8 b8b9 b9a9 a9a8 a8a7";
    let actions = actions.split(' ').map(str::to_owned).collect();
    let server = server_with(Scripted { army: places(&BLUE), actions, chances: [600, 0, 400] });
    begin(&mut page, &server, &["[name=army][value=barrage]", "#options summary", "[name=rescue]", "#begin"]);
    set_up(&mut page, &places(&RED));
    let plies = ["e4e5", "e5e6", "e6e7", "f4f5", "f5f6", "f6f7", "f7f8", "f8f9"];
    for (turn, ply) in plies.into_iter().enumerate() {
        page.until("!!document.querySelector('#status.yours')");
        carry(&mut page, By::Clicks, &ply[..2], &ply[2..]);
        // The person's ply, and the engine's answer.
        let made = 2 * (turn + 1);
        page.until(&format!("Number(document.getElementById('moves').dataset.count) === {made}"));
    }
    page.until("!!document.querySelector('#status.yours')");
    rescuing(&mut page);
    page.until("!!document.querySelector('#status.yours')");
    page.click("#offer-draw");
    page.until("document.getElementById('draw-text').textContent.startsWith('Blue declined')");
    assert_eq!(page.value("document.getElementById('offer-draw').disabled"), true);
    assert_eq!(page.value("!!document.querySelector('#status.yours')"), true, "the game goes on");
    losing_engine_takes_a_draw(&mut page);
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// The dialog: cancelled, left with Escape, and then answered.
fn rescuing(page: &mut Page) {
    let open = "document.getElementById('rescue-dialog').open";
    let miner = "document.querySelector(\"#board [data-at='a2'] .rank\")?.textContent ?? ''";
    let made = page.value("document.getElementById('moves').dataset.count");
    carry(page, By::Clicks, "f9", "f10");
    page.until(open);
    page.click("#rescue-dialog [value=no]");
    page.until(&format!("!{open}"));
    carry(page, By::Clicks, "f9", "f10");
    page.until(open);
    assert_eq!(
        page.value("[...document.getElementById('rescue-rank').options].map(one => one.value)"),
        json!(["", "3"])
    );
    page.value(
        "(() => { const rank = document.getElementById('rescue-rank'); rank.value = '';
        rank.dispatchEvent(new Event('change')); })()",
    );
    assert_eq!(page.value("document.getElementById('rescue-place').hidden"), true);
    page.key("Escape");
    page.until(&format!("!{open}"));
    assert_eq!(page.value("document.getElementById('moves').dataset.count"), made, "nothing was played");
    carry(page, By::Keys, "f9", "f10");
    page.until(open);
    page.value("document.getElementById('rescue-square').value = 'a2'");
    page.inspect("board-rescue");
    page.click("#rescue-dialog [value=yes]");
    page.until(&format!("({miner}) === '3'"));
}

fn losing_engine_takes_a_draw(page: &mut Page) {
    let army = places(&BLUE);
    let server = server_with(Scripted { army, actions: Vec::new(), chances: [100, 100, 800] });
    begin(page, &server, &["[name=army][value=barrage]", "#begin"]);
    set_up(page, &places(&RED));
    page.until("!!document.querySelector('#status.yours')");
    carry(page, By::Clicks, "e4", "e5");
    page.until("Number(document.getElementById('moves').dataset.count) >= 2");
    page.until("!!document.querySelector('#status.yours')");
    page.click("#offer-draw");
    page.until("document.querySelector('#status.over')?.textContent === 'A draw. Both agreed.'");
}
