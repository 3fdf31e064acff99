#!/usr/bin/env python3
"""stream: arenas of networks by lines, the time their planning takes, and what lines cost against layers, beside their goals.

    run.py [--tarn build/tarn] [--only TEXT] [--effort N] [--plain] [--no-arenas] [--cost]

Networks are read from TARN_SHARED_DIR. Arenas: int8 networks take and give codes with channels last (--plain: as the model
says, in floats where it does). Kernels' scratch is stated apart: `lean` is the arena less the scratch that is alive where most
is. Goals of float32 networks are four times those of one byte an element, and 2 %. --cost: instructions on an emulated
Cortex-M4 of a run by lines against one by layers. s: processor seconds of the plan asked for and of those it is compared with.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHARED = pathlib.Path(os.environ.get('TARN_SHARED_DIR', ROOT.parent / 'shared'))
FED, RESIDENT, DRAINED = ['--stream', 'fed'], ['--stream', 'resident'], ['--stream', 'fed', '--drain']
TABLE = ['--lines', 'table']
MOBILE = 'mobilenet_v2_100_224_qdq_s8_pc'
SMALL, PERSON, RESNET = 'mobilenet_v2_035_96_qdq_s8_pc', 'mlpt_vww_mobilenet_v1_025_96_qdq_s8', 'mlpt_ic_resnet8_qdq_s8_pc'


def three(bytes_int8):
    return round(bytes_int8 * 1.03)


def floats(bytes_int8):
    return round(bytes_int8 * 4 * 1.02)


INT8_GOALS = [
    (MOBILE, RESIDENT, 172200), (MOBILE, FED, 77700),
    (MOBILE, FED + ['--recompute', '1.5'], 55000), (MOBILE, FED + ['--recompute', '4.5'], 43000),
    (SMALL, RESIDENT, 29700), (SMALL, FED, 10400),
    (PERSON, RESIDENT, 27900), (PERSON, FED, 10900),
    (RESNET, RESIDENT, 11700), (RESNET, FED, 10000),
    ('mlpt_kws_dscnn_qdq_s8_sym', RESIDENT, 4900), ('mlpt_kws_dscnn_qdq_s8_sym', FED, 4600),
    ('mcunet_like_80_qop_s8_pc', RESIDENT, 21500), ('mcunet_like_80_qop_s8_pc', FED, 14700),
    ('unet_tiny_convt_qdq_s8_pc', RESIDENT, 17400), ('unet_tiny_bilinear_qop_u8s8', RESIDENT, 24300),
    (MOBILE, RESIDENT + TABLE, three(170816)), (MOBILE, FED + TABLE, three(75808)),
    (SMALL, RESIDENT + TABLE, three(29664)), (SMALL, FED + TABLE, three(10184)),
    (PERSON, RESIDENT + TABLE, three(27849)), (PERSON, FED + TABLE, three(10112)),
    (RESNET, RESIDENT + TABLE, three(10336)), (RESNET, FED + TABLE, three(8928)),
    ('mlpt_kws_dscnn_qdq_s8_sym', RESIDENT + TABLE, three(3866)), ('mlpt_kws_dscnn_qdq_s8_sym', FED + TABLE, three(3876)),
    ('mcunet_like_80_qop_s8_pc', RESIDENT + TABLE, three(21120)), ('mcunet_like_80_qop_s8_pc', FED + TABLE, three(13289)),
    ('unet_tiny_convt_qdq_s8_pc', RESIDENT + TABLE, three(16640)), ('unet_tiny_convt_qdq_s8_pc', FED + TABLE, three(15960)),
    ('unet_tiny_bilinear_qop_u8s8', RESIDENT + TABLE, three(22464)), ('unet_tiny_bilinear_qop_u8s8', FED + TABLE, three(21840)),
]
FLOAT_GOALS = [
    ('stm_mobilenet_v2_035_128', RESIDENT, floats(51500)), ('stm_mobilenet_v2_035_128', FED, floats(23944)),
    ('yunet_n_320', RESIDENT, floats(316496)), ('yunet_n_320', FED, floats(152832)),
    ('super_resolution_10', DRAINED, floats(89152)),
    ('ultraface_slim_320_simplified', RESIDENT, floats(244096)), ('ultraface_slim_320_simplified', FED, floats(84768)),
    ('light_squeezenet', RESIDENT, floats(171536)), ('light_squeezenet', FED, floats(74368)),
    ('fastestdet', RESIDENT, floats(383328)), ('fastestdet', FED, floats(218496)),
    ('stm_yamnet_256_64x96_tl', RESIDENT, floats(30528)), ('stm_yamnet_256_64x96_tl', FED, floats(27552)),
    ('light_resnet50', RESIDENT, floats(480256)), ('light_resnet50', FED, floats(480256)),
]
COST_GOAL = 1.05


def model_of(name):
    return next(path for path in (SHARED / 'exported' / name / 'model.onnx', SHARED / 'models' / name / 'model.onnx') if path.exists())


def report_of(tarn, command, name, arguments):
    """The report, or none with what went wrong, and processor seconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'report.json'
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        line = [str(tarn), command, str(model_of(name)), *arguments, '--report', str(path)]
        done = subprocess.run(line, capture_output=True, text=True)
        if 'E202' in done.stderr:  # what the model leaves open is 1, from tarn's own hint
            done = subprocess.run([*line, *re.findall(r'--dim|[^ ]+=1\b', done.stderr)], capture_output=True, text=True)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
        if done.returncode != 0:
            print(f'{name} {" ".join(arguments)}: {done.stderr.strip()}', file=sys.stderr)
            return None, seconds
        return json.loads(path.read_text()), seconds


