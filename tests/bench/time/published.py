#!/usr/bin/env python3
"""Cycles by the timing of generator/verify/core_timing.h against published measurements on boards.

    published.py --results DIR --cmsis-nn DIR --cmsis DIR [--build build]

--results: a clone of mlcommons/tiny_results_v1.0, --cmsis-nn: of ARM-software/CMSIS-NN, --cmsis: of ARM-software/CMSIS_6. OctoML's submissions to MLPerf Tiny
v1.0 hold the C code of the four closed networks that was run on two boards, calls of CMSIS-NN made by TVM, beside their
throughput. That code is compiled here with CMSIS-NN as it was then (06ce55bf of June 2022), profiled under QEMU, and its cycles by
the model are put beside clock / throughput. Nothing of those repositories is kept in this one.
"""
import argparse
import math
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
CODE, RESULTS = 'closed/OctoML/code/microtvm_cmsis_nn', 'closed/OctoML/results/microtvm_cmsis_nn'
CMSIS_NN = '06ce55bf'
# Board: its core, its clock, its folders among code and results, what its flash makes cycles wait for.
# STM32L4R5: five wait states at 120 MHz; as delivered (two banks) 8 bytes are read at once; its caches hold loops and no weights
# (RM0432, 3.3). nRF5340: a cache of 8 KB that holds loops and no weights; four cycles for 16 bytes are an assumption.
BOARDS = {
    'NUCLEO-L4R5ZI': ('cortex-m4', 120e6, 'NUCLEO_L4R5ZI', 'NUCLEO_L4R5ZI', (5, 8)),
    'nRF5340-DK': ('cortex-m33', 128e6, 'NRF5340DK', 'NRF5340-DK', (4, 16)),
}
NETWORKS = ('ad', 'kws', 'ic', 'vww')
MAIN = '''#include <stdint.h>
#include <string.h>
#include "tvmgen_default.h"
static uint8_t input[27648] __attribute__((aligned(16))), output[4096] __attribute__((aligned(16)));
static uint8_t memory[262144] __attribute__((aligned(16)));
static uint32_t used, sizes[64], depth;
void *TVMBackendAllocWorkspace(int type, int id, uint64_t bytes, int code, int bits) {
  (void)type; (void)id; (void)code; (void)bits;
  sizes[depth] = ((uint32_t)bytes + 15u) & ~15u;
  used += sizes[depth++];
  return memory + used - sizes[depth - 1u];
}
int TVMBackendFreeWorkspace(int type, int id, void *at) { (void)type; (void)id; (void)at; used -= sizes[--depth]; return 0; }
void bench_begin(void);
void bench_end(void);
__attribute__((noinline)) void bench_begin(void) { __asm__ volatile(""); }
__attribute__((noinline)) void bench_end(void) { __asm__ volatile("nop"); }
int main(void) {
  struct tvmgen_default_inputs inputs;
  struct tvmgen_default_outputs outputs;
  uint32_t i, seed = 1;
  int32_t status;
  for (i = 0; i < sizeof input; ++i) { seed = seed * 1664525u + 1013904223u; input[i] = (uint8_t)(seed >> 24); }
  *(void **)&inputs = input;
  *(void **)&outputs = output;
  bench_begin();
  status = tvmgen_default_run(&inputs, &outputs);
  bench_end();
  return status;
}
'''
BUILD = '''. {root}/tests/kernels/target/boards.sh
gcc -O2 -fPIC -shared -w -DTARN_PLUGIN_VERSION=1 -o counter.so {root}/templates/verify/count_instructions.c
board {core}
cached=$(command -v ccache || true)
for source in $(ls cmsis/Source/*/*.c model/*.c main.c); do
  $cached $compiler $flags -std=gnu11 -O2 -w -ffunction-sections -fdata-sections -Icmsis/Include -Icore -Iinclude -Icrt -c $source -o $(echo $source | tr / _).o
done
board_build {core} t.elf *.o -lc -lm
address() {{ echo 0x$(${{compiler%gcc}}nm t.elf | awk -v name=$1 '$3 == name {{ print $1 }}'); }}
board_run {core} t.elf -plugin ./counter.so,start=$(address bench_begin),end=$(address bench_end),out=counts,profile=profile,constants=$(address constants_start):$(address constants_end)
'''


def unpack(repository, commit, path, to):
    archive = subprocess.run(['git', '-C', repository, 'archive', commit, path], check=True, capture_output=True).stdout
    to.mkdir(parents=True, exist_ok=True)
    subprocess.run(['tar', 'x', '-C', to, f'--strip-components={len(path.strip("/").split("/"))}'], input=archive, check=True)


def throughput(repository, folder, network):
    path = f'{RESULTS}/{folder}/{network}/performance/results.txt'
    text = subprocess.run(['git', '-C', repository, 'show', f'HEAD:{path}'], check=True, capture_output=True, text=True).stdout
    found = [float(n) for n in re.findall(r'Throughput\s*:\s*([\d.]+) inf', text)]
    return sorted(found)[len(found) // 2]


def cost(options, core, code_folder, network):
    """Instructions, cycles, jumps, bytes of code, loads of constants and their bytes."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        unpack(options.results, 'HEAD', f'{CODE}/{code_folder}/{network}/model/codegen/host/src', folder / 'model')
        unpack(options.results, 'HEAD', f'{CODE}/{code_folder}/{network}/model/codegen/host/include', folder / 'include')
        unpack(options.results, 'HEAD', f'{CODE}/{code_folder}/{network}/crt/include', folder / 'crt')
        for part in ('Include', 'Source'):
            unpack(options.cmsis_nn, CMSIS_NN, part, folder / 'cmsis' / part)
        unpack(options.cmsis, 'HEAD', 'CMSIS/Core/Include', folder / 'core')
        (folder / 'main.c').write_text(MAIN)
        done = subprocess.run(['bash', '-e', '-c', BUILD.format(root=ROOT, core=core)], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f'{core} {network}: {done.stderr[-3000:]}')
        terms = options.build.resolve() / 'tests/bench/time/time_terms'
        return [float(n) for n in subprocess.run([terms, '--cost', core, 't.elf', 'profile'], cwd=folder, check=True, capture_output=True,
                                                 text=True).stdout.split()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--results', required=True)
    parser.add_argument('--cmsis-nn', required=True)
    parser.add_argument('--cmsis', required=True)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build')
    options = parser.parse_args()
    print('| board | network | published, inferences/s | cycles | instructions | cycles by the model | and waits for flash | off |')
    print('|---|---|---:|---:|---:|---:|---:|---:|')
    errors = {}
    for board, (core, clock, code_folder, result_folder, (wait, line)) in BOARDS.items():
        for network in NETWORKS:
            published = throughput(options.results, result_folder, network)
            instructions, cycles, _, _, reads, read_bytes = cost(options, core, code_folder, network)
            waiting = cycles + wait * min(reads, read_bytes / line)
            off = waiting * published / clock - 1
            errors.setdefault(core, []).append(off)
            print(f'| {board} | {network} | {published} | {clock / published / 1e6:.2f} M | {instructions / 1e6:.2f} M | {cycles / 1e6:.2f} M |'
                  f' {waiting / 1e6:.2f} M | {100 * off:+.1f} % |', flush=True)
    for core, found in errors.items():
        mean = math.exp(sum(math.log(1 + e) for e in found) / len(found)) - 1
        print(f'{core}: {100 * mean:+.1f} % in the geometric mean, {100 * max(abs(e) for e in found):.1f} % at worst')
    return 0


if __name__ == '__main__':
    sys.exit(main())
