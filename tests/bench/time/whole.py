#!/usr/bin/env python3
"""Which networks have a total of time on each target, and what the others lack.

    whole.py [--tarn build/tarn] [--on cortex-m4,...] [--stream off] [--list] [--results FILE]

Takes the networks of $TARN_SHARED_DIR (exported/ and models/). Nothing is compiled or run. Prints a line per target: how many networks are
whole, of those that are analysed; then the kernels for want of which others are not, by how many networks would be whole if only that kernel
had terms, and by how many lack it. --list: the names of those that are not whole, with what they lack. --results keeps what was found as
JSON. Exit status 77: no networks.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHARED = pathlib.Path(os.environ.get('TARN_SHARED_DIR', ROOT / '../shared'))
TARGETS = 'cortex-m0,cortex-m3,cortex-m4,cortex-m7,cortex-m33,cortex-m55,rv32imac,rv32imafc'


def time_of(tarn, file, target, stream, report):
    """The report's entry of time, or nothing where the network is not analysed."""
    report.unlink(missing_ok=True)
    command = [tarn, 'analyze', file, '--target', target, '--stream', stream, '--cc', 'none', '--effort', '0', '--report', report]
    try:
        subprocess.run(command, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return None
    return json.loads(report.read_text()).get('time') if report.exists() else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', type=pathlib.Path, default=ROOT / 'build/tarn')
    parser.add_argument('--on', default=TARGETS)
    parser.add_argument('--stream', default='off')
    parser.add_argument('--list', action='store_true')
    parser.add_argument('--results', type=pathlib.Path)
    options = parser.parse_args()
    files = [f for kind in ('exported', 'models') for f in sorted(SHARED.glob(f'{kind}/*/model.onnx'))]
    if not files:
        return 77
    results = {}
    with tempfile.TemporaryDirectory() as name:
        for target in options.on.split(','):
            whole, lacking = [], {}
            for file in files:
                time = time_of(options.tarn.resolve(), file.resolve(), target, options.stream, pathlib.Path(name) / 'r.json')
                if not time:
                    continue
                if time['instructions'] is not None:
                    whole.append(file.parent.name)
                else:
                    lacking[file.parent.name] = time['missing_kernels'] or [time.get('missing_because', '')]
            results[target] = {'whole': whole, 'lacking': lacking}
            alone = collections.Counter(kernels[0] for kernels in lacking.values() if len(kernels) == 1)
            all_of = collections.Counter(kernel for kernels in lacking.values() for kernel in kernels)
            print(f'{target}: {len(whole)} of {len(whole) + len(lacking)} networks are whole')
            for kernel in sorted(all_of, key=lambda k: (-alone[k], -all_of[k], k)):
                print(f'  {kernel:52}{alone[kernel]:4} whole with it{all_of[kernel]:6} lack it')
            if options.list:
                for network, kernels in lacking.items():
                    print(f'    {network}: {", ".join(kernels)}')
            sys.stdout.flush()
    if options.results:
        options.results.write_text(json.dumps(results, indent=1))
    return 0


if __name__ == '__main__':
    sys.exit(main())
