//! The net's file, and which net is in use.

use crate::net::{Column, Dense, Error, File, LANES};
use crate::rules::Rank;
use anyhow::Context;
use std::sync::OnceLock;

/// What the other side may know of a piece.
pub(super) const SHOWN: usize = 3;
/// Squares, mirror images taken together.
pub(super) const PLACES: usize = 50;
/// Distances to our flag, the last for all that is farther.
pub(super) const FAR: usize = 10;
/// How far the pull of a likely flag reaches: three ways of falling with distance.
pub(super) const REACHES: usize = 3;
/// Largest distance on the board, plus one.
pub(super) const APART: usize = 19;
/// Parts of the hand-made evaluation that the net sees.
pub(crate) const PARTS: usize = 6;
/// What it sees of time.
pub(crate) const CLOCKS: usize = 8;
/// Values between the dense layers.
pub(crate) const HIDDEN: usize = 16;
/// States of a piece: what is shown of it, and its rank.
pub(super) const STATES: usize = SHOWN * Rank::COUNT;

/// The net that comes with the engine; in use only where it is asked for (docs/training.md tells why).
const EMBEDDED: &[u8] = include_bytes!("evaluation.net");

/// A net of the evaluation.
#[derive(Clone, Debug)]
pub struct EvalNet {
    /// By state and square, own pieces first.
    pub(super) place: [Vec<Column>; 2],
    /// By state and distance to our flag.
    pub(super) far: [Vec<Column>; 2],
    /// By rank and reach: own pieces near what may be the enemy's flag.
    pub(super) pull: Vec<Column>,
    /// Pull of a flag in 1/256, by reach and distance.
    pub(super) fading: Vec<i16>,
    pub(super) bias: Column,
    pub(super) hidden: Dense,
    pub(super) out: Dense,
}

impl EvalNet {
    /// Reads a net's file.
    ///
    /// # Errors
    /// If it is no net, or one of other inputs.
    pub fn read(bytes: &[u8]) -> Result<EvalNet, Error> {
        let file = File::read(bytes)?;
        let table = |name: &str, count: usize| columns(file.section(name)?, count);
        let net = EvalNet {
            place: [table("own", STATES * PLACES)?, table("enemy", STATES * PLACES)?],
            far: [table("own far", STATES * FAR)?, table("enemy far", STATES * FAR)?],
            pull: table("pull", Rank::COUNT * REACHES)?,
            fading: numbers(file.section("fading")?, REACHES * APART)?,
            bias: *table("bias", 1)?.first().ok_or(Error::Length)?,
            hidden: Dense::read(file.section("hidden")?)?,
            out: Dense::read(file.section("out")?)?,
        };
        fits(net.hidden.inputs(), LANES - 1 + PARTS + CLOCKS)?;
        fits(net.hidden.outputs(), HIDDEN)?;
        fits(net.out.inputs(), HIDDEN)?;
        fits(net.out.outputs(), 1)?;
        Ok(net)
    }
}

const fn fits(found: usize, expected: usize) -> Result<(), Error> {
    if found == expected { Ok(()) } else { Err(Error::Dimension { found, expected }) }
}

fn numbers(bytes: &[u8], count: usize) -> Result<Vec<i16>, Error> {
    fits(bytes.len(), 2 * count)?;
    Ok(bytes.as_chunks::<2>().0.iter().map(|pair| i16::from_le_bytes(*pair)).collect())
}

fn columns(bytes: &[u8], count: usize) -> Result<Vec<Column>, Error> {
    Ok(numbers(bytes, LANES * count)?.as_chunks::<LANES>().0.to_vec())
}

static NET: OnceLock<Option<EvalNet>> = OnceLock::new();

/// The net in use for the whole run of the program: none unless [`take`] found one.
pub(crate) fn current() -> Option<&'static EvalNet> {
    NET.get_or_init(|| None).as_ref()
}

/// Takes `--net FILE` from the front of a program's arguments and uses the net of that file to the program's end;
/// `embedded` is the one that comes with the engine, and `none` says what holds without any of it. To be called before
/// anything is evaluated.
///
/// # Errors
/// If no file is named, there is none of that name, it holds no such net, or a net is in use already.
pub fn take(arguments: &mut Vec<String>) -> anyhow::Result<()> {
    if arguments.first().is_some_and(|first| first == "--net") {
        let name = arguments.get(1).context("--net names no file")?;
        load(name).with_context(|| format!("net {name}"))?;
        arguments.drain(..2);
    }
    Ok(())
}

fn load(name: &str) -> anyhow::Result<()> {
    let net = match name {
        "none" => None,
        "embedded" => Some(EvalNet::read(EMBEDDED)?),
        file => Some(EvalNet::read(&std::fs::read(file)?)?),
    };
    NET.set(net).map_err(|_| anyhow::anyhow!("another net is in use already"))
}

#[cfg(test)]
impl EvalNet {
    /// The net that comes with the engine.
    pub(crate) fn embedded() -> &'static EvalNet {
        static READ: OnceLock<EvalNet> = OnceLock::new();
        READ.get_or_init(|| EvalNet::read(EMBEDDED).unwrap())
    }
}
