//! The types of opponents that the engine knows, packed in `opponent.types`.
//!
//! Source: 1,621 games among the public arena's bots and of this engine against them, 1,000 of the engine against
//! itself at one node a move, 1,418 at 600 to 4,800 nodes a move, in the files named here, fitted by
//!
//! ```text
//! outflank-prior fit-types yard.jsonl g1.jsonl own.jsonl --every 40 --rounds 3 --shrinkage 0.0002 --players peternlewis
//!     --players vixen,ramen --players celsius,celsius1.1,hunter,asmodeus --players outflank,own --players g1
//!     --out crates/engine/src/belief/opponent_types/opponent.types
//! ```
//!
//! Each of the arena's bots always plays the same setup or its mirror image, and those of one type here share most
//! of theirs: the first three tables know these setups above all. `outflank-prior types FILE` shows the numbers.
//!
//! All numbers in the file are little-endian: four letters, a version (2 bytes), the checksum of the rest (8 bytes);
//! then how many types, features and ranks there are (2 bytes each), and by type, feature and rank how much the
//! feature speaks for the rank, in 1/100 nat (2 bytes, signed).

use super::features::{FEATURES, TypeTable};
use crate::fnv::fnv1a;
use crate::rules::Rank;
use std::fmt;

/// What a file of opponent types begins with.
const MAGIC: [u8; 4] = *b"OFOT";
/// The layout this build reads and writes.
const VERSION: u16 = 1;
/// Bytes that the checksum is not over: letters, version and the checksum itself.
const HEAD: usize = 14;
/// Numbers of one type.
const NUMBERS: usize = FEATURES * Rank::COUNT;

/// The types in this build: read while it is built, so that a damaged file stops the build and nothing is left to do
/// at the start. A file for other features counts as none: who changes the features can still build what fits a new
/// file, and a test fails until that is done.
const EMBEDDED: TypesFile<'static> = match TypesFile::read(include_bytes!("opponent.types")) {
    Ok(types) => types,
    Err(Fault::Shape) => TypesFile(&[]),
    Err(_) => panic!("opponent.types is damaged"),
};

/// By type, in the order of the command above.
pub(super) static TABLES: [TypeTable; EMBEDDED.len()] = EMBEDDED.tables();

/// Why bytes are no file of opponent types.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Fault {
    /// The bytes do not begin as a file of opponent types does.
    NoTypes,
    /// The file is of another version.
    Version(u16),
    /// The checksum is another.
    Checksum,
    /// The tables are for other features or ranks than this build knows.
    Shape,
    /// The file is not as long as its count of types says, or holds none.
    Length,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NoTypes => write!(f, "no file of opponent types"),
            Fault::Version(version) => write!(f, "opponent types of version {version}, not {VERSION}"),
            Fault::Checksum => write!(f, "the checksum of the opponent types is wrong"),
            Fault::Shape => write!(f, "the opponent types are for other features or ranks"),
            Fault::Length => write!(f, "the file has not the length of its opponent types"),
        }
    }
}

impl std::error::Error for Fault {}

/// Opponent types as a file holds them: by type, feature and [`Rank::index`] a little-endian number in 1/100 nat.
#[derive(Copy, Clone, Debug)]
pub struct TypesFile<'a>(&'a [[u8; 2]]);

