#!/usr/bin/env bash
# rebuild.sh PREFIX GENERATOR MODELS: a project with tarn_add_model(), through find_package of an installed tarn, in a folder with a
# space in its name. Counts how often tarn and the compiler run: never when nothing changed; tarn alone when the model, its external
# data or the data of its test is touched; the compiler too when the code is another one.
set -euo pipefail
prefix=$1 generator=$2 models=$3
bytes=$(cd "$(dirname "${BASH_SOURCE[0]}")/../bench" && pwd)
work=$(mktemp -d)/the\ project
mkdir "$work"
trap 'rm -rf "$(dirname "$work")"' EXIT
cd "$work"
cp "$models/digits.onnx" model.onnx
cat >CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.20)
project(rebuild C)
set(RAM 64K CACHE STRING "")
find_package(tarn REQUIRED)
enable_testing()
tarn_add_model(net MODEL model.onnx RAM ${RAM} REPORT net.json VERIFY DATA "stored data")
add_executable(app main.c)
target_link_libraries(app PRIVATE net)
tarn_add_model(away MODEL "other models/a\$way \${x} #1.onnx")
target_sources(app PRIVATE away.c)
target_link_libraries(app PRIVATE away)
C
# A model whose 16 weights lie in a file of their own.
mkdir "other models"
# Its name, and theirs, have what Make, Ninja and CMake escape in different ways.
PYTHONPATH=$bytes python3 -B - 'other models/a$way ${x} #1.onnx' <<'P'
import sys
from onnx_bytes import FLOAT, data, model, node, number, value_info
weights = number(1, 4) + number(1, 4) + number(2, FLOAT) + data(8, 'w') + data(13, data(1, 'location') + data(2, 'the $weights ${x} #1.bin')) + number(14, 1)
open(sys.argv[1], 'wb').write(model([node('MatMul', ['x', 'w'], 'y')], [weights], [value_info('x', [1, 4])], [value_info('y', [1, 4])]))
P
head -c 64 /dev/zero >'other models/the $weights ${x} #1.bin'
printf '#include "away.h"\nint away(void);\nint away(void) { return away_run(away_arena); }\n' >away.c
printf '#include "net.h"\nint main(void) { return net_run(net_arena) == NET_OK ? 0 : 1; }\n' >main.c
# Tensors of nothing but zeros: dims, element type, raw data.
mkdir "stored data"
{ printf '\010\001\010\001\010\010\010\010\020\001\112\200\002'; head -c 256 /dev/zero; } >"stored data/input_0.pb"
{ printf '\010\001\010\012\020\001\112\050'; head -c 40 /dev/zero; } >"stored data/output_0.pb"

# Stand-ins that count and hand over.
mkdir bin
printf '#!/bin/sh\necho run >>"%s/compiled"\nexec cc "$@"\n' "$work" >bin/counting-cc
chmod +x bin/counting-cc
fail() { echo "rebuild ($generator): $*" >&2; exit 1; }
count() { if [ -e "$1" ]; then wc -l <"$1"; else echo 0; fi; }
build() { rm -f compiled; cmake --build build >log 2>&1 || { cat log >&2; fail "the build failed"; }; planned=$(grep -c "Planning" log || true); }

cmake -G "$generator" -S . -B build -Dtarn_DIR="$prefix/lib/cmake/tarn" -DCMAKE_C_COMPILER="$work/bin/counting-cc" >log 2>&1 || { cat log >&2; fail "configuring failed"; }
build
[ "$planned" -eq 2 ] || fail "the first build planned $planned times"
./build/app || fail "the program does not run"
build
[ "$planned" -eq 0 ] && [ "$(count compiled)" -eq 0 ] || fail "nothing changed, but tarn ran $planned times and the compiler $(count compiled)"
sleep 1; touch model.onnx
build
[ "$planned" -eq 1 ] || fail "the model was touched, but tarn ran $planned times"
# tarn itself calls the compiler once per source that it has to measure; the project's own objects stay.
! grep -q "Building C object" log || fail "equal code was compiled again"
build
[ "$planned" -eq 0 ] && [ "$(count compiled)" -eq 0 ] || fail "once more, nothing changed"
sleep 1; touch "stored data/output_0.pb"
build
[ "$planned" -eq 1 ] || fail "the stored data was touched, but tarn ran $planned times"
sleep 1; touch 'other models/the $weights ${x} #1.bin'
build
[ "$planned" -eq 1 ] || fail "the external data was touched, but tarn ran $planned times"
! grep -q "Building C object" log || fail "equal code was compiled again for external data"
sleep 1; head -c 64 /dev/zero | tr '\0' '\1' >'other models/the $weights ${x} #1.bin'
build
[ "$planned" -eq 1 ] && [ "$(grep -c "Building C object.*away\.tarn" log)" -eq 1 ] || fail "other weights, but tarn ran $planned times, and compiled: $(grep Building log)"
build
[ "$planned" -eq 0 ] && [ "$(count compiled)" -eq 0 ] || fail "after other weights nothing changed"
cmake -S . -B build -DRAM=1K >/dev/null
if cmake --build build >log 2>&1; then fail "1 KB cannot be enough"; fi
[ "$(grep -c 'error E30[12]' log)" -eq 1 ] || { cat log >&2; fail "the reason is not told exactly once"; }
grep -q '"limit": 1024' build/net.json || fail "the report is not that of the failure"

# What is wrong with a project is said when CMake runs: by tarn where the model is not there; VERIFY without data goes on.
mkdir other && cp model.onnx other
configure() {  # ARGUMENTS of tarn_add_model
  printf 'cmake_minimum_required(VERSION 3.20)\nproject(other C)\nfind_package(tarn REQUIRED)\nenable_testing()\ntarn_add_model(net MODEL %s)\n' "$1" >other/CMakeLists.txt
  cmake -G "$generator" -S other -B other/build -Dtarn_DIR="$prefix/lib/cmake/tarn" >log 2>&1
}
! configure "missing.onnx" && grep -q "tarn_add_model(net): MODEL missing.onnx is not there" log || fail "a missing model is not named"
configure "model.onnx VERIFY" && grep -q "VERIFY adds no test" log || fail "VERIFY without data ends, or says nothing"
! grep -q net_verify other/build/CTestTestfile.cmake || fail "VERIFY without data adds a test"

# Codes first, from samples: what comes, goes or changes among them makes the code anew, and nothing else does.
mkdir other/samples
for i in 1 2 3; do python3 -c "import struct,sys; sys.stdout.buffer.write(struct.pack('<64f', *((i * $i % 17) / 16 for i in range(64))))" >other/samples/$i.bin; done
configure "model.onnx QUANTIZE samples" || { cat log >&2; fail "QUANTIZE is not taken"; }
quantised() { cmake --build other/build >log 2>&1 || { cat log >&2; fail "QUANTIZE does not build"; }; grep -c "quantised on" log || true; }
[ "$(quantised)" -eq 1 ] && [ "$(quantised)" -eq 0 ] || fail "codes are not made once"
sleep 1; cp other/samples/1.bin other/samples/4.bin
[ "$(quantised)" -eq 1 ] && grep -q "quantised on 4 samples" log && [ "$(quantised)" -eq 0 ] || fail "a new sample is not seen"
echo "rebuild ($generator): as it should be"
