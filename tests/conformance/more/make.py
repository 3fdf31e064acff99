#!/usr/bin/env python3
"""Writes node/NAME/: models and data for what the onnx backend suite has no case of, in its own layout.

    python3 -m venv venv && venv/bin/pip install onnx==1.22.0 onnxruntime==1.31.0 ml_dtypes
    venv/bin/python tests/conformance/more/make.py [NAME ...]

Writes the cases that are not stored yet, and those that are named (test_NAME); --all: every one. So a new case changes no
stored data. Numbers are drawn anew for each case, from a seed that is the name of the case or group before it. Stored cases
that nothing here makes are told. Expected outputs are written down here, or come from ONNX Runtime. Run by conformance.more.
"""
import fractions
import math
import pathlib
import shutil
import sys
import zlib

import ml_dtypes
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).parent / "node"
IR = {1: 4, 5: 4, 6: 3, 7: 3, 10: 5, 11: 6, 13: 7, 17: 8, 18: 8, 19: 9, 21: 10, 24: 12, 25: 13}  # by opset
MICROSOFT = "com.microsoft"
node = helper.make_node
random = np.random.default_rng(1)
asked, made, written = set(sys.argv[1:]), set(), []


def seed_after(name):
    global random
    random = np.random.default_rng(zlib.crc32(name.encode()))


def reals(*shape):
    return random.normal(size=shape).astype(np.float32)


def codes(dtype, *shape):
    low, high = {"int8": (-128, 128), "uint8": (0, 256), "int4": (-8, 8), "uint4": (0, 16), "int2": (-2, 2), "uint2": (0, 4)}[np.dtype(dtype).name]
    return random.integers(low, high, shape).astype(np.int32).astype(dtype)


def ints(*values):
    return np.array(values, np.int64)


def elem_type(array):
    return helper.np_dtype_to_tensor_dtype(np.asarray(array).dtype)


def value(name, array, shape=None):
    return helper.make_tensor_value_info(name, elem_type(array), np.shape(array) if shape is None else shape)


def graph(nodes, outputs, inputs=()):
    """A body: outputs and inputs as (name, element type, shape)."""
    return helper.make_graph(nodes, "body", [helper.make_tensor_value_info(*i) for i in inputs], [helper.make_tensor_value_info(*o) for o in outputs])


def case(name, nodes, inputs, outputs=None, weights=None, opset=17, declared=None):
    """inputs, weights: arrays by name; outputs: expected arrays by name, or names that ONNX Runtime is asked for."""
    seed_after(name)  # the next case's numbers do not depend on how many this one drew
    made.add(f"test_{name}")
    folder = HERE / f"test_{name}"
    if folder.exists() and not asked & {"--all", name, f"test_{name}"}:
        return
    imports = [helper.make_opsetid("", opset), helper.make_opsetid(MICROSOFT, 1)]
    initializers = [numpy_helper.from_array(np.asarray(w), k) for k, w in (weights or {}).items()]

    def model(ports):
        g = helper.make_graph(nodes, name, [value(k, v) for k, v in inputs.items()], ports, initializers)
        return helper.make_model(g, opset_imports=imports, ir_version=IR[opset], producer_name="tarn")

    if not isinstance(outputs, dict):
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        ports = [onnx.ValueInfoProto(name=o) for o in outputs]
        session = onnxruntime.InferenceSession(model(ports).SerializeToString(), options, providers=["CPUExecutionProvider"])
        outputs = dict(zip(outputs, session.run(outputs, inputs)))
    outputs = {k: np.asarray(v) for k, v in outputs.items()}
    data = folder / "test_data_set_0"
    shutil.rmtree(folder, ignore_errors=True)
    data.mkdir(parents=True)
    written.append(name)
    onnx.save(model([value(k, v, (declared or {}).get(k)) for k, v in outputs.items()]), folder / "model.onnx")
    for kind, arrays in (("input", inputs), ("output", outputs)):
        for i, (k, v) in enumerate(arrays.items()):
            (data / f"{kind}_{i}.pb").write_bytes(numpy_helper.from_array(np.asarray(v), k).SerializeToString())


def packed_elements():
    """Parts of bytes, one by one."""
    for dtype in (ml_dtypes.int4, ml_dtypes.uint2):
        t, kind, x = np.dtype(dtype).name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), codes(dtype, 3, 5)
        case(f"transpose_{t}", [node("Transpose", ["x"], ["y"])], {"x": x}, {"y": x.T}, opset=25)
        case(f"gather_{t}", [node("Gather", ["x", "i"], ["y"], axis=1)], {"x": x, "i": ints(4, 0, 0)}, {"y": x[:, [4, 0, 0]]}, opset=25)
        case(f"slice_{t}", [node("Slice", ["x", "a", "b", "c", "d"], ["y"])], {"x": x}, {"y": x[::-1, 1:4:2]},
             {"a": ints(2, 1), "b": ints(-9, 4), "c": ints(0, 1), "d": ints(-1, 2)}, 25)
        case(f"split_concat_{t}", [node("Split", ["x", "s"], ["a", "b"], axis=1), node("Concat", ["b", "a"], ["y"], axis=1)], {"x": x},
             {"y": np.concatenate([x[:, 2:], x[:, :2]], 1)}, {"s": ints(2, 3)}, 25)
        case(f"pad_wrap_{t}", [node("Pad", ["x", "p"], ["y"], mode="wrap")], {"x": x}, {"y": x[:, [4, 0, 1, 2, 3, 4, 0]]}, {"p": ints(0, 1, 0, 1)}, 25)
        case(f"where_{t}", [node("Where", ["c", "x", "w"], ["y"])], {"c": x.astype(np.int32) > 0, "x": x, "w": x[:1]}, {"y": np.where(x.astype(np.int32) > 0, x, x[:1])}, opset=25)
        case(f"fill_{t}", [node("ConstantOfShape", ["s"], ["y"], value=helper.make_tensor("v", kind, [1], [1]))], {"s": ints(3, 5)}, {"y": np.ones((3, 5), dtype)}, opset=25)
        body = graph([node("Identity", ["e"], ["o"])], [("o", kind, [5])], [("e", kind, [5])])
        case(f"scan_{t}", [node("Scan", ["x"], ["y"], body=body, num_scan_inputs=1, scan_input_directions=[1])], {"x": x}, {"y": x[::-1]}, opset=25)
    x = codes(ml_dtypes.int4, 3, 5)
    case("transpose_dequantize_int4", [node("Transpose", ["x"], ["t"]), node("DequantizeLinear", ["t", "s"], ["y"])], {"x": x}, {"y": x.T.astype(np.float32) / 2},
         {"s": np.float32(0.5)}, 25)


