#!/usr/bin/env python3
"""Networks of floats and of int8 codes whose weights are zero but for one in ten, with --weights packed: kernels skip the zeros.

    sparse.py TARN

The outputs are those of all weights, bit for bit, on the host and on emulated boards, for kernels at the edges of images, with strides
and dilation, rows of which none is left, and gaps of more than a byte holds; flash is a fifth of plain weights, and
instructions are fewer.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'bench'))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import onnx_bytes  # noqa: E402
import sampling  # noqa: E402
from onnx_bytes import FLOAT, INT8, INT32  # noqa: E402

LEFT = 0.1
BOARDS = 'host,cortex-m0,cortex-m4,cortex-m55,rv32imafc'
# Kernel, stride, padding, dilation, outputs; the last is a product with what its pools leave. The first has rows of zeros only.
CONVS = [(3, 1, 1, 1, 32), (1, 1, 0, 1, 40), (3, 2, 0, 1, 32), (3, 1, 2, 2, 24), (5, 1, 2, 1, 16)]
CHANNELS, SIZE, SCORES = 12, 14, 10


class Wrong(Exception):
    """What a network did that it should not."""


def need(truth, text):
    if not truth:
        raise Wrong(text)


def few(rng, rows, length, make):
    """Mostly zeros; a row of nothing else, and one with its only weight far from the first."""
    weights = [make(rng) if rng.random() < LEFT else 0 for _ in range(rows * length)]
    weights[length:2 * length] = [0] * length
    weights[2 * length:3 * length] = [0] * (length - 1) + [make(rng)]
    return weights


class Network:
    """Nodes and constants, one layer after the other."""

    def __init__(self, seed, codes):
        self.rng, self.codes = random.Random(seed), codes
        self.nodes, self.held, self.count = [], [], 0

    def constant(self, shape, values, dtype=FLOAT):
        self.count += 1
        self.held.append(onnx_bytes.tensor(f'c{self.count}', shape, values, dtype))
        return f'c{self.count}'

    def node(self, op, inputs, attributes=()):
        self.count += 1
        self.nodes.append(onnx_bytes.node(op, inputs, f't{self.count}', attributes))
        return f't{self.count}'

    def quantised(self, x, scale):
        if not self.codes:
            return x
        scale, zero = self.constant((), [scale]), self.constant((), [3], INT8)
        return self.node('DequantizeLinear', [self.node('QuantizeLinear', [x, scale, zero]), scale, zero])

    def weights(self, shape, x_scale):
        length = 1
        for n in shape[1:]:
            length *= n
        if not self.codes:
            w = self.constant(shape, few(self.rng, shape[0], length, lambda r: r.uniform(-1, 1)))
            return w, self.constant(shape[:1], [self.rng.uniform(-1, 1) for _ in range(shape[0])])
        w = self.constant(shape, few(self.rng, shape[0], length, lambda r: r.randint(-127, 127)), INT8)
        scales = [self.rng.uniform(0.5, 1) / 60 for _ in range(shape[0])]
        zeros = self.constant(shape[:1], [0] * shape[0], INT8)
        w = self.node('DequantizeLinear', [w, self.constant(shape[:1], scales), zeros], [('axis', 0)])
        bias = self.constant(shape[:1], [self.rng.randint(-900, 900) for _ in range(shape[0])], INT32)
        bias_scale = self.constant(shape[:1], [x_scale * s for s in scales])
        return w, self.node('DequantizeLinear', [bias, bias_scale, self.constant(shape[:1], [0] * shape[0], INT32)], [('axis', 0)])

    def bytes(self):
        scale, channels, size = 0.05, CHANNELS, SIZE
        x = self.quantised('x', scale)
        for kernel, stride, pad, dilation, outputs in CONVS:
            w, b = self.weights((outputs, channels, kernel, kernel), scale)
            x = self.node('Conv', [x, w, b], [('kernel_shape', [kernel] * 2), ('strides', [stride] * 2), ('pads', [pad] * 4),
                                              ('dilations', [dilation] * 2)])
            x = self.quantised(self.node('Relu', [x]), scale)
            channels, size = outputs, (size + 2 * pad - dilation * (kernel - 1) - 1) // stride + 1
        x = self.node('Flatten', [x])
        w, b = self.weights((SCORES, channels * size * size), scale)
        y = self.quantised(self.node('Gemm', [x, w, b], [('transB', 1)]), scale)
        info = onnx_bytes.value_info
        return onnx_bytes.model(self.nodes, self.held, [info('x', (1, CHANNELS, SIZE, SIZE))], [info(y, (1, SCORES))])


def verify(tarn, model, options, boards, folder):
    command = [tarn, 'verify', model, *options, '--on', boards, '--reference', 'naive', '--report', folder / 'report.json']
    run = subprocess.run(command, capture_output=True, text=True)
    need(run.returncode == 0, (run.stderr.strip() or run.stdout.strip())[:500])
    return json.loads((folder / 'report.json').read_text())


def check(tarn, codes, folder):
    model = folder / 'sparse.onnx'
    model.write_bytes(Network(7, codes).bytes())
    report = verify(tarn, model, ['--weights', 'packed'], BOARDS, folder)
    exact = [row for row in report['verify'] if codes or row['on'] == 'host']
    need(all(o['max_abs'] == 0 and o['mismatches'] == 0 for row in exact for o in row['outputs']), 'outputs are off')
    layers = [step['kernel'] for step in report['steps'] if 'conv' in step['kernel'] or 'dense' in step['kernel']]
    need(len(layers) == len(CONVS) + 1 and all('sparse' in kernel for kernel in layers), f'kernels are {layers}')
    for target in sampling.part(('cortex-m4', 'cortex-m0')):
        sparse = verify(tarn, model, ['--weights', 'packed', '--target', target], target, folder)
        plain = verify(tarn, model, ['--target', target], target, folder)
        need(not any('sparse' in step['kernel'] for step in plain['steps']), 'zeros are skipped without being asked to')
        flash = sparse['flash']['weights'] / plain['flash']['weights']
        time = sparse['verify'][0]['instructions'] / plain['verify'][0]['instructions']
        need(flash < 0.25, f'{flash:.3f} of the flash')
        need(time < 1, f'{time:.3f} of the instructions on {target}')
        print(f'{"codes" if codes else "floats"} on {target}: {flash:.3f} of the flash, {time:.3f} of the instructions', flush=True)


def main():
    tarn, faults = pathlib.Path(sys.argv[1]).resolve(), 0
    for codes in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(tarn, codes, pathlib.Path(folder))
            except Wrong as wrong:
                faults += 1
                print('FAILED', 'codes' if codes else 'floats', wrong)
    print(f'{faults} faults')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
