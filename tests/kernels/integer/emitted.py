"""What the checks of random models share: numbers of single precision, options, and a model that is emitted and compiled."""
import argparse
import pathlib
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / 'bench'))
import onnx_bytes  # noqa: E402, F401


def single(value):
    return struct.unpack('f', struct.pack('f', value))[0]


def options(**numbers):
    """Of the command line: --tarn, --work, and whole numbers with their defaults."""
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', required=True)
    parser.add_argument('--work', type=pathlib.Path, required=True)
    for name, default in numbers.items():
        parser.add_argument(f'--{name}', type=int, default=default)
    return parser.parse_args()


def emit(tarn, model, folder, name, target, *more):
    """Writes NAME.onnx and its C into a folder. Returns what tarn complains of, and the report's text."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f'{name}.onnx').write_bytes(model)
    made = subprocess.run([tarn, 'generate', folder / f'{name}.onnx', '-o', folder, '--name', name, '--files', 'single', '--target', target,
                           '--cc', 'none', '--report', folder / 'report.json', *more], text=True, capture_output=True)
    return ('', (folder / 'report.json').read_text()) if made.returncode == 0 else (made.stderr or f'ended with {made.returncode}', '')


def build(folder, name, driver, *flags):
    """The program of a driver and NAME.c."""
    subprocess.run(['cc', *flags, f'-I{folder}', driver, folder / f'{name}.c', '-o', folder / name, '-lm'], check=True)
    return folder / name
