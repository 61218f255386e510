#!/usr/bin/env bash
# Installs what tools/pack.sh made in an empty folder, as somebody without Rust does, and plays: a match of the packed
# programs, and a game in Python by the wheel.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ $# == 1 ]] || { printf 'usage: tools/try-packed.sh NAME\n' >&2; exit 2; }
archive=$(realpath "dist/$1.tar.gz") wheels=$(realpath dist)

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
tar -xzf "$archive" && cd "$1"
# Nothing of Rust, and nothing of this checkout.
bare=(env -i HOME="$folder" PATH=/usr/bin:/bin)
if "${bare[@]}" bash -c 'command -v cargo rustc'; then
    printf 'Rust is in /usr/bin: this shows nothing of a machine without it\n' >&2
fi

"${bare[@]}" ./outflank --version
"${bare[@]}" ./outflank-arena match --games 2 --max-plies 60 --out games.jsonl \
    --engine cmd=./outflank nodes=300 name=packed --engine player=random name=random
"${bare[@]}" ./outflank-arena verify games.jsonl
"${bare[@]}" ./outflank-arena html games.jsonl --out pages
[[ -s pages/index.html && -s pages/game-0.html ]]
"${bare[@]}" ./outflank-convert --version
"${bare[@]}" ./outflank-play --version
"${bare[@]}" ./outflank-board --port 0 --folder board >board.txt 2>&1 &
board=$!
for _ in {1..100}; do grep -q '^Open http' board.txt && break; sleep 0.1; done
address=$(grep -o 'http://[0-9.:]*' board.txt)
python3 -c "import sys, urllib.request; assert b'Play now' in urllib.request.urlopen(sys.argv[1]).read()" "$address/"
kill "$board"

python3 -m venv --system-site-packages "$folder/python"
"$folder/python/bin/pip" install --quiet --no-index --no-deps --find-links "$wheels" outflank
"${bare[@]}" "$folder/python/bin/python" - <<'PLAY'
import outflank

with outflank.SimpleEngine.popen() as engine:
    engine.new_game(rules="isf plies=60")
    for side in "red", "blue":
        engine.setup(side, engine.propose_setup())
    while engine.legal():
        engine.observe(engine.play(outflank.Limit(nodes=50)).move)
    print(engine.board())
PLAY
printf 'what was packed plays\n'
