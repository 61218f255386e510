"""What the documentation shows runs as printed; every public name is documented; the types hold."""

from __future__ import annotations

import doctest
import importlib.util
import inspect
import re
import subprocess
import sys
from pathlib import Path

import outflank
import pytest
from conftest import ROOT

README = ROOT / "tools" / "client" / "README.md"


def test_every_block_of_the_readme_runs_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = README.read_text(encoding="utf-8")
    names: dict[str, object] = {"__name__": "readme"}
    blocks = list(re.finditer(r"```python\n(.*?)```", text, re.DOTALL))
    assert len(blocks) >= 10
    lacking = []
    for block in blocks:
        if "pyspiel" in block[1] and importlib.util.find_spec("pyspiel") is None:
            lacking.append("open-spiel")
            continue
        line = text[: block.start(1)].count("\n")
        exec(compile("\n" * line + block[1], str(README), "exec"), names)
    assert (tmp_path / "marshal.svg").exists() and (tmp_path / "games.jsonl").exists()
    if lacking:
        pytest.skip(f"all blocks passed but those that need {lacking}, which is not installed")


def test_the_readme_names_every_method_and_exception() -> None:
    text = README.read_text(encoding="utf-8")
    methods = {name for name in vars(outflank.SimpleEngine) if not name.startswith("_")} - {"engine", "quit", "alive"}
    lacking = [name for name in sorted(methods) if not re.search(rf"\b{name}\b", text)]
    lacking += [kind.__name__ for kind in outflank.ERRORS.values() if f"`{kind.__name__}`" not in text]
    assert lacking == []


def public_methods(kind: type) -> list[str]:
    """The public methods and properties that a class defines itself."""
    wrapped = (property, classmethod, staticmethod)
    members = [(name, value) for name, value in vars(kind).items() if not name.startswith("_")]
    return [name for name, value in members if inspect.isfunction(value) or isinstance(value, wrapped)]


def test_the_readme_names_everything_public() -> None:
    text = README.read_text(encoding="utf-8")
    names: list[tuple[str, str]] = []
    for module in (outflank, outflank.arena):
        for name in module.__all__:
            value = getattr(module, name)
            names.append((name, name))
            if inspect.isclass(value) and not issubclass(value, BaseException):
                names += [(f"{name}.{method}", method) for method in public_methods(value)]
    assert len(names) > 150
    assert [place for place, name in names if not re.search(rf"\b{name}\b", text)] == []


def test_the_two_engines_have_the_same_methods_with_the_same_arguments() -> None:
    for name, method in inspect.getmembers(outflank.Engine, inspect.isfunction):
        if not name.startswith("_"):
            simple = getattr(outflank.SimpleEngine, name)
            assert list(inspect.signature(simple).parameters) == list(inspect.signature(method).parameters), name


def test_doctests_pass() -> None:
    failed, tried = doctest.testmod(outflank)
    assert failed == 0 and tried > 0


def undocumented(owner: object, prefix: str) -> list[str]:
    """The public names of a class that have no docstring; fields of data classes are described in that of the class."""
    lacking = []
    for name, value in vars(owner).items():
        explained = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if not name.startswith("_") and inspect.isfunction(explained) and not inspect.getdoc(explained):
            lacking.append(f"{prefix}.{name}")
    return lacking


def test_every_public_name_has_a_docstring() -> None:
    lacking: list[str] = []
    for name in outflank.__all__:
        value = getattr(outflank, name)
        if inspect.isclass(value) or inspect.isfunction(value) or inspect.ismodule(value):
            lacking += [] if value.__doc__ and not value.__doc__.startswith(f"{name}(") else [name]
        if inspect.isclass(value):
            lacking += undocumented(value, name)
    assert lacking == []


def test_the_types_hold() -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")
    here = ROOT / "tools" / "client"
    words = ["--strict", "--no-error-summary", "--cache-dir", "/dev/null"]
    paths = ["python/outflank", "examples/match.py", "examples/bot.py"]
    done = subprocess.run([sys.executable, "-m", "mypy", *words, *paths], capture_output=True, text=True, cwd=here)
    assert done.returncode == 0, done.stdout + done.stderr
