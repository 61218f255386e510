"""What the moves of strong players teach: a network is tuned to them on half of their games and judged on the other half, or tuned to all
of them.

Some 26,000 positions are few, so what is learned by heart is held down: the policy head does without some channels (dropout:
Tompson et al. 2015), the rate falls as a cosine (Loshchilov and Hutter 2017), and what is judged and kept are averaged weights.
"""

import math
import tempfile
from pathlib import Path

import imitate
import torch
from judge import agreement
from network import load, save
from positions import mirrored
from selfplay import Average

READ = {"rows": 64, "mixed": 40, "batch": 256, "temperature": 1.0, "best": 0.0}
"""How recorded games are gone through: what was played is the target."""
RISING = 0.05
"""In this share of all steps the rate rises to what it is told to be."""


def halves(file, folder):
    """The games of a file in two: every second one, in files of their own."""
    lines = [line for line in Path(file).read_text().splitlines() if line.strip()]
    found = []
    for name, part in (("learned", lines[::2]), ("held-out", lines[1::2])):
        path = Path(folder) / f"{name}.jsonl"
        path.write_text("".join(line + "\n" for line in part))
        found.append([str(path)])
    return found


def tune(run, file, games, passes, rate, dropout=0.0, average=25_000, everything=False):
    """Passes over one half, mirrored at random; after each the agreement with either half. The averaged weights (over about `average`
    positions) that have the fewest nats on the half held out are kept beside the run's others. With `everything` all games are learned,
    nothing is left to judge by, and the last weights are kept."""
    torch.manual_seed(1)
    network = load(file)[0].to(run.device, memory_format=torch.channels_last)
    learning = Learning(run, network, passes, rate, dropout, average)
    best = float("inf")
    with tempfile.TemporaryDirectory() as folder:
        parts = {"learned": [str(games)]} if everything else dict(zip(("learned", "held out"), halves(games, folder)))
        for turn in range(passes + 1):
            if turn:
                learning.one_pass(parts["learned"], turn)
            found = {name: agreement(learning.average.network, part, run) for name, part in parts.items()}
            learning.positions = found["learned"]["positions"]
            run.log(stage="strong", passed=turn, **found)
            print(f"{turn} passes: " + ", ".join(
                f"{name} {100 * one['agreement']:.2f}%, {one['nats']:.3f} nats" for name, one in found.items()), flush=True)
            if turn and (everything or found["held out"]["nats"] < best):
                best = found.get("held out", found["learned"])["nats"]
                save(run.path("strong.pt"), learning.average.network, passed=turn, found=found)
    return learning.average.network


class Learning:
    """A network that is being tuned, its average, and how far it has come."""

    def __init__(self, run, network, passes, rate, dropout, average):
        self.run, self.network, self.passes, self.rate, self.dropout = run, network, passes, rate, dropout
        self.average = Average(network, average)
        self.optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=1e-2)
        self.positions, self.seen = 0, 0
        """Positions of a pass, and those learned from so far."""

    def rate_now(self):
        """The rate of learning after the positions seen so far."""
        share = min(self.seen / (self.passes * self.positions), 1.0)
        return self.rate * min(1.0, share / RISING + 0.01) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * share)))

    def one_pass(self, files, seed):
        """All positions of the files once. Results teach nothing: so few games are learned by heart."""
        weights = self.run.config["play"]["weights"]
        self.network.train()
        for number, batch in enumerate(imitate.shown(files, READ, seed)):
            positions, policy, results, replies, _ = (part.to(self.run.device) for part in batch)
            if (number + seed) % 2:
                positions, replies = mirrored(positions, replies)
            for group in self.optimizer.param_groups:
                group["lr"] = self.rate_now()
            with self.run.precision():
                parts, _, _ = imitate.losses(self.network, positions, policy, results, replies, self.dropout)
            loss = parts["policy"] + sum(weights[name] * parts[name] for name in ("ranks", "reply"))
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self.optimizer.step()
            self.seen += len(positions)
            self.average.follow(self.network, len(positions))
