#!/usr/bin/env python3
"""--weights image: code takes every image of its plan, and no other.

    images.py --tarn build/tarn --work FOLDER

Two networks of one plan with other weights, and one of another plan. The code of the first runs on its own image and on the
second's, swapped between runs and in two arenas at once; it refuses the third's, cut ones, damaged ones, and anything else.
`tarn diff` tells two images apart. On the host with sanitizers, and on an emulated board with a Cortex-M4.
"""
import argparse
import pathlib
import random
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'tests/bench'))
import onnx_bytes  # noqa: E402
from common import C99, CXX, M4, WARNINGS, Failed, check, run  # noqa: E402

MAIN = r'''
#include "kws.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *read_file(const char *path, uint32_t *bytes)
{
    FILE *file = fopen(path, "rb");
    uint8_t *all;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) exit(2);
    *bytes = (uint32_t)ftell(file);
    rewind(file);
    all = (uint8_t *)malloc(*bytes + 1u);
    if (all == NULL || fread(all, 1, *bytes, file) != *bytes) exit(2);
    fclose(file);
    return all;
}

/* Some libraries for boards print no floats. */
static unsigned long bits(float value)
{
    uint32_t all;
    memcpy(&all, &value, sizeof all);
    return (unsigned long)all;
}

static void run(uint8_t *arena)
{
    float *x = kws_input_x(arena);
    const float *y;
    uint32_t i;
    int status;
    for (i = 0; i < KWS_IN_X_COUNT; ++i) x[i] = (float)((int)(i * 7u % 11u) - 5) / 4.0f;
    status = kws_run(arena);
    y = kws_output_y(arena);
    printf("run %d", status);
    for (i = 0; status == 0 && i < KWS_OUT_Y_COUNT; ++i) printf(" %08lx", bits(y[i]));
    printf("\n");
}

int main(int count, char **paths)
{
    static uint8_t other[KWS_ARENA_BYTES + 16u];
    uint8_t *second = other + (16u - (uintptr_t)other % 16u) % 16u;
    uint8_t *images[2] = {NULL, NULL};
    int i;
    memset(kws_arena, 0xa5, KWS_ARENA_BYTES);
    run(kws_arena); /* none was set */
    printf("null %d %d %d\n", kws_weights_check(NULL), kws_weights_set(kws_arena, NULL), kws_weights_set(NULL, kws_arena));
    for (i = 1; i < count; ++i) {
        uint32_t bytes;
        uint8_t *image = read_file(paths[i], &bytes);
        const int checked = kws_weights_check_bytes(image, bytes);
        const int set = bytes < KWS_IMAGE_BYTES ? 99 : kws_weights_set(kws_arena, image);
        printf("image %d %d\n", checked, set);
        if (bytes == KWS_IMAGE_BYTES && kws_weights_check(image) != checked) return 3;
        if (set == 0) run(kws_arena);
        if (set == 0 && images[1] == NULL) images[images[0] == NULL ? 0 : 1] = image;
        else free(image);
    }
    printf("odd %d\n", kws_weights_check(images[0] + 1));
    /* Two arenas, two images, step by step. */
    memset(second, 0x5a, KWS_ARENA_BYTES);
    if (kws_weights_set(kws_arena, images[0]) != 0 || kws_weights_set(second, images[1]) != 0) return 4;
    {
        uint8_t *arenas[2];
        uint32_t step, a, k;
        arenas[0] = kws_arena;
        arenas[1] = second;
        for (a = 0; a < 2u; ++a) {
            for (k = 0; k < KWS_IN_X_COUNT; ++k) kws_input_x(arenas[a])[k] = (float)((int)(k * 7u % 11u) - 5) / 4.0f;
        }
        for (step = 0; step < KWS_STEPS; ++step) {
            if (kws_run_step(kws_arena, step) != 0 || kws_run_step(second, step) != 0) return 5;
        }
        for (a = 0; a < 2u; ++a) {
            printf("beside 0");
            for (k = 0; k < KWS_OUT_Y_COUNT; ++k) printf(" %08lx", bits(kws_output_y(arenas[a])[k]));
            printf("\n");
        }
    }
    free(images[0]);
    free(images[1]);
    return 0;
}
'''


