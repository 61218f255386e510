//! The pages of games in a browser: stepping, views, beliefs and the curve, by hand and by keys alone.
//!
//! The pictures go to `OUTFLANK_PICTURES`, or to the build's folder of test files.

use crate::common::{arena, file, inside};
use outflank::rules::{Rank, Side};
use outflank_arena::plan::Plan;
use outflank_browser::Page;
use outflank_record::{Record, Replay};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Short games at random.
fn games(rules: &str, count: u64) -> Vec<Record> {
    let names = ["a", "a name that is <b>rather</b> long & winding"];
    let players = names.map(|name| inside("player=random", name)).to_vec();
    let plan = Plan::plain(players, count, rules.parse().unwrap(), 5);
    (0..count).map(|number| plan.play_one(number).unwrap()).collect()
}

/// The pages of these games and their index, as the program writes them.
fn written(name: &str, records: &[Record], settings: &[&str]) -> PathBuf {
    let (records_file, folder) = (file(&format!("{name}.jsonl")), file(name));
    let lines: String = records.iter().map(|record| record.line().unwrap()).collect();
    fs::write(&records_file, lines).unwrap();
    let mut command: Command =
        arena(&["html", records_file.to_str().unwrap(), "--out", folder.to_str().unwrap()]);
    assert!(command.args(settings).status().unwrap().success());
    folder
}

fn browser() -> Option<Page> {
    Page::open(Path::new(env!("CARGO_TARGET_TMPDIR")))
}

fn go(page: &mut Page, folder: &Path, name: &str) {
    page.go(&format!("file://{}", folder.join(name).display()));
}

fn picture(page: &mut Page, name: &str) {
    let folder =
        std::env::var("OUTFLANK_PICTURES").unwrap_or_else(|_| env!("CARGO_TARGET_TMPDIR").to_owned());
    for (suffix, width, height) in [("", 1280, 860), ("-phone", 390, 844)] {
        page.fits(width, height, name);
        page.picture(&PathBuf::from(&folder).join(format!("replay-{name}{suffix}.png")));
    }
    page.resize(1280, 860);
}

/// Steps through the whole game. For each ply what is drawn and what is read out, by square in the order of their
/// names (`[at, letter, label]`), and how many are shown as dead.
const WALK: &str = "(() => {
    const place = (element, inset) => ['x', 'y'].map(key => element.getAttribute(key) - inset).join();
    const pieces = () => {
        const at = new Map([...document.querySelectorAll('#board .cell')].map(cell => [place(cell, 3), cell]));
        return [...document.querySelectorAll('#board .piece')].map(piece => {
            const cell = at.get(place(piece.querySelector('rect'), 8));
            return [cell.dataset.at, piece.querySelector('.rank').textContent, cell.getAttribute('aria-label')];
        }).sort((one, other) => one[0] < other[0] ? -1 : 1);
    };
    const dead = () => [...document.querySelectorAll('#dead .badge')]
        .reduce((sum, badge) => sum + Number(/×(\\d+)/.exec(badge.textContent)?.[1] ?? 1), 0);
    const press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    const found = [], slider = document.getElementById('slider');
    for (press('Home');; press('ArrowRight')) {
        found.push([pieces(), dead()]);
        if (slider.value === slider.max) return found;
    } })()";

/// What a side may be shown where the replay stands: the square, the letter and the words of each piece. No side is
/// the truth.
fn expected(replay: &Replay, eyes: Option<Side>) -> Value {
    let mut found = Vec::new();
    for owner in Side::BOTH {
        let view = replay.view(eyes.unwrap_or(owner));
        for (_, piece) in view.position().pieces(owner) {
            let Some(square) = piece.square else { continue };
            let rank = piece.ranks.single();
            let letter = rank.map_or('?', Rank::letter).to_string();
            found.push((square.to_string(), letter, rank.is_some(), owner));
        }
    }
    found.sort();
    found.iter().map(|(at, letter, known, owner)| json!([at, letter, known, owner.to_string()])).collect()
}

