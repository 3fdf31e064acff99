// One layer with known weights on its way into integers.
#pragma once
#include "ops/integer.h"
#include "passes/integer/work.h"
#include "requant/memo.h"

namespace tarn::passes::integer {

struct Layer {
  Codes x;
  Weights weights;
  std::vector<int64_t> bias;                      // in the accumulator; empty: none
  std::function<int32_t(int64_t, size_t)> value;  // signed code from the accumulator, by channel
  int32_t parity = 0;
  // Optional, see requant::Steps: the line that a channel's codes lie near, and the codes of many accumulators at once.
  struct Line {
    double rise = 0, code_at_0 = 0;
  };
  std::function<Line(size_t)> line;
  std::function<void(std::span<const int32_t>, int32_t*, size_t)> values;
  std::optional<requant::Floats> floats;  // where the function is no more than that
  std::optional<requant::Given> given;    // all numbers that `value` is made of, where they are known
};

// One number, or one per output channel where the channels are the last axis, and not one per row of a product.
bool along_channels(const Constant& c, int64_t channels);

// A bias that can join the accumulator because its scale is the products' scale; else its value in float.
struct Bias {
  bool fits = false;
  std::vector<int64_t> codes;
  std::vector<float> values;
};
// `product`: the products' scales, by channel. Nothing when the bias is not known.
std::optional<Bias> bias_of(const Work& work, ValueId id, int64_t channels, const std::vector<float>& product);

// Conv, Gemm or MatMul with weights that are known codes, or whole numbers of 8 bits.
struct Product {
  const Node* node = nullptr;
  Weights weights;  // by output channel
  ValueId x;
};
std::optional<Product> product_of(const Work& work, const Node& node);

// Sets the attributes of the fused layer. False: the sums may leave 32 bits, or no requantisation fits.
bool fit_layer(const Layer& layer, Node& node, requant::Memo* fits = nullptr);

// Puts the fused node of `core` at `at`, in the place of the QuantizeLinear there, with its attributes and operands.
void place_layer(Work& work, size_t at, const Node& core, const Layer& layer, Node node);

// As int8, with zero points where they have them.
Constant stored_weights(const Weights& w, Shape shape);

}  // namespace tarn::passes::integer
