#!/usr/bin/env python3
"""One firmware for all sizes of a dimension against a build for each size, on an emulated Cortex-M4: sizes_board.py TARN [NAME...]

Networks, their ranges and sizes are those of sizes.py. Range and fixed size are linked into one image and run on the same inputs: outputs
have the same bits, and the range executes at most 1.03 of the instructions of the fixed size, or 400 a step more. By default the networks of QUICK; with
TARN_FULL=1 all of TWELVE. Exit status 77: no data, or no compiler and emulator of the board."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import sizes

HERE = pathlib.Path(__file__).resolve().parent
TARGET, VERIFY = HERE.parents[0] / 'kernels' / 'target', HERE.parents[1] / 'templates' / 'verify'
# Images over the batch, keywords over time and over the batch, BERT, GPT-2, recurrent networks, speech over chunks.
TWELVE = ['emx_mixed_ops_dynamic_batch', 'mnist5x20_leaky_relu', 'stm_yamnet_256_64x96_tl', 'micro_kws_m_static_qdq', 'mlpt_ad_fcae_dynb_qdq_s8',
          'kws_lstm_bi2_dyns', 'tract_byte_bidi_lstm', 'loop_rnn_script', 'bert_tiny_op23_dynseq', 'gpt2_tiny', 'silero_vad_op18_ifless',
          'silero_vad_v5_16k_op15']
QUICK = ['kws_lstm_bi2_dyns', 'gpt2_tiny']
MOST_INSTRUCTIONS = 1.03
# What a step may cost beside, for formulas of its sizes: that matters in networks of a few thousand instructions a step.
MOST_OF_STEP = 400
FLAGS = ['-mcpu=cortex-m4', '-mthumb', '-mfloat-abi=hard', '-mfpu=fpv4-sp-d16', '-O2', '-std=c99', '-ffunction-sections', '-fdata-sections']

# Reset code and vectors from address 0; constants and tensors in the board's 16 MB of PSRAM, which QEMU loads.
LINK = '''MEMORY { code (rx) : ORIGIN = 0, LENGTH = 4M  ram (rwx) : ORIGIN = 0x20000000, LENGTH = 4M
         large (rwx) : ORIGIN = 0x21000000, LENGTH = 16M }
ENTRY(reset)
SECTIONS {
  .text : { KEEP(*(.vectors)) *(.text .text.*) . = ALIGN(8); } > code
  .ARM.exidx : { *(.ARM.exidx*) } > code
  .data : ALIGN(8) { data_start = .; *(.data .data.*) . = ALIGN(8); data_end = .; } > ram AT > code
  load_start = LOADADDR(.data);
  .rodata : ALIGN(16) { *(.rodata .rodata.*) } > large
  .tensors (NOLOAD) : ALIGN(64) { *(.tensors) } > large
  .bss (NOLOAD) : ALIGN(8) { bss_start = .; *(.bss .bss.* COMMON) . = ALIGN(8); bss_end = .; end = .; } > ram
  stack_top = ORIGIN(ram) + LENGTH(ram);
}
'''

DRIVER = '''#include <string.h>
#include "semihost.h"
@includes@
@made_up@
static unsigned char memory[@arena@] __attribute__((aligned(64), section(".tensors")));
static unsigned char saved[@saved@] __attribute__((aligned(64), section(".tensors")));
static int faults;
static void expect(int good, const char *what)
{
    if (!good) {
        semihost_print("FAULT ");
        semihost_print(what);
        semihost_print("\\n");
        faults++;
    }
}
__attribute__((noinline)) void count_from(void) { __asm__ volatile(""); }
__attribute__((noinline)) void count_to(void) { __asm__ volatile(""); }
int main(void)
{
    int status;
    size_t at = 0;
    garbage(memory, sizeof memory, 3u);
    expect(@set@, "the size is refused");
@fill_range@    count_from();
    status = range_run(memory);
    count_to();
    expect(status == 0, "the run fails");
@save@    garbage(memory, sizeof memory, 99u);
@fill_own@    count_from();
    status = at@k@_run(memory);
    count_to();
    expect(status == 0, "the build for this size fails");
    at = 0;
@compare@    return faults != 0;
}
'''


def run(words, folder):
    return subprocess.run([str(w) for w in words], cwd=folder, capture_output=True, text=True, timeout=600)


def build(words, folder):
    done = run(words, folder)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[:2000])


def driver(whole, own, box, point, k):
    counts = [sizes.count_of(port) for port in own['inputs']]
    save = compare = ''
    for port in own['outputs']:
        c, count = port['c_name'], port['bytes']
        save += f'    memcpy(saved + at, range_output_{c}(memory), {count}u);\n    at += {count}u;\n'
        compare += f'    expect(memcmp(saved + at, at{k}_output_{c}(memory), {count}u) == 0, "{c} differs");\n    at += {count}u;\n'
    made_up = sizes.DRIVER[sizes.DRIVER.index('static void garbage'):sizes.DRIVER.index('static int faults')]
    text = DRIVER
    for key, value in (('includes', ''.join(f'#include "{name}.h"\n' for name in ('range', f'at{k}'))), ('fill_range', sizes.fill(own, 'range', 'memory', counts)), ('fill_own', sizes.fill(own, f'at{k}', 'memory', counts)),
                       ('save', save), ('compare', compare), ('made_up', made_up), ('saved', str(1 + sum(p['bytes'] for p in own['outputs']))),
                       ('arena', str(max(whole['ram']['arena'], own['ram']['arena']))), ('k', str(k)), ('set', sizes.setting(box, point, 'memory'))):
        text = text.replace(f'@{key}@', value)
    return text


def steps_of(folder):
    return int(re.search(r'RANGE_STEPS (\d+)', (folder / 'range.h').read_text())[1])


def counted(folder, image):
    """What the program prints, and the instructions of its windows."""
    addresses = {words[2]: int(words[0], 16) for words in map(str.split, run(['arm-none-eabi-nm', image], folder).stdout.splitlines())
                 if len(words) == 3 and words[2] in ('count_from', 'count_to')}
    done = run(['qemu-system-arm', '-M', 'mps2-an386', '-display', 'none', '-monitor', 'none', '-serial', 'none', '-semihosting-config',
                'enable=on,target=native', '-plugin', f'./counter.so,start={addresses["count_from"]},end={addresses["count_to"]},out=counts.txt',
                '-kernel', image], folder)
    faults = [line for line in (done.stdout + done.stderr).splitlines() if line]
    if done.returncode != 0 and not faults:
        faults = [f'exit {done.returncode}']
    return faults, [int(word) for word in (folder / 'counts.txt').read_text().split()]


def check(tarn, model, box, options):
    folder = pathlib.Path(tempfile.mkdtemp(prefix='tarn-sizes-board-'))
    options = options + ['--target', 'cortex-m4']
    whole, why = sizes.generate(tarn, model, 'range', options + [w for dim, low, high in box for w in ('--dim', f'{dim}={low}..{high}')], folder)
    if not whole:
        return [f'refused: {why}'], ''
    version = re.search(r'version (\d+)', run(['qemu-system-arm', '--version'], folder).stdout)
    build(['cc', '-O2', '-fPIC', '-shared', '-w', f'-DTARN_PLUGIN_VERSION={2 if int(version[1]) >= 9 else 1}', '-o', 'counter.so',
           VERIFY / 'count_instructions.c'], folder)
    # Loops that copy must not become calls of the memcpy that they implement.
    build(['arm-none-eabi-gcc', *FLAGS, '-fno-tree-loop-distribute-patterns', '-c', TARGET / 'startup.c', '-o', 'startup.o'], folder)
    (folder / 'link.ld').write_text(LINK)
    faults, rows, own_arena, objects = [], [], 0, {}
    for k, point in enumerate(sizes.points_of(box)):
        at = ' x '.join(map(str, point))
        own, why = sizes.generate(tarn, model, f'at{k}', options + sizes.bound(box, point), folder)
        if not own:
            return [f'{at}: {why}'], ''
        if all(n == high for n, (_, _, high) in zip(point, box)):
            own_arena = own['ram']['arena']
        (folder / 'main.c').write_text(driver(whole, own, box, point, k))
        for source in sorted(folder.glob('*.[cS]')):
            if source.name != 'main.c' and source.name not in objects:
                objects[source.name] = f'{source.name}.o'
                build(['arm-none-eabi-gcc', *FLAGS, '-c', source, '-o', objects[source.name]], folder)
        build(['arm-none-eabi-gcc', *FLAGS, '-I.', f'-I{TARGET}', 'main.c', 'startup.o', *objects.values(), '-nostartfiles',
               '-specs=nosys.specs', '-Wl,--gc-sections,--no-warn-rwx-segments', '-T', 'link.ld', '-lm', '-o', 'image.elf'], folder)
        found, counts = counted(folder, 'image.elf')
        faults += [f'{at}: {fault}' for fault in found]
        if len(counts) != 2:
            faults.append(f'{at}: {len(counts)} windows counted')
            continue
        ratio = counts[0] / counts[1]
        rows.append(f'{at}: {counts[0]} ({ratio:.3f})')
        if counts[0] > max(MOST_INSTRUCTIONS * counts[1], counts[1] + MOST_OF_STEP * steps_of(folder)):
            faults.append(f'{at}: {counts[0]} instructions, {ratio:.3f} of the {counts[1]} of the build for that size')
    arena = whole['ram']['arena']
    if arena > max(own_arena * 1.02, own_arena + 16):
        faults.append(f'arena {arena}, the largest size needs {own_arena}')
    if not faults:
        shutil.rmtree(folder)
    return faults, f'arena {arena} B ({arena / max(1, own_arena):.4f}); instructions at {", ".join(rows)}'


def main():
    tarn, only = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    if not all(map(shutil.which, ('arm-none-eabi-gcc', 'qemu-system-arm'))):
        print('SKIPPED: no arm-none-eabi-gcc or no qemu-system-arm')
        return 77
    if not only:
        only = TWELVE if os.environ.get('TARN_FULL') == '1' else QUICK
        print('networks:', ' '.join(only))
    bad = seen = 0
    for name in only:
        model = sizes.model_of(name)
        if not model:
            print(f'{name}: left out')
            continue
        seen += 1
        for table in ({**sizes.NETWORKS, **sizes.GPT2, **sizes.OWN}, sizes.SEVERAL):
            if name not in table:
                continue
            box, options = sizes.box_of(table[name])
            faults, what = check(tarn, model, box, options)
            bad += bool(faults)
            over = ', '.join(f'{dim}={low}..{high}' for dim, low, high in box)
            print(f'{name} over {over}: {what}' + ''.join('\n  ' + fault for fault in faults), flush=True)
    print(f'{seen} networks, {bad} with faults')
    return 1 if bad else 0 if seen else 77


if __name__ == '__main__':
    sys.exit(main())
