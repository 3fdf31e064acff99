"""Recurrent layers of random geometry, (nodes, weights, inputs, output[, other outputs]), whose sequences are codes."""
import struct

from more_geometry import floats
from onnx_bytes import FLOAT, INT8, node, tensor
from rest_geometry import port

GATES = {'lstm': 4, 'gru': 3, 'gru_linear': 3, 'rnn': 1}
KINDS = [*GATES, *(f'{kind} coded' for kind in GATES)]


def bfloat(value):
    """The number that two bytes of a float hold: kernels keep such scales."""
    return struct.unpack('<f', b'\0\0' + struct.pack('<f', value)[2:])[0]


def coded_rows(rng, name, i, shape):
    """Codes of 8 bits, a scale for each row or the same for all, and the nodes that make floats of them."""
    rows = shape[1]
    scales = [bfloat(rng.uniform(0.002, 0.006)) for _ in range(rows)] if rng.random() < 0.5 else [0.00390625] * rows
    codes = [rng.randint(-127, 127) for _ in range(rows * shape[2])]
    held = [tensor(f'c{name}{i}', shape, codes, INT8), tensor(f's{name}{i}', (rows,), scales), tensor(f'z{name}{i}', (rows,), [0] * rows, INT8)]
    return held, [node('DequantizeLinear', [f'c{name}{i}', f's{name}{i}', f'z{name}{i}'], f'{name}{i}', [('axis', 1)])]


def layer(rng, i, kind):
    steps, inputs, units = rng.randint(1, 8), rng.randint(1, 20), rng.randint(1, 20)
    name, coded = kind.split()[0], kind.endswith('coded')
    gates, lstm, held, nodes = GATES[name], name == 'lstm', [], []
    for matrix, columns in (('w', inputs), ('r', units)):
        shape = (1, gates * units, columns)
        some, made = coded_rows(rng, matrix, i, shape) if coded else ([floats(rng, f'{matrix}{i}', shape)], [])
        held, nodes = held + some, nodes + made
    held += [floats(rng, f'b{i}', (1, 2 * gates * units)), *port(i, 'x', rng.uniform(0.01, 0.03), -3, INT8), *port(i, 'y', 1 / 128, 0, INT8)]
    operands, ports, state = [f'd{i}', f'w{i}', f'r{i}', f'b{i}'], [((steps, 1, inputs), INT8)], ((1, 1, units), FLOAT)
    if rng.random() < 0.4:  # states before and behind
        operands += ['', f'u{i}'] + [f'v{i}'] * lstm
        ports += [state] * (1 + lstm)
    outputs, more = [f'e{i}'], []
    if rng.random() < 0.6:
        outputs += [f'h{i}'] + [f'c{i}'] * lstm
        more = [(name_of, state) for name_of in outputs[1:]]
    attributes = [('hidden_size', units)] + [('linear_before_reset', 1)] * (name == 'gru_linear')
    nodes = [node('DequantizeLinear', [f'x{i}', f'sx{i}', f'zx{i}'], f'd{i}')] + nodes + [
        node({'gru_linear': 'GRU'}.get(name, name.upper()), operands, outputs, attributes), node('QuantizeLinear', [f'e{i}', f'sy{i}', f'zy{i}'], f'y{i}')]
    return nodes, held, ports, ((steps, 1, 1, units), INT8), more
