//! `outflank_gym`: the environment and recorded games for Python, as numpy arrays.
//!
//! What each array holds is told by `outflank_gym.__doc__` and by the docs of `outflank-gym`.

use numpy::ndarray::{Array2, Array4};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray4, ToPyArray};
use outflank::policy::encoding::{self, GLOBALS, PLANES};
use outflank::rules::{SQUARES, Side};
use outflank_gym::environment::Opponent;
use outflank_gym::imitation::{Softness, Targets};
use outflank_gym::policy::Rows;
use outflank_gym::setups::Mix;
use outflank_gym::{Batch, Environment, Imitation, Options, Policy};
use outflank_players::Told;
use outflank_record::{Record, parse_rules};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::Path;

/// Games in step. `observe()` shows each from the view of its player to move, `step(codes)` plays an action in each.
#[pyclass(name = "Environment")]
struct PyEnvironment {
    inner: Environment,
    batch: Batch,
}

#[pymethods]
impl PyEnvironment {
    /// `rules` are texts like `"isf quiet=200 plies=2000"`, `setups` the shares (human, book, random), `opponents`
    /// pairs of a built-in player as words between commas (`"nodes=200"`, `"player=random"`) and the share of games in
    /// which it sits; `adviser` a built-in player whose search tells what it expects of the actions.
    #[new]
    #[pyo3(signature = (games, seed=0, rules=vec!["isf quiet=200 plies=2000".into()], setups=(0.5, 0.35, 0.15), opponents=vec![], records=false, adviser=None))]
    #[expect(clippy::needless_pass_by_value, reason = "arguments come that way")]
    fn new(
        games: usize,
        seed: u64,
        rules: Vec<String>,
        setups: (f32, f32, f32),
        opponents: Vec<(String, f32)>,
        records: bool,
        adviser: Option<String>,
    ) -> anyhow::Result<PyEnvironment> {
        let rules = rules.iter().map(|text| parse_rules(text)).collect::<anyhow::Result<_>>()?;
        let (human, book, random) = setups;
        let config = |text: String| anyhow::Ok(text.parse::<Told>()?.config(&text, None));
        let seat = |(text, share): (String, f32)| anyhow::Ok(Opponent { config: config(text)?, share });
        let adviser = adviser.map(config).transpose()?;
        let opponents = opponents.into_iter().map(seat).collect::<anyhow::Result<_>>()?;
        let mix = Mix { human, book, random };
        let inner = Environment::new(Options { games, seed, rules, mix, opponents, adviser, records })?;
        Ok(PyEnvironment { inner, batch: Batch::default() })
    }

    /// `planes` (games, planes, 10, 10), `globals` (games, bytes), `legal` (codes, row after row), `starts` (games +
    /// 1), `hidden` (games, 100; 255 for none) and `movers` (0 Red, 1 Blue). With an adviser also `advice`, beside
    /// `legal`: points of evaluation behind its best action.
    fn observe<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let PyEnvironment { inner, batch } = self;
        py.detach(|| inner.observe(batch));
        let shown = show(py, batch)?;
        let movers: Vec<u8> = inner.movers().map(|side| side.index() as u8).collect();
        shown.set_item("movers", movers.into_pyarray(py))?;
        if !batch.advice.is_empty() {
            shown.set_item("advice", batch.advice.to_pyarray(py))?;
        }
        Ok(shown)
    }

    /// Plays the action of each code. Returns `done`, `result` (1 Red won, 0 drawn, -1 Blue won), `plies`, `strikes`,
    /// and `opponent` with its `side` (-1 for none) of the games that ended.
    #[expect(clippy::needless_pass_by_value, reason = "arrays come that way")]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        codes: PyReadonlyArray1<'py, u16>,
    ) -> anyhow::Result<Bound<'py, PyDict>> {
        let codes = codes.as_slice()?;
        py.detach(|| self.inner.step(codes))?;
        let ended: Vec<_> = self.inner.finished().collect();
        let out = PyDict::new(py);
        let column = |value: fn(&outflank_gym::environment::Finished) -> i32| -> Vec<i32> {
            ended.iter().map(|one| one.as_ref().map_or(0, value)).collect()
        };
        let done: Vec<bool> = ended.iter().map(Option::is_some).collect();
        out.set_item("done", done.into_pyarray(py))?;
        out.set_item("result", column(|one| one.ending.winner.map_or(0, sign)).into_pyarray(py))?;
        out.set_item("plies", column(|one| one.plies as i32).into_pyarray(py))?;
        out.set_item("strikes", column(|one| one.strikes as i32).into_pyarray(py))?;
        let opponent = column(|one| one.opponent.map_or(-1, |(index, _)| index as i32));
        out.set_item("opponent", opponent.into_pyarray(py))?;
        let side = column(|one| one.opponent.map_or(-1, |(_, side)| side.index() as i32));
        out.set_item("side", side.into_pyarray(py))?;
        Ok(out)
    }

    /// The records, as JSON lines, of the games that have ended since the last call.
    fn take_records(&mut self) -> anyhow::Result<Vec<String>> {
        self.inner.take_records().iter().map(Record::line).collect()
    }
}

fn sign(winner: Side) -> i32 {
    match winner {
        Side::Red => 1,
        Side::Blue => -1,
    }
}

/// Recorded games, many at once, ply by ply, with what was chosen there.
#[pyclass(name = "Imitation")]
struct PyImitation {
    inner: Imitation,
    batch: Batch,
    targets: Targets,
}

