"""What the files compute, however they are compiled, placed and called. A case takes a model, the options and a work folder."""
import re

import driver
from common import COMPILERS, CXX, ROOT, WARNINGS, Failed, Model, build, check, outputs_of, run


def cxx(model, options, work):
    firmware = model.generate(options.tarn, work / 'files')
    want = outputs_of(firmware)
    check(outputs_of(firmware, compiler=['g++', *CXX], ) == want, 'compiled as C++17 it computes something else')


def sanitizers(model, options, work):
    """In an arena of its own, exactly as large as promised, full of garbage; twice."""
    firmware = model.generate(options.tarn, work / 'files')
    want = outputs_of(firmware)
    flags = ['-g', '-fsanitize=address,undefined', '-fno-sanitize-recover=all', f'-D{firmware.caps}_NO_STATIC_ARENA']
    got = build(['gcc', '-std=c99'], firmware, driver.run_in_heap(firmware), *flags)
    check(got == want + want, f'runs in garbage differ:\n{want}\n{got}')


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
