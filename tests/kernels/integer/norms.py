#!/usr/bin/env python3
"""Random layer, instance and group normalisations of codes against double precision: every code is the nearest one, or its neighbour where the number
lies within a thousandth of a step of the middle. The first ones also on emulated boards, with the same bits.

    norms.py --tarn TARN --work FOLDER [--layers 24] [--seed 1] [--boards 1]
"""
import math
import random
import shutil
import struct
import subprocess
import sys

import emitted
from emitted import onnx_bytes, single
from onnx_bytes import INT8, node, tensor, value_info

MARGIN = 0.001
SIZES = [1, 2, 3, 5, 16, 31, 64, 127, 192, 768, 3000]
BOARDS = ['cortex-m55', 'cortex-m4', 'cortex-m0', 'rv32imac']


class Norm:
    """Vectors of `count` codes, or images whose groups of `group` channels are such."""

    def __init__(self, rng):
        self.rows, self.count = rng.randint(1, 6), rng.choice(SIZES)
        self.kind = rng.choice(['LayerNormalization', 'InstanceNormalization', 'GroupNormalization'])
        self.group = {'L': 0, 'I': 1, 'G': rng.choice([1, 2, 3, 8])}[self.kind[0]]
        if self.group:
            self.area = (rng.randint(2, 9), rng.randint(1, 9))
            self.count = self.group * self.area[0] * self.area[1]
        self.epsilon = single(rng.choice([0.0, 1e-12, 1e-5, 1e-3, 1.0])) if self.count > 1 else 1e-5
        self.x_scale, self.y_scale = single(10 ** rng.uniform(-3, 0)), single(rng.choice([0.5, 10 ** rng.uniform(-2.5, 0)]))
        self.x_zero, self.y_zero = rng.randint(-128, 127), rng.choice([0, rng.randint(-128, 127)])
        factor = rng.choice([0.01, 1.0, 1.0, 8.0])
        self.scale = [single(rng.gauss(1, 0.5) * factor) for _ in range(self.rows * self.group or rng.choice([1, self.count]))]
        # Halves of a step are ties where all codes of a vector are equal.
        self.bias = [single(rng.choice([rng.gauss(0, 1), self.y_scale * (rng.randint(-9, 9) + 0.5)])) 
                     for _ in range(self.rows * self.group or rng.choice([0, 1, self.count]))]

    def number_of(self, numbers, row, i):
        """The scale or bias of an element."""
        if not numbers:
            return 0.0
        return numbers[row * self.group + i // (self.count // self.group)] if self.group else numbers[i % len(numbers)]

    def shape(self):
        return (1, self.rows * self.group, *self.area) if self.group else (self.rows, self.count)

    def model(self):
        shape = self.shape()
        attributes = [('axis', 1)] if not self.group else [('num_groups', self.rows)] if self.kind[0] == 'G' else []
        held = [tensor('sx', (), [self.x_scale]), tensor('zx', (), [self.x_zero], INT8), tensor('sy', (), [self.y_scale]),
                tensor('zy', (), [self.y_zero], INT8), tensor('g', (len(self.scale),), self.scale)]
        held += [tensor('b', (len(self.bias),), self.bias)] * bool(self.bias)
        nodes = [node('DequantizeLinear', ['x', 'sx', 'zx'], 'd'),
                 node(self.kind, ['d', 'g'] + ['b'] * bool(self.bias), 'n', attributes + [('epsilon', self.epsilon)]),
                 node('QuantizeLinear', ['n', 'sy', 'zy'], 'y')]
        return onnx_bytes.model(nodes, held, [value_info('x', shape, INT8)], [value_info('y', shape, INT8)], 21)

    def codes(self, rng):
        """Vectors of wide and of narrow codes, some of one code, some with one that is far from the others."""
        x = []
        for _ in range(self.rows):
            low, width = rng.randint(-128, 127), rng.choice([0, 1, 4, 255])
            x += [min(127, low + rng.randint(0, width)) for _ in range(self.count)]
            if rng.random() < 0.3:
                x[-1] = rng.randint(-128, 127)
        return x

    def check(self, x, y):
        wrong = 0
        for row in range(self.rows):
            codes = x[row * self.count:(row + 1) * self.count]
            total = sum(codes)
            variance = self.count * sum(c * c for c in codes) - total * total
            root = math.sqrt(variance + self.epsilon * (self.count / self.x_scale) ** 2)
            for i, code in enumerate(codes):
                z = (self.count * code - total) / root if root else 0.0
                v = (z * self.number_of(self.scale, row, i) + self.number_of(self.bias, row, i)) / self.y_scale
                nearest = {round(v)}
                if z and abs(v - math.floor(v) - 0.5) < MARGIN:
                    nearest = {math.floor(v), math.floor(v) + 1}
                wrong += y[row * self.count + i] not in {min(127, max(-128, n + self.y_zero)) for n in nearest}
        return wrong


def main():
    options = emitted.options(layers=24, seed=1, boards=1)
    rng = random.Random(options.seed)
    emulated = shutil.which('arm-none-eabi-gcc') and shutil.which('qemu-system-arm')
    failed = total = fused = 0
    for index in range(options.layers):
        norm = Norm(rng)
        folder = options.work / str(index)
        refused, report = emitted.emit(options.tarn, norm.model(), folder, 'layer', BOARDS[index % len(BOARDS)])
        integers = any(f'tarn.Int{kind}Norm' in report for kind in ('Layer', 'Group'))
        fused += integers
        if refused or (integers and '"float32"' in report):
            print(f'layer {index}: {refused or "floats between codes"}')
            failed += 1
            continue
        program = emitted.build_filter(folder)
        x = norm.codes(rng)
        done = subprocess.run([program], input=struct.pack(f'{len(x)}b', *x), capture_output=True)
        wrong = norm.check(x, struct.unpack(f'{len(x)}b', done.stdout)) if done.returncode == 0 else len(x)
        total += len(x)
        if wrong:
            print(f'layer {index}: {wrong} of {len(x)} codes are not the nearest: {vars(norm)} {done.stderr.decode()[-1000:]}')
            failed += 1
        elif index < options.boards and emulated:
            stored = folder / 'test_data_set_0'
            stored.mkdir(exist_ok=True)
            (stored / 'input_0.pb').write_bytes(tensor('x', norm.shape(), x, INT8))
            (stored / 'output_0.pb').write_bytes(tensor('y', norm.shape(), list(struct.unpack(f'{len(x)}b', done.stdout)), INT8))
            done = subprocess.run([options.tarn, 'verify', folder / 'layer.onnx', '--on', ','.join(BOARDS)], text=True, capture_output=True)
            if done.returncode != 0 or 'moved' in done.stdout:
                print(f'layer {index} on boards: {done.stdout}{done.stderr}')
                failed += 1
    print(f'{options.layers} layers, {fused} in integers, {total} codes, {failed} layers wrong')
    return 0 if failed == 0 and fused > options.layers // 2 else 1


sys.exit(main())
