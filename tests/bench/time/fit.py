#!/usr/bin/env python3
"""Fits the coefficients of kernels' terms (generator/time/) to executed instructions, and says how good they are.

    fit.py [--build build] [--on cortex-m4] [--images 4] [--layers 40] [--write FILE]

Every image holds many layers of random geometry, whose steps are counted one by one under QEMU. Every fourth geometry is held
out: it is not fitted on, and errors are told of both. Non-negative least squares of relative errors. Needs numpy.
"""
import argparse
import hashlib
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import numpy

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent))
import geometry  # noqa: E402

HARNESS = '''#include "m.h"
void bench_mark(void);
__attribute__((noinline)) void bench_mark(void) { __asm__ volatile(""); }
int main(void) {
  uint32_t i, seed = 1u;
  for (i = 0; i < sizeof m_arena / 4; ++i) {
    seed = seed * 1664525u + 1013904223u;
    FILL;
  }
  bench_mark();
  for (i = 0; i < M_STEPS; ++i) {
    (void)m_run_step(m_arena, i);
    bench_mark();
  }
  return 0;
}
'''
FILL = {'int8': '((uint32_t *)(void *)m_arena)[i] = seed ^ (seed >> 16)',
        'float32': '((float *)(void *)m_arena)[i] = (float)(int32_t)(seed >> 8) / 8388608.0f - 1.0f'}
COUNT = '''. {target_folder}/boards.sh
gcc -O2 -fPIC -shared -w -o counter.so {target_folder}/count_plugin.c -lpthread
board_build {target} t.elf -std=c99 -ffp-contract=off -w -Ic -I. main.c c/m.c
mark=$(${{compiler%gcc}}nm t.elf | awk '$3 == "bench_mark" {{ print $1 }}')
board_run {target} t.elf -plugin ./counter.so,mark=0x$mark
'''


def structs(text):
    """Field names of every parameter struct, in order, with their types."""
    found = {}
    for body, name in re.findall(r'typedef struct \w*\s*\{([^}]*)\} (\w+);', text, re.S):
        fields = []
        for kind, names in re.findall(r'^\s*([\w ]+?)\s+([\w\[\], ]+);', re.sub(r'/\*.*?\*/', '', body, flags=re.S), re.M):
            fields += [(n.split('[')[0].strip(), kind) for n in re.sub(r'\[[^]]*\]', '', names).split(',')]
        found[name] = fields
    for old, new in re.findall(r'typedef (\w+_params) (\w+_params);', text):
        found[new] = found.get(old, [])
    return found


def flatten(fields, values, types, prefix=''):
    out = {}
    for (name, kind), value in zip(fields, values):
        if isinstance(value, list) and kind in types:
            out.update(flatten(types[kind], value, types, f'{prefix}{name}.'))
        elif isinstance(value, list):
            out.update({f'{prefix}{name}.{i}': v for i, v in enumerate(value)})
        else:
            out[prefix + name] = value
    # Floats bound or they do not: their values cost nothing.
    if isinstance(out.get(prefix + 'lo'), float):
        lo, hi = out.pop(prefix + 'lo'), out.pop(prefix + 'hi')
        out[prefix + 'bounded'] = int(lo > -1e38 or hi < 1e38)
    return out


def calls(source):
    """(step, kernel, parameters) of every call in emitted C."""
    types = structs(source)
    for struct, step, text in re.findall(r'static const (\w+_params) m_params_(\d+) =\s*(\{.*?\});', source, re.S):
        text = text.replace('TARN_INF_F', '3.4e38').replace('{', '[').replace('}', ']')
        values = eval(re.sub(r'(\d\.\d+(?:e\d+)?)f', r'\1', text))  # what tarn itself has written
        yield int(step), struct[:-len('_params')], flatten(types[struct], values, types)


def samples(tarn, target, family, seed, layers):
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / 'm.onnx').write_bytes(geometry.network(rng, family, layers))
        subprocess.run([tarn, 'generate', folder / 'm.onnx', '-o', folder / 'c', '--name', 'm', '--files', 'single', '--target', target,
                        '--input-layout', 'nhwc', '--output-layout', 'nhwc', '--cc', 'none', '--order', 'given', '--effort', '0',
                        '--strategy', 'greedy_by_size', '--weights', 'c'], check=True, stdout=subprocess.DEVNULL)
        (folder / 'main.c').write_text(HARNESS.replace('FILL', FILL[family]))
        script = COUNT.format(target=target, target_folder=ROOT / 'tests/kernels/target')
        done = subprocess.run(['bash', '-e', '-c', script], cwd=folder, text=True, capture_output=True)
        counts = [int(n) for n in re.findall(r'marked (\d+)', done.stderr)][1:]
        found = list(calls((folder / 'c/m.c').read_text()))
        if done.returncode != 0 or not found or len(counts) <= max(step for step, _, _ in found):
            sys.exit(f'fit.py: no counts from {target}:\n{done.stderr[-2000:]}')
        return [(kernel, parameters, counts[step]) for step, kernel, parameters in found]


