"""What Python sees of the environment: arrays of the right shapes, seeds that hold, records that play back, refusals that are told."""

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
import outflank_gym as gym
import pytest

ROOT = Path(__file__).resolve().parents[5]
FIXTURE = ROOT / "tests" / "policy"

# Random setups alone: a pool of the others takes a while to draw.
RANDOM = (0.0, 0.0, 1.0)


def environment(games=4, seed=3, rules=("isf plies=60",), **more):
    """A small environment."""
    return gym.Environment(games, seed=seed, rules=list(rules), setups=RANDOM, **more)


def any_codes(shown, rng):
    """A random legal action for each game."""
    ranges = zip(shown["starts"][:-1], shown["starts"][1:])
    return np.array([rng.choice(shown["legal"][a:b]) for a, b in ranges], np.uint16)


def play(games, steps, seed=1):
    """Random steps: what was shown before each, the actions, and what each returned."""
    rng, told = np.random.default_rng(seed), []
    for _ in range(steps):
        shown = games.observe()
        codes = any_codes(shown, rng)
        told.append((shown, codes, games.step(codes)))
    return told


def test_arrays_have_the_shapes_and_types_that_the_readme_tells():
    games = environment(5)
    shown = games.observe()
    shapes = {name: (value.shape, value.dtype.name) for name, value in shown.items() if name != "legal"}
    assert shapes == {
        "planes": ((5, gym.PLANES, 10, 10), "uint8"),
        "globals": ((5, gym.GLOBALS), "uint8"),
        "hidden": ((5, 100), "uint8"),
        "starts": ((6,), "uint32"),
        "movers": ((5,), "uint8"),
    }
    assert (gym.PLANES, gym.GLOBALS, gym.CODES, gym.ENCODING) == (64, 40, 10_000, 2)
    assert "advice" not in shown
    assert shown["legal"].dtype == np.uint16 and shown["legal"].shape == (shown["starts"][-1],)
    assert shown["starts"][0] == 0 and (np.diff(shown["starts"].astype(int)) > 0).all()
    assert (shown["legal"] < gym.CODES).all() and (shown["movers"] == 0).all()
    assert ((shown["hidden"] != 255).sum(1) == 40).all()
    step = games.step(any_codes(shown, np.random.default_rng(1)))
    types = {name: (value.shape, value.dtype.name) for name, value in step.items()}
    numbers = {name: ((5,), "int32") for name in ("result", "plies", "strikes", "opponent", "side")}
    assert types == {"done": ((5,), "bool"), **numbers}
    assert (games.observe()["movers"] == 1).all()


