#!/usr/bin/env python3
"""One firmware for all sizes of a dimension against a build for each size: sizes.py TARN [NAME...]

Each network is generated once with --dim NAME=LOW..HIGH, for one dimension or several, and once for each of some sizes, everything is compiled for this machine
into one program, and run on the same made-up inputs in arenas of different garbage, also two arenas of different sizes step by step in
turn: outputs have the same bits, lengths told are the fixed build's, a size out of range is refused, and the arena is at most 1.02 of the
largest size's own. By default the networks of QUICK; all of NETWORKS with TARN_FULL=1, or those that are named. Exit status 77: no data."""
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import sampling  # noqa: E402

SHARED = pathlib.Path(os.environ.get('TARN_SHARED_DIR', HERE.parents[2] / 'shared'))
# Network: the dimension, its range, other options.
NETWORKS = {
    'mlpt_ad_fcae_dynb': ('batch_size', 1, 64, []),
    'mlpt_ad_fcae_dynb_dyn': ('batch_size', 1, 64, []),
    'mlpt_ad_fcae_dynb_qdq_s8': ('batch_size', 1, 64, []),
    'kws_lstm_bi2_dyns': ('seq', 1, 64, []),
    'bert_tiny_op23_dynseq': ('sequence', 1, 64, ['--dim', 'batch_size=1']),
    'emx_mixed_ops_dynamic_batch': ('batch', 1, 16, []),
    'mnist_factorio_fp32': ('batch_size', 1, 16, []),
    'mnist5x20_leaky_relu': ('batch_size', 1, 16, []),
    'silero_vad_v5_16k_op15': ('sequence', 512, 640, ['--dim', 'batch=1']),
    'micro_kws_m_static_qdq': ('unk__68', 1, 8, []),
    'stm_mobilenet_v2_035_128': ('unk__608', 1, 4, []),
    'tract_byte_bidi_lstm': ('length', 1, 32, ['--dim', 'batch=1']),
    'super_resolution_10': ('batch_size', 1, 2, []),
    'magika_standard_v3_3': ('unk__214', 1, 4, []),
    'hand_point_history_classifier': ('batch', 1, 16, []),
    'winml_iris_mlp': ('batch_size', 1, 32, []),
    'loop_rnn_script': ('time', 1, 16, []),
    'silero_vad_op18_ifless': ('batch', 1, 4, ['--dim', 'sequence=512']),
    'mlpt_ad_fcae_dynb_bf16_weights': ('batch_size', 1, 16, []),
    'mlpt_ad_fcae_dynb_qdq_s8_intio': ('batch_size', 1, 16, []),
    'mlpt_ad_fcae_dynb_qdq_w4_op21': ('batch_size', 1, 16, []),
    'mnist_factorio_quantized': ('batch_size', 1, 16, []),
    'burn_rank_inference_propagation': ('input:1', 1, 8, ['--dim', 'input:0=1']),
    'tract_lgbm_classifier': ('batch', 1, 8, []),
    'stm_yamnet_256_64x96_tl': ('unk__120', 1, 4, []),
    'tiny_random_lfm2_decoder': ('sequence_length', 1, 8, ['--dim', 'batch_size=1', '--dim', 'past_sequence_length=8', '--dim', 'total_sequence_length=16']),
}
# Of several dimensions at once: these, other options.
SEVERAL = {
    'silero_vad_op18_ifless': ([('batch', 1, 3), ('sequence', 500, 530)], []),
    'bert_tiny_op23_dynseq': ([('batch_size', 1, 3), ('sequence', 1, 16)], []),
    'tract_byte_bidi_lstm': ([('batch', 1, 3), ('length', 1, 12)], []),
    'burn_rank_inference_propagation': ([('input:0', 1, 4), ('input:1', 1, 8)], []),
    'planes': ([('batch', 1, 3), ('height', 4, 9), ('width', 5, 9)], []),
}
# GPT-2 of the shared folder, opened by sequence/open_gpt2.py.
GPT2 = {'gpt2_tiny': ('sequence', 1, 16, [])}
# Decoders over an open sequence, which sequence/make.py wrote.
OWN = {'causal': ('length', 1, 32, []), 'relative': ('length', 1, 32, []), 'local': ('length', 1, 32, []), 'ending': ('length', 1, 32, []),
       'rolling': ('steps', 1, 31, [])}
