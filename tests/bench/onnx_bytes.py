"""ONNX files by hand, so that no package is needed: protobuf's varints and length-prefixed fields."""
import contextlib
import struct

FLOAT, UINT8, INT8, UINT16, INT16, INT32, INT64, BOOL, FLOAT16, UINT32 = 1, 2, 3, 4, 5, 6, 7, 9, 10, 12  # TensorProto.DataType


def varint(value):
    out = b''
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def data(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def attribute(name, values):
    if isinstance(values, int):
        return data(5, data(1, name) + number(3, values) + number(20, 2))
    if isinstance(values, str):
        return data(5, data(1, name) + data(4, values) + number(20, 3))
    if isinstance(values, float):
        return data(5, data(1, name) + varint(2 << 3 | 5) + struct.pack('<f', values) + number(20, 1))
    if values and isinstance(values[0], str):
        return data(5, data(1, name) + b''.join(data(9, v) for v in values) + number(20, 8))
    if values and isinstance(values[0], float):
        return data(5, data(1, name) + data(7, struct.pack(f'<{len(values)}f', *values)) + number(20, 6))
    return data(5, data(1, name) + b''.join(number(8, v) for v in values) + number(20, 7))


REAL = FLOAT  # what FLOAT stands for in tensors and ports


@contextlib.contextmanager
def reals(dtype):
    """Within it all that would be FLOAT is of another type."""
    global REAL
    REAL, before = dtype, REAL
    try:
        yield
    finally:
        REAL = before


def value_info(name, shape, dtype=FLOAT):
    """A length that is a text is a dimension's name."""
    dtype = REAL if dtype == FLOAT else dtype
    dims = b''.join(data(1, data(2, length) if isinstance(length, str) else number(1, length)) for length in shape)
    return data(1, name) + data(2, data(1, number(1, dtype) + data(2, dims)))


def tensor(name, shape, values, dtype=FLOAT):
    dtype = REAL if dtype == FLOAT else dtype
    code = {FLOAT: 'f', UINT8: 'B', INT8: 'b', UINT16: 'H', INT16: 'h', INT32: 'i', INT64: 'q', UINT32: 'I', BOOL: '?', FLOAT16: 'e'}[dtype]
    return b''.join(number(1, length) for length in shape) + number(2, dtype) + data(8, name) + data(9, struct.pack(f'<{len(values)}{code}', *values))


def graph_attribute(name, nodes, inputs, outputs):
    """A body."""
    graph = b''.join(data(1, n) for n in nodes) + data(2, name) + b''.join(data(11, v) for v in inputs) + b''.join(data(12, v) for v in outputs)
    return data(5, data(1, name) + data(6, graph) + number(20, 5))


def node(op, inputs, output, attributes=(), domain='', graphs=()):
    """Graphs: attributes as above."""
    outputs = [output] if isinstance(output, str) else output  # '' is one that is not asked for
    text = b''.join(data(1, name) for name in inputs) + b''.join(data(2, name) for name in outputs)
    text += data(3, next(name for name in outputs if name)) + data(4, op)
    for name, values in attributes:
        text += attribute(name, values)
    text += b''.join(graphs)
    return text + (data(7, domain) if domain else b'')


def model(nodes, initialisers, inputs, outputs, opset=17):
    graph = b''.join(data(1, n) for n in nodes) + data(2, 'layer') + b''.join(data(5, t) for t in initialisers)
    graph += b''.join(data(11, v) for v in inputs) + b''.join(data(12, v) for v in outputs)
    opsets = data(8, data(1, '') + number(2, opset)) + data(8, data(1, 'com.microsoft') + number(2, 1)) + data(8, data(1, 'ai.onnx.ml') + number(2, 3))
    return number(1, 8 if opset < 19 else 10) + opsets + data(7, graph)
