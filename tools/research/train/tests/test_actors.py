"""Workers on a Ray cluster: what they are sent, what they send back, and that one may die.

Needs torch and `outflank_gym`, most of it Ray; skipped without them."""

import os
import signal
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is missing: nothing about learning is tested")
pytest.importorskip("outflank_gym", reason="outflank_gym is missing: nothing about learning is tested")

TRAIN = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TRAIN))

from actors import RayActors, LocalActor, to_message, from_message  # noqa: E402
from context import Context  # noqa: E402
from network import Network, Shape  # noqa: E402


@pytest.fixture
def settings():
    """A small run."""
    settings = tomllib.loads((TRAIN / "configs" / "barrage.toml").read_text())
    settings["device"] = "cpu"
    settings["play"] |= {"games": 8, "steps": 6, "batch": 8, "opponents": []}
    return settings


def check(found, config):
    """A make_rollout is what was played, the share with the largest advantages in batches."""
    assert found.plies == config["games"] * config["steps"]
    count = sum(len(batch[0]) for batch in found.batches)
    assert 0 < count <= config["keep"] * found.plies
    for positions, logp, chosen, gain, target, answer in found.batches:
        assert len(positions) == len(chosen) == len(gain) == len(target) == len(answer)
        assert len(logp) == len(positions.legal)


def test_a_network_that_was_sent_is_the_same():
    network = Network(Shape(8, 2))
    again = from_message(to_message(network))
    assert again.shape == network.shape
    assert all(torch.equal(one, other) for one, other in zip(network.state_dict().values(), again.state_dict().values()))


def test_a_thread_plays_what_is_learned_from(settings):
    config = settings["play"]
    actors, network = LocalActor(config, Context(settings), 5), Network(Shape(8, 2))
    actors.start(network)
    for _ in range(2):
        check(actors.next(network), config)
    actors.close()


def test_who_is_advised_plays_what_the_search_names(settings):
    config = settings["play"] | {"adviser": {"player": "nodes=5,candidates=2,policy=ignore", "weight": 10.0, "temperature": 5.0}}
    actors = LocalActor(config, Context(settings), 5)
    actors.start(Network(Shape(8, 2)))
    for positions, logp, chosen, *_ in actors.next(Network(Shape(8, 2))).batches:
        picked = positions.starts[:-1] + chosen
        assert (positions.advice[picked] > -9999).all() and torch.isfinite(logp).all()
        advised = [int((row > -9999).sum()) for row in positions.advice.tensor_split(positions.starts[1:-1])]
        assert max(advised) == 2
    actors.close()


def test_workers_play_what_is_learned_from_and_one_may_die(settings):
    ray = pytest.importorskip("ray", reason="Ray is missing: workers on a cluster are not tested")
    config = settings["play"]
    actors, network = RayActors(config, Context(settings), 5, 2), Network(Shape(8, 2))
    try:
        actors.set_opponent(network)
        actors.start(network)
        seen = [actors.next(network) for _ in range(3)]
        ray.kill(next(iter(actors.at_work.values())))
        seen += [actors.next(network) for _ in range(4)]
        assert actors.started == 3
        for found in seen:
            check(found, config)
        # Each has games of its own.
        firsts = {found.batches[0][0].planes.numpy().tobytes() for found in seen}
        assert len(firsts) == len(seen) and np.isfinite(seen[-1].spread)
    finally:
        actors.close()


def test_a_run_that_is_asked_to_end_keeps_what_it_has(settings, tmp_path):
    from context import Run
    from loop import train

    settings["folder"] = str(tmp_path)
    settings["play"] |= {"start": "", "channels": 8, "blocks": 2}
    run = Run(settings)
    run.stage = "play"
    # After its first line, not before: the signal is only heard once the run has begun.
    write = run.log
    run.log = lambda **line: (write(**line), os.kill(os.getpid(), signal.SIGTERM))
    before = signal.getsignal(signal.SIGTERM)
    try:
        train(settings["play"], run)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert len((tmp_path / "log.jsonl").read_text().splitlines()) == 1
    assert torch.load(tmp_path / "play.state", weights_only=True)["plies"] == settings["play"]["games"] * settings["play"]["steps"]