# Parts of these shrink while the dimension grows: one set of offsets takes more than the largest size, those that follow the size do not.
FOLLOWING = ['rolling']
QUICK = ['rolling', 'relative', 'planes', 'kws_lstm_bi2_dyns', 'bert_tiny_op23_dynseq', 'mnist_factorio_fp32', 'silero_vad_op18_ifless']

DRIVER = '''#include <stdio.h>
#include <stdlib.h>
#include <string.h>
@includes@
static void garbage(void *to, size_t bytes, unsigned seed)
{
    unsigned char *p = (unsigned char *)to;
    while (bytes-- > 0u) *p++ = (unsigned char)((seed = seed * 1103515245u + 12345u) >> 16);
}
/* kind 0: floats between -1 and 1; else whole numbers below 4, which are good indices and codes. */
static void made_up(void *to, size_t count, size_t element, int kind, unsigned seed)
{
    size_t i;
    for (i = 0; i < count; i++) {
        const unsigned r = (seed = seed * 1103515245u + 12345u) >> 16 & 255u;
        if (kind == 0 && element == 4) ((float *)to)[i] = (float)r / 128.0f - 1.0f;
        else if (kind == 0) ((double *)to)[i] = (double)r / 128.0 - 1.0;
        else {
            memset((char *)to + i * element, 0, element);
            ((unsigned char *)to)[i * element] = (unsigned char)(r & 3u);
        }
    }
}
static int faults;
static void expect(int good, const char *what, int n)
{
    if (!good) { printf("FAULT at %d: %s\\n", n, what); faults++; }
}
static void *memory(size_t bytes, size_t align)
{
    void *p = NULL;
    if (posix_memalign(&p, align < sizeof p ? sizeof p : align, bytes + 1)) abort();
    return p;
}
@checks@
int main(void)
{
    void *a = memory(RANGE_ARENA_BYTES, RANGE_ARENA_ALIGN), *b = memory(RANGE_ARENA_BYTES, RANGE_ARENA_ALIGN);
    garbage(a, RANGE_ARENA_BYTES, 7u);
    memset(a, 255, RANGE_ARENA_BYTES);
@refusals@@calls@
    free(a);
    free(b);
    return faults != 0;
}
'''

CHECK = '''
static void prepare_@k@(void *arena, unsigned seed)
{
    garbage(arena, RANGE_ARENA_BYTES, seed);
    expect(@set@, "the size is refused", @k@);
@fill_range@}
static void compare_@k@(const void *arena)
{
    void *own = memory(AT@k@_ARENA_BYTES, AT@k@_ARENA_ALIGN);
    garbage(own, AT@k@_ARENA_BYTES, 99u);
@fill_own@    expect(at@k@_run(own) == 0, "the build for this size fails", @k@);
@compare@    free(own);
}
'''


REFUSAL = '''    expect(range_set_@dim@(a, RANGE_@DIM@_MAX + 1) < 0, "a size above the range is taken", RANGE_@DIM@_MAX + 1);
    expect(range_set_@dim@(a, RANGE_@DIM@_MIN - 1) < 0, "a size below the range is taken", RANGE_@DIM@_MIN - 1);
    expect(range_set_@dim@(a, INT32_MIN) < 0 && range_set_@dim@(a, INT32_MAX) < 0, "an absurd size is taken", 0);
    expect(range_run(a) < 0, "a run without a size", -1);
    expect(range_set_@dim@(a, RANGE_@DIM@_MIN) == 0 && range_get_@dim@(a) == RANGE_@DIM@_MIN, "a size is not told", RANGE_@DIM@_MIN);
'''


def run(words, **more):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, **more)


