"""Each error code of the protocol raises its own exception, and leaves the game as it was."""

from __future__ import annotations

import re
from collections.abc import Callable

import outflank
import pytest
from conftest import BLUE, RED, ROOT
from outflank import ERRORS, Limit, RepliedError, SimpleEngine
from outflank.errors import replied

CHASE = "9Y/10/10/10/2__2__2/2__2__2/10/10/Q+9/K+8M b - -,- 0 0"


def repetition(engine: SimpleEngine) -> None:
    engine.position(CHASE, "a2b2 a1a2 b2b1 a2b2 b1a1 b2b1 a1a2 b1a1 a2b2".split())
    engine.observe("a1a2")


def desynced(engine: SimpleEngine) -> None:
    with pytest.raises(RepliedError):
        engine.observe("e3")
    engine.play(Limit(nodes=10))


def over(engine: SimpleEngine) -> None:
    engine.game_over("red")
    engine.play(Limit(nodes=10))


def on_the_enemys_turn(engine: SimpleEngine) -> None:
    engine.observe("a4a5")
    engine.play(Limit(nodes=10))


def without_setup(engine: SimpleEngine) -> None:
    engine.new_game("isf barrage=on")
    engine.play(Limit(nodes=10))


CAUSES: dict[str, Callable[[SimpleEngine], object]] = {
    "unknown": lambda engine: engine.command("fly"),
    "syntax": lambda engine: engine.command("undo a b"),
    "too-long": lambda engine: engine.command("x" * ((1 << 20) + 1)),
    "option": lambda engine: engine.configure(Colour="red"),
    "value": lambda engine: engine.configure(Threads=0),
    "rules": lambda engine: engine.rules("twosquares=nine"),
    "setup": lambda engine: engine.setup("blue", "M" * 40),
    "position": lambda engine: engine.position("10/10 r r -,- 0 0"),
    "move": lambda engine: engine.observe("nonsense"),
    "illegal": lambda engine: engine.observe("a4a8"),
    "repetition": repetition,
    "result": lambda engine: engine.observe("e4xe7=W95"),
    "result-needed": lambda engine: engine.observe("e4xe7"),
    "started": lambda engine: (engine.observe("a4a5"), engine.setup("blue", BLUE)),
    "no-setup": without_setup,
    "not-our-turn": on_the_enemys_turn,
    "game-over": over,
    "desynced": desynced,
    "hidden": lambda engine: engine.perft(1),
    "empty": lambda engine: engine.belief_at("b5"),
    "undo": lambda engine: engine.undo(7),
    "reveal": lambda engine: engine.game_over("red", reveal="10/10"),
    "world": lambda engine: engine.position("9M/10/10/10/2__2__2/2__2__2/10/10/10/?[9M]?[9M]?[9M]7 r r -,- 0 0"),
}
# A text cannot hold bytes that are no UTF-8, and faults of the engine cannot be ordered.
UNPROVOKED = {"encoding", "internal"}


def test_every_code_of_the_protocol_has_its_exception() -> None:
    table = (ROOT / "protocol.md").read_text(encoding="utf-8").split("## Errors")[1]
    codes = set(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE))
    assert codes == set(ERRORS) == set(CAUSES) | UNPROVOKED
    assert len(set(ERRORS.values())) == len(codes)
    for kind in ERRORS.values():
        assert getattr(outflank, kind.__name__) is kind


@pytest.mark.parametrize("code", CAUSES)
def test_what_the_engine_refuses_raises_the_exception_of_its_code(game: SimpleEngine, code: str) -> None:
    with pytest.raises(ERRORS[code]) as caught:
        CAUSES[code](game)
    assert caught.value.code == code
    assert caught.value.text and caught.value.text in str(caught.value)
    # The engine goes on as if nothing had been said.
    game.new_game("isf", "red")
    game.setup("red", RED)
    assert len(game.legal()) == 10


SPEAKING: dict[str, Callable[[SimpleEngine, str], object]] = {
    "observe": lambda engine, text: engine.observe(text),
    "configure": lambda engine, text: engine.configure({"Seed": text}),
    "option": lambda engine, text: engine.configure({text: 1}),
    "setup": lambda engine, text: engine.setup("blue", text),
    "rules": lambda engine, text: engine.rules(text),
    "new_game": lambda engine, text: engine.new_game(text),
    "position": lambda engine, text: engine.position(text),
    "belief": lambda engine, text: engine.belief(text),
    "explain": lambda engine, text: engine.explain(text),
    "game_over": lambda engine, text: engine.command(f"gameover {text}"),
    "command": lambda engine, text: engine.command(text),
    "nodes": lambda engine, text: engine.play(Limit(nodes=text)),  # type: ignore[arg-type]
    "undo": lambda engine, text: engine.undo(text),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("method", SPEAKING)
@pytest.mark.parametrize("text", ["a4a5\nnewgame", "a4a5\r\nnewgame", "isf\n", "a4\udc80"])
def test_a_text_that_would_be_two_lines_is_refused_and_nothing_said(
    game: SimpleEngine, method: str, text: str
) -> None:
    game.observe("a4a5", "a7a6")
    with pytest.raises(ValueError):
        SPEAKING[method](game, text)
    assert [str(ply) for ply in game.history()] == ["a4a5", "a7a6"]
    assert game.play(Limit(nodes=10)).move in game.legal()


def test_codes_that_cannot_be_provoked_and_unknown_ones() -> None:
    assert type(replied("error internal oh")) is outflank.InternalError
    assert type(replied("error encoding no UTF-8")) is outflank.BadEncodingError
    strange = replied("error novel text of it")
    assert type(strange) is RepliedError
    assert (strange.code, strange.text) == ("novel", "text of it")
    assert replied("error").code == ""
