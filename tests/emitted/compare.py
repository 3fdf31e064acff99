#!/usr/bin/env python3
"""tarn compare: what NAME_trace() of --trace prints is compared tensor by tensor. A right run has no difference, whatever holds its inputs;
a flipped bit of a weight, a wrong scale and an input that was not filled again are each found where they are; a text that is damaged,
breaks off or is of another plan is refused by name.

    compare.py --tarn TARN --work FOLDER
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from common import ROOT, Failed, check, compile_and_link, run, sampling
from nodes import flipped, has_onnxruntime

FLAGS = '-std=c99 -pedantic-errors -Wall -Wextra -Werror -Wconversion -O0 -ffp-contract=off -fsanitize=address,undefined -fno-sanitize-recover=all'.split()
DIGITS, KEYWORD = ROOT / 'examples/digits/digits.onnx', ROOT / 'examples/keyword_stream/keyword.onnx'
# Fills the inputs with small numbers, `runs` times unless they are to be stale, among other output as a log has it.
MAIN = '''#include "net_trace.h"
#include <stdio.h>
#include <stdlib.h>
static void put(void *user, char c) { if (putc(c, (FILE *)user) < 0) exit(3); }
static void fill(void *to, size_t bytes, int element, unsigned seed) {
    size_t i;
    for (i = 0; i < bytes / (size_t)element; ++i) {
        seed = seed * 1664525u + 1013904223u;
        if (element == 4) ((float *)to)[i] = (float)((int)(seed >> 20) - 2048) / 2048.0f;
        else ((unsigned char *)to)[i] = (unsigned char)(seed >> 24);
    }
}
@BUFFERS@int main(void) {
    int i, status = 0;
    for (i = 0; i < @RUNS@; ++i) {
        printf("[%d.000] starts\\r\\n", i);
        if (i == 0 || !@STALE@) { @FILL@ }
        status = (int)net_trace(@ARENA@@BUFFERNAMES@, put, stdout);
    }
    return status == 0 ? 0 : 1;
}
'''


def firmware(options, model, way, runs=1, stale=False, fault=None):
    """What the board prints, with the report beside it."""
    folder = options.work / 'net'
    shutil.rmtree(folder, ignore_errors=True)
    run([options.tarn, 'generate', model, '--name', 'net', '-o', folder, '--cc', 'none', '--trace', *way])
    report = json.loads((folder / 'net.json').read_text())
    fill, buffers, names = [], [], []
    for port in report['inputs']:
        element = 4 if port['dtype'] == 'float32' else 1
        place = f'net_input_{port["c_name"]}(@ARENA@)'
        if '--io' in way:
            place = f'in_{port["c_name"]}'
            buffers.append(f'static double {place}[{port["bytes"] // 8 + 1}];')
            names.append(f'(const {"float" if element == 4 else "void"} *){place}')
        fill.append(f'fill({place}, {port["bytes"]}u, {element}, 7u);')
    for port in report['outputs'] if '--io' in way else []:
        buffers.append(f'static double out_{port["c_name"]}[{port["bytes"] // 8 + 1}];')
        names.append(f'(float *)out_{port["c_name"]}')
    text = MAIN.replace('@FILL@', ' '.join(fill)).replace('@BUFFERS@', '\n'.join(buffers) + '\n').replace('@RUNS@', str(runs))
    text = text.replace('@BUFFERNAMES@', ''.join(', ' + n for n in names)).replace('@STALE@', str(int(stale)))
    (folder / 'main.c').write_text(text.replace('@ARENA@', '&net_arena' if '--bank' in way else 'net_arena'))
    if fault:
        file, pattern, value = fault
        changed, times = re.subn(pattern, value, (folder / file).read_text(), count=1)
        check(times == 1, f'the fault {pattern} has no place')
        (folder / file).write_text(changed)
    compile_and_link(['gcc'], FLAGS, sorted(folder.glob('*.[cS]')), folder / 'board')
    done = subprocess.run([folder / 'board'], capture_output=True, text=True)
    check(done.returncode == 0, f'the run ended with {done.returncode}: {done.stderr}')
    return folder / 'net.json', done.stdout


def compare(options, report, model, text, *more):
    dump = options.work / 'dump.txt'
    dump.write_text(text)
    done = subprocess.run([options.tarn, 'compare', report, dump, '--model', model, *more], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def try_way(options, model, way, reference):
    report, text = firmware(options, model, way, runs=2)
    code, said = compare(options, report, model, text, '--reference', reference)
    check(code == 0 and re.search(r'NODES  the board, 2 runs: (\d+) of \d+ steps compared with .*, none differs', said), f'{model.name} {way}: {code} {said}')
    check(int(re.search(r': (\d+) of', said)[1]) > 1, said)
    print(f'agrees  {model.name} beside {reference} {" ".join(way)}')


def try_fault(options, model, fault, step, layer, reference):
    report, text = firmware(options, model, [], fault=fault)
    code, said = compare(options, report, model, text, '--reference', reference)
    check(code == 7 and f'the first that differs is step {step},' in said and f"node '{layer}'" in said, f'{fault}: {code} {said}')
    print(f'found   {model.name} beside {reference}: {fault[1]} at step {step}, {layer}')


def try_stale(options):
    """With the data that the board was to have: its second run has what the first has left."""
    report, text = firmware(options, DIGITS, [], runs=2, stale=True)
    runs = text.split('@tarn ')
    data = options.work / 'data'
    data.mkdir(exist_ok=True)
    hexadecimal = re.search(r'@input image 256\n((?:@=.*\n)+)', runs[1])[1]
    raw = bytes.fromhex(''.join(re.findall(r'@=([0-9a-f]+)\*', hexadecimal)))
    # TensorProto: dims [1,1,8,8], float32, raw_data.
    (data / 'input_0.pb').write_bytes(bytes([8, 1, 8, 1, 8, 8, 8, 8, 16, 1, 0x4a, 0x80, 0x02]) + raw)
    code, said = compare(options, report, DIGITS, '@tarn ' + runs[1], '--data', str(data), '--reference', 'naive')
    check(code == 0, f'the first run: {code} {said}')
    code, said = compare(options, report, DIGITS, '@tarn ' + runs[2], '--data', str(data), '--reference', 'naive')
    check(code == 7 and "tensor 'image': error E404: the board ran with another input" in said, f'stale: {code} {said}')
    print('found   an input that was not filled again')


def try_texts(options):
    report, text = firmware(options, DIGITS, [])
    at = text.index('@=', text.index('@tensor 1')) + 4
    damaged = text[:at] + ('1' if text[at] != '1' else '2') + text[at + 1:]
    lost = re.sub(r'(@tensor 2 \S+ \d+\n)@=.*\n', r'\1', text, count=1)
    cut = text[:text.index('@tensor 3') - 20]
    other = re.sub(r'(@tarn 1 net )\w+', r'\g<1>0123456789abcdef', text)
    for name, given, code, words in [('damaged', damaged, 3, 'E415.*is damaged'), ('lost', lost, 3, r'E415.*of \d+ bytes'), ('none', 'hello\n', 3, 'E415: there is no dump'),
                                     ('cut', cut, 7, 'E406: the run broke off after step'), ('other', other, 3, 'E415: it was printed by net of plan 0123456789abcdef')]:
        got, said = compare(options, report, DIGITS, given, '--reference', 'naive')
        check(got == code and re.search(words, said), f'{name}: {got} {said}')
    got, said = compare(options, report, KEYWORD, text)
    check(got == 3 and 'E415: the model is not the one' in said, f'another model: {got} {said}')
    got, said = compare(options, DIGITS, DIGITS, text)
    check(got == 3 and 'E307' in said, f'no report: {got} {said}')
    print('refused five texts, another model and what is no report')


def main():
    parser = argparse.ArgumentParser()
    for name in ('tarn', 'work'):
        parser.add_argument('--' + name, type=lambda p: pathlib.Path(p).resolve(), required=True)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    exported = pathlib.Path(os.environ.get('TARN_SHARED_DIR', ROOT.parent / 'shared')) / 'exported'
    quantised, windows = exported / 'mlpt_kws_dscnn_qdq_s8_sym/model.onnx', exported / 'wake_stream_dw/model.onnx'
    try:
        ways = [(DIGITS, []), (DIGITS, ['--io', 'caller', '--input-layout', 'nhwc']), (DIGITS, ['--bank', 'dtcm=1600', '--bank', 'sram=8K']),
                (KEYWORD, []), (KEYWORD, ['--state', 'auto']), (windows, ['--state', 'auto', '--state-window', 'ring']),
                (quantised, ['--files', 'single'])]
        for model, way in sampling.part([w for w in ways if w[0].exists()]):
            try_way(options, model, way, 'naive')
        for reference in ['naive', *(['ort'] if has_onnxruntime() else [])]:
            if reference == 'ort':
                try_way(options, DIGITS, [], reference)
            try_fault(options, DIGITS, flipped('net_w_conv2_weight_conv'), 2, 'conv2', reference)
        try_stale(options)
        try_texts(options)
    except Failed as failed:
        print(f'FAILED: {failed}')
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
