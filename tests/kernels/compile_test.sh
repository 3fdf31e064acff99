#!/usr/bin/env bash
# Every runtime file compiles without a warning: as C99 and as C++17, with each compiler that is installed, one by one and as
# parts of a single file; no object needs more than other tarn functions, the compiler's own helpers and memcpy and its kin;
# and no fused multiply-add appears where the target has one, in any dialect.
#   compile_test.sh RUNTIME_FOLDER WORK_FOLDER
# By default gcc makes code for one core, each family of compilers reads all files, and every sixth header stands alone; with TARN_CI=1 more
# compilers do, gcc makes code for the host, M0, M4 and M55 (some of its warnings come only then; those of clang come from reading), and all headers
# are tried; TARN_FULL=1: all make code, as users build.
set -uo pipefail
runtime=$(cd "$1" && pwd); work=$2
mkdir -p "$work"
warnings="-pedantic-errors -Wall -Wextra -Werror -Wconversion -Wsign-conversion -Wcast-qual -Wvla -Wdouble-promotion -Wshadow -Wundef"
m4="-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16"
failed=0

for file in "$runtime"/tarn*.h "$runtime"/tarn_*.c; do echo "#include \"$file\""; done >"$work/all.c"

# Nothing is compiled again that has not changed.
cached=
if command -v ccache >/dev/null; then cached=ccache; fi

# NAME LEVEL COMPILER FLAGS...: all files in one, with and without external linkage. LEVEL is that with TARN_CI=1, where
# `parse` asks for what a compiler finds without making code, which is nearly all of it.
together() {
  local name=$1 level=$2 again=-fsyntax-only; shift 2
  larger=${TARN_CI:-}${TARN_FULL:-}
  [ "$level" != parse ] || level=-fsyntax-only
  # The object of this one is looked at below.
  case $name in arm-m0) ;; *) [ -n "$larger" ] || level=-fsyntax-only again=-fsyntax-only ;; esac
  if [ "${TARN_FULL:-}" = 1 ]; then level=-O2 again=-O2; fi
  # Without external linkage one compiler of each family finds nearly all.
  case $name in gcc | arm-m4 | clang) ;; *) [ -n "$larger" ] || again= ;; esac
  command -v "$1" >/dev/null || { echo "$name: no $1, not run"; return; }
  local ok=1
  $cached "$@" $warnings $level -I"$runtime" -c "$work/all.c" -o "$work/$name.o" || ok=0
  [ -z "$again" ] || $cached "$@" $warnings $again -I"$runtime" -DTARN_SINGLE_FILE -c "$work/all.c" -o "$work/$name.static.o" || ok=0
  [ $ok = 1 ] && echo "$name: clean with $level${again:+, $again}" || { echo "$name: FAILED"; failed=1; }
}

# The same, with TARN_CI=1 alone: relatives of what is compiled anyway.
rarely() { [ -z "${TARN_CI:-}${TARN_FULL:-}" ] || together "$@"; }

together gcc -O2 gcc -std=c99 -Wmissing-prototypes
rarely gcc-no-asm parse gcc -std=c99 -DTARN_NO_ASM
rarely gcc-libm parse gcc -std=c99 -DTARN_USE_LIBM
rarely gcc-avx2 parse gcc -std=c99 -march=x86-64-v3 -Wmissing-prototypes
rarely clang-avx2 parse clang-14 -std=c99 -march=x86-64-v3
rarely g++-avx2 parse g++ -x c++ -std=c++17 -march=x86-64-v3
together g++ parse g++ -x c++ -std=c++17
together clang parse clang-14 -std=c99 -Wmissing-prototypes
rarely clang++ parse clang++-14 -x c++ -std=c++17
together arm-m4 -O1 arm-none-eabi-gcc $m4 -std=c99
rarely arm-m4-libm parse arm-none-eabi-gcc $m4 -std=c99 -DTARN_USE_LIBM
rarely arm-m4-c++ parse arm-none-eabi-g++ $m4 -x c++ -std=c++17
together arm-m0 -O1 arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -std=c99
rarely arm-m3 parse arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -std=c99
rarely arm-m55 parse arm-none-eabi-gcc -mcpu=cortex-m55 -mthumb -mfloat-abi=hard -std=c99
# What only shows in code that is made: constants that a core cannot hold, functions that must be inlined where nothing is.
rarely arm-m55-code -O3 arm-none-eabi-gcc -mcpu=cortex-m55 -mthumb -mfloat-abi=hard -std=c99
rarely arm-m0-apart -Og arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -std=c99 -fno-inline
rarely clang-arm-m4 parse clang-14 --target=arm-none-eabi $m4 -ffreestanding -std=c99
# Reads literals of assembly too, which C99 limits to 4095 characters and gcc does not count.
together clang-arm-m55 parse clang-14 --target=arm-none-eabi -mcpu=cortex-m55 -mthumb -mfloat-abi=hard -fshort-enums -ffreestanding -std=c99
rarely clang-arm-m0 parse clang-14 --target=arm-none-eabi -mcpu=cortex-m0 -ffreestanding -std=c99
rarely riscv-imac parse riscv64-unknown-elf-gcc -ffreestanding -misa-spec=2.2 -march=rv32imac -mabi=ilp32 -std=c99
rarely riscv-imafdc parse riscv64-unknown-elf-gcc -ffreestanding -misa-spec=2.2 -march=rv32imafdc -mabi=ilp32d -std=c99

