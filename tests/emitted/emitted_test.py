#!/usr/bin/env python3
"""Rules that every emitted file keeps, whatever the model: one case a rule, driven through the tarn executable.

    emitted_test.py CASE --tarn build/tarn --work FOLDER [--other-tarn PATH]

Models: examples/digits, and those of TARN_SHARED_DIR/models that are there. Exit status 77: nothing to test with.
"""
import argparse
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

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


# ---- the cases: (model, options, work folder of this model)

def warnings(model, options, work):
    for layout in ([], ['--files', 'single'], ['--io', 'caller']):
        firmware = model.generate(options.tarn, work / '_'.join(['files', *layout]), *layout)
        for name, compiler in COMPILERS.items():
            if shutil.which(compiler[0]) is None:
                print(f'  {name}: no {compiler[0]}, not run')
                continue
            new = []
            for source in firmware.sources:
                key = (name, hashlib.sha256(source.read_bytes()).digest())
                if key not in options.compiled or not source.name.startswith('tarn_'):
                    new.append(source)
                options.compiled.add(key)
            objects = work / 'objects'
            objects.mkdir(exist_ok=True)
            run([*compiler, *WARNINGS, '-O2', '-I', firmware.folder, '-c', *new], cwd=objects)


def cxx(model, options, work):
    firmware = model.generate(options.tarn, work / 'files')
    want = outputs_of(firmware)
    check(outputs_of(firmware, compiler=['g++', *CXX], ) == want, 'compiled as C++17 it computes something else')


def symbols(model, options, work):
    """No heap, no stdio, no state but the arena, no recursion, no stack of unknown size."""
    firmware = model.generate(options.tarn, work / 'files')
    for name, compiler in {'host': ['gcc'], 'm4': ['arm-none-eabi-gcc', *M4]}.items():
        objects = work / name
        objects.mkdir()
        run([*compiler, '-std=c99', '-O2', '-fcallgraph-info=su', '-c', '-I', firmware.folder, *firmware.sources], cwd=objects)
        defined, needed = set(), set()
        for line in run(['nm', '-A', *objects.glob('*.o')]).splitlines():
            kind, symbol = line.split()[-2:]
            if symbol.startswith('$'):  # ARM's marks of code and data
                continue
            (needed if kind == 'U' else defined).add(symbol)
            if kind in 'Utr':
                continue
            arena = symbol == f'{firmware.prefix}_arena'
            check(kind in 'TR' or arena, f'{line}: writable data beside the arena')
            check(symbol.startswith(('tarn_', firmware.prefix + '_')), f'{line}: a symbol without prefix')
        allowed = re.compile(r'mem(cpy|set|move|cmp)|_GLOBAL_OFFSET_TABLE_|__aeabi_\w+|__\w+[sdt]i[0-9]?|__\w+[sd]f[0-9]?')
        foreign = sorted(s for s in needed - defined if not allowed.fullmatch(s))
        check(not foreign, f'needs {foreign}')
        calls = {}
        for graph in objects.glob('*.ci'):
            text = graph.read_text()
            check('(dynamic)' not in text, f'{graph.name}: a stack frame whose size is not known')
            for caller, callee in re.findall(r'edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"', text):
                calls.setdefault(caller, set()).add(callee)
        check_acyclic(calls)


def check_acyclic(calls):
    done, path = set(), []

    def visit(function):
        check(function not in path, f'recursion: {" > ".join(path + [function])}')
        if function in done:
            return
        path.append(function)
        for callee in calls.get(function, ()):
            visit(callee)
        path.pop()
        done.add(function)

    for function in list(calls):
        visit(function)


def sanitizers(model, options, work):
    """In an arena of its own, exactly as large as promised, full of garbage; twice."""
    firmware = model.generate(options.tarn, work / 'files')
    want = outputs_of(firmware)
    flags = ['-g', '-fsanitize=address,undefined', '-fno-sanitize-recover=all', f'-D{firmware.caps}_NO_STATIC_ARENA']
    got = build(['gcc', '-std=c99'], firmware, driver.run_in_heap(firmware), *flags)
    check(got == want + want, f'runs in garbage differ:\n{want}\n{got}')


