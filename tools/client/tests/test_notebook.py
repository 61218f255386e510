"""The notebook among the examples runs from top to bottom, and shows what it says."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from conftest import ROOT

BOOK = ROOT / "tools" / "client" / "examples" / "beliefs.ipynb"


def test_the_notebook_runs_and_shows_boards_tables_and_plots(tmp_path: Path) -> None:
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    book = nbformat.read(BOOK, as_version=4)
    assert all(not cell.outputs for cell in book.cells if cell.cell_type == "code"), "it is kept without outputs"
    client = nbclient.NotebookClient(
        book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error"]
    shown = [output.data for output in outputs if "data" in output]
    assert sum("image/svg+xml" in data for data in shown) == 2
    assert any("<table>" in data.get("text/html", "") for data in shown)
    assert any("a6, moved:" in output.get("text", "") for output in outputs)
    if importlib.util.find_spec("matplotlib") is None:
        pytest.skip("all cells passed but their plots: matplotlib is not installed")
    assert sum("image/png" in data for data in shown) == 2
