#!/usr/bin/env python3
"""hostile_data.py --tarn T --data FOLDER --work W: run-time data are hostile. Models of the onnx backend suite are run on inputs
that nobody sane hands over - all bits set, the most negative numbers, infinities, NaN, noise - under AddressSanitizer and
UndefinedBehaviorSanitizer, in an arena of their own between guards. A run ends with OK or ERROR_DATA, in time, and touches nothing
but its arena. By default every nth model and those whose data say where to read or how much there is; TARN_FULL=1: all."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys

from common import Failed, compile_and_link, sampling

DECIDING = ('gather', 'scatter', 'topk', 'slice', 'onehot', 'nonzero', 'compress', 'unique', 'roialign', 'nms', 'nonmaxsuppression',
            'gridsample', 'maxunpool', 'reversesequence', 'loop', 'range', 'tensorscatter', 'embed', 'nllloss', 'sce_', 'attention',
            'lstm', 'gru', 'quantize', 'cast_', 'pow', 'mod', 'div', 'bitshift', 'einsum', 'resize', 'affine', 'dft', 'stft')
STEP = 23  # of the others every 23rd

HEAD = r'''
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static uint32_t seed = 7u;
static uint8_t noise(void) { seed = seed * 1664525u + 1013904223u; return (uint8_t)(seed >> 24); }
/* What an element is made of, by its bytes, least first. */
static void fill(void *to, size_t bytes, size_t element, int is_float, int pattern) {
  static const uint32_t special[] = {0x7FC00000u, 0x7F800000u, 0xFF800000u, 0x7F7FFFFFu, 0x00000001u, 0x80000000u, 0xFFFFFFFFu};
  uint8_t *p = (uint8_t *)to;
  size_t i;
  for (i = 0; i < bytes; ++i) {
    const int last = i % element == element - 1u;
    switch (pattern) {
      case 0: p[i] = 0xFFu; break;
      case 1: p[i] = last ? 0x80u : 0u; break;
      case 2: p[i] = last ? 0x7Fu : 0xFFu; break;
      case 3: p[i] = noise(); break;
      case 4: p[i] = i % element == 0u ? (uint8_t)(noise() % 9u) : 0u; break;
      default: p[i] = (uint8_t)(i % element == 0u ? 1u : 0u); break;
    }
    if (is_float && element == 4u && last && pattern == 4) memcpy(p + i - 3, &special[noise() % 7u], 4);
    if (is_float && element == 2u && last && pattern == 4) p[i] = (uint8_t)(noise() % 2u ? 0x7Eu : 0xFCu);
  }
}
'''


def program(report, name):
    caps = name.upper()
    size = {'float64': 8, 'int64': 8, 'uint64': 8, 'float32': 4, 'int32': 4, 'uint32': 4, 'float16': 2, 'bfloat16': 2, 'int16': 2, 'uint16': 2}
    out = [HEAD, f'#include "{name}.h"', 'int main(void) {', '  int pattern, refused = 0; uint64_t sum = 0;', '  for (pattern = 0; pattern < 12; ++pattern) {',
           f'    uint8_t *block = (uint8_t *)aligned_alloc(64, ({caps}_ARENA_BYTES + 127u) / 64u * 64u), *arena = block;',
           f'    int status; memset(block, 0x5A, ({caps}_ARENA_BYTES + 127u) / 64u * 64u);']
    for i, port in enumerate(report['inputs']):
        if port['bytes'] == 0:
            continue
        is_float = int('float' in port['dtype'])
        # Each input in turn is mild while the others are not.
        out.append(f'    fill({port["accessor"]}(arena), {port["bytes"]}u, {size.get(port["dtype"], 1)}u, {is_float}, '
                   f'pattern < 6 ? pattern : (pattern - 6 == {i} ? 3 : 5));')
    out += [f'    status = (int){name}_run(arena);', f'    if (status != {caps}_OK && status != {caps}_ERROR_DATA) {{ printf("status %d\\n", status); return 1; }}',
            f'    refused += status != {caps}_OK;',
            f'    {{ size_t i; for (i = {caps}_ARENA_BYTES; i < ({caps}_ARENA_BYTES + 127u) / 64u * 64u; ++i) if (block[i] != 0x5Au) {{ printf("wrote behind the arena\\n"); return 1; }} }}']
    for port in report['outputs']:
        if port['bytes']:
            out.append(f'    {{ const uint8_t *y = (const uint8_t *){port["accessor"]}(arena); size_t i; for (i = 0; status == {caps}_OK && i < {port["bytes"]}u; ++i) sum += y[i]; }}')
    out += ['    free(block);', '  }', '  printf("%d refused %u\\n", refused, (unsigned)(sum & 1u));', '  return 0;', '}']
    return '\n'.join(out) + '\n'


def one(tarn, model, work):
    """'ok', 'refused' (the model, by tarn) or what went wrong."""
    folder = work / model.parent.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    done = subprocess.run([tarn, 'generate', model, '-o', folder, '--name', 'net', '--cc', 'none'], capture_output=True, text=True)
    if done.returncode != 0:
        shutil.rmtree(folder)
        return 'refused' if done.returncode in (2, 3, 4) else f'tarn ended with {done.returncode}: {done.stderr}'
    report = json.loads((folder / 'net.json').read_text())
    (folder / 'main.c').write_text(program(report, 'net'))
    flags = ['-O1', '-g', '-fsanitize=address,undefined,float-cast-overflow', '-fno-sanitize-recover=all', '-DNET_NO_STATIC_ARENA']
    try:
        compile_and_link(['gcc', '-std=c11'], flags, sorted(folder.glob('*.c')), folder.resolve() / 'run')
    except Failed as fault:
        return f'does not compile: {fault}'
    try:
        done = subprocess.run([folder / 'run'], capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return 'does not end'
    if done.returncode != 0:
        return f'ended with {done.returncode}: {done.stdout}{done.stderr[:3000]}'
    shutil.rmtree(folder)
    return 'ok, some refused' if not done.stdout.startswith('0 ') else 'ok'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', type=pathlib.Path, required=True)
    parser.add_argument('--data', type=pathlib.Path, required=True, help='the backend suite: folders of models')
    parser.add_argument('--work', type=pathlib.Path, required=True)
    parser.add_argument('--filter', default='')
    options = parser.parse_args()
    if not options.data.is_dir():
        print(f'SKIPPED: no {options.data}')
        return 77
    models = sorted(p for p in options.data.glob('*/*/model.onnx') if options.filter in p.parent.name)
    if not os.environ.get('TARN_FULL') and not options.filter:
        deciding = [m for m in models if any(word in m.parent.name for word in DECIDING)]
        each = 1 if sampling.LARGER else 8
        models = sorted(set(deciding[::8 * each]) | set(models[::STEP * 4 * each]))
    print(f'{len(models)} models of the backend suite')
    counts, faults = {}, []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for model, verdict in zip(models, pool.map(lambda m: one(options.tarn, m, options.work), models)):
            key = verdict if verdict in ('ok', 'refused', 'ok, some refused') else 'failed'
            counts[key] = counts.get(key, 0) + 1
            if key == 'failed':
                faults.append(f'{model.parent.name}: {verdict}')
    print(', '.join(f'{n} {what}' for what, n in sorted(counts.items())))
    for fault in faults:
        print('FAILED', fault)
    return 1 if faults or not counts.get('ok') else 0


if __name__ == '__main__':
    sys.exit(main())
