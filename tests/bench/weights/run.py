#!/usr/bin/env python3
"""--weights packed beside the entropy of single bytes, zlib and zstd: bytes of weights, network by network.

    run.py --tarn build/tarn [NETWORK ...] [--int8] [--verify]

NETWORK: a folder of TARN_SHARED_DIR, such as exported/mlpt_ic_resnet8_qdq_s8_pc; without any, all that have weights; --int8: those
whose weights are mostly of 8 bits. `entropy` is that of each weight on its own, of elements of several bytes that of each byte or of
all together, whichever is less; of less than a kilobyte, where the distribution itself would take as much, the bytes as they are. The last lines have geometric means; exit 1 where packed is larger than plain anywhere, or for int8
networks the mean is more than 3 % over the entropy. --verify: both are compiled here and run on the same made-up inputs, twice each; exit 1
too where an output differs in a bit, or a network does not compile.
"""
import argparse
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

SHARED = pathlib.Path(os.environ.get('TARN_SHARED_DIR', pathlib.Path(__file__).resolve().parents[4] / 'shared'))
GOAL = 1.03
SIZES = {'int8_t': 1, 'uint8_t': 1, 'int16_t': 2, 'uint16_t': 2, 'int32_t': 4, 'uint32_t': 4, 'float': 4, 'double': 8, 'int64_t': 8, 'uint64_t': 8}


def entropy(content):
    counts = [0] * 256
    for byte in content:
        counts[byte] += 1
    return sum(-n * math.log2(n / len(content)) for n in counts if n) / 8


def weight_entropy(content, size):
    if len(content) < 1024:
        return len(content)
    apart = sum(entropy(content[i::size]) for i in range(size))
    return min(entropy(content), apart)


# Reals from -2 to 2, and zeros and ones of integers: indices and lengths that every network has.
MAIN = r"""#include <stdio.h>
#include "net.h"
static uint32_t seed = 1u;
static uint32_t next(void) { seed = seed * 1664525u + 1013904223u; return seed ^ (seed >> 16); }
static void reals(void *to, uint32_t n) { uint32_t i; for (i = 0; i < n / 4u; ++i) ((float *)to)[i] = (float)(int32_t)(next() >> 8) / 4194304.0f - 2.0f; }
static void doubles(void *to, uint32_t n) { uint32_t i; for (i = 0; i < n / 8u; ++i) ((double *)to)[i] = (double)(int32_t)(next() >> 8) / 4194304.0 - 2.0; }
static void halves(void *to, uint32_t n) { uint32_t i; for (i = 0; i < n / 2u; ++i) ((uint16_t *)to)[i] = (uint16_t)(0x3400u + (next() & 0x83ffu)); }
static void codes(void *to, uint32_t n) { uint32_t i; for (i = 0; i < n; ++i) ((uint8_t *)to)[i] = (uint8_t)next(); }
static void ones(void *to, uint32_t n, uint32_t each) { uint32_t i; for (i = 0; i < n; ++i) ((uint8_t *)to)[i] = (uint8_t)(i % each == 0u ? next() >> 7 & 1u : 0u); }
static void say(const void *from, uint32_t n) {
  const uint8_t *p = (const uint8_t *)from;
  uint32_t h = 2166136261u, i;
  for (i = 0; i < n; ++i) h = (h ^ p[i]) * 16777619u;
  printf("%08lx\n", (unsigned long)h);
}
int main(void) {
  int run;
  for (run = 0; run < 2; ++run) {
@FILL@    printf("status %d\n", (int)net_run(net_arena));
@SAY@  }
  return 0;
}
"""
FILLS = {'float32': 'reals', 'float64': 'doubles', 'float16': 'halves', 'bfloat16': 'halves', 'int8': 'codes', 'uint8': 'codes'}


