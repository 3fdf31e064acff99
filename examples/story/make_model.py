#!/usr/bin/env python3
"""Writes model.onnx, a decoder of one layer with caches as inputs and outputs, and tok.bin, its vocabulary. The weights come from a
seeded generator: what it tells is no story. Needs Python alone.
"""
import random
import struct

WIDTH, HEADS, SHARED, SIZE, HIDDEN, ROOM = 32, 4, 2, 8, 48, 64
WORDS = [" ", "e", "t", "a", "o", "i", "n", "s", "h", "r", "d", "l", "u", " t", "he", " the", " a", "nd", " and", ".", ",", "\n"]
VOCABULARY = [b"<unk>", b"<s>", b"</s>"] + [b"<0x%02X>" % i for i in range(256)] + [word.encode() for word in WORDS]
FLOAT, INT64 = 1, 7

random.seed(7)


# ---- protobuf by hand (onnx.proto): varints and length-prefixed fields

def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def data(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def value_info(name, kind, shape):
    dims = b"".join(data(1, number(1, length)) for length in shape)
    return data(1, name) + data(2, data(1, number(1, kind) + data(2, dims)))


nodes, tensors, made = b"", b"", 0


def constant(name, values, shape=None, kind=FLOAT):
    global tensors
    shape = [len(values)] if shape is None else shape
    raw = struct.pack(f"<{len(values)}{'f' if kind == FLOAT else 'q'}", *values)
    tensors += data(5, b"".join(number(1, length) for length in shape) + number(2, kind) + data(8, name) + data(9, raw))
    return name


def integers(name, *values):
    return constant(name, values, kind=INT64)


def weights(name, rows, columns):
    return constant(name, [random.gauss(0, 2 * rows ** -0.5) for _ in range(rows * columns)], [rows, columns])


def node(op, *inputs, name=None, **attributes):
    global nodes, made
    made += 1
    name = name or f"{op.lower()}_{made}"
    body = b"".join(data(1, i) for i in inputs) + data(2, name) + data(3, name) + data(4, op)
    for key, value in attributes.items():
        if isinstance(value, int):
            body += data(5, data(1, key) + number(3, value) + number(20, 2))
        else:
            body += data(5, data(1, key) + b"".join(number(8, v) for v in value) + number(20, 7))
    nodes += data(1, body)
    return name


# ---- the network

def normalised(x, name):
    mean = node("ReduceMean", node("Mul", x, x), integers(name + "_axes", -1), keepdims=1)
    scale = constant(name, [random.gauss(1, 0.1) for _ in range(WIDTH)])
    return node("Mul", node("Div", x, node("Sqrt", node("Add", mean, "epsilon"))), scale)


constant("epsilon", [1e-5])
x = node("Add", node("Gather", weights("embedding", len(VOCABULARY), WIDTH), "token"), node("Gather", weights("places", ROOM, WIDTH), "pos"))
h = normalised(x, "norm_attention")
row = node("Reshape", "pos", integers("row", 1, 1))
caches = {}
for kind in "kv":
    new = node("MatMul", h, weights("w" + kind, WIDTH, SHARED * SIZE))
    cache = node("ScatterND", f"{kind}_in_0", row, new, name=f"{kind}_out_0")
    heads = node("Reshape", cache, integers(kind + "_heads", ROOM, SHARED, 1, SIZE))
    caches[kind] = node("Transpose", heads, perm=[1, 2, 3, 0] if kind == "k" else [1, 2, 0, 3])
q = node("Reshape", node("MatMul", h, weights("wq", WIDTH, WIDTH)), integers("q_heads", SHARED, HEADS // SHARED, 1, SIZE))
open_keys = node("LessOrEqual", integers("places_of_keys", *range(ROOM)), "pos")
mask = node("Where", open_keys, constant("open", [0]), constant("closed", [-1e9]))
scores = node("Add", node("Mul", node("MatMul", q, caches["k"]), constant("scale", [SIZE ** -0.5])), mask)
told = node("Reshape", node("MatMul", node("Softmax", scores, axis=-1), caches["v"]), integers("flat", 1, WIDTH))
x = node("Add", x, node("MatMul", told, weights("wo", WIDTH, WIDTH)))
h = normalised(x, "norm_hidden")
gate = node("MatMul", h, weights("w1", WIDTH, HIDDEN))
up = node("Mul", node("Mul", gate, node("Sigmoid", gate)), node("MatMul", h, weights("w3", WIDTH, HIDDEN)))
x = node("Add", x, node("MatMul", up, weights("w2", HIDDEN, WIDTH)))
# Words are likelier than bytes.
classes = [random.gauss(0, 0.4) if i % len(VOCABULARY) >= len(VOCABULARY) - len(WORDS) else 0 for i in range(WIDTH * len(VOCABULARY))]
node("MatMul", normalised(x, "norm_last"), constant("classes", classes, [WIDTH, len(VOCABULARY)]), name="logits")

cache = [ROOM, SHARED * SIZE]
graph = nodes + data(2, "decoder") + tensors
graph += b"".join(data(11, value_info(name, INT64, [1])) for name in ("token", "pos"))
graph += b"".join(data(11, value_info(f"{kind}_in_0", FLOAT, cache)) for kind in "kv")
graph += data(12, value_info("logits", FLOAT, [1, len(VOCABULARY)])) + b"".join(data(12, value_info(f"{kind}_out_0", FLOAT, cache)) for kind in "kv")
with open("model.onnx", "wb") as file:
    file.write(number(1, 8) + data(2, "make_model.py") + data(7, graph) + data(8, data(1, "") + number(2, 18)))

with open("tok.bin", "wb") as file:
    file.write(struct.pack("<i", max(map(len, VOCABULARY))))
    for i, token in enumerate(VOCABULARY):
        file.write(struct.pack("<fi", float(len(token) - 10 if i > 258 else 0), len(token)) + token)
