#!/usr/bin/env bash
# The same bits everywhere: the digests of digest.c from other compilers and options on the host, and from every QEMU board,
# against those of the host's own build.
#   digests_test.sh host|targets RUNTIME_FOLDER WORK_FOLDER DIGEST_PROGRAM [BOARD...]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mode=$1; runtime=$(cd "$2" && pwd); work=$3; program=$4; shift 4
. "$here/../target/boards.sh"
mkdir -p "$work"
"$program" >"$work/expected.txt"
failed=0; compared=0

# One source with all functions, as a model in a single file has them: quicker to compile than a hundred files.
{ echo "#define TARN_SINGLE_FILE 1"; for file in "$runtime"/tarn_math_*.c "$here/digest.c"; do echo "#include \"$file\""; done; } \
  >"$work/all.c"

compare() {  # NAME: $work/NAME.txt against the expected digests
  compared=$((compared + 1))
  if diff "$work/expected.txt" "$work/$1.txt" >"$work/$1.diff"; then
    echo "$1: $(wc -l <"$work/$1.txt") digests, all equal"
  else
    echo "$1: FAILED, other digests than expected (<):"; cat "$work/$1.diff"; failed=1
  fi
}

host() {  # NAME COMPILER FLAGS...
  local name=$1; shift
  command -v "$1" >/dev/null || { echo "$name: no $1, not run"; return; }
  case $* in *haswell*) grep -qw avx2 /proc/cpuinfo || { echo "$name: not this processor, not run"; return; } ;; esac
  "$@" -I"$runtime" -I"$here" "$work/all.c" -o "$work/$name"
  "$work/$name" >"$work/$name.txt"
  compare "$name"
}

case $mode in
  host)
    # What moves most from plain code; with TARN_CI=1 all.
    host gcc-fma-fast gcc -std=gnu99 -O3 -march=haswell -ffast-math -DTARN_ALLOW_FAST_MATH -DTARN_NO_ASM
    host gcc-sanitized gcc -std=c99 -O1 -fsanitize=undefined,float-cast-overflow,address -fno-sanitize-recover=all -DTARN_NO_ASM
    host clang-fma-fast clang-14 -std=gnu99 -O3 -march=haswell -ffast-math -DTARN_ALLOW_FAST_MATH -DTARN_NO_ASM
    if [ -n "${TARN_CI:-}${TARN_FULL:-}" ]; then
      host gcc-O0 gcc -std=c99 -O0
      host gcc-c++ g++ -x c++ -std=c++17 -O2
      host clang clang-14 -std=c99 -O2
      host clang-sanitized clang-14 -std=c99 -O1 -fsanitize=undefined,float-cast-overflow -fno-sanitize-recover=all -DTARN_NO_ASM
    else
      echo "gcc-fma-fast, gcc-sanitized and clang-fma-fast; with TARN_CI=1 all"
    fi
    ;;
  targets)
    # One core of each kind; with TARN_CI=1 all.
    if [ -z "${TARN_CI:-}${TARN_FULL:-}" ]; then boards='cortex-m0 cortex-m4 rv32imac'; echo "$boards; with TARN_CI=1 all"; fi
    for name in ${*:-$boards}; do
      if ! board_present "$name"; then echo "$name: compiler or emulator missing, not run"; continue; fi
      board_build "$name" "$work/$name.elf" -std=gnu99 -DTARN_TEST_TARGET -I"$runtime" -I"$here" "$work/all.c"
      board_run "$name" "$work/$name.elf" 2>"$work/$name.txt" || { echo "$name: exit status $?"; failed=1; }
      compare "$name"
    done
    # Objects by clang, linked as before.
    command -v clang-14 >/dev/null && for name in cortex-m0 cortex-m4 cortex-m55; do
      case $name in *m4) ;; *) [ -n "${TARN_CI:-}${TARN_FULL:-}" ] || continue ;; esac
      if ! board_present "$name"; then continue; fi
      clang-14 --target=arm-none-eabi $flags -ffreestanding -fshort-enums -std=gnu99 -O2 -DTARN_TEST_TARGET -I"$runtime" -I"$here" \
        -I"$target_folder" -c "$work/all.c" -o "$work/$name-clang.o"
      board_build "$name" "$work/$name-clang.elf" "$work/$name-clang.o" -Wl,--no-warn-execstack
      board_run "$name" "$work/$name-clang.elf" 2>"$work/$name-clang.txt" || { echo "$name-clang: exit status $?"; failed=1; }
      compare "$name-clang"
    done
    ;;
esac
[ "$compared" -gt 0 ] || exit 77
exit $failed
