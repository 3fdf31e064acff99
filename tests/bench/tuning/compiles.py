#!/usr/bin/env python3
"""Does a build with -DTARN_TUNING=ON still compile? There the numbers of the files tuning.h are no constants to the compiler.

    compiles.py BUILD       the headers, and a look for places where the compiler would have to know such a number
    TARN_FULL=1 ...         each source that includes one of them, checked by the compiler (minutes)

BUILD: a folder with compile_commands.json, whose compiler and options are taken."""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
GENERATOR = ROOT / 'generator'
INCLUDE = re.compile(r'#include "((?:\w+/)?tuning\.h)"')
# A statement whose value the compiler has to know.
CONSTANT = re.compile(r'\b(?:constexpr|constinit|static_assert)\b[^;{]*[;{][^;]*;|\bcase [^:]*:|\bstd::array<[^;>]*>|\w \w+\[[^\]]+\](?: = [^;]*)?;')


def names_of(header):
    return set(re.findall(r'TARN_TUNED(?:_LIST)?\([^;]*?\b(k[A-Z]\w*)', header.read_text()))


def uses(header_names, source):
    """The places of a source that need one of the names while it is compiled."""
    text = source.read_text()
    named = set().union(*(header_names[name] for name in INCLUDE.findall(text)))
    text = re.sub(r'//[^\n]*', lambda m: ' ' * len(m.group()), text)
    for m in CONSTANT.finditer(text):
        for name in sorted(named & set(re.findall(r'\bk[A-Z]\w*', m.group()))):
            yield f'{source.relative_to(ROOT)}:{text.count(chr(10), 0, m.start()) + 1}: {name} must be known when this is compiled'


def options_of(build):
    with open(build / 'compile_commands.json', encoding='utf-8') as f:
        commands = [shlex.split(c['command']) for c in json.load(f) if '/tarn_core.dir/' in c['command']]
    options = commands[0][:commands[0].index('-o')]
    if '-include' in options:  # a precompiled header has macros of its own
        at = options.index('-include')
        del options[at:at + 2]
    return [o for o in options if o not in ('-MD', '-Winvalid-pch', '/usr/bin/ccache')]


def compiles(options, build, source):
    done = subprocess.run(options + ['-DTARN_TUNING', '-fsyntax-only', str(source)], cwd=build, capture_output=True, text=True)
    return [] if done.returncode == 0 else [f'{source} with -DTARN_TUNING:\n{done.stderr[:2000]}']


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    headers = sorted(GENERATOR.rglob('tuning.h'))
    names = {str(h.relative_to(GENERATOR)): names_of(h) for h in headers}
    sources = [p for p in sorted(GENERATOR.rglob('*.cc')) + sorted(GENERATOR.rglob('*.h')) if INCLUDE.search(p.read_text())]
    faults = [fault for source in sources for fault in uses(names, source)]
    options = options_of(build)
    with tempfile.TemporaryDirectory() as folder:
        all_headers = pathlib.Path(folder) / 'headers.cc'
        all_headers.write_text(''.join(f'#include "{name}"\n' for name in names))
        faults += compiles(options, build, all_headers)
    full = os.environ.get('TARN_FULL') == '1'
    if full:
        faults += [fault for source in sources if source.suffix == '.cc' for fault in compiles(options, build, source)]
    print('\n'.join(faults + [f'{sum(map(len, names.values()))} numbers of {len(headers)} headers, {len(sources)} sources'
                              f'{" compiled" if full else " looked at"}: {len(faults)} faults']))
    return 1 if faults or not all(names.values()) else 0


if __name__ == '__main__':
    sys.exit(main())
