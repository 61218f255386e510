"""What the tests share: an engine, and a game between two players with a third engine as its judge."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import outflank
import pytest
from outflank import Limit, Ply, Side, SimpleEngine

ROOT = Path(__file__).resolve().parents[3]
RED = "B3FB3262452B3B6B5S7325B48269474M62225873"
BLUE = "FB22B34B53B5S63B2742B368274296275M254683"
# A machine that does other work may take its time.
TIMEOUT = 60.0


@pytest.fixture
def engine() -> Iterator[SimpleEngine]:
    """An engine without a game."""
    with SimpleEngine.popen(timeout=TIMEOUT, options={"Seed": 7}) as engine:
        yield engine


@pytest.fixture
def game(engine: SimpleEngine) -> SimpleEngine:
    """An engine that plays Red in a new game."""
    engine.new_game(rules="isf", side="red")
    engine.setup("red", RED)
    engine.setup("blue")
    return engine


class Table:
    """A game between two engines. The judge is a third one, which knows both armies: a study knows every result."""

    def __init__(self, players: dict[Side, SimpleEngine], judge: SimpleEngine, rules: str) -> None:
        self.players, self.judge = players, judge
        judge.new_game(rules)
        for side, player in players.items():
            player.new_game(rules, side)
        for side, player in players.items():
            army = player.setup(side, "auto")
            hidden = "".join("." if place == "." else "?" for place in army)
            judge.setup(side, army)
            players[side.other].setup(side, hidden)

    def ply(self, limit: Limit) -> Ply | None:
        """One ply; `None` once the game is over."""
        status = self.judge.status()
        if status.over:
            return None
        move = self.players[status.turn].play(limit).move
        assert move is not None and move in self.judge.legal()
        self.judge.observe(move)
        ply = self.judge.history()[-1]
        for player in self.players.values():
            assert player.observe(ply) == ()
        return ply


@pytest.fixture
def three() -> Iterator[list[SimpleEngine]]:
    """Two players and a judge."""
    engines: list[SimpleEngine] = []
    try:
        for seed in range(3):
            engines.append(outflank.SimpleEngine.popen(timeout=TIMEOUT, restart=True, options={"Seed": seed}))
        yield engines
    finally:
        for engine in engines:
            engine.close()
