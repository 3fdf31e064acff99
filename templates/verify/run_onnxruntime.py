"""Runs a model with onnxruntime for `tarn verify --reference ort`.

    python3 run_onnxruntime.py FOLDER

FOLDER/runs.json says what: {"model": PATH, "outputs": [NAME ...], "runs": [{"folder": NAME, "inputs": [{"name", "type",
"shape", "file"}]}]}; a file holds the elements as ONNX's raw_data does, `type` is TensorProto.DataType. Of each run the
outputs are written to FOLDER/<folder>/output_N.pb, a TensorProto each; where "watched" names values within the model, those that
its nodes make to watched_N.pb. stdout: onnxruntime's version. Exit status 3: it
cannot be imported; 4: it does not run the model; stderr says why in its last line.
"""
import ctypes
import json
import os
import sys


def fail(status, fault):
    sys.stderr.write('\n' + ' '.join(str(fault).split()) + '\n')
    sys.exit(status)


try:
    import numpy
    import onnxruntime
except Exception as fault:  # an installation for another processor or Python fails in its own ways
    fail(3, fault)

STRING = 8
# Element types that numpy has, by TensorProto.DataType. All others are handed over as bits of the same size.
NUMPY = {1: 'float32', 2: 'uint8', 3: 'int8', 4: 'uint16', 5: 'int16', 6: 'int32', 7: 'int64', 9: 'bool', 10: 'float16',
         11: 'float64', 12: 'uint32', 13: 'uint64'}
BITS = {16: 'uint16'}


def tensor_of(path, kind, shape):
    with open(path, 'rb') as file:
        data = file.read()
    if kind in NUMPY:
        array = numpy.frombuffer(data, NUMPY[kind]).reshape(shape).copy()
        return onnxruntime.OrtValue.ortvalue_from_numpy(array), array
    # Packed elements fill the first bytes of an array that has one byte for each.
    array = numpy.zeros(shape, BITS.get(kind, 'uint8'))
    array.reshape(-1).view('uint8')[:len(data)] = numpy.frombuffer(data, 'uint8')
    return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(array, kind), array


def varint(number):
    number &= (1 << 64) - 1
    data = bytearray()
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    data.append(number)
    return bytes(data)


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


# TensorProto: dims 1, data_type 2, string_data 6, raw_data 9.
def tensor_proto(value):
    if not value.is_tensor():
        raise TypeError('an output is no tensor')
    kind = value.element_type()
    head = b''.join(varint(1 << 3) + varint(extent) for extent in value.shape()) + varint(2 << 3) + varint(kind)
    if kind == STRING:
        return head + b''.join(field(6, str(text).encode()) for text in value.numpy().reshape(-1))
    size = value.tensor_size_in_bytes()
    return head + field(9, ctypes.string_at(value.data_ptr(), size) if size else b'')


def fields(data):
    """The (number, bytes) of a message's fields that have a length."""
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    while at < len(data):
        tag = number()
        if tag & 7 == 0:
            number()
        elif tag & 7 == 2:
            length = number()
            yield tag >> 3, data[at:at + length]
            at += length
        else:
            at += 8 if tag & 7 == 1 else 4


def with_outputs(path, wanted):
    """The model with further outputs, of those wanted that its nodes make: a message in two parts is one with the fields of both.
    ModelProto: graph 7; GraphProto: node 1, output 12; NodeProto: output 2; ValueInfoProto: name 1."""
    with open(path, 'rb') as file:
        model = memoryview(file.read())
    made, given = set(), set()
    for number, graph in fields(model):
        for kind, part in fields(graph) if number == 7 else ():
            if kind == 1:
                made.update(bytes(name).decode() for field_of, name in fields(part) if field_of == 2)
            elif kind == 12:
                given.update(bytes(name).decode() for field_of, name in fields(part) if field_of == 1)
    names = [name for name in wanted if name in made and name not in given]
    more = b''.join(field(12, field(1, name.encode())) for name in dict.fromkeys(names))
    return bytes(model) + field(7, more), [name for name in wanted if name in made]


def main(folder):
    with open(os.path.join(folder, 'runs.json'), encoding='utf-8', errors='surrogateescape') as file:
        asked = json.load(file)
    options = onnxruntime.SessionOptions()
    # The operators as they are defined: fused kernels round differently. One thread: sums keep their order.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    model, watched = asked['model'], []
    if asked.get('watched'):
        model, watched = with_outputs(model, asked['watched'])
        options.add_session_config_entry('session.model_external_initializers_file_folder_path', os.path.dirname(asked['model']))
    session = onnxruntime.InferenceSession(model, options, providers=['CPUExecutionProvider'])
    for run in asked['runs']:
        kept, feeds = [], {}
        for given in run['inputs']:
            feeds[given['name']], array = tensor_of(os.path.join(folder, run['folder'], given['file']), given['type'], given['shape'])
            kept.append(array)
        files = ['output_%d.pb' % n for n in range(len(asked['outputs']))] + ['watched_%d.pb' % asked['watched'].index(n) for n in watched]
        for name, value in zip(files, session.run_with_ort_values(asked['outputs'] + watched, feeds)):
            with open(os.path.join(folder, run['folder'], name), 'wb') as file:
                file.write(tensor_proto(value))


print(onnxruntime.__version__, flush=True)
try:
    main(sys.argv[1])
except Exception as fault:
    fail(4, fault)
