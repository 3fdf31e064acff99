#!/usr/bin/env python3
"""Packages of --layout: each follows the rules of its format, names the files that are there, builds as its ecosystem builds it and
gives the numbers of the plain files; a folder that held another layout is as if it were new.

    packages.py --tarn TARN --work FOLDER

Zephyr, ESP-IDF, Arduino, PlatformIO and CMSIS-Pack are not run here: stand-ins do what their documents say (zephyr.cmake,
esp-idf.cmake, Arduino.h, and the functions below).
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree as xml

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import driver  # noqa: E402
from common import CCACHE, CCACHED, ROOT, run, tree  # noqa: E402

DIGITS, KEYWORD = ROOT / 'examples/digits/digits.onnx', ROOT / 'examples/keyword_stream/keyword.onnx'
LAYOUTS = ('zephyr', 'esp-idf', 'arduino', 'platformio', 'cmsis-pack', 'rust')
WAYS = ([], ['--files', 'split'], ['--weights', 'incbin'], ['--io', 'caller'], ['--cpp'])
SAMPLE = ([], ['--weights', 'incbin'])
SKETCHES = (*WAYS, ['--stream', 'fed', '--drain'], ['--stream', 'resident', '--drain'], ['--bank', 'fast=1K', '--bank', 'slow=64K'])
SKETCH_SAMPLE = ([], ['--io', 'caller'], ['--stream', 'fed', '--drain'])
SEMVER = r'\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?'
FLAGS = ['-O1', '-ffp-contract=off']
OPTIONS = None


def generate(folder, *more, model=DIGITS):
    run([OPTIONS.tarn, 'generate', model, '-o', folder, '--cc', 'none', *more])
    return folder


def pairs(path, separator):
    """KEY<separator>VALUE lines of a file without nesting."""
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith('#')]
    return dict(map(str.strip, line.split(separator, 1)) for line in lines)


def main_of(way):
    """A program that prints what comes out, and what it prints with the plain files."""
    folder = OPTIONS.work / 'plain' / '_'.join(way or ['plain'])
    if not folder.exists():
        generate(folder, *(w for w in way if w != '--cpp'))
    firmware = driver.Firmware(folder, 'digits')
    main = folder.parent / f'{folder.name}.c'
    main.write_text(driver.run_once(firmware))
    program = main.with_suffix('.out')
    run(['gcc', *FLAGS, '-I', folder, main, *(s for s in firmware.sources), '-lm', '-o', program], cwd=folder)
    return main, run([program])


def build(sources, includes, program, language=()):
    """Each source to an object by its name, as these builders do, then linked."""
    program.parent.mkdir(parents=True, exist_ok=True)
    objects = []
    for number, source in enumerate(sources):
        objects.append(program.parent / f'{program.name}_{number}.o')
        compiler = ['g++', *language] if source.suffix == '.cpp' else ['gcc']
        run([*CCACHE, *compiler, *FLAGS, '-Wall', '-Wextra', '-Werror', '-Wno-unused-function', *(f'-I{i}' for i in includes), '-c', source, '-o', objects[-1]],
            env=CCACHED)
    run(['g++', *objects, '-lm', '-o', program])
    return run([program])


def cmake(folder, standin, packages, main, setup=''):
    """An application that takes the packages as its build system takes them."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = ['cmake_minimum_required(VERSION 3.20)', 'project(firmware C ASM)', f'add_executable(app {main})', 'target_link_libraries(app PRIVATE m)',
             f'set(CMAKE_C_FLAGS "{" ".join(FLAGS)} -Wall -Werror -Wno-unused-function")', f'include({HERE / standin})', setup]
    lines += [f'add_subdirectory({package} {package.name})' for package in packages]
    (folder / 'CMakeLists.txt').write_text('\n'.join(lines) + '\n')
    run(['cmake', '-G', 'Ninja', '-S', folder, '-B', folder / 'build'])
    run(['cmake', '--build', folder / 'build'])
    return run([folder / 'build/app'])


