//! How the page looks, moves and sounds, and the panel where that is chosen.

use crate::browser::{BLUE, By, RED, begin, browser, carry, places, set_up, step};
use crate::common::Scripted;
use crate::server::{Server, server, server_with};
use outflank_browser::{Page, SIZES};
use serde_json::{Value, json};

const LABELS: &str =
    "[...document.querySelectorAll('#board [data-at] .unseen')].map(text => text.textContent)";
const EMBLEMS: &str =
    "[...document.querySelectorAll('#board .emblem')].filter(one => one.getClientRects().length).length";

#[test]
fn emblems_stand_clear_beside_the_numbers_and_can_be_switched_off() {
    let Some(mut page) = browser() else { return };
    let server = server();
    begin(&mut page, &server, &["#begin"]);
    page.until("document.getElementById('ready')?.disabled === false");
    page.click("#ready");
    for _ in 0..6 {
        step(&mut page, By::Clicks);
    }
    page.until("!!document.querySelector('#status.yours, #status.over')");
    for dark in [false, true] {
        page.dark(dark);
        for (_, width, height) in SIZES {
            page.resize(width, height);
            assert_eq!(page.cramped(), json!([]), "at {width} pixels, dark: {dark}");
        }
    }
    page.dark(false);
    page.resize(1280, 860);
    let own = "document.querySelectorAll('#board .piece.red').length";
    let (shown, own) = (page.value(EMBLEMS).as_f64().unwrap(), page.value(own).as_f64().unwrap());
    assert!(shown >= own && own > 30.0, "{shown} emblems, {own} pieces");
    let labels = page.value(LABELS);
    page.click("#open-settings");
    page.inspect("board-settings");
    page.click("[name=pieces][value=numbers]");
    assert_eq!(page.value(EMBLEMS), 0);
    assert_eq!(page.value(LABELS), labels, "what is read out stays");
    page.inspect("board-numbers");
    page.reload();
    page.until("!!document.querySelector('#board .piece')");
    assert_eq!(
        page.value(&format!("[document.querySelector('[name=pieces]:checked').value, {EMBLEMS}]")),
        json!(["numbers", 0])
    );
    choosing(&mut page);
    assert_eq!(page.value(EMBLEMS).as_f64(), Some(shown));
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// The panel of settings, by keys too: what is chosen shows at once.
fn choosing(page: &mut Page) {
    page.value("document.getElementById('open-settings').focus()");
    page.key("Enter");
    page.until("document.getElementById('settings').matches(':popover-open')");
    page.tab_to("[name=pieces]:checked");
    page.key("ArrowUp");
    assert_eq!(page.value("document.querySelector('[name=pieces]:checked').value"), "emblems");
    let land = "getComputedStyle(document.querySelector('#board .square')).backgroundColor";
    let light = page.value(land);
    page.click("[name=colours][value=dark]");
    assert_ne!(page.value(land), light, "a dark board");
    page.click("[name=colours][value=system]");
    assert_eq!(page.value(land), light);
    let wide = "document.querySelector('#board .square').getBoundingClientRect().width";
    let narrow = page.value(wide).as_f64();
    page.click("[name=coordinates]");
    assert!(page.value(wide).as_f64() > narrow, "squares are larger without coordinates");
    page.click("[name=coordinates]");
    page.key("Escape");
    page.until("!document.getElementById('settings').matches(':popover-open')");
    let first = "document.querySelector('#board .square').dataset.at";
    assert_eq!(page.value(first), "a10");
    page.click("#flip");
    assert_eq!(page.value(first), "j1", "the board is turned");
    page.click("#flip");
}

/// Every drawing that a piece can show is in the page once.
#[test]
fn every_rank_has_a_drawing() {
    let Some(mut page) = browser() else { return };
    let server = server();
    begin(&mut page, &server, &["#begin"]);
    page.until("document.getElementById('ready')?.disabled === false");
    let found = page.value(
        "[...document.querySelectorAll('.drawings [id^=emblem]')].map(one => one.id.slice(-1)).sort().join('')",
    );
    assert_eq!(found, "23456789BFMS");
    let used = page.value(
        "[...new Set([...document.querySelectorAll('#setup-board .piece')].map(piece =>
            piece.querySelector('.rank').textContent + piece.querySelector('.emblem').getAttribute('href')))].sort()",
    );
    let expected: Vec<Value> =
        "23456789BFMS".chars().map(|rank| json!(format!("{rank}#emblem-{rank}"))).collect();
    assert_eq!(used, Value::from(expected));
}

