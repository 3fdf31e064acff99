"""One program, one board, one set of flags: an image, and what it says when it runs."""
import dataclasses
import hashlib
import pathlib
import re
import shlex
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TARGET = ROOT / 'tests/kernels/target'
WARNINGS = ('-std=c99 -pedantic-errors -Wall -Wextra -Werror -Wconversion -Wsign-conversion -Wcast-qual -Wvla -Wdouble-promotion '
            '-Wshadow -ffp-contract=off').split()
LEVELS = ['-O0', '-O1', '-O2', '-O3', '-Os', '-Og']
EXTRAS = ['', '-ffunction-sections', '-fno-align-functions', '-flto', '-fno-inline', 'padded']
NAMES = ['cortex-m0', 'cortex-m4', 'cortex-m7', 'cortex-m33', 'cortex-m55', 'rv32imac', 'rv32imafc']


class Failed(Exception):
    pass


def run(command, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise Failed(f'{" ".join(map(str, command))[:600]}\n  ended with {done.returncode}\n{done.stdout}{done.stderr}'[:3000])
    return done


@dataclasses.dataclass(frozen=True)
class Board:
    name: str
    machine: tuple
    flags: tuple
    compiler: str
    script: pathlib.Path

    @property
    def arm(self):
        return self.name.startswith('cortex')

    @property
    def target(self):
        return self.name.removeprefix('cortex-')


@dataclasses.dataclass(frozen=True)
class Variant:
    compiler: str  # gcc or clang
    level: str
    extra: str

    def __str__(self):
        return self.compiler + self.level + (' ' + self.extra if self.extra else '')


def all_variants(board):
    found = [Variant('gcc', level, extra) for level in LEVELS for extra in EXTRAS]
    if board.arm and shutil.which('clang-14'):
        found += [Variant('clang', level, extra) for level in ('-O2', '-Oz') for extra in ('', 'padded')]
    return found


def load_board(name, work):
    """As boards.sh has it; the micro:bit's memory is too small for networks, a larger board runs the same v6-M code."""
    values = run(['bash', '-c', f'. {shlex.quote(str(TARGET / "boards.sh"))}; board {name}; echo "$machine|$flags|$memory|$compiler|$entry"'])
    machine, flags, memory, compiler, entry = values.stdout.strip().split('|')
    if name == 'cortex-m0':
        machine, memory = 'arm -M mps2-an385', '0x00000000 4M 0x20000000 4M'
    if shutil.which(compiler) is None or shutil.which('qemu-system-' + machine.split()[0]) is None:
        return None
    code, code_bytes, ram, ram_bytes = memory.split()
    script = work / f'{name}.ld'
    text = run(['cpp', '-P', f'-DCODE={code}', f'-DCODE_BYTES={code_bytes}', f'-DRAM={ram}', f'-DRAM_BYTES={ram_bytes}',
                f'-DENTRY_SYMBOL={entry}', TARGET / 'link.ld.in']).stdout
    script.write_text(text)
    return Board(name, tuple(machine.split()), tuple(flags.split()), compiler, script)


def pad(text):
    """Two bytes in front of every function: none begins at a multiple of four, whatever the compiler aligned it to."""
    functions = set(re.findall(r'^\s*\.type\s+(\w[\w.$]*)\s*,\s*[%@]function', text, re.M))
    padded = re.sub(r'^(\w[\w.$]*):', lambda m: ('\t.space 2\n' if m[1] in functions else '') + m[0], text, flags=re.M)
    # clang's directives name less than its -mcpu has.
    padded = re.sub(r'^\s*\.(fpu|cpu|arch|arch_extension)\s.*$', '', padded, flags=re.M)
    return padded, len(functions)


def compiler_of(board, variant):
    if variant.compiler == 'clang':
        return ['clang-14', '--target=arm-none-eabi', '-fshort-enums', '-ffreestanding', *board.flags]
    return [board.compiler, '-ffreestanding', *board.flags]


def text_of(source, include, seen):
    """A file and all that it includes of ours."""
    seen.add(source.name)
    text = source.read_text()
    for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.M):
        found = next((folder / name for folder in [source.parent, *include] if (folder / name).exists()), None)
        if found and found.name not in seen:
            text += text_of(found, include, seen)
    return text


