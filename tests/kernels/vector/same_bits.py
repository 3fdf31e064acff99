#!/usr/bin/env python3
"""Networks as emitted for any processor, built three times on this machine: as they are, with -mavx2, where kernels of integers use it, and
with -march=x86-64-v3, where functions of many floats, attention, normalisation and recurrent layers use AVX2 with fused multiply-adds. Random
inputs, by layers and by lines; the outputs are the same to the last bit with -mavx2, and with -DTARN_NO_ASM whatever the processor; with
fused multiply-adds integers are the same too, and floats are within CLOSE of the largest output.

    same_bits.py --tarn build/tarn --work DIR

Skipped where the machine has no AVX2. Networks of TARN_SHARED_DIR where it is there: some by default, all of the list with TARN_CI=1.
"""
import argparse
import ctypes
import json
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))
import sampling  # noqa: E402

SHARED = pathlib.Path(os.environ.get('TARN_SHARED_DIR', HERE.parents[2].parent / 'shared'))
EXAMPLES = ['digits/digits.onnx', 'keyword_stream/keyword_whole.onnx']
NETWORKS = ['exported/mlpt_kws_dscnn_qop_u8s8', 'exported/kws_lstm_uni', 'exported/mlpt_ic_resnet8_qdq_s8_pc', 'models/deeploy_cct_fp32_cct_1_32_32_8',
            'exported/kws_gru_uni', 'exported/bert_tiny', 'exported/mlpt_vww_mobilenet_v1_025_96_qdq_u8_pc', 'exported/convnext_tiny8',
            'exported/vae_anomaly_qdq_u8s8', 'exported/gpt2_tiny', 'exported/mlpt_ic_resnet8_qdq_wpair', 'models/onnx2tf_lstm_1layer_fixed']


CLOSE = 1e-5
CC = ['ccache', 'gcc'] if shutil.which('ccache') else ['gcc']


def build(folder, name, flags):
    """The network in a shared object. Kernels are the same text in many networks, and are compiled once; weights are no code."""
    (folder / name).mkdir()
    objects = []
    for source in sorted(p.name for p in folder.glob('*.c')):
        code = not source.endswith('_weights.c')
        made = f'{name}/{source}.o' if code else f'{source}.o'
        if code or not (folder / made).exists():
            subprocess.run([*CC, '-std=c99', '-O2', *(flags if code else []), '-fPIC', '-DNET_NO_STATIC_ARENA', '-I.', '-c', source, '-o', made],
                           cwd=folder, check=True)
        objects.append(made)
    subprocess.run(['gcc', '-shared', *objects, '-lm', '-o', f'{name}.so'], cwd=folder, check=True)
    return ctypes.CDLL(str((folder / f'{name}.so').resolve()))


def outputs(library, report, seed):
    """Bytes of all outputs after a run from a garbled arena."""
    chance = random.Random(seed)
    memory = ctypes.create_string_buffer(report['ram']['arena'] + 64)
    at = (ctypes.addressof(memory) + 63) // 64 * 64
    ctypes.memset(at, 0xA5, report['ram']['arena'])
    for port in report['inputs']:
        if port['dtype'] == 'float32':
            values = [chance.gauss(0, 1) for _ in range(port['bytes'] // 4)]
            ctypes.memmove(at + port['offset'], (ctypes.c_float * len(values))(*values), port['bytes'])
        elif port['dtype'] in ('int8', 'uint8'):
            ctypes.memmove(at + port['offset'], chance.randbytes(port['bytes']), port['bytes'])
        else:
            ctypes.memset(at + port['offset'], 0, port['bytes'])  # indices, lengths
    status = library.net_run(ctypes.c_void_p(at))
    return status, [ctypes.string_at(at + port['offset'], port['bytes']) for port in report['outputs']]


def close(a, b, ports):
    """Are outputs the same, floats but for CLOSE?"""
    for one, other, port in zip(a, b, ports):
        if port['dtype'] != 'float32':
            if one != other:
                return False
            continue
        x, y = (struct.unpack(f"{port['bytes'] // 4}f", data) for data in (one, other))
        most = max([1.0, *map(abs, x)])
        if not all(abs(v - w) <= CLOSE * most for v, w in zip(x, y)):
            return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', required=True)
    parser.add_argument('--work', required=True, type=pathlib.Path)
    options = parser.parse_args()
    cpu = pathlib.Path('/proc/cpuinfo')
    if not cpu.exists() or ' avx2 ' not in cpu.read_text() or ' fma ' not in cpu.read_text():
        print('no AVX2 here, not run')
        return 77
    found = [HERE.parents[2] / 'examples' / name for name in EXAMPLES]
    for name in NETWORKS if SHARED.is_dir() else []:
        models = sorted((SHARED / name).glob('*.onnx'))
        print(f'{name}: SKIPPED, not in {SHARED}') if not models else found.append(models[0])
    wrong = 0
    models = sampling.part(found, 5)
    for model in models:
        for mode in ([], ['--stream', 'resident']):
            folder = options.work / (model.parent.name + ('_lines' if mode else ''))
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            made = subprocess.run([options.tarn, 'generate', model, '--name', 'net', '-o', folder, *mode], capture_output=True, text=True)
            if made.returncode != 0:
                print(f'{model}: {made.stderr}')
                wrong += not mode  # some networks do not run by lines
                continue
            report = json.loads((folder / 'net.json').read_text())
            plain, wide, fused = build(folder, 'plain', []), build(folder, 'avx2', ['-mavx2']), build(folder, 'fused', ['-march=x86-64-v3'])
            portable = build(folder, 'portable', ['-march=x86-64-v3', '-DTARN_NO_ASM'])
            for seed in range(3):
                a, b, c, d = (outputs(library, report, seed) for library in (plain, wide, portable, fused))
                if a[0] != 0 or a != b or a != c:
                    print(f'{model} {" ".join(mode)}: other bits with AVX2, or status {a[0]}')
                    wrong += 1
                elif d[0] != 0 or not close(a[1], d[1], report['outputs']):
                    print(f'{model} {" ".join(mode)}: too far with fused multiply-adds')
                    wrong += 1
    print(f'{len(models)} networks, {wrong} with other bits')
    return 1 if wrong or not models else 0


sys.exit(main())
