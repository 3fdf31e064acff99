#!/usr/bin/env python3
"""The crate of --layout rust: cargo builds it without warnings, and a program over its safe interface gives the numbers of the C interface -
inputs in the arena or the caller's, several banks, by lines, states, sources split, weights as a binary file.

    rust.py --tarn TARN --work FOLDER

77 where there is no cargo.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from common import ROOT, Failed, check, run

DIGITS, KEYWORD = ROOT / 'examples/digits/digits.onnx', ROOT / 'examples/keyword_stream/keyword.onnx'
WAYS = [(DIGITS, []), (DIGITS, ['--io', 'caller']), (DIGITS, ['--bank', 'fast=1K', '--bank', 'slow=64K']), (DIGITS, ['--files', 'split', '--weights', 'incbin']),
        (DIGITS, ['--stream', 'fed', '--drain']), (DIGITS, ['--stream', 'resident']), (DIGITS, ['--stream', 'fed']), (KEYWORD, ['--state', 'memory_out=memory']), (DIGITS, ['--name', 'type'])]
HEAD = '''use @CRATE@::*;
use std::convert::TryInto;
fn number(seed: &mut u32) -> f32 {
    *seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
    ((*seed >> 20) as i32 - 2048) as f32 / 2048.0
}
fn print(name: &str, values: &[f32]) {
    for value in values {
        println!("{} {:08x}", name, value.to_bits());
    }
}
fn fill(values: &mut [f32]) {
    let mut seed = 7u32;
    for value in values {
        *value = number(&mut seed);
    }
}
'''
C_HEAD = '''#include "@NAME@.h"
#include <stdio.h>
#include <string.h>
static void print(const char *name, const float *values, size_t count) {
    size_t i;
    for (i = 0; i < count; ++i) {
        uint32_t bits;
        memcpy(&bits, values + i, 4);
        printf("%s %08x\\n", name, (unsigned)bits);
    }
}
static void fill(float *values, size_t count) {
    uint32_t seed = 7u;
    size_t i;
    for (i = 0; i < count; ++i) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = (float)((int)(seed >> 20) - 2048) / 2048.0f;
    }
}
'''


def elements(port):
    return port['bytes'] // 4


def rust_main(report, crate, way):
    """The program over the crate."""
    banks = [b['name'] for b in report.get('banks', []) if b['arena'] > 0] if way.count('--bank') > 1 else []
    text = HEAD.replace('@CRATE@', crate) + 'fn main() {\n'
    for bank in banks:
        text += f'    let mut {bank} = Arena{bank[0].upper()}{bank[1:]}::new();\n'
    text += '' if banks else '    let mut arena = Arena::new();\n'
    text += f'    let mut network = Network::new({", ".join("&mut " + b for b in banks) or "&mut arena"});\n'
    inputs, outputs = report['inputs'], report['outputs']
    for i, port in enumerate(inputs):
        text += f'    let mut in_{i} = vec![0f32; {elements(port)}];\n    fill(&mut in_{i});\n'
    if 'fed' in way:
        for i, port in enumerate(outputs):
            text += f'    let mut out_{i}: Vec<f32> = Vec::new();\n'
        port = inputs[0]['c_name']
        line = f'INPUT_{port.upper()}_LINE'
        text += f'    let mut at = 0;\n    loop {{\n        let mut moved = 0;\n        if at < in_0.len() && network.lines_wanted_{port}() > 0 {{\n'
        text += f'            moved += network.push_{port}(&in_0[at..at + {line}]).unwrap();\n            at += moved * {line};\n        }}\n'
        for i, out in enumerate(outputs):
            if '--drain' in way:
                size = f'OUTPUT_{out["c_name"].upper()}_LINE'
                text += f'        let mut one = vec![0f32; {size}];\n        let n = network.pull_{out["c_name"]}(&mut one).unwrap();\n'
                text += f'        if n > 0 {{ out_{i}.extend(&one); }}\n        moved += n;\n'
        text += '        if moved == 0 { break; }\n    }\n'
        text += f'    assert_eq!(network.push_{port}(&in_0[..1]).is_err(), {line} != 1);\n'
        for i, out in enumerate(outputs):
            text += f'    let _ = &mut out_{i};\n' + (f'    print("{out["c_name"]}", &out_{i});\n' if '--drain' in way else f'    print("{out["c_name"]}", network.output_{out["c_name"]}());\n')
    elif '--io' in way:
        for i, port in enumerate(outputs):
            text += f'    let mut out_{i} = [0f32; {elements(port)}];\n'
        arguments = [f'in_{i}[..].try_into().unwrap()' for i in range(len(inputs))] + [f'&mut out_{i}' for i in range(len(outputs))]
        text += f'    network.run({", ".join(arguments)}).unwrap();\n'
        text += ''.join(f'    print("{port["c_name"]}", &out_{i});\n' for i, port in enumerate(outputs))
    else:
        text += ''.join(f'    network.input_{port["c_name"]}().copy_from_slice(&in_{i});\n' for i, port in enumerate(inputs))
        text += '    for step in 0..STEPS {\n        network.run_step(step).unwrap();\n    }\n    assert_eq!(network.run_step(STEPS), Err(Error::Step));\n'
        text += ''.join(f'    network.input_{port["c_name"]}().copy_from_slice(&in_{i});\n' for i, port in enumerate(inputs))
        text += '    network.reset();\n' if '--state' in way else ''
        text += '    network.run().unwrap();\n'
        text += ''.join(f'    print("{port["c_name"]}", network.output_{port["c_name"]}());\n' for port in outputs)
    return text + '    let _: Result<[f32; 1], _> = in_0[..1].try_into();\n}\n'


def c_main(report, name):
    text = C_HEAD.replace('@NAME@', name) + 'int main(void) {\n'
    for port in report['inputs']:
        text += f'    fill({port["accessor"]}({name}_arena), {elements(port)});\n'
    text += f'    if ({name}_run({name}_arena) != 0) return 1;\n'
    for port in report['outputs']:
        text += f'    print("{port["c_name"]}", {port["accessor"]}({name}_arena), {elements(port)});\n'
    return text + '    return 0;\n}\n'


def expected(options, model, way):
    """By layers, through C. A plan by lines takes its lines channels last; these inputs have one channel."""
    folder, name = options.work / 'c', 'net'
    shutil.rmtree(folder, ignore_errors=True)
    run([options.tarn, 'generate', model, '--name', name, '-o', folder, '--cc', 'none', '--stream', 'off', *(way if '--state' in way else []), *(['--input-layout', 'nhwc'] if 'fed' in way else [])])
    report = json.loads((folder / f'{name}.json').read_text())
    (folder / 'main.c').write_text(c_main(report, name))
    run(['gcc', '-std=c99', '-O2', *folder.glob('*.[cS]'), '-I', folder, '-lm', '-o', folder / 'program'])
    return run([folder / 'program'])


def try_way(options, model, way):
    crate_folder, app = options.work / 'crate', options.work / 'app'
    shutil.rmtree(crate_folder, ignore_errors=True)
    shutil.rmtree(app / 'src', ignore_errors=True)
    run([options.tarn, 'generate', model, '--layout', 'rust', '-o', crate_folder, '--cc', 'none', *way])
    manifest = (crate_folder / 'Cargo.toml').read_text()
    crate = re.search(r'^name = "(\w+)"$', manifest, re.M)[1]
    report = json.loads(next(crate_folder.glob('*.json')).read_text())
    (app / 'src').mkdir(parents=True)
    (app / 'Cargo.toml').write_text(f'[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n{crate} = {{ path = "../crate" }}\n[profile.dev]\nopt-level = 1\n')
    (app / 'src/main.rs').write_text(rust_main(report, crate, way))
    environment = dict(os.environ, RUSTFLAGS='-Dwarnings', CARGO_TARGET_DIR=str(options.work / 'target'), CARGO_NET_OFFLINE='true')
    said = run(['cargo', 'run', '--quiet', '--offline', '--manifest-path', app / 'Cargo.toml'], env=environment)
    check(said == expected(options, model, way), f'another result:\n{said[:500]}')


def main():
    parser = argparse.ArgumentParser()
    for name in ('tarn', 'work'):
        parser.add_argument('--' + name, type=lambda p: pathlib.Path(p).resolve(), required=True)
    options = parser.parse_args()
    if not shutil.which('cargo'):
        print('SKIPPED: no cargo')
        return 77
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    failed = 0
    for model, way in WAYS:
        try:
            try_way(options, model, way)
            print(f'right   {model.stem} {" ".join(way)}', flush=True)
        except Failed as fault:
            failed += 1
            print(f'FAILED  {model.stem} {" ".join(way)}: {fault}', flush=True)
    if not failed:
        shutil.rmtree(options.work, ignore_errors=True)
    print(f'{len(WAYS)} crates, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
