"""The source distribution has what its wheel is built from."""

from __future__ import annotations

import os
import shutil
import sys
import tarfile
from pathlib import Path

import pytest
from conftest import ROOT

CLIENT = ROOT / "tools" / "client"


def test_the_source_distribution_is_a_workspace_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("maturin", reason="maturin is not installed")
    # The backend starts the program of that name, which lies beside this Python.
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    if not shutil.which("cargo"):
        pytest.skip("there is no cargo")
    monkeypatch.syspath_prepend(str(CLIENT / "packaging"))
    monkeypatch.chdir(CLIENT)
    import wheel_with_arena  # type: ignore[import-not-found]

    name = wheel_with_arena.build_sdist(str(tmp_path))
    top = name.removesuffix(".tar.gz")
    with tarfile.open(tmp_path / name) as archive:
        names = set(archive.getnames())
        project = archive.extractfile(f"{top}/pyproject.toml")
        assert project is not None
        text = project.read().decode()
    needed = ["PKG-INFO", "Cargo.toml", "Cargo.lock", "src/main.rs", "tools/arena/Cargo.toml"]
    needed += ["tools/client/packaging/wheel_with_arena.py", "tools/client/python/outflank/__init__.py"]
    assert [file for file in needed if f"{top}/{file}" not in names] == []
    # From the top, where it now stands.
    assert 'manifest-path = "Cargo.toml"' in text and 'backend-path = ["tools/client/packaging"]' in text
    assert not [file for file in names if "/target/" in file or "/runs/" in file]
