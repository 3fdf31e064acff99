#!/usr/bin/env python3
"""Attention of codes: products of two activations that are read and written where they lie, for each target on this machine and, where they can
be emulated, on the boards. Outputs are those of the definition: whole sums, times the scales as float32, to the nearest code.

    products.py --tarn TARN --work FOLDER
"""
import argparse
import json
import pathlib
import random
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'bench'))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import onnx_bytes  # noqa: E402
import sampling  # noqa: E402
from onnx_bytes import FLOAT, INT8  # noqa: E402

# Targets, the kernel that is faster than plain sums there, and the board.
TARGETS = [('generic', '', ''), ('cortex-m4', 'int_matmul_dsp_s8', 'cortex-m4'), ('cortex-m55', 'int_matmul_mve_s8', 'cortex-m55')]
SCALES = {'q': 0.02, 'k': 0.03, 'v': 0.017, 's': 0.11, 'y': 0.09}
ALIKE = {**dict.fromkeys(SCALES, 0.02), 's': 0.5}  # many sums lie on ties


def float32(v):
    return struct.unpack('f', struct.pack('f', v))[0]


def product(a, b, zeros, scales):
    """[rows][columns] of codes."""
    factor = float32(float32(scales[0]) * float32(scales[1]))
    result = []
    for row in a:
        codes = []
        for column in zip(*b):
            total = sum((u - zeros[0]) * (v - zeros[1]) for u, v in zip(row, column))
            codes.append(min(127, max(-128, round(float32(float32(total * factor) / float32(scales[2]))) + zeros[2])))
        result.append(codes)
    return result


def network(folder, rng, steps, heads, size, scales):
    """Scores of queries and keys, which take values; heads lie within rows. All codes have a zero point of their own. Beside it codes become
    floats, for which the arena has more room than products need."""
    zeros = {name: rng.choice([0, rng.randint(-128, 127)]) for name in SCALES}
    zeros['s'], zeros['y'] = rng.randint(-40, 40), rng.randint(-40, 40)
    shape = (1, steps, heads, size)
    data = {name: [rng.randint(-128, 127) for _ in range(steps * heads * size)] for name in 'qkv'}
    node, t = onnx_bytes.node, onnx_bytes.tensor
    held = [t(f'scale_{n}', (), [v]) for n, v in scales.items()] + [t(f'zero_{n}', (), [v], INT8) for n, v in zeros.items()]
    ends = {n: [f'scale_{n}', f'zero_{n}'] for n in SCALES}
    nodes = [node('DequantizeLinear', [n, *ends[n]], f'd{n}') for n in 'qkv']
    nodes += [node('Transpose', [f'd{n}'], f't{n}', [('perm', perm)]) for n, perm in (('q', [0, 2, 1, 3]), ('k', [0, 2, 3, 1]), ('v', [0, 2, 1, 3]))]
    nodes += [node('MatMul', ['tq', 'tk'], 'm'), node('QuantizeLinear', ['m', *ends['s']], 's'), node('DequantizeLinear', ['s', *ends['s']], 'ds'),
              node('MatMul', ['ds', 'tv'], 'n'), node('Transpose', ['n'], 'tn', [('perm', [0, 2, 1, 3])]), node('QuantizeLinear', ['tn', *ends['y']], 'y'),
              node('Cast', ['w'], 'z', [('to', FLOAT)])]
    y = [0] * (steps * heads * size)
    for head in range(heads):
        rows = {n: [data[n][(s * heads + head) * size:(s * heads + head + 1) * size] for s in range(steps)] for n in 'qkv'}
        scores = product(rows['q'], list(zip(*rows['k'])), [zeros['q'], zeros['k'], zeros['s']], [scales['q'], scales['k'], scales['s']])
        for s, row in enumerate(product(scores, rows['v'], [zeros['s'], zeros['v'], zeros['y']], [scales['s'], scales['v'], scales['y']])):
            y[(s * heads + head) * size:(s * heads + head + 1) * size] = row
    stored = folder / 'test_data_set_0'
    stored.mkdir(parents=True, exist_ok=True)
    w = [rng.randint(-128, 127) for _ in range(1500)]
    info = onnx_bytes.value_info
    (folder / 'model.onnx').write_bytes(onnx_bytes.model(nodes, held, [info(n, shape, INT8) for n in 'qkv'] + [info('w', (1, 1500), INT8)],
                                                           [info('y', shape, INT8), info('z', (1, 1500))]))
    for i, n in enumerate('qkv'):
        (stored / f'input_{i}.pb').write_bytes(t(n, shape, data[n], INT8))
    (stored / 'input_3.pb').write_bytes(t('w', (1, 1500), w, INT8))
    (stored / 'output_0.pb').write_bytes(t('y', shape, y, INT8))
    (stored / 'output_1.pb').write_bytes(t('z', (1, 1500), w))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', required=True)
    parser.add_argument('--work', type=pathlib.Path, required=True)
    options = parser.parse_args()
    rng = random.Random(3)
    emulated = shutil.which('arm-none-eabi-gcc') and shutil.which('qemu-system-arm')
    fast, wrong = set(), 0
    shapes = [(13, 3, 9, SCALES), (24, 2, 16, ALIKE), (7, 5, 8, SCALES), (40, 1, 33, ALIKE), (69, 1, 6, ALIKE)]
    for i, (steps, heads, size, scales) in enumerate(sampling.part(shapes, 3)):
        folder = options.work / str(i)
        network(folder, rng, steps, heads, size, scales)
        for target, kernel, board in TARGETS:
            command = [options.tarn, 'verify', folder / 'model.onnx', '--target', target, '--report', folder / 'report.json', '--on', 'host']
            if board and emulated:
                command[-1] += ',' + board
            done = subprocess.run(command, text=True, capture_output=True)
            found = [step['kernel'] for step in json.loads((folder / 'report.json').read_text())['steps']] if done.returncode == 0 else []
            good = done.returncode == 0 and 'stored outputs' in done.stdout + done.stderr and len(found) == 3
            print(f'{steps} x {heads} x {size} for {target}: {", ".join(found)}{"" if good else ": wrong"}')
            if not good:
                print(done.stdout + done.stderr)
            wrong += not good
            fast |= {kernel} & set(found)
    print(f'{len(fast)} kernels of processors, {wrong} wrong')
    return 1 if wrong or len(fast) != 2 else 0


if __name__ == '__main__':
    sys.exit(main())
