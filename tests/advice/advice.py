#!/usr/bin/env python3
"""advice.py TARN MODELS [COUNT] [--compiled]: for COUNT budgets that models miss, every change said to fit is applied as it is
written, and must fit with exactly the bytes told. Half of the budgets meet the default options, the others a plan that leaves much to
improve. With --compiled the stack of the code is part of what must fit, as for a user with a compiler on PATH."""
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time

compiled = '--compiled' in sys.argv
words = [w for w in sys.argv[1:] if w != '--compiled']
tarn, models, count = words[0], words[1], int(words[2]) if len(words) > 2 else 20
POOR = ['--order', 'given', '--strategy', 'first_fit', '--share', 'views', '--stream', 'off']
SLOW = {'basic_pitch_nmp', 'yunet_n_320'}  # thousands of lines, planned in half a dozen ways for each budget
tried = told = 0
slowest = (0, '')
wrong = []


def analyze(model, options, report):
    command = [tarn, 'analyze', model, '--report', report] + ([] if compiled else ['--cc', 'none']) + options
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300).returncode


def dimensions():
    """Folder -> options that bind its dimensions, from the manifest."""
    bound = {}
    rows = [line.rstrip('\n').split('\t') for line in open(os.path.join(models, 'MANIFEST.tsv'))]
    column = rows[0].index('dyn_dims_used')
    for row in rows[1:]:
        pairs = [p for p in row[column].split(' ') if '=' in p and p[0] not in '?=']
        bound[row[0].split('/')[0]] = [word for p in pairs for word in ('--dim', p)]
    return bound


def changed(base, advised):
    """The base with the advised options; those of the same name stand for it."""
    kept = []
    for i in range(0, len(base), 2):
        if base[i] == '--dim' or base[i] not in advised:
            kept += base[i:i + 2]
    return kept + advised


def miss(name, model, base, share, folder):
    """One budget below what the model needs with these options; None where it is met by lines."""
    global tried, told, slowest
    report, again = os.path.join(folder, 'r.json'), os.path.join(folder, 'again.json')
    if analyze(model, base, report) != 0:
        return
    found = json.load(open(report))
    budget = int(found['ram']['total'] * share)
    os.remove(report)
    if 'grid' in found:  # sizes of tarn's choice, which a budget of RAM wants to be told
        base = [word for size in found['model']['dims'].items() for word in ('--dim', '{}={}'.format(*size))] + base
    if budget < 64:
        return
    start = time.monotonic()
    code = analyze(model, base + ['--ram', str(budget)], report)
    seconds = time.monotonic() - start
    if code == 0 and base[-1:] != ['off']:
        return
    tried += 1
    slowest = max(slowest, (seconds, f'{name} in {budget} bytes'))
    if code not in (5, 6):
        wrong.append(f'{name}: exit {code} for a budget below its plan')
        return
    for advice in json.load(open(report)).get('advice', []):
        if not advice['fits'] or not advice['options']:
            continue
        told += 1
        code = analyze(model, changed(base, shlex.split(advice['options'])) + ['--ram', str(budget)], again)
        ram = json.load(open(again))['ram']
        if code != 0 or ram['arena'] != advice['arena'] or ram['total'] != advice['ram']:
            wrong.append(f"{name} in {budget}: {advice['options']}: exit {code}, {ram['arena']} + {ram['total'] - ram['arena']}, "
                         f"told {advice['arena']} + {advice['ram'] - advice['arena']}")


def miss_flash(name, model, base, share, folder):
    """One budget of flash below what the model needs: 0.9 of it, or 0.3."""
    global tried, told
    report, again = os.path.join(folder, 'r.json'), os.path.join(folder, 'again.json')
    if analyze(model, base, report) != 0:
        return
    flash = json.load(open(report))['flash']
    budget = int((flash['weights'] + (flash['code'] or 0)) * share)
    if budget < 1:
        return
    tried += 1
    code = analyze(model, base + ['--flash', str(budget)], report)
    if code != 5:
        wrong.append(f'{name}: exit {code} for a budget of flash below its weights')
        return
    for advice in json.load(open(report)).get('advice', []):
        if not advice['fits']:
            continue
        told += 1
        code = analyze(model, changed(base, shlex.split(advice['options'])) + ['--flash', str(budget)], again)
        flash = json.load(open(again))['flash']
        total = flash['weights'] + (flash['code'] or 0)
        if code != 0 or total != advice['flash']:
            wrong.append(f"{name} in {budget} of flash: {advice['options']}: exit {code}, {total}, told {advice['flash']}")


bound = dimensions()
with tempfile.TemporaryDirectory() as folder:
    for name in sorted(os.listdir(models)):
        model = os.path.join(models, name, 'model.onnx')
        if tried >= count or name in SLOW or not os.path.exists(model) or os.path.getsize(model) > 1e6:
            continue
        miss(name, model, bound.get(name, []) + POOR, 0.9, folder)
        miss(name, model, bound.get(name, []), 0.9, folder)
        miss(name, model, bound.get(name, []), 0.3, folder)
        miss_flash(name, model, bound.get(name, []), 0.9 if tried % 2 else 0.3, folder)
print(f'{tried} budgets missed, {told} changes told to fit, {len(wrong)} of them wrong; the slowest took {slowest[0]:.1f} s: {slowest[1]}')
print('\n'.join(wrong))
sys.exit(1 if wrong or tried < count or told == 0 else 0)
