#include "passes/layout/swap_image_axes.h"

#include <algorithm>

#include "passes/layout/transposes.h"

namespace tarn::passes {

namespace {

const Perm kTurn{0, 1, 3, 2};

bool has_weights(const Node& node) {
  return node.is("Conv") || node.is("ConvTranspose") || node.is("IntConv", "tarn") ||
         node.is("IntConvTranspose", "tarn");
}

bool slides(const Node& node) {
  return has_weights(node) || node.is("MaxPool") || node.is("AveragePool") || node.is("LpPool") ||
         node.is("IntAveragePool", "tarn");
}

bool is_even_handed(const Node& node) {
  return node.is("GlobalAveragePool") || node.is("GlobalMaxPool") || node.is("GlobalLpPool") ||
         node.is("InstanceNormalization") || node.is("LRN");
}

// Its scales or sizes are known, for all four axes.
bool resizes(const Graph& graph, const Node& node) {
  if ((!node.is("Resize") && !node.is("Upsample")) || node.has("axes") ||
      node.text("coordinate_transformation_mode", "") == "tf_crop_and_resize")
    return false;
  bool known = false;
  for (size_t i = 1; i < node.inputs.size(); ++i) {
    if (!node.has_input(i)) continue;
    const Constant* c = graph.constant(node.inputs[i]);
    if (!c || c->is_absent()) return false;
    if (c->count() == 4) known = true;
    else if (c->count() != 0) return false;
  }
  return known;
}

bool can_swap_axes(const Graph& graph, const Node& node) {
  if (node.channels_last || !node.has_input(0) || graph.shape(node.inputs[0]).rank() != 4 || node.outputs.size() != 1)
    return false;
  if (graph.shape(node.outputs[0]).rank() != 4 || !graph[node.inputs[0]].runtime_dims.empty()) return false;
  if (is_even_handed(node) || resizes(graph, node)) return true;
  if (!slides(node) || node.integer("storage_order", 0) != 0) return false;
  if (!has_weights(node)) return true;
  const Constant* weights = node.has_input(1) ? graph.constant(node.inputs[1]) : nullptr;
  return weights && !weights->is_absent() && weights->shape().rank() == 4;
}

void swap_axes(Node& node, const std::string& name) {
  std::vector<int64_t> list = node.integers(name);
  if (list.size() == 2) {
    std::swap(list[0], list[1]);
  } else if (list.size() == 4) {  // beginnings, then ends
    std::swap(list[0], list[1]);
    std::swap(list[2], list[3]);
  } else {
    return;
  }
  node.attributes[name] = list;
}

// A list with a number for each of N, C, H, W.
void swap_numbers(Graph& graph, Node& node, size_t input) {
  const Constant& given = *graph.constant(node.inputs[input]);
  if (given.count() != 4) return;
  const auto bytes = static_cast<size_t>(given.bytes().size() / 4);
  std::vector<uint8_t> turned = given.bytes();
  std::swap_ranges(turned.begin() + static_cast<std::ptrdiff_t>(2 * bytes),
                   turned.begin() + static_cast<std::ptrdiff_t>(3 * bytes),
                   turned.begin() + static_cast<std::ptrdiff_t>(3 * bytes));
  node.inputs[input] = graph.add_constant(graph[node.inputs[input]].name,
                                          Constant::of({given.dtype(), given.shape()}, std::move(turned)));
}

bool swap_axes(Graph& graph, Node& node) {
  if (has_weights(node)) {
    const Constant weights = *graph.constant(node.inputs[1]);
    auto turned = permuted(weights, weights.shape(), kTurn);
    if (!turned) return false;
    node.inputs[1] = graph.add_constant(graph[node.inputs[1]].name, std::move(*turned));
  }
  if (node.is("Resize") || node.is("Upsample")) {
    for (size_t i = 1; i < node.inputs.size(); ++i) {
      if (node.has_input(i)) swap_numbers(graph, node, i);
    }
  }
  for (const char* name : {"kernel_shape", "strides", "dilations", "pads", "output_padding", "output_shape"})
    swap_axes(node, name);
  return true;
}

}  // namespace

void swap_image_axes(Graph& graph) {
  std::vector<Node> nodes, old = std::move(graph.nodes);
  for (Node& node : old) {
    if (!can_swap_axes(graph, node) || !swap_axes(graph, node)) {
      nodes.push_back(std::move(node));
      continue;
    }
    const ValueId input = node.inputs[0], output = node.outputs[0];
    const ValueId x = permuted_value(graph, input, kTurn), y = permuted_value(graph, output, kTurn);
    node.inputs[0] = x;
    node.outputs[0] = y;
    nodes.push_back(transpose_for(node, input, x, kTurn));
    Node back = transpose_for(node, y, output, kTurn);
    nodes.push_back(std::move(node));
    nodes.push_back(std::move(back));
  }
  graph.nodes = std::move(nodes);
}

}  // namespace tarn::passes
