#!/usr/bin/env python3
"""MISRA C:2012 as cppcheck's addon checks it: the runtime, and the emitted code of ten networks, deviate from no rule that
runtime/MISRA.md does not record, and every rule recorded there occurs.

    misra.py --tarn TARN --runtime FOLDER --record FILE --work FOLDER [--full]

The runtime is read as one source file, as --files single has it, which takes seconds instead of minutes; once as portable C and once,
those that ask for the processor, as GCC compiles it for a Cortex-M with DSP instructions. Without --full, TARN_FULL=1 or TARN_MISRA=1 a fixed sample of
kernels and networks, which is printed.
"""
import argparse
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
ADDON = next(iter(sorted(pathlib.Path('/usr/lib').glob('*/cppcheck/addons/misra.py'))), None)
CHECK = ['cppcheck', '--dump', '-q', '--max-configs=1', '--std=c99', '--platform=arm32-wchar_t4']
DSP = ['-D__GNUC__=12', '-D__ARM_FEATURE_DSP=1', '-D__ARM_FEATURE_SIMD32=1', '-D__ARM_ARCH=7', '-D__thumb__=1', '-D__thumb2__=1', '-D__arm__=1']
# What is generated, and how. The first two come with the repository and are the sample.
SHARED = pathlib.Path(os.environ.get('TARN_SHARED_DIR', ROOT.parent / 'shared')) / 'exported'
NETWORKS = [
    (ROOT / 'examples/digits/digits.onnx', []),                                     # float convolutions
    (ROOT / 'tests/conformance/more/node/test_branch_before_loop_0/model.onnx', []),  # control flow
    (SHARED / 'mlpt_kws_dscnn_qdq_s8_sym/model.onnx', []),                          # int8
    (SHARED / 'mlpt_kws_dscnn_qop_u8s8/model.onnx', ['--stream', 'fed']),           # QOperator, by lines from the caller
    (SHARED / 'efficientnet_micro_qdq_s8_pc/model.onnx', ['--stream', 'resident']),  # by lines of what lies in the arena
    (SHARED / 'kws_lstm_uni_dyn/model.onnx', []),                                   # LSTM, quantised at run time
    (SHARED / 'vit_tiny_32_qdq_s8_pc/model.onnx', ['--io', 'caller']),              # transformer
    (SHARED / 'wake_stream_dw/model.onnx', []),                                     # state
    (SHARED / 'kws_gru_uni_f16_iof32/model.onnx', []),                              # half precision
    (SHARED / 'scan_ssm/model.onnx', []),                                           # a loop
]


def run(command, folder):
    done = subprocess.run([str(c) for c in command], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f'{" ".join(map(str, command))[:400]}\n  ended with {done.returncode}\n{(done.stdout + done.stderr)[:2000]}')
    return done.stdout + done.stderr


def findings(file, flags):
    """Pairs of rule and place in `file` and what it includes."""
    run([*CHECK, *flags, file.name], file.parent)
    # The addon ends with 1 where it finds something.
    done = subprocess.run([sys.executable, '-B', ADDON, file.name + '.dump'], cwd=file.parent, capture_output=True, text=True)
    found = re.findall(r'^\[([^\]:]*):(\d+)\].*\[misra-c2012-(\d+\.\d+)\]', done.stdout + done.stderr, re.M)
    if 'MISRA rules violations' not in done.stdout + done.stderr and done.returncode != 0:
        raise SystemExit(f'the addon fails on {file}:\n{(done.stdout + done.stderr)[-2000:]}')
    return {(rule, f'{pathlib.Path(name).name}:{line}') for name, line, rule in found}


def closure(folder, name, seen):
    """`name` and what it includes of the runtime."""
    if name not in seen and (folder / name).exists():
        seen.add(name)
        for included in re.findall(r'^#\s*include "([^"]+)"', (folder / name).read_text(), re.M):
            closure(folder, included, seen)
    return seen


def of_processors(folder, kernels):
    """Those in which a word asks for the processor."""
    asks = {f.name for f in folder.glob('tarn*.[ch]') if re.search(r'__ARM_|__arm__|__thumb', f.read_text())}
    return [k for k in kernels if closure(folder, k, set()) & asks]


def of_runtime(options):
    folder = options.work / 'runtime'
    shutil.copytree(options.runtime, folder)
    kernels = sorted(f.name for f in folder.glob('tarn_*.c'))
    chosen = [k for k in kernels if options.full or zlib.crc32(k.encode()) % 6 == 0]
    print(f'{len(chosen)} of {len(kernels)} kernels' + ('' if options.full else ': ' + ' '.join(chosen)))
    found = findings(in_one(folder, chosen), [])
    if options.full:
        others = of_processors(folder, chosen)
        print(f'{len(others)} of them ask for the processor')
        found |= findings(in_one(folder, others), DSP)
    return found


def in_one(folder, kernels):
    everything = folder / 'all.c'
    everything.write_text('#define TARN_SINGLE_FILE 1\n' + ''.join(f'#include "{k}"\n' for k in kernels))
    return everything


def of_networks(options):
    found = set()
    for model, more in NETWORKS if options.full else NETWORKS[:2]:
        name = f'{model.parent.name}{"".join(" " + m for m in more)}'
        if not model.exists():
            print(f'SKIPPED {name}: no {model}')
            continue
        folder = options.work / 'network'
        shutil.rmtree(folder, ignore_errors=True)
        run([options.tarn, 'generate', model, '--name', 'net', '-o', folder, '--cc', 'none', *more], options.work)
        # Kernels are the runtime's, weights are numbers.
        own = {place for place in findings(folder / 'net.c', []) if not place[1].startswith('tarn')}
        print(f'{name}: {len(own)} places')
        found |= own
    return found


def recorded(record):
    return set(re.findall(r'^\| (\d+\.\d+) \|', record.read_text(), re.M))


def main():
    parser = argparse.ArgumentParser()
    for name in ('tarn', 'runtime', 'record', 'work'):
        parser.add_argument('--' + name, type=lambda p: pathlib.Path(p).resolve(), required=True)
    parser.add_argument('--full', action='store_true', default='1' in (os.environ.get('TARN_FULL'), os.environ.get('TARN_MISRA')))
    options = parser.parse_args()
    if shutil.which('cppcheck') is None or ADDON is None:
        print('no cppcheck with its MISRA addon, not run')
        return 77
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    places = collections.defaultdict(set)
    for rule, place in of_runtime(options) | of_networks(options):
        places[rule].add(place)
    known = recorded(options.record)
    for rule in sorted(places, key=lambda r: [int(n) for n in r.split('.')]):
        print(f'rule {rule}: {len(places[rule])} places' + ('' if rule in known else f', not recorded: {" ".join(sorted(places[rule])[:12])}'))
    unknown, idle = set(places) - known, known - set(places) if options.full else set()
    for rule in sorted(idle):
        print(f'rule {rule}: recorded, but nothing deviates from it')
    shutil.rmtree(options.work, ignore_errors=True)
    print(f'{len(known)} rules recorded, {len(unknown)} more found, {len(idle)} not found')
    return 1 if unknown or idle or not places else 0


sys.exit(main())
