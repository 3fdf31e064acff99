#!/usr/bin/env python3
"""GPT-2 with an open sequence: open_gpt2.py MODEL OUT. MODEL is gpt2_tiny of TARN_SHARED_DIR, whose exporter fixed 16 words in the
positions, the causal mask and the targets of Reshape; all of them follow the input here. Needs onnx."""
import sys

import numpy
import onnx
from onnx import helper, numpy_helper

WORDS = 16


def sliced(graph, name, axes, length):
    """The constant's first elements along the axes, before the nodes that read it."""
    zero = numpy_helper.from_array(numpy.array([0], numpy.int64), 'from_0')
    if 'from_0' not in {c.name for c in graph.initializer}:
        graph.initializer.append(zero)
    whole, nodes = name, []
    for axis in axes:
        graph.initializer.append(numpy_helper.from_array(numpy.array([axis], numpy.int64), f'{name}_axis_{axis}'))
        nodes.append(helper.make_node('Slice', [whole, 'from_0', length, f'{name}_axis_{axis}'], [f'{name}_along_{axis}']))
        whole = f'{name}_along_{axis}'
    for node in graph.node:
        for i, read in enumerate(node.input):
            if read == name:
                node.input[i] = whole
    return nodes


def open_sequence(model):
    graph = model.graph
    values = {c.name: numpy_helper.to_array(c) for c in graph.initializer}
    graph.input[0].type.tensor_type.shape.dim[1].dim_param = 'sequence'
    for output in graph.output:
        output.type.tensor_type.shape.dim[1].dim_param = 'sequence'
    del graph.value_info[:]
    for node in graph.node:
        if node.op_type == 'Reshape' and WORDS in values[node.input[1]] and node.input[0] != graph.input[0].name:
            to = values[node.input[1]].tolist()
            if -1 in to and to[-1] * 4 == 48:
                to[to.index(-1)] = 4  # heads
            if to[0] == -1:
                to[0] = 1
            to[to.index(WORDS)] = -1
            node.input[1] = f'{node.output[0]}_shape'
            graph.initializer.append(numpy_helper.from_array(numpy.array(to, numpy.int64), node.input[1]))
        elif node.op_type == 'Reshape' and node.input[0] == graph.input[0].name:
            node.input[1] = 'one_row'
            graph.initializer.append(numpy_helper.from_array(numpy.array([1, -1], numpy.int64), 'one_row'))
    shape = helper.make_node('Shape', [graph.input[0].name], ['length'], start=1, end=2)
    first = [shape]
    for name, value in values.items():
        axes = [axis for axis, size in enumerate(value.shape) if size == WORDS]
        if value.ndim > 2 and axes:
            first += sliced(graph, name, axes, 'length')
    nodes = [*first, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    return model


if __name__ == '__main__':
    onnx.save(open_sequence(onnx.load(sys.argv[1])), sys.argv[2])
