"""What the files are like: compilers' warnings, symbols, sections, and the same bytes everywhere. A case takes a model, the options
and a work folder."""
import hashlib
import os
import pathlib
import re
import shutil
import zlib

import driver
from common import (C99, COMPILERS, CXX, M4, ROOT, UNKNOWN_OPERATORS, WARNINGS, Model, build, check, outputs_of, run, tree)


def warnings(model, options, work):
    """Single files hold the kernels, which all compilers see as files of their own: by default two compilers take each, by turns."""
    for layout in ([], ['--files', 'single'], ['--io', 'caller']):
        firmware = model.generate(options.tarn, work / '_'.join(['files', *layout]), *layout)
        names = list(COMPILERS)
        if 'single' in layout and os.environ.get('TARN_FULL') != '1':
            turn = zlib.crc32(model.name.encode()) % len(names)
            names = [names[turn], names[(turn + 3) % len(names)]]
            print(f'  {model.name} in a single file: {", ".join(names)}; all with TARN_FULL=1')
        for name in names:
            compiler = COMPILERS[name]
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


def symbols(model, options, work):
    """No heap, no stdio, no state but the arena, no recursion, no stack of unknown size."""
    firmware = model.generate(options.tarn, work / 'files')
    for name, compiler in {'host': ['gcc'], 'm4': ['arm-none-eabi-gcc', *M4]}.items():
        # A kernel has the same text for every model: one object for all.
        folders = {True: options.work.resolve() / f'kernels_{name}', False: work / name}
        for kernels, folder in folders.items():
            folder.mkdir(exist_ok=True)
            new = [s for s in firmware.sources if s.name.startswith('tarn_') == kernels and not (folder / f'{s.stem}.o').exists()]
            if new:
                run([*compiler, '-std=c99', '-O2', '-fcallgraph-info=su', '-c', '-I', firmware.folder, *new], cwd=folder)
        made = [folders[s.name.startswith('tarn_')] / s.stem for s in firmware.sources]
        defined, needed = set(), set()
        for line in run(['nm', '-A', *(f'{m}.o' for m in made)]).splitlines():
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
        for graph in made:
            text = pathlib.Path(f'{graph}.ci').read_text()
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


def repeatable(model, options, work):
    """The same bytes from another folder and another working directory; nothing of the machine is in them."""
    first = model.generate(options.tarn, work / 'first', figures=True)
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
    model.generate(options.tarn, work / 'first', figures=True)
    check(stamps == {p.name: p.stat().st_mtime_ns for p in first.folder.iterdir()}, 'unchanged files were written again')


def compilers(model, options, work):
    """Another compiler's tarn writes the same bytes."""
    a = tree(model.generate(options.tarn, work / 'this').folder)
    b = tree(model.generate(options.other_tarn, work / 'other').folder)
    check(a.keys() == b.keys(), f'other files: {sorted(a.keys() ^ b.keys())}')
    for name in a:
        check(a[name] == b[name], f'{name} differs')


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
        strip = re.compile(r'/\*.*?\*/|_PLAN_ID 0x\w+', re.S)  # what one run wrote belongs to that run alone
        a, b = (strip.sub('', (f.folder / header).read_text()) for f in (whole, firmware))
        check(a == b, f'{header} differs from the whole firmware\'s')
    main = driver.check_arena(firmware)
    for compiler in (['gcc', '-std=c99'], ['g++', *CXX]):
        build([*compiler, *WARNINGS], firmware, main, sources=[])


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
