#!/usr/bin/env python3
"""Writes camera.onnx: MobileNetV1 at a quarter of its width for 96x96 colour images, in int8, four classes, with weights
from a seeded generator: it tells patterns apart, but it has learnt nothing. Needs Python alone.
"""
import math
import random
import struct

random.seed(2)
SCALE = 0.02          # of every tensor of codes; a code of -128 is 0
BLOCKS = [(8, 16, 1), (16, 32, 2), (32, 32, 1), (32, 64, 2), (64, 64, 1), (64, 128, 2), (128, 128, 1), (128, 128, 1), (128, 128, 1),
          (128, 128, 1), (128, 128, 1), (128, 256, 2), (256, 256, 1)]


# ---- protobuf by hand: varints and length-prefixed fields

def varint(value):
    value &= (1 << 64) - 1
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
    return data(5, data(1, name) + b''.join(number(8, v) for v in values) + number(20, 7))


nodes, tensors = b'', b''


def tensor(name, shape, kind, raw):
    global tensors
    types = {'float': 1, 'int8': 3, 'int32': 6}
    tensors += data(5, b''.join(number(1, length) for length in shape) + number(2, types[kind]) + data(8, name) + data(9, raw))
    return name


def node(op, name, inputs, domain='', **attributes):
    global nodes
    body = b''.join(data(1, i) for i in inputs) + data(2, name) + data(3, name) + data(4, op)
    body += b''.join(attribute(key, value) for key, value in attributes.items())
    nodes += data(1, body + (data(7, domain) if domain else b''))
    return name


def value_info(name, shape):
    dims = b''.join(data(1, number(1, length)) for length in shape)
    return data(1, name) + data(2, data(1, number(1, 3) + data(2, dims)))


scale = tensor('scale', [], 'float', struct.pack('<f', SCALE))
zero = tensor('zero', [], 'int8', struct.pack('<b', -128))
none = tensor('none', [], 'int8', b'\0')


def conv(name, x, inputs, outputs, kernel, stride, group=1, gain=1.0, out=None, bias=None):
    fan_in = inputs // group * kernel * kernel
    count = outputs * fan_in
    w = tensor(name + '_w', [outputs, inputs // group, kernel, kernel], 'int8',
               bytes(random.randrange(-127, 128) & 255 for _ in range(count)))
    s = tensor(name + '_s', [], 'float', struct.pack('<f', gain / (73 * math.sqrt(fan_in)) * 1.5))
    bias = [random.randrange(-6000, 3000) for _ in range(outputs)] if bias is None else bias
    b = tensor(name + '_b', [outputs], 'int32', b''.join(struct.pack('<i', v) for v in bias))
    pad = 1 if kernel == 3 else 0
    return node('QLinearConv', name, [x, scale, zero, w, s, none, scale, out or zero, b], kernel_shape=[kernel, kernel],
                strides=[stride, stride], pads=[pad if stride == 1 else 0] * 2 + [pad] * 2, group=group)


x = conv('stem', 'image', 3, 8, 3, 2)
for i, (inputs, outputs, stride) in enumerate(BLOCKS):
    x = conv(f'depthwise_{i}', x, inputs, inputs, 3, stride, inputs)
    x = conv(f'pointwise_{i}', x, inputs, outputs, 1, 1)
x = node('QLinearGlobalAveragePool', 'mean', [x, scale, zero, scale, zero], 'com.microsoft', channels_last=0)
# The biases bring the mean scores of the frames in main.c near 0.
x = conv('classes', x, 256, 4, 1, 1, gain=6.0, out=none, bias=[18996, -10512, -3390, -10398])
graph = nodes + data(2, 'camera') + tensors + data(11, value_info('image', [1, 3, 96, 96])) + data(12, value_info('classes', [1, 4, 1, 1]))
model = number(1, 8) + data(7, graph) + data(8, number(2, 17)) + data(8, data(1, 'com.microsoft') + number(2, 1))
with open('camera.onnx', 'wb') as file:
    file.write(model)
