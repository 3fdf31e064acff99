// Elements smaller than a byte are moved as bytes. What takes them one by one gets codes of a byte each, and its
// results are packed behind it; between two such operators they stay unpacked.
#include <algorithm>
#include <map>
#include <set>

#include "passes/append.h"
#include "passes/passes.h"

namespace tarn::passes {

namespace {

DType unsigned_of(DType packed) { return bits_of(packed) == 4 ? DType::uint4 : DType::uint2; }

Constant codes_of(const Constant& constant) {
  const TensorType type{DType::uint8, constant.shape()};
  if (constant.is_absent()) return Constant::absent(type, constant.source());
  const int bits = bits_of(constant.dtype());
  const auto per_byte = static_cast<size_t>(8 / bits);
  const std::vector<uint8_t> bytes = constant.bytes();
  std::vector<uint8_t> codes(static_cast<size_t>(constant.count()));
  for (size_t i = 0; i < codes.size(); ++i) {
    codes[i] =
        static_cast<uint8_t>(bytes[i / per_byte] >> (i % per_byte * static_cast<size_t>(bits)) & ((1 << bits) - 1));
  }
  return Constant::of(type, std::move(codes));
}

// The unpacked form of the values of one graph.
class Codes {
 public:
  explicit Codes(Graph& graph) : graph_(graph) {}

  ValueId of(const Node& origin, ValueId packed) {
    const auto found = codes_.find(packed);
    if (found != codes_.end()) return found->second;
    const graph::Value value = graph_[packed];
    const TensorType type{DType::uint8, value.type.shape};
    ValueId codes;
    if (value.constant) {
      codes = graph_.add_constant(value.name + "_codes", codes_of(*value.constant));
    } else {
      const DType plain = unsigned_of(value.type.dtype);
      const ValueId bits = plain == value.type.dtype ? packed : add(origin, "BitCast", 26, packed, plain, value);
      codes = add(origin, "Cast", 25, bits, DType::uint8, value);
    }
    codes_.emplace(packed, codes);
    return codes;
  }

  // A value of codes in the place of `packed`, which is made of it.
  ValueId before(const Node& origin, ValueId packed) {
    const graph::Value value = graph_[packed];
    const ValueId codes = graph_.add_value(value.name + "_codes", {DType::uint8, value.type.shape});
    graph_[codes].runtime_dims = value.runtime_dims;
    pack(origin, codes, packed);
    return codes;
  }

  // `packed` is made of `codes`.
  void pack(const Node& origin, ValueId codes, ValueId packed) {
    const graph::Value value = graph_[packed];
    const DType plain = unsigned_of(value.type.dtype);
    const ValueId cast = add(origin, "Cast", 25, codes, plain, value);
    if (plain == value.type.dtype) {
      graph_.nodes.back().outputs[0] = packed;
    } else {
      add(origin, "BitCast", 26, cast, value.type.dtype, value);
      graph_.nodes.back().outputs[0] = packed;
    }
    codes_[packed] = codes;
  }

 private:
  ValueId add(const Node& origin, const std::string& op, int version, ValueId x, DType to, const graph::Value& like) {
    const ValueId y = append(graph_, origin, op, version, {x}, {to, like.type.shape}, {{"to", int64_t{to_onnx(to)}}});
    graph_[y].runtime_dims = like.runtime_dims;
    return y;
  }

