"""Builds the wheel with maturin, and puts a second program of the workspace, outflank-arena, beside the engine.
Packs the workspace as a source distribution.

Maturin packs the programs of one crate. Whatever lies in the folder `outflank.data/scripts` goes onto the path of the
environment as well, so the arena is built into that folder first.
"""

from __future__ import annotations

import io
import json
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
from typing import Any

import maturin

HERE = pathlib.Path(__file__).resolve().parents[1]
ROOT = HERE.parents[1]
SCRIPTS = HERE / "outflank.data" / "scripts"


def _build_arena() -> None:
    """Builds outflank-arena as a release and copies it to where maturin looks for scripts."""
    manifest = ROOT / "Cargo.toml"
    command = ["cargo", "rustc", "--release", "--locked", "--package", "outflank-arena", "--bin", "outflank-arena"]
    command += ["--manifest-path", str(manifest), "--message-format", "json-render-diagnostics"]
    # As maturin does with the engine: symbols are stripped in the last step only, so that all others are shared.
    command += ["--", "-C", "strip=symbols"]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    artifacts = [json.loads(line) for line in output.splitlines()]
    program = next(artifact["executable"] for artifact in artifacts if artifact.get("executable"))
    SCRIPTS.mkdir(parents=True, exist_ok=True)
    shutil.copy2(program, SCRIPTS)


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """What the build needs beyond `pyproject.toml`: what maturin says."""
    return list(maturin.get_requires_for_build_wheel(config_settings))


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Any = None) -> str:
    """The metadata of the wheel, by maturin, which wants the folder of the scripts even now."""
    SCRIPTS.mkdir(parents=True, exist_ok=True)
    return str(maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings))


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    """Builds the wheel with both programs; returns its file name."""
    _build_arena()
    return str(maturin.build_wheel(wheel_directory, config_settings, metadata_directory))


get_requires_for_build_editable = get_requires_for_build_wheel


def build_editable(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    """The same for `pip install --editable`: the Python files stay where they are."""
    _build_arena()
    return str(maturin.build_editable(wheel_directory, config_settings, metadata_directory))


def _sources() -> list[pathlib.PurePosixPath]:
    """The files of the workspace: those that git tracks, or all of an unpacked source distribution."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
        names = [pathlib.PurePosixPath(name) for name in listed.stdout.split("\0") if name]
    else:
        files = (path for path in ROOT.rglob("*") if path.is_file())
        names = [pathlib.PurePosixPath(path.relative_to(ROOT).as_posix()) for path in files]
    # What builds have made, and what training runs have left.
    unwanted = {"target", "__pycache__", "outflank.data", "runs"}
    return sorted(name for name in names if unwanted.isdisjoint(name.parts) and (ROOT / name).is_file())


def _project(text: str) -> str:
    """`pyproject.toml` for the top of the workspace, where a source distribution has it."""
    here = HERE.relative_to(ROOT).as_posix()
    moved = [
        ('backend-path = ["packaging"]', f'backend-path = ["{here}/packaging"]'),
        ('readme = "README.md"', f'readme = "{here}/README.md"'),
        ('manifest-path = "../../Cargo.toml"', 'manifest-path = "Cargo.toml"'),
        ('python-source = "python"', f'python-source = "{here}/python"\ndata = "{here}/outflank.data"'),
    ]
    for old, new in moved:
        if text.count(old) != 1:
            raise ValueError(f"pyproject.toml has no line {old}")
        text = text.replace(old, new)
    return text


def _metadata() -> str:
    """The metadata of the package, as in its wheel."""
    with tempfile.TemporaryDirectory() as folder:
        name = prepare_metadata_for_build_wheel(folder)
        return (pathlib.Path(folder) / name / "METADATA").read_text(encoding="utf-8")


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """Packs the whole workspace, so that its wheel can be built elsewhere; returns the file's name."""
    metadata = _metadata()
    version = next(line for line in metadata.splitlines() if line.startswith("Version: ")).removeprefix("Version: ")
    top = f"outflank-{version}"
    # Of a source distribution that is packed once more, these lie at the top already.
    project = ROOT / "pyproject.toml"
    text = project.read_text(encoding="utf-8") if project.exists() else _project(
        (HERE / "pyproject.toml").read_text(encoding="utf-8")
    )
    with tarfile.open(pathlib.Path(sdist_directory) / f"{top}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name in _sources():
            if str(name) not in ("PKG-INFO", "pyproject.toml"):
                archive.add(ROOT / name, f"{top}/{name}", recursive=False)
        for name, content in {"PKG-INFO": metadata, "pyproject.toml": text}.items():
            data = content.encode()
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return f"{top}.tar.gz"
