"""Writes C programs that run emitted code through its documented interface, with inputs that depend on nothing but the
model, and print what comes out, as hashes."""
import json

C_TYPES = {'float32': 'float', 'float64': 'double', 'bool': 'uint8_t', 'float16': 'uint16_t', 'bfloat16': 'uint16_t'}

HEAD = r'''
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t tarn_test_seed = 1u;
static uint32_t next_value(void) { tarn_test_seed = tarn_test_seed * 1664525u + 1013904223u; return tarn_test_seed >> 16; }
static uint64_t hash_of(uint64_t h, const void *from, size_t bytes) {
  const unsigned char *p = (const unsigned char *)from;
  size_t i;
  for (i = 0; i < bytes; ++i) h = (h ^ p[i]) * 1099511628211u;
  return h;
}
/* Where the logical index of a tensor n,c,... lies when it is stored channels last. */
static size_t channels_last(size_t i, size_t channels, size_t pixels) {
  const size_t image = channels * pixels;
  return i / image * image + i % pixels * channels + i % image / pixels;
}
'''


class Firmware:
    """An output folder of `tarn generate`."""

    def __init__(self, folder, prefix):
        self.folder, self.prefix, self.caps = folder, prefix, prefix.upper()
        self.report = json.loads((folder / f'{prefix}.json').read_text())
        self.sources = sorted(p for p in folder.iterdir()
                              if p.suffix in ('.c', '.S') and (p.name.startswith(('tarn', prefix))))
        self.nhwc = {'input': False, 'output': False}

    @property
    def caller(self):
        return self.report['io'] == 'caller'

    @property
    def several(self):
        """Several arenas, one for each bank."""
        return len(self.report.get('banks', [])) > 1

    def parameter(self, const=''):
        return f'const {self.prefix}_arenas *arena' if self.several else f'{const}void *arena'

    @property
    def fixed(self):
        return ('&' if self.several else '') + self.prefix + '_arena'


def c_type(port):
    return C_TYPES.get(port['dtype'], port['dtype'] + '_t')


def count_macro(f, kind, port):
    return f'{f.caps}_{"IN" if kind == "input" else "OUT"}_{port["c_name"].upper()}_COUNT'


def place(f, kind, port):
    """Index expression of logical element i."""
    shape = port['shape']
    if not f.nhwc[kind] or len(shape) < 3:
        return 'i'
    pixels = 1
    for length in shape[1:-1]:
        pixels *= length
    return f'channels_last(i, {shape[-1]}, {pixels})'


def value(port):
    return ('(float)((int)(next_value() & 255u) - 128) / 64.0f' if port['dtype'] in ('float32', 'float64')
            else '(next_value() & 1u)')


def fill_function(f):
    arguments = f.parameter() if not f.caller else 'void'
    out = [f'static void {f.prefix}_fill({arguments}) {{', '  tarn_test_seed = 1u;']
    for port in f.report['inputs']:
        pointer = f'{port["accessor"]}(arena)' if not f.caller else f'{f.prefix}_in_{port["c_name"]}'
        out.append(f'  {{ {c_type(port)} *p = {pointer}; size_t i;')
        out.append(f'    for (i = 0; i < {count_macro(f, "input", port)}; ++i) p[{place(f, "input", port)}] = ({c_type(port)})({value(port)}); }}')
    return '\n'.join(out + ['}', ''])


def print_function(f):
    arguments = f.parameter('const ') if not f.caller else 'void'
    out = [f'static void {f.prefix}_print({arguments}) {{']
    for port in f.report['outputs']:
        pointer = f'{port["accessor"]}(arena)' if not f.caller else f'{f.prefix}_out_{port["c_name"]}'
        out.append(f'  {{ const {c_type(port)} *p = {pointer}; uint64_t h = 14695981039346656037u; size_t i;')
        out.append(f'    for (i = 0; i < {count_macro(f, "output", port)}; ++i) h = hash_of(h, &p[{place(f, "output", port)}], sizeof p[0]);')
        out.append(f'    printf("{f.prefix} {port["name"]} %016llx\\n", (unsigned long long)h); }}')
    return '\n'.join(out + ['}', ''])


def buffers(f):
    if not f.caller:
        return ''
    out = [f'static {c_type(p)} {f.prefix}_in_{p["c_name"]}[{count_macro(f, "input", p)} + 1u];' for p in f.report['inputs']]
    out += [f'static {c_type(p)} {f.prefix}_out_{p["c_name"]}[{count_macro(f, "output", p)} + 1u];' for p in f.report['outputs']]
    return '\n'.join(out) + '\n'


def parts(*firmwares):
    return (''.join(f'#include "{f.prefix}.h"\n' for f in firmwares) + HEAD +
            ''.join(buffers(f) + fill_function(f) + print_function(f) for f in firmwares))


def turn(f, arena):
    """Fill, run, print, as statements."""
    inside = arena if not f.caller else ''
    handed = ''.join(f', {f.prefix}_in_{p["c_name"]}' for p in f.report['inputs'])
    handed += ''.join(f', {f.prefix}_out_{p["c_name"]}' for p in f.report['outputs'])
    return (f'  {f.prefix}_fill({inside});\n'
            f'  if ({f.prefix}_run({arena}{handed if f.caller else ""}) != {f.caps}_OK) return 1;\n'
            f'  {f.prefix}_print({inside});\n')


