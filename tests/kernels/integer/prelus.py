#!/usr/bin/env python3
"""Random PRelus of codes over all codes: those that the operator gives in floats, bit for bit.

    prelus.py --tarn TARN --work FOLDER [--layers 24] [--seed 1]

Some slopes are halves and quarters, whose products lie on ties; some are negative, some beyond 1. Emitted code runs under the sanitizers.
"""
import random
import struct
import subprocess
import sys

import emitted
from emitted import onnx_bytes, single
from onnx_bytes import FLOAT, INT8, UINT8, node, tensor, value_info

TARGETS = ['generic', 'cortex-m4', 'cortex-m55', 'cortex-m0']


def main():
    options = emitted.options(layers=24, seed=1)
    rng = random.Random(options.seed)
    failed = total = 0
    for index in range(options.layers):
        dtype, channels = rng.choice([INT8, UINT8]), rng.randint(1, 9)
        low, form = (-128, 'b') if dtype == INT8 else (0, 'B')
        scales = [single(rng.choice([0.02, 0.5, rng.uniform(0.001, 0.2)])) for _ in range(2)]
        zeros = [rng.choice([low, low + 255, rng.randint(low, low + 255)]) for _ in range(2)]
        slopes = [single(rng.choice([0.25, 0.5, -0.5, 0.0, rng.uniform(-0.3, 1.5)])) for _ in range(channels)]
        shape = (1, channels, 16, 16)
        held = [tensor('sx', (), [scales[0]]), tensor('zx', (), [zeros[0]], dtype), tensor('sy', (), [scales[1]]), tensor('zy', (), [zeros[1]], dtype),
                tensor('slopes', (channels, 1, 1), slopes, FLOAT)]
        nodes = [node('DequantizeLinear', ['x', 'sx', 'zx'], 'd'), node('PRelu', ['d', 'slopes'], 'r'), node('QuantizeLinear', ['r', 'sy', 'zy'], 'y')]
        model = onnx_bytes.model(nodes, held, [value_info('x', shape, dtype)], [value_info('y', shape, dtype)])
        folder = options.work / str(index)
        refused, report = emitted.emit(options.tarn, model, folder, 'layer', TARGETS[index % len(TARGETS)])
        # One channel has the same function everywhere: a table.
        if refused or ('tarn.IntPrelu' not in report and 'tarn.IntTable' not in report):
            print(f'layer {index}: {refused or "not in integers"}')
            failed += 1
            continue
        program = emitted.build_filter(folder)
        codes = [low + i for i in range(256)]
        done = subprocess.run([program], input=struct.pack(f'{256 * channels}{form}', *codes * channels), capture_output=True)
        y = struct.unpack(f'{len(done.stdout)}{form}', done.stdout)
        wrong = abs(len(y) - 256 * channels)
        for c, slope in enumerate(slopes):
            for i, code in enumerate(codes[:len(y)]):
                v = single((code - zeros[0]) * scales[0])
                r = single(single(slope * v if v < 0 else v) / scales[1])
                wrong += y[256 * c + i] != min(low + 255, max(low, round(r) + zeros[1]))
        total += len(y)
        failed += wrong > 0
        if wrong:
            print(f'layer {index}: {wrong} codes: {scales} {zeros} {slopes} {done.stderr.decode()[-800:]}')
    print(f'{options.layers} layers, {total} codes, {failed} layers wrong')
    return 0 if failed == 0 and total > 0 else 1


sys.exit(main())
