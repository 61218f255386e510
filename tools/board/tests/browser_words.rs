//! What the page says, and to whom; which keys it leaves alone; and looking back while the game goes on.

use crate::browser::{BLUE, By, RED, begin, browser, carry, places, set_up};
use crate::common::{ARMY, Random, Scripted};
use crate::server::{Server, server, server_with};
use outflank_browser::Page;
use serde_json::json;

/// A game of Barrage against an engine that makes these moves, when it is the person's turn.
fn playing(page: &mut Page, actions: &[&str]) -> Server {
    let actions = actions.iter().map(|text| (*text).to_owned()).collect();
    let server = server_with(Scripted { army: places(&BLUE), actions, chances: [500, 0, 500] });
    begin(page, &server, &["[name=army][value=barrage]", "#begin"]);
    set_up(page, &places(&RED));
    page.until("!!document.querySelector('#status.yours')");
    server
}

const NOTE: &str = "document.getElementById('note').textContent";

#[test]
fn keys_with_a_modifier_belong_to_the_browser() {
    let Some(mut page) = browser() else { return };
    let _server = playing(&mut page, &[]);
    // Whether the page takes this key on a hidden piece, what it noted, and where the focus is then.
    let press = |page: &mut Page, key: &str, modifier: &str| {
        page.value("document.querySelector(\"#board [data-at='j10']\").focus()");
        page.value(&format!(
            "[!document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true,
                cancelable: true, {modifier} }})), document.querySelector('#board .noted')?.textContent ?? '',
                document.activeElement.dataset.at]"
        ))
    };
    for modifier in ["ctrlKey: true", "metaKey: true", "altKey: true"] {
        for key in ["f", "s", "2", "b", "ArrowLeft", "Enter", "Delete", "Escape"] {
            assert_eq!(press(&mut page, key, modifier), json!([false, "", "j10"]), "{modifier}: {key}");
        }
    }
    assert_eq!(press(&mut page, "F", "shiftKey: true"), json!([true, "F", "j10"]));
    assert_eq!(press(&mut page, "ArrowLeft", ""), json!([true, "F", "i10"]));
}

#[test]
fn a_note_goes_when_the_game_goes_on() {
    let Some(mut page) = browser() else { return };
    let _server = playing(&mut page, &["c10c9"]);
    page.click("#board [data-at='b1']");
    page.until(&format!("{NOTE} === 'The bomb never moves.'"));
    // As in another window: this one only hears of it.
    page.value(
        "fetch(location.pathname + '/move', { method: 'POST', headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ action: 'e4e5', ply: 0 }) }).then(answer => answer.status)",
    );
    page.until("document.getElementById('moves').dataset.count === '2'");
    page.until("!!document.querySelector('#status.yours')");
    assert_eq!(page.value(NOTE), "");
}

#[test]
fn who_only_watches_has_no_pieces_of_its_own() {
    let Some(mut page) = browser() else { return };
    let server = server_with(Random::new(1));
    begin(&mut page, &server, &["[name=mode][value=watch]", "#begin"]);
    page.until("Number(document.getElementById('moves')?.dataset.count ?? 0) > 2");
    page.click("#pause");
    page.until("document.getElementById('go-on').hidden === false");
    looking_on(&mut page);
    page.click("#board [data-at='a1']");
    assert_eq!(page.value(&format!("/^Red’s [a-z]+\\.$/.test({NOTE})")), true, "{}", page.value(NOTE));

    let record = include_str!("../../record/tests/game.jsonl").lines().next().unwrap();
    page.value(&format!(
        "fetch('/load', {{ method: 'POST', headers: {{ 'Content-Type': 'application/json' }}, body: {} }})
            .then(answer => answer.json()).then(({{ token }}) => {{ location.href = `/game/${{token}}`; }})",
        json!(record)
    ));
    page.until("!!document.querySelector('#status.over')");
    looking_on(&mut page);
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// Nothing on the board is called the person's own.
fn looking_on(page: &mut Page) {
    let labels = page.value(
        "[...document.querySelectorAll('#board [data-at] .unseen')].map(text => text.textContent)
            .filter(text => text.includes(', ') && !/, (empty|lake)$/.test(text))",
    );
    let labels = labels.as_array().unwrap();
    assert!(labels.len() > 8, "{labels:?}");
    for label in labels {
        let label = label.as_str().unwrap();
        assert!(label.contains(", Red’s ") || label.contains(", Blue’s "), "{label}");
    }
}

const STRIP: &str =
    "document.getElementById('looking').hidden ? '' : document.getElementById('looking-at').textContent";
const STANDING: &str = "['e4', 'e5', 'e6', 'c9', 'c10'].filter(at =>
    document.querySelector(`#board [data-at='${at}'] .piece`)).join()";

