#!/usr/bin/env python3
"""Whatever a model's names hold, comments of emitted code stay comments and no compiler warns: comments.py TARN WORK_FOLDER"""
import pathlib
import subprocess
import sys

from common import ROOT, WARNINGS

sys.path.insert(0, str(ROOT / 'tests/bench'))
import onnx_bytes  # noqa: E402

NAMES = ['a/*b', 'a*/b', 'x /**/ y', '/*', '*/', '**//', 'ends with \\', 'ends with ??/', '??/??/', '// of C++', 'two\nlines', '\u00e9\u00e9/']


def main():
    tarn, work = sys.argv[1], pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    nodes = [onnx_bytes.node('Relu' if i % 2 else 'Neg', ['in/*put' if i == 0 else NAMES[i - 1]], name, []) for i, name in enumerate(NAMES)]
    model = onnx_bytes.model(nodes, [], [onnx_bytes.value_info('in/*put', (1, 2, 4, 4))], [onnx_bytes.value_info(NAMES[-1], (1, 2, 4, 4))])
    (work / 'names.onnx').write_bytes(model)
    for more in ([], ['--files', 'single'], ['--stream', 'fed'], ['--emit', 'arena']):
        out = work / ('out' + ''.join(more).replace('-', '_'))
        subprocess.run([tarn, 'generate', work / 'names.onnx', '--name', 'net', '-o', out, '--cc', 'none', *more], check=True, stdout=subprocess.DEVNULL)
        for source in sorted(out.glob('*.[ch]')):
            subprocess.run(['gcc', '-std=c99', *WARNINGS, '-x', 'c', '-fsyntax-only', '-I', out, source], check=True)
    print(f'{len(NAMES)} names: no comment ends early, nothing to warn of')


main()
