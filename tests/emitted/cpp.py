#!/usr/bin/env python3
"""NAME.hpp of --cpp: compiles without a warning by C++17 and later, gives the bytes that the C functions give, whatever the form of
the network's interface, and leaves no function of its own behind.

    cpp.py --tarn TARN --work FOLDER
"""
import argparse
import pathlib
import shutil
import subprocess
import sys

from common import CCACHE, CCACHED, ROOT, WARNINGS, Failed, check, run, sampling

DIGITS = ROOT / 'examples/digits/digits.onnx'
COMPILERS = [[compiler, f'-std={standard}'] for compiler in ('g++', 'clang++-14') for standard in ('c++17', 'c++20')]
HEAD = '''#include "net.hpp"
#include <cstring>
static_assert(sizeof(net_network) == sizeof(void *), "a pointer and nothing else");
alignas(net_network::arena_align) static std::uint8_t memory[net_network::arena_bytes];
static float value(std::size_t i) { return static_cast<float>(i % 13) / 8.0f - 0.5f; }
template <class A, class B> static bool same(const A &a, const B *b) { return std::memcmp(a.data(), b, a.size() * sizeof *b) == 0; }
int main() {
'''
# The wrapper in an arena of ours beside the C functions in the fixed one.
WHOLE = '''  const net_network net(memory);
  std::size_t i = 0;
  for (float &x : net.input_image()) x = value(i++);
  for (i = 0; i < NET_IN_IMAGE_COUNT; i++) net_input_image(net_arena)[i] = value(i);
  if (i != net.input_image().size() || net.run() != NET_OK || net_run(net_arena) != NET_OK) return 1;
  if (!same(net.output_scores(), net_output_scores(net_arena)) || net.output_scores()[0] == net.output_scores()[1]) return 2;
  const net_network fixed;
  for (i = 0; i < fixed.input_image().size(); i++) fixed.input_image()[i] = value(i);
  for (std::uint32_t step = 0; step < fixed.steps; step++) if (fixed.run_step(step) != NET_OK) return 3;
  return same(net.output_scores(), fixed.output_scores().data()) && fixed.run_step(fixed.steps) == NET_ERROR_STEP ? 0 : 4;
}
'''
CALLER = '''  static float in[net_network::input_image_count], mine[net_network::output_scores_count], theirs[net_network::output_scores_count];
  const net_network net(memory);
  for (std::size_t i = 0; i < NET_IN_IMAGE_COUNT; i++) in[i] = value(i);
  if (net.run(in, mine) != NET_OK || net_run(net_arena, in, theirs) != NET_OK) return 1;
  const net_network::span<float, net_network::output_scores_count> out(theirs);
  return same(out, mine) && mine[0] != mine[1] ? 0 : 2;
}
'''
FED = '''  static float line[net_network::input_image_line_count], mine[net_network::output_scores_count], theirs[net_network::output_scores_count];
  const net_network net(memory);
  std::size_t i = 0;
  net.reset();
  net_reset(net_arena);
  while (net.lines_wanted_image() > 0) {
    for (float &x : line) x = value(i++);
    if (net.push_image(line, 1) != 1 || net_push_image(net_arena, line, 1) != 1) return 1;
  }
  if (net.pull_scores(mine, 1) != 1 || net_pull_scores(net_arena, theirs, 1) != 1) return 2;
  return i == net.input_image_count && std::memcmp(mine, theirs, sizeof mine) == 0 && mine[0] != mine[1] ? 0 : 3;
}
'''
BANKS = WHOLE.replace('alignas', '').replace('(memory)', '(arenas)').replace('(net_arena)', '(&net_arena)').replace(
    '  const net_network net', '  alignas(NET_ARENA_ALIGN) static std::uint8_t fast[NET_ARENA_FAST_BYTES + 1], slow[NET_ARENA_SLOW_BYTES + 1];\n'
    '  const net_arenas arenas = {fast, slow};\n  const net_network net', 1)
NO_FIXED = '''  const net_network net(memory);
  for (float &x : net.input_image()) x = 0;
  return net.run() != NET_OK;
}
'''
CASES = {'arena': ([], WHOLE, []), 'caller': (['--io', 'caller'], CALLER, []), 'fed': (['--stream', 'fed', '--drain'], FED, []),
         'single': (['--files', 'single'], WHOLE, []), 'banks': (['--bank', 'fast=1K', '--bank', 'slow=64K'], BANKS, []),
         'no_fixed_arena': ([], NO_FIXED, ['-DNET_NO_STATIC_ARENA'])}


def try_case(options, name, more, body, flags):
    firmware = options.work / name
    run([options.tarn, 'generate', DIGITS, '--name', 'net', '-o', firmware, '--cc', 'none', '--cpp', *more])
    objects = []
    for source in sorted(firmware.glob('*.c')):
        objects.append(source.with_suffix('.o'))
        run([*CCACHE, 'gcc', '-std=c99', '-O1', *flags, '-c', source.name, '-o', objects[-1].name], cwd=firmware, env=CCACHED)
    head = HEAD.replace('alignas(net_network::arena_align) static std::uint8_t memory[net_network::arena_bytes];\n', '') if name == 'banks' else HEAD
    (firmware / 'main.cc').write_text(head + body)
    for compiler in sampling.part(COMPILERS, 4):
        if shutil.which(compiler[0]) is None:
            print(f'SKIPPED {compiler[0]}: not installed')
            continue
        run([*compiler, *WARNINGS, '-Wno-unused-function', '-O2', *flags, '-c', 'main.cc', '-o', 'main.o'], cwd=firmware)
        left = [line for line in run(['nm', '-C', firmware / 'main.o']).splitlines() if 'net_network' in line or 'span' in line]
        check(not left, f'{compiler}: {left} stay')
        run([compiler[0], 'main.o', *(o.name for o in objects), '-lm', '-o', 'program'], cwd=firmware)
        done = subprocess.run([firmware / 'program'])
        check(done.returncode == 0, f'{compiler}: ended with {done.returncode}')


def main():
    parser = argparse.ArgumentParser()
    for name in ('tarn', 'work'):
        parser.add_argument('--' + name, type=lambda p: pathlib.Path(p).resolve(), required=True)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    failed = 0
    for name, (more, body, flags) in CASES.items():
        try:
            try_case(options, name, more, body, flags)
            print(f'right   {name}')
        except Failed as fault:
            failed += 1
            print(f'FAILED  {name}: {fault}')
    if not failed:
        shutil.rmtree(options.work, ignore_errors=True)
    print(f'{len(CASES)} forms of the interface, {failed} failed')
    return 1 if failed else 0


sys.exit(main())
