// Zeros added around an image by a Pad of its own become the padding of the convolutions that read it: the larger image
// never exists.
#include <algorithm>

#include "passes/passes.h"

namespace tarn::passes {

namespace {

using graph::Node;

std::optional<std::vector<int64_t>> integers_at(const Graph& graph, const Node& node, size_t input,
                                                const char* attribute) {
  if (node.has(attribute)) return node.integers(attribute);
  const Constant* c = node.has_input(input) ? graph.constant(node.inputs[input]) : nullptr;
  if (!c || c->is_absent()) return {};
  return c->integers();
}

// What a Pad of zeros adds to each axis: all begins, then all ends. Nothing when it does anything else.
std::optional<std::vector<int64_t>> zeros_added(const Graph& graph, const Node& node) {
  if (!node.is("Pad") || !node.has_input(0) || node.text("mode", "constant") != "constant" ||
      node.real("value", 0) != 0)
    return {};
  if (node.has_input(2)) {
    const Constant* value = graph.constant(node.inputs[2]);
    if (!value || value->is_absent() || value->count() != 1 || value->real(0) != 0) return {};
  }
  const auto given = integers_at(graph, node, 1, "pads");
  const auto rank = static_cast<size_t>(graph.shape(node.inputs[0]).rank());
  if (!given || rank < 3) return {};
  if (!node.has_input(3)) return given->size() == 2 * rank ? given : std::nullopt;
  const auto axes = integers_at(graph, node, 3, "");
  if (!axes || given->size() != 2 * axes->size()) return {};
  std::vector<int64_t> all(2 * rank, 0);
  for (size_t i = 0; i < axes->size(); ++i) {
    const int64_t axis = (*axes)[i] < 0 ? (*axes)[i] + static_cast<int64_t>(rank) : (*axes)[i];
    if (axis < 0 || axis >= static_cast<int64_t>(rank)) return {};
    all[static_cast<size_t>(axis)] = (*given)[i];
    all[rank + static_cast<size_t>(axis)] = (*given)[axes->size() + i];
  }
  return all;
}

bool only_around_the_image(const std::vector<int64_t>& pads) {
  const size_t rank = pads.size() / 2;
  const bool positive = std::all_of(pads.begin(), pads.end(), [](int64_t p) { return p >= 0 && p <= 1 << 20; });
  return positive && pads[0] == 0 && pads[1] == 0 && pads[rank] == 0 && pads[rank + 1] == 0;
}

// A convolution that reads the image as its data, with padding stated in numbers.
bool can_take(const Node& node, graph::ValueId image) {
  const std::string automatic = node.text("auto_pad", "NOTSET");
  return node.is("Conv") && node.inputs[0] == image && std::count(node.inputs.begin(), node.inputs.end(), image) == 1 &&
         (automatic == "NOTSET" || automatic == "VALID");
}

}  // namespace

Graph fold_pad(Graph graph) {
  const graph::Uses uses = graph::find_uses(graph);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto added = zeros_added(graph, graph.nodes[i]);
    if (!added || !only_around_the_image(*added)) continue;
    const graph::ValueId image = graph.nodes[i].outputs[0];
    const std::span<const size_t> readers = uses.readers[image.pos()];
    const bool all =
        std::all_of(readers.begin(), readers.end(), [&](size_t r) { return can_take(graph.nodes[r], image); });
    if (!all || readers.empty() || uses.is_output[image.pos()]) continue;
    const size_t rank = added->size() / 2, spatial = rank - 2;
    for (size_t r : readers) {
      Node& conv = graph.nodes[r];
      std::vector<int64_t> pads = conv.integers("pads");
      if (pads.size() != 2 * spatial || conv.text("auto_pad", "NOTSET") == "VALID") pads.assign(2 * spatial, 0);
      for (size_t axis = 0; axis < spatial; ++axis) {
        pads[axis] += (*added)[axis + 2];
        pads[spatial + axis] += (*added)[rank + axis + 2];
      }
      conv.attributes["pads"] = pads;
      conv.attributes.erase("auto_pad");
      conv.inputs[0] = graph.nodes[i].inputs[0];
      conv.origins.insert(conv.origins.end(), graph.nodes[i].origins.begin(), graph.nodes[i].origins.end());
      conv.origin_names.insert(conv.origin_names.begin(), graph.nodes[i].origin_names.begin(),
                               graph.nodes[i].origin_names.end());
    }
  }
  graph::remove_dead(graph);
  return graph;
}

}  // namespace tarn::passes
