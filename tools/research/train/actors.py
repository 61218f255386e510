"""Who plays the games that are learned from: a thread of this process, or workers of a Ray cluster, one learner in either case."""

import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch

from context import Context
from network import Network
from selfplay import Actor, make_rollout


MOST_LOST = 3
"""For each worker so many may die in a row."""


class LocalActor:
    """One actor in a thread: it plays while the last plies are learned from, by a network that is one iteration older."""

    def __init__(self, config, context, seed):
        self.config = config
        self.actor = Actor(config, context, seed)
        self.pool, self.ahead = ThreadPoolExecutor(1), None

    def set_opponent(self, past):
        """An earlier network, against which some games are played from now on."""
        self.actor.past = self.actor.prepare(past)

    def start(self, network):
        """Plays the first plies by this network."""
        self.ahead = self.pool.submit(self.actor.play, self.actor.prepare(network), self.config["steps"])

    def next(self, network):
        """What is to be learned from next; this network plays on meanwhile."""
        played = self.ahead.result()
        self.start(network)
        return make_rollout(played, self.config)

    def close(self):
        """Nobody plays on."""
        self.pool.shutdown(cancel_futures=True)


class RayActors:
    """Workers of a Ray cluster, each with games of its own. Whoever is ready is learned from, and plays on by the network of that
    moment; so with N workers plies come from a network that is up to N iterations old. A worker that dies is replaced by another; its
    plies of that iteration are lost.

    A worker sends what is to be learned from, a quarter of its plies (`keep`): 44 MB for 32,768 plies."""

    def __init__(self, config, context, seed, workers, address=None):
        import ray

        self.ray, self.config, self.settings, self.seed = ray, config, context.config, seed
        here = str(Path(__file__).parent)
        code = {"working_dir": here, "excludes": ["runs", "tests", "configs", "__pycache__"]}
        # Ray's own words go to its log files.
        ray.init(address=address, runtime_env=code, logging_level=logging.WARNING, include_dashboard=False, log_to_driver=False)
        self.kind = ray.remote(num_cpus=1, max_restarts=0)(Worker)
        self.workers, self.started, self.lost_in_a_row = workers, 0, 0
        self.past, self.at_work = None, {}

    def set_opponent(self, past):
        """An earlier network, against which some games are played from now on."""
        self.past = self.ray.put(to_message(past))

    def start(self, network):
        """All workers play by this network."""
        packet = self.ray.put(to_message(network))
        for _ in range(self.workers):
            self.send(self.spawn(), packet)

    def spawn(self):
        """A new worker, with games of its own."""
        self.started += 1
        return self.kind.remote(self.config, self.settings, self.seed + 1_000_003 * self.started)

    def send(self, worker, packet):
        """Has it play on."""
        self.at_work[worker.play.remote(packet, self.past)] = worker

    def next(self, network):
        """What the next worker that is ready has played; this network plays on there."""
        packet = self.ray.put(to_message(network))
        while True:
            ready = self.ray.wait(list(self.at_work), num_returns=1)[0][0]
            worker = self.at_work.pop(ready)
            try:
                found = self.ray.get(ready)
            except (self.ray.exceptions.RayActorError, self.ray.exceptions.ObjectLostError) as error:
                self.lost_in_a_row += 1
                # Where none lives long enough to play, another will not, either: a package may be missing there.
                if self.lost_in_a_row > MOST_LOST * self.workers:
                    raise
                logging.warning("a worker has died, another takes its place: %s", str(error).splitlines()[0])
                self.send(self.spawn(), packet)
                continue
            self.lost_in_a_row = 0
            self.send(worker, packet)
            return found

    def close(self):
        """Ends the workers."""
        self.ray.shutdown()


class Worker:
    """An actor in a process of its own, on any machine of the cluster; it learns nothing."""

    def __init__(self, config, settings, seed):
        torch.manual_seed(seed)
        self.config = config
        self.actor = Actor(config, Context({**settings, "device": "cpu", "threads": 1}), seed)

    def play(self, packet, past):
        """Plays on by this network, and against that earlier one; what is to be learned from."""
        if past is not None:
            self.actor.past = self.actor.prepare(from_message(past))
        return make_rollout(self.actor.play(self.actor.prepare(from_message(packet)), self.config["steps"]), self.config)


def to_message(network):
    """A network as it is sent."""
    return network.shape, {name: value.detach().cpu().numpy().copy() for name, value in network.state_dict().items()}


def from_message(packet):
    """A network that was sent."""
    shape, weights = packet
    network = Network(shape)
    network.load_state_dict({name: torch.from_numpy(value.copy()) for name, value in weights.items()})
    return network.eval()
