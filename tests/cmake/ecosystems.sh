#!/usr/bin/env bash
# ecosystems.sh PREFIX SOURCE TARN: the applications of examples/guides/cmake.md that use tarn_add_model() within Zephyr and ESP-IDF, built
# from an installed tarn and from the source tree, by stand-ins for these build systems (standins/), and run: Zephyr's on an emulated
# Cortex-M4, ESP-IDF's on this machine. Neither is there itself.
set -euo pipefail
prefix=$1 source=$2 tarn=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "ecosystems: $*" >&2; [ -e "$work/log" ] && tail -n 30 "$work/log" >&2; exit 1; }
# The block of a section whose first line names the file.
block() {
  awk -v section="## $1" -v file="# $2" '/^## /{on = $0 == section; next} !on {next}
    /^```/ {fenced = !fenced; first = fenced; shown = 0; next} first {shown = $0 == file; first = 0} shown' "$source/examples/guides/cmake.md"
}
build() { cmake -G Ninja -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@" >"$work/log" 2>&1 && cmake --build build >>"$work/log" 2>&1; }
files() { cp "$source/examples/digits/"{digits.onnx,main.c,samples.h} "$1"; }
right='350 of 359 correct'

for from in installed tree; do
  if [ $from = installed ]; then package=$prefix/lib/cmake/tarn named=(); else package=$source/generator/cmake named=(-DTARN_EXECUTABLE="$tarn"); fi
  # The installed package knows where its executable is.
  [ $from = tree ] || export PATH=/usr/bin:/bin

  app=$work/zephyr_$from; mkdir "$app"; cd "$app"; files .
  block 'Within Zephyr' prj.conf >prj.conf
  block 'Within Zephyr' CMakeLists.txt >CMakeLists.txt
  grep -q '^CONFIG_TARN=y' prj.conf && grep -q tarn_add_model CMakeLists.txt || fail "the guide's files are not found"
  echo 'target_sources(app PRIVATE startup.c)' >>CMakeLists.txt
  cp "$source/examples/qemu_firmware/"{startup.c,board.ld} .
  zephyr=(-DZephyr_DIR="$here/standins/zephyr" -DEXTRA_ZEPHYR_MODULES="$package/zephyr" -DCMAKE_SYSTEM_NAME=Generic -DCMAKE_SYSTEM_PROCESSOR=arm
    -DCMAKE_C_COMPILER=arm-none-eabi-gcc -DCMAKE_CXX_COMPILER=arm-none-eabi-g++ -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY
    -DCMAKE_EXE_LINKER_FLAGS="-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -nostartfiles --specs=rdimon.specs -Wl,--gc-sections -T$app/board.ld")
  build "${zephyr[@]}" "${named[@]}" || fail "Zephyr, $from: it does not build"
  grep -q '"command": .*-mcpu=cortex-m4.*digits\.tarn/digits\.c' build/compile_commands.json || fail "Zephyr, $from: the network is compiled without the application's flags"
  grep -q '"target": *"cortex-m4"' build/digits.tarn/digits.json || fail "Zephyr, $from: not the kernels of the board's processor"
  [ "$(qemu-system-arm -M mps2-an386 -display none -monitor none -serial none -semihosting-config enable=on,target=native -kernel build/zephyr.elf)" = "$right" ] ||
    fail "Zephyr, $from: wrong results"
  # Mistakes are told by what is missing.
  : >prj.conf
  ! build "${zephyr[@]}" "${named[@]}" && grep -q 'CONFIG_TARN=y is missing' "$work/log" || fail "Zephyr, $from: without CONFIG_TARN"
  echo CONFIG_TARN=y >prj.conf; sed -i 's/RAM 12K/& VERIFY/' CMakeLists.txt
  ! build "${zephyr[@]}" "${named[@]}" && grep -q 'VERIFY makes a program' "$work/log" || fail "Zephyr, $from: VERIFY"

  app=$work/idf_$from; mkdir -p "$app/main"; cd "$app"; files main
  block 'Within ESP-IDF' CMakeLists.txt | sed "s!PREFIX/lib/cmake/tarn!$package!" >CMakeLists.txt
  block 'Within ESP-IDF' main/CMakeLists.txt >main/CMakeLists.txt
  IDF_PATH=$here/standins/idf build "${named[@]}" || fail "ESP-IDF, $from: it does not build"
  grep -q '"command": .*-DESP_PLATFORM.*digits\.tarn/digits\.c' build/compile_commands.json || fail "ESP-IDF, $from: the network is compiled without the project's flags"
  [ "$(./build/app.elf)" = "$right" ] || fail "ESP-IDF, $from: wrong results"
  # Over budget the build ends with tarn's reasons.
  sed -i 's/RAM 64K/RAM 1K/' main/CMakeLists.txt
  ! IDF_PATH=$here/standins/idf build "${named[@]}" && grep -q 'error E30[12]' "$work/log" || fail "ESP-IDF, $from: a budget is not kept"
done
echo "Zephyr and ESP-IDF stand-ins: the guide's applications build and run, from the installed package and from the source tree"
