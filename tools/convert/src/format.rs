//! The four texts.

use clap::ValueEnum;

/// A text that games or positions are written in.
#[derive(Copy, Clone, Debug, Eq, PartialEq, ValueEnum)]
pub enum Format {
    /// XML of Gravon's archive: games
    Xml,
    /// A hundred letters a line, as in the archive: who stands where
    Board,
    /// SPN, a position a line, as one player or both know it
    Spn,
    /// Records of games, a JSON object a line: games
    Record,
}

impl Format {
    /// The format that a text is in, by how it begins. Lines that are empty or begin with `#` say nothing.
    pub fn detect(text: &str) -> Option<Format> {
        let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'))?;
        let letter = |c: char| c.is_ascii_uppercase() || c == '_';
        match line.chars().next()? {
            '<' => Some(Format::Xml),
            '{' => Some(Format::Record),
            _ if line.contains('/') => Some(Format::Spn),
            _ if line.chars().all(letter) => Some(Format::Board),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_known_by_its_beginning() {
        for (text, format) in [
            ("\n<?xml version=\"1.0\"?>", Some(Format::Xml)),
            ("# a comment\n{\"game\":0}", Some(Format::Record)),
            ("10/10/10/10/2__2__2/2__2__2/10/10/10/10 r - -,- 0 0", Some(Format::Spn)),
            ("AA__AA", Some(Format::Board)),
            ("hello, world", None),
            ("# nothing\n\n", None),
        ] {
            assert_eq!(Format::detect(text), format, "{text}");
        }
    }
}
