#!/usr/bin/env python3
"""The files that the generator copies for a kernel are all that the kernel needs: its .c, every tarn header that it includes
directly or through others, and the .c of the same name beside each. What those ask for by name they also define, or the C library does.

    closure_test.py RUNTIME_FOLDER WORK_FOLDER
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys


def main():
    runtime, work = (pathlib.Path(p).resolve() for p in sys.argv[1:])
    work.mkdir(parents=True, exist_ok=True)
    names = sorted(p.stem for p in runtime.glob('tarn_*.c'))

    def headers(name):
        subprocess.run(['gcc', '-std=c99', '-O0', '-fPIC', '-pipe', f'-I{runtime}', '-MMD', '-MF', work / f'{name}.d', '-c', runtime / f'{name}.c', '-o',
                        work / f'{name}.o'], check=True)
        return set(re.findall(r'(tarn_[a-z0-9_]+)\.h', (work / f'{name}.d').read_text()))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        included = dict(zip(names, pool.map(headers, names)))
    objects = [work / f'{name}.o' for name in names]
    # Whatever is no function of tarn's is the C library's: all objects together leave nothing open.
    wrong = subprocess.run(['gcc', '-shared', '-Wl,-z,defs', *objects, '-o', work / 'all.so']).returncode
    defined, asked = {name: set() for name in names}, {name: set() for name in names}
    for line in subprocess.run(['nm', '-A', *objects], check=True, capture_output=True, text=True).stdout.splitlines():
        file, rest = line.split(':', 1)
        kind, symbol = rest.split()[-2:]
        (asked if kind == 'U' else defined)[pathlib.Path(file).stem].add(symbol)
    own = set().union(*defined.values())
    for name in names:
        taken, queue = {name}, [name]
        while queue:
            more = {other for other in included[queue.pop()] if other in included} - taken
            taken |= more
            queue += more
        missing = set().union(*(asked[t] for t in taken)) & own - set().union(*(defined[t] for t in taken))
        if missing:
            print(f'{name}: FAILED, {" ".join(sorted(missing))} in no file that comes with it')
            wrong = 1
    print(f'{len(names)} files' + ('' if wrong else ', each complete with what it includes'))
    return 1 if wrong or not names else 0


sys.exit(main())
