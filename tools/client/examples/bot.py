"""A bot of one's own that speaks SEI 1 on stdin and stdout: it strikes where it can and else moves at random.

An engine keeps the rules for it, so it need not know them. The arena hosts it like any engine: see `match.py`.
"""

import random
import sys

import outflank


def answer(rules: outflank.SimpleEngine, line: str) -> str:
    """What the bot says to a line of its host."""
    if line == "sei":
        return "id name Striker\nid version 1\nprotocol 1\nseiok"
    if line == "isready":
        return "readyok"
    if line == "go setup":
        return f"bestsetup {rules.propose_setup()}"
    if line.startswith("go"):
        moves = rules.legal()
        strikes = [move for move in moves if move.strike]
        return f"bestmove {random.choice(strikes or moves) if moves else 'none'}"
    return "\n".join(rules.command(line))  # newgame, setup, play, gameover


with outflank.SimpleEngine.popen() as rules:
    for line in map(str.strip, sys.stdin):
        if line == "quit":
            break
        try:
            said = answer(rules, line)
        except outflank.RepliedError as error:
            said = f"error {error.code} {error.text}"
        if said:
            print(said, flush=True)
