#!/usr/bin/env python3
"""Writes causal.onnx, relative.onnx and local.onnx beside itself: decoders of one layer over an open sequence, as exporters write
them, whose masks are cut out of constants for the longest sequence or follow from the distance of two positions; and ending.onnx, whose
constants are not the first elements of the longest one's; planes.onnx, whose batch, height and width
are open; lines.onnx, which runs line by line for ever; rolling.onnx, part of which shrinks while its input grows. Needs onnx."""
import pathlib
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

WORDS, SIZE, HEADS, LONGEST = 16, 8, 2, 32
CUT = {'causal': numpy.tril(numpy.ones((LONGEST, LONGEST), bool)),
       'local': numpy.tril(numpy.ones((LONGEST, LONGEST), bool)) & numpy.triu(numpy.ones((LONGEST, LONGEST), bool), -4)}


class Network:
    def __init__(self):
        self.random = numpy.random.default_rng(7)
        self.nodes, self.constants = [], []

    def constant(self, value):
        name = f'c{len(self.constants)}'
        self.constants.append(numpy_helper.from_array(numpy.asarray(value), name))
        return name

    def whole(self, *values):
        return self.constant(numpy.array(values, numpy.int64))

    def weight(self, *shape):
        return self.constant((self.random.standard_normal(shape) * 0.3).astype(numpy.float32))

    def add(self, op, *inputs, outputs=None, **attributes):
        outputs = outputs or [f't{len(self.nodes)}']
        self.nodes.append(helper.make_node(op, list(inputs), outputs, name=f'{op}_{len(self.nodes)}', **attributes))
        return outputs[0]


def mask_of(kind, net, length, scores):
    """The scores behind the mask."""
    if kind in CUT:
        allowed = net.constant(CUT[kind].reshape(1, 1, LONGEST, LONGEST))
        for axis in (2, 3):
            allowed = net.add('Slice', allowed, net.whole(0), length, net.whole(axis))
        return net.add('Where', allowed, scores, net.constant(numpy.float32(-1e9)))
    positions = net.add('Range', net.constant(numpy.int64(0)), net.add('Squeeze', length), net.constant(numpy.int64(1)))
    apart = net.add('Sub', net.add('Unsqueeze', positions, net.whole(1)), positions)
    apart = net.add('Clip', net.add('Add', apart, net.constant(numpy.int64(8))), net.constant(numpy.int64(0)), net.constant(numpy.int64(15)))
    bias = net.add('Transpose', net.add('Gather', net.weight(16, HEADS), apart, axis=0), perm=[2, 0, 1])
    return net.add('Add', scores, net.add('Unsqueeze', bias, net.whole(0)))