def integer_products():
    for dtype in (np.int32, np.uint64):
        a, b, c = (random.integers(0, 2**31 - 1, s).astype(dtype) for s in ((2, 3, 4), (4, 5), (5,)))
        t = np.dtype(dtype).name
        case(f"matmul_{t}", [node("MatMul", ["a", "b"], ["y"])], {"a": a, "b": b}, {"y": a @ b})
        case(f"gemm_{t}", [node("Gemm", ["a", "b", "c"], ["y"], alpha=2.0, beta=3.0)], {"a": a[0]}, {"y": (a[0] @ b) * dtype(2) + c * dtype(3)}, {"b": b, "c": c})
    a = codes(np.uint8, 3).astype(np.uint32)
    case("prelu_uint32", [node("PRelu", ["x", "s"], ["y"])], {"x": a, "s": a[::-1].copy()}, {"y": a})


def old_opsets():
    x = reals(1, 1, 4, 5)
    case("resize_10_nearest_down", [node("Resize", ["x", "s"], ["y"], mode="nearest")], {"x": x}, ["y"], {"s": np.array([1, 1, 0.6, 0.7], np.float32)}, 10)
    case("dropout_10_mask", [node("Dropout", ["x"], ["y", "m"])], {"x": x}, {"y": x, "m": np.ones(x.shape, bool)}, opset=10)
    case("dropout_6_mask", [node("Dropout", ["x"], ["y", "m"], is_test=1)], {"x": x}, {"y": x, "m": np.ones_like(x)}, opset=6)
    x, scale, bias = reals(2, 6, 3, 3), reals(3), reals(3)
    g = x.reshape(2, 3, -1)
    g = (g - g.mean(2, keepdims=True)) / np.sqrt(g.var(2, keepdims=True) + 1e-5) * scale[:, None] + bias[:, None]
    case("group_normalization_18", [node("GroupNormalization", ["x", "s", "b"], ["y"], num_groups=3)], {"x": x}, {"y": g.reshape(x.shape).astype(np.float32)},
         {"s": scale, "b": bias}, 18)
    x = reals(2, 3, 4)
    for opset in (18, 19):
        case(f"pad_wrap_{opset}", [node("Pad", ["x", "p"], ["y"], mode="wrap")], {"x": x}, {"y": np.pad(x, ((0, 0), (1, 2), (3, 4)), mode="wrap")},
             {"p": ints(0, 1, 3, 0, 2, 4)}, opset)


def recurrent():
    x, w, r, b, h, c, p = reals(5, 3, 4), reals(2, 8, 4), reals(2, 8, 2), reals(2, 16), reals(2, 3, 2), reals(2, 3, 2), reals(2, 6)
    case("lstm_clip", [node("LSTM", ["x", "w", "r", "b", "n", "h", "c", "p"], ["y", "yh", "yc"], hidden_size=2, direction="bidirectional", clip=0.5)],
         {"x": x, "n": np.array([5, 2, 3], np.int32), "h": h, "c": c}, ["y", "yh", "yc"], {"w": w, "r": r, "b": b, "p": p})
    case("gru_clip", [node("GRU", ["x", "w", "r", "b"], ["y", "yh"], hidden_size=2, clip=0.4)], {"x": x}, ["y", "yh"],
         {"w": reals(1, 6, 4), "r": reals(1, 6, 2), "b": reals(1, 12)})
    case("rnn_constant_weights", [node("RNN", ["x", "w", "r", "b"], ["y", "yh"], hidden_size=5, direction="bidirectional")], {"x": reals(4, 2, 3)}, ["y", "yh"],
         {"w": reals(2, 5, 3), "r": reals(2, 5, 5), "b": reals(2, 10)})


def recurrent_of_codes():
    """Between codes: in one direction a kernel takes them as they are."""
    steps, inputs, units = 9, 5, 6

    def layer(name, op, dtype, x_zero, outputs, weights="codes", states=False, directions=1, **attributes):
        gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[op]
        kept = {"s": np.float32(0.02), "z": np.dtype(dtype).type(x_zero), "ys": np.float32(1 / 128), "yz": np.dtype(dtype).type(x_zero), "b": reals(directions, 2 * gates * units)}
        nodes, given = [node("DequantizeLinear", ["x", "s", "z"], ["d"])], {"x": codes(dtype, steps, 1, inputs)}
        for matrix, columns in (("w", inputs), ("r", units)):
            if weights == "floats":
                kept[matrix] = 0.4 * reals(directions, gates * units, columns)
                continue
            kept |= {matrix + "c": codes("int8", directions, gates * units, columns), matrix + "s": random.uniform(0.002, 0.006, gates * units).astype(np.float32), matrix + "z": np.zeros(gates * units, np.int8)}
            nodes.append(node("DequantizeLinear", [matrix + "c", matrix + "s", matrix + "z"], [matrix], axis=1))
        operands = ["d", "w", "r", "b"]
        if states:
            first = ["h", "c"][: 2 if op == "LSTM" else 1]
            operands += ["", *first]
            given |= {state: reals(directions, 1, units) for state in first}
        nodes.append(node(op, operands, ["m" if out == "y" else out for out in outputs], hidden_size=units, **attributes))
        if "y" in outputs:
            nodes.append(node("QuantizeLinear", ["m", "ys", "yz"], ["y"]))
        case(name, nodes, given, [out for out in outputs if out], {k: v for k, v in kept.items() if k not in ("ys", "yz") or "y" in outputs}, 21)

    layer("qdq_gru", "GRU", "int8", -3, ["y"], linear_before_reset=1)
    layer("qdq_gru_reverse", "GRU", "uint8", 131, ["y", "yh"], states=True, direction="reverse")
    layer("qdq_gru_float_weights", "GRU", "int8", 4, ["y", "yh"], weights="floats", clip=0.8)
    layer("qdq_gru_both_ways", "GRU", "int8", 0, ["y"], directions=2, direction="bidirectional")
    layer("qdq_lstm", "LSTM", "int8", 5, ["y"], input_forget=1)
    layer("qdq_lstm_states", "LSTM", "int8", -1, ["y", "yh", "yc"], weights="floats", states=True)
    layer("qdq_lstm_last", "LSTM", "uint8", 127, ["", "yh"], direction="reverse")
    layer("qdq_rnn", "RNN", "int8", 2, ["y", "yh"], states=True)
    layer("qdq_rnn_reverse", "RNN", "uint8", 128, ["y"], weights="floats", direction="reverse")


