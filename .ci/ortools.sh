#!/usr/bin/env bash
# The ortools Python package, for the one test that asks another solver for the same optima; in an environment of its own in the
# cache folder. Prints its python. Without a network that test is skipped.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
version=9.15.6755  # as in ortools.txt, which has the SHA-256 of each package for CPython 3.11
cache=${TARN_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/tarn}
root=$cache/ortools-$version
if [ ! -e "$root/installed.ok" ]; then
  mkdir -p "$root"
  exec 9>"$root/lock"
  flock 9                     # two started at once share one
  if [ ! -e "$root/installed.ok" ]; then
    python3 -m venv "$root/venv" >&2
    "$root/venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$here/ortools.txt" >&2
    touch "$root/installed.ok"
  fi
fi
echo "$root/venv/bin/python"