/// Compares what the page shows of a ply with the replay.
fn compare(shown: &Value, replay: &Replay, eyes: Option<Side>) {
    let (pieces, expected) = (shown[0].as_array().unwrap(), expected(replay, eyes));
    let expected = expected.as_array().unwrap();
    assert_eq!(pieces.len(), expected.len());
    for (shown, expected) in pieces.iter().zip(expected) {
        assert_eq!((&shown[0], &shown[1]), (&expected[0], &expected[1]), "ply {} for {eyes:?}", replay.ply());
        let label = shown[2].as_str().unwrap().to_lowercase();
        let owner = format!("{}, {}'s ", expected[0].as_str().unwrap(), expected[3].as_str().unwrap());
        assert!(label.starts_with(&owner), "{label}");
        assert_eq!(label.contains("unknown rank"), expected[2] == false, "{label}");
    }
    assert_eq!(shown[1], fallen(replay, eyes), "dead at ply {} for {eyes:?}", replay.ply());
}

/// How many pieces are off the board.
fn fallen(replay: &Replay, eyes: Option<Side>) -> usize {
    let view = |owner| replay.view(eyes.unwrap_or(owner)).position();
    let pieces = Side::BOTH.into_iter().flat_map(|owner| view(owner).pieces(owner));
    pieces.filter(|(_, piece)| piece.exists() && !piece.is_alive()).count()
}

const PLY: &str = "Number(document.getElementById('slider').value)";

fn ply(page: &mut Page) -> usize {
    page.value(PLY).as_f64().unwrap() as usize
}