class Packages(unittest.TestCase):
    def package(self, layout, way):
        return generate(OPTIONS.work / layout / '_'.join(way or ['default']) / 'digits', '--layout', layout, *way)

    def every(self, layout, ways=WAYS, sample=SAMPLE):
        """By default a sample of the ways; TARN_FULL=1: all."""
        chosen = ways if os.environ.get('TARN_FULL') == '1' else sample
        print(f'{layout}: {len(chosen)} of {len(ways)} ways to write the code')
        for way in chosen:
            with self.subTest(layout=layout, way=way):
                folder = self.package(layout, way)
                self.assertTrue((folder / 'digits.json').exists())
                yield folder, way

    def test_zephyr(self):
        for folder, way in self.every('zephyr'):
            module = (folder / 'zephyr/module.yml').read_text()
            # Keys of Zephyr's own schema; it asks for both paths to be there too.
            self.assertRegex(module, r'\nname: digits\nbuild:\n  cmake: \.\n  kconfig: Kconfig\n$')
            symbols = re.findall(r'^config (\w+)\n\t(?:bool|string) "', (folder / 'Kconfig').read_text(), re.M)
            self.assertEqual(symbols, ['TARN_DIGITS', 'TARN_DIGITS_ARENA_SECTION'])
            self.assertIn('zephyr_library()', (folder / 'CMakeLists.txt').read_text())
            main, expected = main_of(way)
            work = folder.parent / 'app'
            section = 'set(CONFIG_TARN_DIGITS_ARENA_SECTION ".fast")' if not way else ''
            self.assertEqual(cmake(work, 'zephyr.cmake', [folder], main, 'set(CONFIG_TARN_DIGITS y)\n' + section), expected)
            if section:
                self.assertIn('.fast', run(['objdump', '-h', work / 'build/app']))

    def test_two_networks_in_one_zephyr_image(self):
        other = generate(OPTIONS.work / 'two/keyword', '--layout', 'zephyr', model=KEYWORD)
        main, expected = main_of([])
        packages = [self.package('zephyr', []), other]
        self.assertEqual(cmake(OPTIONS.work / 'two/app', 'zephyr.cmake', packages, main, 'set(CONFIG_TARN_DIGITS y)\nset(CONFIG_TARN_KEYWORD y)'),
                         expected)

    def test_esp_idf(self):
        for folder, way in self.every('esp-idf'):
            manifest = (folder / 'idf_component.yml').read_text()
            self.assertRegex(manifest, rf'\nversion: "{SEMVER}"\n')
            self.assertRegex(manifest, r'\ndescription: "[^"\\]+"\nlicense: "MIT-0"\ndependencies:\n  idf: ">=\d\.\d"\n$')
            main, expected = main_of(way)
            self.assertEqual(cmake(folder.parent / 'app', 'esp-idf.cmake', [folder], main), expected)

    def test_arduino(self):
        for folder, way in self.every('arduino', SKETCHES, SKETCH_SAMPLE):
            keys = pairs(folder / 'library.properties', '=')
            required = {'name', 'version', 'author', 'maintainer', 'sentence', 'paragraph', 'category', 'url', 'architectures'}
            self.assertEqual(set(keys), required | {'includes'})
            self.assertTrue(all(keys.values()))
            self.assertRegex(keys['name'], r'^[A-Za-z][A-Za-z0-9 _.-]{0,62}$')
            self.assertRegex(keys['version'], rf'^{SEMVER}$')
            self.assertEqual((keys['category'], keys['architectures']), ('Data Processing', '*'))
            self.assertTrue((folder / 'src' / keys['includes']).exists())
            sketch = folder / 'examples/digits/digits.ino'
            # The builder puts the core's header before a sketch and takes it for C++; of a library with src/ it compiles
            # all that lies there and nothing else.
            work = folder.parent / 'app'
            work.mkdir(exist_ok=True)
            main = work / 'sketch.cpp'
            main.write_text(f'#include <Arduino.h>\n{sketch.read_text()}\nint main() {{\n  setup();\n  for (int i = 0; i < 40; i++) loop();\n}}\n')
            sources = sorted(p for p in (folder / 'src').rglob('*') if p.suffix in ('.c', '.S'))
            said = build([main, *sources], [HERE, folder / 'src'], work / 'sketch')
            scores = [float(line.split()[1]) for line in said.splitlines() if line.startswith('scores ')]
            # A softmax of ten.
            self.assertGreaterEqual(len(scores), 10)
            self.assertAlmostEqual(sum(scores[:10]), 1, 3)
            self.assertNotIn('status', said)

    def test_platformio(self):
        for folder, way in self.every('platformio'):
            manifest = json.loads((folder / 'library.json').read_text())
            self.assertRegex(manifest['name'], r'^[^:;/,@<>]{1,100}$')
            self.assertRegex(manifest['version'], rf'^{SEMVER}$')
            self.assertTrue({'name', 'version', 'description', 'keywords', 'license'} <= set(manifest))
            include, source = (folder / manifest['build'][key] for key in ('includeDir', 'srcDir'))
            self.assertTrue((include / manifest['headers']).exists())
            main, expected = main_of(way)
            sources = sorted(p for p in source.rglob('*') if p.suffix in ('.c', '.S'))
            self.assertEqual(build([main, *sources], [include, source], folder.parent / 'app/program'), expected)

    def test_cmsis_pack(self):
        for folder, way in self.every('cmsis-pack'):
            description = folder / 'tarn.digits.pdsc'
            package = xml.parse(description).getroot()
            self.assertEqual((package.tag, package.find('vendor').text, package.find('name').text), ('package', 'tarn', 'digits'))
            self.assertRegex(package.attrib['schemaVersion'], r'^1\.\d+\.\d+$')
            # The order of the schema.
            self.assertEqual([child.tag for child in package],
                             ['vendor', 'name', 'description', 'url', 'license', 'releases', 'keywords', 'components'])
            self.assertRegex(package.find('releases/release').attrib['version'], rf'^{SEMVER}$')
            self.assertTrue((folder / package.find('license').text).is_file())
            component = package.find('components/component')
            self.assertTrue({'Cclass', 'Cgroup', 'Cversion'} <= set(component.attrib))
            files = [(file.attrib['category'], file.attrib['name']) for file in component.find('files')]
            self.assertLessEqual({category for category, _ in files}, {'header', 'sourceC', 'sourceAsm', 'include', 'other'})
            named = sorted(name for category, name in files if category != 'include') + [description.name, 'LICENSE']
            self.assertEqual(sorted(named), sorted(tree(folder)))
            includes = {(folder / name).parent if category == 'header' else folder / name for category, name in files
                        if category in ('header', 'include')}
            main, expected = main_of(way)
            sources = [folder / name for category, name in files if category.startswith('source')]
            self.assertEqual(build([main, *sources], includes, folder.parent / 'app/program'), expected)

    def test_odd_names(self):
        """What no format takes as it is: of the model's file, and of the prefix."""
        model = OPTIONS.work / 'a--b "<&>] \'$(x) \u00e4.onnx'
        shutil.copy(DIGITS, model)
        for layout in LAYOUTS:
            folder = generate(OPTIONS.work / 'odd' / layout, '--layout', layout, '--name', 'Arduino_9', model=model)
            for name, content in tree(folder).items():
                if name.endswith('.json') and name != 'library.json' or name.startswith(('src/', 'include/')):
                    continue
                said = re.search('generated by tarn (.*?); do not edit', content.decode('ascii'))
                self.assertRegex(said.group(1), r'^[\w.]+ from a-b _____ __\(x\) __\.onnx$')
        self.assertEqual(pairs(OPTIONS.work / 'odd/arduino/library.properties', '=')['name'], 'tarn_Arduino_9')
        xml.parse(OPTIONS.work / 'odd/cmsis-pack/tarn.tarn_Arduino_9.pdsc')
        json.loads((OPTIONS.work / 'odd/platformio/library.json').read_text())

    def test_a_folder_that_held_another_layout(self):
        """Nothing of what was there before stays, but what somebody else put there."""
        ways = [(['--layout', layout], layout) for layout in LAYOUTS] + [([], 'plain'), (['--layout', 'zephyr', '--files', 'split'], 'split')]
        fresh = {name: tree(generate(OPTIONS.work / 'fresh' / name, *way)) for way, name in ways}
        folder = OPTIONS.work / 'used'
        for way, name in ways + ways[::-1]:
            generate(folder, *way)
            self.assertEqual(tree(folder), fresh[name], name)
            folders = {path.relative_to(folder).as_posix() for path in folder.rglob('*') if path.is_dir()}
            self.assertEqual(folders, {p.as_posix() for file in fresh[name] for p in pathlib.PurePath(file).parents} - {'.'}, name)
        (folder / 'src').mkdir(exist_ok=True)
        (folder / 'src/mine.c').write_text('int mine;\n')
        for layout in LAYOUTS:
            told = subprocess.run([OPTIONS.tarn, 'generate', DIGITS, '-o', folder, '--cc', 'none', '--layout', layout], capture_output=True, text=True)
            self.assertEqual((told.returncode, 'W405' in told.stderr), (0, layout in ('arduino', 'platformio')), told.stderr)
        self.assertEqual((folder / 'src/mine.c').read_text(), 'int mine;\n')

    def test_what_is_refused(self):
        cases = {('--emit', 'arena'): '--emit arena', ('--selftest',): '--selftest', ('--layout', 'zefyr'): 'zephyr'}
        for more, said in cases.items():
            told = subprocess.run([OPTIONS.tarn, 'generate', DIGITS, '-o', OPTIONS.work / 'none', '--cc', 'none', '--layout', 'zephyr', *more],
                                  capture_output=True, text=True)
            self.assertEqual(told.returncode, 2)
            self.assertIn(said, told.stderr)
            self.assertFalse((OPTIONS.work / 'none').exists())
        # Another network's package is somebody else's.
        folder = generate(OPTIONS.work / 'taken', '--layout', 'zephyr', model=KEYWORD)
        before = tree(folder)
        told = subprocess.run([OPTIONS.tarn, 'generate', DIGITS, '-o', folder, '--cc', 'none', '--layout', 'esp-idf'], capture_output=True, text=True)
        self.assertEqual((told.returncode, 'E414' in told.stderr, tree(folder)), (2, True, before))


def main():
    global OPTIONS
    parser = argparse.ArgumentParser()
    for name in ('tarn', 'work'):
        parser.add_argument('--' + name, type=lambda p: pathlib.Path(p).resolve(), required=True)
    parser.add_argument('rest', nargs='*')
    OPTIONS = parser.parse_args()
    shutil.rmtree(OPTIONS.work, ignore_errors=True)
    OPTIONS.work.mkdir(parents=True)
    done = unittest.main(argv=['packages.py', *OPTIONS.rest], verbosity=1, exit=False)
    if done.result.wasSuccessful():
        shutil.rmtree(OPTIONS.work, ignore_errors=True)
    return 0 if done.result.wasSuccessful() else 1


sys.exit(main())
