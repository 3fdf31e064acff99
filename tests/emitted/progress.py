#!/usr/bin/env python3
"""Long work says on a terminal how far it is; elsewhere only every ten seconds.

    progress.py TARN
"""
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

tarn = pathlib.Path(sys.argv[1]).resolve()


def problem(items, alive):
    rng, rows = random.Random(1), ['id,lower,upper,size']
    for i in range(items):
        rows.append(f'b{i},{i},{i + rng.randrange(1, 2 * alive)},{rng.randrange(1, 4096)}')
    return '\n'.join(rows) + '\n'


def on_terminal(command):
    """Status, what went to stdout (a pipe), what went to stderr (a terminal)."""
    main, side = os.openpty()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=side)
    os.close(side)
    told = b''
    while True:
        try:
            piece = os.read(main, 4096)
        except OSError:
            break
        if not piece:
            break
        told += piece
    out = child.stdout.read()
    return child.wait(), out, told


with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / 'p.csv'
    for items in (20000, 80000, 320000):
        path.write_text(problem(items, 100))
        command = [tarn, 'plan', path]
        begin = time.monotonic()
        quiet = subprocess.run(command, capture_output=True)
        if time.monotonic() - begin > 2.5:
            break
    # Elsewhere a whole line every ten seconds.
    lines = quiet.stderr.splitlines()
    assert quiet.returncode == 0 and all(re.fullmatch(rb'tarn: [a-z ,]+, [0-9]+, after [0-9]+ s', line) for line in lines), quiet
    assert len(lines) <= (time.monotonic() - begin) / 10, quiet
    status, out, told = on_terminal(command)
    assert status == 0 and out == quiet.stdout, 'a terminal changes the answer'
    assert b'tarn: packing, placements, ' in told, told[:200]
    assert told.endswith(b'\r\x1b[K') and b'\n' not in told, told[-100:]
    path.write_text(problem(100, 10))
    assert on_terminal(command)[2] == b'', 'short work says something'
print('progress: as it should be')
