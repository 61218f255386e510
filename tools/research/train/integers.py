"""Dense nets in integers: how their weights are rounded, and how they are written for the engine."""

import struct

import numpy as np
import torch
from files import whole
from net_file import pack

ACTIVATION = 4095
"""What the largest value of a hidden unit becomes."""
NAT = 1024
"""Parts of a nat in the output."""
SHIFT = 24
MOST = 2**31 - 1


@torch.no_grad()
def quantised(layers, x, unit, headroom):
    """Per layer: weights i8, bias i32 (in units of the sums), multiplier i32 per row; sums * multiplier >> SHIFT.

    `x` are examples of what the net reads, `unit` is what an input of one becomes. What hidden units say of the
    examples, times `headroom`, is the most that they can say. `ValueError` if a number does not fit."""
    scale_in, found = unit, []
    for number, layer in enumerate(layers):
        last = number == len(layers) - 1
        x = layer(x)
        row = layer.weight.abs().amax(1).clamp_min(1e-6) / 127
        weights = (layer.weight / row[:, None]).round().clamp(-127, 127).numpy()
        bias = (layer.bias / row * scale_in).round().numpy()
        if last:
            scale_out = NAT
        else:
            x = torch.relu(x)
            scale_out = ACTIVATION / (x.max().item() * headroom)
        multiplier = (row / scale_in * scale_out * 2**SHIFT).round().numpy()
        if not (np.abs(bias).max() < MOST and np.abs(multiplier).max() < MOST):
            raise ValueError(f"layer {number}: a bias or a multiplier does not fit into 32 bits")
        found.append((weights.astype("i1"), bias.astype("<i4"), multiplier.astype("<i4")))
        scale_in = scale_out
    return found


def write(path, layers):
    """Writes layers, as `quantised` makes them, for the engine; returns how many bytes that are."""
    sections = []
    for number, (weights, bias, multiplier) in enumerate(layers):
        rows, columns = weights.shape
        low, high = (-32768, 32767) if number == len(layers) - 1 else (0, ACTIVATION)
        head = struct.pack("<IIiiI", columns, rows, low, high, SHIFT)
        sections.append((f"dense{number}", head + bias.tobytes() + multiplier.tobytes() + weights.tobytes()))
    data = pack(sections)
    with whole(path) as beside:
        beside.write_bytes(data)
    return len(data)
