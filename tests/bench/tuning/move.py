#!/usr/bin/env python3
"""What each number of generator/tuning.h and generator/*/tuning.h does: halved and doubled, one at a time.

    move.py [--build build-tuning] [--area planner|schedule|stream|plan|program|quantize] [--only NAME] [--factors 0.5,2] [--every N] [--jobs N]

The build is .ci/build.sh build-tuning -DTARN_TUNING=ON (TARGETS=tarn), made when it is not there. Measured: planner, problems of
planner_bench and conflict tables of networks; schedule, networks by layers; stream, networks by lines; plan, all of these;
program, networks with packed weights and quantised ones, of which the flash of constants counts; quantize, float networks on
copies of their stored inputs with noise (needs onnx and onnxruntime); all from TARN_SHARED_DIR. A row is one number at one factor: the
geometric mean of the arenas (of program: of the constants in flash; of quantisation: of the noise's share of the outputs' power) over those of the number as it is, the best and
the worst single one, proofs of optimality won or lost, processor time over that of the number as it is, and how many cases have another
result. "does nothing": no result changed and time stayed within a twentieth, at every factor. --every N: every Nth case (default: 1).
"""
import argparse
import atexit
import concurrent.futures
import importlib.util
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHARED = pathlib.Path(os.environ.get('TARN_SHARED_DIR', ROOT.parent / 'shared'))
# Networks with something to choose; those that take seconds by lines are left to the stream bench.
BY_LAYERS = ['densenet_micro', 'resnest', 'inception', 'nasnet', 'unet', 'efficientnet', 'shufflenet', 'gpt2', 'vit', 'yolo', 'ssd', 'squeezenet', 'googlenet', 't5', 'hrnet']
CODES = ['_qdq_s8', '_qop_', 'mlpt_', 'vit_tiny', 'micro_kws', 'gru', 'bert_tiny']
BY_LINES = ['mlpt_', 'mobilenet_v2_035', 'efficientnet_micro', 'ds_cnn', 'micro_', 'resnet8', 'yunet']
AREAS = ['planner', 'schedule', 'stream', 'plan', 'program', 'quantize']


def models(words, most_bytes):
    found = sorted(p for folder in ('exported', 'models') for p in (SHARED / folder).rglob('*.onnx') if p.stat().st_size < most_bytes)
    return [p for p in found if any(w in str(p.relative_to(SHARED)) for w in words) and '_dyn' not in str(p)]


def quantised_cases(samples=12, most_bytes=600_000):
    """Networks of the bench of quantisation that take seconds, each with a folder of noisy copies of its stored inputs."""
    spec = importlib.util.spec_from_file_location('quantise', ROOT / 'tests' / 'bench' / 'quantise' / 'quantise.py')
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    work = pathlib.Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, work)
    found = []
    for folder in map(pathlib.Path, bench.float_networks(SHARED)):
        if (folder / 'model.onnx').stat().st_size > most_bytes or folder.name.startswith('light_'):  # these have made-up weights
            continue
        model = bench.onnx.load(folder / 'model.onnx', load_external_data=False)
        constants = {t.name for t in model.graph.initializer}
        names = [i.name for i in model.graph.input if i.name not in constants]
        kept = bench.stored(folder, names)
        rng = bench.np.random.default_rng(1)
        for i in range(samples):
            into = work / folder.name / f'set_{i}'
            into.mkdir(parents=True)
            for j, value in enumerate(bench.noisy(kept[i % len(kept)], rng).values()):
                (into / f'input_{j}.pb').write_bytes(bench.numpy_helper.from_array(value).SerializeToString())
        found.append((folder.name, ['quantize', folder / 'model.onnx', '--data', work / folder.name, '-o', 'MODEL', '--report', 'FILE']))
    return found


def cases(area):
    """(name, words of the command; FILE stands for its JSON, MODEL for a model that it writes)."""
    if area == 'planner':
        return [(p.stem, ['plan', p, '--json', 'FILE']) for p in sorted((SHARED / 'planner_bench').rglob('*.csv'))]
    if area == 'schedule':
        return [(p.parent.name + '/' + p.stem, ['analyze', p, '--cc', 'none', '--report', 'FILE']) for p in models(BY_LAYERS, 30_000_000)]
    if area == 'quantize':
        return quantised_cases()
    if area == 'plan':
        return cases('schedule') + cases('stream')
    if area == 'program':
        words = ['--cc', 'none', '--target', 'cortex-m4', '--report', 'FILE']
        found = [(p.parent.name + '/' + p.stem, ['analyze', p, *words]) for p in models(CODES, 3_000_000)]
        return found + [(name + ' packed', [*command, '--weights', 'packed']) for name, command in found]
    return [(p.parent.name + '/' + p.stem, ['analyze', p, '--cc', 'none', '--stream', 'resident', '--report', 'FILE']) for p in models(BY_LINES, 6_000_000)]


