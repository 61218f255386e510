"""Plots how the belief about one piece sharpens while a game goes on: `belief_plot.py [PICTURE]`. Needs matplotlib."""

import sys

import outflank

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    print("SKIPPED: matplotlib is not installed, so there is no plot", file=sys.stderr)
    sys.exit(0)

PICTURE = sys.argv[1] if len(sys.argv) > 1 else "belief.png"
# Blue's piece on a7 steps forward, meets a sergeant of Red's, steps back, and comes again.
PLIES = ["a4a5", "a7a6", "a5a4", "a6a5", "b4b5", "a5a6", "b5b4", "a6a5"]

with outflank.SimpleEngine.popen(options={"Seed": 7}) as engine:
    engine.new_game(rules="isf", side="red")
    engine.setup("red", "B3FB3262452B3B6B5S7325B48269474M62225873")
    place, rows = outflank.Square.parse("a7"), [engine.belief_at("a7").probabilities()]
    for ply in map(outflank.Ply.parse, PLIES):
        engine.observe(ply)
        place = ply.move.target if ply.move.origin == place else place
        rows.append(engine.belief_at(place).probabilities())

looks = {"labels": [rank.name.lower() for rank in outflank.Rank], "colors": plt.colormaps["Paired"](range(12))}
figure, axes = plt.subplots(figsize=(8, 4.5))
axes.stackplot(range(len(rows)), *zip(*rows), **looks)
axes.set(xlabel="plies", ylabel="probability", xlim=(0, len(rows) - 1), ylim=(0, 1), title="The piece that began on a7")
axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
figure.tight_layout()
figure.savefig(PICTURE)
print(PICTURE)
