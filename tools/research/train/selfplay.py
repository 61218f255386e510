"""Learning by self-play: proximal policy optimisation (Schulman et al. 2017), held near a slowly moving policy, the magnet (magnetic
mirror descent, Sokota et al. 2022): what pulls towards it keeps players of games with hidden information from going in circles.

Three sets of weights: the ones that learn, their average over `average` plies, which is what is judged, kept and put into the engine, and
their average over `magnet_average` plies, the magnet. Advantages are divided by their spread, so the pulls are told in spreads.

One iteration plays `steps` plies in each of `games` games and learns once from the plies whose advantages are largest. Both players of
a game are learned from, each from its own plies; a game's result is seen from the side of whoever it concerns.
"""

import copy
import math
import time
from dataclasses import dataclass

import numpy as np
import outflank_gym
import torch

from network import row_softmax, sample, to_bytes
from positions import NO_REPLY, Positions, concatenate, rank_loss, reply_loss, select


def weighed(logits, positions, adviser):
    """The logits by which is played: the network's. With an adviser they are what its search expects of each action, to which the network
    adds `weight` points a nat, as at the engine's root; an action is drawn e times less often for each `temperature` points less."""
    if adviser is None:
        return logits
    return (positions.advice + adviser["weight"] * logits) / adviser["temperature"]


class Actor:
    """Plays the games of an environment with a network, and with earlier ones for some opponents."""

    def __init__(self, config, context, seed):
        opponents = [tuple(one[:2]) for one in config["opponents"]]
        self.games, self.context, self.adviser = config["games"], context, config.get("adviser")
        rules = [text for text, weight in config["rules"].items() for _ in range(weight)]
        self.environment = outflank_gym.Environment(
            self.games, seed, rules, tuple(config["setups"]), opponents, adviser=self.adviser and self.adviser["player"]
        )
        self.shown = self.environment.observe()
        self.past = None
        self.rust = context.config.get("actor", "rust" if context.device.type == "cpu" else "torch") == "rust"
        """Whether Rust acts, with the integers of the engine, or torch."""
        index = np.arange(self.games)
        self.met = index < int(round(config["past_share"] * self.games))
        """In these games an earlier network plays one side."""
        self.past_side = index % 2

    def prepare(self, network):
        """A network as this actor evaluates it; later changes of the network do not reach it."""
        if self.rust:
            return outflank_gym.Policy(to_bytes(network))
        return copy.deepcopy(network).to(self.context.device, memory_format=torch.channels_last).eval()

    @torch.inference_mode()
    def judge(self, acting, positions):
        """Logarithms of the chances of the legal actions, and the chances of win, draw and loss."""
        if self.rust:
            arrays = (positions.planes, positions.game, positions.legal.to(torch.uint16), positions.starts.to(torch.uint32))
            logits, value = (torch.from_numpy(part) for part in acting.evaluate(*(one.numpy() for one in arrays)))
            value = value.reshape(-1, 3)
        else:
            positions = positions.to(self.context.device)
            with self.context.precision():
                logits, value = acting(positions.planes, positions.game, positions.legal, positions.rows)
        logits = weighed(logits, positions, self.adviser)
        return row_softmax(logits, positions.rows.to(logits.device), len(positions)).cpu(), value.softmax(1).cpu()

    def play(self, acting, steps):
        """So many plies in each game."""
        clock, plies = {"encoding": 0.0, "acting": 0.0, "environment": 0.0}, []
        ended = []
        for _ in range(steps):
            began = time.time()
            positions = Positions.of(self.shown)
            movers = self.shown["movers"].astype(np.int64)
            foreign = self.met & (movers == self.past_side) & (self.past is not None)
            logp, value = self.judge(acting, positions)
            if foreign.any():
                logp = self.with_past(logp, positions, foreign)
            chosen = sample(logp, positions.starts)
            codes = positions.legal[chosen]
            acted = time.time()
            result = self.environment.step(codes.numpy().astype(np.uint16))
            stepped = time.time()
            self.shown = self.environment.observe()
            plies.append({"positions": positions, "movers": movers, "foreign": foreign, "logp": logp,
                          "chosen": chosen - positions.starts[:-1], "codes": codes.numpy(), "value": value.numpy(),
                          **{name: result[name] for name in ("done", "result")}})
            ended.append({name: result[name][result["done"]] for name in ("result", "plies", "strikes", "opponent", "side")})
            clock["acting"] += acted - began
            clock["environment"] += stepped - acted
            clock["encoding"] += time.time() - stepped
        last = self.judge(acting, Positions.of(self.shown))[1].numpy()
        return plies, last, self.shown["movers"].astype(np.int64), clock, ended

    def with_past(self, logp, positions, foreign):
        """Where an earlier network is to move, its chances."""
        rows = torch.from_numpy(np.flatnonzero(foreign))
        part, places = select(positions, rows)
        logp = logp.clone()
        logp[places] = self.judge(self.past, part)[0]
        return logp