def repeatable(model, options, work):
    """The same bytes from another folder and another working directory; nothing of the machine is in them."""
    first = model.generate(options.tarn, work / 'first')
    elsewhere = work / 'elsewhere'
    shutil.copytree(model.path.parent, elsewhere)
    elsewhere.chmod(0o755)
    copy = Model(model.name, pathlib.Path('model.onnx' if model.path.name == 'model.onnx' else model.path.name), model.arguments)
    run([options.tarn, 'generate', copy.path, '--name', model.name, '-o', work / 'second', *model.arguments], cwd=elsewhere)
    a, b = tree(first.folder), tree(work / 'second')
    check(a.keys() == b.keys(), f'other files: {sorted(a.keys() ^ b.keys())}')
    for name in a:
        check(a[name] == b[name], f'{name} differs')
        check(str(work).encode() not in a[name] and str(ROOT).encode() not in a[name], f'{name} holds a path of this machine')
    stamps = {p.name: p.stat().st_mtime_ns for p in first.folder.iterdir()}
    model.generate(options.tarn, work / 'first')
    check(stamps == {p.name: p.stat().st_mtime_ns for p in first.folder.iterdir()}, 'unchanged files were written again')


def compilers(model, options, work):
    """Another compiler's tarn writes the same bytes."""
    a = tree(model.generate(options.tarn, work / 'this').folder)
    b = tree(model.generate(options.other_tarn, work / 'other').folder)
    check(a.keys() == b.keys(), f'other files: {sorted(a.keys() ^ b.keys())}')
    for name in a:
        check(a[name] == b[name], f'{name} differs')


def two_models(model, options, work):
    """Beside digits in one folder, one program and one arena."""
    if model.name == 'digits':  # then the second is the same network under another name
        model = Model('numbers', model.path, model.arguments)
    together = work / 'together'
    other = Model('digits', ROOT / 'examples/digits/digits.onnx', [])
    want = [outputs_of(m.generate(options.tarn, work / m.name)) for m in (other, model)]
    # The kernels have the same text for every model: both write into one folder.
    first = other.generate(options.tarn, together)
    second = model.generate(options.tarn, together)
    sources = sorted(set(first.sources) | set(second.sources))
    flags = [f'-D{f.caps}_NO_STATIC_ARENA' for f in (first, second)]
    got = build(['gcc', '-std=c99'], first, driver.run_in_turn(first, second), *flags, sources=sources)
    check(got == want[0] + want[1] + want[0], f'in one arena they differ:\n{want}\n{got}')


def single_file(model, options, work):
    want = outputs_of(model.generate(options.tarn, work / 'split'))
    firmware = model.generate(options.tarn, work / 'single', '--files', 'single', '--weights', 'c')
    names = sorted(p.name for p in firmware.folder.iterdir())
    check(names == sorted([f'{firmware.prefix}.c', f'{firmware.prefix}.h', f'{firmware.prefix}.json']), f'files: {names}')
    check(outputs_of(firmware) == want, 'the single file computes something else')
    run(['gcc', '-std=c99', '-c', '-I', firmware.folder, *firmware.sources], cwd=work)
    extern = re.findall(r' [TRDBC] (\w+)', run(['nm', '-g', work / f'{firmware.prefix}.o']))
    check(all(s.startswith(firmware.prefix + '_') for s in extern), f'symbols beside the model\'s own: {extern}')


