#!/usr/bin/env python3
"""Networks with their weights in each kind: flash, noise and instructions, verified on the host, on a Cortex-M4 and on an M55.

    kinds.py --tarn build/tarn [--only NAME] [--on host,cortex-m4,cortex-m55]

A row is a network and a kind: floats, --weight-type of each kind, those packed as well, and the network that `tarn quantize` makes of
it ('int8 all': weights and what is between layers) where it comes with data. Noise is decibels beside the float network's outputs.
Exit 1 where the outputs of any are not those of its reference, where 4 bits in blocks of 32 take more than 0.145 of floats in layers
whose rows blocks fill, or where packed weights are larger than plain; 77 without data.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SHARED = pathlib.Path(os.environ.get('TARN_SHARED_DIR', pathlib.Path(__file__).resolve().parents[4] / 'shared'))
NETWORKS = ['models/mnist_8', 'models/stm_mobilenet_v2_035_128', 'models/light_squeezenet', 'exported/bert_tiny', 'exported/gpt2_tiny',
            'exported/kws_gru_uni', 'exported/mlpt_kws_dscnn']
KINDS = {'float': [], 'float packed': ['--weights', 'packed'], 'f16': ['--weight-type', 'f16'], 'int8': ['--weight-type', 'int8'],
         'int8 packed': ['--weight-type', 'int8', '--weights', 'packed'], 'int4': ['--weight-type', 'int4'],
         'int4:block=32': ['--weight-type', 'int4:block=32'],
         'int4:block=32,asym': ['--weight-type', 'int4:block=32,asymmetric']}
MOST_OF_BLOCKS, LARGE = 0.145, 4096  # of layers of so many bytes: few outputs are filled up to four
BLOCKS_FILL = ('exported/bert_tiny', 'exported/gpt2_tiny')  # rows of 128 weights and more


def verify(tarn, model, options, on, folder):
    """The report, or what was said instead."""
    target = [] if on == 'host' else ['--target', on]
    command = [tarn, 'verify', model, *options, *target, '--on', on, '--report', folder / 'report.json']
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None, (done.stderr.strip() or done.stdout.strip()).splitlines()[0][:200]
    return json.loads((folder / 'report.json').read_text()), ''


def least_snr(report):
    found = [output['snr_db'] for output in report['verify'][0]['outputs'] if output.get('snr_db') is not None]
    return min(found) if found else None


def quantised(tarn, model, folder):
    """The int8 network, or nothing where there are no data to make it from."""
    data = next((d for d in sorted(model.parent.glob('test_data_set_*')) if any(d.glob('input_*.pb'))), None)
    out = folder / 'quantised.onnx'
    if data is None:
        return None, None
    done = subprocess.run([tarn, 'quantize', model, '--data', model.parent, '-o', out, '--report', folder / 'quantised.json'],
                          capture_output=True, text=True)
    if done.returncode != 0:
        return None, None
    outputs = json.loads((folder / 'quantised.json').read_text())['quantize']['outputs']
    return out, min((o['snr_db'] for o in outputs if o.get('snr_db') is not None), default=None)


def row_of(tarn, name, kind, model, options, boards, folder, snr=None):
    faults, instructions, flash, arena, stored = [], {}, 0, 0, None
    for on in boards:
        report, fault = verify(tarn, model, options, on, folder)
        if report is None:
            faults.append(f'{name} {kind} on {on}: {fault}')
            continue
        flash, arena = report['flash']['weights'], report['ram']['arena']
        instructions[on] = report['verify'][0].get('instructions')
        snr = least_snr(report) if snr is None else snr
        rows = [row for row in report.get('weights', []) if row['stored'].startswith('int4') and row['float_bytes'] >= LARGE]
        stored = sum(r['bytes'] for r in rows) / sum(r['float_bytes'] for r in rows) if rows else None
    if kind == 'int4:block=32' and name in BLOCKS_FILL and stored is not None and stored > MOST_OF_BLOCKS:
        faults.append(f'{name}: 4 bits in blocks of 32 take {stored:.4f} of floats')
    return {'flash': flash, 'arena': arena, 'instructions': instructions, 'snr': snr}, faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', type=pathlib.Path, required=True)
    parser.add_argument('--only', default='')
    parser.add_argument('--on', default='host,cortex-m4,cortex-m55')
    options = parser.parse_args()
    tarn, boards = options.tarn.resolve(), options.on.split(',')
    if not SHARED.is_dir():
        print(f'SKIPPED: {SHARED} is not there')
        return 77
    faults = []
    counted = [on for on in boards if on != 'host']
    print(f'{"network":32} {"weights":20} {"flash":>9} {"ratio":>6} {"arena":>8} {"dB":>6} ' + ' '.join(f'{on:>12} {"ratio":>6}' for on in counted))
    for name in (n for n in NETWORKS if options.only in n):
        model = next((SHARED / name).glob('*.onnx'))
        with tempfile.TemporaryDirectory() as scratch:
            folder, rows = pathlib.Path(scratch), {}
            cases = [(kind, model, more, None) for kind, more in KINDS.items()]
            made, snr = quantised(tarn, model, folder)
            if made:
                data = next(model.parent.glob('test_data_set_*'))
                cases.append(('int8 all', made, ['--data', data, '--reference', 'naive'], snr))
            for kind, file, more, snr in cases:
                row, wrong = row_of(tarn, name, kind, file, more, boards, folder, snr)
                faults += wrong
                rows[kind] = row
                first = rows['float']
                noise = f'{row["snr"]:6.1f}' if row['snr'] is not None else '     -'
                counts = ' '.join(f'{row["instructions"][on]:12} {row["instructions"][on] / first["instructions"][on]:6.3f}' if row['instructions'].get(on)
                                  and first['instructions'].get(on) else f'{"-":>12} {"-":>6}' for on in counted)
                print(f'{name:32} {kind:20} {row["flash"]:9} {row["flash"] / max(1, first["flash"]):6.3f} {row["arena"]:8} {noise} {counts}', flush=True)
            for kind in ('float', 'int8'):
                if rows[kind + ' packed']['flash'] > rows[kind]['flash']:
                    faults.append(f'{name}: packed is larger than {kind}')
    for fault in faults:
        print('FAILED', fault)
    print(f'{len(faults)} faults')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
