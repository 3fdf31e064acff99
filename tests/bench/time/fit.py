#!/usr/bin/env python3
"""Fits the coefficients of kernels' terms (generator/time/) to executed instructions, and says how good they are.

    fit.py [--build build] [--target cortex-m4,...] [--kernels NAME,NAME] [--families NAME,NAME] [--kinds NAME,NAME] [--images 16] [--layers 96] [--show N] [--missing] [--write [--drop-terms]] [--check]
           [--lines | --loops]

Every image holds many layers of random geometry, whose steps are profiled one by one under QEMU, compiled as `tarn verify`
compiles: executed instructions, and what their cycles and waits for memory are made of (generator/time/cost.h). A quarter of each
kernel's calls, drawn at random with a fixed seed, is held out: it is not fitted on, and errors are told of both, of instructions
and of cycles. Non-negative least squares of errors relative to the call's instructions. --kernels: only these, from networks of --families, of their layers only --kinds; --missing: only those that the target
has no data of. --write replaces the
fitted kernels' lines of coefficients/TARGET.inc and leaves all others where and as they are, or writes nothing where one of them would lose a term that the data have (--drop-terms: it may); a kernel of more terms than the data hold is not written; where cycles alone are over the goals below it is of instructions only. --lines: what networks by lines take beside the loops of their kernels, which are taken from
the data of whole layers: the work of the driver, and what a call of each line's kernel begins with. --loops: what loops and branches take beside the steps inside them, which are taken from the data in the same way. --check fails where the
held-out calls of a kernel are over 3 percent off in the median, or one of them over 8; floats in software depend on data and may be
off 40 and 60. Needs numpy (else exit status 77).
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys

try:
    import numpy
except ImportError:
    sys.exit(77)

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import executed  # noqa: E402
import geometry  # noqa: E402
import spread_calls  # noqa: E402
from executed import ROOT, WITHOUT_FLOATS  # noqa: E402

DATA = ROOT / 'generator/time/coefficients'  # a file per target
MEDIAN, WORST = 3.0, 8.0  # percent, of calls held out
MOST_TERMS = 56           # of a kernel: what generator/time/predict.cc has room for
WIDE = 40.0, 60.0         # of kernels that are told with a range
DATA_DECIDE = ('tarn_topk_f32', 'tarn_trees_f32', 'tarn_int_product_s8', 'tarn_int_matmul_dsp_s8')  # those with sums on ties
LEAST_CALLS = 24          # of a kernel, or it is not fitted
LEAST_WITH_A_TERM = 4  # calls, or what it costs is not known
COSTS = ('instructions', 'cycles', 'jumps', 'code_bytes', 'reads', 'read_bytes')  # in the order of time_terms --cost


def code_of(build, target, kernels):
    """The compiler's version, and a hash of what it makes of each kernel."""
    lines = subprocess.run([build / 'tests/bench/time/time_terms', '--code', target, *kernels], check=True, text=True, capture_output=True).stdout
    version, *hashes = lines.splitlines()
    return version, dict(line.split() for line in hashes)


def software_floats(target, kernel):
    """As in generator/time/predict.cc."""
    return target in WITHOUT_FLOATS and any(word in kernel for word in ('_f32', '_f16', 'quantize', 'qlinear', 'int_product', 'int_pair', '_gru_', '_lstm_', '_rnn_'))


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