def arena_only(model, options, work):
    """The header alone: compiles on its own and says what the whole firmware's says."""
    firmware = model.generate(options.tarn, work / 'arena', '--emit', 'arena')
    header = f'{firmware.prefix}_arena.h'
    names = sorted(p.name for p in firmware.folder.iterdir())
    check(names == sorted([header, f'{firmware.prefix}.json']), f'files: {names}')
    if model.name not in UNKNOWN_OPERATORS:
        whole = model.generate(options.tarn, work / 'whole')
        strip = re.compile(r'/\*.*?\*/', re.S)
        a, b = (strip.sub('', (f.folder / header).read_text()) for f in (whole, firmware))
        check(a == b, f'{header} differs from the whole firmware\'s')
    main = driver.check_arena(firmware)
    for compiler in (['gcc', '-std=c99'], ['g++', *CXX]):
        build([*compiler, *WARNINGS], firmware, main, sources=[])


def run_step(model, options, work):
    """Steps one by one, on two arenas in turn, and what is refused."""
    firmware = model.generate(options.tarn, work / 'files')
    want = outputs_of(firmware)
    got = build(['gcc', '-std=c99'], firmware, driver.run_steps(firmware))
    check(got == want + want, f'steps differ from a run:\n{want}\n{got}')


def trace(model, options, work):
    firmware = model.generate(options.tarn, work / 'files')
    hook = work / 'hook.h'
    hook.write_text('#include <stdint.h>\nextern uint32_t traced[100000];\nextern uint32_t traced_count;\n'
                    '#define TARN_TRACE(step) ((void)(traced[traced_count++] = (step)))\n')
    got = build(['gcc', '-std=c99', '-include', hook], firmware, driver.run_traced(firmware))
    want = ''.join(f'{s}\n' for s in range(len(firmware.report['steps'])))
    # Steps inside a loop's or a branch's body are told with it.
    check(got.split() == want.split() or any(s.get('parent') is not None for s in firmware.report['steps']),
          f'traced {got.split()}')


def section(model, options, work):
    firmware = model.generate(options.tarn, work / 'files')
    source = firmware.folder / f'{firmware.prefix}.c'
    for name, compiler in {'host': ['gcc'], 'm4': ['arm-none-eabi-gcc', *M4]}.items():
        placed, without = work / f'{name}.o', work / f'{name}_without.o'
        base = [*compiler, '-std=c99', '-O2', '-c', source]
        run([*base, f'-D{firmware.caps}_ARENA_SECTION=".bss.dtcm"', '-o', placed])
        sizes = dict(re.findall(r'^(\S+)\s+(\d+)\s', run(['size', '-A', placed]), re.M))
        check(int(sizes.get('.bss.dtcm', 0)) == firmware.report['ram']['arena'], f'{name}: section of {sizes}')
        run([*base, f'-D{firmware.caps}_NO_STATIC_ARENA', '-o', without])
        check(f'{firmware.prefix}_arena' not in run(['nm', without]).split(), f'{name}: the buffer is still there')


def incbin(model, options, work):
    """Weights from a binary file, assembled from a folder that is not theirs."""
    want = outputs_of(model.generate(options.tarn, work / 'c', '--weights', 'c'))
    firmware = model.generate(options.tarn, work / 'incbin', '--weights', 'incbin')
    names = [p.name for p in firmware.folder.iterdir()]
    check(f'{firmware.prefix}_weights.c' not in names, f'files: {names}')
    elsewhere = work / 'elsewhere'
    elsewhere.mkdir()
    main = elsewhere / 'main.c'
    main.write_text(driver.run_once(firmware))
    for compiler in (['gcc'], ['clang-14']):
        run([*compiler, '-std=c99', '-O1', '-ffp-contract=off', '-I', firmware.folder, main, *firmware.sources, '-lm', '-o', 'program'],
            cwd=elsewhere)
        got = run([elsewhere / 'program'])
        check(got == want, f'with a binary file of weights it computes something else\n{want}\n{got}')
    run(['arm-none-eabi-gcc', *M4, '-std=c99', '-O1', '-I', firmware.folder, '-c', *firmware.sources], cwd=elsewhere)


