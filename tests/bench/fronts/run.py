#!/usr/bin/env python3
"""fronts: memory against work of three networks by lines, beside the points published for msf-CNN.

    run.py [--tarn build/tarn] [--only NAME] [--ends] [--effort N] [--target T]

The networks are built here from their published shapes, with made-up weights: MobileNetV2-0.35 at 144 x 144, MCUNet-VWW5 at
80 x 80 and MCUNet-320K at 176 x 176, in int8. msf-CNN's points (TinyPART/msf-CNN, its result.json files) are kB of RAM without
the input at a factor of the multiplications; tarn's arena holds the input lines and the kernels' scratch too. Each point is
planned fed and drained, by rings and by tables, and the smaller arena stands in its row. --ends: each network's last point
alone. Fails where an arena is above its point, or above one that less work gave.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / 'tests/bench'))
import onnx_bytes  # noqa: E402
from onnx_bytes import INT8, INT32, node, tensor  # noqa: E402

# By network: the side of the image; bytes at a factor of the multiplications.
POINTS = {
    'mobilenet_v2_035': (144, [(83100, 1.02), (67900, 1.10), (25700, 1.25), (21300, 1.30), (15300, 1.38), (7900, 1.68)]),
    'mcunet_vww5': (80, [(38600, 1.02), (32800, 1.04), (26100, 1.11), (17800, 1.30), (13400, 1.35), (12000, 1.96)]),
    'mcunet_320k': (176, [(190100, 1.04), (156700, 1.37), (94200, 1.45), (62900, 2.02), (42600, 2.69)]),
}
# Blocks: channels before and behind, times wider in between, stride, padding, taps.
VWW5 = [(8, 16, 6, 2, 1, 3), (16, 16, 3, 1, 1, 3), (16, 16, 3, 1, 1, 3), (16, 24, 3, 2, 3, 7), (24, 24, 6, 1, 1, 3),
        (24, 24, 5, 1, 2, 5), (24, 40, 6, 2, 3, 7), (40, 40, 6, 1, 3, 7), (40, 48, 6, 1, 1, 3), (48, 48, 4, 1, 1, 3),
        (48, 96, 5, 2, 2, 5), (96, 96, 5, 1, 1, 3), (96, 96, 4, 1, 1, 3), (96, 160, 3, 1, 3, 7)]
K320 = [(8, 16, 3, 2, 3, 7), (16, 16, 5, 1, 1, 3), (16, 16, 5, 1, 3, 7), (16, 16, 4, 1, 2, 5), (16, 24, 5, 2, 2, 5),
        (24, 24, 5, 1, 2, 5), (24, 24, 5, 1, 2, 5), (24, 40, 5, 2, 1, 3), (40, 40, 6, 1, 3, 7), (40, 40, 4, 1, 2, 5),
        (40, 48, 5, 1, 2, 5), (48, 48, 5, 1, 3, 7), (48, 48, 5, 1, 1, 3), (48, 96, 6, 2, 1, 3), (96, 96, 5, 1, 3, 7),
        (96, 96, 4, 1, 1, 3), (96, 160, 5, 1, 3, 7)]


class Network:
    """Convolutions one behind the other; of each the codes have one scale."""

    def __init__(self, side):
        self.random = random.Random(1)
        self.nodes, self.held = [], []
        self.at, self.channels, self.side, self.first = 'x', 3, side, side

    def conv(self, out, taps=1, stride=1, pad=0, depthwise=False):
        i, inputs = len(self.nodes), 1 if depthwise else self.channels
        length, r = inputs * taps * taps, self.random
        self.held += [
            tensor(f's{i}', (), [0.02]), tensor(f'z{i}', (), [-128], INT8),
            tensor(f'w{i}', (out, inputs, taps, taps), [r.randint(-127, 127) for _ in range(out * length)], INT8),
            tensor(f'sw{i}', (out,), [r.uniform(.5, 1.5) / 127 / length ** .5 for _ in range(out)]),
            tensor(f'zw{i}', (out,), [0] * out, INT8), tensor(f'b{i}', (out,), [r.randint(-999, 999) for _ in range(out)], INT32)]
        scale = [f's{i}', f'z{i}']
        self.nodes.append(node('QLinearConv', [self.at, *scale, f'w{i}', f'sw{i}', f'zw{i}', *scale, f'b{i}'], f'r{i}',
                               [('kernel_shape', [taps, taps]), ('pads', [pad] * 4), ('strides', [stride, stride]),
                                ('group', self.channels if depthwise else 1)]))
        self.at, self.channels = f'r{i}', out
        self.side = (self.side + 2 * pad - taps) // stride + 1

    def block(self, before, out, wider, stride, pad, taps):
        assert self.channels == before
        if wider != 1:
            self.conv(before * wider)
        self.conv(before * wider, taps, stride, pad, depthwise=True)
        self.conv(out)

    def write(self, path):
        ports = [onnx_bytes.value_info('x', (1, 3, self.first, self.first), INT8)], [
            onnx_bytes.value_info(self.at, (1, self.channels, self.side, self.side), INT8)]
        path.write_bytes(onnx_bytes.model(self.nodes, self.held, *ports, 17))


def build(name):
    network = Network(POINTS[name][0])
    if name == 'mobilenet_v2_035':
        def width(channels):
            return int(channels * 0.35)
        network.conv(width(32), 3, 2, 1)
        for wider, out, count, stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)):
            for i in range(count):
                network.block(network.channels, width(out), wider, stride if i == 0 else 1, 1, 3)
        network.conv(448)
        return network
    network.conv(16, 3, 2, 1)
    network.conv(16, 3, 1, 1, depthwise=True)
    network.conv(8)
    for block in VWW5 if name == 'mcunet_vww5' else K320:
        network.block(*block)
    return network


def plan(tarn, model, options, percent):
    """Bytes of the arena, the factor of the multiplications, and how lines are addressed."""
    best = None
    for lines in ('ring', 'table'):
        report = model.with_suffix('.json')
        subprocess.run([tarn, 'analyze', str(model), '--stream', 'fed', '--drain', '--input-layout', 'nhwc', '--output-layout', 'nhwc',
                        '--recompute', str(percent), '--lines', lines, '--report', str(report), *options], check=True, capture_output=True)
        told = json.loads(report.read_text())
        macs, extra = told['totals']['macs'], told['stream']['extra_macs']
        found = told['ram']['arena'], macs / (macs - extra), lines
        best = found if best is None else min(best, found)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tarn', default=str(ROOT / 'build/tarn'))
    parser.add_argument('--only', default='')
    parser.add_argument('--ends', action='store_true')
    parser.add_argument('--effort', default='1')
    parser.add_argument('--target', default='')
    args = parser.parse_args()
    options = ['--effort', args.effort] + (['--target', args.target] if args.target else [])
    missed = 0
    print(f'{"network":18} {"allowed":>8} {"msf-CNN":>9} {"tarn":>9} {"factor":>7} {"lines":>6}')
    with tempfile.TemporaryDirectory() as folder:
        for name, (_, points) in POINTS.items():
            if args.only not in name:
                continue
            model = pathlib.Path(folder) / f'{name}.onnx'
            build(name).write(model)
            before = None
            for goal, factor in points[-1:] if args.ends else points:
                arena, taken, lines = plan(args.tarn, model, options, round((factor - 1) * 100))
                fault = ' above' if arena > goal else ' above what less work gave' if before is not None and arena > before else ''
                print(f'{name:18} {factor:8.2f} {goal:9,} {arena:9,} {taken:7.3f} {lines:>6}{fault}')
                missed += bool(fault)
                before = arena
    return min(missed, 1)


if __name__ == '__main__':
    sys.exit(main())
