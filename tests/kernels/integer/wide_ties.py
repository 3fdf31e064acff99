#!/usr/bin/env python3
"""Integer layers whose scales put ties of rounding so near to one another that every value has to be looked at: 0.75, 1.5 and 2.5, and some beside
these. Convolutions of each kind and sums, for each target on this machine and, where they can be emulated, on the boards. Outputs are those of the
definition: whole sums, times the scale, to the nearest code.

    wide_ties.py --tarn TARN --work FOLDER
"""
import argparse
import pathlib
import random
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'bench'))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import onnx_bytes  # noqa: E402
import sampling  # noqa: E402
from onnx_bytes import INT8, INT32  # noqa: E402

TARGETS = [('generic', ''), ('cortex-m4', 'cortex-m4'), ('cortex-m55', 'cortex-m55')]
SCALES = [0.75, 1.5, 0.5, 2.5, 0.625, 1.0, 3.5, 0.375]
CHANNELS, SIDE = 8, 7
# Outputs, kernel, groups.
LAYERS = [(12, 1, 1), (10, 3, 1), (8, 3, 8), (8, 5, 8), (8, 3, 2), (5, 7, 1)]


def convolved(x, w, outputs, kernel, groups, scale):
    """Codes [outputs][lines][pixels] of a layer whose lines and pixels stay as many."""
    inputs, pad = CHANNELS // groups, kernel // 2
    made = []
    for o in range(outputs):
        first = o // (outputs // groups) * inputs
        for line in range(SIDE):
            for pixel in range(SIDE):
                total = 0
                for c in range(inputs):
                    for u in range(max(0, pad - line), min(kernel, SIDE + pad - line)):
                        for v in range(max(0, pad - pixel), min(kernel, SIDE + pad - pixel)):
                            total += x[((first + c) * SIDE + line + u - pad) * SIDE + pixel + v - pad] * w[((o * inputs + c) * kernel + u) * kernel + v]
                made.append(min(127, max(-128, round(total * scale))))  # halves to the even code
    return made


def network(folder, rng, scale):
    t, node = onnx_bytes.tensor, onnx_bytes.node
    stored = folder / 'test_data_set_0'
    stored.mkdir(parents=True, exist_ok=True)
    x = [rng.choice([rng.randint(-128, 127), rng.randint(-9, 9)]) for _ in range(CHANNELS * SIDE * SIDE)]
    shape = (1, CHANNELS, SIDE, SIDE)
    held = [t('s', (), [scale]), t('one', (), [1.0]), t('zero', (), [0], INT8)]
    nodes, outputs, made = [], [], []
    for i, (count, kernel, groups) in enumerate(LAYERS):
        most = 3 if kernel == 1 else 1  # sums that seldom saturate
        w = [rng.choice([0, 0, rng.randint(-most, most)]) for _ in range(count * CHANNELS // groups * kernel * kernel)]
        held += [t(f'w{i}', (count, CHANNELS // groups, kernel, kernel), w, INT8), t(f'b{i}', (count,), [0] * count, INT32)]
        nodes.append(node('QLinearConv', ['x', 's', 'zero', f'w{i}', 'one', 'zero', 'one', 'zero', f'b{i}'], f'y{i}',
                          [('kernel_shape', [kernel] * 2), ('pads', [kernel // 2] * 4), ('group', groups)]))
        outputs.append((f'y{i}', (1, count, SIDE, SIDE)))
        made.append(convolved(x, w, count, kernel, groups, scale))
    nodes += [node('DequantizeLinear', ['x', 's', 'zero'], 'dx'), node('DequantizeLinear', ['u', 's', 'zero'], 'du'), node('Add', ['dx', 'du'], 'a'),
              node('QuantizeLinear', ['a', 'one', 'zero'], 'y')]
    u = [rng.randint(-60, 60) for _ in x]
    outputs.append(('y', shape))
    made.append([min(127, max(-128, round((a + b) * scale))) for a, b in zip(x, u)])
    (folder / 'model.onnx').write_bytes(onnx_bytes.model(nodes, held, [onnx_bytes.value_info(n, shape, INT8) for n in 'xu'],
                                                        [onnx_bytes.value_info(*port, INT8) for port in outputs]))
    for i, values in enumerate([x, u]):
        (stored / f'input_{i}.pb').write_bytes(t('xu'[i], shape, values, INT8))
    for i, values in enumerate(made):
        (stored / f'output_{i}.pb').write_bytes(t(outputs[i][0], outputs[i][1], values, INT8))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', required=True)
    parser.add_argument('--work', type=pathlib.Path, required=True)
    options = parser.parse_args()
    rng = random.Random(11)
    emulated = shutil.which('arm-none-eabi-gcc') and shutil.which('qemu-system-arm')
    wrong = 0
    for scale in sampling.part(SCALES, 3):
        folder = options.work / str(scale)
        network(folder, rng, scale)
        for target, board in TARGETS:
            for stream in ('off', 'resident'):
                on = 'host' + (f',{board}' if board and emulated else '')
                done = subprocess.run([options.tarn, 'verify', folder / 'model.onnx', '--target', target, '--on', on, '--stream', stream], text=True, capture_output=True)
                good = done.returncode == 0 and 'stored outputs' in done.stdout + done.stderr
                print(f'{scale} for {target}, --stream {stream}{"" if good else ": wrong"}')
                if not good:
                    print(done.stdout + done.stderr)
                wrong += not good
    print(f'{wrong} wrong')
    return 1 if wrong else 0 if emulated else 77


if __name__ == '__main__':
    sys.exit(main())
