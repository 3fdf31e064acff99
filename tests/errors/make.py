#!/usr/bin/env python3
"""Writes the models of the folders here: one per way in which a model can be wrong.

    python3 -m venv venv && venv/bin/pip install onnx==1.22.0 && venv/bin/python tests/errors/make.py

A folder CODE_what_is_wrong holds
    model.onnx   the model (beside it what it refers to)
    args         the command line after `tarn`, run in the folder; left out: analyze model.onnx
    expect       first line `exit N`, then one text per line that the diagnostics must contain
Run by tests/unit/model/errors_test.cc through the library, and by tests/unit/cli/errors_test.cc through the executable.
"""
import os
import pathlib
import shutil

import onnx
from onnx import TensorProto, helper

HERE = pathlib.Path(__file__).parent
FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
ANALYZE = "analyze model.onnx"  # said where loading and inferring alone find nothing


def value(name, dims=(2,), dtype=FLOAT):
    return helper.make_tensor_value_info(name, dtype, dims)


def graph(nodes, inputs=None, outputs=None, initializers=()):
    return helper.make_graph(nodes, "g", inputs or [value("x")], outputs or [value("y")], list(initializers))


def model(nodes, inputs=None, outputs=None, initializers=(), opset=17, ir=8, functions=(), imports=()):
    opsets = [helper.make_opsetid("", opset)] + [helper.make_opsetid(*i) for i in imports]
    m = helper.make_model(graph(nodes, inputs, outputs, initializers), opset_imports=opsets, functions=list(functions))
    m.ir_version = ir
    m.producer_name = ""
    return m


def node(op, inputs, outputs=("y",), **attributes):
    return helper.make_node(op, list(inputs), list(outputs), **attributes)


def tensor(name, values, dims=None, dtype=INT64):
    return helper.make_tensor(name, dtype, [len(values)] if dims is None else dims, values)


def folder(name, m, exit_code, *texts, args=None):
    path = HERE / name
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    if m is not None:
        (path / "model.onnx").write_bytes(m if isinstance(m, bytes) else m.SerializeToString(deterministic=True))
    (path / "expect").write_text("".join(line + "\n" for line in (f"exit {exit_code}", *texts)))
    if args:
        (path / "args").write_text(args + "\n")
    return path


def relu():
    return model([node("Relu", ["x"])])


def external(*entries):
    w = TensorProto(name="w", data_type=FLOAT, dims=[2], data_location=TensorProto.EXTERNAL)
    for key, text in entries:
        w.external_data.add(key=key, value=text)
    return model([node("Add", ["x", "w"])], initializers=[w])


def changed(m, change):
    change(m)
    return m


def reading():
    folder("E101_no_such_file", None, 3, "E101", "no such file")
    folder("E101_empty_file", b"", 3, "E101", "empty")
    path = folder("E101_folder", None, 3, "E101", "folder")
    (path / "model.onnx").mkdir()
    (path / "model.onnx" / "keep").write_text("")
    folder("E102_text", b"This is no model.\n", 3, "E102")
    folder("E102_truncated", relu().SerializeToString()[:-5], 3, "E102")
    folder("E102_tensor_file", tensor("t", [1, 2]).SerializeToString(), 3, "E102")
    calls = [helper.make_function("local", f"f{i}", ["a"], ["b"], [node(f"f{i + 1}", ["a"], ["t"], domain="local"),
                                  node(f"f{i + 1}", ["t"], ["b"], domain="local")], [helper.make_opsetid("local", 1)])
             for i in range(40)]
    calls.append(helper.make_function("local", "f40", ["a"], ["b"], [node("Relu", ["a"], ["b"])], [helper.make_opsetid("", 17)]))
    folder("E103_functions_explode", model([node("f0", ["x"], domain="local")], functions=calls, imports=[("local", 1)]), 3, "E103")
    folder("E103_sparse_tensor_explodes", changed(relu(), lambda m: m.graph.sparse_initializer.append(helper.make_sparse_tensor(
        tensor("s", [1.0], dtype=FLOAT), tensor("i", [0]), [1 << 16, 1 << 15]))), 3, "E103", "'s'")


def external_data():
    folder("W101_weights_missing", external(("location", "weights.bin")), 0, "W101", "weights.bin")
    folder("E104_generate_without_weights", external(("location", "weights.bin")), 3, "E104", "weights.bin",
           args="generate model.onnx -o out")
    folder("E105_climbs_out", external(("location", "../E102_text/model.onnx")), 3, "E105", "'..'")
    folder("E105_absolute", external(("location", "/etc/hostname")), 3, "E105", "absolute")
    path = folder("E105_symbolic_link", external(("location", "weights.bin")), 3, "E105", "symbolic link")
    os.symlink("../E102_text/model.onnx", path / "weights.bin")
    path = folder("E105_linked_folder", external(("location", "up/E102_text/model.onnx")), 3, "E105", "symbolic link")
    os.symlink("..", path / "up")
    path = folder("E105_folder", external(("location", "weights")), 3, "E105", "folder")
    (path / "weights").mkdir()
    (path / "weights" / "keep").write_text("")
    for name, entries, text in (("beyond_the_end", (("offset", "4"),), "beyond the end"), ("negative_offset", (("offset", "-4"),), "'-4'"),
                                ("no_number", (("offset", "four"),), "'four'"), ("wrong_length", (("length", "12"),), "12 bytes"),
                                ("overflow", (("offset", "9223372036854775807"),), "beyond the end")):
        path = folder("E106_" + name, external(("location", "weights.bin"), *entries), 3, "E106", text, "'w'")
        (path / "weights.bin").write_bytes(bytes(8))
    folder("E106_no_location", external(("offset", "0")), 3, "E106", "no location")


