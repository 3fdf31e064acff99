#!/usr/bin/env python3
"""The sanitized tarn over models: no signal, sanitizer report, failed assertion, internal error or broken limit.

    sanitized.py models [--each 1] [--build build-sanitize] [--jobs N]
    sanitized.py mutants SECONDS [--seed N] [--build build-sanitize] [--jobs N]

The build is .ci/build.sh build-sanitize -DTARN_SANITIZE=address,undefined -DCMAKE_BUILD_TYPE=None "-DCMAKE_CXX_FLAGS=-O1 -D_GLIBCXX_ASSERTIONS",
of gcc, or of clang as .ci/run has it (-DCMAKE_CXX_COMPILER=clang++-14 -DCMAKE_C_COMPILER=clang-14).
models: the onnx backend suite, tests/errors, tests/conformance/more, and of TARN_SHARED_DIR (default: shared beside the repository) hostile,
models and exported: each through the pipeline of `tarn generate`, many in one process; those that are wrong or hostile also through the
executable, by generate and by analyze with all reports. With --each N one of N of those that are neither wrong nor hostile. TARN_FULL=1: all,
and all of them through the executable.
mutants: of the small ones, from a seed that is the time where none is given. What is found is printed in base64, with the command that replays it.
1 when something was found.
"""
import argparse
import base64
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
REPORT = re.compile(r'ERROR: \w+Sanitizer|runtime error:|Assertion .* failed|internal error|FINDING|deadly signal|terminate called')
FRAME = re.compile(r'^ +#\d+ .* in tarn::')
ENVIRONMENT = dict(os.environ, ASAN_OPTIONS='detect_leaks=0:allocator_may_return_null=1:quarantine_size_mb=64', UBSAN_OPTIONS='print_stacktrace=1')
FINE = {0, 2, 3, 4, 5, 6}  # of the executable
CHUNK = 40  # models a process
SHOWN = 6000  # bytes of a model that are printed


def backend():
    install = subprocess.run([ROOT / '.ci' / 'onnx.sh'], check=True, capture_output=True, text=True).stdout.strip()
    return pathlib.Path(install).parent / 'source' / 'onnx' / 'backend' / 'test' / 'data'


def shared():
    return pathlib.Path(os.environ.get('TARN_SHARED_DIR') or ROOT.parent / 'shared')


def tail(text):
    """What a log says of a process that died."""
    lines = text.splitlines()
    told = [line for line in lines if REPORT.search(line)] + [line for line in lines if FRAME.search(line)][:6]
    return told or lines[-3:]


def run_chunk(replay, files):
    """(findings, how many were run, how many got to the end); goes on behind a model over which the process dies."""
    findings, ran, emitted = [], 0, 0
    with tempfile.TemporaryDirectory(prefix='tarn-sanitized-') as scratch:
        environment = dict(ENVIRONMENT, TARN_FUZZ_SCRATCH=os.path.join(scratch, 's'))
        while files:
            ended = subprocess.run([replay, '--in-place', *files], cwd=scratch, env=environment, capture_output=True, text=True, errors='replace')
            begun = [line[4:] for line in ended.stdout.splitlines() if line.startswith('run ')]
            findings += [(line.split(': ')[1], [line]) for line in ended.stdout.splitlines() if line.startswith('FINDING: ')]
            counts = re.search(r'^(\d+) models, (\d+) to the end, \d+ findings$', ended.stdout, re.M)
            ran += len(begun)
            emitted += int(counts.group(2)) if counts else 0
            if counts:
                break
            findings.append((begun[-1] if begun else files[0], [f'the process ended in {ended.returncode}', *tail(ended.stderr)]))
            files = files[max(1, len(begun)):]
    return findings, ran, emitted


def run_executable(tarn, model):
    findings = []
    with tempfile.TemporaryDirectory(prefix='tarn-sanitized-') as scratch:
        reports = [word for form in ('json', 'md', 'html', 'csv') for word in ('--report', f'{scratch}/r.{form}')]
        for words in (['generate', model, '-o', f'{scratch}/o', '--cc', 'none'], ['analyze', model, '--cc', 'none', *reports]):
            ended = subprocess.run([tarn, *words], env=ENVIRONMENT, capture_output=True, text=True, errors='replace')
            if ended.returncode not in FINE or REPORT.search(ended.stderr):
                findings.append((model, [f'{words[0]} ended in {ended.returncode}', *tail(ended.stderr)]))
    return findings


