"""What calls of random layers execute, beside their terms: an image with many layers is generated, compiled and run under QEMU, and its steps are profiled one by one
(fit.py, steps.py)."""
import hashlib
import json
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent))
import geometry  # noqa: E402
import numbers_geometry  # noqa: E402
import rest_geometry  # noqa: E402
import spread_calls  # noqa: E402
import tail_geometry  # noqa: E402

VALUES = {'tail': tail_geometry.VALUES, 'rest': rest_geometry.VALUES}
# In software sums and products with zeros are short: inputs have none or half of them, as behind a Relu, and every fourth image
# has three quarters, which nothing is fitted on. The terms are told how many.
FLOATS = (['floats', 'half'], ['sparse', 'sparse'])
HALVES_LIKE = {'floats': 'halves', 'half': 'halves_half', 'sparse': 'halves_sparse'}
ZEROS = {'half': 50, 'sparse': 75, 'halves_half': 50, 'halves_sparse': 75}  # percent
NOT_BEHIND_RELU = ('softmax', 'logsoftmax', 'layernorm', 'rmsnorm', 'attention', 'causal', 'attention_far', 'masked', 'allowed', 'allowed_biased', 'rotary', 'lstm', 'gru', 'gru_linear', 'rnn')
WITHOUT_FLOATS = ('cortex-m0', 'cortex-m3', 'rv32imac')
# The microbit's memory is too small for many layers: a Cortex-M3 runs the code of a Cortex-M0.
BOARD_OF = {'cortex-m0': 'cortex-m3'}

HARNESS = '''#include "m.h"
void bench_begin(void);
void bench_end(void);
__attribute__((noinline)) void bench_begin(void) {{ __asm__ volatile(""); }}
__attribute__((noinline)) void bench_end(void) {{ __asm__ volatile("nop"); }}
static uint32_t seed = 1u;
static uint32_t next(void) {{ seed = seed * 1664525u + 1013904223u; return seed ^ (seed >> 16); }}
static void zeros(void *to, uint32_t n) {{ uint32_t i; for (i = 0; i < n; ++i) ((uint8_t *)to)[i] = 0u; }}
static void codes(void *to, uint32_t n) {{ uint32_t i; for (i = 0; i < n; ++i) ((uint8_t *)to)[i] = (uint8_t)next(); }}
static void floats(void *to, uint32_t n) {{
  uint32_t i;
  for (i = 0; i < n / 4; ++i) ((float *)to)[i] = (float)(int32_t)(next() >> 8) / 4194304.0f - 2.0f;
}}
static void bools(void *to, uint32_t n) {{ uint32_t i; for (i = 0; i < n; ++i) ((uint8_t *)to)[i] = (uint8_t)(next() >> 7 & 1u); }}
static void trues(void *to, uint32_t n) {{ uint32_t i; for (i = 0; i < n; ++i) ((uint8_t *)to)[i] = 1u; }}
static void numbers(void *to, uint32_t n) {{ uint32_t i; for (i = 0; i < n / 8; ++i) ((int64_t *)to)[i] = 1 + (int64_t)(next() >> (12 + next() % 18)); }}
static void counts(void *to, uint32_t n) {{ uint32_t i; for (i = 0; i < n / 4; ++i) ((int32_t *)to)[i] = 1 + (int32_t)(next() >> (12 + next() % 18)); }}
static void halves(void *to, uint32_t n) {{ uint32_t i; for (i = 0; i < n / 2; ++i) ((uint16_t *)to)[i] = (uint16_t)(0x3400u + (next() & 0x83ffu)); }}
static void halves_half(void *to, uint32_t n) {{ uint32_t i; halves(to, n); for (i = 0; i < n / 2; ++i) if (((uint16_t *)to)[i] >= 0x8000u) ((uint16_t *)to)[i] = 0u; }}
static void halves_sparse(void *to, uint32_t n) {{ uint32_t i; halves(to, n); for (i = 0; i < n / 2; ++i) if ((next() & 3u) != 0u) ((uint16_t *)to)[i] = 0u; }}
static void positive(void *to, uint32_t n) {{
  uint32_t i;
  floats(to, n);
  for (i = 0; i < n / 4; ++i) if (((float *)to)[i] < 0.0f) ((float *)to)[i] = -((float *)to)[i];
}}
static void fractions(void *to, uint32_t n) {{ uint32_t i; floats(to, n); for (i = 0; i < n / 4; ++i) ((float *)to)[i] *= 0.49f; }}
static void above(void *to, uint32_t n) {{ uint32_t i; positive(to, n); for (i = 0; i < n / 4; ++i) ((float *)to)[i] += 1.0f; }}
static void from(float least, void *to, uint32_t n) {{
  uint32_t i;
  floats(to, n);
  for (i = 0; i < n / 4; ++i) if (((float *)to)[i] < least) ((float *)to)[i] = 0.0f;
}}
static void half(void *to, uint32_t n) {{ from(0.0f, to, n); }}
static void sparse(void *to, uint32_t n) {{ from(1.0f, to, n); }}
int main(void) {{
  uint32_t i;
{fill}  for (i = 0; i < M_STEPS; ++i) {{
    bench_begin();
    (void)m_run_step(m_arena, i);
    bench_end();
  }}
{more}  return 0;
}}
'''
# By lines that come in and go out.
CALLS = '''  (void)m_reset(m_arena);
  for (i = 0; i < sizeof ports; ++i) {{
    bench_begin();
    switch (ports[i]) {{
{cases}    default: break;
    }}
    bench_end();
  }}
  return 0;
}}
'''
WHOLE = '  bench_begin();\n  (void)m_run(m_arena);\n  bench_end();\n'
# The firmware as `tarn verify` compiles it (generator/verify/build.cc).
COUNT = '''. {target_folder}/boards.sh
gcc -O2 -fPIC -shared -w -DTARN_PLUGIN_VERSION=1 -o counter.so {root}/templates/verify/count_instructions.c
board {target}
cached=$(command -v ccache || true)
libc=
case $compiler in
  riscv*) libc="-I{root}/templates/verify/include"; cp {root}/templates/verify/string.c {root}/templates/verify/math.c c ;;
  *) all=$($compiler $flags -print-file-name=libc.a)  # compilers make calls of loops; the board's own go byte by byte
     (cd c; ${{compiler%gcc}}ar x $all $(${{compiler%gcc}}ar t $all | grep -E -- '-mem(set|move|cpy|cpy-stub)\.o$')) ;;
esac
for source in c/*.c; do
  $cached $compiler $flags -std=c99 -O2 -ffp-contract=off -ffunction-sections -fdata-sections $libc -w -Ic -c $source -o $source.o
done
cpu=$flags
board_build {board} t.elf $cpu $libc -std=c99 -w -Ic main.c c/*.o $(ls c/*.S 2>/dev/null)
address() {{ echo 0x$(${{compiler%gcc}}nm t.elf | awk -v name=$1 '$3 == name {{ print $1 }}'); }}
board_run {board} t.elf -plugin ./counter.so,start=$(address bench_begin),end=$(address bench_end),out=counts,profile=profile,constants=$(address constants_start):$(address constants_end)
'''
OPTIONS = ['--output-layout', 'nhwc', '--cc', 'none', '--order', 'given', '--effort', '0', '--strategy',
           'greedy_by_size', '--weights', 'incbin']