def checker():
    folder("E107_unknown_attribute", model([node("Relu", ["x"], alpha=1.0)]), 3, "E107", "node 0 (Relu)", "alpha")
    folder("E107_wrong_attribute_type", model([node("LeakyRelu", ["x"], alpha=1)]), 3, "E107", "alpha")
    folder("E107_missing_attribute", model([node("Cast", ["x"])]), 3, "E107", "'to'")
    folder("E107_too_many_inputs", model([node("Relu", ["x", "x"])]), 3, "E107", "input size 2")
    folder("E107_no_opset", changed(relu(), lambda m: m.ClearField("opset_import")), 3, "E107", "opset")
    folder("E107_two_data_fields", model([node("Add", ["x", "w"])], initializers=[TensorProto(
        name="w", data_type=FLOAT, dims=[2], float_data=[1, 2], int32_data=[1, 2])]), 3, "E107", "'w'")
    folder("E107_element_type", model([node("Add", ["x", "w"])], initializers=[TensorProto(name="w", data_type=999, dims=[2])]), 3,
           "E107", "999")
    folder("E107_input_without_type", changed(relu(), lambda m: m.graph.input[0].ClearField("type")), 3, "E107", "'x'")
    folder("E107_input_element_type", changed(relu(), lambda m: setattr(m.graph.input[0].type.tensor_type, "elem_type", 0)), 3, "E107", "'x'")
    folder("E108_ir_too_new", model([node("Relu", ["x"])], ir=14), 4, "E108", "IR version 14")
    folder("E108_ir_too_old", model([node("Relu", ["x"])], ir=2), 4, "E108", "IR version 2")
    folder("E108_opset_too_new", model([node("Relu", ["x"])], opset=28), 4, "E108", "opset 28")
    folder("E108_opset_cannot_be_converted", model([node("Frobnicate", ["x"])], opset=3), 4, "E108", "opset 3")
    old = helper.make_function("local", "f", ["a"], ["b"], [node("ReduceMean", ["a"], ["b"], axes=[0])], [helper.make_opsetid("", 13)])
    folder("E108_function_of_another_opset", model([node("f", ["x"], domain="local")], opset=18, functions=[old], imports=[("local", 1)]),
           4, "E108", "ReduceMean")


def tensors():
    def weights(**fields):
        return model([node("Add", ["x", "w"])], initializers=[TensorProto(name="w", data_type=FLOAT, dims=[2], **fields)])
    folder("E109_raw_data_too_short", weights(raw_data=bytes(4)), 3, "E109", "'w'", "4 bytes", "needs 8")
    folder("E109_raw_data_too_long", weights(raw_data=bytes(12)), 3, "E109", "'w'", "12 bytes")
    folder("E109_too_few_values", weights(float_data=[1.0]), 3, "E109", "'w'", "1 values")
    folder("E109_no_data", weights(), 3, "E109", "'w'")
    folder("E109_sparse_index", changed(relu(), lambda m: m.graph.sparse_initializer.append(helper.make_sparse_tensor(
        tensor("s", [1.0], dtype=FLOAT), tensor("i", [9]), [4]))), 3, "E109", "'s'")


def structure():
    folder("E201_cycle", model([node("Add", ["x", "b"], ["a"]), node("Relu", ["a"], ["b"]), node("Neg", ["b"])]), 3, "E201", "node 0 (Add)", "cycle")
    folder("E201_unsorted", model([node("Neg", ["a"]), node("Relu", ["x"], ["a"])]), 3, "E201", "topological order")
    folder("E201_undefined_input", model([node("Add", ["x", "ghost"])]), 3, "E201", "'ghost'")
    folder("E201_made_twice", model([node("Relu", ["x"]), node("Neg", ["x"])]), 3, "E201", "node 1 (Neg)", "'y'")
    folder("E201_output_not_made", model([node("Relu", ["x"], ["z"])]), 3, "E201", "'y'")
    inner = helper.make_graph([node("Relu", ["x"], ["x"])], "b", [], [value("x")])
    folder("E201_hidden_value", model([node("If", ["c"], then_branch=inner, else_branch=inner)],
                                      [value("x"), value("c", [], TensorProto.BOOL)]), 3, "E201", "hides")
    recursive = helper.make_function("local", "f", ["a"], ["b"], [node("f", ["a"], ["b"], domain="local")], [helper.make_opsetid("local", 1)])
    folder("E201_recursive_function", model([node("f", ["x"], domain="local")], functions=[recursive], imports=[("local", 1)]), 3,
           "E201", "calls itself")
    folder("E201_all_at_once", model([node("Add", ["x", "ghost"]), node("Add", ["x", "phantom"], ["z"])]), 3, "'ghost'", "'phantom'")


