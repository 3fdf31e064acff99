#!/usr/bin/env python3
"""Random networks against ONNX Runtime: each planned by layers, by lines (resident and fed) and naively, compiled, run and compared.

    random_networks.py [--tarn build/tarn] [--count 300] [--seed N] [--modes layers,resident,fed,naive] [--kinds conv,qdq,...] [--keep DIR]

The seed is the time where none is given, and is printed. Needs onnx and onnxruntime; says that it is skipped where they are not.
Networks that hold nothing that runs by lines (E311) are counted apart. 1 when a comparison fails, 77 when skipped.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
try:
    import numpy
    import onnx
    import onnxruntime
    import networks
except ImportError as error:
    print(f'random networks: SKIPPED, {error}')
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODES = {'layers': [], 'resident': ['--stream', 'resident'], 'fed': ['--stream', 'fed'], 'naive': ['--strategy', 'naive', '--share', 'none', '--order', 'given']}


def write_case(folder, model, inputs):
    data = folder / 'test_data_set_0'
    data.mkdir(parents=True)
    onnx.save(model, folder / 'model.onnx')
    options = onnxruntime.SessionOptions()
    # As written: a fused kernel of its own rounds elsewhere.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=['CPUExecutionProvider'])
    outputs = session.run(None, inputs)
    for i, port in enumerate(model.graph.input):
        (data / f'input_{i}.pb').write_bytes(onnx.numpy_helper.from_array(inputs[port.name], port.name).SerializeToString())
    for i, (port, value) in enumerate(zip(model.graph.output, outputs)):
        (data / f'output_{i}.pb').write_bytes(onnx.numpy_helper.from_array(value, port.name).SerializeToString())


def verify(tarn, folder, mode):
    command = [tarn, 'verify', str(folder / 'model.onnx'), '--reference', 'data', *MODES[mode]]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, errors='replace')
    except subprocess.TimeoutExpired:
        return 'timeout', ' '.join(command)
    if done.returncode == 0:
        return 'right', ''
    code = re.search(r'error (E\d+)', done.stderr)
    if done.returncode == 4 and code and code[1] in ('E311', 'E312') and mode in ('resident', 'fed'):
        return 'not by lines', ''
    errors = [line for line in done.stderr.splitlines() if 'error' in line or 'mismatch' in line or 'differ' in line]
    return f'exit {done.returncode}', ' | '.join((errors or done.stderr.splitlines() or done.stdout.splitlines()[-3:])[:3])


def run_one(job):
    tarn, seed, kind, modes, keep = job
    results = []
    with tempfile.TemporaryDirectory(prefix='tarn-networks-') as scratch:
        folder = pathlib.Path(scratch) / f'{kind}_{seed}'
        try:
            model, inputs = networks.build(seed, kind)
            write_case(folder, model, inputs)
        except Exception as error:  # no network: nothing is claimed of it
            return [(kind, '-', seed, 'not made', str(error)[:200])]
        for mode in modes:
            outcome, why = verify(tarn, folder, mode)
            results.append((kind, mode, seed, outcome, why))
        if keep and any(outcome not in ('right', 'not by lines') for _, _, _, outcome, _ in results):
            shutil.copytree(folder, pathlib.Path(keep) / folder.name, dirs_exist_ok=True)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tarn', default=str(ROOT / 'build' / 'tarn'))
    parser.add_argument('--count', type=int, default=300)
    parser.add_argument('--seed', type=int, default=int(time.time()))
    parser.add_argument('--modes', default=','.join(MODES))
    parser.add_argument('--kinds', default=','.join(networks.KINDS))
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--keep')
    options = parser.parse_args()
    onnxruntime.set_default_logger_severity(3)
    kinds, modes = options.kinds.split(','), options.modes.split(',')
    print(f'random networks: seed {options.seed}, {options.count} networks, modes {", ".join(modes)}', flush=True)
    jobs = [(options.tarn, options.seed + i, kinds[i % len(kinds)], modes, options.keep) for i in range(options.count)]
    counts, wrong = collections.Counter(), 0
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for results in pool.map(run_one, jobs):
            for kind, mode, seed, outcome, why in results:
                counts[mode, outcome] += 1
                if outcome not in ('right', 'not by lines', 'not made'):
                    wrong += 1
                    print(f'WRONG: {kind} {seed} {mode}: {outcome}: {why}\n  again: {sys.argv[0]} --seed {seed} --count 1 --kinds {kind} --modes {mode} --keep /tmp/networks', flush=True)
    for (mode, outcome), count in sorted(counts.items()):
        print(f'  {mode:10} {outcome:14} {count}')
    right = sum(count for (_, outcome), count in counts.items() if outcome == 'right')
    print(f'random networks: {right} comparisons right, {wrong} wrong')
    return 1 if wrong or not right else 0


if __name__ == '__main__':
    sys.exit(main())
