#!/usr/bin/env bash
# No product of the runtime is widened after it was computed in 32 bits: widening_test.sh WRITTEN WORK.
# All kernels are read as one source file, as --files single has them.
set -euo pipefail
tidy=$(command -v clang-tidy-14) || { echo "no clang-tidy-14, not run"; exit 77; }
written=$(realpath "$1") work=$2
mkdir -p "$work"
{ echo '#define TARN_SINGLE_FILE 1'; find "$written" -maxdepth 1 -name 'tarn_*.c' -printf '#include "%f"\n' | sort; } >"$work/all.c"
"$tidy" --quiet --header-filter='.*' --checks='-*,bugprone-implicit-widening-of-multiplication-result' "$work/all.c" -- \
  -std=c99 -Wno-everything -I "$written" >"$work/log" 2>&1 || true
grep -q 'error:\|warning:' "$work/log" && { cat "$work/log"; exit 1; }
echo "$(wc -l <"$work/all.c") files: every product is as wide as what it is used for"
