#!/usr/bin/env python3
"""Networks of many thousand nodes: the time taken grows as they do, and the code of their steps, which stands in several
functions, is as good as that of few.

    long_chains.py --tarn build/tarn --work FOLDER
"""
import argparse
import pathlib
import resource
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'tests/bench'))
import onnx_bytes  # noqa: E402
import run_cases  # noqa: E402
from common import CXX, C99, WARNINGS, Failed, Model, check, run, sampling  # noqa: E402

SHORT, LONG = 2000, 8000
MOST = 11  # times as long for LONG as for SHORT; what is quadratic takes sixteen, and a busy machine moves tenths of a second


def chain(work, name, shape, count, node_of, constants=()):
    nodes, weights, top = [], list(constants), 'x'
    for i in range(count):
        made, own = node_of(i, top, f't{i}')
        nodes += made
        weights += own
        top = f't{i}'
    path = work / f'{name}_{count}.onnx'
    path.write_bytes(onnx_bytes.model(nodes, weights, [onnx_bytes.value_info('x', shape)], [onnx_bytes.value_info(top, shape)]))
    return path


def elementwise(i, x, y):
    return [onnx_bytes.node('Relu', [x], y) if i % 2 else onnx_bytes.node('Add', [x, 'c'], y)], []


def weight(i):
    return onnx_bytes.tensor(f'w{i}', [2, 2, 1, 1], [0.5, -0.25, 0.75, i % 7 / 8])


def conv(i, x, y):
    return [onnx_bytes.node('Conv', [x, f'w{i}'], y)], [weight(i)]


def ladder(i, x, y):
    """A convolution and a sum around it."""
    inner = [onnx_bytes.node('Conv', [x, f'w{i}'], f'a{i}'), onnx_bytes.node('Tanh', [f'a{i}'], f'b{i}')]
    return [*inner, onnx_bytes.node('Add', [f'b{i}', x], y)], [weight(i)]


def residual(i, x, y):
    """The same without anything between: the layer takes the sum in."""
    return [onnx_bytes.node('Conv', [x, f'w{i}'], f'a{i}'), onnx_bytes.node('Add', [f'a{i}', x], y)], [weight(i)]


def identity(i, x, y):
    return [onnx_bytes.node('Identity' if i % 4 else 'Relu', [x], y)], []


def half(name):
    return [onnx_bytes.tensor(name, [1], [0.5])]


CHAINS = {
    'elementwise': ([1, 8], 1, elementwise, half('c')), 'conv': ([1, 2, 2, 2], 1, conv, ()), 'ladder': ([1, 2, 2, 2], 3, ladder, ()),
    'residual': ([1, 2, 2, 2], 2, residual, ()), 'identity': ([1, 8], 1, identity, ())}


def seconds(command):
    """Of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def growth(options):
    for name, (shape, nodes, node_of, constants) in sampling.part(CHAINS.items()):
        commands = [[options.tarn, 'analyze', '--cc', 'none', chain(options.work, name, shape, count // nodes, node_of, constants)] for count in (SHORT, LONG)]
        for _ in range(3):  # the machine may have been busy
            short, long = map(seconds, commands)
            if long <= MOST * max(short, 0.05):
                break
        print(f'{name}: {short:.2f} s for {SHORT} nodes, {long:.2f} s for {LONG}')
        check(long <= MOST * max(short, 0.05), f'{name}: {LONG // SHORT} times the nodes take {long / short:.1f} times as long')


def code(options):
    """In several functions, without a warning, step by step as in one run, and right."""
    count = 1201
    path = chain(options.work, 'neg', [1, 4], count, lambda i, x, y: (
        [onnx_bytes.node('Neg', [x], y) if i % 2 else onnx_bytes.node('Add', [x, 'c'], y)], []), half('c'))
    model = Model('neg', path, [])
    firmware = model.generate(options.tarn, options.work / 'neg')
    steps = len(firmware.report['steps'])
    check(steps > 1000, f'{steps} steps are no long chain any more')
    text = (firmware.folder / 'neg.c').read_text()
    check('neg_run_steps_250' in text, 'all steps stand in one function')
    for compiler in (['gcc', *C99], ['g++', *CXX], ['clang-14', *C99]):
        if shutil.which(compiler[0]):
            run([*compiler, *WARNINGS, '-O2', '-c', firmware.folder / 'neg.c', '-o', options.work / 'neg.o'])
    run_cases.run_step(model, options, options.work / 'steps')
    # x + c, its opposite, and so on: after each pair x - c less than nothing, or x again.
    data = options.work / 'test_data_set_0'
    data.mkdir()
    given, values = [0.25, -3.0, 100.0, 7.5], []
    for x in given:
        for i in range(count):
            x = -x if i % 2 else x + 0.5
        values.append(x)
    (data / 'input_0.pb').write_bytes(onnx_bytes.tensor('x', [1, 4], given))
    (data / 'output_0.pb').write_bytes(onnx_bytes.tensor(f't{count - 1}', [1, 4], values))
    print(run([options.tarn, 'verify', path, '--data', data]).splitlines()[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', type=pathlib.Path, required=True)
    parser.add_argument('--work', type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.tarn = options.tarn.resolve()
    shutil.rmtree(options.work, ignore_errors=True)
    options.work = options.work.resolve()
    options.work.mkdir(parents=True)
    try:
        growth(options)
        code(options)
    except Failed as fault:
        print(f'FAILED {fault}')
        return 1
    shutil.rmtree(options.work)
    return 0


sys.exit(main())
