//! Setting up on the page: what is kept by name, proposed, brought and taken along, and what is odd about an army.

use crate::browser::{begin, browser};
use crate::common::ARMY;
use crate::server::server;
use outflank_browser::Page;
use serde_json::json;

const TEXT: &str = "document.getElementById('setup-text').value";
const NOTE: &str = "document.getElementById('setup-note').textContent";
const ODD: &str = "document.getElementById('odd').innerText";
const KEPT: &str = "[...document.querySelectorAll('#setups [data-setup]')].map(one => one.textContent + ' ' + one.ariaPressed)";

/// Sets up a text, as somebody pastes it.
fn bring(page: &mut Page, text: &str) {
    page.value(&format!("document.querySelector('#setup details').open = true; {TEXT} = '{text}'"));
    page.click("#apply");
}

#[test]
fn setups_have_names_and_outlast_the_game() {
    let Some(mut page) = browser() else { return };
    let server = server();
    begin(&mut page, &server, &["#begin"]);
    page.until("document.getElementById('ready')?.disabled === false");
    bring(&mut page, &format!(" {} {}", &ARMY[..10].to_lowercase(), &ARMY[10..]));
    assert_eq!(page.value(TEXT), ARMY);
    page.click("#keep-name");
    for letter in ["W", "a", "l", "l", "Enter"] {
        page.key(letter);
    }
    assert_eq!(page.value(NOTE), "“Wall” is kept in this browser for later games.");
    page.click("#mirror");
    let mirrored = page.value(TEXT);
    assert_eq!(mirrored.as_str().map(|text| &text[..10]), Some("542623BF3B"));
    page.click("#keep");
    assert_eq!(page.value(KEPT), json!(["Wall false", "Setup 1 true"]));
    page.inspect("board-setups");

    // Proposals: of the book, and drawn; no two are alike.
    let mut seen = vec![mirrored];
    for button in ["#propose", "#draw-setup", "#draw-setup"] {
        page.click(button);
        page.until(&format!("!{}.includes({TEXT}) && {NOTE} === ''", json!(seen)));
        page.until("document.getElementById('ready').disabled === false");
        seen.push(page.value(TEXT));
    }
    // Another game, as Barrage: what is kept of other armies is not offered.
    begin(&mut page, &server, &["[name=army][value=barrage]", "#begin"]);
    page.until("document.getElementById('ready')?.disabled === false");
    assert_eq!(page.value(KEPT), json!([]));
    begin(&mut page, &server, &["[name=army][value=classic]", "[name=colour][value=blue]", "#begin"]);
    page.until("document.getElementById('ready')?.disabled === false");
    assert_eq!(page.value(KEPT), json!(["Wall false", "Setup 1 false"]));
    // By keys: chosen, and the focus stays where it was.
    page.tab_to("[data-setup=Wall]");
    page.key("Enter");
    assert_eq!(page.value(TEXT), ARMY);
    assert_eq!(page.value("document.activeElement.dataset.setup"), "Wall");
    // Blue's own left is j10.
    assert_eq!(page.value("document.querySelector(\"#setup-board [data-at='h10'] .rank\").textContent"), "F");
    page.click("[aria-label='Drop Setup 1']");
    assert_eq!(page.value(KEPT), json!(["Wall true"]));
    page.value("document.querySelector('#setup details').open = true");
    page.click("#copy");
    page.until(&format!("{NOTE} === 'Copied.' || {NOTE}.startsWith('The text is selected')"));
    assert_eq!(page.value("getSelection().toString()"), ARMY);
    assert_eq!(page.complaints, Vec::<String>::new());
}

#[test]
fn what_is_odd_about_a_setup_is_said_and_nothing_of_a_sound_one() {
    let Some(mut page) = browser() else { return };
    let server = server();
    begin(&mut page, &server, &["#begin"]);
    page.until("document.getElementById('ready')?.disabled === false");
    bring(&mut page, "B3FB3262452B3B6B5S7325B48269474M62225873");
    assert_eq!(page.value(ODD), "The flag on c1 is open at c2 and b1.");
    bring(&mut page, "FB2922B72BB55534474B8B43363S6325622M8672");
    assert_eq!(page.value("document.getElementById('odd').hidden"), true);
    page.swipe("#setup-board [data-at='a1']", "#setup-board [data-at='a4']");
    let said = page.value(ODD);
    let said = said.as_str().unwrap();
    assert!(
        said.contains("The flag stands in the front row.") && said.contains("No bomb stands beside"),
        "{said}"
    );
    page.inspect("board-odd");
    assert_eq!(page.complaints, Vec::<String>::new());
}
