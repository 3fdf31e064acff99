// Judges a model's structure: names, order, declared types. Finds every fault, where the onnx checker stops at the
// first.
#pragma once
#include <string>

#include "model/onnx_proto.h"
#include "support/diagnostic.h"

namespace tarn::model {

// E201: a value used but never made, made twice, used before it is made, in a cycle, or a graph output that nothing
// makes. E107: an input without a type. E207: a declared shape with a negative dimension, more than kMaxRank
// dimensions, or an absurd size. The graph's functions have been inlined.
Diagnostics check_structure(const onnx::ModelProto& model, const std::string& file);

// The onnx checker's rules for single nodes, for every node whose operator the library knows: attributes, counts of
// inputs and outputs. All other rules of the checker are in check_structure and tensor_data. E107.
Diagnostics check_nodes(const onnx::ModelProto& model, const std::string& file);

}  // namespace tarn::model
