#!/usr/bin/env bash
# The random layers of mve_test.c or elements_test.c on an emulated Cortex-M55, the latter's on a Cortex-M4 too, or those of integer_test.c on a Cortex-M4: their assembly, built by
# each compiler that is installed. On the Cortex-M4 also how large the kernels of a MobileNet are: at most 5 KB for size, and
# 6.8 KB for speed: 4,060 bytes before averages took four channels at a time, 4,490 before roundings were decided by floats in integers, which saves
# a MobileNet's lists of 4 to 14 KB, 4,860 before blocks took 32 elements a turn and depthwise lines two pixels, 6,600 before two patches did, which is
# 2 percent of a keyword network by lines of five pixels, and 4,590 for size.
# And on the Cortex-M55 those of a ResNet: at most 4.5 KB.
#   target_test.sh mve|elements|integer RUNTIME_FOLDER WORK_FOLDER
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$1; runtime=$(cd "$2" && pwd); work=$3
. "$here/../target/boards.sh"
shared=("$runtime/tarn_requant.c" "$runtime/tarn_int_lines_s8.c")
if [ "$program" = mve ]; then
  board=cortex-m55
  sources=("$runtime"/tarn_int_*mve*.c)
elif [ "$program" = elements ]; then
  board=cortex-m55
  sources=("$here/elements_plain.c" "$runtime"/tarn_int_{add,pair,product,codes,averagepool_line,global_average,own,table}_s8.c "$runtime/tarn_maxpool_line_s8.c")
else
  board=cortex-m4
  sources=("$runtime"/tarn_int_dsp_*.c "$runtime/tarn_int_dots.c" "$runtime/tarn_int_clamp_s8.c")
  for source in "$runtime"/tarn_int_{conv2d,dense,depthwise}*_s8.c; do
    case $source in *_mve_* | *_dsp[24]_*) ;; *) sources+=("$source") ;; esac
  done
fi
sources+=("$here/${program}_test.c" "${shared[@]}")
board_present $board || { echo "compiler or emulator missing, not run"; exit 77; }
mkdir -p "$work"
failed=0
run() {  # NAME
  if board_run $board "$work/$1.elf"; then echo "$1: right"; else echo "$1: FAILED"; failed=1; fi
}

# The smallest code is not aligned to four: assembly must not count on where it stands.
levels=(-O2 -Os)
if [ -z "${TARN_CI:-}${TARN_FULL:-}" ]; then
  # With Helium -Os takes other ways through kernels than -O2.
  [ "$program" = mve ] || levels=(-Os)
  echo "gcc at ${levels[*]}; with TARN_CI=1 at -O2 and -Os, and clang"
fi
for level in "${levels[@]}"; do
  board_build $board "$work/gcc$level.elf" $level -std=gnu99 -DTARN_TEST_TARGET -I"$runtime" "${sources[@]}"
  run gcc$level
done
if command -v clang-14 >/dev/null && [ "$program" = integer -o -n "${TARN_CI:-}${TARN_FULL:-}" ]; then
  objects=()
  for source in "${sources[@]}"; do
    object=$work/$(basename "$source" .c).o
    $(command -v ccache) clang-14 --target=arm-none-eabi $flags -ffreestanding -fshort-enums -std=gnu99 -O2 -DTARN_TEST_TARGET -I"$runtime" -I"$target_folder" \
      -c "$source" -o "$object"
    objects+=("$object")
  done
  board_build $board "$work/clang.elf" "${objects[@]}" -Wl,--no-warn-execstack
  run clang
fi
if [ "$program" = elements ]; then
  board=cortex-m4
  for level in "${levels[@]}"; do
    board_build $board "$work/gcc$level-m4.elf" $level -std=gnu99 -DTARN_TEST_TARGET -I"$runtime" "${sources[@]}"
    run gcc$level-m4
  done
fi
size() {  # NETWORK MOST LEVEL KERNEL...
  local network=$1 most=$2 level=$3 kernel objects=()
  shift 3
  for kernel in "$@"; do
    $compiler $flags -std=c99 "$level" -I"$runtime" -c "$runtime/tarn_$kernel.c" -o "$work/size_$kernel.o"
    objects+=("$work/size_$kernel.o")
  done
  bytes=$(arm-none-eabi-size "${objects[@]}" | awk 'NR > 1 { sum += $1 } END { print sum }')
  echo "kernels of a $network: $bytes bytes"
  if [ "$bytes" -gt "$most" ]; then failed=1; fi
}
case $program in
integer)
  mobilenet=(int_{conv2d_dsp_run,conv2d_dsp,depthwise3x3_dsp_line,depthwise3x3_dsp,dense_dsp_halves,global_average,codes,softmax,add,clamp,lines}_s8
    int_dsp_{halves_block,patches,line3,halves} requant)
  size "MobileNet at -Os" 5120 -Os "${mobilenet[@]}"
  size "MobileNet at -O2" 6963 -O2 "${mobilenet[@]}"
  ;;
mve)
  size ResNet 4608 -Os int_{add,codes,conv2d_mve_line,conv2d_mve,dense_mve,global_average,lines,softmax}_s8 int_mve{,_few} requant
  ;;
esac
exit $failed
