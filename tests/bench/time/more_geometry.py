"""Layers, (nodes, weights, inputs, output[, other outputs]), of random geometry beside convolutions: normalisation, attention, recurrent layers, moves, functions of one element."""
from onnx_bytes import BOOL, FLOAT, INT8, INT32, INT64, UINT8, node, tensor

FUNCTIONS = {'floor': ('Floor', ''), 'gelu': ('Gelu', 'com.microsoft'), 'fastgelu': ('FastGelu', 'com.microsoft'), 'leakyrelu': ('LeakyRelu', '')}


def floats(rng, name, shape):
    count = 1
    for length in shape:
        count *= length
    return tensor(name, shape, [rng.uniform(-1, 1) for _ in range(count)])


def function_layer(rng, i, kind):
    x = (1, rng.randint(1, 2000))
    if kind == 'swish':
        return [node('Sigmoid', [f'x{i}'], f's{i}'), node('Mul', [f'x{i}', f's{i}'], f'y{i}')], [], [(x, FLOAT)], (x, FLOAT)
    if kind == 'clip':
        return [node('Clip', [f'x{i}', f'l{i}', f'h{i}'], f'y{i}')], [tensor(f'l{i}', (), [-0.5]), tensor(f'h{i}', (), [1.0])], [(x, FLOAT)], (x, FLOAT)
    operator, domain = FUNCTIONS[kind]
    return [node(operator, [f'x{i}'], f'y{i}', domain=domain)], [], [(x, FLOAT)], (x, FLOAT)


def quantize_layer(rng, i, kind):
    shape = (1, rng.randint(1, 2000))
    held = [tensor(f's{i}', (), [0.02]), tensor(f'z{i}', (), [120], UINT8)]
    return [node('QuantizeLinear', [f'x{i}', f's{i}', f'z{i}'], f'y{i}')], held, [(shape, FLOAT)], (shape, UINT8)


def normalisation_layer(rng, i, kind):
    x = (rng.randint(1, 16), rng.randint(2, 90))
    held = [floats(rng, f'g{i}', x[1:]), floats(rng, f'b{i}', x[1:])]
    if kind == 'layernorm':
        with_bias = rng.random() < 0.8
        return ([node('LayerNormalization', [f'x{i}', f'g{i}', f'b{i}'][:2 + with_bias], f'y{i}')], held[:1 + with_bias], [(x, FLOAT)], (x, FLOAT))
    return [node('RMSNormalization', [f'x{i}', f'g{i}'], f'y{i}')], held[:1], [(x, FLOAT)], (x, FLOAT)


def sum_layer(rng, i, kind):
    x = (1, rng.randint(1, 32), rng.randint(2, 14), rng.randint(2, 18))
    axes = rng.choice([[1], [3], [2, 3], [1, 2]])
    y = tuple(1 if n in axes else d for n, d in enumerate(x))
    return [node('ReduceSum', [f'x{i}', f'a{i}'], f'y{i}', [('keepdims', 1)])], [tensor(f'a{i}', (len(axes),), axes, INT64)], [(x, FLOAT)], (y, FLOAT)


def affine_layer(rng, i, kind):
    x = (1, rng.randint(1, 40), rng.randint(1, 8), rng.randint(1, 9))
    held = [floats(rng, f'{n}{i}', x[1:2]) for n in 'gbm'] + [tensor(f'v{i}', x[1:2], [rng.uniform(0.5, 2) for _ in range(x[1])])]
    if rng.random() < 0.5:
        return ([node('BatchNormalization', [f'{n}{i}' for n in 'xgbmv'], f'z{i}'), node('Relu', [f'z{i}'], f'y{i}')], held, [(x, FLOAT)], (x, FLOAT))
    return [node('BatchNormalization', [f'{n}{i}' for n in 'xgbmv'], f'y{i}')], held, [(x, FLOAT)], (x, FLOAT)


def product_layer(rng, i, kind):
    """Both operands are made at run time."""
    batch, m, k, n = rng.randint(1, 3), rng.randint(1, 14), rng.randint(1, 24), rng.randint(1, 14)
    ports = [((batch, m, k), FLOAT), ((batch, k, n), FLOAT)]
    if rng.random() < 0.4:  # the second one transposed
        ports[1] = ((batch, n, k), FLOAT)
        return ([node('Transpose', [f'u{i}'], f't{i}', [('perm', [0, 2, 1])]), node('MatMul', [f'x{i}', f't{i}'], f'y{i}')], [], ports,
                ((batch, m, n), FLOAT))
    return [node('MatMul', [f'x{i}', f'u{i}'], f'y{i}')], [], ports, ((batch, m, n), FLOAT)