def tuned(area):
    folder = ROOT / 'generator' if area == 'plan' else ROOT / 'generator' / area
    text = (folder / 'tuning.h').read_text()
    return re.findall(r'TARN_TUNED(?:_LIST)?\([^,]+,(?: \d+,)? (k\w+),', text)


def measure(job):
    """(what is to be small, whether it is proved, processor time), or nothing of a run that failed."""
    area, tarn, words, tune = job
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, 'r.json')
        environment = dict(os.environ)
        environment.pop('TARN_TUNE', None)
        if tune:
            environment['TARN_TUNE'] = tune
        files = {'FILE': out, 'MODEL': os.path.join(folder, 'm.onnx')}
        child = subprocess.Popen([str(files.get(w, w)) for w in [tarn, *words]], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, use = os.wait4(child.pid, 0)
        if status != 0 or not os.path.exists(out):
            return None
        report = json.load(open(out))
        if 'quantize' in report:
            outputs = report['quantize']['outputs']
            if not outputs:
                return None
            return 10 ** (-sum(o['snr_db'] for o in outputs) / len(outputs) / 10), False, use.ru_utime
        if area == 'program':
            return report['flash']['weights'], False, use.ru_utime
        plan = report.get('plan', report)
        return plan['arena'], plan['proof'] == 'optimal', use.ru_utime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default=str(ROOT / 'build-tuning'))
    parser.add_argument('--area', choices=AREAS)
    parser.add_argument('--only', default='')
    parser.add_argument('--factors', default='0.5,2')
    parser.add_argument('--every', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    options = parser.parse_args()
    if not SHARED.is_dir():
        print(f'no {SHARED}, not run')
        return 77
    if not pathlib.Path(options.build, 'tarn').exists():
        subprocess.run([ROOT / '.ci' / 'build.sh', options.build, '-DTARN_TUNING=ON', '-DTARN_BUILD_TESTS=OFF'], check=True, env=dict(os.environ, TARGETS='tarn'))
    tarn = pathlib.Path(options.build, 'tarn').resolve()
    idle = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for area in [options.area] if options.area else AREAS:
            run = cases(area)[::options.every]
            base = list(pool.map(measure, [(area, tarn, words, None) for _, words in run]))
            run, base = [r for r, b in zip(run, base) if b], [b for b in base if b]
            if not run:
                print(f'{area}: no cases')
                continue
            print(f'{area}: {len(run)} cases, {sum(b[1] for b in base)} proved, {sum(b[2] for b in base):.1f} s')
            print(f'  {"number":24} {"factor":>6} {"size":>7} {"best":>7} {"worst":>7} {"proofs":>6} {"time":>6} {"other result":>11}')
            for name in tuned(area):
                if options.only not in name:
                    continue
                does = False
                for factor in options.factors.split(','):
                    moved = list(pool.map(measure, [(area, tarn, words, f'{name}={factor}') for _, words in run]))
                    pairs = [(m, b) for m, b in zip(moved, base) if m]
                    ratios = [m[0] / b[0] for m, b in pairs if b[0] > 0]
                    time = sum(m[2] for m, _ in pairs) / max(1e-9, sum(b[2] for _, b in pairs))
                    changed = sum(m[:2] != b[:2] for m, b in pairs)
                    does = does or changed > 0 or abs(time - 1) > 0.05 or len(pairs) < len(run)
                    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
                    print(f'  {name:24} {factor:>6} {mean:7.4f} {min(ratios):7.4f} {max(ratios):7.4f} {sum(m[1] for m, _ in pairs) - sum(b[1] for _, b in pairs):+6d} '
                          f'{time:6.2f} {changed:11d}' + (f', {len(run) - len(pairs)} failed' if len(pairs) < len(run) else ''), flush=True)
                if not does:
                    idle.append(f'{area} {name}')
    print(f'does nothing here: {", ".join(idle) if idle else "none"}')
    return 0


sys.exit(main())
