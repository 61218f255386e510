#!/usr/bin/env python3
"""Trains the history model: what a piece's public history tells of its rank, whoever plays it.

`outflank-prior moments` writes hidden pieces of recorded games down, army by army. The net looks at one piece and says
how much its history favours each rank; the army's counts then make chances of that. So it is trained with the counts in
the loss: rows of an army sum to one and columns to the counts, by a few rounds of scaling.

Every player plays in its own way and there are few players. So each data set holds one kind of player and has a share
of every batch, and `check` tells what the net is worth on players and games that it was not trained on, at several
powers: a power below one says that strangers are trusted less than those it knows.

    history.py train --state STATE.pt --data 0.7:strong.bin --data 0.3:own.bin [--steps N]
    history.py check --state STATE.pt FILE.bin ...
    history.py write --state STATE.pt --data 1:strong.bin --out crates/engine/src/belief/history/history.net
"""

import argparse
import time
from pathlib import Path

import integers
import numpy as np
import torch
from files import ensure_free, whole
from torch import nn

RANKS = 12
PIECES = 40
SCALE = 256
"""What a feature of one is in the files, and for the engine's net."""
SCALINGS = 4
PHASES = [(0, 50), (50, 100), (100, 200), (200, 400), (400, 1 << 16)]
KINDS = {"flag": [0], "bomb": [11], "mobile": list(range(1, 11))}


class Moments:
    """The moments of one file: all hidden pieces of an army at one ply of a game."""

    def __init__(self, path):
        raw = np.fromfile(path, dtype=np.uint8)
        self.features = int(raw[:4].view("<u4")[0])
        size, at, blocks = 4 + 2 * self.features, 4, []
        game, ply, left, starts = [], [], [], [0]
        while at < len(raw):
            game.append(int(raw[at : at + 4].view("<u4")[0]))
            ply.append(int(raw[at + 6 : at + 8].view("<u2")[0]))
            left.append(raw[at + 8 : at + 20])
            count = int(raw[at + 20 : at + 22].view("<u2")[0])
            blocks.append(raw[at + 22 : at + 22 + count * size].reshape(count, size))
            at += 22 + count * size
            starts.append(starts[-1] + count)
        self.game, self.ply, self.left = np.array(game), np.array(ply), np.array(left, dtype=np.float32)
        self.starts = np.array(starts)
        self.truth = np.concatenate([block[:, 0] for block in blocks])
        self.ranks = np.concatenate([np.ascontiguousarray(block[:, 2:4]).view("<u2")[:, 0] for block in blocks])
        self.numbers = np.concatenate([np.ascontiguousarray(block[:, 4:]).view("<i2") for block in blocks])

    def __len__(self):
        return len(self.game)

    def batch(self, moments):
        """Numbers [n, 40, features], open ranks [n, 40, 12], truth [n, 40], which are pieces [n, 40], counts [n, 12]."""
        numbers = np.zeros((len(moments), PIECES, self.features), np.float32)
        open_ranks = np.zeros((len(moments), PIECES, RANKS), bool)
        truth = np.zeros((len(moments), PIECES), np.int64)
        present = np.zeros((len(moments), PIECES), bool)
        for row, moment in enumerate(moments):
            pieces = slice(self.starts[moment], self.starts[moment + 1])
            count = pieces.stop - pieces.start
            numbers[row, :count] = self.numbers[pieces] / SCALE
            open_ranks[row, :count] = self.ranks[pieces, None] >> np.arange(RANKS) & 1
            truth[row, :count] = self.truth[pieces]
            present[row, :count] = True
        parts = (numbers, open_ranks, truth, present, self.left[moments])
        return tuple(torch.from_numpy(part) for part in parts)


class Net(nn.Module):
    """Of one piece's numbers: how much each rank is favoured, in nats; only differences count."""

    def __init__(self, features, hidden, drop):
        super().__init__()
        sizes = [features, *hidden, RANKS]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.drop = drop
        nn.init.zeros_(self.layers[-1].weight)
        nn.init.zeros_(self.layers[-1].bias)

    def forward(self, x):
        x = nn.functional.dropout(x, self.drop / 3, self.training)
        for layer in self.layers[:-1]:
            x = nn.functional.dropout(torch.relu(layer(x)), self.drop, self.training)
        return self.layers[-1](x)


def chances(favours, open_ranks, present, left, scalings=SCALINGS):
    """Logarithms of the chances under the army's counts."""
    weights = favours.masked_fill(~(open_ranks & (left[:, None] > 0)), -1e9)
    counts = left.clamp_min(1e-9).log()[:, None]
    column = counts
    for _ in range(scalings):
        rows = weights - torch.logsumexp(weights + column, 2, keepdim=True)
        rows = rows.masked_fill(~present[:, :, None], -1e9)
        column = (counts - torch.logsumexp(rows, 1, keepdim=True)).clamp(-30, 30)
    return torch.log_softmax(weights + column, 2)


