#!/usr/bin/env python3
"""The same bits with all flags: whole networks, operators and tests of kernels, compiled for every board by gcc at all levels, each
also with -ffunction-sections, -fno-align-functions, -flto, -fno-inline and with two bytes in front of every function, and by clang;
run on QEMU, which ends what runs for too long. Outputs equal those of this machine (where products are added fused: those of
gcc -O2 on the same board), and no compiler warns.

    flags.py --tarn TARN --work FOLDER --backend FOLDER [--full] [--part I/N] [--only WORDS] [--jobs N]

Every kernel of the runtime that has assembly, intrinsics or type tricks is in a program (coverage.py finds them), and with --full
runs in one. Without it a fixed sample runs, which is printed; --part 3/20 runs the third of twenty equal parts of all cases instead, so
that the full run can be had piece by piece.
"""
import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import zlib
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import sampling  # noqa: E402


import coverage
from builds import HERE, TARGET, Failed, Variant, all_variants, compile_code, compile_harness, execute, link, load_board, run, NAMES, addresses
from programs import KernelTest, all_programs

LIMIT = 12_000_000_000  # instructions; the longest program takes a third of it
SAMPLE = 24
# The network that once looped with these flags; -Os may cost an eighth more than -O2.
WATCHED = 'mlpt_kws_dscnn_qdq_s8_sym'
COUNTED = [f'cortex-{core}' for core in ('m4', 'm7', 'm33', 'm55')]
# gcc 12.2 lost an argument of a static function there.
LOST = 'integer, cortex-m0, gcc-Os -fno-inline'
MOST = 1.12


class Case:
    def __init__(self, program, board, variant):
        self.program, self.board, self.variant = program, board, variant
        self.name = f'{program.name}, {board.name}, {variant}'
        # Kernels as files of their own, or all in one: by turns, so that every flag meets both.
        self.one_file = zlib.crc32(self.name.encode()) % 2 == 1


class Once:
    """Results by a key, each made by whoever asks first while others wait for it; a failure fails all who ask."""

    def __init__(self):
        self.found, self.lock = {}, threading.Lock()

    def get(self, key, make):
        with self.lock:
            first = key not in self.found
            result = self.found.setdefault(key, concurrent.futures.Future())
        if first:
            try:
                result.set_result(make())
            except BaseException as fault:
                result.set_exception(fault)
        return result.result()


