"""The parts of learning that have an answer by hand: rows of unequal length, advantages of both players, mirrored positions, files.

Needs torch and `outflank_gym`; skipped without them."""

import copy
import json
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is missing: nothing about learning is tested")
gym = pytest.importorskip("outflank_gym", reason="outflank_gym is missing: nothing about learning is tested")

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from context import Run  # noqa: E402
from imitate import mixed, read_ahead, shown as batches  # noqa: E402
from judge import agreement, score  # noqa: E402
from net_file import pack, unpack  # noqa: E402
from network import ENCODING, Network, Shape, load, row_argmax, row_softmax, row_sum, sample, save, to_bytes, with_channels, write  # noqa: E402
from positions import MIRROR, Positions, concatenate, mirror_codes, rank_loss, reply_loss, select  # noqa: E402
from loop import Ruler  # noqa: E402
from selfplay import NO_REPLY, Average, advantages, replies, weighed  # noqa: E402
from strong import Learning, halves, tune  # noqa: E402

torch.set_num_threads(1)


def random_network(channels=16, blocks=2):
    """A network whose answers differ from action to action."""
    torch.manual_seed(7)
    network = Network(Shape(channels, blocks))
    with torch.no_grad():
        for value in network.parameters():
            fan = value[0].numel() if value.dim() > 1 else 16
            value.copy_(torch.randn(value.shape) * 1.4 / fan**0.5)
    return network.eval()


@pytest.fixture(scope="module")
def shown():
    """Positions of games that have gone on for a while."""
    rules, adviser = ["isf", "evaluator silent=on"], "nodes=40,candidates=4,moves=ignore,policy=ignore"
    games = gym.Environment(12, seed=4, rules=rules, setups=(0.0, 0.0, 1.0), adviser=adviser)
    rng = np.random.default_rng(4)
    for _ in range(120):
        shown = games.observe()
        ranges = zip(shown["starts"][:-1], shown["starts"][1:])
        games.step(np.array([rng.choice(shown["legal"][a:b]) for a, b in ranges], np.uint16))
    return games.observe()


STARTS = torch.tensor([0, 3, 4, 6])
ROWS = torch.tensor([0, 0, 0, 1, 2, 2])


def test_chances_sum_to_one_in_each_row():
    logits = torch.tensor([1.0, 2.0, 3.0, 700.0, -800.0, -800.0])
    chances = row_softmax(logits, ROWS, 3).exp()
    expected = torch.cat([logits[:3].softmax(0), torch.tensor([1.0, 0.5, 0.5])])
    assert torch.allclose(chances, expected)
    assert torch.allclose(row_sum(chances, ROWS, 3), torch.ones(3))


def test_gradients_flow_through_the_chances_of_a_row():
    logits = torch.tensor([0.3, -0.2, 0.9, 1.0, 2.0, 0.0], dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: row_softmax(x, ROWS, 3), logits)


def test_the_largest_of_each_row_is_found():
    assert row_argmax(torch.tensor([1.0, 5.0, 3.0, -9.0, 2.0, 4.0]), STARTS).tolist() == [1, 3, 5]


def test_draws_follow_the_chances():
    logp = torch.tensor([0.7, 0.2, 0.1, 1.0, 0.5, 0.5]).log()
    generator, counts = torch.Generator().manual_seed(3), torch.zeros(6)
    for _ in range(4000):
        counts[sample(logp, STARTS, generator)] += 1
    assert torch.allclose(counts / 4000, logp.exp(), atol=0.03)
    again = [sample(logp, STARTS, torch.Generator().manual_seed(8)).tolist() for _ in range(2)]
    assert again[0] == again[1]


def test_an_impossible_action_is_not_drawn():
    logp = torch.tensor([0.0, -60.0, -60.0, 0.0, 0.0, -60.0])
    assert all(sample(logp, STARTS).tolist() == [0, 3, 4] for _ in range(500))


def test_selected_rows_keep_their_actions(shown):
    positions = Positions.of(shown)
    rows = torch.tensor([7, 2, 11])
    part, places = select(positions, rows)
    assert len(part) == 3 and torch.equal(part.planes, positions.planes[rows])
    assert torch.equal(part.legal, positions.legal[places])
    for new, old in enumerate(rows.tolist()):
        own = positions.legal[positions.starts[old] : positions.starts[old + 1]]
        assert torch.equal(part.legal[part.starts[new] : part.starts[new + 1]], own)
        assert torch.equal(part.hidden[new], positions.hidden[old])
    assert torch.equal(part.advice, positions.advice[places])


