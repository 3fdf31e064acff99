#!/usr/bin/env python3
"""A small quantised network of odd shapes whose weights take 4 bits, or 2, generated for each kind of processor and run on an emulated one
and on the host, where plain C stands in the place of instructions: outputs are equal, kernels are those of so many bits, and weights take
at most 0.53 of what they take once a weight of each layer needs more, and 0.29 in 2 bits; in groups too where such kernels are. Those of
channels by themselves stand in the arena as bytes while their layer runs. Processors whose kernels pack differently agree on the
codes. (That they are right is for exact.py, some of whose layers have such weights.)

    nibbles.py --tarn TARN --work FOLDER
"""
import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'bench'))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import onnx_bytes  # noqa: E402
import sampling  # noqa: E402
from onnx_bytes import INT8, INT32  # noqa: E402

# Outputs, kernel, stride. The 90 inputs of the last layers but one make patches too long for three at a time; the last is a vector.
LAYERS = [(10, 3, 2), (24, 1, 1), (21, 1, 1), (16, 3, 1), (90, 2, 1), (9, 3, 1), (32, 3, 1), (11, 0, 1)]
# The same in groups: even and odd outputs of each, as many as fill a vector and fewer, patches of whole words and of bytes.
GROUPED = [(12, 3, 2, 3), (20, 3, 1, 4), (24, 1, 1, 2), (16, 2, 1, 8), (64, 3, 1, 2)]
# Channels by themselves, beside layers that take more of the arena: there is room to unpack their weights.
DEPTHWISE = [(24, 3, 1), (24, 3, 1, 24), (96, 1, 1), (24, 1, 1), (24, 3, 2, 24), (24, 5, 1, 24)]
SAVED = {2: 0.65, 4: 0.45}  # of the weights of those
CONSTANTS = 12  # bytes that each output of a layer takes for itself
TARGETS = {'cortex-m4': '_dsp{}_', 'cortex-m55': '_mve{}_', 'cortex-m0': '_dsp{}_', 'rv32imac': '_dsp{}_'}
LEAST = {2: -2, 4: -8, 8: -9}  # the first weight of each layer
MOST = {2: 0.29, 4: 0.53}
ASYMMETRIC = {'cortex-m4': 6, 'cortex-m55': 8}  # layers that have kernels for rows of zero points of their own, and for groups
COMPILERS = {target: 'riscv64-unknown-elf-gcc' if target == 'rv32imac' else 'arm-none-eabi-gcc' for target in TARGETS}
EMULATORS = {target: 'qemu-system-riscv32' if target == 'rv32imac' else 'qemu-system-arm' for target in TARGETS}
MISSING = 77


