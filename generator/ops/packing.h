// Weights in the order their kernel reads them. Nothing is packed before it is written out, and then block by block.
#pragma once
#include <string>
#include <vector>

#include "ops/lowering.h"

namespace tarn::ops {

// The vectors of the target's processor that there are kernels for, and the part of their names that says so: "v8_",
// whose outputs lie apart from x, "mve_", which keep the portable kernels' order and their params; "": none.
struct VectorForm {
  std::string form;
  int64_t lanes = 4;
};
VectorForm vector_form_of(const std::string& target, DType dtype);
VectorForm vector_form_of(const Lowering& low, DType dtype);

// `rows` rows of `row_length` weights, in groups of `group_rows`, become [group][ceil(group_rows/lanes)][k][lanes]:
// element k of four rows side by side (or of as many as a vector has lanes), zero beyond the group's last row. Element
// k of row r is source[r * row_stride + order[k]], times scale[r] when there is a scale. With a group_stride, groups
// begin that far apart and r counts within its group.
struct QuadPacking {
  int64_t rows = 0, group_rows = 0, row_stride = 0;
  std::vector<int64_t> order;
  const Constant* scale = nullptr;  // [rows]
  int64_t group_stride = -1;
  VectorForm vectors = {};
  int64_t sparse_parts = 0;  // where most are zero: rows of each row as the kernel takes them; 0: it has none for that
};
Argument pack_quads(Lowering& low, const std::string& key, const Constant& source, const QuadPacking& packing,
                    DType dtype);

// A bias padded likewise, [group][ceil(group_rows/lanes)][lanes], times `factor`; a bias of one element stands for all
// rows.
Argument pack_bias(Lowering& low, const std::string& key, const Constant& bias, int64_t rows, int64_t group_rows,
                   DType dtype, double factor = 1, int64_t lanes = 4);

// Rows of weights in any order, [ceil(n/4)][k][4]: row i is the `length` weights from source[rows[i]] on, zero where
// rows[i] is negative.
Argument pack_rows(Lowering& low, const std::string& key, const Constant& source, const std::vector<int64_t>& rows,
                   int64_t length, DType dtype);

// The bounds that a fused clamp sets, for the params of a layer's kernel; unbounded without one.
FieldValue clamp_low(const Node& node, DType dtype);
FieldValue clamp_high(const Node& node, DType dtype);
// A number in the type a kernel computes with.
FieldValue real_field(double value, DType dtype);

}  // namespace tarn::ops