def surprise(favours, batch, scalings=SCALINGS):
    _, open_ranks, truth, present, left = batch
    log = chances(favours, open_ranks, present, left, scalings)
    return -log.gather(2, truth[:, :, None])[:, :, 0] * present


def data_sets(options):
    shares, files = zip(*(text.split(":", 1) for text in options.data))
    return np.array(shares, float), [Moments(path) for path in files]


def train(options):
    shares, files = data_sets(options)
    rng = np.random.default_rng(options.seed)
    net = Net(files[0].features, options.hidden, options.drop)
    best = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=options.decay)
    begun, mean = time.time(), 0.0
    for step in range(options.steps):
        for group in best.param_groups:
            group["lr"] = options.rate * min(1, (step + 1) / 100) * (1 - step / options.steps)
        split = rng.multinomial(options.batch, shares / shares.sum())
        parts = [file.batch(rng.integers(0, len(file), count)) for file, count in zip(files, split) if count]
        batch = tuple(torch.cat(part) for part in zip(*parts))
        loss = surprise(net(batch[0]), batch).sum() / batch[3].sum()
        best.zero_grad()
        loss.backward()
        best.step()
        mean += (loss.item() - mean) * max(0.01, 1 / (step + 1))
        if (step + 1) % 100 == 0:
            print(f"step {step + 1}/{options.steps}  nats {mean:.4f}  {time.time() - begun:.0f} s", flush=True)
    with whole(options.state) as beside:
        torch.save({"net": net.state_dict(), "hidden": options.hidden, "features": files[0].features}, beside)


def load(path):
    saved = torch.load(path, weights_only=True)
    net = Net(saved["features"], saved["hidden"], 0.0)
    net.load_state_dict(saved["net"])
    return net.eval()


@torch.no_grad()
def gains(net, file, power, every):
    """What the net saves against counts, in percent: from ply 50 on, by phase, by kind of rank from ply 50 on."""
    sums = {}
    for moments in np.array_split(np.arange(0, len(file), every), max(1, len(file) // every // 64)):
        batch = file.batch(moments)
        favours = power * net(batch[0])
        pair = torch.stack([surprise(favours, batch, 8), surprise(torch.zeros_like(favours), batch, 8)])
        for row, moment in enumerate(moments):
            phase = next(number for number, (low, high) in enumerate(PHASES) if low <= file.ply[moment] < high)
            add(sums, f"{PHASES[phase][0]}-", pair[:, row].sum(1))
            if phase > 0:
                add(sums, "50 on", pair[:, row].sum(1))
                for name, ranks in KINDS.items():
                    mine = torch.isin(batch[2][row], torch.tensor(ranks)) & batch[3][row]
                    add(sums, name, pair[:, row][:, mine].sum(1))
    return {name: 100 * (1 - float(cost) / float(counts)) for name, (cost, counts) in sums.items() if counts > 0}


def add(sums, name, pair):
    sums[name] = sums.get(name, 0) + pair


def check(options):
    net = load(options.state)
    for path in options.files:
        file = Moments(path)
        for power in options.power:
            found = gains(net, file, power, options.every)
            names = ["50 on", *(f"{low}-" for low, _ in PHASES), *KINDS]
            row = "  ".join(f"{name} {found[name]:5.1f}" for name in names if name in found)
            print(f"{Path(path).stem:16} power {power:.2f}  {row}", flush=True)


def write(options):
    """The net in integers."""
    net = load(options.state)
    _, files = data_sets(options)
    x = torch.from_numpy(files[0].numbers[::7].astype(np.float32) / SCALE)
    integers.write(options.out, integers.quantised(net.layers, x, SCALE, 1.5))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["train", "check", "write"])
    parser.add_argument("files", nargs="*", help="what to check on")
    parser.add_argument("--state", required=True)
    parser.add_argument("--data", action="append", help="SHARE:FILE, a data set's share of every batch")
    parser.add_argument("--out", help="where the engine's net goes")
    parser.add_argument("--force", action="store_true", help="replace files that are there")
    parser.add_argument("--hidden", type=int, nargs="+", default=[48, 32])
    parser.add_argument("--drop", type=float, default=0.4)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--batch", type=int, default=48, help="moments")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--decay", type=float, default=0.01)
    parser.add_argument("--power", type=float, nargs="+", default=[0.5, 0.75, 1.0])
    parser.add_argument("--every", type=int, default=1, help="look at every N-th moment only")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_intermixed_args()
    written = {"train": options.state, "check": None, "write": options.out}[options.command]
    if written:
        ensure_free(written, options.force)
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    {"train": train, "check": check, "write": write}[options.command](options)


if __name__ == "__main__":
    main()
