#!/usr/bin/env python3
"""Networks that remember, with --state auto: 50 runs, each of the same inputs as a reference whose states are carried by hand.

    states.py TARN [NETWORK ...]

The reference is the same network generated without states (the bits must agree), and onnxruntime where it can be imported (to
TOLERANCE of the largest value). The arena starts as poison, then NAME_reset(); the same 50 runs after another reset must give the
same bits, also when the states are saved, lost and restored in the middle. The arena takes no more than that of the network without states.
"""
import ctypes
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import sampling  # noqa: E402


SHARED = pathlib.Path(os.environ.get('TARN_SHARED_DIR', pathlib.Path(__file__).resolve().parents[3] / 'shared'))
SIZES = ['--dim', 'batch=1', '--dim', 'sequence=512']
KEYWORD = pathlib.Path(__file__).resolve().parents[2] / 'examples/keyword_stream/keyword.onnx'
# Folder of SHARED or a model, options, how many states it has.
RING = ['--state-window', 'ring']
NETWORKS = [(str(KEYWORD), [], 1), ('story', [], 10), ('exported/wake_stream_dw', [], 3), ('exported/wake_stream_dw', RING, 3), ('exported/wake_stream_dw_qdq_s8_pc', [], 3),
            ('exported/wake_stream_rnncell', [], 3), ('models/gtcrn_stream_simple', [], 3),
            ('models/silero_vad_v5_16k_op15', SIZES, 1), ('models/silero_vad_op18_ifless', SIZES, 1),
            # Their caches grow by a step in each run, of which the next one reads the last ones.
            ('exported/gpt2_tiny_kvcache', [], 4), ('exported/qwen2_tiny_kvcache', [], 4),
            # Nothing goes from run to run.
            ('exported/t5_tiny_decoder', [], 0)]
STREAMS = [str(KEYWORD), 'exported/wake_stream_dw', 'exported/gpt2_tiny_kvcache']
# Codes: a single run without states is up to four codes from onnxruntime in s1_out and s2_out, 0.09 of the largest value.
RUNS, TOLERANCE, TOLERANCE_OF_CODES = 50, 5e-4, 0.1
MOST_TOKENS = {'input_ids': 100, 'decoder_input_ids': 100}
TYPES = {'float32': 'f', 'int64': 'q'}


class Wrong(Exception):
    """What a network did that it should not."""


def need(truth, text):
    if not truth:
        raise Wrong(text)


class Network:
    def __init__(self, tarn, model, options, folder, name):
        self.name = name
        subprocess.run([tarn, 'generate', model, '-o', folder, '--name', name, '--cc', 'none', *options], check=True,
                       stdout=subprocess.DEVNULL)
        library = folder / f'{name}.so'
        subprocess.run(['cc', '-std=c99', '-O2', '-fPIC', '-shared', '-o', library, *sorted(folder.glob('*.c')), '-lm'], check=True)
        self.library = ctypes.CDLL(str(library))
        self.report = json.loads((folder / f'{name}.json').read_text())
        self.arena = self.memory()

    def memory(self):
        return (ctypes.c_uint8 * self.report['ram']['arena']).in_dll(self.library, f'{self.name}_arena')

    def poison(self):
        ctypes.memset(self.arena, 0xa5, len(self.arena))

    def pointer(self, port):
        accessor = getattr(self.library, port['accessor'])
        accessor.restype = ctypes.c_void_p
        return accessor(self.arena)

    def run(self, values):
        """Bytes of the inputs by name; those of the outputs by name."""
        for port in self.report['inputs']:
            need(len(values[port['name']]) == port['bytes'], f"{port['name']} has another size")
            ctypes.memmove(self.pointer(port), values[port['name']], port['bytes'])
        need(getattr(self.library, f'{self.name}_run')(self.arena) == 0, 'the run ended with an error')
        return {port['name']: ctypes.string_at(self.pointer(port), port['bytes']) for port in self.report['outputs']}

    def reset(self):
        getattr(self.library, f'{self.name}_reset')(self.arena)

    def save(self):
        block = (ctypes.c_uint8 * (sum(row['bytes'] for row in self.report['states']) + 1))(0x3c)
        ctypes.memset(block, 0x3c, len(block))
        getattr(self.library, f'{self.name}_state_save')(self.arena, block)
        need(block[-1] == 0x3c, 'the block of states is longer than told')
        return bytes(block[:-1])

    def restore(self, block):
        getattr(self.library, f'{self.name}_state_restore')(self.arena, (ctypes.c_uint8 * len(block)).from_buffer_copy(block))


