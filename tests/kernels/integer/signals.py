#!/usr/bin/env python3
"""Signals and narrow images of int8 by lines, of which steps make several: generated for a Cortex-M55 and a Cortex-M4, each of
which has a kernel of its own that makes them together; run on the host and, where they can be emulated, on the boards. Outputs are those of the naive plan, and some
networks make several lines a step.

    signals.py --tarn TARN --work FOLDER
"""
import argparse
import pathlib
import random
import re
import shutil
import subprocess
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / 'bench'), str(pathlib.Path(__file__).resolve().parents[2])]
import onnx_bytes  # noqa: E402
import sampling  # noqa: E402
from onnx_bytes import INT8, INT32  # noqa: E402


def network(seed):
    """Convolutions over 20 to 60 lines of 1 to 5 pixels: dilated ones, of few channels, of outputs that are no multiple of four, and sums beside them."""
    rng = random.Random(seed)
    t, node = onnx_bytes.tensor, onnx_bytes.node
    lines, pixels, channels = rng.randint(20, 60), rng.choice([1, 1, 1, 2, 5]), rng.choice([3, 8, 16])
    shape = (1, channels, lines, pixels)
    held, nodes, x, same = [t('s', (), [0.02]), t('z', (), [-3], INT8)], [], 'x', None
    for i in range(rng.randint(3, 6)):
        outputs, taps, dilation, stride = rng.choice([8, 16, 16, 32, 10]), rng.choice([1, 3, 3, 5]), rng.choice([1, 1, 2, 4]), rng.choice([1, 1, 1, 2])
        across, before = min(pixels, 3), rng.random() < 0.5
        reach, length = (taps - 1) * dilation, channels * taps * across
        pads = [reach if before else reach // 2, across // 2, 0 if before else reach - reach // 2, across - 1 - across // 2]
        held += [t(f'w{i}', (outputs, channels, taps, across), [rng.randint(-127, 127) for _ in range(outputs * length)], INT8),
                 t(f'v{i}', (outputs,), [rng.uniform(0.5, 1.5) / 127 / length ** 0.5 for _ in range(outputs)]),
                 t(f'u{i}', (outputs,), [0] * outputs, INT8), t(f'b{i}', (outputs,), [rng.randint(-999, 999) for _ in range(outputs)], INT32)]
        nodes.append(node('QLinearConv', [x, 's', 'z', f'w{i}', f'v{i}', f'u{i}', 's', 'z', f'b{i}'], f'y{i}',
                          [('kernel_shape', [taps, across]), ('pads', pads), ('dilations', [dilation, 1]), ('strides', [stride, 1])]))
        before_it, x, kept = x, f'y{i}', (channels, stride)
        lines, channels = (lines - 1) // stride + 1, outputs
        if kept == (outputs, 1) and i > 0:
            nodes.append(node('QLinearAdd', [x, 's', 'z', before_it, 's', 'z', 's', 'z'], f'a{i}', domain='com.microsoft'))
            x = f'a{i}'
    return onnx_bytes.model(nodes, held, [onnx_bytes.value_info('x', shape, INT8)], [onnx_bytes.value_info(x, (1, channels, lines, pixels), INT8)])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', required=True)
    parser.add_argument('--work', type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    emulated = shutil.which('arm-none-eabi-gcc') and shutil.which('qemu-system-arm')
    wrong, several = 0, 0
    for seed in sampling.part(list(range(1, 19)), 5):
        model = options.work / f'{seed}.onnx'
        model.write_bytes(network(seed))
        for board in ('cortex-m55', 'cortex-m4'):
            for stream in (['resident'], ['fed', '--drain']):
                on = 'host' + (f',{board}' if emulated else '')
                done = subprocess.run([options.tarn, 'verify', model, '--target', board, '--on', on, '--input-layout', 'nhwc', '--output-layout', 'nhwc', '--stream', *stream],
                                      text=True, capture_output=True)
                text = done.stdout + done.stderr
                found = re.search(r'(one line|up to \d+ lines) a step', text)
                several += bool(found) and found[1] != 'one line'
                print(f'{seed} for {board}, --stream {" ".join(stream)}: {found[0] if found else "?"}{"" if done.returncode == 0 else ": wrong"}')
                if done.returncode != 0:
                    print(text)
                wrong += done.returncode != 0
    print(f'{several} of several lines a step, {wrong} wrong')
    return 1 if wrong or not several else 0 if emulated else 77


if __name__ == '__main__':
    sys.exit(main())
