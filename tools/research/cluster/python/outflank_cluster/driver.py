"""Shares a contest out as Ray tasks, and keeps what comes back."""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError

from .contest import Contest
from .records import RecordFile
from .report import Reporter
from .task import Ended, Played, Share, Started, play_share

__all__ = ["Driver", "Failure", "Limits", "play"]

# A shard that is lost so often in a row without a new game is given up.
TRIES = 5
# Shards for each worker: enough for fast machines to do more, few enough for programs to start seldom.
SHARDS_A_WORKER = 16
# Records that are checked before anything is played.
CHECKED = 1000
# Seconds to wait for the next message, between looks at the size of the cluster, and for cancelled tasks to end.
WAIT, RESIZED, CANCELLED = 0.5, 5.0, 8.0


class Failure(Exception):
    """The contest cannot go on; what is recorded stays."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How a contest is shared out: CPUs (and games at once) of a task, tasks at once, shards.

    Without `workers` there are as many tasks as the cluster has CPUs for; machines that join are used. Without `shards`
    there are sixteen for each worker, or one for each round if there is an SPRT, which looks at rounds in order.
    """

    cpus: int = 1
    workers: int | None = None
    shards: int | None = None

    def capacity(self) -> int:
        """Tasks that may run now."""
        if self.workers is not None:
            return self.workers
        resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
        return max(1, int(resources.get("CPU", 1)) // self.cpus)

    def count(self, contest: Contest) -> int:
        """How many shards there are."""
        wanted = self.shards or (contest.rounds if contest.test else SHARDS_A_WORKER * self.capacity())
        return min(wanted, contest.rounds)


@dataclass(slots=True)
class Task:
    """A shard that is being played."""

    shard: int
    host: str = "a worker"
    ended: bool = False


@dataclass
class Driver:
    """A contest that is being played.

    `poll` is called all the while, and may raise what ends the contest: Ray cannot take what signals raise within it.
    """

    contest: Contest
    records: RecordFile
    reporter: Reporter
    limits: Limits
    program: str | None
    poll: Callable[[], None] = lambda: None
    count: int = 0
    lost: int = 0
    active: dict[Any, Task] = field(default_factory=dict)
    again: deque[int] = field(default_factory=deque)
    tries: dict[int, int] = field(default_factory=dict)

    def run(self) -> None:
        """Plays the games that are missing, until all are there or the test has decided."""
        self.fit()
        self.check()
        if self.reporter.decided():
            return
        self.count = self.limits.count(self.contest)
        waiting, sized, capacity = self.waiting(), time.monotonic(), self.limits.capacity()
        self.begin(capacity)
        while True:
            self.poll()
            if time.monotonic() - sized > RESIZED:
                sized, capacity = time.monotonic(), self.limits.capacity()
            while len(self.active) < capacity and (shard := self.next(waiting)) is not None:
                self.submit(shard)
            if not self.active:
                return
            self.listen()
            if self.reporter.look(len(self.records), len(self.active), self.lost):
                return

    def fit(self) -> None:
        """`Failure` if no machine has the CPUs that a task wants: Ray would wait for one for ever."""
        most = max((node["Resources"].get("CPU", 0) for node in nodes()), default=0)
        if most < self.limits.cpus:
            raise Failure(f"a task wants {self.limits.cpus} CPUs, and no machine has more than {most:g}")

    def begin(self, capacity: int) -> None:
        """Says what lies ahead."""
        known = f", {len(self.records)} of them there" if len(self.records) else ""
        self.reporter.say(
            f"{self.contest.games} games{known}, in {self.count} shards; machines {len(nodes())}, tasks {capacity}"
        )

    def check(self) -> None:
        """Lets the program judge its options, start its engines and look at the records, before anything is played.

        A shard behind the last round has no games; the program does all the rest.
        """
        beyond = self.contest.rounds + 1
        words = tuple(self.contest.command(beyond, beyond, 1))
        known = tuple(self.records.sample(CHECKED))
        self.active[self.remote(words, known)] = Task(0)
        while self.active:
            for generator in self.ready(1, WAIT):
                try:
                    message = ray.get(next(generator))
                except StopIteration:
                    del self.active[generator]
                except RayError as error:
                    raise Failure(reason(error)) from error
                else:
                    if isinstance(message, Ended) and message.status:
                        complaints = message.complaints.strip() or f"status {message.status}"
                        raise Failure(f"{complaints} (on {message.host})")
            self.poll()

    def waiting(self) -> Iterator[int]:
        """The shards that lack games, as far as is known when each is asked for."""
        for shard in range(1, self.count + 1):
            if self.lacks(shard):
                yield shard

    def lacks(self, shard: int) -> bool:
        return any(game not in self.records for game in self.contest.games_of(shard, self.count))

    def next(self, waiting: Iterator[int]) -> int | None:
        """The next shard: first those that were lost."""
        return self.again.popleft() if self.again else next(waiting, None)

    def submit(self, shard: int) -> None:
        """Has a shard played, but for its games that are here."""
        known = self.records.lines(self.contest.games_of(shard, self.count))
        words = self.contest.command(shard, self.count, self.limits.cpus)
        self.active[self.remote(tuple(words), tuple(known))] = Task(shard)

    def remote(self, words: tuple[str, ...], known: tuple[str, ...]) -> Any:
        # A lost task is not Ray's to repeat: the next try has to know the games that came before.
        task: Any = ray.remote(num_cpus=self.limits.cpus, num_returns="streaming", max_retries=0)(play_share)
        return task.remote(Share(self.program, words, known, os.getcwd()))

    def listen(self) -> None:
        """Takes the next message of each task that has one."""
        ready = self.ready(1, WAIT)
        if ready:
            # Whoever has more to say now does so without another wait.
            ready = self.ready(len(self.active), 0)
        for generator in ready:
            task = self.active[generator]
            try:
                message = ray.get(next(generator))
            except StopIteration:
                del self.active[generator]
                if not task.ended:
                    self.repeat(task, "it ended without a word")
            except RayTaskError as error:
                raise Failure(f"shard {task.shard}/{self.count}: {reason(error)}") from error
            except RayError as error:
                del self.active[generator]
                self.repeat(task, reason(error))
            else:
                self.hear(task, message)

    def ready(self, most: int, timeout: float) -> list[Any]:
        """Tasks that have something to say: their generators of messages."""
        generators: list[Any] = list(self.active)
        ready, _ = ray.wait(generators, num_returns=most, timeout=timeout)
        return list(ready)

    def hear(self, task: Task, message: Any) -> None:
        """Takes in what a task says."""
        if isinstance(message, Started):
            task.host = message.host
        elif isinstance(message, Played):
            self.keep(task, message)
        elif isinstance(message, Ended):
            task.ended = True
            self.judge(task, message)

    def keep(self, task: Task, played: Played) -> None:
        records = [json.loads(line) for line in played.lines]
        for record in records:
            # Who plays and who counts must share games out alike.
            told = record.get("shard", {"index": 1, "count": 1, "games": self.contest.games})
            own = {"index": self.contest.shard_of(record["game"], self.count), "count": self.count,
                   "games": self.contest.games}
            if told != own:
                raise Failure(f"game {record['game']} is of shard {told}, not {own}")
        if self.records.add(records):
            self.tries.pop(task.shard, None)

    def judge(self, task: Task, ended: Ended) -> None:
        """What the end of a task's program means."""
        if ended.status < 0 or ended.status > 128:  # A signal has ended it.
            self.repeat(task, f"the program ended with status {ended.status}")
        elif ended.status:
            raise Failure(f"shard {task.shard}/{self.count} on {ended.host}: {ended.complaints.strip()}")
        elif self.lacks(task.shard):
            raise Failure(f"shard {task.shard}/{self.count} on {ended.host} ended without all of its games")

    def repeat(self, task: Task, why: str) -> None:
        """Has a shard played once more, but for the games that came."""
        self.lost += 1
        self.tries[task.shard] = self.tries.get(task.shard, 0) + 1
        text = f"shard {task.shard}/{self.count} on {task.host} was lost: {why}"
        if self.tries[task.shard] >= TRIES:
            raise Failure(f"{text}; {TRIES} times without a game")
        self.reporter.say(text)
        if self.lacks(task.shard):
            self.again.append(task.shard)

    def cancel(self) -> None:
        """Ends what still runs; its games in progress are not kept."""
        for generator in self.active:
            ray.cancel(generator, force=False)
        patience = time.monotonic() + CANCELLED
        while self.active and time.monotonic() < patience:
            for generator in self.ready(1, WAIT):
                try:
                    ray.get(next(generator))
                except (StopIteration, RayError):
                    del self.active[generator]
        for generator in self.active:
            ray.cancel(generator, force=True)


def nodes() -> list[dict[str, Any]]:
    """The machines of the cluster, as Ray describes them."""
    known: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
    return [node for node in known if node["Alive"]]


def reason(error: RayError) -> str:
    """What an error says: its first sentence, without the trace."""
    cause = getattr(error, "cause", None) or error
    line = next((line.strip() for line in str(cause).splitlines() if line.strip()), type(cause).__name__)
    return line.partition(". ")[0]


def play(
    contest: Contest, records: RecordFile, reporter: Reporter, limits: Limits = Limits(), program: str | None = None
) -> None:
    """Plays what the file lacks of a contest, on the cluster that `ray` is connected to.

    `program` is the path of the program that plays, on every machine; without it each finds its own. `Failure` if the
    contest cannot go on. Whatever ends it, no task runs on.
    """
    driver = Driver(contest, records, reporter, limits, program)
    try:
        driver.run()
    finally:
        driver.cancel()
