"""Layers, (nodes, weights, inputs, output), of random geometry with the kernels that few networks use: functions, comparisons, integers, choices, padding, picking, products of codes, weights of 4 bits."""
from more_geometry import floats
from onnx_bytes import BOOL, FLOAT, FLOAT16, INT8, INT32, INT64, UINT8, node, tensor

UNARY = {'sqrt': 'Sqrt', 'neg': 'Neg', 'reciprocal': 'Reciprocal', 'cos': 'Cos', 'sin': 'Sin', 'log': 'Log', 'softplus': 'Softplus', 'mish': 'Mish', 'round': 'Round',
         'abs': 'Abs', 'elu': 'Elu', 'erf': 'Erf'}
BINARY = {'equal': ('Equal', FLOAT, BOOL), 'greater': ('Greater', FLOAT, BOOL), 'less': ('Less', FLOAT, BOOL), 'max': ('Max', FLOAT, FLOAT), 'min': ('Min', FLOAT, FLOAT),
          'prelu': ('PRelu', FLOAT, FLOAT), 'and': ('And', BOOL, BOOL), 'mul_s64': ('Mul', INT64, INT64), 'add_s64': ('Add', INT64, INT64), 'div_s64': ('Div', INT64, INT64),
          'sub_s64': ('Sub', INT64, INT64), 'equal_s64': ('Equal', INT64, BOOL), 'equal_s32': ('Equal', INT32, BOOL)}
BROADCAST = {'add_nd': 'Add', 'sub_nd': 'Sub', 'mul_nd': 'Mul', 'div_nd': 'Div'}
CASTS = {'cast_s64_f32': (INT64, FLOAT), 'cast_f32_s64': (FLOAT, INT64), 'cast_s64_bool': (INT64, BOOL), 'cast_bool_f32': (BOOL, FLOAT), 'cast_bool_s64': (BOOL, INT64),
         'cast_u8_s64': (UINT8, INT64), 'cast_f16_f32': (FLOAT16, FLOAT), 'cast_f32_f16': (FLOAT, FLOAT16), 'cast_s32_f32': (INT32, FLOAT), 'cast_s64_s32': (INT64, INT32)}
REDUCTIONS = {'reducemax': 'ReduceMax', 'reducemin': 'ReduceMin', 'reducel1': 'ReduceL1', 'reducel2': 'ReduceL2', 'reduceprod': 'ReduceProd'}
# What the inputs of a kind hold where the element type alone does not say it (fit.py).
VALUES = {**dict.fromkeys(['sqrt', 'log', 'reciprocal'], 'positive'), 'allowed': 'codes', 'gather_nd': 'zeros', 'gather_nd_b1': 'zeros', 'gather_b1': 'zeros', 'gather_b2': 'zeros', 'gather_b8': 'zeros'}


def flat(rng, most=2000):
    return (1, rng.randint(1, most))


def unary_layer(rng, i, kind):
    # Which branch an element takes its value decides: of these enough for an average.
    x = (1, rng.randint(600, 2000)) if kind == 'elu' else (1, rng.randint(64, 2000)) if kind in ('cos', 'sin', 'round', 'log') else flat(rng)
    return [node(UNARY[kind], [f'x{i}'], f'y{i}')], [], [(x, FLOAT)], (x, FLOAT)


def not_layer(rng, i, kind):
    x = flat(rng)
    return [node('Not', [f'x{i}'], f'y{i}')], [], [(x, BOOL)], (x, BOOL)


def binary_layer(rng, i, kind):
    operator, dtype, made = BINARY[kind]
    x = (1, rng.randint(64, 2000)) if kind == 'prelu' else flat(rng)
    return [node(operator, [f'x{i}', f'u{i}'], f'y{i}')], [], [(x, dtype)] * 2, (x, made)


def broadcast_layer(rng, i, kind):
    """Either operand is repeated along axes that do not follow each other."""
    x = tuple(rng.randint(2, 6) for _ in range(rng.choice([3, 4, 4])))
    odd = rng.random() < 0.5
    a, b = (tuple(1 if (n % 2 == o) else d for n, d in enumerate(x)) for o in (odd, not odd))
    return [node(BROADCAST[kind], [f'x{i}', f'u{i}'], f'y{i}')], [], [(a, FLOAT), (b, FLOAT)], (x, FLOAT)


