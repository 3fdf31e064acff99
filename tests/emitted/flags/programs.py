"""The programs under test: whole networks, operators, and tests of kernels. Each is generated for a target as a user would, or
lists kernels, and says its outputs as hashes."""
import dataclasses
import json
import os
import pathlib

from builds import HERE, NAMES, ROOT, Failed, run

RUNTIME = ROOT / 'runtime'
KERNEL_FOLDERS = [RUNTIME, *sorted(f for f in RUNTIME.iterdir() if f.is_dir())]
KERNELS = ROOT / 'tests/kernels'


@dataclasses.dataclass
class Sources:
    code: list      # compiled with the flags under test
    harness: list   # compiled once
    include: list
    one_file: bool = False
    flags: tuple = ()


# A network on its stored data, which tarn writes into a self-test, and hashes of what came out. By lines: a line at a time of
# whichever input is asked for; the bytes stand in the model's order, and any order will do.
NETWORK = r"""
#include <stdint.h>
#ifdef TARN_TEST_HOST
#include <stdio.h>
#define semihost_print(text) (void)fputs(text, stdout)
#else
#include "semihost.h"
#endif
@DATA@
void tarn_test_mark(void);
int @NAME@_say(void);
static void copy(void *to, const unsigned char *from, uint32_t bytes) {
  unsigned char *t = (unsigned char *)to;
  uint32_t i;
  for (i = 0; i < bytes; ++i) t[i] = from[i];
}
static void hash(const char *name, const void *from, uint32_t bytes) {
  const unsigned char *p = (const unsigned char *)from;
  uint32_t h = 2166136261u, i;
  char text[10];
  for (i = 0; i < bytes; ++i) h = (h ^ p[i]) * 16777619u;
  for (i = 0; i < 8; ++i) text[i] = "0123456789abcdef"[(h >> (28 - 4 * i)) & 15u];
  text[8] = '\n';
  text[9] = 0;
  semihost_print(name);
  semihost_print(" ");
  semihost_print(text);
}
int @NAME@_say(void) {
@BUFFERS@  int status = 0;
@INPUTS@  tarn_test_mark();
@RUN@  tarn_test_mark();
  if (status != 0) return 1;
@HASHES@  return 0;
}
"""
PUSH = """    for (; @NAME@_lines_wanted_{port}(@NAME@_arena) > 0; moved = 1) {{
      copy(line_{port}, input_{i} + at_{port}, @CAPS@_IN_{caps}_LINE_BYTES);
      at_{port} = (at_{port} + @CAPS@_IN_{caps}_LINE_BYTES) % sizeof input_{i};
      if (@NAME@_push_{port}(@NAME@_arena, line_{port}, 1) != 1) return 1;
    }}
"""
MAIN = '#include <stdint.h>\n{declare}int main(void) {{ return {calls}; }}\n'


def generate(tarn, model, name, folder, target, one_file, options):
    command = [tarn, 'generate', model, '--name', name, '-o', folder, '--target', target, '--cc', 'none', '--selftest', *options]
    run(command + (['--files', 'single'] if one_file else []))
    report = json.loads((folder / f'{name}.json').read_text())
    ports = [p['c_name'] for p in report['inputs']]
    by_lines = f'int32_t {name}_push_' in (folder / f'{name}.h').read_text()
    text = NETWORK.replace('@DATA@', (folder / f'{name}_selftest.c').read_text().split('static void copy')[0].replace('#include <stdio.h>', ''))
    text = text.replace('@HASHES@', ''.join(f'  hash("{name} {p["c_name"]}", {p["accessor"]}({name}_arena), {p["bytes"]}u);\n' for p in report['outputs']))
    if by_lines:
        types = {p['c_name']: {'float32': 'float', 'float16': 'uint16_t'}.get(p['dtype'], p['dtype'] + '_t') for p in report['inputs']}
        buffers = ''.join(f'  static {types[p]} line_{p}[@CAPS@_IN_{p.upper()}_LINE_COUNT];\n  uint32_t at_{p} = 0;\n' for p in ports) + '  int moved = 1;\n'
        pushes = ''.join(PUSH.format(port=p, caps=p.upper(), i=i) for i, p in enumerate(ports))
        parts = buffers, f'  @NAME@_reset(@NAME@_arena);\n', '  while (moved != 0) {\n    moved = 0;\n' + pushes + '  }\n'
    else:
        copies = ''.join(f'  copy({p["accessor"]}(@NAME@_arena), input_{i}, sizeof input_{i});\n' for i, p in enumerate(report['inputs']))
        parts = '', copies, '  status = (int)@NAME@_run(@NAME@_arena);\n'
    for mark, part in zip(('@BUFFERS@', '@INPUTS@', '@RUN@'), parts):
        text = text.replace(mark, part)
    harness = folder / f'{name}_harness.c'
    harness.write_text(text.replace('@NAME@', name).replace('@CAPS@', name.upper()))
    return harness


def emitted(folder):
    return sorted(p for p in folder.glob('*.[cS]') if not p.name.endswith(('_harness.c', '_selftest.c')) and p.name != 'main.c')


