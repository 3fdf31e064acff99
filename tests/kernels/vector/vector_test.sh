#!/usr/bin/env bash
# Kernels over vectors of 4, 8 and 16 lanes against sums one by one: with vector types that the processor's registers do not
# fit, with arrays instead, under sanitizers, and fused where this machine can.
#   vector_test.sh RUNTIME_FOLDER WORK_FOLDER
# By default eight lanes as plain C and Helium's under sanitizers and as -O2 makes it; with TARN_CI=1 Helium's at more levels; TARN_FULL=1: all.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
runtime=$1 work=$2
mkdir -p "$work"
cached=
if command -v ccache >/dev/null; then cached=ccache; fi

# NAME LANES FLAGS...
check() {
  local name=$1 lanes=$2; shift 2
  local objects=() source
  for source in "$runtime"/tarn_*_v"${lanes}"_f32.c "$runtime"/tarn_lanes_v"${lanes}".c "$here/vector_test.c"; do
    objects+=("$work/$name.$(basename "$source" .c).o")
    $cached gcc -std=c99 -O2 -DWIDTH="$lanes" "$@" -I"$runtime" -c "$source" -o "${objects[-1]}"
  done
  gcc "$@" "${objects[@]}" -lm -o "$work/$name"
  echo "$name: $("$work/$name")"
}

# Kernels for Helium: as plain C here, and on the emulated board.
mve=$(ls "$runtime"/tarn_*_mve_f32.c)
levels=('-O1 -fsanitize=address,undefined -fno-sanitize-recover=all')
if [ -n "${TARN_CI:-}${TARN_FULL:-}" ]; then levels+=(-O2); else echo "one level of each; with TARN_CI=1 two"; fi
for with in "${levels[@]}"; do
  $cached gcc -std=c99 $with -DMVE -I"$runtime" $mve "$here/vector_test.c" -lm -o "$work/mve"
  echo "mve: $("$work/mve")"
done
. "$here/../target/boards.sh"
if board_present cortex-m55; then
  # -O2 is boards.sh's own, and comes before these.
  withs=('')
  [ -z "${TARN_CI:-}${TARN_FULL:-}" ] || withs+=(-Os)
  [ "${TARN_FULL:-}" != 1 ] || withs+=('-O3 -fno-inline' -O0 -DTARN_NO_ASM)
  for with in "${withs[@]}"; do
    board_build cortex-m55 "$work/mve.elf" -std=gnu11 $with -DMVE -DBOARD -DFUSED -I"$runtime" $mve "$here/vector_test.c" -lc
    echo "mve $with on cortex-m55: $(board_run cortex-m55 "$work/mve.elf" 2>&1)"
  done
fi

supports() { grep -qw "$1" /proc/cpuinfo 2>/dev/null; }

check plain8 8
if supports fma && supports avx2; then check fused8 8 -march=x86-64-v3 -DFUSED; fi
[ "${TARN_FULL:-}" = 1 ] || exit 0
check plain4 4
check arrays8 8 -DTARN_NO_VECTORS
check sanitized8 8 -fsanitize=address,undefined -fno-sanitize-recover=all
check plain16 16
if supports fma && supports avx2; then check fused4 4 -march=x86-64-v3 -DFUSED; fi
if supports avx512f && supports avx512bw && supports avx512dq && supports avx512vl; then
  check fused16 16 -march=x86-64-v4 -DFUSED
fi
if command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null; then
  aarch64-linux-gnu-gcc -std=c99 -O2 -static -DWIDTH=4 -DFUSED -I"$runtime" "$runtime"/tarn_*_v4_f32.c "$runtime"/tarn_lanes_v4.c \
    "$here/vector_test.c" -lm -o "$work/aarch64"
  echo "aarch64: $(qemu-aarch64 "$work/aarch64")"
fi
