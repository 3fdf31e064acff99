"""What the cases share: the models, and how files are made, compiled and run."""
import os
import pathlib
import subprocess

import driver

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


class Model:
    def __init__(self, name, path, arguments):
        self.name, self.path, self.arguments = name, path, arguments

    def generate(self, tarn, folder, *more, prefix=None):
        """The emitted files, and the report."""
        run([tarn, 'generate', self.path, '--name', prefix or self.name, '-o', folder, *self.arguments, *more])
        return driver.Firmware(folder, prefix or self.name)


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
    supported = []
    for model in found:
        done = subprocess.run([options.tarn, 'analyze', model.path, *model.arguments], capture_output=True, text=True)
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
    run([*compiler, '-O1', '-ffp-contract=off', '-I', firmware.folder, *flags, main_path, *files, '-lm', '-o', program])
    return run([program])


def outputs_of(firmware, *flags, compiler=('gcc', '-std=c99')):
    return build(compiler, firmware, driver.run_once(firmware), *flags)