def io_caller(model, options, work):
    want = outputs_of(model.generate(options.tarn, work / 'arena'))
    firmware = model.generate(options.tarn, work / 'caller', '--io', 'caller')
    check(outputs_of(firmware, '-fsanitize=address,undefined') == want, 'with the caller\'s buffers it computes something else')


def layouts(model, options, work):
    """The same values, handed over and read channels-last."""
    want = outputs_of(model.generate(options.tarn, work / 'model'))
    for layout in (['--input-layout', 'nhwc'], ['--output-layout', 'nhwc'], ['--input-layout', 'nhwc', '--output-layout', 'nhwc']):
        firmware = model.generate(options.tarn, work / ''.join(layout), *layout)
        firmware.nhwc = {kind: f'--{kind}-layout' in layout for kind in ('input', 'output')}
        got = outputs_of(firmware)
        check(got == want, f'{" ".join(layout)}:\n{want}\n{got}')


def banks(model, options, work):
    """Several memories: the same values, sections kept, warnings of no compiler, also with the caller's buffers."""
    one = model.generate(options.tarn, work / 'one')
    want, arena = outputs_of(one), one.report['ram']['arena']
    sizes = ['--bank', f'tcm={arena * 2 // 5}@.tcm', '--bank', f'sram={one.report["plan"]["naive"] + 64}', '--bank', 'sdram=64M,dma=no']
    for more in ([], ['--files', 'single'], ['--io', 'caller']):
        firmware = model.generate(options.tarn, work / '_'.join(['banks', *more]), *sizes, *more)
        for name in ('gcc', 'g++', 'clang', 'gcc for Cortex-M4'):
            compiler = COMPILERS[name]
            own = [s for s in firmware.sources if not s.name.startswith('tarn_')]
            run([*compiler, *WARNINGS, '-O2', '-I', firmware.folder, '-c', *own], cwd=firmware.folder)
        check(outputs_of(firmware, '-fsanitize=address,undefined') == want, f'{more}: with several banks it computes something else')
        used = 0
        for bank in firmware.report['banks']:
            used += bank['arena']
            check(bank['arena'] <= bank['size'] and bank['lower_bound'] <= bank['arena'], f'{bank["name"]} does not add up')
            for tensor in firmware.report['tensors']:
                check(tensor['bank'] != bank['name'] or tensor['offset'] + tensor['bytes'] <= bank['arena'], f'{tensor["name"]} leaves its bank')
        check(used == firmware.report['ram']['arena'], 'the banks are not the arena')
        held = {p['bank'] for kind in ('inputs', 'outputs') for p in firmware.report[kind] if not firmware.caller}
        check('sdram' not in held, 'dma=no does not hold')
        if firmware.report['banks'][0]['arena'] > 0:
            run(['gcc', '-std=c99', '-I', firmware.folder, '-c', firmware.folder / f'{firmware.prefix}.c', '-o', work / 'object.o'])
            check('.tcm' in run(['objdump', '-h', work / 'object.o']), 'the first bank is not in its section')


# One of each kind; loops and branches are those of the backend suite (conformance --poison).
POISONED = ('digits', 'graphsurgeon_lstm', 'certificate_and_controller', 'deeploy_cct_fp32_cct_1_16_16_8')
ASAN = ['-g', '-fsanitize=address,undefined', '-fno-sanitize-recover=all']


def shorten_a_life(firmware):
    """Takes the last step from the life of a buffer whose memory nothing else has then."""
    source = firmware.folder / f'{firmware.prefix}.c'
    text = source.read_text()
    lives = [(m.span(), *map(int, m.groups())) for m in re.finditer(r'^    {(\d+)u, (\d+)u, (\d+)u, (\d+)u},$', text, re.M)]
    for span, first, end, first_step, end_step in lives:
        alone = set(range(first, end))
        for other, a, b, since, until in lives:
            if other != span and since < end_step <= until:
                alone -= set(range(a, b))
        if end_step - first_step >= 2 and len(alone) == end - first:
            source.write_text(f'{text[:span[0]]}    {{{first}u, {end}u, {first_step}u, {end_step - 1}u}},{text[span[1]:]}')
            return
    raise Failed('no life can be shortened')


