"""What docs/cluster.md shows is so; the types hold."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PATIENCE, ROOT, alone, lines
from outflank.wire import find_program
from outflank_cluster.command import parser

PAGE = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")

# Stand-ins for what sends work to other machines: each machine is a folder, each task of an array a process.
STAND_INS = {
    "ssh": 'shift; mkdir -p "hosts/$1"; cd "hosts/$1"; shift; exec sh -c "$*"',
    "scp": 'from=${2#*:}; exec cp "hosts/${2%%:*}/$from" "$3"',
    "sbatch": """
        while [ $# -gt 0 ]; do
            case $1 in
                --array=*) last=${1#--array=1-} ;;
                --cpus-per-task=*) export SLURM_CPUS_PER_TASK=${1#--cpus-per-task=} ;;
                --wrap) shift; script=$1 ;;
            esac
            shift
        done
        for task in $(seq "$last"); do SLURM_ARRAY_TASK_ID=$task sh -c "$script" || exit 1; done""",
}


def without_ray() -> list[str]:
    """The scripts of those who have no Ray."""
    return re.findall(r"```sh\n(.*?)```", PAGE.partition("## Without Ray")[2], re.DOTALL)


@pytest.mark.parametrize("script", without_ray())
def test_the_lines_for_ssh_and_slurm_work(script: str, arena: str, engine: str, tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, text in STAND_INS.items():
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)
    for name, program in {"outflank": engine, "outflank-arena": arena}.items():
        (programs / name).symlink_to(Path(shutil.which(program) or program).resolve())
    # As printed, but shorter.
    script, changes = re.subn("--games 400", "--games 16 --max-plies 40", script.replace("nodes=2000", "nodes=40"))
    assert changes == 1
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-ec", script], cwd=tmp_path, env=os.environ | {"PATH": path}, capture_output=True, text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert "strong against weak: won" in done.stdout
    assert [json.loads(line)["game"] for line in lines(tmp_path / "all.jsonl")] == list(range(16))


def test_the_arena_merges_shards_of_players_inside_it(arena: str, tmp_path: Path) -> None:
    words = ["match", "--games", "6", "--no-pairs", "--no-clocks", "--each", "player=random"]
    words += ["--engine", "name=a", "--engine", "name=b"]
    alone(arena, words, tmp_path / "alone.jsonl")
    shards = [tmp_path / f"{shard}.jsonl" for shard in (1, 2, 3)]
    for shard, path in enumerate(shards, 1):
        alone(arena, [*words, f"--shard={shard}/3"], path)
    merge = [arena, "merge", "--out", str(tmp_path / "all.jsonl")]
    assert subprocess.run([*merge, *shards[:2]], capture_output=True).returncode == 1
    assert subprocess.run([*merge, *shards], capture_output=True).returncode == 0
    assert lines(tmp_path / "all.jsonl") == lines(tmp_path / "alone.jsonl")


def test_there_are_lines_for_both() -> None:
    assert ["ssh" in script for script in without_ray()] == [True, False]
    assert "sbatch" in without_ray()[1]


def commands() -> list[str]:
    """The calls of `outflank-cluster` that the page shows, each on one line."""
    text = PAGE.replace("\\\n", " ")
    return [line.strip() for line in text.splitlines() if line.startswith("    outflank-cluster ")]


@pytest.mark.parametrize("command", commands())
def test_the_calls_that_are_shown_are_understood(command: str) -> None:
    from outflank_cluster import Contest

    _, *words = shlex.split(command)
    split = words.index("--")
    told = parser().parse_args(words[:split])
    assert told.out.endswith(".jsonl")
    assert Contest.match(words[split + 1 :]).games >= 400


def test_the_first_call_plays_a_match_as_printed(
    arena: str, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a Ray of its own, but for the number of games and their length."""
    pytest.importorskip("ray", reason="ray is not installed")
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "outflank").symlink_to(Path(find_program("outflank", "OUTFLANK_ENGINE")).resolve())
    monkeypatch.setenv("PATH", os.pathsep.join([str(programs), os.environ["PATH"]]))
    monkeypatch.setenv("RAY_ADDRESS", "local")
    words = shlex.split(commands()[0].replace("--games 400", "--games 4 --max-plies 40").replace("2000", "40"))
    done = subprocess.run(
        [sys.executable, "-m", "outflank_cluster", *words[1:]], cwd=tmp_path, capture_output=True, text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert "strong against weak: won" in done.stdout
    # Of Ray nothing is heard.
    assert all(line.startswith("outflank-cluster: ") for line in done.stderr.splitlines()), done.stderr
    assert len(lines(tmp_path / "match.jsonl")) == 4


def test_the_page_names_every_option() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "outflank_cluster", "match", "--help"], capture_output=True, text=True, timeout=PATIENCE
    )
    options = set(re.findall(r"^  (--[a-z]+) ", told.stdout, re.MULTILINE))
    assert len(options) == 7
    assert [option for option in sorted(options) if f"| `{option} " not in PAGE] == []


def test_the_types_hold() -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")
    words = ["--strict", "--no-error-summary", "--cache-dir", os.devnull, "python/outflank_cluster"]
    here = ROOT / "tools" / "research" / "cluster"
    done = subprocess.run([sys.executable, "-m", "mypy", *words], capture_output=True, text=True, cwd=here)
    assert done.returncode == 0, done.stdout + done.stderr
