#!/usr/bin/env python3
"""cliffs: executed instructions per multiply-accumulate (per output element where there are none) of single int8 layers as emitted,
beside CMSIS-NN's and the goal, for every row of the record of cliffs in TARN_SHARED_DIR/notes.

    run.py [--tarn build/tarn] [--on cortex-m4,cortex-m55,cortex-m0,rv32imac] [--only TEXT[,TEXT]] [--sample]

The layers are those of the notes beside it, QDQ, with weights per channel, ports of codes with channels last, -O2. 'then' is the file's record of
tarn, 'goal' 0.9 of CMSIS-NN, or half of 'then' where CMSIS-NN has no such kernel; at most 90 on M0 and RV32. '*' marks what misses it. The record does not
tell the scales of outputs and second operands: here all codes have one. Where sums lie on ties that decides what a layer takes. Then the geometric
means of ratios to CMSIS-NN by group. --sample: a few layers, whose geometric mean may not exceed what sample.tsv holds by 1 percent
(exit status 1). Exit status 77: no data, or no emulator.
"""
import argparse
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
NOTES = pathlib.Path(os.environ.get('TARN_SHARED_DIR', ROOT.parent / 'shared')) / 'notes'
sys.path.insert(0, str(HERE.parent))
import onnx_bytes  # noqa: E402
from onnx_bytes import INT8, INT32, INT64, node, tensor  # noqa: E402

SAMPLE = ['c3x3_C16', 'dw3x3_C24', 'fc64_10', 'avg2x2s2', 'max3x3s2p1', 'gap_8x8x64', 'mul_16x16x32', 'add_16x16x32']
IMAGE = (1, 32, 16, 16)
POOL = {'avg2x2s2': ('AveragePool', 2, 2, 0), 'avg3x3s1p1': ('AveragePool', 3, 1, 1), 'max3x3s2p1': ('MaxPool', 3, 2, 1)}
UNARY = {'hardswish_8192': 'HardSwish', 'gelu_8192': 'Gelu', 'erf_8192': 'Erf', 'exp_8192': 'Exp'}
LAYOUT = ['--input-layout', 'nhwc', '--output-layout', 'nhwc']
TRANSPOSE = {'transpose_021': ([0, 2, 1], (1, 64, 64)), 'transpose_0231': ([0, 2, 3, 1], (1, 32, 16, 16)), 'transpose_heads': ([0, 2, 1, 3], (1, 64, 4, 16))}
BENCH = '''#include "layer.h"
extern const uint32_t bench_macs;
const uint32_t bench_macs = {count}u;
void bench_setup(void);
void bench_run(void);
static uint32_t seed = 1u;
static void fill(int8_t *x, uint32_t n) {{
  uint32_t i;
  for (i = 0; i < n; ++i) {{
    seed = seed * 1664525u + 1013904223u;
    x[i] = (int8_t)((int32_t)(seed >> 24) - 128);
  }}
}}
void bench_setup(void) {{ {fills} }}
void bench_run(void) {{ (void)layer_run(layer_arena); }}
'''