def outputs_of(folder, report):
    """What the emitted code prints of its outputs, compiled for this machine; None where there is no compiler, or it refuses."""
    fill = ''
    for port in report['inputs']:
        at = f'{port["accessor"]}(net_arena), {port["bytes"]}u'
        each = {'bool': 1, 'int16': 2, 'uint16': 2, 'int64': 8, 'uint64': 8}.get(port['dtype'], 4)
        fill += f'    {FILLS[port["dtype"]]}({at});\n' if port['dtype'] in FILLS else f'    ones({at}, {each}u);\n'
    said = ''.join(f'    say({port["accessor"]}(net_arena), {port["bytes"]}u);\n' for port in report['outputs'])
    (folder / 'main.c').write_text(MAIN.replace('@FILL@', fill).replace('@SAY@', said))
    files = [p.name for p in sorted(folder.glob('*.[cS]'))]
    compiled = subprocess.run([os.environ.get('CC', 'cc'), '-O1', '-ffp-contract=off', '-I.', *files, '-lm', '-o', 'main'], cwd=folder, capture_output=True, text=True)
    if compiled.returncode != 0:
        print(compiled.stderr[-600:], file=sys.stderr)
        return None
    done = subprocess.run([folder / 'main'], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def generate(tarn, model, options, form, folder):
    done = subprocess.run([tarn, 'generate', model, '-o', folder, '--name', 'net', '--cc', 'none', '--effort', '0', '--weights', form, *options],
                          capture_output=True, text=True)
    return json.loads((folder / 'net.json').read_text()) if done.returncode == 0 else None


def options_of(model, tarn):
    """Values for dimensions that the model leaves open."""
    done = subprocess.run([tarn, 'analyze', model, '--effort', '0', '--cc', 'none'], capture_output=True, text=True)
    return [word for name in sorted(set(re.findall(r"--dim ([^=\s']+)=", done.stderr))) for word in ('--dim', f'{name}=1')]


def plain_weights(folder):
    """Content and bytes of an element of each weight, from the binary file and its header."""
    content = (folder / 'net_weights.bin').read_bytes()
    found = re.findall(r'\(\(const (\w+) \*\)\(const void \*\)\(net_weights_bin \+ (\d+)u\)\)', (folder / 'net_weights.h').read_text())
    ends = [int(at) for _, at in found[1:]] + [len(content)]
    return [(content[int(at):end], SIZES[kind]) for (kind, at), end in zip(found, ends)]


def measure(tarn, model, want_int8, verify=False):
    options = options_of(model, tarn)
    with tempfile.TemporaryDirectory() as scratch:
        plain_folder, packed_folder = pathlib.Path(scratch) / 'plain', pathlib.Path(scratch) / 'packed'
        plain = generate(tarn, model, options, 'incbin', plain_folder)
        if plain is None or not (plain_folder / 'net_weights.bin').exists():
            return None
        weights = plain_weights(plain_folder)
        bytes_of_int8 = sum(step['weight_bytes'] for step in plain['steps'] if step['kernel'].endswith(('s8', 'u8')))
        int8 = 2 * bytes_of_int8 > plain['flash']['weights']
        if want_int8 and not int8:
            return None
        packed = generate(tarn, model, options, 'packed', packed_folder)
        outputs = [outputs_of(plain_folder, plain), outputs_of(packed_folder, packed)] if verify else [None]
        content = b''.join(c for c, _ in weights)
        zstd = len(subprocess.run(['zstd', '-19', '-c'], input=content, capture_output=True).stdout) if shutil.which('zstd') else None
        return {'plain': plain['flash']['weights'], 'packed': packed['flash']['weights'], 'int8': int8,
                'entropy': sum(weight_entropy(c, size) for c, size in weights if c), 'zlib': len(zlib.compress(content, 9)), 'zstd': zstd,
                'arenas': (plain['ram']['arena'], packed['ram']['arena']), 'same': not verify or outputs[0] is not None and outputs[0] == outputs[-1]}


def mean(rows, key):
    # Of weights that are all equal the entropy is 0: counted as a byte.
    return math.exp(sum(math.log(max(1, row[key]) / row['plain']) for row in rows) / len(rows))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', type=pathlib.Path, required=True)
    parser.add_argument('--int8', action='store_true')
    parser.add_argument('--verify', action='store_true')
    parser.add_argument('networks', nargs='*')
    options = parser.parse_args()
    tarn, names = options.tarn.resolve(), options.networks
    if not SHARED.is_dir():
        print(f'SKIPPED: {SHARED} is not there')
        return 77
    names = names or sorted(str(p.parent.relative_to(SHARED)) for kind in ('models', 'exported') for p in (SHARED / kind).glob('*/*.onnx'))
    rows = []
    print('network                                              plain    packed entropy    zlib    zstd     arena  with packed')
    for name in dict.fromkeys(names):
        row = measure(tarn, next((SHARED / name).glob('*.onnx')), options.int8, options.verify)
        if row is None or row['plain'] == 0:
            continue
        rows.append(row)
        share = lambda key: f'{row[key] / row["plain"]:7.4f}' if row[key] else '      -'
        print(f'{name:48} {row["plain"]:9} {share("packed")} {share("entropy")} {share("zlib")} {share("zstd")} {row["arenas"][0]:9} {row["arenas"][1]:9}{"" if row["same"] else "  DIFFERS"}',
              flush=True)
    if not rows:
        print('no network')
        return 77
    larger, other = [row for row in rows if row['packed'] > row['plain']], [row for row in rows if not row['same']]
    faults = larger + other
    int8 = [row for row in rows if row['int8']]
    print(f'{len(rows)} networks: packed {mean(rows, "packed"):.4f}, entropy {mean(rows, "entropy"):.4f}, zlib {mean(rows, "zlib"):.4f}; {len(larger)} larger than plain'
          + (f', {len(rows) - len(other)} with the same bits' if options.verify else ''))
    if int8:
        over = mean(int8, 'packed') / mean(int8, 'entropy')
        print(f'{len(int8)} of int8: packed {mean(int8, "packed"):.4f}, {over:.4f} of the entropy (goal {GOAL})')
        faults += [over] if over > GOAL else []
    return 1 if faults else 0


sys.exit(main())
