#!/usr/bin/env python3
"""Trains the net of the evaluation, and writes it for the engine.

    evaluation.py train SAMPLES... --state STATE.pt --out NET.bin    resumes if STATE exists
    evaluation.py check SAMPLES... --state STATE.pt                  loss on the games held out, by phase
    evaluation.py write --state STATE.pt --out NET.bin               integer weights only
    evaluation.py plot --state STATE.pt --out PLOT.svg [--strength docs/generations.tsv]   needs matplotlib

SAMPLES are written by `outflank-selfplay samples`. Every tenth game is held out.

What the net sees of a position, as one player knows it: each own piece by rank, by what the enemy has been shown of it,
by square, by its distance to the own flag, and by how near it is to where the enemy's flag may be; each enemy piece by
the chances of its ranks, by whether it has moved or is known, by square, and by its distance to our flag; the parts of
the hand-made evaluation, the turn, and the clocks. All of that but the last line is a sum over pieces, which the engine
keeps up to date ply by ply. What comes out is the logarithm of the odds to win.

The first round learns how games ended, or with `--searched` what searches expected; each further round learns from a mixture of that and of what the round before
thought of the next sample of the same game, which is less noisy.

How a game ends says little about a position far from its end, and samples of one game say the same thing: with few
games a net learns the games by heart, and a search then chases what is only noise. So the tables by square are left out
until there are games enough (`--squares`), one pass over the samples is enough, and only a part of the correction
(`--scale`) is written to the net; docs/training.md has the figures.
"""

import argparse
import copy
import math
import struct
import time
import zlib
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

ROW = np.dtype(
    [
        ("game", "<u4"), ("ply", "<u2"), ("quiet", "<u2"), ("result", "i1"), ("to_move", "u1"), ("races", "<i2"),
        ("points", "<i2"), ("parts", "<f4", 6), ("own", "u1", (40, 3)), ("enemy", "u1", (40, 14)),
    ]
)  # fmt: skip
LANES = 32
HIDDEN = 16
SHOWN, RANKS, PLACES, FAR = 3, 12, 50, 10
REACH = (1.5, 4.0, 10.0)
"""Steps after which the pull of a likely flag has fallen to 1/e."""
PART = 300.0
STEEP = 2700 / PART
"""How the engine turns its evaluation into odds: src/search/score.rs."""
CLOCKS = 8
PARTS = 6
SQUARES = ("own_place", "enemy_place", "own_rank", "enemy_rank")
SUMMED = (*SQUARES, "own_state", "enemy_state", "own_far", "enemy_far", "pull", "bias")
BANDS = [(0, 50), (50, 150), (150, 300), (300, 600), (600, 10**6)]


def square_tables():
    squares = np.arange(100)
    rows, files = squares // 10, squares % 10
    half = torch.tensor(rows * 5 + np.minimum(files, 9 - files))
    apart = np.abs(rows[:, None] - rows[None]) + np.abs(files[:, None] - files[None])
    return half, torch.tensor(apart)


HALF, APART = square_tables()


def pulls():
    """Pull of a flag by distance, in 1/256, as the engine has it: [reach, distance]."""
    return torch.tensor([[round(256 * math.exp(-d / reach)) for d in range(19)] for reach in REACH])


PULLS = pulls()


def clocks(row):
    """What is known of time: turn, plies without a strike and plies made, in steps of 1/64."""
    quiet, ply = row["quiet"].astype(np.float32), row["ply"].astype(np.float32)
    steps = [
        row["to_move"].astype(np.float32),
        np.minimum(quiet, 64) / 64, np.minimum(quiet, 256) / 256,
        np.minimum(ply, 64) / 64, np.minimum(ply, 256) / 256, np.minimum(ply, 1024) / 1024,
        np.zeros_like(ply), np.zeros_like(ply),
    ]  # fmt: skip
    return torch.from_numpy(np.stack(steps, 1))


