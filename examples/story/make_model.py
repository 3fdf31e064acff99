#!/usr/bin/env python3
"""Writes model.onnx, a decoder of one layer with caches as inputs and outputs, and tok.bin, its vocabulary. The weights are random: what
it tells is no story. Needs onnx and numpy."""
import struct

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

WIDTH, HEADS, SHARED, SIZE, HIDDEN, ROOM = 32, 4, 2, 8, 48, 64
WORDS = [" ", "e", "t", "a", "o", "i", "n", "s", "h", "r", "d", "l", "u", " t", "he", " the", " a", "nd", " and", ".", ",", "\n"]
VOCABULARY = [b"<unk>", b"<s>", b"</s>"] + [b"<0x%02X>" % i for i in range(256)] + [word.encode() for word in WORDS]

rng = np.random.default_rng(7)
nodes, constants = [], []


def constant(name, values, kind=np.float32):
    constants.append(numpy_helper.from_array(np.asarray(values, kind), name))
    return name


def weights(name, *shape):
    return constant(name, rng.normal(0, shape[0] ** -0.5 * 2, shape))


def node(op, *inputs, name=None, **attributes):
    out = name or f"{op.lower()}_{len(nodes)}"
    nodes.append(helper.make_node(op, list(inputs), [out], **attributes))
    return out


def normalised(x, name):
    mean = node("ReduceMean", node("Mul", x, x), constant(name + "_axes", [-1], np.int64), keepdims=1)
    return node("Mul", node("Div", x, node("Sqrt", node("Add", mean, "epsilon"))), constant(name, rng.normal(1, 0.1, WIDTH)))


constant("epsilon", 1e-5)
x = node("Gather", weights("embedding", len(VOCABULARY), WIDTH), "token")
place = node("Add", x, node("Gather", weights("places", ROOM, WIDTH), "pos"))
h = normalised(place, "norm_attention")
row = node("Reshape", "pos", constant("row", [1, 1], np.int64))
caches = {}
for kind in "kv":
    new = node("MatMul", h, weights("w" + kind, WIDTH, SHARED * SIZE))
    cache = node("ScatterND", f"{kind}_in_0", row, new, name=f"{kind}_out_0")
    heads = node("Reshape", cache, constant(kind + "_heads", [ROOM, SHARED, 1, SIZE], np.int64))
    caches[kind] = node("Transpose", heads, perm=[1, 2, 3, 0] if kind == "k" else [1, 2, 0, 3])
q = node("Reshape", node("MatMul", h, weights("wq", WIDTH, WIDTH)), constant("q_heads", [SHARED, HEADS // SHARED, 1, SIZE], np.int64))
open_keys = node("LessOrEqual", constant("places_of_keys", np.arange(ROOM), np.int64), "pos")
mask = node("Where", open_keys, constant("open", [0]), constant("closed", [-1e9]))
scores = node("Add", node("Mul", node("MatMul", q, caches["k"]), constant("scale", SIZE ** -0.5)), mask)
told = node("Reshape", node("MatMul", node("Softmax", scores, axis=-1), caches["v"]), constant("flat", [1, WIDTH], np.int64))
x = node("Add", place, node("MatMul", told, weights("wo", WIDTH, WIDTH)))
h = normalised(x, "norm_hidden")
gate = node("MatMul", h, weights("w1", WIDTH, HIDDEN))
up = node("Mul", node("Mul", gate, node("Sigmoid", gate)), node("MatMul", h, weights("w3", WIDTH, HIDDEN)))
x = node("Add", x, node("MatMul", up, weights("w2", HIDDEN, WIDTH)))
classes = rng.normal(0, 0.4, (WIDTH, len(VOCABULARY)))
classes[:, :-len(WORDS)] = 0  # words are likelier than bytes
node("MatMul", normalised(x, "norm_last"), constant("classes", classes), name="logits")

cache = [ROOM, SHARED * SIZE]
inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, [1]) for name in ("token", "pos")]
inputs += [helper.make_tensor_value_info(f"{kind}_in_0", TensorProto.FLOAT, cache) for kind in "kv"]
outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, len(VOCABULARY)])]
outputs += [helper.make_tensor_value_info(f"{kind}_out_0", TensorProto.FLOAT, cache) for kind in "kv"]
graph = helper.make_graph(nodes, "decoder", inputs, outputs, constants)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
model.ir_version = 8
onnx.checker.check_model(model)
onnx.save(model, "model.onnx")

with open("tok.bin", "wb") as file:
    file.write(struct.pack("<i", max(map(len, VOCABULARY))))
    for i, token in enumerate(VOCABULARY):
        file.write(struct.pack("<fi", float(len(token) - 10 if i > 258 else 0), len(token)) + token)