class Streams(Network):
    """One scratch memory, and memories of their own for the states of several streams."""

    def memory(self):
        self.sizes = [bank['arena'] for bank in self.report['banks']]
        self.scratch = self.aligned(0)
        return None

    def aligned(self, bank):
        block = (ctypes.c_uint8 * (self.sizes[bank] + 64))()
        ctypes.memset(block, 0x5a, len(block))
        at = -ctypes.addressof(block) % 64
        return (ctypes.c_uint8 * self.sizes[bank]).from_buffer(block, at)

    def stream(self):
        """Another one, not reset yet."""
        states = self.aligned(1)
        return (ctypes.c_void_p * 2)(ctypes.addressof(self.scratch), ctypes.addressof(states)), states

    def use(self, stream):
        """What another stream left in the scratch memory is gone."""
        ctypes.memset(self.scratch, 0xa5, len(self.scratch))
        self.arena = stream[0]


def made_up(port, run, seed):
    """Values of one run: a position, a token, a rate or a signal."""
    import array
    count = port['bytes'] // array.array(TYPES[port['dtype']]).itemsize
    if port['dtype'] == 'int64':
        value = {'pos': run, 'sr': 16000, 'position_ids': run % 12}.get(port['name'], (run * 37 + 5) % MOST_TOKENS.get(port['name'], 512))
        return array.array('q', [value] * count).tobytes()
    numbers = []
    for _ in range(count):
        seed = (seed * 1103515245 + 12345) % (1 << 31)
        numbers.append(seed / (1 << 30) - 1)
    return array.array('f', numbers).tobytes()


def onnxruntime_session(model):
    try:
        import onnxruntime
    except ImportError:
        return None
    return onnxruntime.InferenceSession(str(model), providers=['CPUExecutionProvider'])


def run_onnxruntime(session, plain, values):
    import numpy
    types = {'float32': numpy.float32, 'int64': numpy.int64}
    feed = {port['name']: numpy.frombuffer(values[port['name']], types[port['dtype']]).reshape(port['shape'])
            for port in plain.report['inputs']}
    names = [port['name'] for port in plain.report['outputs']]
    return {name: value.tobytes() for name, value in zip(names, session.run(names, feed))}


def apart(a, b):
    """How far float32 values are apart, as a part of the largest."""
    import numpy
    a, b = numpy.frombuffer(a, numpy.float32), numpy.frombuffer(b, numpy.float32)
    need(a.size == b.size and numpy.isfinite(a).all() and numpy.isfinite(b).all(), 'values are missing or not finite')
    return float(numpy.abs(a - b).max() / max(1e-6, numpy.abs(b).max()))


def last_steps(values, given, wanted):
    """What the next run reads of an output: all of it, or the last steps along the axis that is longer there."""
    grown = [axis for axis, (a, b) in enumerate(zip(given, wanted)) if a != b]
    if not grown:
        return values
    outer, step = math.prod(given[:grown[0]]), len(values) // math.prod(given[:grown[0] + 1])
    pitch, taken = given[grown[0]] * step, wanted[grown[0]] * step
    return b''.join(values[(o + 1) * pitch - taken:(o + 1) * pitch] for o in range(outer))