def cast_layer(rng, i, kind):
    x, (dtype, made) = flat(rng), CASTS[kind]
    return [node('Cast', [f'x{i}'], f'y{i}', [('to', made)])], [], [(x, dtype)], (x, made)


def where_layer(rng, i, kind):
    dtype = {'where': FLOAT, 'where_b1': INT8, 'where_b8': INT64}[kind]
    x = tuple(rng.randint(2, 8) for _ in range(rng.choice([1, 2, 3, 4])))
    b = tuple(1 if rng.random() < 0.4 else d for d in x)
    return [node('Where', [f'x{i}', f'u{i}', f'v{i}'], f'y{i}')], [], [(x, BOOL), (x, dtype), (b, dtype)], (x, dtype)


def pad_layer(rng, i, kind):
    x = (1, rng.randint(1, 12), rng.randint(3, 9), rng.choice([rng.randint(3, 12), rng.randint(3, 70)]))
    pads = [0] * 8
    for axis in rng.choice([[3], [2, 3], [2, 3], [1], [1, 2, 3]]):
        pads[axis], pads[4 + axis] = rng.randint(0, 2), rng.randint(0, 2)
    if not any(pads):
        pads[7] = 1
    if kind == 'pad_reflect' and max(pads[1], pads[5]) >= x[1]:
        pads[1] = pads[5] = 0
        pads[7] = 1
    dtype = INT8 if kind == 'pad_b1' else FLOAT
    y = tuple(d + pads[n] + pads[4 + n] for n, d in enumerate(x))
    mode = [('mode', rng.choice(['reflect', 'edge']))] if kind == 'pad_reflect' else []
    return [node('Pad', [f'x{i}', f'p{i}'], f'y{i}', mode)], [tensor(f'p{i}', (8,), pads, INT64)], [(x, dtype)], (y, dtype)


def gather_nd_layer(rng, i, kind):
    x, count, depth = (rng.randint(2, 6), rng.randint(2, 6), rng.randint(1, 20)), rng.randint(1, 40), rng.randint(1, 3)
    dtype = INT8 if kind == 'gather_nd_b1' else FLOAT
    return [node('GatherND', [f'x{i}', f'u{i}'], f'y{i}')], [], [(x, dtype), ((count, depth), INT64)], ((count, *x[depth:]), dtype)


def gather_layer(rng, i, kind):
    dtype = {'gather_b1': INT8, 'gather_b2': FLOAT16, 'gather_b8': INT64}[kind]
    x, count = (rng.randint(1, 4), rng.randint(2, 20), rng.randint(1, 40)), rng.randint(1, 20)
    return [node('Gather', [f'x{i}', f'u{i}'], f'y{i}', [('axis', 1)])], [], [(x, dtype), ((count,), rng.choice([INT32, INT64]))], ((x[0], count, x[2]), dtype)


def argmax_layer(rng, i, kind):
    x, axis = (rng.randint(1, 8), rng.randint(2, 30), rng.randint(1, 20)), rng.choice([1, 2])
    y = tuple(1 if n == axis else d for n, d in enumerate(x))
    return [node('ArgMax', [f'x{i}'], f'y{i}', [('axis', axis)])], [], [(x, FLOAT)], (y, INT64)


def reduce_layer(rng, i, kind):
    x = (1, rng.randint(1, 24), rng.randint(2, 12), rng.randint(2, 14))
    axes = rng.choice([[1], [3], [2, 3], [1, 2], [2]])
    y = tuple(1 if n in axes else d for n, d in enumerate(x))
    return [node(REDUCTIONS[kind], [f'x{i}', f'a{i}'], f'y{i}', [('keepdims', 1)])], [tensor(f'a{i}', (len(axes),), axes, INT64)], [(x, FLOAT)], (y, FLOAT)


