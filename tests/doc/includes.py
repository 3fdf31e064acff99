#!/usr/bin/env python3
"""Each file of generator/ includes what it names.

Most files are compiled several at once, so that a compiler does not see what one of them forgets to include or to qualify;
clang-tidy compiles files one by one, and only a sample of them. This looks at the text, and at all files:

  - of ns::name, declared in headers of that namespace, one of these headers is included, directly or through others
  - a type of another namespace is written with its namespace, unless an included file says `using ns::Type`

    includes.py

Prints every fault and the counts; ends with 1 where there is one.
"""
import collections
import pathlib
import re
import sys

GENERATOR = pathlib.Path(__file__).resolve().parents[2] / 'generator'
DECLARED = re.compile(r'^(?:template <[^>]*> ?)?(?:'
                      r'(?:struct|class|enum class|enum|using) (?P<type>\w+)(?= [={:]|$)'  # no forward declarations: those end with ;
                      r'|(?:inline |constexpr |extern |\[\[nodiscard\]\] )*[\w:<>,*& ]+?[ &*](?P<name>\w+)(?:\(|\{| =|;|\[))', re.M)


def code_of(text):
    """The text without comments and what strings hold."""
    text = re.sub(r'R"(\w*)\(.*?\)\1"', '""', text, flags=re.S)
    text = re.sub(r'//[^\n]*|/\*.*?\*/', '', text, flags=re.S)
    return re.sub(r'"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])\'', '""', text)


class File:
    def __init__(self, path):
        self.path = path.relative_to(GENERATOR)
        text = path.read_text()
        self.includes = re.findall(r'^#include "([^"]+)"', text, re.M)
        self.code = code_of(text)
        spaces = re.findall(r'^namespace (tarn(?:::\w+)*) \{', self.code, re.M)
        self.spaces = {part for space in spaces + re.findall(r'^namespace (\w+) \{', self.code, re.M) for part in space.split('::')} or {'tarn'}  # all that it opens, with those around
        self.space = spaces[0].split('::')[-1] if spaces else 'tarn'                      # of what it declares
        self.types, self.names = set(), set()
        for match in DECLARED.finditer(self.code):
            if match['type']:
                self.types.add(match['type'])
            elif match['name']:
                self.names.add(match['name'])
        # `using ns::Type;` and names that the file itself declares inside others.
        self.opened = set(re.findall(r'\busing namespace (?:\w+::)*(\w+);', self.code))
        self.brought = set(re.findall(r'\busing (?:\w+::)+(\w+);', self.code))
        self.own = set(re.findall(r'\b(?:struct|class|enum class|enum|using|typename|class|typename\.\.\.|class\.\.\.) (\w+)', self.code))


def main():
    files = {str(f.path): f for f in map(File, sorted([*GENERATOR.rglob('*.cc'), *GENERATOR.rglob('*.h')]))}
    reached = {}

    def reach(name):
        """Files that this one includes, itself among them."""
        if name not in reached:
            reached[name] = set()
            todo = [name]
            while todo:
                one = todo.pop()
                if one in files and one not in reached[name]:
                    reached[name].add(one)
                    todo += files[one].includes
        return reached[name]

    headers = [f for name, f in files.items() if name.endswith('.h')]
    declaring, spaces_of_type = collections.defaultdict(set), collections.defaultdict(set)
    for f in headers:
        for name in f.types | f.names:
            declaring[f.space, name].add(str(f.path))
        for name in f.types:
            spaces_of_type[name].add(f.space)

    faults, counts = [], collections.Counter()
    for name, f in files.items():
        seen = reach(name)
        for number, line in enumerate(f.code.splitlines(), 1):
            for space, used in re.findall(r'\b(\w+)::(\w+)', line):
                if space not in ('tarn', 'onnx') and (candidates := declaring.get((space, used))):
                    counts['names of other namespaces'] += 1
                    if not candidates & seen:
                        faults.append(f'generator/{name}:{number}: uses {space}::{used} without {" or ".join(sorted(candidates))}')
        known = set().union(*({*files[g].brought, *files[g].own} for g in seen if g == name or files[g].space in f.spaces))
        for number, line in enumerate(f.code.splitlines(), 1):
            for used in re.findall(r'(?<![\w:.>])([A-Z]\w*[a-z]\w*)\b(?!\()', line):
                spaces = spaces_of_type.get(used)
                if not spaces or 'tarn' in spaces:
                    continue
                counts['types'] += 1
                if not spaces & (f.spaces | f.opened) and used not in known:
                    faults.append(f'generator/{name}:{number}: uses {used} of {" or ".join(sorted(spaces))} without its namespace')
    for line in faults:
        print(line)
    print(f'{len(files)} files, ' + ', '.join(f'{n} {what}' for what, n in sorted(counts.items())) + f': {len(faults)} faults')
    return 1 if faults or not counts['types'] else 0


if __name__ == '__main__':
    sys.exit(main())