def shapes():
    def with_values(op, first, values, dims=None, dtype=INT64, **attributes):
        return model([node(op, ["x", "v"], **attributes)], [value("x", first)], initializers=[tensor("v", values, dims, dtype)])
    folder("E205_broadcast", model([node("Add", ["x", "z"])], [value("x", [2, 3]), value("z", [4, 3])]), 3, "E205", "node 0 (Add)")
    folder("E205_reshape_count", with_values("Reshape", [2, 3], [7]), 3, "E205", "[2,3]", "[7]")
    folder("E205_conv_channels", model([node("Conv", ["x", "w"])], [value("x", [1, 4, 8, 8]), value("w", [8, 3, 3, 3])]), 3, "E205")
    folder("E205_conv_groups", model([node("Conv", ["x", "w"], group=3)], [value("x", [1, 6, 8, 8]), value("w", [8, 2, 3, 3])]), 3, "E205")
    folder("E205_kernel_too_large", model([node("MaxPool", ["x"], kernel_shape=[9, 9])], [value("x", [1, 4, 8, 8])]), 3, "E205", "kernel")
    folder("E205_element_types", model([node("Add", ["x", "z"])], [value("x"), value("z", [2], INT64)]), 3, "E205")
    folder("E205_padded_away", with_values("Pad", [2], [-4, -4]), 3, "E205")
    folder("E205_axis", model([node("Softmax", ["x"], axis=7)]), 3, "E205", "Softmax")

    folder("E207_negative_dimension", changed(relu(), lambda m: setattr(m.graph.input[0].type.tensor_type.shape.dim[0], "dim_value", -5)), 3, "E207", "'x'", "-5")
    folder("E207_product_overflows", model([node("Flatten", ["x"])], [value("x", [1 << 62, 1 << 62])]), 3, "E207", "'x'")
    folder("E207_too_many_dimensions", model([node("Relu", ["x"])], [value("x", [1] * 1000)]), 3, "E207", "1000 dimensions")
    folder("E207_initializer", model([node("Relu", ["x"])], initializers=[TensorProto(name="w", data_type=FLOAT, dims=[-1])]), 3, "E207", "'w'")
    folder("E207_constant_of_shape", model([node("ConstantOfShape", ["v"])], initializers=[tensor("v", [1 << 62, 4])]), 3, "E207")
    folder("E207_expand", with_values("Expand", [1], [(1 << 63) - 1, (1 << 63) - 1]), 3, "E207")
    folder("E207_tile", with_values("Tile", [2], [1 << 62]), 3, "E207")
    folder("E207_pad", with_values("Pad", [2], [0, (1 << 63) - 1]), 3, "E207")
    folder("E207_range", model([node("Range", ["a", "b", "c"])], initializers=[
        tensor("a", [0], []), tensor("b", [(1 << 63) - 1], []), tensor("c", [1], [])]), 3, "E207")

    folder("E211_gather_index", with_values("Gather", [3, 4], [3]), 3, "E211", "index 3")
    folder("E211_division_by_zero", model([node("Div", ["x", "v"])], [value("x", [2], INT64)], initializers=[tensor("v", [2, 0])]), 3, "E211")
    folder("E211_one_hot_depth", model([node("OneHot", ["x", "d", "v"])], [value("x", [2], INT64), value("v")], initializers=[tensor("d", [-3], [])]), 3, "E211", "-3")
    folder("E211_resize_scale", model([node("Resize", ["x", "", "s"])], [value("x", [1, 1, 4, 4])], initializers=[tensor("s", [1, 1, -2, 2], dtype=FLOAT)]), 3, "E211", "-2")
    folder("E211_range_delta", model([node("Range", ["a", "b", "c"])], initializers=[
        tensor("a", [0], []), tensor("b", [5], []), tensor("c", [0], [])]), 3, "E211")
    folder("E211_top_k", model([node("TopK", ["x", "k"], ["y", "i"])], [value("x", [2, 9])], initializers=[tensor("k", [10])]), 3, "E211")
    folder("E211_stride", model([node("MaxPool", ["x"], kernel_shape=[2, 2], strides=[0, 1])], [value("x", [1, 4, 8, 8])]), 3, "E211", "strides")


