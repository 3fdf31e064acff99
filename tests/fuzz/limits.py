#!/usr/bin/env python3
"""What an absurd model may cost: 256 MB and three times the file, 10 s of processor time and 2 s a megabyte. Measured on the executable.

    limits.py [--tarn build/tarn] [--only TEXT] [--keep FOLDER]

Writes models that are large or strange in one way each and gives them to `tarn generate`, with TARN_FULL=1 and where they have options also to `tarn analyze`. Each is accepted or told of by a
code; one that is refused for what it takes names the node, the tensor or a count. Prints one line per model; 1 when one breaks a limit,
ends by a signal or in exit 70, or leaves something behind. A sanitized tarn is not measured here: see sanitized.py.
"""
import argparse
import os
import pathlib
import random
import re
import struct
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / 'tests' / 'bench'), str(ROOT / 'tests')]
import sampling  # noqa: E402
from onnx_bytes import FLOAT, INT64, attribute, data, model, node, number, tensor, value_info, varint  # noqa: E402

BOOL = 9
FINE = {0, 3, 4, 5, 6}  # 5 and 6: over a budget


def shape_of(*dims):
    return tensor('s', [len(dims)], dims, INT64)


def raw(name, shape, content, dtype=FLOAT):
    return b''.join(number(1, d) for d in shape) + number(2, dtype) + data(8, name) + data(9, content)


def graph(nodes, outputs, inputs=(), initialisers=(), name='body'):
    return (b''.join(data(1, n) for n in nodes) + data(2, name) + b''.join(data(5, t) for t in initialisers) +
            b''.join(data(11, v) for v in inputs) + b''.join(data(12, v) for v in outputs))


def with_graphs(plain, **graphs):
    return plain + b''.join(data(5, data(1, name) + data(6, g) + number(20, 5)) for name, g in graphs.items())


def text_attribute(name, text):
    return data(5, data(1, name) + data(4, text) + number(20, 3))


def many_outputs(op, inputs, outputs, attributes=()):
    return b''.join(data(1, n) for n in inputs) + b''.join(data(2, n) for n in outputs) + data(4, op) + b''.join(attribute(*a) for a in attributes)


X = [value_info('x', (4,))]
Y = [value_info('y', (4,))]


def unknown(name, dtype=FLOAT):
    """A declaration without a shape."""
    return data(1, name) + data(2, data(1, number(1, dtype)))


def chain(count, op='Relu'):
    names = ['x'] + [f't{i}' for i in range(count - 1)] + ['y']
    return model([node(op, [a], b) for a, b in zip(names, names[1:])], [], X, Y)


def fan(count):
    nodes = [node('Relu', ['x'], f't{i}') for i in range(count)]
    return model(nodes + [node('Sum', [f't{i}' for i in range(count)], 'y')], [], X, Y)


def residual_chain(count):
    names = ['x'] + [f't{i}' for i in range(count - 1)] + ['y']
    return model([node('Add', [b, names[max(0, i - 3)]], c) for i, (b, c) in enumerate(zip(names, names[1:]))], [], X, Y)


def doubling(op, count, *attributes):
    names = ['x'] + [f't{i}' for i in range(count - 1)] + ['y']
    return model([node(op, [a, a], b, attributes) for a, b in zip(names, names[1:])], [], X, [unknown('y')])


def doubling_constant(count):
    names = ['c'] + [f't{i}' for i in range(count)]
    return model([node('Concat', [a, a], b, [('axis', 0)]) for a, b in zip(names, names[1:])] + [node('Add', ['x', names[-1]], 'y')],
                 [tensor('c', [2], [1, 2])], [value_info('x', (1,))], [unknown('y')])


