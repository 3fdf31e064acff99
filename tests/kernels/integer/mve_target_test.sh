#!/usr/bin/env bash
# The random layers of mve_test.c on an emulated Cortex-M55: its assembly, built by each compiler that is installed.
#   mve_target_test.sh RUNTIME_FOLDER WORK_FOLDER
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
runtime=$(cd "$1" && pwd); work=$2
. "$here/../target/boards.sh"
board_present cortex-m55 || { echo "compiler or emulator missing, not run"; exit 77; }
mkdir -p "$work"
sources=("$here/mve_test.c" "$runtime"/tarn_int_*mve*.c "$runtime/tarn_requant.c" "$runtime/tarn_int_lines_s8.c")
failed=0
run() {  # NAME
  if board_run cortex-m55 "$work/$1.elf"; then echo "$1: right"; else echo "$1: FAILED"; failed=1; fi
}

board_build cortex-m55 "$work/gcc.elf" -std=gnu99 -DTARN_TEST_TARGET -I"$runtime" "${sources[@]}"
run gcc
if command -v clang-14 >/dev/null; then
  objects=()
  for source in "${sources[@]}"; do
    object=$work/$(basename "$source" .c).o
    clang-14 --target=arm-none-eabi $flags -ffreestanding -fshort-enums -std=gnu99 -O2 -DTARN_TEST_TARGET -I"$runtime" -I"$target_folder" \
      -c "$source" -o "$object"
    objects+=("$object")
  done
  board_build cortex-m55 "$work/clang.elf" "${objects[@]}" -Wl,--no-warn-execstack
  run clang
fi
exit $failed
