"""The bot for OpenSpiel and its game of Stratego, in lockstep with the engine. Skipped where OpenSpiel is missing."""

from __future__ import annotations

import os
import random
import subprocess
from typing import Any

import pytest
from conftest import BLUE, RED, TIMEOUT
from outflank import Limit, Move, Rank, Side, Square, yorktown
from outflank.wire import argv

pyspiel = pytest.importorskip("pyspiel", reason="open-spiel is not installed: pip install open-spiel")
openspiel = pytest.importorskip("outflank.openspiel")

# The released package has no game `yorktown`; where a fork is installed, it is tested too.
GAMES = [openspiel.GAME] + [name for name in pyspiel.registered_names() if name == "yorktown"]
ARMY = "F" + "S" + "2" * 8 + "3" * 5 + "4444" + "5555" + "6666" + "777" + "88" + "9" + "M" + "B" * 6
# The full measure is OUTFLANK_LOCKSTEPS=1000, which takes a quarter of an hour.
LOCKSTEPS = int(os.environ.get("OUTFLANK_LOCKSTEPS", "12"))


def judged(lines: list[str]) -> list[str]:
    """What an engine answers, in one go, as there are thousands of plies."""
    text = "\n".join(lines) + "\n"
    done = subprocess.run(argv(None), input=text, capture_output=True, text=True, timeout=TIMEOUT * 10)
    answers = done.stdout.splitlines()
    assert done.returncode == 0 and not any(line.startswith("error") for line in answers), answers
    return answers


def shuffled(rng: random.Random) -> str:
    return "".join(rng.sample(ARMY, len(ARMY)))


def ending(state: Any) -> str:
    """Who wins by OpenSpiel's returns."""
    return {(1, -1): "red", (-1, 1): "blue", (0, 0): "draw"}[tuple(state.returns())]


def random_game(game: Any, rng: random.Random) -> tuple[list[str], list[set[str]], str]:
    """A game of random moves: what to tell the engine, the legal moves that it should find, and who wins."""
    red, blue = shuffled(rng), shuffled(rng)
    state = game.new_initial_state(yorktown.start(red, blue))
    lines = [f"newgame rules {openspiel.RULES}", f"setup red {red}", f"setup blue {blue}", "legal"]
    legal = []
    while not state.is_terminal():
        player = state.current_player()
        moves = {str(yorktown.move_of(action, player)): action for action in state.legal_actions()}
        legal.append(set(moves))
        move, action = rng.choice(list(moves.items()))
        state.apply_action(action)
        lines += [f"play {move}", "legal"]
    return [*lines, "status"], [*legal, set()], ending(state)


@pytest.mark.parametrize("name", GAMES)
def test_random_games_are_the_same_for_the_engine(name: str) -> None:
    rng, game, endings = random.Random(3), pyspiel.load_game(name), set()
    for _ in range(LOCKSTEPS):
        lines, legal, winner = random_game(game, rng)
        *answers, status = judged(lines)
        assert [set(answer.replace("x", "").split()[1:]) for answer in answers] == legal
        assert status.split("ending ")[1].split()[0] == winner
        endings.add(status.split("ending ")[1])
    assert {"red flag", "blue flag"} <= endings


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_drawn_after_so_many_plies_and_not_before(name: str) -> None:
    state = pyspiel.load_game(name).new_initial_state(yorktown.start(RED, BLUE))
    lines = [f"newgame rules {openspiel.RULES}", f"setup red {RED}", f"setup blue {BLUE}"]
    for ply in range(openspiel.LAST_PLY):
        assert not state.is_terminal()
        move = ("a4a5", "a7a6", "a5a4", "a6a7")[ply % 4]
        state.apply_action(yorktown.action_number(Move.parse(move), ply % 2))
        lines += ["status", f"play {move}"]
    assert state.is_terminal() and ending(state) == "draw"
    *before, after = judged([*lines, "status"])
    assert all(line.endswith("ending none") for line in before) and after.endswith("ending draw plies")


@pytest.mark.parametrize("name", GAMES)
def test_the_bot_beats_a_random_one_with_either_colour(name: str) -> None:
    game = pyspiel.load_game(name)
    for player in (0, 1):
        with openspiel.OutflankBot(player, Limit(nodes=100), options={"Seed": 7}, timeout=TIMEOUT) as bot:
            other = pyspiel.make_uniform_random_bot(1 - player, 11)
            assert play(game.new_initial_state(), bot, other)[player] == 1


def play(state: Any, bot: Any, other: Any) -> list[float]:
    """A game as OpenSpiel's loops play it."""
    while not state.is_terminal():
        player = state.current_player()
        if player == bot.player:
            action = bot.step(state)
        else:
            action = other.step(state)
            bot.inform_action(state, player, action)
        state.apply_action(action)
    return list(state.returns())


def test_openspiels_own_test_of_games_passes() -> None:
    red = "F.B..3.............9..........M........."
    game = pyspiel.load_game(openspiel.GAME, {"strados3": yorktown.start(red, red)})
    pyspiel.random_sim_test(game, 2, True, False)


