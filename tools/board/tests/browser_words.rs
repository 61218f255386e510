//! What the page says, and to whom; and which keys it leaves alone.

use crate::browser::{BLUE, RED, begin, browser, places, set_up};
use crate::common::{Random, Scripted};
use crate::server::{Server, server_with};
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
fn who_only_watches_is_told_of_no_pieces_of_its_own() {
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
