#!/usr/bin/env python3
"""Writes alexnet.onnx, resnet18.onnx, mobilenet_v2.onnx and bert_base.onnx into the working folder: the published architectures with an
open batch. Their weights are named as external data that is not there: shapes are all that a plan needs."""
import pathlib
import sys

# paste.py copies both into one folder.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from onnx_bytes import FLOAT, INT64, data, model, node, number, tensor, value_info


class Network:
    def __init__(self):
        self.nodes, self.held, self.shape = [], [], {}

    def weight(self, *shape):
        name = f'w{len(self.held)}'
        entry = data(13, data(1, 'location') + data(2, 'weights.bin'))
        self.held.append(b''.join(number(1, d) for d in shape) + number(2, FLOAT) + data(8, name) + entry + number(14, 1))
        return name

    def whole(self, *values):
        name = f'w{len(self.held)}'
        self.held.append(tensor(name, (len(values),), values, INT64))
        return name

    def add(self, op, inputs, **attributes):
        out = f'{op.lower()}_{len(self.nodes)}'
        self.nodes.append(node(op, inputs, out, list(attributes.items())))
        return out

    def conv(self, x, inputs, outputs, size, stride=1, group=1, relu=True):
        pad = size // 2
        y = self.add('Conv', [x, self.weight(outputs, inputs // group, size, size), self.weight(outputs)], strides=[stride] * 2,
                     pads=[pad] * 4, group=group)
        return self.add('Relu', [y]) if relu else y

    def dense(self, x, inputs, outputs):
        return self.add('Add', [self.add('MatMul', [x, self.weight(inputs, outputs)]), self.weight(outputs)])

    def write(self, name, x, y, dtype=FLOAT):
        pathlib.Path(name + '.onnx').write_bytes(model(self.nodes, self.held, [value_info('x', x, dtype)], [value_info(*y)], opset=20))


def alexnet():
    """Krizhevsky, Sutskever and Hinton, 2012, in one column."""
    n = Network()
    x = n.add('Relu', [n.add('Conv', ['x', n.weight(64, 3, 11, 11), n.weight(64)], strides=[4, 4], pads=[2] * 4)])
    for inputs, outputs, size, pool in ((64, 192, 5, True), (192, 384, 3, True), (384, 256, 3, False), (256, 256, 3, False)):
        x = n.add('MaxPool', [x], kernel_shape=[3, 3], strides=[2, 2]) if pool else x
        x = n.conv(x, inputs, outputs, size)
    x = n.add('Flatten', [n.add('MaxPool', [x], kernel_shape=[3, 3], strides=[2, 2])])
    x = n.add('Relu', [n.dense(x, 256 * 36, 4096)])
    x = n.add('Relu', [n.dense(x, 4096, 4096)])
    n.write('alexnet', ['batch', 3, 224, 224], (n.dense(x, 4096, 1000), ['batch', 1000]))


def resnet18():
    """He, Zhang, Ren and Sun, 2015."""
    n = Network()
    x = n.add('MaxPool', [n.conv('x', 3, 64, 7, 2)], kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    inputs = 64
    for outputs in (64, 128, 256, 512):
        for block in range(2):
            stride = 2 if block == 0 and outputs > 64 else 1
            around = n.add('Conv', [x, n.weight(outputs, inputs, 1, 1), n.weight(outputs)], strides=[stride] * 2) if stride == 2 else x
            y = n.conv(n.conv(x, inputs, outputs, 3, stride), outputs, outputs, 3, relu=False)
            x, inputs = n.add('Relu', [n.add('Add', [y, around])]), outputs
    n.write('resnet18', ['batch', 3, 224, 224], (n.dense(n.add('Flatten', [n.add('GlobalAveragePool', [x])]), 512, 1000), ['batch', 1000]))


def mobilenet_v2():
    """Sandler and others, 2018, with Relu for its Relu6."""
    n = Network()
    x, inputs = n.conv('x', 3, 32, 3, 2), 32
    for widen, outputs, times, stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)):
        for block in range(times):
            step, wide = stride if block == 0 else 1, inputs * widen
            y = n.conv(x, inputs, wide, 1) if widen > 1 else x
            y = n.conv(n.conv(y, wide, wide, 3, step, wide), wide, outputs, 1, relu=False)
            x, inputs = n.add('Add', [x, y]) if step == 1 and inputs == outputs else y, outputs
    x = n.add('GlobalAveragePool', [n.conv(x, 320, 1280, 1)])
    n.write('mobilenet_v2', ['batch', 3, 224, 224], (n.dense(n.add('Flatten', [x]), 1280, 1000), ['batch', 1000]))


def bert_base():
    """Devlin and others, 2018: twelve layers of 768 over 128 words, behind the embeddings of words and positions."""
    n = Network()
    size, heads, words = 768, 12, 128
    x = n.add('Add', [n.add('Gather', [n.weight(30522, size), 'x']), n.weight(words, size)])
    x = n.add('LayerNormalization', [x, n.weight(size), n.weight(size)])
    for _ in range(12):
        q, k, v = (n.add('Reshape', [n.dense(x, size, size), n.whole(0, words, heads, size // heads)]) for _ in range(3))
        q, v = (n.add('Transpose', [t], perm=[0, 2, 1, 3]) for t in (q, v))
        scores = n.add('MatMul', [q, n.add('Transpose', [k], perm=[0, 2, 3, 1])])
        y = n.add('Transpose', [n.add('MatMul', [n.add('Softmax', [scores]), v])], perm=[0, 2, 1, 3])
        y = n.dense(n.add('Reshape', [y, n.whole(0, words, size)]), size, size)
        x = n.add('LayerNormalization', [n.add('Add', [x, y]), n.weight(size), n.weight(size)])
        y = n.dense(n.add('Gelu', [n.dense(x, size, 4 * size)]), 4 * size, size)
        x = n.add('LayerNormalization', [n.add('Add', [x, y]), n.weight(size), n.weight(size)])
    n.write('bert_base', ['batch', words], (x, ['batch', words, size]), INT64)


for make in (alexnet, resnet18, mobilenet_v2, bert_base):
    make()
