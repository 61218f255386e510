"""Beliefs print as tables that people can read."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from outflank import Belief, NoBeliefError, PieceBelief, Rank, SimpleEngine, Square

LINE = "belief a6 moved F 0 S 1000 2 100000 3 200000 4 600000 5 99000 6 0 7 0 8 0 9 0 M 0 B 0"


def test_a_piece_prints_its_ranks_the_likeliest_first() -> None:
    piece = PieceBelief.parse(LINE)
    assert str(piece) == "a6, moved: 4 60%, 3 20%, 2 10%, 5 10%, S <1%"


def test_a_piece_is_found_by_its_square() -> None:
    belief = Belief.parse([LINE, LINE.replace("a6", "dead1")])
    assert belief["a6"] is belief[Square.parse("a6")] is belief.at("a6") is belief[0]
    assert belief["dead1"] is belief[1] and belief[:1] == (belief[0],)
    for find in (belief.at, belief.__getitem__):
        with pytest.raises(NoBeliefError, match="^there is no belief about a1: none of these pieces is there$"):
            find("a1")


def test_a_belief_prints_as_a_table() -> None:
    head, row = str(Belief.parse([LINE])).splitlines()
    assert head.split() == [rank.letter for rank in Rank]
    assert row.split() == "a6 moved . <1 10 20 60 10 . . . . . .".split()
    assert len(head) == len(row) <= 80


def test_a_notebook_shows_a_heat_map_of_every_piece(game: SimpleEngine) -> None:
    belief = game.belief()
    table = ElementTree.fromstring(belief._repr_html_())
    rows = table.findall("tbody/tr")
    assert [row.find("th").text for row in rows] == [str(piece.place) for piece in belief]  # type: ignore[union-attr]
    for row, piece in zip(rows, belief):
        cells = row.findall("td")[1:]
        assert [cell.text is not None for cell in cells] == [rank in piece.possible for rank in Rank]
        heat = [float(cell.get("style", "").rsplit(",", 1)[-1].rstrip(")")) for cell in cells]
        assert max(zip(heat, Rank))[0] == heat[piece.likeliest.index]
    assert len(ElementTree.fromstring(belief[0]._repr_html_()).findall("tbody/tr")) == 1
    assert len(str(belief).splitlines()) == 41


def test_unknown_dead_are_in_the_table() -> None:
    assert "dead1" in str(Belief.parse([LINE.replace("a6", "dead1")]))
