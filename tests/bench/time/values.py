#!/usr/bin/env python3
"""What one element of a kernel takes at least and at most, as its value decides: functions whose paths differ, and floats in software.

    values.py [--build build] [--target cortex-m4,...] [--kernels NAME,NAME] [--layers 64] [--show] [--write]

Networks of the layers that go through tensors element by element, run as fit.py runs them, on tensors of one value each: of every path that the functions of runtime/maths
have, powers of two and numbers with all bits, and pairs that are equal, cancel or are far apart. What a call takes beside its elements is taken from the stored coefficients.
--write puts a line "KERNEL by value" with the terms least and most (of products and quotients in software also plain: the second operand is a power of two; of functions what numbers of some sizes take) into coefficients/TARGET.inc (generator/time/by_value.h) for kernels whose elements differ by 2 percent or more. --show tells each
value's. Subnormal numbers, infinities and NaN are not among the values. Needs numpy (else exit status 77).
"""
import argparse
import json
import pathlib
import random
import statistics
import struct
import subprocess
import sys
import tempfile

import fit
from executed import OPTIONS, ROOT, WITHOUT_FLOATS, counted, terms_of
import geometry
from stored import stored

# For each pair a window: what the first operand of a layer holds, and what the second one; "~" behind it: the low bits of the numbers are random.
PAIRS = ['0 0', '0 1.3~', '1.3~ 0', '1 1', '1 -1', '2 1', '-2 0.5', '1.3~ -1.3~', '1.3~ 1e-9~', '1e-9~ 1.3~', '1e-5~ 0.3~', '0.3~ 0.3~', '-0.3~ 1.7~', '0.7~ 0.7~', '-0.7~ -0.3~', '1.3~ 1.7~', '1.3~ 0.5', '-1.3~ 3~',
         '3~ -0.7~', '-3~ 2', '12~ 0.3~', '-12~ 3', '60~ -0.3~', '-60~ 1.3~', '-90~ 2', '200~ 1', '-200~ 3~']
WHOLE = [0, 1, 5, -7, 100, 1000003, 1 << 40]  # of inputs of whole numbers, in turns, as far as the type holds them
KINDS = {'float32': ['add', 'mul', 'sub', 'div', 'relu', 'hardswish', 'sigmoid', 'tanh', 'exp', 'hardsigmoid'],
         'int8': ['quantize', 'dequantize', 'dequantize_u8'],
         'more': ['floor', 'gelu', 'fastgelu', 'leakyrelu', 'swish', 'clip', 'quantize'],
         'tail': ['sqrt', 'neg', 'reciprocal', 'cos', 'sin', 'log', 'softplus', 'mish', 'round', 'abs', 'elu', 'erf', 'prelu', 'max', 'min', 'equal', 'greater', 'less', 'cast_s64_f32', 'cast_f32_s64', 'cast_s32_f32',
                  'cast_f16_f32', 'cast_f32_f16', 'cast_bool_f32', 'add_nd', 'sub_nd', 'mul_nd', 'div_nd'],
         'numbers': ['tan', 'sinh', 'cosh', 'asin', 'acos', 'atan', 'asinh', 'acosh', 'atanh', 'ceil', 'sign', 'softsign', 'selu', 'celu', 'thresholdedrelu', 'shrink', 'pow', 'mod_f32', 'cast_f32_s32', 'cast_f32_s8', 'cast_f32_u8',
                     'cast_s8_f32', 'cast_u8_f32', 'cast_f16_s32', 'cast_f16_s64', 'cast_s32_f16', 'cast_s64_f16', 'cast_u8_f16', 'quantize_axis', 'dequantize_axis', 'quantize_half', 'dequantize_half'],
         'halves': ['add', 'mul', 'relu', 'sigmoid', 'tanh', 'gelu', 'swish']}
