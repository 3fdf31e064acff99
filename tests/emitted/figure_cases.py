"""Code size and stack that reports tell from compiling. A case takes a model, the options and a work folder."""
import json
import os
import shutil
import subprocess

from common import check, run, sampling

# Told of one file without its weights, or of several, the stack is what the linked image of the same files needs.
def told_and_linked(model, options, work, target):
    for files in ('split', 'single'):
        report = {command: work / f'{target}_{files}_{command}.json' for command in ('analyze', 'verify')}
        how = [model.path, *model.arguments, '--target', target, '--files', files]
        run([options.tarn, 'analyze', *how, '--report', report['analyze']])
        if subprocess.run([options.tarn, 'verify', *how, '--on', target, '--report', report['verify']], capture_output=True).returncode != 0:
            print(f'  {target}: nothing to run it on')
            return
        told = json.loads(report['analyze'].read_text())['ram']['stack']
        linked = json.loads(report['verify'].read_text())['verify'][0]['stack_bound']
        check(told == linked, f'{target}, --files {files}: a stack of {told} is told, {linked} is linked')


TARGETS = {'host': 'gcc', 'cortex-m4': 'arm-none-eabi-gcc', 'rv32imac': 'riscv64-unknown-elf-gcc'}


def figures(model, options, work):
    """For every target whose compiler is on PATH; a compiler that refuses the code costs the figures and no more."""
    names = ['digits', 'graphsurgeon_lstm', 'mnist_8', 'certificate_and_controller'][:4 if sampling.FULL else 2 if sampling.LARGER else 1]
    if model.name not in names:
        return
    for target, compiler in TARGETS.items():
        command = [options.tarn, 'generate', model.path, '--name', model.name, *model.arguments, '--target', target]
        if shutil.which(compiler) is None:
            print(f'  {target}: no {compiler}, not run')
            continue
        run([*command, '-o', work / target])
        told_and_linked(model, options, work, target)
        report = json.loads((work / target / f'{model.name}.json').read_text())
        check(report['flash']['code'] and report['ram']['stack'], f'{target}: no code size or stack: {report["flash"]} {report["ram"]}')
        # The preprocessor answers, the compiler does not.
        broken = work / f'broken_{target}'
        broken.mkdir()
        (broken / compiler).write_text(f'#!/bin/sh\ncase "$*" in *" -c "*) echo no >&2; exit 1;; esac\nexec {shutil.which(compiler)} "$@"\n')
        (broken / compiler).chmod(0o755)
        environment = {**os.environ, 'PATH': f'{broken}:{os.environ["PATH"]}', 'TARN_CACHE_DIR': str(work / f'cache_{target}')}
        environment.pop('CC', None)
        run([*command, '-o', work / f'without_{target}'], env=environment)
        report = json.loads((work / f'without_{target}' / f'{model.name}.json').read_text())
        check(report['flash']['code'] is None, f'{target}: code of a compiler that refuses it')
        asked = subprocess.run([*command, '-o', work / f'asked_{target}', '--cc', str(broken / compiler)], env=environment, capture_output=True, text=True)
        check(asked.returncode != 0 and 'E403' in asked.stderr, f'{target}: the compiler asked for refuses, and nothing is said')
        check(not (work / f'asked_{target}').exists(), f'{target}: files are left')
