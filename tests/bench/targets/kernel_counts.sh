#!/usr/bin/env bash
# Executed instructions of single kernels on emulated boards; builds what it needs in $TARN_BUILD (default: build).
#   kernel_counts.sh [--on m4,m55] [--flags "-I/path"] SOURCE.c [+KERNEL.c ...] ...
# SOURCE.c holds bench_setup and bench_run (see naive_conv3x3_f32.c); without any, the naive kernels are counted.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=${TARN_BUILD:-$root/build}
[ -f "$build/CMakeCache.txt" ] || cmake -S "$root" -B "$build" -G Ninja >&2
cmake --build "$build" --target kernel_counts >&2
has_source=
for argument in "$@"; do case $argument in *.c) has_source=yes ;; esac; done
[ -n "$has_source" ] || set -- "$@" "$here"/naive_*.c
exec "$build/tests/bench/targets/kernel_counts" "$@"
