// QuantizeLinear(chain(layer(DequantizeLinear(x), DequantizeLinear(w)))) of 16-bit codes and weights of at most 8 bits.
#include <algorithm>
#include <cmath>

#include "passes/integer/layer.h"
#include "passes/integer/wide.h"

namespace tarn::passes::integer {

namespace {

// The most elements, a multiple of 4, whose sum of products stays within 32 bits in whatever order it is made; 0: not
// even four.
int64_t piece_of(const Weights& w, int64_t half) {
  int64_t most = 0, largest = 0;
  WeightRows rows(w);
  for (int64_t c = 0; c < w.channels; ++c) {
    int64_t sum = 0;
    for (const int32_t weight : rows.row(c)) {
      const int64_t magnitude = std::abs(weight);
      sum += magnitude;
      largest = std::max(largest, magnitude);
    }
    most = std::max(most, sum);
  }
  constexpr int64_t kLimit = (int64_t{1} << 31) - 1;
  if (most * half <= kLimit) return ceil_div(w.length, int64_t{4}) * 4;
  return kLimit / (half * largest) / 4 * 4;
}

// The forms of all channels, where their bounds are the same.
bool fit_channels(const Layer& layer, const Chain& chain, double alpha, const std::vector<float>& added, const Codes& y,
                  Node& node) {
  const Weights& w = layer.weights;
  std::optional<CodeBounds> bounds;
  std::vector<WideForm> forms;
  WeightRows rows(w);
  for (int64_t c = 0; c < w.channels; ++c) {
    const auto channel = static_cast<size_t>(c);
    const std::optional<Line> line = line_of(chain, channel);
    if (!line || (bounds && *bounds != bounds_of(*line, y))) return false;
    bounds = bounds_of(*line, y);
    int64_t begin = layer.bias.empty() ? 0 : layer.bias[channel], most = 0;
    for (const int32_t weight : rows.row(c)) {
      begin -= int64_t{layer.x.signed_zero()} * weight;
      most += layer.x.half() * std::abs(int64_t{weight});
    }
    const double unit = line->slope / static_cast<double>(y.scale);
    const double product = static_cast<double>(layer.x.scale) * static_cast<double>(w.scale[channel]);
    const double offset = (line->slope * (added.empty() ? 0 : static_cast<double>(added[channel])) + line->offset) /
                          static_cast<double>(y.scale);
    const auto form = wide_form(product * alpha * unit, offset, begin, most, y.signed_zero());
    if (!form) return false;
    forms.push_back(*form);
  }
  if (!bounds) return false;
  set_wide(node, *bounds, y.signed_zero(), forms);
  return true;
}

}  // namespace

bool fuse_wide_layer(Work& work, size_t at) {
  const Node q = work.graph.nodes[at];
  const std::optional<Codes> y = work.quantises(q, 16);
  if (!y) return false;
  const int rank = work.graph.shape(q.inputs[0]).rank();
  for (int axis : {1, rank - 1}) {
    const Chain chain = trace(work, q.inputs[0], axis);
    const Node* core = work.producer(chain.from);
    if (!core || !work.only_link(chain.from)) continue;
    const bool conv = core->is("Conv");
    if (conv != (axis == 1) && rank != 2) continue;
    std::optional<Product> product = product_of(work, *core);
    const std::optional<Codes> x = product ? work.dequantised(product->x, 16) : std::nullopt;
    // Zero points that int8 has no room for stay in floats.
    if (!x || !product->weights.zero.empty()) return false;
    Layer layer{*x, std::move(product->weights), {}, {}, 0};
    const double alpha = core->real("alpha", 1);
    if (core->real("beta", 1) != 1 || alpha == 0) return false;
    std::vector<float> scale, added;
    for (float s : layer.weights.scale) scale.push_back(x->scale * s);
    if (core->has_input(2)) {
      const auto bias = bias_of(work, core->inputs[2], layer.weights.channels, scale);
      if (!bias) return false;
      if (bias->fits && alpha == 1) layer.bias = bias->codes;
      else added = bias->values;
    }
    const int64_t piece = piece_of(layer.weights, x->half());
    if (piece == 0) return false;
    std::vector<const Node*> origins{core};
    origins.insert(origins.end(), chain.nodes.begin(), chain.nodes.end());
    Node node = fused(conv ? "WideConv" : "WideDense", origins);
    if (!fit_channels(layer, chain, alpha, added, *y, node)) return false;
    node.attributes["x_zero"] = static_cast<int64_t>(x->signed_zero());
    node.attributes["piece"] = piece;
    place_layer(work, at, Node(*core), layer, std::move(node));
    return true;
  }
  return false;
}

}  // namespace tarn::passes::integer
