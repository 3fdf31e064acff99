"""What the checks of random models share: numbers of single precision, options, and a model that is emitted and compiled."""
import argparse
import pathlib
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / 'bench'))
sys.path.insert(0, str(HERE.parents[1]))
import onnx_bytes  # noqa: E402, F401
import sampling  # noqa: E402


def single(value):
    return struct.unpack('f', struct.pack('f', value))[0]


def options(**numbers):
    """Of the command line: --tarn, --work, and whole numbers with their defaults. Of layers, networks and outputs a run without TARN_CI=1
    tries a third of the default."""
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', required=True)
    parser.add_argument('--work', type=pathlib.Path, required=True)
    for name, default in numbers.items():
        fewer = name in ('layers', 'networks', 'outputs') and not sampling.LARGER
        parser.add_argument(f'--{name}', type=int, default=default // 3 if fewer else default)
        if fewer:
            print(f'{default // 3} of the {default} {name} of a run with TARN_CI=1')
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


FILTER = '''#include <stdio.h>
#include <string.h>
#include "layer.h"
static unsigned char arena[LAYER_ARENA_BYTES] __attribute__((aligned(LAYER_ARENA_ALIGN)));
int main(void)
{
    static unsigned char x[LAYER_IN_X_COUNT];
    memset(arena, 0xA5, sizeof arena);
    if (fread(x, 1, sizeof x, stdin) != sizeof x) return 3;
    memcpy((void *)layer_input_x(arena), x, sizeof x);
    if (layer_run(arena) != 0) return 2;
    fwrite(layer_output_y(arena), 1, LAYER_OUT_Y_BYTES, stdout);
    return 0;
}
'''


def build_filter(folder):
    """The program, under sanitizers, of a network `layer`: it reads the codes of x and writes those of y."""
    (folder / 'main.c').write_text(FILTER)
    return build(folder, 'layer', folder / 'main.c', '-std=c99', '-O1', '-Wall', '-Wextra', '-Werror', '-fsanitize=address,undefined',
                 '-fno-sanitize-recover=all')
