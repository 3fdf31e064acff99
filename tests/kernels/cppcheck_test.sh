#!/usr/bin/env bash
# cppcheck as it comes finds nothing in C files: cppcheck_test.sh FOLDER...
set -euo pipefail
# Two minutes of processor time: in CI (TARN_MISRA=1) and with TARN_FULL=1.
[ "${TARN_MISRA:-}${TARN_FULL:-}" != "" ] || { echo "not run without TARN_MISRA=1"; exit 77; }
command -v cppcheck >/dev/null || { echo "no cppcheck, not run"; exit 77; }
# It follows both sides of every #if that it can; that it does not try all combinations is no finding.
found=$(cppcheck -q -j "$(nproc)" --template='{file}:{line}: {severity}: {message} [{id}]' "$@" 2>&1 | grep -v 'toomanyconfigs' || true)
echo "$found"
if [ -n "$found" ]; then exit 1; fi
echo "$(find "$@" -name '*.c' | wc -l) files: cppcheck finds nothing"
