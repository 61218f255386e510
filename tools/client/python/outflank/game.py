"""The game as it was reported to an engine, so that it can be reported to another process again."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Game"]


@dataclass(slots=True)
class Game:
    """What was reported and accepted since the last `newgame`.

    `rules` are the rules in words, `newgame` and `position` whole lines, `setups` the setup lines, `plies` the plies
    since the setups or the position, and `over` the line that ended the game; empty texts where there was none.
    `desynced` is whether plies or a position failed since, so that the engine does not search.
    """

    rules: str = ""
    newgame: str = ""
    setups: list[str] = field(default_factory=list)
    position: str = ""
    plies: list[str] = field(default_factory=list)
    over: str = ""
    desynced: bool = False

    def undo(self, plies: int) -> None:
        """Takes plies back, and the end that was reported."""
        self.over = ""
        if plies:
            del self.plies[-plies:]
        else:
            self.desynced = False

    def lines(self) -> list[str]:
        """The lines that tell all of it to an engine that has just been started."""
        rules = f"rules {self.rules}" if self.rules else ""
        plies = f"play {' '.join(self.plies)}" if self.plies else ""
        return [line for line in (rules, self.newgame, *self.setups, self.position, plies, self.over) if line]