ELEMENTS = 'elements'
PLAIN = PAIRS.index('1.3~ 0.5'), ('tarn_mul_f32', 'tarn_div_f32')  # the second operand is a power of two
# Functions whose time is told by how large their elements probably are: the term "at 0.3" is a call on such numbers (generator/time/by_value.h).
BY_SIZE = ('tanh', 'sigmoid', 'exp', 'gelu_none', 'gelu_tanh', 'swish', 'erf', 'sin', 'cos', 'softplus', 'mish', 'elu', 'selu', 'celu', 'hardswish', 'hardsigmoid', 'leakyrelu')
SIZES = {float(pair.split()[0].rstrip('~')): i for i, pair in reversed([*enumerate(PAIRS)]) if pair.split()[0].rstrip('~') in ('0', '-12', '-3', '-1.3', '-0.7', '-0.3', '0.3', '0.7', '1.3', '3', '12')}
MAIN = '''#include "m.h"
void bench_begin(void);
void bench_end(void);
__attribute__((noinline)) void bench_begin(void) {{ __asm__ volatile(""); }}
__attribute__((noinline)) void bench_end(void) {{ __asm__ volatile("nop"); }}
static uint32_t seed = 1u;
static uint32_t next(void) {{ seed = seed * 1664525u + 1013904223u; return seed >> 8; }}
static void fill(void *to, uint32_t count, uint32_t bytes, uint64_t bits, uint32_t low) {{
  uint32_t i, k;
  for (i = 0; i < count; ++i) {{
    const uint64_t one = bits | (next() & low);
    for (k = 0; k < bytes; ++k) ((uint8_t *)to)[i * bytes + k] = (uint8_t)(one >> (8u * k));
  }}
}}
int main(void) {{
  uint32_t i, k;
  for (k = 0; k < {count}u; ++k) {{
{fill}    for (i = 0; i < M_STEPS; ++i) {{
      bench_begin();
      (void)m_run_step(m_arena, i);
      bench_end();
    }}
  }}
  return 0;
}}
'''


def bits_of(text, dtype):
    """(bits, mask of those that are random) of a number of PAIRS."""
    code, bytes_of, low = {'float32': ('<f', 4, 0x1ffff), 'float16': ('<e', 2, 0x3f)}[dtype]
    value = float(text.rstrip('~'))
    if dtype == 'float16' and 0 < abs(value) < 2 ** -14:
        value = 2 ** -14
    bits = int.from_bytes(struct.pack(code, value), 'little')
    return (bits & ~low, low) if text.endswith('~') else (bits, 0)


def numbers_of(port, second):
    """[(bits, random bits)] by pair."""
    if port['dtype'] in ('float32', 'float16'):
        return [bits_of(pair.split()[second], port['dtype']) for pair in PAIRS]
    size = {'int64': 8, 'int32': 4, 'int16': 2, 'uint16': 2}.get(port['dtype'], 1)
    if port['dtype'] == 'bool':
        return [(i % 2, 0) for i in range(len(PAIRS))]
    fitting = [n for n in WHOLE if -(1 << (8 * size - 1)) <= n < 1 << (8 * size - 1)]
    return [(fitting[i % len(fitting)] & ((1 << (8 * size)) - 1), 0) for i in range(len(PAIRS))]


def element_terms(terms):
    """As counts_elements() in generator/time/by_value.cc."""
    return [n for n in terms if n == ELEMENTS or n[0].isdigit() and n.endswith('signed')]


