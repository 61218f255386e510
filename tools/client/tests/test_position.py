"""The rules in Python play as the engine does: random games in lockstep, legal moves ply by ply, and endings."""

from __future__ import annotations

import os
import random
import subprocess

import pytest
from conftest import BLUE, RED
from outflank import Board, Move, Position, Rank, Result, RuleSystem, Side, SimpleEngine, Square
from outflank.wire import argv

GAMES = int(os.environ.get("OUTFLANK_LOCKSTEPS", "28"))
SYSTEMS = [
    "1961 quiet=80",
    "vassal quiet=60",
    "gameboard silent=on quiet=90 rescue=on",
    "wiki aggressor=on plies=300",
    "isf quiet=120",
    "gravon plies=400",
    "evaluator quiet=70",
    "isf barrage=on quiet=100",
    "wiki barrage=on quiet=200",
    "gravon barrage=on twosquares=0 plies=500",
    "isf barrage=on rescue=on quiet=150",
    "1961 barrage=on moresquares=on silent=on rescue=on quiet=200",
    "vassal barrage=on twosquares=1 advance=on quiet=200",
    "isf barrage=on stuck=attrition aggressor=on scout=off twosquares=3 quiet=200",
]
ARMY = "FS" + "2" * 8 + "3" * 5 + "4" * 4 + "5" * 4 + "6" * 4 + "777" + "88" + "9M" + "B" * 6


def refusal(position: Position, move: str) -> str:
    """The last word of why a move is refused; nothing if it is not."""
    try:
        position.push(move)
    except ValueError as error:
        return str(error).rsplit(" ", 1)[-1]
    position.pop()
    return ""


def army(rng: random.Random, rules: str, few: bool) -> str:
    """A whole army in random places, or a few pieces that can do nothing but chase each other."""
    texts = {True: "F" + rng.choice("M9"), False: "FBS2239M" if "barrage=on" in rules else ARMY}
    pieces = list(texts[few].ljust(40, "."))
    rng.shuffle(pieces)
    return "".join(pieces)


def distance(one: Square, other: Square) -> int:
    """Steps from one square to another."""
    return abs(one.row - other.row) + abs(one.file - other.file)


def choose(rng: random.Random, position: Position, few: bool) -> Move:
    """A random move; often one that goes back, or with few pieces a chase, so that the repetition rules are met."""
    moves = position.legal()
    plain = [move for move in moves if not move.strike and move.rescue is None]
    if not plain or position.ply < 2 or rng.random() < (0.1 if few else 0.6):
        return rng.choice(moves)
    enemy = position.plies[-1].move.target
    if not few:
        return rng.choice([move for move in plain if move.target == position.plies[-2].move.origin] or moves)
    away = [move for move in plain if distance(move.origin, enemy) == 1 < distance(move.target, enemy)]
    if away:
        return rng.choice(away)
    return min(plain, key=lambda move: (distance(move.target, enemy), rng.random()))


