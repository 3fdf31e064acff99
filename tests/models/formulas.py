#!/usr/bin/env python3
"""Formulas of `tarn analyze --dim N=LOW..HIGH` against the plan of each of 30 sizes, each made by a run of its own: formulas.py TARN [NAME...]

Every model of TARN_SHARED_DIR's exported and models with dimensions that are not bound, one dimension at a time, the others 1,
and all of them at once where tarn takes a grid of them. Formulas of shapes are also compared with onnx's own inference, where the
module is installed. By default those of SAMPLE at every fourth size; all of them at every size with TARN_FULL=1, or those that are named. Exit status 77: no data."""
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import onnx
except ImportError:
    onnx = None

SHARED = pathlib.Path(os.environ.get('TARN_SHARED_DIR', pathlib.Path(__file__).resolve().parents[3] / 'shared'))
SAMPLE = ['bert_tiny_op23_dynseq', 'loop_rnn_script', 'mlpt_ad_fcae_dynb_qdq_s8']


# Where a model takes nothing near 1: the least sizes that are looked at.
LEAST = {
    'silero_vad_op18_ifless': {'batch': 1, 'sequence': 500}, 'silero_vad_v5_16k_op15': {'batch': 1, 'sequence': 500},
    'silero_vad_v5_full': {'input:0': 1, 'state:1': 1, 'input:1': 500}, 'sklearn_treecl': {'input:0': 1, 'input:1': 20},
    'tiny_random_lfm2_decoder': {'batch_size': 1, 'sequence_length': 8, 'past_sequence_length': 8, 'total_sequence_length': 16},
}


def analyze(tarn, model, dims, report=None):
    words = [tarn, 'analyze', str(model), '--cc', 'none', '--stream', 'off']
    for name, value in dims.items():
        words += ['--dim', f'{name}={value}']
    done = subprocess.run(words + (['--report', str(report)] if report else []), capture_output=True, text=True)
    return done, json.loads(report.read_text()) if report and done.returncode == 0 else None


