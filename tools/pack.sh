#!/usr/bin/env bash
# What a release gives away, in dist/: the programs as an archive of this name, and the wheel of the Python package.
# tools/try-packed.sh installs both where nothing else is, and plays.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ $# == 1 ]] || { printf 'usage: tools/pack.sh NAME\n' >&2; exit 2; }

programs=(outflank outflank-arena outflank-board outflank-play outflank-convert)
cargo build --release --locked "${programs[@]/#/-p}"
built=${CARGO_TARGET_DIR:-target}/release

rm -rf "dist/$1" && mkdir -p "dist/$1"
for program in "${programs[@]}"; do
    cp "$built/$program" "dist/$1/" 2>/dev/null || cp "$built/$program.exe" "dist/$1/"
done
cp -r README.md CHANGELOG.md protocol.md LICENSE-* docs "dist/$1/"
tar -C dist -czf "dist/$1.tar.gz" "$1"
python3 -m pip wheel --quiet --no-deps --wheel-dir dist ./tools/client
