//! Where the documents of a text begin, and what in them no parser should be given: it would take too long over it.

use std::ops::Range;

/// Attributes that an element can have. Parsers compare each with every other one, and no game has more than three.
const MOST_ATTRIBUTES: usize = 100;
/// Elements that can stand one in another. Games have three.
const MOST_DEPTH: usize = 100;
/// Namespaces that a document can declare. Parsers look through them at every element, and games have none.
const MOST_NAMESPACES: usize = 1000;
/// How a declaration begins, before a blank.
const DECLARATION: &str = "<?xml";

/// One document of a text.
pub(super) struct Part {
    /// Where it is.
    pub(super) place: Range<usize>,
    /// Where an element begins that no parser should be given, and why not.
    pub(super) refused: Option<(usize, String)>,
}

/// The documents of a text, one after the other; each but the first has to begin with a declaration. Only those count
/// that stand between elements. Whether a document is well-formed is not looked at.
pub(super) fn documents(text: &str) -> Vec<Part> {
    let start = text.len() - text.trim_start().len();
    let mut scanner = Scanner { text, at: start, depth: 0, namespaces: 0, unended: [false; 3] };
    let mut parts = vec![Part { place: start..text.len(), refused: None }];
    while let Some(from) = scanner.next_bracket() {
        if from > start && begins_document(&text[from..]) {
            (scanner.depth, scanner.namespaces) = (0, 0);
            parts.push(Part { place: from..text.len(), refused: None });
            if let [.., before, _] = &mut parts[..] {
                before.place.end = from;
            }
        }
        let refused = scanner.pass();
        if let Some(part) = parts.last_mut().filter(|part| part.refused.is_none()) {
            part.refused = refused.map(|why| (from, why));
        }
    }
    parts
}

fn begins_document(text: &str) -> bool {
    text.strip_prefix(DECLARATION)
        .is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_whitespace()))
}

/// What hides brackets: how it begins, without its bracket, and how it ends.
const SECTIONS: [(&str, &str); 3] = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")];

/// Goes through a text once.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// How many this document has declared so far.
    namespaces: usize,
    /// Of which sections no end is in the rest of the text, so that none is looked for again.
    unended: [bool; 3],
}

impl Scanner<'_> {
    /// Goes to the next `<`; where that is.
    fn next_bracket(&mut self) -> Option<usize> {
        self.at += self.text[self.at..].find('<')?;
        Some(self.at)
    }

    /// Passes what begins with the bracket here; why no parser should be given it, if it should not.
    fn pass(&mut self) -> Option<String> {
        self.at += 1;
        let rest = &self.text[self.at..];
        let Some(kind) = SECTIONS.iter().position(|(begin, _)| rest.starts_with(begin)) else {
            return self.pass_tag();
        };
        let (begin, end) = SECTIONS[kind];
        let found = if self.unended[kind] { None } else { rest[begin.len()..].find(end) };
        self.unended[kind] = found.is_none();
        self.at += begin.len() + found.map_or(0, |found| found + end.len());
        None
    }

    fn pass_tag(&mut self) -> Option<String> {
        let bytes = self.text.as_bytes();
        let opens = bytes.get(self.at).is_some_and(|first| *first != b'/');
        let attributes = self.pass_attributes();
        if bytes.get(self.at) == Some(&b'>') {
            if !opens {
                self.depth = self.depth.saturating_sub(1);
            } else if bytes[self.at - 1] != b'/' {
                self.depth += 1;
            }
        }
        if attributes > MOST_ATTRIBUTES {
            return Some(format!("an element has more than {MOST_ATTRIBUTES} attributes"));
        }
        if self.namespaces > MOST_NAMESPACES {
            return Some(format!("it declares more than {MOST_NAMESPACES} namespaces"));
        }
        (self.depth > MOST_DEPTH).then(|| format!("elements stand more than {MOST_DEPTH} deep in each other"))
    }

    /// Goes to the end of a tag, or to where it cannot go on; how many values of attributes there were.
    fn pass_attributes(&mut self) -> usize {
        for count in 0.. {
            let from = self.at;
            self.at = self.find(&['"', '\'', '>', '<']);
            let mark = match self.text.as_bytes().get(self.at) {
                Some(b'"') => '"',
                Some(b'\'') => '\'',
                _ => return count,
            };
            self.namespaces += usize::from(self.text[from..self.at].contains("xmlns"));
            self.at += 1;
            // No value has a bracket in it: a quote that does not end hides nothing.
            self.at = self.find(&[mark, '<']);
            if !self.text[self.at..].starts_with(mark) {
                return count;
            }
            self.at += 1;
        }
        0
    }

    /// Where the next of these is, or the end.
    fn find(&self, marks: &[char]) -> usize {
        self.text[self.at..].find(marks).map_or(self.text.len(), |found| self.at + found)
    }
}
