// Constant weights of float layers as their kernels read them: in the layer's own type, or in fewer bits
// (--weight-type, or codes of the model's own), as runtime/f32/tarn_coded_f32.h lays them out.
#pragma once
#include <string>
#include <vector>

#include "ops/packing.h"
#include "tensor/weight_type.h"

namespace tarn::ops {

// The type that passes::compress_weights has chosen for a layer's weights, if any.
std::optional<WeightType> weight_type_of(const Node& node);

// What a kernel takes for a layer's weights. Their operands follow x; the bias, the residual and y follow them.
struct LayerWeights {
  std::vector<Argument> operands;  // packed weights; or codes, scales and zeros
  std::string form;     // part of the kernel's name: "w16_", "w8_", "w4_", "w2_" in fewer bits, or VectorForm::form
  int64_t lanes = 4;    // rows side by side, also of the bias
  std::string note;     // for the report
  int64_t columns = 0;  // weights of one output
  std::optional<program::Params> codes;  // tarn_coded_layout_f32

  bool coded() const { return codes.has_value(); }
  bool vectors() const { return form.starts_with('v'); }
  size_t bias_at() const { return 1 + operands.size(); }
  size_t residual_at() const { return bias_at() + 1; }
  size_t y_at() const { return bias_at() + 2; }
};
LayerWeights layer_weights(const Node& node, Lowering& low, const std::string& key, ValueId source,
                           const QuadPacking& packing);

// Nothing where they are stored in the layer's own type.
std::optional<LayerWeights> coded_layer_weights(const Node& node, Lowering& low, const std::string& key, ValueId source,
                                                const QuadPacking& packing);

// Those of a recurrent layer: `length` weights from each of `firsts` on, as of pack_rows(). All of its matrices are
// stored alike.
struct RecurrentRows {
  ValueId source;
  std::vector<int64_t> firsts;
  int64_t length = 0;
};
std::vector<LayerWeights> recurrent_weights(const Node& node, Lowering& low,
                                            const std::vector<RecurrentRows>& matrices);

// For comparison: the values that coded weights stand for, as floats.
bool is_widened(const Node& node);
// Those of a table of packing.rows rows, one row after the other.
Argument widened_table(const Node& node, Lowering& low, ValueId source, const QuadPacking& packing);

// How such a kernel reads x, whose lines the walk tells: over vectors outputs are made in an order of their own, and a
// whole layer's lie apart from x. The residual may still be where they go.
Walk input_walk(const LayerWeights& weights, Walk walk);
Walk residual_walk(const LayerWeights& weights, int64_t block_pixels);

// The kernel of the dense family and its params, for `pixels` rows of weights.columns numbers each.
std::string dense_kernel(const LayerWeights& weights, DType dtype);
program::Params dense_params(const Node& node, const LayerWeights& weights, DType dtype, int64_t pixels,
                             int64_t outputs, FieldValue x_pitch, FieldValue r_pitch);

// The constants of a node that has kernels for coded weights; none for other nodes.
std::vector<ValueId> codable_weights(const Graph& graph, const Node& node);
// Why these weights cannot be stored so; empty: they can.
std::string not_codable(const Constant& weights, const WeightType& type);

}  // namespace tarn::ops
