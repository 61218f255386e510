"""Builds the wheel with maturin, and puts a second program of the workspace, outflank-arena, beside the engine.

Maturin packs the programs of one crate. Whatever lies in the folder `outflank.data/scripts` goes onto the path of the
environment as well, so the arena is built into that folder first.
"""

from __future__ import annotations

import json
import pathlib
import shutil
import subprocess
from typing import Any

import maturin
from maturin import prepare_metadata_for_build_wheel  # noqa: F401

HERE = pathlib.Path(__file__).resolve().parents[1]


def _build_arena() -> None:
    """Builds outflank-arena as a release and copies it to where maturin looks for scripts."""
    manifest = HERE.parents[1] / "Cargo.toml"
    command = ["cargo", "rustc", "--release", "--locked", "--package", "outflank-arena", "--bin", "outflank-arena"]
    command += ["--manifest-path", str(manifest), "--message-format", "json-render-diagnostics"]
    # As maturin does with the engine: symbols are stripped in the last step only, so that all others are shared.
    command += ["--", "-C", "strip=symbols"]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    artifacts = [json.loads(line) for line in output.splitlines()]
    program = next(artifact["executable"] for artifact in artifacts if artifact.get("executable"))
    scripts = HERE / "outflank.data" / "scripts"
    scripts.mkdir(parents=True, exist_ok=True)
    shutil.copy2(program, scripts)


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """What the build needs beyond `pyproject.toml`: what maturin says."""
    return list(maturin.get_requires_for_build_wheel(config_settings))


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    """Builds the wheel with both programs; returns its file name."""
    _build_arena()
    return str(maturin.build_wheel(wheel_directory, config_settings, metadata_directory))


get_requires_for_build_editable = get_requires_for_build_wheel


def build_editable(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    """The same for `pip install --editable`: the Python files stay where they are."""
    _build_arena()
    return str(maturin.build_editable(wheel_directory, config_settings, metadata_directory))
