"""Runs a model with onnxruntime for `tarn verify --reference ort`.

    python3 run_onnxruntime.py FOLDER

FOLDER/runs.json says what: {"model": PATH, "outputs": [NAME ...], "runs": [{"folder": NAME, "inputs": [{"name", "type",
"shape", "file"}]}]}; a file holds the elements as ONNX's raw_data does, `type` is TensorProto.DataType. Of each run the
outputs are written to FOLDER/<folder>/output_N.pb, a TensorProto each. stdout: onnxruntime's version. Exit status 3: it
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


def main(folder):
    with open(os.path.join(folder, 'runs.json'), encoding='utf-8', errors='surrogateescape') as file:
        asked = json.load(file)
    options = onnxruntime.SessionOptions()
    # The operators as they are defined: fused kernels round differently. One thread: sums keep their order.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(asked['model'], options, providers=['CPUExecutionProvider'])
    for run in asked['runs']:
        kept, feeds = [], {}
        for given in run['inputs']:
            feeds[given['name']], array = tensor_of(os.path.join(folder, run['folder'], given['file']), given['type'], given['shape'])
            kept.append(array)
        for number, value in enumerate(session.run_with_ort_values(asked['outputs'], feeds)):
            with open(os.path.join(folder, run['folder'], 'output_%d.pb' % number), 'wb') as file:
                file.write(tensor_proto(value))


print(onnxruntime.__version__, flush=True)
try:
    main(sys.argv[1])
except Exception as fault:
    fail(4, fault)
