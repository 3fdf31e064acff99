#!/usr/bin/env python3
"""int8: instructions per multiply-accumulate of layers as tarn emits them, exact requantisation included, and of whole networks,
beside TFLite Micro's with CMSIS-NN, on emulated processors.

    run.py [--build build] [--on cortex-m4,cortex-m55,cortex-m0,rv32imac] [--only TEXT] [--no-networks]

Layers have random weights, one scale per output channel. CMSIS-NN's figures are those of its kernels (99f736a6, gcc 12 -Ofast,
requantisation by its own rounding) for the same shapes; '*' marks what needs more than its goal. Networks are read from
TARN_SHARED_DIR/exported where that is; their inputs and outputs are codes, images with their channels last. The anchor of
person detection is one Invoke() of TFLite Micro with CMSIS-NN on the same emulator: 23530684 instructions, 82308 bytes of
arena, 150400 of code; for the others only its arena on a 64-bit host is known.
"""
import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent))
import onnx_bytes  # noqa: E402
from onnx_bytes import INT8, INT32  # noqa: E402

TARGETS = ['cortex-m4', 'cortex-m55', 'cortex-m0', 'rv32imac']
# Name: lines and pixels of the output, inputs, outputs, kernel, stride, groups; CMSIS-NN on M4 and M55; goals by target.
LAYERS = {
    'conv3x3 16x16 32-64': ((16, 16, 32, 64, 3, 1, 1), (1.90, 0.237), (1.0, 0.16, 4.5, 2.9)),
    'conv1x1 24x24 64-64': ((24, 24, 64, 64, 1, 1, 1), (2.06, 0.393), (1.15, 0.22, 5.0, 3.1)),
    'dw3x3 24x24 64': ((24, 24, 64, 64, 3, 1, 64), (8.70, 2.302), (3.6, 0.85, 13, 9)),
    'dw3x3 6x6 128': ((6, 6, 128, 128, 3, 1, 128), (8.08, 2.317), None),
    'dw3x3/2 24x24 16': ((24, 24, 16, 16, 3, 2, 16), (9.30, 3.475), None),
    'dw5x5 24x24 32': ((24, 24, 32, 32, 5, 1, 32), (10.56, 1.990), None),
    'conv3x3/2 48x48 3-8': ((48, 48, 3, 8, 3, 2, 1), (6.02, 1.991), None),
    'conv1x1 48x48 8-16': ((48, 48, 8, 16, 1, 1, 1), (6.63, 2.176), None),
    'dense 640-128': ((1, 1, 640, 128, 0, 1, 1), (1.95, 0.490), (1.5, 0.17, 4.2, 3.6)),
}
NETWORKS = {
    'mlpt_vww_mobilenet_v1_025_96_qdq_s8': (23530684, 82308, 150400),
    'mlpt_kws_dscnn_qdq_s8_sym': (None, 24272, None),
    'mlpt_ic_resnet8_qdq_s8_pc': (None, 55984, None),
    'mlpt_ad_fcae_dynb_qdq_s8': (None, 3984, None),
}
# The autoencoder's stored inputs are three rows.
DIMS = {'mlpt_ad_fcae_dynb_qdq_s8': ['--dim', 'batch_size=3']}

BENCH = '''#include "layer.h"
extern const uint32_t bench_macs;
const uint32_t bench_macs = {macs}u;
void bench_setup(void);
void bench_run(void);
void bench_setup(void) {{
  int8_t *x = layer_input_x(layer_arena);
  uint32_t seed = 1u, i;
  for (i = 0; i < LAYER_IN_X_COUNT; ++i) {{
    seed = seed * 1664525u + 1013904223u;
    x[i] = (int8_t)((int32_t)(seed >> 24) - 128);
  }}
}}
void bench_run(void) {{ (void)layer_run(layer_arena); }}
'''


