#!/usr/bin/env python3
"""Compares what two tarn executables write, byte by byte: before and after a change that must not change emitted files.

    same_files.py BEFORE AFTER [--jobs N] [--seconds S] [--only TEXT] [--modes M,...] [--list] [MODEL_OR_FOLDER ...]

Models: .onnx files, or folders that are searched for them (default: TARN_SHARED_DIR/{models,exported}); small ones first.
Each is generated in four modes: by layers, by lines with resident and with fed inputs, and naively with the caller's
inputs and outputs. Exit status, diagnostics and every file (code, weights, report) must be equal. Symbolic dimensions are
bound to 1, as the executable's own hint says. What runs longer than --seconds (default 300) is counted apart, not as equal.
Prints the counts and every difference; ends with 1 where there is one, or where nothing was compared.
"""
import argparse
import concurrent.futures
import filecmp
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODES = {
    'layers': ['--stream', 'off'],
    'resident': ['--stream', 'resident'],
    'fed': ['--stream', 'fed'],
    'naive': ['--strategy', 'naive', '--io', 'caller', '--stream', 'off'],
}


def run(command, folder, seconds):
    """Exit status and diagnostics; a status of None: out of time."""
    try:
        done = subprocess.run(['nice', '-n', '19', *map(str, command)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=seconds, text=True, errors='replace')
        # What is told of progress depends on how busy the machine is.
        return done.returncode, re.sub(r'^tarn: .*, after \d+ s\n', '', done.stdout, flags=re.M)
    except subprocess.TimeoutExpired:
        return None, ''


def bound_dims(tarn, model, seconds):
    """--dim for what the model leaves open, 1 each, from tarn's own hint."""
    text = run([tarn, 'analyze', model, '--cc', 'none', '--emit', 'arena'], '.', seconds)[1]
    return [word for pair in re.findall(r'--dim \S+', text) for word in pair.split(' ', 1)] if 'E202' in text else []


def files_below(folder):
    return sorted(p.relative_to(folder) for p in folder.rglob('*') if p.is_file())


def compare(before, after, model, seconds, modes):
    """For one model: by mode, 'same', 'refused' (by both alike), 'late', or what differs."""
    dims = bound_dims(before, model, seconds)
    results = {}
    for mode in modes:
        with tempfile.TemporaryDirectory() as scratch:
            folders = [pathlib.Path(scratch) / 'before', pathlib.Path(scratch) / 'after']
            ended = []
            for tarn, folder in zip((before, after), folders):
                folder.mkdir()
                ended.append(run([tarn, 'generate', model, '--name', 'm', '-o', 'out', '--cc', 'none', *dims, *MODES[mode]], folder, seconds))
            if None in (ended[0][0], ended[1][0]):
                results[mode] = 'late'
                continue
            if ended[0][0] != ended[1][0]:
                results[mode] = f'ends with {ended[0][0]} before, {ended[1][0]} after: {(ended[0][1] + ended[1][1]).strip()[:200]}'
                continue
            names = [files_below(folder) for folder in folders]
            differing = sorted(set(names[0]) ^ set(names[1]))
            differing += [n for n in names[0] if n in names[1] and not filecmp.cmp(folders[0] / n, folders[1] / n, shallow=False)]
            if differing:
                results[mode] = 'files differ: ' + ', '.join(map(str, differing))
            elif ended[0][1] != ended[1][1]:
                results[mode] = f'other diagnostics: {ended[0][1].strip()[:200]!r} before, {ended[1][1].strip()[:200]!r} after'
            else:
                results[mode] = 'same' if ended[0][0] == 0 else 'refused'
    return results


def models_of(options):
    shared = pathlib.Path(os.environ.get('TARN_SHARED_DIR', ROOT.parent / 'shared'))
    found = []
    for place in options.models or [shared / 'models', shared / 'exported']:
        found += [place] if place.is_file() else place.rglob('*.onnx')
    return sorted((m.resolve() for m in found if options.only in str(m)), key=lambda m: (m.stat().st_size, str(m)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('before', type=pathlib.Path)
    parser.add_argument('after', type=pathlib.Path)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--seconds', type=float, default=300)
    parser.add_argument('--only', default='')
    parser.add_argument('--modes', default=','.join(MODES))
    parser.add_argument('--list', action='store_true', help='a line for every model')
    parser.add_argument('models', nargs='*', type=pathlib.Path)
    options = parser.parse_args()
    begun = time.monotonic()
    counts = dict.fromkeys(('same', 'refused', 'late', 'different'), 0)
    models = models_of(options)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        asked = {pool.submit(compare, options.before.resolve(), options.after.resolve(), m, options.seconds, options.modes.split(',')): m
                 for m in models}
        for done in concurrent.futures.as_completed(asked):
            model = asked[done]
            for mode, result in done.result().items():
                counts[result if result in counts else 'different'] += 1
                if result not in counts or result == 'late':
                    print(f'{model.parent.name}/{model.name} {mode}: {result}', flush=True)
            if options.list:
                print(f'{model}: {done.result()}', flush=True)
    print(f'{len(models)} models, {sum(counts.values())} comparisons: {counts["same"]} the same, {counts["refused"]} refused alike, '
          f'{counts["late"]} out of time, {counts["different"]} different; {time.monotonic() - begun:.0f} s')
    return 0 if counts['different'] == 0 and counts['same'] > 0 else 1


if __name__ == '__main__':
    sys.exit(main())
