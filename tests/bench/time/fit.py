#!/usr/bin/env python3
"""Fits the coefficients of kernels' terms (generator/time/) to executed instructions, and says how good they are.

    fit.py [--build build] [--target cortex-m4,...] [--kernels NAME,NAME] [--families NAME,NAME] [--kinds NAME,NAME] [--images 16] [--layers 96] [--show N] [--missing] [--write] [--check]
           [--lines | --loops]

Every image holds many layers of random geometry, whose steps are profiled one by one under QEMU, compiled as `tarn verify`
compiles: executed instructions, and what their cycles and waits for memory are made of (generator/time/cost.h). A quarter of each
kernel's calls, drawn at random with a fixed seed, is held out: it is not fitted on, and errors are told of both, of instructions
and of cycles. Non-negative least squares of errors relative to the call's instructions. --kernels: only these, from networks of --families, of their layers only --kinds; --missing: only those that the target
has no data of. --write replaces the
fitted kernels' lines of coefficients/TARGET.inc and leaves all others where and as they are; a kernel of more terms than the data hold is not written; where cycles alone are over the goals below it is of instructions only. --lines: what networks by lines take beside the loops of their kernels, which are taken from
the data of whole layers: the work of the driver, and what a call of each line's kernel begins with. --loops: what loops and branches take beside the steps inside them, which are taken from the data in the same way. --check fails where the
held-out calls of a kernel are over 3 percent off in the median, or one of them over 8; floats in software depend on data and may be
off 40 and 60. Needs numpy (else exit status 77).
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import zlib

try:
    import numpy
except ImportError:
    sys.exit(77)

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
DATA = ROOT / 'generator/time/coefficients'  # a file per target
sys.path.insert(0, str(HERE.parent))
import geometry  # noqa: E402
import numbers_geometry  # noqa: E402
import rest_geometry  # noqa: E402
import spread_calls  # noqa: E402
import tail_geometry  # noqa: E402

MEDIAN, WORST = 3.0, 8.0  # percent, of calls held out
MOST_TERMS = 44           # of a kernel: what generator/time/predict.cc has room for
WIDE = 40.0, 60.0         # of kernels that are told with a range
VALUES = {'tail': tail_geometry.VALUES, 'rest': rest_geometry.VALUES}
DATA_DECIDE = ('tarn_topk_f32',)
LEAST_CALLS = 24          # of a kernel, or it is not fitted
LEAST_WITH_A_TERM = 4  # calls, or what it costs is not known
COSTS = ('instructions', 'cycles', 'jumps', 'code_bytes', 'reads', 'read_bytes')  # in the order of time_terms --cost
# In software sums and products with zeros are short: inputs have none or half of them, as behind a Relu, and every fourth image
# has three quarters, which nothing is fitted on. The terms are told how many.
FLOATS = (['floats', 'half'], ['sparse', 'sparse'])
ZEROS = {'half': 50, 'sparse': 75}  # percent
NOT_BEHIND_RELU = ('softmax', 'logsoftmax', 'sigmoid', 'tanh', 'exp', 'hardsigmoid', 'hardswish', 'gelu', 'fastgelu', 'swish', 'relu', 'leakyrelu', 'elu', 'layernorm',
                   'rmsnorm', 'product', 'attention', 'causal', 'attention_far', 'masked', 'allowed', 'allowed_biased', 'rotary', 'lstm', 'gru', 'gru_linear', 'rnn')
WITHOUT_FLOATS = ('cortex-m0', 'cortex-m3', 'rv32imac')
# The microbit's memory is too small for many layers: a Cortex-M3 runs the code of a Cortex-M0.
BOARD_OF = {'cortex-m0': 'cortex-m3'}

HARNESS = '''#include "m.h"
void bench_begin(void);
void bench_end(void);
__attribute__((noinline)) void bench_begin(void) {{ __asm__ volatile(""); }}
__attribute__((noinline)) void bench_end(void) {{ __asm__ volatile("nop"); }}
static uint32_t seed = 1u;
static uint32_t next(void) {{ seed = seed * 1664525u + 1013904223u; return seed ^ (seed >> 16); }}
static void zeros(void *to, uint32_t n) {{ uint32_t i; for (i = 0; i < n; ++i) ((uint8_t *)to)[i] = 0u; }}
static void codes(void *to, uint32_t n) {{ uint32_t i; for (i = 0; i < n; ++i) ((uint8_t *)to)[i] = (uint8_t)next(); }}
static void floats(void *to, uint32_t n) {{
  uint32_t i;
  for (i = 0; i < n / 4; ++i) ((float *)to)[i] = (float)(int32_t)(next() >> 8) / 4194304.0f - 2.0f;
}}
static void bools(void *to, uint32_t n) {{ uint32_t i; for (i = 0; i < n; ++i) ((uint8_t *)to)[i] = (uint8_t)(next() >> 7 & 1u); }}
static void trues(void *to, uint32_t n) {{ uint32_t i; for (i = 0; i < n; ++i) ((uint8_t *)to)[i] = 1u; }}
static void numbers(void *to, uint32_t n) {{ uint32_t i; for (i = 0; i < n / 8; ++i) ((int64_t *)to)[i] = 1 + (int64_t)(next() >> (12 + next() % 18)); }}
static void counts(void *to, uint32_t n) {{ uint32_t i; for (i = 0; i < n / 4; ++i) ((int32_t *)to)[i] = 1 + (int32_t)(next() >> (12 + next() % 18)); }}
static void halves(void *to, uint32_t n) {{ uint32_t i; for (i = 0; i < n / 2; ++i) ((uint16_t *)to)[i] = (uint16_t)(0x3400u + (next() & 0x83ffu)); }}
static void positive(void *to, uint32_t n) {{
  uint32_t i;
  floats(to, n);
  for (i = 0; i < n / 4; ++i) if (((float *)to)[i] < 0.0f) ((float *)to)[i] = -((float *)to)[i];
}}
static void fractions(void *to, uint32_t n) {{ uint32_t i; floats(to, n); for (i = 0; i < n / 4; ++i) ((float *)to)[i] *= 0.49f; }}
static void above(void *to, uint32_t n) {{ uint32_t i; positive(to, n); for (i = 0; i < n / 4; ++i) ((float *)to)[i] += 1.0f; }}
static void from(float least, void *to, uint32_t n) {{
  uint32_t i;
  floats(to, n);
  for (i = 0; i < n / 4; ++i) if (((float *)to)[i] < least) ((float *)to)[i] = 0.0f;
}}
static void half(void *to, uint32_t n) {{ from(0.0f, to, n); }}
static void sparse(void *to, uint32_t n) {{ from(1.0f, to, n); }}
int main(void) {{
  uint32_t i;
{fill}  for (i = 0; i < M_STEPS; ++i) {{
    bench_begin();
    (void)m_run_step(m_arena, i);
    bench_end();
  }}
{more}  return 0;
}}
'''
# By lines that come in and go out.
CALLS = '''  (void)m_reset(m_arena);
  for (i = 0; i < sizeof ports; ++i) {{
    bench_begin();
    switch (ports[i]) {{
{cases}    default: break;
    }}
    bench_end();
  }}
  return 0;
}}
'''
WHOLE = '  bench_begin();\n  (void)m_run(m_arena);\n  bench_end();\n'
# The firmware as `tarn verify` compiles it (generator/verify/build.cc).
COUNT = '''. {target_folder}/boards.sh
gcc -O2 -fPIC -shared -w -DTARN_PLUGIN_VERSION=1 -o counter.so {root}/templates/verify/count_instructions.c
board {target}
cached=$(command -v ccache || true)
libc=
case $compiler in
  riscv*) libc="-I{root}/templates/verify/include"; cp {root}/templates/verify/string.c {root}/templates/verify/math.c c ;;
  *) all=$($compiler $flags -print-file-name=libc.a)  # compilers make calls of loops; the board's own go byte by byte
     (cd c; ${{compiler%gcc}}ar x $all $(${{compiler%gcc}}ar t $all | grep -E -- '-mem(set|move|cpy|cpy-stub)\.o$')) ;;
esac
for source in c/*.c; do
  $cached $compiler $flags -std=c99 -O2 -ffp-contract=off -ffunction-sections -fdata-sections $libc -w -Ic -c $source -o $source.o
done
cpu=$flags
board_build {board} t.elf $cpu $libc -std=c99 -w -Ic main.c c/*.o $(ls c/*.S 2>/dev/null)
address() {{ echo 0x$(${{compiler%gcc}}nm t.elf | awk -v name=$1 '$3 == name {{ print $1 }}'); }}
board_run {board} t.elf -plugin ./counter.so,start=$(address bench_begin),end=$(address bench_end),out=counts,profile=profile,constants=$(address constants_start):$(address constants_end)
'''
OPTIONS = ['--output-layout', 'nhwc', '--cc', 'none', '--order', 'given', '--effort', '0', '--strategy',
           'greedy_by_size', '--weights', 'incbin']


def hash_of(name, seed):
    return zlib.crc32(f'{name} {seed}'.encode())


def terms_of(build, model, options):
    """[(step, kernel, {term: count} or None)] of a network; 'costs' by lines: those of the layers' loops."""
    lines = subprocess.run([build / 'tests/bench/time/time_terms', model, *options], check=True, text=True, capture_output=True).stdout
    found = []
    for line in lines.splitlines():
        step, kernel, *terms = line.split()
        pairs = [t.split('=') for t in terms if t != 'none']
        found.append((int(step), kernel, {name: [float(c) for c in count.split(',')] if name == 'costs' else float(count) for name, count in pairs}
                      if terms != ['none'] else None))
    return found


