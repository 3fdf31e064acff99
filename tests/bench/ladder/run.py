#!/usr/bin/env python3
"""Well-known networks of microcontrollers, layer by layer: the arena in elements, its bound and proof, beside what a planner reaches
that lets an output replace the pixels already read of its input, and beside the most that is alive at once.

    run.py [--tarn build/tarn] [--only TEXT] [--no-verify]

The networks are built here, in float, with channels last as they come; an element is what would be a byte in int8. The emitted code
is run with each plan and must give the same bits as with every tensor in memory of its own. '*' marks a figure above its goal.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent))
import onnx_bytes  # noqa: E402


class Network:
    """Nodes and weights as they are added; a tensor is its name and its shape."""

    def __init__(self, channels, height, width):
        self.nodes, self.weights = [], []
        self.random = random.Random(1)
        self.pool = [self.random.uniform(-1, 1) for _ in range(10007)]
        self.input = self.top = ('x', (1, channels, height, width))

    def constant(self, shape, scale):
        count = 1
        for length in shape:
            count *= length
        at = self.random.randrange(len(self.pool))
        run = self.pool[at:] + self.pool[:at]
        values = [v * scale for v in run] * (count // len(run) + 1)
        name = f'w{len(self.weights)}'
        self.weights.append(onnx_bytes.tensor(name, shape, values[:count]))
        return name

    def add(self, op, inputs, shape, attributes=()):
        name = f't{len(self.nodes)}'
        self.nodes.append(onnx_bytes.node(op, inputs, name, attributes))
        self.top = (name, shape)
        return self.top

    def conv(self, outputs, kernel, stride=1, depthwise=False, relu=True, x=None, pads=None):
        x, (_, inputs, *size) = x or self.top
        kernel = kernel if isinstance(kernel, tuple) else (kernel, kernel)
        if pads is None:
            pad = [max(0, ((length - 1) // stride) * stride + k - length) for k, length in zip(kernel, size)]
            pads = [p // 2 for p in pad] + [p - p // 2 for p in pad]
        out = [(length + pads[a] + pads[a + 2] - k) // stride + 1 for a, (k, length) in enumerate(zip(kernel, size))]
        group = inputs if depthwise else 1
        outputs = inputs if depthwise else outputs
        taps = kernel[0] * kernel[1] * inputs // group
        w = self.constant((outputs, inputs // group, *kernel), (3 / taps) ** 0.5)
        b = self.constant((outputs,), 0.1)
        self.add('Conv', [x, w, b], (1, outputs, *out), [('kernel_shape', kernel), ('strides', [stride, stride]), ('pads', pads), ('group', group)])
        if relu:
            self.add('Relu', [self.top[0]], self.top[1])
        return self.top

    def sum(self, one, other, relu=False):
        self.add('Add', [one[0], other[0]], one[1])
        if relu:
            self.add('Relu', [self.top[0]], self.top[1])

    def classify(self, classes):
        x, (_, channels, *_) = self.top
        self.add('GlobalAveragePool', [x], (1, channels, 1, 1))
        self.add('Flatten', [self.top[0]], (1, channels))
        self.add('Gemm', [self.top[0], self.constant((channels, classes), 0.1), self.constant((classes,), 0.1)], (1, classes))

    def model(self):
        return onnx_bytes.model(self.nodes, self.weights, [onnx_bytes.value_info(*self.input)], [onnx_bytes.value_info(*self.top)])


def mobilenet_v1(alpha, size, classes):
    net = Network(3, size, size)
    net.conv(int(32 * alpha), 3, 2)
    for outputs, stride in [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *[(512, 1)] * 5, (1024, 2), (1024, 1)]:
        net.conv(0, 3, stride, depthwise=True)
        net.conv(int(outputs * alpha), 1)
    net.classify(classes)
    return net


def mobilenet_v2(size):
    net = Network(3, size, size)
    net.conv(32, 3, 2)
    for factor, outputs, times, stride in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]:
        for k in range(times):
            before = net.top
            if factor > 1:
                net.conv(before[1][1] * factor, 1)
            net.conv(0, 3, stride if k == 0 else 1, depthwise=True)
            net.conv(outputs, 1, relu=False)
            if k > 0:
                net.sum(net.top, before)
    net.conv(1280, 1)
    net.classify(1000)
    return net


def resnet8():
    net = Network(3, 32, 32)
    net.conv(16, 3)
    for outputs, stride in [(16, 1), (32, 2), (64, 2)]:
        before = net.top
        net.conv(outputs, 3, stride)
        after = net.conv(outputs, 3, relu=False)
        net.sum(after, before if stride == 1 else net.conv(outputs, 1, stride, relu=False, x=before), relu=True)
    net.classify(10)
    return net


def ds_cnn():
    net = Network(1, 49, 10)
    net.conv(64, (10, 4), 2, pads=[4, 1, 4, 1])
    for _ in range(4):
        net.conv(0, 3, depthwise=True)
        net.conv(64, 1)
    net.classify(12)
    return net


# Name: how it is built; the most alive at once (the best that whole tensors allow); the goal.
NETWORKS = {
    'MobileNetV1 1.0 224': (lambda: mobilenet_v1(1, 224, 1000), 1204224, 803000),
    'MobileNetV2 1.0 224': (lambda: mobilenet_v2(224), 1505280, 1204336),
    'MobileNetV1 0.25 96': (lambda: mobilenet_v1(0.25, 96, 2), 55296, 36888),
    'ResNet-8': (resnet8, 49152, 32768),
    'DS-CNN': (ds_cnn, 15360, 9728),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', type=pathlib.Path, default=ROOT / 'build/tarn')
    parser.add_argument('--only', default='')
    parser.add_argument('--no-verify', action='store_true')
    options = parser.parse_args()
    print(f'{"network":22}{"whole":>11}{"goal":>11}{"tarn":>12}{"bound":>11}  {"proof":10}  same bits')
    missed = 0
    for name, (build, whole, goal) in NETWORKS.items():
        if options.only not in name:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            model, report = pathlib.Path(scratch) / 'net.onnx', pathlib.Path(scratch) / 'net.json'
            model.write_bytes(build().model())
            # Without a budget an arena may grow by a hundredth for faster kernels.
            flags = ['--align', '4', '--input-layout', 'nhwc', '--cc', 'none', '--stream', 'off', '--ram', str(4 * goal)]
            subprocess.run([options.tarn, 'analyze', model, *flags, '--report', report], stdout=subprocess.DEVNULL)
            plan = json.loads(report.read_text())['plan']
            same = 'not run'
            if not options.no_verify:
                done = subprocess.run([options.tarn, 'verify', model, *flags, '--reference', 'naive'], stdout=subprocess.PIPE, text=True)
                same = 'yes' if done.returncode == 0 else 'NO'
        arena, bound = plan['arena'] / 4, plan['lower_bound'] / 4
        bad = arena > goal or plan['proof'] != 'optimal' or same == 'NO'
        missed += bad
        print(f'{name:22}{whole:11,}{goal:11,}{arena:11,.0f}{"*" if bad else " "}{bound:11,.0f}  {plan["proof"]:10}  {same}', flush=True)
    return 1 if missed else 0


sys.exit(main())
