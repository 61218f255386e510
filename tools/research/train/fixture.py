#!/usr/bin/env python3
"""Makes the small random network of `tests/policy.rs`, and what it says of some positions by torch.

    fixture.py tests/policy/fixture.net tests/policy/fixture.txt

Needs `outflank_gym`. The positions are those of a random game; the text tells its rules, setups and moves, and for some plies
what the player to move sees: a line `ply N`, `outcome` with win, draw and loss, `actions` with code and logarithm
of the probability of each legal action, and a line `ranks` for each hidden enemy piece with its square and probabilities.
"""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import outflank_gym
import torch

from files import whole
from network import Network, Shape, row_softmax, write

RULES = "isf quiet=200 plies=240"
PLIES = (0, 61, 150, 239)
CHANNELS, BLOCKS = 8, 2


def random_network():
    """A network whose answers differ from action to action: every weight random, also those that training begins with at 0."""
    torch.manual_seed(5)
    network = Network(Shape(CHANNELS, BLOCKS))
    with torch.no_grad():
        for name, value in network.named_parameters():
            fan = value[0].numel() if value.dim() > 1 else 16
            value.copy_(torch.randn(value.shape) * 1.4 / fan**0.5)
    return network.eval()


def random_game():
    """A record of a game between dice that lasts long enough."""
    rng = np.random.default_rng(8)
    games = outflank_gym.Environment(1, seed=8, rules=[RULES], setups=(1.0, 0.0, 0.0), records=True)
    while True:
        legal = games.observe()["legal"]
        if games.step(np.array([rng.choice(legal)], np.uint16))["done"][0]:
            record = games.take_records()[0]
            if json.loads(record)["plies"] > max(PLIES):
                return record


def shown(record):
    """The observations of a record, ply by ply."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        path.write_text(record.strip() + "\n")
        plies = outflank_gym.Imitation([str(path)], rows=1)
        while (ply := plies.next()) is not None:
            yield int(ply["ply"][0]), ply


def told(network, seen):
    """What the network says of an observation, as lines."""
    legal = torch.from_numpy(seen["legal"].astype(np.int64))
    rows = torch.zeros_like(legal)
    with torch.no_grad():
        features = network.trunk(torch.from_numpy(seen["planes"]), torch.from_numpy(seen["globals"]))
        logits, value = network.heads(features, legal, rows)
        chances = row_softmax(logits, rows, 1)
        ranks = network.rank(features)[0].flatten(1).softmax(0)
    yield "outcome " + " ".join(f"{p:.5f}" for p in value[0].softmax(0).tolist())
    yield "actions " + " ".join(f"{c} {p:.4f}" for c, p in zip(legal.tolist(), chances.tolist()))
    for square in np.nonzero(seen["hidden"][0] != 255)[0][::9]:
        yield f"ranks {square} " + " ".join(f"{p:.5f}" for p in ranks[:, square].tolist())


def main():
    net, text = sys.argv[1:]
    network, record = random_network(), random_game()
    game = json.loads(record)
    lines = ["rules " + game["rules"], "setups " + " ".join(game["setups"]), "moves " + " ".join(game["moves"])]
    for ply, seen in shown(record):
        if ply in PLIES:
            lines += [f"ply {ply}", *told(network, seen)]
    write(net, network)
    with whole(text) as beside:
        beside.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
