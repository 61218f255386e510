//! Watching two engines, and two people who play at devices of their own.

use crate::browser::{By, begin, browser, step};
use crate::common::{Random, program};
use crate::server::{Server, folder, server_with};
use outflank_board::token::Token;
use outflank_board::web::Access;
use outflank_browser::Page;
use serde_json::json;
use std::net::Ipv4Addr;

const COUNT: &str = "Number(document.getElementById('moves')?.dataset.count ?? 0)";

fn backs(page: &mut Page, side: &str) -> bool {
    page.value(&format!("!!document.querySelector('#board .piece.{side} use[href^=\"#back\"]')")) == true
}

/// Chooses in a list.
fn choose(page: &mut Page, list: &str, value: &str) {
    page.value(&format!(
        "(list => {{ list.value = '{value}'; list.dispatchEvent(new Event('change')); }})(document.querySelector('{list}'))"
    ));
}

#[test]
fn two_engines_are_watched_as_one_likes() {
    let Some(mut page) = browser() else { return };
    let server = server_with(Random::new(1));
    begin(&mut page, &server, &["[name=mode][value=watch]", "[name=army][value=classic]", "#begin"]);
    page.until(&format!("{COUNT} > 0"));
    // These engines need no time: they are stopped before they come to an end.
    page.click("#pause");
    page.until(
        "document.getElementById('go-on').hidden === false && !document.getElementById('step').disabled",
    );
    page.until(
        "fetch(location.pathname + '/state').then(answer => answer.json()).then(state => !state.thinking)",
    );
    page.until(&format!(
        "fetch(location.pathname + '/state').then(answer => answer.json())
        .then(state => state.ply === {COUNT})"
    ));
    assert_eq!((backs(&mut page, "red"), backs(&mut page, "blue")), (false, false), "both armies");
    let made = page.value(COUNT).as_f64().unwrap();
    page.click("#step");
    page.until(&format!("{COUNT} === {made} + 1"));
    choose(&mut page, "#watch-pace", "3000");
    page.until(
        "fetch(location.pathname + '/state').then(answer => answer.json()).then(state => !state.thinking)",
    );
    page.click("#go-on");
    page.until(&format!("{COUNT} > {made} + 1"));
    choose(&mut page, "#watch-eyes", "red");
    page.until("!!document.querySelector('#board .piece.blue use[href^=\"#back\"]')");
    assert!(!backs(&mut page, "red"));
    choose(&mut page, "#watch-eyes", "blue");
    page.until("!!document.querySelector('#board .piece.red use[href^=\"#back\"]')");
    page.click("#pause");
    page.until("document.getElementById('go-on').hidden === false");
    // By keys: looking back, while the eyes change.
    page.value("document.activeElement.blur()");
    page.key("ArrowLeft");
    page.until("document.getElementById('looking').hidden === false");
    choose(&mut page, "#watch-eyes", "both");
    page.until("!document.querySelector('#board use[href^=\"#back\"]')");
    assert_eq!(page.value("document.getElementById('looking').hidden"), false);
    page.key("End");
    // What each side believes.
    page.click("#beliefs summary");
    page.until("document.querySelectorAll('#board .piece.blue ~ .heat').length > 20");
    choose(&mut page, "#belief-of", "by blue");
    page.until("document.querySelectorAll('#board .piece.red ~ .heat').length > 20");
    page.inspect("board-watching");
    page.click("#end");
    page.until("document.querySelector('#status.over')?.textContent.startsWith('Unfinished')");
    assert_eq!(page.value("document.getElementById('watching').hidden"), true);
    // What was chosen is kept.
    begin(&mut page, &server, &["#begin"]);
    page.until(&format!("{COUNT} > 0"));
    assert_eq!(page.value("document.getElementById('watch-pace').value"), "3000");
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// A server as with `--listen`, and its key.
fn open_server() -> (Server, Token) {
    let key = Token::new().unwrap();
    let access = |port| Access::network(&[Ipv4Addr::LOCALHOST.into()], port, key.clone());
    (Server::start(program(), folder(), ([127, 0, 0, 1], 0).into(), access), key)
}

#[test]
fn two_people_play_at_devices_of_their_own() {
    let (Some(mut red), Some(mut blue)) = (browser(), browser()) else { return };
    let (server, key) = open_server();
    red.value(&format!("void (location.href = 'http://{}/enter/{key}')", server.address));
    red.until("!!document.getElementById('begin') && document.readyState === 'complete'");
    red.click("[name=mode][value=devices]");
    red.click("[name=army][value=barrage]");
    red.click("#begin");
    red.until("document.querySelectorAll('#invitations img').length === 2");
    red.until("[...document.querySelectorAll('#invitations img')].every(image => image.naturalWidth >= 200)");
    assert_eq!(red.value("document.querySelectorAll('.piece').length"), 0);
    red.inspect("board-invite");
    let table = red.value("location.pathname").as_str().unwrap().to_owned();
    let link = red.value("document.querySelectorAll('.address')[1].textContent").as_str().unwrap().to_owned();
    red.click("#invitations a");
    red.until("document.getElementById('ready')?.disabled === false");
    // The other one opens what the picture says, on a telephone, and has shown no key before.
    blue.resize(390, 844);
    blue.value(&format!("void (location.href = '{link}')"));
    blue.until("document.getElementById('ready')?.disabled === false");
    assert_eq!(blue.value("document.getElementById('setup-side').textContent.split(' ')[0]"), "blue");
    red.click("#ready");
    red.until("document.getElementById('setup-wait').hidden === false");
    assert_eq!(
        red.value("document.getElementById('setup-wait').textContent"),
        "The other one sets up its army …"
    );
    blue.tap_until("#ready", "document.getElementById('play').hidden === false");
    for turn in 0..4 {
        let (mover, other, by) =
            if turn % 2 == 0 { (&mut red, &mut blue, By::Clicks) } else { (&mut blue, &mut red, By::Taps) };
        if !step(mover, by) {
            break;
        }
        other.until(&format!("{COUNT} > {turn} || !!document.querySelector('#status.over')"));
    }
    let seen = |page: &mut Page| page.value("document.querySelector('.card.us .player').textContent");
    assert_eq!((seen(&mut red), seen(&mut blue)), (json!("Red you"), json!("Blue you")));
    if red.value("!document.querySelector('#status.over')") == true {
        assert!(backs(&mut red, "blue") && !backs(&mut red, "red"));
        assert!(backs(&mut blue, "red") && !backs(&mut blue, "blue"));
        blue.inspect("board-device");
        red.click("#resign");
        red.click("#resign-dialog [value=yes]");
    }
    blue.until("!!document.querySelector('#status.over')");
    red.until("!!document.querySelector('#status.over')");
    red.click("#rematch");
    red.until("document.getElementById('setup-side')?.textContent.startsWith('blue')");
    blue.until("document.getElementById('next-link').hidden === false");
    blue.click("#next-link");
    blue.until("document.getElementById('setup-side')?.textContent.startsWith('red')");
    red.go(&format!("http://{}{table}", server.address));
    red.until("!!document.querySelector('#status.over')");
    assert_eq!((red.complaints.clone(), blue.complaints.clone()), (Vec::new(), Vec::new()));
}
