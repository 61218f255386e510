//! Drawings for terminals of any width.

use console::{AnsiCodeIterator, Term, measure_text_width};

/// Columns of the board in a drawing, with the names of its squares; what stands beside it begins behind them.
const BOARD: usize = 50;
/// Lines of a drawing in which something may stand beside the board.
const BESIDE: std::ops::Range<usize> = 2..12;
/// Lines of the board.
const HEIGHT: usize = 14;

/// Columns of the terminal at standard output, if there is one.
pub fn of_terminal() -> Option<usize> {
    Term::stdout().size_checked().map(|(_, columns)| usize::from(columns))
}

/// A drawing for a terminal with so many columns: what would not fit beside the board goes below it, as a terminal would
/// tear it.
pub fn fit(lines: Vec<String>, columns: Option<usize>) -> Vec<String> {
    let fits = |line: &String| columns.is_none_or(|columns| measure_text_width(line) <= columns);
    if lines.iter().take(HEIGHT).all(fits) {
        return lines;
    }
    let (mut board, mut below) = (Vec::new(), Vec::new());
    for (index, line) in lines.into_iter().enumerate() {
        if BESIDE.contains(&index) {
            let (left, right) = cut(&line, BOARD);
            board.push(left.trim_end().to_owned());
            below.push(right.trim().to_owned());
        } else if index < HEIGHT {
            board.push(line);
        } else {
            below.push(line);
        }
    }
    below.retain(|line| !line.is_empty());
    board.extend(below);
    board
}

/// A text for a terminal with so many columns: lines that are longer go on below, under the second column where they
/// have one. A word that is longer than a line stays whole.
pub fn wrapped(text: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns else { return text.to_owned() };
    let lines = text.split('\n').map(|line| {
        if measure_text_width(line) <= columns { line.to_owned() } else { wrapped_line(line, columns) }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Where what does not fit goes on: behind the first gap, if that is in the left half of the line.
fn indent(line: &str, columns: usize) -> usize {
    let start = line.len() - line.trim_start().len();
    let gap = line[start..].find("  ").map(|gap| start + gap);
    let second = gap.map(|gap| line.len() - line[gap..].trim_start().len());
    second.filter(|&second| second <= columns / 2).unwrap_or((start + 2).min(columns / 2))
}

fn wrapped_line(line: &str, columns: usize) -> String {
    let indent = indent(line, columns);
    let (mut done, mut last) = (String::new(), String::new());
    for (number, word) in line.split(' ').enumerate() {
        let fits = measure_text_width(&last) + 1 + measure_text_width(word) <= columns;
        if number == 0 {
            last.push_str(word);
        } else if fits || last.trim().is_empty() {
            last = last + " " + word;
        } else {
            done = done + last.trim_end() + "\n";
            last = " ".repeat(indent) + word;
        }
    }
    done + &last
}

/// A line cut after so many columns; what sets colours takes none.
fn cut(line: &str, columns: usize) -> (String, String) {
    let (mut left, mut right, mut taken) = (String::new(), String::new(), 0);
    for (text, sets_colour) in AnsiCodeIterator::new(line) {
        if sets_colour {
            if taken < columns { &mut left } else { &mut right }.push_str(text);
            continue;
        }
        for letter in text.chars() {
            if taken < columns { &mut left } else { &mut right }.push(letter);
            taken += 1;
        }
    }
    (left, right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::engine::{Engine, Settings};
    use outflank::event::Event;
    use outflank::protocol::{Style, for_people};
    use outflank::rules::{Rank, Ruleset, Side};

    #[test]
    fn long_lines_go_on_under_their_second_column() {
        let text = "one two three\n  a4, a5   move or strike or stay\n\nend";
        assert_eq!(wrapped(text, None), text);
        assert_eq!(wrapped(text, Some(80)), text);
        let wanted = "one two three\n  a4, a5   move or\n           strike or\n           stay\n\nend";
        assert_eq!(wrapped(text, Some(22)), wanted);
        for line in [crate::command::HELP, crate::command::RULES, crate::command::LEVELS] {
            let narrow = wrapped(line, Some(60));
            assert!(narrow.lines().all(|line| line.len() <= 60), "{narrow}");
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&narrow), words(line));
        }
        assert_eq!(wrapped(&"x".repeat(30), Some(20)), "x".repeat(30));
    }

    #[test]
    fn what_does_not_fit_beside_the_board_goes_below_it() {
        let mut player = Engine::new(Side::Red, Ruleset::default(), Settings::default());
        let setup = "B3FB3262452B3B6B5S7325B48269474M62225873".parse().unwrap();
        player.observe(&Event::Deployed(Side::Red, setup)).unwrap();
        for colour in [false, true] {
            let style = Style { colour };
            let who = "you play red against level 10";
            for drawn in [
                for_people::board(&player, "your move", who, style),
                for_people::heat_map(&player, Rank::Marshal, style),
            ] {
                for wide in [None, Some(200)] {
                    assert_eq!(fit(drawn.clone(), wide), drawn);
                }
                let fitting = fit(drawn.clone(), Some(80));
                for columns in [60, 80] {
                    let lines = wrapped(&fit(drawn.clone(), Some(columns)).join("\n"), Some(columns));
                    assert!(lines.lines().all(|line| measure_text_width(line) <= columns), "{lines}");
                }
                assert!(fitting.iter().all(|line| measure_text_width(line) <= 80), "{fitting:#?}");
                // Nothing is lost, and the board is the same.
                let words = |lines: &[String]| {
                    let mut words: Vec<String> =
                        lines.iter().flat_map(|line| line.split_whitespace().map(str::to_owned)).collect();
                    words.sort();
                    words
                };
                assert_eq!(words(&fitting), words(&drawn));
                for (fitted, line) in fitting.iter().zip(&drawn).take(HEIGHT) {
                    assert!(line.starts_with(fitted.as_str()), "{fitted} of {line}");
                }
            }
        }
    }
}
