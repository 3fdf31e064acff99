"""Calls, of random numbers, of the kernels that spread constants out in the arena before a layer's own call (generator/program/spread_forms.h). A planner takes few of
them, behind layers that take far longer, so they are called as the emitted code does and not as steps of networks."""
import subprocess

FAMILY = 'spread'
MAIN = '''#include <stdint.h>
{includes}void bench_begin(void);
void bench_end(void);
__attribute__((noinline)) void bench_begin(void) {{ __asm__ volatile(""); }}
__attribute__((noinline)) void bench_end(void) {{ __asm__ volatile("nop"); }}
static uint8_t arena[16384];
{calls}int main(void) {{
{windows}  return 0;
}}
'''


def uniform(rng, kind):
    """What is stored, the numbers that decide how long a call takes, and all arguments behind the two places."""
    m, c = rng.randint(1 << 30, (1 << 31) - 1), rng.randint(-9999999, 9999999)
    lanes = rng.choice([1, 2, 4, 4, 4, 8])
    made = lanes * rng.randint(max(1, 24 // lanes), 320 // lanes)
    if kind == 'tarn_int_spread':
        pairs = rng.random() < 0.5
        count = made * (1 + pairs)
        return ('int32_t', count), {'count': count, 'lanes': lanes, 'm': 0 if pairs else m}, [count, lanes, 0 if pairs else m, c]
    if kind == 'tarn_int_spread_factors':
        return ('int32_t', made), {'count': made, 'lanes': lanes}, [made, lanes, m, c, rng.randint(1, 4)]
    if kind == 'tarn_int_spread_codes':
        width = rng.randint(1, 5)
        return ('uint8_t', 32 * width), {'width': width}, [width, rng.randint(-9, 9), rng.randint(-128, 9)]
    if kind == 'tarn_int_spread_shorts':
        count, width = rng.randint(24, 600), rng.randint(1, 16)
        return ('uint8_t', (count * width + 7) // 8), {'count': count, 'width': width}, [count, width, rng.randint(0, 8), c]
    if kind == 'tarn_int_spread_narrow':
        count, width = rng.randint(12, 400), rng.choice([2, 4])
        return ('uint32_t', count), {'count': count, 'width': width}, [count, width, f'{rng.randint(1, 250) * 0x01010101}u']
    return ('uint32_t', 31), {}, []


KINDS = {'tarn_int_spread': 'int32_t', 'tarn_int_spread_factors': 'int32_t', 'tarn_int_spread_codes': 'int8_t', 'tarn_int_spread_shorts': 'int32_t',
         'tarn_int_spread_narrow': 'uint32_t', 'tarn_int_spread_exponentials': 'uint32_t'}


def write(build, target, folder, rng, count):
    """Writes main.c and the kernels; returns [(kernel, terms)]. The first window of the program is an empty one."""
    (folder / 'c').mkdir()
    subprocess.run([build / 'tests/bench/time/time_terms', '--kernels', folder / 'c', *KINDS], check=True)
    held, told, windows, names = [], [], [], list(KINDS)
    for i in range(count):
        kernel = names[i % len(names)]
        (stored, length), parameters, rest = uniform(rng, kernel)
        numbers = ', '.join(f'({stored}){rng.randint(0, 255)}' for _ in range(length))
        arguments = ', '.join([f'own_{i}', f'({KINDS[kernel]} *)(void *)(to + {4 * rng.randint(0, 500)}u)', *map(str, rest)])
        held.append(f'static const {stored} own_{i}[] = {{{numbers}}};\n__attribute__((noinline)) static void call_{i}(uint8_t *to) {{ {kernel}({arguments}); }}\n')
        told.append(' '.join([kernel, *(f'{name}={number}' for name, number in parameters.items())]))
        windows.append(f'  bench_begin();\n  call_{i}(arena);\n  bench_end();\n')
    held.append('__attribute__((noinline)) static void empty(uint8_t *to) { __asm__ volatile("" : : "r"(to)); }\n')
    windows.insert(0, '  bench_begin();\n  empty(arena);\n  bench_end();\n')
    (folder / 'main.c').write_text(MAIN.format(includes=''.join(f'#include "{kernel}.h"\n' for kernel in KINDS), calls=''.join(held), windows=''.join(windows)))
    lines = subprocess.run([build / 'tests/bench/time/time_terms', '--calls', target], input='\n'.join(told) + '\n', check=True, text=True, capture_output=True).stdout
    found = [line.split()[1:] for line in lines.splitlines()]
    return [(kernel, {name: float(number) for name, number in (term.split('=') for term in terms)}) for kernel, *terms in found]