def fit(kernel, terms, counts, sparse):
    """({term: coefficients as in COSTS}, errors of the calls fitted on, of those held out, of all, those of cycles held out)."""
    held = numpy.array(sparse)
    held[random.Random(kernel).sample(range(len(counts)), len(counts) // 4)] = True
    names = [n for n in dict.fromkeys(n for t in terms for n in t)
             if sum(t.get(n, 0) > 0 for t, h in zip(terms, held) if not h) >= LEAST_WITH_A_TERM]
    # A call with a term that too few others have is not predicted.
    known = numpy.array([all(c == 0 or n in names for n, c in t.items()) for t in terms])
    a, all_costs = numpy.array([[t.get(n, 0.0) for n in names] for t in terms]), numpy.array(counts, float)
    y = all_costs[:, 0]
    scale = numpy.where(a.max(0) > 0, a.max(0), 1)
    use = ~held & known
    x = numpy.array([nnls((a / scale / y[:, None])[use], (cost / y)[use]) / scale if cost.any() else numpy.zeros(len(names))
                     for cost in all_costs.T])
    error, cycles = abs(a @ x[0] / y - 1), all_costs[:, 1]
    cycle_error = abs(a @ x[1] / cycles - 1) if cycles.all() else numpy.zeros(len(y))
    coefficients = {n: [float(c) for c in x[:, i]] for i, n in enumerate(names)}
    return coefficients, error[use], error[held & known], error * known, cycle_error[held & known]


def fit_lines(rows):
    """({model: {term: coefficients}}, {model: errors of the steps held out, of instructions and of cycles}, rows and errors of all)."""
    rows = [r for r in rows if r[1]]
    held = numpy.zeros(len(rows), bool)
    held[random.Random(1).sample(range(len(rows)), len(rows) // 4)] = True
    names = [n for n in dict.fromkeys(n for r in rows for n in r[1]) if n != 'costs'
             and sum(r[1].get(n, 0) != 0 for r, h in zip(rows, held) if not h) >= LEAST_WITH_A_TERM]
    known = numpy.array([all(c == 0 or n in names for n, c in r[1].items() if n != 'costs') for r in rows])
    a = numpy.array([[r[1].get(n, 0.0) for n in names] for r in rows])
    y, loops = numpy.array([r[2] for r in rows], float), numpy.array([r[1]['costs'] for r in rows], float)
    scale, use = numpy.where(abs(a).max(0) > 0, abs(a).max(0), 1), ~held & known
    # A step is worth as much as its own work and a tenth of the loops: what these are off is no matter of the driver.
    weight = numpy.maximum(1, abs(y[:, 0] - loops[:, 0]) + loops[:, 0] / 10)
    x = numpy.array([nnls((a / scale / weight[:, None])[use], ((y[:, i] - loops[:, i]) / weight)[use]) / scale if y[:, i].any() else numpy.zeros(len(names))
                     for i in range(len(COSTS))])
    # Of small steps a part of a thousand: there are many of these, and they matter less than the others.
    off = [abs(a @ x[i] + loops[:, i] - y[:, i]) / numpy.maximum(1000, y[:, i]) if y[:, i].all() else numpy.zeros(len(rows)) for i in (0, 1)]
    models = {}
    for i, n in enumerate(names):
        models.setdefault(n.split('/')[0], {})[n.split('/')[1]] = [float(c) for c in x[:, i]]
    errors = {model: [o[held & known & numpy.array([any(n.split('/')[0] == model for n in r[1]) for r in rows])] for o in off] for model in models}
    return models, errors, [(*row, error) for row, error, k in zip(rows, off[0], known) if k]


def fit_target_lines(options, target):
    """As fit_target()."""
    build = options.build.resolve()
    rows = [r for family in options.families.split(',') for seed in range(options.images)
            for r in executed.samples(build, target, family, seed, options.layers, options.lines) if options.lines or r[0] == 'control']
    models, errors, all_rows = fit_lines(rows)
    version, code = code_of(build, target, sorted(models))
    lines, good = [], True
    for model, x in sorted(models.items()):
        held, cycles = (e if len(e) else numpy.zeros(1) for e in errors[model])
        figures = [100 * v for v in (numpy.median(held), held.max(), numpy.median(cycles), cycles.max())]
        print(f'{target:12}{model:34}{sum(any(n.split("/")[0] == model for n in r[1]) for r in all_rows):6}' + ' ' * 24
              + '{:16.2f} %{:6.2f} %{:14.2f} %{:6.2f} %'.format(*figures), flush=True)
        within = max(figures[0], figures[2]) <= (WIDE if software_floats(target, model) else (MEDIAN,))[0]
        good &= within
        if not within:
            print(f'{target:12}{model:34}  over the goals: not written')
            continue
        if options.kernels and model not in options.kernels.split(','):
            continue
        if len(x) > MOST_TERMS:
            print(f'{target:12}{model:34}  {len(x)} terms, of which the data hold {MOST_TERMS}: not written')
            good = False
            continue
        values = ', '.join(f'{{"{n}", {{{costs_text(c)}}}}}' for n, c in x.items())
        lines.append(f'{{"{target}", "{model}", "{version}", "{code[model]}", {", ".join(f"{v:.2f}" for v in figures)}, {{{values}}}}},')
    for row in sorted(all_rows, key=lambda r: -r[4])[:options.show]:
        print(f'  {100 * row[4]:6.2f} % of {row[2][0]:.0f}, {row[0]}: {row[1]}')
    return lines, good


def costs_text(costs):
    """Without the zeros at the end."""
    texts = [f'{c:.5g}' for c in costs]
    while texts and texts[-1] == '0':
        texts.pop()
    return ', '.join(texts)


def fit_target(options, target):
    """The lines of coefficients/TARGET.inc, and whether the errors keep to the goals."""
    rows = [r for family in options.families.split(',') for seed in range(options.images)
            for r in executed.samples(options.build.resolve(), target, family, seed, options.layers, False)
            if not options.kernels or r[0] in options.kernels.split(',')]
    known = modelled(target) if options.missing else set()
    rows = [r for r in rows if r[0] not in known]
    lines, good = [], True
    version, code = code_of(options.build.resolve(), target, sorted({r[0] for r in rows if r[1]}))
    for kernel in sorted({r[0] for r in rows}):
        own = [r[:3] + (r[3] and software_floats(target, kernel),) for r in rows if r[0] == kernel and r[1]]
        if len(own) < LEAST_CALLS:
            print(f'{target:12}{kernel:34}{sum(r[0] == kernel for r in rows):6}  not modelled')
            continue
        x, fitted, held, all_errors, cycles = fit(kernel, [r[1] for r in own], [r[2] for r in own], [r[3] for r in own])
        median, worst = WIDE if software_floats(target, kernel) or kernel in DATA_DECIDE else (MEDIAN, WORST)
        within, timed = (numpy.median(e) * 100 <= median and e.max() * 100 <= worst for e in (held, cycles))
        good &= within and timed
        figures = [100 * v for v in (numpy.median(fitted), fitted.max(), numpy.median(held), held.max(), numpy.median(cycles), cycles.max())]
        print(f'{target:12}{kernel:34}{len(own):6}' + '{:14.2f} %{:6.2f} %{:16.2f} %{:6.2f} %{:14.2f} %{:6.2f} %'.format(*figures), flush=True)
        for i in all_errors.argsort()[::-1][:options.show]:
            terms = ' '.join(f'{n}={c:.0f}' for n, c in own[i][1].items() if c)
            print(f'  {100 * all_errors[i]:6.2f} % of {own[i][2][0]:.0f}: {terms}')
        if not within:
            print(f'{target:12}{kernel:34}  over the goals: not written')
            continue
        if not timed:  # instructions alone are told
            print(f'{target:12}{kernel:34}  cycles over the goals: written without')
            x, figures[4:] = {n: c[:1] for n, c in x.items()}, [0.0, 0.0]
        if len(x) > MOST_TERMS:
            print(f'{target:12}{kernel:34}  {len(x)} terms, of which the data hold {MOST_TERMS}: not written')
            good = False
            continue
        values = ', '.join(f'{{"{n}", {{{costs_text(c)}}}}}' for n, c in x.items())
        errors = ', '.join(f'{v:.2f}' for v in figures[2:])
        lines.append(f'{{"{target}", "{kernel}", "{version}", "{code[kernel]}", {errors}, {{{values}}}}},')
    return lines, good


def modelled(target):
    """Kernels that the target has data of."""
    file = DATA / f'{target}.inc'
    return {line.split('"')[3] for line in file.read_text().splitlines() if line.startswith('{')} if file.exists() else set()


def terms_of(line):
    return set(re.findall(r'\{"([^"]+)", \{', line))


def write(target, lines, drop_terms):
    """Puts each line in the place of its kernel's, new ones where their names belong; the others stay as they are. False, and none is put there, where one
    lacks terms that the data have: calls with such a term would not be predicted any more, and other families have to be sampled as well."""
    file = DATA / f'{target}.inc'
    kept = file.read_text().splitlines() if file.exists() else ['// Written by tests/bench/time/fit.py. Do not edit.']
    name_of = [line.split('"')[3] if line.startswith('{') else '' for line in kept]
    whole = True
    for line in lines:
        name = line.split('"')[3]
        lost = terms_of(kept[name_of.index(name)]) - terms_of(line) if name in name_of else set()
        if lost and not drop_terms:
            print(f'{target:12}{name:34}  without {", ".join(sorted(lost))}, which the data have: nothing written')
            whole = False
    for line in lines if whole else []:
        name = line.split('"')[3]
        if name in name_of:
            kept[name_of.index(name)] = line
            continue
        at = next((i for i, other in enumerate(name_of) if other > name), len(kept))
        kept.insert(at, line)
        name_of.insert(at, name)
    file.write_text('\n'.join(kept) + '\n')
    return whole


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build')
    parser.add_argument('--target', '--on', dest='on', default='cortex-m4')
    parser.add_argument('--images', type=int, help='of each family: 16, by lines 4')
    parser.add_argument('--layers', type=int, help='of an image: 96, by lines 48')
    parser.add_argument('--show', type=int, default=0, help='so many of the worst calls of each kernel')
    parser.add_argument('--kernels', default='')
    parser.add_argument('--families', help='all; by lines layers of integers, of floats, transposed convolutions, and networks whose layers join')
    parser.add_argument('--kinds', default='')
    parser.add_argument('--lines', action='store_true')
    parser.add_argument('--loops', action='store_true')
    parser.add_argument('--missing', action='store_true')
    parser.add_argument('--write', action='store_true')
    parser.add_argument('--drop-terms', action='store_true')
    parser.add_argument('--check', action='store_true')
    options = parser.parse_args()
    options.images = options.images or (4 if options.lines else 16)
    options.layers = options.layers or (48 if options.lines else 96)
    options.families = options.families or ','.join(['int8', 'float32', 'transposed', *geometry.NETWORKS, *geometry.PLANES] if options.lines else geometry.CONTROL if options.loops else [*geometry.KINDS, spread_calls.FAMILY])
    if options.kinds:
        geometry.take_only(options.kinds.split(','))
    targets = options.on.split(',')
    print(f'{"target":12}{"kernel":34}{"calls":>6}{"fitted: median":>16}{"worst":>8}{"held out: median":>18}{"worst":>8}{"cycles: median":>16}{"worst":>8}')
    # Plans by lines follow the data, so that both programs are of the same; what has no cache are programs that were put aside.
    if (options.build / 'CMakeCache.txt').exists():
        subprocess.run(['cmake', '--build', options.build, '--target', 'tarn', 'time_terms'], check=True, stdout=subprocess.DEVNULL)
    all_good = True
    for target in targets:
        lines, good = (fit_target_lines if options.lines or options.loops else fit_target)(options, target)
        all_good &= good
        if options.write:
            all_good &= write(target, lines, options.drop_terms)
    return int(options.check and not all_good)


if __name__ == '__main__':
    sys.exit(main())