def said(met):
    return 'met' if met else 'MISSED'


def arenas(options):
    print(f'{"network":36}{"options":27}{"arena":>10}{"lean":>10}{"goal":>10}  {"":8}{"table":>6}{"s":>7}')
    missed = 0
    for name, arguments, goal in INT8_GOALS + FLOAT_GOALS:
        if options.only not in ' '.join([name, *arguments]):
            continue
        layout = [] if options.plain else ['--input-layout', 'nhwc', '--output-layout', 'nhwc']
        if not options.plain and goal in [g for n, a, g in INT8_GOALS if n == name]:
            layout.append('--quantized-io')
        report, seconds = report_of(options.tarn, 'analyze', name, [*arguments, *layout, '--effort', str(options.effort), '--cc', 'none'])
        if report is None:
            missed += 1
            continue
        arena = report['ram']['arena']
        lean = arena - report['ram']['scratch']
        table = report['stream'].get('table_bytes', 0)
        missed += lean > goal
        verdict = 'met' if arena <= goal else 'met lean' if lean <= goal else 'MISSED'
        print(f'{name:36}{" ".join(arguments).replace("--stream ", ""):27}{arena:>10}{lean:>10}{goal:>10}  {verdict:8}{table:>6}{seconds:>7.1f}', flush=True)
    return missed


def cost(options):
    missed = 0
    print(f'{"network":36}{"options":34}{"instructions":>14}{"against layers":>15}')
    for name in [SMALL, PERSON, RESNET]:
        if options.only not in name:
            continue
        layers = 0
        for arguments in [['--stream', 'off'], RESIDENT, FED, RESIDENT + ['--line-buffers', 'off'], FED + ['--line-buffers', 'off']]:
            layout = ['--quantized-io', '--input-layout', 'nhwc', '--output-layout', 'nhwc']
            report, _ = report_of(options.tarn, 'verify', name, [*arguments, *layout, '--on', 'cortex-m4', '--target', 'cortex-m4', '--effort', str(options.effort)])
            count = report['verify'][0]['instructions'] if report else 0
            layers = layers or count
            wanted = '--stream off' not in ' '.join(arguments) and '--line-buffers' not in arguments
            missed += wanted and count > COST_GOAL * layers
            print(f'{name:36}{" ".join(arguments).replace("--stream ", ""):34}{count:>14}{count / layers:>15.3f}  {said(count <= COST_GOAL * layers) if wanted else "":8}'
                  f'{report["ram"]["arena"] if report else 0:>10}', flush=True)
    return missed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tarn', type=pathlib.Path, default=ROOT / 'build/tarn')
    parser.add_argument('--only', default='')
    parser.add_argument('--effort', type=int, default=1)
    parser.add_argument('--plain', action='store_true')
    parser.add_argument('--no-arenas', action='store_true')
    parser.add_argument('--cost', action='store_true')
    options = parser.parse_args()
    options.tarn = options.tarn.resolve()
    missed = 0
    if not options.no_arenas:
        missed += arenas(options)
    if options.cost:
        missed += cost(options)
    print(f'{missed} missed')
    sys.exit(1 if missed else 0)


if __name__ == '__main__':
    main()
