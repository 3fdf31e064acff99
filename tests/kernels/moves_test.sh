#!/usr/bin/env bash
# moves_test.c here, under sanitizers, and on emulated boards: what moves elements, in words where these are allowed.
#   moves_test.sh RUNTIME_FOLDER WORK_FOLDER
# By default three boards, each at one level, by turns; TARN_CI=1: five, at both.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
runtime=$(cd "$1" && pwd); work=$2
mkdir -p "$work"
sources=("$here/moves_test.c" "$runtime"/tarn_{transpose_b4,strided_b4,pad_b4,copy}.c)
# Those for other sizes are this text.
for bytes in 1 2 8; do
  for kernel in transpose strided pad; do
    for end in c h; do sed "s/_b4/_b$bytes/g; s/B4/B$bytes/g" "$runtime/tarn_${kernel}_b4.$end" >"$work/tarn_${kernel}_b$bytes.$end"; done
    sources+=("$work/tarn_${kernel}_b$bytes.c")
  done
done
# A byte of constants before those of each kernel: what it reads as elements lies where elements may, not where it happens to.
echo 'static const char odd_byte __attribute__((used)) = 1;' >"$work/odd.h"
for with in -O2 -Os '-Os -fsanitize=undefined -fno-sanitize-recover=all' '-O1 -fsanitize=address,undefined -fno-sanitize-recover=all'; do
  gcc -std=c99 $with -DTURNS=3000 -include "$work/odd.h" -I"$runtime" -I"$work" "${sources[@]}" -o "$work/moves"
  "$work/moves"
  echo "right here with $with"
done
. "$here/target/boards.sh"
all=${TARN_CI:-}${TARN_FULL:-}
turn=-Os
boards="cortex-m0 cortex-m4 cortex-m55"
[ -z "$all" ] || boards="cortex-m0 cortex-m3 cortex-m4 cortex-m55 rv32imac"
for board in $boards; do
  [ $turn = -O2 ] && turn=-Os || turn=-O2
  board_present $board || { echo "$board: not installed"; continue; }
  for level in -O2 -Os; do
    [ -n "$all" ] || [ $level = $turn ] || continue
    board_build $board "$work/$board.elf" -std=gnu99 $level -DTARN_TEST_TARGET $([ $board != cortex-m0 ] || echo -DLARGEST=4096) -I"$runtime" -I"$work" "${sources[@]}"
    board_run $board "$work/$board.elf"
    echo "right on $board with $level"
  done
done
[ -n "$all" ] || echo "$boards, each at one level; with TARN_CI=1 five, at both"
