"""Strength over plies: a network alone, without search, against fixed opponents that were never trained against.

The matches are `outflank-arena`'s. Opponents stand in the configuration as the words that its `--engine` takes, so that bots of the public
arena, the engine at fixed nodes and anybody else can be among them.
"""

import json
import math
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import torch

import imitate
from files import add_line
from network import load, write
from selfplay import Actor


def score(records, name):
    """Won, drawn and lost games of the player of that name; faults of either side, and games that were broken off, are left out and
    counted."""
    won = drawn = lost = faults = unfinished = plies = 0
    for line in records:
        record = json.loads(line)
        if record["outcome"]["reason"] == "fault":
            faults += 1
            continue
        if record["outcome"]["reason"] == "unfinished":
            unfinished += 1
            continue
        side = "red" if record["players"][0]["name"] == name else "blue"
        winner = record["outcome"]["winner"]
        won, drawn, lost = won + (winner == side), drawn + (winner == "draw"), lost + (winner not in (side, "draw"))
        plies += record["plies"]
    games = won + drawn + lost
    points = (won + drawn / 2) / max(games, 1)
    spread = (won * (1 - points) ** 2 + drawn * (0.5 - points) ** 2 + lost * points**2) / max(games, 1)
    return {"won": won, "drawn": drawn, "lost": lost, "faults": faults, "unfinished": unfinished, "score": points,
            "error": math.sqrt(spread / max(games, 1)), "length": plies / max(games, 1)}


def match(net, opponent, config):
    """Games of the network alone against one opponent."""
    words = os.path.expandvars(opponent["engine"])
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "match.jsonl"
        command = [
            os.path.expandvars(config["arena"]), "match", "--games", str(opponent["games"]), "--seed", str(config["seed"]),
            "--rules", opponent.get("rules", "isf"), "--max-plies", str(config["max_plies"]), "--margin", "5000",
            "--concurrency", str(config["concurrency"]), "--out", str(out),
            "--engine", f"policy={net}", f"temperature={config['temperature']}", "name=policy",
            "--engine", *words.split(), "name=other",
        ]
        if opponent.get("own_setups"):
            command += ["--own-setups", "--no-pairs"]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise SystemExit(f"{command[0]}: {done.stderr.strip()}")
        return score(out.read_text().splitlines(), "policy")


@torch.inference_mode()
def agreement(network, files, run):
    """How often the likeliest action is the one that was played in recorded games, and its nats."""
    hits = count = 0
    nats = 0.0
    config = {"rows": 64, "mixed": 40, "batch": 1024, "temperature": 1.0, "best": 0.0}
    for batch in imitate.shown(files, config, 0):
        positions, policy, results, replies, _ = (part.to(run.device) for part in batch)
        with run.precision():
            parts, logp, _ = imitate.losses(network, positions, policy, results, replies)
        chosen = imitate.row_argmax(logp, positions.starts)
        hits += float(policy[chosen].sum())
        nats += float(parts["policy"]) * len(positions)
        count += len(positions)
    return {"opponent": "strong games", "agreement": hits / count, "nats": nats / count, "positions": count}


def duel(run, first, second, games=512):
    """Points of one network against another (a file), or against a player that is built in (as in `nodes=200`), in the environment of
    a run, each network sampling from its policy; every game is counted once, the colours are shared out evenly."""
    config, network = dict(run.config["play"], games=games), second.endswith(".pt")
    config["opponents"] = [] if network else [[second, 1.0]]
    config["past_share"] = 1.0 if network else 0.0
    actor = Actor(config, run, 12345)
    acting = actor.prepare(load(first)[0])
    actor.past = actor.prepare(load(second)[0]) if network else None
    done, won, drawn = np.zeros(games, bool), 0, 0
    while not done.all():
        plies, _, _, _, ended = actor.play(acting, 32)
        for ply, end in zip(plies, ended):
            new = ply["done"] & ~done
            sides = np.full(len(new), -1)
            sides[ply["done"]] = end["side"]
            # The other player's side: drawn by the environment, or fixed by the place of the game.
            theirs = actor.past_side if network else sides
            own = np.where(theirs == 0, -1, 1) * ply["result"]
            won, drawn = won + int((own[new] > 0).sum()), drawn + int((ply["result"][new] == 0).sum())
            done |= new
    points = (won + drawn / 2) / games
    return {"won": won, "drawn": drawn, "lost": games - won - drawn, "score": points,
            "error": math.sqrt(max(points * (1 - points), 1e-9) / games)}


def judge(run, file):
    """Appends a line for each opponent to `strength.jsonl`."""
    network, kept = load(file)
    plies, config = kept.get("plies", 0), run.config["judge"]
    net = run.path(f"judged-{os.getpid()}.net")
    write(net, network)
    if config.get("strong_games"):
        found = agreement(network, [os.path.expandvars(config["strong_games"])], run)
        add_line(run.path("strength.jsonl"), file=Path(file).name, plies=plies, **found)
        print(found, flush=True)
    for opponent in config["opponents"]:
        found = match(net, opponent, config)
        line = {"file": Path(file).name, "plies": plies, "opponent": opponent["name"], **found}
        add_line(run.path("strength.jsonl"), **line)
        print(line, flush=True)
    net.unlink()
