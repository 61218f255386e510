//! The page of a match that runs. It loads itself anew every other second and needs no script; once the match is over
//! it stays as it is.

use super::chart;
use crate::moment::Going;
use crate::standings::Standings;
use outflank_pages::COLOURS;
use outflank_pages::template::{escape, fill};
use std::time::Duration;

/// How often the page loads itself anew.
pub const REFRESH: Duration = Duration::from_secs(2);

/// The page: `table` is what the terminal shows, `done` of `games` are over, and these are being played; `None` once
/// the match is over.
pub fn live(
    standings: &Standings,
    table: &str,
    (done, games): (u64, u64),
    going: Option<&[(u64, Going)]>,
) -> String {
    let row = |(number, going): &(u64, Going)| {
        let [red, blue] = going.players.as_array().each_ref().map(|name| escape(name));
        let (plies, last) = (going.plies, escape(&going.last));
        format!(
            "<tr><th scope=\"row\">Game {number}</th><td>{red}</td><td>{blue}</td><td>{last}</td><td>{plies}</td></tr>"
        )
    };
    let ratio = standings.ratios().map_or_else(String::new, |(ratios, bounds)| chart::ratio(ratios, bounds));
    let count = format!("{done} of {games} games");
    let again = format!("<meta http-equiv=\"refresh\" content=\"{}\">", REFRESH.as_secs());
    let (refresh, title, caption) = match going {
        Some(_) => (again, count, "Games that are being played."),
        None => (String::new(), format!("The match is over: {count}"), "No game is being played."),
    };
    let values = [
        ("colours", COLOURS),
        ("style", include_str!("template/index.css")),
        ("refresh", &refresh),
        ("title", &title),
        ("caption", caption),
        ("table", &escape(table)),
        ("points", &chart::points(standings)),
        ("ratio", &ratio),
        ("rows", &going.unwrap_or_default().iter().map(row).collect::<Vec<_>>().join("\n")),
    ];
    fill(include_str!("template/live.html"), &values)
}