class Batch:
    """Rows as tensors."""

    def __init__(self, row):
        own = torch.from_numpy(row["own"].astype(np.int64))
        enemy = torch.from_numpy(row["enemy"].astype(np.int64))
        self.stands = own[:, :, 0] < 255
        self.square = own[:, :, 0].clamp(max=99)
        self.rank = own[:, :, 1].clamp(max=11)
        self.shown = own[:, :, 2].clamp(max=2)
        there = enemy[:, :, 0] < 255
        self.enemy_square = enemy[:, :, 0].clamp(max=99)
        self.enemy_shown = enemy[:, :, 1].clamp(max=2)
        self.chances = enemy[:, :, 2:].float() / 255 * there.unsqueeze(2)
        flag = (self.rank == 0) & self.stands
        self.flag = (self.square * flag).sum(1)
        self.parts = torch.from_numpy(row["parts"] / PART).clamp(-16, 16)
        self.hand = torch.from_numpy((row["parts"].sum(1) + row["races"]) / PART)
        """All of the hand-made evaluation."""
        self.clocks = clocks(row)

    def own_inputs(self):
        """Index into own weights and pulls of the enemy's flag: [batch, 40], [batch, 40, reaches]."""
        state = self.shown * RANKS + self.rank
        place = state * PLACES + HALF[self.square]
        far = state * FAR + APART[self.square, self.flag.unsqueeze(1)].clamp(max=FAR - 1)
        apart = APART[self.square.unsqueeze(2), self.enemy_square.unsqueeze(1)]
        flags = self.chances[:, :, 0].unsqueeze(1)
        pull = torch.stack([(reach.float()[apart] / 256 * flags).sum(2) for reach in PULLS], 2)
        return place, far, pull

    def enemy_inputs(self):
        """Index into enemy weights for each rank: [batch, 40, 12] twice."""
        state = self.enemy_shown.unsqueeze(2) * RANKS + torch.arange(RANKS)
        place = state * PLACES + HALF[self.enemy_square].unsqueeze(2)
        apart = APART[self.enemy_square, self.flag.unsqueeze(1)].clamp(max=FAR - 1)
        return place, state * FAR + apart.unsqueeze(2)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        width = LANES
        table = lambda *shape: nn.Parameter(torch.randn(*shape, width) * 0.01)  # noqa: E731
        self.own_state, self.enemy_state = table(SHOWN, RANKS, 1), table(SHOWN, RANKS, 1)
        self.own_rank, self.enemy_rank = table(1, RANKS, PLACES), table(1, RANKS, PLACES)
        self.own_place = nn.Parameter(torch.zeros(SHOWN, RANKS, PLACES, width))
        self.enemy_place = nn.Parameter(torch.zeros(SHOWN, RANKS, PLACES, width))
        self.own_far, self.enemy_far = table(SHOWN, RANKS, FAR), table(SHOWN, RANKS, FAR)
        self.pull = table(RANKS, len(REACH))
        self.bias = nn.Parameter(torch.full((width,), 0.4))
        with torch.no_grad():
            self.bias[-1] = 0
        self.hidden = nn.Linear(LANES - 1 + PARTS + CLOCKS, HIDDEN)
        self.out = nn.Linear(HIDDEN, 1)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def tables(self):
        own = (self.own_state + self.own_rank + self.own_place).reshape(-1, LANES)
        enemy = (self.enemy_state + self.enemy_rank + self.enemy_place).reshape(-1, LANES)
        return own, self.own_far.reshape(-1, LANES), enemy, self.enemy_far.reshape(-1, LANES)

    def sums(self, batch):
        own, own_far, enemy, enemy_far = self.tables()
        place, far, pull = batch.own_inputs()
        stands = batch.stands.float()
        size = len(stands)
        spread = torch.zeros(size, len(own)).scatter_add_(1, place, stands) @ own
        spread = spread + torch.zeros(size, len(own_far)).scatter_add_(1, far, stands) @ own_far
        pulled = torch.zeros(size, RANKS, len(REACH)).scatter_add_(
            1, batch.rank.unsqueeze(2).expand(-1, -1, len(REACH)), pull * stands.unsqueeze(2)
        )
        spread = spread + pulled.reshape(size, -1) @ self.pull.reshape(-1, LANES)
        place, far = batch.enemy_inputs()
        chances = batch.chances.reshape(size, -1)
        spread = spread + torch.zeros(size, len(enemy)).scatter_add_(1, place.reshape(size, -1), chances) @ enemy
        return (
            spread
            + torch.zeros(size, len(enemy_far)).scatter_add_(1, far.reshape(size, -1), chances) @ enemy_far
            + self.bias
        )

    def forward(self, batch):
        sums = self.sums(batch)
        lanes = sums[:, :-1].clamp(0, 1)
        hidden = self.hidden(torch.cat([lanes, batch.parts.clamp(-4, 4), batch.clocks], 1)).clamp(0, 4)
        correction = self.out(hidden).squeeze(1) + sums[:, -1]
        return 2 * torch.asinh(batch.hand / STEEP + correction / 2)


def load(paths):
    rows = []
    games = 0
    for path in paths:
        part = np.fromfile(path, ROW)
        part["game"] += games
        games = int(part["game"].max()) + 1
        rows.append(part)
    return np.concatenate(rows)


