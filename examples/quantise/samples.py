#!/usr/bin/env python3
"""Writes the first 64 digits of samples.h as files that `tarn quantize` reads: samples/000.bin ..., 64 floats each."""
import pathlib
import re
import struct

rows = re.findall(r'\{\d, "([a-q]{64})"\}', pathlib.Path('samples.h').read_text())
pathlib.Path('samples').mkdir(exist_ok=True)
for i, row in enumerate(rows[:64]):
    pathlib.Path(f'samples/{i:03}.bin').write_bytes(struct.pack('<64f', *((ord(c) - ord('a')) / 16 for c in row)))
