#!/usr/bin/env bash
# cross.sh SOURCE PREFIX TARN WAYS: projects for a Cortex-M4 and for RV32 that get tarn_add_model() by find_package from PREFIX, by
# add_subdirectory and by FetchContent from SOURCE, with both common generators; the images run in the emulator. No tarn is on
# PATH. WAYS `taken` names the executable TARN to the last two; `built` has them build one for this machine, with its own compiler;
# `handed` does the same with a source tree whose executable is quick to build: it hands its arguments to TARN.
set -euo pipefail
source=$1 prefix=$2 tarn=$3 ways=$4
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for tool in arm-none-eabi-gcc riscv64-unknown-elf-gcc qemu-system-arm qemu-system-riscv32; do
  command -v $tool >/dev/null || { echo "cross: SKIPPED, no $tool on PATH"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "cross: $*" >&2; [ -e log ] && tail -n 30 log >&2; exit 1; }
cp "$source/examples/digits/digits.onnx" model.onnx
cat >CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.20)
project(cross C)
enable_testing()
if(WAY STREQUAL "find_package")
  find_package(tarn REQUIRED)
elseif(WAY STREQUAL "add_subdirectory")
  # As deep as FetchContent puts it: the compiler's cache then serves both, and every later run of these tests.
  add_subdirectory(${SOURCE} _deps/tarn-build)
else()
  include(FetchContent)
  FetchContent_Declare(tarn URL https://nowhere.invalid/tarn.tar.gz)
  FetchContent_MakeAvailable(tarn)
endif()
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "arm")
  tarn_add_model(net MODEL model.onnx RAM 64K TARGET cortex-m4 REPORT net.json)
else()
  tarn_add_model(net MODEL model.onnx RAM 64K TARGET rv32imac REPORT net.json)
endif()
add_executable(app main.c ${STARTUP})
target_link_libraries(app PRIVATE net)
add_test(NAME app COMMAND app)
C
cat >main.c <<'C'
#include "net.h"
int main(void) {
  uint32_t i;
  float sum = 0, *image = net_input_image(net_arena);
  for (i = 0; i < NET_IN_IMAGE_COUNT; i++) image[i] = (float)(i % 17u);
  if (net_run(net_arena) != NET_OK) return 1;
  for (i = 0; i < NET_OUT_SCORES_COUNT; i++) sum += net_output_scores(net_arena)[i];
  return sum > 0.999f && sum < 1.001f ? 0 : 2;
}
C
export PATH=$(echo "$PATH" | tr : '\n' | while read -r folder; do [ -x "$folder/tarn" ] || echo "$folder"; done | paste -sd :)

# one WAY GENERATOR TARGET OPTION...
one() {
  local way=$1 generator=$2 target=$3; shift 3
  local toolchain=$here/riscv/riscv.cmake startup=$here/riscv/startup.c
  if [ "$target" = arm ]; then toolchain=$source/examples/qemu_firmware/arm-none-eabi.cmake startup=$source/examples/qemu_firmware/startup.c; fi
  rm -rf build
  cmake -G "$generator" -S . -B build -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DSTARTUP="$startup" -DWAY="$way" -DSOURCE="$source" \
    -Dtarn_DIR="$prefix/lib/cmake/tarn" -DFETCHCONTENT_SOURCE_DIR_TARN="$source" -DFETCHCONTENT_FULLY_DISCONNECTED=ON "$@" >log 2>&1 ||
    fail "$way, $generator, $target: configuring failed"
  # The environment of a cross build may name the cross compiler.
  CC=$target-none-such CXX=$target-none-such cmake --build build >log 2>&1 || fail "$way, $generator, $target: the build failed"
  ctest --test-dir build >log 2>&1 || fail "$way, $generator, $target: the image does not run"
  cmake --build build >log 2>&1
  ! grep -qE "Planning|Building" log || fail "$way, $generator, $target: nothing changed, but something was built"
  echo "cross: $way, $generator, $target: as it should be"
}
if [ "$ways" = handed ]; then
  mkdir -p source/generator
  cp -r "$source/CMakeLists.txt" "$source/examples" "$source/LICENSE" source/
  cp -r "$source/generator/cmake" "$source/generator/report" source/generator/
  printf 'add_executable(tarn main.cc)\nset_target_properties(tarn PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})\n' >source/generator/CMakeLists.txt
  printf '#include <unistd.h>\nint main(int, char** argv) { return execv("%s", argv); }\n' "$tarn" >source/generator/main.cc
  source=$work/source
fi
if [ "$ways" != taken ]; then
  one add_subdirectory Ninja arm
  one FetchContent "Unix Makefiles" riscv
  exit
fi
for generator in Ninja "Unix Makefiles"; do
  for target in arm riscv; do
    one find_package "$generator" $target
    one add_subdirectory "$generator" $target -DTARN_EXECUTABLE="$tarn"
    one FetchContent "$generator" $target -DTARN_EXECUTABLE="$tarn"
  done
done