class Tests:
    def __init__(self, options):
        self.options, self.work = options, options.work
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.plugin = self.work / 'count.so'
        run(['gcc', '-O2', '-fPIC', '-shared', TARGET / 'count_plugin.c', '-o', self.plugin, '-pthread'])
        self.boards = [b for b in (load_board(name, self.work) for name in NAMES) if b]
        self.support = {b.name: compile_harness(b, [TARGET / 'startup.c', HERE / 'support.c'], [], self.work / 'support' / b.name, ['-fno-builtin'])
                        for b in self.boards}
        self.expected, self.linked = {}, set()
        self.made, self.harness, self.ran, self.fused = Once(), Once(), Once(), Once()

    def sources(self, program, target, one_file):
        """Generated once for all flags."""
        def make():
            folder = self.work / 'made' / target / ('one' if one_file else 'apart') / program.name
            folder.mkdir(parents=True)
            found = program.sources(self.options.tarn, folder, target, one_file)
            self.linked |= coverage.linked([f.name for f in folder.glob('tarn_*')] or [f.name for f in found.code])
            return found
        return self.made.get((program, target, one_file), make)

    def harness_of(self, case, made):
        """Objects of what calls the code under test, compiled once for all flags."""
        folder = self.work / 'harness' / case.board.name / ('one' if case.one_file else 'apart') / case.program.name
        return self.harness.get((case.program, case.board.name, case.one_file),
                                lambda: compile_harness(case.board, made.harness, made.include, folder, made.flags) if made.harness else [])

    def execute(self, board, image):
        """Flags that change nothing make the same image, which runs once."""
        key = board.name, hashlib.sha256(image.read_bytes()).digest()
        return self.ran.get(key, lambda: execute(board, image, self.plugin, LIMIT))

    def expect(self, program, tried):
        """What it says on this machine; tests that judge themselves need only end with 0. What no case tries is only looked at."""
        made = self.sources(program, 'host', False)
        if not tried:
            return
        folder = self.work / 'host' / program.name
        folder.mkdir(parents=True)
        mark = folder / 'mark.c'
        mark.write_text('void tarn_test_mark(void);\nvoid tarn_test_mark(void) {}\n')
        run(['gcc', '-std=gnu99', '-O2', '-ffp-contract=off', '-DTARN_TEST_HOST', *made.flags, *(f'-I{i}' for i in made.include), *made.code,
             *made.harness, mark, '-lm', '-o', folder / 'program'])
        said = run([folder / 'program']).stdout.rstrip('\n')
        self.expected[program.name] = None if isinstance(program, KernelTest) and not program.digest else said

    def build(self, case, folder):
        made = self.sources(case.program, case.board.target, case.one_file)
        harness = self.harness_of(case, made)
        objects = folder / 'objects'
        objects.mkdir(parents=True)
        kept = objects if case.one_file else self.work / 'kept' / case.board.name
        code = compile_code(case.board, case.variant, made.code, made.include, objects, kept, made.flags)
        link(case.board, case.variant, [*self.support[case.board.name], *code, *harness], folder / 'image.elf', case.one_file)
        return folder / 'image.elf'

    def expected_of(self, case, folder):
        """Kernels that add products fused have bits of their own: those of gcc -O2 on the same board (kernels.vector compares their sums)."""
        made = self.sources(case.program, case.board.target, case.one_file)
        if isinstance(case.program, KernelTest) or not any('mve_f32' in f.read_text() for f in made.code):
            return self.expected[case.program.name]
        def make():
            image = self.build(Case(case.program, case.board, Variant('gcc', '-O2', '')), folder / 'first')
            return self.execute(case.board, image)[0]
        return self.fused.get(case.program, make)

    def try_case(self, case, ran=None):
        """Instructions between the marks."""
        folder = self.work / 'cases' / f'{zlib.crc32(case.name.encode()):08x}{"r" if ran else ""}'
        folder.mkdir(parents=True)
        try:
            image = self.build(case, folder)
            said, count = self.execute(case.board, image) if ran is None else execute(case.board, image, self.plugin, LIMIT, folder / 'ran')
            expected = self.expected_of(case, folder)
            if expected is not None and said != expected:
                raise Failed(f'says\n{said[:800]}\ninstead of\n{expected[:800]}')
            if ran is not None:
                names = addresses(case.board, image)
                for line in (folder / 'ran').read_text().split():
                    ran |= names.get(int(line, 16) & ~1, set())
            return count
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def sample(cases):
    """A fixed choice: what was seen to fail, then by a number made of the name, each taking a board, level, flag or program that
    comes rarely so far."""
    watched_on = COUNTED if sampling.LARGER else COUNTED[:1]
    chosen = [c for c in cases if c.name == LOST or
              c.program.name == WATCHED and c.board.name in watched_on and str(c.variant) in ('gcc-O2', 'gcc-Os')]
    seen = {}
    def facets(case):
        return [case.program.name, case.board.name, case.variant.compiler + case.variant.level, case.variant.compiler + case.variant.extra]
    rest = sorted((c for c in cases if c not in chosen), key=lambda c: zlib.crc32(c.name.encode()))
    for case in chosen:
        for facet in facets(case):
            seen[facet] = seen.get(facet, 0) + 1
    while rest and len(chosen) < (SAMPLE if sampling.LARGER else SAMPLE // 5):
        case = min(rest, key=lambda c: sum(seen.get(f, 0) for f in facets(c)))
        rest.remove(case)
        chosen.append(case)
        for facet in facets(case):
            seen[facet] = seen.get(facet, 0) + 1
    return chosen


def fits(program, variant):
    return variant.compiler == 'gcc' or not getattr(program, 'library', False)


def part(cases, which):
    """Part I of N of all, mixed by a number made of the name so that each part meets all boards, flags and programs."""
    index, count = map(int, which.split('/'))
    return sorted(cases, key=lambda c: zlib.crc32(c.name.encode()))[index - 1::count]


def dear(tests, counts):
    """Where -Os takes too many instructions."""
    faults = []
    for board in tests.boards:
        pair = [counts.get(f'{WATCHED}, {board.name}, gcc{level}') for level in ('-O2', '-Os')]
        if board.name in COUNTED and all(pair):
            print(f'{WATCHED}, {board.name}: {pair[1]:,} instructions with -Os, {pair[0]:,} with -O2, {pair[1] / pair[0]:.3f}')
            if pair[1] > MOST * pair[0]:
                faults.append(f'{board.name}: -Os takes more than {MOST} of -O2')
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', type=lambda p: pathlib.Path(p).resolve(), required=True)
    parser.add_argument('--work', type=lambda p: pathlib.Path(p).resolve(), required=True)
    parser.add_argument('--backend', type=pathlib.Path, required=True, help='onnx/backend/test/data')
    parser.add_argument('--full', action='store_true', default=os.environ.get('TARN_FULL') == '1')
    parser.add_argument('--part', help='I/N: the I-th of N equal parts of all cases')
    parser.add_argument('--only', default='', help='only cases whose name has all of these words, separated by |')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    options = parser.parse_args()
    tests = Tests(options)
    if not tests.boards:
        print('SKIPPED: no compiler and emulator of any board')
        return 77
    programs, absent = all_programs(options.backend)
    for name in absent:
        print(f'SKIPPED {name}: no such model')
    everything = [Case(p, b, v) for p in programs for b in tests.boards if b.name in p.boards for v in all_variants(b) if fits(p, v)]
    cases = everything if options.full else sample(everything)
    if options.part:
        cases = part(everything, options.part)
    if options.only:
        cases = [c for c in everything if all(word in c.name for word in options.only.split('|'))]
    print(f'{len(cases)} of {len(everything)} cases: {len(programs)} programs, {len(tests.boards)} boards')
    failed, counts = [], {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tried = {c.program for c in cases}
        list(pool.map(lambda p: tests.expect(p, options.full or p in tried), programs))
        jobs = [(case, pool.submit(tests.try_case, case)) for case in cases]
        for case, job in jobs:
            try:
                counts[case.name] = job.result()
                print(f'right   {case.name}', flush=True)
            except Failed as fault:
                failed.append(case.name)
                print(f'FAILED  {case.name}: {fault}', flush=True)
        if not sampling.LARGER:
            print('which kernels no program has: with TARN_CI=1')
        elif not options.only and not options.part:
            failed += uncovered(tests, programs, pool, absent)
    failed += dear(tests, counts)
    shutil.rmtree(tests.work, ignore_errors=True)
    print('\n'.join([f'{len(cases)} cases, {len(failed)} failed', *failed]))
    return 1 if failed or not cases else 0


def uncovered(tests, programs, pool, absent):
    """Kernels with tricks that no program has, or that never run. Without inlining every function shows."""
    own, kernels = coverage.tricky()
    missing = set()
    if not absent:
        for target in ('m0', 'm4', 'm55', 'rv32imafc'):
            for program in programs:
                if not isinstance(program, KernelTest):
                    tests.sources(program, target, False)
        missing = (own | kernels) - tests.linked
    print(f'{len(kernels)} kernels with tricks, {len(missing)} in no program')
    faults = [f'{name}: in no program' for name in sorted(missing)]
    for program in programs:
        if isinstance(program, KernelTest):
            faults += [f'{name}: called by kernels of program {program.name} that lacks it' for name in sorted(coverage.lacking(program.found()))]
    if tests.options.full and not absent:
        ran = set()
        boards = [b for b in tests.boards if b.name in ('cortex-m0', 'cortex-m4', 'cortex-m55', 'rv32imafc')]
        cases = [Case(p, b, v) for p in programs for b in boards if b.name in p.boards for v in all_variants(b) if str(v) == 'gcc-O0 -fno-inline']
        for case in cases:
            case.one_file = False
        list(pool.map(lambda case: tests.try_case(case, ran), cases))
        idle = sorted(coverage.functions_of_assembly() - ran) if len(boards) == 4 else []
        print(f'{len(coverage.functions_of_assembly())} functions of assembly alone, {len(idle)} never run')
        faults += [f'{name}: never runs' for name in idle]
    return faults


sys.exit(main())
