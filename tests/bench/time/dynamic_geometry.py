"""Layers, (nodes, weights, inputs, output), of random geometry: transposed convolutions, and layers of codes whose scale is made at run time."""
from more_geometry import floats
from onnx_bytes import FLOAT, INT8, UINT8, node, tensor
from rest_geometry import between


def transposed_layer(rng, i, kind):
    kernel, stride = rng.choice([2, 3, 3, 4, 5]), rng.choice([1, 2, 2, 3])
    inputs, outputs, pad = rng.choice([1, 2, 3, 4, 7, 8]), rng.randint(1, 13), rng.randint(0, kernel // 2)
    x = (1, inputs, rng.randint(2, 6), rng.randint(3, 12))
    y = (1, outputs) + tuple((n - 1) * stride + kernel - 2 * pad for n in x[2:])
    if min(y[2:]) < 1:
        return transposed_layer(rng, i, kind)
    held, relu = [floats(rng, f'w{i}', (inputs, outputs, kernel, kernel)), floats(rng, f'b{i}', (outputs,))], rng.random() < 0.3
    nodes = [node('ConvTranspose', [f'x{i}', f'w{i}', f'b{i}'], f'c{i}' if relu else f'y{i}', [('kernel_shape', [kernel] * 2), ('strides', [stride] * 2), ('pads', [pad] * 4)])]
    return nodes + [node('Relu', [f'c{i}'], f'y{i}')] * relu, held, [(x, FLOAT)], (y, FLOAT)


def transposed_codes_layer(rng, i, kind):
    """The same of codes, between conversions."""
    _, _, [(x, _)], (y, _) = transposed_layer(rng, i, kind)
    kernel, stride = rng.choice([2, 3, 3, 4, 5]), rng.choice([1, 2, 2, 3])
    pad, outputs = rng.randint(0, kernel // 2), y[1]
    y = (1, outputs) + tuple((n - 1) * stride + kernel - 2 * pad for n in x[2:])
    if min(y[2:]) < 1:
        return transposed_codes_layer(rng, i, kind)
    scales = [rng.uniform(0.001, 0.004) for _ in range(outputs)]
    held = [tensor(f'w{i}', (x[1], outputs, kernel, kernel), [rng.randint(-127, 127) for _ in range(x[1] * outputs * kernel ** 2)], INT8), tensor(f'sw{i}', (outputs,), scales),
            tensor(f'zw{i}', (outputs,), [0] * outputs, INT8)]
    nodes, held, ports, made = between(rng, i, 'ConvTranspose', 'x', held, [x], y, INT8, [('kernel_shape', [kernel] * 2), ('strides', [stride] * 2), ('pads', [pad] * 4)], ['dw'])
    return [node('DequantizeLinear', [f'w{i}', f'sw{i}', f'zw{i}'], f'dw{i}', [('axis', 1)])] + nodes, held, ports, made


def dynamic_conv_layer(rng, i, kind):
    """Codes whose scale is made at run time: products of integers that are numbers behind."""
    deep = kind == 'dynamic_depthwise'
    kernel, stride = rng.choice([3, 3, 5]) if deep else rng.choice([1, 1, 2, 3, 3, 5]), rng.choice([1, 1, 2])
    inputs, pad = rng.choice([1, 3, 4, 6, 8, 10, 16, 24]), rng.choice([0, kernel // 2])
    outputs, groups = (inputs, inputs) if deep else (rng.randint(1, 24), 1)
    x = (1, inputs, rng.randint(5, 9), rng.randint(5, 11))
    y = (1, outputs) + tuple((n + 2 * pad - kernel) // stride + 1 for n in x[2:])
    shape = (outputs, inputs // groups, kernel, kernel)
    held = [tensor(f'w{i}', shape, [rng.randint(-127, 127) for _ in range(outputs * shape[1] * kernel ** 2)], INT8), tensor(f'q{i}', (), [rng.choice([0, 0, 5])], INT8),
            tensor(f's{i}', (), [0.01]), floats(rng, f'b{i}', (outputs, 1, 1))]
    attributes, biased = [('kernel_shape', [kernel] * 2), ('strides', [stride] * 2), ('pads', [pad] * 4), ('group', groups)], rng.random() < 0.7
    nodes = [node('DynamicQuantizeLinear', [f'x{i}'], [f'd{i}', f'e{i}', f'z{i}']), node('ConvInteger', [f'd{i}', f'w{i}', f'z{i}', f'q{i}'], f'c{i}', attributes), node('Cast', [f'c{i}'], f'f{i}', [('to', FLOAT)]),
             node('Mul', [f'e{i}', f's{i}'], f'g{i}'), node('Mul', [f'f{i}', f'g{i}'], f'h{i}' if biased else f'y{i}')]
    return nodes + [node('Add', [f'h{i}', f'b{i}'], f'y{i}')] * biased, held[:3 + biased], [(x, FLOAT)], (y, FLOAT)


def qlinear_softmax_layer(rng, i, kind):
    x = (rng.randint(1, 12), rng.randint(2, 60))
    held = [tensor(f's{i}', (), [0.05]), tensor(f'z{i}', (), [128], UINT8), tensor(f't{i}', (), [1 / 256]), tensor(f'v{i}', (), [0], UINT8)]
    return ([node('QLinearSoftmax', [f'{n}{i}' for n in 'xsztv'], f'y{i}', [('axis', 1), ('opset', 13)], domain='com.microsoft')], held, [(x, UINT8)], (x, UINT8))


MAKERS = {'transposed': transposed_layer, 'transposed_codes': transposed_codes_layer, 'dynamic_conv': dynamic_conv_layer, 'dynamic_depthwise': dynamic_conv_layer, 'qlinear_softmax': qlinear_softmax_layer}


def layer(rng, i, kind):
    return MAKERS[kind](rng, i, kind)
