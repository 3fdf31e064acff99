#!/usr/bin/env python3
"""Writes frontend.onnx: an audio front end of operators that only this firmware has. Needs the onnx package."""
import onnx
from onnx import TensorProto, helper

def tensor(name, shape):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

graph = helper.make_graph(
    [helper.make_node("Smooth", ["samples"], ["smooth"], name="smooth", domain="firmware"),
     helper.make_node("Decimate", ["smooth"], ["half"], name="decimate", domain="firmware"),
     helper.make_node("Energy", ["half"], ["energy"], name="energy", domain="firmware")],
    "frontend", [tensor("samples", [512])], [tensor("energy", [8])],
    value_info=[tensor("smooth", [512]), tensor("half", [256])])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("firmware", 1)])
model.ir_version = 8
onnx.save(model, "frontend.onnx")
