//! The page under axe-core, which finds what somebody without a mouse, eyes or colours stumbles over.

use crate::browser::{By, begin, browser, offer_between_two, step};
use crate::server::{Server, server};
use outflank_browser::{Axe, Page, SIZES};

/// Holds a page against every rule: in light and dark, at a desk and on a telephone.
fn hold(page: &mut Page, axe: &Axe, what: &str, found: &mut Vec<String>) {
    for dark in [false, true] {
        page.dark(dark);
        for (_, width, height) in SIZES {
            page.resize(width, height);
            let violation = page.violations(axe).into_iter();
            found.extend(
                violation.map(|violation| format!("{what}, {width} pixels, dark {dark}: {violation}")),
            );
        }
    }
    page.dark(false);
    page.resize(1280, 860);
}

#[test]
#[ignore = "needs axe-core: OUTFLANK_AXE names its file"]
fn soak_axe_finds_nothing_on_the_page_to_play_on() {
    let (Some(axe), Some(mut page)) = (Axe::read(), browser()) else { return };
    let server = server();
    let mut found = Vec::new();
    let mut holds = |page: &mut Page, what: &str| hold(page, &axe, what, &mut found);
    page.go(&format!("http://{}/nowhere", server.address));
    holds(&mut page, "nothing there");
    begin(&mut page, &server, &["#options summary"]);
    holds(&mut page, "lobby");
    page.click("#begin");
    page.until("document.getElementById('ready')?.disabled === false");
    page.click("#setup summary");
    page.click("#setup-board [data-at='a1']");
    page.key("Delete");
    holds(&mut page, "setup");
    page.click("#propose");
    page.until("document.getElementById('ready').disabled === false");
    page.click("#keep");
    page.drag("#setup-board [data-at='a4']", "#setup-board [data-at='a1']");
    page.value(
        "(text => { text.value = 'BB4BB5B66B554476789M88S7964956222222333F'; })(document.getElementById('setup-text'))",
    );
    page.click("#apply");
    holds(&mut page, "setup, odd, with others kept");
    page.click("#propose");
    page.until("document.getElementById('ready').disabled === false");
    page.click("#ready");
    playing(&mut page, &mut holds);
    page.click("#resign");
    holds(&mut page, "the dialog before resigning");
    page.click("#resign-dialog [value=yes]");
    page.until("!!document.querySelector('#status.over')");
    holds(&mut page, "after the game");
    page.click("#replay");
    page.until("location.pathname.endsWith('/replay') && document.readyState === 'complete'");
    holds(&mut page, "analysis");
    page.key("End");
    holds(&mut page, "analysis at the end");
    page.click("header a[href*='/study#']");
    page.until("location.pathname === '/study' && document.querySelectorAll('#lines li').length === 3");
    page.value("document.querySelectorAll('#play details').forEach(part => { part.open = true; })");
    page.until("document.querySelectorAll('#board .heat').length > 20");
    page.click("#board [data-at='a1']");
    holds(&mut page, "studying, all of it open");
    page.go(&format!("http://{}/", server.address));
    holds(&mut page, "lobby with a game");
    handing_over(&mut page, &server, &mut holds);
    watching(&mut page, &server, &mut holds);
    assert_eq!(found, Vec::<String>::new());
}

/// While a game is on: a chosen piece, a hint, the beliefs, a note.
fn playing(page: &mut Page, holds: &mut dyn FnMut(&mut Page, &str)) {
    page.until("!!document.querySelector('#status.yours')");
    holds(page, "before the first move");
    for _ in 0..4 {
        step(page, By::Clicks);
    }
    page.until("!!document.querySelector('#status.yours')");
    page.click("#hint");
    page.until("!document.getElementById('hint-text').hidden");
    page.click("#beliefs summary");
    page.until("document.querySelectorAll('#board .heat').length > 20");
    page.value("document.querySelectorAll('#play details').forEach(part => { part.open = true; })");
    let hidden = page.value("document.querySelector('#board .piece.blue.hidden').parentElement.dataset.at");
    page.click(&format!("#board [data-at='{}']", hidden.as_str().unwrap()));
    page.until("document.querySelectorAll('#belief-bars li').length > 3");
    page.key("b");
    holds(page, "beliefs, a hint and a note");
    page.click("#open-settings");
    holds(page, "the settings");
    page.key("Escape");
    page.click(".steps [data-step=back]");
    holds(page, "looking back");
    page.click("#looking button");
}

/// Two people at one screen: the page between them, and an offer of a draw.
fn handing_over(page: &mut Page, server: &Server, holds: &mut dyn FnMut(&mut Page, &str)) {
    offer_between_two(page, server);
    holds(page, "handing over");
    page.click("#sit-down");
    page.until("document.getElementById('draw-answer').hidden === false");
    holds(page, "an offer of a draw");
}

/// Two engines that are watched; and the dialog of a rescue, which looks the same in every game.
fn watching(page: &mut Page, server: &Server, holds: &mut dyn FnMut(&mut Page, &str)) {
    begin(page, server, &["[name=mode][value=watch]", "[name=army][value=classic]", "#begin"]);
    page.until("Number(document.getElementById('moves')?.dataset.count ?? 0) > 10");
    page.click("#pause");
    page.until("document.getElementById('go-on').hidden === false");
    page.click("#beliefs summary");
    page.until("document.querySelectorAll('#board .heat').length > 20");
    holds(page, "two engines, paused, with what one believes");
    page.value("document.getElementById('rescue-dialog').showModal()");
    holds(page, "the dialog of a rescue");
    begin(page, server, &["[name=mode][value=devices]", "#begin"]);
    page.until("document.querySelectorAll('#invitations a').length === 2");
    holds(page, "two people at two devices");
}