def value(expression, sizes):
    """The expression at sizes of its dimensions, by name."""
    text = expression
    for name in sorted(sizes, key=len, reverse=True):
        plain = re.fullmatch(r'[A-Za-z_.][\w.]*', name)
        text = re.sub(rf'(?<![\w.]){re.escape(name)}(?![\w.])' if plain else re.escape(f"'{name}'"), f'({sizes[name]})', text)
    text = re.sub(r'\b(floor|ceil)\(', r'\1_(', text).replace('/', ',')  # floor_(a, b): whole numbers, no rounding
    assert re.fullmatch(r'(?:[\d\s()+\-*,]|floor_|ceil_)+', text), expression
    return eval(text, {'floor_': lambda a, b: a // b, 'ceil_': lambda a, b: -(-a // b)})


def onnx_shapes(model, sizes):
    """The shapes that onnx infers at sizes of the dimensions, by name; none without the module."""
    if onnx is None:
        return {}
    proto = onnx.load(model, load_external_data=False)
    for value_info in proto.graph.input:
        for axis, dim in enumerate(value_info.type.tensor_type.shape.dim):
            name = dim.dim_param or f'{value_info.name}:{axis}'
            if (not dim.HasField('dim_value') or dim.dim_value < 0) and name in sizes:  # some files write -1
                dim.dim_value = sizes[name]
    # What the file says of other tensors stands in names that nothing binds.
    del proto.graph.value_info[:]
    for value_info in proto.graph.output:
        value_info.type.tensor_type.ClearField('shape')
    try:
        inferred = onnx.shape_inference.infer_shapes(proto, data_prop=True).graph
    except Exception as fault:  # operators that it does not know
        print(f'onnx infers nothing of {model.parent.name}: {str(fault).splitlines()[0]}')
        return {}
    shapes = {}
    for value_info in [*inferred.input, *inferred.value_info, *inferred.output]:
        tensor = value_info.type.tensor_type
        if tensor.HasField('shape') and all(dim.HasField('dim_value') for dim in tensor.shape.dim):
            shapes[value_info.name] = [dim.dim_value for dim in tensor.shape.dim]
    return shapes


def axis_orders(model):
    """Orders in which axes may lie, by rank: channels or pixels first (the axes behind the first turned round), also of what a Transpose
    of the model, moved behind the tensor or in front of it, leaves."""
    perms = [list(a.ints) for node in onnx.load(model, load_external_data=False).graph.node if node.op_type == 'Transpose'
             for a in node.attribute if a.name == 'perm'] if onnx else []

    def of_rank(rank):
        start = [list(range(rank))] + [p for perm in perms if len(perm) == rank for p in (perm, [perm.index(i) for i in range(rank)])]
        return [[order[0], *order[1 + k:], *order[1:1 + k]] for order in start for k in range(max(1, rank - 1))]
    return of_rank


def piece(pieces, n):
    found = [p['expression'] for p in pieces if p['from'] <= n <= p['to']]
    assert len(found) == 1, (pieces, n)
    return found[0]


def check(tarn, model, name, others, step, low=1, high=30):
    """None: the model takes no other size. Else the faults found and the points compared."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix='tarn-formulas-'))
    done, report = analyze(tarn, model, {**others, name: f'{low}..{high}'}, folder / 'range.json')
    if not report:
        return None, done.stderr.strip().splitlines()[0] if done.stderr else 'no report'
    symbolic, faults, inferred, unproved = report['symbolic'], [], 0, 0
    orders = axis_orders(model)
    for n in sorted({*range(low, high + 1, step), high}):
        done, alone = analyze(tarn, model, {**others, name: n}, folder / 'point.json')
        if not alone:
            faults.append(f'{name}={n}: {done.stderr.strip()}')
            continue
        got = [value(piece(symbolic[key], n), {name: n}) for key in ('arena', 'lower_bound')]
        want = [alone['plan']['lower_bound'] if key else alone['ram']['arena'] for key in (0, 1)]
        if got != want:
            faults.append(f'{name}={n}: {got}, planned {want}')
        unproved += alone['plan']['proof'] != 'optimal'
        rows = {}
        for tensor in alone['tensors']:
            rows.setdefault(tensor['name'], []).append(tensor)
        theirs = onnx_shapes(model, {**others, name: n})
        for tensor, shape in symbolic['shapes'].items():
            if any(' for ' in axis for axis in shape):
                continue
            if [value(axis, {name: n}) for axis in shape] != rows[tensor][0]['shape']:
                faults.append(f'{name}={n}: {tensor} is {rows[tensor][0]["shape"]}, not {shape}')
            if tensor in theirs:
                inferred += 1
                mine, other = [value(axis, {name: n}) for axis in shape], theirs[tensor]
                if mine not in ([other] if len(other) < 3 else [[other[i] for i in order] for order in orders(len(other))]):
                    faults.append(f'{name}={n}: {tensor} is {shape}, onnx infers {theirs[tensor]}')
    return faults, (f'{len(symbolic["arena"])} pieces, {symbolic["proved"]} of {high - low + 1} points proved, {unproved} alone are not, '
                    f'{inferred} shapes as onnx infers them: {symbolic["arena"][0]["expression"]}')


def check_grid(tarn, model, folder, every):
    """A model with several open dimensions, without --dim: the formulas of tarn's own grid. Faults and what was compared."""
    done, report = analyze(tarn, model, {}, folder / 'grid.json')
    if not report or 'grid' not in report:
        return None, 'no grid'
    grid, faults, compared = report['grid'], [], 0
    names = list(grid['dims'])
    tied = {other: group[0] for group in grid['tied'] for other in group[1:]}
    # What neither varies nor is tied has one size.
    fixed = {name: size for name, size in report['model']['dims'].items() if name not in names and name not in tied}
    points = list(itertools.product(*(range(low, high + 1) for low, high in grid['dims'].values())))
    for point in dict.fromkeys(points[::every] + points[-1:]):
        sizes = dict(zip(names, point))
        done, alone = analyze(tarn, model, {**fixed, **sizes, **{name: sizes[axis] for name, axis in tied.items()}}, folder / 'point.json')
        if not alone:
            faults.append(f'{sizes}: {done.stderr.strip()}')
            continue
        compared += 1

        def at(key):
            found = [box['expression'] for box in grid[key] if all(box['from'][n] <= sizes[n] <= box['to'][n] for n in names)]
            assert len(found) == 1, (key, sizes, found)
            return value(found[0], sizes)
        got = [at(key) for key in ('arena', 'lower_bound', 'macs', 'weights')]
        want = [alone['ram']['arena'], alone['plan']['lower_bound'], alone['totals']['macs'], alone['flash']['weights']]
        if got != want:
            faults.append(f'{sizes}: {got}, planned {want}')
        rows = {tensor['name']: tensor for tensor in alone['tensors']}
        for tensor, shape in grid['shapes'].items():
            if any(' for ' in axis for axis in [*shape, grid['bytes'][tensor]]):
                continue
            if [value(axis, sizes) for axis in shape] != rows[tensor]['shape'] or value(grid['bytes'][tensor], sizes) != rows[tensor]['bytes']:
                faults.append(f'{sizes}: {tensor} is {rows[tensor]["shape"]}, not {shape}')
    return faults, f'{" and ".join(names)}: {len(grid["arena"])} boxes, {compared} of {len(points)} points compared: {grid["arena"][-1]["expression"]}'


def main():
    tarn, only = sys.argv[1], sys.argv[2:]
    step = 1
    if not only and os.environ.get('TARN_FULL') != '1':
        only, step = SAMPLE, 4
        print(f'sample: every fourth size of {" ".join(SAMPLE)}')
    models = sorted(m for kind in ('exported', 'models') for m in (SHARED / kind).glob('*/*.onnx') if not only or m.parent.name in only)
    if not models:
        print(f'SKIPPED: no models in {SHARED}')
        return 77
    jobs = []
    for model in models:
        done, _ = analyze(tarn, model, {})
        # Open dimensions are a warning (W206) with those that have formulas, or a fault (E202).
        names = list(dict.fromkeys(re.findall(r"'([^']*)' \(axis", done.stderr))) if 'E202' in done.stderr else []
        told = re.search('W206: dimensions? not bound: (.*); the report', done.stderr)
        if told:
            names = re.findall(r"'([^']*)'(?!, which|;)(?=,|$)", told[1])
        least = LEAST.get(model.parent.name, {})
        jobs += [(model, name, {other: least.get(other, 1) for other in [*names, *least] if other != name}) for name in names]
    bad = compared = grids = 0
    with tempfile.TemporaryDirectory() as folder:
        for model in dict.fromkeys(job[0] for job in jobs if job[2]):
            faults, what = check_grid(tarn, model, pathlib.Path(folder), 7 if step > 1 else 1)
            grids += faults is not None
            bad += bool(faults)
            print(f'{model.parent.name} over {what}' + ''.join('\n  FAULT ' + f for f in faults or []), flush=True)
    for model, name, others in jobs:
        low = LEAST.get(model.parent.name, {}).get(name, 1)
        faults, what = check(tarn, model, name, others, step, low, low + 29)
        if faults is None:
            print(f'{model.parent.name} over {name}: refused: {what}')
            continue
        compared += 1
        bad += bool(faults)
        print(f'{model.parent.name} over {name}: {what}' + ''.join('\n  FAULT ' + f for f in faults), flush=True)
    print(f'{compared} of {len(jobs)} dimensions and {grids} grids have formulas; {bad} with faults')
    return 1 if bad or compared == 0 or grids == 0 else 0


if __name__ == '__main__':
    sys.exit(main())
