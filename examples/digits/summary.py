#!/usr/bin/env python3
# SPDX-License-Identifier: MIT-0
"""Puts the accuracies side by side, and the memory that was planned beside the one measured. Fails when they differ."""
import json
import pathlib
import re
import sys


def correct_in(path):
    found = re.findall(r'^(\d+) of (\d+) correct$', path.read_text(), re.M)
    return tuple(map(int, found[-1])) if found else (0, 0)


training = json.loads(pathlib.Path(sys.argv[1]).read_text())
folder = pathlib.Path(sys.argv[2])
report = json.loads((folder / 'verify.json').read_text())
want = (training['correct'], training['samples'])
got = {'in training (NumPy)': want, 'emitted C, this machine': correct_in(folder / 'host.txt'),
       'emitted C, Cortex-M4': correct_in(folder / 'm4.txt')}

print('accuracy')
for where, (correct, samples) in got.items():
    print(f'  {where:24} {correct:4} of {samples}   {correct / max(samples, 1):7.2%}')

plan = report['plan']
proof = {'optimal': f'proved: no plan of these steps in this order needs less than {plan["lower_bound"]}',
         'best_found': f'the best found; nothing below {plan["lower_bound"]} is possible'}
print(f'RAM: an arena of {plan["arena"]} bytes, {proof.get(plan["proof"], "without proof")}')
failed = [where for where, result in got.items() if result != want]
for board in report['verify']:
    total = board['arena'] + board['static'] + board['stack']
    print(f'  measured on {board["on"]:10} {total} bytes = arena {board["arena"]} + static {board["static"]} + stack {board["stack"]}')
    if board['arena'] != plan['arena'] or board['static'] != report['ram']['static']:
        failed.append(f'memory on {board["on"]}')
if failed:
    sys.exit('DIFFERENT: ' + ', '.join(failed))
print('accuracy and memory are as promised')