# Each header includes what it needs (closure_test.py compiles each .c by itself).
alone=0 headers=0
echo 'extern int alone;' >"$work/alone.c"
for file in "$runtime"/tarn*.h; do
  headers=$((headers + 1))
  [ -n "${TARN_CI:-}${TARN_FULL:-}" ] || [ $((headers % 6)) = 1 ] || continue
  gcc -std=c99 $warnings -x c -fsyntax-only -I"$runtime" -include "$file" "$work/alone.c" || { failed=1; echo "$file: FAILED alone"; }
  alone=$((alone + 1))
done
echo "alone: $alone of $headers headers (all with TARN_CI=1)"

# Symbols that an object may ask for: tarn's own and what GCC calls for 64-bit and software floating-point arithmetic.
if command -v arm-none-eabi-nm >/dev/null; then
  for object in arm-m4 arm-m0; do
    [ -n "${TARN_CI:-}${TARN_FULL:-}" ] || [ $object = arm-m0 ] || continue
    foreign=$(arm-none-eabi-nm -u "$work/$object.o" | awk '{ print $2 }' | grep -vE '^(tarn_|__aeabi_|__clzsi2$|__ctzsi2$|mem(cpy|move|set|cmp)$)')
    [ -z "$foreign" ] || { echo "$object: FAILED, foreign symbols: $foreign"; failed=1; }
  done
fi

# Constants only: a kernel keeps no state of its own.
if command -v arm-none-eabi-size >/dev/null; then
  state=$(arm-none-eabi-size "$work/arm-m0.o" | awk 'NR == 2 { print $2 + $3 }')
  [ "$state" = 0 ] || { echo "arm-m0: FAILED, $state bytes of static data"; failed=1; }
fi

# a * b + c in user's dialects: the guard in tarn.h must hold.
cat >"$work/contract.c" <<'END'
#include "tarn.h"
float f(float a, float b, float c);
float f(float a, float b, float c) { return a * b + c; }
END
contract() {  # COMPILER FLAGS...: prints whether a fused multiply-add is in the code
  command -v "$1" >/dev/null || { echo absent; return; }
  if "$@" -I"$runtime" -S "$work/contract.c" -o - | grep -qE 'fma|fms|fnm|vfm'; then echo fused; else echo separate; fi
}
guarded=0
for command in "gcc -march=haswell -std=gnu99 -O2" "gcc -march=haswell -std=gnu99 -O3 -ffp-contract=fast" "g++ -x c++ -std=gnu++17 -march=haswell -O2" \
    "clang-14 -march=haswell -std=gnu99 -O2" "arm-none-eabi-gcc $m4 -std=gnu99 -O2" "arm-none-eabi-gcc -mcpu=cortex-m55 -mthumb -mfloat-abi=hard -std=gnu11 -O3" \
    "riscv64-unknown-elf-gcc -ffreestanding -misa-spec=2.2 -march=rv32imafc -mabi=ilp32f -std=gnu99 -O2"; do
  case $(contract $command) in
    separate) guarded=$((guarded + 1)) ;;
    fused) echo "$command: FAILED, fused multiply-add"; failed=1 ;;
  esac
done
# The test can fail: the same command without the guard.
[ "$(contract gcc -march=haswell -std=gnu99 -O2 -DTARN_ALLOW_CONTRACTION)" = fused ] || echo "contraction: no control on this host"
echo "contraction: $guarded compilers and dialects guarded"

# -ffast-math is refused with a reason.
if gcc -ffast-math -I"$runtime" -c "$work/contract.c" -o "$work/contract.o" 2>"$work/fast.txt"; then echo "-ffast-math: FAILED, accepted"; failed=1; fi
grep -q TARN_ALLOW_FAST_MATH "$work/fast.txt" || { echo "-ffast-math: FAILED, no reason given"; failed=1; }
[ -n "${TARN_CI:-}${TARN_FULL:-}" ] || echo "TARN_CI=1: more compilers, which make code"
exit $failed