def goals(rows, searched):
    """What came of each sample; `searched` of it replaced by what a search expected, where there was one."""
    result = (rows["result"].astype(np.float32) + 1) / 2
    share = np.where(rows["points"] >= 0, np.float32(searched), np.float32(0))
    return (1 - share) * result + share * rows["points"] / np.float32(1000)


def returns(rows, thought, share):
    """Targets: `share` of what came of it, else what was thought of the next sample; both views of a ply alternate."""
    target = goals(rows, 0.0)
    last = {}
    game = None
    for index in range(len(rows) - 1, -1, -1):
        if rows["game"][index] != game:
            game, last, at = rows["game"][index], {}, None
        # Within a game rows come in pairs, Red's view first: the view two rows on is the same player's.
        side = index & 1
        if side in last:
            next_index = last[side]
            target[index] = share * target[next_index] + (1 - share) * thought[next_index]
        last[side] = index
    return target


def thoughts(net, rows, size=4096):
    net.eval()
    with torch.no_grad():
        parts = [torch.sigmoid(net(Batch(rows[i : i + size]))).numpy() for i in range(0, len(rows), size)]
    return np.concatenate(parts)


def report(name, thought, rows, searched=0.0):
    goal = goals(rows, searched)
    sure = np.clip(thought, 1e-6, 1 - 1e-6)
    loss = -(goal * np.log(sure) + (1 - goal) * np.log(1 - sure))
    bands = [loss[(rows["ply"] >= low) & (rows["ply"] < high)] for low, high in BANDS]
    print(f"{name:34} {loss.mean():.4f}  " + " ".join(f"{band.mean():.4f}" for band in bands if len(band)), flush=True)
    return float(loss.mean())


def optimizer(net, arguments):
    for table in SQUARES if not arguments.squares else ():
        getattr(net, table).requires_grad_(False).zero_()
    return torch.optim.AdamW([p for p in net.parameters() if p.requires_grad], lr=arguments.rate, weight_decay=arguments.decay)


def train(arguments):
    torch.manual_seed(arguments.seed)
    rows = load(arguments.samples)
    held = rows["game"] % 10 == 0
    kept, check = rows[~held], rows[held]
    print(f"{len(rows)} samples of {len(np.unique(rows['game']))} games; held out {len(check)}; 0.6931 is knowing nothing")
    net, history = Net(), []
    if Path(arguments.state).exists() and not arguments.fresh:
        state = torch.load(arguments.state, weights_only=False)
        net.load_state_dict(state["net"])
        history = state["history"]
    for number in range(arguments.rounds):
        first = not history
        target = goals(kept, arguments.searched) if first else returns(kept, thoughts(net, kept), arguments.share)
        if arguments.anew:
            net = Net()
        for loss in epochs(net, kept, target, check, arguments):
            history.append(loss)
        torch.save({"net": net.state_dict(), "history": history}, arguments.state)
    if arguments.out:
        write(net, arguments.out, arguments.scale)


def epochs(net, rows, target, check, arguments):
    steps = len(rows) // arguments.batch
    chosen = optimizer(net, arguments)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        chosen, arguments.rate, total_steps=steps * arguments.epochs, pct_start=0.2
    )
    goal = torch.from_numpy(target.astype(np.float32))
    begun = time.time()
    for epoch in range(arguments.epochs):
        order, total = np.random.permutation(len(rows)), 0.0
        net.train()
        for step in range(steps):
            some = order[step * arguments.batch : (step + 1) * arguments.batch]
            loss = F.binary_cross_entropy_with_logits(net(Batch(rows[some])), goal[some])
            chosen.zero_grad()
            loss.backward()
            chosen.step()
            schedule.step()
            total += loss.item()
            if step % 50 == 0:
                print(f"epoch {epoch + 1}: {step}/{steps}, loss {total / (step + 1):.4f}", end="\r", flush=True)
        name = f"epoch {epoch + 1}, loss {total / steps:.4f}, {time.time() - begun:.0f} s"
        report(f"{name}: outcomes", thoughts(net, check), check)
        yield report("what was to be learned", thoughts(net, check), check, arguments.searched)


def check(arguments):
    rows = load(arguments.samples)
    net = Net()
    net.load_state_dict(torch.load(arguments.state, weights_only=False)["net"])
    rows = rows[rows["game"] % 10 == 0]
    hand = torch.sigmoid(2 * torch.asinh(Batch(rows).hand / STEEP)).numpy()
    for searched in (0.0, 1.0) if (rows["points"] >= 0).any() else (0.0,):
        goal = "what searches expected" if searched else "outcomes"
        report(f"{goal}, hand-made parts", hand, rows, searched)
        report(f"{goal}, net", thoughts(net, rows), rows, searched)


