#!/usr/bin/env python3
"""published.py TARN: multiply-accumulates and parameters of well-known networks, drawn here layer by layer without weights, must be
the published ones: parameters to the last one, multiply-accumulates to the digits published.

Counting rule: a multiply-accumulate is one product of a convolution or matrix product, at the size the tensors have; biases,
normalisation that is folded, activations and pooling count nothing, layer normalisation counts nothing. Parameters are what is trained:
weights, biases, a scale and a shift for each normalised channel (its mean and variance are not), embeddings, position tables, class token.
Sources: for the convolutional networks and ViT-B/16 the torchvision documentation ("GFLOPS" there are multiply-accumulates, "num_params");
BERT-base and GPT-2 small: the released checkpoints bert-base-uncased (with its pooler) and gpt2, and for their work the sum of Narayanan
et al., Efficient Large-Scale Language Model Training on GPU Clusters (2021), section 5: 24 B s l h^2 (1 + s/6h) + 2 B s h V operations
forward, two for a multiply-accumulate; BERT's pooler adds h^2."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'bench'))
from onnx_bytes import FLOAT, attribute, data, model, node, number, value_info  # noqa: E402

INT64 = 7


class Network:
    """A graph that grows; weights are named with their shapes, and lie in a file that is not there."""

    def __init__(self, shape, dtype=FLOAT):
        self.nodes, self.weights, self.count = [], [], 0
        self.inputs, self.x, self.channels = [value_info('x', shape, dtype)], 'x', shape[1]

    def weight(self, *shape):
        name = f'w{len(self.weights)}'
        away = data(13, data(1, 'location') + data(2, 'weights.bin'))
        self.weights.append(b''.join(number(1, length) for length in shape) + number(2, FLOAT) + data(8, name) + away + number(14, 1))
        return name

    def integers(self, *values):
        name = f'w{len(self.weights)}'
        self.weights.append(number(1, len(values)) + number(2, INT64) + data(8, name) + b''.join(number(7, v & (1 << 64) - 1) for v in values))
        return name

    def add(self, op, *inputs, **attributes):
        self.count += 1
        name = f'v{self.count}'
        self.nodes.append(node(op, inputs, name, list(attributes.items())))
        self.x = name
        return name

    def conv(self, channels, kernel, stride=1, groups=1, bias=False, pad=None):
        pad = (kernel - 1) // 2 if pad is None else pad
        inputs = [self.x, self.weight(channels, self.channels // groups, kernel, kernel)] + ([self.weight(channels)] if bias else [])
        self.channels = channels
        return self.add('Conv', *inputs, kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[pad] * 4, group=groups)

    def norm(self):
        return self.add('BatchNormalization', self.x, *(self.weight(self.channels) for _ in range(4)))

    def unit(self, channels, kernel, stride=1, groups=1, act='Relu'):
        self.conv(channels, kernel, stride, groups)
        self.norm()
        return self.act(act)

    def act(self, kind):
        if kind == 'Silu':
            return self.add('Mul', self.x, self.add('Sigmoid', self.x))
        return self.add(kind, self.x) if kind else self.x

    def pool(self, kernel, stride, pad=0):
        return self.add('MaxPool', self.x, kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[pad] * 4)

    def linear(self, inputs, outputs):
        y = self.add('MatMul', self.x, self.weight(inputs, outputs))
        return self.add('Add', y, self.weight(outputs))

    def head(self, *sizes, act=None):
        for i, (inputs, outputs) in enumerate(zip(sizes, sizes[1:])):
            self.add('Gemm', self.x, self.weight(outputs, inputs), self.weight(outputs), transB=1)
            if i + 2 < len(sizes):
                self.act(act)

    def squeeze_excite(self, squeezed, act, gate):
        whole, channels = self.x, self.channels
        self.add('GlobalAveragePool', self.x)
        self.conv(squeezed, 1, bias=True)
        self.act(act)
        self.conv(channels, 1, bias=True)
        self.add('Mul', whole, self.act(gate))

    def layer_norm(self, width):
        return self.add('LayerNormalization', self.x, self.weight(width), self.weight(width))

    def attention(self, tokens, width, heads):
        x, parts = self.x, []
        for order in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]):
            self.x = x
            self.linear(width, width)
            self.add('Reshape', self.x, self.integers(1, tokens, heads, width // heads))
            parts.append(self.add('Transpose', self.x, perm=order))
        scores = self.add('Softmax', self.add('MatMul', parts[0], parts[1]), axis=3)
        self.add('Transpose', self.add('MatMul', scores, parts[2]), perm=[0, 2, 1, 3])
        self.add('Reshape', self.x, self.integers(1, tokens, width))
        return self.linear(width, width)

    def perceptron(self, width):
        self.linear(width, 4 * width)
        self.add('Tanh', self.x)
        return self.linear(4 * width, width)

    def bytes(self):
        return model(self.nodes, self.weights, self.inputs, [data(1, self.x)])


def alexnet():
    n = Network([1, 3, 224, 224])
    for channels, kernel, stride, pad, pooled in [(64, 11, 4, 2, 1), (192, 5, 1, 2, 1), (384, 3, 1, 1, 0), (256, 3, 1, 1, 0), (256, 3, 1, 1, 1)]:
        n.conv(channels, kernel, stride, bias=True, pad=pad)
        n.act('Relu')
        if pooled:
            n.pool(3, 2)
    n.add('Flatten', n.x)
    n.head(9216, 4096, 4096, 1000, act='Relu')
    return n


def vgg16():
    n = Network([1, 3, 224, 224])
    for channels, layers in [(64, 2), (128, 2), (256, 3), (512, 3), (512, 3)]:
        for _ in range(layers):
            n.conv(channels, 3, bias=True)
            n.act('Relu')
        n.pool(2, 2)
    n.add('Flatten', n.x)
    n.head(25088, 4096, 4096, 1000, act='Relu')
    return n


def finish(n, *sizes, act=None):
    n.add('Flatten', n.add('GlobalAveragePool', n.x))
    n.head(*sizes, act=act)
    return n


def resnet50():
    n = Network([1, 3, 224, 224])
    n.unit(64, 7, 2)
    n.pool(3, 2, 1)
    for width, blocks, stride in [(64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)]:
        for b in range(blocks):
            x, channels = n.x, n.channels
            n.unit(width, 1)
            n.unit(width, 3, stride if b == 0 else 1)
            y = n.unit(4 * width, 1, act=None)
            if b == 0:
                n.x, n.channels = x, channels
                x = n.unit(4 * width, 1, stride, act=None)
            n.add('Relu', n.add('Add', x, y))
    return finish(n, 2048, 1000)


def inverted(n, kernel, wide, channels, stride, act, squeezed=0, gate=None, squeeze_act='Relu'):
    x, before = n.x, n.channels
    if wide != before:
        n.unit(wide, 1, act=act)
    n.unit(wide, kernel, stride, wide, act)
    if squeezed:
        n.squeeze_excite(squeezed, squeeze_act, gate)
    n.unit(channels, 1, act=None)
    if stride == 1 and before == channels:
        n.add('Add', x, n.x)


def mobilenet_v2():
    n = Network([1, 3, 224, 224])
    n.unit(32, 3, 2)
    for t, channels, repeat, stride in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]:
        for i in range(repeat):
            inverted(n, 3, t * n.channels, channels, stride if i == 0 else 1, 'Relu')
    n.unit(1280, 1)
    return finish(n, 1280, 1000)


def mobilenet_v3_large():
    n = Network([1, 3, 224, 224])
    n.unit(16, 3, 2, act='HardSwish')
    for kernel, wide, channels, squeezed, act, stride in [
            (3, 16, 16, 0, 'Relu', 1), (3, 64, 24, 0, 'Relu', 2), (3, 72, 24, 0, 'Relu', 1), (5, 72, 40, 24, 'Relu', 2), (5, 120, 40, 32, 'Relu', 1),
            (5, 120, 40, 32, 'Relu', 1), (3, 240, 80, 0, 'HardSwish', 2), (3, 200, 80, 0, 'HardSwish', 1), (3, 184, 80, 0, 'HardSwish', 1),
            (3, 184, 80, 0, 'HardSwish', 1), (3, 480, 112, 120, 'HardSwish', 1), (3, 672, 112, 168, 'HardSwish', 1), (5, 672, 160, 168, 'HardSwish', 2),
            (5, 960, 160, 240, 'HardSwish', 1), (5, 960, 160, 240, 'HardSwish', 1)]:
        inverted(n, kernel, wide, channels, stride, act, squeezed, 'HardSigmoid')
    n.unit(960, 1, act='HardSwish')
    return finish(n, 960, 1280, 1000, act='HardSwish')


def efficientnet_b0():
    n = Network([1, 3, 224, 224])
    n.unit(32, 3, 2, act='Silu')
    for t, kernel, stride, channels, repeat in [(1, 3, 1, 16, 1), (6, 3, 2, 24, 2), (6, 5, 2, 40, 2), (6, 3, 2, 80, 3), (6, 5, 1, 112, 3), (6, 5, 2, 192, 4), (6, 3, 1, 320, 1)]:
        for i in range(repeat):
            inverted(n, kernel, t * n.channels, channels, stride if i == 0 else 1, 'Silu', max(1, n.channels // 4), 'Sigmoid', 'Silu')
    n.unit(1280, 1, act='Silu')
    return finish(n, 1280, 1000)


def vit_b_16():
    n = Network([1, 3, 224, 224])
    n.conv(768, 16, 16, bias=True, pad=0)
    n.add('Reshape', n.x, n.integers(1, 768, 196))
    n.add('Concat', n.weight(1, 1, 768), n.add('Transpose', n.x, perm=[0, 2, 1]), axis=1)
    n.add('Add', n.x, n.weight(1, 197, 768))
    for _ in range(12):
        x = n.x
        n.layer_norm(768)
        x = n.add('Add', x, n.attention(197, 768, 12))
        n.layer_norm(768)
        n.add('Add', x, n.perceptron(768))
    n.layer_norm(768)
    n.add('Gather', n.x, n.integers(0), axis=1)
    n.add('Flatten', n.x)
    n.head(768, 1000)
    return n


def bert_base():
    n = Network([1, 128], INT64)
    words = n.add('Gather', n.weight(30522, 768), 'x')
    n.inputs.append(value_info('segments', [1, 128], INT64))
    segments = n.add('Gather', n.weight(2, 768), 'segments')
    n.inputs.append(value_info('places', [1, 128], INT64))
    places = n.add('Gather', n.weight(512, 768), 'places')
    n.add('Add', n.add('Add', words, segments), places)
    n.layer_norm(768)
    for _ in range(12):
        x = n.x
        n.add('Add', x, n.attention(128, 768, 12))
        x = n.layer_norm(768)
        n.add('Add', x, n.perceptron(768))
        n.layer_norm(768)
    n.add('Gather', n.x, n.integers(0), axis=1)
    n.add('Flatten', n.x)
    n.add('Tanh', n.linear(768, 768))
    return n


def gpt2():
    n = Network([1, 1024], INT64)
    table = n.weight(50257, 768)
    words = n.add('Gather', table, 'x')
    n.inputs.append(value_info('places', [1, 1024], INT64))
    n.add('Add', words, n.add('Gather', n.weight(1024, 768), 'places'))
    for _ in range(12):
        x = n.x
        n.layer_norm(768)
        x = n.add('Add', x, n.attention(1024, 768, 12))
        n.layer_norm(768)
        n.add('Add', x, n.perceptron(768))
    n.layer_norm(768)
    n.add('Reshape', n.x, n.integers(1024, 768))
    n.add('Gemm', n.x, table, transB=1)
    return n


def transformer(s, h, layers, vocabulary, more=0):
    return (12 * s * layers * h * h * (1 + s / (6 * h)) + s * h * vocabulary + more) / 1e9


# Network, published parameters, published GMACs as text. GPT-2's last product uses the word table once more, which is counted once.
PUBLISHED = [
    (alexnet, 61100840, '0.71'), (vgg16, 138357544, '15.47'), (resnet50, 25557032, '4.09'), (mobilenet_v2, 3504872, '0.30'),
    (mobilenet_v3_large, 5483032, '0.22'), (efficientnet_b0, 5288548, '0.39'), (vit_b_16, 86567656, '17.56'),
    (bert_base, 109482240, f'{transformer(128, 768, 12, 0, 768 * 768):.2f}'), (gpt2, 124439808, f'{transformer(1024, 768, 12, 50257):.2f}')]

wrong = 0
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, 'network.onnx')
    print('network              GMACs  published     parameters      published')
    for build, parameters, gmacs in PUBLISHED:
        with open(path, 'wb') as file:
            file.write(build().bytes())
        run = subprocess.run([sys.argv[1], 'analyze', path, '--report', os.path.join(folder, 'r.json'), '--effort', '0', '--cc', 'none'], capture_output=True, text=True)
        counted = re.search(r'([\d ]+) MACs, ([\d ]+) parameters', run.stdout)
        if not counted:
            print(build.__name__, run.stderr)
            wrong += 1
            continue
        macs, found = (int(c.replace(' ', '')) for c in counted.groups())
        same = f'{macs / 1e9:.2f}' == gmacs and found == parameters
        wrong += not same
        print(f'{build.__name__:<18} {macs / 1e9:>7.3f} {gmacs:>10} {found:>14} {parameters:>14}{"" if same else "  DIFFERS"}')
sys.exit(1 if wrong else 0)