def graphs():
    dynamic = [value("x", ["batch", "time"]), value("z", [None])]
    folder("E202_unbound_dimensions", model([node("Relu", ["x"])], dynamic), 2, "E202", "'batch'", "'time'", "'z:0'", "--dim batch=1", args="generate model.onnx -o out")
    unknown = [node("Frobnicate", ["x"], ["a"], domain="acme"), node("Relu", ["a"], ["b"]), node("Quux", ["b"], domain="acme")]
    folder("E203_all_at_once", model(unknown, imports=[("acme", 1)]), 4, "acme.Frobnicate", "acme.Quux", args=ANALYZE)
    folder("E204_sequence_input", changed(model([node("SequenceLength", ["x"])]), lambda m: m.graph.input[0].CopyFrom(
        helper.make_tensor_sequence_value_info("x", FLOAT, [2]))), 4, "E204", "'x'", args=ANALYZE)
    folder("E206_rank_unknown", changed(relu(), lambda m: m.graph.input[0].type.tensor_type.ClearField("shape")), 4, "E206", "'x'", args=ANALYZE)
    folder("E206_shape_from_data", model([node("Reshape", ["x", "s"])], [value("x", [6]), value("s", [2], INT64)], [value("y", ["a", "b"])]),
           4, "E206", "node 0 (Reshape)", args=ANALYZE)
    folder("E209_unknown_dimension", relu(), 2, "E209", "'batch'", args="analyze model.onnx --dim batch=1")
    folder("E208_four_spatial_axes", model([node("Conv", ["x", "w"])], [value("x", [1, 1, 2, 2, 2, 2])], [value("y", [1, 1, 2, 2, 2, 2])],
                                           [tensor("w", [1.0], [1, 1, 1, 1, 1, 1], FLOAT)]), 4, "E208", "node 0 (Conv)", args=ANALYZE)
    # One part a trip, as many trips as the data says, and no bound.
    body = helper.make_graph([node("Identity", ["again"], ["on"]), node("Identity", ["x"], ["part"])], "body",
                             [value("trip", [], INT64), value("again", [], TensorProto.BOOL)], [value("on", [], TensorProto.BOOL), value("part")])
    parts = model([node("Loop", ["trips", "go"], ["parts"], body=body), node("ReduceSum", ["parts"], keepdims=0)],
                  [value("x"), value("trips", [], INT64), value("go", [], TensorProto.BOOL)], [value("y", [])])
    folder("E210_trips_from_data", parts, 4, "E210", "(Loop)", "--const", args=ANALYZE)
    folder("W201_other_shape_declared", model([node("Relu", ["x"])], outputs=[value("y", [3])]), 0, "W201", "'y'", args=ANALYZE)
    wide = model([node("Conv", ["x", "w"], auto_pad="SAME_UPPER", strides=[4])], [value("x", [1, 1, 8])], [value("y", [1, 1, 2])], [tensor("w", [1.0], [1, 1, 1], FLOAT)])
    folder("W202_stride_over_window", wide, 0, "W202", "node 0 (Conv)", "begins further inside", args=ANALYZE)
    corners = model([node("Resize", ["x", "", "s"], coordinate_transformation_mode="align_corners", mode="linear")], [value("x", [1, 1, 5])], [value("y", [1, 1, 6])], [tensor("s", [1.0, 1.0, 1.3], [3], FLOAT)])
    folder("W202_corners_of_fractions", corners, 0, "W202", "node 0 (Resize)", "6 pixels", args=ANALYZE)
    # 7 * 0.6f is not 4.2: the first pixel lies at 0.5000001, which ONNX Runtime takes for a half.
    halves = model([node("Resize", ["x", "", "s"], coordinate_transformation_mode="half_pixel_symmetric")], [value("x", [1, 1, 7])], [value("y", [1, 1, 4])], [tensor("s", [1.0, 1.0, 0.6], [3], FLOAT)], opset=19)
    folder("W202_nearly_half", halves, 0, "W202", "node 0 (Resize)", "takes pixel 0, not 1, for pixel 0", args=ANALYZE)
    crop = model([node("Resize", ["x", "r", "", "s"], coordinate_transformation_mode="tf_crop_and_resize", mode="linear")], [value("x", [1, 4, 5])], [value("y", [1, 2, 5])],
                 [tensor("r", [0.0, 0.0, 0.2, 1.0, 1.0, 0.8], [6], FLOAT), tensor("s", [1, 2, 5], [3], INT64)])
    folder("W202_crop_that_keeps_its_length", crop, 0, "W202", "node 0 (Resize)", "roi", args=ANALYZE)
    back = model([node("Slice", ["x", "a", "b", "i", "s"])], [value("x", [4])], [value("y", [0])], [tensor(n, [v], [1], INT64) for n, v in (("a", 3), ("b", 2**63 - 1), ("i", 0), ("s", -1))])
    folder("W202_backwards_to_the_largest", back, 0, "W202", "node 0 (Slice)", "INT64_MIN", args=ANALYZE)
    lone = model([node("AffineGrid", ["x", "s"], align_corners=1)], [value("x", [1, 2, 3])], [value("y", [1, 1, 4, 2])], [tensor("s", [1, 1, 1, 4], [4], INT64)], opset=20)
    folder("W202_one_place_between_corners", lone, 0, "W202", "node 0 (AffineGrid)", "at 1, not -1", args=ANALYZE)
    one = model([node("MeanVarianceNormalization", ["x"], axes=[-1])], [value("x", [2, 3, 1])], [value("y", [2, 3, 1])])
    folder("W202_deviation_of_one_element", one, 0, "W202", "node 0 (MeanVarianceNormalization)", "NaN, not 0", args=ANALYZE)
    last = [node("Transpose", ["x"], ["a"], perm=[0, 3, 1, 2]), node("Conv", ["a", "w"])]
    folder("W203_last_in_the_model", model(last, [value("x", [1, 8, 8, 3])], [value("y", [1, 2, 8, 8])], [tensor("w", [0.5] * 6, [2, 3, 1, 1], FLOAT)]),
           0, "W203", "'x'", args="analyze model.onnx --input-layout nhwc --cc none")
    mean = model([node("ReduceMean", ["x"], axes=[1, 2])], [value("x", [1, 8, 8, 3])], [value("y", [1, 1, 1, 3])])
    folder("W205_channels_stand_last", mean, 0, "W205", "'x'", "[1,8,3,8]", args="analyze model.onnx --input-layout nhwc --cc none")
    folder("W206_one_open_dimension", model([node("Relu", ["x"])], [value("x", ["time", 4])], [value("y", ["time", 4])]), 0, "W206", "'time'", "time=1",
           "--dim time=1", args=ANALYZE)
    odd = helper.make_graph([node("Conv", ["x", "x"], ["b"])], "odd", [], [value("b")])
    even = helper.make_graph([node("Relu", ["x"], ["a"])], "even", [], [value("a")])
    choice = model([node("If", ["c"], then_branch=even, else_branch=odd)], [value("x"), value("c", [], TensorProto.BOOL)])
    folder("W204_branch_that_cannot_be", choice, 0, "W204", "node 0 (If)", "else branch", args=ANALYZE)
    grown = model([node("Concat", ["a", "x"], ("a_out",), axis=0)], [value("a", (3,)), value("x", (1,))], [value("a_out", (4,))])
    folder("E209_states_of_other_shapes", grown, 2, "E209", "'a_out'", "float32[4]", "'a' is float32[3]", "'b'", args="analyze model.onnx --state a_out=a --state b=x")
    folder("W207_no_states", relu(), 0, "W207", "finds no output", args="analyze model.onnx --state auto --cc none")
    folder("E209_weights_of_no_layer", relu(), 2, "E209", "int4:block=32", "finds no layer", args="analyze model.onnx --weight-type int4:block=32")
    folder("E209_weights_section_of_no_layer", relu(), 2, "E209", "conf*", "names no layer with weights", args="analyze model.onnx --weights-section conf*=.qspi")
    folder("E209_weights_of_an_unknown_layer", relu(), 2, "E209", "'conv7'", "names no layer", args="analyze model.onnx --weight-type conv7=int8")
    # The names of the model, none of ours for what layers are packed to.
    codes = [node("DequantizeLinear", ["x", "s", "z"], ["real"]), node("DequantizeLinear", ["kernel_codes", "s", "z"], ["kernel"]),
             node("Conv", ["real", "kernel"], ["c"], name="conv"), node("QuantizeLinear", ["c", "s", "z"])]
    held = [tensor("s", [0.5], [], FLOAT), tensor("z", [0], [], TensorProto.INT8), tensor("kernel_codes", list(range(-9, 9)), [2, 1, 3, 3], TensorProto.INT8)]
    quantised = model(codes, [value("x", [1, 1, 4, 4], TensorProto.INT8)], [value("y", [1, 2, 2, 2], TensorProto.INT8)], held)
    folder("E209_weights_section_of_codes", quantised, 2, "E209", "'kernel_code'", "did you mean 'kernel_codes'?", args="analyze model.onnx --weights-section kernel_code=.qspi")
    path = folder("E209_unknown_constant", relu(), 2, "E209", "'axes'", args="analyze model.onnx --const axes=value.pb")
    (path / "value.pb").write_bytes(tensor("axes", [0]).SerializeToString(deterministic=True))


