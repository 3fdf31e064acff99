#!/usr/bin/env bash
# fetch_content.sh TARN SOURCE CROSS STORED: a project that gets tarn through FetchContent from a local source tree, without
# network; also with several memories, and for a Cortex-M4 with the toolchain file CROSS; the model of the folder STORED is run on
# its data here and there. The executable is taken as it is built already (TARN_EXECUTABLE); a second configuration without it must
# know how to build one.
set -euo pipefail
tarn=$1 source=$2 cross=$3 stored=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "fetch_content: $*" >&2; [ -e log ] && tail -n 30 log >&2; exit 1; }
cat >CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.20)
project(fetched C)
enable_testing()
include(FetchContent)
FetchContent_Declare(tarn URL https://nowhere.invalid/tarn.tar.gz)
FetchContent_MakeAvailable(tarn)
tarn_add_model(one MODEL model.onnx RAM 64K)
tarn_add_model(two MODEL model.onnx BANK dtcm=1K@.dtcm,dma=no sram=4K REPORT two.json)
tarn_add_model(small MODEL stored/model.onnx VERIFY)
add_executable(app main.c)
target_link_libraries(app PRIVATE one two)
if(CMAKE_CROSSCOMPILING)
  target_sources(app PRIVATE startup.c)
  target_sources(small_verify PRIVATE startup.c)
endif()
install(TARGETS app)
C
cp "$source/examples/digits/digits.onnx" model.onnx
cp -r "$stored" stored
cp "$source/examples/qemu_firmware/startup.c" .
cat >main.c <<'C'
#include "one.h"
#include "two.h"
int main(void)
{
    unsigned i;
    float *a = one_input_image(one_arena), *b = two_input_image(&two_arena);
    for (i = 0; i < ONE_IN_IMAGE_COUNT; i++) a[i] = b[i] = (float)(i % 17u);
    if (one_run(one_arena) != ONE_OK || two_run(&two_arena) != TWO_OK) return 1;
    for (i = 0; i < ONE_OUT_SCORES_COUNT; i++) {
        if (one_output_scores(one_arena)[i] != two_output_scores(&two_arena)[i]) return 2;
    }
    return 0;
}
C
options=(-DFETCHCONTENT_SOURCE_DIR_TARN="$source" -DFETCHCONTENT_FULLY_DISCONNECTED=ON)
cmake -S . -B build "${options[@]}" -DTARN_EXECUTABLE="$tarn" >log 2>&1 || fail "configuring failed"
cmake --build build >log 2>&1 || fail "the build failed"
./build/app || fail "the program ended with $?"
ctest --test-dir build >log 2>&1 || fail "the test of the model failed"
grep -q '"name": "dtcm"' build/two.json || fail "BANK did not reach tarn"
cmake --install build --prefix "$work/prefix" >log 2>&1 || fail "installing failed"
[ "$(cd prefix && find . -type f)" = ./bin/app ] || fail "tarn installs its own files with the project's"
cmake --build build >log 2>&1
! grep -q "Planning" log || fail "nothing changed, but tarn ran again"

# Without an executable the generator is part of the project's build.
cmake -S . -B whole -G Ninja "${options[@]}" >log 2>&1 || fail "configuring without TARN_EXECUTABLE failed"
ninja -C whole -t commands app >log 2>&1 || fail "the whole build cannot be listed"
grep -q "libtarn_core" log || fail "the build would not make tarn"
ninja -C whole -t targets all >log
if grep -q "unit_" log; then fail "tarn's tests are part of the project's build"; fi

if command -v arm-none-eabi-gcc qemu-system-arm >/dev/null; then
  cmake -S . -B cross "${options[@]}" -DTARN_EXECUTABLE="$tarn" -DCMAKE_TOOLCHAIN_FILE="$cross" >log 2>&1 || fail "configuring for the Cortex-M4 failed"
  cmake --build cross >log 2>&1 || fail "the build for the Cortex-M4 failed"
  arm-none-eabi-objdump -h cross/libtwo.a >log
  grep -q '\.dtcm' log || fail "the bank is not in its section"
  ctest --test-dir cross >log 2>&1 || fail "the test of the model failed in the emulator"
fi
echo "fetch_content: as it should be"
