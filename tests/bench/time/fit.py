#!/usr/bin/env python3
"""Fits the coefficients of kernels' terms (generator/time/) to executed instructions, and says how good they are.

    fit.py [--build build] [--target cortex-m4,...] [--kernels NAME,NAME] [--families NAME,NAME] [--images 16] [--layers 96] [--show N] [--write] [--check]

Every image holds many layers of random geometry, whose steps are counted one by one under QEMU, compiled as `tarn verify`
compiles. A quarter of each kernel's calls, drawn at random with a fixed seed, is held out: it is not fitted on, and errors are told
of both. Non-negative least squares of relative errors. --kernels: only these, from networks of --families. --write replaces the
fitted kernels' lines of coefficients/TARGET.inc. --check fails where the
held-out calls of a kernel are over 3 percent off in the median, or one of them over 8. Needs numpy (else exit status 77).
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    sys.exit(77)

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
DATA = ROOT / 'generator/time/coefficients'  # a file per target
sys.path.insert(0, str(HERE.parent))
import geometry  # noqa: E402

MEDIAN, WORST = 3.0, 8.0  # percent, of calls held out
LEAST_CALLS = 24       # of a kernel, or it is not fitted
LEAST_WITH_A_TERM = 4  # calls, or what it costs is not known

HARNESS = '''#include "m.h"
void bench_mark(void);
__attribute__((noinline)) void bench_mark(void) {{ __asm__ volatile(""); }}
static uint32_t seed = 1u;
static uint32_t next(void) {{ seed = seed * 1664525u + 1013904223u; return seed ^ (seed >> 16); }}
static void codes(void *to, uint32_t n) {{ uint32_t i; for (i = 0; i < n; ++i) ((uint8_t *)to)[i] = (uint8_t)next(); }}
static void floats(void *to, uint32_t n) {{
  uint32_t i;
  for (i = 0; i < n / 4; ++i) ((float *)to)[i] = (float)(int32_t)(next() >> 8) / 4194304.0f - 2.0f;
}}
int main(void) {{
  uint32_t i;
{fill}  bench_mark();
  for (i = 0; i < M_STEPS; ++i) {{
    (void)m_run_step(m_arena, i);
    bench_mark();
  }}
  return 0;
}}
'''
# The firmware as `tarn verify` compiles it (generator/verify/build.cc).
COUNT = '''. {target_folder}/boards.sh
gcc -O2 -fPIC -shared -w -o counter.so {target_folder}/count_plugin.c -lpthread
board {target}
for source in c/*.c; do
  $compiler $flags -pipe -std=c99 -O2 -ffp-contract=off -ffunction-sections -fdata-sections -Ic -c $source -o $source.o
done
board_build {target} t.elf -std=c99 -w -Ic main.c c/*.o
mark=$(${{compiler%gcc}}nm t.elf | awk '$3 == "bench_mark" {{ print $1 }}')
board_run {target} t.elf -plugin ./counter.so,mark=0x$mark
'''
OPTIONS = ['--input-layout', 'nhwc', '--output-layout', 'nhwc', '--cc', 'none', '--order', 'given', '--effort', '0', '--strategy',
           'greedy_by_size', '--weights', 'c', '--stream', 'off']


def terms_of(build, model, options):
    """[(step, kernel, {term: count} or None)] of a network."""
    lines = subprocess.run([build / 'tests/bench/time/time_terms', model, *options], check=True, text=True, capture_output=True).stdout
    found = []
    for line in lines.splitlines():
        step, kernel, *terms = line.split()
        found.append((int(step), kernel,
                      None if terms == ['none'] else {t.split('=')[0]: float(t.split('=')[1]) for t in terms}))
    return found


def samples(build, target, family, seed, layers):
    """[(kernel, terms, executed instructions)] of the steps of one image."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / 'm.onnx').write_bytes(geometry.network(random.Random(seed), family, layers))
        options = ['--target', target, *OPTIONS]
        subprocess.run([build / 'tarn', 'generate', folder / 'm.onnx', '-o', folder / 'c', '--name', 'm', *options, '--report', folder / 'r.json'],
                       check=True, capture_output=True)
        report = json.loads((folder / 'r.json').read_text())
        fill = ''.join(f'  {"floats" if p["dtype"] == "float32" else "codes"}({p["accessor"]}(m_arena), {p["bytes"]}u);\n'
                       for p in report['inputs'])
        (folder / 'main.c').write_text(HARNESS.format(fill=fill))
        script = COUNT.format(target=target, target_folder=ROOT / 'tests/kernels/target')
        done = subprocess.run(['bash', '-e', '-c', script], cwd=folder, text=True, capture_output=True)
        counts = [int(n) for n in re.findall(r'marked (\d+)', done.stderr)][1:]
        if done.returncode != 0 or len(counts) < len(report['steps']):
            sys.exit(f'fit.py: no counts from {target}:\n{done.stderr[-2000:]}')
        return [(kernel, terms, counts[step]) for step, kernel, terms in terms_of(build, folder / 'm.onnx', options)]


def code_of(build, target, kernels):
    """The compiler's version, and a hash of what it makes of each kernel."""
    lines = subprocess.run([build / 'tests/bench/time/time_terms', '--code', target, *kernels], check=True, text=True, capture_output=True).stdout
    version, *hashes = lines.splitlines()
    return version, dict(line.split() for line in hashes)


