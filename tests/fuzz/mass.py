#!/usr/bin/env python3
"""Mutants through the executable as users run it: no signal, no sanitizer report, no exit 70, no broken limit, no half-written set of files.

    mass.py [--tarn build-sanitize/tarn] [--mutants build-fuzz/tests/fuzz/fuzz_mutants] [--count 20000] [--seed N] [--keep DIR] MODELS...

MODELS are folders or files (default: the backend suite's small models, tests/errors and the stored corpus). Each mutant is generated into a
folder with an older set in it, by the options its doc_string holds, with all limits of the machine's memory and time: 256 MB and three times
the file, 10 s and 2 s a megabyte (a sanitized tarn: four times both). The seed is the time where none is given, and is printed.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
REPORT = re.compile(r'AddressSanitizer|runtime error|UndefinedBehavior|LeakSanitizer|internal error|out of memory|Assertion')
FINE = {0, 3, 4, 5, 6}


def options_of(data):
    """Of the doc_string (field 6 of a ModelProto), as tests/fuzz/pipeline.cc takes them."""
    at = data.find(b'\x32')
    while at >= 0 and at + 2 < len(data):
        length = data[at + 1]
        text = data[at + 2:at + 2 + length]
        if length < 128 and text.startswith(b'--') and re.fullmatch(rb'[-a-z0-9_=A-Z ]+', text):
            return text.decode().split()
        at = data.find(b'\x32', at + 1)
    return []


def contents(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir()}


def run_one(job):
    tarn, path, slack, old = job
    data = path.read_bytes()
    options = options_of(data)
    with tempfile.TemporaryDirectory(prefix='tarn-mass-', dir='/dev/shm' if os.path.isdir('/dev/shm') else None) as scratch:
        scratch = pathlib.Path(scratch)
        output = scratch / 'out'
        shutil.copytree(old, output)
        before = contents(output)
        (scratch / 'in').mkdir()
        model = scratch / 'in' / 'model.onnx'
        model.write_bytes(data)
        (scratch / 'in' / 'weights.bin').write_bytes(bytes(i * 37 % 61 for i in range(4096)))
        seconds = (10 + 2 * len(data) / 2 ** 20) * slack
        bytes_most = (256 * 2 ** 20 + 3 * len(data)) * slack
        environment = dict(os.environ, ASAN_OPTIONS='detect_leaks=0:quarantine_size_mb=16:allocator_may_return_null=1:hard_rss_limit_mb=4000')
        pid = os.posix_spawn(tarn, [tarn, 'generate', str(model), '-o', str(output), '--cc', 'none', *options], environment, file_actions=[
            (os.POSIX_SPAWN_OPEN, 1, str(scratch / 'stdout'), os.O_WRONLY | os.O_CREAT, 0o644),
            (os.POSIX_SPAWN_OPEN, 2, str(scratch / 'stderr'), os.O_WRONLY | os.O_CREAT, 0o644)])
        deadline = time.monotonic() + 20 * seconds
        while True:
            done, status, used = os.wait4(pid, os.WNOHANG)
            if done:
                break
            if time.monotonic() > deadline:
                os.kill(pid, 9)
            time.sleep(0.002)
        code = os.waitstatus_to_exitcode(status)
        errors = (scratch / 'stderr').read_text(errors='replace')
        why = ''
        if code < 0:
            why = f'signal {-code}'
        elif code == 2 and not options and 'error E' not in errors:  # E202: a dimension that nothing binds
            why = 'exit 2'
        elif code not in FINE | {2}:
            why = f'exit {code}'
        elif REPORT.search(errors):
            why = 'a report'
        elif code and contents(output) != before:
            why = f'exit {code}, and the output folder changed'
        elif code == 0 and not (output / 'model.json').exists() and '--name' not in options:
            why = 'exit 0 without a report'
        elif code and not re.search(r'error E\d{3}', errors) and code != 2:
            why = f'exit {code} without a diagnostic'
        elif list(scratch.glob('**/*.tarn*')):
            why = 'leftovers'
        elif used.ru_utime + used.ru_stime > seconds:
            why = f'{used.ru_utime + used.ru_stime:.1f} s'
        elif used.ru_maxrss * 1024 > bytes_most:
            why = f'{used.ru_maxrss / 1024:.0f} MB'
        lines = [line for line in errors.splitlines() if REPORT.search(line) or ' in tarn::' in line]
        return path, code, options, why, ' | '.join(lines[:4])[:600]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tarn', default=str(ROOT / 'build-sanitize' / 'tarn'))
    parser.add_argument('--mutants', default=str(ROOT / 'build-fuzz' / 'tests' / 'fuzz' / 'fuzz_mutants'))
    parser.add_argument('--count', type=int, default=20000)
    parser.add_argument('--seed', type=int, default=int(time.time()))
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--slack', type=float, default=4)
    parser.add_argument('--keep', default=str(ROOT / 'build-fuzz' / 'mass'))
    parser.add_argument('models', nargs='*')
    options = parser.parse_args()
    models = options.models
    if not models:
        cache = pathlib.Path(os.environ.get('TARN_CACHE_DIR') or pathlib.Path(os.environ.get('XDG_CACHE_HOME') or pathlib.Path.home() / '.cache') / 'tarn')
        models = [str(p) for p in [*cache.glob('onnx-*/source/onnx/backend/test/data'), ROOT / 'tests' / 'errors', ROOT / 'tests' / 'fuzz']]
    files = [p for m in map(pathlib.Path, models) for p in ([m] if m.is_file() else m.rglob('*.onnx')) if p.stat().st_size < 200_000]
    print(f'mass: seed {options.seed}, {options.count} mutants of {len(files)} models, {options.tarn}', flush=True)
    codes, found = collections.Counter(), collections.Counter()
    start = time.time()
    with tempfile.TemporaryDirectory(prefix='tarn-mutants-') as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        old = pathlib.Path(folder, 'old')
        old.mkdir()
        (old / 'model.c').write_text('older\n')
        (old / 'model.h').write_text('older\n')
        names = pathlib.Path(folder, 'models')
        names.mkdir()
        for i, file in enumerate(files):
            (names / f'{i}.onnx').symlink_to(file.resolve())
        batch = 500
        for first in range(0, options.count, batch):
            made = pathlib.Path(folder, 'made')
            subprocess.run([options.mutants, str(options.seed + first), str(min(batch, options.count - first)), str(made), str(names)], check=True)
            for path, code, words, why, lines in pool.map(run_one, [(options.tarn, p, options.slack, old) for p in sorted(made.iterdir())]):
                codes[code] += 1
                if not why:
                    continue
                kind = re.sub(r'0x[0-9a-f]+|==\d+==|[0-9.]+ (s|MB)', '', why + lines)
                found[kind] += 1
                if found[kind] <= 3:
                    kept = pathlib.Path(options.keep, f'{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}.onnx')
                    kept.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(path, kept)
                    print(f'FINDING: {why}: {lines}\n  replay: {options.tarn} generate {kept} -o /tmp/out --cc none {shlex.join(words)}', flush=True)
            shutil.rmtree(made)
    total = sum(codes.values())
    print(f'mass: {total} mutants in {time.time() - start:.0f} s; exit codes {dict(sorted(codes.items()))}; {sum(found.values())} findings of {len(found)} kinds')
    return 1 if found or not total else 0


if __name__ == '__main__':
    sys.exit(main())