def sizes_from_data():
    """Branches and loops whose results have sizes that only a run knows; a part of it is read after other operators."""
    f32, i64, flag = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
    x = np.where(reals(4, 5) > 0.5, 1, 0).astype(np.float32)
    other = 1 - x
    then, otherwise = graph([node("NonZero", ["x"], ["a"])], [("a", i64, [2, "n"])]), graph([node("NonZero", ["w"], ["b"])], [("b", i64, [2, "n"])])
    for taken, made in ((True, x), (False, other)):
        at = np.array(np.nonzero(made))
        case(f"if_sizes_inside_{taken}", [node("If", ["c"], ["i"], then_branch=then, else_branch=otherwise), node("Neg", ["i"], ["y"])],
             {"x": x, "w": other, "c": np.array(taken)}, {"y": -at}, declared={"y": [2, "m"]})
    first = graph([node("Slice", ["x", "zero", "one"], ["a"])], [("a", f32, [1, 5])])
    whole = graph([node("Relu", ["x"], ["b"])], [("b", f32, [4, 5])])
    # The condition comes from the data, so that no run can know it before.
    test = [node("ReduceSum", ["x"], ["s"], keepdims=0), node("Greater", ["s", "limit"], ["c"])]
    for limit in (0, 100):
        made = -x[:1] if limit == 0 else -x
        case(f"if_sizes_{limit}", test + [node("If", ["c"], ["i"], then_branch=first, else_branch=whole), node("Neg", ["i"], ["y"])], {"x": x}, {"y": made},
             {"zero": ints(0), "one": ints(1), "limit": np.float32(limit)}, declared={"y": ["m", 5]})
    body = graph([node("Add", ["b", "step"], ["b1"]), node("ReduceMax", ["b1"], ["most"], keepdims=0), node("Less", ["most", "limit"], ["go"]), node("Mul", ["b1", "b1"], ["part"])],
                 [("go", flag, []), ("b1", f32, [2]), ("part", f32, [2])], [("trip", i64, []), ("c", flag, []), ("b", f32, [2])])
    start = np.array([0.25, 0], np.float32)
    for limit in (2.5, 0.5):
        sums = [start + k + 1 for k in range(3 if limit == 2.5 else 1)]
        case(f"loop_ends_early_{int(limit)}", [node("Loop", ["n", "", "a"], ["last", "parts"], body=body), node("Neg", ["parts"], ["y"])], {"a": start},
             {"last": sums[-1], "y": -np.square(sums)}, {"n": np.array(9), "step": np.float32(1), "limit": np.float32(limit)}, declared={"y": ["m", 2]})
    x, keep = reals(5, 3), np.array([1, 0, 1, 1, 0], bool)
    kept = x[keep]
    case("topk_one_less", [node("Compress", ["x", "c"], ["k"], axis=0), node("Shape", ["k"], ["s"]), node("Gather", ["s", "first"], ["n"]), node("Sub", ["n", "one"], ["m"]),
                           node("TopK", ["k", "m"], ["y", "i"], axis=0)], {"x": x, "c": keep},
         {"y": -np.sort(-kept, 0)[:2], "i": np.argsort(-kept, 0, kind="stable")[:2]}, {"first": ints(0), "one": ints(1)}, declared={"y": ["m", 3], "i": ["m", 3]})
    x = reals(4, 4)
    case("slice_two_sizes", [node("Slice", ["x", "a", "b"], ["y"])], {"x": x, "a": ints(1, 0), "b": ints(3, 1)}, {"y": x[1:3, :1]}, declared={"y": ["m", "n"]})
    # Backwards from in front of the axis: its first element is taken.
    bounds = {"a": ints(-9, 3), "b": ints(-9, 1), "axes": ints(0, 1), "steps": ints(-1, -1)}
    for kind, given, held in (("constants", {}, bounds), ("data", bounds, {})):
        case(f"slice_backwards_from_in_front_by_{kind}", [node("Slice", ["x", *bounds], ["y"])], {"x": x, **given}, {"y": x[:1, 3:1:-1]}, held, declared={"y": [1, 2]} if held else {"y": ["m", "n"]})


def spelled_out():
    """What passes find and fuse."""
    x, cosines, sines = reals(2, 3, 5, 8), reals(1, 5, 8), reals(1, 5, 8)
    turned = np.concatenate([-x[..., 4:], x[..., :4]], -1)
    case("rotary_spelled_out",
         [node("Slice", ["x", "zero", "half", "axis"], ["a"]), node("Slice", ["x", "half", "all", "axis"], ["b"]), node("Neg", ["b"], ["n"]),
          node("Concat", ["n", "a"], ["r"], axis=-1), node("Mul", ["x", "cos"], ["p"]), node("Mul", ["r", "sin"], ["q"]), node("Add", ["p", "q"], ["y"])],
         {"x": x, "sin": sines}, {"y": x * cosines + turned * sines}, {"cos": cosines, "zero": ints(0), "half": ints(4), "all": ints(2**62), "axis": ints(3)})


def microsoft():
    def one(name, op, inputs, outputs, weights=None, opset=17, **attributes):
        order = attributes.pop("order")
        case(f"ms_{name}", [node(op, order, list(outputs), domain=MICROSOFT, **attributes)], inputs, outputs, weights, opset)

    scales = {"xs": np.float32(0.02), "xz": np.uint8(120), "ws": np.float32(0.01), "wz": np.uint8(100), "ys": np.float32(0.2), "yz": np.uint8(128)}
    one("qlinearconv_nhwc", "QLinearConv", {"x": codes(np.uint8, 1, 6, 5, 3)}, ["y"], {**scales, "w": codes(np.uint8, 4, 3, 3, 3)},
        order=["x", "xs", "xz", "w", "ws", "wz", "ys", "yz"], channels_last=1, pads=[1, 1, 1, 1])
    one("qlinearwhere", "QLinearWhere", {"c": reals(3, 1) > 0, "x": codes(np.uint8, 3, 4), "z": codes(np.uint8, 4)}, ["y"], scales,
        order=["c", "x", "xs", "xz", "z", "ws", "wz", "ys", "yz"])
    weights = {"w": codes(np.int8, 16, 48), "b": reals(48), "xs": np.float32(0.02), "ws": np.float32(0.01), "xz": np.uint8(120), "wz": np.int8(3)}
    one("qattention", "QAttention", {"x": codes(np.uint8, 2, 5, 16), "m": np.array([3, 5], np.int32)}, ["y"], weights,
        order=["x", "w", "b", "xs", "ws", "m", "xz", "wz"], num_heads=4)
    one("qattention_past", "QAttention", {"x": codes(np.uint8, 2, 5, 16), "p": reals(2, 2, 4, 3, 4)}, ["y", "present"], weights,
        order=["x", "w", "b", "xs", "ws", "", "xz", "wz", "p"], num_heads=4, unidirectional=1)
    tables = {"we": codes(np.uint8, 9, 8), "pe": codes(np.uint8, 6, 8), "se": codes(np.uint8, 2, 8), "g": codes(np.uint8, 8), "e": codes(np.uint8, 8)}
    tables.update({f"s{i}": np.float32(0.01 * (i + 1)) for i in range(5)}, **{f"z{i}": np.uint8(100 + i) for i in range(5)})
    one("qembed", "QEmbedLayerNormalization", {"i": random.integers(0, 9, (2, 5)).astype(np.int32), "t": random.integers(0, 2, (2, 5)).astype(np.int32)}, ["y", "m"], tables,
        order=["i", "t", "we", "pe", "se", "g", "e", ""] + [f"s{i}" for i in range(5)] + [f"z{i}" for i in range(5)])
    at, blocks = random.integers(0, 7, (2, 3)), np.abs(reals(7, 2))
    for dtype in (ml_dtypes.int4, ml_dtypes.uint4):
        one(f"gather_blocks_{np.dtype(dtype).name}", "GatherBlockQuantized", {"i": at}, ["y"], {"w": codes(dtype, 7, 32), "s": blocks, "z": codes(dtype, 7, 2)}, 21,
            order=["w", "i", "s", "z"], block_size=16, gather_axis=0, quantize_axis=1)
    one("gather_blocks_bytes", "GatherBlockQuantized", {"i": at}, ["y"], {"w": codes(np.uint8, 7, 16), "s": blocks, "z": codes(np.uint8, 7, 1)}, 21,
        order=["w", "i", "s", "z"], block_size=16, gather_axis=0, quantize_axis=1, bits=4)
    one("inverse", "Inverse", {"x": reals(2, 4, 4)}, ["y"], order=["x"])
    one("cdist", "CDist", {"a": reals(3, 4), "b": reals(5, 4)}, ["y"], order=["a", "b"], metric="euclidean")
    one("gridsample", "GridSample", {"x": reals(1, 2, 4, 5), "g": (random.random((1, 3, 3, 2)) * 2.4 - 1.2).astype(np.float32)}, ["y"], order=["x", "g"], mode="bicubic", padding_mode="border")
    a, b = (random.integers(-300, 300, s).astype(np.int16) for s in ((3, 4), (4, 2)))
    one("matmulinteger16", "MatMulInteger16", {"a": a, "b": b}, ["y"], order=["a", "b"])


