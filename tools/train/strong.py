"""What the moves of strong players teach: a network is tuned to them on half of their games and judged on the other half.

The games are only learned from to measure how much there is to learn; the network that comes of it is put into nothing by itself.
"""

import tempfile
from pathlib import Path

import imitate
import torch
from judge import agreement
from network import load, save
from positions import NO_REPLY, mirror_codes

READ = {"rows": 64, "mixed": 40, "batch": 256, "temperature": 1.0, "best": 0.0}
"""How recorded games are gone through: what was played is the target."""


def halves(file, folder):
    """The games of a file in two: every second one, in files of their own."""
    lines = [line for line in Path(file).read_text().splitlines() if line.strip()]
    found = []
    for name, part in (("learned", lines[::2]), ("held-out", lines[1::2])):
        path = Path(folder) / f"{name}.jsonl"
        path.write_text("".join(line + "\n" for line in part))
        found.append([str(path)])
    return found


def tune(run, file, games, passes, rate):
    """Passes over one half, mirrored at random; after each the agreement with either half. The network that has the fewest nats on the
    half held out is kept beside the run's others."""
    torch.manual_seed(1)
    network = load(file)[0].to(run.device, memory_format=torch.channels_last)
    weights = run.config["play"]["weights"]
    optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=1e-2)
    best = float("inf")
    with tempfile.TemporaryDirectory() as folder:
        learned, held_out = halves(games, folder)
        for turn in range(passes + 1):
            if turn:
                one_pass(run, network, optimizer, learned, weights, turn)
            found = {name: agreement(network.eval(), part, run) for name, part in (("learned", learned), ("held out", held_out))}
            run.log(stage="strong", passed=turn, **found)
            print(f"{turn} passes: " + ", ".join(
                f"{name} {100 * one['agreement']:.2f}%, {one['nats']:.3f} nats" for name, one in found.items()), flush=True)
            if found["held out"]["nats"] < best:
                best = found["held out"]["nats"]
                save(run.path("strong.pt"), network, passed=turn, found=found)
    return network


def one_pass(run, network, optimizer, files, weights, seed):
    """All positions of the files once."""
    network.train()
    for number, batch in enumerate(imitate.shown(files, READ, seed)):
        positions, policy, results, replies, _ = (part.to(run.device) for part in batch)
        if (number + seed) % 2:
            positions = positions.mirrored()
            replies = torch.where(replies == NO_REPLY, replies, mirror_codes(replies.clamp(max=9999)))
        with run.precision():
            parts, _, _ = imitate.losses(network, positions, policy, results, replies)
        loss = parts["policy"] + sum(weights[name] * parts[name] for name in ("value", "ranks", "reply"))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
