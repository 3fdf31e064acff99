#!/usr/bin/env python3
"""Random quantised layers against the definition of their operators: every output code is the same.

    exact.py --tarn TARN --work FOLDER [--layers 40] [--outputs 10000000] [--seed 1]

Shapes, groups, dilations, types, zero points and scales are random; a third of the layers has scales whose quotient is a short
binary fraction, so that sums fall on ties, some have scales of few bits, and some saturate. Layers are generated for all targets in turn: their instructions
have plain C in their place on this machine. Prints one line a layer that differs, and the totals.
"""
import math
import random
import subprocess
import sys

import emitted
from emitted import onnx_bytes, single
from onnx_bytes import FLOAT, INT8, INT32, UINT8

TARGETS = ['generic', 'cortex-m4', 'cortex-m55', 'cortex-m0', 'rv32imac']


def short(value, bits):
    """Of so many significant bits."""
    fraction, exponent = math.frexp(value)
    return math.ldexp(math.ceil(math.ldexp(fraction, bits)), exponent - bits)


def random_layer(rng):
    shape = rng.choice(['conv', 'conv', 'pointwise', 'depthwise', 'depthwise', 'groups', 'dense'])
    channels = rng.randint(1, 40)
    g = {'groups': 1, 'rows': 1, 'taps': 1, 'stride': 1, 'dilation': 1, 'pad': 0, 'lines': rng.randint(1, 12), 'pixels': rng.randint(1, 12)}
    outputs = rng.randint(1, 40)
    if shape in ('conv', 'depthwise', 'groups'):
        kernel = rng.choice([2, 3, 3, 3, 5])
        g.update(rows=kernel, taps=kernel, stride=rng.choice([1, 1, 2]), dilation=rng.choice([1, 1, 2]), pad=rng.randint(0, kernel // 2))
        least = (kernel - 1) * g['dilation'] + 1
        g.update(lines=max(g['lines'], least), pixels=max(g['pixels'], least))
    if shape == 'depthwise':
        channels = outputs = rng.randint(2, 40)
        g['groups'] = channels
    if shape == 'groups':
        g['groups'] = rng.choice([2, 3])
        channels, outputs = g['groups'] * rng.randint(1, 9), g['groups'] * rng.randint(1, 9)
    if shape == 'dense':
        g.update(lines=1)
    g.update(dense=shape == 'dense', channels=channels, outputs=outputs)
    span = (g['rows'] - 1) * g['dilation'] + 1
    g['out_lines'] = (g['lines'] + 2 * g['pad'] - span) // g['stride'] + 1
    g['out_pixels'] = (g['pixels'] + 2 * g['pad'] - span) // g['stride'] + 1
    return g


def random_numbers(rng, g):
    qdq = rng.random() < 0.5
    x_unsigned, y_unsigned = rng.random() < 0.4, rng.random() < 0.4
    # The operators take uint8 weights with uint8 inputs only.
    w_unsigned = x_unsigned and rng.random() < 0.4
    length = g['channels'] // g['groups'] * g['rows'] * g['taps']
    per_channel = rng.random() < 0.7
    n = {'qdq': qdq, 'relu': qdq and rng.random() < 0.5, 'x_unsigned': x_unsigned, 'y_unsigned': y_unsigned, 'w_unsigned': w_unsigned}
    zero = lambda is_unsigned: rng.choice([0, 255, rng.randint(0, 255)]) - (0 if is_unsigned else 128)  # noqa: E731
    n['x_zero'], n['y_zero'] = zero(x_unsigned), zero(y_unsigned)
    spread = rng.choice([1, 7, 127])
    low = 0 if w_unsigned else -128
    n['weights'] = [min(low + 255, max(low, (128 if w_unsigned else 0) + rng.randint(-spread, spread))) for _ in range(g['outputs'] * length)]
    n['w_zero'] = [rng.randint(100, 156) if w_unsigned else 0] * g['outputs']
    # A product, and the bias behind it as codes with a scale of their own.
    n['added'] = g['dense'] and qdq
    n['bias'] = [0 if g['dense'] and not qdq else rng.randint(-2000, 2000) for _ in range(g['outputs'])]
    if rng.random() < 0.34:
        # Ties: x_scale * w_scale / y_scale is an odd number over a power of two.
        n['x_scale'], n['y_scale'] = 2.0 ** -rng.randint(2, 9), 2.0 ** -rng.randint(2, 9)
        scales = [rng.choice([1, 1, 3, 5]) * 2.0 ** -rng.randint(4, 10) for _ in range(g['outputs'])]
    else:
        reach = spread * 70 * max(1, length) ** 0.5
        n['x_scale'] = single(rng.uniform(0.001, 0.1))
        n['y_scale'] = single(rng.uniform(0.5, 2) * n['x_scale'] * 0.01 * reach / rng.choice([8, 100, 128, 400]))
        scales = [single(0.01 * rng.uniform(0.3, 1.7)) for _ in range(g['outputs'])]
        if rng.random() < 0.34:
            # Products that float32 holds: channels' multipliers are short factors of one.
            n['x_scale'] = short(n['x_scale'], 16)
            scales = [short(s, 8) for s in scales]
    n['w_scale'] = scales if per_channel else scales[:1] * g['outputs']
    n['per_channel'] = per_channel
    n['b_scale'] = single(n['x_scale'] * scales[0] * rng.choice([1, rng.uniform(0.5, 2)]))
    return n


def model_of(g, n):
    t, node = onnx_bytes.tensor, onnx_bytes.node
    kind = lambda is_unsigned: UINT8 if is_unsigned else INT8  # noqa: E731
    x_type, y_type, w_type = kind(n['x_unsigned']), kind(n['y_unsigned']), kind(n['w_unsigned'])
    outputs, inputs = g['outputs'], g['channels'] // g['groups']
    count = outputs if n['per_channel'] else 1
    spread = (count,) if n['per_channel'] else ()
    weights, shape = n['weights'], (outputs, inputs, g['rows'], g['taps'])
    if g['dense']:
        shape, weights = (inputs, outputs), [weights[o * inputs + k] for k in range(inputs) for o in range(outputs)]
    held = [t('w', shape, weights, w_type), t('sw', spread, n['w_scale'][:count]), t('zw', spread, n['w_zero'][:count], w_type),
            t('sx', (), [n['x_scale']]), t('zx', (), [n['x_zero']], x_type), t('sy', (), [n['y_scale']]), t('zy', (), [n['y_zero']], y_type)]
    attributes = [('kernel_shape', [g['rows'], g['taps']]), ('pads', [g['pad']] * 4), ('strides', [g['stride']] * 2),
                  ('dilations', [g['dilation']] * 2), ('group', g['groups'])]
    if n['added']:
        held += [t('b', (outputs,), n['bias'], INT32), t('sb', (), [n['b_scale']])]
        nodes = [node('DequantizeLinear', ['x', 'sx', 'zx'], 'xf'), node('DequantizeLinear', ['w', 'sw', 'zw'], 'wf', [('axis', 1)]),
                 node('DequantizeLinear', ['b', 'sb'], 'bf'), node('MatMul', ['xf', 'wf'], 'm'), node('Add', ['m', 'bf'], 'c')]
        nodes += [node('Relu', ['c'], 'r')] if n['relu'] else []
        nodes += [node('QuantizeLinear', ['r' if n['relu'] else 'c', 'sy', 'zy'], 'y')]
        x, y = (g['pixels'], g['channels']), (g['pixels'], outputs)
    elif g['dense']:
        nodes = [node('QLinearMatMul', ['x', 'sx', 'zx', 'w', 'sw', 'zw', 'sy', 'zy'], 'y')]
        x, y = (g['pixels'], g['channels']), (g['pixels'], outputs)
    else:
        x, y = (1, g['channels'], g['lines'], g['pixels']), (1, outputs, g['out_lines'], g['out_pixels'])
        held += [t('b', (outputs,), n['bias'], INT32)]
        if n['qdq']:
            held += [t('sb', (outputs,), [single(n['x_scale'] * s) for s in n['w_scale']], FLOAT), t('zb', (outputs,), [0] * outputs, INT32)]
            nodes = [node('DequantizeLinear', ['x', 'sx', 'zx'], 'xf'), node('DequantizeLinear', ['w', 'sw', 'zw'], 'wf', [('axis', 0)]),
                     node('DequantizeLinear', ['b', 'sb', 'zb'], 'bf', [('axis', 0)]), node('Conv', ['xf', 'wf', 'bf'], 'c', attributes)]
            nodes += [node('Relu', ['c'], 'r')] if n['relu'] else []
            nodes += [node('QuantizeLinear', ['r' if n['relu'] else 'c', 'sy', 'zy'], 'y')]
        else:
            nodes = [node('QLinearConv', ['x', 'sx', 'zx', 'w', 'sw', 'zw', 'sy', 'zy', 'b'], 'y', attributes)]
    return onnx_bytes.model(nodes, held, [onnx_bytes.value_info('x', x, x_type)], [onnx_bytes.value_info('y', y, y_type)])


def header_of(g, n):
    numbers = {'CHANNELS': 'channels', 'GROUPS': 'groups', 'OUTPUTS': 'outputs', 'ROWS': 'rows', 'TAPS': 'taps', 'STRIDE': 'stride',
               'DILATION': 'dilation', 'PAD': 'pad', 'LINES': 'lines', 'PIXELS': 'pixels', 'OUT_PIXELS': 'out_pixels'}
    text = ''.join(f'#define {name} {g[key]}\n' for name, key in numbers.items())
    for key in ('qdq', 'added', 'relu', 'x_unsigned', 'y_unsigned', 'x_zero', 'y_zero'):
        text += f'#define {key.upper()} ({int(n[key])})\n'
    for name in ('x_scale', 'y_scale', 'b_scale') if n['added'] else ('x_scale', 'y_scale'):
        text += f'static const float {name} = {n[name].hex()}f;\n'
    text += f'static const float w_scale[] = {{{", ".join(s.hex() + "f" for s in n["w_scale"])}}};\n'
    for name in ('weights', 'w_zero', 'bias'):
        text += f'static const int {name}[] = {{{", ".join(map(str, n[name]))}}};\n'
    return text


def run_layer(options, index, outputs):
    rng = random.Random(options.seed * 1000 + index)
    g = random_layer(rng)
    n = random_numbers(rng, g)
    folder = options.work / f'layer{index}'
    target = TARGETS[index % len(TARGETS)]
    refused, report = emitted.emit(options.tarn, model_of(g, n), folder, 'layer', target, '--input-layout', 'nhwc', '--output-layout', 'nhwc')
    if refused:
        return 0, 1, refused
    if '"tarn.Int' not in report:
        return 0, 1, 'no integer layer'
    (folder / 'exact_layer.h').write_text(header_of(g, n))
    program = emitted.build(folder, 'layer', emitted.HERE / 'exact_layer.c', '-O2', '-ffp-contract=off')
    done = subprocess.run([program, str(outputs), str(index + 1)], text=True, capture_output=True)
    if not done.stdout:
        return 0, 1, f'ended with {done.returncode}'
    compared, differ = map(int, done.stdout.split())
    return compared, differ, f'{target} {g} { {k: v for k, v in n.items() if not isinstance(v, list)} }'


def main():
    options = emitted.options(layers=40, outputs=10 ** 7, seed=1)
    total = wrong = 0
    for index in range(options.layers):
        compared, differ, what = run_layer(options, index, -(-options.outputs // options.layers))
        total += compared
        wrong += differ
        if differ != 0:
            print(f'layer {index}: {differ} of {compared} outputs differ: {what}')
    print(f'{options.layers} layers, {total} outputs, {wrong} differ')
    return 0 if wrong == 0 and total >= options.outputs else 1


sys.exit(main())
