"""Layers, (nodes, weights, inputs, output), of random geometry: what operators on codes leave to floats, codes of 16 bits, resized images, scattering, sums by an equation."""
import itertools

from more_geometry import floats
from onnx_bytes import FLOAT, INT8, INT16, INT32, INT64, UINT8, UINT16, node, tensor

BESIDE = {'relu_beside': 'Relu', 'add_beside': 'Add', 'mul_beside': 'Mul', 'sub_beside': 'Sub', 'hardswish_beside': 'HardSwish', 'sigmoid_beside': 'Sigmoid', 'tanh_beside': 'Tanh', 'gelu_beside': 'Gelu',
          'codes_table_beside': 'Sigmoid', 'codes_add_beside': 'Add', 'codes_mul_beside': 'Mul'}
CODES = {INT8: (-128, 127), UINT8: (0, 255), INT16: (-32768, 32767), UINT16: (0, 65535)}


def image(rng, channels=40):
    return (1, rng.randint(1, channels), rng.randint(3, 9), rng.randint(3, 12))


def window_of(rng, x, most=4):
    kernel = [rng.randint(1, min(most, n)) for n in x[2:]]
    pads, strides = [rng.randint(0, k // 2) for k in kernel], [rng.randint(1, 3) for _ in kernel]
    attributes = [('kernel_shape', kernel), ('pads', pads * 2), ('strides', strides)]
    return attributes, x[:2] + tuple((n + 2 * p - k) // s + 1 for n, p, k, s in zip(x[2:], pads, kernel, strides))


def maxpool_layer(rng, i, kind):
    x = image(rng)
    attributes, y = window_of(rng, x)
    return [node('MaxPool', [f'x{i}'], f'y{i}', attributes)], [], [(x, UINT8)], (y, UINT8)


def port(i, name, scale, zero, dtype):
    return [tensor(f's{name}{i}', (), [scale]), tensor(f'z{name}{i}', (), [zero], dtype)]


def qlinear_pool_layer(rng, i, kind):
    x, dtype = image(rng), rng.choice([INT8, UINT8])
    attributes, y = window_of(rng, x)
    held = port(i, 'x', rng.uniform(0.01, 0.05), 3, dtype) + port(i, 'y', rng.uniform(0.01, 0.05), 5, dtype)
    attributes += [('count_include_pad', rng.choice([0, 1]))]
    return [node('QLinearAveragePool', [f'{n}{i}' for n in ('x', 'sx', 'zx', 'sy', 'zy')], f'y{i}', attributes, domain='com.microsoft')], held, [(x, dtype)], (y, dtype)


def between(rng, i, operator, names, held, shapes, y, dtype, attributes=(), more=(), scales=None, domain=''):
    """An operator between conversions of its ports: (shape, name) of those that are codes, `more` names behind them."""
    scales = scales or [rng.uniform(0.005, 0.04) for _ in range(len(names) + 1)]
    zeros = [rng.choice([0, 3, -5]) + (128 if dtype == UINT8 else 32768 if dtype == UINT16 else 0) for _ in scales]
    nodes = []
    for n, scale, zero in zip(names, scales, zeros):
        held = held + port(i, n, scale, zero, dtype)
        nodes.append(node('DequantizeLinear', [f'{n}{i}', f's{n}{i}', f'z{n}{i}'], f'd{n}{i}'))
    held = held + port(i, 'y', scales[-1], zeros[-1], dtype)
    nodes += [node(operator, [f'd{n}{i}' for n in names] + [f'{n}{i}' for n in more], f'e{i}', list(attributes), domain=domain), node('QuantizeLinear', [f'e{i}', f'sy{i}', f'zy{i}'], f'y{i}')]
    return nodes, held, [(shape, dtype) for shape in shapes], (y, dtype)


def pair_layer(rng, i, kind):
    """Two tensors of codes; by scales that are powers of two, whose results often lie halfway, or by such that the operator's own rounding decides which of them do."""
    operator, x = {'mul_near': 'Mul', 'mul_own': 'Mul', 'sub_codes': 'Sub', 'div_codes': 'Div', 'mul_codes': 'Mul'}[kind], (1, rng.randint(200 if kind.endswith('near') else 1, 2000))
    scales = [2.0 ** -rng.randint(6, 8) for _ in range(2)] + [2.0 ** -rng.randint(3, 5)] if kind.endswith('near') else None
    if kind == 'mul_own':
        x, a, b = (1, rng.randint(1000, 2000)), rng.uniform(0.005, 0.02), rng.uniform(0.005, 0.02)  # enough for an average
        scales = [a, b, a * b * 2 * rng.randint(60, 400)]
    return between(rng, i, operator, 'xu', [], [x, x], x, INT8, scales=scales)


def constant_pair_layer(rng, i, kind):
    """A number beside a tensor of codes."""
    x = (1, rng.randint(1, 2000))
    operator = 'Div' if kind == 'div_number' else 'Mul'
    held = port(i, 'k', 0.0125, 0, INT8) + [tensor(f'k{i}', (), [rng.randint(60, 127)], INT8)]
    scales = None
    if kind == 'mul_own_number':
        a = rng.uniform(0.005, 0.02)
        x, scales = (1, rng.randint(1000, 2000)), [a, a * 0.0125 * 2 * rng.randint(30, 60)]
    nodes, held, ports, y = between(rng, i, operator, 'x', held, [x], x, INT8, more=['dk'], scales=scales)
    return [node('DequantizeLinear', [f'k{i}', f'sk{i}', f'zk{i}'], f'dk{i}')] + nodes, held, ports, y


def prelu_layer(rng, i, kind):
    x = (1, rng.randint(8, 40), rng.randint(6, 9), rng.randint(8, 12))  # which branch an element takes its sign decides
    return between(rng, i, 'PRelu', 'x', [tensor(f'a{i}', (x[1], 1, 1), [rng.uniform(0.05, 0.4) for _ in range(x[1])])], [x], x, INT8, more=['a'])


def group_layer(rng, i, kind):
    groups, of = rng.randint(1, 4), rng.randint(1, 6)
    x = (1, groups * of, rng.randint(2, 8), rng.randint(2, 9))
    held = [floats(rng, f'g{i}', (x[1],)), floats(rng, f'b{i}', (x[1],))]
    return between(rng, i, 'GroupNormalization', 'x', held, [x], x, INT8, [('num_groups', groups)], ['g', 'b'], scales=[0.02, 0.03])


def resize_layer(rng, i, kind):
    x = (1, rng.randint(1, 13), rng.randint(2, 7), rng.randint(2, 8))
    dtype = {'resize': FLOAT, 'resize_u8': UINT8, 'resize_s8': INT8}[kind]
    times = [rng.choice([1, 2, 2, 3, 1.5]) for _ in range(2)]
    y = x[:2] + tuple(int(n * t) for n, t in zip(x[2:], times))
    attributes = [('mode', rng.choice(['linear', 'linear', 'cubic'] if kind == 'resize' else ['linear'])), ('coordinate_transformation_mode', rng.choice(['half_pixel', 'align_corners', 'asymmetric']))]
    return [node('Resize', [f'x{i}', '', f'r{i}'], f'y{i}', attributes)], [tensor(f'r{i}', (4,), [1, 1, *times])], [(x, dtype)], (y, dtype)


def global_max_layer(rng, i, kind):
    x = image(rng)
    return [node('GlobalMaxPool', [f'x{i}'], f'y{i}')], [], [(x, FLOAT)], (x[:2] + (1, 1), FLOAT)


def groups_layer(rng, i, kind, most=127, zeros=(0, 0, 4), lowest=0.0):
    """A convolution in groups of more than one channel, along a signal too. `lowest`: which part of the weights is -most - 1 at once."""
    groups, of, made = rng.choice([2, 3, 4]), rng.choice([2, 3, 4, 8]), rng.choice([1, 2, 4, 6])
    signal = rng.random() < 0.4
    kernel = [1 if signal else rng.choice([1, 2, 3]), rng.choice([1, 3, 3, 5])]
    inputs, outputs, pads, stride = groups * of, groups * made, [rng.choice([0, n // 2]) for n in kernel], rng.choice([1, 1, 2])
    x = (1, inputs, 1 if signal else rng.randint(4, 9), rng.randint(5, 40 if signal else 12))
    y = (1, outputs) + tuple((n + 2 * p - k) // stride + 1 for n, p, k in zip(x[2:], pads, kernel))
    shape, dtype = (outputs, of, *kernel), INT8
    area = kernel[0] * kernel[1]
    zero = rng.choice(zeros)
    held = port(i, 'x', 0.02, -3, dtype) + port(i, 'y', 0.02, rng.choice([-3, -128]), dtype) + [
        tensor(f'w{i}', shape, [-most - 1 if lowest and rng.random() < lowest else rng.randint(-most, most) for _ in range(outputs * of * area)], dtype), tensor(f'sw{i}', (outputs,), [rng.uniform(0.5, 1.5) / most / (of * area) ** 0.5 for _ in range(outputs)]),
        tensor(f'zw{i}', (outputs,), [zero] * outputs, dtype)]
    attributes = [('kernel_shape', kernel), ('pads', pads * 2), ('strides', [stride] * 2), ('group', groups)]
    return [node('QLinearConv', [f'{n}{i}' for n in ('x', 'sx', 'zx', 'w', 'sw', 'zw', 'sy', 'zy')], f'y{i}', attributes)], held, [(x, dtype)], (y, dtype)


def wide_layer(rng, i, kind):
    """Codes of 16 bits."""
    dtype = UINT16 if kind.endswith('u16') else INT16
    scale = 1 / 8192
    if kind.startswith(('wide_quantize', 'wide_dequantize')):
        x, into = (1, rng.randint(1, 2000)), kind.startswith('wide_quantize')
        held = port(i, 'x', scale, 32768 if dtype == UINT16 else 0, dtype)
        return [node('QuantizeLinear' if into else 'DequantizeLinear', [f'x{i}', f'sx{i}', f'zx{i}'], f'y{i}')], held, [(x, FLOAT if into else dtype)], (x, dtype if into else FLOAT)
    if kind in ('wide_add', 'wide_mul'):
        x = (1, rng.randint(1, 2000))
        return between(rng, i, 'Add' if kind == 'wide_add' else 'Mul', 'xu', [], [x, x], x, INT16, scales=[scale, rng.uniform(0.5, 2) * scale, rng.uniform(1, 2) * scale])
    if kind == 'wide_relu':
        x = (1, rng.randint(1, 2000))
        return between(rng, i, 'Relu', 'x', [], [x], x, INT16, scales=[scale, rng.uniform(1, 2) * scale])
    x = image(rng)
    if kind == 'wide_average':
        return between(rng, i, 'GlobalAveragePool', 'x', [], [x], x[:2] + (1, 1), INT16, scales=[scale, rng.uniform(0.6, 1) * scale])
    deep, kernel = kind == 'wide_depthwise', 1 if kind == 'wide_pointwise' else rng.choice([2, 3, 3])
    if kind == 'wide_dense':
        x, kernel = (1, rng.randint(1, 200), 1, 1), 1
    outputs, pad, stride = x[1] if deep else rng.randint(1, 24), rng.choice([0, kernel // 2]), rng.choice([1, 1, 2])
    y = (1, outputs) + tuple((n + 2 * pad - kernel) // stride + 1 for n in x[2:])
    shape = (outputs, 1 if deep else x[1], kernel, kernel)
    length = shape[1] * kernel ** 2
    held = [tensor(f'w{i}', shape, [rng.randint(-127, 127) for _ in range(outputs * length)], INT8), tensor(f'sw{i}', (outputs,), [rng.uniform(0.5, 1.5) / 127 / length ** 0.5 for _ in range(outputs)]),
            tensor(f'zw{i}', (outputs,), [0] * outputs, INT8)]
    attributes = [('kernel_shape', [kernel] * 2), ('pads', [pad] * 4), ('strides', [stride] * 2), ('group', outputs if deep else 1)]
    nodes, held, ports, made = between(rng, i, 'Conv', 'x', held, [x], y, INT16, attributes, ['dw'], scales=[scale, scale])
    return [node('DequantizeLinear', [f'w{i}', f'sw{i}', f'zw{i}'], f'dw{i}', [('axis', 0)])] + nodes, held, ports, made


def einsum_layer(rng, i, kind):
    t, d, k, h = (rng.randint(1, n) for n in (6, 24, 4, 12))
    equation, a, b, y = rng.choice([('td,tkdh->tkh', (t, d), (t, k, d, h), (t, k, h)), ('td,edh->teh', (t, d), (k, d, h), (t, k, h)), ('bij,bkj->bi', (k, t, d), (k, h, d), (k, t))])
    return [node('Einsum', [f'x{i}', f'u{i}'], f'y{i}', [('equation', equation)])], [], [(a, FLOAT), (b, FLOAT)], (y, FLOAT)


def scatter_layer(rng, i, kind):
    if kind == 'scatter_elements':
        x = (rng.randint(1, 12), rng.randint(2, 30))
        u = (rng.randint(1, x[0]), rng.randint(1, x[1]))
        scatter = [node('ScatterElements', [f'x{i}', f'u{i}', f'v{i}'], f'y{i}', [('axis', 1)])]
        if rng.random() < 0.4:  # those of the model are stored in 32 bits
            scatter = [node('ScatterElements', [f'x{i}', f'k{i}', f'u{i}'], f'y{i}', [('axis', 1)])]
            return scatter, [tensor(f'k{i}', u, list(range(u[1])) * u[0], INT64)], [(x, FLOAT), (u, FLOAT)], (x, FLOAT)
        return scatter, [], [(x, FLOAT), (u, INT64), (u, FLOAT)], (x, FLOAT)
    x, count, depth = (rng.randint(2, 6), rng.randint(2, 6), rng.randint(1, 20)), rng.randint(1, 20), rng.randint(1, 2)
    if rng.random() < 0.4:
        places = list(itertools.product(*(range(n) for n in x[:depth])))[:count]
        count, held = len(places), [tensor(f'k{i}', (len(places), depth), [n for place in places for n in place], INT64)]
        return [node('ScatterND', [f'x{i}', f'k{i}', f'u{i}'], f'y{i}')], held, [(x, FLOAT), ((count, *x[depth:]), FLOAT)], (x, FLOAT)
    return [node('ScatterND', [f'x{i}', f'u{i}', f'v{i}'], f'y{i}')], [], [(x, FLOAT), ((count, depth), INT64), ((count, *x[depth:]), FLOAT)], (x, FLOAT)


def onehot_layer(rng, i, kind):
    count, inner, depth, dtype = rng.randint(1, 40), rng.choice([1, 1, 2, 5]), rng.randint(2, 20), rng.choice([FLOAT, INT8, INT64])
    x, y = ((count,), (count, depth)) if inner == 1 else ((count, inner), (count, depth, inner))
    return [node('OneHot', [f'x{i}', f'n{i}', f'o{i}'], f'y{i}', [('axis', 1)])], [tensor(f'n{i}', (1,), [depth], INT64), tensor(f'o{i}', (2,), [0, 1], dtype)], [(x, INT64)], (y, dtype)


def broadcast_layer(rng, i, kind):
    """Either operand is repeated along every other axis, in the order that images lie in."""
    x = tuple(rng.randint(2, 7) for _ in range(rng.choice([3, 4])))
    order, odd = ([0, 2, 3, 1] if len(x) == 4 and rng.random() < 0.7 else [0, 2, 1] if len(x) == 3 and rng.random() < 0.7 else list(range(len(x)))), rng.random() < 0.5
    a, b = (tuple(1 if order.index(n) % 2 == o else d for n, d in enumerate(x)) for o in (odd, not odd))
    return [node({'add': 'Add', 'sub': 'Sub', 'mul': 'Mul', 'div': 'Div'}[kind[:3]], [f'x{i}', f'u{i}'], f'y{i}')], [], [(a, FLOAT), (b, FLOAT)], (x, FLOAT)


def beside_layer(rng, i, kind):
    """Results that lie beside each other, so that each is made in runs of its channels: a run to a pixel."""
    operator = BESIDE[kind]
    x, dtype = (1, rng.randint(2, 24), rng.randint(2, 7), rng.randint(2, 8)), INT8 if kind.startswith('code') else FLOAT
    u, pair = (1, rng.randint(1, 8), *x[2:]), operator in ('Add', 'Mul', 'Sub', 'Div')
    y = (1, x[1] + u[1], *x[2:])
    names = ['x', 'v'] if pair else ['x']
    ports = [(x, dtype), (u, dtype)] + [(x, dtype)] * pair
    attributes = [('approximate', 'tanh')] if kind == 'gelu_tanh_beside' else []
    if dtype == FLOAT:
        return [node(operator, [f'{n}{i}' for n in names], f'a{i}', attributes), node('Concat', [f'a{i}', f'u{i}'], f'y{i}', [('axis', 1)])], [], ports, (y, dtype)
    nodes, held, _, _ = between(rng, i, operator, names, [], [x], x, dtype)
    nodes[-1] = node('QuantizeLinear', [f'e{i}', f'sy{i}', f'zy{i}'], f'a{i}')
    return nodes + [node('Concat', [f'a{i}', f'u{i}'], f'y{i}', [('axis', 1)])], held, ports, (y, dtype)


def rows_layer(rng, i, kind):
    """Rows of a table: runs of more than an element, however images lie."""
    dtype = {'rows': FLOAT, 'rows_b1': INT8, 'rows_b2': INT16, 'rows_b8': INT64}[kind]
    x, count = (rng.randint(2, 30), rng.randint(1, 70)), rng.randint(1, 24)
    return [node('Gather', [f'x{i}', f'u{i}'], f'y{i}', [('axis', 0)])], [], [(x, dtype), ((count,), rng.choice([INT32, INT64]))], ((count, x[1]), dtype)


def packed_layer(rng, i, kind):
    """Weights that the model stores as codes, beside float inputs."""
    if kind == 'table_codes':
        x, count = (rng.randint(2, 24), rng.randint(1, 60)), rng.randint(1, 20)
        held = port(i, 'w', 0.02, 0, INT8) + [tensor(f'w{i}', x, [rng.randint(-127, 127) for _ in range(x[0] * x[1])], INT8)]
        return ([node('DequantizeLinear', [f'w{i}', f'sw{i}', f'zw{i}'], f'd{i}'), node('Gather', [f'd{i}', f'x{i}'], f'y{i}', [('axis', 0)])], held, [((count,), INT64)], ((count, x[1]), FLOAT))
    block, bits = rng.choice([16, 32]), 8 if kind == 'product_codes' else 4
    m, k, n = rng.randint(1, 6), block * rng.randint(1, 6), rng.randint(1, 40)
    if kind == 'product_codes':
        held = port(i, 'w', 0.02, 0, INT8) + [tensor(f'w{i}', (k, n), [rng.randint(-127, 127) for _ in range(k * n)], INT8)]
        return [node('DequantizeLinear', [f'w{i}', f'sw{i}', f'zw{i}'], f'd{i}'), node('MatMul', [f'x{i}', f'd{i}'], f'y{i}')], held, [((m, k), FLOAT)], ((m, n), FLOAT)
    blocks = k // block
    held = [tensor(f'w{i}', (n, blocks, block // 2), [rng.randint(0, 255) for _ in range(n * k // 2)], UINT8), tensor(f's{i}', (n * blocks,), [rng.uniform(0.01, 0.05) for _ in range(n * blocks)])]
    return [node('MatMulNBits', [f'x{i}', f'w{i}', f's{i}'], f'y{i}', [('K', k), ('N', n), ('bits', bits), ('block_size', block)], domain='com.microsoft')], held, [((m, k), FLOAT)], ((m, n), FLOAT)


def attention_layer(rng, i, kind):
    """Attention written out; of keys that lie as columns, or beside a mask and a bias."""
    heads, rows, keys, size, values = rng.randint(1, 4), rng.randint(1, 12), rng.randint(2, 20), rng.randint(1, 20), rng.randint(1, 20)
    if kind == 'attention_far':
        ports = [((1, heads, rows, size), FLOAT), ((1, heads, size, keys), FLOAT), ((1, heads, keys, values), FLOAT)]
        return [node('MatMul', [f'x{i}', f'u{i}'], f's{i}'), node('Softmax', [f's{i}'], f'p{i}', [('axis', 3)]), node('MatMul', [f'p{i}', f'v{i}'], f'y{i}')], [], ports, ((1, heads, rows, values), FLOAT)
    raise ValueError(kind)


def gather_nd_layer(rng, i, kind):
    x, depth = (rng.randint(2, 6), rng.randint(2, 6), rng.randint(1, 20)), rng.randint(1, 3)
    count, dtype = rng.randint(1, 40), INT8 if kind.endswith('b1') else FLOAT
    if rng.random() < 0.4:  # those of the model are stored in 32 bits
        held = [tensor(f'u{i}', (count, depth), [0] * (count * depth), INT64)]
        return [node('GatherND', [f'x{i}', f'u{i}'], f'y{i}')], held, [(x, dtype)], ((count, *x[depth:]), dtype)
    return [node('GatherND', [f'x{i}', f'u{i}'], f'y{i}')], [], [(x, dtype), ((count, depth), INT64)], ((count, *x[depth:]), dtype)


MAKERS = {'maxpool_u8': maxpool_layer, 'qlinear_pool': qlinear_pool_layer, **dict.fromkeys(['mul_near', 'mul_own', 'sub_codes', 'div_codes', 'mul_codes'], pair_layer),
          **dict.fromkeys(['div_number', 'mul_number', 'mul_own_number'], constant_pair_layer), 'prelu_codes': prelu_layer, 'group_codes': group_layer, **dict.fromkeys(['resize', 'resize_u8', 'resize_s8'], resize_layer),
          'global_max': global_max_layer, 'groups': groups_layer,
          **dict.fromkeys(['wide_quantize', 'wide_quantize_u16', 'wide_dequantize', 'wide_dequantize_u16', 'wide_add', 'wide_mul', 'wide_relu', 'wide_average', 'wide_conv', 'wide_pointwise', 'wide_depthwise', 'wide_dense'], wide_layer),
          'einsum': einsum_layer, **dict.fromkeys(['scatter_nd', 'scatter_elements'], scatter_layer), 'onehot': onehot_layer,
          **dict.fromkeys(['add_nd', 'sub_nd', 'mul_nd', 'div_nd'], broadcast_layer), **dict.fromkeys(['gather_nd_b1', 'gather_nd_b4'], gather_nd_layer),
          **dict.fromkeys(BESIDE, beside_layer), **dict.fromkeys(['rows', 'rows_b1', 'rows_b2', 'rows_b8'], rows_layer),
          **dict.fromkeys(['table_codes', 'product_codes', 'nbits'], packed_layer), 'attention_far': attention_layer}
# Kernels that only some layers of a kind have, or that have many terms, need more of them.
KINDS = list(MAKERS) + ['qlinear_pool', 'qlinear_pool', 'resize', 'resize_u8', 'gather_nd_b1', 'gather_nd_b4', 'nbits', 'div_nd', 'mul_nd', 'add_nd', 'sub_nd', 'groups', 'groups', 'groups', 'attention_far']
# What the inputs of a kind hold: indices are 0.
VALUES = {**dict.fromkeys(['scatter_nd', 'scatter_elements', 'onehot', 'gather_nd_b1', 'gather_nd_b4', 'rows', 'rows_b1', 'rows_b2', 'rows_b8'], 'zeros')}


def layer(rng, i, kind):
    return MAKERS[kind](rng, i, kind)
