#!/usr/bin/env python3
"""What a power failure leaves of `tarn generate` and of reports: power.py TARN.

A preloaded library (power.c) notes each rename, removal and fsync. From these notes comes what the disk may hold at any moment: contents
of files that were not waited for are lost, and of the changes of names that were not waited for any may be there and any not. Each such
folder holds the old files or the new ones, or `cc -c *.c` fails; once tarn has ended with 0 only the new ones are possible.
TARN_FULL=1: more of the possible folders. TARN_SEED=N: others."""
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

TARN = pathlib.Path(sys.argv[1]).resolve()
HERE = pathlib.Path(__file__).resolve().parent
DIGITS = HERE.parent.parent / 'examples/digits/digits.onnx'
FULL = os.environ.get('TARN_FULL', '') not in ('', '0')
SUBSETS = 40 if FULL else 3
RANDOM = random.Random(int(os.environ.get('TARN_SEED', '1')))
# How the files that were there before were made (None: there are none, nor a folder), and how the new ones are.
CASES = {
    'split over split': (['--align', '32'], []),
    'single over split': ([], ['--files', 'single']),
    'a package over plain files': (['--files', 'single'], ['--layout', 'platformio', '--report', 'HERE/page.html']),
    'a new folder': (None, ['--files', 'single']),
}


def tree(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob('*')) if p.is_file()}


def compiles(files, work):
    """Does cc -c *.c succeed? Sources of packages stand in src, headers in include."""
    shutil.rmtree(work, ignore_errors=True)
    for name, content in files.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_bytes(content)
    sources = [work / name for name in files if name.endswith('.c')]
    return bool(sources) and subprocess.run(['cc', '-std=c99', '-fsyntax-only', f'-I{work}', f'-I{work}/include', *sources],
                                            capture_output=True).returncode == 0


class Disk:
    """What is certain to be there, and what has changed since, by folder."""

    def __init__(self, folder, before, kept):
        self.folder, self.certain, self.kept = folder, dict(before), kept
        self.pending, self.synced = {}, set()

    def read(self, line):
        """True where the disk has been waited for."""
        what, rest = line.split(' ', 1)
        if what == 'sync':
            self.synced.add(rest)
            for place in [p for p in self.pending if str(place_inode(p)) == rest]:
                for name, content in self.pending.pop(place):
                    self.change(self.certain, name, content)
            return True
        path = pathlib.Path(rest.split(' ', 1)[1] if what == 'put' else rest)
        path = path if path.is_absolute() else pathlib.Path.cwd() / path
        if self.folder not in path.parents or any(part.startswith('.tarn-') for part in path.parts):
            return False
        inode = rest.split(' ', 1)[0]
        content = None if what == 'drop' else (self.kept / inode).read_bytes() if inode in self.synced else b''
        self.pending.setdefault(path.parent, []).append((str(path.relative_to(self.folder)), content))
        return False

    @staticmethod
    def change(files, name, content):
        if content is None:
            files.pop(name, None)
        else:
            files[name] = content

    def possible(self):
        """A sample of the folders that a power failure may leave now."""
        changes = [change for folder in self.pending.values() for change in folder]
        subsets = [changes, *([c] for c in changes[:1] + changes[-1:])]
        subsets += [[c for c in changes if RANDOM.random() < 0.5] for _ in range(SUBSETS)]
        for subset in subsets:
            files = dict(self.certain)
            for name, content in subset:
                self.change(files, name, content)
            yield files


INODES = {}


def place_inode(folder):
    if folder not in INODES:
        INODES[folder] = folder.stat().st_ino
    return INODES[folder]


def run(case, old, new, work):
    there, log, kept = work / 'there', work / 'log', work / 'kept'
    kept.mkdir(parents=True)
    words = lambda more: [TARN, 'generate', DIGITS, '--cc', 'none', '-o', there, *(w.replace('HERE', str(there)) for w in more)]
    if old is not None:
        subprocess.run(words(old), check=True, capture_output=True)
        for folder in [there, *(p for p in there.rglob('*') if p.is_dir())]:
            place_inode(folder)
    before = tree(there)
    subprocess.run(words(new), check=True, capture_output=True,
                   env={**os.environ, 'LD_PRELOAD': str(POWER), 'TARN_LOG': str(log), 'TARN_KEPT': str(kept)})
    after = tree(there)
    disk, seen, wrong = Disk(there, before, kept), 0, []
    lines = log.read_text().splitlines()
    for number, line in enumerate(lines):
        waits = number + 1 < len(lines) and lines[number + 1].startswith('sync')
        disk.read(line)
        if line.startswith('sync') or not waits and number + 1 < len(lines):
            continue
        for files in disk.possible():
            seen += 1
            if files not in (before, after) and compiles(files, work / 'possible'):
                wrong.append(f'after "{line}": {sorted(set(files.items()) ^ set(after.items()))}'[:300])
    if disk.certain != after or disk.pending and any(disk.pending.values()):
        wrong.append('tarn ended, and not all is on the disk')
    parent = str(there.parent.stat().st_ino)
    if old is None and f'sync {parent}' not in lines:
        wrong.append('the new folder itself may be lost')
    print(f'{case}: {sum(line.startswith("put") for line in lines)} renames, {sum(line.startswith("sync") for line in lines)} waits, '
          f'{seen} folders tried, {len(wrong)} wrong')
    return wrong


def main():
    global POWER
    work = pathlib.Path(tempfile.mkdtemp(prefix='tarn_power_'))
    POWER = work / 'power.so'
    subprocess.run(['cc', '-O1', '-Wall', '-shared', '-fPIC', '-o', POWER, HERE / 'power.c', '-ldl'], check=True)
    wrong = [w for number, (case, (old, new)) in enumerate(CASES.items()) for w in run(case, old, new, work / str(number))]
    for what in wrong:
        print('WRONG', what)
    shutil.rmtree(work)
    return 1 if wrong else 0


sys.exit(main())
