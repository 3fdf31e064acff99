#!/usr/bin/env bash
# From an ONNX file to firmware: sets the machine up, builds tarn, and takes the digits network all the way. It is planned,
# written as C, compiled, and classifies the held-out digits here and on an emulated Cortex-M4. Fails unless every
# accuracy equals the one measured in training.
#   TARN_BUILD_DIR   where to build (default: build)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${TARN_BUILD_DIR:-build}
digits=examples/digits
out=$build/quickstart

say() { printf '\n== %s\n' "$*"; }
run() { printf '$ %s\n' "$1"; eval "$1"; }

if [ "${1:-}" != --built ]; then  # with it, tarn is there already
  say "Set up and build"
  .ci/setup.sh example
  without_tests=()  # for a new folder: they need more than this machine may have
  [ -e "$build/CMakeCache.txt" ] || without_tests=(-DTARN_BUILD_TESTS=OFF)
  TARGETS=tarn .ci/build.sh "$build" "${without_tests[@]}"
fi
rm -rf "$out"
mkdir -p "$out"

say "What does the network need?"
run "$build/tarn analyze $digits/digits.onnx"

say "Write it as C"
run "$build/tarn generate $digits/digits.onnx -o $out/c | tail -n 2"
run "ls -x -w 110 $out/c"

say "Classify the held-out digits on this machine"
run "cc -std=c99 -O2 -I$out/c $digits/main.c $out/c/*.c -lm -o $out/host"
run "$out/host" | tee "$out/host.txt"

say "The same on a Cortex-M4 (QEMU)"
cpu="-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16"
run "arm-none-eabi-gcc $cpu -std=c99 -O2 -I$out/c $digits/main.c $out/c/*.c \\
    $digits/board/startup.c -nostartfiles --specs=rdimon.specs -T $digits/board/an386.ld -lm -o $out/m4.elf"
run "timeout 120 qemu-system-arm -M mps2-an386 -display none -monitor none -serial none \\
    -semihosting-config enable=on,target=native -kernel $out/m4.elf" | tee "$out/m4.txt"

say "What runs is what was planned"
run "$build/tarn verify $digits/digits.onnx --on host,cortex-m4 --report $out/verify.json | grep VERIFY"

say "Result"
exec python3 $digits/summary.py $digits/training.json "$out"