def nnls(a, b):
    """Non-negative least squares by active sets (Lawson and Hanson, Solving Least Squares Problems, chapter 23)."""
    x, free = numpy.zeros(a.shape[1]), numpy.zeros(a.shape[1], bool)
    for _ in range(10 * a.shape[1]):
        gradient = numpy.where(free, -numpy.inf, a.T @ (b - a @ x))
        if gradient.max() <= 1e-9:
            break
        free[gradient.argmax()] = True
        while True:
            s = numpy.zeros_like(x)
            s[free] = numpy.linalg.lstsq(a[:, free], b, rcond=None)[0]
            bad = free & (s <= 0)
            if not bad.any():
                break
            step = (x[bad] / (x[bad] - s[bad] + 1e-300)).min()
            x += step * (s - x)
            free &= x > 1e-12
            x[~free] = 0
        x = s
    return x


def fit(kernel, terms, counts):
    """({term: coefficient}, errors of the calls fitted on, of those held out)."""
    held = numpy.zeros(len(counts), bool)
    held[random.Random(kernel).sample(range(len(counts)), len(counts) // 4)] = True
    names = [n for n in dict.fromkeys(n for t in terms for n in t)
             if sum(t.get(n, 0) > 0 for t, h in zip(terms, held) if not h) >= LEAST_WITH_A_TERM]
    # A call with a term that too few others have is not predicted.
    known = numpy.array([all(c == 0 or n in names for n, c in t.items()) for t in terms])
    a, y = numpy.array([[t.get(n, 0.0) for n in names] for t in terms]), numpy.array(counts, float)
    scale = numpy.where(a.max(0) > 0, a.max(0), 1)
    use = ~held & known
    x = nnls((a / scale / y[:, None])[use], numpy.ones(use.sum())) / scale
    error = abs(a @ x / y - 1)
    return {n: float(c) for n, c in zip(names, x)}, error[use], error[held & known], error * known


def fit_target(options, target):
    """The lines of coefficients/TARGET.inc, and whether the errors keep to the goals."""
    rows = [r for family in options.families.split(',') for seed in range(options.images)
            for r in samples(options.build.resolve(), target, family, seed, options.layers)
            if not options.kernels or r[0] in options.kernels.split(',')]
    lines, good = [], True
    version, code = code_of(options.build.resolve(), target, sorted({r[0] for r in rows if r[1]}))
    for kernel in sorted({r[0] for r in rows}):
        own = [r for r in rows if r[0] == kernel and r[1]]
        if len(own) < LEAST_CALLS:
            print(f'{target:12}{kernel:34}{sum(r[0] == kernel for r in rows):6}  not modelled')
            continue
        x, fitted, held, all_errors = fit(kernel, [r[1] for r in own], [r[2] for r in own])
        within = numpy.median(held) * 100 <= MEDIAN and held.max() * 100 <= WORST
        good &= within
        figures = [100 * v for v in (numpy.median(fitted), fitted.max(), numpy.median(held), held.max())]
        print(f'{target:12}{kernel:34}{len(own):6}' + '{:14.2f} %{:6.2f} %{:16.2f} %{:6.2f} %'.format(*figures), flush=True)
        for i in all_errors.argsort()[::-1][:options.show]:
            terms = ' '.join(f'{n}={c:.0f}' for n, c in own[i][1].items() if c)
            print(f'  {100 * all_errors[i]:6.2f} % of {own[i][2]}: {terms}')
        if not within:
            print(f'{target:12}{kernel:34}  over the goals: not written')
            continue
        values = ', '.join(f'{{"{n}", {c:.5g}}}' for n, c in x.items())
        lines.append(f'{{"{target}", "{kernel}", "{version}", "{code[kernel]}", {figures[2]:.2f}, {figures[3]:.2f}, {{{values}}}}},')
    return lines, good


def write(target, lines, only):
    """Replaces a target's lines, or those of some kernels."""
    file = DATA / f'{target}.inc'
    old = file.read_text().splitlines() if only and file.exists() else []
    others = [line for line in old if line.startswith('{') and line.split('"')[3] not in only]
    file.write_text('\n'.join(['// Written by tests/bench/time/fit.py. Do not edit.'] + sorted(others + lines)) + '\n')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build')
    parser.add_argument('--target', '--on', dest='on', default='cortex-m4')
    parser.add_argument('--images', type=int, default=16)
    parser.add_argument('--layers', type=int, default=96)
    parser.add_argument('--show', type=int, default=0, help='so many of the worst calls of each kernel')
    parser.add_argument('--kernels', default='')
    parser.add_argument('--families', default=','.join(geometry.KINDS))
    parser.add_argument('--write', action='store_true')
    parser.add_argument('--check', action='store_true')
    options = parser.parse_args()
    targets = options.on.split(',')
    print(f'{"target":12}{"kernel":34}{"calls":>6}{"fitted: median":>16}{"worst":>8}{"held out: median":>18}{"worst":>8}')
    subprocess.run(['cmake', '--build', options.build, '--target', 'time_terms'], check=True, stdout=subprocess.DEVNULL)
    fitted = [fit_target(options, target) for target in targets]
    if options.write:
        for target, (lines, _) in zip(targets, fitted):
            write(target, lines, options.kernels.split(',') if options.kernels else [])
    return int(options.check and not all(good for _, good in fitted))


if __name__ == '__main__':
    sys.exit(main())