def attention_layer(rng, i, kind):
    heads, rows, keys, size, values = rng.randint(1, 4), rng.randint(1, 12), rng.randint(2, 20), rng.randint(2, 20), rng.randint(2, 20)
    if kind == 'causal':
        keys = rows = rng.randint(2, 14)
    ports = [((1, heads, rows, size), FLOAT), ((1, heads, keys, size), FLOAT), ((1, heads, keys, values), FLOAT)]
    masks = []
    if kind == 'masked':
        ports.append(((rows, keys), FLOAT))
        masks = [f'm{i}']
    if kind == 'allowed':
        ports.append(((rows, keys), BOOL))
        masks = [f'm{i}']
    if kind == 'allowed_biased':  # as networks have it that are written out
        ports[1] = ((1, heads, size, keys), FLOAT)
        ports.append(((rows, keys), BOOL))
        held = [floats(rng, f'b{i}', (1, heads, rows, keys)), tensor(f'o{i}', (), [0.0]), tensor(f'n{i}', (), [-1e30])]
        nodes = [node('Where', [f'm{i}', f'o{i}', f'n{i}'], f'w{i}'), node('MatMul', [f'x{i}', f'u{i}'], f's{i}'), node('Add', [f's{i}', f'b{i}'], f'a{i}'), node('Add', [f'a{i}', f'w{i}'], f'c{i}'),
                 node('Softmax', [f'c{i}'], f'p{i}', [('axis', 3)]), node('MatMul', [f'p{i}', f'v{i}'], f'y{i}')]
        return nodes, held, ports, ((1, heads, rows, values), FLOAT)
    return [node('Attention', [f'x{i}', f'u{i}', f'v{i}', *masks], f'y{i}', [('is_causal', int(kind == 'causal'))])], [], ports, ((1, heads, rows, values), FLOAT)


def topk_layer(rng, i, kind):
    x = (rng.randint(1, 6), rng.randint(2, 120))
    k = rng.randint(1, min(x[1], rng.choice([3, 10, 40])))
    return ([node('TopK', [f'x{i}', f'k{i}'], [f'y{i}', f'n{i}'])], [tensor(f'k{i}', (1,), [k], INT64)], [(x, FLOAT)], ((x[0], k), FLOAT),
            [(f'n{i}', ((x[0], k), INT64))])


def trees_layer(rng, i, kind):
    """Trees whose leaves are all as deep, so that how many comparisons lead to one is known."""
    inputs, examples, targets, zeros = rng.randint(1, 20), rng.randint(1, 12), rng.randint(1, 5), rng.choice([0, 0.3, 0.6])
    nodes, leaves = {name: [] for name in ('treeids', 'nodeids', 'featureids', 'values', 'modes', 'truenodeids', 'falsenodeids')}, {name: [] for name in ('treeids', 'nodeids', 'ids', 'weights')}
    for tree in range(rng.randint(1, 12)):
        depth = rng.randint(0, 6)
        for at in range(2 ** (depth + 1) - 1):
            leaf = at >= 2 ** depth - 1
            row = tree, at, 0 if leaf else rng.randrange(inputs), 0.0 if leaf else rng.uniform(-0.6, 0.6), 'LEAF' if leaf else 'BRANCH_LEQ', 0 if leaf else 2 * at + 1, 0 if leaf else 2 * at + 2
            for values, value in zip(nodes.values(), row):
                values.append(value)
            if leaf:
                for target in range(tree % targets + 1):
                    for values, value in zip(leaves.values(), (tree, at, target, 0.0 if rng.random() < zeros else rng.uniform(-1, 1))):
                        values.append(value)
    attributes = [(f'nodes_{name}', values) for name, values in nodes.items()] + [(f'target_{name}', values) for name, values in leaves.items()] + [('n_targets', targets)]
    if rng.random() < 0.5:
        attributes.append(('base_values', [rng.uniform(-1, 1) for _ in range(targets)]))
    attributes.append(('aggregate_function', rng.choice(['SUM', 'SUM', 'AVERAGE'])))
    return [node('TreeEnsembleRegressor', [f'x{i}'], f'y{i}', attributes, domain='ai.onnx.ml')], [], [((examples, inputs), FLOAT)], ((examples, targets), FLOAT)


