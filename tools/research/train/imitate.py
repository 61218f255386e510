"""The warm start: a network learns what the engine chose, how games ended, and what was hidden."""

import math
import queue
import threading
import time

import numpy as np
import outflank_gym
import torch
from torch.nn import functional as F

from network import Network, Shape, load, row_argmax, row_softmax, save
from positions import Positions, concatenate, mirrored, rank_loss, reply_loss, select


def read_ahead(make, depth=8):
    """Items of `make()` one after another, made on another thread. An error of that thread is raised here."""
    items, end = queue.Queue(depth), object()

    def work():
        try:
            for item in make():
                items.put(item)
            items.put(end)
        except BaseException as error:
            items.put(error)

    threading.Thread(target=work, daemon=True).start()
    while (item := items.get()) is not end:
        if isinstance(item, BaseException):
            raise item
        yield item


def shown(files, config, seed):
    """Batches of recorded positions with their targets; those of a batch come from many games and many plies."""
    games = outflank_gym.Imitation(files, config["rows"], seed, config["temperature"], config["best"])
    rng = np.random.default_rng(seed)
    ended = False
    while not ended:
        parts = []
        while len(parts) < config["mixed"] and not ended:
            batch = games.next()
            ended = batch is None
            if not ended:
                parts.append(batch)
        if parts:
            yield from mixed(parts, config["batch"], config.get("share", 1.0), rng)


def mixed(parts, size, share, rng):
    """A share of the positions of several steps that have a choice to imitate, in random order, so many at a time."""
    positions = concatenate([Positions.of(part) for part in parts])
    policy = torch.from_numpy(np.concatenate([part["policy"] for part in parts]))
    rest = [np.concatenate([part[name] for part in parts]).astype(np.int64) for name in ("results", "replies", "played")]
    asked = torch.zeros(len(positions)).index_add(0, positions.rows, policy).numpy() > 0
    order = rng.permutation(np.flatnonzero(asked & (rng.random(len(positions)) < share)))
    for rows in np.array_split(order, max(1, len(order) // size)):
        rows = torch.from_numpy(rows)
        part, places = select(positions, rows)
        yield part, policy[places], *(torch.from_numpy(values)[rows] for values in rest)


def losses(network, positions, policy, results, replies, dropout=0.0):
    """Policy, value, ranks, reply; and the logarithms of the chances. `dropout` is the share of the channels that policy and value do
    without."""
    features = network.trunk(positions.planes, positions.game)
    # A thousand plies with one result: a trunk that learns from it learns the games by heart (docs/log/learning.md).
    logits, value = network.heads(F.dropout2d(features, dropout), positions.legal, positions.rows, apart=True)
    logp = row_softmax(logits, positions.rows, len(positions))
    parts = {
        "policy": -(policy * logp).sum() / len(positions),
        "value": F.cross_entropy(value, results),
        "ranks": rank_loss(network, features, positions.hidden),
        "reply": reply_loss(network, features, replies),
    }
    return parts, logp, value


def train(config, run):
    """Passes over the training files; goes on where `run` stopped, with whole passes."""
    torch.manual_seed(config["seed"])
    device = run.device
    network = Network(Shape(config["channels"], config["blocks"]))
    if "start" in config:
        network, _ = load(run.path(config["start"]))
    network = network.to(device, memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(network.parameters(), lr=config["rate"], weight_decay=config["decay"])
    state = run.resume(network, optimizer)
    step, skip = state.get("step", 0), state.get("batch", 0)
    steps = config["steps"]
    began, kept = time.time(), time.time()
    for turn in range(state.get("pass", 0), config["passes"]):
        if step >= steps:
            break
        for number, batch in enumerate(read_ahead(lambda: shown(run.files("train"), config, config["seed"] + turn))):
            if number < skip:
                continue
            for group in optimizer.param_groups:
                share = min(step / steps, 1.0)
                group["lr"] = config["rate"] * min(1.0, step / 200) * (0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * share)))
            positions, policy, results, replies, _ = (part.to(device) for part in batch)
            if step % 2:
                positions, replies = mirrored(positions, replies)
            with run.precision():
                parts, _, _ = losses(network, positions, policy, results, replies)
            beside = sum(config["weights"][name] * parts[name] for name in ("value", "ranks", "reply"))
            loss = parts["policy"] + beside
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            step += 1
            if step >= steps:
                break
            if step % 50 == 0:
                run.log(stage="imitate", step=step, passed=turn, seconds=time.time() - began,
                        **{name: float(value.detach()) for name, value in parts.items()})
            if time.time() - kept > run.every:
                run.keep(network, optimizer, step=step, batch=number + 1, **{"pass": turn})
                kept = time.time()
        skip = 0
        run.keep(network, optimizer, step=step, batch=0, **{"pass": turn + 1})
        run.log(stage="held-out", step=step, **check(network, run.files("held_out"), config, run))
    save(run.path("warm.pt"), network, config=config, step=step)
    return network


@torch.inference_mode()
def check(network, files, config, run):
    """Agreement, losses and calibration on games that were not trained on."""
    sums, count, hits, best, bins = {}, 0, 0, 0, np.zeros((10, 3))
    for batch in shown(files, config, 0):
        positions, policy, results, replies, played = (part.to(run.device) for part in batch)
        with run.precision():
            parts, logp, value = losses(network, positions, policy, results, replies)
        rows = len(positions)
        for name, part in parts.items():
            sums[name] = sums.get(name, 0.0) + float(part) * rows
        chosen = row_argmax(logp, positions.starts)
        hits += int((positions.legal[chosen] == played).sum())
        best += int((chosen == row_argmax(policy, positions.starts)).sum())
        entropy = -(policy * policy.clamp(min=1e-9).log()).sum() / rows
        sums["target_entropy"] = sums.get("target_entropy", 0.0) + float(entropy) * rows
        points = value.softmax(1).cpu().numpy() @ np.array([1, 0.5, 0])
        came = np.array([1, 0.5, 0])[results.cpu().numpy()]
        place = np.clip((points * 10).astype(int), 0, 9)
        for column, weight in enumerate((np.ones(rows), points, came)):
            bins[:, column] += np.bincount(place, weight, 10)
        count += rows
    calibration = [[round(v, 4) for v in (n, p / max(n, 1), c / max(n, 1))] for n, p, c in bins]
    worst = sum(n * abs(p - c) for n, p, c in calibration) / max(count, 1)
    means = {name: value / max(count, 1) for name, value in sums.items()}
    return {"positions": count, "agreement": hits / max(count, 1), "best": best / max(count, 1),
            "calibration_error": worst, "calibration": calibration, **means}