def rotary_layer(rng, i, kind):
    heads, steps, half = rng.randint(1, 4), rng.randint(1, 12), rng.randint(1, 12)
    turned = rng.randint(1, half)
    size, interleaved = 2 * half, int(rng.random() < 0.4)
    held = [floats(rng, f'c{i}', (1, steps, turned)), floats(rng, f's{i}', (1, steps, turned))]
    return ([node('RotaryEmbedding', [f'x{i}', f'c{i}', f's{i}'], f'y{i}', [('interleaved', interleaved), ('rotary_embedding_dim', 2 * turned)])], held,
            [((1, heads, steps, size), FLOAT)], ((1, heads, steps, size), FLOAT))


def group_layer(rng, i, kind):
    groups, of = rng.randint(1, 4), rng.randint(1, 6)
    x = (1, groups * of, rng.randint(1, 8), rng.randint(1, 9))
    held = [floats(rng, f'g{i}', (x[1],)), floats(rng, f'b{i}', (x[1],))]
    return [node('GroupNormalization', [f'x{i}', f'g{i}', f'b{i}'], f'y{i}', [('num_groups', groups)])], held, [(x, FLOAT)], (x, FLOAT)


def lrn_layer(rng, i, kind):
    x = (1, rng.randint(2, 24), rng.randint(1, 5), rng.randint(1, 5))
    return [node('LRN', [f'x{i}'], f'y{i}', [('size', rng.choice([3, 5]))])], [], [(x, FLOAT)], (x, FLOAT)


def dynamic_layer(rng, i, kind):
    x = flat(rng)
    return ([node('DynamicQuantizeLinear', [f'x{i}'], [f'y{i}', f's{i}', f'z{i}'])], [], [(x, FLOAT)], (x, UINT8), [(f's{i}', ((), FLOAT)), (f'z{i}', ((), UINT8))])


def coded_scales(rng, i, name, zero):
    return [tensor(f's{name}{i}', (), [rng.uniform(0.005, 0.04)]), tensor(f'z{name}{i}', (), [zero], INT8)]


def int_layernorm_layer(rng, i, kind):
    x = (rng.randint(1, 16), rng.randint(2, 90))
    held = [floats(rng, f'g{i}', x[1:]), floats(rng, f'b{i}', x[1:])] + coded_scales(rng, i, 'x', -3) + coded_scales(rng, i, 'y', 4)
    with_bias = rng.random() < 0.8
    nodes = [node('DequantizeLinear', [f'x{i}', f'sx{i}', f'zx{i}'], f'd{i}'), node('LayerNormalization', [f'd{i}', f'g{i}', f'b{i}'][:2 + with_bias], f'e{i}'),
             node('QuantizeLinear', [f'e{i}', f'sy{i}', f'zy{i}'], f'y{i}')]
    return nodes, held[:1 + with_bias] + held[2:], [(x, INT8)], (x, INT8)


def product_layer(rng, i, kind):
    """Both operands are made at run time; by few columns too."""
    batch, m, k, n = rng.randint(1, 3), rng.randint(1, 40), rng.randint(1, 70), rng.choice([1, 2, 3, 4, 5, 7, 8, 16, 21, 33])
    held = coded_scales(rng, i, 'x', rng.choice([-3, 0])) + coded_scales(rng, i, 'u', rng.choice([5, 0])) + [tensor(f'sy{i}', (), [rng.uniform(0.05, 0.2)]), tensor(f'zy{i}', (), [rng.choice([-128, 3])], INT8)]
    if i % 7 == 3:  # short sums, a few of which lie on ties
        k, held[0::2] = 4 + k % 13, [tensor(f's{name}{i}', (), [scale]) for name, scale in zip('xuy', (0.02, 0.02, 0.5))]
    if i % 7 == 5:  # sums of large steps, whose lines have few bits behind the point
        k, held[0::2] = 1 + k % 9, [tensor(f's{name}{i}', (), [scale]) for name, scale in zip('xuy', (0.3137, 0.4711, 0.2713))]
    if i % 7 == 1:  # many sums on ties
        k, held[0::2] = 4 + k % 29, [tensor(f's{name}{i}', (), [rng.choice(scales)]) for name, scales in zip('xuy', ((0.25, 0.5, 0.75, 1.5), (0.1, 0.25, 0.75), (0.05, 0.25, 0.75, 1.0, 2.0)))]
    heads = i % 5 in (2, 4)  # as attention has them: within rows
    near = heads or rng.random() < 0.5
    ports = [((1, m, batch, k), INT8), ((1, n, batch, k), INT8)] if heads else [((batch, m, k), INT8), ((batch, n, k) if near else (batch, k, n), INT8)]
    nodes = [node('DequantizeLinear', [f'{c}{i}', f's{c}{i}', f'z{c}{i}'], f'd{c}{i}') for c in 'xu']
    if near:
        nodes.append(node('Transpose', [f'du{i}'], f't{i}', [('perm', [0, 2, 3, 1] if heads else [0, 2, 1])]))
    if heads:
        nodes.append(node('Transpose', [f'dx{i}'], f'h{i}', [('perm', [0, 2, 1, 3])]))
    nodes += [node('MatMul', [f'h{i}' if heads else f'dx{i}', f't{i}' if near else f'du{i}'], f'e{i}')]
    last = f'e{i}'
    if rng.random() < 0.3:
        nodes.append(node('Relu', [last], f'r{i}'))
        last = f'r{i}'
    nodes.append(node('QuantizeLinear', [last, f'sy{i}', f'zy{i}'], f'y{i}'))
    return nodes, held, ports, ((1, batch, m, n) if heads else (batch, m, n), INT8)


