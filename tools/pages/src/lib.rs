//! Pages for looking at recorded games: each is one file of HTML that needs nothing else.
//!
//! [`page_data`] replays a record and notes what a page shows, [`packing`] makes that small, [`curve`] is the curve
//! over the game. [`page()`] puts it into the template, which has a style sheet and a script of its own. The arena lists
//! the pages of a file, the board shows games by them; [`PIECES`] and [`COLOURS`] are what their pages have in common.

pub mod curve;
pub mod packing;
pub mod page_data;
pub mod template;

use indicatif::ProgressBar;
use outflank_record::{Outcome, Record, Winner};
use page_data::PageData;
pub use page_data::Settings;
use template::{escape, fill, json};

/// The script that draws pieces and lakes, for the page to play on too. It lays its symbols into the page and defines
/// `add` and `drawTile`.
pub const PIECES: &str = include_str!("template/pieces.js");
/// The style of all pages: colours, light and dark, and how pieces look.
pub const COLOURS: &str = include_str!("template/colours.css");

/// Where the head of a page leads: words and addresses. One that ends in a ply and whose eyes these are, as in
/// `/study#...-0-both`, follows what is looked at.
pub type Links<'a> = &'a [(&'a str, &'a str)];

/// The page of a game; the bar moves on with each ply.
///
/// # Errors
/// If the record does not hold what the referee finds, or has no game.
pub fn page(
    record: &Record,
    settings: Settings,
    links: Links<'_>,
    bar: &ProgressBar,
) -> anyhow::Result<String> {
    let data = PageData::of(record, settings, bar)?;
    let [red, blue] = record.names();
    let title = escape(&format!("Game {}: {red} against {blue}", record.game));
    let link = |(words, to): &(&str, &str)| format!("<a href=\"{}\">{}</a>", escape(to), escape(words));
    let links: Vec<String> = links.iter().map(link).collect();
    let values = [
        ("title", title.as_str()),
        ("colours", COLOURS),
        ("style", include_str!("template/page.css")),
        ("links", &links.join(" ")),
        ("pieces", PIECES),
        ("data", &json(&data)?),
        ("read", include_str!("template/data.js")),
        ("judge", include_str!("template/judge.js")),
        ("draw", include_str!("template/draw.js")),
        ("learn", include_str!("template/learn.js")),
        ("script", include_str!("template/page.js")),
    ];
    Ok(fill(include_str!("template/page.html"), &values))
}

/// Who won, in words.
pub fn result(outcome: &Outcome) -> &'static str {
    match outcome.winner {
        Winner::Red => "Red won",
        Winner::Blue => "Blue won",
        Winner::Draw => "Draw",
        Winner::None => "No result",
    }
}

/// Why it ended, with what went wrong.
pub fn reason(outcome: &Outcome) -> String {
    match &outcome.fault {
        Some(fault) => format!("{}: {fault}", outcome.reason),
        None => outcome.reason.to_string(),
    }
}
