#!/usr/bin/env python3
"""What comments and documents name is in the tree.

    documents.py [--fix]

Checked: files that comments name; `note [...]`, which exactly one comment defines; facts F0, F1 ... of the order search, which
have a section in generator/doc/least_peak.md; scripts that documents name as commands, which are executable and run by a
test; links and code paths in documents; and generator/doc/headers.md, which holds
every header of generator/ with the first sentence of its comment (--fix renews it). Nothing else stands at the top than TOP.
Prints every fault and the counts; ends with 1 where there is one.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADERS = ROOT / 'generator/doc/headers.md'
SOURCES = ('.cc', '.h', '.c', '.py', '.sh', '.cmake', '.txt', '.js', '.S', '.ld', '.in')
NAME = re.compile(r'(?<![\w@<>./*%{}$-])((?:[\w-]+/)*[\w-]+\.(?:md|cc|h|c|py|sh|cmake|js|tsv))(?![\w(])')
TOP = {'CMakeLists.txt', 'LICENSE', 'README.md', 'examples', 'generator', 'runtime', 'templates', 'tests'}  # and dotfiles
# Files that are written by tarn or a user, or belong to a standard library or another tool.
FOREIGN = {
    'standard library': {'assert.h', 'float.h', 'inttypes.h', 'limits.h', 'math.h', 'stdbool.h', 'stddef.h', 'stdint.h', 'stdio.h', 'stdlib.h', 'string.h',
                         'arm_acle.h', 'arm_mve.h', 'immintrin.h', 'riscv_vector.h', 'tgmath.h', 'errno.h'},
    'tools, data and documents outside': {'Operators.md', 'Changelog.md', 'qemu-plugin.h', 'MANIFEST.tsv', 'PEERS.tsv', 'tvmgen_default.h'},
    'placeholders': {'text.c', '_weights.c', '_weights.h', 'firmware/a.c', 'file.c', 'SOURCE.c', 'KERNEL.c', 'one.h', 'two.h', 'away.h',
                     'exact_layer.h', 'pair.h'},
}


def tracked():
    done = subprocess.run(['git', '-C', ROOT, 'ls-files', '-co', '--exclude-standard'], capture_output=True, text=True)
    listed = done.stdout.splitlines()
    if done.returncode != 0:  # an archive without history
        folders = [ROOT / f for f in ('generator', 'tests', 'runtime', 'templates', 'examples', '.ci')]
        listed = [str(p.relative_to(ROOT)) for p in [*ROOT.glob('*'), *(p for f in folders for p in f.rglob('*'))]]
    return [pathlib.PurePosixPath(name) for name in listed if (ROOT / name).is_file()]


def comments(path, text):
    """(line number, text) of what is comment in a source file."""
    if path.suffix in ('.py', '.sh', '.cmake', '.txt'):
        inside = False
        for number, line in enumerate(text.splitlines(), 1):
            quotes = line.count('"""') if path.suffix == '.py' else 0
            if inside or quotes:
                yield number, line
            elif '#' in line:
                yield number, line[line.index('#'):]
            inside ^= quotes % 2 == 1
        return
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if inside:
            yield number, line
            inside = '*/' not in line
        elif (at := line.find('//')) >= 0 and not line[:at].endswith(':'):
            yield number, line[at + 2:]
        elif (at := line.find('/*')) >= 0:
            yield number, line[at + 2:]
            inside = '*/' not in line[at:]


