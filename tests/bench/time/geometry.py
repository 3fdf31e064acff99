"""Networks of many layers of random geometry, each from inputs of its own to an output of its own."""
import random

import control_geometry
import dynamic_geometry
import mobile_geometry
import more_geometry
import numbers_geometry
import onnx_bytes
import rest_geometry
import sequence_geometry
import tail_geometry
from onnx_bytes import FLOAT, FLOAT16, INT8, INT32, INT64, UINT8, node, tensor

CODES = {INT8: (0.02, -3), UINT8: (0.02, 125)}  # scale and zero point of every port


def window(rng, kind, channels, least):
    """(attributes, shape of the weights, of the input, of the output)."""
    short, kind = kind.startswith('short '), kind.removeprefix('short ')  # of so few pixels that what no block takes counts
    kernel = {'pointwise': 1, 'dense': 1, 'depthwise3x3': 3}.get(kind) or rng.choice([1, 2, 3, 4, 5, 6, 7] if kind == 'depthwise wide' else [2, 3, 3, 5])
    inputs = rng.choice([c for c in channels if kind != 'depthwise3x3' or c >= 4])
    outputs = inputs if kind.startswith('depthwise') else rng.randint(1, 40)
    least_lines = 8 if kind == 'depthwise wide' else 5
    lines, pixels = (1, 1) if kind == 'dense' else (rng.randint(least_lines, 14), rng.randint(least_lines, 18))
    stride, pad = (1, 0) if kernel == 1 else (rng.choice([1, 1, 2]), rng.choice([0, kernel // 2]))
    if kernel == 1 and kind == 'pointwise':
        stride = rng.choice([1, 1, 1, 2])
    groups = inputs if kind.startswith('depthwise') else 1
    if groups == 1 and kind.startswith('depthwise'):
        inputs = outputs = groups = least
    dilation = rng.choice([1, 1, 1, 2]) if kind == 'conv' and kernel < 4 else 1
    span = dilation * (kernel - 1) + 1
    if short:
        stride, pad, lines, pixels = 1, 0, span + rng.randint(0, 1), span + rng.randint(0, 4)
    if short and kind == 'depthwise3x3':  # pixels in pairs up to a stride of 2
        stride, pixels = rng.choice([1, 2, 3]), span + rng.randint(0, 12)
    attributes = [('kernel_shape', [kernel] * 2), ('pads', [pad] * 4), ('strides', [stride] * 2), ('group', groups), ('dilations', [dilation] * 2)]
    x, y = (1, inputs, lines, pixels), (1, outputs) + tuple((n + 2 * pad - span) // stride + 1 for n in (lines, pixels))
    return attributes, (outputs, inputs // groups, kernel, kernel), x, y


def image(rng, most=48):
    return (1, rng.randint(1, most), rng.randint(2, 14), rng.randint(2, 18))


def pool(rng, x):
    """(attributes, shape of the output) of a pool over a window."""
    kernel = [rng.randint(1, min(4, n)) for n in x[2:]]
    pads = [rng.randint(0, k // 2) for k in kernel]
    strides = [rng.randint(1, 3) for _ in kernel]
    return ([('kernel_shape', kernel), ('pads', pads * 2), ('strides', strides)],
            x[:2] + tuple((n + 2 * p - k) // s + 1 for n, p, k, s in zip(x[2:], pads, kernel, strides)))


def elementwise(rng, kind):
    """(operator, attributes, shape of the inputs, of the output)."""
    x = image(rng)
    if kind in ('averagepool', 'maxpool'):
        attributes, y = pool(rng, x)
        return {'averagepool': 'AveragePool', 'maxpool': 'MaxPool'}[kind], attributes, x, y
    if kind == 'mean':
        axes = rng.choice([[2, 3], [2, 3], [1], [3], [1, 2]])
        return 'ReduceMean', [('axes', axes), ('keepdims', 1)], x, tuple(1 if n in axes else d for n, d in enumerate(x))
    if kind == 'globalaverage':
        if rng.random() < 0.2:  # of more codes than vector instructions sum in 16 bits
            x = (1, rng.randint(1, 12), rng.randint(17, 26), rng.randint(17, 26))
        return 'GlobalAveragePool', [], x, x[:2] + (1, 1)
    if kind in ('softmax', 'logsoftmax'):
        x = (rng.randint(1, 12), rng.randint(2, 60))
        return {'softmax': 'Softmax', 'logsoftmax': 'LogSoftmax'}[kind], [('axis', 1)], x, x
    if kind == 'transpose':
        x = (1, rng.randint(2, 40), rng.randint(2, 90))
        return 'Transpose', [('perm', [0, 2, 1])], x, (1, x[2], x[1])
    x = (1, rng.randint(1, 3000))
    return {'table': 'Sigmoid', 'relu': 'Relu', 'add': 'Add', 'mul': 'Mul', 'hardswish': 'HardSwish', 'sigmoid': 'Sigmoid', 'tanh': 'Tanh', 'exp': 'Exp',
            'hardsigmoid': 'HardSigmoid', 'div': 'Div', 'sub': 'Sub'}[kind], [], x, x


def scales(i, kind):
    scale, zero = CODES[kind]
    return [tensor(f's{i}', (), [scale]), tensor(f'z{i}', (), [zero], kind)]


def int8_layer(rng, i, kind):
    """(nodes, weights, inputs, output): ports as (shape, type)."""
    if kind in ('conv', 'pointwise', 'short conv', 'short pointwise', 'short depthwise3x3', 'short depthwise', 'depthwise3x3', 'depthwise', 'depthwise wide', 'dense', 'long', 'parts', 'light parts'):
        return int8_weighted(rng, i, kind)
    if kind == 'unsigned':  # codes change their sign on the way in and out
        return int8_weighted(rng, i, 'pointwise', UINT8)
    if kind == 'dequantize_u8':
        shape = (1, rng.randint(1, 3000))
        return [node('DequantizeLinear', [f'x{i}', f's{i}', f'z{i}'], f'y{i}')], scales(i, UINT8), [(shape, UINT8)], (shape, FLOAT)
    if kind == 'quantize':
        shape = (1, rng.randint(1, 3000))
        return [node('QuantizeLinear', [f'x{i}', f's{i}', f'z{i}'], f'y{i}')], scales(i, INT8), [(shape, FLOAT)], (shape, INT8)
    if kind == 'dequantize':
        shape = (1, rng.randint(1, 3000))
        return [node('DequantizeLinear', [f'x{i}', f's{i}', f'z{i}'], f'y{i}')], scales(i, INT8), [(shape, INT8)], (shape, FLOAT)
    op, attributes, x, y = elementwise(rng, kind)
    if kind in ('transpose', 'maxpool'):
        return [node(op, [f'x{i}'], f'y{i}', attributes)], [], [(x, INT8)], (y, INT8)
    names = [f'x{i}', f'u{i}'] if kind in ('add', 'mul', 'div', 'sub') else [f'x{i}']
    held = scales(i, INT8) + [tensor(f'su{i}', (), [rng.uniform(0.005, 0.04)]), tensor(f'zu{i}', (), [rng.randint(-128, 9)], INT8),
                              tensor(f't{i}', (), [1 / 256 if kind == 'softmax' else rng.uniform(0.01, 0.05)]),
                              tensor(f'v{i}', (), [-128 if kind == 'softmax' else rng.randint(-9, 9)], INT8)]
    nodes = [node('DequantizeLinear', [n, *port], f'd{n}') for n, port in zip(names, [(f's{i}', f'z{i}'), (f'su{i}', f'zu{i}')])]
    nodes += [node(op, [f'd{n}' for n in names], f'e{i}', attributes), node('QuantizeLinear', [f'e{i}', f't{i}', f'v{i}'], f'y{i}')]
    return nodes, held, [(x, INT8)] * len(names), (y, INT8)


def nibble_layer(rng, i, kind):
    """Weights that 4 bits hold."""
    if kind == 'groups':
        return rest_geometry.groups_layer(rng, i, kind, 7, (0, 0, 3))
    return int8_weighted(rng, i, kind, most=7)


def quarter_layer(rng, i, kind):
    """Weights that 2 bits hold."""
    if kind == 'groups':
        return rest_geometry.groups_layer(rng, i, kind, 1, (0, 0, 1))
    return int8_weighted(rng, i, kind, most=1)


def asymmetric_layer(rng, i, kind):
    """Weights whose zero is another code."""
    bits, _, kind = kind.rpartition(' ')
    return int8_weighted(rng, i, kind, most={'': 127, 'nibble': 7, 'quarter': 1}[bits], zero={'': rng.choice([5, -20]), 'nibble': rng.choice([-2, 3]), 'quarter': 1}[bits])


def coded_layer(rng, i, kind):
    """Float layers whose weights an option stores in fewer bits."""
    if kind == 'table':
        return tail_geometry.table_layer(rng, i, kind)
    if kind == 'rotary':
        return tail_geometry.layer(rng, i, kind)
    return more_geometry.layer(rng, i, kind) if kind in more_geometry.MAKERS else float_layer(rng, i, kind)


def thinned(rng, weights, one_in):
    return weights if one_in == 1 else [w if rng.random() * one_in < 1 else 0 for w in weights]


def int8_weighted(rng, i, kind, dtype=INT8, most=127, zero=0, lowest=0.0, one_in=1):
    """`lowest`: which part of the weights is -most - 1 at once; `one_in`: one of so many is not zero."""
    product = kind == 'dense' and rng.random() < 0.6  # or else a convolution of one pixel
    light, kind = kind == 'light parts', kind.removeprefix('light ')  # most weights are small, as in a trained layer: sums have fewer bits, and few lie near a tie
    if product:
        inputs, outputs = rng.choice([4 * rng.randint(1, 80), rng.randint(3, 320)]), rng.randint(1, 90)
        attributes, shape, x, y, length = [], (inputs, outputs), (1, inputs), (1, outputs), inputs
    else:
        channels = range(1, 300) if kind == 'dense' else [64, 72, 96] if kind == 'long' else [30, 36, 40, 48, 57, 64, 72, 96, 120, 128] if kind == 'parts' else [8, 12, 16, 24, 32, 48, 64] if kind.startswith('short ') else [1, 3, 4, 5, 8, 10, 16, 24, 32, 48]
        attributes, shape, x, y = window(rng, kind, channels, 4)
        outputs, length = shape[0], shape[1] * shape[2] * shape[3]
    ws = [rng.uniform(0.5, 1.5) / (18 if light else most) / length ** 0.5 for _ in range(outputs)]
    weights = [rng.randint(-3, 3) if light and n % 50 else -most - 1 if lowest and rng.random() < lowest else rng.randint(-most, most) for n in range(outputs * length)]
    weights = thinned(rng, weights, one_in)
    held = [tensor(f'w{i}', shape, weights, INT8), tensor(f'sw{i}', (outputs,), ws),
            tensor(f'zw{i}', (outputs,), [zero] * outputs, INT8), tensor(f'v{i}', (), [rng.choice([-3, -128]) if dtype == INT8 else 125], dtype)] + scales(i, dtype)
    names = [f'{n}{i}' for n in ('x', 's', 'z', 'w', 'sw', 'zw', 's', 'v')]
    if product:
        return [node('QLinearMatMul', names, f'y{i}', attributes)], held, [(x, INT8)], (y, INT8)
    held.append(tensor(f'b{i}', (outputs,), [rng.randint(-999, 999) for _ in range(outputs)], INT32))
    if dtype == UINT8 or rng.random() < 0.6:
        return [node('QLinearConv', names + [f'b{i}'], f'y{i}', attributes)], held, [(x, dtype)], (y, dtype)
    # Between a pair of conversions, with a bound within the codes.
    held += [tensor(f'sb{i}', (outputs,), [CODES[INT8][0] * s for s in ws]), tensor(f'zb{i}', (outputs,), [0] * outputs, INT32)]
    nodes = [node('DequantizeLinear', [f'x{i}', f's{i}', f'z{i}'], f'dx{i}'),
             node('DequantizeLinear', [f'w{i}', f'sw{i}', f'zw{i}'], f'dw{i}', [('axis', 0)]),
             node('DequantizeLinear', [f'b{i}', f'sb{i}', f'zb{i}'], f'db{i}', [('axis', 0)]),
             node('Conv', [f'dx{i}', f'dw{i}', f'db{i}'], f'c{i}', attributes), node('Relu', [f'c{i}'], f'r{i}'),
             node('QuantizeLinear', [f'r{i}', f's{i}', f'v{i}'], f'y{i}')]
    return nodes, held, [(x, INT8)], (y, INT8)


def packed_layer(rng, i, kind):
    """Products whose weights have few values, or are mostly zero, so that they are stored as codes."""
    inputs, outputs, values = rng.randint(40, 200), rng.randint(16, 90), rng.choice([3, 8, 20, 60, 130])
    weights = [round(rng.gauss(0, values / 3)) for _ in range(inputs * outputs)]
    weights = [max(-127, min(127, w)) if kind == 'few' or rng.random() < 0.3 else 0 for w in weights]
    if kind == 'wide':  # of four bytes: some that are alike, and some that are not
        numbers = [abs(w) << 8 * (1 + i % 2) | (rng.randrange(256) if i % 4 < 2 else 0) for w in weights[:4000]]
        return [node('Add', [f'x{i}', f'w{i}'], f'y{i}')], [tensor(f'w{i}', (len(numbers),), numbers, INT32)], [((len(numbers),), INT32)], ((len(numbers),), INT32)
    held = [tensor(f'w{i}', (inputs, outputs), weights, INT8), tensor(f'sw{i}', (outputs,), [rng.uniform(0.5, 1.5) / values / inputs ** 0.5 for _ in range(outputs)]),
            tensor(f'zw{i}', (outputs,), [0] * outputs, INT8), tensor(f'v{i}', (), [-3], INT8)] + scales(i, INT8)
    return [node('QLinearMatMul', [f'{n}{i}' for n in ('x', 's', 'z', 'w', 'sw', 'zw', 's', 'v')], f'y{i}')], held, [((1, inputs), INT8)], ((1, outputs), INT8)


def sparse_layer(rng, i, kind):
    """Weights of which one in seven to twenty is not zero."""
    one_in = rng.choice([7, 10, 20])
    return int8_weighted(rng, i, kind.removeprefix('codes '), one_in=one_in) if kind.startswith('codes ') else float_layer(rng, i, kind, one_in)


def full_layer(rng, i, kind):
    """Weights that do not fit two to a half of a word."""
    if kind == 'groups':
        return rest_geometry.groups_layer(rng, i, kind, zeros=(0, 0, 4), lowest=0.1)
    return int8_weighted(rng, i, kind, lowest=0.1)


def float_layer(rng, i, kind, one_in=1):
    if kind not in ('conv', 'pointwise', 'depthwise', 'dense'):
        op, attributes, x, y = elementwise(rng, kind)
        names = [f'x{i}', f'u{i}'] if kind in ('add', 'mul', 'div', 'sub') else [f'x{i}']
        return [node(op, names, f'y{i}', attributes)], [], [(x, FLOAT)] * len(names), (y, FLOAT)
    attributes, shape, x, y = window(rng, kind, range(1, 150) if kind == 'dense' else [1, 2, 3, 4, 7, 8, 12, 16], 5)
    count = shape[0] * shape[1] * shape[2] * shape[3]
    held = [tensor(f'w{i}', shape, thinned(rng, [rng.uniform(-1, 1) for _ in range(count)], one_in)),
            tensor(f'b{i}', (shape[0],), [rng.uniform(-1, 1) for _ in range(shape[0])])]
    relu, residual = rng.random() < 0.4, kind != 'dense' and rng.random() < 0.25
    names = [f'c{i}'] + [f'a{i}'] * residual + [f'r{i}'] * relu
    names[-1] = f'y{i}'
    nodes = [node('Conv', [f'x{i}', f'w{i}', f'b{i}'], names[0], attributes)]
    if residual:
        nodes.append(node('Add', [names[0], f'u{i}'], names[1]))
    if relu:
        nodes.append(node('Relu', [names[-2]], names[-1]))
    return nodes, held, [(x, FLOAT)] + [(y, FLOAT)] * residual, (y, FLOAT)


def transpose_layer(rng, i, kind):
    """In place: the input is not needed any more, and the plan is the smallest."""
    side = rng.choice([1, 1, 2, 3, 4, 8, 12, 16])
    x = (1, side * rng.randint(1, 40 // side + 1), side * rng.randint(1, 120 // side))
    dtype = {'bytes': INT8, 'words': FLOAT, 'halves': FLOAT16, 'doubles': INT64}[kind]
    return [node('Transpose', [f'x{i}'], f'y{i}', [('perm', [0, 2, 1])])], [], [(x, dtype)], ((1, x[2], x[1]), dtype)


CODED = ['conv', 'pointwise', 'depthwise', 'dense', 'conv', 'pointwise', 'depthwise', 'dense', 'lstm', 'gru', 'gru_linear', 'table']
HALVES = ['conv', 'pointwise', 'depthwise', 'dense', 'add', 'mul', 'relu', 'globalaverage', 'averagepool', 'maxpool', 'softmax', 'logsoftmax', 'sigmoid', 'tanh', 'gelu', 'swish',
          'layernorm', 'rmsnorm', 'product', 'attention', 'causal', 'gru', 'lstm', 'strided', 'strided', 'strided', 'gru_linear', 'allowed', 'rotary']
CODES_LAYOUTS = ['', ':block=8', ':channel,asymmetric', ':block=16,asymmetric', ':tensor']
KINDS = {'int8': (int8_layer, ['conv', 'conv', 'pointwise', 'depthwise3x3', 'depthwise', 'dense', 'long', 'add', 'mul', 'table', 'quantize', 'dequantize',
                               'globalaverage', 'averagepool', 'maxpool', 'softmax', 'transpose', 'unsigned', 'dequantize_u8']),
         'float32': (float_layer, ['conv', 'pointwise', 'depthwise', 'dense', 'add', 'mul', 'relu', 'hardswish', 'globalaverage', 'averagepool',
                                   'maxpool', 'softmax', 'transpose', 'mean', 'logsoftmax', 'sigmoid', 'tanh', 'exp', 'hardsigmoid', 'div', 'sub',
                                   'depthwise', 'conv']),
         'parts': (int8_layer, ['parts', 'long', 'light parts']),  # patches that are too long for scratch
         'full': (full_layer, ['dense', 'conv', 'pointwise', 'groups']),
         'in place': (transpose_layer, ['bytes', 'words', 'halves', 'doubles']),
         'asymmetric': (asymmetric_layer, ['conv', 'pointwise', 'depthwise3x3', 'depthwise', 'dense', 'long', 'dense']),
         'asymmetric nibbles': (asymmetric_layer, ['nibble conv', 'nibble pointwise', 'nibble dense', 'nibble long', 'quarter conv', 'quarter pointwise', 'quarter dense', 'quarter long']),
         'rest': (rest_geometry.layer, rest_geometry.KINDS),
         'sparse': (sparse_layer, ['conv', 'pointwise', 'dense', 'codes conv', 'codes pointwise', 'codes dense', 'codes long']),
         'packed': (packed_layer, ['few', 'thin', 'wide']),
         'deep': (int8_layer, ['depthwise wide']),
         'few pixels': (int8_layer, ['short conv', 'short pointwise']),
         'few columns': (int8_layer, ['short depthwise3x3', 'short depthwise']),
         'more': (more_geometry.layer, more_geometry.KINDS),
         'data decide': (more_geometry.layer, more_geometry.DATA_DECIDE),
         'tail': (tail_geometry.layer, tail_geometry.KINDS),
         'sequences': (sequence_geometry.layer, sequence_geometry.KINDS),
         'numbers': (numbers_geometry.layer, numbers_geometry.KINDS),
         'products': (tail_geometry.product_layer, tail_geometry.PRODUCTS),
         'dynamic': (dynamic_geometry.layer, list(dynamic_geometry.MAKERS)),
         'transposed': (dynamic_geometry.layer, ['transposed', 'transposed_codes']),
         'nibbles': (nibble_layer, ['conv', 'pointwise', 'depthwise3x3', 'depthwise', 'dense', 'long']),
         'quarters': (quarter_layer, ['conv', 'pointwise', 'dense', 'long']),
         'nibbles in groups': (nibble_layer, ['groups']), 'quarters in groups': (quarter_layer, ['groups']),
         'coded 8': (coded_layer, CODED), 'coded 4': (coded_layer, CODED), 'coded 16': (coded_layer, CODED),
         'halves': (coded_layer, HALVES), 'half products': (coded_layer, HALVES[:4])}
# Options of `tarn` for the images of a family, by turns.
OPTIONS_OF = {'coded 8': [['--weight-type', f'int8{layout}'] for layout in CODES_LAYOUTS], 'coded 4': [['--weight-type', f'int4{layout}'] for layout in CODES_LAYOUTS],
              'coded 16': [['--weight-type', 'f16']], 'sparse': [['--weights', 'packed']], 'packed': [['--weights', 'packed']]}
# A network to an image: they run by lines, whose layers join.
NETWORKS = {'joined ' + kind: (mobile_geometry.layer, [kind]) for kind in mobile_geometry.KINDS}
# Inputs as the model has them, channels first.
PLANES = {'planes': (mobile_geometry.planes_layer, mobile_geometry.PLANES)}
# Loops and branches around layers.
CONTROL = {'control': (control_geometry.layer, control_geometry.KINDS)}
FAMILIES = {**CONTROL, **KINDS, **NETWORKS, **PLANES}
OPSETS = {family: 23 for family in ('more', 'data decide', 'tail', 'rest', 'numbers', 'sequences', 'coded 8', 'coded 4', 'coded 16', 'halves', 'half products')}


def take_only(kinds):
    """No other layers than of these kinds."""
    for family, (make, all_kinds) in FAMILIES.items():
        FAMILIES[family] = (make, [kind for kind in all_kinds if kind in kinds] or all_kinds)


def kind_of(family, name):
    """Of the layer that an input belongs to."""
    kinds = FAMILIES[family][1]
    return kinds[int(name[1:]) % len(kinds)]


def options_of(family, seed):
    given = OPTIONS_OF.get(family, [[]])
    return given[seed % len(given)]


def network(rng, family, count):
    with onnx_bytes.reals(onnx_bytes.FLOAT16 if family in ('halves', 'half products') else FLOAT):
        return network_of_reals(rng, family, count)


# Of one row as well, these see all of it at once.
WHOLE_ROWS = [b'MatMul', b'Normalization', b'Softmax', b'DynamicQuantizeLinear', b'CumSum']


def in_rows(rng, i, layer):
    """(layer, letters of its inputs, name of its output). A quarter of what is computed element by element lies in rows beside another tensor, so that kernels go
    through it row by row, or, where a pair of operands makes another type, beside a number to each row; the others are one row."""
    nodes, held, inputs, (shape, dtype), *more = layer
    one_row = len(shape) == 2 and shape[0] == 1 and shape[1] > 1 and all(port[0] == shape for port in inputs)
    if more or not one_row or any(word in n for n in nodes for word in WHOLE_ROWS) or rng.random() > 0.25:
        return layer, 'xuvm', f'y{i}'
    rows = rng.randint(2, min(40, shape[1]))
    x, other = (rows, -(-shape[1] // rows)), (rows, rng.randint(1, 8))
    if inputs[0][1] != dtype:  # of another type than what is made: whole rows, unless one operand is a number to each of them
        return ((nodes, held, [(x, inputs[0][1]), ((rows, 1), inputs[1][1])], (x, dtype)), 'xu', f'y{i}') if len(inputs) == 2 else (layer, 'xuvm', f'y{i}')
    nodes = nodes + [node('Concat', [f'y{i}', f'j{i}'], f'beside{i}', [('axis', 1)])]
    return (nodes, held, [(x, kind) for _, kind in inputs] + [(other, dtype)], ((rows, x[1] + other[1]), dtype)), 'xuvm'[:len(inputs)] + 'j', f'beside{i}'


def network_of_reals(rng, family, count):
    make, kinds = FAMILIES[family]
    layers = [make(rng, i, kinds[i % len(kinds)]) for i in range(1 if family in NETWORKS else count)]
    named = [in_rows(random.Random(f'{family} {i} {rng.random()}'), i, layer) for i, layer in enumerate(layers)]
    inputs = [onnx_bytes.value_info(f'{letter}{i}', *port) for i, (layer, letters, _) in enumerate(named) for letter, port in zip(letters, layer[2])]
    outputs = [port for layer, _, name in named for port in ((name, layer[3]), *(layer[4] if len(layer) > 4 else ()))]
    layers = [layer for layer, _, _ in named]
    return onnx_bytes.model([n for layer in layers for n in layer[0]], [t for layer in layers for t in layer[1]], inputs,
                            [onnx_bytes.value_info(name, *port) for name, port in outputs], OPSETS.get(family, 17))