def test_parts_put_together_are_the_whole(shown):
    positions = Positions.of(shown)
    parts = [select(positions, torch.arange(a, b))[0] for a, b in ((0, 5), (5, 6), (6, 12))]
    whole = concatenate(parts)
    for name in ("planes", "game", "legal", "starts", "hidden", "advice"):
        assert torch.equal(getattr(whole, name), getattr(positions, name)), name
    assert torch.equal(whole.rows, positions.rows)


def test_an_adviser_says_what_may_be_played_and_the_network_adds_to_that(shown):
    positions = Positions.of(shown)
    logits = torch.randn(len(positions.legal), generator=torch.Generator().manual_seed(3))
    assert weighed(logits, positions, None) is logits
    played = weighed(logits, positions, {"weight": 10.0, "temperature": 5.0})
    assert torch.allclose(played, positions.advice / 5 + 2 * logits)
    chances = row_softmax(played, positions.rows, len(positions)).exp()
    advised = positions.advice > -9999
    assert 12 <= int(advised.sum()) <= 48 and float(chances[~advised].sum()) == 0


def test_mirrored_codes_are_those_of_the_gym():
    codes = np.arange(gym.CODES, dtype=np.uint16)
    assert mirror_codes(torch.from_numpy(codes.astype(np.int64))).tolist() == gym.mirrored(codes).tolist()
    assert MIRROR[:10].tolist() == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]


