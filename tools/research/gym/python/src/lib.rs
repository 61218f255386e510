//! `outflank_gym`: the environment for Python, as numpy arrays. README.md beside it says what each array holds.

use numpy::ndarray::{Array2, Array4};
use numpy::{IntoPyArray, PyReadonlyArray1, ToPyArray};
use outflank::rules::Side;
use outflank_gym::encoding::{self, GLOBALS, PLANES};
use outflank_gym::environment::Finished;
use outflank_gym::setups::Mix;
use outflank_gym::{Batch, Environment, Options};
use outflank_record::parse_rules;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Games in step. `observe()` shows each from the view of its player to move, `step(codes)` plays an action in each.
#[pyclass(name = "Environment")]
struct PyEnvironment {
    inner: Environment,
    batch: Batch,
}

#[pymethods]
impl PyEnvironment {
    /// `rules` are texts like `"isf quiet=200 plies=2000"`, `setups` the shares (human, book, random).
    #[new]
    #[pyo3(signature = (games, seed=0, rules=vec!["isf quiet=200 plies=2000".into()], setups=(0.5, 0.35, 0.15)))]
    #[expect(clippy::needless_pass_by_value, reason = "arguments come that way")]
    fn new(
        games: usize,
        seed: u64,
        rules: Vec<String>,
        setups: (f32, f32, f32),
    ) -> anyhow::Result<PyEnvironment> {
        let rules = rules.iter().map(|text| parse_rules(text)).collect::<anyhow::Result<_>>()?;
        let (human, book, random) = setups;
        let inner = Environment::new(Options { games, seed, rules, mix: Mix { human, book, random } })?;
        Ok(PyEnvironment { inner, batch: Batch::default() })
    }

    /// `planes` (games, planes, 10, 10), `globals` (games, bytes), `legal` (codes, row after row), `starts` (games +
    /// 1) and `movers` (0 Red, 1 Blue).
    fn observe<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let PyEnvironment { inner, batch } = self;
        py.detach(|| inner.observe(batch));
        let movers: Vec<u8> = inner.movers().map(|side| side.index() as u8).collect();
        let shape = |error| pyo3::exceptions::PyValueError::new_err(format!("{error}"));
        let planes = Array4::from_shape_vec((movers.len(), PLANES, 10, 10), batch.planes.clone());
        let globals = Array2::from_shape_vec((movers.len(), GLOBALS), batch.globals.clone());
        let shown = PyDict::new(py);
        shown.set_item("planes", planes.map_err(shape)?.into_pyarray(py))?;
        shown.set_item("globals", globals.map_err(shape)?.into_pyarray(py))?;
        shown.set_item("legal", batch.legal.to_pyarray(py))?;
        shown.set_item("starts", batch.starts.to_pyarray(py))?;
        shown.set_item("movers", movers.into_pyarray(py))?;
        Ok(shown)
    }

    /// Plays the action of each code. Returns `done`, and of the games that ended `result` (1 Red won, 0 drawn, -1 Blue
    /// won), `plies` and `strikes`.
    #[expect(clippy::needless_pass_by_value, reason = "arrays come that way")]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        codes: PyReadonlyArray1<'py, u16>,
    ) -> anyhow::Result<Bound<'py, PyDict>> {
        let codes = codes.as_slice()?;
        py.detach(|| self.inner.step(codes))?;
        let ended: Vec<_> = self.inner.finished().collect();
        let column = |value: fn(&Finished) -> i32| -> Vec<i32> {
            ended.iter().map(|one| one.as_ref().map_or(0, value)).collect()
        };
        let done: Vec<bool> = ended.iter().map(Option::is_some).collect();
        let out = PyDict::new(py);
        out.set_item("done", done.into_pyarray(py))?;
        out.set_item("result", column(|one| one.ending.winner.map_or(0, sign)).into_pyarray(py))?;
        out.set_item("plies", column(|one| one.plies as i32).into_pyarray(py))?;
        out.set_item("strikes", column(|one| one.strikes as i32).into_pyarray(py))?;
        Ok(out)
    }
}

fn sign(winner: Side) -> i32 {
    match winner {
        Side::Red => 1,
        Side::Blue => -1,
    }
}

/// The rules of Stratego as an environment for learning; see README.md beside it.
#[pymodule(name = "outflank_gym")]
fn python_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyEnvironment>()?;
    module.add("ENCODING", encoding::ENCODING)?;
    module.add("PLANES", PLANES)?;
    module.add("GLOBALS", GLOBALS)?;
    module.add("CODES", encoding::CODES)
}