def check(tarn, folder, options, count, scratch):
    model = pathlib.Path(folder) if folder.endswith('.onnx') else SHARED / folder / 'model.onnx'
    plain = Network(tarn, model, [] if options == RING else options, scratch / 'plain', 'plain')
    kept = Network(tarn, model, [*options, '--state', 'auto'], scratch / 'kept', 'kept')
    states = kept.report.get('states', [])
    shapes = {port['name']: port['shape'] for port in [*plain.report['inputs'], *plain.report['outputs']]}
    sizes = {port['name']: port['bytes'] for port in plain.report['inputs']}
    need(len(states) == count, f'{len(states)} states, not {count}')
    if options == RING:
        # Nothing of them moves; they are no outputs any more.
        need(all(row.get('stored') == 'ring' and 'moves' not in row for row in states), 'a window is no ring')
        need(not any(step['kernel'].startswith(('copy', 'shift')) for step in kept.report['steps']), 'a window moves')
    need(all(row['in_place'] == (row['why'] == '') for row in states), 'a state says both, or neither')
    arena, most = kept.report['ram']['arena'], plain.report['ram']['arena']
    need(arena <= most, f'the arena takes {arena} B, without states {most} B')
    session, worst = onnxruntime_session(model), 0.0
    first = []
    kept.poison()
    for turn in range(2 if states else 1):
        if states:
            kept.reset()
        carried = {row['in']: bytes(sizes[row['in']]) for row in states}
        by_hand = dict(carried)
        for run in range(RUNS):
            values = {port['name']: made_up(port, run, run * 7919 + i) for i, port in enumerate(kept.report['inputs'])}
            if turn == 1 and run == RUNS // 2:  # goes on elsewhere from what was saved
                saved = kept.save()
                kept.poison()
                kept.restore(saved)
                need(kept.save() == saved, 'states are restored otherwise than they were saved')
            got = kept.run(values)
            if turn == 1:
                need(got == first[run], f'run {run} after the second reset is not that after the first')
                continue
            first.append(got)
            plain.poison()
            expected = plain.run({**values, **carried})
            wrong = [name for name in got if got[name] != expected[name]]
            need(not wrong, f'run {run} differs in {", ".join(wrong)}')
            carried = {row['in']: last_steps(expected[row['out']], shapes[row['out']], shapes[row['in']]) for row in states}
            if session is None:
                continue
            expected = run_onnxruntime(session, plain, {**values, **by_hand})
            worst = max(worst, *(apart(got[name], expected[name]) for name in got))
            by_hand = {row['in']: last_steps(expected[row['out']], shapes[row['out']], shapes[row['in']]) for row in states}
        need(turn == 1 or len({run[kept.report['outputs'][0]['name']] for run in first}) > 10, 'most runs are the same')
    need(worst <= (TOLERANCE_OF_CODES if 'qdq' in folder else TOLERANCE), f'{worst:.2g} from onnxruntime')
    in_place = sum(row['in_place'] for row in states)
    print(f'{folder}: {RUNS} runs, {in_place} of {count} states in place, arena {arena} B, without states {most} B, '
          + ('onnxruntime is not there' if session is None else f'{worst:.1e} from onnxruntime'))


def check_streams(tarn, folder, options, scratch):
    """Three streams by turns with --state-memory separate, each against states carried by hand; one goes on elsewhere, one begins anew."""
    model = pathlib.Path(folder) if folder.endswith('.onnx') else SHARED / folder / 'model.onnx'
    plain = Network(tarn, model, [], scratch / 'plain', 'plain')
    kept = Streams(tarn, model, ['--state', 'auto', '--state-memory', 'separate', *options], scratch / 'kept', 'kept')
    need([bank['name'] for bank in kept.report['banks']] == ['scratch', 'states'], 'other memories than scratch and states')
    shapes = {port['name']: port['shape'] for port in [*plain.report['inputs'], *plain.report['outputs']]}
    zeroes = {row['in']: bytes(port['bytes']) for row in kept.report['states'] for port in plain.report['inputs'] if port['name'] == row['in']}
    streams, carried = [kept.stream() for _ in range(3)], [dict(zeroes) for _ in range(3)]
    for stream in streams:
        kept.use(stream)
        kept.reset()
    turns = [0, 1, 2, 1, 0, 0, 2, 1, 2, 2, 1, 0] * 4
    for run, i in enumerate(turns):
        kept.use(streams[i])
        if run == len(turns) // 2:
            saved, streams[i] = kept.save(), kept.stream()
            kept.use(streams[i])
            kept.restore(saved)
        if run == len(turns) * 2 // 3:
            kept.reset()
            carried[i] = dict(zeroes)
        values = {port['name']: made_up(port, run, run * 7919 + k) for k, port in enumerate(kept.report['inputs'])}
        got = kept.run(values)
        plain.poison()
        expected = plain.run({**values, **carried[i]})
        wrong = [name for name in got if got[name] != expected[name]]
        need(not wrong, f'run {run}, of stream {i}, differs in {", ".join(wrong)}')
        carried[i] = {row['in']: last_steps(expected[row['out']], shapes[row['out']], shapes[row['in']]) for row in kept.report['states']}
    print(f'{folder}: {len(turns)} runs of three streams by turns, scratch {kept.sizes[0]} B, states {kept.sizes[1]} B for each')


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def tensor_file(path, shape, values):
    """A TensorProto of float32 (onnx.proto: dims 1, data_type 2, raw_data 9)."""
    text = b''.join(b'\x08' + varint(size) for size in shape) + b'\x10\x01\x4a' + varint(len(values)) + values
    path.write_bytes(text)


