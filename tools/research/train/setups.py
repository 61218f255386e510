#!/usr/bin/env python3
"""Trains the net behind the belief's prior over setups, and writes it for the engine.

The net answers: given what is known of each square of a setup, which rank began on it? What is known of a square is a
likelihood of each rank (1 for the likeliest): a told rank leaves one, a piece that moved is neither flag nor bomb, and
behaviour speaks softly. The net's output is added to the logarithm of that likelihood; a softmax makes it the chances.
It is trained on setups whose evidence is made by channels with known likelihoods, so what it learns are posteriors.

Not everybody sets up as the people do whose setups these are. So a share of the training setups are loosened: pieces
were exchanged as the shares of each square by itself allow, some or many times, which leaves the squares as people have
them and wears away what goes together (in most of them flag and bombs stay, as everybody guards flags); and a small share
are shuffled blindly. The net judges by itself, from what has
been told, how far an army was set up as people do: trust is part of the posterior.

    setups.py train SETUPS --state STATE.pt --out NET.bin     resumes if STATE exists
    setups.py check SETUPS --state STATE.pt                   figures on the setups held out
    setups.py write SETUPS --state STATE.pt --out NET.bin     integer weights only

SETUPS: forty letters a line, back row first. Setups and their mirror images form one group; groups are split into five
folds as `outflank-prior` splits them, and `--fold` is held out (-1: none).
"""

import argparse
import math
import sys
import time
from pathlib import Path

import integers
import torch
from files import ensure_free, whole
from torch import nn

RANKS = "FS23456789MB"
ARMY = torch.tensor([1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6])
PLACES = 40
MIRROR = torch.tensor([row * 10 + 9 - file for row in range(4) for file in range(10)])
MOBILE = torch.tensor([0.0] + [1.0] * 10 + [0.0])
FOLDS = 5
LEAST = 1e-6
"""Likelihoods below this share of the best one count as this share: the engine's floor is lower still."""


def fold_of(ranks):
    """The fold of a group, as tools/research/prior/src/setups.rs has it."""
    mask = (1 << 64) - 1
    value = 0xCBF29CE484222325
    for rank in ranks:
        value = (value ^ int(rank)) * 0x100000001B3 & mask
    value = (value ^ value >> 29) * 0xBF58476D1CE4E5B9 & mask
    return (value >> 33) % FOLDS


def read(path):
    """Groups of setups up to mirror image: ranks [n, 40], lines [n], fold [n]."""
    groups = {}
    for number, line in enumerate(Path(path).read_text().split(), 1):
        try:
            ranks = tuple(RANKS.index(letter) for letter in line)
        except ValueError:
            sys.exit(f"{path}: line {number} is no setup")
        if len(ranks) != PLACES or any(ranks.count(r) != n for r, n in enumerate(ARMY.tolist())):
            sys.exit(f"{path}: line {number} is not the whole army")
        mirrored = tuple(ranks[place] for place in MIRROR.tolist())
        key = min(ranks, mirrored)
        groups[key] = groups.get(key, 0) + 1
    keys = sorted(groups)
    lines = torch.tensor([groups[key] for key in keys], dtype=torch.float32)
    return torch.tensor(keys), lines, torch.tensor([fold_of(key) for key in keys])


class Net(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        sizes = [PLACES * 12, *hidden, PLACES * 12]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))

    def once(self, likelihood):
        x = likelihood.flatten(1)
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        return self.layers[-1](x).view(-1, PLACES, 12)

    def forward(self, likelihood):
        return self.once(likelihood)

    def even(self, likelihood):
        """The mean of a setup and its mirror image: how the engine asks."""
        return 0.5 * (self.once(likelihood) + self.once(likelihood[:, MIRROR])[:, MIRROR])


EXCHANGES = [10, 20, 40, 80, 160, 320, 640]
"""How often pieces were exchanged in loosened setups."""
GUARDED = 0.75
"""Share of loosened setups whose flag and bombs stay."""