def hash_of(name, seed):
    """No checksum: of two names that differ in a letter those differ in the same bits, whatever the rest is."""
    return int.from_bytes(hashlib.sha256(f'{name} {seed}'.encode()).digest()[:4], 'little')


def terms_of(build, model, options):
    """[(step, kernel, {term: count} or None)] of a network; 'costs' by lines: those of the layers' loops."""
    lines = subprocess.run([build / 'tests/bench/time/time_terms', model, *options], check=True, text=True, capture_output=True).stdout
    found = []
    for line in lines.splitlines():
        step, kernel, *terms = line.split()
        pairs = [t.split('=') for t in terms if t != 'none']
        found.append((int(step), kernel, {name: [float(c) for c in count.split(',')] if name == 'costs' else float(count) for name, count in pairs}
                      if terms != ['none'] else None))
    return found


def counted(build, target, folder):
    """Costs as in COSTS of each window of main.c and the C files beside it."""
    script = COUNT.format(target=target, board=BOARD_OF.get(target, target), root=ROOT, target_folder=ROOT / 'tests/kernels/target')
    done = subprocess.run(['bash', '-e', '-c', script], cwd=folder, text=True, capture_output=True)
    if done.returncode != 0:
        sys.exit(f'no counts from {target}:\n{done.stderr[-2000:]}')
    costs = subprocess.run([build / 'tests/bench/time/time_terms', '--cost', target, 't.elf', 'profile'], cwd=folder, check=True, text=True,
                           capture_output=True).stdout
    return [[float(n) for n in line.split()] for line in costs.splitlines()]


