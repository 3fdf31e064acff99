#!/usr/bin/env python3
"""Flash of the weights of int8 networks over the model's own constants, and how much of it lists of exceptions of requantisation take.

    constants.py [--tarn build/tarn] [--target cortex-m4] [NETWORK ...]

NETWORK: a folder of TARN_SHARED_DIR, such as exported/mlpt_ic_resnet8_qdq_s8_pc; without any, all in which codes of 8 bits are quantised.
'own' are the bytes of the model's tensors: weights, biases, scales and zero points. 'requant' are the constants by which sums become codes, 'near'
what decides beside roundings: scales and lists. Exit 1 where a network is over the goal, 77 without data.
"""
import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SHARED = pathlib.Path(os.environ.get('TARN_SHARED_DIR', HERE.parents[3] / 'shared'))
GOAL = 1.03
ELEMENT = {1: 4, 2: 1, 3: 1, 4: 2, 5: 2, 6: 4, 7: 8, 9: 1, 10: 2, 11: 8, 12: 4, 13: 8, 16: 2, 21: 0.5, 22: 0.5}  # bytes of TensorProto.DataType
SIZE = {'int8_t': 1, 'uint8_t': 1, 'int16_t': 2, 'uint16_t': 2, 'int32_t': 4, 'uint32_t': 4, 'float': 4, 'double': 8, 'int64_t': 8, 'uint64_t': 8}
QUANTISED = re.compile(rb'QuantizeLinear|QLinear(Conv|MatMul|Add)|QGemm')
# Where messages hold tensors: model 7 graph; graph 1 node, 5 initializer; node 5 attribute; attribute 5 tensor, 6 graph.
WITHIN = {'model': {7: 'graph'}, 'graph': {1: 'node', 5: 'tensor'}, 'node': {5: 'attribute'}, 'attribute': {5: 'tensor', 6: 'graph'}}


def fields(content):
    """(field number, value) of a message: a number, or a view of its bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = content[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(content):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
            continue
        length = varint() if key & 7 == 2 else 8 if key & 7 == 1 else 4
        yield key >> 3, content[at:at + length]
        at += length


def tensor_bytes(content):
    count, element = 1, 0
    for field, value in fields(content):
        if field == 1:
            count *= math.prod(packed_numbers(value)) if not isinstance(value, int) else value
        if field == 2:
            element = ELEMENT.get(value, 0)
    return math.ceil(count * element)


def packed_numbers(content):
    number = shift = 0
    for byte in content:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number = shift = 0


def own_bytes(content, kind='model'):
    if kind == 'tensor':
        return tensor_bytes(content)
    return sum(own_bytes(value, WITHIN[kind][field]) for field, value in fields(content) if field in WITHIN[kind])


def measure(tarn, path, target):
    """Bytes of all weights, of constants of requantisation and of what is beside them; None where the model is not taken."""
    with tempfile.TemporaryDirectory() as folder:
        command = [tarn, 'generate', str(path), '-o', folder, '--name', 'net', '--cc', 'none', '--effort', '0', *target]
        done = subprocess.run(command, capture_output=True, text=True)
        dims = [word for name in sorted(set(re.findall(r"--dim ([^=\s']+)=", done.stderr))) for word in ('--dim', f'{name}=1')]
        if dims:
            done = subprocess.run(command + dims, capture_output=True, text=True)
        if done.returncode != 0:
            return None
        sizes = [0, 0, 0]
        sizes[0] = json.loads((pathlib.Path(folder) / 'net.json').read_text())['flash']['weights']
        source = (pathlib.Path(folder) / 'net_weights.c').read_text()
        for kind, name, count in re.findall(r'^(?:static )?const (\w+) (\w+)\[(\d+)\] = ', source, re.M):
            sizes[1] += SIZE[kind] * int(count) * bool(re.search(r'_requant\d*$', name))
            sizes[2] += SIZE[kind] * int(count) * bool(re.search(r'_exceptions\d*$', name))
        return sizes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', default='build/tarn')
    parser.add_argument('--target')
    parser.add_argument('networks', nargs='*')
    options = parser.parse_args()
    paths = [SHARED / name / 'model.onnx' for name in options.networks]
    if not paths:
        paths = [p for kind in ('models', 'exported') for p in sorted((SHARED / kind).glob('*/model.onnx')) if QUANTISED.search(p.read_bytes())]
    if not paths:
        return 77
    over = 0
    print(f'{"network":46} {"own":>10} {"weights":>10} {"ratio":>6} {"requant":>8} {"near":>8}  share')
    for path in paths:
        sizes = measure(options.tarn, path, ['--target', options.target] if options.target else [])
        if not sizes:
            print(f'{path.parent.name:46} refused')
            continue
        own = own_bytes(memoryview(path.read_bytes()))
        over += sizes[0] > GOAL * own
        print(f'{path.parent.name:46} {own:10} {sizes[0]:10} {sizes[0] / own:6.3f}{"*" if sizes[0] > GOAL * own else " "}'
              f'{sizes[1]:8} {sizes[2]:8} {sizes[2] / max(1, sizes[0]):6.3f}', flush=True)
    print(f'{over} over {GOAL}')
    return 1 if over else 0


if __name__ == '__main__':
    sys.exit(main())