def test_mirrored_positions_are_mirrored_by_square(shown):
    positions = Positions.of(shown)
    mirrored = positions.mirrored()
    flat, turned = positions.planes.flatten(2), mirrored.planes.flatten(2)
    assert torch.equal(turned, flat[:, :, MIRROR]) and not torch.equal(turned, flat)
    assert torch.equal(mirrored.hidden, positions.hidden[:, MIRROR])
    # An own piece stands where each mirrored action begins.
    ours = mirrored.planes[:, :12].flatten(2).any(1)
    assert bool(ours[mirrored.rows, mirrored.legal // 100].all())
    twice = mirrored.mirrored()
    assert torch.equal(twice.legal, positions.legal) and torch.equal(twice.planes, positions.planes)


WIN, DRAW, LOSS = (1, 0, 0), (0, 1, 0), (0, 0, 1)
CONFIG = {"draw": -0.1, "lambda_policy": 0.5, "lambda_value": 0.8}


def sequence(*plies):
    """Plies of one game: who moves, what it expects, and, at the end of a game, the result."""
    return [
        {"movers": np.array([mover]), "value": np.array([value], np.float32),
         "done": np.array([result is not None]), "result": np.array([result or 0], np.int32)}
        for mover, value, result in plies
    ]


def check(plies, last, mover, gains, targets):
    """Compares with what was worked out by hand."""
    found = advantages(plies, np.array([last], np.float32), np.array([mover]), CONFIG)
    assert np.allclose(found[0][:, 0], gains, atol=1e-6)
    assert np.allclose(found[1][:, 0], targets, atol=1e-6)


def test_both_sides_sequences_end_with_the_result():
    # Points expected: 0.5 - 0.02 - 0.3 = 0.18, 0.2 - 0.03 - 0.5 = -0.33, 0.6 - 0.02 - 0.2 = 0.38; Red wins with the third ply.
    plies = sequence((0, (0.5, 0.2, 0.3), None), (1, (0.2, 0.3, 0.5), None), (0, (0.6, 0.2, 0.2), 1))
    # Red: 0.38 - 0.18 + 0.5 * 0.62 and 1 - 0.38; Blue: -1 + 0.33. Red's first target: a fifth of its next expectation, four of the win.
    check(plies, (0.3, 0.3, 0.4), 0, [0.51, -0.67, 0.62], [(0.92, 0.04, 0.04), LOSS, WIN])


def test_colours_exchanged_change_no_advantage():
    plies = sequence((1, (0.5, 0.2, 0.3), None), (0, (0.2, 0.3, 0.5), None), (1, (0.6, 0.2, 0.2), -1))
    check(plies, (0.3, 0.3, 0.4), 1, [0.51, -0.67, 0.62], [(0.92, 0.04, 0.04), LOSS, WIN])


def test_a_draw_is_worth_what_the_configuration_says():
    plies = sequence((0, (0.2, 0.6, 0.2), None), (1, (0.2, 0.6, 0.2), 0))
    # -0.1 against 0.2 - 0.06 - 0.2 = -0.06.
    check(plies, (0.3, 0.3, 0.4), 0, [-0.04, -0.04], [DRAW, DRAW])


def test_a_game_that_goes_on_ends_with_what_is_expected():
    plies = sequence((0, (0.5, 0.2, 0.3), None), (1, (0.2, 0.3, 0.5), None))
    # Red is to move and expects (0.3, 0.3, 0.4), -0.13 points; for Blue that is (0.4, 0.3, 0.3), 0.07 points.
    check(plies, (0.3, 0.3, 0.4), 0, [-0.31, 0.40], [(0.3, 0.3, 0.4), (0.4, 0.3, 0.3)])


def test_nothing_leaks_from_one_game_to_the_one_before():
    before = ((0, (0.5, 0.2, 0.3), None), (1, (0.2, 0.3, 0.5), -1))
    after = ((0, (0.9, 0.1, 0.0), None), (1, (0.1, 0.1, 0.8), 1))
    alone = advantages(sequence(*before), np.array([(0.3, 0.3, 0.4)], np.float32), np.array([0]), CONFIG)
    both = advantages(sequence(*before, *after), np.array([(0.3, 0.3, 0.4)], np.float32), np.array([0]), CONFIG)
    assert np.allclose(both[0][:2], alone[0]) and np.allclose(both[1][:2], alone[1])


def test_replies_are_told_as_the_player_before_sees_them():
    plies = [
        {"codes": np.array([3040, 3040]), "movers": np.array([0, 0]), "done": np.array([False, True])},
        {"codes": np.array([3141, 3141]), "movers": np.array([1, 0]), "done": np.array([False, False])},
        {"codes": np.array([4050, 3242]), "movers": np.array([0, 0]), "done": np.array([False, False])},
    ]
    # 3141 turned round is 6858; the second game ends, then the same side moves twice, since an opponent answers.
    assert replies(plies).tolist() == [[6858, NO_REPLY], [5949, NO_REPLY], [NO_REPLY, NO_REPLY]]


def test_losses_of_hidden_ranks_and_replies_are_those_of_a_guess_at_first(shown):
    positions, network = Positions.of(shown), Network(Shape(16, 2))
    for head in (network.rank, network.reply):
        torch.nn.init.zeros_(head.weight)
        torch.nn.init.zeros_(head.bias)
    features = network.trunk(positions.planes, positions.game)
    assert abs(rank_loss(network, features, positions.hidden).item() - np.log(12)) < 1e-5
    answers = torch.full((len(positions),), 6858)
    assert abs(reply_loss(network, features, answers).item() - 2 * np.log(100)) < 1e-4
    assert reply_loss(network, features, torch.full((len(positions),), NO_REPLY)).item() == 0


def test_rust_acts_about_as_torch_does(shown):
    network, positions = random_network(), Positions.of(shown)
    assert (ENCODING, network.shape.planes) == (gym.ENCODING, gym.PLANES)
    with torch.inference_mode():
        logits, value = network(positions.planes, positions.game, positions.legal, positions.rows)
    policy = gym.Policy(to_bytes(network))
    found, values = policy.evaluate(shown["planes"], shown["globals"], shown["legal"], shown["starts"])
    rows, count = positions.rows, len(positions)
    chances = row_softmax(logits, rows, count).exp()
    ours = row_softmax(torch.from_numpy(found), rows, count).exp()
    assert float(chances.max()) > 0.2
    # Weights of one byte, which this network, never trained, feels more than others.
    assert float((chances - ours).abs().max()) < 0.03
    assert float((value.softmax(1) - torch.from_numpy(values).reshape(-1, 3).softmax(1)).abs().max()) < 0.02


def test_a_network_with_more_channels_is_the_same_until_it_learns(shown):
    network, positions = random_network(), Positions.of(shown)
    broad = with_channels(network, 32)
    assert broad.shape.channels == 32
    with torch.no_grad():
        one, other = (each(positions.planes, positions.game, positions.legal, positions.rows) for each in (network, broad))
    assert all(torch.allclose(before, after, atol=1e-4) for before, after in zip(one, other, strict=True))
    # What the new channels hold can be learned from.
    broad(positions.planes, positions.game, positions.legal, positions.rows)[0].square().mean().backward()
    assert float(broad.ends.weight.grad[:, 16:].abs().max()) > 0
    assert float(broad.blocks[0].second.weight.grad[:16, 16:].abs().max()) > 0


def test_a_kept_network_is_loaded_as_it_was(tmp_path, shown):
    network, positions = random_network(), Positions.of(shown)
    save(tmp_path / "net.pt", network, plies=7)
    loaded, kept = load(tmp_path / "net.pt")
    assert kept["plies"] == 7 and loaded.shape == network.shape
    rounded = copy.deepcopy(network).half().float().state_dict()
    assert all(torch.equal(value, rounded[name]) for name, value in loaded.state_dict().items())
    with torch.inference_mode():
        arguments = (positions.planes, positions.game, positions.legal, positions.rows)
        (one, _), (two, _) = network(*arguments), loaded.eval()(*arguments)
    assert float((one - two).abs().max()) < 0.05


def test_plies_at_which_nobody_was_asked_are_not_imitated(shown):
    policy = np.zeros(len(shown["legal"]), np.float32)
    asked = range(0, len(shown["starts"]) - 1, 3)
    for row in asked:
        policy[shown["starts"][row]] = 1.0
    count = len(shown["starts"]) - 1
    part = {**shown, "policy": policy, **{name: np.zeros(count, np.int64) for name in ("results", "replies", "played")}}
    batches = list(mixed([part], 2, 1.0, np.random.default_rng(1)))
    assert sum(len(positions) for positions, *_ in batches) == len(asked)
    for positions, chances, *_ in batches:
        assert torch.equal(row_sum(chances, positions.rows, len(positions)), torch.ones(len(positions)))


def test_an_error_of_the_reading_thread_is_told(tmp_path):
    config = {"rows": 4, "mixed": 2, "batch": 8, "temperature": 1.0, "best": 0.0}
    with pytest.raises(Exception, match="missing.jsonl"):
        list(read_ahead(lambda: batches([str(tmp_path / "missing.jsonl")], config, 1)))
    assert list(read_ahead(lambda: iter([1, None, 2]))) == [1, None, 2]


def test_what_has_no_result_is_counted_apart():
    def game(winner, reason):
        return json.dumps({"players": [{"name": "policy"}, {"name": "other"}], "outcome": {"winner": winner, "reason": reason}, "plies": 10})

    games = [game("red", "flag"), game("blue", "flag"), game("draw", "cap"), game("red", "fault"), game("none", "unfinished")]
    found = score(games, "policy")
    counts = {name: found[name] for name in ("won", "drawn", "lost", "faults", "unfinished")}
    assert counts == dict.fromkeys(counts, 1) and found["score"] == 0.5


def test_a_network_written_for_the_engine_is_read_back(tmp_path):
    network = random_network()
    write(tmp_path / "net.net", network)
    again, kept = load(tmp_path / "net.net")
    assert kept == {} and again.shape == network.shape
    ours, theirs = network.state_dict(), again.state_dict()
    assert all(torch.equal(value, theirs[name]) for name, value in ours.items())


def test_a_file_that_is_no_network_is_refused(tmp_path):
    path, data = tmp_path / "net.net", to_bytes(random_network())
    more = pack([*unpack(data).items(), ("more", b"")])
    for wrong, why in [
        (b"", "no net"),
        (b"my notes", "no net"),
        (data[:12], "too short"),
        (data[:-1], "the checksum is wrong"),
        (data[:40] + b"x" + data[41:], "the checksum is wrong"),
        (data[:8] + b"\2" + data[9:], "version 2"),
        (pack([]), "policy has 0 bytes, not 24"),
        (more, "more than a network: \\['more'\\]"),
    ]:
        path.write_bytes(wrong)
        with pytest.raises(ValueError, match=f"net.net: .*{why}"):
            load(path)


def test_nothing_in_a_kept_file_is_run(tmp_path):
    class Program:
        def __reduce__(self):
            return (Path.touch, (tmp_path / "run",))

    torch.save({"shape": Program()}, tmp_path / "net.pt")
    with pytest.raises(pickle.UnpicklingError):
        load(tmp_path / "net.pt")
    assert not (tmp_path / "run").exists()


def test_a_run_goes_on_with_what_it_kept(tmp_path):
    run, network = Run({"folder": str(tmp_path), "threads": 1}), random_network()
    run.stage = "play"
    optimizer = torch.optim.AdamW(network.parameters())
    network.board.bias.sum().backward()
    optimizer.step()
    state = {"past": ["past-1k.pt"], "ruler": {"engine": [0.5, 1.0]}, "haste": 1.02, "average": network.state_dict(), "plies": 3}
    run.keep(network, optimizer, **state)
    again = random_network()
    resumed = torch.optim.AdamW(again.parameters())
    found = run.resume(again, resumed)
    assert {name: found[name] for name in state if name != "average"} == {name: state[name] for name in state if name != "average"}
    assert torch.equal(again.board.bias, network.board.bias) and len(resumed.state) == len(optimizer.state)


def test_an_average_follows_as_many_plies_as_it_is_told():
    one, other = random_network(), Network(Shape(16, 2))
    average = Average(one, 1000)
    for _ in range(10):
        average.follow(other, 100)
    # After as many plies as it averages over, a share of 1/e of where it began is left.
    began, ended, found = (network.board.bias for network in (one, other, average.network))
    assert torch.allclose(found, ended + (began - ended) * np.exp(-1), atol=1e-6)


def test_the_ruler_has_the_points_of_who_learns():
    ruler = Ruler(["engine", "network"])
    game = {"opponent": np.array([-1, 0, 0, 1]), "side": np.array([0, 0, 1, 1]), "result": np.array([1, 1, 1, 0])}
    ruler.note([game] * 4)
    # Red wins each: a game is lost where the engine is Red, and won where it is Blue.
    assert ruler.read() == {"engine": [0.5, 0.5 / 8**0.5, 8], "network": [0.5, 0.0, 4]}
    for _ in range(2000):
        ruler.note([{name: column[:2] for name, column in game.items()}])
    assert ruler.read()["engine"] == [0.0, 0.0, 1000]


def test_what_is_tuned_to_games_agrees_with_them_more(tmp_path):
    games = Path(__file__).parents[4] / "docs" / "games" / "games.jsonl"
    learned, held_out = halves(games, tmp_path)
    lines = games.read_text().splitlines()
    assert Path(learned[0]).read_text().splitlines() == lines[::2] and Path(held_out[0]).read_text().splitlines() == lines[1::2]
    weights = {"value": 0.5, "ranks": 0.1, "reply": 0.05}
    run = Run({"folder": str(tmp_path), "threads": 1, "play": {"weights": weights}})
    save(tmp_path / "net.pt", random_network())
    tune(run, tmp_path / "net.pt", games, passes=2, rate=1e-3, dropout=0.1, average=500)
    found = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [one["passed"] for one in found] == [0, 1, 2]
    assert found[-1]["learned"]["nats"] < found[0]["learned"]["nats"] - 0.2
    _, kept = load(tmp_path / "strong.pt")
    best = min(found[1:], key=lambda one: one["held out"]["nats"])
    assert kept["passed"] == best["passed"]


def test_all_games_are_learned_where_nothing_is_held_out(tmp_path):
    games = Path(__file__).parents[4] / "docs" / "games" / "games.jsonl"
    run = Run({"folder": str(tmp_path), "threads": 1, "play": {"weights": {"ranks": 0.1, "reply": 0.05}}})
    save(tmp_path / "net.pt", random_network())
    tune(run, tmp_path / "net.pt", games, passes=1, rate=1e-3, average=500, everything=True)
    half, _ = halves(games, tmp_path)
    _, kept = load(tmp_path / "strong.pt")
    assert kept["passed"] == 1 and "held out" not in kept["found"]
    assert kept["found"]["learned"]["positions"] > agreement(random_network(), half, run)["positions"]


def test_the_rate_rises_and_then_falls_as_a_cosine(tmp_path):
    run = Run({"folder": str(tmp_path), "threads": 1, "play": {}})
    rates = Learning(run, random_network(), passes=10, rate=1.0, dropout=0.0, average=500)
    rates.positions, told = 100, []
    for rates.seen in (0, 50, 500, 1000):
        told.append(rates.rate_now())
    assert told[0] < 0.02 and told[1] > 0.98 and abs(told[2] - 0.51) < 0.01 and abs(told[3] - 0.02) < 1e-6
