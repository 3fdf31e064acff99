"""Layers, (nodes, weights, inputs, output), of random geometry: conversions between any two types, arithmetic and comparisons of integers, functions and reductions that few networks have, picking by an index."""
import dynamic_geometry
import onnx_bytes
from more_geometry import floats
from onnx_bytes import BOOL, FLOAT, FLOAT16, INT8, INT32, INT64, UINT8, UINT16, UINT32, graph_attribute, node, tensor, value_info
from rest_geometry import between
from tail_geometry import BINARY as OTHERS, CASTS as OTHER_CASTS

NAMES = {FLOAT: 'f32', FLOAT16: 'f16', INT8: 's8', UINT8: 'u8', INT32: 's32', INT64: 's64', BOOL: 'bool'}
CASTS = {f'cast_{NAMES[a]}_{NAMES[b]}': (a, b) for a in NAMES for b in NAMES if a != b and (a, b) not in OTHER_CASTS.values() and FLOAT16 not in (a, b)}
CASTS.update({f'cast_f16_{NAMES[b]}': (FLOAT16, b) for b in (INT32, INT64, BOOL)})
CASTS.update({f'cast_{NAMES[a]}_f16': (a, FLOAT16) for a in (INT32, INT64, BOOL, UINT8)})
ARITHMETIC = {'add': 'Add', 'sub': 'Sub', 'mul': 'Mul', 'div': 'Div', 'max': 'Max', 'min': 'Min', 'mod': 'Mod'}
COMPARISONS = {'equal': 'Equal', 'less': 'Less', 'greater': 'Greater', 'lessorequal': 'LessOrEqual', 'greaterorequal': 'GreaterOrEqual'}
BINARY = {**{f'{name}_{NAMES[t]}': (op, t, t) for t in (INT32, INT64) for name, op in ARITHMETIC.items()},
          **{f'{name}_{NAMES[t]}': (op, t, BOOL) for t in (FLOAT, INT32, INT64) for name, op in COMPARISONS.items()},
          'or': ('Or', BOOL, BOOL), 'xor': ('Xor', BOOL, BOOL), 'equal_bool': ('Equal', BOOL, BOOL), 'pow': ('Pow', FLOAT, FLOAT), 'mod_f32': ('Mod', FLOAT, FLOAT)}
BINARY = {kind: of for kind, of in BINARY.items() if of not in OTHERS.values()}
UNARY = {'tan': 'Tan', 'sinh': 'Sinh', 'cosh': 'Cosh', 'asin': 'Asin', 'acos': 'Acos', 'atan': 'Atan', 'asinh': 'Asinh', 'acosh': 'Acosh', 'atanh': 'Atanh', 'ceil': 'Ceil', 'sign': 'Sign', 'softsign': 'Softsign',
         'selu': 'Selu', 'celu': 'Celu', 'thresholdedrelu': 'ThresholdedRelu', 'isnan': 'IsNaN', 'isinf': 'IsInf', 'shrink': 'Shrink'}
INTEGERS = {f'{op.lower()}_{NAMES[t]}': (op, t) for op in ('Abs', 'Neg', 'Sign') for t in (INT32, INT64)}
REDUCTIONS = {'logsum': 'ReduceLogSum', 'logsumexp': 'ReduceLogSumExp', 'sumsquare': 'ReduceSumSquare'}
REDUCED = {**{f'reduce{name}_f32': (op, FLOAT) for name, op in REDUCTIONS.items()},
           **{f'reduce{n.lower()}_{NAMES[t]}': (f'Reduce{n}', t) for n in ('Sum', 'Max', 'Min', 'Prod') for t in (INT32, INT64)}}
PICKED = {'gather_elements': FLOAT, 'gather_elements_b1': INT8, 'gather_elements_b8': INT64}
BY_SLICE = {'slice': FLOAT, 'slice_b1': INT8, 'slice_b8': INT64}


def flat(rng, least=1, most=400):
    return (1, rng.randint(least, most))


def cast_layer(rng, i, kind):
    dtype, made = CASTS[kind]
    x = flat(rng, 60 if FLOAT16 in (dtype, made) else 1)
    return [node('Cast', [f'x{i}'], f'y{i}', [('to', made)])], [], [(x, dtype)], (x, made)


