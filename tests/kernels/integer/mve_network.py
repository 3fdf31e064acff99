#!/usr/bin/env python3
"""A small quantised network of odd shapes, generated for a Cortex-M55 and run on an emulated one and on the host: its outputs are
those of the model, and every int8 layer takes the kernels of the vector extension.

    mve_network.py --tarn TARN --work FOLDER
"""
import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'bench'))
import onnx_bytes  # noqa: E402
from onnx_bytes import INT8, INT32, UINT8  # noqa: E402

# Outputs, kernel, stride, dilation, groups (0: as many as channels), whether the weights are uint8.
LAYERS = [(10, 3, 2, 1, 1, False), (10, 3, 1, 1, 0, False), (21, 1, 1, 1, 1, False), (21, 3, 2, 1, 0, False), (21, 5, 1, 1, 0, False),
          (24, 3, 1, 1, 3, False), (18, 3, 1, 2, 1, True), (18, 3, 1, 1, 0, True), (36, 2, 1, 1, 2, False), (36, 3, 1, 2, 0, False),
          (90, 3, 1, 1, 1, False), (7, 3, 1, 1, 1, False)]
# Behind them transposed ones: outputs, kernel, stride, pad.
TRANSPOSED = [(6, 4, 2, 1), (9, 3, 2, 0)]
MISSING = 77


def network():
    rng = random.Random(5)
    t = onnx_bytes.tensor
    held, nodes = [t('s', (), [0.02]), t('z', (), [-3], INT8)], []
    x, channels, lines, pixels = 'x', 3, 33, 39
    for i, (outputs, kernel, stride, dilation, groups, is_unsigned) in enumerate(LAYERS):
        inputs = 1 if groups == 0 else channels // groups
        length, dtype = inputs * kernel * kernel, UINT8 if is_unsigned else INT8
        low, zero = (0, 119) if is_unsigned else (-127, 0)
        held += [t(f'w{i}', (outputs, inputs, kernel, kernel), [rng.randint(low, low + 254) for _ in range(outputs * length)], dtype),
                 t(f'sw{i}', (outputs,), [rng.uniform(0.5, 1.5) / 127 / length ** 0.5 for _ in range(outputs)]),
                 t(f'zw{i}', (outputs,), [zero] * outputs, dtype), t(f'b{i}', (outputs,), [rng.randint(-999, 999) for _ in range(outputs)], INT32)]
        pad = (kernel - 1) * dilation // 2
        attributes = [('kernel_shape', [kernel] * 2), ('pads', [pad] * 4), ('strides', [stride] * 2), ('dilations', [dilation] * 2),
                      ('group', groups or channels)]
        nodes.append(onnx_bytes.node('QLinearConv', [x, 's', 'z', f'w{i}', f'sw{i}', f'zw{i}', 's', 'z', f'b{i}'], f'y{i}', attributes))
        x, channels = f'y{i}', outputs
        lines, pixels = ((n + 2 * pad - (kernel - 1) * dilation - 1) // stride + 1 for n in (lines, pixels))
    for i, (outputs, kernel, stride, pad) in enumerate(TRANSPOSED):
        held += [t(f'v{i}', (channels, outputs, kernel, kernel), [rng.randint(-127, 127) for _ in range(channels * outputs * kernel ** 2)], INT8),
                 t(f'sv{i}', (outputs,), [rng.uniform(0.5, 1.5) / 127 / (channels * kernel) ** 0.5 for _ in range(outputs)]), t(f'zv{i}', (outputs,), [0] * outputs, INT8)]
        nodes += [onnx_bytes.node('DequantizeLinear', [x, 's', 'z'], f'dx{i}'), onnx_bytes.node('DequantizeLinear', [f'v{i}', f'sv{i}', f'zv{i}'], f'dv{i}', [('axis', 1)]),
                  onnx_bytes.node('ConvTranspose', [f'dx{i}', f'dv{i}'], f'r{i}', [('kernel_shape', [kernel] * 2), ('strides', [stride] * 2), ('pads', [pad] * 4)]),
                  onnx_bytes.node('QuantizeLinear', [f'r{i}', 's', 'z'], f't{i}')]
        x, channels = f't{i}', outputs
        lines, pixels = ((n - 1) * stride + kernel - 2 * pad for n in (lines, pixels))
    return onnx_bytes.model(nodes, held, [onnx_bytes.value_info('x', (1, 3, 33, 39), INT8)], [onnx_bytes.value_info(x, (1, channels, lines, pixels), INT8)])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', required=True)
    parser.add_argument('--work', type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    (options.work / 'network.onnx').write_bytes(network())
    boards = 'host,cortex-m55' if shutil.which('arm-none-eabi-gcc') and shutil.which('qemu-system-arm') else 'host'
    done = subprocess.run([options.tarn, 'verify', options.work / 'network.onnx', '--on', boards, '--target', 'cortex-m55', '--report',
                           options.work / 'report.json'], text=True, capture_output=True)
    print('\n'.join(line for line in (done.stdout + done.stderr).splitlines() if 'VERIFY' in line or 'error' in line))
    if done.returncode != 0:
        return 1
    kernels = [step['kernel'] for step in json.loads((options.work / 'report.json').read_text())['steps'] if step['op'] in ('tarn.IntConv', 'tarn.IntConvTranspose')]
    others = [kernel for kernel in kernels if '_mve_' not in kernel]
    if len(kernels) != len(LAYERS) + len(TRANSPOSED) or others:
        print(f'{len(kernels)} layers of {len(LAYERS) + len(TRANSPOSED)}, by other kernels: {others}')
        return 1
    return 0 if 'm55' in boards else MISSING


sys.exit(main())