def terms_of(folder, rows):
    program = pathlib.Path(folder) / 'terms'
    subprocess.run(['g++', '-std=c++20', '-O1', '-I', ROOT / 'generator', '-o', program, *sorted((ROOT / 'generator/time').glob('*terms*.cc')),
                    ROOT / 'generator/time/int8.cc', ROOT / 'generator/time/float32.cc', HERE / 'terms.cc'], check=True)
    lines = [kernel + ''.join(f' {n}={int(v)}' for n, v in parameters.items()) for kernel, parameters, _ in rows]
    out = subprocess.run([program], input='\n'.join(lines) + '\n', text=True, capture_output=True, check=True).stdout.splitlines()
    return [None if line == 'none' else {w.split('=')[0]: float(w.split('=')[1]) for w in line.split()} for line in out]


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


def fit(terms, counts):
    names = list(dict.fromkeys(n for t in terms for n in t))
    a, y = numpy.array([[t.get(n, 0.0) for n in names] for t in terms]), numpy.array(counts, float)
    held = numpy.arange(len(y)) % 4 == 3
    scale = numpy.where(a.max(0) > 0, a.max(0), 1)
    x = nnls((a / scale / y[:, None])[~held], numpy.ones((~held).sum())) / scale
    error = abs(a @ x / y - 1)
    return {n: float(c) for n, c in zip(names, x) if c > 0}, error[~held], error[held]


def kernel_hash(kernel):
    """Of a kernel's sources: its files and every file of the runtime that these include, or whose functions they call."""
    seen, todo = {}, [f'{kernel}.c', f'{kernel}.h']
    while todo:
        path = ROOT / 'runtime' / todo.pop()
        if path.name in seen or not path.exists():
            continue
        seen[path.name] = path.read_bytes()
        for header in re.findall(r'#include "(\w+\.h)"', path.read_text()):
            todo += [header, header[:-1] + 'c']
    return hashlib.sha256(b''.join(seen[n] for n in sorted(seen))).hexdigest()[:16]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build')
    parser.add_argument('--on', default='cortex-m4')
    parser.add_argument('--images', type=int, default=4)
    parser.add_argument('--layers', type=int, default=40)
    parser.add_argument('--write', type=pathlib.Path)
    options = parser.parse_args()
    lines = ['// Written by tests/bench/time/fit.py. Do not edit.']
    print(f'{"target":12}{"kernel":34}{"calls":>6}{"fitted: median":>16}{"worst":>8}{"held out: median":>18}{"worst":>8}')
    for target in options.on.split(','):
        rows = [r for family in geometry.KINDS for seed in range(options.images)
                for r in samples(options.build.resolve() / 'tarn', target, family, seed, options.layers)]
        with tempfile.TemporaryDirectory() as folder:
            terms = terms_of(folder, rows)
        for kernel in sorted({r[0] for r in rows}):
            own = [i for i, r in enumerate(rows) if r[0] == kernel and terms[i]]
            if len(own) < 16:
                print(f'{target:12}{kernel:34}{sum(r[0] == kernel for r in rows):6}  not modelled')
                continue
            x, fitted, held = fit([terms[i] for i in own], [rows[i][2] for i in own])
            figures = [100 * v for v in (numpy.median(fitted), fitted.max(), numpy.median(held), held.max())]
            print(f'{target:12}{kernel:34}{len(own):6}' + '{:14.2f} %{:6.2f} %{:16.2f} %{:6.2f} %'.format(*figures), flush=True)
            values = ', '.join(f'{{"{n}", {c:.5g}}}' for n, c in x.items())
            lines.append(f'{{"{target}", "{kernel}", "{kernel_hash(kernel)}", {figures[2]:.2f}, {figures[3]:.2f}, {{{values}}}}},')
    if options.write:
        options.write.write_text('\n'.join(lines) + '\n')
    return 0


if __name__ == '__main__':
    sys.exit(main())
