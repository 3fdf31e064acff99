#include "passes/integer/work.h"

#include <algorithm>
#include <cmath>

#include "support/text.h"
#include "tensor/channel_codes.h"

namespace tarn::passes::integer {

const Node* Work::producer(ValueId id) const {
  if (!id || id.pos() >= uses_.producer.size() || !uses_.producer[id.pos()]) return nullptr;
  return &graph.nodes[*uses_.producer[id.pos()]];
}

std::span<const size_t> Work::readers(ValueId id) const {
  return id.pos() < uses_.readers.size() ? uses_.readers[id.pos()] : std::span<const size_t>();
}

bool Work::only_link(ValueId id) const { return readers(id).size() == 1 && !is_output(id); }

std::optional<float> Work::number(ValueId id) const {
  const Constant* c = graph.constant(id);
  if (!c || c->is_absent() || c->count() != 1 || c->is_strings()) return {};
  return static_cast<float>(c->real(0));
}

std::optional<Codes> Work::parameters(ValueId codes, ValueId scale, ValueId zero) const {
  const std::optional<float> s = number(scale);
  if (!s || !(*s > 0) || !std::isfinite(*s) || graph.dtype(scale) != DType::float32) return {};
  Codes c{codes, *s, 0, DType::uint8};
  if (zero) {
    const Constant* z = graph.constant(zero);
    if (!z || z->is_absent() || z->count() != 1) return {};
    c.zero = static_cast<int32_t>(z->integer(0));
  }
  return c;
}

namespace {

bool holds_codes(DType type, int bits) {
  const bool eight = type == DType::int8 || type == DType::uint8,
             sixteen = type == DType::int16 || type == DType::uint16;
  return (eight && bits != 16) || (sixteen && bits != 8);
}

}  // namespace

std::optional<Codes> Work::dequantised(ValueId id, int bits) const {
  const Node* node = producer(id);
  if (!node || node->op != "DequantizeLinear" || node->inputs.size() < 2 || graph.dtype(id) != DType::float32)
    return {};
  const ValueId x = node->inputs[0];
  const DType type = graph.dtype(x);
  if (graph.constant(x) || !holds_codes(type, bits)) return {};
  std::optional<Codes> codes = parameters(x, node->inputs[1], node->has_input(2) ? node->inputs[2] : ValueId());
  if (codes) codes->dtype = type;
  return codes;
}

std::optional<Codes> Work::quantises(const Node& node, int bits) const {
  if (node.op != "QuantizeLinear" || node.inputs.size() < 2 || !node.has_output(0)) return {};
  const DType type = graph.dtype(node.outputs[0]);
  if (!holds_codes(type, bits) || graph.dtype(node.inputs[0]) != DType::float32) return {};
  std::optional<Codes> codes =
      parameters(node.outputs[0], node.inputs[1], node.has_input(2) ? node.inputs[2] : ValueId());
  if (codes) codes->dtype = type;
  return codes;
}

namespace {

// Do all codes fit int8 once their zero points are taken away?
bool fit_without_zeros(const Constant& codes, int axis, const std::vector<int32_t>& zeros) {
  const bool none = std::all_of(zeros.begin(), zeros.end(), [](int32_t z) { return z == 0; });
  if (none && (codes.dtype() == DType::int8 || bits_of(codes.dtype()) < 8)) return true;
  const ChannelBounds bounds = bounds_of_channels(codes, axis);
  for (size_t c = 0; c < zeros.size(); ++c) {
    if (bounds.least[c] - zeros[c] < -128 || bounds.most[c] - zeros[c] > 127) return false;
  }
  return true;
}

}  // namespace

std::optional<Weights> Work::weights(const Constant& codes, const Constant& scale, const Constant* zero,
                                     int axis) const {
  if (codes.is_absent() || scale.is_absent() || (zero && zero->is_absent())) return {};
  const DType type = codes.dtype();
  if (!is_integer(type) || bits_of(type) > 8 || scale.dtype() != DType::float32) return {};
  const Shape& shape = codes.shape();
  if (axis < 0 || axis >= shape.rank()) return {};
  Weights w;
  w.channels = shape[axis];
  if (w.channels == 0 || codes.count() == 0) return {};
  w.length = codes.count() / w.channels;
  auto per_channel = [&](const Constant& c) {
    return c.count() == 1 || (c.count() == w.channels && c.shape().rank() == 1);
  };
  if (!per_channel(scale) || (zero && !per_channel(*zero))) return {};
  for (int64_t c = 0; c < w.channels; ++c) {
    w.scale.push_back(static_cast<float>(scale.real(scale.count() == 1 ? 0 : c)));
    if (!(w.scale.back() > 0) || !std::isfinite(w.scale.back())) return {};
  }
  std::vector<int32_t> zeros(static_cast<size_t>(w.channels), 0);
  for (int64_t c = 0; c < w.channels && zero; ++c)
    zeros[static_cast<size_t>(c)] = static_cast<int32_t>(zero->integer(zero->count() == 1 ? 0 : c));
  if (!fit_without_zeros(codes, axis, zeros)) {
    const int32_t shift = type == DType::uint8 ? 128 : 0;
    w.codes = channel_codes(codes, axis, std::vector<int32_t>(zeros.size(), shift));
    for (int32_t& z : zeros) z -= shift;
    w.zero = std::move(zeros);
  } else {
    w.codes = channel_codes(codes, axis, zeros);
  }
  return w;
}

const std::vector<int32_t>& WeightRows::row(int64_t channel) {
  const int8_t* codes = codes_.codes(channel);
  const int32_t zero = w_.zero.empty() ? 0 : w_.zero[static_cast<size_t>(channel)];
  for (size_t k = 0; k < row_.size(); ++k) row_[k] = codes[k] - zero;
  return row_;
}

ValueId Work::as_signed(const Codes& codes) {
  if (codes.dtype == codes.signed_type()) return codes.value;
  for (size_t reader : readers(codes.value)) {
    if (graph.nodes[reader].is("IntFlip", "tarn") && graph.nodes[reader].inputs[0] == codes.value)
      return graph.nodes[reader].outputs[0];
  }
  auto [it, added] = signed_.try_emplace(codes.value);
  if (added) {
    Node node;
    node.op = "IntFlip";
    node.domain = "tarn";
    const graph::Value& value = graph[codes.value];
    it->second = graph.add_value(value.name, {codes.signed_type(), value.type.shape});
    graph[it->second].runtime_dims = graph[codes.value].runtime_dims;
    node.inputs = {codes.value};
    node.outputs = {it->second};
    if (const Constant* c = graph.constant(codes.value)) {
      std::vector<int64_t> numbers = c->integers();
      for (int64_t& v : numbers) v -= codes.shift();
      graph[it->second].constant = std::make_shared<Constant>(Constant::ints(codes.signed_type(), c->shape(), numbers));
    } else {
      add(std::move(node));
    }
  }
  return it->second;
}

void Work::produce(Node& node, ValueId y) {
  node.outputs = {y};
  const Codes codes{y, 1, 0, graph.dtype(y)};
  if (codes.dtype == codes.signed_type()) return;
  const ValueId made = graph.add_value(graph[y].name, {codes.signed_type(), graph.shape(y)});
  graph[made].runtime_dims = graph[y].runtime_dims;
  node.outputs = {made};
  Node flip;
  flip.op = "IntFlip";
  flip.domain = "tarn";
  flip.inputs = {made};
  flip.outputs = {y};
  add(std::move(flip));
}

Graph Work::finish() {
  for (Node& node : added_) graph.nodes.push_back(std::move(node));
  added_.clear();
  graph::sort_nodes(graph);
  graph::remove_dead(graph);
  signed_.clear();  // values have other numbers now
  return std::move(graph);
}

Node fused(const std::string& op, const std::vector<const Node*>& from) {
  Node node;
  node.op = op;
  node.domain = "tarn";
  node.version = 1;
  add_origins(node, from);
  return node;
}

void add_origins(Node& node, const std::vector<const Node*>& from) {
  for (const Node* n : from) {
    if (!n) continue;
    node.origins.insert(node.origins.end(), n->origins.begin(), n->origins.end());
    node.origin_names.insert(node.origin_names.end(), n->origin_names.begin(), n->origin_names.end());
    if (node.name.empty()) node.name = n->name;
  }
}

std::string describe(const requant::Form& form) {
  const size_t channels = form.channels.size(), exact = form.exact_channels();
  std::string text = form.unit != 0 ? "line, own arithmetic near ties" : form.tie > 0 ? "line, ties to even" : "line";
  if (exact == channels) return cat(text, channels == 1 ? "" : cat(" for all ", channels, " channels"));
  return cat(text, " with ", form.exceptions(), " exceptions",
             channels == 1 ? "" : cat(" in ", channels - exact, " of ", channels, " channels"));
}

}  // namespace tarn::passes::integer