class Layer:
    """A QDQ layer whose codes all have one scale and zero point: `inputs` shapes of codes, `y` the output's shape, `count` what instructions are divided by."""

    def __init__(self, inputs, y, count=None):
        self.inputs, self.y, self.count = inputs, y, count or math.prod(y)
        self.nodes, self.held, self.names, self.moves, self.images = [], [], [], False, True
        for i in range(len(inputs)):
            self.read(f'x{i}', 0.02, -3)
            self.names.append(f'dx{i}')

    def read(self, name, scale, zero):
        self.held += [tensor(f's{name}', (), [scale]), tensor(f'z{name}', (), [zero], INT8)]
        self.nodes.append(node('DequantizeLinear', [name, f's{name}', f'z{name}'], f'd{name}'))

    def weights(self, shape, axis, outputs):
        rng = random.Random(1)
        scales = [rng.uniform(0.002, 0.006) for _ in range(outputs)]
        self.held += [tensor('w', shape, [rng.randint(-127, 127) for _ in range(math.prod(shape))], INT8), tensor('sw', (outputs,), scales),
                      tensor('zw', (outputs,), [0] * outputs, INT8), tensor('b', (outputs,), [rng.randint(-999, 999) for _ in scales], INT32),
                      tensor('sb', (outputs,), [0.02 * s for s in scales]), tensor('zb', (outputs,), [0] * outputs, INT32)]
        self.nodes += [node('DequantizeLinear', ['w', 'sw', 'zw'], 'dw', [('axis', axis)]),
                       node('DequantizeLinear', ['b', 'sb', 'zb'], 'db', [('axis', 0)])]
        return ['dw', 'db']

    def on_codes(self, op, attributes):
        """An operator that only moves or compares codes stands between no conversions."""
        self.nodes, self.held, self.moves = [node(op, ['x0'], 'y', attributes)], [], True
        return self

    def finish(self):
        if not self.moves:
            self.nodes.append(node('QuantizeLinear', ['r', 'sx0', 'zx0'], 'y'))
        return onnx_bytes.model(self.nodes, self.held, [onnx_bytes.value_info(f'x{i}', s, INT8) for i, s in enumerate(self.inputs)],
                                [onnx_bytes.value_info('y', self.y, INT8)], 20)


def windows():
    """{name: numbers} of the convolutions, as the notes beside the record tell them."""
    found = {}
    for name, numbers in re.findall(r'^\| (\w+) \| (\d+ x .*?) \|$', (NOTES / 'cliffs.md').read_text(), re.M):
        found[name] = [int(n) for n in re.findall(r'\d+', numbers.replace('(1-D)', ''))]
    return found


