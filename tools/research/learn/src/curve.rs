//! A page that draws how a run went.

use anyhow::{Context, bail};
use outflank_record::{Record, open};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A line of a diagram: its name, and points (plies, value, standard error).
struct Series {
    name: String,
    points: Vec<[f64; 3]>,
}

/// The columns of the table that are drawn, with how they are called.
const SIGNS: [(&str, &str); 6] = [
    ("entropy", "entropy of a decision, nats"),
    ("length", "plies a game"),
    ("draws", "share of draws"),
    ("strikes_per_100", "strikes in 100 plies"),
    ("magnet", "divergence from the magnet, nats"),
    ("value_error", "squared error of the value"),
];
/// Size of a diagram, and of the room for its labels.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 200.0;
const EDGE: f64 = 48.0;
/// Colours that differ in light and dark, and by most who see few colours (P. Tol's *bright* scheme).
const COLOURS: [&str; 6] = ["#4477aa", "#ee6677", "#228833", "#aa8833", "#66ccee", "#aa3377"];

/// The page of the run in this folder: `table.tsv`, and the records in `judged`.
///
/// # Errors
/// If the table cannot be read.
pub fn page(folder: &Path) -> anyhow::Result<String> {
    let path = folder.join("table.tsv");
    let table = fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
    let mut page = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>A run of the learner</title>\n\
         <style>:root{color-scheme:light dark}body{font:15px system-ui;max-width:44rem;margin:2rem auto}\
         svg{width:100%}text{font-size:12px;fill:currentColor}</style>\n<h1>A run of the learner</h1>\n",
    );
    let judged = judged(&folder.join("judged"))?;
    if !judged.is_empty() {
        page += &diagram("points against each judge, percent", &judged);
    }
    for (column, title) in SIGNS {
        page += &diagram(title, &[column_of(&table, column)?]);
    }
    Ok(page + "</html>\n")
}

/// A column of the table over the plies.
fn column_of(table: &str, column: &str) -> anyhow::Result<Series> {
    let mut lines = table.lines();
    let head = lines.next().unwrap_or_default();
    let place = head.split('\t').position(|name| name == column);
    let Some(place) = place else { bail!("the table has no column {column}") };
    let point = |line: &str| {
        let value = |place: usize| line.split('\t').nth(place)?.parse::<f64>().ok();
        Some([value(0)?, value(place)?, 0.0])
    };
    Ok(Series { name: String::new(), points: lines.filter_map(point).collect() })
}

/// The points against each opponent: the folder has one for each network that was judged, named by its millions of plies, with
/// the records of each opponent in a file of its name.
fn judged(folder: &Path) -> anyhow::Result<Vec<Series>> {
    let mut found: BTreeMap<String, Vec<[f64; 3]>> = BTreeMap::new();
    for (millions, path) in named(folder, |stem| stem.strip_suffix('M')?.parse::<f64>().ok()) {
        for (opponent, path) in named(&path, |stem| Some(stem.to_owned())) {
            if path.extension().is_none_or(|ending| ending != "jsonl") {
                continue;
            }
            let mut points = Vec::new();
            for record in open(&path)? {
                points.extend(points_against(&opponent, &record?)?);
            }
            if !points.is_empty() {
                let (mean, error) = mean_and_error(&points);
                found.entry(opponent).or_default().push([millions * 1e6, 100.0 * mean, 100.0 * error]);
            }
        }
    }
    Ok(found.into_iter().map(|(name, points)| Series { name, points }).collect())
}

/// The folders and files of a folder whose names say something, in order.
fn named<T>(folder: &Path, of: impl Fn(&str) -> Option<T>) -> Vec<(T, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths.into_iter().filter_map(|path| Some((of(path.file_stem()?.to_str()?)?, path))).collect()
}

/// What the network made in a game against this opponent; nothing of an unfinished one.
fn points_against(opponent: &str, record: &Record) -> anyhow::Result<Option<f64>> {
    if record.outcome.is_unfinished() {
        return Ok(None);
    }
    let winner = record.outcome.side()?;
    Ok(Some(winner.map_or(0.5, |side| f64::from(u8::from(record.players[side].name != opponent)))))
}

fn mean_and_error(points: &[f64]) -> (f64, f64) {
    let count = points.len() as f64;
    let mean = points.iter().sum::<f64>() / count;
    let square = points.iter().map(|point| (point - mean).powi(2)).sum::<f64>() / count;
    (mean, (square / count).sqrt())
}

/// A diagram of some series, with the bounds of both axes.
fn diagram(title: &str, series: &[Series]) -> String {
    let all = || series.iter().flat_map(|series| &series.points);
    let most = |of: fn(&[f64; 3]) -> f64| all().map(of).fold(f64::NEG_INFINITY, f64::max);
    let least = |of: fn(&[f64; 3]) -> f64| all().map(of).fold(f64::INFINITY, f64::min);
    let (left, right) = (least(|point| point[0]), most(|point| point[0]));
    let (low, high) = (least(|point| point[1] - point[2]), most(|point| point[1] + point[2]));
    let across = |plies: f64| EDGE + (WIDTH - EDGE) * (plies - left) / (right - left).max(1.0);
    let up = |value: f64| HEIGHT - (HEIGHT - 20.0) * (value - low) / (high - low).max(1e-9);
    let mut drawn = format!(
        "<h2>{title}</h2>\n<svg viewBox=\"0 0 {WIDTH} {}\" role=\"img\" aria-label=\"{title}\">\n",
        HEIGHT + 24.0
    );
    for (value, y) in [(low, HEIGHT), (high, 20.0)] {
        let _ = writeln!(drawn, "<text x=\"0\" y=\"{y:.0}\">{value:.3}</text>");
    }
    for (plies, anchor) in [(left, "start"), (right, "end")] {
        let (x, y) = (across(plies), HEIGHT + 18.0);
        let _ = writeln!(
            drawn,
            "<text x=\"{x:.0}\" y=\"{y:.0}\" text-anchor=\"{anchor}\">{:.0} million plies</text>",
            plies / 1e6
        );
    }
    for (place, (Series { name, points }, colour)) in series.iter().zip(COLOURS.iter().cycle()).enumerate() {
        let line: Vec<String> = points
            .iter()
            .map(|[plies, value, _]| format!("{:.1},{:.1}", across(*plies), up(*value)))
            .collect();
        let _ =
            writeln!(drawn, "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\"/>", line.join(" "));
        for [plies, value, error] in points.iter().filter(|point| point[2] > 0.0) {
            let (x, from, to) = (across(*plies), up(value - error), up(value + error));
            let _ = writeln!(drawn, "<path d=\"M{x:.1} {from:.1}V{to:.1}\" stroke=\"{colour}\"/>");
        }
        let _ = writeln!(
            drawn,
            "<text x=\"{EDGE}\" y=\"{}\" style=\"fill:{colour}\">{name}</text>",
            16 + 14 * place
        );
    }
    drawn + "</svg>\n"
}
