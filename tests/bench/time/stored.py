#!/usr/bin/env python3
"""How far the stored coefficients are off on layers of random geometry: which kernels have to be fitted anew, though their code is the same.

    stored.py [--build build] [--target cortex-m4,...] [--families NAME,NAME] [--kinds NAME,NAME] [--images 1] [--layers 96] [--seed 100] [--least 2] [--show N]

Runs networks as fit.py does, of other seeds, and prints the kernels that are off --least percent or more in the median, or of which a call is off more than
twice what the worst held out was: libraries change (memset, memcpy, floats in software), which the fingerprint of a kernel's code does not tell. Needs numpy (else exit status 77).
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import executed  # noqa: E402
import geometry  # noqa: E402
import spread_calls  # noqa: E402
from executed import ROOT  # noqa: E402

LINE = re.compile(r'^\{"[^"]*", "([^"]*)", "[^"]*", "[^"]*", ([^{]*), \{(.*)\}\},$')
TERM = re.compile(r'\{"([^"]*)", \{([^}]*)\}\}')


def stored(target):
    """{kernel: ({term: coefficients}, (median, worst error of instructions, of cycles))} of a target's data."""
    found = {}
    for line in (ROOT / f'generator/time/coefficients/{target}.inc').read_text().splitlines():
        if row := LINE.match(line):
            terms = {name: [float(c) for c in costs.split(',') if c.strip()] for name, costs in TERM.findall(row[3])}
            found[row[1]] = terms, tuple(float(e) for e in row[2].split(','))
    return found


def samples(options, target, family, seed):
    """Of as many layers as the board has room for."""
    for layers in (options.layers, options.layers // 2, options.layers // 4):
        try:
            return executed.samples(options.build.resolve(), target, family, seed, layers, False)
        except SystemExit as fault:
            if 'overflowed' not in str(fault) and 'will not fit' not in str(fault):
                raise
    return []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build')
    parser.add_argument('--target', '--on', dest='on', default='cortex-m4')
    parser.add_argument('--images', type=int, default=1)
    parser.add_argument('--layers', type=int, default=96)
    parser.add_argument('--seed', type=int, default=100, help='of the first image')
    parser.add_argument('--least', type=float, default=2, help='percent')
    parser.add_argument('--show', type=int, default=0, help='so many of the worst calls of each of these kernels')
    parser.add_argument('--families', default=','.join([*geometry.KINDS, spread_calls.FAMILY]))
    parser.add_argument('--kinds', default='')
    options = parser.parse_args()
    if options.kinds:
        geometry.take_only(options.kinds.split(','))
    if (options.build / 'CMakeCache.txt').exists():
        subprocess.run(['cmake', '--build', options.build, '--target', 'time_terms'], check=True, stdout=subprocess.DEVNULL)
    for target in options.on.split(','):
        data, off = stored(target), {}
        for family in options.families.split(','):
            for seed in range(options.seed, options.seed + options.images):
                for kernel, terms, counts, sparse in samples(options, target, family, seed):
                    known, _ = data.get(kernel, ({}, ()))
                    if not terms or sparse or any(count and name not in known for name, count in terms.items() if name not in ('nonzero', 'beside_zero')):
                        continue
                    predicted = sum(count * known[name][0] for name, count in terms.items() if known.get(name))
                    off.setdefault(kernel, []).append((100 * (predicted / counts[0] - 1), counts[0], family, terms))
        for kernel, calls in sorted(off.items()):
            errors = [call[0] for call in calls]
            median, worst = statistics.median(abs(e) for e in errors), max(errors, key=abs)
            if median >= options.least or abs(worst) > 2 * max(options.least, data[kernel][1][1]):
                print(f'{target:12}{kernel:34}{len(errors):6} calls{median:9.2f} % in the median{worst:+9.2f} % at worst, held out {data[kernel][1][1]:.2f}: {",".join(sorted({call[2] for call in calls}))}', flush=True)
                for error, executed_ones, family, terms in sorted(calls, key=lambda call: -abs(call[0]))[:options.show]:
                    print(f'  {error:+8.2f} % of {executed_ones:.0f}, {family}: ' + ' '.join(f'{n}={c:.0f}' for n, c in terms.items() if c))


if __name__ == '__main__':
    main()