/// An audio that notes what it is asked for; a device whose owner likes motion; a page that notes what moves.
const STUB: &str = "window.heard = []; window.made = 0; window.ended = 0; window.moved = []; window.times = [];
    window.AudioContext = class {
        constructor() { window.made += 1; Object.assign(this, { state: 'running', currentTime: 0, destination: {} }); }
        createOscillator() {
            const frequency = { exponentialRampToValueAtTime() {}, setValueAtTime(hertz) { window.heard.push(hertz); } };
            return { frequency, connect() {}, stop() {}, start() {} };
        }
        createGain() {
            const gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
            return { gain, connect() {} };
        }
        close() { window.ended += 1; }
    };
    const media = window.matchMedia.bind(window), animate = Element.prototype.animate;
    window.matchMedia = query => query.includes('reduced-motion') ? { matches: window.still ?? false } : media(query);
    Element.prototype.animate = function (frames, options) {
        window.moved.push([this.parentElement.dataset.at ?? this.className, options.duration]);
        window.times.push(performance.now());
        return animate.call(this, frames, options);
    };";

/// What was heard since the last question.
fn heard(page: &mut Page) -> Value {
    page.value("heard.splice(0)")
}

const MOVES: &str = "Number(document.getElementById('moves').dataset.count)";

/// A move of the person's, and the engine's answer.
fn play(page: &mut Page, from: &str, to: &str) {
    let made = page.value(MOVES).as_f64().unwrap();
    carry(page, By::Clicks, from, to);
    page.until(&format!("{MOVES} === {made} + 2"));
    page.until("!!document.querySelector('#status.yours')");
}

const CLASH: &str = "document.querySelector('#board .clash')";

/// A piece that is carried: its name, that it is as large as on its square, that its place is dimmed, and that it is
/// seen where it can go.
const CARRIED: &str = "(() => {
    const cell = document.querySelector(\"#board [data-at='e5']\"), box = cell.getBoundingClientRect();
    const fire = (kind, x, y) => cell.dispatchEvent(new PointerEvent(kind,
        { bubbles: true, cancelable: true, pointerId: 9, button: 0, clientX: x, clientY: y }));
    fire('pointerdown', box.x + 9, box.y + 9);
    fire('pointermove', box.x + 50, box.y - 50);
    const ghost = document.querySelector('.ghost');
    const found = [ghost.querySelector('span').textContent, ghost.getBoundingClientRect().width >= 0.95 * box.width,
        cell.classList.contains('lifted'), !!document.querySelector('#board .target')];
    fire('pointerup', 1, 1);
    return found; })()";

