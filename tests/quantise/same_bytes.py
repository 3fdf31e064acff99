#!/usr/bin/env python3
"""`tarn quantize` writes the same bytes on every machine.

    same_bytes.py TARN [--renew]

Networks of the examples are quantised as this machine does it by itself, and with what differs between machines: a C library that may not use the
processor's fused and wide instructions, one core, files that were made in another order under another locale and time zone, another compiler.
All must give the file whose digest digests.txt has (by default one of these on one network, with TARN_CI=1 all); --renew writes it anew, for a change of what is quantised. The sources of generator/quantize
may not call functions of the C library whose last bits depend on the processor.
"""
import hashlib
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent))
import sampling  # noqa: E402

DIGESTS = HERE / 'digests.txt'
PLAIN_PROCESSOR = 'glibc.cpu.hwcaps=-AVX,-AVX2,-FMA,-FMA4,-AVX512F,-SSE4_1'
INEXACT = r'\bstd::(?:exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot|a?sinh?|a?cosh?|a?tanh?|atan2|erfc?|l?gamma|fma)\('


def digits():
    rows = re.findall(r'"([a-q]{64})"', (ROOT / 'examples/digits/samples.h').read_text())[:64]
    return [struct.pack('<64f', *((ord(c) - ord('a')) / 16 for c in row)) for row in rows]


def noise(numbers, count):
    """Whole 256ths from a generator of fixed sequence."""
    state, samples = 1, []
    for _ in range(count):
        values = []
        for _ in range(numbers):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            values.append(((state >> 33) % 512 - 256) / 256)
        samples.append(struct.pack(f'<{numbers}f', *values))
    return samples


# name: model, samples, options
CASES = {
    'digits': ('digits/digits.onnx', digits, []),
    'digits_entropy': ('digits/digits.onnx', digits, ['--ranges', 'entropy']),
    'keyword': ('keyword_stream/keyword_whole.onnx', lambda: noise(32 * 10, 12), []),
}


def quantise(tarn, case, scratch, prefix=(), backwards=False, **environment):
    model, samples, options = CASES[case]
    folder = pathlib.Path(tempfile.mkdtemp(dir=scratch))
    (folder / 'data').mkdir()
    numbered = list(enumerate(samples()))
    for i, sample in reversed(numbered) if backwards else numbered:
        (folder / f'data/{i:03}.bin').write_bytes(sample)
    command = [*prefix, tarn, 'quantize', ROOT / 'examples' / model, '--data', folder / 'data', '-o', folder / 'codes.onnx', *options]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode != 0:
        sys.exit(f'{case}: tarn quantize ends with {done.returncode}: {done.stderr}')
    return hashlib.sha256((folder / 'codes.onnx').read_bytes()).hexdigest()


def machines():
    """What stands for other machines, by what it is called."""
    found = {'without wide instructions': {'GLIBC_TUNABLES': PLAIN_PROCESSOR},
             'files made backwards': {'backwards': True, 'LC_ALL': 'C', 'TZ': 'Asia/Tokyo'}}
    if shutil.which('taskset'):
        found['one core'] = {'prefix': ('taskset', '-c', str(min(os.sched_getaffinity(0))))}
    for compiler in ('clang', 'clang-14'):
        if shutil.which(compiler):
            found['compiled by clang'] = {'CC': compiler}
    return found


def calls():
    return [f'{path.relative_to(ROOT)}:{number}: {line.strip()}' for path in sorted((ROOT / 'generator/quantize').glob('*.cc'))
            for number, line in enumerate(path.read_text().split('\n'), 1) if re.search(INEXACT, line)]


def main():
    tarn = pathlib.Path(sys.argv[1]).resolve()
    failures = [f'{call}: its bits depend on the processor' for call in calls()]
    with tempfile.TemporaryDirectory() as scratch:
        plain = {case: quantise(tarn, case, scratch) for case in CASES}
        if '--renew' in sys.argv:
            DIGESTS.write_text(''.join(f'{case} {digest}\n' for case, digest in plain.items()))
        stored = dict(line.split() for line in DIGESTS.read_text().splitlines())
        failures += [f'{case}: {digest}, stored {stored.get(case)}' for case, digest in plain.items() if digest != stored.get(case)]
        for name, how in sampling.part(machines().items(), 4):
            for case in CASES if sampling.LARGER and 'GLIBC_TUNABLES' in how else ['digits']:
                digest = quantise(tarn, case, scratch, **how)
                failures += [f'{case}, {name}: {digest}, by itself {plain[case]}'] if digest != plain[case] else []
    print('\n'.join(failures) or f'{len(CASES)} networks, other machines: the same bytes')
    return 1 if failures else 0


sys.exit(main())
