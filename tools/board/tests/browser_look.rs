//! How the page looks and sounds: emblems on the pieces, and sounds for whoever wants them.

use crate::browser::{BLUE, By, RED, begin, browser, carry, places, set_up, step};
use crate::common::Scripted;
use crate::server::{server, server_with};
use outflank_browser::{Page, SIZES};
use serde_json::{Value, json};

/// Every piece whose letter or emblem runs into its border or its dot, or out of it; a piece without the one or the
/// other. The border's corners are round: what is inside lies within the same corners, drawn inside the border.
const CRAMPED: &str = "[...document.querySelectorAll('#board .piece:not([hidden])')].flatMap(piece => {
    const [letter, emblem] = ['b', '.emblem'].map(part => piece.querySelector(part));
    if (letter.textContent === '?') return emblem ? ['an emblem of an unknown piece'] : [];
    const style = getComputedStyle(piece), box = piece.getBoundingClientRect();
    const edge = parseFloat(style.borderLeftWidth), size = box.width - 2 * edge;
    const share = /%$/.test(style.borderTopLeftRadius);
    const radius = parseFloat(style.borderTopLeftRadius) * (share ? box.width / 100 : 1);
    const inner = { left: box.left + edge, top: box.top + edge, size, radius: Math.max(0, radius - edge) };
    const range = document.createRange();
    range.selectNodeContents(letter);
    const line = range.getBoundingClientRect(), high = 0.37 * parseFloat(getComputedStyle(letter).fontSize);
    const middle = (line.top + line.bottom) / 2;
    const text = { left: line.left, right: line.right, top: middle - high, bottom: middle + high };
    const within = (x, y) => {
        const [across, along] = [[x, inner.left], [y, inner.top]].map(([at, from]) => {
            const place = at - from;
            return Math.max(inner.radius - place, place - (size - inner.radius), 0); });
        const inside = x >= inner.left && x <= inner.left + size && y >= inner.top && y <= inner.top + size;
        return inside && Math.hypot(across, along) <= Math.max(inner.radius, 0.01); };
    const drawing = emblem.getBoundingClientRect();
    const runs = ({ left, right, top, bottom }) =>
        [[left, top], [right, top], [left, bottom], [right, bottom]].some(([x, y]) => !within(x, y));
    const dot = getComputedStyle(piece, '::after'), far = parseFloat(dot.right), wide = parseFloat(dot.width);
    const dotted = piece.classList.contains('moved') && { right: inner.left + size - far,
        left: inner.left + size - far - wide, top: inner.top + parseFloat(dot.top),
        bottom: inner.top + parseFloat(dot.top) + parseFloat(dot.height) };
    const meets = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom
        && other.top < one.bottom;
    const what = [];
    for (const [name, part] of [['letter', text], ['emblem', drawing]]) {
        if (runs(part)) what.push(`the ${name} of ${letter.textContent} runs into the border: ${JSON.stringify([part, inner])}`);
        if (dotted && meets(part, dotted)) what.push(`the ${name} of ${letter.textContent} runs into the dot`);
    }
    if (meets(text, drawing)) what.push(`the letter and the emblem of ${letter.textContent} meet`);
    if (drawing.width < 8) what.push(`the emblem of ${letter.textContent} is too small`);
    const colours = [getComputedStyle(emblem).fill, getComputedStyle(letter).color];
    if (colours[0] !== colours[1]) what.push(`${letter.textContent} has two colours: ${colours}`);
    return what; })";

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
            assert_eq!(page.value(CRAMPED), json!([]), "at {width} pixels, dark: {dark}");
        }
    }
    page.dark(false);
    page.resize(1280, 860);
    let own = "document.querySelectorAll('#board .piece.red').length";
    let (shown, own) = (page.value(EMBLEMS).as_f64().unwrap(), page.value(own).as_f64().unwrap());
    assert!(shown >= own && own > 30.0, "{shown} emblems, {own} pieces");
    let labels = page.value(LABELS);
    page.click("#emblems");
    assert_eq!(page.value(EMBLEMS), 0);
    assert_eq!(page.value(LABELS), labels, "what is read out stays");
    page.inspect("board-numbers");
    page.reload();
    page.until("!!document.querySelector('#board .piece')");
    assert_eq!(
        page.value(&format!("[document.getElementById('emblems').checked, {EMBLEMS}]")),
        json!([false, 0])
    );
    page.click("#emblems");
    assert_eq!(page.value(EMBLEMS).as_f64(), Some(shown));
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// Every drawing that a piece can show is in the page once.
#[test]
fn every_rank_has_a_drawing() {
    let Some(mut page) = browser() else { return };
    let server = server();
    begin(&mut page, &server, &["#begin"]);
    page.until("document.getElementById('ready')?.disabled === false");
    let found = page.value(
        "[...document.querySelectorAll('.emblems symbol')].map(one => one.id.slice(-1)).sort().join('')",
    );
    assert_eq!(found, "23456789BFMS");
    let used = page.value(
        "[...new Set([...document.querySelectorAll('#setup-board .piece')].map(piece =>
            piece.querySelector('b').textContent + piece.querySelector('use').getAttribute('href')))].sort()",
    );
    let expected: Vec<Value> =
        "23456789BFMS".chars().map(|rank| json!(format!("{rank}#emblem-{rank}"))).collect();
    assert_eq!(used, Value::from(expected));
}