def make(kind):
    net = Network()
    length = net.add('Shape', 'words', start=1, end=2)
    positions = net.add('Slice', net.weight(LONGEST, SIZE), net.whole(0), length, net.whole(0))
    x = net.add('Add', net.add('Gather', net.weight(WORDS, SIZE), 'words', axis=0), positions)
    parts = ['q', 'k', 'v']
    net.add('Split', net.add('MatMul', x, net.weight(SIZE, 3 * SIZE)), net.whole(SIZE, SIZE, SIZE), outputs=parts, axis=2)
    heads = net.add('Concat', net.whole(1), length, net.whole(HEADS, SIZE // HEADS), axis=0)
    turned = {'q': [0, 2, 1, 3], 'k': [0, 2, 3, 1], 'v': [0, 2, 1, 3]}
    q, k, v = (net.add('Transpose', net.add('Reshape', part, heads), perm=turned[part]) for part in parts)
    scores = net.add('Div', net.add('MatMul', q, k), net.constant(numpy.float32(2)))
    seen = net.add('MatMul', net.add('Softmax', mask_of(kind, net, length, scores), axis=-1), v)
    seen = net.add('Reshape', net.add('Transpose', seen, perm=[0, 2, 1, 3]), net.add('Concat', net.whole(1), length, net.whole(SIZE), axis=0))
    x = net.add('Add', x, net.add('MatMul', seen, net.weight(SIZE, SIZE)))
    net.add('MatMul', x, net.weight(SIZE, WORDS), outputs=['scores'])
    graph = helper.make_graph(net.nodes, kind, [helper.make_tensor_value_info('words', TensorProto.INT64, [1, 'length'])],
                              [helper.make_tensor_value_info('scores', TensorProto.FLOAT, [1, 'length', WORDS])], net.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


def make_ending():
    """What the end of a table gives, and tables that differ at the ends of an image from size to size."""
    net = Network()
    length = net.add('Shape', 'x', start=2, end=3)
    rows = net.add('Slice', net.weight(LONGEST, SIZE), net.add('Neg', length), net.whole(2 ** 62), net.whole(0))
    x = net.add('Add', 'x', rows)
    scales = net.constant(numpy.array([1, 1, 2, 2], numpy.float32))
    near, between = (net.add('Resize', x, '', scales, mode=mode) for mode in ('nearest', 'linear'))
    net.add('Sub', near, between, outputs=['y'])
    graph = helper.make_graph(net.nodes, 'ending', [helper.make_tensor_value_info('x', TensorProto.FLOAT, [1, 2, 'length', SIZE])],
                              [helper.make_tensor_value_info('y', TensorProto.FLOAT, [1, 2, None, 2 * SIZE])], net.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


def make_planes():
    """A convolutional network over open batches, heights and widths: windows with strides, pools, Concat, Resize by scale, Slice."""
    net = Network()
    x = net.add('Relu', net.add('Conv', 'x', net.weight(4, 2, 3, 3), strides=[2, 1], pads=[1, 1, 1, 1]))
    x = net.add('Concat', x, net.add('MaxPool', x, kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[1, 1]), axis=1)
    x = net.add('Resize', x, '', net.constant(numpy.array([1, 1, 2, 1], numpy.float32)), mode='nearest')
    x = net.add('Slice', x, net.whole(1), net.whole(2 ** 40), net.whole(3))
    net.add('AveragePool', x, kernel_shape=[2, 2], strides=[2, 2], outputs=['image'])
    net.add('MatMul', net.add('ReduceMean', x, axes=[2, 3], keepdims=0), net.weight(SIZE, 3), outputs=['scores'])
    graph = helper.make_graph(net.nodes, 'planes', [helper.make_tensor_value_info('x', TensorProto.FLOAT, ['batch', 2, 'height', 'width'])],
                              [helper.make_tensor_value_info('image', TensorProto.FLOAT, ['batch', 8, None, None]),
                               helper.make_tensor_value_info('scores', TensorProto.FLOAT, ['batch', 3])], net.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


def make_lines():
    """An image of any height, line by line: nothing of it is padded above or below."""
    net = Network()
    x = net.add('Relu', net.add('Conv', 'x', net.weight(4, 2, 3, 3), pads=[0, 1, 0, 1]))
    x = net.add('MaxPool', x, kernel_shape=[2, 2], strides=[1, 2])
    net.add('Conv', x, net.weight(3, 4, 3, 3), pads=[0, 1, 0, 1], outputs=['y'])
    graph = helper.make_graph(net.nodes, 'lines', [helper.make_tensor_value_info('x', TensorProto.FLOAT, [1, 2, 'height', 12])],
                              [helper.make_tensor_value_info('y', TensorProto.FLOAT, [1, 3, None, 6])], net.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


def make_rolling():
    """A window over the last LONGEST frames: what is kept of the old ones gets shorter the more new ones come."""
    net = Network()
    steps = net.add('Shape', 'frames', start=0, end=1)
    kept = net.add('Sigmoid', net.add('Slice', 'window', steps, net.whole(LONGEST), net.whole(0)))
    kept = net.add('MatMul', kept, net.weight(SIZE, SIZE))
    wide = net.add('MatMul', net.add('Sigmoid', 'frames'), net.weight(SIZE, 4 * SIZE))
    new = net.add('MatMul', net.add('Tanh', wide), net.weight(4 * SIZE, SIZE))
    net.add('Sigmoid', net.add('Concat', kept, new, axis=0), outputs=['y'])
    graph = helper.make_graph(net.nodes, 'rolling', [helper.make_tensor_value_info('frames', TensorProto.FLOAT, ['steps', SIZE]),
                                                     helper.make_tensor_value_info('window', TensorProto.FLOAT, [LONGEST, SIZE])],
                              [helper.make_tensor_value_info('y', TensorProto.FLOAT, [LONGEST, SIZE])], net.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


if __name__ == '__main__':
    if sys.argv[1:]:
        sys.exit(__doc__)
    for kind in ('causal', 'relative', 'local'):
        onnx.save(make(kind), pathlib.Path(__file__).resolve().parent / f'{kind}.onnx')
    onnx.save(make_ending(), pathlib.Path(__file__).resolve().parent / 'ending.onnx')
    onnx.save(make_planes(), pathlib.Path(__file__).resolve().parent / 'planes.onnx')
    onnx.save(make_lines(), pathlib.Path(__file__).resolve().parent / 'lines.onnx')
    onnx.save(make_rolling(), pathlib.Path(__file__).resolve().parent / 'rolling.onnx')
