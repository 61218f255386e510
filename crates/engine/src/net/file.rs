//! The file of a net: a checksum over named sections.
//!
//! `OUTFLNET`, then little-endian: version u32, Adler-32 of all that follows u32, number of sections u32; per section
//! the length of its name u8, the name, the length of its data u32, the data.

use std::fmt;

/// First bytes of every file.
const MAGIC: &[u8] = b"OUTFLNET";

/// The version of the format that is read.
pub const VERSION: u32 = 1;

/// Why a net cannot be read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Error {
    /// The file does not begin like a net.
    NoNet,
    /// The file is of another version than [`VERSION`].
    Version(u32),
    /// The file's bytes are not those that were written.
    Checksum,
    /// The file ends early, or something is left over at its end.
    Length,
    /// The file has no section of this name.
    Missing(String),
    /// A layer's dimensions, bounds or weights cannot be those of a layer.
    Layer(&'static str),
    /// A layer takes another number of values than it is to be given.
    Dimension {
        /// Values that it takes or gives.
        found: usize,
        /// Values that were expected.
        expected: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoNet => write!(f, "no net"),
            Error::Version(version) => write!(f, "version {version} of the format, not {VERSION}"),
            Error::Checksum => write!(f, "the checksum is wrong"),
            Error::Length => write!(f, "too short or too long"),
            Error::Missing(name) => write!(f, "no section {name}"),
            Error::Layer(why) => write!(f, "no layer: {why}"),
            Error::Dimension { found, expected } => write!(f, "{found} values, not {expected}"),
        }
    }
}

impl std::error::Error for Error {}

/// A file whose checksum is right, by sections.
#[derive(Clone, Debug)]
pub struct File<'a> {
    sections: Vec<(&'a [u8], &'a [u8])>,
}

impl<'a> File<'a> {
    /// Checks the bytes of a file and finds its sections.
    ///
    /// # Errors
    /// If these are not the bytes of a net that was written whole.
    pub fn read(bytes: &'a [u8]) -> Result<File<'a>, Error> {
        let mut rest = Reader(bytes.strip_prefix(MAGIC).ok_or(Error::NoNet)?);
        let version = rest.number()?;
        if version != VERSION {
            return Err(Error::Version(version));
        }
        if rest.number()? != adler(rest.0) {
            return Err(Error::Checksum);
        }
        let count = rest.number()?;
        let mut sections = Vec::new();
        for _ in 0..count {
            let length = rest.take(1)?[0];
            let name = rest.take(usize::from(length))?;
            let length = rest.number()? as usize;
            sections.push((name, rest.take(length)?));
        }
        rest.end()?;
        Ok(File { sections })
    }

    /// The data of a section.
    ///
    /// # Errors
    /// If there is no section of that name.
    pub fn section(&self, name: &str) -> Result<&'a [u8], Error> {
        let found = self.sections.iter().find(|(other, _)| *other == name.as_bytes());
        found.map(|(_, data)| *data).ok_or_else(|| Error::Missing(name.to_owned()))
    }
}

/// A file that is written section by section.
#[derive(Debug, Default)]
pub struct Writer {
    sections: Vec<u8>,
    count: u32,
}

impl Writer {
    /// Adds a section of numbers of two bytes.
    pub fn halves(&mut self, name: &str, numbers: &[i16]) {
        self.bytes(name, numbers.iter().flat_map(|number| number.to_le_bytes()).collect());
    }

    /// Adds a section of numbers of four bytes.
    pub fn words(&mut self, name: &str, numbers: &[i32]) {
        self.bytes(name, numbers.iter().flat_map(|number| number.to_le_bytes()).collect());
    }

    /// Adds a section of bytes.
    pub fn bytes(&mut self, name: &str, data: Vec<u8>) {
        self.sections.push(name.len() as u8);
        self.sections.extend_from_slice(name.as_bytes());
        self.sections.extend_from_slice(&(data.len() as u32).to_le_bytes());
        self.sections.extend(data);
        self.count += 1;
    }

    /// The bytes of the file.
    pub fn finish(self) -> Vec<u8> {
        let body = [&self.count.to_le_bytes()[..], &self.sections].concat();
        [MAGIC, &VERSION.to_le_bytes(), &adler(&body).to_le_bytes(), &body].concat()
    }
}

/// Bytes that are read from the front.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let (front, rest) = self.0.split_at_checked(count).ok_or(Error::Length)?;
        self.0 = rest;
        Ok(front)
    }

    pub(super) fn number(&mut self) -> Result<u32, Error> {
        Ok(self.signed()? as u32)
    }

    pub(super) fn signed(&mut self) -> Result<i32, Error> {
        self.take(4)?.try_into().map(i32::from_le_bytes).map_err(|_| Error::Length)
    }

    pub(super) fn signed_many(&mut self, count: usize) -> Result<Vec<i32>, Error> {
        (0..count).map(|_| self.signed()).collect()
    }

    pub(super) fn end(&self) -> Result<(), Error> {
        if self.0.is_empty() { Ok(()) } else { Err(Error::Length) }
    }
}

/// Adler-32 (RFC 1950).
fn adler(bytes: &[u8]) -> u32 {
    const PRIME: u32 = 65_521;
    /// Bytes after which the sums, taken modulo [`PRIME`] before, cannot have overflowed.
    const BLOCK: usize = 5552;
    let (mut one, mut two) = (1, 0);
    for block in bytes.chunks(BLOCK) {
        for &byte in block {
            one += u32::from(byte);
            two += one;
        }
        one %= PRIME;
        two %= PRIME;
    }
    two << 16 | one
}
