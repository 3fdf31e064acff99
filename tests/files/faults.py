#!/usr/bin/env python3
"""Faults injected into tarn: faults.py TARN BACKEND_DATA [REGEX, of "model, command: kind"].

Every allocation fails once (scarce.c), every system call that changes files and every wait for the disk fails once with ENOSPC and
EIO, and after every system call the process is killed (step.c), for `generate`, `analyze --report` and `verify`. What must hold each time:
  - no other signal than the kill, and no exit status that is not documented;
  - status 0: all files and reports are there, as without the fault; any other: all are as before;
  - after a kill the folder holds the old files or the new ones, each complete, or `cc -c *.c` fails; a report is one of the two;
  - the next run succeeds and leaves nothing but its own files, nor anything in the folder for temporary files; where the cache of
    objects was empty, it holds what a run without a fault leaves there.
The fault is in tarn, not in its tools: for `verify`, kept.c stands for compiler and disassembler, and gives again what the real ones
wrote for the same files. Where a fault leaves the files of an earlier one, the next run is that one's; what several faults leave in the
folder for temporary files, and nowhere else, is swept by one run.
By default a sample that is printed. TARN_FULL=1: all of it, but of what `verify` allocates behind its first file 500 for each model. There,
the allocations before the first file is written fail in children of one process (scarce.c), a few milliseconds each; those whose child
succeeded or wrote anything are run by themselves, like the others. TARN_SEED=N takes another sample, TARN_JOBS=N runs N at a time."""
import collections
import concurrent.futures
import hashlib
import itertools
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import sampling  # noqa: E402


TARN, BACKEND = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
HERE = pathlib.Path(__file__).resolve().parent
ONLY = re.compile(sys.argv[3] if len(sys.argv) > 3 else '')
FULL = os.environ.get('TARN_FULL', '') not in ('', '0')
SEED = int(os.environ.get('TARN_SEED', '1'))
SAMPLE = {'allocation': 12, 'fail': 12, 'sync': 4, 'kill': 14}
VERIFY_ALLOCATIONS = 500
VERIFY_SAMPLE = {'allocation': 4, 'fail': 4, 'sync': 2, 'kill': 4}
CALLS = {'fail': 'files', 'sync': 'syncs', 'kill': 'all'}
DOCUMENTED = {0, 2, 3, 4, 5, 6, 7}
NO_SPACE, IO_ERROR = 28, 5
PILE = 16
COLD = 'verify, cold cache'
COMMANDS = ('generate', 'analyze', 'verify', COLD)

# A model, how the older files of its folder were made, and how the new ones are.
Case = collections.namedtuple('Case', 'name model old new')
DIGITS = HERE.parent.parent / 'examples/digits/digits.onnx'
CASES = [
    Case('split', DIGITS, ['--align', '32'], []),
    Case('single', DIGITS, [], ['--files', 'single']),
    Case('incbin', BACKEND / 'pytorch-operator/test_operator_convtranspose/model.onnx', ['--weights', 'c'], ['--weights', 'incbin']),
    Case('arena', BACKEND / 'node/test_lstm_defaults/model.onnx', None, ['--emit', 'arena']),
    Case('nothing before', BACKEND / 'node/test_loop11/model.onnx', None, []),
]


def tree(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in pathlib.Path(folder).rglob('*') if p.is_file()}


def state_of(*folders):
    """Of what stands in the folders: names, where random letters do not count, and contents."""
    told = []
    for number, folder in enumerate(folders):
        for path in folder.rglob('*'):
            name = re.sub(r'(tarn-(verify-)?)\w{6}', r'\1', str(path.relative_to(folder)))
            plain = path.is_file() and not path.is_symlink()
            told.append(f'{number} {name} {hashlib.sha1(path.read_bytes()).hexdigest() if plain else path.is_symlink()}')
    return '\n'.join(sorted(told))


def without_leftovers(files):
    return {name: text for name, text in files.items() if '.tarn-' not in name}


