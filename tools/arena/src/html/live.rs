//! The page of a match that runs. It loads itself anew every other second and needs no script.

use super::chart;
use crate::moment::Going;
use crate::standings::Standings;
use outflank_pages::COLOURS;
use outflank_pages::template::{escape, fill};

/// The page: `table` is what the terminal shows, `done` of `games` are over, and these are being played.
pub fn live(standings: &Standings, table: &str, (done, games): (u64, u64), going: &[(u64, Going)]) -> String {
    let row = |(number, going): &(u64, Going)| {
        let [red, blue] = going.players.as_array().each_ref().map(|name| escape(name));
        let (plies, last) = (going.plies, escape(&going.last));
        format!(
            "<tr><th scope=\"row\">Game {number}</th><td>{red}</td><td>{blue}</td><td>{last}</td><td>{plies}</td></tr>"
        )
    };
    let ratio = standings.ratios().map_or_else(String::new, |(ratios, bounds)| chart::ratio(ratios, bounds));
    let values = [
        ("colours", COLOURS),
        ("style", include_str!("template/index.css")),
        ("done", &format!("{done} of {games} games")),
        ("table", &escape(table)),
        ("points", &chart::points(standings)),
        ("ratio", &ratio),
        ("rows", &going.iter().map(row).collect::<Vec<_>>().join("\n")),
    ];
    fill(include_str!("template/live.html"), &values)
}
