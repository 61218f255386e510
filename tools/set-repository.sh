#!/usr/bin/env bash
# Names the project's home in the packages that are published: tools/set-repository.sh https://example.org/outflank
set -euo pipefail
[[ ${1:-} =~ ^https://[^[:space:]\"]+$ ]] || { printf 'usage: %s https://...\n' "$0" >&2; exit 1; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."
sed -i.old -e '/^repository = /d' -e '/^# Fill in before the first release/d' \
    -e '/^\[workspace.package\]/,/^license/ s|^license = .*|&\nrepository = "'"$1"'"|' Cargo.toml
for manifest in Cargo.toml crates/rules/Cargo.toml crates/referee/Cargo.toml crates/engine/Cargo.toml; do
    sed -i.old -e '/^repository\.workspace/d' -e '/^\[package\]/,/^\[/ s|^license\.workspace = true|&\nrepository.workspace = true|' "$manifest"
done
sed -i.old -e '/^\[project\.urls\]/,/^$/d' tools/client/pyproject.toml
sed -i.old -e 's|^\[tool\.maturin\]|[project.urls]\nRepository = "'"$1"'"\n\n&|' tools/client/pyproject.toml
rm -f Cargo.toml.old crates/*/Cargo.toml.old tools/client/pyproject.toml.old
cargo metadata --format-version 1 --no-deps --quiet >/dev/null
