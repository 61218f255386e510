"""Matches through the arena, and the examples."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import outflank
import pytest
from conftest import ROOT
from outflank import Contender, Limit, Side, arena
from outflank.wire import find_program

EXAMPLES = ROOT / "tools" / "client" / "examples"
RULES = "isf barrage=on"


def players(*limits: Limit) -> list[Contender]:
    return [Contender(name=f"player{number}", limit=limit) for number, limit in enumerate(limits)]


def test_a_match_returns_its_records_and_table(tmp_path: Path) -> None:
    two = players(Limit(nodes=60), Limit(nodes=10))
    out = tmp_path / "match.jsonl"
    played = arena.match(two, games=4, rules=RULES, seed=3, max_plies=60, concurrency=1, out=out)
    assert [record.game for record in played.records] == [0, 1, 2, 3]
    assert played.points("player0") + played.points("player1") == 4
    assert played.faults() == () and "player0 against player1" in played.table
    assert sorted(outflank.Record.read(out), key=lambda record: record.game) == list(played.records)
    again = arena.match(two, games=4, rules=RULES, seed=3, max_plies=60, concurrency=1)
    assert [record.moves for record in again.records] == [record.moves for record in played.records]


def test_games_that_were_broken_off_bring_no_points() -> None:
    (record,) = outflank.Record.read(ROOT / "tools" / "record" / "tests" / "game.jsonl")
    broken = outflank.Record({**record.data, "outcome": {"winner": "none", "reason": "unfinished"}})
    names = [player.name for player in record.players.values()]
    result = arena.MatchResult((record, broken), "")
    assert sum(result.points(name) for name in names) == 1


def test_one_game_is_played_in_the_seats_that_are_asked_for() -> None:
    red, blue = players(Limit(nodes=20), Limit(depth=1))
    record = outflank.play_game(red, blue, RULES, max_plies=40, own_setups=True)
    assert [record.players[side].name for side in Side] == ["player0", "player1"]
    assert record.plies <= 40 and record.rules.on("barrage")


def test_contenders_are_described_in_words() -> None:
    contender = Contender(
        ["bot", "--fast", "two words"],
        name="n",
        limit=Limit(red_clock=60, red_increment=0.5, time=0.1, nodes=5, depth=2),
        options={"Ponder": True, "Hash": 8},
        restart=True,
        protocol="strategoevaluator",
    )
    assert contender.words() == [
        "cmd=bot",
        "args=--fast 'two words'",
        "name=n",
        "tc=60+0.5",
        "movetime=100",
        "nodes=5",
        "depth=2",
        "option.Ponder=true",
        "option.Hash=8",
        "restart=on",
        "protocol=strategoevaluator",
    ]


def test_what_the_arena_refuses_is_an_error() -> None:
    with pytest.raises(outflank.ArenaError, match="even number"):
        arena.match(players(Limit(nodes=5), Limit(nodes=5)), games=3)
    with pytest.raises(outflank.ArenaError):
        arena.match(players(Limit(nodes=5), Limit(nodes=5)), rules="nonsense")


def test_a_match_that_takes_too_long_is_ended() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        arena.match(players(Limit(time=5.0), Limit(time=5.0)), timeout=1.0)


def test_without_an_arena_it_says_where_it_looked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OUTFLANK_ARENA", raising=False)
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    with pytest.raises(FileNotFoundError, match="OUTFLANK_ARENA"):
        arena.find_arena()


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=cwd, env=os.environ)
    assert done.returncode == 0, done.stderr
    return done


def test_the_example_of_a_match_hosts_the_example_of_a_bot(tmp_path: Path) -> None:
    said = run(str(EXAMPLES / "match.py"), cwd=tmp_path).stdout
    assert "engine against striker" in said and said.count("\ngame ") == 4 and "fault:" not in said


def test_the_example_of_a_plot(tmp_path: Path) -> None:
    done = run(str(EXAMPLES / "belief_plot.py"), "plot.png", cwd=tmp_path)
    if "SKIPPED" in done.stderr:
        pytest.skip("matplotlib is not installed")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_example_for_node() -> None:
    script = ROOT / "examples" / "node" / "play.mjs"
    words = ["node", str(script), find_program("outflank", "OUTFLANK_ENGINE")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "red moves " in done.stdout and "refused: error move" in done.stdout and "status 0" in done.stdout
