"""A match through the arena: the engine at 50 nodes against the bot of `bot.py`, in barrage."""

import pathlib
import sys

from outflank import Contender, Limit, arena

BOT = pathlib.Path(__file__).with_name("bot.py")

players = [
    Contender(name="engine", limit=Limit(nodes=50)),
    Contender([sys.executable, str(BOT)], name="striker", limit=Limit(time=1.0)),
]
played = arena.match(players, games=4, rules="isf barrage=on", max_plies=300)
print(played.table)
for record in played.records:
    winner, reason = record.outcome.winner, record.outcome.reason
    name = record.players[winner].name if winner else "nobody"
    print(f"game {record.game}: {name} won ({reason}), {record.plies} plies")
for fault in played.faults():
    print("fault:", fault)
