#!/usr/bin/env python3
"""Random networks of 16-bit codes against exact arithmetic: every code is the nearest one.

    wide.py --tarn TARN --work FOLDER [--networks 24] [--seed 1]

Some codes become such of 8 bits and then of 16 again. Every operator's codes are an output, so that each is checked from the codes it read, in rational numbers. A code may be the other
neighbour only where the exact value lies within a hundredth of a step of the middle; a third of the networks has scales that are
powers of two, where values fall on ties, and no code may differ. Emitted code runs under the sanitizers, in a filled arena, for
all targets in turn.
"""
import fractions
import math
import random
import struct
import subprocess
import sys

import emitted
from emitted import onnx_bytes, single
from onnx_bytes import INT8, INT16, INT32, INT64, UINT8, UINT16, node, tensor, value_info

TARGETS = ['generic', 'cortex-m4', 'cortex-m55', 'cortex-m0', 'rv32imac']
FORMATS = {INT8: 'b', UINT8: 'B', INT16: 'h', UINT16: 'H'}  # of struct
MARGIN = fractions.Fraction(1, 100)


class Network:
    """Nodes and constants of a model, and for each output how to compute its numbers from those of others."""

    def __init__(self, rng):
        self.rng = rng
        self.dyadic = rng.random() < 0.34
        self.type = rng.choice([UINT16, INT16])
        self.nodes, self.held, self.outputs, self.layers = [], [], [], []
        self.codes = {}  # name: (scale, zero, shape)
        self.types = {}

    def scale(self, near):
        return 2.0 ** round(math.log2(near)) if self.dyadic else single(near * self.rng.uniform(0.6, 1.6))

    def quantised(self, name, shape, near, kind=None):
        scale = self.scale(near)
        self.types[name] = kind or self.type
        least, most = self.bounds(name)
        zero = self.rng.choice([0, (most + 1 - least) // 2, self.rng.randint(0, most - least)]) + least
        self.held += [tensor(f'{name}_s', (), [scale]), tensor(f'{name}_z', (), [zero], self.types[name])]
        self.codes[name] = (scale, zero, shape)

    def bounds(self, name):
        steps = 2 ** (8 * struct.calcsize(FORMATS[self.types[name]]))
        least = -steps // 2 if FORMATS[self.types[name]].islower() else 0
        return least, least + steps - 1

    def number(self, name):
        """The value that holds the dequantised codes."""
        wanted = f'{name}_{len(self.nodes)}'
        self.nodes.append(node('DequantizeLinear', [name, f'{name}_s', f'{name}_z'], wanted))
        return wanted

    def finish(self, name, value, shape, near, exact, kind=None):
        """exact(codes): the numbers before they are quantised, from the codes of all outputs."""
        self.quantised(name, shape, near, kind)
        self.nodes.append(node('QuantizeLinear', [value, f'{name}_s', f'{name}_z'], name))
        self.outputs.append(name)
        self.layers.append((name, exact))

    def value_of(self, codes, name):
        scale, zero, _ = self.codes[name]
        s = fractions.Fraction(scale)
        return [s * (c - zero) for c in codes[name]]


def sums(x, shape, w, g):
    """Sums of products of whole numbers, and how many elements lie under the window."""
    channels, lines, pixels = shape
    inputs, out = channels // g['groups'], []
    for o in range(g['outputs']):
        first = o // (g['outputs'] // g['groups']) * inputs
        for line in range(g['out'][0]):
            for pixel in range(g['out'][1]):
                total = 0
                for r in range(g['kernel']):
                    at = line * g['stride'] + r * g['dilation'] - g['pad']
                    for t in range(g['kernel']):
                        p = pixel * g['stride'] + t * g['dilation'] - g['pad']
                        if 0 <= at < lines and 0 <= p < pixels:
                            for c in range(inputs):
                                total += x[((first + c) * lines + at) * pixels + p] * w[((o * inputs + c) * g['kernel'] + r) * g['kernel'] + t]
                out.append(total)
    return out


def add_convolution(net, x, name):
    rng = net.rng
    scale, zero, (channels, lines, pixels) = net.codes[x]
    kernel = rng.choice([1, 2, 3, 3])
    g = {'kernel': kernel, 'stride': rng.choice([1, 1, 2]), 'dilation': rng.choice([1, 1, 2]), 'pad': rng.randint(0, kernel // 2)}
    g['groups'] = rng.choice([1, channels, 1])
    g['outputs'] = channels if g['groups'] > 1 else rng.randint(1, 9)
    span = (kernel - 1) * g['dilation'] + 1
    if min(lines, pixels) + 2 * g['pad'] < span:
        g['dilation'], span = 1, kernel
    g['out'] = [(n + 2 * g['pad'] - span) // g['stride'] + 1 for n in (lines, pixels)]
    length = channels // g['groups'] * kernel * kernel
    spread = rng.choice([3, 127])
    w = [rng.randint(-spread, spread) for _ in range(g['outputs'] * length)]
    scales = [net.scale(0.01) for _ in range(g['outputs'])]
    bias = [rng.randint(-10 ** 6, 10 ** 6) for _ in range(g['outputs'])]
    products = [single(scale * s) for s in scales]
    net.held += [tensor(f'{name}_w', (g['outputs'], channels // g['groups'], kernel, kernel), w, INT8), tensor(f'{name}_ws', (g['outputs'],), scales),
                 tensor(f'{name}_wz', (g['outputs'],), [0] * g['outputs'], INT8), tensor(f'{name}_b', (g['outputs'],), bias, INT32),
                 tensor(f'{name}_bs', (g['outputs'],), products), tensor(f'{name}_bz', (g['outputs'],), [0] * g['outputs'], INT32)]
    net.nodes += [node('DequantizeLinear', [f'{name}_w', f'{name}_ws', f'{name}_wz'], f'{name}_wf', [('axis', 0)]),
                  node('DequantizeLinear', [f'{name}_b', f'{name}_bs', f'{name}_bz'], f'{name}_bf', [('axis', 0)])]
    attributes = [('kernel_shape', [kernel] * 2), ('pads', [g['pad']] * 4), ('strides', [g['stride']] * 2), ('dilations', [g['dilation']] * 2),
                  ('group', g['groups'])]
    net.nodes.append(node('Conv', [net.number(x), f'{name}_wf', f'{name}_bf'], f'{name}_c', attributes))
    relu = rng.random() < 0.5
    if relu:
        net.nodes.append(node('Relu', [f'{name}_c'], f'{name}_r'))
    area = g['out'][0] * g['out'][1]

    def exact(codes):
        totals = sums([c - zero for c in codes[x]], (channels, lines, pixels), w, g)
        numbers = [(t + bias[i // area]) * fractions.Fraction(scale) * fractions.Fraction(scales[i // area]) for i, t in enumerate(totals)]
        return [max(v, fractions.Fraction(0)) if relu else v for v in numbers]

    near = scale * 0.01 * spread * length ** 0.5 * rng.choice([0.3, 1.0, 2.0])
    net.finish(name, f'{name}_r' if relu else f'{name}_c', (g['outputs'], *g['out']), near, exact)


def add_bounds(net, x, name):
    scale, _, shape = net.codes[x]
    net.nodes.append(node('Relu', [net.number(x)], f'{name}_r'))
    net.finish(name, f'{name}_r', shape, scale, lambda codes: [max(v, fractions.Fraction(0)) for v in net.value_of(codes, x)])


def add_pair(net, a, b, name):
    op = net.rng.choice(['Add', 'Sub', 'Mul'])
    (sa, _, shape), (sb, _, _) = net.codes[a], net.codes[b]
    net.nodes.append(node(op, [net.number(a), net.number(b)], f'{name}_p'))
    combine = {'Add': lambda u, v: u + v, 'Sub': lambda u, v: u - v, 'Mul': lambda u, v: u * v}[op]
    near = sa * sb * 30000 if op == 'Mul' else max(sa, sb)
    net.finish(name, f'{name}_p', shape, near, lambda codes: [combine(u, v) for u, v in zip(net.value_of(codes, a), net.value_of(codes, b))])


def add_width(net, x, name, near, kind):
    """The same numbers in codes of another width, some behind a Relu."""
    value = net.number(x)
    relu = net.rng.random() < 0.3
    if relu:
        net.nodes.append(node('Relu', [value], f'{name}_r'))
    exact = lambda codes: [max(v, fractions.Fraction(0)) if relu else v for v in net.value_of(codes, x)]
    net.finish(name, f'{name}_r' if relu else value, net.codes[x][2], near, exact, kind)


def add_average(net, x, name):
    rng = net.rng
    scale, _, (channels, lines, pixels) = net.codes[x]
    whole = rng.random() < 0.4 or min(lines, pixels) < 3
    include = rng.randint(0, 1)
    if whole:
        g = {'kernel': max(lines, pixels), 'stride': 1, 'pad': 0, 'out': (1, 1)}
        net.nodes.append(node('GlobalAveragePool', [net.number(x)], f'{name}_a'))
    else:
        g = {'kernel': 3, 'stride': rng.choice([1, 2]), 'pad': rng.randint(0, 1)}
        g['out'] = [(n + 2 * g['pad'] - 3) // g['stride'] + 1 for n in (lines, pixels)]
        net.nodes.append(node('AveragePool', [net.number(x)], f'{name}_a', [('kernel_shape', [3, 3]), ('strides', [g['stride']] * 2),
                                                                           ('pads', [g['pad']] * 4), ('count_include_pad', include)]))

    def exact(codes):
        numbers, out = net.value_of(codes, x), []
        for c in range(channels):
            for line in range(g['out'][0]):
                for pixel in range(g['out'][1]):
                    first, start = line * g['stride'] - g['pad'], pixel * g['stride'] - g['pad']
                    inside = [numbers[(c * lines + at) * pixels + p] for at in range(max(0, first), min(lines, first + g['kernel']))
                              for p in range(max(0, start), min(pixels, start + g['kernel']))]
                    out.append(sum(inside) / (9 if include and not whole else len(inside)))
        return out

    net.finish(name, f'{name}_a', (channels, *g['out']), scale, exact)


def add_join(net, a, b, name):
    (sa, _, (ca, *area)), (sb, _, (cb, *_)) = net.codes[a], net.codes[b]
    net.nodes.append(node('Concat', [net.number(a), net.number(b)], f'{name}_j', [('axis', 1)]))
    net.finish(name, f'{name}_j', (ca + cb, *area), max(sa, sb), lambda codes: net.value_of(codes, a) + net.value_of(codes, b))


def add_dense(net, x, name):
    scale, zero, shape = net.codes[x]
    length, outputs = shape[0] * shape[1] * shape[2], net.rng.randint(1, 6)
    w = [net.rng.choice([-127, 127, 127, net.rng.randint(-127, 127)]) for _ in range(length * outputs)]
    ws = net.scale(0.01)
    net.held += [tensor(f'{name}_w', (length, outputs), w, INT8), tensor(f'{name}_ws', (), [ws]), tensor(f'{name}_wz', (), [0], INT8),
                 tensor(f'{name}_shape', (2,), [1, length], INT64)]
    net.nodes += [node('DequantizeLinear', [f'{name}_w', f'{name}_ws', f'{name}_wz'], f'{name}_wf'),
                  node('Reshape', [net.number(x), f'{name}_shape'], f'{name}_flat'), node('MatMul', [f'{name}_flat', f'{name}_wf'], f'{name}_m')]

    def exact(codes):
        unit = fractions.Fraction(scale) * fractions.Fraction(ws)
        return [unit * sum((codes[x][k] - zero) * w[k * outputs + o] for k in range(length)) for o in range(outputs)]

    net.finish(name, f'{name}_m', (outputs,), scale * ws * 127 * length ** 0.5, exact)


def random_network(rng):
    net = Network(rng)
    shape = (rng.randint(1, 9), rng.randint(3, 9), rng.randint(3, 9))
    net.quantised('x', shape, 0.001)
    add_convolution(net, 'x', 'conv')
    add_bounds(net, 'conv', 'bound')
    add_pair(net, 'conv', 'bound', 'pair')
    add_average(net, 'pair', 'mean')
    add_join(net, 'pair', 'bound', 'join')
    add_dense(net, 'x', 'dense')
    add_width(net, 'pair', 'narrow', net.codes['pair'][0] * 256, rng.choice([INT8, UINT8]))
    add_width(net, 'narrow', 'wide', net.codes['pair'][0], net.type)
    return net


def model_of(net):
    inputs = [value_info('x', (1, *net.codes['x'][2]), net.type)]
    outputs = [value_info(name, (1, *net.codes[name][2]), net.types[name]) for name in net.outputs]
    return onnx_bytes.model(net.nodes, net.held, inputs, outputs, opset=21)


DRIVER = '''#include <stdio.h>
#include <string.h>
#include "wide.h"
static unsigned char arena[WIDE_ARENA_BYTES] __attribute__((aligned(WIDE_ARENA_ALIGN)));
int main(void)
{
    static unsigned char x[2 * WIDE_IN_X_COUNT];
    memset(arena, 0xA5, sizeof arena);
    if (fread(x, 1, sizeof x, stdin) != sizeof x) return 3;
    memcpy((void *)wide_input_x(arena), x, sizeof x);
    if (wide_run(arena) != 0) return 2;
%s    return 0;
}
'''


def run(options, index):
    rng = random.Random(options.seed * 1000 + index)
    net = random_network(rng)
    folder = options.work / f'network{index}'
    target = TARGETS[index % len(TARGETS)]
    refused, report = emitted.emit(options.tarn, model_of(net), folder, 'wide', target)
    if refused:
        return 0, 1, refused
    written = ''.join(f'    fwrite(wide_output_{n}(arena), 1, WIDE_OUT_{n.upper()}_BYTES, stdout);\n' for n in net.outputs)
    (folder / 'main.c').write_text(DRIVER % written)
    missing = [op for op in ('WideDense', 'WideScale') if f'"tarn.{op}"' not in report]
    if missing or '"float32"' in report:
        return 0, 1, f'{missing} missing, or floats between codes'
    program = emitted.build(folder, 'wide', folder / 'main.c', '-std=c99', '-O1', '-Wall', '-Wextra', '-Werror', '-fsanitize=address,undefined',
                            '-fno-sanitize-recover=all')
    kind, low = FORMATS[net.type], net.bounds('x')[0]
    checked = wrong = 0
    for _ in range(3):
        size = 1
        for n in net.codes['x'][2]:
            size *= n
        spread = rng.choice([100, 65535])
        start = rng.randint(0, 65535 - spread) + low
        codes = {'x': [start + rng.randint(0, spread) for _ in range(size)]}
        done = subprocess.run([program], input=struct.pack(f'<{size}{kind}', *codes['x']), capture_output=True)
        if done.returncode != 0:
            return checked, wrong + 1, done.stderr.decode()[-2000:]
        at = 0
        for name in net.outputs:
            count = 1
            for n in net.codes[name][2]:
                count *= n
            codes[name] = struct.unpack_from(f'<{count}{FORMATS[net.types[name]]}', done.stdout, at)
            at += struct.calcsize(FORMATS[net.types[name]]) * count
        for name, exact in net.layers:
            scale, zero, _ = net.codes[name]
            least, most = net.bounds(name)
            for code, number in zip(codes[name], exact(codes)):
                value = number / fractions.Fraction(scale)
                nearest = [round(value)]
                if not net.dyadic and abs(value - value.__floor__() - fractions.Fraction(1, 2)) < MARGIN:
                    nearest = [value.__floor__(), value.__floor__() + 1]
                wrong += code not in [min(most, max(least, n + zero)) for n in nearest]
                checked += 1
    return checked, wrong, f'{target} {net.codes}'


def main():
    options = emitted.options(networks=24, seed=1)
    total = differ = 0
    for index in range(options.networks):
        checked, wrong, what = run(options, index)
        total, differ = total + checked, differ + wrong
        if wrong:
            print(f'network {index}: {wrong} of {checked} codes are not the nearest: {what}')
    print(f'{options.networks} networks, {total} codes, {differ} not the nearest')
    return 0 if differ == 0 and total > 0 else 1


sys.exit(main())
