#!/usr/bin/env python3
"""Derives again, from the JSON report alone, what plan.certificate says of plans that are proved to be optimal.

    certificates.py TARN [--all] [--verbose]

Peak of step: the tensors named are alive together by the report's own lives, lie apart in the plan, and their sizes add up to the
arena. Core: a search of its own places the tensors named in fewer bytes than the arena, and must fail. What is taken on trust is
how far an operation may write over what it reads: the pairs are at most as strict as two tensors apart, and the plan keeps to them.
The networks are those of quick.txt up to 200 KB; with --all or TARN_FULL=1 all of TARN_SHARED_DIR up to 3 MB. Those with loops or
branches are counted apart: the report tells the lives of one pass through a body, not that what a loop reads is alive in all.
"""
import collections
import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import sampling  # noqa: E402


HERE = pathlib.Path(__file__).resolve().parent
SHARED = pathlib.Path(os.environ.get('TARN_SHARED_DIR', pathlib.Path(__file__).resolve().parents[3] / 'shared'))
SHARES = ['views,in_place,overlap', 'views']
MOST_BYTES, SMALL_BYTES, MOST_STATES, MOST_SLOTS = 3 << 20, 200 << 10, 20000, 1 << 18


class Wrong(Exception):
    """The certificate does not prove what it is there for."""


def need(truth, text):
    if not truth:
        raise Wrong(text)