#[test]
fn a_person_looks_back_while_the_game_goes_on() {
    let Some(mut page) = browser() else { return };
    let _server = playing(&mut page, &["c10c9", "c9c8", "c8c7"]);
    for (from, to, made) in [("e4", "e5", 2), ("e5", "e6", 4)] {
        carry(&mut page, By::Clicks, from, to);
        page.until(&format!("document.getElementById('moves').dataset.count === '{made}'"));
        page.until("!!document.querySelector('#status.yours')");
    }
    assert_eq!(page.value(STANDING), "e6");
    // A click on the board leaves the arrows to whoever has a mouse; a click on the list goes there.
    page.key("ArrowLeft");
    assert_eq!(
        (page.value(STRIP), page.value(STANDING)),
        (json!("Looking back at move 2, Red’s"), json!("e6,c9"))
    );
    page.click("#moves [data-ply='1']");
    assert_eq!(
        (page.value(STRIP), page.value(STANDING)),
        (json!("Looking back at move 1, Red’s"), json!("e5,c10"))
    );
    page.key("Home");
    assert_eq!(
        (page.value(STRIP), page.value(STANDING)),
        (json!("Looking back at the setups"), json!("e4,c10"))
    );
    page.key("ArrowRight");
    page.key(".");
    assert_eq!(
        (page.value(STRIP), page.value(STANDING)),
        (json!("Looking back at move 1, Blue’s"), json!("e5,c9"))
    );
    assert_eq!(
        page.value("document.querySelectorAll('#board .source').length"),
        0,
        "nothing can be moved there"
    );
    page.inspect("board-back");
    // Meanwhile the game goes on, and the page stays where one looks.
    page.value(
        "fetch(location.pathname + '/move', { method: 'POST', headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ action: 'f4f5', ply: 4 }) }).then(answer => answer.status)",
    );
    page.until("document.getElementById('moves').dataset.count === '6'");
    assert_eq!(
        (page.value(STRIP), page.value(STANDING)),
        (json!("Looking back at move 1, Blue’s"), json!("e5,c9"))
    );
    page.click("#looking button");
    assert_eq!((page.value(STRIP), page.value(STANDING)), (json!(""), json!("e6")));
    assert!(page.value("document.querySelectorAll('#board .source').length").as_f64() > Some(1.0));
    page.key("Home");
    page.key("End");
    assert_eq!(page.value(STRIP), "");
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// Every ply looks, when one looks back, as it did when it was played; but for ranks that follow from counts.
const AS_IT_WAS: &str = "(async () => {
    const { Timeline } = await import('/page/timeline.js');
    const get = async path => (await fetch(location.pathname + path)).json();
    const post = async (path, body) => (await fetch(location.pathname + path, { method: 'POST',
        headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })).json();
    const seen = new Map(), note = state => {
        if (state.stage === 'play') seen.set(state.ply, state);
        return state; };
    let state = await get('/state');
    while (state.stage === 'play' && seen.size < 90) {
        note(state);
        if (!state.yours) { state = await get(`/state?since=${state.version}&run=${state.run}`); continue; }
        // Forward, where pieces come back.
        const far = text => (text.includes('+') ? 1000 : 0) + 10 * /x?[a-j](\\d+)/.exec(text.slice(2))[1];
        state = await post('/move', { action: state.legal.sort((one, other) => far(other) - far(one))[0], ply: state.ply });
    }
    const last = [...seen.values()].at(-1), timeline = new Timeline(last), wrong = [];
    const place = ({ at, side, moved }) => `${at} ${side} ${moved}`;
    for (const [ply, { pieces, dead }] of seen) {
        const then = timeline.at(ply), now = then.map(place).sort().join();
        if (now !== pieces.map(place).sort().join()) wrong.push(`${ply}: ${now} for ${pieces.map(place).sort()} by ${last.moves.slice(ply - 1)}`);
        for (const piece of pieces) {
            const other = then.find(({ at }) => at === piece.at);
            if (other && other.rank !== piece.rank && other.rank !== '?') wrong.push(`${ply}: ${piece.at}`);
        }
        const fallen = timeline.fallen(ply), count = text => [...text].sort().join('');
        if (fallen.red.length !== dead[0].length || fallen.blue.length !== dead[1].length) wrong.push(`${ply}: dead`);
    }
    return [last.moves.filter(text => text.includes('+')).length, last.moves.filter(text => text.includes('=')).length,
        wrong]; })()";

