"""What is played: the options of a match, and how its games fall into shards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

__all__ = ["Contest", "ContestError"]

OURS = {"--out": "the file is told before --", "--resume": "an existing file is always gone on with",
        "--shard": "shards are what the tasks play"}


class ContestError(ValueError):
    """The options do not tell what to play."""


@dataclass(frozen=True, slots=True)
class Contest:
    """A match, as the options of `outflank-arena match` tell it.

    `words` are these options without `--sprt`, whose words are `test`. A round is what is never shared out: the games
    that each two play from the same setups.
    """

    words: tuple[str, ...]
    test: tuple[str, ...]
    rounds: int
    games_a_round: int

    @classmethod
    def match(cls, words: Sequence[str]) -> Contest:
        """A match with these options of `outflank-arena match`. `ContestError` if they do not make one."""
        options = Options(words)
        engines = len(options.all("--engine"))
        if engines < 2:
            raise ContestError("a match needs two engines: give --engine twice")
        paired = not (options.all("--no-pairs") or options.all("--own-setups"))
        meetings = engines - 1 if options.all("--gauntlet") else engines * (engines - 1) // 2
        test = tuple(word for told in options.all("--sprt") for word in told)
        if test and engines != 2:
            raise ContestError("an SPRT is between two engines")
        return cls(options.without("--sprt"), test, options.rounds(paired), meetings * (2 if paired else 1))

    @property
    def games(self) -> int:
        """All games."""
        return self.rounds * self.games_a_round

    def shard_of(self, game: int, count: int) -> int:
        """The shard that a game belongs to, from 1."""
        return game // self.games_a_round % count + 1

    def games_of(self, shard: int, count: int) -> Iterator[int]:
        """The numbers of the games of a shard, in order."""
        for number in range(shard - 1, self.rounds, count):
            yield from range(number * self.games_a_round, (number + 1) * self.games_a_round)

    def command(self, shard: int, count: int, concurrency: int) -> list[str]:
        """The arguments of the program that plays a shard; the file is left out."""
        words = ["match", *self.words, f"--shard={shard}/{count}"]
        told = Options(self.words).all("--concurrency")
        return words if told else [*words, f"--concurrency={concurrency}"]


class Options:
    """Words of a command line, each option with the words that follow it."""

    def __init__(self, words: Sequence[str]) -> None:
        self.groups: list[list[str]] = []
        rest = list(words)
        while rest:
            first = rest.pop(0)
            if not first.startswith("-"):
                raise ContestError(f"{first!r} belongs to no option")
            name, equals, value = first.partition("=")
            values = list(takewhile(lambda word: not word.startswith("--"), rest))
            del rest[: len(values)]
            self.groups.append([name, *([value] if equals else []), *values])
            if name in OURS:
                raise ContestError(f"{name} does not go after --: {OURS[name]}")

    def all(self, name: str) -> list[list[str]]:
        """The words of each time that an option is told."""
        return [values for told, *values in self.groups if told == name]

    def without(self, name: str) -> tuple[str, ...]:
        """All words but those of an option."""
        kept = (group for group in self.groups if group[0] != name)
        return tuple(word for group in kept for word in group)

    def rounds(self, paired: bool) -> int:
        """How many rounds are played, as `--games` tells."""
        told = self.all("--games")
        try:
            games = int(told[-1][0]) if told else 100
        except (IndexError, ValueError):
            raise ContestError("--games takes a number") from None
        if games < 1 or (paired and games % 2):
            raise ContestError("pairs need an even number of games" if games > 0 else "no games, no contest")
        return games // 2 if paired else games
