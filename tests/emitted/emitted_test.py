#!/usr/bin/env python3
"""Rules that every emitted file keeps, whatever the model: one case a rule, driven through the tarn executable.

    emitted_test.py CASE --tarn build/tarn --work FOLDER [--other-tarn PATH]

Models: examples/digits, and those of TARN_SHARED_DIR/models that are there. Exit status 77: nothing to test with.
"""
import argparse
import os
import pathlib
import shutil
import sys

import figure_cases
import file_cases
import run_cases
from common import Failed, models

CASES = {case: getattr(where, case) for where, cases in {
    file_cases: ('warnings', 'symbols', 'repeatable', 'compilers', 'single_file', 'arena_only', 'section', 'incbin'),
    run_cases: ('cxx', 'sanitizers', 'two_models', 'run_step', 'trace', 'io_caller', 'layouts', 'banks', 'poison'),
    figure_cases: ('figures',)}.items() for case in cases}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('case', choices=CASES)
    parser.add_argument('--tarn', type=pathlib.Path, required=True)
    parser.add_argument('--other-tarn', type=pathlib.Path, default=os.environ.get('TARN_OTHER'))
    parser.add_argument('--work', type=pathlib.Path, required=True)
    parser.add_argument('--only', help='one model')
    options = parser.parse_args()
    options.tarn = options.tarn.resolve()
    options.compiled = set()
    if options.case == 'compilers' and options.other_tarn is None:
        print('SKIPPED: TARN_OTHER names no tarn of another compiler')
        return 77
    shutil.rmtree(options.work, ignore_errors=True)
    failed = 0
    chosen = [m for m in models(options) if options.only in (None, m.name)]
    for model in chosen:
        work = (options.work / model.name).resolve()
        work.mkdir(parents=True)
        try:
            CASES[options.case](model, options, work)
            print(f'ok {model.name}')
        except Failed as fault:
            failed += 1
            print(f'FAILED {model.name}: {fault}')
    if not failed:
        shutil.rmtree(options.work, ignore_errors=True)
    print(f'{len(chosen) - failed} of {len(chosen)} models keep the rule')
    return 1 if failed else 0 if chosen else 77


sys.exit(main())
