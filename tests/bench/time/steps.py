#!/usr/bin/env python3
"""Predicted against executed instructions of every step of a network.

    steps.py MODEL [--build build] [--on cortex-m4] [--most 20] [--data] [-- OPTIONS OF tarn]

Generates, compiles and runs as fit.py does, with random inputs, or with --data those of test_data_set_0 beside the model, for which the package onnx is needed; prints the steps that are furthest off, by their part of the network.
Steps within a loop or branch are counted with it.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from executed import HARNESS, ROOT, counted


def fill(port):
    kind = {'float32': 'floats', 'float16': 'halves', 'bool': 'bools', 'int64': 'zeros', 'int32': 'zeros'}.get(port['dtype'], 'codes')
    return f'  {kind}({port["accessor"]}(m_arena), {port["bytes"]}u);\n'


def stored(port, i, folder):
    """Statements that fill an input with what is stored."""
    import onnx
    values = onnx.numpy_helper.to_array(onnx.load_tensor(folder / f'input_{i}.pb')).tobytes()
    if len(values) != port['bytes']:
        raise SystemExit(f'input {i} has {port["bytes"]} bytes, {len(values)} are stored')
    return (f'  {{ static const uint8_t own[] = {{{",".join(map(str, values))}}};\n    uint32_t k; for (k = 0; k < sizeof own; ++k) '
            f'((uint8_t *){port["accessor"]}(m_arena))[k] = own[k]; }}\n')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('model', type=pathlib.Path)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build')
    parser.add_argument('--on', default='cortex-m4')
    parser.add_argument('--most', type=int, default=20)
    parser.add_argument('--data', action='store_true')
    own, rest = (sys.argv[1:sys.argv.index('--')], sys.argv[sys.argv.index('--') + 1:]) if '--' in sys.argv else (sys.argv[1:], [])
    options = parser.parse_args(own)
    build = options.build.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        given = ['--target', options.on, '--cc', 'none', '--stream', 'off', '--weights', 'incbin', *rest]
        subprocess.run([build / 'tarn', 'generate', options.model.resolve(), '-o', folder / 'c', '--name', 'm', *given, '--report', folder / 'r.json'], check=True, stdout=subprocess.DEVNULL)
        report = json.loads((folder / 'r.json').read_text())
        filled = [stored(port, i, options.model.parent / 'test_data_set_0') if options.data else fill(port) for i, port in enumerate(report['inputs'])]
        (folder / 'main.c').write_text(HARNESS.format(fill=''.join(filled), more=''))
        executed = [costs[0] for costs in counted(build, options.on, folder)]
        rows = [(step['instructions'] - n, step['instructions'], n, step['step'], step['kernel']) for step, n in zip(report['steps'], executed) if step.get('instructions') is not None]
        total = sum(row[2] for row in rows)
        for off, predicted, n, step, kernel in sorted(rows, key=lambda row: -abs(row[0]))[:options.most]:
            print(f'{step:5} {kernel:34}{n:12.0f} executed{predicted:12} predicted{100 * off / max(1, n):+9.2f} %{100 * off / total:+8.2f} % of the network')
        print(f'{total:.0f} executed, {sum(row[1] for row in rows)} predicted, {100 * (sum(row[1] for row in rows) / total - 1):+.2f} %')


if __name__ == '__main__':
    main()