def models(build, jobs, each):
    full = bool(os.environ.get('TARN_FULL'))
    findings, total, work = [], 0, []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        # All at once, so that no processor waits for the last model of a folder; those that take longest come first.
        for folder, by_executable, chunk in ((shared() / 'hostile', True, 4), (ROOT / 'tests' / 'errors', True, CHUNK), (shared() / 'exported', full, CHUNK),
                                             (shared() / 'models', full, CHUNK), (ROOT / 'tests' / 'conformance' / 'more', full, CHUNK), (backend(), full, CHUNK)):
            files = [str(p) for p in sorted(folder.rglob('*.onnx')) if p.is_file()] if folder.is_dir() else []
            if not full and not by_executable and each > 1:
                print(f'  {folder}: {len(files[::each])} of {len(files)}', flush=True)
                files = files[::each]
            if not files:
                print(f'  {folder}: SKIPPED, it is not there', flush=True)
                continue
            chunks = [pool.submit(run_chunk, f'{build}/tests/fuzz/fuzz_replay', files[i:i + chunk]) for i in range(0, len(files), chunk)]
            work.append((folder, chunks, [pool.submit(run_executable, f'{build}/tarn', model) for model in files] if by_executable else []))
        for folder, chunks, alone in work:
            done = [chunk.result() for chunk in chunks]
            findings += [found for of_chunk, _, _ in done for found in of_chunk] + [found for model in alone for found in model.result()]
            ran, emitted = (sum(counts) for counts in zip(*(one[1:] for one in done)))
            total += ran
            also = ', also through the executable' if alone else ''
            print(f'  {folder}: {ran} models, {emitted} to the end{also}', flush=True)
    for model, lines in findings:
        print(f'FINDING: {model}')
        print('\n'.join('  ' + line[:300] for line in lines))
        print(f"  replay: {build}/tests/fuzz/fuzz_replay -v --in-place '{model}'; {build}/tarn generate '{model}' -o /tmp/out --cc none")
    print(f'sanitized: {total} models, {len(findings)} findings')
    return 1 if findings or not total else 0


def tell(model, lines, build):
    print('\n'.join(line[:300] for line in lines))
    data = model.read_bytes() if model.exists() else b''
    if len(data) <= SHOWN:
        print(f'  base64 -d > m.onnx <<< {base64.b64encode(data).decode()}')
    print(f'  replay: {build}/tests/fuzz/fuzz_replay -v m.onnx', flush=True)


def mutants(build, jobs, seconds, seed):
    seeds = [ROOT / 'tests' / 'fuzz', ROOT / 'tests' / 'errors', ROOT / 'tests' / 'conformance' / 'more', backend()]
    end = time.time() + seconds
    ran = emitted = found = 0

    def work(job):
        nonlocal ran, emitted, found
        begin, mine = time.time(), seed + job
        while (left := int(end - time.time())) > 0:
            with tempfile.TemporaryDirectory(prefix='tarn-mutants-') as scratch:
                environment = dict(ENVIRONMENT, TARN_FUZZ_SCRATCH=os.path.join(scratch, 's'))
                ended = subprocess.run([f'{build}/tests/fuzz/fuzz_replay', '--mutate', str(left), '--seed', str(mine), *seeds], cwd=scratch, env=environment,
                                       capture_output=True, text=True, errors='replace')
                counts = re.search(r'^(\d+) models, (\d+) to the end, (\d+) findings$', ended.stdout, re.M)
                for told, kept in re.findall(r'^(FINDING: .*)\n  kept as (.*)$', ended.stdout, re.M):
                    tell(pathlib.Path(scratch, kept), [told], build)
                if counts:
                    ran, emitted, found = ran + int(counts.group(1)), emitted + int(counts.group(2)), found + int(counts.group(3))
                else:
                    found += 1
                    tell(pathlib.Path(scratch, 's', 'model.onnx'), [f'FINDING: the process ended in {ended.returncode}, seed {mine}', *tail(ended.stderr)], build)
                mine += 1000
            if found > 20:
                break
        return begin

    print(f'mutants: seed {seed}, {seconds} s, {jobs} processes', flush=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(work, range(jobs)))
    print(f'mutants: {ran} models, {emitted} to the end, {found} findings; again: {sys.argv[0]} mutants {seconds} --seed {seed} --jobs {jobs}')
    return 1 if found or not ran else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('what', choices=['models', 'mutants'])
    parser.add_argument('seconds', type=int, nargs='?', default=180)
    parser.add_argument('--seed', type=int, default=int(time.time()))
    parser.add_argument('--each', type=int, default=1)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build-sanitize')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    options = parser.parse_args()
    build = options.build.resolve()
    if options.what == 'models':
        return models(build, options.jobs, options.each)
    return mutants(build, options.jobs, options.seconds, options.seed)


if __name__ == '__main__':
    sys.exit(main())
