#!/usr/bin/env python3
"""Peak memory of generating from models of several big layers, over the size of the model file.

    memory.py [--tarn build/tarn] [--megabytes 100] [--layers 6] [--only TEXT]

Needs numpy and onnx. Each model is a chain of layers of equal size; a row is a model, a target and a form of its weights. Goal: at most
1.2 times the file where the weights are written as they are stored or as a binary file. Exit 1 where a row misses it, 77 without onnx.
"""
import argparse
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    from onnx import TensorProto, helper
except ImportError:
    print('SKIPPED: no numpy or onnx')
    sys.exit(77)

GOAL = 1.2
TARGETS = ('generic', 'cortex-m0', 'cortex-m4', 'cortex-m55')
CODES = {'int8': (TensorProto.INT8, -127, 127, 0, 8), 'uint8': (TensorProto.UINT8, 0, 255, 117, 8), 'int4': (TensorProto.INT4, -8, 7, 0, 4),
         'uint4': (TensorProto.UINT4, 0, 15, 8, 4)}


def raw(name, kind, shape, content):
    return helper.make_tensor(name, kind, shape, content.tobytes(), raw=True)


def codes_of(rng, name, kind, shape):
    proto, low, high, _, bits = CODES[kind]
    count = int(np.prod(shape))
    if bits == 4:
        return raw(name, proto, shape, rng.integers(0, 256, (count + 1) // 2, dtype=np.uint8))
    return raw(name, proto, shape, rng.integers(low, high + 1, count).astype(np.int8 if low < 0 else np.uint8))


class Chain:
    def __init__(self, seed):
        self.rng, self.nodes, self.initializers = np.random.default_rng(seed), [], []

    def add(self, tensor):
        self.initializers.append(tensor)
        return tensor.name

    def node(self, op, inputs, output, **attributes):
        self.nodes.append(helper.make_node(op, inputs, [output], **attributes))
        return output

    def quantised(self, layers, side, kind, conv):
        """x and y of int8, one layer after the other between QDQ nodes."""
        self.add(helper.make_tensor('s', TensorProto.FLOAT, [], [0.05]))
        self.add(helper.make_tensor('z', TensorProto.INT8, [], [3]))
        at = self.node('QuantizeLinear', ['x', 's', 'z'], 'x_codes')
        for i in range(layers):
            x = self.node('DequantizeLinear', [at, 's', 'z'], f'x{i}')
            shape = [side, side, 1, 1] if conv else [side, side]
            per_channel = 0 if conv else 1
            w = self.add(codes_of(self.rng, f'w{i}', kind, shape))
            scale = self.add(raw(f's{i}', TensorProto.FLOAT, [side], self.rng.uniform(1e-4, 2e-4, side).astype(np.float32)))
            zero = self.add(helper.make_tensor(f'z{i}', CODES[kind][0], [side], [CODES[kind][3]] * side))
            w = self.node('DequantizeLinear', [w, scale, zero], f'w{i}_floats', axis=per_channel)
            y = self.node('Conv' if conv else 'MatMul', [x, w], f'y{i}')
            at = self.node('QuantizeLinear', [y, 's', 'z'], f'codes{i}')
        return self.node('DequantizeLinear', [at, 's', 'z'], 'y'), ([1, side, 4, 4] if conv else [2, side])

    def floats(self, layers, side):
        at = 'x'
        for i in range(layers):
            w = self.add(raw(f'w{i}', TensorProto.FLOAT, [side, side], self.rng.standard_normal(side * side, dtype=np.float32)))
            at = self.node('MatMul', [at, w], 'y' if i + 1 == layers else f'y{i}')
        return 'y', [2, side]

    def save(self, path, shape):
        ports = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in 'xy']
        graph = helper.make_graph(self.nodes, 'big', ports[:1], ports[1:], self.initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 21)], ir_version=10)
        path.write_bytes(model.SerializeToString())


def build(kind, layers, megabytes, path):
    chain = Chain(1)
    bits = 32 if kind == 'float' else CODES[kind.split()[0]][4]
    side = int((megabytes * 1e6 * 8 / bits / layers) ** 0.5) // 4 * 4
    _, shape = chain.floats(layers, side) if kind == 'float' else chain.quantised(layers, side, kind.split()[0], kind.endswith('conv'))
    chain.save(path, shape)


def peak_of(command):
    """Bytes, seconds of processor time."""
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    errors = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise RuntimeError(errors.strip())
    return used.ru_maxrss * 1024, used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', type=pathlib.Path, default='build/tarn')
    parser.add_argument('--megabytes', type=float, default=300)
    parser.add_argument('--layers', type=int, default=6)
    parser.add_argument('--only', default='')
    options = parser.parse_args()
    missed = 0
    print(f'{"model":12} {"target":12} {"weights":8} {"file MB":>8} {"peak MB":>8} {"ratio":>6} {"s":>6}')
    for kind in ('float', 'int8', 'uint8', 'int4', 'uint4', 'int8 conv'):
        with tempfile.TemporaryDirectory() as scratch:
            model = pathlib.Path(scratch) / 'model.onnx'
            # What the process has when it starts another counts as that one's: big models are made in one of their own.
            maker = multiprocessing.Process(target=build, args=(kind, options.layers, options.megabytes, model))
            maker.start()
            maker.join()
            size = model.stat().st_size
            for target in TARGETS:
                for form in ('incbin', 'stream', 'image'):
                    if options.only not in f'{kind} {target} {form}':
                        continue
                    peak, seconds = peak_of([options.tarn, 'generate', model, '-o', pathlib.Path(scratch) / 'out', '--name', 'm', '--cc', 'none',
                                             '--target', target, '--weights', form,
                                             *(['--weights-buffer', '4M'] if form == 'stream' else [])])
                    over = peak > GOAL * size
                    missed += over
                    print(f'{kind:12} {target:12} {form:8} {size / 1e6:8.1f} {peak / 1e6:8.1f} {peak / size:6.2f}{"*" if over else " "}{seconds:6.1f}',
                          flush=True)
    print(f'{missed} over {GOAL}')
    return 1 if missed else 0


if __name__ == '__main__':
    sys.exit(main())
