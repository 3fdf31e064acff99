#include "passes/split_weights.h"

#include <algorithm>

#include "ops/matrix.h"
#include "support/checked.h"
#include "support/text.h"

namespace tarn::passes {

namespace {

using graph::Graph;
using graph::Node;
using graph::ValueId;

constexpr int64_t kLeastChannels = 4;  // kernels take their channels by so many

// Elements of one channel among `axis` of a tensor, for all others of which `first` to `end` are taken.
Constant part_of(const Constant& whole, int axis, int64_t first, int64_t end) {
  TensorType type = whole.type();
  const int64_t outer = type.shape.count(0, axis), length = type.shape[axis],
                inner = bytes_for(type.dtype, type.shape.count(axis + 1, type.shape.rank()));
  type.shape[axis] = end - first;
  if (outer == 1 && bits_of(type.dtype) >= 8)
    return whole.slice(first * whole.shape().count(axis + 1, whole.shape().rank()), std::move(type.shape));
  std::vector<uint8_t> bytes(static_cast<size_t>(outer * (end - first) * inner));
  for (int64_t o = 0; o < outer; ++o) {
    whole.copy_bytes((o * length + first) * inner,
                     std::span(bytes).subspan(static_cast<size_t>(o * (end - first) * inner),
                                              static_cast<size_t>((end - first) * inner)));
  }
  return Constant::of(std::move(type), std::move(bytes));
}

// Exceptions of some channels: where those of each begin, counted from the first number on, then all of them.
Constant exceptions_of(const Constant& whole, int64_t first, int64_t end) {
  const std::vector<int64_t> numbers = whole.integers();
  const auto at = [&](int64_t channel) { return numbers[static_cast<size_t>(channel)]; };
  std::vector<int64_t> part;
  for (int64_t c = first; c <= end; ++c) part.push_back(at(c) - at(first) + end - first + 1);
  part.insert(part.end(), numbers.begin() + at(first), numbers.begin() + at(end));
  const Shape shape{static_cast<int64_t>(part.size())};
  return Constant::ints(DType::int32, shape, part);
}

// How the output channels of a layer are found in its operands.
struct Layer {
  int weight_axis = 0, output_axis = 0;
  int64_t channels = 0;
  int64_t channel_bytes = 0;             // of weights and constants as they are packed
  const Constant* exceptions = nullptr;  // some more for some channels
  bool depthwise = false;                // each channel reads its own one of the input
  int64_t bytes(int64_t first, int64_t end) const {
    int64_t sum = (end - first) * channel_bytes;
    if (exceptions != nullptr) sum += 4 * (exceptions->integer(end) - exceptions->integer(first) + end - first + 4);
    return sum;
  }
};

std::optional<Layer> layer_of(const Graph& graph, const Node& node) {
  const bool integers = node.domain == "tarn" && (node.op == "IntConv" || node.op == "IntDense");
  const bool conv = node.is("Conv"), product = node.is("Gemm") || node.is("MatMul");
  if (!integers && !conv && !product) return {};
  if (node.outputs.size() != 1 || !graph[node.outputs[0]].runtime_dims.empty()) return {};
  if (node.inputs.size() > (integers ? 2u : 3u) && node.has_input(integers ? 2 : 3)) return {};
  const Constant* weights = node.inputs.size() > 1 ? graph.constant(node.inputs[1]) : nullptr;
  const Constant* bias = node.has_input(2) ? graph.constant(node.inputs[2]) : nullptr;
  if (!weights || weights->is_absent() || (node.has_input(2) && !bias)) return {};
  const int64_t groups = node.integer("group", 1);
  if (bits_of(weights->dtype()) < 8) return {};
  if (product && !ops::is_dense(graph, node)) return {};
  const Shape& w = weights->shape();
  const Shape& y = graph.shape(node.outputs[0]);
  Layer layer;
  layer.weight_axis = product && !(node.is("Gemm") && node.integer("transB", 0) != 0) ? 1 : 0;
  layer.output_axis = conv && !node.channels_last ? 1 : y.rank() - 1;
  layer.channels = w[layer.weight_axis];
  layer.depthwise = groups > 1;
  const bool one_each = groups == layer.channels && w.count(1, w.rank()) == w.count(2, w.rank()) &&
                        node.channels_last && graph.shape(node.inputs[0])[y.rank() - 1] == groups &&
                        graph[node.inputs[0]].runtime_dims.empty();
  if (layer.depthwise && !one_each) return {};
  if (layer.channels != y[layer.output_axis]) return {};
  if (bias && bias->count() != 1 && bias->shape()[bias->shape().rank() - 1] != layer.channels) return {};
  // As packed: rows are filled up, and each channel has its constants.
  const int64_t row = bytes_for(weights->dtype(), weights->count() / std::max<int64_t>(1, layer.channels));
  layer.channel_bytes = round_up(row, int64_t{layer.depthwise ? 4 : 16}) + 16;
  layer.exceptions = node.tensor("exceptions");
  return layer;
}

class Splitting {
 public:
  Splitting(Graph graph, int64_t most) : graph_(std::move(graph)), most_(most) {}