def operands():
    """Inputs that are missing or of a type that the operator does not take."""
    image = [value("x", [1, 1, 4, 4])], [value("y", [1, 1, 8, 8])]
    folder("E205_neither_scales_nor_sizes", model([node("Resize", ["x"])], *image, opset=18), 3, "E205", "node 0 (Resize)",
           "neither scales nor sizes", args=ANALYZE)
    folder("E205_neither_scales_nor_sizes_generate", model([node("Resize", ["x", "", "", ""])], *image, opset=13), 3, "E205",
           "neither scales nor sizes", args="generate model.onnx -o out --cc none")
    folder("E205_lengths_of_2_bits", model([node("Split", ["x", "lengths"], ["y", "z"], axis=1)],
                                           [value("x", [2, 6]), value("lengths", [2], TensorProto.UINT2)], [value("y", [2, 2]), value("z", [2, 4])], opset=13),
           3, "E205", "input 1 (split) is uint2[2]", args=ANALYZE)
    folder("E205_window_of_complex_length", model([node("BlackmanWindow", ["n"])], [value("n", [], TensorProto.COMPLEX64)], [value("y", [10])]),
           3, "E205", "complex64", args=ANALYZE)
    folder("E205_mixed_types", model([node("Where", ["c", "x", "z"])], [value("c", [2], TensorProto.BOOL), value("x"), value("z", [2], INT64)]),
           3, "E205", "input 1 is float32[2] and input 2 is int64[2]", args=ANALYZE)
    folder("E205_omitted_input", model([node("Sum", ["x", "", "x"])]), 3, "E205", "input 1 is omitted", args=ANALYZE)
    folder("E205_value_of_another_type", model([node("ConstantOfShape", ["s"], value=tensor("v", [0], dtype=TensorProto.UINT8))],
                                               [value("s", [2], INT64)], [value("y", [10, 6], TensorProto.INT32)]),
           3, "E205", "its value is uint8", args=ANALYZE)
    folder("E205_value_of_two_elements", model([node("ConstantOfShape", ["s"], value=tensor("v", [1, 2]))], outputs=[value("y", [3], INT64)],
                                               initializers=[tensor("s", [3])]), 3, "E205", "must be one element", args=ANALYZE)
    step = helper.make_graph([node("Add", ["s", "n"], ["t"]), node("Identity", ["t"], ["u"]), node("Identity", ["p"], ["q"])], "step",
                             [value("s"), value("p"), value("n")], [value("t"), value("q"), value("u")])
    folder("E205_scan_without_a_state", model([node("Scan", ["s0", "x"], ["a", "c", "z"], body=step, num_scan_inputs=1)],
                                              [value("s0"), value("x", [3, 2])], [value("a"), value("c"), value("z", [3, 2])]),
           3, "E205", "its body has 3 inputs, the node hands it 2", args=ANALYZE)
    trip = helper.make_graph([node("Identity", ["go"], ["on"]), node("Relu", ["v"], ["w"])], "trip",
                             [value("i", [], INT64), value("go", [], TensorProto.BOOL), value("v"), value("more")], [value("on", [], TensorProto.BOOL), value("w")])
    folder("E205_loop_without_a_state", model([node("Loop", ["n", "", "x"], body=trip)], [value("n", [], INT64), value("x")]),
           3, "E205", "its body has 4 inputs, the node hands it 3", args=ANALYZE)
    branch = helper.make_graph([node("Relu", ["v"], ["w"])], "branch", [value("v")], [value("w")])
    folder("E205_branch_with_an_input", model([node("If", ["c"], then_branch=branch, else_branch=branch)], [value("c", [], TensorProto.BOOL)]),
           3, "E205", "(If)", args=ANALYZE)
    for dtype, name in ((TensorProto.STRING, "string"), (TensorProto.COMPLEX64, "complex64"), (TensorProto.COMPLEX128, "complex128")):
        folder(f"E204_{name}", model([node("Identity", ["x"])], [value("x", [3], dtype)], [value("y", [3], dtype)]), 4,
               "E204", "'x'", name, args="generate model.onnx -o out --cc none")
    words = tensor("w", ["a", "b"], dtype=TensorProto.STRING)
    folder("E204_string_constant", model([node("Gather", ["w", "x"])], [value("x", [2], INT64)], [value("y", [2], TensorProto.STRING)], [words]),
           4, "E204", "'y'", "string", args=ANALYZE)