def int_mean_layer(rng, i, kind):
    """A mean of codes that stays a number."""
    x = (1, rng.randint(1, 48), rng.randint(1, 9), rng.randint(1, 9))
    nodes = [node('DequantizeLinear', [f'x{i}', f'sx{i}', f'zx{i}'], f'd{i}'), node('GlobalAveragePool', [f'd{i}'], f'y{i}')]
    return nodes, coded_scales(rng, i, 'x', -3), [(x, INT8)], (x[:2] + (1, 1), FLOAT)


def table_layer(rng, i, kind):
    x, count = (rng.randint(2, 24), rng.randint(1, 60)), rng.randint(1, 20)
    return [node('Gather', [f'w{i}', f'x{i}'], f'y{i}', [('axis', 0)])], [floats(rng, f'w{i}', x)], [((count,), rng.choice([INT32, INT64]))], ((count, x[1]), FLOAT)


def transpose_layer(rng, i, kind):
    x = tuple(rng.randint(2, 9) for _ in range(3)) + (rng.choice([rng.randint(2, 9), rng.randint(2, 40)]),)
    perm, dtype = rng.choice([[0, 2, 1, 3], [0, 1, 3, 2], [1, 3, 0, 2], [3, 2, 1, 0]]), {'transpose_b2': FLOAT16, 'transpose_b8': INT64}[kind]
    return [node('Transpose', [f'x{i}'], f'y{i}', [('perm', perm)])], [], [(x, dtype)], (tuple(x[n] for n in perm), dtype)


MAKERS = {**dict.fromkeys(UNARY, unary_layer), 'not': not_layer, **dict.fromkeys(BINARY, binary_layer), **dict.fromkeys(BROADCAST, broadcast_layer), **dict.fromkeys(CASTS, cast_layer),
          **dict.fromkeys(['where', 'where_b1', 'where_b8'], where_layer), **dict.fromkeys(['pad', 'pad_b1', 'pad_reflect'], pad_layer),
          **dict.fromkeys(['gather_nd', 'gather_nd_b1'], gather_nd_layer), **dict.fromkeys(['gather_b1', 'gather_b2', 'gather_b8'], gather_layer), 'argmax': argmax_layer,
          **dict.fromkeys(REDUCTIONS, reduce_layer), 'rotary': rotary_layer, 'group': group_layer, 'lrn': lrn_layer, 'dynamic': dynamic_layer, 'int_layernorm': int_layernorm_layer,
          'int_mean': int_mean_layer, **dict.fromkeys(['transpose_b2', 'transpose_b8'], transpose_layer)}
KINDS = list(MAKERS) + ['transpose_b2', 'transpose_b8', 'argmax', 'gather_nd_b1']
PRODUCTS = ['product']


def layer(rng, i, kind):
    return MAKERS[kind](rng, i, kind)
