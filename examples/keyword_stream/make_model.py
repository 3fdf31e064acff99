#!/usr/bin/env python3
"""Writes keyword.onnx, one step of a GRU with its state as input and output, and keyword_whole.onnx, the same network over
32 frames at once. The weights are random: the example is about state, not about words. Needs onnx and numpy."""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FEATURES, HIDDEN, CLASSES, FRAMES = 10, 16, 4, 32
rng = np.random.default_rng(1)
weights = {"W": rng.normal(0, 0.5, (1, 3 * HIDDEN, FEATURES)), "R": rng.normal(0, 0.5, (1, 3 * HIDDEN, HIDDEN)),
           "B": rng.normal(0, 0.1, (1, 6 * HIDDEN)), "V": rng.normal(0, 0.5, (HIDDEN, CLASSES)), "axes": None}

def tensor(name, shape):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

def save(path, frames, state):
    nodes = [helper.make_node("GRU", ["features", "W", "R", "B", "", state if state else ""], ["", "memory_out"], hidden_size=HIDDEN),
             helper.make_node("Squeeze", ["memory_out", "axes"], ["last"]),
             helper.make_node("MatMul", ["last", "V"], ["logits"]),
             helper.make_node("Softmax", ["logits"], ["scores"], axis=-1)]
    inputs = [tensor("features", [frames, 1, FEATURES])] + ([tensor(state, [1, 1, HIDDEN])] if state else [])
    outputs = [tensor("scores", [1, CLASSES])] + ([tensor("memory_out", [1, 1, HIDDEN])] if state else [])
    constants = [numpy_helper.from_array(v.astype(np.float32), k) for k, v in weights.items() if v is not None]
    constants.append(numpy_helper.from_array(np.array([0], np.int64), "axes"))
    graph = helper.make_graph(nodes, "keyword", inputs, outputs, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    onnx.save(model, path)

save("keyword.onnx", 1, "memory")
save("keyword_whole.onnx", FRAMES, "")