def spread_samples(build, target, seed, count):
    """As samples(), of calls without a network."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        found = spread_calls.write(build, target, folder, random.Random(seed), count)
        empty, *costs = counted(build, target, folder)
        return [(kernel, terms, [max(0.0, n - e) for n, e in zip(cost, empty)], False) for (kernel, terms), cost in zip(found, costs, strict=True)]


def samples(build, target, family, seed, layers, lines):
    """[(kernel, terms, costs as in COSTS, whether inputs are sparse)] of the steps of one image; by lines of a run as a whole too."""
    if family == spread_calls.FAMILY:
        return spread_samples(build, target, seed, layers)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / 'm.onnx').write_bytes(geometry.network(random.Random(seed), family, layers))
        calls = lines and seed % 2 == 1 and family in geometry.NETWORKS
        options = ['--target', target, *OPTIONS, *geometry.options_of(family, seed), '--input-layout', 'model' if family in (*geometry.PLANES, 'products') else 'nhwc', *(['--stream', 'fed', '--drain'] if calls else ['--stream', 'resident' if lines else 'off'])]
        subprocess.run([build / 'tarn', 'generate', folder / 'm.onnx', '-o', folder / 'c', '--name', 'm', *options, '--report', folder / 'r.json'],
                       check=True, capture_output=True)
        report = json.loads((folder / 'r.json').read_text())
        floats = FLOATS[seed % 4 == 3] if target in WITHOUT_FLOATS else ['floats'] * 2

        def values(i, port):
            kind = geometry.kind_of(family, port['name'])
            if family == 'numbers' and numbers_geometry.value_of(kind, port['dtype']):
                return numbers_geometry.value_of(kind, port['dtype'])
            if kind in VALUES.get(family, {}) and (family != 'rest' or port['dtype'] in ('int32', 'int64')):
                return VALUES[family][kind]
            if port['dtype'] in ('int32', 'int64'):  # indices, or numbers to compute with
                return ('numbers' if port['dtype'] == 'int64' else 'codes') if family == 'tail' else 'zeros'
            # Of each layer's pair of tensors every mixture is there.
            mixed = 'floats' if kind in NOT_BEHIND_RELU else floats[hash_of(port['name'], seed) % 2]
            if port['dtype'] != 'float32':
                return {'bool': 'codes' if kind in ('allowed', 'allowed_biased') else 'bools', 'float16': HALVES_LIKE[mixed]}.get(port['dtype'], 'codes')
            return mixed

        filled = [values(i, p) for i, p in enumerate(report['inputs'])]
        fill = ''.join(f'  {value}({p["accessor"]}(m_arena), {p["bytes"]}u);\n' for value, p in zip(filled, report['inputs']))
        zeros = ','.join(f'{p["name"]}:{ZEROS[value]}' for value, p in zip(filled, report['inputs']) if value in ZEROS)
        found = terms_of(build, folder / 'm.onnx', options + [f'--zeros={zeros}'] * bool(zeros and not lines))
        (folder / 'main.c').write_text(main_by_calls(report, found) if calls else HARNESS.format(fill=fill, more=WHOLE if lines else ''))
        counts = counted(build, target, folder)
        steps = len(found) if calls else report['stream']['steps'] + 1 if lines else len(report['steps'])
        if len(counts) != steps:
            sys.exit(f'{len(counts)} steps of {target} were counted, not {steps}')
        for step, kernel, terms in found:
            if kernel == 'tarn_unpack' and terms:  # beside the layer's own kernel
                counts[step] = [max(0.0, n - own) for n, own in zip(counts[step], terms.pop('costs'))]
        return [(kernel, terms, counts[step], floats[0] == 'sparse') for step, kernel, terms in found]


def main_by_calls(report, windows):
    """The harness that hands lines over in the order of the windows, one call at a time."""
    names = [f'push:{i}' for i in range(len(report['inputs']))] + [f'pull:{i}' for i in range(len(report['outputs']))]
    ports = [('push', p) for p in report['inputs']] + [('pull', p) for p in report['outputs']]
    most = max(p['bytes'] // p['lines'] for _, p in ports) // 8 + 1
    cases = ''.join(f'    case {i}: (void)m_{how}_{p["c_name"]}(m_arena, (void *)line, 1); break;\n' for i, (how, p) in enumerate(ports))
    order = ', '.join(str(names.index(kernel)) for _, kernel, _ in windows)
    fill = f'  {"floats" if report["inputs"][0]["dtype"] == "float32" else "codes"}(line, sizeof line);\n'
    head, _ = HARNESS.format(fill='@', more='').split('@')
    held = f'static const uint8_t ports[] = {{{order}}};\nstatic uint64_t line[{most}];\n'
    return head.replace('int main', held + 'int main') + fill + CALLS.format(cases=cases)