def met(position: Position) -> set[str]:
    """Which repetition rules keep the piece that the side to move moved last from a step."""
    if position.ply < 2 or position.over:
        return set()
    at = position.plies[-2].move.target
    steps = [(at.row + up, at.file + aside) for up, aside in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    targets = [Square(row, file) for row, file in steps if 0 <= row < 10 and 0 <= file < 10]
    return {refusal(position, f"{at}{target}") for target in targets} & {"twosquares", "moresquares"}


def play(seed: int, rules: str, rules_met: set[str] | None = None) -> tuple[list[str], list[set[str]], Position]:
    """A random game by the rules in Python: what is said to an engine, the legal moves before each ply, the end."""
    rng = random.Random(seed)
    few = seed % 3 == 2
    armies = [army(rng, rules, few) for _ in Side]
    position = Position(rules, *armies)
    lines = [f"newgame rules {rules}", f"setup red {armies[0]}", f"setup blue {armies[1]}", "legal"]
    legal = [set(map(str, position.legal()))]
    while not position.over:
        if rules_met is not None:
            rules_met |= met(position)
        ply = position.push(choose(rng, position, few))
        lines += [f"play {ply}", "legal"]
        legal.append(set(map(str, position.legal())))
    return [*lines, "status"], legal, position


def ask(lines: list[str]) -> list[str]:
    """What an engine answers to many lines at once."""
    conversation = "\n".join([*lines, "quit", ""])
    done = subprocess.run(argv(None), input=conversation, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()


def test_random_games_go_as_the_engine_says() -> None:
    reasons: set[str] = set()
    rules_met: set[str] = set()
    for seed in range(GAMES):
        rules = SYSTEMS[seed % len(SYSTEMS)]
        lines, legal, position = play(seed, rules, rules_met)
        answers = ask(lines)
        assert not [line for line in answers if line.startswith(("error", "warning"))], (seed, rules)
        theirs = [set(line.split()[1:]) for line in answers if line.split()[:1] == ["legal"]]
        assert len(theirs) == len(legal)
        for ply, (ours, listed) in enumerate(zip(legal, theirs)):
            assert ours == listed, (seed, rules, ply, ours ^ listed)
        outcome = position.outcome
        assert outcome is not None
        winner = outcome.winner.value if outcome.winner else "draw"
        assert answers[-1].endswith(f"ending {winner} {outcome.reason}"), (seed, rules, answers[-1])
        reasons.add(outcome.reason)
    assert {"quiet", "plies", "flag"} <= reasons and rules_met == {"twosquares", "moresquares"}


def test_an_endless_chase_is_refused_where_the_engine_refuses_it() -> None:
    places = {"a4": "9", "j4": "8", "j1": "F"}
    red = "".join(places.get(f"{file}{row}", ".") for row in range(1, 5) for file in "abcdefghij")
    blue = "F" + "." * 38 + "3"
    chase = "a4a5 a7a6 j4j5 a6b6 a5a6 b6b5 a6b6 b5a5 b6b5 a5a6 b5a5 a6b6".split()
    position = Position("isf", red, blue)
    for move in chase:
        position.push(move)
    assert refusal(position, "a5a6") == "moresquares" and refusal(position, "a5b5") == ""
    said = ask(["rules isf", f"setup red {red}", f"setup blue {blue}", f"play {' '.join(chase)}", "play a5a6"])
    assert said[-1].startswith("error repetition") and said[-1].endswith("moresquares")


def test_to_pop_is_to_undo_everything() -> None:
    for seed, rules in enumerate(SYSTEMS):
        _, legal, position = play(seed, rules)
        end = position.copy()
        plies = position.plies
        for ply, moves in zip(reversed(plies), reversed(legal[:-1])):
            assert position.pop() == ply and position.outcome is None
            assert set(map(str, position.legal())) == moves
        with pytest.raises(IndexError):
            position.pop()
        for ply in plies:
            assert position.push(ply) == ply
        assert position.board() == end.board() and position.outcome == end.outcome


def test_armies_have_no_more_of_a_rank_than_there_are() -> None:
    for rules, army in (("isf", "M" * 40), ("isf barrage=on", RED)):
        with pytest.raises(ValueError, match="more than"):
            Position(rules, army, "?")
    system = RuleSystem.parse("isf barrage=on quiet=20")
    assert sum(system.army().values()) == 8 and sum(RuleSystem().army().values()) == 40


@pytest.mark.parametrize("rules", ["isf", "isf rescue=on"])
def test_a_piece_of_unknown_rank_brings_nothing_back_but_from_the_last_row(rules: str) -> None:
    position = Position(rules, RED, "?")
    for ply in ("a4a5", "a7a6", "a5a6=W43", "e7e6", "a6a5"):
        position.push(ply)
    for rescue in ("+3@e7", "+3@e5", "+3@c5", "+?@e7"):
        with pytest.raises(ValueError, match="no such rescue"):
            position.push(f"e6e5{rescue}")
    position.push("e6e5")


def test_a_game_with_a_hidden_enemy_takes_results() -> None:
    position = Position("isf", RED, "?")
    position.push("a4a5")
    with pytest.raises(ValueError, match="unknown"):
        position.legal()
    position.push("a7a6")
    with pytest.raises(ValueError, match="needs the result"):
        position.push("a5a6")
    with pytest.raises(ValueError, match="the rank is 4"):
        position.push("a5a6=W53")
    with pytest.raises(ValueError, match="cannot end so"):
        position.push("a5a6=L43")
    with pytest.raises(ValueError, match="empty square"):
        position.push("e4xe5")
    assert position.ply == 2
    ply = position.push("a5a6=W43")
    assert ply.result == Result.parse("W43") and str(position.plies[-1]) == "a5xa6=W43"
    piece = position.board()["a6"]
    assert piece is not None and piece.rank is Rank.SERGEANT and piece.known and piece.moved
    assert [dead.rank for dead in position.board().captured[Side.BLUE]] == [Rank.MINER]
    position.push("e7e5")
    scout = position.board("red")["e5"]
    assert scout is not None and scout.rank is Rank.SCOUT


def test_what_a_player_is_shown_hides_the_other_army(engine: SimpleEngine) -> None:
    position = Position("isf", RED, BLUE)
    for move in ("a4a5", "b7b6", "e4xe7"):
        position.push(move)
    seen = position.board(Side.RED)
    engine.new_game("isf", "red")
    engine.setup("red", RED)
    engine.setup("blue", "?")
    engine.observe(*position.plies)
    by_engine = engine.board()
    assert {at: (piece.side, piece.rank) for at, piece in seen.pieces.items()} == {
        at: (piece.side, piece.rank) for at, piece in by_engine.pieces.items()
    }
    # The engine's text of it, and the rules that it takes over with it.
    assert seen.keys == by_engine.keys
    other = Position("evaluator quiet=50", RED, "?").board(Side.RED)
    engine.position(other)
    assert engine.board().keys == other.keys == {"preset": "evaluator", "quiet": "50"}
    assert len(position.board().hidden()) == 0 and str(position) == str(position.board())
    assert position._repr_svg_() == position.board().svg()


@pytest.mark.parametrize("rules", ["chess", "isf nothing=on", "isf scout=maybe", "isf twosquares=9", "isf quiet=-1"])
def test_what_is_no_rule_system_is_refused(rules: str) -> None:
    with pytest.raises(ValueError):
        Position(rules, RED, BLUE)


def test_moves_that_no_piece_can_make_are_refused() -> None:
    position = Position("isf", RED, BLUE)
    for move in ("a7a6", "a4a6", "a4b4", "c4c5", "a1a2", "e5e6"):
        with pytest.raises(ValueError):
            position.push(move)
    with pytest.raises(ValueError, match="places"):
        Position("isf", "FB", BLUE)


@pytest.mark.parametrize("text", ["isf", "evaluator stuck=loses", "gravon twosquares=3 quiet=100", "1961 scout=on silent=on", "vassal stuck=loses plies=400"])
def test_a_board_brings_its_rules_along(text):
    system = RuleSystem.parse(text)
    assert " ".join(f"{key}={value}" for key, value in system.changes().items()).removeprefix("preset=") == text
    board = Position(text, RED, "?" * 40).board(Side.RED)
    assert board.keys == system.changes()
    assert Board.parse(board.spn()) == board
