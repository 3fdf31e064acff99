#!/usr/bin/env python3
"""The generator's time, peak memory and output size, and how long the emitted code takes to compile, for every model of a
folder (default: TARN_SHARED_DIR/models and examples/digits).

    run.py [--tarn build/tarn] [--no-compile] [--only TEXT] [FOLDER ...]

Goals: 100 ms of processor time for models of at most 500 nodes; memory of at most 1.3 times the model (with external data)
plus 60 MB; 4.5 bytes of C text for each byte of float weights; 1.2 bytes for each byte where weights go through a binary
file. What misses one is marked '!'. `--cc none`: the time of a compiler that measures stack and code is not the generator's.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]


def scratch_folder():
    """In memory where there is room: what a disk's file system takes for a new file is not the generator's time, and has been half of all."""
    memory = pathlib.Path('/dev/shm')
    return memory if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 4 << 30 else None


def limit(memory_bytes):
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))  # a model that takes longer is told as refused


def timed(command, limit_bytes=8 << 30):
    """Exit status, processor seconds, peak memory in bytes, stderr."""
    with tempfile.TemporaryFile('w+') as errors:
        process = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL, stderr=errors,
                                   preexec_fn=lambda: limit(limit_bytes))
        _, status, used = os.wait4(process.pid, 0)
        errors.seek(0)
        return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, errors.read()


def bound_dims(tarn, model):
    """--dim for what the model leaves open, 1 each, from tarn's own hint."""
    text = timed([tarn, 'analyze', model, '--cc', 'none'])[3]
    return re.findall(r'--dim \S+', text) if 'E202' in text else []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', type=pathlib.Path, default=ROOT / 'build/tarn')
    parser.add_argument('--no-compile', action='store_true')
    parser.add_argument('--only', default='')
    parser.add_argument('folders', nargs='*', type=pathlib.Path)
    options = parser.parse_args()
    tarn = options.tarn.resolve()
    shared = pathlib.Path(os.environ.get('TARN_SHARED_DIR', ROOT.parent / 'shared')) / 'models'
    folders = options.folders or [ROOT / 'examples/digits', *sorted(p.parent for p in shared.glob('*/model.onnx'))]
    print(f'{"model":38}{"nodes":>6}{"file kB":>9}{"ms":>7}{"peak MB":>9}{"weights kB":>12}{"C kB":>9}{"C/weights":>11}{"cc s":>8}')
    missed, refused = 0, []
    for folder in folders:
        model = next(iter(sorted(folder.glob('*.onnx'))))
        if options.only not in folder.name:
            continue
        dims = [word for pair in bound_dims(tarn, model) for word in pair.split(' ', 1)]
        with tempfile.TemporaryDirectory(dir=scratch_folder()) as scratch:
            out = pathlib.Path(scratch) / 'c'
            command = [tarn, 'generate', model, '--name', 'm', '-o', out, '--cc', 'none', *dims]
            status, seconds, peak, errors = timed(command)
            # Beside other programs a run takes longer than it needs: the least of a few counts.
            for _ in range(4):
                if status == 0 and seconds > 0.1:
                    seconds = min(seconds, timed(command)[1])
            if status != 0:
                refused.append(f'{folder.name}: {status}: {errors.splitlines()[0] if errors else ""}')
                continue
            report = json.loads((out / 'm.json').read_text())
            files = [p for p in out.iterdir() if p.name.startswith('m_weights')]
            text = sum(p.stat().st_size for p in files)
            weights = report['flash']['weights']
            binary = any(p.suffix == '.S' for p in files)
            on_disk = sum(p.stat().st_size for p in folder.iterdir() if p.is_file())
            ratio = text / weights if weights else 0
            compile_seconds = None
            if not options.no_compile:
                sources = sorted(p for p in out.iterdir() if p.suffix in ('.c', '.S'))
                status, compile_seconds, _, errors = timed(['cc', '-std=c99', '-O2', '-I', out, '-shared', '-fPIC', *sources,
                                                            '-o', pathlib.Path(scratch) / 'm.so'], 16 << 30)
                if status != 0:
                    refused.append(f'{folder.name}: cc ended with {status}')
            nodes = report['model']['nodes']
            marks = {'ms': nodes <= 500 and seconds > 0.1, 'peak': peak > 1.3 * on_disk + 60e6,
                     'ratio': weights > 4096 and ratio > (1.2 if binary else 4.5)}
            missed += any(marks.values())
            mark = {key: '!' if value else ' ' for key, value in marks.items()}
            cc = '' if compile_seconds is None else f'{compile_seconds:.2f}'
            print(f'{folder.name[:37]:38}{nodes:6}{on_disk / 1e3:9.0f}{seconds * 1e3:6.0f}{mark["ms"]}{peak / 1e6:8.0f}{mark["peak"]}'
                  f'{weights / 1e3:12.1f}{text / 1e3:9.0f}{ratio:10.2f}{mark["ratio"]}{cc:>8}', flush=True)
    print(f'{missed} models miss a goal; {len(refused)} are refused')
    for line in refused:
        print('  ' + line)
    return 1 if missed else 0


sys.exit(main())
