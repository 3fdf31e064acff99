#!/usr/bin/env python3
"""The number is the number: what the report says before anything is linked, against the linked image of a Cortex-M4.

    linked.py --tarn build/tarn [--work FOLDER] [--all] [MODEL.onnx ...]

Each model becomes an image of its own: emitted files, a startup, a main that paints the stack, runs once under QEMU and
says how deep the paint is gone. Beside it stands the same image without the model. Compared, in bytes:

    arena    report's ram.arena     size of the arena's symbols in the image                    equal
    static   report's ram.static    .data and .bss that the model adds, without arena           equal
    weights  report's flash.weights symbols of the weights                                      equal
    code     report's flash.code    .text and .rodata that the model adds, without weights and  equal but for alignment
                                    without functions of the compiler's libraries (lib)         and what the linker drops
    stack    report's ram.stack     paint that is gone below the call of the run                at least as much

Models: examples/digits; with TARN_SHARED_DIR also those of tests/models/linked.txt, with --all those of float.txt.
Exit status 77: no compiler or no emulator.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import sampling  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
M4 = '-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16'.split()
FLAGS = ['-std=c99', '-O2', *M4, '-ffunction-sections', '-fdata-sections']
TOOL = 'arm-none-eabi-'

LINK = '''MEMORY {
  code (rx) : ORIGIN = 0, LENGTH = 4M
  ram (rw) : ORIGIN = 0x20000000, LENGTH = 4M
  large (rw) : ORIGIN = 0x21000000, LENGTH = 16M
}
ENTRY(reset)
SECTIONS {
  .text : { KEEP(*(.vectors)) *(.text .text.*) } > code
  .rodata : { *(.rodata .rodata.*) } > code
  .ARM.exidx : { *(.ARM.exidx*) } > code
  .stack (NOLOAD) : { stack_low = .; . += 64K; stack_end = .; } > ram
  .data : { data_first = .; *(.data .data.*) . = ALIGN(4); data_end = .; } > ram AT > code
  data_load = LOADADDR(.data);
  .bss (NOLOAD) : { bss_first = .; *(.bss .bss.* COMMON) . = ALIGN(4); bss_end = .; end = .; } > ram
  .fast (NOLOAD) : { *(.fast) } > ram
  .arena (NOLOAD) : { *(.arena) } > large
}
'''

STARTUP = r'''
#include <stdint.h>
@INCLUDE@
extern uint32_t data_load[], data_first[], data_end[], bss_first[], bss_end[], stack_low[], stack_end[];
void reset(void);

static int32_t ask_host(int32_t operation, const void *argument)
{
    register int32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}
static void say(uint32_t value)
{
    char digits[12], *p = digits + 11;
    *p = 0;
    *--p = '\n';
    do { *--p = (char)('0' + value % 10u); value /= 10u; } while (value != 0);
    ask_host(4, p);
}
static void finish(uint32_t code)
{
    const uint32_t block[2] = {0x20026u, code};
    ask_host(0x20, block);
    for (;;) { }
}
#define PAINT 0xc5a35c3au
/* Nothing but the run lies between the paint and the stack pointer. */
static __attribute__((noinline)) uint32_t depth_of_run(int *status)
{
    uint32_t *sp, *p;
    __asm__ volatile("mov %0, sp" : "=r"(sp));
    for (p = sp; p > stack_low;) *(volatile uint32_t *)--p = PAINT;
    *status = (int)@RUN@;
    for (p = stack_low; p < sp && *(volatile uint32_t *)p == PAINT;) ++p;
    return (uint32_t)(sp - p) * 4u;
}
static void start(void)
{
    uint32_t *from = data_load, *to = data_first, depth;
    int status = -99;
    *(volatile uint32_t *)0xe000ed88u |= 0xfu << 20;
    __asm__ volatile("dsb\n isb" : : : "memory");
    while (to < data_end) *(volatile uint32_t *)to++ = *from++;
    for (to = bss_first; to < bss_end;) *(volatile uint32_t *)to++ = 0;
    depth = depth_of_run(&status);
    say(depth);
    finish(status == 0 ? 0u : 1u);
}
void reset(void) { start(); }
static void fault(void) { finish(99u); }
__attribute__((section(".vectors"), used)) static const struct {
    const void *stack;
    void (*handlers[15])(void);
} vectors = {stack_end, {reset, fault, fault, fault, fault, fault, 0, 0, 0, 0, fault, fault, 0, fault, fault}};
'''


def run(command, check=True, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    if check and done.returncode != 0:
        raise RuntimeError(f'{" ".join(map(str, command))}\n  ended with {done.returncode}\n{done.stdout}{done.stderr}'[:3000])
    return done


def sections(image):
    found = {}
    for line in run([TOOL + 'size', '-A', image]).stdout.splitlines():
        words = line.split()
        if len(words) == 3 and words[1].isdigit():
            found[words[0]] = int(words[1])
    return found


def symbols(image, *options):
    """Size and kind by name."""
    found = {}
    for line in run([TOOL + 'nm', '-S', *options, image]).stdout.splitlines():
        words = line.split()
        if len(words) == 4:
            found[words[3]] = (int(words[1], 16), words[2])
    return found


def link(folder, name, objects, include, call):
    (folder / f'{name}.c').write_text(STARTUP.replace('@INCLUDE@', include).replace('@RUN@', call))
    (folder / 'image.ld').write_text(LINK)
    run([TOOL + 'gcc', *FLAGS, '-I', folder / 'out', '-c', folder / f'{name}.c', '-o', folder / f'{name}.o'])
    image = folder / f'{name}.elf'
    run([TOOL + 'gcc', *M4, folder / f'{name}.o', *objects, '-nostartfiles', '--specs=nosys.specs', '-static',
         '-Wl,--gc-sections', '-T', folder / 'image.ld', '-lm', '-o', image])
    return image


def paint(image):
    done = run(['qemu-system-arm', '-M', 'mps2-an386', '-display', 'none', '-monitor', 'none', '-serial', 'none', '-semihosting-config',
                'enable=on,target=native', '-kernel', image], check=False, timeout=600)
    if done.returncode != 0:
        raise RuntimeError(f'{image} ended with {done.returncode} under QEMU')
    return int((done.stdout + done.stderr).split()[-1])


def measure(tarn, model, folder, options):
    out = folder / 'out'
    command = [tarn, 'generate', model, '--name', 'net', '-o', out, '--target', 'm4', '--weights', 'c', '--cc', TOOL + 'gcc',
               '--cflags', ' '.join(M4), *options]
    done = run(command, check=False)
    if 'E202' in done.stderr:
        done = run(command + [w for name in re.findall(r"not bound: '([^']*)'", done.stderr) for w in ('--dim', name + '=1')], check=False)
    if done.returncode != 0:
        return None, done.stderr.splitlines()[0] if done.stderr else f'exit {done.returncode}'
    report = json.loads((out / 'net.json').read_text())
    several = len(report.get('banks', [])) > 1
    objects = []
    for source in sorted(out.glob('*.c')):
        objects.append(folder / (source.stem + '.model.o'))
        section = [] if report.get('banks') else ['-DNET_ARENA_SECTION=".arena"']
        run([TOOL + 'gcc', *FLAGS, *section, '-I', out, '-c', source, '-o', objects[-1]])
    arena = '&net_arena' if several else 'net_arena'
    try:
        image = link(folder, 'with', objects, '#include "net.h"', f'net_run({arena})')
    except RuntimeError as error:
        over = re.search(r"region `(\w+)' overflowed by (\d+) bytes", str(error))
        if over or 'will not fit' in str(error):
            return None, 'does not fit the board'
        raise
    base = link(folder, 'without', [], '', '0')
    have, had, names, before = sections(image), sections(base), symbols(image), symbols(base)
    own = {}
    for o in objects:
        own.update(symbols(o))
    added = lambda *which: sum(have.get(s, 0) - had.get(s, 0) for s in which)
    weights = sum(size for name, (size, _) in names.items() if name.startswith('net_w_'))
    library = sum(size for name, (size, kind) in names.items() if name not in own and name not in before and kind in 'tTrRwW')
    arenas = sum(size for name, (size, _) in names.items() if re.fullmatch(r'net_arena_\w+' if several else 'net_arena', name))
    flash = added('.text', '.rodata', '.ARM.exidx', '.data')
    row = {'arena': (report['ram']['arena'], arenas - (arenas == 1 and report['ram']['arena'] == 0)),
           'static': (report['ram']['static'], added('.data', '.bss')),
           'weights': (report['flash']['weights'], weights),
           'code': (report['flash']['code'], flash - weights - library),
           'stack': (report['ram']['stack'], paint(image)), 'lib': library,
           'dropped': sum(size for name, (size, kind) in own.items() if name not in names and kind in 'tTrR')}
    return row, None


def verdict(row):
    faults = [k for k in ('arena', 'static', 'weights') if row[k][0] != row[k][1]]
    said, linked = row['code']
    # Alignment between functions and constants; functions of a kernel's file that nobody calls are left out of the image.
    if linked > said + 256 or linked < said - row['dropped'] - 256:
        faults.append('code')
    said, linked = row['stack']
    if said is None or linked > said:
        faults.append('stack')
    return faults


def chosen(options):
    found = [(ROOT / 'examples/digits/digits.onnx', []),
             (ROOT / 'examples/digits/digits.onnx', ['--bank', 'tcm=1K@.fast', '--bank', 'sram=64K@.arena']),
             (ROOT / 'examples/keyword_stream/keyword.onnx', []), (ROOT / 'examples/arena_header/frontend.onnx', [])][:3]
    shared = pathlib.Path(os.environ.get('TARN_SHARED_DIR', ROOT.parent / 'shared'))
    for line in (ROOT / 'tests/models' / ('float.txt' if options.all else 'linked.txt')).read_text().splitlines():
        words = line.split('#')[0].split()
        if words and (shared / words[0] / 'model.onnx').exists():
            found.append((shared / words[0] / 'model.onnx', words[1:]))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', type=pathlib.Path, required=True)
    parser.add_argument('--all', action='store_true')
    parser.add_argument('models', nargs='*', type=pathlib.Path)
    options = parser.parse_args()
    for tool in (TOOL + 'gcc', 'qemu-system-arm'):
        if shutil.which(tool) is None:
            print(f'SKIPPED: no {tool}')
            return 77
    todo = [(m, []) for m in options.models] or sampling.part(chosen(options))
    keys = ('arena', 'static', 'weights', 'code', 'stack')
    print(f'{"predicted / linked":32}' + ''.join(f'{k:>22}' for k in keys) + f'{"lib":>8}')
    failed = measured = 0
    for model, more in todo:
        label = (model.parent.name if model.name == 'model.onnx' else model.stem) + (' with banks' if '--bank' in more else '')
        with tempfile.TemporaryDirectory() as folder:
            row, why = measure(options.tarn.resolve(), model.resolve(), pathlib.Path(folder), more)
        if row is None:
            print(f'{label:32}  {why}')
            continue
        measured += 1
        faults = verdict(row)
        failed += bool(faults)
        print(f'{label:32}' + ''.join(f'{str(row[k][0]) + " / " + str(row[k][1]):>22}' for k in keys) + f'{row["lib"]:>8}' +
              ('  DIFFERS: ' + ', '.join(faults) if faults else ''), flush=True)
    print(f'{measured - failed} of {measured} as predicted')
    return 1 if failed or measured == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
