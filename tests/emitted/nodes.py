#!/usr/bin/env python3
"""verify --nodes: without a fault no step differs, and a fault put into the emitted code is found at the step it was put into - a flipped
bit of a weight at its layer, whatever the reference is.

    nodes.py --tarn TARN --work FOLDER

The fault is put in by a compiler that the host's C compiler ($CC) is for tarn: it changes the file before it compiles it, in the code under
test alone; that of the reference is planned by the strategy naive, which its header says. With onnxruntime where $TARN_PYTHON or
python3 has it.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from common import ROOT, Failed, check, sampling

DIGITS, KEYWORD = ROOT / 'examples/digits/digits.onnx', ROOT / 'examples/keyword_stream/keyword.onnx'
COMPILER = '''#!{python}
import pathlib, re, subprocess, sys
file, pattern, value = {fault!r}
for word in sys.argv[1:]:
    path = pathlib.Path(word)
    if path.name == file and path.exists():
        prefix = path.name.split('.')[0].replace('_weights', '')
        if 'strategy naive' not in (path.parent / (prefix + '.h')).read_text():
            text = path.read_text()
            if '/* with a fault */' not in text:
                text, times = re.subn(pattern, value, text, count=1)
                assert times == 1, 'the fault has no place'
                path.write_text(text + '/* with a fault */' + chr(10))
sys.exit(subprocess.run(['gcc', *sys.argv[1:]]).returncode)
'''


def has_onnxruntime():
    python = os.environ.get('TARN_PYTHON') or 'python3'
    return subprocess.run([python, '-c', 'import onnxruntime, numpy'], capture_output=True).returncode == 0


def verify(options, model, reference, fault=None, more=()):
    """The exit status, what is told, and the report's part on nodes."""
    environment = dict(os.environ)
    report = options.work / 'report.json'
    report.unlink(missing_ok=True)
    if fault:
        compiler = options.work / 'faulty-cc'
        compiler.write_text(COMPILER.format(python=sys.executable, fault=fault))
        compiler.chmod(0o755)
        environment['CC'] = str(compiler)
    done = subprocess.run([options.tarn, 'verify', model, '--nodes', '--reference', reference, '--report', report, '--name', 'net', *more],
                          capture_output=True, text=True, env=environment)
    nodes = json.loads(report.read_text())['verify'][0]['nodes'] if report.exists() else None
    return done.returncode, done.stdout + done.stderr, nodes


def try_model(options, model, faults, reference, more=()):
    name = f'{model.stem} beside {reference} {" ".join(more)}'
    code, said, nodes = verify(options, model, reference, more=more)
    check(code == 0 and nodes['first'] is None, f'{name}: {code} {said}')
    compared = {value['step'] for value in nodes['values'] if value['compared']}
    check(len(compared) > 2 and f'{len(compared)} of ' in said, f'{name}: {said}')
    for fault, step, layer in faults:
        code, said, nodes = verify(options, model, reference, fault, more)
        check(code == 7 and nodes['first'] == step, f'{name}, {fault}: {code}, first {nodes and nodes["first"]}, not {step}\n{said}')
        check(re.search(rf"node[^\n]*'{layer}'[^\n]*error E404: [^\n]*step {step} is the first that differs", said), f'{name}: {said}')
        check(re.search(rf'NODES [^\n]*first that differs is step {step},', said), f'{name}: {said}')
        wrong = {value['step'] for value in nodes['values'] if value.get('mismatches')}
        check(min(wrong) == step, f'{name}: {wrong}')
        print(f'found   {name}: {fault[1]} at step {step}, {layer}')


def flipped(array):
    """The sign bit of an array's first number."""
    return ('net_weights.c', rf'({array}\[\d+\] = \{{\s*)([^,]+),', r'\g<1>-(\g<2>),')


def main():
    parser = argparse.ArgumentParser()
    for name in ('tarn', 'work'):
        parser.add_argument('--' + name, type=lambda p: pathlib.Path(p).resolve(), required=True)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    digits = [(flipped('net_w_conv1_weight_conv'), 0, 'conv1'), (flipped('net_w_conv2_weight_conv'), 2, 'conv2'),
              (flipped('net_w_dense_weight_dense_t'), 4, 'dense'),
              # Stale input: the second pooling reads where the first one did.
              (('net.c', r'(&net_params_3, )NET_PTR_RELU2', r'\g<1>NET_PTR_RELU1'), 3, 'pool2')]
    failed = 0
    references = ['naive'] + (['ort'] if has_onnxruntime() else [])
    if len(references) == 1:
        print('SKIPPED the reference ort: no onnxruntime')
    full = os.environ.get('TARN_FULL') == '1'
    if not sampling.LARGER:
        print('faults of conv2 and pool2; with TARN_CI=1 those of conv1 and dense too')
    tried = digits if sampling.LARGER else digits[1::2]
    cases = [(DIGITS, tried if full or reference == references[-1] else digits[3:], reference, ()) for reference in references]
    cases += [(DIGITS, digits[1:2], 'naive', ('--bank', 'fast=1K', '--bank', 'slow=64K')), (KEYWORD, [], references[-1], ())]
    cases = sampling.part(cases)
    for case in cases:
        try:
            try_model(options, *case)
            print(f'right   {case[0].stem} beside {case[2]} {" ".join(case[3])}')
        except Failed as fault:
            failed += 1
            print(f'FAILED  {fault}')
    refused = subprocess.run([options.tarn, 'verify', DIGITS, '--nodes', '--stream', 'fed'], capture_output=True, text=True)
    if refused.returncode != 2 or '--nodes looks at whole layers' not in refused.stderr:
        failed += 1
        print(f'FAILED  --stream fed is not refused: {refused.stderr}')
    if not failed:
        shutil.rmtree(options.work, ignore_errors=True)
    print(f'{len(cases)} comparisons, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
