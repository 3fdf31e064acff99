#!/usr/bin/env python3
"""Instructions and estimated cycles per multiply-accumulate of float32 layers on an emulated board: the code that tarn
emits for each, run as a whole (`_run`), beside plain loops and CMSIS-NN.

    layers.py [--build build] [--on cortex-m4|cortex-m55]

Weights and inputs are random. CMSIS-NN's figures are those of its float kernels (99f736a6, gcc 12 -Ofast) on the same
emulator for the same shapes. Fails when a layer needs more instructions than its goal.
"""
import argparse
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import onnx_bytes  # noqa: E402

ROOT = HERE.parents[2]
# Name: lines, pixels, inputs, outputs, kernel, groups; the plain loops.
LAYERS = {
    'conv3x3': ((16, 16, 32, 64, 3, 1), 'naive_conv3x3_f32.c'),
    'conv1x1': ((24, 24, 64, 64, 1, 1), 'naive_conv1x1_f32.c'),
    'depthwise3x3': ((24, 24, 64, 64, 3, 64), 'naive_depthwise_f32.c'),
    'fully': ((1, 1, 256, 256, 1, 1), None),
}
# The goal and CMSIS-NN (nan: not measured).
GOALS = {
    'cortex-m4': {'conv3x3': (3.0, 5.320), 'conv1x1': (3.0, 5.301), 'depthwise3x3': (6.0, 9.928), 'fully': (3.77, math.nan)},
    'cortex-m55': {'conv3x3': (0.70, 0.914), 'conv1x1': (0.70, 0.924), 'depthwise3x3': (1.6, 4.46), 'fully': (0.6, math.nan)},
}


def conv_model(lines, pixels, inputs, outputs, kernel, groups):
    rng = random.Random(1)
    shape = (outputs, inputs // groups, kernel, kernel)
    count = outputs * inputs // groups * kernel * kernel
    weights = onnx_bytes.tensor('w', shape, [rng.uniform(-1, 1) for _ in range(count)])
    bias = onnx_bytes.tensor('b', (outputs,), [rng.uniform(-1, 1) for _ in range(outputs)])
    attributes = [('kernel_shape', [kernel] * 2), ('pads', [kernel // 2] * 4), ('group', groups)]
    return onnx_bytes.model([onnx_bytes.node('Conv', ['x', 'w', 'b'], 'y', attributes)], [weights, bias],
                            [onnx_bytes.value_info('x', (1, inputs, lines, pixels))], [onnx_bytes.value_info('y', (1, outputs, lines, pixels))])


BENCH = '''#include "{name}.h"
extern const uint32_t bench_macs;
const uint32_t bench_macs = {macs}u;
void bench_setup(void);
void bench_run(void);
void bench_setup(void) {{
  float *x = {name}_input_x({name}_arena);
  uint32_t seed = 1u, i;
  for (i = 0; i < {caps}_IN_X_COUNT; ++i) {{
    seed = seed * 1664525u + 1013904223u;
    x[i] = (float)(int32_t)(seed >> 16) / 32768.0f - 1.0f;
  }}
}}
void bench_run(void) {{ (void){name}_run({name}_arena); }}
'''


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build')
    parser.add_argument('--on', default='cortex-m4', choices=GOALS)
    options = parser.parse_args()
    build = options.build.resolve()
    subprocess.run(['cmake', '--build', build, '--target', 'tarn', 'kernel_counts'], check=True, stdout=subprocess.DEVNULL)
    print(f'{"layer":14}{"MACs":>10}{"instructions/MAC":>18}{"goal":>7}{"CMSIS-NN":>10}{"plain C":>9}{"cycles/MAC":>12}')
    missed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name, (shape, plain) in LAYERS.items():
            goal, cmsis = GOALS[options.on][name]
            lines, pixels, inputs, outputs, kernel, groups = shape
            folder = pathlib.Path(scratch) / name
            folder.mkdir()
            (folder / f'{name}.onnx').write_bytes(conv_model(*shape))
            subprocess.run([build / 'tarn', 'generate', folder / f'{name}.onnx', '-o', folder / 'c', '--files', 'single', '--target', options.on,
                            '--input-layout', 'nhwc', '--output-layout', 'nhwc', '--cc', 'none'], check=True, stdout=subprocess.DEVNULL)
            macs = lines * pixels * outputs * inputs // groups * kernel * kernel
            bench = folder / f'{name}_bench.c'
            bench.write_text(BENCH.format(name=name, caps=name.upper(), macs=macs))
            counts = build / 'tests/bench/targets/kernel_counts'
            done = subprocess.run([counts, '--on', options.on, '--flags', f'-I{folder}/c', bench, f'+{folder}/c/{name}.c', *([HERE / plain] if plain else [])],
                                  text=True, capture_output=True)
            if done.returncode != 0:
                sys.exit(done.stdout + done.stderr)
            figures = [[float(x) for x in re.findall(r'\s(\d+\.\d+)', line)] for line in done.stdout.splitlines() if re.search(r'\d\.\d', line)]
            here, loops = figures[0], figures[1] if plain else [math.nan]
            cycles = f'{here[1]:.2f}' if len(here) > 1 else '-'
            print(f'{name:14}{macs:10}{here[0]:18.3f}{goal:7.2f}{cmsis:10.3f}{loops[0]:9.3f}{cycles:>12}')
            missed += here[0] > goal
    return 1 if missed else 0


sys.exit(main())
