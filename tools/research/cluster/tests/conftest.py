"""What the tests share: the programs, two local workers, and a look at the processes of this machine."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from outflank.wire import find_program
from outflank_cluster import Contest, Limits, RecordFile, Reporter, play

ROOT = Path(__file__).resolve().parents[4]
# A machine that does other work may take its time.
PATIENCE = 300.0


def program(name: str, variable: str) -> str:
    """The path of a program; the test is skipped without it."""
    try:
        return find_program(name, variable)
    except FileNotFoundError as error:
        pytest.skip(str(error))


@pytest.fixture
def arena() -> str:
    """The program that plays matches."""
    return program("outflank-arena", "OUTFLANK_ARENA")


@pytest.fixture
def engine(tmp_path: Path) -> str:
    """The engine, under a name that no other test's engines have."""
    path = tmp_path / "engine"
    path.symlink_to(program("outflank", "OUTFLANK_ENGINE"))
    return str(path)


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """Two local workers; the address for others who would join."""
    ray = pytest.importorskip("ray", reason="ray is not installed")
    from outflank_cluster.command import connect

    connect(argparse.Namespace(address="local", workers=2, cpus=1))
    yield ray.get_runtime_context().gcs_address
    ray.shutdown()


def match_words(engine: str, games: int, nodes: int = 20, seed: int = 5, more: tuple[str, ...] = ()) -> list[str]:
    """Options of a match in barrage between two engines, the first with twice the nodes."""
    words = ["--games", str(games), "--rules", "isf barrage=on", "--max-plies", "200", "--seed", str(seed), *more]
    words += ["--no-clocks", "--patience", "60000"]
    words += ["--engine", f"cmd={engine}", "name=double", f"nodes={2 * nodes}"]
    return [*words, "--engine", f"cmd={engine}", "name=single", f"nodes={nodes}"]


def alone(program: str, words: list[str], out: Path) -> str:
    """What the program prints that plays it all by itself."""
    done = subprocess.run([program, *words, "--out", str(out)], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def lines(path: Path) -> list[str]:
    """The records of a file in the order of their games."""
    return sorted(path.read_text(encoding="utf-8").splitlines(), key=lambda line: int(json.loads(line)["game"]))


@dataclass
class Run:
    """What became of a contest that was played in this process."""

    said: list[str] = field(default_factory=list)
    stats: str = ""


def run(contest: Contest, program: str, out: Path, limits: Limits) -> Run:
    """Plays a contest on the cluster that this process is connected to."""
    run = Run()
    with RecordFile(out) as records:
        reporter = Reporter(contest, program, out, run.said.append, every=1.0)
        play(contest, records, reporter, limits, program)
        run.stats = reporter.stats().stdout
    return run


def processes(words: str) -> dict[int, int]:
    """The processes whose command line has these words, each with its parent."""
    found = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            told = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            # What is behind the name, which may have anything in it: state and parent.
            state, parent = (path / "stat").read_text().rpartition(")")[2].split()[:2]
        except (OSError, ValueError):
            continue
        if words in told and state != "Z" and int(path.name) != os.getpid():
            found[int(path.name)] = int(parent)
    return found


def wait_for(what: Callable[[], Any]) -> Any:
    """Waits until it is true of something, and returns that."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(0.05)
    raise AssertionError("waited in vain")
