"""What the cases share: the models, and how files are made, compiled and run."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zlib

import driver

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import sampling  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
WARNINGS = ('-pedantic-errors -Wall -Wextra -Werror -Wconversion -Wsign-conversion -Wcast-qual -Wvla -Wdouble-promotion '
            '-Wshadow').split()
M4 = '-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16'.split()
M0 = '-mcpu=cortex-m0 -mthumb'.split()
C99 = ['-std=c99', '-Wmissing-prototypes']
CXX = ['-x', 'c++', '-std=c++17']
COMPILERS = {
    'gcc': ['gcc', *C99], 'g++': ['g++', *CXX], 'clang': ['clang-14', *C99], 'clang++': ['clang++-14', *CXX],
    'gcc for Cortex-M4': ['arm-none-eabi-gcc', *M4, *C99], 'gcc for Cortex-M0': ['arm-none-eabi-gcc', *M0, *C99]}

# Name, arguments. One of each kind: convolutional, recurrent, dense, attention, two inputs, several outputs.
SHARED = {
    'mnist_8': [], 'micro_kws_m_static_fp32': [], 'graphsurgeon_lstm': [], 'certificate_and_controller': [],
    'deeploy_autoencoder1d': [], 'cifar_base_kw_simp': [], 'onnx2tf_lstm_1layer_fixed': [], 'nanotrack_v2_head': [],
    'qonnx_espcn_nnresize_float': [], 'deeploy_cct_fp32_cct_1_16_16_8': [],
    'hand_point_history_classifier': ['--dim', 'batch=1'], 'micro_kws_m_static_qdq': ['--dim', 'unk__68=1']}


# Operators of their author's own: there is no code for them, but their memory can be planned.
UNKNOWN_OPERATORS = {'deeploy_cnn_linear1': []}


class Failed(Exception):
    pass


def check(condition, message):
    if not condition:
        raise Failed(message)


def run(command, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise Failed(f'{" ".join(map(str, command))}\n  ended with {done.returncode}\n{done.stdout}{done.stderr}'[:4000])
    return done.stdout


# Kernels have the same text for every model: with ccache each is compiled once for all cases. Emitted files are always new, and
# folders differ; their content is what counts.
CCACHE = ['ccache'] if shutil.which('ccache') else []
CCACHED = {**os.environ, 'CCACHE_SLOPPINESS': 'include_file_ctime,include_file_mtime', 'CCACHE_NOHASHDIR': '1'}


def compile_and_link(compiler, flags, sources, program):
    """Each source from the folder of the first, by its name there."""
    folder = pathlib.Path(sources[0]).parent
    with tempfile.TemporaryDirectory(dir=folder.parent) as objects:
        made = []
        for source in sources:
            made.append(f'{objects}/{len(made)}.o')
            run([*CCACHE, *compiler, *flags, '-I', '.', '-c', os.path.relpath(source, folder), '-o', made[-1]], cwd=folder, env=CCACHED)
        run([compiler[0], *(f for f in flags if str(f).startswith('-fsanitize')), *made, '-lm', '-o', program])


class Model:
    def __init__(self, name, path, arguments):
        self.name, self.path, self.arguments = name, path, arguments

    def generate(self, tarn, folder, *more, prefix=None, figures=False):
        """The emitted files, and the report; figures of the code, for which tarn compiles all of it, only where a case is about them."""
        compiler = [] if figures else ['--cc', 'none']
        run([tarn, 'generate', self.path, '--name', prefix or self.name, '-o', folder, *self.arguments, *compiler, *more])
        return driver.Firmware(folder, prefix or self.name)


# Cases that choose their models themselves, or look at files alone.
WHOLE = ('figures', 'poison', 'compilers')


def in_sample(case, name):
    """A case takes digits and a tenth of the others, each case its own; TARN_CI=1: two fifths, TARN_FULL=1: all."""
    full = sampling.FULL or case in WHOLE
    return full or name in ('digits', *UNKNOWN_OPERATORS) or zlib.crc32(f'{case} {name}'.encode()) % 10 < (4 if sampling.LARGER else 1)


def models(options):
    """Models that this tarn supports; says which it has to leave out."""
    found = [Model('digits', ROOT / 'examples/digits/digits.onnx', [])]
    shared = pathlib.Path(os.environ.get('TARN_SHARED_DIR', ROOT.parent / 'shared')) / 'models'
    planned_only = UNKNOWN_OPERATORS if options.case == 'arena_only' else {}
    for name, arguments in {**SHARED, **planned_only}.items():
        path = shared / name / 'model.onnx'
        if path.exists():
            found.append(Model(name, path, arguments))
        else:
            print(f'SKIPPED {name}: no {path}')
    chosen = [m for m in found if options.only or in_sample(options.case, m.name)]
    if len(chosen) < len(found):
        print(f'A sample of {len(chosen)} of {len(found)} models: {", ".join(m.name for m in chosen)}; all with TARN_FULL=1')
    supported = []
    for model in chosen:
        done = subprocess.run([options.tarn, 'analyze', model.path, '--cc', 'none', *model.arguments], capture_output=True, text=True)
        if done.returncode == 0 or model.name in planned_only:
            supported.append(model)
        elif done.returncode == 4:
            print(f'SKIPPED {model.name}: {done.stderr.splitlines()[0].split(chr(58) + chr(32), 1)[-1]}')
        else:
            raise Failed(f'{model.name}: {done.stderr}')
    return supported


def tree(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob('*')) if p.is_file()}


def build(compiler, firmware, main, *flags, sources=None, output='program'):
    """Compiles a driver with the firmware and runs it; what it prints."""
    main_path = firmware.folder / 'main_of_test.c'
    main_path.write_text(main)
    program = firmware.folder / output
    files = firmware.sources if sources is None else sources
    compile_and_link(compiler, ['-O1', '-ffp-contract=off', *flags], [main_path, *files], program)
    return run([program])


def outputs_of(firmware, *flags, compiler=('gcc', '-std=c99')):
    return build(compiler, firmware, driver.run_once(firmware), *flags)