  Graph& graph_;
  std::map<ValueId, ValueId> codes_;
};

bool is_packed_value(const Graph& graph, ValueId id) { return id && is_packed(graph.dtype(id)); }

// Parts that begin and end with whole bytes, in the whole too, are copied as they are.
bool in_whole_bytes(const Graph& graph, const Node& node) {
  const bool into = node.op == "Concat";
  if (!into && node.op != "Split") return false;
  const ValueId whole = into ? node.outputs[0] : node.inputs[0];
  const std::vector<ValueId>& parts = into ? node.inputs : node.outputs;
  const Shape& shape = graph.shape(whole);
  const auto axis = normalise_axis(node.integer("axis", into ? 1 : 0), shape.rank());
  const int64_t per_byte = 8 / bits_of(graph.dtype(whole));
  if (!axis || !graph[whole].runtime_dims.empty()) return false;
  return std::all_of(parts.begin(), parts.end(), [&](ValueId part) {
    return !part || (graph[part].runtime_dims.empty() && graph.shape(part).count(*axis, shape.rank()) % per_byte == 0);
  });
}

bool moves_elements(const Graph& graph, const Node& node) {
  static const std::set<std::string> movers = {
      "CenterCropPad",   "Compress",  "Concat",   "DepthToSpace", "Expand", "Gather",          "GatherElements",
      "GatherND",        "MaxUnpool", "OneHot",   "Pad",          "Resize", "ReverseSequence", "Scatter",
      "ScatterElements", "ScatterND", "Slice",    "SpaceToDepth", "Split",  "TensorScatter",   "Tile",
      "Transpose",       "Trilu",     "Upsample", "Where"};
  if (!node.domain.empty() || !movers.contains(node.op)) return false;
  const auto packed = [&](ValueId id) { return is_packed_value(graph, id); };
  const bool any = std::any_of(node.inputs.begin(), node.inputs.end(), packed) ||
                   std::any_of(node.outputs.begin(), node.outputs.end(), packed);
  return any && !in_whole_bytes(graph, node);
}

// Loops take their parts out of tensors, and put them in, by whole bytes: positions of the inputs and outputs that go
// by parts, and of the body's.
struct Parts {
  size_t first_input = 0, first_body_input = 0, first_output = 0, first_body_output = 0;
};
std::optional<Parts> parts_of(const Node& node) {
  if (node.is("Loop") && node.bodies.size() == 1) {
    const size_t carried = node.inputs.size() > 2 ? node.inputs.size() - 2 : 0;
    return Parts{node.inputs.size(), node.bodies[0].inputs.size(), carried, carried + 1};
  }
  if (!node.is("Scan") || node.bodies.size() != 1) return {};
  const auto scans = static_cast<size_t>(std::max<int64_t>(0, node.integer("num_scan_inputs", 0)));
  const size_t lengths = node.version < 9 ? 1 : 0;
  if (scans + lengths > node.inputs.size()) return {};
  const size_t states = node.inputs.size() - lengths - scans;
  return Parts{lengths + states, states, states, states};
}

void unpack_parts(Graph& graph, Codes& codes, size_t at, const Parts& parts) {
  Node node = graph.nodes[at];
  Graph& body = node.bodies[0];
  Codes inner(body);
  bool changed = false;
  for (size_t i = parts.first_input, k = parts.first_body_input; i < node.inputs.size(); ++i, ++k) {
    if (!is_packed_value(graph, node.inputs[i])) continue;
    const ValueId formal = body.inputs[k];
    body.inputs[k] = inner.before(node, formal);
    node.inputs[i] = codes.of(node, node.inputs[i]);
    changed = true;
  }
  for (size_t i = parts.first_output, k = parts.first_body_output; i < node.outputs.size() && k < body.outputs.size();
       ++i, ++k) {
    if (!is_packed_value(body, body.outputs[k])) continue;
    body.outputs[k] = inner.of(node, body.outputs[k]);
    if (node.outputs[i]) node.outputs[i] = codes.before(node, node.outputs[i]);
    changed = true;
  }
  if (!changed) return;
  graph::sort_nodes(body);
  graph.nodes[at] = std::move(node);
}

}  // namespace

Graph unpack_elements(Graph graph) {
  const size_t count = graph.nodes.size();
  Codes codes(graph);
  for (size_t i = 0; i < count; ++i) {
    if (const auto parts = parts_of(graph.nodes[i])) {
      unpack_parts(graph, codes, i, *parts);
      continue;
    }
    if (!moves_elements(graph, graph.nodes[i])) continue;
    Node node = graph.nodes[i];
    for (ValueId& id : node.inputs) {
      if (is_packed_value(graph, id)) id = codes.of(node, id);
    }
    for (ValueId& id : node.outputs) {
      if (is_packed_value(graph, id)) id = codes.before(node, id);
    }
    graph.nodes[i] = std::move(node);
  }
  if (graph.nodes.size() == count) return graph;
  graph::sort_nodes(graph);
  graph::remove_dead(graph);
  return graph;
}

}  // namespace tarn::passes