/// An audio that notes what it is asked for.
const STUB: &str = "window.heard = []; window.made = 0; window.ended = 0;
    window.AudioContext = class {
        constructor() { window.made += 1; Object.assign(this, { state: 'running', currentTime: 0, destination: {} }); }
        createOscillator() {
            return { frequency: {}, connect() {}, stop() {}, start() { window.heard.push(this.frequency.value); } };
        }
        createGain() {
            const gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
            return { gain, connect() {} };
        }
        close() { window.ended += 1; }
    };";

/// What was heard since the last question.
fn heard(page: &mut Page) -> Value {
    page.value("heard.splice(0)")
}

/// A move of the person's, and the engine's answer.
fn play(page: &mut Page, from: &str, to: &str) {
    let made = page.value("Number(document.getElementById('moves').dataset.count)").as_f64().unwrap();
    carry(page, By::Clicks, from, to);
    page.until(&format!("Number(document.getElementById('moves').dataset.count) === {made} + 2"));
    page.until("!!document.querySelector('#status.yours')");
}

#[test]
fn sounds_are_off_until_they_are_wanted() {
    let Some(mut page) = browser() else { return };
    page.first(STUB);
    let actions = ["c10c9", "c9c10", "b10b9", "b9b8", "b8b7"].map(str::to_owned).to_vec();
    let server = server_with(Scripted { army: places(&BLUE), actions, chances: [500, 0, 500] });
    begin(&mut page, &server, &["[name=army][value=barrage]", "#begin"]);
    set_up(&mut page, &places(&RED));
    page.until("!!document.querySelector('#status.yours')");
    play(&mut page, "e4", "e5");
    assert_eq!(page.value("[made, heard.length]"), json!([0, 0]), "nothing plays before it is wanted");
    page.click("#sounds");
    assert_eq!(heard(&mut page), json!([330]), "how it sounds");
    play(&mut page, "e5", "e6");
    assert_eq!(heard(&mut page), json!([330, 330]), "a move and the answer");
    carry(&mut page, By::Clicks, "e6", "e7");
    page.until("heard.length === 3");
    assert_eq!(heard(&mut page), json!([150, 95, 330]), "a strike and the answer");
    // The choice is kept, and what was there before is no news.
    page.reload();
    page.until("!!document.querySelector('#status.yours')");
    assert_eq!(page.value("[document.getElementById('sounds').checked, heard.length]"), json!([true, 0]));
    page.click("#sounds");
    play(&mut page, "f4", "f5");
    assert_eq!(heard(&mut page), json!([]), "nothing plays when it is off again");
    assert_eq!(page.value("made === ended"), true, "and no audio is left");
    page.click("#sounds");
    heard(&mut page);
    page.click("#resign");
    page.click("#resign-dialog [value=yes]");
    page.until("!!document.querySelector('#status.over')");
    assert_eq!(heard(&mut page), json!([392, 494, 587]), "the end");
    assert_eq!(page.complaints, Vec::<String>::new());
}
