#!/usr/bin/env python3
"""Operators of two quantised operands over all pairs of codes: the codes are those that the operators give in floats.

    pairs.py --tarn TARN --work FOLDER [--layers 24] [--seed 1]

Half of the scales are short decimals, whose sums lie on ties by the thousand, so that roundings in between decide. A product may
differ in one pair of ten thousand, others in none. Prints one line a layer that differs, and the totals.
"""
import random
import subprocess
import sys

import emitted
from emitted import onnx_bytes, single
from onnx_bytes import INT8, UINT8, node, tensor, value_info

TARGETS = ['generic', 'cortex-m4', 'cortex-m0']
OPS = {'Add': 'a + b', 'Sub': 'a - b', 'Mul': 'a * b', 'Div': 'a / b', 'Max': 'a >= b ? a : b', 'Min': 'a <= b ? a : b'}

DRIVER = '''#include <math.h>
#include <stdio.h>
#include <string.h>
#include "pair.h"
typedef %(type)s code;
static unsigned char arena[PAIR_ARENA_BYTES] __attribute__((aligned(PAIR_ARENA_ALIGN)));
static const float scale_a = %(sa)sf, scale_b = %(sb)sf, scale_y = %(sy)sf;
int main(void)
{
    static code x[2][65536];
    const code *y;
    long differ = 0;
    int i;
    for (i = 0; i < 65536; ++i) {
        x[0][i] = (code)(i / 256 + %(low)d);
        x[1][i] = (code)(i %% 256 + %(low)d);
    }
    memset(arena, 0x5A, sizeof arena);
    memcpy((void *)pair_input_first(arena), x[0], sizeof x[0]);
    memcpy((void *)pair_input_second(arena), x[1], sizeof x[1]);
    if (pair_run(arena) != 0) return 2;
    y = (const code *)pair_output_sum(arena);
    for (i = 0; i < 65536; ++i) {
        const volatile float a = (float)(x[0][i] - (%(za)d)) * scale_a;
        const volatile float b = (float)(x[1][i] - (%(zb)d)) * scale_b;
        volatile float r = %(op)s;
        float v;
        if (r != r) continue; /* 0 / 0 is any code */
        if (%(relu)d && r < 0.0f) r = 0.0f;
        v = r / scale_y;
        v = v >= (float)(%(low)d - (%(zy)d)) ? v : (float)(%(low)d - (%(zy)d));
        v = v <= (float)(%(low)d + 255 - (%(zy)d)) ? v : (float)(%(low)d + 255 - (%(zy)d));
        differ += (int)rintf(v) + (%(zy)d) != y[i];
    }
    printf("%%ld\\n", differ);
    return 0;
}
'''


def run(options, index):
    rng = random.Random(options.seed * 1000 + index)
    op = list(OPS)[index % len(OPS)]
    dtype = rng.choice([INT8, UINT8])
    low = -128 if dtype == INT8 else 0
    short = rng.random() < 0.5
    scales = [single(rng.randint(1, 40) / 1000 if short else rng.uniform(0.001, 0.04)) for _ in range(3)]
    if op == 'Mul':
        scales[2] = single(scales[0] * scales[1] * 100)
    zeros = [rng.choice([low, low + 255, rng.randint(low, low + 255)]) for _ in range(3)]
    relu = rng.random() < 0.3
    held = []
    for name, scale, zero in zip('aby', scales, zeros):
        held += [tensor(f's{name}', (), [scale]), tensor(f'z{name}', (), [zero], dtype)]
    nodes = [node('DequantizeLinear', ['first', 'sa', 'za'], 'af'), node('DequantizeLinear', ['second', 'sb', 'zb'], 'bf'),
             node(op, ['af', 'bf'], 'r')] + ([node('Relu', ['r'], 'rr')] if relu else [])
    nodes.append(node('QuantizeLinear', ['rr' if relu else 'r', 'sy', 'zy'], 'sum'))
    shape = (1, 4, 128, 128)
    folder = options.work / f'pair{index}'
    model = onnx_bytes.model(nodes, held, [value_info('first', shape, dtype), value_info('second', shape, dtype)], [value_info('sum', shape, dtype)])
    refused, report = emitted.emit(options.tarn, model, folder, 'pair', TARGETS[index // len(OPS) % len(TARGETS)])
    if refused:
        return -1, False, refused
    values = {'type': 'int8_t' if dtype == INT8 else 'uint8_t', 'low': low, 'op': OPS[op], 'relu': relu}
    for name, scale, zero in zip('aby', scales, zeros):
        values.update({f's{name}': scale.hex(), f'z{name}': zero})
    (folder / 'main.c').write_text(DRIVER % values)
    program = emitted.build(folder, 'pair', folder / 'main.c', '-O1', '-ffp-contract=off')
    done = subprocess.run([program], text=True, capture_output=True)
    return int(done.stdout or -1), '"float32"' in report, f'{op} scales {scales} zeros {zeros} relu {relu}'


def main():
    options = emitted.options(layers=24, seed=1)
    wrong = 0
    for index in range(options.layers):
        differ, in_floats, what = run(options, index)
        if not 0 <= differ <= (6 if 'Mul' in what else 0) or in_floats:
            wrong += 1
            print(f'layer {index}: {differ} of 65536 pairs differ{", and floats between codes" if in_floats else ""}: {what}')
    print(f'{options.layers} layers of 65536 pairs, {wrong} wrong')
    return 0 if wrong == 0 else 1


sys.exit(main())
