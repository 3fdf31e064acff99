#!/usr/bin/env python3
"""Runs the commands that README.md, the guides, the quantisation example and the bench of formulas show, and puts what they print below them.

    paste.py --tarn build/tarn            rewrites what has another form now, and writes only files that change; --figures:
                                          also lines in which only figures differ
    paste.py --tarn build/tarn --check    fails when a command fails, or when its output has another form than the block
                                          (figures may differ: they depend on the compiler that is installed)
    --only WORD                           only documents whose name has this word
    --part                                README.md and a third of the others, unless TARN_CI=1 or TARN_FULL=1

A block begins with ```console, holds commands after "$ ", and what they print. Those of a document run in order, in a scratch
folder that holds digits.onnx, main.c, samples.h and board/ of examples/digits, keyword.onnx of examples/keyword_stream and what stands beside
the document, with tarn on PATH. A command that ends with another status than 0 is followed by "# exit status N". Those that set
the machine up are left alone: their output is not shown.

A section with a line <!-- needs NAME: MODULES --> is run where a Python has these modules: $TARN_PYTHON, python3, or what .ci/exporters.sh NAME
has installed; elsewhere it is left alone, and that is printed. It has a folder of its own, into which its ```python blocks whose first line is a comment with a name that ends in .py are written.

examples/guides/features.md is a table whose rows name a command each: all must end with status 0.

generator/ops/README.md ends with the table that `tarn ops --markdown` prints: rewritten and checked alike, to the letter.
"""
import argparse
import difflib
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import sampling  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEFT_ALONE = ('./examples/', './tests/', 'git ', 'cmake ')


@functools.cache
def python_with(name, modules):
    """A Python that has all of the modules; None where there is none."""
    installed = subprocess.run([ROOT / '.ci/exporters.sh', '--installed', name], capture_output=True, text=True, check=True).stdout.strip()
    for python in (os.environ.get('TARN_PYTHON'), 'python3', installed):
        look = f'import importlib.util as u, sys; sys.exit(not all(u.find_spec(m) for m in {modules.split()}))'
        if python and subprocess.run([python, '-c', look], capture_output=True).returncode == 0:
            return shutil.which(python)
    return None


