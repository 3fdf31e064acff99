// Quantised constants that no integer layer has taken are floats that are made of their codes whenever they are read:
// layers whose kernels take codes store them as they are (see compress_weights), the others store floats.
#include <algorithm>
#include <array>

#include "ops/op.h"
#include "ops/quantize.h"
#include "passes/passes.h"
#include "support/checked.h"

namespace tarn::passes {

namespace {

using graph::Node;
using graph::ValueId;

void become(Graph& graph, Node& node, Constant values) {
  graph[node.outputs[0]].constant = std::make_shared<const Constant>(std::move(values));
  node.outputs.clear();
}

std::optional<Constant> dequantized(const Graph& graph, const Node& node) {
  if (node.op != "DequantizeLinear" || !node.has_input(0) || !node.has_input(1) || !node.has_output(0)) return {};
  const Constant *x = graph.constant(node.inputs[0]), *scale = graph.constant(node.inputs[1]);
  const Constant* zero = node.has_input(2) ? graph.constant(node.inputs[2]) : nullptr;
  if (!x || !scale || (node.has_input(2) && !zero)) return {};
  return ops::dequantized(node, *x, *scale, zero, graph[node.outputs[0]].type, graph[node.inputs[0]].name);
}

// What only moves constants that have been dequantised.
std::optional<Constant> moved(const Graph& graph, const Node& node) {
  static constexpr std::array kMoves = {"Transpose", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Slice"};
  if (std::none_of(kMoves.begin(), kMoves.end(), [&](const char* op) { return node.is(op); })) return {};
  if (node.outputs.size() != 1 || !node.has_input(0)) return {};
  const Constant* x = graph.constant(node.inputs[0]);
  if (!x || !x->codes()) return {};
  ops::Facts facts{node, {}, {}, {TensorType{}}};
  for (const ValueId id : node.inputs) {
    facts.types.push_back(id ? graph[id].type : TensorType{});
    facts.values.push_back(id ? graph.constant(id) : nullptr);
    if (id && !facts.values.back()) return {};
  }
  const auto folded = ops::find_entry(node.domain, node.op)->fold(facts, {graph[node.outputs[0]].type});
  if (!folded) return {};
  return (*folded)[0];
}

bool goes_up_by_blocks(const Constant& groups, int64_t k, int64_t block) {
  if (groups.is_absent() || groups.count() < k) return false;
  for (int64_t i = 0; i < k; ++i) {
    if (groups.integer(i) != i / block) return false;
  }
  return true;
}

// MatMulNBits of known codes is a product with dequantised weights: B is [N][blocks][block] codes, low bits first, each
// row of zero points [blocks], filled up to a byte. What its own kernel alone can do stays: zero points that are no
// codes, and groups in another order.
bool product_of_codes(Graph& graph, Node& node) {
  enum : size_t { kX, kCodes, kScales, kZeros, kGroups, kBias };
  if (!node.is("MatMulNBits", "com.microsoft")) return false;
  const auto known = [&](size_t i) { return node.has_input(i) ? graph.constant(node.inputs[i]) : nullptr; };
  const Constant *codes = known(kCodes), *scales = known(kScales), *zeros = known(kZeros), *groups = known(kGroups);
  const int64_t n = node.integer("N", 0), k = node.integer("K", 0), block = node.integer("block_size", 0);
  const auto bits = static_cast<int>(node.integer("bits", 4));
  if (graph.dtype(node.inputs[kX]) != DType::float32 || !codes || codes->dtype() != DType::uint8 || !scales ||
      scales->dtype() != DType::float32)
    return false;
  if ((node.has_input(kZeros) && (!zeros || zeros->dtype() != DType::uint8)) ||
      (node.has_input(kGroups) && (!groups || !goes_up_by_blocks(*groups, k, block))) ||
      (node.has_input(kBias) && !known(kBias)))
    return false;
  for (const Constant* c : {codes, scales, zeros}) {
    if (c && c->is_absent()) return false;
  }
  const DType type = bits == 2 ? DType::uint2 : bits == 4 ? DType::uint4 : DType::uint8;
  const int64_t blocks = ceil_div(k, block), row = blocks * block;
  const auto as_codes = [&](const Constant& bytes, int64_t count) { return bytes.seen_as({type, Shape{count}}); };
  std::vector<int64_t> zero_points(static_cast<size_t>(n * blocks), int64_t{1} << (bits - 1));
  if (zeros) {
    const int64_t pitch = ceil_div(blocks * bits, 8) * 8 / bits;
    const Constant packed = as_codes(*zeros, n * pitch);
    for (int64_t i = 0; i < n * blocks; ++i)
      zero_points[static_cast<size_t>(i)] = packed.integer(i / blocks * pitch + i % blocks);
  }
  const ScaleGeometry geometry{n, row, 1, block, blocks, 1, 0};
  CodePlaces places{0, {k, n}, {1, row}};
  const Constant weights = Constant::coded(
      Shape{k, n},
      std::make_shared<const CodedValues>(CodedValues{as_codes(*codes, n * row), *scales,
                                                      Constant::ints(DType::uint8, Shape{n * blocks}, zero_points),
                                                      geometry, graph[node.inputs[kCodes]].name}),
      std::make_shared<const CodePlaces>(std::move(places)));
  const ValueId bias = node.has_input(kBias) ? node.inputs[kBias] : ValueId();
  const ValueId floats = graph.add_constant(graph[node.inputs[kCodes]].name, weights);
  node.inputs =
      bias ? std::vector<ValueId>{node.inputs[kX], floats, bias} : std::vector<ValueId>{node.inputs[kX], floats};
  node.op = "MatMul";
  node.domain.clear();
  node.version = 13;
  node.attributes.clear();
  return true;
}

}  // namespace

Graph fold_dequantize(Graph graph) {
  for (Node& node : graph.nodes) {
    if (product_of_codes(graph, node)) continue;
    std::optional<Constant> values = dequantized(graph, node);
    if (!values) values = moved(graph, node);
    if (values) become(graph, node, std::move(*values));
  }
  graph::remove_dead(graph);
  return graph;
}

}  // namespace tarn::passes
