"""Networks of many layers of random geometry, each from an input of its own to an output of its own."""
import onnx_bytes
from onnx_bytes import FLOAT, INT8, INT32


def window(rng, kind, channels, least):
    kernel = {'pointwise': 1, 'dense': 1, 'depthwise3x3': 3}.get(kind) or rng.choice([2, 3, 3, 5])
    inputs = rng.choice(channels)
    outputs = inputs if kind.startswith('depthwise') else rng.randint(1, 40)
    lines, pixels = (1, 1) if kind == 'dense' else (rng.randint(5, 14), rng.randint(5, 18))
    stride, pad = (1, 0) if kernel == 1 else (rng.choice([1, 1, 2]), rng.choice([0, kernel // 2]))
    groups = inputs if kind.startswith('depthwise') else 1
    if groups == 1 and kind.startswith('depthwise'):
        inputs = outputs = groups = least
    attributes = [('kernel_shape', [kernel] * 2), ('pads', [pad] * 4), ('strides', [stride] * 2), ('group', groups)]
    x, y = (1, inputs, lines, pixels), (1, outputs) + tuple((n + 2 * pad - kernel) // stride + 1 for n in (lines, pixels))
    return attributes, (outputs, inputs // groups, kernel, kernel), x, y


def int8_layer(rng, i, kind):
    t = onnx_bytes.tensor
    if kind == 'dense':
        inputs, outputs = 4 * rng.randint(1, 80), rng.randint(1, 90)
        attributes, shape, x, y, length = [], (inputs, outputs), (1, inputs), (1, outputs), inputs
    else:
        attributes, shape, x, y = window(rng, kind, [1, 3, 4, 5, 8, 10, 16, 24, 32, 48], 4)
        outputs, length = shape[0], shape[1] * shape[2] * shape[3]
    held = [t(f'w{i}', shape, [rng.randint(-127, 127) for _ in range(outputs * length)], INT8),
            t(f'sw{i}', (outputs,), [rng.uniform(0.5, 1.5) / 127 / length ** 0.5 for _ in range(outputs)]),
            t(f'zw{i}', (outputs,), [0] * outputs, INT8), t(f's{i}', (), [0.02]), t(f'z{i}', (), [-3], INT8)]
    names = [f'{n}{i}' for n in ('x', 's', 'z', 'w', 'sw', 'zw', 's', 'z')]
    if kind != 'dense':
        held.append(t(f'b{i}', (outputs,), [rng.randint(-999, 999) for _ in range(outputs)], INT32))
        names.append(f'b{i}')
    return [onnx_bytes.node('QLinearMatMul' if kind == 'dense' else 'QLinearConv', names, f'y{i}', attributes)], held, x, y


def float_layer(rng, i, kind):
    attributes, shape, x, y = window(rng, kind, range(1, 150) if kind == 'dense' else [1, 2, 3, 4, 7, 8, 12, 16], 5)
    count = shape[0] * shape[1] * shape[2] * shape[3]
    held = [onnx_bytes.tensor(f'w{i}', shape, [rng.uniform(-1, 1) for _ in range(count)]),
            onnx_bytes.tensor(f'b{i}', (shape[0],), [rng.uniform(-1, 1) for _ in range(shape[0])])]
    relu = rng.random() < 0.4
    nodes = [onnx_bytes.node('Conv', [f'x{i}', f'w{i}', f'b{i}'], f'c{i}' if relu else f'y{i}', attributes)]
    if relu:
        nodes.append(onnx_bytes.node('Relu', [f'c{i}'], f'y{i}'))
    return nodes, held, x, y


KINDS = {'int8': (int8_layer, INT8, ['conv', 'pointwise', 'depthwise3x3', 'dense']), 'float32': (float_layer, FLOAT, ['conv', 'pointwise', 'depthwise', 'dense'])}


def network(rng, family, count):
    make, dtype, kinds = KINDS[family]
    layers = [make(rng, i, kinds[i % len(kinds)]) for i in range(count)]
    return onnx_bytes.model([n for layer in layers for n in layer[0]], [t for layer in layers for t in layer[1]],
                            [onnx_bytes.value_info(f'x{i}', layer[2], dtype) for i, layer in enumerate(layers)],
                            [onnx_bytes.value_info(f'y{i}', layer[3], dtype) for i, layer in enumerate(layers)])