def loosened(ranks, weights):
    """Setups after so many exchanges that keep to the shares of single squares: [stages * n, 40]."""
    shares = torch.zeros(PLACES, 12)
    for way in (ranks, ranks[:, MIRROR]):
        one_hot = nn.functional.one_hot(way, 12).float()
        shares += torch.einsum("n,npr->pr", weights, one_hot)
    shares = (shares / shares.sum(1, keepdim=True) + 1e-4).log() - (ARMY / PLACES).log()
    ranks, rows, stages = ranks.clone(), torch.arange(len(ranks)), []
    guarded = torch.rand(len(ranks)) < GUARDED
    for number in range(1, EXCHANGES[-1] + 1):
        one, other = torch.randint(0, PLACES, (2, len(ranks)))
        a, b = ranks[rows, one], ranks[rows, other]
        gain = shares[one, b] + shares[other, a] - shares[one, a] - shares[other, b]
        home = (MOBILE[a] == 0) | (MOBILE[b] == 0)
        take = (torch.rand(len(ranks)).log() < gain) & ~(guarded & home)
        ranks[rows, one], ranks[rows, other] = torch.where(take, b, a), torch.where(take, a, b)
        # A square that is drawn twice keeps its rank either way.
        if number in EXCHANGES:
            stages.append(ranks.clone())
    return torch.cat(stages)


def shuffled(ranks, share, device):
    """Some of the setups with pieces exchanged at random; and how much each setup counts in the loss."""
    size = len(ranks)
    made = 4 * share  # made more often than they count, for less noise
    odd = torch.rand(size, device=device) < made
    weight = torch.where(odd, share / made, (1 - share) / (1 - made))
    # Half of them altogether, the others at part of the squares.
    part = torch.where(torch.rand(size, 1, device=device) < 0.5, 1.0, torch.rand(size, 1, device=device))
    moved = odd[:, None] & (torch.rand(size, PLACES, device=device) < part)
    # Sorting by a key that is the place for those that stay, and permuted among those that move.
    key = torch.rand(size, PLACES, device=device)
    stay = torch.arange(PLACES, device=device).expand(size, -1)
    ordered = torch.where(moved, stay.float(), 1e3 + stay).argsort(1)
    mixed = torch.where(moved, key, 1e3 + stay).argsort(1)
    out = ranks.clone()
    return out.scatter_(1, ordered, ranks.gather(1, mixed)), weight


def evidence(ranks, generator_device):
    """Likelihoods [n, 40, 12] made by channels that tell nothing but what the likelihoods say."""
    device = generator_device
    size = len(ranks)
    one_hot = nn.functional.one_hot(ranks, 12).float()
    like = torch.ones(size, PLACES, 12, device=device)
    # Has moved: mobile ranks are seen to with chance p; who was not seen to is 1 - p as likely mobile.
    p = torch.rand(size, 1, device=device) * (torch.rand(size, 1, device=device) < 0.5)
    p = 0.95 * p
    seen = (MOBILE.to(device)[ranks] > 0) & (torch.rand(size, PLACES, device=device) < p)
    mobile = MOBILE.to(device).expand(size, PLACES, 12)
    unseen = 1 - p[:, :, None] * mobile
    like = torch.where(seen[:, :, None], mobile, unseen)
    # Soft signs: a noisy picture of the rank by random features.
    signs = (torch.rand(size, PLACES, device=device) < torch.rand(size, 1, device=device)).float()
    signs = signs * (torch.rand(size, 1, device=device) < 0.5)
    features = torch.randn(size, 12, 3, device=device) * torch.rand(size, 1, 1, device=device) * 1.2
    picture = features.gather(1, ranks[:, :, None].expand(-1, -1, 3)) + torch.randn(size, PLACES, 3, device=device)
    log = picture @ features.transpose(1, 2) - 0.5 * features.square().sum(2)[:, None]
    like = like * torch.exp((log - log.amax(2, keepdim=True)) * signs[:, :, None]).clamp_min(LEAST)
    # Hard sets, as silent strikes leave them.
    sets = (torch.rand(size, PLACES, 12, device=device) < 0.5).float()
    inside = (sets * one_hot).sum(2, keepdim=True) > 0
    told_set = torch.rand(size, PLACES, 1, device=device) < 0.3 * (torch.rand(size, 1, 1, device=device) < 0.15)
    like = torch.where(told_set, like * torch.where(inside, sets, 1 - sets), like)
    # Told ranks.
    number = torch.randint(0, PLACES, (size, 1), device=device)
    told = torch.rand(size, PLACES, device=device).argsort(1).argsort(1) < number
    return known(like, one_hot, told)