def samples(build, target, family, layers):
    """[(kernel, terms, [instructions by pair])] of a network of these layers."""
    make, kinds = geometry.FAMILIES[family]
    kinds = [k for k in dict.fromkeys(kinds) if k in KINDS[family]]
    geometry.FAMILIES[family] = make, kinds
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / 'm.onnx').write_bytes(geometry.network(random.Random(7), family, max(layers, 3 * len(kinds))))
        options = ['--target', target, *OPTIONS, '--input-layout', 'nhwc', '--stream', 'off']
        subprocess.run([build / 'tarn', 'generate', folder / 'm.onnx', '-o', folder / 'c', '--name', 'm', *options, '--report', folder / 'r.json'], check=True, capture_output=True)
        report = json.loads((folder / 'r.json').read_text())
        fill = ''
        for port in report['inputs']:
            size = {'float32': 4, 'int32': 4, 'int64': 8, 'float16': 2, 'int16': 2, 'uint16': 2}.get(port['dtype'], 1)
            numbers = numbers_of(port, port['name'][0] == 'u')
            fill += (f'    {{ static const uint64_t bits[] = {{{",".join(f"{n}u" if n < 1 << 32 else f"{n}ull" for n, _ in numbers)}}}; static const uint32_t low[] = {{{",".join(str(n) for _, n in numbers)}}};\n'
                     f'      fill({port["accessor"]}(m_arena), {port["bytes"] // size}u, {size}u, bits[k], low[k]); }}\n')
        (folder / 'main.c').write_text(MAIN.format(fill=fill, count=len(PAIRS)))
        executed = [costs[0] for costs in counted(build, target, folder)]
        steps = len(report['steps'])
        found = terms_of(build, folder / 'm.onnx', options)
        return [(kernel, terms, executed[step::steps]) for step, kernel, terms in found if terms and element_terms(terms)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build')
    parser.add_argument('--target', '--on', dest='on', default='cortex-m4')
    parser.add_argument('--kernels', default='')
    parser.add_argument('--layers', type=int, default=64)
    parser.add_argument('--show', action='store_true')
    parser.add_argument('--write', action='store_true')
    options = parser.parse_args()
    if (options.build / 'CMakeCache.txt').exists():
        subprocess.run(['cmake', '--build', options.build, '--target', 'time_terms'], check=True, stdout=subprocess.DEVNULL)
    build, all_kinds = options.build.resolve(), dict(geometry.FAMILIES)
    for target in options.on.split(','):
        data, taken = stored(target), {}
        for family in KINDS:
            geometry.FAMILIES[family] = all_kinds[family]
            for kernel, terms, executed in samples(build, target, family, options.layers):
                elements = sum(terms[n] for n in element_terms(terms))
                if kernel in data and elements >= 60 and (not options.kernels or kernel in options.kernels.split(',')):
                    coefficients = data[kernel][0]
                    own = [n for n in element_terms(terms)] + ['nonzero', 'beside_zero']
                    rest = sum(count * coefficients[n][0] for n, count in terms.items() if n not in own and coefficients.get(n))
                    usual = sum(count * coefficients[n][0] for n, count in terms.items() if n in own and coefficients.get(n))
                    taken.setdefault(kernel, []).append([usual / elements, *((n - rest) / elements for n in executed)])
        version, code = fit.code_of(build, target, sorted(taken))
        lines = []
        for kernel, calls in sorted(taken.items()):
            usual, *each = [statistics.median(column) for column in zip(*calls)]
            if max(each) < 1.02 * min(each):
                continue
            print(f'{target:12}{kernel:34}{len(calls):4} calls: {min(each):9.2f} to {max(each):9.2f} for each element, {usual:9.2f} usually', flush=True)
            if options.show:
                print('   ', ', '.join(f'{pair}: {n:.1f}' for pair, n in zip(PAIRS, each)))
            plain = f', {{"plain", {{{each[PLAIN[0]]:.5g}}}}}' if target in WITHOUT_FLOATS and kernel in PLAIN[1] else ''
            by_size = kernel[:-4].removeprefix('tarn_') in BY_SIZE and kernel[-4:] in ('_f32', '_f16')
            sizes = ''.join(f', {{"at {size:g}", {{{each[i]:.5g}}}}}' for size, i in sorted(SIZES.items())) if by_size else ''
            lines.append(f'{{"{target}", "{kernel} by value", "{version}", "{code[kernel]}", 0.00, 0.00, 0.00, 0.00, {{{{"least", {{{max(0.0, min(each)):.5g}}}}}, {{"most", {{{max(each):.5g}}}}}{plain}{sizes}}}}},')
        if options.write:
            fit.write(target, lines)
    return 0


if __name__ == '__main__':
    sys.exit(main())
