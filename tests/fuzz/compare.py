#!/usr/bin/env python3
"""Fuzzed models that are accepted, compared with ONNX Runtime: generated, compiled, run on random inputs.

    compare.py [--tarn build/tarn] [--count 200] [--seed N] [--keep DIR] MODELS...

MODELS are files or folders (default: the stored corpus; build-fuzz/work/corpus holds what a run of run.sh has added); a sample of them is
drawn by the seed, which is the time where none is given, and is printed. What ONNX Runtime cannot run and what tarn refuses is counted apart.
Needs onnx and onnxruntime; says that it is skipped where they are not. 1 when values differ, 77 when skipped.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import shutil
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import random_networks  # noqa: E402  says that it is skipped, and ends, without the packages
import numpy  # noqa: E402
import onnx  # noqa: E402
from onnx import helper  # noqa: E402

# What is random by its definition, and what ONNX Runtime is known to do otherwise than ONNX says (README: what tarn warns of).
RANDOM = {'RandomNormal', 'RandomNormalLike', 'RandomUniform', 'RandomUniformLike', 'Bernoulli', 'Multinomial', 'Dropout'}


def operators(graph):
    for node in graph.node:
        yield node.op_type
        for attribute in node.attribute:
            for inner in [attribute.g, *attribute.graphs]:
                yield from operators(inner)


def make_input(generator, value):
    kind = value.type.tensor_type
    shape = [d.dim_value if d.HasField('dim_value') else 2 for d in kind.shape.dim]
    if not value.type.HasField('tensor_type') or not kind.HasField('shape') or min(shape, default=0) < 0 or numpy.prod(shape) > 1e6:
        raise ValueError('no tensor of a known size')
    dtype = helper.tensor_dtype_to_np_dtype(kind.elem_type)
    if dtype == object:
        raise ValueError('strings')
    if numpy.dtype(dtype).kind in 'iub':
        return generator.integers(0, 2 if numpy.dtype(dtype).kind == 'b' else 4, shape).astype(dtype)
    return generator.normal(size=shape).astype(dtype)


def run_one(job):
    tarn, path, seed, keep = job
    with tempfile.TemporaryDirectory(prefix='tarn-compare-') as scratch:
        folder = pathlib.Path(scratch) / path.stem
        try:
            model = onnx.load(path, load_external_data=False)
            if RANDOM & set(operators(model.graph)):
                return path, 'random by definition', ''
            held = {t.name for t in model.graph.initializer}
            for i in reversed(range(len(model.graph.input))):
                if model.graph.input[i].name in held:
                    del model.graph.input[i]
            generator = numpy.random.default_rng(seed)
            inputs = {v.name: make_input(generator, v) for v in model.graph.input}
            random_networks.write_case(folder, model, inputs)
        except Exception as error:
            return path, 'not run by ONNX Runtime', str(error)[:100]
        outcome, why = random_networks.verify(tarn, folder, 'layers')
        if outcome in ('exit 3', 'exit 4'):
            return path, 'refused by tarn', why
        if 'E406' in why:  # inputs that decide sizes, with values that the plan is not for
            return path, 'refused at run time', why
        if outcome != 'right' and keep:
            shutil.copytree(folder, pathlib.Path(keep) / folder.name, dirs_exist_ok=True)
        return path, outcome, why


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tarn', default=str(random_networks.ROOT / 'build' / 'tarn'))
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--seed', type=int, default=int(time.time()))
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--keep')
    parser.add_argument('models', nargs='*', default=[str(random_networks.ROOT / 'tests' / 'fuzz' / 'corpus')])
    options = parser.parse_args()
    random_networks.onnxruntime.set_default_logger_severity(4)
    files = sorted(p for m in map(pathlib.Path, options.models) for p in ([m] if m.is_file() else m.rglob('*')) if p.is_file() and p.suffix != '.pb')
    chosen = random.Random(options.seed).sample(files, min(options.count, len(files)))
    print(f'compare: seed {options.seed}, {len(chosen)} of {len(files)} models', flush=True)
    counts, wrong = collections.Counter(), 0
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for path, outcome, why in pool.map(run_one, [(options.tarn, p, options.seed, options.keep) for p in chosen]):
            counts[outcome] += 1
            if outcome not in ('right', 'random by definition', 'not run by ONNX Runtime', 'refused by tarn', 'refused at run time'):
                wrong += 1
                print(f'DIFFERS: {path}: {outcome}: {why}\n  again: {sys.argv[0]} --seed {options.seed} --keep /tmp/compare {path}', flush=True)
    print(f'compare: {dict(counts)}; {wrong} differ')
    return 1 if wrong or not counts['right'] else 0


if __name__ == '__main__':
    sys.exit(main())