def known(like, one_hot, told):
    """Likelihoods once `told` ranks are known: those, and nothing more of ranks that are used up."""
    left = ARMY.to(like.device) - (one_hot * told[:, :, None]).sum(1)
    like = torch.where(told[:, :, None], one_hot, like * (left > 0)[:, None].float())
    return like / like.amax(2, keepdim=True).clamp_min(1e-30)


def logits(net, like, even=False):
    potential = net.even(like) if even else net(like)
    return torch.where(like > 0, potential + like.clamp_min(1e-30).log(), torch.full_like(potential, -1e9))


def surprise(net, ranks, like, even=False):
    log = torch.log_softmax(logits(net, like, even), 2)
    return -log.gather(2, ranks[:, :, None]).squeeze(2)


def train(options):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    ranks, lines, folds = read(options.setups)
    fitted = folds != options.fold
    ranks, weights = ranks[fitted], lines[fitted].sqrt()
    net = Net(options.hidden).to(device)
    best = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=options.decay, betas=(0.9, 0.98))
    mean = {name: value.detach().clone() for name, value in net.state_dict().items()}
    loose = loosened(ranks, weights).to(device)
    ranks = ranks.to(device)
    step = 0
    if options.begin and not Path(options.state).exists():
        net.load_state_dict(torch.load(options.begin, map_location=device, weights_only=True)["mean"])
        mean = {name: value.detach().clone() for name, value in net.state_dict().items()}
    if Path(options.state).exists():
        saved = torch.load(options.state, map_location=device, weights_only=True)
        net.load_state_dict(saved["net"])
        best.load_state_dict(saved["optimiser"])
        mean, step = saved["mean"], saved["step"]
        print(f"goes on at step {step}", flush=True)
    start, first, lost = time.time(), step, None
    while step < options.steps:
        done = step / options.steps
        warm = min(1.0, (step + 1) / 300)
        for group in best.param_groups:
            group["lr"] = options.rate * warm * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done)))
        index = torch.multinomial(weights, options.batch, replacement=True).to(device)
        other = torch.randint(0, len(EXCHANGES), (options.batch,), device=device) * len(ranks) + index
        is_loose = torch.rand(options.batch, 1, device=device) < options.loosened
        batch = torch.where(is_loose, loose[other], ranks[index])
        flip = torch.rand(len(batch), 1, device=device) < 0.5
        batch = torch.where(flip, batch[:, MIRROR.to(device)], batch)
        batch, weight = shuffled(batch, options.shuffled, device)
        nats = surprise(net, batch, evidence(batch, device))
        loss = (nats.mean(1) * weight).mean()
        best.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        best.step()
        step += 1
        with torch.no_grad():
            keep = min(0.999, step / (step + 10))
            for name, value in net.state_dict().items():
                mean[name].lerp_(value, 1 - keep)
        lost = loss.item() if lost is None else 0.99 * lost + 0.01 * loss.item()
        if step % options.every == 0 or step == options.steps:
            save(options.state, net, mean, best, step, options)
            left = (time.time() - start) / (step - first) * (options.steps - step)
            print(f"step {step}/{options.steps}  loss {lost:.4f}  {left / 60:.1f} min left", flush=True)
        if step % (5 * options.every) == 0:
            check_net(load(options.state)[0], options, few=500)
    if options.out:
        write(options)


