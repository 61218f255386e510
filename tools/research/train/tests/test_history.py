"""The learner of the history model: counts hold, files are read as they were written, a sign that tells is learned.

Needs torch; skipped without it."""

import argparse
import struct
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is missing: nothing about learning is tested")

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import history  # noqa: E402
from integers import quantised  # noqa: E402
from net_file import unpack  # noqa: E402

FEATURES = 3
PIECES = 6
LEFT = [1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 2]


def moments(path, seed):
    """A file of armies in which the first feature tells bombs."""
    rng = np.random.default_rng(seed)
    ranks = [rank for rank, count in enumerate(LEFT) for _ in range(count)]
    data = struct.pack("<I", FEATURES)
    for game in range(40):
        data += struct.pack("<IHH", game, 0, 60 + game) + bytes(LEFT) + struct.pack("<H", PIECES)
        for rank in rng.permutation(ranks):
            numbers = [256 if rank == 11 else 0, int(rng.integers(-99, 99)), 256]
            data += struct.pack("<BBH3h", rank, 0, 0xFFF, *numbers)
    path.write_bytes(data)
    return path


def test_counts_hold():
    torch.manual_seed(1)
    favours, present = torch.randn(2, PIECES, 12), torch.ones(2, PIECES, dtype=torch.bool)
    left = torch.tensor([LEFT, LEFT], dtype=torch.float32)
    found = history.chances(favours, torch.ones(2, PIECES, 12, dtype=torch.bool), present, left, 60).exp()
    assert torch.allclose(found.sum(2), torch.ones(2, PIECES), atol=1e-4)
    assert torch.allclose(found.sum(1), left, atol=1e-2)


def test_what_tells_is_learned_and_written(tmp_path):
    torch.set_num_threads(1)
    path = moments(tmp_path / "one.bin", 1)
    options = argparse.Namespace(
        data=[f"1:{path}"], state=str(tmp_path / "state.pt"), out=str(tmp_path / "net"), hidden=[8], drop=0.0,
        rate=2e-2, decay=0.0, steps=150, batch=16, seed=1,
    )
    history.train(options)
    other = history.Moments(moments(tmp_path / "two.bin", 2))
    assert len(other) == 40 and other.features == FEATURES
    found = history.gains(history.load(options.state), other, 1.0, 1)
    assert found["bomb"] > 80 and found["50 on"] > 20, found
    history.write(options)
    sections = unpack((tmp_path / "net").read_bytes())
    sizes = [20 + 8 * rows + rows * columns for columns, rows in ((FEATURES, 8), (8, 12))]
    assert {name: len(data) for name, data in sections.items()} == {"dense0": sizes[0], "dense1": sizes[1]}


def test_a_number_that_does_not_fit_is_refused():
    layer = torch.nn.Linear(2, 3)
    assert len(quantised([layer], torch.ones(1, 2), 256, 1.5)) == 1
    with torch.no_grad():
        layer.bias.fill_(1e9)
    with pytest.raises(ValueError, match="layer 0: .* does not fit"):
        quantised([layer], torch.ones(1, 2), 256, 1.5)