def quantised():
    numbers = {"w": codes(np.int8, 6, 4), "sw": np.float32(0.01), "z": np.int8(0), "s": np.float32(0.03)}
    begin = [node("QuantizeLinear", ["x", "s", "z"], ["q"]), node("DequantizeLinear", ["q", "s", "z"], ["d"]), node("DequantizeLinear", ["w", "sw", "z"], ["wf"])]
    end = [node("QuantizeLinear", ["g", "s", "z"], ["y"])]
    # As many rows as columns: the bias is no bias of output channels.
    for name, bias in (("row", reals(4, 1)), ("column", reals(1, 4))):
        case(f"gemm_bias_by_{name}", begin + [node("Gemm", ["d", "wf", "b"], ["g"])] + end, {"x": reals(4, 6)}, ["y"], {**numbers, "b": bias})
        case(f"gemm_bias_by_{name}_to_floats", begin + [node("Gemm", ["d", "wf", "b"], ["y"])], {"x": reals(4, 6)}, ["y"], {**numbers, "b": bias})
    # Scales that are made at run time.
    for name, dtype, zero, shape, groups in (("conv", np.uint8, 117, (5, 6, 3, 2), 1), ("depthwise", np.int8, 0, (6, 1, 3, 3), 6), ("groups", np.int8, 3, (4, 3, 2, 3), 2)):
        weights = {"w": codes(dtype, *shape), "zw": dtype(zero), "sw": np.float32(0.01), "b": reals(1, shape[0], 1, 1)}
        case(f"dynamic_{name}", [node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"]),
                                 node("ConvInteger", ["q", "w", "z", "zw"], ["c"], group=groups, pads=[1, 0, 1, 2], strides=[1, 2]),
                                 node("Cast", ["c"], ["f"], to=TensorProto.FLOAT), node("Mul", ["s", "sw"], ["t"]), node("Mul", ["f", "t"], ["m"]),
                                 node("Add", ["m", "b"], ["a"]), node("Relu", ["a"], ["y"])], {"x": reals(1, 6, 7, 8)}, ["y"], weights)


def few_bits(name, most):
    """int8 layers whose weights take so few bits: patches of 3x3, of one pixel, and a whole image."""
    held, nodes, x, channels = {"s": np.float32(0.02), "z": np.int8(-3)}, [], "x", 6
    for i, (outputs, kernel, pad) in enumerate(((10, 3, 1), (21, 1, 0), (9, 3, 1), (11, 7, 0))):
        held |= {f"w{i}": random.integers(-most, most, (outputs, channels, kernel, kernel)).astype(np.int8), f"sw{i}": (random.uniform(0.5, 1.5, outputs) / 5 / (channels ** 0.5 * kernel)).astype(np.float32),
                 f"zw{i}": np.zeros(outputs, np.int8), f"b{i}": random.integers(-99, 99, outputs).astype(np.int32)}
        nodes.append(node("QLinearConv", [x, "s", "z", f"w{i}", f"sw{i}", f"zw{i}", "s", "z", f"b{i}"], [f"y{i}"], pads=[pad] * 4))
        x, channels = f"y{i}", outputs
    case(f"qlinearconv_weights_of_{name}_bits", nodes, {"x": codes("int8", 1, 6, 7, 7)}, [x], held)


def four_bits():
    few_bits("four", 8)


def two_bits():
    few_bits("two", 2)


def statistics_by_pixel():
    x, statistics = reals(2, 3, 4), [reals(3, 4), reals(3, 4), reals(3, 4), np.abs(reals(3, 4))]
    scale, bias, mean, variance = statistics
    y = scale * (x - mean) / np.sqrt(variance + np.float32(1e-3)) + bias
    for opset, extra in ((6, {"is_test": 1}), (7, {})):
        case(f"batchnorm_{opset}_by_pixel", [node("BatchNormalization", ["x", *"sbmv"], ["y"], spatial=0, epsilon=1e-3, **extra)], {"x": x, "v": variance}, {"y": y},
             dict(zip("sbm", statistics)), opset)


def resizes():
    x = reals(1, 2, 5, 2)
    # A scale common to both axes that is smaller than one element of the second.
    case("resize_keep_ratio_antialias", [node("Resize", ["x", "", "", "n"], ["y"], mode="cubic", antialias=1, exclude_outside=1, axes=[2, 3], keep_aspect_ratio_policy="not_larger",
                                              coordinate_transformation_mode="asymmetric")], {"x": x}, ["y"], {"n": ints(2, 4)}, 19)
    x, crop = reals(1, 2, 4, 6), {"mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize"}
    region, scales = np.array([0, 0, 0.25, 0.1, 1, 1, 0.75, 1.2], np.float32), np.array([1, 1, 2, 0.5], np.float32)
    case("resize_crop_by_scales", [node("Resize", ["x", "r", "s"], ["y"], **crop)], {"x": x}, ["y"], {"r": region, "s": scales}, 18)
    case("resize_crop_by_scales_from_data", [node("Resize", ["x", "r", "s"], ["y"], **crop)], {"x": x, "s": scales}, ["y"], {"r": region}, 18)
    x, scales = reals(1, 2, 5, 3), np.array([1, 1, 0.6, 1.5], np.float32)
    case("resize_10_nearest_both_ways", [node("Resize", ["x", "s"], ["y"])], {"x": x}, ["y"], {"s": scales}, 10)
    case("resize_10_nearest_from_data", [node("Resize", ["x", "s"], ["y"])], {"x": x, "s": scales}, ["y"], opset=10)


