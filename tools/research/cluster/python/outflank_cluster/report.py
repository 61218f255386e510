"""How far a contest is, in the words of its own program."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from .contest import Contest

__all__ = ["Reporter"]

# Between two looks at the file: at least so many seconds, and so many times what the last look took.
LEAST, SHARE = 1.0, 10.0


class Reporter:
    """Looks at the growing file with the program's `stats`, and says now and then how far it is.

    `every` is the time between two such lines, in seconds.
    """

    def __init__(self, contest: Contest, program: str, path: Path, say: Callable[[str], None], every: float) -> None:
        self.contest, self.program, self.path, self.say, self.every = contest, program, path, say, every
        self._begun = self._said = time.monotonic()
        self._next = self._begun + LEAST
        self._table = ""

    def stats(self) -> subprocess.CompletedProcess[str]:
        """What the program says of the file as it is now."""
        test = ["--sprt", *self.contest.test] if self.contest.test else []
        words = [self.program, "stats", str(self.path), *test]
        return subprocess.run(words, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL)

    def decided(self) -> bool:
        """Whether the SPRT of the match has decided, as far as the file goes."""
        if not self.contest.test:
            return False
        # As long as games are missing and it is open, the program complains; the table is there all the same.
        self._table = self.stats().stdout
        return re.search(r"^  SPRT .*: H[01] accepted\b", self._table, re.MULTILINE) is not None

    def look(self, done: int, tasks: int, lost: int) -> bool:
        """Looks at the file, if it is time to; returns whether the rest need not be played."""
        now = time.monotonic()
        if now < self._next or not done:
            return False
        decided, due = self.decided(), now - self._said >= self.every
        if due and not self.contest.test:
            self._table = self.stats().stdout
        if due or decided:
            self._said = now
            self.say(self.line(done, tasks, lost))
        after = time.monotonic()
        self._next = after + max(LEAST, SHARE * (after - now))
        return decided

    def line(self, done: int, tasks: int, lost: int) -> str:
        """One line: games, tasks that run, workers lost, and the table's figures where there is but one meeting."""
        minutes, seconds = divmod(int(time.monotonic() - self._begun), 60)
        parts = [f"{minutes}:{seconds:02} {done} of {self.contest.games} games, {tasks} tasks"]
        if lost:
            parts[0] += f", {lost} lost"
        meetings = re.findall(r"^(.* against .*): won ", self._table, re.MULTILINE)
        if len(meetings) == 1:
            figures = re.findall(r"^  (score .*|SPRT .*)$", self._table, re.MULTILINE)
            parts += [f"{meetings[0]}: {figure}" if place == 0 else figure for place, figure in enumerate(figures)]
        return "; ".join(parts)