#[test]
fn moves_slide_strikes_are_shown_and_both_are_heard_until_somebody_wants_neither() {
    let Some(mut page) = browser() else { return };
    page.first(STUB);
    let actions = ["c10c9", "c9c10", "b10b9", "b9b8", "b8b7", "b7b6", "b6b7"].map(str::to_owned).to_vec();
    let server = server_with(Scripted { army: places(&BLUE), actions, chances: [500, 0, 500] });
    begin(&mut page, &server, &["[name=army][value=barrage]", "#begin"]);
    set_up(&mut page, &places(&RED));
    page.until("!!document.querySelector('#status.yours')");
    assert_eq!(heard(&mut page), json!([]), "nothing has happened");
    play(&mut page, "e4", "e5");
    assert_eq!(page.value("moved.splice(0)"), json!([["e4", 160], ["c10", 160]]), "both moves slide");
    assert_eq!(heard(&mut page), json!([330, 330]), "a move and the answer");
    assert!(page.value("times[1] - times[0]").as_f64() > Some(500.0), "the answer takes its time");
    assert_eq!(page.value(CARRIED), json!(["miner", true, true, true]), "a piece in hand");
    // What was carried by hand is there already.
    carry(&mut page, By::Drag, "e5", "e6");
    page.until(&format!("{MOVES} === 4"));
    assert_eq!(page.value("moved.splice(0).map(([, time]) => time)"), json!([0, 160]));
    heard(&mut page);
    striking(&mut page);
    page.click("#sounds");
    assert_eq!(page.value("made === ended"), true, "no audio is left");
    page.reload();
    page.until("!!document.querySelector('#status.yours')");
    assert_eq!(page.value("document.getElementById('sounds').ariaPressed"), "false", "the choice is kept");
    page.value("window.still = true");
    play(&mut page, "f5", "f6");
    assert_eq!(page.value("[heard.length, made]"), json!([0, 0]), "nothing plays when it is off");
    page.click("#sounds");
    assert_eq!(heard(&mut page), json!([330]), "how it sounds");
    page.click("#resign");
    page.click("#resign-dialog [value=yes]");
    page.until("!!document.querySelector('#status.over')");
    assert_eq!(heard(&mut page), json!([392, 494, 587]), "the end");
    page.click("#open-settings");
    page.click("[name=speed][value=usual]");
    sitting_down(&mut page, &server);
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// A miner strikes a general: both turn up on the square, the answer waits, and a click goes on at once.
fn striking(page: &mut Page) {
    page.click("#open-settings");
    page.click("[name=speed][value=slow]");
    page.key("Escape");
    carry(page, By::Clicks, "e6", "e7");
    page.until(&format!("!!{CLASH}?.querySelector('.loses')"));
    page.picture("board-strike");
    let shown = "[...document.querySelectorAll('.clash .rank')].map(rank => rank.textContent).join() + ' '
        + document.querySelector('.clash .caption').textContent";
    assert_eq!(page.value(shown), "3,9 General beats miner");
    assert_eq!(page.value(MOVES), 4, "the answer waits for it");
    page.until(
        "fetch(location.pathname + '/state').then(answer => answer.json()).then(state => state.yours)",
    );
    assert_eq!(
        page.value(&format!("[!!{CLASH}, {MOVES}]")),
        json!([true, 4]),
        "and so does the list of moves"
    );
    page.click("#board [data-at='f4']");
    let gone = format!("[!{CLASH}, {MOVES}, document.querySelector('#board .chosen').dataset.at]");
    assert_eq!(page.value(&gone), json!([true, 6, "f4"]), "a click goes on at once, and is a click");
    assert_eq!(heard(page), json!([170, 95, 330]), "a strike and the answer");
    let tally = "document.querySelector('#red-tally [data-rank=\"3\"]').textContent";
    assert_eq!(page.value(tally), "miner: 0 left, 1 lost30−1");
    page.click("#open-settings");
    page.click("[name=speed][value=off]");
    page.key("Escape");
    page.value("void moved.splice(0)");
    page.click("#board [data-at='f4']");
    play(page, "f4", "f5");
    assert_eq!(page.value("moved.length"), 0, "at once, if one likes it so");
}

/// Of two people at one screen the one who sits down is shown what the other one did.
fn sitting_down(page: &mut Page, server: &Server) {
    begin(page, server, &["[name=mode][value=shared]", "#begin"]);
    for army in [places(&RED), places(&BLUE)] {
        page.until("document.getElementById('setup')?.hidden === false");
        set_up(page, &army);
        page.until("document.getElementById('hands').hidden === false");
        page.click("#sit-down");
    }
    page.until("!!document.querySelector('#status.yours')");
    carry(page, By::Clicks, "e4", "e5");
    page.until("document.getElementById('hand-over').hidden === false");
    page.click("#hand-over");
    page.until("document.getElementById('hands').hidden === false");
    page.value("void moved.splice(0)");
    page.click("#sit-down");
    page.until("!!document.querySelector('#status.yours')");
    assert_eq!(page.value("moved"), json!([["e4", 160]]));
}

/// Each kind of strike has words of its own.
#[test]
fn every_strike_has_its_moment() {
    let Some(mut page) = browser() else { return };
    let server = server();
    begin(&mut page, &server, &[]);
    let kinds = page.value(
        "import('/page/words.js').then(({ momentOf, readPly }) =>
            ['W76', 'L67', 'T66', 'L4B', 'W3B', 'WSM', 'LMS', 'W2F', 'L?9'].map(end => momentOf(readPly('e4xe5=' + end))))",
    );
    let expected = json!([
        ["plain", "Major beats captain"],
        ["plain", "Major beats captain"],
        ["tie", "Both fall"],
        ["bomb", "Bomb!"],
        ["defused", "Defused"],
        ["spy", "Assassinated"],
        ["plain", "Spy beats marshal"],
        ["flag", "The flag!"],
        ["plain", "General beats unknown"]
    ]);
    assert_eq!(kinds, expected);
}