#[pymethods]
impl PyImitation {
    /// Goes through the records of `files` once, `rows` at a time. With `temperature` (in 1/1000 points) and `best` a
    /// target is made of recorded candidates; where there are none it is what was played.
    #[new]
    #[pyo3(signature = (files, rows=512, seed=0, temperature=4.0, best=0.5))]
    #[expect(clippy::needless_pass_by_value, reason = "arguments come that way")]
    fn new(files: Vec<String>, rows: usize, seed: u64, temperature: f32, best: f32) -> anyhow::Result<Self> {
        let mut records = Vec::new();
        for file in &files {
            for record in outflank_record::open(Path::new(file))? {
                records.push(record?);
            }
        }
        let inner = Imitation::new(records, rows, seed, Softness { temperature, best })?;
        Ok(PyImitation { inner, batch: Batch::default(), targets: Targets::default() })
    }

    /// The next ply of every running game: an observation as of the environment, with `policy` (chances in the order
    /// of `legal`), `results` (0 won, 1 drawn, 2 lost), `played` and `replies` (codes; 65535 for no
    /// reply), `record` and `ply`. `None` at the end.
    fn next<'py>(&mut self, py: Python<'py>) -> anyhow::Result<Option<Bound<'py, PyDict>>> {
        let PyImitation { inner, batch, targets } = self;
        if !py.detach(|| inner.next(batch, targets))? {
            return Ok(None);
        }
        let shown = show(py, batch)?;
        shown.set_item("policy", targets.policy.to_pyarray(py))?;
        shown.set_item("results", targets.results.to_pyarray(py))?;
        shown.set_item("replies", targets.replies.to_pyarray(py))?;
        shown.set_item("played", targets.played.to_pyarray(py))?;
        let (records, plies): (Vec<u32>, Vec<u32>) = targets.places.iter().copied().unzip();
        shown.set_item("record", records.into_pyarray(py))?;
        shown.set_item("ply", plies.into_pyarray(py))?;
        Ok(Some(shown))
    }
}

type Floats<'py> = Bound<'py, PyArray1<f32>>;

/// A policy network that acts without torch, from the bytes of a `.net` file.
#[pyclass(name = "Policy")]
struct PyPolicy {
    inner: Policy,
}

#[pymethods]
impl PyPolicy {
    /// Reads the network.
    #[new]
    fn new(bytes: &[u8]) -> anyhow::Result<PyPolicy> {
        Ok(PyPolicy { inner: Policy::read(bytes)? })
    }

    /// The logits of the legal actions, row after row, and of win, draw and loss of each row.
    #[expect(clippy::needless_pass_by_value, reason = "arrays come that way")]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        planes: PyReadonlyArray4<'py, u8>,
        globals: PyReadonlyArray2<'py, u8>,
        legal: PyReadonlyArray1<'py, u16>,
        starts: PyReadonlyArray1<'py, u32>,
    ) -> anyhow::Result<(Floats<'py>, Floats<'py>)> {
        let (planes, globals) = (planes.as_slice()?, globals.as_slice()?);
        let rows = Rows { planes, globals, legal: legal.as_slice()?, starts: starts.as_slice()? };
        let (logits, values) = py.detach(|| self.inner.evaluate(rows))?;
        Ok((logits.into_pyarray(py), values.into_pyarray(py)))
    }
}

fn show<'py>(py: Python<'py>, batch: &Batch) -> PyResult<Bound<'py, PyDict>> {
    let shown = PyDict::new(py);
    let rows = batch.starts.len() - 1;
    let shape = |error| pyo3::exceptions::PyValueError::new_err(format!("{error}"));
    let planes = Array4::from_shape_vec((rows, PLANES, 10, 10), batch.planes.clone()).map_err(shape)?;
    let globals = Array2::from_shape_vec((rows, GLOBALS), batch.globals.clone()).map_err(shape)?;
    let hidden = Array2::from_shape_vec((rows, SQUARES), batch.hidden.clone()).map_err(shape)?;
    shown.set_item("planes", planes.into_pyarray(py))?;
    shown.set_item("globals", globals.into_pyarray(py))?;
    shown.set_item("hidden", hidden.into_pyarray(py))?;
    shown.set_item("legal", batch.legal.to_pyarray(py))?;
    shown.set_item("starts", batch.starts.to_pyarray(py))?;
    Ok(shown)
}

/// The codes of the same actions on the board mirrored left to right.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "arrays come that way")]
fn mirrored<'py>(
    py: Python<'py>,
    codes: PyReadonlyArray1<'py, u16>,
) -> anyhow::Result<Bound<'py, PyArray1<u16>>> {
    let codes = codes.as_slice()?;
    anyhow::ensure!(codes.iter().all(|&code| usize::from(code) < encoding::CODES), "a code is no action");
    let mirrored: Vec<u16> = codes.iter().map(|&code| encoding::mirrored(code)).collect();
    Ok(mirrored.into_pyarray(py))
}

/// The rules of Stratego as an environment for learning; see README.md beside it.
#[pymodule(name = "outflank_gym")]
fn python_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyEnvironment>()?;
    module.add_class::<PyImitation>()?;
    module.add_class::<PyPolicy>()?;
    module.add_function(wrap_pyfunction!(mirrored, module)?)?;
    module.add("ENCODING", encoding::ENCODING)?;
    module.add("PLANES", PLANES)?;
    module.add("GLOBALS", GLOBALS)?;
    module.add("CODES", encoding::CODES)
}
