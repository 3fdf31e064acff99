#!/usr/bin/env python3
"""Networks with --weights packed, stream and image: the outputs of linked weights, bit for bit, on the host and on emulated boards.

    weight_forms.py TARN [--full]

On emulated boards weights that are read arrive when the code waits for them, and not before: the harness leaves garbage until then.
Packed weights take at most 12 instructions a byte on a Cortex-M4, the tables of their codes included. --full: all networks of
TARN_SHARED_DIR on the host.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import sampling  # noqa: E402

SHARED = pathlib.Path(os.environ.get('TARN_SHARED_DIR', pathlib.Path(__file__).resolve().parents[3] / 'shared'))
RESNET, MOBILENET = 'exported/mlpt_ic_resnet8_qdq_s8_pc', 'exported/mobilenet_v2_035_96_qdq_s8_pc'
# Network, form, options, boards.
CASES = [('models/micro_kws_m_static_qdq', 'packed', [], 'host,cortex-m4'), (RESNET, 'stream', ['--weights-buffer', '8K'], 'host,cortex-m4'),
         (RESNET, 'image', [], 'host,cortex-m4'), (MOBILENET, 'stream', ['--weights-buffer', '8K'], 'cortex-m4'),
         ('exported/kws_gru_uni', 'packed', [], 'host'), ('exported/scan_ssm', 'stream', ['--weights-buffer', '512'], 'host,cortex-m4'),
         ('exported/kws_gru_uni', 'stream', [], 'host'),
         ('models/mnist_8', 'packed', [], 'host,cortex-m0'), ('models/mnist_8', 'stream', ['--weights-buffer', '12K'], 'host,cortex-m55')]
MOST_INSTRUCTIONS = 12  # a byte that is unpacked
# Networks whose pieces and order are chosen for a bandwidth, and the milliseconds that a run may take, an instruction a cycle and what it
# waits: a last layer of many weights and few products takes most of the 6 that it waits, and no order hides those. Its own instructions
# count too, for the faster it is, the longer a run waits for it.
HIDDEN = [(MOBILENET, ['--weights-buffer', '8K'], 158.3), (MOBILENET, ['--weights-buffer', '16K'], 156.6)]
CLOCK = 168
AT = ['--target', 'cortex-m4', '--clock', f'{CLOCK}M', '--weights-bandwidth', '20M']


class Wrong(Exception):
    """What a network did that it should not."""


def need(truth, text):
    if not truth:
        raise Wrong(text)


def verify(tarn, network, options, boards, folder):
    report = folder / 'report.json'
    model = next((SHARED / network).glob('*.onnx'))
    run = subprocess.run([tarn, 'verify', model, *options, '--on', boards, '--reference', 'naive', '--report', report],
                         capture_output=True, text=True)
    if run.returncode == 2 and '--dim' in run.stderr:
        names = sorted(set(re.findall(r"--dim ([^=\s']+)=", run.stderr)))
        if names and not any(o == '--dim' for o in options):
            return verify(tarn, network, [*options, *(w for n in names for w in ('--dim', f'{n}=1'))], boards, folder)
    need(run.returncode == 0, (run.stderr.strip() or run.stdout.strip())[:500])
    return json.loads(report.read_text())


def check(tarn, network, form, options, boards, folder):
    report = verify(tarn, network, ['--weights', form, *options], boards, folder)
    for row in report['verify']:
        for output in row['outputs']:
            need(output['mismatches'] == 0 and (output['max_abs'] or 0) == 0, f'{output["name"]} on {row["on"]}: {output["max_abs"]} off')
    told = ''
    if form == 'stream':
        transfers = report['transfers']
        told = f'{transfers["bytes"]} bytes in {transfers["reads"]} reads, {transfers["buffer"]} in the arena of {report["ram"]["arena"]}'
        buffer = options[options.index('--weights-buffer') + 1] if '--weights-buffer' in options else ''
        need(not buffer or transfers['buffer'] <= int(buffer[:-1]) * 1024, f'{transfers["buffer"]} bytes of weights at a time, not {buffer}')
    if form == 'packed':
        rows = [row for row in report.get('weights', []) if row['stored'] == 'packed']
        need(rows, 'nothing is packed')
        unpacked = sum(row['float_bytes'] for row in rows)
        told = f'{report["flash"]["weights"]} bytes, {unpacked} of them unpacked in the arena of {report["ram"]["arena"]}'
        on_m4 = [row for row in report['verify'] if row['on'] == 'cortex-m4']
        if on_m4:
            plain = verify(tarn, network, options, 'cortex-m4', folder)['verify'][0]['instructions']
            each = (on_m4[0]['instructions'] - plain) / unpacked
            told += f', {each:.2f} instructions a byte'
            need(each <= MOST_INSTRUCTIONS, told)
    return told


def check_hidden(tarn, network, options, most, folder):
    """The pieces and the order with which a run waits least: the same outputs, in no larger an arena."""
    options = ['--weights', 'stream', *options, '--target', 'cortex-m4']
    plain = verify(tarn, network, options, 'cortex-m4', folder)
    hidden = verify(tarn, network, [*options, *AT], 'cortex-m4', folder)
    wrong = [output['name'] for row in hidden['verify'] for output in row['outputs'] if output['mismatches'] or output['max_abs']]
    need(not wrong, f'{wrong} are off')
    waits = hidden['transfers']['stall'] / 1e6
    run = hidden['verify'][0]['instructions'] / CLOCK / 1e3 + waits
    need(run <= most, f'a run takes {run:.2f} ms, {waits:.2f} of them to wait, not {most}')
    need(hidden['ram']['arena'] <= plain['ram']['arena'], f'an arena of {hidden["ram"]["arena"]}, not of {plain["ram"]["arena"]}')
    return f'waits {waits:.2f} ms, arena {hidden["ram"]["arena"]}'


def main():
    tarn, full = pathlib.Path(sys.argv[1]).resolve(), '--full' in sys.argv[2:] or os.environ.get('TARN_FULL') == '1'
    if not SHARED.is_dir():
        print(f'SKIPPED: {SHARED} is not there')
        return 77
    cases = list(CASES)
    if full:
        networks = sorted(str(p.parent.relative_to(SHARED)) for kind in ('models', 'exported') for p in (SHARED / kind).glob('*/*.onnx'))
        cases += [(network, form, [], 'host') for network in dict.fromkeys(networks) for form in ('packed', 'stream', 'image')]
    faults = 0
    for network, form, options, boards in cases if full else sampling.part(cases, 8):
        with tempfile.TemporaryDirectory() as folder:
            try:
                print(network, form, *options, 'on', boards + ':', check(tarn, network, form, options, boards, pathlib.Path(folder)), flush=True)
            except Wrong as wrong:
                # Of all networks some cannot be compiled at all, or have nothing that would be packed.
                passed = len(cases) > len(CASES) and options == [] and re.search(r'error E(1|2)\d\d|nothing is packed', str(wrong))
                faults += 0 if passed else 1
                print('passed over' if passed else 'FAILED', network, form, wrong, flush=True)
    for network, options, most in sampling.part(HIDDEN):
        with tempfile.TemporaryDirectory() as folder:
            try:
                print(network, 'stream', *options, 'at 20M:', check_hidden(tarn, network, options, most, pathlib.Path(folder)), flush=True)
            except Wrong as wrong:
                faults += 1
                print('FAILED', network, 'at 20M', wrong, flush=True)
    print(f'{faults} faults')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
