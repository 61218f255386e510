//! The course of the numbers as a picture.

use crate::log::{Plan, Played};
use std::fmt::Write;

const WIDTH: f64 = 900.0;
const ROW: f64 = 60.0;
const LEFT: f64 = 260.0;
const RIGHT: f64 = 20.0;
const HEAD: f64 = 40.0;

/// A self-contained SVG: a row for each number, how far it is from its start in steps, against the rounds.
pub fn svg(plan: &Plan, played: &[Played]) -> String {
    let height = HEAD + ROW * plan.parameters.len() as f64 + 20.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"10\" y=\"22\" font-size=\"14\">{} of {} rounds; change from the start in steps</text>\n",
        played.len(),
        plan.schedule.rounds
    );
    for (index, parameter) in plan.parameters.iter().enumerate() {
        let steps = played.iter().map(|round| (round.values[index] - parameter.start) / parameter.step);
        row(&mut text, HEAD + ROW * index as f64, &parameter.name, &steps.collect::<Vec<f64>>());
    }
    text + "</svg>\n"
}

fn row(text: &mut String, top: f64, name: &str, steps: &[f64]) {
    let most = steps.iter().fold(1.0, |most: f64, step| most.max(step.abs()));
    let middle = top + ROW / 2.0;
    let across = (WIDTH - LEFT - RIGHT) / steps.len().max(2) as f64;
    let now = steps.last().copied().unwrap_or(0.0);
    let _ = writeln!(
        text,
        "<text x=\"10\" y=\"{:.1}\">{name} {now:+.2}</text>\n\
         <line x1=\"{LEFT}\" y1=\"{middle}\" x2=\"{}\" y2=\"{middle}\" stroke=\"#bbb\"/>",
        middle + 4.0,
        WIDTH - RIGHT
    );
    let _ = write!(text, "<polyline fill=\"none\" stroke=\"#0b5fa5\" points=\"{LEFT},{middle}");
    for (number, step) in steps.iter().enumerate() {
        let (x, y) = (LEFT + across * (number + 1) as f64, middle - step / most * (ROW / 2.0 - 6.0));
        let _ = write!(text, " {x:.1},{y:.1}");
    }
    text.push_str("\"/>\n");
}
