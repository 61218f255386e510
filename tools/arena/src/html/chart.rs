//! Charts as SVG: who scores how much against whom, and how a test goes.

use crate::standings::Standings;
use outflank_pages::template::escape;
use std::fmt::Write;

/// Of each meeting of two names the share of the points of the first, with its 95% interval, a line each; empty where
/// none has a share yet.
pub(super) fn points(standings: &Standings) -> String {
    const ROW: f64 = 26.0;
    const NAMES: f64 = 320.0;
    const WIDE: f64 = 420.0;
    let known: Vec<_> = standings.meetings().filter_map(|(names, share)| Some((names, share?))).collect();
    if known.is_empty() {
        return String::new();
    }
    let (high, at) = (ROW * known.len() as f64, |share: f64| NAMES + WIDE * share / 100.0);
    let mut drawn = String::new();
    for (share, kind) in [(0.0, "grid"), (25.0, "grid"), (50.0, "even"), (75.0, "grid"), (100.0, "grid")] {
        let (x, foot) = (at(share), high + 18.0);
        let _ = write!(drawn, "<path class=\"{kind}\" d=\"M{x} 0V{high}\"/>");
        let _ = write!(drawn, "<text x=\"{x}\" y=\"{foot}\" text-anchor=\"middle\">{share}%</text>");
    }
    let mut said = Vec::new();
    for (row, ([first, second], share)) in known.into_iter().enumerate() {
        let (y, text) = (ROW * (row as f64 + 0.5), escape(&short(&format!("{first} against {second}"))));
        let (low, value, most) = (at(share.low), at(share.value), at(share.high));
        let foot = y + 5.0;
        let _ = write!(drawn, "<text x=\"{}\" y=\"{foot}\" text-anchor=\"end\">{text}</text>", NAMES - 10.0);
        let _ = write!(
            drawn,
            "<path class=\"error\" d=\"M{low:.1} {y}H{most:.1}M{low:.1} {}v10M{most:.1} {}v10\"/>",
            y - 5.0,
            y - 5.0
        );
        let _ = write!(drawn, "<circle cx=\"{value:.1}\" cy=\"{y}\" r=\"5\"/>");
        said.push(format!(
            "{first} against {second} {:.1}%, {:.1} to {:.1}",
            share.value, share.low, share.high
        ));
    }
    let label = format!("Share of the points, with the 95% interval: {}", said.join("; "));
    figure(&label, (770.0, high + 26.0), &drawn, "Share of the points of the first, with its 95% interval")
}

/// A name that fits beside the chart.
fn short(name: &str) -> String {
    const MOST: usize = 40;
    if name.chars().count() <= MOST {
        name.to_owned()
    } else {
        name.chars().take(MOST - 1).chain(['…']).collect()
    }
}

/// How the ratio of a test went from pair to pair (or game to game), between its bounds.
pub(super) fn ratio(ratios: &[f64], (low, high): (f64, f64)) -> String {
    const LEFT: f64 = 50.0;
    const WIDE: f64 = 700.0;
    const TALL: f64 = 180.0;
    let ends = ratios.iter().fold((low, high), |(least, most), &ratio| (least.min(ratio), most.max(ratio)));
    let y = |ratio: f64| 10.0 + TALL * (ends.1 - ratio) / (ends.1 - ends.0);
    let x = |place: usize| LEFT + WIDE * place as f64 / ratios.len().max(1) as f64;
    let mut drawn = String::new();
    for (bound, kind) in [(high, "bound"), (0.0, "grid"), (low, "bound")] {
        let at = y(bound);
        let _ = write!(drawn, "<path class=\"{kind}\" d=\"M{LEFT} {at:.1}h{WIDE}\"/>");
        let _ = write!(
            drawn,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{bound:.2}</text>",
            LEFT - 6.0,
            at + 5.0
        );
    }
    let _ = write!(drawn, "<path class=\"curve\" d=\"M{LEFT} {:.1}", y(0.0));
    for (place, ratio) in ratios.iter().enumerate() {
        let _ = write!(drawn, "L{:.1} {:.1}", x(place + 1), y(*ratio));
    }
    drawn.push_str("\"/>");
    let now = ratios.last().copied().unwrap_or(0.0);
    let label = format!("Log-likelihood ratio of the test: {now:.2}, between {low:.2} and {high:.2}");
    figure(&label, (770.0, TALL + 20.0), &drawn, &label)
}

fn figure(label: &str, (width, height): (f64, f64), drawn: &str, caption: &str) -> String {
    let (label, caption) = (escape(label), escape(caption));
    format!(
        "<figure><svg role=\"img\" aria-label=\"{label}\" viewBox=\"0 0 {width} {height}\">{drawn}</svg>\
         <figcaption>{caption}</figcaption></figure>"
    )
}
