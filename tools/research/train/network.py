"""The policy network: what it is made of, how it is kept, and how it is written for the engine.

Input are the bytes of `outflank_gym`, output a score for every pair of squares (from, to), win, draw and loss of the player to
move, the rank of each hidden enemy piece, and where the enemy's next move comes from and goes to. A trunk of residual 3x3 convolutions; every second block also sees the mean and the maximum of each channel over the board,
since scouts and Marshals act across it.
"""

import struct
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import torch
from files import whole
from net_file import pack, unpack
from torch import nn
from torch.nn import functional as F

HEAD = 32
"""Dimensions of the vectors whose inner product scores a pair of squares."""
VALUE = 64


ENCODING, PLANES = 2, 64
"""The version of the encoding, and the planes of an observation."""


@dataclass(frozen=True)
class Shape:
    """The size of a network."""

    channels: int = 48
    blocks: int = 5
    planes: int = PLANES
    globals: int = 40


def pooled(x):
    """Mean and maximum of each channel over the board."""
    squares = x.permute(0, 2, 3, 1).flatten(1, 2)
    return torch.cat([squares.mean(1), squares.amax(1)], 1)


class Block(nn.Module):
    """Two convolutions around which the input is led."""

    def __init__(self, channels, pools):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        self.pool = nn.Linear(2 * channels, channels) if pools else None
        nn.init.zeros_(self.second.weight)
        nn.init.zeros_(self.second.bias)
        if pools:
            nn.init.zeros_(self.pool.weight)
            nn.init.zeros_(self.pool.bias)

    def forward(self, x):
        y = self.first(x)
        if self.pool is not None:
            y = y + self.pool(pooled(x)).to(y.dtype)[:, :, None, None]
        return F.relu(x + self.second(F.relu(y)))


class Network(nn.Module):
    """See the module's text."""

    def __init__(self, shape=Shape()):
        super().__init__()
        self.shape = shape
        c = shape.channels
        self.board = nn.Conv2d(shape.planes, c, 3, padding=1)
        self.game = nn.Linear(shape.globals, c)
        self.blocks = nn.ModuleList(Block(c, i % 2 == 1) for i in range(shape.blocks))
        self.ends = nn.Conv2d(c, 2 * HEAD, 1)
        self.value_in = nn.Linear(2 * c, VALUE)
        self.value_out = nn.Linear(VALUE, 3)
        self.rank = nn.Conv2d(c, 12, 1)
        self.reply = nn.Conv2d(c, 2, 1)

    def dtype(self):
        """What the convolutions reckon in."""
        device = self.board.weight.device.type
        return torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else self.board.weight.dtype

    def trunk(self, planes, game):
        """Bytes to features."""
        # Bytes are exact in half precision; the weights are scaled instead of them.
        x = planes[:, : self.shape.planes].to(self.dtype()).contiguous(memory_format=torch.channels_last)
        x = F.conv2d(x, self.board.weight / 255, self.board.bias, padding=1)
        x = F.relu(x + self.game(game.float().div(255)).to(x.dtype)[:, :, None, None])
        for block in self.blocks:
            x = block(x)
        return x

    def heads(self, x, legal, rows, apart=False):
        """Logits of the legal actions (codes `legal` of the positions `rows`), and of win, draw and loss; `apart`: the value teaches
        the trunk nothing."""
        ends = self.ends(x).permute(0, 2, 3, 1).reshape(-1, 100, 2 * HEAD)
        pairs = torch.bmm(ends[:, :, :HEAD], ends[:, :, HEAD:].transpose(1, 2))
        logits = pairs.reshape(-1)[rows * 10_000 + legal].float() / HEAD**0.5
        value = self.value_out(F.relu(self.value_in(pooled(x.detach() if apart else x)))).float()
        return logits, value

    def forward(self, planes, game, legal, rows):
        return self.heads(self.trunk(planes, game), legal, rows)


def row_softmax(logits, rows, count):
    """Logarithms of the chances within each row."""
    most = torch.full((count,), -1e30, dtype=logits.dtype, device=logits.device)
    most = most.scatter_reduce(0, rows, logits.detach(), "amax", include_self=True)
    shifted = logits - most[rows]
    sums = torch.zeros(count, dtype=logits.dtype, device=logits.device).index_add(0, rows, shifted.exp())
    return shifted - sums.log()[rows]


def row_sum(values, rows, count):
    """Sums within each row."""
    return torch.zeros(count, dtype=values.dtype, device=values.device).index_add(0, rows, values)


