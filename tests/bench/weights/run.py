#!/usr/bin/env python3
"""--weights packed beside the entropy of single bytes, zlib and zstd: bytes of weights, network by network.

    run.py --tarn build/tarn [NETWORK ...] [--int8]

NETWORK: a folder of TARN_SHARED_DIR, such as exported/mlpt_ic_resnet8_qdq_s8_pc; without any, all that have weights; --int8: those
whose weights are mostly of 8 bits. `entropy` is that of each weight on its own, of elements of several bytes that of each byte or of
all together, whichever is less; of less than a kilobyte, where the distribution itself would take as much, the bytes as they are. The last line has geometric means; exit 1 where packed is larger than plain anywhere, or for int8
networks the mean is more than 3 % over the entropy.
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


def measure(tarn, model, want_int8):
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
        content = b''.join(c for c, _ in weights)
        zstd = len(subprocess.run(['zstd', '-19', '-c'], input=content, capture_output=True).stdout) if shutil.which('zstd') else None
        return {'plain': plain['flash']['weights'], 'packed': packed['flash']['weights'], 'int8': int8,
                'entropy': sum(weight_entropy(c, size) for c, size in weights if c), 'zlib': len(zlib.compress(content, 9)), 'zstd': zstd,
                'arenas': (plain['ram']['arena'], packed['ram']['arena'])}


def mean(rows, key):
    # Of weights that are all equal the entropy is 0: counted as a byte.
    return math.exp(sum(math.log(max(1, row[key]) / row['plain']) for row in rows) / len(rows))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', type=pathlib.Path, required=True)
    parser.add_argument('--int8', action='store_true')
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
        row = measure(tarn, next((SHARED / name).glob('*.onnx')), options.int8)
        if row is None or row['plain'] == 0:
            continue
        rows.append(row)
        share = lambda key: f'{row[key] / row["plain"]:7.4f}' if row[key] else '      -'
        print(f'{name:48} {row["plain"]:9} {share("packed")} {share("entropy")} {share("zlib")} {share("zstd")} {row["arenas"][0]:9} {row["arenas"][1]:9}',
              flush=True)
    if not rows:
        print('no network')
        return 77
    faults = [row for row in rows if row['packed'] > row['plain']]
    int8 = [row for row in rows if row['int8']]
    print(f'{len(rows)} networks: packed {mean(rows, "packed"):.4f}, entropy {mean(rows, "entropy"):.4f}, zlib {mean(rows, "zlib"):.4f}; {len(faults)} larger than plain')
    if int8:
        over = mean(int8, 'packed') / mean(int8, 'entropy')
        print(f'{len(int8)} of int8: packed {mean(int8, "packed"):.4f}, {over:.4f} of the entropy (goal {GOAL})')
        faults += [over] if over > GOAL else []
    return 1 if faults else 0


sys.exit(main())
