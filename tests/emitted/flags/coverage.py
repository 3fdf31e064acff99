"""Which files of the runtime must be tried with all flags: those with assembly, functions of assembly alone, compiler
intrinsics or memory read as another type, and kernels that include such a header."""
import re

from programs import RUNTIME

TRICKS = re.compile(r'__asm__|TARN_NAKED|__builtin_|__attribute__|\bunion\b|may_alias|arm_acle|arm_mve|\*\)\s*\((?:const )?void \*\)')
# What all kernels include: its macros stand for tricks, and count where they are used.
EVERYWHERE = {'tarn.h', 'tarn_types_f32.h'}
# No program here has it: networks with such states have no stored data that a self-test could run.
# The first one's arithmetic is that of tarn_attention_f32.c and tarn_state_decode.c, which are tried; the second one has none, and moves
# elements as tarn_gather_b4.c does.
UNTRIED = {'tarn_attention_kept_w8.c', 'tarn_shift_b4.c'}
# For processors that are none of the boards here: kernels.vector and kernels.same_bits try them.
def elsewhere(path):
    return path.parent.name == 'f32_vector' or path.name.endswith('_avx2.h')


def text_of(path):
    """Without comments, and without what is on for none of the boards: vectors of four."""
    text = re.sub(r'/\*.*?\*/', '', path.read_text(), flags=re.S)
    return re.sub(r'#ifdef TARN_FOURS_F32\n.*?(?=#else|#endif)', '', text, flags=re.S)


def runtime_files():
    return {p.name: text_of(p) for p in RUNTIME.rglob('*.[ch]') if not elsewhere(p)}


def included(name, files, seen):
    for header in re.findall(r'#include "(\S+)"', files.get(name, '')):
        if header not in seen:
            seen.add(header)
            included(header, files, seen)
    return seen


def tricky():
    """The files with tricks of their own, and all kernels (.c) that have or include one."""
    files = runtime_files()
    own = {name for name, text in files.items() if name not in EVERYWHERE and TRICKS.search(text)}
    kernels = {name for name in files if name.endswith('.c') and name not in UNTRIED and (name in own or included(name, files, set()) & own)}
    return own, kernels


def source_of(name, files):
    """tarn_gather_b1.c is made of tarn_gather_b4.c."""
    if name in files:
        return name
    for written in ('f32', 's32', 'b4', 's8'):
        source = re.sub(r'_[a-z0-9]+\.([ch])$', rf'_{written}.\1', name)
        if source in files:
            return source
    return None


def linked(names):
    """Runtime files behind the files of a program, with all that they include."""
    files, found = runtime_files(), set()
    for name in names:
        source = source_of(name, files)
        if source:
            found |= {source} | included(source, files, set())
    return found


def functions_of_assembly():
    return {name for text in runtime_files().values() for name in re.findall(r'TARN_NAKED[^(]*?(\w+)\(', text)}


def lacking(kernels):
    """Files of the runtime that these kernels call, by the headers they include, and that are not among them."""
    files, needed = runtime_files(), set()
    for path in kernels:
        needed |= {header[:-2] + '.c' for header in included(path.name, files, set())}
    return (needed & set(files)) - {path.name for path in kernels}