def scaled(net, scale):
    net = copy.deepcopy(net)
    with torch.no_grad():
        for table in SUMMED:
            getattr(net, table)[..., -1] *= scale
        net.out.weight *= scale
        net.out.bias *= scale
    return net


def whole(values, scale, kind):
    """Rounded to integers of a kind, as bytes."""
    limit = np.iinfo(kind)
    return np.clip(np.round(values.detach().numpy() * scale), limit.min, limit.max).astype(kind).tobytes()


def layer(linear, low, high, gain):
    """A dense layer's section: what goes in is in 1/256, what comes out in 1/256 times `gain`."""
    weights, bias = linear.weight.detach().numpy(), linear.bias.detach().numpy()
    scale = np.array([127 / max(abs(row).max(), 1e-3) for row in weights])
    shift = 24
    parts = [struct.pack("<IIiiI", weights.shape[1], weights.shape[0], low, high, shift)]
    parts.append(np.round(bias * scale * 256).astype("<i4").tobytes())
    parts.append(np.round(gain / scale * 2**shift).astype("<i4").tobytes())
    parts.append(np.round(weights * scale[:, None]).astype("i1").tobytes())
    return b"".join(parts)


def write(net, path, scale):
    """Writes `scale` of the net's correction."""
    net = scaled(net, scale)
    own, own_far, enemy, enemy_far = net.tables()
    sections = {
        "own": whole(own, 1024, "<i2"), "enemy": whole(enemy, 1024, "<i2"),
        "own far": whole(own_far, 1024, "<i2"), "enemy far": whole(enemy_far, 1024, "<i2"),
        "pull": whole(net.pull, 1024, "<i2"), "fading": PULLS.numpy().astype("<i2").tobytes(),
        "bias": whole(net.bias, 1024, "<i2"),
        "hidden": layer(net.hidden, 0, 1024, 1), "out": layer(net.out, -32768, 32767, 4),
    }  # fmt: skip
    body = struct.pack("<I", len(sections))
    for name, data in sections.items():
        body += struct.pack("<B", len(name)) + name.encode() + struct.pack("<I", len(data)) + data
    Path(path).write_bytes(b"OUTFLNET" + struct.pack("<II", 1, zlib.adler32(body)) + body)


def plot(arguments):
    """Loss on the games held out by epoch, and strength by generation."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    history = torch.load(arguments.state, weights_only=False)["history"]
    figure, axes = pyplot.subplots(1, 2 if arguments.strength else 1, figsize=(9, 4), squeeze=False)
    axes[0][0].plot(range(1, len(history) + 1), history, marker="o")
    axes[0][0].axhline(math.log(2), linestyle=":")
    axes[0][0].set(xlabel="epoch", ylabel="loss on games held out")
    if arguments.strength:
        lines = [line.split() for line in Path(arguments.strength).read_text().splitlines() if line[:1].isdigit()]
        number, points, error = (np.array([float(line[i]) for line in lines]) for i in range(3))
        axes[0][1].errorbar(number, points, error, marker="o", capsize=3)
        axes[0][1].axhline(50, linestyle=":")
        axes[0][1].set(xlabel="generation", ylabel="points against the one before, %")
    figure.tight_layout()
    figure.savefig(arguments.out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["train", "check", "write", "plot"])
    parser.add_argument("samples", nargs="*")
    parser.add_argument("--state", required=True)
    parser.add_argument("--out")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--decay", type=float, default=0.3)
    parser.add_argument("--share", type=float, default=0.7, help="of what came of a game, against what was thought")
    parser.add_argument("--searched", type=float, default=0.0, help="share of what searches expected in the targets")
    parser.add_argument("--scale", type=float, default=0.35, help="of the correction that is written")
    parser.add_argument("--squares", action="store_true", help="learn by square too")
    parser.add_argument("--strength", help="lines of: generation, points against the one before in percent, error")
    parser.add_argument("--anew", action="store_true", help="begin each round with a new net")
    parser.add_argument("--fresh", action="store_true", help="do not resume")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    if arguments.command == "train":
        train(arguments)
    elif arguments.command == "check":
        check(arguments)
    elif arguments.command == "plot":
        plot(arguments)
    else:
        net = Net()
        net.load_state_dict(torch.load(arguments.state, weights_only=False)["net"])
        write(net, arguments.out, arguments.scale)


if __name__ == "__main__":
    main()