def test_learners_of_openspiel_get_a_tensor() -> None:
    rl_environment = pytest.importorskip("open_spiel.python.rl_environment")
    environment = rl_environment.Environment(openspiel.GAME)
    assert environment.observation_spec()["info_state"] == (100 * yorktown.PLANES,)
    step = environment.reset()
    for _ in range(9):
        player = step.current_player()
        step = environment.step([step.observations["legal_actions"][player][0]])
    seen, position = step.observations["info_state"], yorktown.YorktownPosition(str(environment.get_state))
    assert [list(own) for own in seen] == [pytest.approx(position.planes(player)) for player in (0, 1)]


@pytest.mark.parametrize("viewer", [0, 1])
def test_a_tensor_has_what_its_player_sees(viewer: int) -> None:
    position, rng = yorktown.YorktownPosition(), random.Random(4)
    for _ in range(300):
        position.apply(rng.choice(position.legal()))
    planes, text = position.planes(viewer), position.text(viewer).split()[0]
    assert len(planes) == 100 * yorktown.PLANES
    letters = "BCDEFGHIJKLM", "NOPQRSTUVWXY"
    seen = set("bcdefghijklmnopqrstuvwxy") & set(text)
    assert seen and "?" in text and any(letter in letters[viewer] for letter in text)
    for index, letter in enumerate(text):
        place = index if viewer == 0 else 90 - index // 10 * 10 + index % 10
        there = [plane for plane in range(26) if planes[100 * plane + place]]
        rank = "".join(letters).find(letter.upper()) % 12
        if letter.upper() in letters[viewer]:
            assert there == [rank] + [12] * letter.islower()
        else:
            expected = {"?": [25], "a": [], "_": []}.get(letter)
            assert there == ([13 + rank] if expected is None else expected)
    assert planes[2600:2700] == [float(position.player == viewer)] * 100
    assert planes[2700:] == [position.ply / yorktown.LAST_PLY] * 100


def test_openspiel_plays_its_own_loop_with_two_bots_from_any_start() -> None:
    red = "F.B..3.............9..........M........."
    game = pyspiel.load_game(openspiel.GAME, {"strados3": yorktown.start(red, red[:5] + "4" + red[6:])})
    with openspiel.OutflankBot(0, Limit(nodes=200)) as first, openspiel.OutflankBot(1, Limit(nodes=200)) as second:
        state = game.new_initial_state()
        assert list(pyspiel.evaluate_bots(state, [first, second], 5)) == list(state.returns())
        assert state.is_terminal()


def test_the_bot_knows_only_what_its_player_is_shown() -> None:
    """Two pieces of the enemy's that have done nothing change places behind its back."""
    game = pyspiel.load_game(openspiel.GAME)
    lines = []
    for blue in (BLUE, BLUE[:20][::-1] + BLUE[20:]):
        with openspiel.OutflankBot(0, Limit(nodes=200), options={"Seed": 3}) as bot:
            state = game.new_initial_state(yorktown.start(RED, blue))
            for move in ("b7b6", "b6b7", "b7b6"):
                state.apply_action(bot.step(state))
                action = yorktown.action_number(Move.parse(move), 1)
                bot.inform_action(state, 1, action)
                state.apply_action(action)
            lines.append((state.history(), bot.engine.board().spn(), str(bot.engine.belief())))
    assert lines[0] == lines[1]


def test_a_bot_that_missed_plies_goes_on_from_what_it_sees() -> None:
    state = pyspiel.load_game(openspiel.GAME).new_initial_state(yorktown.start(RED, BLUE))
    rng = random.Random(5)
    for _ in range(201):
        state.apply_action(rng.choice(state.legal_actions()))
    assert not state.is_terminal() and state.current_player() == 1
    with openspiel.OutflankBot(1, Limit(nodes=50)) as bot:
        action = bot.step(state)
        assert action in state.legal_actions()
        board = bot.engine.board()
        assert len(board.side(Side.BLUE)) == sum(letter in "nopqrstuvwxy" for letter in str(state).split()[0].lower())
        state.apply_action(action)
        for _ in range(4):
            state.apply_action(rng.choice(state.legal_actions()))
            if state.current_player() == 1 and not state.is_terminal():
                assert bot.step(state) in state.legal_actions()


def test_setups_and_moves_have_their_texts_and_numbers() -> None:
    position = yorktown.YorktownPosition(yorktown.start(RED, BLUE))
    assert yorktown.read_letter(position.cells[Square.parse("a1").index]) == (Side.RED, Rank.parse(RED[0]))
    assert yorktown.read_letter(position.cells[Square.parse("j10").index]) == (Side.BLUE, Rank.parse(BLUE[0]))
    assert yorktown.YorktownPosition(position.text()).text() == position.text()
    assert position.text(0).count("?") == 40
    for action in position.legal():
        assert yorktown.action_number(yorktown.move_of(action, 0), 0) == action
    for text in ("", "x r 0", position.text() + " more", position.text().replace("_", "a")):
        with pytest.raises(ValueError):
            yorktown.YorktownPosition(text)
    with pytest.raises(ValueError):
        yorktown.start(RED, "")