def generate(tarn, model, name, dims, folder):
    done = run([tarn, 'generate', model, '--name', name, '-o', folder, '--cc', 'none', '--stream', 'off'] + dims)
    if done.returncode != 0:
        return None, done.stderr.strip()
    return json.loads((folder / f'{name}.json').read_text()), ''


def kind_of(dtype):
    return 0 if dtype in ('float32', 'float64') else 1


def fill(report, prefix, arena, counts):
    out = ''
    for k, port in enumerate(report['inputs']):
        element = port['bytes'] // max(1, count_of(port))
        out += f'    made_up({prefix}_input_{port["c_name"]}({arena}), {counts[k]}u, {element}u, {kind_of(port["dtype"])}, {k + 1}u);\n'
    return out


def sizes_of(low, high, most=8):
    """Eight of them where the range has as many."""
    picked = [low, high, low + 1, high - 1, (low + high) // 2, low + 2, high - 2, (low + high) // 3, *range(low, high + 1)]
    return sorted(list(dict.fromkeys(n for n in picked if low <= n <= high))[:most])


def points_of(box):
    """Sizes of each dimension: of several, corners and middles."""
    if len(box) == 1:
        return [(n,) for n in sizes_of(*box[0][1:])]
    ends = itertools.product(*([low, high] for _, low, high in box))
    between = [tuple((low + high + k) // 2 for _, low, high in box) for k in (0, 1)] + [tuple(low + 1 for _, low, _ in box)]
    return list(dict.fromkeys([*ends, *between, tuple(high for _, _, high in box)]))


def box_of(entry):
    """An entry of the tables: dimensions with their ranges, other options."""
    return entry if len(entry) == 2 else ([entry[:3]], entry[3])


def c_name(dim):
    return re.sub(r'\W', '_', dim)


def setting(box, point, arena='arena'):
    return ' && '.join(f'range_set_{c_name(dim)}({arena}, {n}) == 0' for (dim, _, _), n in zip(box, point))


def bound(box, point):
    return [word for (dim, _, _), n in zip(box, point) for word in ('--dim', f'{dim}={n}')]


def model_of(name):
    """The first file of a network."""
    if name in OWN or name == 'planes':
        return HERE / 'sequence' / f'{name}.onnx'
    found = next((m for kind in ('exported', 'models') for m in sorted((SHARED / kind / name).glob('*.onnx'))), None)
    if not found or name not in GPT2:
        return found
    opened = pathlib.Path(tempfile.mkdtemp(prefix='tarn-sizes-')) / 'opened.onnx'
    done = run([sys.executable, '-B', HERE / 'sequence' / 'open_gpt2.py', found, opened])
    if done.returncode != 0:
        print(f'{name} stays as it is: {done.stderr.strip().splitlines()[-1]}')
    return opened if done.returncode == 0 else None


def count_of(port):
    count = 1
    for d in port['shape']:
        count *= d
    return count


def check(tarn, model, box, options, offsets=(), bounded=True):
    """`offsets`: options of the build for all sizes alone. `bounded`: its arena is to be that of the largest size."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix='tarn-sizes-'))
    ranges = [w for dim, low, high in box for w in ('--dim', f'{dim}={low}..{high}')]
    whole, why = generate(tarn, model, 'range', [*options, *ranges, *offsets], folder)
    if not whole:
        return [f'refused: {why}'], ''
    points = points_of(box)
    includes, checks, calls, faults = f'#include "{"range"}.h"\n', '', '', []
    own_arena, header = 0, (folder / 'range.h').read_text()
    for k, point in enumerate(points):
        own, why = generate(tarn, model, f'at{k}', options + bound(box, point), folder)
        if not own:
            return [f'{point}: {why}'], ''
        if all(n == high for n, (_, _, high) in zip(point, box)):
            own_arena = own['ram']['arena']
        includes += f'#include "at{k}.h"\n'
        counts = [count_of(port) for port in own['inputs']]
        compare = ''
        for port, largest in zip(own['outputs'], whole['outputs']):
            c = port['c_name']
            compare += f'    expect(memcmp(range_output_{c}(arena), at{k}_output_{c}(own), {port["bytes"]}u) == 0, "{c} differs", {k});\n'
            for axis, (mine, most) in enumerate(zip(port['shape'], largest['shape'])):
                if f'range_dim_{c}_{axis}(' in header:
                    compare += f'    expect(range_dim_{c}_{axis}(arena) == {mine}, "a length of {c}", {k});\n'
                elif mine != most:
                    faults.append(f'no range_dim_{c}_{axis}')
        text = CHECK
        for key, value in (('fill_range', fill(own, 'range', 'arena', counts)), ('fill_own', fill(own, f'at{k}', 'own', counts)),
                           ('compare', compare), ('k', str(k)), ('set', setting(box, point))):
            text = text.replace(f'@{key}@', value)
        checks += text
        calls += f'    prepare_{k}(a, {k}u);\n    expect(range_run(a) == 0, "the run fails", {k});\n    compare_{k}(a);\n'
    # Two arenas in turn, the least size and the largest.
    last = len(points) - 1
    calls += f'''    prepare_0(a, 3u);
    prepare_{last}(b, 4u);
    {{
        uint32_t s;
        for (s = 0; s < RANGE_STEPS; s++) expect(range_run_step(a, s) == 0 && range_run_step(b, s) == 0, "a step fails", -1);
    }}
    compare_0(a);
    compare_{last}(b);
'''
    refusals = ''.join(REFUSAL.replace('@dim@', c_name(dim)).replace('@DIM@', c_name(dim).upper()) for dim, _, _ in box)
    text = DRIVER
    for key, value in (('includes', includes), ('checks', checks), ('refusals', refusals), ('calls', calls)):
        text = text.replace(f'@{key}@', value)
    (folder / 'driver.c').write_text(text)
    flags = ['-std=c99', '-O1', '-Wall', '-Wextra', '-Werror', '-pedantic-errors', '-D_POSIX_C_SOURCE=200112L', '-fsanitize=undefined,address',
             '-fno-sanitize-recover=all']
    done = run(['cc', *flags, '-o', folder / 'driver', *sorted(folder.glob('*.[cS]')), '-I', folder, '-lm'])
    if done.returncode != 0:
        return faults + [done.stderr[:2000]], ''
    done = run([folder / 'driver'])
    faults += [line for line in done.stdout.splitlines() if line.startswith('FAULT')]
    if done.returncode != 0 and not faults:
        faults.append(f'exit {done.returncode}: {done.stderr[:2000]}')
    arena = whole['ram']['arena']
    if offsets and (not whole['dim_offsets']['follow'] or whole['dim_offsets']['one_set'] <= arena):
        faults.append('offsets do not follow the size, or gain nothing')
    if bounded and arena > max(own_arena * 1.02, own_arena + 16):
        faults.append(f'arena {arena}, the largest size needs {own_arena}')
    if not faults:
        run(['rm', '-r', folder])
    return faults, f'{len(points)} sizes: same bits; arena {arena} B, {arena / max(1, own_arena):.4f} of the largest size\'s'


def main():
    tarn, only = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    if not only:
        only = [*NETWORKS, *GPT2, *OWN, 'planes'] if os.environ.get('TARN_FULL') == '1' else list(sampling.part(QUICK, 8))
        print('networks:', ' '.join(only))
    bad = seen = 0
    for name in only:
        model = model_of(name)
        if not model:
            print(f'{name}: left out')
            continue
        seen += 1
        for table in ({**NETWORKS, **GPT2, **OWN}, SEVERAL):
            if name not in table:
                continue
            box, options = box_of(table[name])
            over = ', '.join(f'{dim}={low}..{high}' for dim, low, high in box)
            ways = [((), False), (('--dim-offsets',), True)] if name in FOLLOWING else [((), True)]
            for offsets, bounded in ways:
                faults, what = check(tarn, model, box, options, offsets, bounded)
                bad += bool(faults)
                print(' '.join([name, 'over', over, *offsets]) + f': {what}' + ''.join('\n  ' + fault for fault in faults), flush=True)
    if seen == 0:
        return 77
    print(f'{seen} networks, {bad} with faults')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
