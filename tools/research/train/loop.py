"""The loop of self-play: who plays, what is learned from it, what is kept and what is logged."""

import math
import signal
import threading
import time
from collections import deque

import numpy as np
import torch

from actors import LocalActor, RayActors
from network import Network, Shape, load, save, sharpen, with_channels
from selfplay import Average, Learner


class Ruler:
    """Points against each built-in opponent in the latest games: whether learning is worth anything against outsiders."""

    LATEST = 1000

    def __init__(self, names, kept=None):
        self.points = {name: deque((kept or {}).get(name, []), Ruler.LATEST) for name in names}
        self.names = names

    def note(self, ended):
        """Takes in games that ended."""
        for one in ended:
            for opponent, side, result in zip(one["opponent"], one["side"], one["result"]):
                if opponent >= 0:
                    own = -result if side == 0 else result
                    self.points[self.names[opponent]].append((1 + int(own)) / 2)

    def read(self):
        """Of each opponent the mean of the points, its standard error, and the games."""
        return {name: [float(np.mean(list(points))), float(np.std(list(points)) / math.sqrt(len(points))), len(points)]
                for name, points in self.points.items() if points}


def vital_signs(ended):
    """What the games that ended tell."""
    column = {name: np.concatenate([one[name] for one in ended]) for name in ended[0]}
    inner = column["opponent"] < 0
    plies, strikes = column["plies"].sum(), column["strikes"].sum()
    signs = {"games": len(inner), "length": float(plies / max(len(inner), 1))}
    signs["strikes_per_100"] = float(100 * strikes / max(plies, 1))
    signs["draws"] = float((column["result"][inner] == 0).mean()) if inner.any() else 0.0
    return signs


def train(config, run, workers=0, address=None, minutes=math.inf):
    """Self-play until `plies` are done, the minutes are over or the process is asked to end (SIGTERM), and all is kept: by a thread of this
    process, or by so many workers of the Ray cluster at `address`."""
    torch.manual_seed(config["seed"])
    np.random.seed(config["seed"] % 2**32)
    going, until, asked = Going(config, run), time.time() + 60 * minutes, asked_to_end()
    seed = config["seed"] + going.plies
    actors = RayActors(config, run, seed, workers, address) if workers else LocalActor(config, run, seed)
    pick_past(actors, going.past, run)
    actors.start(going.network)
    while going.plies < config["plies"] and time.time() < until and not asked.is_set():
        start = time.time()
        found = actors.next(going.network)
        waited = time.time() - start
        measured = going.learner.learn(found.batches, going.plies)
        clock = {**found.clock, "waiting": waited, "learning": time.time() - start - waited}
        if going.take(found, measured, clock, time.time() - start):
            pick_past(actors, going.past, run)
    actors.close()
    going.keep()
    return going.network


def asked_to_end():
    """An event that SIGTERM sets from now on: whoever ends a run loses nothing of it."""
    asked = threading.Event()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda *_: asked.set())
    return asked


class Going:
    """A run of self-play as it stands: everything that is kept."""

    def __init__(self, config, run):
        self.config, self.run = config, run
        if config["start"]:
            network, _ = load(run.locate(config["start"]))
            network = with_channels(network, max(config["channels"], network.shape.channels))
            sharpen(network, config["start_temperature"])
        else:
            network = Network(Shape(config["channels"], config["blocks"]))
        self.network = network.to(run.device, memory_format=torch.channels_last)
        self.average = Average(self.network, config["average"])
        self.magnet = Average(self.network, config["magnet_average"])
        self.learner = Learner(config, run, self.network, self.magnet.network if config["magnet"] > 0 else None)
        state = run.resume(self.network, self.learner.optimizer)
        for one, name in ((self.average, "average"), (self.magnet, "magnet")):
            if name in state:
                one.network.load_state_dict(state[name])
        self.plies, self.hours, self.past = state.get("plies", 0), state.get("hours", 0.0), state.get("past", [])
        self.learner.haste = state.get("haste", 1.0)
        names = [one[2] if len(one) > 2 else one[0] for one in config["opponents"]]
        self.ruler = Ruler(names, state.get("ruler"))
        self.ended, self.kept, self.said = [], time.time(), 0.0

    def take(self, found, measured, clock, seconds):
        """Takes in an iteration; true if there is another earlier network to play against."""
        self.plies += found.plies
        self.hours += seconds / 3600
        for one in (self.average, self.magnet):
            one.follow(self.network, found.plies)
        self.ended = (self.ended + found.ended)[-8 * max(self.config["steps"], 64):]
        self.ruler.note(found.ended)
        self.tell(found, measured, clock, seconds)
        another = self.plies // self.config["past_every"] > (self.plies - found.plies) // self.config["past_every"]
        if another:
            path = self.run.path(f"past-{self.plies // 1000}k.pt")
            save(path, self.average.network, plies=self.plies, hours=self.hours)
            self.past.append(path.name)
        if time.time() - self.kept > self.run.every:
            self.keep()
        return another

    def tell(self, found, measured, clock, seconds):
        """Notes an iteration in the log; once a minute says how it goes."""
        ruler, signs = self.ruler.read(), vital_signs(self.ended)
        self.run.log(stage="play", plies=self.plies, hours=self.hours, rate=found.plies / seconds, spread=found.spread, ruler=ruler,
                     per_ply={name: 1e6 * spent / found.plies for name, spent in clock.items()}, **measured, **signs)
        if time.time() - self.said > 60:
            points = ", ".join(f"{name} {100 * mean:.1f} ± {100 * error:.1f}" for name, (mean, error, _) in ruler.items())
            print(f"{self.plies / 1e6:.2f} million plies, {found.plies / seconds:.0f} a second; entropy {measured['entropy']:.2f}, "
                  f"clipped {measured['clipped']:.3f}, draws {signs['draws']:.2f}; {points}", flush=True)
            self.said = time.time()

    def keep(self):
        """Keeps all that is needed to go on, and the averaged network beside it."""
        more = {"plies": self.plies, "hours": self.hours}
        ruler = {name: list(points) for name, points in self.ruler.points.items()}
        self.run.keep(self.network, self.learner.optimizer, past=self.past, ruler=ruler, haste=self.learner.haste,
                      average=self.average.network.state_dict(), magnet=self.magnet.network.state_dict(), **more)
        save(self.run.path("latest.pt"), self.average.network, **more)
        self.kept = time.time()


def pick_past(actors, past, run):
    """Draws the earlier network that some games are played against."""
    if past:
        actors.set_opponent(load(run.path(past[np.random.randint(len(past))]))[0])
