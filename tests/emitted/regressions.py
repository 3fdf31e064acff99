#!/usr/bin/env python3
"""What once went wrong compiles: the network's own source of each model of tests/fuzz/regressions that tarn takes, by layers and by lines;
each in one of these ways, by turns, where TARN_CI=1 does not ask for all.

    regressions.py --tarn build/tarn --work FOLDER
"""
import argparse
import pathlib
import shutil
import subprocess
import sys

from common import C99, ROOT, WARNINGS, Failed, check, run, sampling

WAYS = {'layers': ['--stream', 'off'], 'resident': ['--stream', 'resident'], 'fed': ['--stream', 'fed']}
REFUSALS = {3, 4, 5, 6}  # documented: what tarn does not take in this way


def compile_way(tarn, model, options, folder):
    """Whether there is code; it compiles then."""
    done = subprocess.run([tarn, 'generate', model, *options, '--cc', 'none', '-o', folder], capture_output=True, text=True, timeout=60)
    if done.returncode in REFUSALS:
        return False
    check(done.returncode == 0, f'{model.name} {options} ends with {done.returncode}: {done.stderr}')
    run(['gcc', *C99, *WARNINGS, '-fsyntax-only', folder / f'{model.stem}.c'])
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', type=pathlib.Path, required=True)
    parser.add_argument('--work', type=pathlib.Path, required=True)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    compiled, faults = 0, []
    for turn, model in enumerate(sorted((ROOT / 'tests/fuzz/regressions').glob('*.onnx'))):
        for way, words in WAYS.items() if sampling.LARGER else [list(WAYS.items())[turn % len(WAYS)]]:
            try:
                compiled += compile_way(options.tarn.resolve(), model, words, options.work / f'{model.stem}_{way}')
            except Failed as fault:
                faults.append(str(fault))
    print(f'{compiled} sources compiled' + ('' if sampling.LARGER else '; each model in one of three ways, in all with TARN_CI=1'))
    for fault in faults:
        print(f'WRONG: {fault}')
    return 1 if faults or compiled == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
