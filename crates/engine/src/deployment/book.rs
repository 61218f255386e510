//! Books of setups, packed: one of the whole army, one of barrage's.
//!
//! They hold the best of populations that `outflank-prior setups` of commit f5bfbcd improved by results
//! (`docs/log/setups.md`, "Setups by results"); `outflank-prior book` packed them. At most a fifth have the flag on one square or its mirror image. All
//! numbers are little-endian: four letters, a version (2 bytes), the count of setups (2 bytes), the checksum of the
//! rest (8 bytes); then 20 bytes for each setup, two squares a byte in the order of a setup string, the first in the
//! low half, each the rank's index, or 15 where nothing stands.

use crate::fnv::fnv1a;
use crate::rules::{Cell, Rank, Ruleset, Setup};
use std::fmt;

/// What a book begins with.
const MAGIC: [u8; 4] = *b"OFSB";
/// The layout this build reads and writes.
const VERSION: u16 = 1;
/// Bytes before the setups.
const HEADER: usize = 16;
/// Bytes of a setup.
const SETUP: usize = 20;

/// What stands for an empty square.
const EMPTY: u8 = 15;

static CLASSIC: &[u8] = include_bytes!("setups.book");
static BARRAGE: &[u8] = include_bytes!("barrage.book");

/// Why bytes are no book.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Fault {
    /// The bytes do not begin as a book does.
    NoBook,
    /// The book is of another version.
    Version(u16),
    /// The book is not as long as its count of setups says, or holds none.
    Length,
    /// The checksum is another.
    Checksum,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NoBook => write!(f, "no book of setups"),
            Fault::Version(version) => write!(f, "a book of version {version}, not {VERSION}"),
            Fault::Length => write!(f, "the book has not the length of its setups"),
            Fault::Checksum => write!(f, "the book's checksum is wrong"),
        }
    }
}

impl std::error::Error for Fault {}

/// Setups that can be drawn; none of them is another's mirror image.
#[derive(Copy, Clone, Debug)]
pub struct Book<'a>(&'a [u8]);

impl Book<'static> {
    /// The book in this build for the army of `rules`.
    ///
    /// # Errors
    /// If it is damaged, which tests rule out.
    pub fn embedded(rules: &Ruleset) -> Result<Book<'static>, Fault> {
        Book::read(if rules.barrage { BARRAGE } else { CLASSIC })
    }
}

impl<'a> Book<'a> {
    /// Reads a book.
    ///
    /// # Errors
    /// If header, length or checksum are not a book's.
    pub fn read(bytes: &'a [u8]) -> Result<Book<'a>, Fault> {
        let (header, setups) = bytes.split_at_checked(HEADER).ok_or(Fault::NoBook)?;
        let word = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        if header[..4] != MAGIC {
            return Err(Fault::NoBook);
        }
        if word(4) != VERSION {
            return Err(Fault::Version(word(4)));
        }
        if word(6) == 0 || setups.len() != usize::from(word(6)) * SETUP {
            return Err(Fault::Length);
        }
        if header[8..] == fnv1a(setups).to_le_bytes() { Ok(Book(setups)) } else { Err(Fault::Checksum) }
    }

    /// How many setups there are: at least one.
    #[allow(clippy::len_without_is_empty, reason = "no book is empty")]
    pub const fn len(self) -> usize {
        self.0.len() / SETUP
    }

    /// One of the setups; none if there are not so many, or it is no complete army.
    pub fn setup(self, number: usize) -> Option<Setup> {
        let packed = self.0.chunks_exact(SETUP).nth(number)?;
        let mut setup = Setup([Cell::Empty; 40]);
        for (place, cell) in setup.0.iter_mut().enumerate() {
            let index = packed[place / 2] >> (place % 2 * 4) & 15;
            *cell =
                if index == EMPTY { Cell::Empty } else { Cell::Known(*Rank::ALL.get(usize::from(index))?) };
        }
        setup.army().map(|_| setup)
    }
}

/// The bytes of a book; none if there are no setups or too many for the header, or one is no complete army.
pub fn packed(setups: &[Setup]) -> Option<Vec<u8>> {
    let count = u16::try_from(setups.len()).ok().filter(|&count| count > 0)?;
    let mut body = Vec::with_capacity(setups.len() * SETUP);
    for setup in setups {
        body.extend(packed_setup(setup)?);
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend(fnv1a(&body).to_le_bytes());
    bytes.extend(body);
    Some(bytes)
}

fn packed_setup(setup: &Setup) -> Option<[u8; SETUP]> {
    let mut bytes = [0; SETUP];
    for (place, cell) in setup.0.iter().enumerate() {
        let code = match cell {
            Cell::Known(rank) => rank.index() as u8,
            Cell::Empty => EMPTY,
            Cell::Hidden => return None,
        };
        bytes[place / 2] |= code << (place % 2 * 4);
    }
    setup.army().map(|_| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const ONE: &str = "32B637F353B4534268622BBS5226B4528972M74B";

    #[test]
    fn a_book_reads_back() {
        let one: Setup = ONE.parse().unwrap();
        let bytes = packed(&[one, one.mirrored()]).unwrap();
        let book = Book::read(&bytes).unwrap();
        assert_eq!(
            (book.len(), book.setup(0), book.setup(1), book.setup(2)),
            (2, Some(one), Some(one.mirrored()), None)
        );
        assert_eq!(packed(&[]), None);
        let short: Setup = ONE.replacen('F', ".", 1).parse().unwrap();
        assert_eq!(packed(&[short]), None);
        let eight: Setup = "FB2..3......9..........M..S............2".parse().unwrap();
        let bytes = packed(&[eight]).unwrap();
        assert_eq!(Book::read(&bytes).unwrap().setup(0), Some(eight));
    }

    #[test]
    fn damage_is_noticed() {
        let bytes = packed(&[ONE.parse().unwrap()]).unwrap();
        let fault = |at: usize| {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            Book::read(&bytes).unwrap_err()
        };
        assert_eq!([fault(0), fault(4), fault(6)], [Fault::NoBook, Fault::Version(0), Fault::Length]);
        assert!((8..bytes.len()).all(|at| fault(at) == Fault::Checksum));
        assert_eq!(Book::read(&bytes[..bytes.len() - 1]).unwrap_err(), Fault::Length);
        assert_eq!(Book::read(&bytes[..9]).unwrap_err(), Fault::NoBook);
    }

    #[test]
    fn the_embedded_book_holds_whole_armies_each_once() {
        for (barrage, least) in [(false, 800), (true, 200)] {
            let rules = Ruleset { barrage, ..Ruleset::default() };
            let book = Book::embedded(&rules).unwrap();
            let mut seen = HashSet::new();
            for number in 0..book.len() {
                let setup = book.setup(number).unwrap();
                assert!(setup.is_complete(&rules.army()));
                assert!(
                    seen.insert(setup.to_string()) && seen.insert(setup.mirrored().to_string()),
                    "{setup}"
                );
            }
            assert!(book.len() >= least, "{} setups", book.len());
        }
    }
}
