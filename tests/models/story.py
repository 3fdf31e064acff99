#!/usr/bin/env python3
"""The example story with the decoder of TARN_SHARED_DIR/story: greedy text on the host, a Cortex-M4 and a Cortex-M7 to the letter,
arena, flash, and the instructions of the first and the last token on a Cortex-M4.

    story.py TARN EXAMPLE
"""
import array
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import sampling  # noqa: E402

SHARED = pathlib.Path(os.environ.get('TARN_SHARED_DIR', pathlib.Path(__file__).resolve().parents[3] / 'shared')) / 'story'
MOST_ARENA, MOST_FLASH = 664000, 330000  # bytes; flash: with 8-bit weights in blocks of 32
MOST_INSTRUCTIONS = {0: 1300000, 511: 4600000}  # on a Cortex-M4, by position
BOARDS = {'mps2-an386': ['-mcpu=cortex-m4', '-mfpu=fpv4-sp-d16'], 'mps2-an500': ['-mcpu=cortex-m7', '-mfpu=fpv5-sp-d16']}
ROWS, COLUMNS, LAYERS = 512, 32, 5


def run(command, cwd, **more):
    return subprocess.run([str(part) for part in command], cwd=cwd, check=True, **more)


def generate(tarn, folder, *options):
    run([tarn, 'generate', SHARED / 'model.onnx', '--name', 'story', '--state', 'auto', '--cc', 'none', '-o', folder, *options],
        folder.parent, stdout=subprocess.DEVNULL)
    return json.loads((folder / 'story.json').read_text())


def tell(work, board=None):
    """The text, and the line of figures."""
    sources = ['main.c', 'tokens.c', 'tokens.S', *sorted(work.glob('out/*.c')), '-lm']
    if board is None:
        run(['cc', '-O2', '-std=c99', '-Iout', 'host.c', *sources, '-o', 'tell'], work)
        command = ['./tell']
    else:
        run(['arm-none-eabi-gcc', *BOARDS[board], '-mthumb', '-mfloat-abi=hard', '-O2', '-std=c99', '-ffunction-sections',
             '-fdata-sections', '-Iout', 'startup.c', *sources, '-nostartfiles', '-Wl,--gc-sections', '-T', 'board.ld', '-o', 'story.elf'], work)
        command = ['qemu-system-arm', '-M', board, '-icount', 'shift=0', '-display', 'none', '-monitor', 'none', '-serial', 'none',
                   '-semihosting-config', 'enable=on,target=native', '-kernel', 'story.elf']
    done = run(command, work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text, figures = done.stdout.decode().rsplit('RAM ', 1)
    return text, figures


def tensor(path, kind, shape, values):
    """A TensorProto (onnx.proto: dims 1, data_type 2, raw_data 9)."""
    def varint(number):
        out = b''
        while number > 127:
            out, number = out + bytes([number & 127 | 128]), number >> 7
        return out + bytes([number])
    path.write_bytes(b''.join(b'\x08' + varint(size) for size in shape) + b'\x10' + varint(kind) + b'\x4a' + varint(len(values)) + values)


def instructions(tarn, work, position, model=SHARED / 'model.onnx'):
    """Of the run at a position whose caches hold as many rows, on a Cortex-M4."""
    data = work / f'data_{position}'
    data.mkdir(exist_ok=True)
    seed, numbers = 1, array.array('f')
    for _ in range(position * COLUMNS):
        seed = (seed * 1103515245 + 12345) % (1 << 31)
        numbers.append(seed / (1 << 30) - 1)
    cache = numbers.tobytes() + bytes(4 * (ROWS - position) * COLUMNS)
    for i, number in enumerate((1, position)):
        tensor(data / f'input_{i}.pb', 7, [1], array.array('q', [number]).tobytes())
    for i in range(2 * LAYERS):
        tensor(data / f'input_{2 + i}.pb', 1, [ROWS, COLUMNS], cache)
    run([tarn, 'verify', model, '--data', data, '--target', 'cortex-m4', '--reference', 'naive', '--on', 'cortex-m4', '--report', work / 'v.json'],
        work, stdout=subprocess.DEVNULL)
    return json.loads((work / 'v.json').read_text())['verify'][0]['instructions']


def main():
    tarn, example = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    if not SHARED.is_dir():
        print(f'skipped: {SHARED} is not there')
        return 77
    faults = []

    def need(truth, text):
        print('ok' if truth else 'FAULT', text)
        if not truth:
            faults.append(text)

    expected = (SHARED / 'expected.txt').read_text()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder) / 'story'
        shutil.copytree(example, work)
        shutil.copy(SHARED / 'tok.bin', work)
        report = generate(tarn, work / 'out')
        need(report['ram']['arena'] <= MOST_ARENA and report['plan']['proof'] == 'optimal', f'arena {report["ram"]["arena"]} B, proved')
        need(len(report['states']) == 10 and all(row['in_place'] for row in report['states']), 'ten states, none copied')
        for board in (None, *sampling.part(BOARDS)):
            text, figures = tell(work, board)
            need(text == expected, f'{board or "host"}: the text as expected; {figures.splitlines()[-1]}')
        # Weights and what they are multiplied by as codes.
        run([tarn, 'quantize', '--dynamic', SHARED / 'model.onnx', '-o', work / 'codes.onnx'], work, stdout=subprocess.DEVNULL)
        for position, most in MOST_INSTRUCTIONS.items():
            count = instructions(tarn, work, position)
            need(count <= most, f'position {position}: {count} instructions, at most {most}')
            codes = instructions(tarn, work, position, work / 'codes.onnx')
            need(codes < count, f'position {position}: {codes} instructions with weights of int8')
        small = generate(tarn, work / 'small', '--weight-type', 'int8:block=32')
        need(small['flash']['weights'] <= MOST_FLASH, f'8-bit weights take {small["flash"]["weights"]} B')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