class Checker:
    def __init__(self):
        self.files = tracked()
        self.by_name = collections.defaultdict(list)
        for file in self.files:
            self.by_name[file.name].append(str(file))
        self.foreign = set().union(*FOREIGN.values())
        self.faults = []
        self.counts = collections.Counter()

    def fault(self, path, number, text):
        self.faults.append(f'{path}:{number}: {text}')

    def exists(self, name):
        known = self.by_name.get(pathlib.PurePosixPath(name).name, [])
        return any(file == name or file.endswith('/' + name) for file in known)

    def check_names(self, path, number, text):
        for name in NAME.findall(text):
            if name in self.foreign or is_written(name):
                continue
            self.counts['names of files'] += 1
            if not self.exists(name):
                self.fault(path, number, f'names {name}, which is not in the tree')

    def check_sources(self):
        defined, cited = collections.defaultdict(list), []
        for path in self.files:
            if path.suffix not in SOURCES or not str(path).startswith(('generator/', 'tests/', 'runtime/', 'templates/', 'examples/', '.ci/', 'CMake')):
                continue
            if path == pathlib.PurePosixPath('tests/doc/documents.py') or (path.suffix == '.txt' and path.name != 'CMakeLists.txt'):
                continue
            for number, text in comments(path, (ROOT / path).read_text(errors='replace')):
                self.check_names(path, number, text)
                if definition := re.match(r'\s*note \[([^\]]+)\]:', text):
                    defined[definition.group(1)].append(f'{path}:{number}')
                cited += [(note, path, number) for note in re.findall(r'\bnote \[([^\]]+)\]', text)]
                if str(path).startswith('generator/schedule/'):
                    self.check_facts(path, number, text)
        for note, path, number in cited:
            self.counts['notes cited'] += 1
            if len(defined[note]) != 1:
                self.fault(path, number, f'note [{note}] is defined {len(defined[note])} times')

    def check_facts(self, path, number, text):
        page = (ROOT / 'generator/doc/least_peak.md').read_text()
        for fact in re.findall(r'\bF[0-9]\b', text):
            self.counts['facts cited'] += 1
            if not re.search(rf'^## {fact}\. ', page, re.M):
                self.fault(path, number, f'{fact} has no section in generator/doc/least_peak.md')

    def check_documents(self):
        for path in self.files:
            if path.suffix != '.md':
                continue
            text = (ROOT / path).read_text()
            for number, line in enumerate(text.splitlines(), 1):
                for target in re.findall(r'\]\(([^)\s]+)\)', line):
                    if re.match(r'[a-z]+:|#', target):
                        continue
                    self.counts['links'] += 1
                    if not (ROOT / path.parent / target.split('#')[0]).exists():
                        self.fault(path, number, f'links to {target}, which does not exist')
                if str(path).startswith('generator/doc/') and path.name != 'interface.md':
                    for code in re.findall(r'`([^`]+)`', line):
                        self.check_names(path, number, code)

    def check_commands(self):
        """A script that a document names as a command is executable, and a test or continuous integration runs it."""
        runs = '\n'.join((ROOT / f).read_text() for f in self.files if f.name == 'CMakeLists.txt' or str(f).startswith('.ci/'))
        named = {}
        for path in self.files:
            if path.suffix == '.md':
                for number, line in enumerate((ROOT / path).read_text().splitlines(), 1):
                    for script in re.findall(r'(?:`|\$ |^)(?:\./)?((?:tests|examples|\.ci)/[\w/.-]+\.(?:py|sh))', line):
                        named.setdefault(script, f'{path}:{number}')
        for script, where in sorted(named.items()):
            self.counts['commands'] += 1
            if not (ROOT / script).exists() or not (ROOT / script).stat().st_mode & 0o111:
                self.faults.append(f'{where}: names {script} as a command, which is not executable')
            name = pathlib.PurePosixPath(script)
            if name.name not in runs and f'{name.stem}_test.sh' not in runs and f'{name.parent.name}/run.py' not in runs and f'tarn_bench({name.parent.name} ' not in runs:
                self.faults.append(f'{where}: names {script} as a command, which no test runs')

    def check_headers(self, fix):
        lines = ['# Headers of generator/', '', 'Every header with the first sentence of its comment. Written by `tests/doc/documents.py --fix`; a test compares.', '']
        folder = None
        for path in sorted(p for p in self.files if p.suffix == '.h' and str(p).startswith('generator/')):
            summary = first_sentence((ROOT / path).read_text())
            self.counts['headers'] += 1
            if not summary:
                self.fault(path, 1, 'begins with no comment that says what it is for')
            if path.parent != folder:
                folder = path.parent
                lines += [f'## {folder.relative_to("generator") if str(folder) != "generator" else "generator"}/', '', '| header | what it is for |', '|---|---|']
            lines.append(f'| [{path.name}](../{path.relative_to("generator")}) | {summary} |')
        # A blank line before each heading but the first.
        text = re.sub(r'\n(## )', r'\n\n\1', '\n'.join(lines)).replace('\n\n\n', '\n\n') + '\n'
        if fix:
            HEADERS.write_text(text)
        elif not HEADERS.exists() or HEADERS.read_text() != text:
            self.fault('generator/doc/headers.md', 1, 'is not what the headers say: run tests/doc/documents.py --fix')


def is_written(name):
    """Files that tarn writes for a model, by the names that comments use: kws.c, NAME.h, NAME_weights.c, m_stream.h ..."""
    return re.match(r'(NAME|MODEL|FOLDER|OLD|NEW|kws|m|model|net|bench|main|layer|a|b|x|y|k|first|second|tarn)(_\w+)?\.(c|h|md)$', name) is not None \
        or name.startswith(('CMSIS', 'onnx/', 'ggml'))


def first_sentence(text):
    comment = []
    for line in text.splitlines():
        if not line.startswith('//'):
            break
        body = line[2:].strip()
        if not body:
            break
        comment.append(body)
    joined = ' '.join(comment).replace('|', '\\|')
    end = re.search(r'[.:](?= [A-Z]|$)|\.$', joined)
    return joined[:end.start()] + '.' if end else joined


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--fix', action='store_true', help='renews generator/doc/headers.md')
    options = parser.parse_args()
    checker = Checker()
    checker.check_headers(options.fix)
    checker.check_sources()
    checker.check_documents()
    checker.check_commands()
    for name in sorted({path.parts[0] for path in tracked()} - TOP):
        if not name.startswith('.'):
            checker.faults.append(f'{name}: stands at the top, where nothing else belongs than {" ".join(sorted(TOP))}')
    for fault in checker.faults:
        print(fault)
    print(', '.join(f'{count} {what}' for what, count in sorted(checker.counts.items())) + f': {len(checker.faults)} faults')
    return 1 if checker.faults or len(checker.counts) < 5 else 0


if __name__ == '__main__':
    sys.exit(main())
