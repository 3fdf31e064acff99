"""What runs by lines: networks of bottlenecks of random geometry, whose layers join, and images that come in planes."""
from onnx_bytes import FLOAT, INT8, INT32, node, tensor

KINDS = ['int8', 'float', 'int8 signal', 'float signal']
PLANES = ['int8', 'float']


def conv(rng, name, x, y, shape, groups, attributes, kind):
    """(nodes, weights) of a convolution from x to y; floats with a Relu."""
    count = shape[0] * shape[1] * shape[2] * shape[3]
    length, table = count // shape[0], rng.random() < 0.25  # another activation, which is a layer of its own
    attributes = [*attributes, ('group', groups)]
    if kind.startswith('float'):
        held = [tensor(f'w{name}', shape, [rng.uniform(-1, 1) / length ** 0.5 for _ in range(count)]),
                tensor(f'b{name}', (shape[0],), [rng.uniform(-1, 1) for _ in range(shape[0])])]
        return [node('Conv', [x, f'w{name}', f'b{name}'], f'c{name}', attributes), node('HardSwish' if table else 'Relu', [f'c{name}'], y)], held
    held = [tensor(f's{name}', (), [0.02]), tensor(f'z{name}', (), [-3], INT8), tensor(f'v{name}', (), [-128], INT8),
            tensor(f'w{name}', shape, [rng.randint(-127, 127) for _ in range(count)], INT8),
            tensor(f'sw{name}', (shape[0],), [rng.uniform(0.5, 1.5) / 127 / length ** 0.5 for _ in range(shape[0])]),
            tensor(f'zw{name}', (shape[0],), [0] * shape[0], INT8), tensor(f'b{name}', (shape[0],), [rng.randint(-999, 999) for _ in range(shape[0])], INT32)]
    names = [x] + [f'{n}{name}' for n in ('s', 'z', 'w', 'sw', 'zw', 's', 'v', 'b')]
    if not table:
        return [node('QLinearConv', names, y, attributes)], held
    return [node('QLinearConv', names, f'q{name}', attributes), node('DequantizeLinear', [f'q{name}', f's{name}', f'v{name}'], f'd{name}'),
            node('Sigmoid', [f'd{name}'], f'e{name}'), node('QuantizeLinear', [f'e{name}', f's{name}', f'v{name}'], y)], held


def layer(rng, i, kind):
    """(nodes, weights, inputs, output): ports as (shape, type); a network by itself."""
    signal = kind.endswith('signal')
    lines, pixels = (rng.randint(24, 60), 1) if signal else (rng.randint(20, 34), rng.randint(20, 34))
    channels = rng.choice([3, 4, 8])
    dtype = FLOAT if kind.startswith('float') else INT8
    x, at, nodes, held = (1, channels, lines, pixels), f'x{i}', [], []

    def add(name, outputs, kernel, stride, depthwise):
        nonlocal at, channels, lines, pixels
        across = 1 if signal else kernel
        attributes = [('kernel_shape', [kernel, across]), ('pads', [kernel // 2, across // 2] * 2), ('strides', [stride, 1 if signal else stride])]
        made = f'r{name}' if name else f'y{i}'
        found = conv(rng, name, at, made, (outputs, 1 if depthwise else channels, kernel, across), channels if depthwise else 1, attributes, kind)
        nodes.extend(found[0])
        held.extend(found[1])
        at, channels = made, outputs
        lines = (lines - 1) // stride + 1
        pixels = pixels if signal else (pixels - 1) // stride + 1

    add(f'{i}_0', rng.choice([8, 12, 16]), rng.choice([3, 7, 11]) if signal else 3, 1 if signal else rng.choice([1, 2]), False)
    for block in range(1, 1 + rng.randint(2, 4)):
        if rng.random() < 0.8:
            add(f'{i}_{block}a', rng.choice([2, 3, 4]) * channels, 1, 1, False)
        if signal and rng.random() < 0.5:  # many rows to a window, and outputs that fill no block
            add(f'{i}_{block}b', rng.choice([8, 11, 14, 16]), rng.choice([3, 5, 9, 11]), 1, False)
        else:
            add(f'{i}_{block}b', channels, rng.choice([3, 3, 5]), rng.choice([1, 1, 2]), True)
        add(f'{i}_{block}c', rng.choice([8, 12, 14, 16, 24]), 1, 1, False)
    add('', channels, 1, 1, False)
    return nodes, held, [(x, dtype)], ((1, channels, lines, pixels), dtype)


def planes_layer(rng, i, kind):
    """A layer of one pixel over an input of several planes, whose rows become lines first."""
    x = (1, rng.randint(2, 6), rng.randint(3, 24), rng.randint(3, 48))
    outputs, dtype = rng.randint(1, 4), FLOAT if kind == 'float' else INT8
    attributes = [('kernel_shape', [1, 1]), ('pads', [0] * 4), ('strides', [1, 1])]
    nodes, held = conv(rng, f'{i}', f'x{i}', f'y{i}', (outputs, x[1], 1, 1), 1, attributes, kind)
    return nodes, held, [(x, dtype)], ((1, outputs, *x[2:]), dtype)