def test_legal_actions_start_at_own_pieces():
    for shown, _, _ in play(environment(3), 50):
        for row in range(3):
            legal = shown["legal"][shown["starts"][row] : shown["starts"][row + 1]].astype(int)
            ours = shown["planes"][row, :12].any(0).ravel()
            assert (np.diff(legal) > 0).all()
            assert ours[legal // 100].all() and not ours[legal % 100].any()


def test_an_adviser_tells_its_best_actions():
    for shown, _, _ in play(environment(3, adviser="nodes=5,candidates=2,policy=ignore"), 20):
        advice = np.split(shown["advice"], shown["starts"][1:-1])
        assert shown["advice"].dtype == np.float32 and len(shown["advice"]) == len(shown["legal"])
        assert all(row.max() == 0 and (row > -9999).sum() <= max(2, (row == 0).sum()) for row in advice)
    with pytest.raises(RuntimeError, match="candidates"):
        environment(adviser="nodes=5")


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
    with pytest.raises(RuntimeError):
        gym.Environment(1, opponents=[("player=nobody", 0.5)])


def test_a_seed_and_the_actions_fix_everything():
    def run(seed):
        opponents = [("player=random", 0.5)]
        told = play(environment(4, seed, ["isf plies=40", "evaluator barrage=on plies=20"], opponents=opponents), 80)
        return [{**shown, **step} for shown, _, step in told]

    one, two, other = run(5), run(5), run(6)
    for a, b in zip(one, two):
        assert all(np.array_equal(a[name], b[name]) for name in a)
    assert not np.array_equal(one[0]["planes"], other[0]["planes"])
    assert sum(step["done"].sum() for step in one) > 5


def test_games_end_and_results_belong_to_games_that_ended():
    told = play(environment(8, 1, ["isf barrage=on plies=80"], opponents=[("player=random", 0.5)]), 300)
    ended = {name: np.concatenate([step[name][step["done"]] for _, _, step in told]) for name in told[0][2]}
    assert len(ended["done"]) > 20 and set(ended["result"]) == {-1, 0, 1}
    assert (ended["plies"] <= 80).all() and (ended["strikes"] <= ended["plies"]).all()
    assert ((ended["opponent"] == 0) == (ended["side"] >= 0)).all() and set(ended["side"]) == {-1, 0, 1}
    for _, _, step in told:
        assert not step["result"][~step["done"]].any()


def test_mirroring_turns_files_round():
    codes = np.array([121, 0, 9, 3040], np.uint16)
    assert gym.mirrored(codes).tolist() == [828, 909, 900, 3949]
    everything = np.arange(gym.CODES, dtype=np.uint16)
    assert np.array_equal(gym.mirrored(gym.mirrored(everything)), everything)
    with pytest.raises(RuntimeError, match="no action"):
        gym.mirrored(np.array([gym.CODES], np.uint16))


def test_records_play_back_what_the_games_showed(tmp_path):
    games = environment(3, 9, ["isf plies=50", "isf barrage=on silent=on quiet=30"], records=True)
    rng, path = np.random.default_rng(2), tmp_path / "games.jsonl"
    seen, kept = [[], [], []], []
    for _ in range(150):
        shown = games.observe()
        codes = any_codes(shown, rng)
        for row in range(3):
            seen[row].append((shown["planes"][row], shown["globals"][row], shown["hidden"][row], codes[row]))
        done = games.step(codes)["done"]
        records = games.take_records()
        assert len(records) == done.sum()
        with path.open("a") as file:
            file.writelines(records)
        kept += [seen[row] for row in np.flatnonzero(done)]
        seen = [[] if done[row] else seen[row] for row in range(3)]
    assert [json.loads(line)["plies"] for line in path.read_text().splitlines()] == [len(game) for game in kept]
    plies, back = gym.Imitation([str(path)], rows=4, seed=1), 0
    while (shown := plies.next()) is not None:
        for row, (record, ply) in enumerate(zip(shown["record"], shown["ply"])):
            planes, globals_, hidden, code = kept[record][ply]
            assert np.array_equal(shown["planes"][row], planes)
            assert np.array_equal(shown["globals"][row], globals_)
            assert np.array_equal(shown["hidden"][row], hidden)
            policy = shown["policy"][shown["starts"][row] : shown["starts"][row + 1]]
            legal = shown["legal"][shown["starts"][row] : shown["starts"][row + 1]]
            assert shown["played"][row] == code == legal[policy.argmax()] and policy.sum() == 1
            back += 1
    assert back == sum(len(game) for game in kept) > 100
    assert {name: shown.dtype.name for name, shown in imitated_types(path).items()} == {
        "policy": "float32", "results": "uint8", "played": "uint16", "replies": "uint16", "record": "uint32", "ply": "uint32",
    }


def imitated_types(path):
    """What recorded games tell beside positions."""
    shown = gym.Imitation([str(path)], rows=2).next()
    return {name: shown[name] for name in ("policy", "results", "played", "replies", "record", "ply")}


def fixture_plies(tmp_path):
    """The plies of the game of `tests/policy/fixture.txt`, and its lines."""
    lines = (FIXTURE / "fixture.txt").read_text().splitlines()
    told = dict(line.split(" ", 1) for line in lines[:3])
    games = environment(1, 1, ["isf plies=2"], records=True)
    play(games, 2)
    record = json.loads(games.take_records()[0])
    moves = told["moves"].split()
    record.update(rules=told["rules"], setups=told["setups"].split(), moves=moves, nodes=[0] * len(moves))
    record["plies"] = len(moves)
    path = tmp_path / "fixture.jsonl"
    path.write_text(json.dumps(record) + "\n")
    return gym.Imitation([str(path)], rows=1), lines[3:]


def log_softmax(logits):
    """Logarithms of chances."""
    shifted = logits - logits.max()
    return shifted - np.log(np.exp(shifted).sum())


def evaluated(policy, shown):
    """What a network says of what was shown."""
    return policy.evaluate(shown["planes"], shown["globals"], shown["legal"], shown["starts"])


def test_a_network_says_about_what_torch_said(tmp_path):
    policy = gym.Policy((FIXTURE / "fixture.net").read_bytes())
    plies, lines = fixture_plies(tmp_path)
    wanted, compared = {}, 0
    for line in lines:
        key, rest = line.split(" ", 1)
        if key == "ply":
            ply = int(rest)
        elif key in ("outcome", "actions"):
            wanted[ply, key] = np.array(rest.split(), float)
    while (shown := plies.next()) is not None:
        ply = int(shown["ply"][0])
        if (ply, "actions") not in wanted:
            continue
        logits, values = evaluated(policy, shown)
        codes, logp = wanted[ply, "actions"].reshape(-1, 2).T
        assert np.array_equal(codes, shown["legal"])
        assert np.abs(np.exp(log_softmax(logits)) - np.exp(logp)).max() < 0.02
        assert np.abs(np.exp(log_softmax(values)) - wanted[ply, "outcome"]).max() < 0.02
        compared += 1
    assert compared == 4


def test_rows_are_evaluated_one_by_one_as_together():
    policy = gym.Policy((FIXTURE / "fixture.net").read_bytes())
    games = environment(37)
    play(games, 5)
    shown = games.observe()
    logits, values = evaluated(policy, shown)
    assert logits.shape == shown["legal"].shape and values.shape == (3 * 37,)
    for row in (0, 15, 16, 36):
        a, b = shown["starts"][row : row + 2]
        part = (shown["planes"][row : row + 1], shown["globals"][row : row + 1], shown["legal"][a:b])
        own, value = policy.evaluate(*part, np.array([0, b - a], np.uint32))
        assert np.array_equal(own, logits[a:b]) and np.array_equal(value, values[3 * row : 3 * row + 3])


def test_what_no_network_can_evaluate_is_refused():
    with pytest.raises(RuntimeError):
        gym.Policy(b"no network")
    policy = gym.Policy((FIXTURE / "fixture.net").read_bytes())
    shown = environment(2).observe()
    for name, value in (("starts", shown["starts"][:-1]), ("starts", shown["starts"][::-1].copy()),
                        ("legal", np.full_like(shown["legal"], gym.CODES)), ("globals", shown["globals"][:1])):
        with pytest.raises(RuntimeError, match="fit|no action"):
            evaluated(policy, {**shown, name: value})


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is missing: no network could be written")
def test_a_network_written_by_the_trainer_is_read(monkeypatch):
    sys.path.insert(0, str(ROOT / "tools" / "research" / "train"))
    from network import Network, Shape, to_bytes

    network = Network(Shape(channels=16, blocks=2))
    policy = gym.Policy(to_bytes(network))
    logits, values = evaluated(policy, environment(3).observe())
    assert np.isfinite(logits).all() and np.isfinite(values).all()
    with pytest.raises(RuntimeError):
        monkeypatch.setattr("network.ENCODING", gym.ENCODING + 1)
        gym.Policy(to_bytes(network))


def test_the_example_of_the_readme_runs_as_printed():
    text = (ROOT / "tools" / "research" / "gym" / "README.md").read_text(encoding="utf-8")
    block = text.partition("```python\n")[2].partition("```")[0]
    names = {}
    exec(compile(block, "README.md", "exec"), names)
    assert names["games"].observe()["legal"].size > 0