def layers():
    nodes = [node("Exp", ["x"], ["a"]), node("Transpose", ["a"], ["b"], perm=[1, 0]), node("Add", ["x", "b"], ["c"]), node("Relu", ["c"])]
    return model(nodes, [value("x", [32, 32])], [value("y", [32, 32])])


def planning():
    folder("E301_over_budget", layers(), 5, "E301", "step", args="analyze model.onnx --stream off --ram 4K --cc none")
    slow = model([node("Add", ["x", "x"])], [value("x", [32, 32])], [value("y", [32, 32])])
    target = "--target m4 --cc none"
    folder("E313_over_time", slow, 5, "E313", "slowest steps", args=f"analyze model.onnx --clock 16M --time 10us {target}")
    folder("E313_over_instructions", slow, 5, "E313", "slowest steps", args=f"generate model.onnx -o out --instructions 1000 {target}")
    unknown = model([node("Det", ["x"])], [value("x", [32, 32])], [value("y", [])])
    folder("E314_not_modelled", unknown, 6, "E314", "not modelled", args=f"analyze model.onnx --instructions 100000000 {target}")
    # Exceeded by layers, but a run by lines is not excluded; two outputs' bytes exclude it.
    image = [value("x", [1, 1, 32, 32])], [value("y", [1, 8, 8, 8])]
    wide = [node("Conv", ["x", "w"], ["a"], pads=[1, 1, 1, 1]), node("MaxPool", ["a"], kernel_shape=[4, 4], strides=[4, 4])]
    window = [tensor("w", [0.25] * 72, [8, 1, 3, 3], FLOAT)]
    # Little is left of a large image, line by line.
    small = [node("MaxPool", ["x"], ["a"], kernel_shape=[4, 4], strides=[4, 4]), node("Conv", ["a", "w"])]
    folder("W301_runs_by_lines", model(small, [value("x", [1, 3, 64, 64])], [value("y", [1, 2, 16, 16])], [tensor("w", [0.5] * 6, [2, 3, 1, 1], FLOAT)]),
           0, "W301", "model_push_x", "model_run", args="analyze model.onnx --ram 16K --cc none")
    folder("E302_not_by_layers", model(wide, *image, window), 6, "E302", "no plan by layers is below", "none of the changes that the report lists fits",
           args="analyze model.onnx --ram 3K --cc none")
    folder("E301_smaller_than_an_output", model(wide, *image, window), 5, "E301", args="analyze model.onnx --ram 2047 --cc none")
    folder("E301_fits_by_lines", model(wide, *image, window), 5, "E301", "FIX lines", args="analyze model.onnx --stream off --ram 8K --cc none")
    # Three tensors of 64 bytes: two memories hold one each, and another order is not excluded.
    split = model([node("Exp", ["x"], ["a"]), node("Neg", ["x"], ["b"]), node("Add", ["a", "b"])], [value("x", [16])], [value("y", [16])])
    folder("E306_pinned_out_of_reach", split, 2, "E306", "x", args="analyze model.onnx --bank fast=1K --bank slow=1K,dma=no --pin x=slow --pin a=fast --cc none")
    folder("E309_banks_too_small", split, 5, "E309", "bank 'slow'", args="analyze model.onnx --share none --bank fast=80 --bank slow=16 --cc none")
    folder("E310_no_division_found", split, 6, "E310", args="analyze model.onnx --share none --bank fast=100 --bank slow=92 --cc none")
    nodes = [node("Relu", ["x"], ["a"]), node("Relu", ["a"], ["b"]), node("Transpose", ["a"], ["c"], perm=[1, 0]), node("Add", ["b", "c"])]
    folder("E302_not_proved", model(nodes, [value("x", [32, 32])], [value("y", [32, 32])]), 6, "E302",
           args="analyze model.onnx --strategy naive --stream off --ram 17000 --cc none")
    folder("E311_lines_of_states", layers(), 4, "E311", "by lines", args="analyze model.onnx --state y=x --stream fed")
    sums = model([node("Add", ["x", "s"], ["y"]), node("Relu", ["y"], ["s_out"])], [value("x", [1, 2, 8]), value("s", [1, 2, 8])],
                 [value("y", [1, 2, 8]), value("s_out", [1, 2, 8])])
    folder("E312_state_is_no_history", sums, 4, "E312", "read by Add", args="analyze model.onnx --state auto --stream time")
    empty = model([node("Relu", ["x"])], [value("x", [0, 3])], [value("y", [0, 3])])
    folder("E311_nothing_to_run", empty, 4, "E311", "nothing to run", args="analyze model.onnx --stream resident")
    mean = model([node("Conv", ["x", "w"], ["a"], pads=[2, 0]), node("GlobalAveragePool", ["a"])],
                 [value("x", [1, 4, 20])], [value("y", [1, 2, 1])], [tensor("w", [0.5] * 24, [2, 4, 3], FLOAT)])
    folder("E312_padded_mean", mean, 4, "E312", "GlobalAveragePool", args="analyze model.onnx --stream time")
    weights = tensor("w", [0.5 + i for i in range(1024)], [32, 32], FLOAT)
    folder("E303_over_flash", model([node("MatMul", ["x", "w"])], [value("x", [1, 32])], [value("y", [1, 32])], [weights]), 5, "E303",
           args="analyze model.onnx --flash 1K --cc none")
    for name, text, code, args in (
            ("E110_no_columns", "this,is,no\nplanning,problem,file\n", 3, ""),
            ("E304_capacity", "id,lower,upper,size\na,0,2,64\nb,1,3,64\n", 5, " --capacity 100")):
        path = folder(name, None, code, name[:4], args="plan problem.csv" + args)
        (path / "problem.csv").write_text(text)
    # Whether even lengths fill ten stretches of odd length to within half a byte each takes longer to tell than any limit.
    rows = ["id,lower,upper,size,offset"] + [f"wall{k},0,1,1,{1002 * k + 1001}" for k in range(10)]
    sizes = [2 * (140 + 37 * i % 53) for i in range(30)]
    for i in range(abs(10004 - sum(sizes)) // 2):
        sizes[i % 30] += 2 if sum(sizes) < 10004 else -2
    rows += [f"item{i},0,1,{size}," for i, size in enumerate(sizes)]
    path = folder("E305_search_ends", None, 6, "E305", args="plan problem.csv --capacity 10020 --effort 0")
    (path / "problem.csv").write_text("\n".join(rows) + "\n")
    for name, old, new, code, args in (
            ("E307_no_report", "no report\n", "no report\n", 3, ""),
            ("E308_grew", '{"schema": "tarn-report/1", "plan": {"arena": 100}, "ram": {"arena": 100}}\n',
             '{"schema": "tarn-report/1", "plan": {"arena": 200}, "ram": {"arena": 200}}\n', 5, " --fail-if arena>+1%")):
        path = folder(name, None, code, name[:4], args="diff old.json new.json" + args)
        (path / "old.json").write_text(old)
        (path / "new.json").write_text(new)


def verification():
    path = folder("E401_output_is_a_file", relu(), 2, "E401", args="generate model.onnx -o taken --cc none")
    (path / "taken").write_text("a file\n")
    path = folder("E414_a_build_of_ones_own", relu(), 2, "E414", "CMakeLists.txt", "not of this network",
                  args="generate model.onnx -o . --layout esp-idf --cc none")
    (path / "CMakeLists.txt").write_text("# generated by tarn is what stands below\n")
    folder("E411_depfile_is_the_model", relu(), 2, "E411", "is the input", args="analyze model.onnx --cc none --depfile model.onnx")
    path = folder("E404_wrong_reference", relu(), 7, "E404", "'y'", args="verify model.onnx")
    (path / "test_data_set_0").mkdir()
    for name, t in (("input_0", tensor("x", [1.0, -1.0], dtype=FLOAT)), ("output_0", tensor("y", [1.0, 2.0], dtype=FLOAT))):
        (path / "test_data_set_0" / (name + ".pb")).write_bytes(t.SerializeToString(deterministic=True))
    # Data of another model, as beside models that share a folder.
    path = folder("E405_data_of_another_model", relu(), 2, "E405", "[3,3]", "'x'", "hint", args="verify model.onnx --reference ort")
    (path / "test_data_set_0").mkdir()
    other = tensor("x", [0.0] * 9, [3, 3], FLOAT)
    (path / "test_data_set_0/input_0.pb").write_bytes(other.SerializeToString(deterministic=True))
    folder("E402_no_compiler", relu(), 2, "E402", "no-such-compiler", args="analyze model.onnx --cc no-such-compiler")
    folder("E403_macro_in_the_way", relu(), 70, "E403", "model.c", args="analyze model.onnx --cc gcc --cflags -Dswitch=!")
    large = [value("x", (5000000,))], [value("y", (5000000,))]
    folder("E408_more_than_the_memory", model([node("Relu", ["x"])], *large), 2, "E408", "20000000 of arena",
           args="verify model.onnx --on cortex-m4")
    folder("E405_reference_without_data", relu(), 2, "E405", "--reference data", args="verify model.onnx --reference data")
    huge = model([node("Pad", ["x", "p"])], [value("x", [2, 3])], [value("y", [None, None])], [tensor("p", [0, 2 ** 29, 0, 0], [4], INT64)], opset=18)
    folder("E410_output_of_4_gb", huge, 2, "E410", "tensor 'y'", "2 GB", args="verify model.onnx --reference ort")
    folder("E410_part_of_a_model", relu(), 2, "E410", "--cut", args="verify model.onnx --cut x:y --reference ort")
    folder("W401_no_stored_outputs", relu(), 0, "W401", "compared with tarn", args="verify model.onnx")
    lines = model([node("MaxPool", ["x"], kernel_shape=[3], pads=[0, 16777216], strides=[2])], [value("x", (20, 16, 50))],
                  [value("y", (20, 16, 8388632))])
    folder("E413_millions_of_lines", lines, 4, "E413", "node 0", "MaxPool", "'y'", args=ANALYZE)
    folder("E405_no_data", relu(), 2, "E405", args="verify model.onnx --data nowhere")


def quantisation():
    def with_data(name, m, exit_code, *texts, sets=((1.0, -1.0, 0.5, 0.25), (0.5, 2.0, -1.0, 1.0)), shape=(1, 4), data="samples"):
        path = folder(name, m, exit_code, *texts, args=f"quantize model.onnx --data {data} -o /dev/null")
        for i, values in enumerate(sets):
            (path / "samples" / f"set_{i}").mkdir(parents=True)
            t = tensor("x", values, shape, FLOAT)
            (path / "samples" / f"set_{i}" / "input_0.pb").write_bytes(t.SerializeToString(deterministic=True))
        return path

    def layer(then="Relu", opset=17, **attributes):
        weights = tensor("w", [0.5, -1.0, 0.25, 1.0, 2.0, -0.5, 0.75, 1.5], (4, 2), FLOAT)
        nodes = [node("MatMul", ["x", "w"], ["s"]), node(then, ["s"], **attributes)]
        return model(nodes, [value("x", (1, 4))], [value("y", (1, 2))], [weights], opset=opset)

    with_data("E420_no_data_folder", layer(), 2, "E420", "no such folder", data="nowhere")
    empty = with_data("E420_empty_folder", layer(), 2, "E420", "holds no data", sets=())
    (empty / "samples").mkdir()
    (empty / "samples" / "readme").write_text("nothing here\n")
    nan = float("nan")
    with_data("E420_not_a_number", layer(), 2, "E420", "set_1", "NaN", sets=((1.0, 2.0, 3.0, 4.0), (1.0, nan, 3.0, 4.0)))
    with_data("E420_wrong_shape", layer(), 2, "E420", "float32[1,5]", sets=((1.0,) * 5,), shape=(1, 5))
    cut = with_data("E420_array_cut_off", layer(), 2, "E420", "cut off", sets=())
    (cut / "samples").mkdir()
    (cut / "samples" / "a.npy").write_bytes(b"\x93NUMPY\x01\x00\xff\x00{'descr'")
    qdq = [node("QuantizeLinear", ["x", "s", "z"], ["q"]), node("DequantizeLinear", ["q", "s", "z"])]
    with_data("E421_quantised_already",
              model(qdq, [value("x", (1, 4))], [value("y", (1, 4))],
                    [tensor("s", [0.5], (), FLOAT), tensor("z", [0], (), TensorProto.INT8)]), 4, "E421", "quantised already")
    dynamic = [node("DynamicQuantizeLinear", ["x"], ["q", "s", "z"]), node("MatMulInteger", ["q", "c", "z"], ["n"]),
               node("Cast", ["n"], ["f"], to=FLOAT), node("Mul", ["f", "s"])]
    with_data("E421_integer_operators",
              model(dynamic, [value("x", (1, 4))], [value("y", (1, 2))], [tensor("c", [1, -2, 3, 4, -5, 6, 7, 8], (4, 2), TensorProto.INT8)]), 4,
              "E421", "(DynamicQuantizeLinear)", "(MatMulInteger)", "integer operators")
    small = with_data("E423_too_large", layer(), 5, "E423", "the weights take", "of 1", "--flash")
    (small / "args").write_text("quantize model.onnx --data samples --flash 1 -o /dev/null\n")
    exact = with_data("E422_no_loss", layer(), 6, "E422", "the nearest loses", "take the nearest")
    (exact / "args").write_text("quantize model.onnx --data samples --max-loss 0% --loss power -o /dev/null\n")
    with_data("E421_nothing_to_quantise", model([node("Det", ["x"])], [value("x", (2, 2))], [value("y", ())]), 4, "E421",
              "nothing in it", shape=(2, 2))
    with_data("W402_opset_9", layer(opset=9), 0, "W402", "opset 13")
    with_data("W403_behind_the_last_layer", layer("Softmax", axis=1), 0, "W403", "(Softmax)")
    with_data("W404_one_sample", layer(), 0, "W404", "one sample", sets=((1.0, -1.0, 0.5, 0.25),))


reading()
external_data()
checker()
tensors()
structure()
shapes()
graphs()
operands()
planning()
verification()
quantisation()