def blocks_in_any_order():
    at = ints(*range(64)).astype(np.int32) // 16
    random.shuffle(at)
    for name, z, zeros in (("", "", np.float32(0)), ("_zeros", "z", np.abs(reals(3, 4)) * 10)):
        case(f"ms_matmul_nbits_groups{name}", [node("MatMulNBits", ["x", "w", "s", z, "g", "b"], ["y"], domain=MICROSOFT, K=64, N=3, bits=4, block_size=16)],
             {"x": reals(2, 64)}, ["y"], {"w": codes(np.uint8, 3, 4, 8), "s": np.abs(reals(3, 4)), "z": zeros, "g": at, "b": reals(3)})


def dequantized(w, s, z, axis, block):
    """The float32 weights that DequantizeLinear makes."""
    shape = [1] * w.ndim
    if s.ndim == 1:
        shape[axis] = -1
    wide = (lambda a: np.repeat(a, block, axis).take(range(w.shape[axis]), axis)) if block else (lambda a: a.reshape(shape) if a.ndim else a)
    return (w.astype(np.float32) - wide(z.astype(np.float32))) * wide(s)


def weights_in_codes():
    """Weights that the model stores as codes, in layers that keep them: expected are products with the floats they stand for."""
    kinds = {"int4": (ml_dtypes.int4, 21), "uint4": (ml_dtypes.uint4, 21), "int2": (ml_dtypes.int2, 25), "uint8": (np.uint8, 21), "int8": (np.int8, 21)}

    def weights(kind, shape, axis, block):
        kind_of, opset = kinds[kind]
        some = list(shape) if block else [] if axis is None else [shape[axis]]
        if block:
            some[axis] = -(-shape[axis] // block)
        w, s, z = codes(kind_of, *shape), np.abs(reals(*some)) * np.float32(0.1), codes(kind_of, *some)
        return {"w": w, "s": s, "z": z}, node("DequantizeLinear", ["w", "s", "z"], ["f"], **({} if axis is None else {"axis": axis}), **({"block_size": block} if block else {})), dequantized(w, s, z, axis, block), opset

    for kind in kinds:
        w, dq, f, opset = weights(kind, (50, 6), 0, 16)
        x = reals(3, 50)
        case(f"weights_{kind}_blocks_matmul", [dq, node("MatMul", ["x", "f"], ["y"])], {"x": x}, {"y": x @ f}, w, opset)
        w, dq, f, opset = weights(kind, (5, 48), 1, 8)
        x, b = reals(3, 48), reals(5)
        case(f"weights_{kind}_blocks_gemm", [dq, node("Gemm", ["x", "f", "b"], ["g"], transB=1, alpha=0.5), node("Relu", ["g"], ["y"])], {"x": x}, {"y": np.maximum(x @ f.T / 2 + b, 0)}, {**w, "b": b}, opset)
        w, dq, f, opset = weights(kind, (9, 14), 1, 7)
        i = ints(8, 0, -3)
        case(f"weights_{kind}_blocks_gather", [dq, node("Gather", ["f", "i"], ["y"])], {"i": i}, {"y": f[i]}, w, opset)
        w, dq, f, opset = weights(kind, (6, 4, 3, 3), 0, 0)
        x, scale, shift = reals(1, 4, 5, 5), np.abs(reals(6)) + np.float32(0.5), reals(6)
        y = np.stack([sum((np.pad(x[0], ((0, 0), (1, 1), (1, 1)))[:, r : r + 5, c : c + 5] * f[o][:, r : r + 1, c : c + 1]).sum(0) for r in range(3) for c in range(3)) for o in range(6)])[None]
        case(f"weights_{kind}_channels_conv", [dq, node("Conv", ["x", "f"], ["c"], pads=[1, 1, 1, 1]), node("Mul", ["c", "m"], ["d"]), node("Add", ["d", "a"], ["y"])], {"x": x},
             {"y": (y * scale[:, None, None] + shift[:, None, None]).astype(np.float32)}, {**w, "m": scale[:, None, None], "a": shift[:, None, None]}, opset)
    w, dq, f, opset = weights("uint4", (6, 1, 3, 3), None, 0)
    x = reals(1, 6, 5, 5)
    y = np.stack([sum(x[0, c, i : i + 3, j : j + 3] * f[c, 0, i, j] for i in range(3) for j in range(3)) for c in range(6)])[None]
    case("weights_uint4_depthwise", [dq, node("Conv", ["x", "f"], ["y"], group=6)], {"x": x}, {"y": y}, w, opset)
    for bits in (2, 4, 8):
        k, n, blocks = 40, 5, 3
        rows = codes(np.uint8, n, blocks, 16 * bits // 8)
        some = codes(np.uint8, n, -(-blocks * bits // 8))
        s, b, x = np.abs(reals(n, blocks)) * np.float32(0.1), reals(n), reals(2, 3, k)

        def spread(a):
            return np.stack([a >> (i * bits) & ((1 << bits) - 1) for i in range(8 // bits)], -1).reshape(n, -1).astype(np.float32)

        f = ((spread(rows.reshape(n, -1)) - np.repeat(spread(some)[:, :blocks], 16, 1)) * np.repeat(s, 16, 1))[:, :k]
        for name, groups in (("", None), ("_groups", np.arange(k, dtype=np.int32) // 16)):
            inputs = ["x", "w", "s", "z", "g" if name else "", "b"]
            case(f"ms_matmul_{bits}_bits{name}", [node("MatMulNBits", inputs, ["y"], domain=MICROSOFT, K=k, N=n, bits=bits, block_size=16)], {"x": x}, {"y": x @ f.T + b},
                 {"w": rows, "s": s, "z": some.reshape(-1), "b": b, **({"g": groups} if name else {})})


def attention():
    """The last query is the last of the keys in use, how many these ever are."""
    q, k, v, n = reals(3, 2, 3, 4), reals(3, 2, 5, 4), reals(3, 2, 5, 4), ints(5, 2, 3)
    scores = np.einsum("bhid,bhjd->bhij", q, k) / 2
    rows, keys = np.arange(3)[:, None], np.arange(5)
    seen = (keys <= rows + (n[:, None, None] - 3))[:, None]
    weights = np.exp(scores) * seen
    y = np.einsum("bhij,bhjd->bhid", weights / np.maximum(weights.sum(-1, keepdims=True), 1e-9), v)
    case("attention_causal_lengths", [node("Attention", ["q", "k", "v", "", "", "", "n"], ["y"], is_causal=1)], {"q": q, "k": k, "v": v, "n": n}, {"y": y.astype(np.float32)}, opset=24)
    mask = np.array([[False] * 5, [True, False, True, True, False], [True] * 5])
    weights = np.exp(scores) * mask
    y = np.einsum("bhij,bhjd->bhid", weights / np.maximum(weights.sum(-1, keepdims=True), 1e-9), v).astype(np.float32)
    for name, m in (("flags", mask), ("numbers", np.where(mask, 0, -np.inf).astype(np.float32))):
        case(f"attention_row_without_keys_{name}", [node("Attention", ["q", "k", "v", "m"], ["y"])], {"q": q, "k": k, "v": v, "m": m}, {"y": y}, opset=24)


def caches():
    """Past and present keys of one length: the new ones are written where the lengths say, and nothing behind them takes part."""
    angles = np.arange(12)[:, None] * 0.5 ** np.arange(8)
    tables = {"cos": np.cos(angles).astype(np.float32), "sin": np.sin(angles).astype(np.float32)}
    for name, rows, lasts, window in (("", 1, [6, 3], -1), ("_window", 3, [7], 4)):
        batch = len(lasts)
        past = [reals(batch, 2, 12, 16) * (np.arange(12) <= np.reshape(lasts, (batch, 1, 1)) - rows)[..., None].astype(np.float32) for _ in "kv"]
        inputs = {"q": reals(batch, rows, 64), "k": reals(batch, rows, 32), "v": reals(batch, rows, 32), "pk": past[0], "pv": past[1],
                  "n": np.array(lasts, np.int32), "t": np.array([max(lasts) + 1], np.int32)}
        case(f"ms_grouped_cache{name}", [node("GroupQueryAttention", [*inputs, "cos", "sin"], ["y", "key", "value"], domain=MICROSOFT, num_heads=4,
                                              kv_num_heads=2, do_rotary=1, local_window_size=window)], inputs, ["y", "key", "value"], tables)


def orders():
    """Who reads a state, who writes it, and what a branch makes: in this order."""
    f32, i64, flag = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
    x, h = reals(4, 2), reals(2)
    body = graph([node("Mul", ["a", "e"], ["b"]), node("Tanh", ["a"], ["c"])], [("b", f32, [2]), ("c", f32, [2])], [("a", f32, [2]), ("e", f32, [2])])
    case("scan_reads_state_late", [node("Scan", ["h", "x"], ["y", "z"], body=body, num_scan_inputs=1)], {"h": h, "x": x},
         {"y": h * x.prod(0), "z": np.tanh(h * np.cumprod(np.concatenate([np.ones((1, 2), np.float32), x[:3]]), 0))})
    x = reals(2, 2)
    begin = [("i", i64, []), ("still", flag, []), ("s", f32, [2, 2])]
    body = graph([node("Softmax", ["x"], ["p"]), node("Tanh", ["p"], ["t"]), node("Neg", ["t"], ["o"]), node("Identity", ["still"], ["on"])],
                 [("on", flag, []), ("t", f32, [2, 2]), ("o", f32, [2, 2])], begin)
    case("loop_ignores_state", [node("Loop", ["n", "go", "w"], ["last", "all"], body=body), node("ReduceSum", ["all", "axis"], ["q"], keepdims=0), node("Add", ["q", "last"], ["y"]),
                                node("Softmax", ["w"], ["z"])], {"x": x, "w": reals(2, 2), "go": np.array(True)}, ["y", "z"], {"n": np.array(3), "axis": ints(0)})
    first = node("If", ["c"], ["k"], then_branch=graph([node("Max", ["v", "v"], ["m"]), node("Relu", ["m"], ["a"])], [("a", f32, [1, 2])]),
                 else_branch=graph([node("Neg", ["v"], ["b"])], [("b", f32, [1, 2])]))
    second = node("If", ["c"], ["z"], then_branch=graph([node("Add", ["k", "u"], ["d"]), node("Neg", ["d"], ["e"])], [("e", f32, [1, 2])]),
                  else_branch=graph([node("Softmax", ["k"], ["f"]), node("Neg", ["f"], ["g"])], [("g", f32, [1, 2])]))
    body = graph([node("Tanh", ["k"], ["t"]), node("ReduceMean", ["t"], ["r"], keepdims=0), node("Less", ["r", "limit"], ["on"])], [("on", flag, []), ("t", f32, [1, 2])],
                 [("i", i64, []), ("still", flag, []), ("s", f32, [1, 2])])
    for n in (0, 2):
        case(f"branch_before_loop_{n}", [node("Softmax", ["w"], ["u"]), node("Softmax", ["u"], ["v"]), first, second, node("Loop", ["n", "go", "z"], ["y"], body=body)],
             {"w": reals(1, 2), "n": np.array(n), "c": np.array(True)}, ["y", "z"], {"go": np.array(True), "limit": np.float32(0.9)})
    # A loop within that nobody needs, not even its number of trips.
    inner = graph([node("Neg", ["r"], ["r1"]), node("Identity", ["more"], ["on1"])], [("on1", flag, []), ("r1", f32, [2]), ("r1", f32, [2])], [("k", i64, []), ("more", flag, []), ("r", f32, [2])])
    body = graph([node("Loop", ["n", "go", "s"], ["unused", "parts"], body=inner), node("ReduceSum", ["parts", "axis"], ["q"], keepdims=0), node("Add", ["q", "s"], ["also_unused"]),
                  node("Tanh", ["s"], ["t"]), node("Neg", ["t"], ["o"]), node("Identity", ["still"], ["on"])],
                 [("on", flag, []), ("t", f32, [2]), ("o", f32, [2])], [("i", i64, []), ("still", flag, []), ("s", f32, [2])])
    case("loop_nobody_needs", [node("ReduceSum", ["w"], ["all_w"], keepdims=0), node("Less", ["all_w", "limit"], ["go"]), node("Loop", ["n", "go", "w"], ["last", "all"], body=body), node("ReduceSum", ["all", "axis"], ["y"], keepdims=0)], {"w": reals(2)}, ["y", "last"],
         {"n": np.array(3), "axis": ints(0), "limit": np.float32(99)})
    # A body reads weights that become constants only behind the graph around it.
    body = graph([node("Gemm", ["d", "wf", "b"], ["g"]), node("Identity", ["still"], ["on"])], [("on", flag, []), ("g", f32, [4, 4])], [("i", i64, []), ("still", flag, [])])
    case("loop_reads_quantized_weights", [node("QuantizeLinear", ["x", "s", "z"], ["q"]), node("DequantizeLinear", ["q", "s", "z"], ["d"]), node("DequantizeLinear", ["w", "sw", "z"], ["wf"]),
                                          node("Loop", ["n", ""], ["y"], body=body)], {"x": reals(4, 6)}, ["y"],
         {"w": codes("int8", 6, 4), "sw": np.float32(0.03), "s": np.float32(0.05), "z": np.int8(0), "b": reals(1, 4), "n": np.array(3)})


def oldest_opsets():
    """What the onnx library does not convert to opset 6."""
    x = reals(1, 2, 6, 6)
    case("pad_1", [node("Pad", ["x"], ["y"], paddings=[0, 0, 1, 0, 0, 0, 2, 1], mode="edge")], {"x": x}, {"y": np.pad(x, ((0, 0), (0, 0), (1, 2), (0, 1)), mode="edge")}, opset=1)
    case("lppool_1", [node("LpPool", ["x"], ["y"], kernel_shape=[2, 2], strides=[2, 2], p=2.0)], {"x": x},
         {"y": np.sqrt(np.square(x.reshape(1, 2, 3, 2, 3, 2)).sum((3, 5)))}, opset=1)
    case("global_lppool_1", [node("GlobalLpPool", ["x"], ["y"], p=1.0)], {"x": x}, {"y": np.abs(x).sum((2, 3), keepdims=True)}, opset=1)
    for opset in (1, 5):
        case(f"tile_{opset}", [node("Tile", ["x", "n", "a"], ["y"])], {"x": x}, {"y": np.tile(x, (1, 1, 3, 1))}, {"n": np.float32(3), "a": np.float32(2)}, opset)
        case(f"cast_{opset}", [node("Cast", ["x"], ["y"], to="INT32")], {"x": x}, {"y": x.astype(np.int32)}, opset=opset)
    case("split_1", [node("Split", ["x"], ["y", "z"], axis=2, split=[2, 4])], {"x": x}, {"y": x[:, :, :2], "z": x[:, :, 2:]}, opset=1)
    case("split_1_sizes", [node("Split", ["x", "n"], ["y", "z"], axis=2)], {"x": x}, {"y": x[:, :, :2], "z": x[:, :, 2:]}, {"n": np.array([2, 4], np.float32)}, 1)


def products_that_are_no_layers():
    """What follows a product is taken in by one kernel of them only; and operands that are constants, one or both, change which it is."""
    after = [node("Mul", ["p", "s"], ["q"]), node("Add", ["q", "t"], ["u"]), node("Relu", ["u"], ["y"])]
    a, b = reals(6, 2), reals(6, 4)
    weights = {"s": reals(4), "t": reals(4)}
    bias = {"row": reals(4), "column": reals(2, 1), "whole": reals(2, 4)}
    for kind, c in bias.items():
        gemm = [node("Gemm", ["a", "b", "c"], ["p"]), *after]
        case(f"gemm_bias_by_{kind}_relu", gemm, {"a": a.T.copy()}, ["y"], {"b": b, "c": c, **weights})
        case(f"gemm_of_constants_bias_by_{kind}", [*gemm, node("Add", ["y", "x"], ["z"])], {"x": reals(2, 4)}, ["z"], {"a": a.T.copy(), "b": b, "c": c, **weights})
    case("gemm_transposed_relu", [node("Gemm", ["a", "b", "c"], ["p"], transA=1), *after], {"a": a}, ["y"], {"b": b, "c": bias["row"], **weights})
    case("gemm_transposed_residual", [node("Gemm", ["a", "b", "c"], ["p"], transA=1), node("Add", ["p", "x"], ["y"])], {"a": a, "x": reals(2, 4)}, ["y"], {"b": b, "c": bias["row"]})
    for dtype in (np.float32, np.float16):
        typed = {k: v.astype(dtype) for k, v in {"a": reals(2, 6), "b": b, **weights}.items()}
        case(f"matmul_of_constants_{np.dtype(dtype).name}", [node("MatMul", ["a", "b"], ["p"]), *after], {}, ["y"], typed)
    case("matmul_of_constants_residual", [node("MatMul", ["a", "b"], ["p"]), node("Add", ["p", "x"], ["y"])], {"x": reals(2, 4)}, ["y"], {"a": reals(2, 6), "b": b})
    batch = {k: reals(3) for k in ("scale", "shift", "mean")} | {"variance": np.abs(reals(3)) + 0.5, "x": reals(1, 3, 2, 2)}
    case("batchnorm_of_constants", [node("BatchNormalization", list(batch)[-1:] + list(batch)[:-1], ["n"]), node("Relu", ["n"], ["y"])], {}, ["y"], batch)
    operands = {"x": reals(1, 3, 5, 5), "w": reals(4, 3, 3, 3), "s": reals(4, 1, 1), "t": reals(4, 1, 1)}
    case("conv_of_constants", [node("Conv", ["x", "w"], ["p"]), *after, node("Add", ["y", "z"], ["o"])], {"z": reals(1, 4, 3, 3)}, ["o"], operands)
    case("recurrent_of_constants", [node("GRU", ["x", "w", "r"], ["y", ""], hidden_size=3)], {}, ["y"], {"x": reals(4, 1, 2), "w": reals(1, 9, 2), "r": reals(1, 9, 3)})
    # The attribute's default names the functions of two directions, and is written down for one.
    case("rnn_default_activations_written", [node("RNN", ["x", "w", "r"], ["y"], activations=["Tanh", "Tanh"], hidden_size=1)],
         {"x": np.float32([0.25, 1, 3]).reshape(3, 1, 1)}, {"y": np.tanh(np.float32([0.25, 1, 3])).reshape(3, 1, 1, 1)}, {"w": np.ones((1, 1, 1), np.float32), "r": np.zeros((1, 1, 1), np.float32)})
    # Of an RNN the text says x >= alpha, of the operator of that name x > alpha.
    case("rnn_from_the_threshold_on", [node("RNN", ["x", "w", "r"], ["y"], activations=["ThresholdedRelu"], activation_alpha=[1.0], hidden_size=1)],
         {"x": np.float32([0.25, 1, 3]).reshape(3, 1, 1)}, {"y": np.float32([0, 1, 3]).reshape(3, 1, 1, 1)}, {"w": np.ones((1, 1, 1), np.float32), "r": np.zeros((1, 1, 1), np.float32)})
    quantised = {"x": codes("int8", 1, 2, 4, 4), "w": codes("int8", 3, 2, 3, 3), "s": np.float32(0.05), "z": np.int8(3), "sw": np.float32(0.02), "zw": np.int8(0), "sy": np.float32(0.2), "zy": np.int8(-5)}
    case("qlinearconv_of_constants", [node("QLinearConv", ["x", "s", "z", "w", "sw", "zw", "sy", "zy"], ["y"])], {}, ["y"], quantised)


def numbers_between_two():
    """Where an exact number lies on a pixel or halfway between two, and floats do not; the exact one is written down."""
    def symmetric(size, scale, nearest):
        scale, made = fractions.Fraction(float(np.float32(scale))), int(np.float32(scale) * np.float32(size))
        at = [fractions.Fraction(size - 1, 2) + fractions.Fraction(2 * o + 1 - made) / (2 * scale) for o in range(made)]
        pick = {"floor": math.floor, "round_prefer_floor": lambda v: math.ceil(v - fractions.Fraction(1, 2)), "round_prefer_ceil": lambda v: math.floor(v + fractions.Fraction(1, 2))}[nearest]
        return np.float32([min(max(pick(v), 0), size - 1) for v in at]).reshape(1, 1, made)

    for size, scale, nearest in ((5, 0.3, "floor"), (5, 0.6, "floor"), (9, 1.5, "floor"), (7, 0.6, "round_prefer_ceil"), (7, 0.6, "round_prefer_floor")):
        case(f"resize_symmetric_{nearest}_{size}_{scale}", [node("Resize", ["x", "", "s"], ["y"], coordinate_transformation_mode="half_pixel_symmetric", mode="nearest", nearest_mode=nearest)],
             {"x": np.arange(size, dtype=np.float32).reshape(1, 1, size)}, {"y": symmetric(size, scale, nearest)}, {"s": np.float32([1, 1, scale])}, 18)
    case("resize_asymmetric_sizes", [node("Resize", ["x", "", "", "s"], ["y"], coordinate_transformation_mode="asymmetric", mode="nearest", nearest_mode="round_prefer_ceil")],
         {"x": np.arange(7, dtype=np.float32).reshape(1, 1, 7)}, {"y": np.float32([0, 2, 4, 5]).reshape(1, 1, 4)}, {"s": ints(1, 1, 4)}, 18)
    # Codes are the nearest to the exact mean.
    xs, ys = np.float32([0.022392721846699715, 0.010449937544763088])
    images = codes("uint8", 1, 1, 16, 128)
    for name, pool, x, window in (("averagepool", node("AveragePool", ["d"], ["m"], kernel_shape=[2, 3]), images, (2, 3)), ("reducemean", node("ReduceMean", ["d"], ["m"], axes=[3], keepdims=1), images.reshape(1, 1, 512, 4), (1, 4))):
        rows, columns = x.shape[2] + 1 - window[0], x.shape[3] + 1 - window[1]
        sums = [int(x[0, 0, r : r + window[0], c : c + window[1]].astype(int).sum()) - 128 * math.prod(window) for r in range(rows) for c in range(columns)]
        exact = [round(fractions.Fraction(v) * fractions.Fraction(float(xs)) / (math.prod(window) * fractions.Fraction(float(ys)))) for v in sums]
        want = np.clip(exact, -128, 127).astype(np.int8).reshape(1, 1, rows, columns)
        # Compared in the model: a comparison outside allows for roundings.
        case(f"qdq_{name}_exact", [node("DequantizeLinear", ["x", "xs", "xz"], ["d"]), pool, node("QuantizeLinear", ["m", "ys", "yz"], ["q"]), node("Equal", ["q", "want"], ["y"])], {"x": x},
             {"y": np.ones(want.shape, bool)}, {"xs": xs, "xz": np.uint8(128), "ys": ys, "yz": np.int8(0), "want": want})
    # Sums of codes, half of which lie on ties: each fourth code beside all.
    a, b = np.int8(np.repeat(np.arange(-128, 128, 4), 256)).reshape(1, 64, 256), np.int8(np.tile(np.arange(-128, 128), 64)).reshape(1, 64, 256)
    case("qdq_add_on_ties", [node("DequantizeLinear", ["a", "s", "az"], ["c"]), node("DequantizeLinear", ["b", "s", "bz"], ["d"]), node("Add", ["c", "d"], ["m"]), node("QuantizeLinear", ["m", "ys", "yz"], ["y"])],
         {"a": a, "b": b}, ["y"], {"s": np.float32(0.1), "ys": np.float32(0.2), "az": np.int8(-3), "bz": np.int8(5), "yz": np.int8(0)})
    # Functions of codes with a number for each channel.
    around = lambda op, more, attributes: [node("DequantizeLinear", ["x", "s", "z"], ["d"]), node(op, ["d", *more], ["m"], **attributes),  # noqa: E731
                                           node("QuantizeLinear", ["m", "ys", "yz"], ["y"])]
    ends = {"s": np.float32(0.05), "z": np.int8(-3), "ys": np.float32(0.03), "yz": np.int8(7)}
    image = codes("int8", 1, 6, 5, 7)
    case("qdq_prelu_by_channel", around("PRelu", ["slope"], {}), {"x": image}, ["y"], {**ends, "slope": reals(6, 1, 1)})
    lists = {"scale": reals(6), "bias": reals(6)}
    case("qdq_instance_normalization", around("InstanceNormalization", ["scale", "bias"], {}), {"x": image}, ["y"], {**ends, **lists})
    case("qdq_group_normalization", around("GroupNormalization", ["scale", "bias"], {"num_groups": 2}), {"x": image}, ["y"], {**ends, **lists}, 21)
    case("qdq_layer_normalization", around("LayerNormalization", ["scale", "bias"], {}), {"x": codes("int8", 3, 5, 23)}, ["y"],
         {**ends, "scale": reals(23), "bias": reals(23)})
    case("qdq_resize_linear", around("Resize", ["", "", "sizes"], {"mode": "linear"}), {"x": image}, ["y"], {**ends, "sizes": ints(1, 6, 9, 11)})
    # A symmetric window of one number: 0 / 0 by its formula.
    case("window_of_one_number", [node("HannWindow", ["n"], ["w"], periodic=0), node("Add", ["w", "x"], ["v"]), node("IsNaN", ["v"], ["y"])], {"x": np.float32([1])}, {"y": np.ones(1, bool)}, {"n": np.int64(1)})


def main():
    for group in (packed_elements, integer_products, old_opsets, recurrent, sizes_from_data, spelled_out, microsoft, quantised, four_bits, two_bits, statistics_by_pixel, resizes, attention, caches, blocks_in_any_order, weights_in_codes, orders, oldest_opsets, products_that_are_no_layers, numbers_between_two, recurrent_of_codes):
        seed_after(group.__name__)
        group()
    for folder in sorted(HERE.iterdir()):
        if folder.name not in made:
            print(f"{folder.name} is stored, but not made here")
    print(f"{len(made)} cases, {len(written)} written: {' '.join(written)}")


if __name__ == "__main__":
    main()
