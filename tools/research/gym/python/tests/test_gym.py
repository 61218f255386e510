"""What Python sees of the environment: arrays of the right shapes, seeds that hold, errors that say what was wrong."""

from pathlib import Path

import numpy as np
import outflank_gym as gym
import pytest

README = Path(__file__).resolve().parents[2] / "README.md"

# Random setups alone: a pool of the others takes a while to draw.
RANDOM = (0.0, 0.0, 1.0)


def environment(games=4, seed=3, rules=("isf plies=60",)):
    """A small environment."""
    return gym.Environment(games, seed=seed, rules=list(rules), setups=RANDOM)


def any_codes(shown, rng):
    """A random legal action for each game."""
    ranges = zip(shown["starts"][:-1], shown["starts"][1:])
    return np.array([rng.choice(shown["legal"][a:b]) for a, b in ranges], np.uint16)


def play(games, steps, seed=1):
    """Random steps: what was shown before each, the actions, and what each returned."""
    rng, steps_made = np.random.default_rng(seed), []
    for _ in range(steps):
        shown = games.observe()
        codes = any_codes(shown, rng)
        steps_made.append((shown, codes, games.step(codes)))
    return steps_made


def test_arrays_have_the_shapes_and_types_of_the_readme():
    games = environment(5)
    shown = games.observe()
    shapes = {name: (value.shape, value.dtype.name) for name, value in shown.items() if name != "legal"}
    assert shapes == {
        "planes": ((5, gym.PLANES, 10, 10), "uint8"),
        "globals": ((5, gym.GLOBALS), "uint8"),
        "starts": ((6,), "uint32"),
        "movers": ((5,), "uint8"),
    }
    assert (gym.PLANES, gym.GLOBALS, gym.CODES, gym.ENCODING) == (64, 40, 10_000, 2)
    assert shown["legal"].dtype == np.uint16 and shown["legal"].shape == (shown["starts"][-1],)
    assert shown["starts"][0] == 0 and (np.diff(shown["starts"].astype(int)) > 0).all()
    assert (shown["legal"] < gym.CODES).all() and (shown["movers"] == 0).all()
    step = games.step(any_codes(shown, np.random.default_rng(1)))
    types = {name: (value.shape, value.dtype.name) for name, value in step.items()}
    assert types == {"done": ((5,), "bool"), **{name: ((5,), "int32") for name in ("result", "plies", "strikes")}}
    assert (games.observe()["movers"] == 1).all()


def test_legal_actions_start_at_own_pieces():
    for shown, _, _ in play(environment(3), 50):
        for row in range(3):
            legal = shown["legal"][shown["starts"][row] : shown["starts"][row + 1]].astype(int)
            ours = shown["planes"][row, :12].any(0).ravel()
            assert (np.diff(legal) > 0).all()
            assert ours[legal // 100].all() and not ours[legal % 100].any()


def test_an_illegal_action_is_refused_with_its_game():
    games = environment(2)
    legal = games.observe()["legal"]
    with pytest.raises(RuntimeError, match="(?s)game 1.*not legal"):
        games.step(np.array([legal[0], 9999], np.uint16))


def test_arrays_of_the_wrong_kind_are_refused():
    games = environment(2)
    codes = any_codes(games.observe(), np.random.default_rng(1))
    with pytest.raises(TypeError):
        games.step(codes.astype(np.int64))
    with pytest.raises(RuntimeError, match="actions for 2 games"):
        games.step(codes[:1])
    with pytest.raises(RuntimeError):
        gym.Environment(1, rules=["no such rules"])


def test_a_seed_and_the_actions_fix_everything():
    def run(seed):
        steps = play(environment(4, seed, ["isf plies=40", "evaluator barrage=on plies=20"]), 80)
        return [{**shown, **step} for shown, _, step in steps]

    one, two, other = run(5), run(5), run(6)
    for a, b in zip(one, two):
        assert all(np.array_equal(a[name], b[name]) for name in a)
    assert not np.array_equal(one[0]["planes"], other[0]["planes"])
    assert sum(step["done"].sum() for step in one) > 5


def test_games_end_and_results_belong_to_games_that_ended():
    steps = [step for _, _, step in play(environment(8, 1, ["isf barrage=on plies=80"]), 300)]
    ended = {name: np.concatenate([step[name][step["done"]] for step in steps]) for name in steps[0]}
    assert len(ended["done"]) > 20 and set(ended["result"]) == {-1, 0, 1}
    assert (ended["plies"] <= 80).all() and (ended["strikes"] <= ended["plies"]).all()
    assert not any(step["result"][~step["done"]].any() for step in steps)


def test_the_example_of_the_readme_runs_as_printed():
    block = README.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]
    names = {}
    exec(compile(block, "README.md", "exec"), names)
    assert names["games"].observe()["legal"].size > 0