def counted(build, target, folder):
    """Costs as in COSTS of each window of main.c and the C files beside it."""
    script = COUNT.format(target=target, board=BOARD_OF.get(target, target), root=ROOT, target_folder=ROOT / 'tests/kernels/target')
    done = subprocess.run(['bash', '-e', '-c', script], cwd=folder, text=True, capture_output=True)
    if done.returncode != 0:
        sys.exit(f'fit.py: no counts from {target}:\n{done.stderr[-2000:]}')
    costs = subprocess.run([build / 'tests/bench/time/time_terms', '--cost', target, 't.elf', 'profile'], cwd=folder, check=True, text=True,
                           capture_output=True).stdout
    return [[float(n) for n in line.split()] for line in costs.splitlines()]


def spread_samples(build, target, seed, count):
    """As samples(), of calls without a network."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        found = spread_calls.write(build, target, folder, random.Random(seed), count)
        empty, *costs = counted(build, target, folder)
        return [(kernel, terms, [max(0.0, n - e) for n, e in zip(cost, empty)], False) for (kernel, terms), cost in zip(found, costs, strict=True)]


def samples(build, target, family, seed, layers, lines):
    """[(kernel, terms, costs as in COSTS, whether inputs are sparse)] of the steps of one image; by lines of a run as a whole too."""
    if family == spread_calls.FAMILY:
        return spread_samples(build, target, seed, layers)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / 'm.onnx').write_bytes(geometry.network(random.Random(seed), family, layers))
        calls = lines and seed % 2 == 1 and family in geometry.NETWORKS
        options = ['--target', target, *OPTIONS, *geometry.options_of(family, seed), '--input-layout', 'model' if family in geometry.PLANES else 'nhwc', *(['--stream', 'fed', '--drain'] if calls else ['--stream', 'resident' if lines else 'off'])]
        subprocess.run([build / 'tarn', 'generate', folder / 'm.onnx', '-o', folder / 'c', '--name', 'm', *options, '--report', folder / 'r.json'],
                       check=True, capture_output=True)
        report = json.loads((folder / 'r.json').read_text())
        floats = FLOATS[seed % 4 == 3] if target in WITHOUT_FLOATS else ['floats'] * 2

        def values(i, port):
            kind = geometry.kind_of(family, port['name'])
            if family == 'numbers' and numbers_geometry.value_of(kind, port['dtype']):
                return numbers_geometry.value_of(kind, port['dtype'])
            if kind in VALUES.get(family, {}) and (family != 'rest' or port['dtype'] in ('int32', 'int64')):
                return VALUES[family][kind]
            if port['dtype'] in ('int32', 'int64'):  # indices, or numbers to compute with
                return ('numbers' if port['dtype'] == 'int64' else 'codes') if family == 'tail' else 'zeros'
            if port['dtype'] != 'float32':
                return {'bool': 'codes' if kind in ('allowed', 'allowed_biased') else 'bools', 'float16': 'halves'}.get(port['dtype'], 'codes')
            # Of each layer's pair of tensors every mixture is there.
            return 'floats' if kind in NOT_BEHIND_RELU else floats[hash_of(port['name'], seed) % 2]

        filled = [values(i, p) for i, p in enumerate(report['inputs'])]
        fill = ''.join(f'  {value}({p["accessor"]}(m_arena), {p["bytes"]}u);\n' for value, p in zip(filled, report['inputs']))
        zeros = ','.join(f'{p["name"]}:{ZEROS[value]}' for value, p in zip(filled, report['inputs']) if value in ZEROS)
        found = terms_of(build, folder / 'm.onnx', options + [f'--zeros={zeros}'] * bool(zeros and not lines))
        (folder / 'main.c').write_text(main_by_calls(report, found) if calls else HARNESS.format(fill=fill, more=WHOLE if lines else ''))
        counts = counted(build, target, folder)
        steps = len(found) if calls else report['stream']['steps'] + 1 if lines else len(report['steps'])
        if len(counts) != steps:
            sys.exit(f'fit.py: {len(counts)} steps of {target} were counted, not {steps}')
        return [(kernel, terms, counts[step], floats[0] == 'sparse') for step, kernel, terms in found]


def main_by_calls(report, windows):
    """The harness that hands lines over in the order of the windows, one call at a time."""
    names = [f'push:{i}' for i in range(len(report['inputs']))] + [f'pull:{i}' for i in range(len(report['outputs']))]
    ports = [('push', p) for p in report['inputs']] + [('pull', p) for p in report['outputs']]
    most = max(p['bytes'] // p['lines'] for _, p in ports) // 8 + 1
    cases = ''.join(f'    case {i}: (void)m_{how}_{p["c_name"]}(m_arena, (void *)line, 1); break;\n' for i, (how, p) in enumerate(ports))
    order = ', '.join(str(names.index(kernel)) for _, kernel, _ in windows)
    fill = f'  {"floats" if report["inputs"][0]["dtype"] == "float32" else "codes"}(line, sizeof line);\n'
    head, _ = HARNESS.format(fill='@', more='').split('@')
    held = f'static const uint8_t ports[] = {{{order}}};\nstatic uint64_t line[{most}];\n'
    return head.replace('int main', held + 'int main') + fill + CALLS.format(cases=cases)


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
            for r in samples(build, target, family, seed, options.layers, options.lines) if options.lines or r[0] == 'control']
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
            for r in samples(options.build.resolve(), target, family, seed, options.layers, False)
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


def write(target, lines):
    """Puts each line in the place of its kernel's, new ones where their names belong; the others stay as they are."""
    file = DATA / f'{target}.inc'
    kept = file.read_text().splitlines() if file.exists() else ['// Written by tests/bench/time/fit.py. Do not edit.']
    name_of = [line.split('"')[3] if line.startswith('{') else '' for line in kept]
    for line in lines:
        name = line.split('"')[3]
        if name in name_of:
            kept[name_of.index(name)] = line
            continue
        at = next((i for i, other in enumerate(name_of) if other > name), len(kept))
        kept.insert(at, line)
        name_of.insert(at, name)
    file.write_text('\n'.join(kept) + '\n')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build')
    parser.add_argument('--target', '--on', dest='on', default='cortex-m4')
    parser.add_argument('--images', type=int, help='of each family: 16, by lines 4')
    parser.add_argument('--layers', type=int, help='of an image: 96, by lines 48')
    parser.add_argument('--show', type=int, default=0, help='so many of the worst calls of each kernel')
    parser.add_argument('--kernels', default='')
    parser.add_argument('--families', help='all; by lines layers of integers, of floats, and networks whose layers join')
    parser.add_argument('--kinds', default='')
    parser.add_argument('--lines', action='store_true')
    parser.add_argument('--loops', action='store_true')
    parser.add_argument('--missing', action='store_true')
    parser.add_argument('--write', action='store_true')
    parser.add_argument('--check', action='store_true')
    options = parser.parse_args()
    options.images = options.images or (4 if options.lines else 16)
    options.layers = options.layers or (48 if options.lines else 96)
    options.families = options.families or ','.join(['int8', 'float32', *geometry.NETWORKS, *geometry.PLANES] if options.lines else geometry.CONTROL if options.loops else [*geometry.KINDS, spread_calls.FAMILY])
    if options.kinds:
        geometry.take_only(options.kinds.split(','))
    targets = options.on.split(',')
    print(f'{"target":12}{"kernel":34}{"calls":>6}{"fitted: median":>16}{"worst":>8}{"held out: median":>18}{"worst":>8}{"cycles: median":>16}{"worst":>8}')
    if (options.build / 'CMakeCache.txt').exists():  # or else programs that were put aside
        subprocess.run(['cmake', '--build', options.build, '--target', 'time_terms'], check=True, stdout=subprocess.DEVNULL)
    all_good = True
    for target in targets:
        lines, good = (fit_target_lines if options.lines or options.loops else fit_target)(options, target)
        all_good &= good
        if options.write:
            write(target, lines)
    return int(options.check and not all_good)


if __name__ == '__main__':
    sys.exit(main())