class Trial:
    """One command on one model, run again and again with another fault."""

    def __init__(self, case, command, work):
        self.case = case
        self.command, *cold = command.split(', ')
        self.cold = bool(cold)  # nothing is in the cache of objects, and what comes into it is looked at
        self.work = work / f'{case.name} {command}'.replace(' ', '_')
        self.old, self.new = self.work / 'old', self.work / 'new'
        self.next_runs = {}  # by what stood there before
        self.piles = []  # folders for temporary files that nothing was swept from
        self.old.mkdir(parents=True)
        if case.old is not None and command == 'generate':
            self.check_run(self.words(self.old, case.old))
        if command != 'generate':
            (self.old / 'net.json').write_text('an old report\n')
        shutil.copytree(self.old, self.new)
        cache = self.cache_in(self.work)
        self.out = self.check_run(self.words(self.new, case.new), **cache)
        self.kept = tree(self.work / 'cache') if self.cold else None
        self.before, self.after = tree(self.old), tree(self.new)

    def words(self, folder, options):
        model = [TARN, self.command, self.case.model, '--name', 'net', *options]
        if self.command == 'generate':
            return [*model, '--cc', 'none', '-o', folder]
        return [*model, *(['--cc', 'none'] if self.command == 'analyze' else ['--reference', 'naive']), '--report', folder / 'net.json']

    def cache_in(self, folder):
        """The variable that names it, where a run is not to have that of all."""
        if not self.cold:
            return {}
        (folder / 'cache').mkdir(exist_ok=True)
        return {'TARN_CACHE_DIR': str(folder / 'cache')}

    def start(self, words, **variables):
        temporary, seconds = variables.pop('TMPDIR', self.work), variables.pop('seconds', 300)
        programs = [TOOLS, os.environ['PATH']] if self.cold else [TOOLS / 'dynamic', TOOLS, os.environ['PATH']]
        ours = {'TMPDIR': str(temporary), 'TARN_CACHE_DIR': str(TOOLS / 'cache'), 'PATH': ':'.join(map(str, programs)), 'CC': 'gcc'}
        return subprocess.run([str(w) for w in words], capture_output=True, text=True, errors='replace', timeout=seconds,
                              stdin=subprocess.DEVNULL, env={**os.environ, **ours, **variables})

    def check_run(self, words, **variables):
        done = self.start(words, **variables)
        if done.returncode != 0:
            raise RuntimeError(f'{words}: {done.returncode}\n{done.stderr}')
        return done.stdout

    def count(self, kind):
        """How many faults of a kind there are to inject."""
        folder = self.work / 'counted'
        shutil.copytree(self.old, folder)
        variables = self.cache_in(pathlib.Path(tempfile.mkdtemp(dir=self.work)))
        counts = self.work / 'counts'
        words = self.words(folder, self.case.new)
        if kind == 'allocation':
            self.start(words, LD_PRELOAD=str(SCARCE), TARN_COUNT=str(counts), **variables)
        else:
            self.start([STEP, counts, CALLS[kind], 'count', *words], **variables)
        shutil.rmtree(folder)
        return int(counts.read_text())

    def each_allocation(self):
        """All allocations before the first file is written, each without its memory in a child: (how many, those to be run by
        themselves)."""
        log, begin, alone = self.work / 'log', 1, []
        while True:
            folder = pathlib.Path(tempfile.mkdtemp(dir=self.work))
            there, temporary = folder / 'there', folder / 'temporary'
            shutil.copytree(self.old, there)
            temporary.mkdir()
            self.start(self.words(there, self.case.new), seconds=7200, LD_PRELOAD=str(SCARCE), TARN_FAIL_EACH=str(log), TARN_FAIL_FROM=str(begin),
                       TARN_UNTOUCHED=f'{there}:{temporary}:{folder}', TMPDIR=str(temporary))
            *told, (_, end) = [line.split() for line in log.read_text().splitlines()]
            shutil.rmtree(folder)
            alone += [int(number) for number, _ in told]
            begin = int(end)
            if not told or int(told[-1][0]) != begin - 1:
                return begin - 1, alone

    def inject(self, kind, at, error):
        """What is wrong after this fault; None: nothing."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.work))
        there, temporary = folder / 'there', folder / 'temporary'
        shutil.copytree(self.old, there)
        temporary.mkdir()
        words, variables = self.words(there, self.case.new), {'TMPDIR': str(temporary), **self.cache_in(folder)}
        if kind == 'allocation':
            done = self.start(words, LD_PRELOAD=str(SCARCE), TARN_FAIL_AT=str(at), **variables)
        else:
            how = ['kill', at] if kind == 'kill' else ['fail', at, error]
            done = self.start([STEP, folder / 'counts', CALLS[kind], *how, *words], **variables)
        wrong = self.judge(kind, done, there)
        if not wrong and self.command == 'verify' and not self.cold and any(temporary.iterdir()) and tree(there) in (self.before, self.after):
            self.piles.append(temporary)
            return self.sweep_piles(PILE) if len(self.piles) >= PILE else None
        wrong = wrong or self.judge_next(there, temporary)
        if wrong:
            return f'{wrong}\n    exit {done.returncode}, {done.stderr.strip()[-600:]}'
        shutil.rmtree(folder)
        return None

    def judge(self, kind, done, there):
        now = tree(there)
        code = 128 - done.returncode if done.returncode < 0 else done.returncode
        if code == 0:
            if now != self.after and (kind == 'allocation' or without_leftovers(now) != self.after):
                return f'exit 0, but {differences(now, self.after)}'
            if done.stdout != self.out:
                return 'exit 0, but not all was printed'
            return None
        if kind == 'kill' and code == 128 + 9:
            files = without_leftovers(now)
            if files in (self.before, self.after) or (self.command == 'generate' and refuses(there)):
                return None
            return f'a mixture that compiles: {differences(files, self.before)}; {differences(files, self.after)}'
        if code not in DOCUMENTED and not before_main(done):
            return 'no documented end'
        if without_leftovers(now) != self.before:
            return f'exit {code}, but {differences(now, self.before)}'
        return None

    def judge_next(self, there, temporary):
        if self.cold:
            return self.run_next(there, temporary)
        state = state_of(there, temporary)
        if state not in self.next_runs:
            self.next_runs[state] = self.run_next(there, temporary)
        return self.next_runs[state]

    def sweep_piles(self, most):
        """What is wrong after a run over what up to `most` faults left; None: nothing."""
        taken = [self.piles.pop() for _ in range(min(most, len(self.piles)))]
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.work))
        there, temporary = folder / 'there', folder / 'temporary'
        shutil.copytree(self.old, there)
        temporary.mkdir()
        for pile in taken:
            for left in pile.iterdir():
                left.rename(temporary / left.name)
            shutil.rmtree(pile.parent)
        wrong = self.run_next(there, temporary)
        if wrong:
            return f'behind the faults that left {[p.name for p in temporary.iterdir()]} {wrong}'
        shutil.rmtree(folder)
        return None

    def run_next(self, there, temporary):
        again = self.start(self.words(there, self.case.new), TMPDIR=str(temporary), **self.cache_in(there.parent))
        if again.returncode != 0:
            return f'the next run ends with {again.returncode}: {again.stderr}'
        if tree(there) != self.after:
            return f'after the next run {differences(tree(there), self.after)}'
        if self.cold and tree(there.parent / 'cache') != self.kept:
            return f'after the next run, in the cache, {differences(tree(there.parent / "cache"), self.kept)}'
        left = [p.name for p in [*there.rglob('.*'), *temporary.iterdir()]]
        return f'the next run leaves {left}' if left else None


def make_tools(work):
    """The folder whose programs stand for compiler and disassembler. Those in its folder `dynamic` do not find a static C library, whose
    disassembly would be most of the time; that of the cold cache is read."""
    tools, kept = work / 'tools', work / 'kept'
    (tools / 'cache').mkdir(parents=True)
    (tools / 'dynamic').mkdir()
    kept.mkdir()
    for name, macros in (('gcc', []), ('objdump', []), ('dynamic/gcc', ['-DWITHOUT="libc.a"'])):
        real = shutil.which(pathlib.Path(name).name)
        if real is None:
            continue
        subprocess.run(['cc', '-O2', '-Wall', f'-DREAL="{real}"', f'-DKEPT="{kept}"', *macros, '-o', tools / name, HERE / 'kept.c'], check=True)
    return tools


def before_main(done):
    """The loader's own end, or the C++ library's before any code of ours runs."""
    return done.returncode == 127 and 'error while loading shared libraries' in done.stderr


def differences(now, want):
    return 'as it should be' if now == want else ', '.join(
        f'{name} is ' + ('missing' if name not in now else 'new' if name not in want else 'another')
        for name in sorted(now.keys() | want.keys()) if now.get(name) != want.get(name))


def refuses(folder):
    """Does cc -c *.c fail? For a folder without sources, the headers have to."""
    sources = sorted(folder.glob('*.c')) or sorted(folder.glob('*.h'))
    return not sources or subprocess.run(['cc', '-std=c99', '-fsyntax-only', *sources], capture_output=True).returncode != 0


def chosen(total, sample, random_numbers):
    """All, or one of each of as many equal stretches."""
    if FULL or total <= sample:
        return range(1, total + 1)
    return sorted({1 + int((i + random_numbers.random()) * total / sample) for i in range(sample)})


def main():
    global STEP, SCARCE, TOOLS
    work = pathlib.Path(tempfile.mkdtemp(prefix='tarn_faults_'))
    STEP, SCARCE = work / 'step', work / 'scarce.so'
    subprocess.run(['cc', '-O1', '-Wall', '-o', STEP, HERE / 'step.c'], check=True)
    subprocess.run(['cc', '-O1', '-Wall', '-shared', '-fPIC', '-o', SCARCE, HERE / 'scarce.c'], check=True)
    TOOLS = make_tools(work)
    if subprocess.run([STEP, work / 'counts', 'all', 'count', '/bin/true']).returncode != 0:
        print('skipped: processes may not be traced here')
        return 77
    random_numbers = random.Random(SEED)
    jobs, in_children = [], 0
    for case, command in itertools.product(CASES, COMMANDS):
        if command.startswith('verify') and case is not CASES[-1] and ('--emit' in case.new or command != 'verify' or not FULL):
            continue
        kinds = [kind for kind in SAMPLE if ONLY.search(f'{case.name}, {command}: {kind}')]
        trial = Trial(case, command, work) if kinds else None
        for kind in kinds:
            total = trial.count(kind)
            sample = (VERIFY_SAMPLE if command.startswith('verify') else SAMPLE)[kind]
            points = chosen(total, sample if sampling.LARGER else max(1, sample // 10), random_numbers)
            if command == COLD and kind == 'allocation':
                points = sorted(random_numbers.sample(points, min(len(points), VERIFY_ALLOCATIONS)))
            if FULL and kind == 'allocation' and command != COLD:
                tried, alone = trial.each_allocation()
                behind = range(tried + 1, total + 1)
                if command == 'verify':
                    behind = sorted(random_numbers.sample(behind, min(len(behind), VERIFY_ALLOCATIONS)))
                print(f'{case.name}, {command}: {tried} allocations failed in children, {len(alone)} of them also by themselves')
                in_children += tried
                points = [*alone, *behind]
            errors = (NO_SPACE, IO_ERROR) if kind in ('fail', 'sync') and FULL else (random_numbers.choice((NO_SPACE, IO_ERROR)),)
            print(f'{case.name}, {command}: {kind} at {len(points)} of {total}: {list(points) if len(points) < 30 else "all"}')
            jobs += [(trial, kind, at, error) for at in points for error in errors]
    faults = 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get('TARN_JOBS') or os.cpu_count())) as pool:
        for (trial, kind, at, error), wrong in zip(jobs, pool.map(lambda job: job[0].inject(*job[1:]), jobs)):
            if wrong:
                faults += 1
                print(f'WRONG: {trial.case.name}, {trial.command}, {kind} at {at}, error {error}: {wrong}')
    for trial in dict.fromkeys(job[0] for job in jobs):
        while trial.piles:
            wrong = trial.sweep_piles(PILE)
            faults += wrong is not None
            if wrong:
                print(f"WRONG: {trial.case.name}, {trial.command}: {wrong}")
    print(f'{len(jobs) + in_children} faults injected (seed {SEED}), {faults} handled wrongly')
    if faults:
        print(f'the folders stay in {work}')
        return 1
    shutil.rmtree(work)
    return 0


if __name__ == '__main__':
    sys.exit(main())
