#!/usr/bin/env bash
# Configures and builds everything in a folder: build.sh FOLDER [CMAKE OPTIONS]. TARGETS="tarn" builds only that.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build}
shift || true
log=$build/configure.log
mkdir -p "$build"
generator=()
# Only for a new folder: CMake refuses another generator than the folder has.
[ -e "$build/CMakeCache.txt" ] || generator=(-G Ninja)
if ! cmake "${generator[@]}" -S . -B "$build" -DTARN_WERROR=ON "$@" >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
targets=()
[ -z "${TARGETS:-}" ] || targets=(--target $TARGETS)
# Ninja's own line on a terminal; in a log only what it says of failures, and the time it took.
cmake --build "$build" "${targets[@]}" --parallel "$(nproc)" -- --quiet
echo "built: $build ($SECONDS s)"
