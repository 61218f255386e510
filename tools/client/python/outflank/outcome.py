"""How games end."""

from __future__ import annotations

from dataclasses import dataclass

from .values import Side

__all__ = ["GameOutcome"]


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """How a game ended: the winner (`None` for a draw, or where the reason is `unfinished`), the reason, and what went
    wrong."""

    winner: Side | None
    reason: str
    fault: str | None = None