def nested_ifs(depth):
    branch = graph([node('Relu', ['x'], 'z0')], [value_info('z0', (4,))])
    for i in range(1, depth):
        inner = with_graphs(node('If', ['c'], f'z{i}'), then_branch=branch, else_branch=graph([node('Abs', ['x'], f'e{i}')], [value_info(f'e{i}', (4,))]))
        branch = graph([inner], [value_info(f'z{i}', (4,))])
    last = with_graphs(node('If', ['c'], 'y'), then_branch=branch, else_branch=graph([node('Abs', ['x'], 'e')], [value_info('e', (4,))]))
    return model([last], [], X + [value_info('c', (), BOOL)], Y)


def doubling_ifs(depth):
    """Both branches of each hold both branches of the next: twice as many nodes at each level."""
    branch = graph([node('Relu', ['x'], 'z')], [value_info('z', (4,))])
    for _ in range(depth):
        branch = graph([with_graphs(node('If', ['c'], 'z'), then_branch=branch, else_branch=branch)], [value_info('z', (4,))])
    return model([with_graphs(node('If', ['c'], 'y'), then_branch=branch, else_branch=branch)], [], X + [value_info('c', (), BOOL)], Y)


def functions(depth, width):
    """Each calls the one below it `width` times."""
    text = b''
    for i in range(depth):
        names = ['a'] + [f't{k}' for k in range(width - 1)] + ['b']
        body = [node('Neg' if i == 0 else f'F{i - 1}', [p], q, domain='' if i == 0 else 'deep') for p, q in zip(names, names[1:])]
        imports = data(9, data(1, '') + number(2, 17)) + data(9, data(1, 'deep') + number(2, 1))
        text += data(25, data(1, f'F{i}') + data(4, 'a') + data(5, 'b') + b''.join(data(7, n) for n in body) + imports + data(10, 'deep'))
    return model([node(f'F{depth - 1}', ['x'], 'y', domain='deep')], [], X, Y) + data(8, data(1, 'deep') + number(2, 1)) + text


def loop(trips, scans=False):
    trip, go_on = value_info('i', (), INT64), value_info('c', (), BOOL)
    body = graph([node('Identity', ['c'], 'd'), node('Relu', ['s'], 't')] + ([node('Neg', ['s'], 'u')] if scans else []),
                 [value_info('d', (), BOOL), value_info('t', (4,))] + ([value_info('u', (4,))] if scans else []), [trip, go_on, value_info('s', (4,))])
    n = b''.join(data(1, name) for name in ('m', '', 'x')) + data(2, 'y') + (data(2, 'all') if scans else b'') + data(4, 'Loop')
    outputs = Y + ([unknown('all')] if scans else [])
    return model([with_graphs(n, body=body)], [tensor('m', [], [trips], INT64)], X, outputs)


def scan(length):
    body = graph([node('Add', ['s', 'e'], 't'), node('Identity', ['t'], 'o')], [value_info('t', (4,)), value_info('o', (4,))], [value_info('s', (4,)), value_info('e', (4,))])
    n = many_outputs('Scan', ['x', 'q'], ['y', 'all']) + attribute('num_scan_inputs', 1)
    return model([with_graphs(n, body=body)], [], X + [value_info('q', (length, 4))], Y + [unknown('all')])


def einsum(operands):
    letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
    terms = [letters[i % 50] + letters[(i + 1) % 50] for i in range(operands)]
    n = b''.join(data(1, f'x{i}') for i in range(operands)) + data(2, 'y') + data(4, 'Einsum') + text_attribute('equation', ','.join(terms) + '->' + terms[0])
    return model([n], [], [value_info(f'x{i}', (2, 2)) for i in range(operands)], [unknown('y')])


def wide_einsum(size):
    return model([many_outputs('Einsum', ['x', 'x2'], ['y']) + text_attribute('equation', 'abcdefgh,ijklmnop->aijbcdefgh')], [],
                 [value_info('x', (size,) * 8), value_info('x2', (size,) * 8)], [unknown('y')])


