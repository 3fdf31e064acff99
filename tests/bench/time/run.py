#!/usr/bin/env python3
"""Predicted against executed instructions of whole networks, none of which had a part in the fitting.

    run.py [--tarn build/tarn] [--on cortex-m4] [--only NETWORK[,NETWORK]] [--most 100] [--stream fed,--drain]

Takes the networks of $TARN_SHARED_DIR (exported/ and models/) whose files are below 1.5 MB and whose every step is modelled on the
target, with at most --most million instructions; verifies each on the emulated board, with --stream by lines in that way. Prints a line per network, how many are not
modelled and for want of which kernels, and the median and worst errors; fails over 3 and 5 percent. Networks whose data decide more than
that (floats in software) are told apart, with how many keep to their range. Exit status 77: no networks, or no emulator.
"""
import argparse
import collections
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHARED = pathlib.Path(os.environ.get('TARN_SHARED_DIR', ROOT / '../shared'))
MEDIAN, WORST = 3.0, 5.0  # percent


def report_of(command, folder):
    """The report of a run of tarn, or nothing."""
    report = folder / 'r.json'
    report.unlink(missing_ok=True)
    try:
        done = subprocess.run([*command, '--report', report], cwd=folder, capture_output=True, text=True, timeout=400)
    except subprocess.TimeoutExpired:
        return None, 'too slow'
    return (json.loads(report.read_text()), '') if report.exists() else (None, (done.stderr.splitlines() or ['nothing'])[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', type=pathlib.Path, default=ROOT / 'build/tarn')
    parser.add_argument('--on', default='cortex-m4')
    parser.add_argument('--only', default='')
    parser.add_argument('--most', type=float, default=100)
    parser.add_argument('--stream', default='off', help='and further options behind commas')
    options = parser.parse_args()
    only = [text for text in options.only.split(',') if text]
    files = [f for kind in ('exported', 'models') for f in sorted(SHARED.glob(f'{kind}/*/model.onnx'))
             if f.stat().st_size < 1_500_000 and (not only or f.parent.name in only)]
    errors, ranged, missing, left = [], [], collections.Counter(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file in files:
            tarn = [options.tarn.resolve()]
            given = [file.resolve(), '--target', options.on, '--stream', *options.stream.split(',')]
            report, _ = report_of(tarn + ['analyze', *given, '--cc', 'none'], folder)
            time = report and report.get('time')
            if not time:
                continue
            if time['instructions'] is None:
                left += 1
                missing.update(time['missing_kernels'] or [time.get('missing_because', '')])
                continue
            if time['instructions'] > options.most * 1e6:
                continue
            report, fault = report_of(tarn + ['verify', *given, '--on', options.on], folder)
            row = report['verify'][0] if report and report.get('verify') else None
            if not row or row.get('instructions') is None:
                print(f'{file.parent.name:52} not run: {fault[:90]}')
                continue
            if row.get('predicted') is None:  # of the sizes that its data have
                left += 1
                continue
            error = 100 * (row['predicted'] / row['instructions'] - 1)
            wide = time['most'] > (1 + WORST / 100) * time['instructions'] or time['least'] < (1 - WORST / 100) * time['instructions']
            # Sizes that the data have need not be those that were analysed: the range is as wide in proportion.
            scale = row['predicted'] / time['instructions']
            within = time['least'] * scale <= row['instructions'] <= time['most'] * scale
            if wide:
                ranged.append((abs(error), within))
            else:
                errors.append(abs(error))
            print(f'{file.parent.name:52}{row["instructions"]:>12} executed{row["predicted"]:>12} predicted{error:+8.2f} %'
                  + (f', {time["least"] * scale:.0f} to {time["most"] * scale:.0f}' + ('' if within else ': outside') if wide else ''), flush=True)
    if ranged:
        print(f'{options.on}: {len(ranged)} networks where data decide, median {statistics.median(e for e, _ in ranged):.2f} %, worst '
              f'{max(e for e, _ in ranged):.2f} %; {sum(w for _, w in ranged)} within their range')
    if not errors:
        print('no network, or no emulator')
        return 77
    print(f'{options.on}: {len(errors)} networks, median {statistics.median(errors):.2f} %, worst {max(errors):.2f} %; {left} others are not modelled: '
          + ', '.join(f'{kernel} ({n})' for kernel, n in missing.most_common(12)))
    return int(statistics.median(errors) > MEDIAN or max(errors) > WORST)


if __name__ == '__main__':
    sys.exit(main())