def check_first_values(tarn, folder, scratch):
    """--state OUT=IN:FILE.pb: reset gives what the file holds; a file of another shape is refused."""
    model = SHARED / folder / 'model.onnx'
    plain = Network(tarn, model, ['--state', 'auto'], scratch / 'plain', 'plain')
    inputs = {port['name']: port for port in Network(tarn, model, [], scratch / 'none', 'none').report['inputs']}
    options, expected = [], b''
    for i, row in enumerate(plain.report['states']):
        values = made_up(inputs[row['in']], 0, 77 + i)
        tensor_file(scratch / f'{i}.pb', inputs[row['in']]['shape'], values)
        options += ['--state', f'{row["out"]}={row["in"]}:{scratch / f"{i}.pb"}']
        expected += values
    first = Network(tarn, model, options, scratch / 'first', 'first')
    need(all(row['first_values'] for row in first.report['states']), 'a state does not tell of its first values')
    first.poison()
    for _ in range(2):
        first.reset()
        need(first.save() == expected, 'reset does not give the first values')
        first.run({port['name']: made_up(port, 0, 5) for port in first.report['inputs']})
        need(first.save() != expected, 'a run leaves the states alone')
    tensor_file(scratch / '0.pb', [3], bytes(12))
    done = subprocess.run([tarn, 'analyze', model, '--cc', 'none', *options], capture_output=True, text=True)
    need(done.returncode == 2 and 'E209' in done.stderr and 'its first values are float32[3]' in done.stderr, done.stderr)
    print(f'{folder}: first values of {len(plain.report["states"])} states from files')


def check_ring_values(tarn, folder, scratch):
    """First values of windows that are rings, against runs whose states begin with them."""
    model = SHARED / folder / 'model.onnx'
    plain = Network(tarn, model, [], scratch / 'plain', 'plain')
    ports = {port['name']: port for port in [*plain.report['inputs'], *plain.report['outputs']]}
    pairs = {f's{i}_out': f's{i}' for i in range(3)}
    options, carried = [], {}
    for i, (out, name) in enumerate(pairs.items()):
        carried[name] = made_up(ports[name], 0, 77 + i)
        tensor_file(scratch / f'{i}.pb', ports[name]['shape'], carried[name])
        options += ['--state', f'{out}={name}:{scratch / f"{i}.pb"}']
    first = Network(tarn, model, [*options, *RING], scratch / 'first', 'first')
    first.poison()
    first.reset()
    for run in range(20):
        values = {port['name']: made_up(port, run, run * 7919) for port in first.report['inputs']}
        got, expected = first.run(values), plain.run({**values, **carried})
        need(all(got[name] == expected[name] for name in got), f'run {run} differs')
        carried = {name: expected[out] for out, name in pairs.items()}
    print(f'{folder}: first values of {len(pairs)} rings from files')


def main():
    tarn, asked = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    if not SHARED.is_dir():
        print(f'skipped: {SHARED} is not there')
        return 77
    failed = 0
    cases = [*NETWORKS, ('exported/wake_stream_dw', 'ring values', 0), ('exported/wake_stream_dw', 'first values', 0),
             *((folder, 'streams', 0) for folder in STREAMS), ('exported/wake_stream_dw', 'ring streams', 0)]
    for folder, options, count in cases if asked else sampling.part(cases, 5):
        if asked and folder not in asked:
            continue
        try:
            with tempfile.TemporaryDirectory() as scratch:
                if options in ('streams', 'ring streams'):
                    check_streams(tarn, folder, RING if options == 'ring streams' else [], pathlib.Path(scratch))
                elif options == 'ring values':
                    check_ring_values(tarn, folder, pathlib.Path(scratch))
                elif options == 'first values':
                    check_first_values(tarn, folder, pathlib.Path(scratch))
                else:
                    check(tarn, folder, options, count, pathlib.Path(scratch))
        except (Wrong, subprocess.CalledProcessError) as fault:
            failed += 1
            print(f'{folder}: FAILED: {fault}')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