impl<'a> TypesFile<'a> {
    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If header, checksum or length are not those of a file for this build's features.
    pub const fn read(bytes: &'a [u8]) -> Result<TypesFile<'a>, Fault> {
        let Some((&[a, b, c, d, low, high, ref sum @ ..], rest)) = bytes.split_first_chunk::<HEAD>() else {
            return Err(Fault::NoTypes);
        };
        if u32::from_le_bytes([a, b, c, d]) != u32::from_le_bytes(MAGIC) {
            return Err(Fault::NoTypes);
        }
        let version = u16::from_le_bytes([low, high]);
        if version != VERSION {
            return Err(Fault::Version(version));
        }
        if u64::from_le_bytes(*sum) != fnv1a(rest) {
            return Err(Fault::Checksum);
        }
        TypesFile::of_body(rest)
    }

    /// Reads what the checksum is over.
    const fn of_body(body: &'a [u8]) -> Result<TypesFile<'a>, Fault> {
        let ([types, features, ranks, numbers @ ..], []) = body.as_chunks::<2>() else {
            return Err(Fault::Length);
        };
        if count(*features) != FEATURES || count(*ranks) != Rank::COUNT {
            return Err(Fault::Shape);
        }
        if numbers.is_empty() || numbers.len() != count(*types) * NUMBERS {
            return Err(Fault::Length);
        }
        Ok(TypesFile(numbers))
    }

    /// How many types there are: at least one.
    #[allow(clippy::len_without_is_empty, reason = "no file is empty")]
    pub const fn len(self) -> usize {
        self.0.len() / NUMBERS
    }

    /// The table of one of the types; none if there are not so many.
    pub const fn table(self, number: usize) -> Option<TypeTable> {
        if number >= self.len() {
            return None;
        }
        let mut table = [[0; Rank::COUNT]; FEATURES];
        let mut at = 0;
        while at < NUMBERS {
            table[at / Rank::COUNT][at % Rank::COUNT] = i16::from_le_bytes(self.0[number * NUMBERS + at]);
            at += 1;
        }
        Some(table)
    }

    /// The first tables; blank ones where there are not so many.
    const fn tables<const COUNT: usize>(self) -> [TypeTable; COUNT] {
        let mut tables = [[[0; Rank::COUNT]; FEATURES]; COUNT];
        let mut number = 0;
        while number < COUNT {
            if let Some(table) = self.table(number) {
                tables[number] = table;
            }
            number += 1;
        }
        tables
    }
}

const fn count(bytes: [u8; 2]) -> usize {
    u16::from_le_bytes(bytes) as usize
}

/// The bytes of a file of these tables; none if there is no table, or there are too many for the header.
pub fn packed(tables: &[TypeTable]) -> Option<Vec<u8>> {
    let types = u16::try_from(tables.len()).ok().filter(|&types| types > 0)?;
    let mut body = Vec::with_capacity(6 + 2 * NUMBERS * tables.len());
    for size in [types, FEATURES as u16, Rank::COUNT as u16] {
        body.extend(size.to_le_bytes());
    }
    body.extend(tables.as_flattened().as_flattened().iter().flat_map(|number| number.to_le_bytes()));
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(fnv1a(&body).to_le_bytes());
    bytes.extend(body);
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of which no two numbers beside each other are alike.
    fn made_up() -> [TypeTable; 2] {
        std::array::from_fn(|table| {
            std::array::from_fn(|feature| {
                std::array::from_fn(|rank| ((table * NUMBERS + feature * Rank::COUNT + rank) * 7919) as i16)
            })
        })
    }

    /// The bytes of a file with this body.
    fn with_body(body: &[u8]) -> Vec<u8> {
        let head = packed(&made_up()).unwrap();
        [&head[..6], &fnv1a(body).to_le_bytes(), body].concat()
    }

    #[test]
    fn what_is_written_reads_back() {
        let tables = made_up();
        let bytes = packed(&tables).unwrap();
        let types = TypesFile::read(&bytes).unwrap();
        assert_eq!((types.len(), types.tables::<2>()), (2, tables));
        assert!(types.table(2).is_none() && packed(&[]).is_none());
    }

    #[test]
    fn damage_is_noticed() {
        let bytes = packed(&made_up()[..1]).unwrap();
        let fault = |at: usize| {
            let mut bytes = bytes.clone();
            bytes[at] ^= 2;
            TypesFile::read(&bytes).unwrap_err()
        };
        assert!((0..4).all(|at| fault(at) == Fault::NoTypes));
        assert_eq!([fault(4), fault(5)], [Fault::Version(3), Fault::Version(0x201)]);
        assert!((6..bytes.len()).step_by(7).all(|at| fault(at) == Fault::Checksum));
        assert_eq!(TypesFile::read(&bytes[..bytes.len() - 1]).unwrap_err(), Fault::Checksum);
        assert_eq!(TypesFile::read(&bytes[..9]).unwrap_err(), Fault::NoTypes);
    }

    #[test]
    fn a_file_of_another_shape_is_refused() {
        let body = &packed(&made_up()).unwrap()[HEAD..];
        let fault = |body: &[u8]| TypesFile::read(&with_body(body)).unwrap_err();
        let with = |at: usize, byte: u8| [&body[..at], &[byte], &body[at + 1..]].concat();
        assert_eq!([fault(&with(2, !body[2])), fault(&with(4, 8))], [Fault::Shape; 2]);
        assert_eq!([fault(&with(0, 3)), fault(&with(0, 0))], [Fault::Length; 2]);
        let short = body.len() - 1;
        assert_eq!([fault(&[]), fault(&body[..short]), fault(&body[..short - 1])], [Fault::Length; 3]);
        assert_eq!(fault(&[&[0; 2], &body[2..6]].concat()), Fault::Length);
    }

    #[test]
    fn the_embedded_file_is_what_the_tables_hold() {
        let bytes = include_bytes!("opponent.types");
        assert_eq!(TypesFile::read(bytes).unwrap().tables(), TABLES);
        assert_eq!(packed(&TABLES).unwrap(), bytes);
        let ends = [TABLES.first().unwrap()[0], TABLES.last().unwrap()[FEATURES - 1]];
        assert_eq!(ends[0], [-168, -130, -212, 259, 97, -273, -156, -154, -114, -68, -93, -233]);
        assert_eq!(ends[1], [0, 9, 0, -30, -43, -30, 28, 9, 22, 5, 17, 0]);
    }
}