#[test]
fn looking_back_shows_what_was_there() {
    let Some(mut page) = browser() else { return };
    let (mut rescues, mut strikes) = (0, 0);
    for (rules, seed) in [("isf", 1), ("isf silent=on rescue=on", 2), ("1961 rescue=on", 3)] {
        let server = server_with(Random::new(seed));
        begin(&mut page, &server, &[]);
        let options = json!({ "rules": rules, "seats": [{ "player": "person" },
            { "player": "engine", "level": 1, "movetime": 100 }], "eyes": "red", "friendly": true, "clock": null });
        page.value(&format!(
            "fetch('/new', {{ method: 'POST', headers: {{ 'Content-Type': 'application/json' }}, body: {} }})
                .then(answer => answer.json()).then(({{ token }}) => {{ location.href = `/game/${{token}}`; }})",
            json!(options.to_string())
        ));
        page.until("document.getElementById('ready')?.disabled === false");
        // The same army every time: by some of the book's nobody is rescued.
        page.click("#setup summary");
        page.value(&format!("document.getElementById('setup-text').value = '{ARMY}'"));
        page.click("#apply");
        page.click("#ready");
        page.until("!!document.querySelector('#status.yours, #status.over')");
        let counts = page.value(AS_IT_WAS);
        assert_eq!(counts[2], json!([]), "{rules}");
        rescues += counts[0].as_u64().unwrap();
        strikes += counts[1].as_u64().unwrap();
    }
    assert!(rescues > 0 && strikes > 10, "{rescues} rescues, {strikes} strikes");
}

#[test]
fn a_move_that_is_planned_while_the_enemy_thinks_is_played_when_it_may_be() {
    let Some(mut page) = browser() else { return };
    let server = server();
    begin(&mut page, &server, &["#options summary"]);
    page.value("document.querySelector('[name=level]').value = 20");
    page.value("document.querySelector('[name=movetime]').value = '3000'");
    page.click("#begin");
    page.until("document.getElementById('ready')?.disabled === false");
    page.click("#setup summary");
    page.value(&format!("document.getElementById('setup-text').value = '{ARMY}'"));
    page.click("#apply");
    page.click("#ready");
    page.until("!!document.querySelector('#status.yours')");
    let planned = "[...document.querySelectorAll('#board .planned')].map(cell => cell.dataset.at).join()";
    carry(&mut page, By::Clicks, "a4", "a5");
    page.until("document.getElementById('moves').dataset.count === '1'");
    // One that is let go again, and one that is played.
    carry(&mut page, By::Clicks, "f4", "f5");
    assert_eq!(page.value(planned), "f5,f4");
    page.key("Escape");
    assert_eq!(page.value(planned), "");
    carry(&mut page, By::Clicks, "e4", "e5");
    assert_eq!(page.value(planned), "e5,e4");
    page.until("Number(document.getElementById('moves').dataset.count) >= 3");
    assert_eq!(page.value("document.querySelector('#moves [data-ply=\"3\"]').textContent"), "e4e5");
    assert_eq!(page.value(planned), "");
    assert_eq!(page.complaints, Vec::<String>::new());
}
