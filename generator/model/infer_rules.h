// What infer_types adds to the onnx library: checks before and after it, and rules where it has none.
#pragma once
#include <optional>
#include <vector>

#include "model/node_facts.h"

namespace onnx {
class OpSchema;
}

namespace tarn::model {

// Inference functions rely on the counts of inputs and outputs that the checker verifies. But a node may also come from
// a pass: E205.
std::optional<Diagnostic> check_counts(const NodeFacts& facts, const onnx::OpSchema& schema);

// Faults that the library does not find, or whose values would overflow inside it: E205, E207, E211. Empty: it may be
// asked. Inputs of types of their own sanity (ranks, sizes) first, then what is special to the operator.
std::optional<Diagnostic> check_inputs(const NodeFacts& facts);

// Output types by a rule of our own, for operators that the library has no rule for or gets wrong. Empty: ask the
// library.
std::optional<Result<std::vector<Type>>> infer_here(const NodeFacts& facts);

// Parts of infer_here.
std::optional<Result<std::vector<Type>>> infer_ml(const NodeFacts& facts);  // ai.onnx.ml
Result<std::vector<Type>> infer_attention(const NodeFacts& facts);
Result<std::vector<Type>> infer_einsum(const NodeFacts& facts);

// Every dimension is at least 0, there are at most kMaxRank, and the size is below kMaxTensorBytes: E205, E207. Then
// what is special to the operator, such as the element count of Reshape.
std::optional<Diagnostic> check_outputs(const NodeFacts& facts, const std::vector<Type>& outputs);

// The parts of check_inputs, by family: empty for operators of another one.
std::optional<Diagnostic> check_spatial(const NodeFacts& facts);   // convolution, pooling, resizing
std::optional<Diagnostic> check_movement(const NodeFacts& facts);  // shapes and positions taken from values
std::optional<Diagnostic> check_sizes(const NodeFacts& facts);     // counts that become dimensions

// Part of check_outputs: a kernel that fits nowhere gives outputs of no pixels.
std::optional<Diagnostic> check_kernel_fits(const NodeFacts& facts, const std::vector<Type>& outputs);

}  // namespace tarn::model
