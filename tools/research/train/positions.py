"""Batches of positions as tensors, and what networks are trained on beside choosing: results, hidden ranks, replies."""

from dataclasses import dataclass, replace

import numpy as np
import torch
from torch.nn import functional as F

NONE = 255
"""No hidden piece on a square."""
NO_REPLY = 65535


def mirror_squares():
    """Where each square lies on the board mirrored left to right."""
    squares = torch.arange(100)
    return squares // 10 * 10 + 9 - squares % 10


MIRROR = mirror_squares()


def mirror_codes(codes):
    """The same actions on the board mirrored left to right."""
    mirror = MIRROR.to(codes.device)
    return mirror[codes // 100] * 100 + mirror[codes % 100]


def mirrored(positions, replies):
    """Positions, and the enemy's answers to them, left to right."""
    return positions.mirrored(), torch.where(replies == NO_REPLY, replies, mirror_codes(replies.clamp(max=9999)))


@dataclass
class Positions:
    """Rows of what `outflank_gym` shows, and the legal actions row after row."""

    planes: torch.Tensor
    game: torch.Tensor
    legal: torch.Tensor
    starts: torch.Tensor
    hidden: torch.Tensor
    advice: torch.Tensor
    """What a search says of each legal action, in points of evaluation; 0 without one."""

    @staticmethod
    def of(shown):
        """Takes over what an environment or recorded games have shown."""
        legal = torch.from_numpy(shown["legal"].astype(np.int64))
        starts = torch.from_numpy(shown["starts"].astype(np.int64))
        planes, game = torch.from_numpy(shown["planes"]), torch.from_numpy(shown["globals"])
        advice = torch.from_numpy(shown["advice"]) if "advice" in shown else torch.zeros(len(legal))
        return Positions(planes, game, legal, starts, torch.from_numpy(shown["hidden"]), advice)

    def __len__(self):
        return len(self.starts) - 1

    @property
    def rows(self):
        """The row of each legal action."""
        return torch.repeat_interleave(torch.arange(len(self), device=self.legal.device), self.starts.diff())

    def mirrored(self):
        """The same positions left to right. The order of the legal actions stays."""
        hidden = self.hidden[:, MIRROR]
        return replace(self, planes=self.planes.flip(3), legal=mirror_codes(self.legal), hidden=hidden)

    def to(self, device):
        """On another device."""
        parts = (self.planes, self.game, self.legal, self.starts, self.hidden, self.advice)
        return Positions(*(part.to(device) for part in parts))


def concatenate(parts):
    """One batch of several."""
    starts, shift = [torch.zeros(1, dtype=torch.long)], 0
    for part in parts:
        starts.append(part.starts[1:] + shift)
        shift += int(part.starts[-1])
    names = ("planes", "game", "legal", "hidden", "advice")
    together = {name: torch.cat([getattr(part, name) for part in parts]) for name in names}
    return Positions(starts=torch.cat(starts), **together)


def select(positions, rows):
    """Some of the rows, and the places of their actions among all."""
    lengths = positions.starts.diff()[rows]
    starts = torch.cat([torch.zeros(1, dtype=torch.long), lengths.cumsum(0)])
    places = torch.arange(int(starts[-1])) + torch.repeat_interleave(positions.starts[rows] - starts[:-1], lengths)
    planes, game, hidden = positions.planes[rows], positions.game[rows], positions.hidden[rows]
    return Positions(planes, game, positions.legal[places], starts, hidden, positions.advice[places]), places


def rank_loss(network, features, hidden):
    """Nats a hidden enemy piece; also how many there are."""
    known = hidden.long().flatten()
    logits = network.rank(features).permute(0, 2, 3, 1).flatten(0, 2).float()
    there = known != NONE
    return F.cross_entropy(logits[there], known[there]) if bool(there.any()) else logits.sum() * 0


def reply_loss(network, features, replies):
    """Nats for the square the enemy's answer comes from, and for the one it goes to, added."""
    logits = network.reply(features).flatten(2).float()
    there = replies != NO_REPLY
    if not bool(there.any()):
        return logits.sum() * 0
    codes = replies[there]
    return F.cross_entropy(logits[there, 0], codes // 100) + F.cross_entropy(logits[there, 1], codes % 100)
