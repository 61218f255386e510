"""Learning by self-play: proximal policy optimisation, held near a slowly moving or fixed policy, the magnet.

One iteration plays `steps` plies in each of `games` games and learns once from the plies whose advantages are largest. Both players of
a game are learned from, each from its own plies; a game's result is seen from the side of whoever it concerns.
"""

import copy
import time
from dataclasses import dataclass

import numpy as np
import outflank_gym
import torch

from network import Network, Shape, load, row_softmax, sample, save, sharpen, to_bytes
from positions import NO_REPLY, Positions, concatenate, rank_loss, reply_loss, select


class Actor:
    """Plays the games of an environment with a network, and with earlier ones for some opponents."""

    def __init__(self, config, context, seed):
        opponents = [tuple(one) for one in config["opponents"]]
        self.games, self.context = config["games"], context
        self.environment = outflank_gym.Environment(
            self.games, seed, config["rules"], tuple(config["setups"]), opponents
        )
        self.shown = self.environment.observe()
        self.past = None
        self.rust = context.config.get("actor", "rust" if context.device.type == "cpu" else "torch") == "rust"
        """Whether Rust acts, with matrix tiles or integers, or torch."""
        index = np.arange(self.games)
        self.met = index < int(round(config["past_share"] * self.games))
        """In these games an earlier network plays one side."""
        self.past_side = index % 2

    def prepare(self, network):
        """A network as this actor evaluates it; later changes of the network do not reach it."""
        if self.rust:
            return outflank_gym.Policy(to_bytes(network, outflank_gym.ENCODING))
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


class Learner:
    """Takes the plies of an iteration and changes the network."""

    def __init__(self, config, run, network, magnet):
        self.config, self.run, self.network, self.magnet = config, run, network, magnet
        self.optimizer = torch.optim.Adam(network.parameters(), lr=config["rate"], eps=1e-5)

    def pull(self, plies):
        """The weight of the magnet after so many plies: falls with a power of them."""
        config = self.config
        return config["magnet"] * max(plies / config["magnet_plies"], 1.0) ** -config["magnet_power"]

    def learn(self, batches, done_plies):
        """A step of the optimizer for each batch; means of what was measured."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.config["rate"] * max(1 - done_plies / self.config["plies"], 0.1)
        sums = {}
        for batch in batches:
            measured = self.update(*(part.to(self.run.device) for part in batch), done_plies)
            for name, value in measured.items():
                sums[name] = sums.get(name, 0.0) + value
        return {name: value / len(batches) for name, value in sums.items()}

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
        logp = row_softmax(logits, rows, count)
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
        pull = self.pull(done_plies)
        if self.magnet is not None:
            with torch.inference_mode(), self.run.precision():
                held, _ = self.magnet(positions.planes, positions.game, positions.legal, rows)
            held = row_softmax(held.clone(), rows, count)
            parts["magnet"] = (chances * (logp - held)).sum() / count
        weights = config["weights"]
        loss = weights["value"] * parts["value"]
        if begun:
            loss = loss + parts["policy"] - config["entropy"] * parts["entropy"] + pull * parts["magnet"]
            loss = loss + sum(weights[name] * parts[name] for name in ("old", "ranks", "reply"))
        self.optimizer.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), config["norm"])
        self.optimizer.step()
        measured = {name: float(part.detach()) for name, part in parts.items()}
        outside = ((ratio - 1).abs() > config["clip"]).float().mean()
        return {**measured, "clipped": float(outside), "gradient": float(norm)}


def vital_signs(ended):
    """What the games that ended tell."""
    column = {name: np.concatenate([one[name] for one in ended]) for name in ended[0]}
    inner = column["opponent"] < 0
    plies, strikes = column["plies"].sum(), column["strikes"].sum()
    signs = {"games": len(inner), "length": float(plies / max(len(inner), 1))}
    signs["strikes_per_100"] = float(100 * strikes / max(plies, 1))
    signs["draws"] = float((column["result"][inner] == 0).mean()) if inner.any() else 0.0
    for opponent in np.unique(column["opponent"][~inner]):
        here = column["opponent"] == opponent
        own = np.where(column["side"][here] == 0, -1, 1) * column["result"][here]
        signs[f"against_{opponent}"] = [int((own > 0).sum()), int((own == 0).sum()), int((own < 0).sum())]
    return signs


def train(config, run, workers=0, address=None):
    """Self-play until `plies` are done: by a thread of this process, or by so many workers of the Ray cluster at `address`."""
    from actors import LocalActor, RayActors

    torch.manual_seed(config["seed"])
    np.random.seed(config["seed"] % 2**32)
    if config["start"]:
        network, _ = load(run.locate(config["start"]))
        sharpen(network, config["start_temperature"])
        magnet = copy.deepcopy(network)
    else:
        network, magnet = Network(Shape(config["channels"], config["blocks"])), None
    form = {"memory_format": torch.channels_last}
    network = network.to(run.device, **form)
    magnet = magnet.to(run.device, **form).eval() if magnet is not None else None
    learner = Learner(config, run, network, magnet)
    state = run.resume(network, learner.optimizer)
    done, hours, past = state.get("plies", 0), state.get("hours", 0.0), state.get("past", [])
    if magnet is not None and state.get("magnet"):
        magnet.load_state_dict(state["magnet"])
    seed = config["seed"] + done
    actors = RayActors(config, run, seed, workers, address) if workers else LocalActor(config, run, seed)
    kept, ended = time.time(), []
    next_past = done + config["past_every"]
    pick_past(actors, past, run)
    actors.start(network)
    while done < config["plies"]:
        start = time.time()
        found = actors.next(network)
        clock, count = found.clock, found.plies
        clock["waiting"] = time.time() - start
        learning = time.time()
        measured = learner.learn(found.batches, done)
        clock["learning"] = time.time() - learning
        done += count
        ended = (ended + found.ended)[-8 * config["steps"]:]
        if magnet is not None and config["magnet_follow"] > 0:
            share = 1 - (1 - config["magnet_follow"]) ** (count / 1e6)
            with torch.no_grad():
                for slow, fast in zip(magnet.parameters(), network.parameters()):
                    slow.lerp_(fast, share)
        hours += (time.time() - start) / 3600
        run.log(stage="play", plies=done, hours=hours, pull=learner.pull(done), rate=count / (time.time() - start),
                per_ply={name: 1e6 * seconds / count for name, seconds in clock.items()},
                spread=found.spread, **measured, **vital_signs(ended))
        if done >= next_past:
            next_past += config["past_every"]
            path = run.path(f"past-{done // 1000}k.pt")
            save(path, network, plies=done, hours=hours)
            past.append(path.name)
            pick_past(actors, past, run)
        if time.time() - kept > run.every or done >= config["plies"]:
            slow = magnet.state_dict() if magnet is not None else None
            run.keep(network, learner.optimizer, plies=done, hours=hours, past=past, magnet=slow)
            save(run.path("latest.pt"), network, plies=done, hours=hours)
            kept = time.time()
    actors.close()
    return network


def pick_past(actors, past, run):
    """Draws the earlier network that some games are played against."""
    if past:
        actors.set_opponent(load(run.path(past[np.random.randint(len(past))]))[0])