def binary_layer(rng, i, kind):
    operator, dtype, made = BINARY[kind]
    x = flat(rng, 200 if 'mod' in kind or 'div' in kind or kind == 'pow' else 1, 900 if dtype == FLOAT else 400)
    return [node(operator, [f'x{i}', f'u{i}'], f'y{i}', [('fmod', 1)] if kind == 'mod_f32' else [])], [], [(x, dtype)] * 2, (x, made)


def shift_layer(rng, i, kind):
    x, dtype = flat(rng), UINT32 if kind.endswith('u32') else UINT8
    way = 'LEFT' if 'left' in kind else 'RIGHT'
    return [node('BitShift', [f'x{i}', f'u{i}'], f'y{i}', [('direction', way)])], [], [(x, dtype)] * 2, (x, dtype)


def unary_layer(rng, i, kind):
    x = flat(rng, *((1500, 3000) if kind.endswith('elu') else (400, 900)))  # which branch an element takes its value decides
    return [node(UNARY[kind], [f'x{i}'], f'y{i}')], [], [(x, FLOAT)], (x, BOOL if kind.startswith('is') else FLOAT)


def integer_layer(rng, i, kind):
    x, (operator, dtype) = flat(rng), INTEGERS[kind]
    return [node(operator, [f'x{i}'], f'y{i}')], [], [(x, dtype)], (x, dtype)


def reduce_layer(rng, i, kind):
    operator, dtype = REDUCED[kind]
    x = (1, rng.randint(1, 24), rng.randint(2, 8), rng.randint(2, 9))
    axes = rng.choice([[1], [3], [2, 3], [1, 2], [2]])
    y = tuple(1 if n in axes else d for n, d in enumerate(x))
    return [node(operator, [f'x{i}', f'a{i}'], f'y{i}', [('keepdims', 1)])], [tensor(f'a{i}', (len(axes),), axes, INT64)], [(x, dtype)], (y, dtype)


def vectors_layer(rng, i, kind):
    x, axis = (rng.randint(1, 8), rng.randint(2, 30), rng.randint(1, 12)), rng.choice([1, 2, 2])
    if kind == 'argmin':
        return [node('ArgMin', [f'x{i}'], f'y{i}', [('axis', axis)])], [], [(x, FLOAT)], (tuple(1 if n == axis else d for n, d in enumerate(x)), INT64)
    if kind == 'hardmax':
        return [node('Hardmax', [f'x{i}'], f'y{i}', [('axis', axis)])], [], [(x, FLOAT)], (x, FLOAT)
    return [node('LpNormalization', [f'x{i}'], f'y{i}', [('axis', axis), ('p', rng.choice([1, 2, 2]))])], [], [(x, FLOAT)], (x, FLOAT)


def scan_layer(rng, i, kind):
    dtype = {'cumsum': FLOAT, 'cumsum_s32': INT32, 'cumsum_s64': INT64}[kind]
    x, axis = (rng.randint(1, 8), rng.randint(8, 60), rng.randint(1, 12)), rng.choice([1, 1, 2])
    x = x if axis == 1 else (x[0], x[2], x[1])
    return [node('CumSum', [f'x{i}', f'a{i}'], f'y{i}', [('reverse', rng.choice([0, 0, 1]))])], [tensor(f'a{i}', (), [axis], INT64)], [(x, dtype)], (x, dtype)


def gather_elements_layer(rng, i, kind):
    dtype, rank = PICKED[kind], rng.choice([1, 2, 2, 3])
    x = tuple(rng.randint(2, 14 if rank < 3 else 8) for _ in range(rank))
    axis = rng.randrange(rank)
    u = tuple(rng.randint(1, 20) if n == axis else d for n, d in enumerate(x))
    return [node('GatherElements', [f'x{i}', f'u{i}'], f'y{i}', [('axis', axis)])], [], [(x, dtype), (u, rng.choice([INT32, INT64]))], (u, dtype)


def trilu_layer(rng, i, kind):
    x = (rng.randint(1, 4), rng.randint(2, 12), rng.randint(2, 14))
    return [node('Trilu', [f'x{i}'], f'y{i}', [('upper', rng.choice([0, 1]))])], [], [(x, FLOAT)], (x, FLOAT)


