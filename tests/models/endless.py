#!/usr/bin/env python3
"""An open height with --stream time and no --dim: endless.py TARN

sequence/lines.onnx takes 200 lines in firmware that is generated without a height, pushed in uneven pieces, and gives the lines of a
build by layers for that very height; a dimension that lines grow with has to have a size."""
import pathlib
import subprocess
import sys
import tempfile

MODEL = pathlib.Path(__file__).resolve().parent / 'sequence' / 'lines.onnx'
LINES = 200
DRIVER = '''#include <stdio.h>
#include <stdlib.h>
#include <string.h>
@includes@
#define IN (WHOLE_IN_X_COUNT / @lines@u)
#define ALL WHOLE_OUT_Y_COUNT
static float image[WHOLE_IN_X_COUNT], got[ALL + 64u];
int main(void)
{
    void *a = NULL, *b = NULL;
    const float *want;
    size_t i, pushed = 0, pulled = 0, piece = 1;
    float *x;
    if (posix_memalign(&a, ENDLESS_ARENA_ALIGN, ENDLESS_ARENA_BYTES) || posix_memalign(&b, WHOLE_ARENA_ALIGN, WHOLE_ARENA_BYTES)) abort();
    for (i = 0; i < WHOLE_IN_X_COUNT; i++) image[i] = (float)((i * 7919u) % 256u) / 128.0f - 1.0f;
    memset(a, 255, ENDLESS_ARENA_BYTES);
    endless_reset(a);
    while (pushed < @lines@u) {
        const size_t left = @lines@u - pushed, n = piece < left ? piece : left;
        const int32_t took = endless_push_x(a, image + pushed * IN, (int32_t)n);
        int32_t made;
        if (took < 0) return 2;
        pushed += (size_t)took;
        piece = piece % 5u + 1u;
        while ((made = endless_pull_y(a, got + pulled, 1)) > 0) {
            pulled += ENDLESS_OUT_Y_COUNT / @planned@u;
            if (pulled > ALL) return 3;
        }
    }
    x = whole_input_x(b);
    memcpy(x, image, sizeof image);
    if (whole_run(b) != 0 || pulled != ALL) return 4;
    want = whole_output_y(b);
    for (i = 0; i < ALL; i++) {
        const float apart = got[i] - want[i];
        if (apart > 1e-5f || apart < -1e-5f) return 5;
    }
    printf("%u lines in, %u numbers out\\n", @lines@u, (unsigned)pulled);
    free(a);
    free(b);
    return 0;
}
'''


def run(words, **more):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, **more)


def main():
    tarn = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        common = ['--cc', 'none', '--input-layout', 'nhwc', '--output-layout', 'nhwc', '-o', folder]
        endless = run([tarn, 'generate', MODEL, '--name', 'endless', '--stream', 'time', '--cc', 'none', '-o', folder])
        whole = run([tarn, 'generate', MODEL, '--name', 'whole', '--stream', 'off', '--dim', f'height={LINES}', *common])
        if endless.returncode or whole.returncode:
            print(endless.stderr, whole.stderr)
            return 1
        if "'height', along which the network goes on without end" not in endless.stderr:
            print(endless.stderr)
            return 1
        planned = (folder / 'endless.h').read_text().split('ENDLESS_OUT_Y_COUNT ')[1].split('float32[1,')[1].split(',')[0]
        (folder / 'driver.c').write_text(DRIVER.replace('@includes@', ''.join(f'#include "{name}.h"\n' for name in ('endless', 'whole'))).replace('@lines@', str(LINES)).replace('@planned@', planned))
        flags = ['-std=c99', '-O1', '-Wall', '-Wextra', '-Werror', '-pedantic-errors', '-D_POSIX_C_SOURCE=200112L', '-fsanitize=undefined,address']
        built = run(['cc', *flags, '-o', folder / 'driver', *sorted(folder.glob('*.[cS]')), '-I', folder, '-lm'])
        if built.returncode:
            print(built.stderr[:3000])
            return 1
        ran = run([folder / 'driver'])
        print(ran.stdout.strip() or f'exit {ran.returncode}: {ran.stderr[:1000]}')
        refused = run([tarn, 'generate', MODEL.parent / 'planes.onnx', '--stream', 'time', '--dim', 'batch=1', '--dim', 'height=8', '--cc', 'none',
                       '-o', folder / 'refused'])
        if refused.returncode != 2 or "'width'" not in refused.stderr:
            print(f'an open width: exit {refused.returncode}: {refused.stderr}')
            return 1
        return ran.returncode


if __name__ == '__main__':
    sys.exit(main())
