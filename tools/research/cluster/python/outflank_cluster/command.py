"""The command line: `outflank-cluster match`."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from types import FrameType
from typing import Any, NoReturn, TextIO

from .contest import Contest, ContestError
from .records import RecordFile, RecordFileError
from .report import Reporter
from .task import find

__all__ = ["main"]

# A Ray of our own tells nobody that it runs, and plays at the priority of the command: by itself it would be nicer to
# other programs than games with limits in time can be.
SETTINGS = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", "RAY_worker_niceness": "0"}
# Records are small; Ray's own default is a third of the machine's memory.
OBJECT_STORE = 256 * 1024 * 1024
# How long the end may take once a signal has asked for it, in seconds.
GRACE = 20.0


class Interrupted(Exception):
    """A signal asked the program to end."""

    def __init__(self, number: int) -> None:
        super().__init__(f"ended by signal {number} before the contest was over")
        self.status = 128 + number


def parser() -> argparse.ArgumentParser:
    """The options before `--`."""
    top = argparse.ArgumentParser(
        prog="outflank-cluster", description="Matches over many machines, on Ray.",
        epilog="The same command goes on where an earlier one was broken off.",
    )
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser(
        "match", help="play a match", description="Play a match; behind -- stand the options of outflank-arena match.",
        usage="outflank-cluster match --out FILE [OPTION ...] -- OPTIONS OF outflank-arena match", allow_abbrev=False,
    )
    command.add_argument("--out", required=True, metavar="FILE", help="where the records go; what is there stays")
    command.add_argument(
        "--address", default=os.environ.get("RAY_ADDRESS", "local"),
        help="auto: the cluster that `ray start` has made; HOST:PORT: that of another machine; local: one of its "
        "own on this machine, for as long as it plays (default: RAY_ADDRESS, or local)",
    )
    command.add_argument("--workers", type=positive, metavar="N", help="tasks at once (default: all CPUs)")
    command.add_argument("--cpus", type=positive, default=1, metavar="N", help="CPUs, and games, of a task (1)")
    command.add_argument(
        "--shards", type=positive, metavar="N",
        help="shares (default: 16 for each worker; one for each pair of games with --sprt)",
    )
    command.add_argument(
        "--arena", dest="program", metavar="PATH", help="outflank-arena on every machine, if not the one found"
    )
    command.add_argument("--every", type=float, default=10.0, metavar="S", help="seconds between lines (10)")
    return top


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def connect(told: argparse.Namespace) -> None:
    """Joins the cluster, or starts one of our own."""
    os.environ.update({name: value for name, value in SETTINGS.items() if name not in os.environ})
    import ray

    settings: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if told.address == "local":
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        cpus = told.workers * told.cpus if told.workers else max(cores, told.cpus)
        settings |= {"num_cpus": cpus, "include_dashboard": False, "object_store_memory": OBJECT_STORE}
    ray.init(address=told.address, **settings)


def listen() -> Callable[[], None]:
    """From now on SIGINT and SIGTERM end the tasks before they end the program; a second one does not wait.

    Returns what raises `Interrupted` once a signal has come.
    """
    came: list[int] = []

    def interrupt(number: int, _: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        # Whoever ends a whole job at once has ended Ray too, and what waits for it waits long.
        leave = threading.Timer(GRACE, os._exit, [128 + number])
        leave.daemon = True
        leave.start()
        came.append(number)

    def poll() -> None:
        if came:
            raise Interrupted(came[0])

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    return poll


def run(told: argparse.Namespace, options: Sequence[str]) -> int:
    """Plays, prints the table whatever has ended it, and returns the exit status."""
    contest, program = Contest.match(options), find(told.program)
    stdout = sys.stdout
    # The table is alone on stdout; Ray prints there that a machine was lost.
    with RecordFile(told.out) as records, redirect_stdout(sys.stderr):
        reporter = Reporter(contest, program, records.path, complain, told.every)
        connect(told)
        return drive(told, contest, records, reporter, listen(), stdout)


def drive(
    told: argparse.Namespace, contest: Contest, records: RecordFile, reporter: Reporter, poll: Callable[[], None],
    stdout: TextIO,
) -> int:
    """Plays and prints the table, once Ray is there."""
    # Ray takes a while to import.
    from .driver import Driver, Failure, Limits

    limits = Limits(told.cpus, told.workers, told.shards)
    driver = Driver(contest, records, reporter, limits, told.program, poll)
    status = 0
    try:
        driver.run()
    except (Failure, OSError) as error:
        complain(f"error: {error}")
        status = 1
    except Interrupted as error:
        complain(f"error: {error}")
        status = error.status
    # Before the tasks are ended: that may fail, and the table must not.
    shown = show(reporter, stdout, quiet=status != 0) if len(records) else 0
    driver.cancel()
    return status or shown


def show(reporter: Reporter, stdout: TextIO, quiet: bool) -> int:
    """Prints what the program says of all records; returns its status. `quiet` leaves out what it complains about."""
    final = reporter.stats()
    stdout.write(final.stdout)
    stdout.flush()
    if final.returncode and not quiet:
        complain(final.stderr.strip())
    return final.returncode


def complain(text: str) -> None:
    print(f"outflank-cluster: {text}", file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line and exits: 0 if the contest is over, 1 after an error, 128 + N after a signal."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    split = words.index("--") if "--" in words else len(words)
    told = parser().parse_args(words[:split])
    try:
        status = run(told, words[split + 1 :])
    except (ContestError, RecordFileError, OSError) as error:
        complain(f"error: {error}")
        status = 1
    sys.exit(status)
