"""Curves of a run's log: everything that tells whether learning is healthy."""

import json
from pathlib import Path

import matplotlib
import numpy as np

from files import whole

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

VITAL = [
    ("loss of the value", ["value"]),
    ("policy: what the step gains", ["policy"]),
    ("entropy, nats", ["entropy"]),
    ("KL to the magnet / to the last policy", ["magnet", "old"]),
    ("share of draws", ["draws"]),
    ("strikes in 100 plies", ["strikes_per_100"]),
    ("plies a game", ["length"]),
    ("nats a hidden rank", ["ranks"]),
    ("nats a reply (from + to)", ["reply"]),
    ("share clipped, size of the gradient", ["clipped", "gradient"]),
    ("plies a second", ["rate"]),
]


def smooth(values, width):
    """Means of so many at a time."""
    return [sum(values[i : i + width]) / len(values[i : i + width]) for i in range(0, len(values), width)]


def read(path):
    """The lines of a log."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def draw(run, out):
    """All of a run's curves over plies, strength last."""
    lines = [line for line in read(run.path("log.jsonl")) if line["stage"] == "play"]
    strength = [line for line in read(run.path("strength.jsonl")) if "score" in line]
    figure, axes = plt.subplots(4, 3, figsize=(15, 14))
    width = max(1, len(lines) // 150)
    plies = smooth([line["plies"] / 1e6 for line in lines], width)
    for axis, (title, names) in zip(axes.flat, VITAL):
        for name in names:
            axis.plot(plies, smooth([line.get(name, 0.0) for line in lines], width), label=name)
        axis.set_title(title)
        axis.grid(alpha=0.3)
        if len(names) > 1:
            axis.legend()
    draw_strength(axes.flat[len(VITAL)], lines, strength, width)
    for axis in axes[-1]:
        axis.set_xlabel("million plies of self-play")
    figure.tight_layout()
    with whole(out) as beside:
        figure.savefig(beside, format=Path(out).suffix[1:])


def draw_strength(axis, lines, strength, width):
    """Points against fixed opponents, with standard errors; without any, those of the ruler."""
    axis.set_title("points against outsiders" if strength else "points in the latest 1,000 games while learning")
    axis.grid(alpha=0.3)
    axis.set_ylim(0, 1)
    for name in sorted({line["opponent"] for line in strength}):
        own = sorted((line for line in strength if line["opponent"] == name), key=lambda line: line["plies"])
        points, errors = [line["score"] for line in own], [line["error"] for line in own]
        axis.errorbar([line["plies"] / 1e6 for line in own], points, errors, label=name, capsize=2, marker=".")
    if strength:
        axis.legend(fontsize=7)
        return
    for name in sorted({name for line in lines for name in line.get("ruler", {})}):
        met = [(line["plies"] / 1e6, line["ruler"][name]) for line in lines if name in line.get("ruler", {})]
        plies = smooth([plies for plies, _ in met], width)
        points, errors = (np.array(smooth([found[part] for _, found in met], width)) for part in (0, 1))
        axis.plot(plies, points, label=name)
        axis.fill_between(plies, points - errors, points + errors, alpha=0.2)
    axis.legend(fontsize=7)
