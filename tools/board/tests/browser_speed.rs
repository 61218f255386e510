//! How fast the page is, measured by the browser and printed: what a machine has to do besides decides such numbers, so
//! nothing is asserted but that there are some.

use crate::browser::{BLUE, RED, begin, browser, places};
use crate::common::Scripted;
use crate::server::server_with;
use outflank_browser::Page;
use serde_json::{Value, json};

/// The time from the request to the first text or drawing, in milliseconds.
fn first_paint(page: &mut Page) -> f64 {
    let painted = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
    page.until(&format!("{painted} > 0"));
    page.value(painted).as_f64().unwrap()
}

/// So many moves of each side, all of which slide.
fn sliding(page: &mut Page, moves: usize) {
    for turn in 0..moves {
        let made = 2 * (turn + 1);
        page.value(
            "fetch(location.pathname + '/state').then(answer => answer.json()).then(state =>
                fetch(location.pathname + '/move', { method: 'POST', headers: { 'Content-Type': 'application/json' },
                    body: JSON.stringify({ action: state.legal.findLast(text => !text.includes('x')), ply: state.ply }) }))",
        );
        page.until(&format!("document.getElementById('moves').dataset.count === '{made}'"));
        page.until("!!document.querySelector('#status.yours')");
    }
}

/// The middle and the longest of the times between frames that were drawn within a slide, in milliseconds, and how many
/// frames there were.
fn frames(events: &[Value], slides: &[[f64; 2]]) -> (f64, f64, usize) {
    let mut drawn: Vec<f64> = events
        .iter()
        .filter(|event| event["name"] == "DrawFrame")
        .filter_map(|event| Some(event["ts"].as_f64()? / 1000.0))
        .collect();
    drawn.sort_by(f64::total_cmp);
    let within = |pair: &[f64]| slides.iter().any(|[from, to]| pair[0] >= *from && pair[1] <= *to);
    let mut gaps: Vec<f64> =
        drawn.windows(2).filter(|pair| within(pair)).map(|pair| pair[1] - pair[0]).collect();
    gaps.sort_by(f64::total_cmp);
    (gaps[gaps.len() / 2], *gaps.last().unwrap(), gaps.len())
}

/// Notes on the trace's own clock when something slides.
const NOTE: &str = "const animate = Element.prototype.animate, media = window.matchMedia.bind(window);
    window.matchMedia = query => query.includes('reduced-motion') ? { matches: false } : media(query);
    Element.prototype.animate = function (frames, options) {
        const animation = animate.call(this, frames, options);
        if (options.duration > 0) {
            animation.ready.then(() => console.timeStamp('slides'));
            animation.finished.then(() => console.timeStamp('stands'), () => null);
        }
        return animation;
    };";

#[test]
#[ignore = "measures"]
fn soak_how_fast_the_page_paints_and_slides() {
    let Some(mut page) = browser() else { return };
    page.first(NOTE);
    let actions = ["c10c9", "c9c10"].repeat(20).into_iter().map(str::to_owned).collect();
    let server = server_with(Scripted { army: places(&BLUE), actions, chances: [500, 0, 500] });
    begin(&mut page, &server, &[]);
    let mut paints = vec![("lobby", first_paint(&mut page))];
    page.go(&format!("http://{}/study", server.address));
    paints.push(("study", first_paint(&mut page)));
    begin(&mut page, &server, &["[name=army][value=barrage]", "#begin"]);
    crate::browser::set_up(&mut page, &places(&RED));
    page.until("!!document.querySelector('#status.yours')");
    page.reload();
    page.until("!!document.querySelector('#status.yours')");
    paints.push(("game", first_paint(&mut page)));
    let categories =
        ["disabled-by-default-devtools.timeline.frame", "devtools.timeline.frame", "devtools.timeline"];
    let events = page.traced(&categories, |page| sliding(page, 8));
    let mut marks: Vec<(f64, bool)> = events
        .iter()
        .filter(|event| event["name"] == "TimeStamp")
        .filter_map(|event| {
            Some((event["ts"].as_f64()? / 1000.0, event["args"]["data"]["message"] == "slides"))
        })
        .collect();
    marks.sort_by(|one, other| one.0.total_cmp(&other.0));
    let slides: Vec<[f64; 2]> =
        marks.windows(2).filter(|pair| pair[0].1 && !pair[1].1).map(|pair| [pair[0].0, pair[1].0]).collect();
    let (middle, longest, count) = frames(&events, &slides);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!(
        "first paint: {paints:.0?} ms; {} slides, {count} times between frames: {middle:.1} ms in the middle, \
        {longest:.1} ms at most; load {load}",
        slides.len()
    );
    assert!(!slides.is_empty() && json!(count) != 0);
}
