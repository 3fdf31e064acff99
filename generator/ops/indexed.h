// Operators that read or write where other tensors say: what they share.
#pragma once
#include "ops/lowering.h"

namespace tarn::ops {

// An operand of indices as the tarn_index header reads it.
struct IndexOperand {
  Argument argument;
  int64_t wide = 0;
  bool trusted = false;  // known while generating, and inside
};

// Indices that count over `sizes` in turn: index i over sizes[i % sizes.size()]. Known ones become a weight of 32-bit
// numbers from 0 on; a fault when one lies outside (E211) or the type is no int32 or int64.
Answer<IndexOperand> read_indices(Lowering& low, ValueId id, const std::vector<int64_t>& sizes);

// The same for folding: from 0 on, or nothing when one lies outside.
std::optional<std::vector<int64_t>> known_indices(const Constant& indices, const std::vector<int64_t>& sizes);

// The fault of an operator that moves whole elements, for types that are no whole bytes or too wide.
std::optional<Fault> refuse_odd_bytes(DType dtype);

// At run time the numbers in `id`, which decided sizes, must be these; -1: any.
void lower_expected(const Node& node, Lowering& low, ValueId id, const std::vector<int64_t>& values);

std::vector<int64_t> padded_to(std::vector<int64_t> values, size_t count, int64_t filler);

// Tuples of indices, the last axis of `indices`, into x: as the tarn_gather_nd header has it.
struct TupleGeometry {
  int64_t batch = 1, count = 1, inner = 1, pitch = 1;
  std::vector<int64_t> sizes, strides;
};
TupleGeometry tuple_geometry(const Shape& x, const Shape& indices, int batch_axes);
program::Params tuple_params(const TupleGeometry& g, const Shape& x, const IndexOperand& indices, int64_t mode);
// Single elements of x along one axis: as the tarn_gather_elements header has it.
program::Params elements_params(const Shape& x, const Shape& indices, int axis, const IndexOperand& operand,
                                int64_t mode);

std::vector<OperatorEntry> gather_entries();   // Gather, GatherElements, GatherND
std::vector<OperatorEntry> scatter_entries();  // Scatter, ScatterElements, ScatterND, TensorScatter
std::vector<OperatorEntry> ranking_entries();  // TopK, OneHot, ReverseSequence

}  // namespace tarn::ops