def tiny_initialisers(count):
    # Every tenth is read.
    nodes = [node('Add', ['x' if i == 0 else f't{i - 1}', f'w{10 * i}'], f't{i}') for i in range(count // 10)]
    return model([*nodes, node('Relu', [f't{count // 10 - 1}'], 'y')], [tensor(f'w{i}', [1], [i]) for i in range(count)], X, Y)


def unread_initialisers(count):
    return model([node('Relu', ['x'], 'y')], [tensor(f'w{i}', [1], [i]) for i in range(count)], X, Y)


def by_shape(op, *dims, more=(), inputs=('x', 's'), x=(1,)):
    return model([node(op, inputs, 'y', more)], [shape_of(*dims)], [value_info('x', x)], [unknown('y')])


def filled(*dims, then='Cos'):
    """A constant of that shape, then something that cannot be left to a splat."""
    return model([node('ConstantOfShape', ['s'], 'c'), node(then, ['c'], 'd'), node('Add', ['d', 'x'], 'y')], [shape_of(*dims)], [value_info('x', (1,))], [unknown('y')])


def ranged(count):
    return model([node('Range', ['a', 'b', 'c'], 'r'), node('Cast', ['r'], 'f', [('to', 1)]), node('Cos', ['f'], 'k'), node('Add', ['k', 'x'], 'y')],
                 [tensor('a', [], [0], INT64), tensor('b', [], [count], INT64), tensor('c', [], [1], INT64)], [value_info('x', (1,))], [unknown('y')])


def padded(*pads, x=(1,), op='Pad'):
    return model([node(op, ['x', 's'], 'y')], [shape_of(*pads)], [value_info('x', x)], [unknown('y')])


def padded_constant(pad):
    return model([node('Pad', ['c', 's'], 'p'), node('Cos', ['p'], 'q'), node('Add', ['q', 'x'], 'y')], [shape_of(0, pad), tensor('c', [1], [1])],
                 [value_info('x', (1,))], [unknown('y')])


def weights(megabytes):
    """A plain network of that many random weights: valid, and large."""
    width = 1024
    layers = megabytes * 2 ** 20 // (width * width * 4)
    content = [random.Random(i).randbytes(width * width * 4 // 2) for i in range(layers)]
    names = ['x'] + [f't{i}' for i in range(layers - 1)] + ['y']
    # Exponents of one kind: no NaN, nothing huge.
    floats = [b''.join(struct.pack('<H', 0) + bytes([b[k] & 0x7f, 0x3c]) for k in range(0, 2048, 2)) * width for b in content]
    return model([node('MatMul', [a, f'w{i}'], b) for i, (a, b) in enumerate(zip(names, names[1:]))],
                 [raw(f'w{i}', (width, width), f[:width * width * 4]) for i, f in enumerate(floats)], [value_info('x', (1, width))], [unknown('y')])


def convolutions(count):
    names = ['x'] + [f't{i}' for i in range(count - 1)] + ['y']
    return model([node('Conv', [a, 'w'], b, [('pads', [1, 1, 1, 1])]) for a, b in zip(names, names[1:])], [tensor('w', [4, 4, 3, 3], [1] * 144)],
                 [value_info('x', (1, 4, 64, 64))], [unknown('y')])


def layer(op, x, w=None, **attributes):
    initialisers = [raw('w', w, b'\0\0\x80\x3f' * size(w))] if w else []
    return model([node(op, ['x', 'w'] if w else ['x'], 'y', list(attributes.items()))], initialisers, [value_info('x', x)], [unknown('y')])


def size(dims):
    product = 1
    for d in dims:
        product *= d
    return product


def long_names(length):
    return model([node('Relu', ['x' * length], 'u' * length), node('Neg', ['u' * length], 'y' * length)], [], [value_info('x' * length, (4,))], [value_info('y' * length, (4,))])


def many_long_names(count, length):
    names = [c * length for c in (f'{i:06}' for i in range(count + 1))]
    return model([node('Relu', [a], b) for a, b in zip(names, names[1:])], [], [value_info(names[0], (4,))], [value_info(names[-1], (4,))])


def attributes(count):
    plain = node('Relu', ['x'], 'y') + b''.join(attribute(f'a{i}', i) for i in range(count))
    return model([plain], [], X, Y)


def axes(count):
    return model([node('Transpose', ['x'], 'y', [('perm', [0] * count)])], [], X, [unknown('y')])


def strings(count):
    """A lookup of so many words."""
    words = b''.join(data(9, f'word{i}') for i in range(count))
    plain = (data(1, 'x') + data(2, 'y') + data(4, 'LabelEncoder') + data(7, 'ai.onnx.ml') + data(5, data(1, 'keys_strings') + words + number(20, 8)) +
             attribute('values_int64s', list(range(count))))
    return model([plain], [], [value_info('x', (4,), 8)], [unknown('y', INT64)]) + data(8, data(1, 'ai.onnx.ml') + number(2, 4))


def lookup(count):
    plain = data(1, 'x') + data(2, 'y') + data(4, 'LabelEncoder') + data(7, 'ai.onnx.ml') + attribute('keys_int64s', list(range(count))) + attribute('values_int64s', list(range(count)))
    return model([plain], [], [value_info('x', (4,), INT64)], [unknown('y', INT64)]) + data(8, data(1, 'ai.onnx.ml') + number(2, 4))


def doc(megabytes):
    return chain(2) + data(6, 'words ' * (megabytes * 2 ** 20 // 6))


def many_inputs(count):
    names = [f'i{i}' for i in range(count)]
    return model([node('Sum', names, 'y')], [], [value_info(n, (4,)) for n in names], Y)


def many_unused_inputs(count):
    return model([node('Relu', ['x'], 'y')], [], X + [value_info(f'i{i}', (4,)) for i in range(count)], Y)


def many_graph_outputs(count):
    return model([node('Relu', ['x'], f'y{i}') for i in range(count)], [], X, [value_info(f'y{i}', (4,)) for i in range(count)])


def split(count):
    names = [f'p{i}' for i in range(count)]
    return model([many_outputs('Split', ['x'], names, [('axis', 0)]) + attribute('num_outputs', count), node('Sum', names, 'y')], [], [value_info('x', (4 * count,))], Y, 18)


def split_outputs(count):
    names = [f'p{i}' for i in range(count)]
    return model([many_outputs('Split', ['x'], names, [('axis', 0)]) + attribute('num_outputs', count)], [], [value_info('x', (4 * count,))], [value_info(n, (4,)) for n in names], 18)


def concat(count, distinct=True):
    names = [f'i{i}' for i in range(count)]
    nodes = [node('Relu', ['x'], n) for n in names] if distinct else []
    return model([*nodes, node('Concat', names if distinct else ['x'] * count, 'y', [('axis', 0)])], [], X, [unknown('y')])


def declared_values(count):
    text = model([node('Relu', ['x'], 'y')], [], X, Y)
    at = text.index(varint(7 << 3 | 2))
    return text[:at] + data(7, graph([node('Relu', ['x'], 'y')], Y, X) + b''.join(data(13, value_info(f'v{i}', (4,))) for i in range(count)))


def shape_arithmetic(count):
    names = ['s0'] + [f's{i}' for i in range(1, count)]
    nodes = [node('Shape', ['x'], 's0')] + [node('Add', [a, a if i % 3 else 's0'], b) for i, (a, b) in enumerate(zip(names, names[1:]))]
    return model([*nodes, node('ConstantOfShape', [names[-1]], 'y')], [], X, [unknown('y')])


def lattice(width, depth):
    """Each node reads two of the layer below: many orders."""
    nodes, below = [], ['x'] * width
    for d in range(depth):
        here = [f't{d}_{i}' for i in range(width)]
        nodes += [node('Add', [below[i], below[(i + 1) % width]], here[i]) for i in range(width)]
        below = here
    return model([*nodes, node('Sum', below, 'y')], [], X, Y)


MODELS = {
    'a node of 10,000 inputs': lambda: many_inputs(10000),
    'a Concat of 10,000 tensors': lambda: concat(10000),
    'a Concat of one tensor 100,000 times': lambda: concat(100000, False),
    'a Split into 10,000': lambda: split(10000),
    'a Split into 10,000 graph outputs': lambda: split_outputs(10000),
    'a fan of 10,000 nodes': lambda: fan(10000),
    'a chain of 10,000 nodes': lambda: chain(10000),
    'a chain of 24,000 nodes': lambda: chain(24000),
    'a chain of 100,000 nodes': lambda: chain(100000),
    'a chain of 10,000 additions': lambda: residual_chain(10000),
    'a chain of 5,000 convolutions': lambda: convolutions(5000),
    'a lattice of 20 times 300 nodes': lambda: lattice(20, 300),
    'a lattice of 50 times 100 nodes': lambda: lattice(50, 100),
    'a lattice of 1,000 times 20 nodes': lambda: lattice(1000, 20),
    '100,000 initializers, 10,000 read': lambda: tiny_initialisers(100000),
    '100,000 initializers that nobody reads': lambda: unread_initialisers(100000),
    '100,000 declared values': lambda: declared_values(100000),
    '10,000 inputs that nobody reads': lambda: many_unused_inputs(10000),
    '10,000 graph outputs': lambda: many_graph_outputs(10000),
    'branches 35 deep': lambda: nested_ifs(35),
    'branches 200 deep': lambda: nested_ifs(200),
    'branches that double 14 times': lambda: doubling_ifs(14),
    'functions 30 deep, one call each': lambda: functions(30, 1),
    'functions 12 deep, two calls each': lambda: functions(12, 2),
    'functions 30 deep, two calls each': lambda: functions(30, 2),
    'functions 1,000 deep': lambda: functions(1000, 1),
    'a Concat with itself, 28 times': lambda: doubling('Concat', 28, ('axis', 0)),
    'a Concat with itself, 40 times': lambda: doubling('Concat', 40, ('axis', 0)),
    'an Add to itself, 5,000 times': lambda: doubling('Add', 5000),
    'a constant Concat with itself, 20 times': lambda: doubling_constant(20),
    'a constant Concat with itself, 28 times': lambda: doubling_constant(28),
    'Pad to 2^26': lambda: padded(0, 2 ** 26),
    'Pad of 2^22 lines': lambda: padded(0, 0, 0, 0, 0, 0, 2 ** 22, 0, x=(1, 1, 1, 2)),
    'Pad of a constant to 2^22': lambda: padded_constant(2 ** 22),
    'Pad of a constant to 2^28': lambda: padded_constant(2 ** 28),
    'Add of two inputs of 2^29 lines': lambda: model([node('Add', ['x', 'x2'], 'y')], [], [value_info(n, (1 << 27, 4, 1)) for n in ('x', 'x2')],
                                                     [value_info('y', (1 << 27, 4, 1))]),
    'ConvTranspose of 65,535 taps': lambda: model([node('ConvTranspose', ['x', 'w'], 'y')], [], [value_info('x', (1, 1, 30000)), value_info('w', (1, 6, 65535))], [unknown('y')]),
    'Expand to 2^30': lambda: by_shape('Expand', 2 ** 30),
    'Expand to 2^40': lambda: by_shape('Expand', 2 ** 20, 2 ** 20),
    'Expand to 2^24 lines': lambda: by_shape('Expand', 1, 2 ** 24, 2, 2),
    'Tile 2^28 times': lambda: by_shape('Tile', 2 ** 28),
    'Tile of 2^22 lines': lambda: by_shape('Tile', 1, 2 ** 22, 1, 1, x=(1, 1, 2, 3)),
    'ConstantOfShape of 2^20': lambda: filled(2 ** 20),
    'ConstantOfShape of 2^26': lambda: filled(2 ** 26),
    'ConstantOfShape of 2^31': lambda: filled(2 ** 31),
    'ConstantOfShape of 2^28, cumulated': lambda: filled(2 ** 28, then='Neg'),
    'Range of 2^20': lambda: ranged(2 ** 20),
    'Range of 2^24': lambda: ranged(2 ** 24),
    'Range of 2^40': lambda: ranged(2 ** 40),
    'an input of 2^32 elements': lambda: layer('Relu', (2 ** 16, 2 ** 16)),
    'an input of 2^24 lines': lambda: layer('Relu', (1, 1, 2 ** 24, 4)),
    'an input of 2^63 - 1': lambda: layer('Relu', (2 ** 63 - 1,)),
    'MaxPool of 2^24 lines': lambda: layer('MaxPool', (1, 1, 2 ** 24, 4), kernel_shape=[2, 2], strides=[2, 2]),
    'AveragePool of 2^22 lines': lambda: layer('AveragePool', (1, 1, 2 ** 22, 4), kernel_shape=[3, 3]),
    'AveragePool of a kernel of 2^20': lambda: layer('AveragePool', (1, 1, 2 ** 20, 8), kernel_shape=[2 ** 20, 3]),
    'Conv of 2^24 pixels': lambda: layer('Conv', (1, 1, 4, 2 ** 24), (2, 1, 3, 3)),
    'Conv of 2^24 lines': lambda: layer('Conv', (1, 1, 2 ** 24, 4), (2, 1, 3, 3)),
    'Conv padded by 2^23': lambda: layer('Conv', (1, 1, 4, 4), (2, 1, 3, 3), pads=[2 ** 23] * 4),
    'Conv of a dilation of 2^23': lambda: layer('Conv', (1, 1, 2 ** 24 + 4, 4), (2, 1, 2, 3), dilations=[2 ** 23, 1]),
    'ConvTranspose of a stride of 2^22': lambda: layer('ConvTranspose', (1, 1, 4, 4), (1, 1, 3, 3), strides=[2 ** 22, 1]),
    'Softmax of 2^24 rows': lambda: layer('Softmax', (2 ** 24, 4), axis=1),
    'ReduceSum of 2^24 rows': lambda: layer('ReduceMax', (2 ** 24, 4), axes=[1]),
    'Transpose of 2^24 rows': lambda: layer('Transpose', (2 ** 12, 2 ** 12, 4), perm=[2, 0, 1]),
    'LRN of 2^22 lines': lambda: layer('LRN', (1, 4, 2 ** 22, 4), size=3),
    'DepthToSpace of 2^22 lines': lambda: layer('DepthToSpace', (1, 4, 2 ** 22, 4), blocksize=2),
    'names of 1 MB': lambda: long_names(2 ** 20),
    '1,000 names of 6 KB': lambda: many_long_names(1000, 1000),
    'a node of 10,000 attributes': lambda: attributes(10000),
    'an attribute of 1,000,000 numbers': lambda: axes(1000000),
    'a table of 100,000 words': lambda: strings(100000),
    'a table of 1,000,000 numbers': lambda: lookup(1000000),
    'a doc_string of 8 MB': lambda: doc(8),
    'a Loop of 2^40 trips': lambda: loop(2 ** 40),
    'a Loop of 2^24 trips that keeps all': lambda: loop(2 ** 24, True),
    'a Loop of 2^40 trips that keeps all': lambda: loop(2 ** 40, True),
    'a Scan of 2^24': lambda: scan(2 ** 24),
    'an Einsum of 48 operands': lambda: einsum(48),
    'an Einsum of 2,000 operands': lambda: einsum(2000),
    'an Einsum of 18 letters': lambda: wide_einsum(4),
    'shapes added 5,000 times': lambda: shape_arithmetic(5000),
    'weights of 12 MB': lambda: weights(12),
    'weights of 40 MB': lambda: weights(40),
    'by lines, a MaxPool of 200 dilated taps': lambda: layer('MaxPool', (1, 1, 220000), kernel_shape=[200], dilations=[10], pads=[100, 100], strides=[10]),
}
# What some are given beside the model.
OPTIONS = {'by lines, a MaxPool of 200 dilated taps': ['--stream', 'resident', '--scan', 'columns']}


def write(make, file):
    """In a process of its own: a child's peak memory begins with that of its parent."""
    pid = os.fork()
    if pid == 0:
        file.write_bytes(make())
        os._exit(0)
    if os.waitpid(pid, 0)[1] != 0:
        raise SystemExit(f'{file}: could not be made')


def run(command, scratch):
    """Exit status, processor seconds, peak memory in MB, stderr."""
    errors = scratch / 'stderr'
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, '/dev/null', os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, str(errors), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)])
    _, status, used = os.wait4(pid, 0)
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, errors.read_text(errors='replace')


def seconds_of(size_mb):
    return 10 + 2 * size_mb


def measured(command, scratch, size_mb):
    """As run(); what seems to take too long is run up to twice more, and the least time counts: other work on the machine only adds."""
    best = run(command, scratch)
    for _ in range(2):
        if best[1] > seconds_of(size_mb):
            best = min(best, run(command, scratch), key=lambda one: one[1])
    return best


def fault_of(code, seconds, megabytes, errors, size_mb):
    if code not in FINE or 'internal error' in errors:
        return f'ended in {code}'
    if seconds > seconds_of(size_mb):
        return f'took more than {seconds_of(size_mb):.0f} s'
    if megabytes > 256 + 3 * size_mb:
        return f'took more than {256 + 3 * size_mb:.0f} MB'
    if code and not re.search(r'error E\d{3}: ', errors):
        return 'refused without a code'
    if 'E413' in errors and not re.search(r"node \d+|tensor '|\d+ (nodes|tensors|kernel calls)", errors):
        return 'E413 names neither a node nor a count'
    return ''


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tarn', default=str(ROOT / 'build' / 'tarn'))
    parser.add_argument('--only', default='')
    parser.add_argument('--keep', type=pathlib.Path)
    options = parser.parse_args()
    faults = count = 0
    for name, make in MODELS.items() if options.only else sampling.part(MODELS.items(), 8):
        if options.only not in name:
            continue
        with tempfile.TemporaryDirectory(prefix='tarn-limits-') as folder:
            scratch = options.keep or pathlib.Path(folder)
            scratch.mkdir(exist_ok=True)
            file = scratch / 'model.onnx'
            write(make, file)
            size_mb = file.stat().st_size / 2 ** 20
            common = [str(file), '--cc', 'none', *OPTIONS.get(name, [])]
            commands = [['generate', *common, '-o', f'{folder}/out'], ['analyze', *common]]
            for words in commands[:2 if os.environ.get('TARN_FULL') or options.only or name in OPTIONS else 1]:
                code, seconds, megabytes, errors = measured([options.tarn, *words], scratch, size_mb)
                fault = fault_of(code, seconds, megabytes, errors, size_mb)
                left = sorted(p.name for p in pathlib.Path(folder).glob('out*')) if code else []
                fault = fault or (f'left {left} behind' if left else '')
                count += 1
                faults += bool(fault)
                told = re.search(r'(E\d{3}): (.*)', errors)
                said = '' if code == 0 or not told else f'{told.group(1)} {told.group(2)[:90]}'
                print(f'{"!" if fault else " "} {name:42}{words[0]:9}{size_mb:7.2f} MB {seconds:6.2f} s {megabytes:6.0f} MB  exit {code} {said}{"  <- " + fault if fault else ""}', flush=True)
    print(f'limits: {count} runs, {faults} faults')
    return 1 if faults or not count else 0


if __name__ == '__main__':
    sys.exit(main())