# Where an emulated MPS2 board begins: the memory at 0 holds code, that at 0x20000000 the rest.
BOARD = r'''
extern void _start(void);
void board_reset(void);
void board_reset(void)
{
    *(volatile unsigned *)0xe000ed88u |= 0xf00000u; /* the floating-point unit */
    __asm__ volatile("dsb\n\tisb");
    _start();
}
__attribute__((section(".vectors"), used)) const void *const board_vectors[2] = {(const void *)0x20100000u, (const void *)board_reset};
'''


def run_on_board(folder, main_c, cases, work):
    """The lines that the program prints on the board, of the same images."""
    board, program = work / 'board.c', work / 'board.elf'
    board.write_text(BOARD)
    run(['arm-none-eabi-gcc', *M4, *C99, '-O2', '-I', folder, main_c, board, *sorted(folder.glob('*.c')), '--specs=rdimon.specs',
         '-Wl,--section-start=.vectors=0x0,-Ttext=0x10000,-Tdata=0x20000000', '-lm', '-o', program])
    # What starts the program holds a line of 255 characters.
    words = ','.join(f'arg={word}' for word in ('p', *(path.relative_to(work) for path, _, _ in cases)))
    done = subprocess.run(['qemu-system-arm', '-M', 'mps2-an386', '-nographic', '-monitor', 'none', '-serial', 'none', '-semihosting-config',
                           f'enable=on,target=native,{words}', '-kernel', program], capture_output=True, text=True, timeout=120, cwd=work)
    check(done.returncode == 0, f'on the board: exit {done.returncode} {done.stderr[:300]}')
    return done.stdout.splitlines()


def network(path, seed, hidden=8):
    rng = random.Random(seed)
    values = lambda count: [rng.uniform(-1, 1) for _ in range(count)]
    weights = [onnx_bytes.tensor('w', [hidden, 3, 3, 3], values(27 * hidden)), onnx_bytes.tensor('b', [hidden], values(hidden)),
               onnx_bytes.tensor('v', [4, hidden, 1, 1], values(4 * hidden))]
    nodes = [onnx_bytes.node('Conv', ['x', 'w', 'b'], 'h', [('pads', [1, 1, 1, 1])]), onnx_bytes.node('Relu', ['h'], 'r'),
             onnx_bytes.node('Conv', ['r', 'v'], 'y')]
    path.write_bytes(onnx_bytes.model(nodes, weights, [onnx_bytes.value_info('x', [1, 3, 6, 6])], [onnx_bytes.value_info('y', [1, 4, 6, 6])]))
    return path