def nearest_layer(rng, i, kind):
    x, dtype = (1, rng.randint(1, 9), rng.randint(2, 6), rng.randint(2, 7)), FLOAT if kind == 'nearest' else INT8
    times = [rng.choice([1.5, 0.5, 2.5]), rng.choice([1, 1.5, 2.5])]
    y = x[:2] + tuple(int(n * t) for n, t in zip(x[2:], times))
    return [node('Resize', [f'x{i}', '', f'r{i}'], f'y{i}', [('mode', 'nearest')])], [tensor(f'r{i}', (4,), [1, 1, *times])], [(x, dtype)], (y, dtype)


def normalised_layer(rng, i, kind):
    x = (rng.randint(1, 3), rng.randint(1, 9), rng.randint(2, 6), rng.randint(2, 7))
    if kind == 'mvn':
        return [node('MeanVarianceNormalization', [f'x{i}'], f'y{i}', [('axes', rng.choice([[0, 2, 3], [2, 3], [1, 2, 3], [3]]))])], [], [(x, FLOAT)], (x, FLOAT)
    # Of factors that come in: others are folded.
    held = [floats(rng, f'b{i}', x[1:2]), floats(rng, f'm{i}', x[1:2]), tensor(f'n{i}', x[1:2], [rng.uniform(0.5, 2) for _ in range(x[1])])]
    return [node('BatchNormalization', [f'x{i}', f'u{i}', f'b{i}', f'm{i}', f'n{i}'], f'y{i}')], held, [(x, FLOAT), (x[1:2], FLOAT)], (x, FLOAT)


def codes_layer(rng, i, kind):
    """Scales along an axis; numbers of 16 bits."""
    real = FLOAT16 if kind.endswith('half') else FLOAT
    x, axis = (rng.randint(1, 6), rng.randint(2, 12), rng.randint(1, 14)), rng.choice([1, 2])
    dtype = rng.choice([INT8, UINT8])
    scales = [tensor(f's{i}', (x[axis],), [rng.uniform(0.01, 0.04) for _ in range(x[axis])], real)]
    zeros = [tensor(f'z{i}', (x[axis],), [0 if dtype == INT8 else 128] * x[axis], dtype)]
    names = [f'x{i}', f's{i}', f'z{i}']
    if kind.startswith('quantize'):
        return [node('QuantizeLinear', names, f'y{i}', [('axis', axis)])], scales + zeros, [(x, real)], (x, dtype)
    return [node('DequantizeLinear', names, f'y{i}', [('axis', axis)])], scales + zeros, [(x, dtype)], (x, real)


def flip_layer(rng, i, kind):
    """Unsigned codes of 16 bits, which are computed with as signed ones."""
    x = flat(rng)
    return between(rng, i, 'Add', 'xu', [], [x, x], x, UINT16, scales=[1 / 8192, 1 / 8192, 1 / 4096])


def transposed_layer(rng, i, kind):
    """Transposed convolutions of 16 bits, of so many weights that how long their conversion takes is an average."""
    with onnx_bytes.reals(FLOAT16):
        nodes, held, [(x, _)], (y, _) = dynamic_geometry.transposed_layer(rng, i, 'transposed')
        while y[1] < 4 or x[1] < 2:
            nodes, held, [(x, _)], (y, _) = dynamic_geometry.transposed_layer(rng, i, 'transposed')
    return nodes, held, [(x, FLOAT16)], (y, FLOAT16)


def recurrent_layer(rng, i, kind):
    steps, inputs, units = rng.randint(1, 8), rng.randint(1, 20), rng.randint(1, 16)
    held = [floats(rng, f'w{i}', (1, units, inputs)), floats(rng, f'r{i}', (1, units, units)), floats(rng, f'b{i}', (1, 2 * units))]
    return [node('RNN', [f'x{i}', f'w{i}', f'r{i}', f'b{i}'], f'y{i}', [('hidden_size', units)])], held, [((steps, 1, inputs), FLOAT)], ((steps, 1, 1, units), FLOAT)