  Graph run() {
    std::vector<Node> nodes = std::move(graph_.nodes);
    graph_.nodes.clear();
    for (Node& node : nodes) {
      for (Graph& body : node.bodies) body = split_weights(std::move(body), most_);
      const std::optional<Layer> layer = layer_of(graph_, node);
      if (layer && layer->channels > kLeastChannels && layer->bytes(0, layer->channels) > most_) split(node, *layer);
      else graph_.nodes.push_back(std::move(node));
    }
    graph::remove_dead(graph_);
    return std::move(graph_);
  }

 private:
  // As many channels as fit, one piece after the other.
  std::vector<int64_t> ends_of(const Layer& layer) const {
    std::vector<int64_t> ends;
    for (int64_t first = 0; first < layer.channels; first = ends.back()) {
      int64_t end = std::min(layer.channels, first + kLeastChannels);
      while (end < layer.channels && layer.bytes(first, std::min(layer.channels, end + kLeastChannels)) <= most_)
        end = std::min(layer.channels, end + kLeastChannels);
      ends.push_back(end);
    }
    return ends;
  }

  void split(const Node& node, const Layer& layer) {
    const std::vector<int64_t> ends = ends_of(layer);
    const Node split = layer.depthwise ? split_input(node, ends) : Node();
    Node join = like(node, "Concat", layer.output_axis);
    join.outputs = node.outputs;
    for (size_t i = 0; i < ends.size(); ++i) {
      const ValueId x = layer.depthwise ? split.outputs[i] : node.inputs[0];
      join.inputs.push_back(add_piece(node, layer, x, i == 0 ? 0 : ends[i - 1], ends[i]));
    }
    graph_.nodes.push_back(std::move(join));
  }

  static Node like(const Node& node, const std::string& op, int axis) {
    Node made;
    made.op = op;
    made.version = 13;
    made.name = node.name;
    made.origins = node.origins;
    made.origin_names = node.origin_names;
    made.attributes["axis"] = static_cast<int64_t>(axis);
    return made;
  }

  // The channels of a depthwise layer's input, piece by piece.
  Node split_input(const Node& node, const std::vector<int64_t>& ends) {
    const ValueId x = node.inputs[0];
    const int axis = graph_.shape(x).rank() - 1;
    Node split = like(node, "Split", axis);
    split.inputs = {x};
    for (size_t i = 0; i < ends.size(); ++i) {
      TensorType type = graph_[x].type;
      type.shape[axis] = ends[i] - (i == 0 ? 0 : ends[i - 1]);
      split.outputs.push_back(graph_.add_value(cat(graph_[x].name, "_", i), std::move(type)));
    }
    graph_.nodes.push_back(split);
    return split;
  }

  ValueId add_piece(const Node& node, const Layer& layer, ValueId x, int64_t first, int64_t end) {
    Node piece = node;
    piece.inputs[0] = x;
    if (layer.depthwise) piece.attributes["group"] = end - first;
    const std::string suffix = cat("_", first);
    const auto part = [&](ValueId id, int axis) {
      const Constant& whole = *graph_.constant(id);
      return graph_.add_constant(graph_[id].name + suffix, part_of(whole, axis, first, end));
    };
    piece.inputs[1] = part(node.inputs[1], layer.weight_axis);
    if (node.has_input(2)) {
      const Shape& bias = graph_.shape(node.inputs[2]);
      if (bias.count() != 1) piece.inputs[2] = part(node.inputs[2], bias.rank() - 1);
    }
    for (const char* name : {"constants", "w_zero", "weight_scale"}) {
      const Constant* whole = node.tensor(name);
      if (whole && whole->count() > 1) piece.attributes[name] = part_of(*whole, 0, first, end);
    }
    if (const Constant* whole = node.tensor("exceptions"))
      piece.attributes["exceptions"] = exceptions_of(*whole, first, end);
    TensorType type = graph_[node.outputs[0]].type;
    type.shape[layer.output_axis] = end - first;
    piece.outputs[0] = graph_.add_value(graph_[node.outputs[0]].name + suffix, std::move(type));
    graph_.nodes.push_back(std::move(piece));
    return graph_.nodes.back().outputs[0];
  }

  Graph graph_;
  int64_t most_;
};

}  // namespace

Graph split_weights(Graph graph, int64_t most) { return Splitting(std::move(graph), most).run(); }

}  // namespace tarn::passes
