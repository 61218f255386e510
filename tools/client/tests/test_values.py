"""Value types print the protocol's texts and read them back; other texts are refused."""

from __future__ import annotations

import pytest
from outflank import LAKES, Move, Outcome, Ply, Rank, Result, Side, Square


def test_sides_parse_and_print() -> None:
    assert [str(side) for side in Side] == ["red", "blue"]
    assert Side.parse("Red") is Side.parse("r") is Side.RED.other.other
    assert Side.parse(Side.BLUE) is Side.BLUE
    with pytest.raises(ValueError):
        Side.parse("green")


def test_ranks_parse_and_print() -> None:
    assert "".join(map(str, Rank)) == "FS23456789MB"
    for index, rank in enumerate(Rank):
        assert Rank.parse(str(rank).lower()) is Rank.parse(rank.name.lower()) is rank
        assert rank.index == index
    assert Rank.parse(9) is Rank.GENERAL
    assert [str(rank) for rank in Rank if not rank.mobile] == ["F", "B"]
    assert Rank.SPY < Rank.SCOUT < Rank.MARSHAL
    with pytest.raises(ValueError):
        Rank.parse("1")


def test_squares_parse_and_print() -> None:
    assert [str(square) for square in Square.all()[:11]] == [*(f"{file}1" for file in "abcdefghij"), "a2"]
    for index, square in enumerate(Square.all()):
        assert Square.parse(str(square)) == square and square.index == index
        assert eval(repr(square)) == square
    assert Square.parse("k10") == Square.parse("J10")
    assert sorted(map(str, LAKES)) == ["c5", "c6", "d5", "d6", "g5", "g6", "h5", "h6"]
    for text in ("", "a0", "a11", "l1", "4a", "a1 "):
        with pytest.raises(ValueError):
            Square.parse(text)
    with pytest.raises(ValueError):
        Square(10, 0)


TEXTS = ["a4a5", "e4xe5", "e4xe5=W95", "e4xe5=L6?", "e4xe5=W5F", "b9b10+5@c2", "b9xb10+?@c2=W62", "a10j10", "a1xa2=T??"]


@pytest.mark.parametrize("text", TEXTS)
def test_plies_print_what_they_were_read_from(text: str) -> None:
    ply = Ply.parse(text)
    assert str(ply) == text
    assert Ply.parse(text.upper().replace("X", "x")) == ply
    assert eval(repr(ply)) == ply
    if ply.result is None:
        assert str(Move.parse(text)) == text
        assert Ply.parse(Move.parse(text)) == ply
    else:
        assert ply.move.with_result(str(ply.result)) == ply
        with pytest.raises(ValueError):
            Move.parse(text)


def test_the_x_of_a_strike_does_not_make_another_move() -> None:
    assert Move.parse("e4e5") == Move.parse("e4xe5")
    assert hash(Move.parse("e4e5")) == hash(Move.parse("e4xe5"))
    assert Move.parse("e4e5") != Move.parse("e4e6")
    assert str(Ply.parse("e4e5=W95")) == "e4xe5=W95"


@pytest.mark.parametrize("text", ["", "a4", "a4a5a6", "a4a11", "a4a5=X12", "a4a5=W1?", "a4a5=W", "a4a5+5", "a4-a5"])
def test_other_texts_are_no_plies(text: str) -> None:
    with pytest.raises(ValueError):
        Ply.parse(text)


def test_results_name_outcome_and_ranks() -> None:
    result = Result.parse("L6?")
    assert (result.outcome, result.striker, result.defender) == (Outcome.LOST, Rank.CAPTAIN, None)
    with pytest.raises(ValueError):
        Result.parse("W9")
