#!/usr/bin/env python3
"""Fronts of `analyze --pareto --target`: every point generated and verified, and no point of a grid of options below the front.

    run.py [--tarn build/tarn] [--on cortex-m4] [--only NETWORK[,NETWORK]] [--points N] [--grid N] [--budgets]

For each network: how many points the front has (RAM, instructions, flash); --points of them, spread evenly, are verified on the emulated
board with the options that they print, their arena must be the one told and their executed instructions within 3 percent of the predicted;
--grid plans of a grid of options by lines, drawn with a fixed seed, must each be matched in all three figures by a point of the front.
Without these numbers: all. A larger budget of work done twice must not take more memory; with --budgets nothing else is looked at. Fails also where a network whose front has a goal has fewer points. Exit status 77: no networks.
"""
import argparse
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHARED = pathlib.Path(os.environ.get('TARN_SHARED_DIR', ROOT / '../shared'))
NETWORKS = {'models/stm_mobilenet_v2_035_128': ['--dim', 'unk__608=1'], 'exported/mobilenet_v2_035_96_qdq_s8_pc': [], 'exported/mlpt_kws_dscnn_qdq_s8_sym': []}
LEAST_POINTS, MOST_OFF = 8, 3.0  # of a front; percent
RECOMPUTE = 10, 30, 100  # percent
GRID = [['--stream resident', '--stream fed', '--stream fed --drain'], ['', '--lines table'], ['', '--line-buffers off'],
        ['', '--recompute 1', '--recompute 5', '--recompute 10', '--recompute 20', '--recompute 50', '--recompute 100']]


def report_of(command, folder):
    report = folder / 'r.json'
    report.unlink(missing_ok=True)
    done = subprocess.run([*command, '--report', report], cwd=folder, capture_output=True, text=True)
    return (json.loads(report.read_text()), '') if report.exists() else (None, done.stderr[-300:])


def arena_within(tarn, given, percent, folder):
    """With so many percent of the multiplications done twice."""
    report, _ = report_of([tarn, 'analyze', *given, '--stream', 'fed', '--recompute', str(percent)], folder)
    return report['ram']['arena'] if report else 0


def figures(row):
    return row['ram'], row['instructions'], row['flash']


def spread(rows, count):
    if not count or count >= len(rows):
        return rows
    return [rows[i * (len(rows) - 1) // max(1, count - 1)] for i in range(count)]


def check(name, more, options, folder):
    """How many faults there are."""
    model, tarn, faults = SHARED / name / 'model.onnx', options.tarn.resolve(), 0
    given = [model, *more, '--target', options.on, '--cc', 'none']
    arenas = [arena_within(tarn, given, percent, folder) for percent in RECOMPUTE]
    print(f'{name}: ' + ', '.join(f'{arena} B within {percent} %' for percent, arena in zip(RECOMPUTE, arenas)))
    if any(after > before for before, after in zip(arenas, arenas[1:])):
        print('  more work done twice takes more memory')
        faults += 1
    if options.budgets:
        return faults
    report, fault = report_of([tarn, 'analyze', *given, '--pareto'], folder)
    if not report:
        print(f'{name}: no report: {fault}')
        return 1
    front = [row for row in report['pareto'] if not row['dominated']]
    if any(row['instructions'] is None for row in front):
        print(f'{name}: a point has no instructions: {[row["options"] for row in front if row["instructions"] is None]}')
        return 1
    print(f'{name}: {len(front)} points of {len(report["pareto"])}')
    faults += len(front) < LEAST_POINTS and not options.only
    for row in spread(front, options.points):
        told, fault = report_of([tarn, 'verify', model, *more, '--target', options.on, '--on', options.on, *row['options'].split()], folder)
        run = told and told.get('verify') and told['verify'][0]
        if not run or run.get('instructions') is None:
            print(f'  {row["options"]:60}{row["ram"]:>9} B  not run: {fault}')
            faults += 1
            continue
        off = 100 * (row['instructions'] / run['instructions'] - 1)
        good = abs(off) <= MOST_OFF and run['arena'] == row['ram']
        faults += not good
        print(f'  {row["options"]:60}{row["ram"]:>9} B{row["instructions"]:>12} predicted{run["instructions"]:>12} executed{off:+7.2f} %'
              f'{"" if good else "  WRONG, arena " + str(run["arena"])}', flush=True)
    grid = [' '.join(filter(None, words)) for words in itertools.product(*GRID)]
    for words in random.Random(1).sample(grid, min(options.grid or len(grid), len(grid))):
        planned, _ = report_of([tarn, 'analyze', *given, *words.split()], folder)
        if not planned or planned['time']['instructions'] is None:
            continue
        point = planned['ram']['arena'], planned['time']['instructions'], planned['flash']['weights'] + planned.get('stream', {}).get('table_bytes', 0)
        if not any(all(a <= b for a, b in zip(figures(row), point)) for row in front):
            print(f'  below the front: {words}: {point}')
            faults += 1
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', type=pathlib.Path, default=ROOT / 'build/tarn')
    parser.add_argument('--on', default='cortex-m4')
    parser.add_argument('--only', default='')
    parser.add_argument('--points', type=int, default=0)
    parser.add_argument('--grid', type=int, default=0)
    parser.add_argument('--budgets', action='store_true')
    options = parser.parse_args()
    only = [text for text in options.only.split(',') if text]
    names = {name: more for name, more in NETWORKS.items() if not only} | {name: [] for name in only}
    names = {name: more for name, more in names.items() if (SHARED / name / 'model.onnx').exists()}
    if not names:
        return 77
    with tempfile.TemporaryDirectory() as folder:
        return int(sum(check(name, more, options, pathlib.Path(folder)) for name, more in names.items()) > 0)


if __name__ == '__main__':
    sys.exit(main())