def generate(tarn, model, folder, *options):
    run([tarn, 'generate', model, '-o', folder, '--name', 'kws', '--cc', 'none', *options])
    return folder


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', type=pathlib.Path, required=True)
    parser.add_argument('--work', type=pathlib.Path, required=True)
    options = parser.parse_args()
    tarn, work = options.tarn.resolve(), options.work.resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    images, wanted = {}, {}
    for name, seed, hidden in (('a', 1, 8), ('b', 2, 8), ('c', 1, 12)):
        model = network(work / f'{name}.onnx', seed, hidden)
        folder = generate(tarn, model, work / name, '--weights', 'image')
        images[name] = folder / 'kws_weights.img'
    plain = images['a'].read_bytes()

    def variant(name, content):
        path = work / name
        path.write_bytes(content)
        return path

    def flipped(at):
        return plain[:at] + bytes([plain[at] ^ 4]) + plain[at + 1:]

    # What is handed over, what the check says, and what setting it says (99: it is too short to be set).
    cases = [(images['a'], 0, 0), (images['b'], 0, 0), (images['c'], -5, -5), (variant('cut', plain[:-1]), -6, 99),
             (variant('half', plain[:100]), -6, 99), (variant('head', plain[:40]), -6, 99), (variant('nothing', b''), -6, 99),
             (variant('weight', flipped(len(plain) - 20)), -6, 0), (variant('crc', flipped(28)), -6, 0), (variant('model', flipped(40)), -6, 0),
             (variant('magic', flipped(0)), -5, -5), (variant('format', flipped(8)), -5, -5), (variant('plan', flipped(17)), -5, -5),
             (variant('length', flipped(24)), -5, -5), (variant('zeros', bytes(len(plain))), -5, -5),
             (variant('ones', b'\xff' * len(plain)), -5, -5), (variant('longer', plain + b'more'), 0, 0)]
    main_c = work / 'main.c'
    main_c.write_text(MAIN)
    outputs = {}
    try:
        for form, compiler in (('split', ['gcc', *C99]), ('single', ['gcc', *C99]), ('split', ['clang-14', *C99])):
            folder = generate(tarn, work / 'a.onnx', work / f'code_{form}', '--weights', 'image', '--files', form)
            names = {p.name for p in folder.iterdir()}
            check('kws_weights.c' not in names and 'kws_weights.img' in names, f'files: {sorted(names)}')
            check((folder / 'kws_weights.img').read_bytes() == plain, 'the image differs with --files')
            program = work / 'program'
            run([*compiler, *WARNINGS, '-O1', '-g', '-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-I', folder, main_c,
                 *sorted(folder.glob('*.c')), '-lm', '-o', program])
            lines = run([program, *[path for path, _, _ in cases]]).splitlines()
            check(lines[0] == 'run -5', f'a run without weights: {lines[0]}')
            check(lines[1] == 'null -1 -1 -1', f'without pointers: {lines[1]}')
            at, outputs = 2, {}
            for path, checked, was_set in cases:
                check(lines[at] == f'image {checked} {was_set}', f'{path.name}: {lines[at]}, not image {checked} {was_set}')
                at += 1
                if was_set == 0:
                    outputs[path.name if path.parent == work else path.parent.name] = lines[at][4:]
                    at += 1
            check(lines[at] == 'odd -2', f'at an odd address: {lines[at]}')
            check([line[7:] for line in lines[at + 1:]] == [outputs['a'], outputs['b']], 'two images side by side')
        on_board = run_on_board(work / 'code_split', main_c, cases, work)
        wrong = next((f'{b[:60]}, not {h[:60]}' for b, h in zip(on_board, lines) if b != h), 'fewer lines')
        check(on_board == lines, f'on the board: {wrong}')
        check(outputs['a'] != outputs['b'], 'images of other weights compute the same')
        check(outputs['longer'] == outputs['a'], 'bytes behind an image change what it computes')
        # Each image computes what its own network with linked weights does.
        for name in 'ab':
            folder = generate(tarn, work / f'{name}.onnx', work / f'linked_{name}', '--weights', 'c')
            body = MAIN[:MAIN.index('int main')] + 'int main(void) { (void)read_file; run(kws_arena); return 0; }\n'
            (work / 'linked.c').write_text(body)
            run(['gcc', *C99, '-O1', '-I', folder, work / 'linked.c', *sorted(folder.glob('*.c')), '-lm', '-o', work / 'linked'])
            wanted[name] = run([work / 'linked']).strip()[4:]
            check(wanted[name] == outputs[name], f'the image of {name} computes something else than its network')
        folder = work / 'code_split'
        for source in sorted(folder.glob('*.c')):
            run(['g++', *CXX, *[w for w in WARNINGS if w != '-Wvla'], '-I', folder, '-c', source, '-o', work / 'cxx.o'])
            run(['arm-none-eabi-gcc', *M4, *C99, *WARNINGS, '-O2', '-I', folder, '-c', source, '-o', work / 'm4.o'])
        told = run([tarn, 'diff', images['a'], images['b']])
        check('the same plan' in told, f'tarn diff: {told}')
        told = run([tarn, 'diff', images['a'], images['c']])
        check('another plan' in told, f'tarn diff: {told}')
        done = subprocess.run([tarn, 'diff', images['a'], work / 'weight'], capture_output=True, text=True)
        check(done.returncode == 3 and 'E307' in done.stderr, f'tarn diff of a damaged image: {done.returncode} {done.stderr}')
    except Failed as fault:
        print('FAILED', fault)
        return 1
    print(f'{len(cases)} images')
    shutil.rmtree(work, ignore_errors=True)
    return 0


sys.exit(main())