def rounded(number, unit):
    return -(-number // unit) * unit


def lives_of(report):
    """By tensor: the steps in which its buffer is in use, views of it included."""
    rows = {row['name']: row for row in report['tensors']}

    def root(name):
        while (rows[name].get('shares') or {}).get('how') == 'view' and rows[name]['shares']['with'] in rows:
            name = rows[name]['shares']['with']
        return name
    lives = {}
    for name, row in rows.items():
        first, end = lives.get(root(name), (row['first'], row['end']))
        lives[root(name)] = min(first, row['first']), max(end, row['end'])
    return {name: lives[root(name)] for name in rows}


def plain(a, b):
    """What two tensors forbid each other that are apart: offset(b) - offset(a)."""
    return -b['bytes'], a['bytes']


def check_tensors(report, tensors):
    """Each is in the report with these bytes, alive when the certificate says so."""
    rows, lives = {row['name']: row for row in report['tensors']}, lives_of(report)
    need(len({t['name'] for t in tensors}) == len(tensors), 'a tensor is named twice')
    for t in tensors:
        need(t['name'] in rows, f"{t['name']} is no tensor of the report")
        need(t['bytes'] == rows[t['name']]['bytes'], f"{t['name']} has {rows[t['name']]['bytes']} bytes")
        first, end = lives[t['name']]
        last = 2 * end + (end == len(report['steps']))  # what is left at the end is alive an instant longer
        need(2 * first <= t['first'] < t['end'] <= last, f"{t['name']} is alive in steps [{first}, {end})")
    return rows


def check_peak(report, plan, certificate):
    tensors, instant = certificate['tensors'], certificate['instant']
    need(certificate['step'] == instant // 2, 'the step is not that of the instant')
    rows = check_tensors(report, tensors)
    top = 0
    for t in sorted(tensors, key=lambda t: rows[t['name']]['offset']):
        need(t['first'] <= instant < t['end'], f"{t['name']} is not alive then")
        need(rows[t['name']]['offset'] >= top, f"{t['name']} lies over another one, so it may")
        top = rows[t['name']]['offset'] + t['bytes']
    unit = plan['align']
    padding = [rounded(t['bytes'], unit) - t['bytes'] for t in tensors]
    least = sum(rounded(t['bytes'], unit) for t in tensors) - max(padding, default=0)
    # An arena ends where some tensor ends.
    ends = [rounded(max(0, least - row['bytes']), unit) + row['bytes'] for row in rows.values()]
    need(max(least, min(ends, default=0)) == plan['arena'], f'they need {least} bytes, the arena is {plan["arena"]}')


def forbidden_among(tensors, pairs):
    """By ordered pair of positions: the open intervals that offset(b) - offset(a) must not be in."""
    among, listed = collections.defaultdict(list), set()
    for pair in pairs:
        a, b = tensors[pair['a']], tensors[pair['b']]
        low, high = plain(a, b)
        need(max(a['first'], b['first']) // 2 <= min(a['end'] - 1, b['end'] - 1) // 2, 'a pair that shares no step')
        for f in pair['forbidden']:
            need(low <= f['above'] and f['below'] <= high, 'a pair is stricter than two tensors apart')
            among[pair['a'], pair['b']].append((f['above'], f['below']))
        listed.add(frozenset((pair['a'], pair['b'])))
    for a, x in enumerate(tensors):
        for b, y in enumerate(tensors[:a]):
            if frozenset((a, b)) not in listed and max(x['first'], y['first']) < min(x['end'], y['end']):
                among[b, a].append(plain(y, x))
    for (a, b), intervals in list(among.items()):
        among[b, a] = [(-high, -low) for low, high in intervals]
    return among


def fits(tensors, among, unit, capacity):
    """Whether they have places below the capacity; None when that takes too long. In a placement with the least sum of offsets
    each tensor lies at 0, or one unit lower would be forbidden by another one that is held up the same way: else all that hold
    each other up could go down together. So each is placed at 0 or as low as one that lies already lets it."""
    slots = [(capacity - t['bytes']) // unit + 1 for t in tensors]
    if min(slots) <= 0:
        return False
    if max(slots) > MOST_SLOTS:
        return None
    seen, todo = set(), [({}, [(1 << n) - 1 for n in slots])]
    while todo:
        placed, free = todo.pop()
        if len(placed) == len(tensors):
            return True
        for i in range(len(tensors)):
            if i in placed:
                continue
            lowest = {0}
            for j, at in placed.items():
                lowest |= {-(-(at * unit + high) // unit) for _, high in among[j, i]}
            for at in lowest:
                if at < 0 or not free[i] >> at & 1:
                    continue
                now = {**placed, i: at}
                mark = frozenset(now.items())
                if mark in seen:
                    continue
                seen.add(mark)
                if len(seen) > MOST_STATES:
                    return None
                left = list(free)
                for k in range(len(tensors)):
                    if k in now:
                        continue
                    for low, high in among[i, k]:  # places strictly between
                        first = max(0, (at * unit + low) // unit + 1)
                        end = min(slots[k], -(-(at * unit + high) // unit))
                        if first < end:
                            left[k] &= ~((1 << end) - (1 << first))
                if all(left[k] for k in range(len(tensors)) if k not in now):
                    todo.append((now, left))
    return False


def check_core(report, plan, certificate):
    tensors = certificate['tensors']
    rows = check_tensors(report, tensors)
    need(tensors, 'a core of nothing')
    among = forbidden_among(tensors, certificate['pairs'])
    for (a, b), intervals in among.items():
        difference = rows[tensors[b]['name']]['offset'] - rows[tensors[a]['name']]['offset']
        need(not any(low < difference < high for low, high in intervals), 'the plan itself does what a pair forbids')
    # With places up to the arena they fit, as the plan shows: the search must find that too.
    need(fits(tensors, among, plan['align'], plan['arena']) is not False, 'the search finds no place where the plan has one')
    answer = fits(tensors, among, plan['align'], plan['arena'] - 1)
    need(answer is not True, 'they fit into fewer bytes')
    return answer is False


def check(report):
    """What was found of the report: its kind of certificate, and whether it has been derived again."""
    plan = report['plan']
    certificate = plan.get('certificate')
    if plan['proof'] != 'optimal' or 'banks' in report:
        need(certificate is None, 'a certificate of what is not proved')
        return 'not proved'
    need(certificate is not None, 'proved by nothing')
    need(plan['lower_bound'] == plan['arena'] or 'stream' in report, 'bound and arena differ')
    need(not certificate['every_order'] or plan['floor'] == plan['arena'], 'another order has a lower bound below the arena')
    if any(step['kernel'] in ('loop', 'branch') for step in report['steps']):
        return 'with loops or branches'
    if certificate['by'] == 'peak of step':
        check_peak(report, plan, certificate)
    elif certificate['by'] == 'core' and not check_core(report, plan, certificate):
        return 'core, too large to search again'
    return certificate['by']


def falsified(report):
    """The same report with certificates that are not true."""
    by = report['plan']['certificate']['by']
    if by not in ('peak of step', 'core') or not report['plan']['certificate']['tensors']:
        return
    for change in ('bytes', 'tensor', 'arena', 'kind'):
        other = copy.deepcopy(report)
        certificate = other['plan']['certificate']
        if change == 'bytes':
            certificate['tensors'][0]['bytes'] += 64
        if change == 'tensor':
            if by == 'core' or certificate['tensors'][-1]['bytes'] <= 2 * other['plan']['align']:
                continue  # a core need not be a least one
            certificate['tensors'].pop()
        if change == 'arena':
            other['plan']['arena'] = other['plan']['lower_bound'] = other['plan']['arena'] + 16
        if change == 'kind':
            other['plan']['proof'] = 'best_found'
        yield change, other


def report_of(tarn, path, share, out):
    """The report of the plan by layers; symbols are 1. None where there is no plan."""
    dims = []
    for _ in range(2):
        out.unlink(missing_ok=True)
        done = subprocess.run([tarn, 'analyze', path, '--stream', 'off', '--share', share, '--report', out, *dims],
                              capture_output=True, text=True, timeout=600, check=False)
        if out.is_file():
            return json.loads(out.read_text(encoding='utf-8'))
        for name in dict.fromkeys(re.findall(r"dimension not bound: '([^']*)'", done.stderr)):
            dims += ['--dim', name + '=1']
    return None


def networks(full):
    if not full:
        lines = (HERE / 'quick.txt').read_text(encoding='utf-8').splitlines()
        found = [SHARED / line / 'model.onnx' for line in lines if line and line[0] not in '#+']
    else:
        found = sorted(SHARED.glob('models/*/model.onnx')) + sorted(SHARED.glob('exported/*/model.onnx'))
    return [path for path in found if path.stat().st_size <= (MOST_BYTES if full else SMALL_BYTES)]


def main():
    tarn = sys.argv[1]
    full = '--all' in sys.argv or os.environ.get('TARN_FULL') == '1'
    if not SHARED.is_dir():
        print(f'SKIPPED: no {SHARED}')
        return 77
    counts, failures, caught, told = collections.Counter(), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / 'report.json'
        for path in networks(full) if full else sampling.part(networks(full), 12):
            for share in SHARES:
                report = report_of(tarn, path, share, out)
                if report is None:
                    counts['no plan'] += 1
                    continue
                try:
                    kind = check(report)
                except Wrong as wrong:
                    failures += 1
                    print(f'{path.parent.name}, share {share}: {wrong}')
                    continue
                counts[kind] += 1
                if '--verbose' in sys.argv:
                    print(f'{path.parent.name}, share {share}: {kind}')
                if kind in ('peak of step', 'core'):
                    for change, other in falsified(report):
                        told += 1
                        try:
                            if check(other).startswith('core, '):
                                told -= 1
                                continue
                            print(f'{path.parent.name}: {kind}: {change} changed, and nothing is noticed')
                        except Wrong:
                            caught += 1
    print(', '.join(f'{kind}: {count}' for kind, count in sorted(counts.items())), f'; {failures} wrong; {caught} of {told} falsified '
          'ones found')
    derived = counts['peak of step'] + counts['core']
    others = counts['exhausted search'] + counts['core, too large to search again']
    return 0 if failures == 0 and caught == told and counts['peak of step'] and counts['core'] and derived > others else 1


if __name__ == '__main__':
    sys.exit(main())
