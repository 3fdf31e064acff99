#!/usr/bin/env python3
"""Over a budget of flash: each change that is told takes what was told once it is asked for, and none is left out.

    flash_advice.py TARN

A network of two outputs whose layers share a weight: weights in fewer bits, packed, one output alone, code for size.
"""
import json
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'bench'))
import onnx_bytes  # noqa: E402

N = 48
WANTED = ['code for size', 'weights as f16', 'weights as int8', 'weights as int4:block=32', 'packed weights', "output 'y' alone",
          "output 'z' alone"]


def network(path):
    rng = random.Random(3)
    held = [onnx_bytes.tensor(name, [N, N], [rng.gauss(0, 1) for _ in range(N * N)]) for name in ('v', 'w')]
    node = onnx_bytes.node
    nodes = [node('Gemm', ['x', 'v'], 'a'), node('Relu', ['a'], 'b'), node('Gemm', ['b', 'v'], 'y'), node('Gemm', ['x', 'w'], 'z')]
    info = onnx_bytes.value_info
    path.write_bytes(onnx_bytes.model(nodes, held, [info('x', [1, N])], [info('y', [1, N]), info('z', [1, N])]))


def analyze(tarn, model, options, report):
    code = subprocess.run([tarn, 'analyze', model, *options, '--report', report], capture_output=True).returncode
    return code, json.loads(report.read_text())


def main():
    tarn = pathlib.Path(sys.argv[1]).resolve()
    faults = []
    with tempfile.TemporaryDirectory() as scratch:
        model, report = pathlib.Path(scratch) / 'two.onnx', pathlib.Path(scratch) / 'report.json'
        network(model)
        for budget in (14000, 3000):
            code, told = analyze(tarn, model, ['--flash', str(budget)], report)
            rows = told.get('advice', [])
            changes = sorted(row['change'] for row in rows)
            if code != 5 or changes != sorted(WANTED):
                faults.append(f'exit {code}, told: {changes}')
            for row in rows:
                _, again = analyze(tarn, model, shlex.split(row['options']), report)
                flash = again['flash']['weights'] + again['flash']['code']
                if flash != row['flash'] or row['fits'] != (flash <= budget):
                    faults.append(f'{row["options"]}: {flash}, told {row["flash"]}, fits: {row["fits"]} in {budget}')
    print('\n'.join(faults + [f'{len(faults)} faults']))
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