def network(bits, asymmetric=False, layers=LAYERS):
    widest = min(bits, 4)
    few = range(-(1 << widest >> 1), 1 << widest >> 1)
    rng = random.Random(6)
    t = onnx_bytes.tensor
    held, nodes = [t('s', (), [0.02]), t('z', (), [-3], INT8)], []
    x, channels, side = 'x', 3, 15
    for i, (outputs, kernel, stride, *groups) in enumerate(layers):
        kernel, groups = kernel or side, groups[0] if groups else 1
        of_each = channels // groups
        length = of_each * kernel * kernel
        weights = [LEAST[bits]] + [rng.choice([few[0], few[-1], *few]) for _ in range(outputs * length - 1)]
        if asymmetric:
            zeros = [rng.choice([few[0], few[-1], *few]) for _ in range(outputs)]
            weights = [w - zeros[at // length] for at, w in enumerate(weights)]
        held += [t(f'w{i}', (outputs, of_each, kernel, kernel), weights, INT8),
                 t(f'sw{i}', (outputs,), [rng.uniform(0.5, 1.5) / 5 / length ** 0.5 for _ in range(outputs)]),
                 t(f'zw{i}', (outputs,), [0] * outputs, INT8), t(f'b{i}', (outputs,), [rng.randint(-99, 99) for _ in range(outputs)], INT32)]
        pad = kernel // 2 if kernel < side else 0
        attributes = [('kernel_shape', [kernel] * 2), ('pads', [pad] * 4), ('strides', [stride] * 2), ('group', groups)]
        nodes.append(onnx_bytes.node('QLinearConv', [x, 's', 'z', f'w{i}', f'sw{i}', f'zw{i}', 's', 'z', f'b{i}'], f'y{i}', attributes))
        x, channels, side = f'y{i}', outputs, (side + 2 * pad - kernel) // stride + 1
    return onnx_bytes.model(nodes, held, [onnx_bytes.value_info('x', (1, 3, 15, 15), INT8)], [onnx_bytes.value_info(x, (1, channels, side, side), INT8)])


def verified(tarn, work, name, target, boards):
    report = work / f'{name}.json'
    done = subprocess.run([tarn, 'verify', work / f'{name}.onnx', '--on', boards, '--target', target, '--report', report], text=True, capture_output=True)
    print('\n'.join(line for line in (done.stdout + done.stderr).splitlines() if 'VERIFY' in line or 'error' in line))
    return json.loads(report.read_text()) if done.returncode == 0 else None


def grouped(options, target, mark, boards):
    """Whether layers in groups have kernels of so many bits, and take as few bytes as they should."""
    constants, good = CONSTANTS * sum(layer[0] for layer in GROUPED), True
    reports = {(name, bits): verified(options.tarn, options.work, f'{name}{bits}', target, boards)
               for name, widths in (('groups', LEAST), ('asymmetric_groups', MOST)) for bits in widths}
    if not all(reports.values()):
        return False
    for (name, bits), report in reports.items():
        kernels = [step['kernel'] for step in report['steps'] if step['op'].startswith('tarn.Int')]
        narrow = sum(mark.format(bits) in kernel for kernel in kernels)
        ratio = (report['flash']['weights'] - constants) / (reports['groups', 8]['flash']['weights'] - constants)
        print(f'{target}: {name}, {bits} bits: {ratio:.3f} of those in 8, {narrow} of {len(kernels)} layers')
        if bits in MOST and (narrow < len(GROUPED) or (name == 'groups' and ratio > MOST[bits])):
            print(f'FAILED: {kernels}')
            good = False
    return good


def by_channels(options, target, boards):
    """Whether the weights of channels by themselves are stored in so many bits."""
    reports = {bits: verified(options.tarn, options.work, f'depthwise{bits}', target, boards) for bits in LEAST}
    if not all(reports.values()):
        return False
    bytes_of = {bits: sum(step['weight_bytes'] for step in report['steps'] if 'depthwise' in step['kernel']) for bits, report in reports.items()}
    plain = sum(outputs * kernel ** 2 for outputs, kernel, _, *groups in DEPTHWISE if groups)
    print(f'{target}: channels by themselves, {bytes_of[8]} B in 8 bits, {bytes_of[4]} in 4, {bytes_of[2]} in 2')
    return all(bytes_of[8] - bytes_of[bits] >= part * plain for bits, part in SAVED.items())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', required=True)
    parser.add_argument('--work', type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    for bits in LEAST:
        (options.work / f'bits{bits}.onnx').write_bytes(network(bits))
    for bits in MOST:
        (options.work / f'asymmetric{bits}.onnx').write_bytes(network(bits, True))
    for bits in LEAST:
        (options.work / f'groups{bits}.onnx').write_bytes(network(bits, layers=GROUPED))
        (options.work / f'depthwise{bits}.onnx').write_bytes(network(bits, layers=DEPTHWISE))
    for bits in MOST:
        (options.work / f'asymmetric_groups{bits}.onnx').write_bytes(network(bits, True, GROUPED))
    failed = missing = False
    constants = CONSTANTS * sum(outputs for outputs, _, _ in LAYERS)
    for target, mark in sampling.part(TARGETS.items(), 4):
        there = shutil.which(COMPILERS[target]) and shutil.which(EMULATORS[target])
        missing = missing or not there
        reports = {bits: verified(options.tarn, options.work, f'bits{bits}', target, f'host,{target}' if there else 'host') for bits in LEAST}
        if not all(reports.values()):
            failed = True
            continue
        for bits in MOST if target in ASYMMETRIC else ():
            report = verified(options.tarn, options.work, f'asymmetric{bits}', target, f'host,{target}' if there else 'host')
            count = sum(mark.format(bits) in step['kernel'] for step in report['steps']) if report else 0
            if count != ASYMMETRIC[target]:
                print(f'FAILED: asymmetric, {bits} bits: {count} layers in so many')
                failed = True
        if target in ASYMMETRIC and not grouped(options, target, mark, f'host,{target}' if there else 'host'):
            failed = True
        if not by_channels(options, target, f'host,{target}' if there else 'host'):
            print(f'FAILED: {target}: channels by themselves take too much')
            failed = True
        bytes_of = {bits: report['flash']['weights'] - constants for bits, report in reports.items()}
        for bits, most in MOST.items():
            kernels = [step['kernel'] for step in reports[bits]['steps'] if step['op'].startswith('tarn.Int')]
            ratio = bytes_of[bits] / bytes_of[8]
            print(f'{target}: weights in {bits} bits take {ratio:.3f} of those in 8')
            if len(kernels) != len(LAYERS) or any(mark.format(bits) not in kernel for kernel in kernels) or ratio > most:
                print(f'FAILED: {kernels}')
                failed = True
    return 1 if failed else MISSING if missing else 0


sys.exit(main())