def advantages(plies, last, movers, config):
    """Of each ply its advantage and the target of its value (win, draw, loss), by generalised advantage estimation.

    Each side's plies are a sequence of their own; at the end of a game both sides' sequences end with its result.
    """
    count = len(last)
    rows = np.arange(count)
    points = np.array([1.0, config["draw"], -1.0], np.float32)
    value = np.zeros((2, count, 3), np.float32)
    # Who is not to move expects about the contrary of who is.
    value[movers, rows], value[1 - movers, rows] = last, last[:, ::-1]
    target, gain = value.copy(), np.zeros((2, count), np.float32)
    found = []
    for ply in reversed(plies):
        done, mover = ply["done"], ply["movers"]
        for side, sign in ((0, 1), (1, -1)):
            came = np.eye(3, dtype=np.float32)[1 - sign * ply["result"][done]]
            value[side, done] = target[side, done] = came
            gain[side, done] = 0
        now = ply["value"]
        change = (value[mover, rows] - now) @ points
        gain[mover, rows] = change + config["lambda_policy"] * gain[mover, rows]
        share = config["lambda_value"]
        target[mover, rows] = (1 - share) * value[mover, rows] + share * target[mover, rows]
        value[mover, rows] = now
        found.append((gain[mover, rows].copy(), target[mover, rows].copy()))
    gains, targets = zip(*reversed(found))
    return np.stack(gains), np.stack(targets)


