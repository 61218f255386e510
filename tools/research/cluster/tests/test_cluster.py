"""Contests on two local workers: whole, killed, decided, gone on with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from conftest import PATIENCE, alone, lines, match_words, processes, run, wait_for
from outflank_cluster import Contest, Failure, Limits, RecordFile

TWO = Limits(workers=2, shards=4)


def test_a_match_has_the_games_that_the_arena_alone_plays(
    cluster: str, arena: str, engine: str, tmp_path: Path
) -> None:
    words, out = match_words(engine, games=14), tmp_path / "out.jsonl"
    table = alone(arena, ["match", *words], tmp_path / "alone.jsonl")
    played = run(Contest.match(words), arena, out, TWO)
    assert lines(out) == lines(tmp_path / "alone.jsonl")
    assert played.stats.startswith(table)
    # All is there: nothing is played again.
    before = out.read_bytes()
    assert run(Contest.match(words), arena, out, Limits(workers=2, shards=3)).stats == played.stats
    assert out.read_bytes() == before


def test_a_worker_killed_in_the_middle_costs_its_games_in_flight(
    cluster: str, arena: str, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, out = match_words(engine, games=16, nodes=500), tmp_path / "out.jsonl"
    came: list[int] = []
    add = RecordFile.add

    def count(file: RecordFile, records: list[dict[str, Any]]) -> int:
        came.extend(record["game"] for record in records)
        return add(file, records)

    monkeypatch.setattr(RecordFile, "add", count)

    def kill() -> None:
        wait_for(lambda: out.exists() and len(out.read_bytes().splitlines()) >= 4)
        # The arena's parent is the worker.
        arenas = wait_for(lambda: {pid for pid in processes(engine) if pid in processes("--shard=2/2")})
        os.kill(processes(engine)[arenas.pop()], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    played = run(Contest.match(words), arena, out, Limits(workers=2, shards=2))
    killer.join()
    lost = [text for text in played.said if "was lost" in text]
    assert len(lost) == 1 and "shard 2/2" in lost[0]
    # What had come before was not played again.
    assert sorted(came) == list(range(16))
    alone(arena, ["match", *words], tmp_path / "alone.jsonl")
    assert lines(out) == lines(tmp_path / "alone.jsonl")


def test_a_test_that_has_decided_ends_the_rest(cluster: str, arena: str, engine: str, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    words = match_words(engine, games=100_000, more=("--sprt", "elo0=-600", "elo1=-300"))
    played = run(Contest.match(words), arena, out, Limits(workers=2))
    assert "H1 accepted" in played.stats
    assert 4 <= len(lines(out)) < 1000
    wait_for(lambda: not processes(engine))
    # And it stays decided.
    before = out.read_bytes()
    assert "H1 accepted" in run(Contest.match(words), arena, out, Limits(workers=2)).stats
    assert out.read_bytes() == before


def command(cluster: str, out: Path, words: list[str]) -> list[str]:
    told = [sys.executable, "-m", "outflank_cluster", "match", "--address", cluster, "--out", str(out)]
    return [*told, "--workers", "2", "--shards", "2", "--", *words]


def test_the_same_command_goes_on_after_a_kill(cluster: str, arena: str, engine: str, tmp_path: Path) -> None:
    words, out = match_words(engine, games=16, nodes=500), tmp_path / "out.jsonl"
    told = command(cluster, out, words)
    with subprocess.Popen(told, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as driver:
        wait_for(lambda: out.exists() and len(out.read_bytes().splitlines()) >= 3)
        driver.kill()
    wait_for(lambda: not processes(engine))
    kept = out.read_bytes()
    assert len(kept.splitlines()) < 16
    done = subprocess.run(told, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert out.read_bytes().startswith(kept)
    table = alone(arena, ["match", *words], tmp_path / "alone.jsonl")
    assert lines(out) == lines(tmp_path / "alone.jsonl")
    assert done.stdout.startswith(table)


def test_a_signal_ends_the_tasks_and_shows_the_table(cluster: str, arena: str, engine: str, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    told = command(cluster, out, match_words(engine, games=400, nodes=500))
    with subprocess.Popen(told, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as driver:
        wait_for(lambda: out.exists() and len(out.read_bytes().splitlines()) >= 2)
        driver.terminate()
        table, complaints = driver.communicate(timeout=PATIENCE)
    assert driver.returncode == 128 + signal.SIGTERM
    assert "signal 15" in complaints and "against" in table
    wait_for(lambda: not processes(engine))


def test_a_task_that_no_machine_has_room_for_is_refused(
    cluster: str, arena: str, engine: str, tmp_path: Path
) -> None:
    with pytest.raises(Failure, match="a task wants 64 CPUs, and no machine has more than 2"):
        run(Contest.match(match_words(engine, games=4)), arena, tmp_path / "out.jsonl", Limits(cpus=64))


def test_what_the_arena_refuses_ends_the_run_before_it_begins(
    cluster: str, arena: str, engine: str, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    with pytest.raises(Failure, match="nobody"):
        run(Contest.match(match_words(engine + "-nobody", games=4)), arena, out, TWO)
    run(Contest.match(match_words(engine, games=4)), arena, out, TWO)
    before = out.read_bytes()
    with pytest.raises(Failure, match="it has seed 5"):
        run(Contest.match(match_words(engine, games=4, seed=6)), arena, out, TWO)
    assert out.read_bytes() == before


@pytest.mark.parametrize("pairs", [True, False])
def test_players_inside_the_arena_have_the_games_that_they_have_alone(
    cluster: str, arena: str, tmp_path: Path, pairs: bool
) -> None:
    words = ["--games", "10", "--rules", "isf barrage=on", "--max-plies", "100", "--no-clocks"]
    words += ["--each", "player=engine", "nodes=20", "--engine", "name=a", "--engine", "name=b"]
    words += [] if pairs else ["--no-pairs"]
    out = tmp_path / "out.jsonl"
    table = alone(arena, ["match", *words], tmp_path / "alone.jsonl")
    played = run(Contest.match(words), arena, out, TWO)
    assert lines(out) == lines(tmp_path / "alone.jsonl")
    assert played.stats.startswith(table)
    assert [json.loads(line)["game"] for line in lines(out)] == list(range(10))