def convolution(numbers, flat):
    h, w, c, o, kh, kw, stride, pad, dilation, groups = numbers
    size, kernel = ([w], [kw]) if flat else ([h, w], [kh, kw])
    out = [(n + 2 * pad - (k - 1) * dilation - 1) // stride + 1 for n, k in zip(size, kernel)]
    layer = Layer([(1, c, *size)], (1, o, *out), math.prod(out) * o * c // groups * math.prod(kernel))
    n = len(size)
    attributes = [('kernel_shape', kernel), ('pads', [pad] * 2 * n), ('strides', [stride] * n), ('dilations', [dilation] * n), ('group', groups)]
    layer.nodes.append(node('Conv', layer.names + layer.weights((o, c // groups, *kernel), 0, o), 'r', attributes))
    return layer


def image_layer(name, shape=IMAGE):
    if name in POOL:
        op, kernel, stride, pad = POOL[name]
        out = (shape[2] + 2 * pad - kernel) // stride + 1
        layer = Layer([shape], (*shape[:2], out, out))
        attributes = [('kernel_shape', [kernel] * 2), ('pads', [pad] * 4), ('strides', [stride] * 2)]
        if op == 'MaxPool':
            return layer.on_codes(op, attributes)
        layer.nodes.append(node(op, layer.names, 'r', attributes))
        return layer
    if name in ('gap_8x8x64', 'reducemean_hw'):
        layer = Layer([(1, 64, 8, 8)], (1, 64, 1, 1))
        layer.nodes.append(node('GlobalAveragePool', layer.names, 'r') if name[0] == 'g' else
                           node('ReduceMean', layer.names + ['axes'], 'r', [('keepdims', 1)]))
        if name[0] == 'r':
            layer.held.append(tensor('axes', (2,), [2, 3], INT64))
        return layer
    op = {'add': 'Add', 'mul': 'Mul', 'div': 'Div', 'max': 'Max'}[name.split('_')[0]]
    layer = Layer([shape, shape], shape)
    layer.nodes.append(node(op, layer.names, 'r'))
    return layer


def image_mover(name):
    """Layers that move the codes of an image, or interpolate between them."""
    n, c, h, w = IMAGE
    if name == 'concat_c':
        layer = Layer([IMAGE, IMAGE], (n, 2 * c, h, w))
        layer.nodes.append(node('Concat', layer.names, 'r', [('axis', 1)]))
        return layer
    if name == 'resize_lin2':
        layer = Layer([IMAGE], (n, c, 2 * h, 2 * w))
        layer.held.append(tensor('factors', (4,), [1.0, 1.0, 2.0, 2.0]))
        layer.nodes.append(node('Resize', [layer.names[0], '', 'factors'], 'r', [('mode', 'linear')]))
        return layer
    if name == 'pad_hw':
        layer = Layer([IMAGE], (n, c, h + 2, w + 2)).on_codes('Pad', [])
        layer.held.append(tensor('pads', (8,), [0, 0, 1, 1] * 2, INT64))
        layer.nodes = [node('Pad', ['x0', 'pads'], 'y')]
        return layer
    if name == 'slice_c':
        layer = Layer([IMAGE], (n, c // 2, h, w)).on_codes('Slice', [])
        layer.held += [tensor('from', (1,), [c // 4], INT64), tensor('to', (1,), [c // 4 + c // 2], INT64), tensor('axes', (1,), [1], INT64)]
        layer.nodes = [node('Slice', ['x0', 'from', 'to', 'axes'], 'y')]
        return layer
    return None


def normalising(name):
    c = IMAGE[1]
    if name == 'layernorm_64x64':
        layer = Layer([(1, 64, 64)], (1, 64, 64))
        layer.images = False
        layer.held.append(tensor('gain', (64,), [1 + 0.01 * i for i in range(64)]))
        layer.nodes.append(node('LayerNormalization', layer.names + ['gain'], 'r', [('axis', 2)]))
        return layer
    if name == 'instnorm':
        layer = Layer([IMAGE], IMAGE)
        layer.held += [tensor('gain', (c,), [1 + 0.01 * i for i in range(c)]), tensor('shift', (c,), [0.01 * i for i in range(c)])]
        layer.nodes.append(node('InstanceNormalization', layer.names + ['gain', 'shift'], 'r'))
        return layer
    if name == 'prelu':
        layer = Layer([IMAGE], IMAGE)
        layer.held.append(tensor('slope', (c, 1, 1), [0.01 * i for i in range(c)]))
        layer.nodes.append(node('PRelu', layer.names + ['slope'], 'r'))
        return layer
    return None


def layer_of(name):
    """The layer of a row; nothing where this bench does not build it."""
    known = windows()
    if name in known:
        return convolution(known[name], name.startswith(('conv1d', 'dw1x9')))
    if fc := re.fullmatch(r'fc(\d+)_(\d+)', name):
        i, o = int(fc[1]), int(fc[2])
        layer = Layer([(1, i)], (1, o), i * o)
        layer.nodes.append(node('Gemm', layer.names + layer.weights((o, i), 0, o), 'r', [('transB', 1)]))
        return layer
    if name in POOL or name.split('_')[0] in ('gap', 'reducemean', 'add', 'mul', 'div', 'max'):
        return image_layer(name)
    if name in UNARY or name == 'clip6':
        layer = Layer([(1, 8192)], (1, 8192))
        if name == 'clip6':
            layer.held += [tensor('lo', (), [0.0]), tensor('hi', (), [6.0])]
        layer.nodes.append(node(UNARY.get(name, 'Clip'), layer.names + ['lo', 'hi'] * (name == 'clip6'), 'r'))
        return layer
    if name in TRANSPOSE:
        perm, shape = TRANSPOSE[name]
        layer = Layer([shape], tuple(shape[i] for i in perm)).on_codes('Transpose', [('perm', perm)])
        layer.images = len(shape) == 3  # as codes lie in memory otherwise
        return layer
    if layer := image_mover(name) or normalising(name):
        return layer
    if product := re.fullmatch(r'mm_act_(\d+)x(\d+)x(\d+)x(\d+)', name):
        b, m, k, n = map(int, product.groups())
        layer = Layer([(b, m, k), (b, k, n)], (b, m, n), b * m * k * n)
        layer.nodes.append(node('MatMul', layer.names, 'r'))
        return layer
    return None


def count(tarn, counts, name, target):
    """Instructions for each MAC or element, or why there are none."""
    layer = layer_of(name)
    if layer is None:
        return None, 'not built by this bench'
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / 'layer.onnx').write_bytes(layer.finish())
        done = subprocess.run([tarn, 'generate', folder / 'layer.onnx', '-o', folder / 'c', '--name', 'layer', '--target',
                               target, '--cc', 'none', *(LAYOUT if layer.images else [])], text=True, capture_output=True)
        if done.returncode != 0:
            return None, (done.stderr.splitlines() or ['nothing'])[0]
        fills = ' '.join(f'fill(layer_input_x{i}(layer_arena), LAYER_IN_X{i}_COUNT);' for i in range(len(layer.inputs)))
        (folder / 'bench.c').write_text(BENCH.format(count=layer.count, fills=fills))
        done = subprocess.run([counts, '--on', target, '--flags', f'-I{folder}/c', folder / 'bench.c', *(f'+{f}' for f in sorted((folder / 'c').glob('*.c')))], text=True, capture_output=True)
        figures = re.findall(r'(\d+\.\d+) per MAC', done.stdout)
        return (float(figures[0]), '') if figures else (None, (done.stderr.splitlines() or ['not run'])[0])


def group_of(name):
    if name.startswith('dw'):
        return 'depthwise'
    if name.startswith(('c1x1', 'conv1d_k1_')):
        return '1x1'
    if name.startswith('fc'):
        return 'fully connected'
    return 'convolution' if re.match(r'c\d|conv1d', name) else 'the rest'


def goal_of(target, then, cmsis):
    if cmsis:
        return 0.9 * cmsis
    return min(then / 2, 90) if target in ('cortex-m0', 'rv32imac') else then / 2


def geometric(values):
    return math.exp(sum(math.log(v) for v in values) / len(values))


def check_sample(target, ratios):
    """1 where the sample has grown."""
    limits = dict(line.split('\t') for line in (HERE / 'sample.tsv').read_text().splitlines() if not line.startswith('#'))
    mean = geometric(ratios)
    print(f'{target}: {len(ratios)} layers of the sample, geometric mean {mean:.4f} of CMSIS-NN, at most {limits[target]}')
    return int(mean > 1.01 * float(limits[target]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', type=pathlib.Path, default=ROOT / 'build/tarn')
    parser.add_argument('--on', default='cortex-m4,cortex-m55,cortex-m0,rv32imac')
    parser.add_argument('--only', default='')
    parser.add_argument('--sample', action='store_true')
    options = parser.parse_args()
    build = options.tarn.resolve().parent
    if not (NOTES / 'cliffs.tsv').exists():
        return 77
    counts, only = build / 'tests/bench/targets/kernel_counts', [t for t in options.only.split(',') if t]
    rows = [line.split('\t') for line in (NOTES / 'cliffs.tsv').read_text().splitlines()[1:]]
    failed, ran, lost = 0, 0, 0
    for target in options.on.split(','):
        groups = {}
        print(f'{target:22}{"then":>10}{"now":>10}{"CMSIS-NN":>10}{"ratio":>8}{"goal":>10}', flush=True)
        for _, name, then, cmsis, *_ in (row for row in rows if row[0] == target):
            if (only and not any(t in name for t in only)) or (options.sample and name not in SAMPLE):
                continue
            then, cmsis = float(then), None if cmsis == '-' else float(cmsis)
            now, why = count(options.tarn.resolve(), counts, name, target)
            if now is None:
                print(f'{name:22}{then:10.3f}  {why[:90]}', flush=True)
                lost += options.sample
                continue
            ran += 1
            goal = goal_of(target, then, cmsis)
            beside = f'{cmsis:10.3f}{now / cmsis:8.2f}' if cmsis else f'{"-":>10}{"-":>8}'
            print(f'{name:22}{then:10.3f}{now:10.3f}{beside}{goal:10.3f}{" *" if now > goal else ""}', flush=True)
            if cmsis:
                groups.setdefault(group_of(name), []).append(now / cmsis)
        if groups:
            print('geometric means: ' + ', '.join(f'{g} {geometric(v):.2f}' for g, v in groups.items()))
        if options.sample and groups:
            failed |= check_sample(target, [v for group in groups.values() for v in group])
    # A sample without some of its layers says nothing.
    return int(failed or lost > 0) if ran else 77


if __name__ == '__main__':
    sys.exit(main())