def recurrent_layer(rng, i, kind):
    steps, inputs, units = rng.randint(1, 8), rng.randint(1, 20), rng.randint(1, 20)
    gates = {'lstm': 4, 'gru': 3, 'gru_linear': 3}[kind]
    held = [floats(rng, f'w{i}', (1, gates * units, inputs)), floats(rng, f'r{i}', (1, gates * units, units)), floats(rng, f'b{i}', (1, 2 * gates * units))]
    attributes = [('hidden_size', units)] + [('linear_before_reset', 1)] * (kind == 'gru_linear')
    operands, ports, state = [f'x{i}', f'w{i}', f'r{i}', f'b{i}'], [((steps, 1, inputs), FLOAT)], ((1, 1, units), FLOAT)
    if rng.random() < 0.4:  # states before and behind
        ports.append(state)
        operands += ['', f'u{i}']
        if kind == 'lstm':
            ports.append(state)
            operands.append(f'v{i}')
    outputs, more = [f'y{i}'], []
    if rng.random() < 0.6:
        outputs += [f'h{i}'] + [f'c{i}'] * (kind == 'lstm')
        more = [(name, state) for name in outputs[1:]]
    return [node({'lstm': 'LSTM'}.get(kind, 'GRU'), operands, outputs, attributes)], held, ports, ((steps, 1, 1, units), FLOAT), more


def move_layer(rng, i, kind):
    if kind == 'copy':
        x, u = (rng.randint(1, 12), rng.randint(1, 60)), rng.randint(1, 60)
        dtype = rng.choice([FLOAT, INT8])
        return ([node('Concat', [f'x{i}', f'u{i}', f'x{i}'], f'y{i}', [('axis', 1)])], [], [(x, dtype), ((x[0], u), dtype)], ((x[0], 2 * x[1] + u), dtype))
    if kind == 'gather':
        x, count = (rng.randint(1, 4), rng.randint(2, 20), rng.randint(1, 40)), rng.randint(1, 20)
        return ([node('Gather', [f'x{i}', f'u{i}'], f'y{i}', [('axis', 1)])], [], [(x, FLOAT), ((count,), rng.choice([INT32, INT64]))], ((x[0], count, x[2]), FLOAT))
    dtype = INT8 if kind.endswith('1') else FLOAT
    if kind.startswith('repeat'):
        x = (1, rng.randint(1, 24), rng.randint(1, 8), rng.randint(1, 9))
        times = rng.choice([2, 2, 3])
        held = [tensor(f's{i}', (4,), [1, 1, times, times])]
        return [node('Resize', [f'x{i}', '', f's{i}'], f'y{i}')], held, [(x, dtype)], ((1, x[1], times * x[2], times * x[3]), dtype)
    if rng.random() < 0.4:
        x = (rng.randint(1, 6), rng.randint(1, 40), rng.randint(4, 30))
        if rng.random() < 0.2:  # one run
            x = (1, 1, x[2])
        held = [tensor(f'b{i}', (1,), [rng.randint(0, 2)], INT64), tensor(f'e{i}', (1,), [x[2]], INT64), tensor(f'a{i}', (1,), [2], INT64),
                tensor(f'p{i}', (1,), [2], INT64)]
        begin = held and int.from_bytes(held[0][-8:], 'little')
        return [node('Slice', [f'{n}{i}' for n in 'xbeap'], f'y{i}')], held, [(x, dtype)], ((x[0], x[1], (x[2] - begin + 1) // 2), dtype)
    x = tuple(rng.randint(2, 9) for _ in range(3)) + (rng.choice([rng.randint(2, 9), rng.randint(2, 70)]),)
    perm = rng.choice([[0, 2, 1, 3], [2, 1, 0, 3], [1, 3, 0, 2], [3, 2, 1, 0]])
    return [node('Transpose', [f'x{i}'], f'y{i}', [('perm', perm)])], [], [(x, dtype)], (tuple(x[n] for n in perm), dtype)


MAKERS = {**dict.fromkeys(['floor', 'gelu', 'fastgelu', 'leakyrelu', 'swish', 'clip'], function_layer), 'quantize_u8': quantize_layer,
          'layernorm': normalisation_layer, 'rmsnorm': normalisation_layer, 'sum': sum_layer, 'affine': affine_layer, 'product': product_layer,
          'attention': attention_layer, 'causal': attention_layer, 'masked': attention_layer, 'allowed': attention_layer, 'allowed_biased': attention_layer, 'topk': topk_layer, 'trees': trees_layer, 'lstm': recurrent_layer, 'gru': recurrent_layer, 'gru_linear': recurrent_layer,
          **dict.fromkeys(['copy', 'gather', 'strided', 'strided1', 'repeat', 'repeat1'], move_layer)}
DATA_DECIDE = ['masked', 'allowed', 'topk', 'allowed_biased', 'trees']
KINDS = [kind for kind in MAKERS if kind not in DATA_DECIDE] + ['product', 'lstm', 'attention']


def layer(rng, i, kind):
    return MAKERS[kind](rng, i, kind)