def compile_code(board, variant, sources, include, folder, kept, more=()):
    """Objects of the code under test. Programs share kernels: an object stays in the folder `kept`, by what it was made from and how."""
    extra = [] if variant.extra in ('', 'padded') else [variant.extra]
    if variant.compiler == 'clang' or not board.arm:
        include = [*include, HERE / 'include']  # there is no C library
    command = [*compiler_of(board, variant), *WARNINGS, variant.level, *extra, *more]
    objects = {}
    for source in sources:
        made_from = ' '.join(map(str, [*command, variant.extra])) + text_of(source, include, set())
        if source.suffix == '.S':  # which takes in other files
            made_from += str(source)
        objects[source] = kept / (hashlib.sha256(made_from.encode()).hexdigest() + '.o')
    missing = [source for source in sources if not objects[source].exists()]
    if missing:
        compile_missing(board, variant, [*command, *(f'-I{i}' for i in include)], missing, folder)
        kept.mkdir(parents=True, exist_ok=True)
        for source in missing:
            (folder / f'{source.stem}.o').rename(objects[source])
    return list(dict.fromkeys(objects.values()))


def compile_missing(board, variant, command, sources, folder):
    """Objects in the folder, by the names of their sources; a compiler that says anything fails."""
    said = run([*command, '-S' if variant.extra == 'padded' else '-c', *sources], cwd=folder).stderr
    if variant.extra == 'padded':
        assembly, functions = sorted(folder.glob('*.s')), 0
        for file in assembly:
            text, count = pad(file.read_text())
            file.write_text(text)
            functions += count
        if functions == 0:
            raise Failed(f'{variant}: no function found to pad')
        assembler = ['clang-14', '--target=arm-none-eabi'] if variant.compiler == 'clang' else [board.compiler]
        said += run([*assembler, *board.flags, '-c', *assembly], cwd=folder).stderr
    if said:
        raise Failed(f'{board.name}, {variant}: the compiler says\n{said[:2000]}')


def compile_harness(board, sources, include, folder, more=()):
    """Objects of what runs the code under test, the same for all flags. Loops that copy must not become calls of the memcpy that
    they implement."""
    folder.mkdir(parents=True)
    run([board.compiler, *board.flags, '-ffreestanding', '-O1', '-fno-tree-loop-distribute-patterns', '-ffunction-sections', *more,
         f'-I{TARGET}', f'-I{HERE / "include"}', *(f'-I{i}' for i in include), '-c', *sources], cwd=folder)
    return sorted(folder.glob('*.o'))


def link(board, variant, objects, image, one_file):
    library = ['-lm', '-lgcc', '-lc', '-lgcc'] if board.arm else ['-lgcc']
    lto = [variant.level, '-flto=1'] if variant.extra == '-flto' else []
    # Large firmware falls into several partitions: static functions that assembly calls must be found from another one.
    lto += ['-flto-partition=max'] if lto and one_file else []
    done = run([board.compiler, *board.flags, *lto, '-nostdlib', '-nostartfiles', '-Wl,--gc-sections,--no-warn-rwx-segments,--no-warn-execstack',
                '-T', board.script, *objects, *library, '-o', image])
    words = [line for line in done.stderr.splitlines() if not line.startswith('lto-wrapper:')]
    if words:
        raise Failed(f'{board.name}, {variant}: the linker says\n' + '\n'.join(words)[:2000])


def addresses(board, image):
    """Address and name of every function."""
    prefix = board.compiler.removesuffix('gcc')
    found = {}
    for line in run([prefix + 'nm', image]).stdout.splitlines():
        words = line.split()
        if len(words) == 3 and words[1] in 'tTwW':
            found.setdefault(int(words[0], 16) & ~1, set()).add(words[2])
    return found


def execute(board, image, plugin, limit, ran=None):
    """What the program prints, and the instructions between its marks."""
    marks = [a for a, names in addresses(board, image).items() if 'tarn_test_mark' in names]
    options = f'{plugin},limit={limit}' + (f',mark={marks[0]}' if marks else '') + (f',ran={ran}' if ran else '')
    command = ['qemu-system-' + board.machine[0], *board.machine[1:], '-display', 'none', '-monitor', 'none', '-serial', 'none',
               '-semihosting-config', 'enable=on,target=native', '-plugin', options, '-kernel', image]
    try:
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=1800)
    except subprocess.TimeoutExpired as late:
        raise Failed('no end after half an hour') from late
    counts = [int(n) for n in re.findall(r'^marked (\d+)$', done.stderr, re.M)]
    said = '\n'.join(line for line in (done.stdout + done.stderr).splitlines() if not line.startswith('marked '))
    if done.returncode != 0:
        raise Failed(f'ended with {done.returncode}: {said[-500:]}')
    return said, counts[1] if len(counts) > 1 else 0
