#!/usr/bin/env python3
"""Networks in a single file compile without a warning at -O2 and -O3, by layers and by lines: gcc, which then sees every constant
and every address, follows what is impossible as well. By default networks that it has warned of; TARN_FULL=1: all of TARN_SHARED_DIR
up to 3 MB.

    one_file.py TARN
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import sampling  # noqa: E402

SHARED = pathlib.Path(os.environ.get('TARN_SHARED_DIR', pathlib.Path(__file__).resolve().parents[3] / 'shared'))
NETWORKS = ['models/dory_frontnet', 'models/connxr_mnist_quantized', 'models/micro_kws_m_static_fp32', 'exported/mlp_qdq_f16_scales']
MODES = ['off', 'resident', 'fed', 'time']
M4 = ['-mcpu=cortex-m4', '-mthumb', '-mfpu=fpv4-sp-d16', '-mfloat-abi=hard']
COMPILERS = [(['gcc'], '-O2'), (['arm-none-eabi-gcc', *M4], '-O3')]
WARNINGS = ['-std=c99', '-Wall', '-Wextra', '-Werror', '-pedantic-errors']


def attempt(tarn, network, mode):
    """How many compilers took it, and what they said."""
    with tempfile.TemporaryDirectory() as folder:
        model = next((SHARED / network).glob('*.onnx'))
        made = subprocess.run([tarn, 'generate', model, '--name', 'net', '--files', 'single', '--cc', 'none', '--stream', mode, '-o', folder],
                              capture_output=True)
        if made.returncode != 0:
            return 0, ''
        compiled = 0
        for command, level in COMPILERS:
            if shutil.which(command[0]) is None:
                continue
            done = subprocess.run([*command, level, *WARNINGS, '-c', f'{folder}/net.c', '-o', f'{folder}/net.o'], capture_output=True, text=True)
            if done.returncode != 0:
                return compiled, f'{network} --stream {mode}, {command[0]} {level}: {done.stderr[:400]}'
            compiled += 1
        return compiled, ''


def main():
    tarn = pathlib.Path(sys.argv[1]).resolve()
    if not SHARED.is_dir():
        print(f'SKIPPED: no {SHARED}')
        return 77
    networks = NETWORKS
    if sampling.FULL:
        networks = [str(p.parent.relative_to(SHARED)) for kind in ('models', 'exported') for p in sorted((SHARED / kind).glob('*/*.onnx'))
                    if p.stat().st_size <= 3_000_000]
    print('networks:', *networks)
    cases = sampling.part([(network, mode) for network in networks for mode in MODES], 3)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda case: attempt(tarn, *case), cases))
    faults = [said for _, said in results if said]
    print('\n'.join([*faults, f'{sum(count for count, _ in results)} compilations, {len(faults)} faults']))
    return 1 if faults or not any(count for count, _ in results) else 0


sys.exit(main())