class Network:
    def __init__(self, model, options):
        self.model, self.options = model, options
        self.name = '-'.join([model.parent.name, *(o for o in options if not o.startswith('-'))])
        self.boards = NAMES

    def sources(self, tarn, folder, target, one_file):
        harness = [generate(tarn, self.model, 'net', folder, target, one_file, self.options), folder / 'main.c']
        (folder / 'main.c').write_text(MAIN.format(declare='int net_say(void);\n', calls='net_say()'))
        return Sources(emitted(folder), harness, [folder], one_file)


class Operators:
    """Several models in one program, which share kernels."""
    name, boards = 'operators', NAMES

    def __init__(self, models):
        self.models = models

    def sources(self, tarn, folder, target, one_file):
        harness, names = [folder / 'main.c'], [f'op{i}' for i in range(len(self.models))]
        for name, (model, options) in zip(names, self.models):
            harness.append(generate(tarn, model, name, folder, target, one_file, options))
        (folder / 'main.c').write_text(MAIN.format(declare=''.join(f'int {n}_say(void);\n' for n in names), calls=' + '.join(f'{n}_say()' for n in names)))
        return Sources(emitted(folder), harness, [folder], one_file)


class KernelTest:
    """A test program with its kernels: it ends with 0 or says what is wrong; or it prints a digest."""

    def __init__(self, name, test, kernels, boards, digest=False, library=False):
        self.name, self.test, self.kernels, self.boards, self.digest = name, test, kernels, boards, digest
        self.library = library  # it needs a C library, which clang has none of here

    def found(self):
        return sorted(k for pattern in self.kernels for k in RUNTIME.rglob(pattern) if '_mve' not in k.name or self.name in ('mve', 'matmul'))

    def sources(self, tarn, folder, target, one_file):
        kernels = self.found()
        include = [*KERNEL_FOLDERS, self.test.parent, *([] if target == 'host' else [KERNELS / 'target', HERE / 'include'])]
        flags = () if target == 'host' else ('-DTARN_TEST_TARGET',)
        if not one_file:
            return Sources(kernels, [self.test], include, False, flags)
        text = '#define TARN_SINGLE_FILE 1\n' + ''.join(f'#include "{f}"\n' for f in [*kernels, self.test])
        (folder / 'all.c').write_text(text)
        # A test's own text is not held to the warnings of kernels.
        return Sources([folder / 'all.c'], [], include, True, (*flags, '-w'))


def shared_folder():
    return pathlib.Path(os.environ.get('TARN_SHARED_DIR', ROOT.parent / 'shared'))


def entries(name):
    lines = (line.split('#')[0].split() for line in (HERE / name).read_text().splitlines())
    return [words for words in lines if words]


def all_programs(backend):
    """The programs, and what is left out because its model is absent."""
    programs, absent = [], []
    for path, *options in entries('networks.txt'):
        model = shared_folder() / path / 'model.onnx'
        (programs if model.exists() else absent).append(Network(model, options))
    operators = []
    for path, *options in entries('operators.txt'):
        kind, name = path.split('/')
        model = (ROOT / 'tests/conformance/more/node' if kind == 'more' else backend / kind) / name / 'model.onnx'
        if not model.exists():
            raise Failed(f'no {model}')
        operators.append((model, options))
    programs.append(Operators(operators))
    dsp = ['tarn_int_dsp_*.c', 'tarn_int_dots.c', 'tarn_int_clamp_s8.c', 'tarn_int_conv2d*_s8.c', 'tarn_int_dense*_s8.c',
           'tarn_int_dsp[24]_dense.c', 'tarn_int_depthwise*_s8.c', 'tarn_requant.c', 'tarn_int_lines_s8.c']
    with_library = [n for n in NAMES if n.startswith('cortex')]
    programs += [KernelTest('integer', KERNELS / 'integer/integer_test.c', dsp, NAMES),
                 KernelTest('mve', KERNELS / 'integer/mve_test.c', ['tarn_int_*mve*.c', 'tarn_requant.c', 'tarn_int_lines_s8.c'], ['cortex-m55']),
                 KernelTest('matmul', KERNELS / 'integer/matmul_test.c',
                            [f'tarn_{k}.c' for k in ('int_matmul_s8', 'int_matmul_dsp_s8', 'int_clamp_s8', 'int_matmul_mve_s8', 'int_mve', 'requant')],
                            ['cortex-m4', 'cortex-m7', 'cortex-m33', 'cortex-m55'], library=True),
                 KernelTest('resize', KERNELS / 'integer/resize_test.c', [f'tarn_{k}.c' for k in ('int_resize_s8', 'int_resize_line_s8', 'int_resize_line_s16', 'requant', 'resize_f32', 'resize_line_f32')],
                            with_library, library=True),
                 KernelTest('spread', KERNELS / 'integer/spread_test.c', ['tarn_int_spread_*.c', 'tarn_requant.c'], with_library, library=True),
                 KernelTest('states', KERNELS / 'states_test.c', ['tarn_state_*.c'], with_library, library=True),
                 KernelTest('qlinear_add', HERE / 'qlinear_add.c', ['tarn_qlinear_add.c'], NAMES, digest=True),
                 KernelTest('mathematics', KERNELS / 'math/digest.c', ['tarn_math_*.c'], NAMES, digest=True)]
    return programs, [p.name for p in absent]