def run_once(f):
    return f'{parts(f)}int main(void) {{\n{turn(f, f.fixed)}  return 0;\n}}\n'


# An arena from the heap, exactly as large as promised, aligned and no better aligned than promised.
HEAP_ARENA = '''
static uint8_t *arena_of(size_t bytes, size_t align) {
  const size_t room = bytes + 4 * align + 16;
  uint8_t *block = (uint8_t *)malloc(room), *arena;
  if (block == NULL) exit(2);
  memset(block, 0xa5, room);
  arena = block + 8;
  arena += (align - (uintptr_t)arena % align) % align;
  if ((uintptr_t)arena % (2 * align) == 0) arena += align;
  return arena;
}
static void unchanged(const uint8_t *arena, size_t bytes) {
  size_t i;
  for (i = 0; i < 8; ++i) if (arena[bytes + i] != 0xa5 || arena[-1 - (int)i] != 0xa5) { puts("written outside"); exit(3); }
}
'''


def run_in_heap(f):
    size = f'{f.caps}_ARENA_BYTES'
    exact = f'''
  {{ uint8_t *tight = NULL;
    if (posix_memalign((void **)&tight, {f.caps}_ARENA_ALIGN < 8u ? 8u : {f.caps}_ARENA_ALIGN, {size} ? {size} : 1u) != 0) return 2;
    memset(tight, 0x7f, {size});
{turn(f, 'tight')}    memset(tight, 0xff, {size});
{turn(f, 'tight')}    free(tight); }}
'''
    return f'#define _POSIX_C_SOURCE 200112L\n{parts(f)}int main(void) {{\n{exact}  return 0;\n}}\n'


def run_in_turn(first, second):
    a, b = f'{first.caps}_ARENA_BYTES', f'{second.caps}_ARENA_BYTES'
    return f'''{parts(first, second)}{HEAP_ARENA}
int main(void) {{
  const size_t bytes = {a} > {b} ? {a} : {b};
  const size_t align = {first.caps}_ARENA_ALIGN > {second.caps}_ARENA_ALIGN ? {first.caps}_ARENA_ALIGN : {second.caps}_ARENA_ALIGN;
  uint8_t *arena = arena_of(bytes, align);
{turn(first, 'arena')}{turn(second, 'arena')}{turn(first, 'arena')}
  unchanged(arena, bytes);
  return 0;
}}
'''


def run_steps(f):
    return f'''{parts(f)}{HEAP_ARENA}
int main(void) {{
  uint8_t *one = arena_of({f.caps}_ARENA_BYTES, {f.caps}_ARENA_ALIGN), *two = arena_of({f.caps}_ARENA_BYTES, {f.caps}_ARENA_ALIGN);
  uint32_t step;
  {f.prefix}_fill(one);
  {f.prefix}_fill(two);
  for (step = 0; step < {f.caps}_STEPS; ++step) {{
    if ({f.prefix}_run_step(one, step) != {f.caps}_OK) return 1;
    if ({f.prefix}_run_step(two, step) != {f.caps}_OK) return 1;
  }}
  {f.prefix}_print(one);
  {f.prefix}_print(two);
  unchanged(one, {f.caps}_ARENA_BYTES);
  unchanged(two, {f.caps}_ARENA_BYTES);
  if ({f.prefix}_run_step(one, {f.caps}_STEPS) != {f.caps}_ERROR_STEP) return 4;
  if ({f.prefix}_run_step(NULL, 0) != {f.caps}_ERROR_NULL || {f.prefix}_run(NULL) != {f.caps}_ERROR_NULL) return 5;
  if ({f.caps}_ARENA_ALIGN > 1u && {f.prefix}_run(one + 1) != {f.caps}_ERROR_ALIGN) return 6;
  return 0;
}}
'''


def run_traced(f):
    return f'''#include <stdint.h>
uint32_t traced[100000], traced_count;
{parts(f)}int main(void) {{
  uint32_t i;
  (void){f.prefix}_print;
  {f.prefix}_fill({f.prefix}_arena);
  if ({f.prefix}_run({f.prefix}_arena) != {f.caps}_OK) return 1;
  for (i = 0; i < traced_count; ++i) printf("%lu\\n", (unsigned long)traced[i]);
  return 0;
}}
'''


def check_arena(f):
    """Every tensor lies inside the arena."""
    out = [f'#define {f.caps}_ARENA_IMPLEMENTATION', f'#include "{f.prefix}_arena.h"', 'int main(void) {',
           f'  uint8_t *volatile arena = {f.prefix}_arena;']
    for tensor in f.report['tensors']:
        if tensor['bytes'] == 0 or tensor['offset'] is None:
            continue
        name = tensor['c_name'].upper()
        out.append(f'  if ({f.caps}_OFFSET_{name} + {tensor["bytes"]}u > {f.caps}_ARENA_BYTES) return 1;')
        out.append(f'  if ((const uint8_t *){f.caps}_PTR_{name}(arena) != arena + {f.caps}_OFFSET_{name}) return 1;')
    return '\n'.join(out + ['  return 0;', '}', ''])
