//! Analysis as a part of the board: links, looking into a game and into positions of one's own, and playing on.

use crate::browser::{By, begin, browser, step};
use crate::server::server;
use outflank_browser::Page;
use serde_json::json;

const SPN: &str = "document.getElementById('spn')?.value";
const BOARD: &str = "document.getElementById('spn')?.value.split(' ')[0]";
const EFFORT: &str = "document.getElementById('effort').textContent";
const STATUS: &str = "document.getElementById('status').textContent";

/// Whether the list of moves shows the one that is looked at.
const LAST: &str = "(([list, line]) => line.top >= list.top - 1 && line.bottom <= list.bottom + 1)(
    ['#moves', '#moves [aria-current]'].map(part => document.querySelector(part).getBoundingClientRect()))";

fn links(page: &mut Page) -> serde_json::Value {
    page.value("[...document.querySelectorAll('header a')].map(link => link.textContent)")
}

#[test]
fn the_analysis_leads_to_the_board_and_any_moment_is_played_on() {
    let Some(mut page) = browser() else { return };
    let server = server();
    begin(&mut page, &server, &[]);
    page.value("document.querySelector('[name=level]').value = 1");
    page.value("document.querySelector('[name=movetime]').value = '200'");
    page.click("#begin");
    page.until("document.getElementById('ready')?.disabled === false");
    page.click("#ready");
    for _ in 0..6 {
        step(&mut page, By::Clicks);
    }
    page.until("!!document.querySelector('#status.yours')");
    page.click("#resign");
    page.click("#resign-dialog [value=yes]");
    page.until("!!document.querySelector('#status.over')");
    // The last move stays in sight where the list loses room.
    page.value(
        "[document.getElementById('moves').style.maxHeight = '3rem', document.shrunk = performance.now()]",
    );
    page.until(LAST);
    assert_eq!(
        page.value("performance.now() - document.shrunk < 5000"),
        true,
        "at once, not with the next news"
    );
    let game = page.value("location.pathname").as_str().unwrap().to_owned();
    page.click("#replay");
    page.until("location.pathname.endsWith('/replay') && document.readyState === 'complete'");
    assert_eq!(page.value("location.hash"), "#mistake-red");
    assert_eq!(links(&mut page), json!(["The game", "Lines and playing on", "Lobby", "Rematch"]));
    assert_eq!(page.value("document.getElementById('red-name').textContent"), "you (Red)");
    // It opens where the lesson begins: at the first mistake, or at the costliest move if there is none.
    let named = "[state.ply, questionsOf(0)[0] === state.ply, questionsOf(0).length > 0]";
    let opened = page.value(named);
    assert!(opened[1] == opened[2] && (opened[2] == false || opened[0].as_u64() > Some(0)), "{opened}");
    page.value("go(4)");
    page.value("see(0)");
    page.click("header a[href*='/study#']");
    page.until("location.pathname === '/study' && document.querySelectorAll('#lines li').length === 3");
    assert_eq!(page.value("location.hash.slice(34)"), "4-red");
    studying(&mut page, &game);
    // Back to the game, and from the analysis to the rematch.
    page.click("#analysis-link");
    page.until("location.pathname.endsWith('/replay') && document.readyState === 'complete'");
    assert_eq!(page.value("state.ply"), 3);
    page.click("header a[href$='#rematch']");
    page.until("document.getElementById('setup-side')?.textContent.startsWith('blue')");
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// A moment of a game: lines that deepen, what each side knew and believed, and playing on.
fn studying(page: &mut Page, game: &str) {
    let hidden = |page: &mut Page, side: &str| {
        page.value(&format!("document.querySelectorAll('#board .piece.{side} use[href^=\"#back\"]').length"))
    };
    page.until(&format!("{STATUS} === 'Red is to move.'"));
    assert!(hidden(page, "blue").as_u64() > Some(25), "Red sees backs");
    assert_eq!(hidden(page, "red"), 0);
    page.until(&format!("/points by what Red knows: [\\d,]{{6,}} nodes, \\d+ plies/.test({EFFORT})"));
    assert_eq!(page.value("!!document.querySelector('#board .arrow')"), true);
    page.click("#beliefs summary");
    page.until("document.querySelectorAll('#board .heat').length > 20");
    page.value("document.querySelector('.panels').scrollTo(0, 0)");
    page.inspect("board-study");
    page.click("[name=eyes][value=both]");
    page.until("document.querySelectorAll('#board use[href^=\"#back\"]').length === 0");
    page.until("document.querySelectorAll('#board .piece.red ~ .heat').length > 20");
    page.value("document.activeElement.blur()");
    page.key("ArrowRight");
    page.until(&format!("{STATUS} === 'Blue is to move.'"));
    assert_eq!(page.value("document.querySelector('#moves [aria-current]').dataset.ply"), "5");
    page.until(LAST);
    page.key("ArrowLeft");
    page.key("ArrowLeft");
    page.until("location.hash.slice(34) === '3-both'");
    page.click("[name=eyes][value=blue]");
    page.until("document.querySelector('#board .square').dataset.at === 'j1'");
    page.value("document.getElementById('level').value = '2'");
    page.click("[data-on=blue]");
    page.until("location.pathname.startsWith('/game/') && !!document.querySelector('#status.yours')");
    assert_ne!(page.value("location.pathname"), game);
    assert_eq!(page.value("Number(document.getElementById('moves').dataset.count)"), 3);
    step(page, By::Clicks);
    page.value("history.back()");
    page.until(
        "location.pathname === '/study' && document.getElementById('analysis-link')?.hidden === false",
    );
}

#[test]
fn a_position_is_set_up_by_hand_read_written_and_played() {
    let Some(mut page) = browser() else { return };
    let server = server();
    begin(&mut page, &server, &["a[href='/study']"]);
    page.until(&format!("{SPN}?.startsWith('10/10/10/10/2__2__2/')"));
    page.until(&format!("{STATUS} === 'The board is empty.'"));
    assert_eq!(page.value("document.getElementById('editor').open"), true);
    assert_eq!(page.value("document.querySelectorAll('[data-on]:enabled').length"), 0);
    let known = "Y8p/10/10/10/2__2__2/2__2__2/10/10/10/E+8M b - 2,3 4 40 preset=isf";
    let show = |page: &mut Page, text: &str| {
        page.value(&format!("document.getElementById('spn').value = '{text}'"));
        page.click("#text button");
    };
    show(&mut page, known);
    page.until("document.querySelectorAll('#board .piece').length === 4");
    page.until("document.querySelectorAll('#lines li').length > 0");
    assert!(page.value(SPN).as_str().unwrap().starts_with(known), "what is read is written");
    // By drag, by clicks, by keys, off the board and from the tray.
    // What is refused changes nothing but the note.
    show(&mut page, "Y8p/9?/10/10/2__2__2/2__2__2/10/10/10/E+8M b - 2,3 4 40");
    page.until("document.getElementById('note').textContent.startsWith('This is no position: ')");
    assert_eq!(page.value("document.querySelectorAll('#board .piece').length"), 4);
    assert_eq!(page.value("document.querySelectorAll('[data-on]:enabled').length"), 2);
    // A lake is nothing to choose.
    page.click("#board [data-at='d6']");
    assert_eq!(page.value("!!document.activeElement.closest('#board')"), false);
    page.drag("#board [data-at='a1']", "#board [data-at='b2']");
    page.until(&format!("{BOARD}.endsWith('/1E+8/9M')"));
    page.click("#board [data-at='j1']");
    page.click("#board [data-at='i1']");
    page.until(&format!("{BOARD}.endsWith('/1E+8/8M1')"));
    page.drag("#tray [data-tray='blueB']", "#board [data-at='j9']");
    page.until(&format!("{BOARD}.startsWith('Y8p/9N/')"));
    page.click("#moved");
    page.until(&format!("{SPN}.length > 0 && document.getElementById('note').textContent.includes('moved')"));
    page.inspect("board-study-error");
    page.click("#moved");
    page.until("document.getElementById('note').textContent === ''");
    page.click("#open");
    page.until(&format!("{BOARD}.startsWith('Y8p/9n/')"));
    page.value("document.querySelector(\"#board [data-at='j9']\").focus()");
    page.key("Delete");
    page.until(&format!("{BOARD}.startsWith('Y8p/10/')"));
    page.tab_to("[data-tray='blueM']");
    page.key("Enter");
    page.value("document.querySelector(\"#board [data-at='e8']\").focus()");
    page.key("Enter");
    page.until(&format!("{BOARD}.startsWith('Y8p/10/4X5/')"));
    // As known to Red the army in capitals turns its backs; the text keeps it.
    page.click("[name=eyes][value=red]");
    page.until("document.querySelectorAll('#board .piece.blue use[href^=\"#back\"]').length === 2");
    assert!(page.value(SPN).as_str().unwrap().starts_with("Y8p/10/4X5/"));
    page.click("[name=eyes][value=both]");
    page.until("document.querySelectorAll('#board use[href^=\"#back\"]').length === 0");
    // Only Red's knowledge: Blue's pieces are hidden where they stand.
    show(&mut page, "9?/9?/10/10/2__2__2/2__2__2/10/10/10/LE8 r r -,- 0 0");
    page.until("document.querySelectorAll('#board use[href^=\"#back\"]').length === 2");
    page.until(&format!("{EFFORT}.includes('by what Red knows')"));
    page.value("document.getElementById('editor').open = false");
    assert_eq!(page.value("[...document.querySelectorAll('[name=eyes]:disabled')].length"), 2);
    assert_eq!(
        page.value("document.getElementById('viewer').textContent"),
        "This position holds only what Red knows."
    );
    page.value("document.getElementById('beliefs').open = true");
    page.click("#board [data-at='j10']");
    page.until("document.querySelectorAll('#belief-bars li').length > 3");
    page.inspect("board-study-own");
    page.reload();
    page.until("document.querySelectorAll('#board use[href^=\"#back\"]').length === 2");
    page.click("[data-on=red]");
    page.until("location.pathname.startsWith('/game/') && !!document.querySelector('#status.yours')");
    let left = "['red', 'blue'].map(side => [...document.querySelectorAll(`#${side}-tally li`)].map(rank =>
        rank.dataset.rank + rank.querySelector('b').textContent).join(' '))";
    assert_eq!(page.value(left), json!(["M1 31", "?2"]));
    page.click("#board [data-at='b1']");
    page.click("#board [data-at='b2']");
    page.until("Number(document.getElementById('moves').dataset.count) > 0");
    page.complaints.retain(|complaint| !complaint.contains("400"));
    assert_eq!(page.complaints, Vec::<String>::new());
}

#[test]
fn a_position_is_set_up_with_a_finger() {
    let Some(mut page) = browser() else { return };
    let server = server();
    page.resize(390, 844);
    begin(&mut page, &server, &["a[href='/study']"]);
    page.until(&format!("{SPN}?.startsWith('10/10/')"));
    page.value("document.getElementById('editor').open = true");
    page.swipe("#tray [data-tray='red9']", "#board [data-at='e1']");
    page.until(&format!("{BOARD}.endsWith('/4K5')"));
    let chosen = "!!document.querySelector(\"#board [data-at='e1'].chosen\")";
    page.tap_until("#board [data-at='e1']", chosen);
    page.tap_until("#board [data-at='e3']", &format!("{BOARD}.endsWith('/4K5/10/10')"));
    assert_eq!(page.complaints, Vec::<String>::new());
}
