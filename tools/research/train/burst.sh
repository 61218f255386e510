#!/usr/bin/env bash
# A burst of self-play on a machine that is at hand for minutes: what it needs is carried, what it learned is brought back.
#
#   tools/research/train/burst.sh pack OUT.tar                 here: the learner, the environment's wheel, the newest state
#   tools/research/train/burst.sh run IN.tar MINUTES OUT       there: unpack, learn, leave network, log and state in the folder OUT
#
# PYTHON names the Python that has torch (python3), RUN the folder of the run (~/outflank-runs/main), CONFIG its configuration.
# Without a GPU the same command learns on the processor: so it is rehearsed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
python=${PYTHON:-python3} run=${RUN:-$HOME/outflank-runs/main} config=${CONFIG:-tools/research/train/configs/main.toml}

pack() {
    local to
    to=$(realpath "$1")
    cd "$here"
    mkdir -p target/burst
    rm -rf target/burst/*
    # One wheel for every Python from 3.10 on.
    "$python" -m maturin build --release --quiet --features tune --manifest-path tools/research/gym/python/Cargo.toml --out target/burst
    mkdir -p target/burst/run target/burst/crates/engine/src/policy target/burst/tools/research/train/configs
    cp tools/research/train/*.py tools/research/train/burst.sh target/burst/tools/research/train
    cp "$config" target/burst/tools/research/train/configs/burst.toml
    cp crates/engine/src/policy/self_play.net target/burst/crates/engine/src/policy
    for file in play.state latest.pt; do
        [[ ! -f $run/$file ]] || cp "$run/$file" target/burst/run
    done
    find "$run" -name 'past-*.pt' -exec cp {} target/burst/run \; 2>/dev/null || true
    tar -C target/burst -cf "$to" .
    ls -l "$to"
}

learn() {
    local from minutes=$2 out at
    from=$(realpath "$1")
    mkdir -p "$3"
    out=$(realpath "$3") at=$(mktemp -d)
    tar -C "$at" -xf "$from"
    cd "$at"
    "$python" -m pip install --quiet --no-deps --target "$at/site" "$at"/*.whl
    export PYTHONPATH=$at/site
    "$python" tools/research/train/learn.py play tools/research/train/configs/burst.toml --minutes "$minutes" \
        --set "folder=\"$at/run\"" --set "threads=${THREADS:-$(nproc)}" ${GAMES:+--set "play.games=$GAMES"}
    cp run/latest.pt run/play.state "$out"
    find run -name 'past-*.pt' -exec cp {} "$out" \;
    # What was learned before is not in it: its lines are added to those of a log that is there.
    cat run/log.jsonl >>"$out/log.jsonl"
    ls -l "$out"
}

case ${1:-} in
pack) pack "${2:?where to}" ;;
run) learn "${2:?what was packed}" "${3:?minutes}" "${4:?where to}" ;;
*) sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
