#!/usr/bin/env python3
"""Trains the policy network. `imitate` and `play` go on where they stopped, also after a kill.

    learn.py imitate CONFIG     the warm start: imitate recorded games of the engine
    learn.py play CONFIG [--minutes M] [--workers N [--address A]]    self-play, from the warm start or from nothing
    learn.py check CONFIG FILE.pt   losses and calibration of a network on the games held out
    learn.py judge CONFIG FILE.pt   games of a network alone against fixed opponents, agreement with strong players
    learn.py duel CONFIG A.pt OTHER     in the run's environment, against B.pt or a built-in player (player=random, nodes=200)
    learn.py strong CONFIG FILE.pt GAMES    tunes a network to half of the games of strong players, judges it on the others
    learn.py export FILE.pt FILE.net    for the engine, the arena and self-play
    learn.py plot CONFIG OUT.svg        the log as curves

A configuration is a TOML file, one a run; `folder` in it is where the run keeps its state, log and networks.
See docs/learning.md.
"""

import argparse
import json
import tomllib
from pathlib import Path

import torch
from context import Run
from files import ensure_free


def put(config, change):
    """Changes a value of a configuration, as in `play.magnet=0.1`; the value is read as TOML."""
    name, _, value = change.partition("=")
    *path, last = name.split(".")
    for part in path:
        config = config[part]
    if last not in config:
        raise SystemExit(f"the configuration has no {name}")
    config[last] = tomllib.loads(f"value = {value}")["value"]


def main():
    """Reads the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["imitate", "play", "check", "judge", "duel", "strong", "export", "plot"])
    parser.add_argument("config")
    parser.add_argument("file", nargs="?")
    parser.add_argument("other", nargs="?")
    parser.add_argument("--games", type=int, default=512)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="play: save and stop after this many minutes")
    parser.add_argument("--force", action="store_true", help="strong, export, plot: replace a file that is there")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a value instead of the configuration's, as in play.magnet=0.1")
    parser.add_argument("--workers", type=int, default=0, help="play: workers of a Ray cluster, a core each, play the games")
    parser.add_argument("--address", help="play: the cluster, auto for the one on this machine; without it Ray is started here")
    arguments = parser.parse_args()
    if arguments.command == "export":
        from network import load, write

        ensure_free(arguments.file, arguments.force)
        write(arguments.file, load(arguments.config)[0])
        return
    config = tomllib.loads(Path(arguments.config).read_text())
    for change in arguments.set:
        put(config, change)
    run = Run(config)
    run.stage = arguments.command
    if arguments.command == "plot":
        from plot import draw

        ensure_free(arguments.file, arguments.force)
        draw(run, arguments.file)
    elif arguments.command == "check":
        import imitate
        from network import load

        network = load(arguments.file)[0].to(run.device, memory_format=torch.channels_last)
        print(json.dumps(imitate.check(network, run.files("held_out"), config["imitate"], run)))
    elif arguments.command == "judge":
        from judge import judge

        judge(run, arguments.file)
    elif arguments.command == "duel":
        from judge import duel

        print(json.dumps(duel(run, arguments.file, arguments.other, arguments.games)))
    elif arguments.command == "strong":
        from strong import tune

        ensure_free(run.path("strong.pt"), arguments.force)
        tune(run, arguments.file, arguments.other, **config["strong"])
    elif arguments.command == "imitate":
        import imitate

        imitate.train(config["imitate"], run)
    else:
        import loop

        loop.train(config["play"], run, arguments.workers, arguments.address, arguments.minutes)


if __name__ == "__main__":
    main()