/// Every ply in every view, by keys.
#[test]
fn every_view_shows_what_its_side_knows() {
    let Some(mut page) = browser() else { return };
    for rules in ["isf barrage=on plies=200", "isf barrage=on silent=on rescue=on plies=300"] {
        let record = games(rules, 1).remove(0);
        let folder = written("browser-views", std::slice::from_ref(&record), &[]);
        go(&mut page, &folder, "game-0.html");
        let views = [None, Some(Side::Red), Some(Side::Blue)];
        for (index, eyes) in views.into_iter().enumerate() {
            if index > 0 {
                page.key("v");
            }
            let shown = page.value(WALK);
            let mut replay = Replay::new(&record).unwrap();
            compare(&shown[0], &replay, eyes);
            while replay.step().unwrap().is_some() {
                compare(&shown[replay.ply() as usize], &replay, eyes);
            }
            assert_eq!(shown.as_array().unwrap().len(), record.moves.len() + 1);
        }
    }
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// A game with some plies, and its page open in the browser with the curve of a search.
fn opened(page: &mut Page, name: &str) -> (Record, PathBuf) {
    let records = games("isf barrage=on", 3);
    let folder = written(name, &records, &["--nodes", "60"]);
    let record = records.into_iter().max_by_key(|record| record.moves.len()).unwrap();
    go(page, &folder, &format!("game-{}.html", record.game));
    (record, folder)
}

#[test]
fn stepping_playing_and_jumping() {
    let Some(mut page) = browser() else { return };
    let (record, _) = opened(&mut page, "browser-steps");
    let plies = record.moves.len();
    assert!(plies > 8, "{plies}");
    let first = 1 + record.moves.iter().position(|text| text.contains('x')).unwrap();
    page.key("Shift+ArrowRight");
    assert_eq!(ply(&mut page), first);
    page.key("End");
    page.key("ArrowLeft");
    assert_eq!(ply(&mut page), plies - 1);
    page.key("Home");
    page.click("[data-go=next-strike]");
    assert_eq!(ply(&mut page), first);
    page.click("[data-go=start]");
    page.click("[data-go=on]");
    assert_eq!(ply(&mut page), 1);
    page.click("#slider");
    let middle = ply(&mut page);
    assert!(middle.abs_diff(plies / 2) <= 1 + plies / 20, "{middle} of {plies}");
    page.click("#moves [data-ply='2']");
    assert_eq!(ply(&mut page), 2);
    page.click("#curve");
    let middle = ply(&mut page);
    assert!(middle.abs_diff(plies / 2) <= 1 + plies / 10, "{middle} of {plies}");
    playing(&mut page, plies);
    assert_eq!(page.complaints, Vec::<String>::new());
}

fn playing(page: &mut Page, plies: usize) {
    page.value("document.getElementById('speed').value = 30");
    page.key("Home");
    page.key("Space");
    page.until(&format!("{PLY} > 3"));
    assert_eq!(page.value("document.getElementById('run').textContent"), "Stop");
    page.until(&format!("{PLY} === {plies}"));
    assert_eq!(page.value("document.getElementById('run').textContent"), "Play");
    assert_eq!(page.value("document.getElementById('status').textContent.includes('The end')"), true);
}

/// What the curve shows, as the page says it.
fn curve(page: &mut Page) -> String {
    page.value("document.getElementById('curve-label').textContent").as_str().unwrap().to_owned()
}

#[test]
fn beliefs_bars_and_the_curve() {
    let Some(mut page) = browser() else { return };
    let (record, folder) = opened(&mut page, "browser-beliefs");
    page.value("document.querySelector('[name=eyes][value=\"0\"]').click()");
    assert!(curve(&mut page).starts_with("Red's expectation"), "{}", curve(&mut page));
    assert_eq!(
        page.value("document.querySelectorAll('#curve .win-red, #curve .draw, #curve .win-blue').length"),
        3
    );
    let strikes = record.moves.iter().filter(|text| text.contains('x')).count();
    let marks = "document.querySelectorAll('#curve [class^=strike]').length";
    assert_eq!(page.value(marks), strikes);
    page.key("ArrowRight");
    // A heat map gives every hidden enemy piece a chance; together they are the army's number of that rank.
    page.value(
        "(() => { const list = document.getElementById('rank'); list.value = 2;
        list.dispatchEvent(new Event('change')); })()",
    );
    let sum = page.value(
        "[...document.querySelectorAll('#board .chance')]
        .reduce((sum, text) => sum + Number(text.textContent.replace(/[<%]/g, '')), 0)",
    );
    let scouts = record.setups[Side::Blue].matches('2').count() as f64;
    assert!((sum.as_f64().unwrap() - scouts * 100.0).abs() <= 5.0, "{sum}");
    picture(&mut page, "heat");
    for kind in ["deuteranopia", "achromatopsia"] {
        page.vision(kind);
        picture(&mut page, &format!("heat-{kind}"));
    }
    page.vision("none");
    let enemy = page.value(
        "[...document.querySelectorAll('#board .cell')]
        .find(cell => cell.getAttribute('aria-label').includes(\"Blue's piece of unknown\")).dataset.at",
    );
    page.click(&format!("#board [data-at='{}']", enemy.as_str().unwrap()));
    assert_eq!(page.value("document.querySelectorAll('#bars .bar').length > 3"), true);
    assert_eq!(page.value("document.querySelectorAll('#bars .true').length"), 0, "Red cannot know");
    picture(&mut page, "bars");
    page.key("v");
    page.key("v");
    assert_eq!(page.value("document.querySelectorAll('#bars .true').length"), 1);
    page.value("document.getElementById('rank').value = ''");
    go(&mut page, &folder, "index.html");
    picture(&mut page, "index");
    assert_eq!(page.value("document.querySelectorAll('tbody a').length"), 3);
    page.click("tbody a");
    page.until("!!document.getElementById('board')");
    page.click("header a");
    page.until("!!document.querySelector('tbody')");
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// By keys alone: to the board, from square to square, a piece, a step, another view.
#[test]
fn a_replay_by_keys_alone() {
    let Some(mut page) = browser() else { return };
    opened(&mut page, "browser-keys");
    page.tab_to("#board .cell");
    assert_eq!(page.value("document.activeElement.dataset.at"), "e4");
    for key in ["ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"] {
        page.key(key);
    }
    assert_eq!(
        page.value("[document.activeElement.dataset.at, document.activeElement.tabIndex]"),
        json!(["e3", 0])
    );
    assert_eq!(page.value("document.querySelectorAll('#board .cell[tabindex=\"0\"]').length"), 1);
    // It can be seen where the focus is.
    assert_eq!(page.value("getComputedStyle(document.activeElement).stroke !== 'none'"), true);
    page.key(".");
    page.key(".");
    page.key(",");
    assert_eq!(ply(&mut page), 1);
    // The board is turned, and the focus stays on its square.
    page.key("v");
    page.key("v");
    assert_eq!(page.value("document.activeElement.dataset.at"), "e3");
    page.key("ArrowUp");
    assert_eq!(page.value("document.activeElement.dataset.at"), "e2");
    page.key("v");
    let full = page.value(
        "[...document.querySelectorAll('#board .cell')]
        .find(cell => cell.getAttribute('aria-label').includes(\"Blue's\")).dataset.at",
    );
    let at = full.as_str().unwrap().to_owned();
    walk(&mut page, &at);
    page.key("Enter");
    assert_eq!(page.value("document.activeElement.getAttribute('aria-selected')"), "true");
    assert_eq!(page.value("document.querySelectorAll('#bars .bar').length > 0"), true);
    page.key("Escape");
    assert_eq!(page.value("document.querySelectorAll('#bars .bar').length"), 0);
    page.tab_to("#slider");
    page.key("End");
    assert_eq!(page.value("document.getElementById('status').getAttribute('role')"), "status");
    assert_eq!(page.value("document.getElementById('status').textContent.includes('The end')"), true);
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// Walks from e2 to a square on a board that is not turned.
fn walk(page: &mut Page, at: &str) {
    let here = page.value("document.activeElement.dataset.at");
    let place = |at: &str| (i32::from(at.as_bytes()[0]), at[1..].parse::<i32>().unwrap());
    let ((file, row), (to_file, to_row)) = (place(here.as_str().unwrap()), place(at));
    let across = if to_file > file { "ArrowRight" } else { "ArrowLeft" };
    let along = if to_row > row { "ArrowUp" } else { "ArrowDown" };
    (0..(to_file - file).abs()).for_each(|_| page.key(across));
    (0..(to_row - row).abs()).for_each(|_| page.key(along));
    assert_eq!(page.value("document.activeElement.dataset.at"), at);
}

#[test]
fn it_fits_a_telephone_and_paper() {
    let Some(mut page) = browser() else { return };
    opened(&mut page, "browser-fits");
    page.key("End");
    picture(&mut page, "truth");
    page.resize(390, 844);
    let small = page.value(
        "[...document.querySelectorAll('button, select, input[type=range]')]
        .filter(one => !one.closest('#moves')).filter(one => one.getBoundingClientRect().height < 32)
        .map(one => one.outerHTML)",
    );
    assert_eq!(small, json!([]), "too small for a finger");
    page.resize(1280, 860);
    page.print_media(true);
    let visible = page.value(
        "[...document.querySelectorAll('main button, main select, main input')]
        .filter(one => !one.closest('#moves') && one.getClientRects().length > 0).length",
    );
    assert_eq!(visible, 0, "controls on paper");
    assert_eq!(page.value("document.getElementById('board').getClientRects().length"), 1);
    let folder =
        std::env::var("OUTFLANK_PICTURES").unwrap_or_else(|_| env!("CARGO_TARGET_TMPDIR").to_owned());
    page.picture(&PathBuf::from(folder).join("replay-print.png"));
    assert_eq!(page.complaints, Vec::<String>::new());
}