def lppool_layer(rng, i, kind):
    x = (1, rng.randint(1, 9), rng.randint(3, 8), rng.randint(3, 9))
    kernel, stride = [rng.randint(1, 3) for _ in range(2)], rng.randint(1, 2)
    y = x[:2] + tuple((n - k) // stride + 1 for n, k in zip(x[2:], kernel))
    return [node('LpPool', [f'x{i}'], f'y{i}', [('kernel_shape', kernel), ('strides', [stride] * 2), ('p', 2)])], [], [(x, FLOAT)], (y, FLOAT)


def expect_layer(rng, i, kind):
    """A branch of two that fits: that the condition asks for it is looked at."""
    width = rng.randint(2, 9)
    held = [floats(rng, f'w{i}', (width,)), floats(rng, f'v{i}', (width + 1,))]
    bodies = [graph_attribute(name, [node('Add', [f'u{i}', f'{of}{i}'], f'{name}{i}')], [], [value_info(f'{name}{i}', (width,), FLOAT)]) for name, of in (('then_branch', 'w'), ('else_branch', 'v'))]
    return [node('If', [f'x{i}'], f'y{i}', graphs=bodies)], held, [((), BOOL), ((width,), FLOAT)], ((width,), FLOAT)


def slice_layer(rng, i, kind):
    """From a place that comes in: indices of zero, of as many elements as the output's shape says."""
    dtype, x = BY_SLICE[kind], (rng.randint(2, 9), rng.randint(2, 12), rng.choice([rng.randint(2, 12), rng.randint(2, 40)]))
    n = rng.randint(1, 3)
    y = tuple(rng.randint(1, d) if axis < n else d for axis, d in enumerate(x))
    held = [tensor(f'n{i}', (n,), y[:n], INT64), tensor(f'a{i}', (n,), list(range(n)), INT64)]
    return [node('Add', [f'u{i}', f'n{i}'], f'e{i}'), node('Slice', [f'x{i}', f'u{i}', f'e{i}', f'a{i}'], f'y{i}')], held, [(x, dtype), ((n,), INT64)], (y, dtype)


MAKERS = {**dict.fromkeys(CASTS, cast_layer), **dict.fromkeys(BINARY, binary_layer), **dict.fromkeys(['shift_left_u32', 'shift_right_u32', 'shift_left_u8', 'shift_right_u8'], shift_layer),
          **dict.fromkeys(UNARY, unary_layer), **dict.fromkeys(INTEGERS, integer_layer), **dict.fromkeys(REDUCED, reduce_layer), **dict.fromkeys(['argmin', 'hardmax', 'lpnormalization'], vectors_layer),
          **dict.fromkeys(['cumsum', 'cumsum_s32', 'cumsum_s64'], scan_layer), **dict.fromkeys(PICKED, gather_elements_layer), 'trilu': trilu_layer, **dict.fromkeys(['nearest', 'nearest_b1'], nearest_layer),
          **dict.fromkeys(['mvn', 'batchnorm'], normalised_layer), **dict.fromkeys(['quantize_axis', 'dequantize_axis', 'quantize_half', 'dequantize_half'], codes_layer), 'rnn': recurrent_layer, 'lppool': lppool_layer, **dict.fromkeys(BY_SLICE, slice_layer),
          'flip': flip_layer, 'expect': expect_layer, 'transposed_half': transposed_layer}
# Of kernels with many terms more layers.
KINDS = list(MAKERS) + list(REDUCED) + list(PICKED) + ['rnn', 'lppool', 'quantize_axis', 'dequantize_axis', 'transposed_half', 'transposed_half']
VALUES = {**dict.fromkeys(['pow', 'reducelogsum_f32'], 'positive'), **dict.fromkeys(UNARY, 'floats'), **dict.fromkeys(['asin', 'acos', 'atanh'], 'fractions'), 'acosh': 'above'}


def value_of(kind, dtype):
    """What an input of a kind holds (fit.py), or nothing where the type says enough."""
    if dtype in ('int32', 'uint32') and kind not in PICKED:
        return 'counts'
    if dtype == 'int64':
        return 'zeros' if kind in PICKED or kind in BY_SLICE else 'numbers'
    if kind == 'expect' and dtype == 'bool':
        return 'trues'
    return VALUES.get(kind) if dtype == 'float32' else None


def layer(rng, i, kind):
    return MAKERS[kind](rng, i, kind)
