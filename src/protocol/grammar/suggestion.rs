//! What somebody meant who typed a word that no command has.

use crate::protocol::grammar::keyword::Keyword;
use outflank_rules::rules::{Played, Rank};
use std::fmt;

/// Words by which people call commands here and in other programs.
const OTHER_WORDS: [(&str, Keyword); 12] = [
    ("?", Keyword::Help),
    ("board", Keyword::Draw),
    ("print", Keyword::Draw),
    ("show", Keyword::Draw),
    ("map", Keyword::Draw),
    ("bye", Keyword::Quit),
    ("new", Keyword::NewGame),
    ("move", Keyword::Play),
    ("moves", Keyword::Legal),
    ("think", Keyword::Go),
    ("option", Keyword::SetOption),
    ("uci", Keyword::Sei),
];

/// Words by which people ask where pieces of a rank may be.
const HEAT_MAP: [&str; 3] = ["heat", "heatmap", "where"];

/// Letters that may be missing, too many, wrong or exchanged, in all.
const MOST_SLIPS: usize = 2;

/// What a word may have meant.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum Suggestion<'a> {
    /// A command.
    Command(Keyword),
    /// A heat map of this rank.
    HeatMap(Rank),
    /// A move to be played.
    Move(&'a str),
}

impl Suggestion<'_> {
    /// The likeliest meaning of a word that is no keyword, and of the word behind it; `None` if it is like nothing.
    pub(crate) fn of<'a>(word: &'a str, next: &str) -> Option<Suggestion<'a>> {
        if word.parse::<Played>().is_ok() {
            return Some(Suggestion::Move(word));
        }
        let lower = word.to_ascii_lowercase();
        if HEAT_MAP.contains(&lower.as_str()) {
            return Some(Suggestion::HeatMap(Rank::from_name(next).unwrap_or(Rank::Flag)));
        }
        let called = OTHER_WORDS.into_iter().find(|(other, _)| *other == lower).map(|(_, keyword)| keyword);
        let near = || nearest(&lower, &Keyword::ALL.map(Keyword::name)).and_then(Keyword::from_name);
        called.or_else(near).map(Suggestion::Command)
    }
}

impl fmt::Display for Suggestion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Suggestion::Command(keyword) => f.write_str(keyword.name()),
            Suggestion::HeatMap(rank) => write!(f, "{} {rank}", Keyword::Draw.name()),
            Suggestion::Move(word) => write!(f, "{} {word}", Keyword::Play.name()),
        }
    }
}

/// Of these names the first that the word begins, or the one that differs from it by the fewest slips, if at least half
/// of its letters are right.
pub(crate) fn nearest<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    // Distances take as long as the word is, and a line can be a megabyte.
    let longest = names.iter().map(|name| name.len()).max()?;
    if word.len() > longest + MOST_SLIPS {
        return None;
    }
    let names = || names.iter().copied();
    let slips = |name: &str| strsim::osa_distance(word, name);
    let like = |name: &&str| slips(name) <= MOST_SLIPS.min(name.len() / 2);
    let begun = names().find(|name| word.len() > 1 && name.starts_with(word));
    begun.or_else(|| names().filter(like).min_by_key(|name| slips(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_and_other_words_are_understood_and_noise_is_not() {
        for (word, meant) in [
            ("halp", "help"),
            ("SEI", "sei"),
            ("Belief", "belief"),
            ("beleif", "belief"),
            ("setop", "setoption"),
            ("moves", "legal"),
            ("board", "d"),
            ("bye", "quit"),
            ("where", "d F"),
            ("a4a5", "play a4a5"),
            ("e4xe5=W95", "play e4xe5=W95"),
        ] {
            assert_eq!(
                Suggestion::of(word, "").map(|found| found.to_string()).as_deref(),
                Some(meant),
                "{word}"
            );
        }
        for word in ["frobnicate", "x", "42", "bestmove", ""] {
            assert_eq!(Suggestion::of(word, ""), None, "{word}");
        }
        // Once half a second of work.
        assert_eq!(Suggestion::of(&"x".repeat(1 << 20), ""), None);
    }

    #[test]
    fn what_is_suggested_for_a_keyword_is_that_keyword() {
        assert!(OTHER_WORDS.iter().all(|(word, _)| Keyword::typed(word).is_none()));
        for keyword in Keyword::ALL {
            assert_eq!(nearest(keyword.name(), &Keyword::ALL.map(Keyword::name)), Some(keyword.name()));
        }
    }
}