def save(path, net, mean, optimiser, step, options):
    state = {"net": net.state_dict(), "mean": mean, "optimiser": optimiser.state_dict()}
    with whole(path) as beside:
        torch.save({**state, "step": step, "hidden": options.hidden}, beside)


def load(path):
    saved = torch.load(path, map_location="cpu", weights_only=True)
    net = Net(saved["hidden"])
    net.load_state_dict(saved["mean"])
    return net.eval(), saved


@torch.no_grad()
def check_net(net, options, few=None):
    ranks, lines, folds = read(options.setups)
    held = folds == options.fold if options.fold >= 0 else folds == 0
    ranks, lines = ranks[held], lines[held]
    blank = torch.ones(1, PLACES, 12)
    chances = torch.log_softmax(logits(net, blank, True), 2)[0]
    nats = -(chances.gather(1, ranks.T).mean(0) + chances.gather(1, ranks[:, MIRROR].T).mean(0)) / 2
    by_lines, by_setups = (nats * lines).sum() / lines.sum(), nats.mean()
    print(f"start, nats a piece: {by_lines:.4f} by lines, {by_setups:.4f} by setups", flush=True)
    generator = torch.Generator().manual_seed(7)
    pick = torch.randperm(len(ranks), generator=generator)[: few or options.setups_checked]
    ranks, lines = ranks[pick], lines[pick]
    order = torch.rand(ranks.shape, generator=generator).argsort(1).argsort(1)
    one_hot = nn.functional.one_hot(ranks, 12).float()
    nats = torch.zeros(len(ranks))
    for told in range(PLACES):
        like = known(torch.ones(len(ranks), PLACES, 12), one_hot, order < told)
        nats += (surprise(net, ranks, like, True) * (order == told)).sum(1)
    by_lines, error = (nats * lines).sum() / lines.sum(), nats.std() / math.sqrt(len(nats))
    print(
        f"told one by one in random order, nats a setup: {by_lines:.3f} by lines, "
        f"{nats.mean():.3f} +- {1.96 * error:.3f} by setups ({len(ranks)} setups)",
        flush=True,
    )


INPUT = 255
"""What a likelihood of one becomes."""


def write(options):
    net, _ = load(options.state)
    ranks, _, folds = read(options.setups)
    some = ranks[folds != options.fold]
    some = some[torch.randperm(len(some), generator=torch.Generator().manual_seed(3))[:20000]]
    torch.manual_seed(1)
    size = integers.write(options.out, integers.quantised(net.layers, evidence(some, "cpu").flatten(1), INPUT, 1.1))
    print(f"{options.out}: {size} bytes", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["train", "check", "write"])
    parser.add_argument("setups", help="forty letters a line, back row first")
    parser.add_argument("--state", required=True, help="where training is kept, to go on later")
    parser.add_argument("--out", help="where the engine's net goes")
    parser.add_argument("--force", action="store_true", help="replace the file of --out if it is there")
    parser.add_argument("--fold", type=int, default=0, help="held out, 0 to 4; -1: none")
    parser.add_argument("--hidden", type=int, nargs="+", default=[448, 448])
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--decay", type=float, default=0.02)
    parser.add_argument("--shuffled", type=float, default=0.04, help="share of shuffled setups")
    parser.add_argument("--loosened", type=float, default=0.4, help="share of setups with pieces exchanged")
    parser.add_argument("--begin", help="another training's state to begin with")
    parser.add_argument("--every", type=int, default=200, help="steps between two saves")
    parser.add_argument("--setups-checked", type=int, default=3000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.out and options.command != "check":
        ensure_free(options.out, options.force)
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    if options.command == "train":
        train(options)
        check_net(load(options.state)[0], options)
    elif options.command == "check":
        check_net(load(options.state)[0], options)
    elif options.out:
        write(options)
    else:
        parser.error("write needs --out")


if __name__ == "__main__":
    main()
