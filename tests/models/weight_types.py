#!/usr/bin/env python3
"""Float networks with --weight-type: the emitted code beside the same weights in floats, bit for bit, and its noise beside the
float network's outputs.

    weight_types.py TARN [--full]

On the host every second pair of a network and a type, on emulated boards as well where ON_BOARDS has the network. The sizes told are those of the emitted
weights, and 4 bits in blocks of 32 with scales of 16 bits take at most 0.157 of floats (0.141 and what rows and blocks leave
over). --full, or TARN_FULL=1: all pairs, all boards for all networks.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import sampling  # noqa: E402


SHARED = pathlib.Path(os.environ.get('TARN_SHARED_DIR', pathlib.Path(__file__).resolve().parents[3] / 'shared'))
# Networks of SHARED, and the options that fix their sizes.
NETWORKS = {'models/mnist_8': [], 'models/stm_mobilenet_v2_035_128': [], 'exported/bert_tiny': [], 'exported/gpt2_tiny': [],
            'exported/kws_gru_uni': [], 'exported/kws_lstm_uni': [], 'exported/mlpt_kws_dscnn': []}
ON_BOARDS = ['exported/kws_gru_uni', 'exported/gpt2_tiny', 'exported/mlpt_kws_dscnn']
# Least decibels of any of the networks' outputs; what 4 bits keep depends on the network.
TYPES = {'f16': 40, 'int8': 20, 'int8:tensor,asymmetric': 5, 'int4:block=32': 0, 'int4:block=7,asymmetric': 0}
BOARDS = 'cortex-m0,cortex-m4,cortex-m55,rv32imafc'
RATIOS = {'f16': 0.55, 'int8': 0.28, 'int4:block=32': 0.157}


class Wrong(Exception):
    """What a network did that it should not."""


def need(truth, text):
    if not truth:
        raise Wrong(text)


def check(tarn, network, options, kind, boards, folder):
    model = next((SHARED / network).glob('*.onnx'))
    report_file = folder / 'report.json'
    run = subprocess.run([tarn, 'verify', model, *options, '--weight-type', kind, '--on', boards, '--report', report_file],
                         capture_output=True, text=True)
    need(run.returncode == 0, run.stderr.strip() or run.stdout.strip())
    report = json.loads(report_file.read_text())
    for row in report['verify']:
        for output in row['outputs']:
            need(row['on'] != 'host' or output['max_abs'] == 0, f'{output["name"]}: {output["max_abs"]} from floats of the same weights')
            need(output['mismatches'] == 0, f'{output["name"]} differs on {row["on"]}')
            need(output.get('snr_db', 999) > TYPES[kind], f'{output["name"]}: {output.get("snr_db")} dB')
    rows = report['weights']
    need(rows and all(row['stored'].startswith(kind.split(':')[0]) for row in rows), 'the rows of weights')
    stored, floats = sum(row['bytes'] for row in rows), sum(row['float_bytes'] for row in rows)
    need(stored <= report['flash']['weights'] or network == 'exported/gpt2_tiny', 'more bytes stored than weights')
    if network not in ('exported/kws_gru_uni', 'exported/kws_lstm_uni') and kind in RATIOS:
        need(stored / floats <= RATIOS[kind], f'{stored / floats:.3f} of floats')
    return stored / floats


def main():
    tarn, full = pathlib.Path(sys.argv[1]).resolve(), '--full' in sys.argv[2:] or os.environ.get('TARN_FULL') == '1'
    if not SHARED.is_dir():
        print(f'SKIPPED: {SHARED} is not there')
        return 77
    faults = []
    pairs = [(network, kind) for network in NETWORKS for kind in TYPES]
    if not full:
        pairs = sampling.part(pairs[::2], 8)
    cases = [(network, kind, NETWORKS[network]) for network, kind in pairs]
    # In pieces, each with a scale of its own.
    cases.append(('exported/mlpt_kws_dscnn', 'int8:tensor,asymmetric', ['--weights', 'stream', '--weights-buffer', '2K']))
    for network, kind, options in cases:
        boards = f'host,{BOARDS}' if full or (network in ON_BOARDS and kind in ('f16', 'int8', 'int4:block=32')) else 'host'
        with tempfile.TemporaryDirectory() as folder:
            try:
                ratio = check(tarn, network, options, kind, boards, pathlib.Path(folder))
                print(f'{network} {kind} {" ".join(options)}: {ratio:.3f} of floats, on {boards}')
            except Wrong as wrong:
                faults.append(f'{network} {kind}: {wrong}')
                print('FAILED', faults[-1])
    print(f'{len(pairs)} of {len(NETWORKS) * len(TYPES)} combinations, {len(faults)} faults')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