def run(command, folder, tarn):
    environment = dict(os.environ, PATH=f'{folder}/.bin:{tarn.parent}:{os.environ["PATH"]}', LC_ALL='C')
    if (folder / '.bin/python3').exists():
        environment['TARN_PYTHON'] = str(folder / '.bin/python3')
    done = subprocess.run(['bash', '-c', command], cwd=folder, env=environment, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    # What tarn says of its progress when it takes long depends on what else the machine does.
    lines = [line for line in done.stdout.rstrip('\n').split('\n') if not re.fullmatch(r'tarn: .*, after \d+ s', line)]
    return lines if any(lines) else [], done.returncode


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


def documents(only, part):
    found = [ROOT / 'README.md', *sorted((ROOT / 'examples/guides').glob('*.md')), ROOT / 'examples/quantise/README.md',
             ROOT / 'tests/bench/symbolic/README.md']
    chosen = [path for path in found if only in str(path.relative_to(ROOT))]
    return [*chosen[:1], *sampling.part(chosen[1:], 6)] if part else chosen


def renewed(path, tarn, failures):
    """The text of a document with what its commands print now."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        beside = [] if path.parent == ROOT else [f for f in path.parent.iterdir() if f.is_file() and f.suffix != '.md']
        examples = ROOT / 'examples'
        for file in [*(examples / 'digits' / name for name in ('digits.onnx', 'main.c', 'samples.h')), *(examples / 'digits/board').iterdir(),
                     examples / 'keyword_stream/keyword.onnx', ROOT / 'tests/bench/onnx_bytes.py', *beside]:
            shutil.copy(file, folder)
        sections = re.split(r'(?m)^(?=## )', path.read_text())
        return ''.join(renew_section(path.name, section, folder, tarn, failures) for section in sections)


def renew_section(document, section, folder, tarn, failures):
    needs = re.search(r'<!-- needs (\w+): ([\w ]+) -->', section)
    if needs:
        python = python_with(*needs.groups())
        if python is None:
            print(f'{document}: SKIPPED the section {section.splitlines()[0][3:]}: no Python has {needs[2]} (.ci/exporters.sh {needs[1]})')
            return section
        folder = folder / needs[1]
        (folder / '.bin').mkdir(parents=True)
        (folder / '.bin/python3').write_text(f'#!/bin/sh\nexec {python} "$@"\n')
        (folder / '.bin/python3').chmod(0o755)
        for script in re.findall(r'(?<=```python\n)# \w+\.py\n.*?(?=```)', section, re.S):
            (folder / script.split()[1]).write_text(script)
    return re.sub(r'(?<=```console\n).*?(?=\n```)', lambda block: renew(block.group(), folder, tarn, failures), section, flags=re.S)


def failing_rows(text, tarn):
    """Rows of the table of features whose command does not show what they say."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        models = {'unsupported.onnx': 'tests/errors/E203_all_at_once', 'open.onnx': 'tests/errors/E202_unbound_dimensions'}
        for name, place in models.items():
            shutil.copy(ROOT / place / 'model.onnx', folder / name)
        for file in (ROOT / 'examples/digits/digits.onnx', ROOT / 'examples/keyword_stream/keyword.onnx', *(ROOT / 'examples/digits/board').iterdir()):
            shutil.copy(file, folder)
        rows = re.findall(r'(?m)^\| (\d+) \| .*? \| (?:`((?:tarn|cc|cd|ls|grep|for|!) .*?)`|\[)', text)
        found = []
        for number, command in rows:
            command = command.replace('\\|', '|')
            printed, status = run(command, folder, tarn) if command else ([], 0)
            if status != 0:
                found.append(f'features.md, row {number}: status {status}: {command}\n' + '\n'.join(printed[-8:]))
        print(f'features.md: {len(rows)} rows, {sum(bool(command) for _, command in rows)} commands, {len(found)} fail')
        return found


def difference(name, text, new):
    """What a reader of the test's output needs to know; nothing where the form is the same."""
    if form(new) == form(text):
        return []
    for old_line, new_line in zip(text.split('\n'), new.split('\n')):
        if form(old_line) != form(new_line):
            return [f'{name} shows  {old_line}\nnow printed  {new_line}\nrun tests/readme/paste.py']
    return [f'{name} ends otherwise than what is printed now; run tests/readme/paste.py']


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', type=pathlib.Path, default=ROOT / 'build/tarn')
    parser.add_argument('--check', action='store_true')
    parser.add_argument('--figures', action='store_true', help='also renews lines in which only figures differ')
    parser.add_argument('--only', default='')
    parser.add_argument('--part', action='store_true')
    options = parser.parse_args()
    tarn, failures = options.tarn.resolve(), []
    pages = [(path, path.read_text(), renewed(path, tarn, failures)) for path in documents(options.only, options.part)]
    old_operators, new_operators = renew_operators(tarn)
    if not options.check:
        # Lines whose form is the same keep their figures: those depend on the compiler that is installed.
        renew_all = [(path, old, new if options.figures else keep_figures(old, new)) for path, old, new in pages]
        for path, old, now in [*renew_all, (ROOT / 'generator/ops/README.md', old_operators, new_operators)]:
            if now != old:
                path.write_text(now)
                print(f'renewed {path.relative_to(ROOT)}')
        return 0
    if new_operators != old_operators:
        failures.append('generator/ops/README.md is not what `tarn ops --markdown` prints; run tests/readme/paste.py')
    for path, old, new in pages:
        if path.name == 'features.md':
            failures += failing_rows(old, tarn)
        failures += difference(path.relative_to(ROOT), old, new)
    for failure in failures:
        print(failure)
    print(f'{len(pages)} documents')
    return 1 if failures else 0


sys.exit(main())
