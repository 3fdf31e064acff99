#include "quantize/equalise.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "quantize/tuning.h"
#include "quantize/weights.h"

namespace tarn::quantize {

using graph::Graph;
using graph::Node;
using graph::ValueId;

namespace {

bool is_image(const Node& node) { return node.op == "Conv"; }

// f(factor * x) = factor * f(x), channel by channel.
bool passes(const Graph& graph, const Node& node, ValueId v) {
  static const std::set<std::string> ops = {"Relu",        "LeakyRelu",         "MaxPool",
                                            "AveragePool", "GlobalAveragePool", "GlobalMaxPool"};
  if (!node.domain.empty() || node.outputs.size() != 1 || node.inputs.empty() || node.inputs[0] != v) return false;
  if (ops.contains(node.op)) return true;
  if (node.op == "PRelu") return graph.constant(node.inputs[1]) != nullptr;
  if (node.op != "ReduceMean") return false;
  const Shape &x = graph.shape(v), &y = graph.shape(node.outputs[0]);
  return x.rank() > 2 && y.rank() >= 2 && y[0] == x[0] && y[1] == x[1] && y.count() == x[0] * x[1];
}

bool flattens(const Graph& graph, const Node& node, ValueId v) {
  if (!node.domain.empty() || (node.op != "Flatten" && node.op != "Reshape") || node.inputs[0] != v) return false;
  const Shape &x = graph.shape(v), &y = graph.shape(node.outputs[0]);
  return x.rank() > 2 && y.rank() == 2 && y[0] == x[0];
}

// Rows of the reader and the places in them that the channel is multiplied at.
template <class Visit>
void for_each_weight_of(const Graph& graph, const Node& reader, int64_t channels, int64_t length, Visit visit) {
  const Shape& w = graph.shape(reader.inputs[1]);
  if (is_image(reader)) {
    const int64_t groups = reader.integer("group", 1), per_group = w[1], area = w.count(2, w.rank()),
                  outputs = w[0] / groups;
    for (int64_t o = 0; o < w[0]; ++o) {
      for (int64_t k = 0; k < length; ++k) visit(o, k, o / outputs * per_group + k / area);
    }
    return;
  }
  const int64_t rows = w.count() / length, inner = length / channels;
  for (int64_t o = 0; o < rows; ++o) {
    for (int64_t k = 0; k < length; ++k) visit(o, k, k / inner);
  }
}

int64_t row_length(const Graph& graph, const Node& layer) {
  const Shape& w = graph.shape(layer.inputs[1]);
  const bool rows = is_image(layer) || (layer.op == "Gemm" && layer.integer("transB", 0) != 0);
  return w.count() / (rows ? w[0] : w[1]);
}

void set_weights(Graph& graph, Node& layer, const std::vector<double>& rows) {
  const Shape shape = graph.shape(layer.inputs[1]);
  // stored_order() moves whole numbers: the places do.
  std::vector<int32_t> places(rows.size());
  for (size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int32_t>(i);
  std::vector<double> stored;
  for (const int64_t place : stored_order(places, shape, layer)) stored.push_back(rows[static_cast<size_t>(place)]);
  layer.inputs[1] = graph.add_constant(graph[layer.inputs[1]].name, Constant::floats(DType::float32, shape, stored));
}

}  // namespace

std::vector<Joint> find_joints(const Graph& graph, const std::vector<size_t>& layers) {
  const graph::Uses uses = graph::find_uses(graph);
  const std::set<size_t> all(layers.begin(), layers.end());
  std::vector<Joint> joints;
  for (const size_t maker : layers) {
    const Node& node = graph.nodes[maker];
    if (node.op == "ConvTranspose" || (!is_image(node) && graph.shape(node.outputs[0]).rank() != 2)) continue;
    Joint joint{maker, {}, {}, {}, graph.shape(node.outputs[0])[1]};
    ValueId v = node.outputs[0];
    bool fits = true;
    int64_t inner = graph.shape(v).count(2, graph.shape(v).rank());
    while (true) {
      joint.values.push_back(v);
      joint.inner.push_back(inner);
      const std::span<const size_t> readers = uses.readers[v.pos()];
      if (uses.is_output[v.pos()] || readers.empty()) fits = false;
      if (!fits || readers.size() != 1) break;
      const Node& next = graph.nodes[readers[0]];
      const bool flat = flattens(graph, next, v);
      if (!flat && !passes(graph, next, v)) break;
      v = next.outputs[0];
      if (!flat) inner = graph.shape(v).count(2, graph.shape(v).rank());
    }
    for (const size_t reader : fits ? uses.readers[v.pos()] : std::span<const size_t>()) {
      const Node& layer = graph.nodes[reader];
      const bool matrix = graph.shape(v).rank() == 2;
      fits = fits && all.contains(reader) && layer.inputs[0] == v && layer.op != "ConvTranspose" &&
             is_image(layer) != matrix;
      joint.readers.push_back(reader);
    }
    if (fits && !joint.readers.empty() && joint.channels > 1) joints.push_back(std::move(joint));
  }
  return joints;
}

void ChannelStatistics::add(const Joint& joint, const std::vector<float>& values) {
  const auto channels = static_cast<size_t>(joint.channels), inner = static_cast<size_t>(joint.inner.back());
  most.resize(channels);
  square.resize(channels);
  for (std::vector<double>& half : most_of) half.resize(channels);
  std::vector<double>& own = most_of[samples++ % 2];
  for (size_t i = 0; i < values.size(); ++i) {
    const auto v = std::fabs(static_cast<double>(values[i]));
    const size_t c = i / inner % channels;
    most[c] = std::max(most[c], v);
    own[c] = std::max(own[c], v);
    square[c] += v * v;
  }
  count += static_cast<double>(values.size()) / static_cast<double>(channels);
}

namespace {

constexpr double kVarianceOfAStep = 1.0 / 12;  // of an error that is even over a step

double largest_of(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

// Square roots have the same bits on every machine, std::pow has not.
std::vector<double> factors_of(const std::vector<double>& most, int quarters) {
  const double largest = largest_of(most);
  std::vector<double> factor(most.size(), 1);
  for (size_t c = 0; c < most.size(); ++c) {
    if (!(most[c] > 0)) continue;
    const double root = std::sqrt(most[c] / largest), fourth = std::sqrt(root);
    const double powers[] = {1, fourth, root, root * fourth, most[c] / largest};
    factor[c] = std::max(kLeastFactor, powers[quarters]);
  }
  return factor;
}

double range_of(const std::vector<double>& most, const std::vector<double>& factor) {
  double range = 0;
  for (size_t c = 0; c < most.size(); ++c) range = std::max(range, most[c] / factor[c]);
  return range;
}

// By channel: the power of what the range of one half of the samples cuts off of the other half's largest number.
std::vector<double> cut_off(const ChannelStatistics& seen, int quarters) {
  std::vector<double> power(seen.most.size(), 0);
  if (seen.samples < 2) return power;
  for (const size_t half : {size_t{0}, size_t{1}}) {
    const std::vector<double>&fit = seen.most_of[half], &held = seen.most_of[1 - half];
    const std::vector<double> factor = factors_of(fit, quarters);
    const double range = range_of(fit, factor);
    for (size_t c = 0; c < power.size(); ++c) {
      const double more = std::max(0.0, held[c] - range * factor[c]);
      power[c] += more * more / seen.count;
    }
  }
  return power;
}

}  // namespace

std::vector<float> choose_factors(const Graph& graph, const Joint& joint, const ChannelStatistics& seen) {
  const auto channels = static_cast<size_t>(joint.channels);
  const double largest = largest_of(seen.most);
  std::vector<float> best(channels, 1);
  if (!(largest > 0) || !std::isfinite(largest)) return best;
  double least = -1;
  for (int quarters = 0; quarters <= 4; ++quarters) {
    const std::vector<double> factor = factors_of(seen.most, quarters), cut = cut_off(seen, quarters);
    // Both kinds of codes are evenly off by up to half a step: noise is counted in the variance of such.
    const double step = range_of(seen.most, factor) / 255;
    double noise = 0;
    for (const size_t reader : joint.readers) {
      const Node& layer = graph.nodes[reader];
      const int64_t length = row_length(graph, layer);
      const std::vector<float> rows = rows_of(*graph.constant(layer.inputs[1]), layer);
      std::vector<double> most(rows.size() / static_cast<size_t>(length), 0), square(most.size(), 0);
      for_each_weight_of(graph, layer, joint.channels, length, [&](int64_t o, int64_t k, int64_t c) {
        const double w = static_cast<double>(rows[static_cast<size_t>(o * length + k)]) *
                         factor[static_cast<size_t>(c)],
                     f = factor[static_cast<size_t>(c)];
        const auto row = static_cast<size_t>(o);
        most[row] = std::max(most[row], std::fabs(w));
        square[row] += seen.square[static_cast<size_t>(c)] / seen.count / (f * f);
        noise += step * step * w * w + cut[static_cast<size_t>(c)] / kVarianceOfAStep * w * w / (f * f);
      });
      for (size_t o = 0; o < most.size(); ++o) noise += kRounded * most[o] * most[o] / (127.0 * 127.0) * square[o];
    }
    if (least >= 0 && noise >= least) continue;
    least = noise;
    best.assign(factor.begin(), factor.end());
  }
  return best;
}

void apply_factors(Graph& graph, const Joint& joint, const std::vector<float>& factors) {
  Node& maker = graph.nodes[joint.maker];
  const std::vector<float> from = rows_of(*graph.constant(maker.inputs[1]), maker);
  const size_t length = from.size() / factors.size();
  std::vector<double> rows(from.begin(), from.end());
  for (size_t i = 0; i < rows.size(); ++i) rows[i] /= static_cast<double>(factors[i / length]);
  set_weights(graph, maker, rows);
  if (maker.has_input(2)) {
    std::vector<double> bias = graph.constant(maker.inputs[2])->reals();
    for (size_t c = 0; c < bias.size(); ++c) bias[c] /= static_cast<double>(factors[c]);
    const Shape shape = graph.shape(maker.inputs[2]);
    maker.inputs[2] = graph.add_constant(graph[maker.inputs[2]].name, Constant::floats(DType::float32, shape, bias));
  }
  for (const size_t reader : joint.readers) {
    Node& layer = graph.nodes[reader];
    const int64_t width = row_length(graph, layer);
    const std::vector<float> read = rows_of(*graph.constant(layer.inputs[1]), layer);
    std::vector<double> made(read.begin(), read.end());
    for_each_weight_of(graph, layer, joint.channels, width, [&](int64_t o, int64_t k, int64_t c) {
      made[static_cast<size_t>(o * width + k)] *= static_cast<double>(factors[static_cast<size_t>(c)]);
    });
    set_weights(graph, layer, made);
  }
}

}  // namespace tarn::quantize