def poison(model, options, work):
    """-DTARN_POISON: the same values, with and without AddressSanitizer, and no byte where it is not asked for."""
    if model.name not in POISONED:
        return
    split = model.generate(options.tarn, work / 'split')
    want, arena = outputs_of(split), split.report['ram']['arena']
    variants = {'split': split, 'single': model.generate(options.tarn, work / 'single', '--files', 'single', '--weights', 'c')}
    if model.name == 'digits':
        variants['caller'] = model.generate(options.tarn, work / 'caller', '--io', 'caller')
        variants['banks'] = model.generate(options.tarn, work / 'banks', '--bank', f'tcm={arena * 2 // 5}', '--bank', 'sram=64M')
        for name, compiler in COMPILERS.items():
            for variant, firmware in variants.items():
                source = firmware.folder / f'{firmware.prefix}.c'
                run([*compiler, *WARNINGS, '-DTARN_POISON', '-O2', '-c', '-I', firmware.folder, source, '-o', work / 'object.o'])
    for name, firmware in variants.items():
        for flags in (ASAN, []):
            check(outputs_of(firmware, '-DTARN_POISON', *flags) == want, f'{name} {flags}: poisoned it computes something else')
    source = split.folder / f'{split.prefix}.c'
    plain = work / 'plain.c'
    plain.write_text(re.sub(rf'^ *{split.caps}_(UN)?POISON\(.*\);$', '', source.read_text(), flags=re.M))
    sizes = []
    for path in (source, plain):
        run(['gcc', '-std=c99', '-O2', '-c', '-I', split.folder, path, '-o', work / 'object.o'])
        sizes.append(run(['size', work / 'object.o']).splitlines()[1].split()[:3])
    check(sizes[0] == sizes[1], f'it takes bytes where it is not asked for: {sizes}')
    if model.name == 'digits':
        shorten_a_life(split)
        check(outputs_of(split) == want and outputs_of(split, '-DTARN_POISON') != want, 'a life too short goes unseen')
        try:
            outputs_of(split, '-DTARN_POISON', *ASAN)
        except Failed as fault:
            check('use-after-poison' in str(fault), f'a life too short: {fault}')
        else:
            raise Failed('AddressSanitizer does not see a life that is too short')


CASES = {f.__name__: f for f in (warnings, cxx, symbols, sanitizers, repeatable, compilers, two_models, single_file, arena_only,
                                 run_step, trace, section, incbin, io_caller, layouts, banks, poison)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('case', choices=CASES)
    parser.add_argument('--tarn', type=pathlib.Path, required=True)
    parser.add_argument('--other-tarn', type=pathlib.Path, default=os.environ.get('TARN_OTHER'))
    parser.add_argument('--work', type=pathlib.Path, required=True)
    parser.add_argument('--only', help='one model')
    options = parser.parse_args()
    options.tarn = options.tarn.resolve()
    options.compiled = set()
    if options.case == 'compilers' and options.other_tarn is None:
        print('SKIPPED: TARN_OTHER names no tarn of another compiler')
        return 77
    shutil.rmtree(options.work, ignore_errors=True)
    failed = 0
    chosen = [m for m in models(options) if options.only in (None, m.name)]
    for model in chosen:
        work = (options.work / model.name).resolve()
        work.mkdir(parents=True)
        try:
            CASES[options.case](model, options, work)
            print(f'ok {model.name}')
        except Failed as fault:
            failed += 1
            print(f'FAILED {model.name}: {fault}')
    if not failed:
        shutil.rmtree(options.work, ignore_errors=True)
    print(f'{len(chosen) - failed} of {len(chosen)} models keep the rule')
    return 1 if failed else 0 if chosen else 77


sys.exit(main())