def replies(plies):
    """The next action of each game as the player to move before saw it; none where the game ended or the same side moved again."""
    codes = np.stack([ply["codes"] for ply in plies])
    movers = np.stack([ply["movers"] for ply in plies])
    done = np.stack([ply["done"] for ply in plies])
    out = np.full(codes.shape, NO_REPLY, np.int64)
    turned = (99 - codes // 100) * 100 + 99 - codes % 100
    follows = ~done[:-1] & (movers[1:] != movers[:-1])
    out[:-1][follows] = turned[1:][follows]
    return out


@dataclass
class Rollout:
    """What one iteration of play leaves to learn from."""

    batches: list
    """For each step of the optimizer: positions, logarithms of their actions' chances as played, what was chosen, advantages, targets
    of the value, the enemy's answers."""
    plies: int
    """Plies that were played."""
    spread: float
    """Of the advantages."""
    clock: dict
    """Seconds by what they were spent on."""
    ended: list
    """The games that ended, step by step."""


def make_rollout(played, config):
    """The plies with the largest advantages among those that an actor played, in batches."""
    plies, last, movers, clock, ended = played
    began = time.time()
    gains, targets = advantages(plies, last, movers, config)
    own = np.stack([~ply["foreign"] for ply in plies])
    forced = np.stack([ply["positions"].starts.diff().numpy() < 2 for ply in plies])
    size = np.where(own & ~forced, np.abs(gains), -1.0)
    count = int(config["keep"] * own.sum())
    places = np.argpartition(size.ravel(), -count)[-count:]
    places = places[size.ravel()[places] > 0]
    np.random.shuffle(places)
    scaled, answers = gains / (gains[own].std() + 1e-6), replies(plies)
    chunks = np.array_split(places, max(1, len(places) // config["batch"]))
    batches = [gather(plies, chunk, scaled, targets, answers) for chunk in chunks]
    clock["rollout"] = time.time() - began
    return Rollout(batches, gains.size, float(gains.std()), clock, ended)


def gather(plies, places, gains, targets, answers):
    """The plies at these places as one batch. Not mirrored: a policy is no mirror of itself, so that the chances by which was
    played would not be those of the mirrored position; the setups are mirrored instead."""
    games = gains.shape[1]
    times, rows = places // games, places % games
    order = np.argsort(times, kind="stable")
    times, rows = times[order], rows[order]
    parts, logps, chosen = [], [], []
    for time_ in np.unique(times):
        ply, here = plies[time_], torch.from_numpy(rows[times == time_])
        part, kept = select(ply["positions"], here)
        parts.append(part)
        logps.append(ply["logp"][kept])
        chosen.append(ply["chosen"][here])
    answer, gain = torch.from_numpy(answers[times, rows]), torch.from_numpy(gains[times, rows])
    return concatenate(parts), torch.cat(logps), torch.cat(chosen), gain, torch.from_numpy(targets[times, rows]), answer


HASTE, LEAST_HASTE, MOST_HASTE = 1.02, 0.1, 4.0
"""By how much the rate of learning changes from one iteration to the next, and how far in all."""


class Average:
    """The weights of a network, averaged with exponentially falling shares over about so many plies."""

    def __init__(self, network, plies):
        self.network, self.plies = copy.deepcopy(network).eval(), plies

    def follow(self, network, count):
        """Takes in what the network is after so many more plies."""
        share = 1 - math.exp(-count / self.plies)
        with torch.no_grad():
            for slow, fast in zip(self.network.parameters(), network.parameters()):
                slow.lerp_(fast, share)


class Learner:
    """Takes the plies of an iteration and changes the network."""

    def __init__(self, config, run, network, magnet):
        self.config, self.run, self.network, self.magnet = config, run, network, magnet
        self.adviser = config.get("adviser")
        self.optimizer = torch.optim.Adam(network.parameters(), lr=config["rate"], eps=1e-5)
        self.haste = 1.0
        """By what the rate of the configuration is multiplied."""

    def learn(self, batches, done_plies):
        """A step of the optimizer for each batch; means of what was measured. Then the rate follows the share of ratios outside the
        clip: too many mean that steps are too long."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.config["rate"] * self.haste
        sums = {}
        for batch in batches:
            measured = self.update(*(part.to(self.run.device) for part in batch), done_plies)
            for name, value in measured.items():
                sums[name] = sums.get(name, 0.0) + value
        means = {name: value / len(batches) for name, value in sums.items()}
        if done_plies >= self.config["value_first"]:
            factor = HASTE if means["clipped"] < self.config["clipped"] else 1 / HASTE
            self.haste = min(max(self.haste * factor, LEAST_HASTE), MOST_HASTE)
        return {**means, "rate_of_learning": self.config["rate"] * self.haste}

    def update(self, positions, old, chosen, gain, target, answer, done_plies):
        """One step of the optimizer."""
        config, rows, count = self.config, positions.rows, len(positions)
        with self.run.precision():
            features = self.network.trunk(positions.planes, positions.game)
            # An imitated value knows the games it has seen; it first learns what this policy's own games are worth, and alone.
            begun = done_plies >= config["value_first"]
            logits, value = self.network.heads(features, positions.legal, rows, apart=not begun)
            ranks = rank_loss(self.network, features, positions.hidden)
            reply = reply_loss(self.network, features, answer)
        logp = row_softmax(weighed(logits, positions, self.adviser), rows, count)
        picked = positions.starts[:-1] + chosen
        ratio = (logp[picked] - old[picked]).exp()
        clipped = ratio.clamp(1 - config["clip"], 1 + config["clip"])
        chances = logp.exp()
        parts = {
            "policy": -torch.minimum(ratio * gain, clipped * gain).mean(),
            "value": -(target * value.log_softmax(1)).sum(1).mean(),
            "entropy": -(chances * logp).sum() / count,
            "old": (old.exp() * (old - logp)).sum() / count,
            "ranks": ranks,
            "reply": reply,
            "magnet": logp.sum() * 0,
        }
        if self.magnet is not None:
            with torch.inference_mode(), self.run.precision():
                held, _ = self.magnet(positions.planes, positions.game, positions.legal, rows)
            held = row_softmax(weighed(held.clone(), positions, self.adviser), rows, count)
            parts["magnet"] = (chances * (logp - held)).sum() / count
        weights = config["weights"]
        loss = weights["value"] * parts["value"]
        if begun:
            loss = loss + parts["policy"] - config["entropy"] * parts["entropy"] + config["magnet"] * parts["magnet"]
            loss = loss + sum(weights[name] * parts[name] for name in ("old", "ranks", "reply"))
        self.optimizer.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), config["norm"])
        self.optimizer.step()
        measured = {name: float(part.detach()) for name, part in parts.items()}
        outside = ((ratio - 1).abs() > config["clip"]).float().mean()
        return {**measured, "clipped": float(outside), "gradient": float(norm)}