def layer_model(lines, pixels, inputs, outputs, kernel, stride, groups):
    rng = random.Random(1)
    dense = kernel == 0
    shape = (inputs, outputs) if dense else (outputs, inputs // groups, kernel, kernel)
    length = inputs // groups * max(1, kernel) ** 2
    codes = [rng.randint(-127, 127) for _ in range(outputs * length)]
    scales = [rng.uniform(0.5, 1.5) / 127 / length ** 0.5 for _ in range(outputs)]
    t = onnx_bytes.tensor
    held = [t('w', shape, codes, INT8), t('sw', (outputs,), scales), t('zw', (outputs,), [0] * outputs, INT8), t('s', (), [0.02]),
            t('z', (), [-3], INT8), t('b', (outputs,), [rng.randint(-999, 999) for _ in range(outputs)], INT32)]
    names = ['x', 's', 'z', 'w', 'sw', 'zw', 's', 'z']
    if dense:
        made, x, y = onnx_bytes.node('QLinearMatMul', names, 'y'), (1, inputs), (1, outputs)
        held.pop()
    else:
        attributes = [('kernel_shape', [kernel] * 2), ('pads', [kernel // 2] * 4), ('strides', [stride] * 2), ('group', groups)]
        made = onnx_bytes.node('QLinearConv', names + ['b'], 'y', attributes)
        x, y = (1, inputs, lines * stride, pixels * stride), (1, outputs, lines, pixels)
    return onnx_bytes.model([made], held, [onnx_bytes.value_info('x', x, INT8)], [onnx_bytes.value_info('y', y, INT8)])


def count_layer(build, shape, target, folder):
    lines, pixels, inputs, outputs, kernel, _, groups = shape
    (folder / 'layer.onnx').write_bytes(layer_model(*shape))
    subprocess.run([build / 'tarn', 'generate', folder / 'layer.onnx', '-o', folder / 'c', '--name', 'layer', '--files', 'single', '--target',
                    target, '--input-layout', 'nhwc', '--output-layout', 'nhwc', '--cc', 'none'], check=True, stdout=subprocess.DEVNULL)
    macs = lines * pixels * outputs * inputs // groups * max(1, kernel) ** 2
    (folder / 'bench.c').write_text(BENCH.format(macs=macs))
    counts = build / 'tests/bench/targets/kernel_counts'
    done = subprocess.run([counts, '--on', target, '--flags', f'-I{folder}/c', folder / 'bench.c', f'+{folder}/c/layer.c'], text=True,
                          capture_output=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    figures = [float(x) for x in re.findall(r'(\d+\.\d+) per MAC', done.stdout)]
    return figures[0], figures[1] if len(figures) > 1 else None


def layers(build, targets, only):
    missed = 0
    print('Instructions per multiply-accumulate; CMSIS-NN in brackets; cycles estimated')
    print(f'{"layer":22}' + ''.join(f'{t:>19}' for t in targets) + f'{"M4 cycles":>12}')
    for name, (shape, cmsis, goals) in LAYERS.items():
        if only not in name:
            continue
        row, cycles = f'{name:22}', None
        for target in targets:
            with tempfile.TemporaryDirectory() as folder:
                count, estimated = count_layer(build, shape, target, pathlib.Path(folder))
            cycles = estimated or cycles
            beside = {'cortex-m4': cmsis[0], 'cortex-m55': cmsis[1]}.get(target)
            over = goals is not None and count > goals[TARGETS.index(target)]
            missed += over
            row += f'{f"{count:.3f}" + ("*" if over else " ") + (f"({beside:.3f})" if beside else ""):>19}'
        print(row + (f'{cycles:12.2f}' if cycles else ''), flush=True)
    return missed


def networks(build, target, only):
    exported = pathlib.Path(os.environ.get('TARN_SHARED_DIR', ROOT.parent / 'shared')) / 'exported'
    print(f'\n{"network on " + target:40}{"instructions":>14}{"per MAC":>9}{"arena":>9}{"code":>8}   TFLite Micro with CMSIS-NN')
    for name, (instructions, arena, code) in NETWORKS.items():
        model = exported / name / 'model.onnx'
        if only not in name or not model.exists():
            continue
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([build / 'tarn', 'verify', model, '--on', target, '--target', target, '--quantized-io', '--input-layout', 'nhwc',
                                   '--report', f'{folder}/r.json'] + DIMS.get(name, []), text=True, capture_output=True)
            if done.returncode != 0:
                print(f'{name:40} {done.stderr.strip().splitlines()[-1]}')
                continue
            report = json.loads((pathlib.Path(folder) / 'r.json').read_text())
        row, macs = report['verify'][0], sum(step.get('macs') or 0 for step in report['steps'])
        # The anchor's code and instructions are those of the Cortex-M4.
        anchor = ((instructions, 'instructions'), (arena, 'arena'), (code, 'code')) if target == 'cortex-m4' else ((arena, 'arena'),)
        beside = ', '.join(f'{value} {what}' for value, what in anchor if value)
        print(f'{name:40}{row["instructions"]:14}{row["instructions"] / macs:9.3f}{row["arena"]:9}{row["text"]:8}   {beside}', flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build')
    parser.add_argument('--on', default=','.join(TARGETS))
    parser.add_argument('--only', default='')
    parser.add_argument('--no-networks', action='store_true')
    options = parser.parse_args()
    build, targets = options.build.resolve(), options.on.split(',')
    subprocess.run(['cmake', '--build', build, '--target', 'tarn', 'kernel_counts'], check=True, stdout=subprocess.DEVNULL)
    missed = layers(build, targets, options.only)
    if not options.no_networks:
        for target in targets:
            if target in ('cortex-m4', 'cortex-m55'):
                networks(build, target, options.only)
    return 1 if missed else 0


sys.exit(main())
