#!/usr/bin/env python3
"""What is promised of output files and of stdout: outputs.py TARN. Needs no model but those stored in tests/errors."""
import os
import pathlib
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import sampling  # noqa: E402

TARN = str(pathlib.Path(sys.argv[1]).resolve())
ERRORS = pathlib.Path(__file__).resolve().parent.parent / 'errors'
MODEL = ERRORS / 'E401_output_is_a_file/model.onnx'
DIGITS = ERRORS.parent.parent / 'examples/digits/digits.onnx'
PROBLEM = 'id,lower,upper,size\na,0,2,64\nb,1,3,32\n'


def tree(folder):
    """Every file below with its content, every folder, device and pipe with its kind."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob('*')):
        mode = path.lstat().st_mode
        found[str(path.relative_to(folder))] = path.read_bytes() if stat.S_ISREG(mode) else stat.S_IFMT(mode)
    return found


def until(what, seconds=20):
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            raise TimeoutError('nothing happened')
        time.sleep(0.01)


class Outputs(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='tarn_outputs_'))
        self.here, self.temporary = self.folder / 'here', self.folder / 'temporary'
        self.here.mkdir()
        self.temporary.mkdir()
        shutil.copy(MODEL, self.here / 'model.onnx')
        (self.here / 'problem.csv').write_text(PROBLEM)
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, *words, **how):
        return subprocess.Popen(words, cwd=self.here, env={**os.environ, 'TMPDIR': str(self.temporary)}, stdin=subprocess.DEVNULL,
                                stdout=how.pop('stdout', subprocess.PIPE), stderr=subprocess.PIPE, text=True, **how)

    def run_tarn(self, *words, **how):
        done = self.start(TARN, *words, **how)
        done.out, done.err = done.communicate(timeout=120)
        return done

    def shell(self, script):
        done = self.start('bash', '-c', script, 'bash', TARN)
        done.out, done.err = done.communicate(timeout=120)
        return done

    def refused(self, code, *words, **how):
        before = tree(self.here)
        done = self.run_tarn(*words, **how)
        self.assertEqual(done.returncode, 2, (words, done.err))
        self.assertIn(f'error {code}: ', done.err, words)
        self.assertEqual(tree(self.here), before, words)
        self.assertEqual(tree(self.temporary), {}, words)
        return done

    # stdout

    def test_full_standard_output(self):
        self.run_tarn('analyze', 'model.onnx', '--cc', 'none', '--report', 'r.json')
        for words in (['analyze', 'model.onnx', '--report', 'new.json'], ['generate', 'model.onnx', '-o', 'out'],
                      ['verify', 'model.onnx', '--report', 'new.json'], ['plan', 'problem.csv', '-o', 'new.csv'], ['ops'],
                      ['explain', 'E101'], ['diff', 'r.json', 'r.json'], ['--version'], ['--help'], ['--man'], ['plan', '--help'],
                      ['generate', '--help']):
            with open('/dev/full', 'w') as full:
                done = self.refused('E401', *words, stdout=full)
            self.assertIn('standard output: error E401: cannot be written: No space left on device', done.err)

    def test_closed_standard_output(self):
        done = self.shell('"$1" analyze model.onnx --cc none --report new.json >&-')
        self.assertEqual(done.returncode, 2, done.err)
        self.assertFalse((self.here / 'new.json').exists())

    def test_reader_that_went_away(self):
        done = self.shell('(sleep 0.3; exec "$1" generate model.onnx -o out --cc none) | true; echo ${PIPESTATUS[0]}')
        self.assertEqual((done.out, done.err), (f'{128 + signal.SIGPIPE}\n', ''))
        self.assertFalse((self.here / 'out').exists())
        done = self.shell('trap "" PIPE; (sleep 0.3; exec "$1" ops) | true; echo ${PIPESTATUS[0]}')
        self.assertEqual(done.out, '2\n')
        self.assertIn('Broken pipe', done.err)

    # inputs

    def test_inputs_are_never_outputs(self):
        os.symlink('model.onnx', self.here / 'link.onnx')
        os.link(self.here / 'model.onnx', self.here / 'hard.json')
        os.symlink('model.onnx', self.here / 'link.html')
        (self.here / 'out').mkdir()
        os.link(self.here / 'model.onnx', self.here / 'out/model.c')
        for place in ('--depfile model.onnx', '--depfile ./../here/model.onnx', '--depfile link.onnx', '--report hard.json', '--report link.html'):
            for command in ('analyze', 'verify') if '--report' in place else ('analyze',):
                self.refused('E411', command, 'model.onnx', *place.split())
        self.refused('E411', 'generate', 'model.onnx', '-o', 'out')
        self.refused('E411', 'generate', 'model.onnx', '-o', '.', '--name', 'x', '--depfile', 'model.onnx')
        os.symlink('problem.csv', self.here / 'p')
        for option in ('-o', '--json', '--svg'):
            self.refused('E411', 'plan', 'problem.csv', option, 'problem.csv')
            self.refused('E411', 'plan', 'problem.csv', option, 'p')
            self.refused('E411', 'plan', 'p', option, 'problem.csv')

    def test_two_outputs_of_one_name(self):
        self.refused('E411', 'generate', 'model.onnx', '-o', 'out', '--cc', 'none', '--depfile', 'out/model.h')
        self.refused('E411', 'plan', 'problem.csv', '-o', 'same', '--svg', './same')
        done = self.run_tarn('generate', 'model.onnx', '-o', 'out', '--cc', 'none', '--report', 'out/model.json')
        self.assertEqual(done.returncode, 0, done.err)

    def test_links_stay(self):
        """What they stand for is written, all of it or nothing, whether it was there or not."""
        (self.here / 'real').mkdir()
        (self.here / 'real/old.json').write_text('older')
        links = {'report.json': 'real/old.json', 'new.json': 'real/new.json', 'chain.json': 'report.json'}
        for link, target in links.items():
            os.symlink(target, self.here / link)
        for link in links:
            done = self.run_tarn('analyze', 'model.onnx', '--cc', 'none', '--report', link)
            self.assertEqual(done.returncode, 0, done.err)
            self.assertEqual(os.readlink(self.here / link), links[link])
        self.assertEqual({name for name in tree(self.here / 'real')}, {'old.json', 'new.json'})
        for name in ('old', 'new'):
            self.assertIn('"arena"', (self.here / f'real/{name}.json').read_text())
        os.symlink('../real/kept.h', self.here / 'real/model.h')
        done = self.run_tarn('generate', 'model.onnx', '-o', 'real', '--cc', 'none')
        self.assertEqual(done.returncode, 0, done.err)
        self.assertIn('model_run', (self.here / 'real/kept.h').read_text())
        os.symlink('round.json', self.here / 'round.json')
        self.refused('E401', 'analyze', 'model.onnx', '--report', 'round.json')

    # devices and pipes

    def test_devices_stay(self):
        if os.geteuid() != 0:
            self.skipTest('only root can make devices and replace those of others')
        os.mknod(self.here / 'null', stat.S_IFCHR | 0o666, os.makedev(1, 3))
        for words in (['analyze', 'model.onnx', '--cc', 'none', '--depfile', 'null'], ['plan', 'problem.csv', '-o', 'null', '--json', 'null', '--svg', 'null'],
                      ['generate', 'model.onnx', '-o', 'out', '--cc', 'none', '--depfile', 'null']):
            done = self.run_tarn(*words)
            self.assertEqual(done.returncode, 0, (words, done.err))
            self.assertTrue(stat.S_ISCHR((self.here / 'null').lstat().st_mode), words)

    def test_full_device(self):
        self.refused('E401', 'plan', 'problem.csv', '-o', '/dev/full', '--json', 'new.json')
        self.refused('E401', 'generate', 'model.onnx', '-o', 'out', '--cc', 'none', '--depfile', '/dev/full')
        self.assertTrue(stat.S_ISCHR(os.stat('/dev/full').st_mode))

    def test_inputs_without_end(self):
        """A device is read no further than a text may be long, and then refused."""
        for code, *words in (('E110', 'plan', '/dev/zero'), ('E307', 'diff', '/dev/zero', '/dev/zero'), ('E307', 'compare', '/dev/zero', 'model.onnx'),
                             ('E101', 'analyze', '/dev/zero')):
            done = self.run_tarn(*words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)))
            self.assertEqual(done.returncode, 3, words)
            self.assertIn(code, done.err)

    def test_pipes_and_standard_output(self):
        want = self.run_tarn('plan', 'problem.csv', '-o', 'want.csv').out + (self.here / 'want.csv').read_text()
        self.assertIn('offset', want)
        self.assertEqual(self.run_tarn('plan', 'problem.csv', '-o', '/dev/stdout').out, want)
        self.shell('"$1" plan problem.csv -o /dev/stdout > got; "$1" plan problem.csv -o appended > appended')
        self.assertEqual((self.here / 'got').read_text(), want)
        self.assertEqual((self.here / 'appended').read_text(), want)
        self.shell('"$1" plan problem.csv -o /dev/fd/5 5> got')
        self.assertEqual((self.here / 'got').read_text(), (self.here / 'want.csv').read_text())
        os.mkfifo(self.here / 'pipe')
        self.shell('cat pipe > got & "$1" plan problem.csv -o pipe; wait')
        self.assertEqual((self.here / 'got').read_text(), (self.here / 'want.csv').read_text())
        self.assertTrue(stat.S_ISFIFO((self.here / 'pipe').lstat().st_mode))

    # limits and signals

    def test_limit_of_file_sizes(self):
        before = tree(self.here)
        done = self.shell('ulimit -f 1; "$1" generate model.onnx -o out --cc none')
        self.assertEqual(done.returncode, 2, done.err)
        self.assertIn('File too large', done.err)
        self.assertEqual(tree(self.here), before)

    def test_out_of_memory(self):
        shutil.copy(DIGITS, self.here / 'digits.onnx')
        before, ends = tree(self.here), set()
        starts = False
        for limit in sampling.part(range(16000, 80000, 500), 4):
            # Below, it is the system or the loader that has too little.
            starts = starts or self.shell(f'ulimit -v {limit}; exec "$1" --version').returncode == 0
            if not starts:
                continue
            done = self.shell(f'ulimit -v {limit}; exec "$1" generate digits.onnx -o out --cc none')
            if done.returncode == 0:
                break
            self.assertEqual((done.returncode, tree(self.here)), (2, before), (limit, done.err))
            ends.update(line.split(': ')[1] for line in done.err.splitlines() if ': error ' in line)
        self.assertIn('error E412', ends)

    def stopped(self, kill):
        """A generate that waits, everything being complete but not in place, for the reader of a pipe."""
        os.mkfifo(self.here / 'pipe')
        process = self.start(TARN, 'generate', 'model.onnx', '-o', 'new/out', '--cc', 'none', '--depfile', 'pipe')
        until(lambda: any('.tarn-' in name and name.count('/') == 3 for name in tree(self.here)))
        process.send_signal(kill)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, -kill)
        (self.here / 'pipe').unlink()

    def test_signals_leave_nothing(self):
        before = tree(self.here)
        for kill in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.stopped(kill)
            self.assertEqual(tree(self.here), before)

    def test_killed_one_is_swept(self):
        self.stopped(signal.SIGKILL)
        self.assertTrue(any('.tarn-' in name for name in tree(self.here)))
        self.assertEqual(self.run_tarn('generate', 'model.onnx', '-o', 'new/out', '--cc', 'none').returncode, 0)
        self.assertFalse(any('.tarn' in name for name in tree(self.here)), tree(self.here).keys())

    def compiling(self):
        """An analyze whose compiler takes its time."""
        slow = self.here / 'slow'
        slow.write_text('#!/bin/sh\ncase "$*" in *--version*|*-dump*) exec cc "$@";; esac\necho $$ > pid\nmv pid started\nexec sleep 60\n')
        slow.chmod(0o755)
        for old in self.folder.rglob('started'):
            old.unlink()
        process = self.start(TARN, 'analyze', 'model.onnx', '--cc', str(slow))
        until(lambda: list(self.folder.rglob('started')))
        return process, int(next(self.folder.rglob('started')).read_text())

    def test_programs_end_with_it(self):
        for kill in (signal.SIGTERM, signal.SIGKILL):
            process, compiler = self.compiling()
            process.send_signal(kill)
            process.communicate(timeout=20)
            self.assertEqual(process.returncode, -kill)
            until(lambda: not os.path.exists(f'/proc/{compiler}') or 'State:\tZ' in pathlib.Path(f'/proc/{compiler}/status').read_text())
            self.assertEqual(bool(tree(self.temporary)), kill == signal.SIGKILL)

    def test_scratch_of_a_live_one_stays(self):
        process, _ = self.compiling()
        before = tree(self.temporary)
        (self.temporary / 'tarn-verify-abcdef').mkdir()
        (self.temporary / 'tarn-verify-abcdef/file').touch()
        self.assertEqual(self.run_tarn('verify', 'model.onnx').returncode, 0)
        self.assertEqual(tree(self.temporary), before)
        process.terminate()
        process.communicate(timeout=20)
        self.assertEqual(tree(self.temporary), {})

    # files that belong together

    def generate(self, folder, *words, model=DIGITS):
        done = self.run_tarn('generate', str(model), '--name', 'net', '-o', str(folder), '--cc', 'none', *words)
        self.assertEqual(done.returncode, 0, done.err)
        return {p.name for p in (self.here / folder).iterdir()}

    def compiles(self, folder):
        script = 'set -e; cd "$1"; for f in *.c *.S; do [ ! -e "$f" ] || cc -std=c99 -I. -c "$f" -o /dev/null; done'
        return subprocess.run(['bash', '-c', script, 'bash', self.here / folder], capture_output=True).returncode == 0

    def test_files_of_two_runs_do_not_compile(self):
        for layout in ([], ['--files', 'single'], ['--weights', 'incbin'], ['--stream', 'fed']):
            for folder in ('a', 'b'):
                shutil.rmtree(self.here / folder, ignore_errors=True)
            names = self.generate('a', '--align', '16', *layout)
            self.assertEqual(names, self.generate('b', '--align', '32', *layout))
            self.assertTrue(self.compiles('a'), layout)
            tried = 0
            for name in sorted(names):
                a, b = self.here / 'a' / name, self.here / 'b' / name
                # Kernels are the same; the binary file is what the other holds too, and nobody compiles a report.
                if name.startswith('tarn') or name.endswith(('.bin', '.json')):
                    continue
                keep = a.read_bytes()
                self.assertNotEqual(keep, b.read_bytes(), name)
                a.write_bytes(b.read_bytes())
                self.assertFalse(self.compiles('a'), (layout, name))
                a.write_bytes(keep)
                tried += 1
            self.assertGreaterEqual(tried, 2)

    def test_kernels_of_two_versions_do_not_compile(self):
        names = self.generate('a')
        headers = [self.here / 'a' / name for name in names if name.startswith('tarn') and name.endswith('.h')]
        self.assertGreater(len(headers), 3)
        for header in headers:
            keep = header.read_text()
            other, count = re.subn(r'(#define TARN_\w*ID 0x)(\w)', lambda m: m[1] + ('1' if m[2] == '0' else '0'), keep)
            self.assertEqual(count, 1, header)
            header.write_text(other)
            self.assertFalse(self.compiles('a'), header)
            header.write_text(keep)
        self.assertTrue(self.compiles('a'))

    def test_stale_files_go(self):
        layouts = [['--weights', 'c'], ['--weights', 'incbin'], ['--files', 'single'], ['--stream', 'fed'], ['--emit', 'arena'], []]
        for number, layout in enumerate(layouts):
            want = self.generate(f'fresh{number}', *layout)
            self.assertEqual(self.generate('same', *layout), want, layout)
            self.assertTrue(layout == ['--emit', 'arena'] or self.compiles('same'), layout)

    def test_files_of_others_stay(self):
        (self.here / 'same').mkdir()
        own = {'net_weights.c': 'int mine;\n', 'main.c': '#include "net.h"\n', 'tarn_of_mine.c': 'int own;\n', 'net_weights.bin': 'x'}
        for name, text in own.items():
            (self.here / 'same' / name).write_text(text)
        told = self.run_tarn('generate', str(DIGITS), '--name', 'net', '-o', 'same', '--files', 'single', '--cc', 'none')
        self.assertEqual(told.returncode, 0)
        # What a build of all sources of the folder would compile too.
        self.assertIn('warning W405: the folder also holds main.c, net_weights.c, tarn_of_mine.c', told.err)
        self.assertEqual({name: (self.here / 'same' / name).read_text() for name in own}, own)
        # Another model of the folder keeps its kernels.
        self.assertEqual(self.run_tarn('generate', 'model.onnx', '-o', 'two', '--cc', 'none').returncode, 0)
        first = tree(self.here / 'two')
        both = self.generate('two')
        self.assertLess(set(first), both)
        told = self.run_tarn('generate', str(DIGITS), '--name', 'net', '-o', 'two', '--files', 'single', '--cc', 'none')
        self.assertNotIn('W405', told.err)
        self.assertLessEqual(first.items(), tree(self.here / 'two').items())
        self.assertEqual(set(tree(self.here / 'two')), set(first) | {'net.c', 'net.h', 'net.json'})


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=1)
