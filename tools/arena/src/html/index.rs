//! The page that lists the games of a file.

use super::page_data::has_game;
use super::template::{escape, fill};
use super::{reason, result};
use crate::standings::Standings;
use outflank_record::Record;

/// The name of the page that lists the games.
pub const INDEX: &str = "index.html";

/// The file name of a game's page.
pub fn file_name(record: &Record) -> String {
    format!("game-{}.html", record.game)
}

/// The page that lists these games, with a link to the page of each; `name` is what their file is called.
pub fn index(name: &str, records: &[Record]) -> String {
    let rows: Vec<String> = records.iter().map(row).collect();
    let title = escape(&format!("Games of {name}"));
    let values = [
        ("title", title.as_str()),
        ("style", include_str!("template/index.css")),
        ("count", &records.len().to_string()),
        ("scores", &scores(records)),
        ("rows", &rows.join("\n")),
    ];
    fill(include_str!("template/index.html"), &values)
}

/// The score of each two players, a paragraph each; what is left out is not said here, as the table shows it.
fn scores(records: &[Record]) -> String {
    let mut standings = Standings::default();
    // A game whose winner cannot be read counts nowhere; its row shows what is told.
    for record in records {
        let _ = standings.add(record);
    }
    let lines = standings.scores().into_iter().map(|line| format!("<p>{}</p>", escape(&line)));
    lines.collect::<Vec<_>>().join("\n")
}

/// A game's row of the table. One that ended before there were setups has no page.
fn row(record: &Record) -> String {
    let mut number = format!("Game {}", record.game);
    if has_game(record) {
        number = format!("<a href=\"{}\">{number}</a>", file_name(record));
    }
    let [red, blue] = record.names().map(escape);
    let (result, reason) = (result(&record.outcome), escape(&reason(&record.outcome)));
    format!(
        "<tr><th scope=\"row\">{number}</th><td>{red}</td><td>{blue}</td><td>{result}</td><td>{reason}</td>\
         <td>{}</td></tr>",
        record.plies
    )
}
