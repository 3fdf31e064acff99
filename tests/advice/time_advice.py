#!/usr/bin/env python3
"""time_advice.py TARN NETWORKS [COUNT]: for COUNT networks budgets of time are set that they miss, by a little and by much, with options
that leave something to improve; every change that is advised is applied as it is written. What is told to fit must fit, what is told not
to must not, and each takes exactly the instructions and cycles told. Nothing is compiled or run."""
import json
import os
import shlex
import subprocess
import sys
import tempfile

tarn, networks, count = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 20
CLOCK = 100_000_000
# By turns, from what a plan leaves to improve: lines that come and go, planes of channels, nothing but the core.
BASES = [['--target', 'cortex-m4', '--stream', 'fed'], ['--target', 'cortex-m4'], ['--target', 'cortex-m0'], ['--target', 'rv32imac', '--stream', 'resident']]
SHARES = [0.999, 0.9, 0.4]
MOST_BYTES = 700_000
missed = told = fitting = 0
wrong = []


def analyze(model, options, report):
    """The exit status, and what the report says of time and advice."""
    if os.path.exists(report):
        os.remove(report)
    done = subprocess.run([tarn, 'analyze', model, '--report', report, '--cc', 'none', '--clock', str(CLOCK), *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
    return done.returncode, json.load(open(report)) if os.path.exists(report) else None


def changed(base, advised):
    """The base with the advised options; those of the same name stand for it."""
    kept = []
    for i in range(0, len(base), 2):
        if base[i] not in advised:
            kept += base[i:i + 2]
    return kept + advised


def miss(name, model, base, report):
    """Budgets below what the network takes with these options; whether it has an estimate."""
    global missed, told, fitting
    code, found = analyze(model, base, report)
    time = found and found.get('time')
    if code != 0 or not time or not time['instructions']:
        return False
    for n, share in enumerate(SHARES):
        # Of a core without cycles, or by turns, instructions are limited.
        if time['cycles'] and n != 1:
            nanoseconds = int(time['cycles'] * share * 1e9 / CLOCK)
            budget = ['--time', f'{nanoseconds}ns']
        else:
            budget = ['--instructions', str(int(time['instructions'] * share))]
        code, found = analyze(model, base + budget, report)
        if found is None or code not in (5, 6):
            wrong.append(f'{name} {" ".join(base + budget)}: exit {code} for a budget that it misses')
            continue
        missed += 1
        for advice in found.get('advice', []):
            if 'instructions' not in advice or not advice['options']:
                continue
            told += 1
            fitting += advice['fits']
            options = changed(base, shlex.split(advice['options'])) + budget
            code, again = analyze(model, options, report)
            now = again and again['time']
            if not now or (code == 0) != advice['fits'] or now['instructions'] != advice['instructions'] or now['cycles'] != advice.get('cycles'):
                wrong.append(f'{name} {" ".join(options)}: exit {code}, {now and now["instructions"]} instructions, {now and now["cycles"]} cycles; '
                             f'told {"to fit" if advice["fits"] else "not to fit"}, {advice["instructions"]} and {advice.get("cycles")}')
    return True


tried = 0
with tempfile.TemporaryDirectory() as folder:
    for name in sorted(os.listdir(networks)):
        model = os.path.join(networks, name, 'model.onnx')
        if tried >= count or not os.path.exists(model) or os.path.getsize(model) > MOST_BYTES:
            continue
        tried += miss(name, model, BASES[tried % len(BASES)], os.path.join(folder, 'r.json'))
print(f'{tried} networks, {missed} budgets of time missed, {told} changes advised, {fitting} of them told to fit; {len(wrong)} wrong')
print('\n'.join(wrong))
sys.exit(1 if wrong or tried < count or fitting == 0 else 0)
