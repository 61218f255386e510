"""A shard on one worker, without Ray."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from conftest import alone, lines, match_words, processes, wait_for
from outflank_cluster import Contest
from outflank_cluster.task import Ended, Played, Share, Started, play_share


def share(arena: str, words: list[str], known: tuple[str, ...] = ()) -> Share:
    return Share(arena, tuple(Contest.match(words).command(1, 2, 1)), known, os.getcwd())


def test_a_shard_is_played_but_for_the_games_that_are_known(arena: str, engine: str, tmp_path: Path) -> None:
    words = match_words(engine, games=12)
    alone(arena, ["match", *words], tmp_path / "alone.jsonl")
    first, *rest = (line for line in lines(tmp_path / "alone.jsonl") if json.loads(line)["game"] % 4 < 2)
    messages = list(play_share(share(arena, words, (first + "\n",))))
    assert isinstance(messages[0], Started) and isinstance(messages[-1], Ended) and messages[-1].status == 0
    played = [json.loads(line) for message in messages if isinstance(message, Played) for line in message.lines]
    assert {json.dumps(record.pop("shard")) for record in played} == {'{"index": 1, "count": 2, "games": 12}'}
    assert sorted(played, key=lambda record: int(record["game"])) == [json.loads(line) for line in rest]


def test_what_the_program_says_against_it_comes_back(arena: str, engine: str) -> None:
    words = match_words(engine, games=4, more=("--adjudicate", "2000"))
    *_, last = play_share(share(arena, words))
    assert isinstance(last, Ended) and last.status == 2 and "2000" in last.complaints


def test_nothing_runs_on_once_nobody_listens(arena: str, engine: str) -> None:
    messages = play_share(share(arena, match_words(engine, games=200, nodes=4000)))
    next(messages)
    wait_for(lambda: len(processes(engine)) >= 3)
    messages.close()  # type: ignore[attr-defined]
    wait_for(lambda: not processes(engine))


@pytest.mark.skipif(sys.platform != "linux", reason="only the Linux kernel ends the children of the dead")
def test_nothing_outlives_a_worker_that_is_killed(arena: str, engine: str) -> None:
    told = share(arena, match_words(engine, games=200, nodes=4000))
    text = f"from outflank_cluster.task import *\nfor _ in play_share({told!r}): pass"
    with subprocess.Popen([sys.executable, "-c", text]) as worker:
        wait_for(lambda: len(processes(engine)) >= 4)
        worker.kill()
    wait_for(lambda: not processes(engine))
    left = list(Path(tempfile.gettempdir()).glob(f"outflank-cluster-*-{worker.pid}-*"))
    assert len(left) == 1
    list(play_share(share(arena, match_words(engine, games=2))))
    assert not left[0].exists()


def test_a_program_killed_by_a_signal_says_so(arena: str, engine: str) -> None:
    messages = play_share(share(arena, match_words(engine, games=200, nodes=4000)))
    started = next(messages)
    assert isinstance(started, Started)
    wait_for(lambda: len(processes(engine)) >= 3)
    os.kill(started.pid, signal.SIGKILL)
    *_, last = messages
    assert isinstance(last, Ended) and last.status == -signal.SIGKILL
    wait_for(lambda: not processes(engine))
