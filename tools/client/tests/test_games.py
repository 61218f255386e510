"""Whole games between two engines: no error, and boards whose texts read back."""

from __future__ import annotations

import os
import signal

import pytest
from conftest import Table
from outflank import Board, Limit, Side, SimpleEngine

PLIES = 120
LIMIT = Limit(nodes=50)


@pytest.mark.parametrize("rules", ["isf", "isf barrage=on"])
def test_ten_games_without_an_error(three: list[SimpleEngine], rules: str) -> None:
    red, blue, judge = three
    played = 0
    for _ in range(10):
        table = Table({Side.RED: red, Side.BLUE: blue}, judge, rules)
        for number in range(PLIES):
            if table.ply(LIMIT) is None:
                break
            played += 1
            if number % 40 == 39:
                for engine in three:
                    spn = engine.command("d")[-1].removeprefix("spn ")
                    assert Board.parse(spn).spn() == spn
        assert red.history() == judge.history() == blue.history()
        for side, player in table.players.items():
            assert player.status().ply == judge.status().ply and player.status().ours is side
    assert played > 100 and [engine.restarts for engine in three] == [0, 0, 0]


def test_an_engine_that_is_killed_is_shown_the_game_again(three: list[SimpleEngine]) -> None:
    red, blue, judge = three
    blue.configure(Hash=8)
    table = Table({Side.RED: red, Side.BLUE: blue}, judge, "isf")
    for number in range(1, 61):
        assert table.ply(LIMIT) is not None
        if number in (20, 41):
            before = blue.board(), blue.history(), blue.rules(), blue.options
            assert blue.pid is not None
            os.kill(blue.pid, signal.SIGKILL)
            assert (blue.board(), blue.history(), blue.rules(), blue.options) == before
    assert (red.restarts, blue.restarts, judge.restarts) == (0, 2, 0)
    assert blue.status().ply == 60 and red.history() == blue.history() == judge.history()