def sample(logp, starts, generator=None):
    """An index into `logp` for each row, drawn by its chances (the largest of Gumbel-perturbed logits)."""
    noise = torch.rand(logp.shape, generator=generator, device=logp.device).clamp_(1e-10, 1 - 1e-7)
    return row_argmax(logp - (-noise.log()).log(), starts)


def row_argmax(values, starts):
    """The index of the largest value of each row; rows begin at `starts`, whose last entry is the end."""
    count = len(starts) - 1
    lengths = starts[1:] - starts[:-1]
    rows = torch.repeat_interleave(torch.arange(count, device=values.device), lengths)
    most = torch.full((count,), -1e30, dtype=values.dtype, device=values.device)
    most = most.scatter_reduce(0, rows, values, "amax", include_self=True)
    hits = torch.nonzero(values >= most[rows]).flatten()
    chosen = torch.zeros(count, dtype=torch.long, device=values.device)
    # The last one that is written stays; equal values are too rare to matter.
    chosen[rows[hits]] = hits
    return chosen


def sharpen(network, temperature):
    """Makes the policy what it is at this temperature: the logits are divided by it."""
    with torch.no_grad():
        for part in (network.ends.weight, network.ends.bias):
            part.mul_(temperature**-0.5)


# What reads the channels: its inputs are these, or their means and then their maxima.
READS = ("first.weight", "second.weight", "ends.weight", "rank.weight", "reply.weight")
READS_POOLED = ("pool.weight", "value_in.weight")


def with_channels(network, channels):
    """The same network with so many channels: the new ones see what the others see, and nothing sees them at first.

    After Net2WiderNet (Chen, Goodfellow and Shlens 2016, Net2Net), which copies channels where this adds fresh ones.
    """
    few = network.shape.channels
    if few == channels:
        return network
    assert few < channels, "a channel cannot be taken away"
    broad = Network(replace(network.shape, channels=channels))
    weights = broad.state_dict()
    for name, old in network.state_dict().items():
        new, rows = weights[name], len(old)
        if not name.endswith(READS + READS_POOLED):
            new[:rows] = old
            continue
        # Inside a block new channels are made of all, and go nowhere yet.
        (new[:rows] if name.endswith("first.weight") else new).zero_()
        parts = 2 if name.endswith(READS_POOLED) else 1
        for wide, narrow in zip(new.chunk(parts, 1), old.chunk(parts, 1), strict=True):
            wide[:rows, :few] = narrow
    broad.load_state_dict(weights)
    return broad


def save(path, network, **more):
    """Keeps a network with its shape, half-precision: small enough to commit."""
    weights = {name: value.half() for name, value in network.state_dict().items()}
    with whole(path) as beside:
        torch.save({"shape": asdict(network.shape), "weights": weights, **more}, beside)


def load(path):
    """A network that was kept, or written for the engine, and what was kept beside it."""
    if str(path).endswith(".net"):
        return read(path), {}
    # Tensors, numbers and texts alone: what else a file may hold could run a program.
    kept = torch.load(path, map_location="cpu", weights_only=True)
    network = Network(Shape(**kept["shape"]))
    network.load_state_dict({name: value.float() for name, value in kept["weights"].items()})
    return network, kept


def to_bytes(network):
    """A network as the engine reads it.

    In `crates/engine/src`, `net/file.rs` has the container and `policy/network.rs` the sections.
    """
    shape = network.shape
    head = struct.pack("<6I", ENCODING, shape.planes, shape.globals, shape.channels, shape.blocks, HEAD)
    sections = [("policy", head)]
    for name, value in network.state_dict().items():
        sections.append((name, value.detach().float().cpu().contiguous().numpy().astype("<f4").tobytes()))
    return pack(sections)


def write(path, network):
    """Writes a network for the engine."""
    with whole(path) as beside:
        beside.write_bytes(to_bytes(network))


def read(path):
    """A network as `write` wrote it. `ValueError` if the file holds none, or not as it was written."""
    try:
        return from_bytes(Path(path).read_bytes())
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def from_bytes(data):
    """The network of a file that the engine reads."""
    sections = unpack(data)

    def section(name, size):
        found = sections.pop(name, b"")
        if len(found) != size:
            raise ValueError(f"{name} has {len(found)} bytes, not {size}")
        return bytearray(found)

    _, planes, game, channels, blocks, _ = struct.unpack("<6I", section("policy", 24))
    network = Network(Shape(channels, blocks, planes, game))
    for name, value in network.state_dict().items():
        value.copy_(torch.frombuffer(section(name, 4 * value.numel()), dtype=torch.float32).reshape(value.shape))
    if sections:
        raise ValueError(f"it has more than a network: {sorted(sections)}")
    return network
