"""Boards read position texts and write them again, as the engine does; pictures are well-formed."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from conftest import RED, ROOT
from outflank import Board, Move, Rank, Side, SimpleEngine, Square


def corpus() -> list[str]:
    """The position texts of the manual and of the engine's own tests."""
    spn = r"([^\s/`]+(?:/[^\s/`]+){9} [rb] [rb-] [^\s,]+,\S+ \d+ \d+(?: [a-z]+=\S+)*)"
    texts: set[str] = set()
    for path in [ROOT / "protocol.md", *sorted((ROOT / "tests" / "transcripts").glob("*.sei"))]:
        texts |= set(re.findall(rf"(?:> position|< spn) {spn}", path.read_text(encoding="utf-8")))
    return sorted(texts)


def readable(engine: SimpleEngine, text: str) -> str | None:
    """What the engine makes of a position text."""
    try:
        engine.new_game("isf")
        engine.position(text)
    except Exception:
        return None
    return engine.command("d")[-1].removeprefix("spn ")


def test_every_position_of_the_manual_reads_back(engine: SimpleEngine) -> None:
    checked = 0
    for text in corpus():
        canonical = readable(engine, text)
        if canonical is None:
            continue
        board = Board.parse(text)
        assert Board.parse(board.spn()) == board
        assert readable(engine, board.spn()) == canonical
        assert Board.parse(canonical).spn() == canonical
        assert engine.board() == Board.parse(canonical)
        checked += 1
    assert checked >= 10


def test_a_board_has_what_its_text_says() -> None:
    board = Board.parse("?+[56789M]8?/10/10/10/2__2__2/2__2__2/e+*9/D[2B]9/10/8LM b r 22S[S2],? 12 200 rescues=1,0")
    assert (board.turn, board.viewer, board.quiet, board.ply) == (Side.BLUE, Side.RED, 12, 200)
    unknown, miner, scout = board["a10"], board["a4"], board["a3"]
    assert miner and miner.known and miner.moved and miner.rescuer and miner.rank is Rank.MINER
    assert scout and not scout.known and scout.ranks == frozenset({Rank.SCOUT, Rank.BOMB})
    assert unknown and unknown.side is Side.BLUE


def test_outside_its_armys_rows_a_piece_has_moved_unless_it_is_a_bomb_or_the_flag(engine: SimpleEngine) -> None:
    text = "?9/10/10/10/2__2__2/?e__2__n?[2B]/E9/10/10/9M r r -,- 0 0"
    moved = {str(square): piece.moved for square, piece in Board.parse(text).pieces.items()}
    assert moved == {"a10": False, "a5": True, "b5": True, "i5": False, "j5": True, "a4": False, "j1": False}
    engine.position(text)
    assert {str(square): piece.moved for square, piece in engine.board().pieces.items()} == moved


@pytest.mark.parametrize(
    "text",
    [
        "",
        "10/10 r r -,- 0 0",
        "11/10/10/10/2__2__2/2__2__2/10/10/10/10 r r -,- 0 0",
        "9/10/10/10/2__2__2/2__2__2/10/10/10/10 r r -,- 0 0",
        "10/10/10/10/4__4/2__2__2/10/10/10/10 r r -,- 0 0",
        "Z9/10/10/10/2__2__2/2__2__2/10/10/10/10 r r -,- 0 0",
        "?9/10/10/10/2__2__2/2__2__2/10/10/10/10 r - -,- 0 0",
        "10/10/10/10/2__2__2/2__2__2/10/10/10/10 x r -,- 0 0",
        "10/10/10/10/2__2__2/2__2__2/10/10/10/10 r x -,- 0 0",
        "10/10/10/10/2__2__2/2__2__2/10/10/10/10 r r - 0 0",
        "10/10/10/10/2__2__2/2__2__2/10/10/10/10 r r -,! 0 0",
        "10/10/10/10/2__2__2/2__2__2/10/10/10/10 r r -,- 0 x",
        "10/10/10/10/2__2__2/2__2__2/10/10/10/10 r r -,- 0 0 isf",
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError):
        Board.parse(text)


def elements(svg: str) -> dict[str, list[ElementTree.Element]]:
    """The elements of a picture by name."""
    found: dict[str, list[ElementTree.Element]] = {}
    for element in ElementTree.fromstring(svg).iter():
        found.setdefault(element.tag.rsplit("}", 1)[-1], []).append(element)
    return found


def test_pictures_are_well_formed_and_show_every_piece(game: SimpleEngine) -> None:
    game.observe("a4a5", "a7a6", "a5xa6=W43", "b7b6")
    board = game.board()
    picture = elements(board.svg(size=300, arrows=[Move.parse("b7b6")]))
    assert picture["svg"][0].get("width") == "300" and len(picture["line"]) == 1
    texts = [text.text for text in picture["text"]]
    assert texts.count("?") == 39 and texts.count("M") == 1
    assert len(texts) == 79 + 40
    assert board._repr_svg_() == board.svg()
    assert board.svg(below="blue") != board.svg(below="red") == board.svg()


def test_heat_maps_show_the_belief_in_percent(game: SimpleEngine) -> None:
    belief = game.belief()
    picture = elements(game.board().heat_svg("M", belief))
    texts = [text.text or "" for text in picture["text"]]
    assert "Where a marshal may be" in texts and "?" not in texts
    assert f"{100 * belief.at('e7')['M']:.0f}" in texts
    for rank in Rank:
        ElementTree.fromstring(game.board().heat_svg(rank, belief))


def test_boards_print_and_answer_questions(game: SimpleEngine) -> None:
    board = game.board()
    assert str(board).splitlines()[-2].split() == ["1", *RED[:10]]
    assert len(board.hidden()) == 40 == len(board.side(Side.RED))
    assert board["a5"] is None and board[Square.parse("c1")] == board["c1"]
    piece = board["c1"]
    assert piece and piece.rank is Rank.FLAG and piece.label == "F"
