//! Reading position texts for the twin.

use super::{Board, Man, Twin};
use outflank::rules::{Rank, Ruleset, Side};
use std::collections::HashMap;

impl Twin {
    /// A game that begins with a position text whose every rank is given; its rule keys are not read.
    pub fn of_spn(rules: Ruleset, spn: &str) -> Twin {
        let words: Vec<&str> = spn.split(' ').collect();
        let rows: Vec<&str> = words[0].split('/').collect();
        let mut board = Board::new();
        let mut rescuers = Vec::new();
        for (row, text) in (0..10u8).rev().zip(rows) {
            let mut file = 0;
            let mut number = 0;
            let mut in_set = false;
            for letter in text.chars() {
                in_set = letter == '[' || in_set && letter != ']';
                if letter == '*' {
                    rescuers.push((board.len() - 1, 0));
                }
                if in_set || "]+*".contains(letter) {
                    continue;
                }
                if let Some(digit) = letter.to_digit(10) {
                    number = number * 10 + digit as u8;
                    continue;
                }
                file += std::mem::take(&mut number);
                if letter != '_' {
                    let (side, rank) = of_letter(letter);
                    board.insert((file, row), Man { name: board.len(), side, rank });
                }
                file += 1;
            }
        }
        let turn = if words[1] == "r" { Side::Red } else { Side::Blue };
        let mut twin =
            Twin::of_board(rules, board, turn, (words[4].parse().unwrap(), words[5].parse().unwrap()));
        twin.rescuers = rescuers;
        for (side, letters) in [Side::Red, Side::Blue].into_iter().zip(words[3].split(',')) {
            let mut in_set = false;
            for letter in letters.chars() {
                in_set = letter == '[' || in_set && letter != ']';
                if let (false, Some(rank)) = (in_set, Rank::from_letter(letter)) {
                    twin.captured.push(Man { name: twin.men, side, rank });
                    twin.men += 1;
                }
            }
        }
        if let Some(counts) = words.iter().find_map(|word| word.strip_prefix("rescues=")) {
            let (red, blue) = counts.split_once(',').unwrap();
            twin.rescues =
                HashMap::from([(Side::Red, red.parse().unwrap()), (Side::Blue, blue.parse().unwrap())]);
        }
        // Only now may a rescue be what keeps a side from being stuck.
        twin.ending = twin.find_ending();
        twin
    }
}

/// The piece a letter of a position text stands for: red `B C D..K L M`, blue `N O P..W X Y` for `B S 2..9 M F`.
fn of_letter(letter: char) -> (Side, Rank) {
    let letters = "BCDEFGHIJKLMNOPQRSTUVWXY";
    let index = letters.find(letter.to_ascii_uppercase()).unwrap();
    let side = if index < 12 { Side::Red } else { Side::Blue };
    (side, Rank::from_letter("BS23456789MF".as_bytes()[index % 12] as char).unwrap())
}
