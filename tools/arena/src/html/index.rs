//! The page that lists the games of a file.

use super::filter::Filter;
use super::{chart, lead};
use crate::standings::Standings;
use outflank_pages::page_data::has_game;
use outflank_pages::template::{escape, fill};
use outflank_pages::{COLOURS, reason, result};
use outflank_record::{Record, Winner};

/// The name of the page that lists the games.
pub const INDEX: &str = "index.html";

/// The file name of a game's page.
pub fn file_name(record: &Record) -> String {
    format!("game-{}.html", record.game)
}

/// What the rows can be chosen by.
struct Filters {
    winner: Filter,
    reason: Filter,
    player: Filter,
}

impl Filters {
    fn of(records: &[Record]) -> Filters {
        let results = records.iter().map(|record| result(&record.outcome).to_owned());
        let reasons = records.iter().map(|record| record.outcome.reason.to_string());
        let names = records.iter().flat_map(Record::names).filter(|name| !name.is_empty()).map(str::to_owned);
        Filters {
            winner: Filter::new("winner", "Result", results),
            reason: Filter::new("reason", "Reason", reasons),
            player: Filter::new("player", "Player", names),
        }
    }

    fn all(&self) -> [&Filter; 3] {
        [&self.winner, &self.reason, &self.player]
    }

    /// The attributes of a game's row.
    fn attributes(&self, record: &Record) -> String {
        let Filters { winner, reason, player } = self;
        let attributes = [
            winner.attribute(&[result(&record.outcome)]),
            reason.attribute(&[&record.outcome.reason.to_string()]),
            player.attribute(&record.names()),
        ];
        attributes.concat()
    }
}

/// The page that lists these games, with a link to the page of each; `name` is what their file is called.
pub fn index(name: &str, records: &[Record]) -> String {
    let filters = Filters::of(records);
    let rows: Vec<String> = records.iter().map(|record| row(record, &filters)).collect();
    let title = escape(&format!("Games of {name}"));
    let lists = filters.all().map(Filter::list).concat();
    let lists = if lists.is_empty() { lists } else { format!("<div class=\"filters\">{lists}</div>") };
    let mut standings = Standings::default();
    // A game whose winner cannot be read counts nowhere; its row shows what is written.
    for record in records {
        let _ = standings.add(record);
    }
    let values = [
        ("title", title.as_str()),
        ("colours", COLOURS),
        ("style", include_str!("template/index.css")),
        ("hiding", &filters.all().map(Filter::rules).concat()),
        ("count", &records.len().to_string()),
        ("scores", &scores(&standings)),
        ("points", &chart::points(&standings)),
        ("marks", &marks(records)),
        ("filters", &lists),
        ("rows", &rows.join("\n")),
    ];
    fill(include_str!("template/index.html"), &values)
}

/// Links to the longest, the shortest and the most turned of several games that have a page and a result.
fn marks(records: &[Record]) -> String {
    let counts = |record: &&Record| has_game(record) && record.outcome.winner != Winner::None;
    let games: Vec<&Record> = records.iter().filter(counts).collect();
    // Of equals the first.
    let longest = games.iter().rev().max_by_key(|record| record.plies);
    let shortest = games.iter().min_by_key(|record| record.plies);
    let turned = games.iter().rev().max_by_key(|record| lead::turns(record));
    let (Some(longest), Some(shortest), Some(turned)) = (longest, shortest, turned) else {
        return String::new();
    };
    if games.len() < 2 {
        return String::new();
    }
    let mut said = vec![
        format!("Longest: {} ({} plies)", link(longest), longest.plies),
        format!("shortest: {} ({} plies)", link(shortest), shortest.plies),
    ];
    match lead::turns(turned) {
        0 => {}
        1 => said.push(format!("most turned: {} (the lead changed sides once)", link(turned))),
        turns => said.push(format!("most turned: {} (the lead changed sides {turns} times)", link(turned))),
    }
    format!("<p class=\"marks\">{}.</p>", said.join("; "))
}

/// A link to a game's page.
fn link(record: &Record) -> String {
    format!("<a href=\"{}\">Game {}</a>", file_name(record), record.game)
}

/// The score of each two players, a paragraph each; what is left out is not said here, as the table shows it.
fn scores(standings: &Standings) -> String {
    let lines = standings.scores().into_iter().map(|line| format!("<p>{}</p>", escape(&line)));
    lines.collect::<Vec<_>>().join("\n")
}

/// A game's row of the table. One that ended before there were setups has no page.
fn row(record: &Record, filters: &Filters) -> String {
    let number = if has_game(record) { link(record) } else { format!("Game {}", record.game) };
    let [red, blue] = record.names().map(escape);
    let (result, reason) = (result(&record.outcome), escape(&reason(&record.outcome)));
    let attributes = filters.attributes(record);
    format!(
        "<tr{attributes}><th scope=\"row\">{number}</th><td>{red}</td><td>{blue}</td><td>{result}</td><td>{reason}</td>\
         <td>{}</td></tr>",
        record.plies
    )
}
