#!/usr/bin/env python3
"""Runs the commands that README.md shows, and puts what they print below them.

    paste.py --tarn build/tarn            rewrites what has another form now, and writes only files that change; --figures:
                                          also lines in which only figures differ
    paste.py --tarn build/tarn --check    fails when a command fails, or when its output has another form than the block
                                          (figures may differ: they depend on the compiler that is installed)

A block begins with ```console, holds commands after "$ ", and what they print. They run in a scratch folder that holds
digits.onnx and main.c of examples/digits, with tarn on PATH. A command that ends with another status than 0 is followed
by "# exit status N". Those that set the machine up are left alone: their output is not shown.

generator/ops/README.md ends with the table that `tarn ops --markdown` prints: rewritten and checked alike, to the letter.
"""
import argparse
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEFT_ALONE = ('./', 'git ', 'cmake ')


def run(command, folder, tarn):
    environment = dict(os.environ, PATH=f'{tarn.parent}:{os.environ["PATH"]}', LC_ALL='C')
    done = subprocess.run(['bash', '-c', command], cwd=folder, env=environment, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.stdout.rstrip('\n').split('\n') if done.stdout.strip() else [], done.returncode


def renew(block, folder, tarn, failures):
    lines, out = block.split('\n'), []
    i = 0
    while i < len(lines):
        line = lines[i]
        i += 1
        out.append(line)
        if not line.startswith('$ '):
            continue
        command = line[2:]
        shown = []
        while i < len(lines) and not lines[i].startswith('$ '):
            shown.append(lines[i])
            i += 1
        if command.startswith(LEFT_ALONE):
            out += shown
            continue
        printed, status = run(command, folder, tarn)
        # A block promises a failure by showing it.
        if status != 0:
            printed.append(f'# exit status {status}')
            if shown and not shown[-1].startswith('# exit status'):
                failures.append(f'$ {command}\n' + '\n'.join(printed))
        out += printed
    return '\n'.join(out)


def form(text):
    return re.sub(r' *\d[\d .]*', '#', text)


def keep_figures(old, new):
    """`new`, with each line of `old` whose form is the same in its place."""
    a, b = old.split('\n'), new.split('\n')
    kept = []
    for how, i, j, k, m in difflib.SequenceMatcher(None, [form(x) for x in a], [form(x) for x in b], autojunk=False).get_opcodes():
        kept += a[i:j] if how == 'equal' else b[k:m]
    return '\n'.join(kept)


def renew_operators(tarn):
    """What the operators' README is, and what it should be."""
    old = (ROOT / 'generator/ops/README.md').read_text()
    head = old[:old.index('| operator |')] if '| operator |' in old else old
    table = subprocess.run([tarn, 'ops', '--markdown'], capture_output=True, text=True, check=True).stdout
    return old, head + table


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', type=pathlib.Path, default=ROOT / 'build/tarn')
    parser.add_argument('--check', action='store_true')
    parser.add_argument('--figures', action='store_true', help='also renews lines in which only figures differ')
    options = parser.parse_args()
    readme = ROOT / 'README.md'
    text, failures = readme.read_text(), []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for name in ('digits.onnx', 'main.c', 'samples.h'):
            shutil.copy(ROOT / 'examples/digits' / name, folder)
        new = re.sub(r'(?<=```console\n).*?(?=\n```)',
                     lambda block: renew(block.group(), folder, options.tarn.resolve(), failures), text, flags=re.S)
    old_operators, new_operators = renew_operators(options.tarn.resolve())
    if not options.check:
        # Lines whose form is the same keep their figures: those depend on the compiler that is installed.
        kept = new if options.figures else keep_figures(text, new)
        for path, old, now in ((readme, text, kept), (ROOT / 'generator/ops/README.md', old_operators, new_operators)):
            if now != old:
                path.write_text(now)
                print(f'renewed {path.relative_to(ROOT)}')
        return 0
    if new_operators != old_operators:
        failures.append('generator/ops/README.md is not what `tarn ops --markdown` prints; run tests/readme/paste.py')
    if form(new) != form(text):
        for old_line, new_line in zip(text.split('\n'), new.split('\n')):
            if form(old_line) != form(new_line):
                failures.append(f'README.md shows  {old_line}\nnow printed      {new_line}\nrun tests/readme/paste.py')
                break
        else:
            failures.append('README.md ends otherwise than what is printed now; run tests/readme/paste.py')
    for failure in failures:
        print(failure)
    return 1 if failures else 0


sys.exit(main())
