// softmax(mask(scale * q k')) v spelled out, as exporters write it, becomes one attention node: the scores of all rows
// never stand in memory.
//
// note [order]: from the first product on, the kernel scales, caps, adds a bias, replaces what a mask leaves out (or in
// the other order). A chain that does anything else, or whose values somebody else reads, stays as it is.
#include <algorithm>

#include "ops/attention.h"
#include "passes/passes.h"

namespace tarn::passes {

namespace {

using graph::Node;
using graph::Uses;
using graph::ValueId;

// Numbers this far below every score leave nothing of the score they are added to.
constexpr double kDrowns = -1e30;
// A constant below this in a causal mask leaves an exponential of 0.
constexpr double kBlocks = -1e6;
constexpr int64_t kMostMaskElements = int64_t{1} << 24;

struct Chain {
  ops::Attention a;
  ValueId q, k, v, bias, allowed, y;
  std::vector<size_t> nodes;  // from the softmax outwards; all but the last product are replaced
};

class Matcher {
 public:
  Matcher(const Graph& graph, const Uses& uses) : graph_(graph), uses_(uses) {}

  std::optional<Chain> match(size_t softmax);

 private:
  const Node* producer(ValueId id) const {
    if (!id || !uses_.producer[id.pos()]) return nullptr;
    return &graph_.nodes[*uses_.producer[id.pos()]];
  }
  bool inner(ValueId id) const { return uses_.readers[id.pos()].size() == 1 && !uses_.is_output[id.pos()]; }
  std::optional<double> number(ValueId id) const;
  bool step_back(ValueId& s);
  bool add_bias(ValueId& s, ValueId x, ValueId other);
  bool replace(ValueId& s, const Node& where);
  bool scaled_operand(ValueId& x);
  bool read_product(ValueId scores);
  bool read_values(size_t softmax);
  bool axes(const Shape& shape, const Shape& whole, ops::Steps& steps) const;

  const Graph& graph_;
  const Uses& uses_;
  void simplify_bias();
  void simplify_mask();

  Chain c_;
  Shape scores_;
  bool scaled_ = false;  // a factor was met: masks before it would be scaled too
};

// The one number that a constant holds.
std::optional<double> Matcher::number(ValueId id) const {
  const Constant* c = graph_.constant(id);
  if (!c || c->is_absent() || c->count() < 1 || (c->count() > 1 && !c->is_splat())) return {};
  return c->real(0);
}

// Steps of an operand that broadcasts to `whole`, whose axes before the last three count as one batch.
bool Matcher::axes(const Shape& shape, const Shape& whole, ops::Steps& steps) const {
  if (shape.rank() > whole.rank()) return false;
  const std::vector<int64_t> own = strides_of(shape);
  const int missing = whole.rank() - shape.rank();
  steps = {};
  int64_t inner = 1;  // elements of the batch so far
  bool batch_set = false;
  for (int i = whole.rank(); i-- > 0;) {
    const int64_t extent = i >= missing ? shape[i - missing] : 1;
    const int64_t step = extent == 1 ? 0 : own[static_cast<size_t>(i - missing)];
    if (extent != 1 && extent != whole[i]) return false;
    const int place = 4 - (whole.rank() - i);
    if (place >= 1) {
      steps[static_cast<size_t>(place)] = step;
      continue;
    }
    if (whole[i] == 1) continue;
    if (!batch_set) steps[0] = step;
    else if (step != steps[0] * inner) return false;
    batch_set = true;
    inner *= whole[i];
  }
  return true;
}

bool Matcher::add_bias(ValueId& s, ValueId x, ValueId other) {
  if (graph_.shape(x) != scores_) return false;
  // Where(m, 0, very low) as a bias is a mask.
  const Node* where = producer(other);
  if (where && where->is("Where") && where->inputs.size() == 3 && !c_.allowed) {
    const auto yes = number(where->inputs[1]), no = number(where->inputs[2]);
    const bool blocks = yes && no && *yes <= kDrowns && *no == 0, allows = yes && no && *yes == 0 && *no <= kDrowns;
    if ((blocks || allows) && !graph_.constant(where->inputs[0]) &&
        axes(graph_.shape(where->inputs[0]), scores_, c_.a.allowed)) {
      c_.allowed = where->inputs[0];
      c_.a.blocking = blocks;
      c_.a.fill = blocks ? *yes : *no;
      // Behind the mask whatever was added before does not show.
      c_.a.bias_first = true;
      s = x;
      return true;
    }
  }
  if (c_.bias || graph_.dtype(other) != graph_.dtype(x) || !axes(graph_.shape(other), scores_, c_.a.bias)) return false;
  c_.bias = other;
  c_.a.bias_first = c_.allowed.valid();
  s = x;
  return true;
}

// Where(mask, fill, s) or Where(mask, s, fill).
bool Matcher::replace(ValueId& s, const Node& where) {
  if (c_.allowed || where.inputs.size() != 3) return false;
  for (size_t side : {1u, 2u}) {
    const auto fill = number(where.inputs[3 - side]);
    if (!fill || graph_.constant(where.inputs[side]) || graph_.shape(where.inputs[side]) != scores_) continue;
    if (graph_.dtype(where.inputs[0]) != DType::boolean || !axes(graph_.shape(where.inputs[0]), scores_, c_.a.allowed))
      return false;
    c_.allowed = where.inputs[0];
    c_.a.blocking = side == 2;
    c_.a.fill = *fill;
    c_.a.bias_first = !c_.bias;
    s = where.inputs[side];
    return true;
  }
  return false;
}

// Goes from a value to what it is made from, as far as the kernel can do that step.
bool Matcher::step_back(ValueId& s) {
  const Node* node = producer(s);
  if (!node || !inner(s) || !node->domain.empty() || graph_.shape(s) != scores_) return false;
  c_.nodes.push_back(*uses_.producer[s.pos()]);
  if (node->op == "Cast") {
    s = node->inputs[0];
    return is_float(graph_.dtype(s));
  }
  if (scaled_ && node->op != "Mul" && node->op != "Div" && node->op != "Tanh") return false;
  if (node->op == "Where") return replace(s, *node);
  if (node->op == "Tanh" && c_.a.cap == 0) {
    // What stands behind it is the cap; the kernel divides by it again.
    c_.a.cap = c_.a.scale;
    scaled_ = true;
    s = node->inputs[0];
    return true;
  }
  if (node->op == "Add" && node->inputs.size() == 2) {
    for (size_t i = 0; i < 4; ++i) {
      // Masks made by Where stand on either side: what is none of them comes first.
      const size_t side = i % 2;
      if (graph_.constant(node->inputs[side])) continue;
      const Node* made = producer(node->inputs[side]);
      if (!made || (made->op == "Where") != (i >= 2)) continue;
      if (made->op != "MatMul" && made->op != "Mul" && made->op != "Div" && made->op != "Add" && made->op != "Where" &&
          made->op != "Cast")
        continue;
      if (add_bias(s, node->inputs[side], node->inputs[1 - side])) return true;
    }
    return false;
  }
  if (node->op == "Mul" || node->op == "Div") {
    for (size_t side = 0; side < (node->op == "Mul" ? 2u : 1u); ++side) {
      const auto factor = number(node->inputs[1 - side]);
      if (!factor || *factor == 0 || graph_.constant(node->inputs[side])) continue;
      c_.a.scale *= node->op == "Mul" ? *factor : 1 / *factor;
      scaled_ = true;
      s = node->inputs[side];
      return true;
    }
  }
  return false;
}

// A constant bias of zeros is none; one that leaves out later keys is a causal mask, and needs no table.
void Matcher::simplify_bias() {
  const Constant* c = graph_.constant(c_.bias);
  ops::Attention& a = c_.a;
  if (!c || c->is_absent() || c->count() > kMostMaskElements) return;
  const std::vector<double> values = c->reals();
  const bool zeros = std::all_of(values.begin(), values.end(), [](double v) { return v == 0; });
  if (!zeros) {
    const int64_t past = a.keys - a.rows;
    if (a.bias[0] != 0 || a.bias[1] != 0 || a.bias[3] != 1 || (a.rows > 1 && a.bias[2] != a.keys) || past < 0 ||
        a.rows == 1)
      return;
    for (int64_t i = 0; i < a.rows; ++i) {
      for (int64_t j = 0; j < a.keys; ++j) {
        const double v = values[static_cast<size_t>(i * a.keys + j)];
        if (j > i + past ? !(v <= kBlocks) : v != 0) return;
      }
    }
    a.causal = true;
    a.past = past;
  }
  c_.bias = {};
  a.bias = {};
}

// A constant mask that lets everything through is none; one that leaves out later keys is a causal mask.
void Matcher::simplify_mask() {
  const Constant* c = graph_.constant(c_.allowed);
  ops::Attention& a = c_.a;
  if (!c || c->is_absent() || c->count() > kMostMaskElements) return;
  const std::vector<int64_t> values = c->integers();
  const auto open = [&](int64_t i) { return (values[static_cast<size_t>(i)] != 0) != a.blocking; };
  bool all = true;
  for (int64_t i = 0; i < c->count() && all; ++i) all = open(i);
  if (!all) {
    const int64_t past = a.keys - a.rows;
    if (a.allowed[0] != 0 || a.allowed[1] != 0 || a.allowed[3] != 1 || a.allowed[2] != a.keys || past < 0 ||
        a.fill > kBlocks || (c_.bias && !a.bias_first))
      return;
    for (int64_t i = 0; i < a.rows; ++i) {
      for (int64_t j = 0; j < a.keys; ++j) {
        if (open(i * a.keys + j) != (j <= i + past)) return;
      }
    }
    a.causal = true;
    a.past = past;
  }
  c_.allowed = {};
  a.allowed = {};
  a.blocking = false;
  a.fill = 0;
}

// A factor on queries or keys joins the scale.
bool Matcher::scaled_operand(ValueId& x) {
  const Node* node = producer(x);
  if (!node || !node->domain.empty() || (node->op != "Mul" && node->op != "Div")) return false;
  for (size_t side = 0; side < (node->op == "Mul" ? 2u : 1u); ++side) {
    const auto factor = number(node->inputs[1 - side]);
    if (!factor || *factor == 0 || graph_.constant(node->inputs[side]) ||
        graph_.shape(node->inputs[side]) != graph_.shape(x))
      continue;
    c_.a.scale *= node->op == "Mul" ? *factor : 1 / *factor;
    x = node->inputs[side];
    return true;
  }
  return false;
}

bool Matcher::read_product(ValueId scores) {
  const Node* product = producer(scores);
  if (!product || !product->is("MatMul") || !inner(scores) || graph_.shape(scores) != scores_) return false;
  c_.nodes.push_back(*uses_.producer[scores.pos()]);
  c_.q = product->inputs[0];
  c_.k = product->inputs[1];
  const Shape &q = graph_.shape(c_.q), &k = graph_.shape(c_.k);
  const int rank = scores_.rank();
  if (q.rank() < 2 || k.rank() < 2 || graph_.constant(c_.q)) return false;
  ops::Attention& a = c_.a;
  a.rows = scores_[rank - 2];
  a.keys = scores_[rank - 1];
  a.size = q[q.rank() - 1];
  a.heads = rank >= 3 ? scores_[rank - 3] : 1;
  a.batch = scores_.count(0, std::max(0, rank - 3));
  if (!a.batch || !a.heads || !a.rows || !a.keys || !a.size) return false;
  Shape whole = scores_;
  whole[rank - 1] = a.size;
  if (!axes(q, whole, a.q)) return false;
  whole = scores_;
  whole[rank - 2] = a.size;
  ops::Steps steps{};
  if (!axes(k, whole, steps)) return false;
  a.k = {steps[0], steps[1], steps[3], steps[2]};
  while (scaled_operand(c_.q)) {
  }
  while (scaled_operand(c_.k)) {
  }
  return true;
}

// The product with the values, and the tests for NaN that some exporters put before it.
bool Matcher::read_values(size_t softmax) {
  ValueId p = graph_.nodes[softmax].outputs[0];
  for (int i = 0; i < 3; ++i) {
    if (uses_.is_output[p.pos()]) return false;
    const std::span<const size_t> readers = uses_.readers[p.pos()];
    if (readers.size() == 1) {
      const Node& reader = graph_.nodes[readers[0]];
      c_.nodes.push_back(readers[0]);
      if (reader.is("Cast") && is_float(graph_.dtype(reader.outputs[0]))) {
        p = reader.outputs[0];
        continue;
      }
      if (!reader.is("MatMul") || reader.inputs[0] != p || reader.inputs[1] == p) return false;
      c_.v = reader.inputs[1];
      c_.y = reader.outputs[0];
      break;
    }
    if (readers.size() != 2) return false;
    const bool first = graph_.nodes[readers[0]].is("IsNaN");
    const size_t test = readers[first ? 0 : 1], choice = readers[first ? 1 : 0];
    const Node &is_nan = graph_.nodes[test], &where = graph_.nodes[choice];
    if (!is_nan.is("IsNaN") || !where.is("Where") || where.inputs[0] != is_nan.outputs[0] || where.inputs[2] != p ||
        !inner(is_nan.outputs[0]) || number(where.inputs[1]) != 0) {
      return false;
    }
    c_.nodes.insert(c_.nodes.end(), {test, choice});
    c_.a.zero = 2;
    p = where.outputs[0];
  }
  if (!c_.v) return false;
  const Shape &v = graph_.shape(c_.v), &y = graph_.shape(c_.y);
  if (v.rank() < 2 || y.rank() != scores_.rank() || graph_.shape(p) != scores_) return false;
  for (int i = 0; i < y.rank() - 1; ++i) {
    if (y[i] != scores_[i]) return false;
  }
  c_.a.values = y[y.rank() - 1];
  Shape whole = scores_;
  whole[y.rank() - 2] = c_.a.keys;
  whole[y.rank() - 1] = c_.a.values;
  if (!axes(v, whole, c_.a.v) || c_.a.values == 0) return false;
  c_.a.y = ops::heads_first(c_.a.heads, c_.a.rows, c_.a.values);
  return true;
}

std::optional<Chain> Matcher::match(size_t softmax) {
  c_ = {};
  scaled_ = false;
  const Node& node = graph_.nodes[softmax];
  if (!node.is("Softmax") || node.channels_last) return {};
  scores_ = graph_.shape(node.inputs[0]);
  const int rank = scores_.rank();
  if (rank < 2 || scores_.count() == 0) return {};
  if (normalise_axis(node.integer("axis", node.version < 13 ? 1 : -1), rank) != rank - 1) return {};
  c_.nodes.push_back(softmax);
  ValueId s = node.inputs[0];
  for (int steps = 0; steps < 8; ++steps) {
    const Node* made = producer(s);
    if (!made) return {};
    if (made->is("MatMul")) break;
    if (!step_back(s)) return {};
  }
  if (!read_product(s) || !read_values(softmax)) return {};
  const DType dtype = graph_.dtype(c_.q);
  for (ValueId id : {c_.k, c_.v, c_.y}) {
    if (graph_.dtype(id) != dtype) return {};
  }
  if (!is_float(dtype) || bits_of(dtype) < 16 || (c_.bias && graph_.dtype(c_.bias) != dtype)) return {};
  for (ValueId id : {c_.q, c_.k, c_.v, c_.bias, c_.allowed, c_.y}) {
    if (id && !graph_[id].runtime_dims.empty()) return {};
  }
  simplify_bias();
  simplify_mask();
  // One head of keys for all heads of queries.
  ops::Attention& a = c_.a;
  if (a.heads > 1 && a.k[1] == 0 && a.v[1] == 0) a.group = a.heads;
  return c_;
}

}  // namespace

Graph fuse_attention(Graph graph) {
  const Uses uses = graph::find_uses(graph);
  bool changed = false;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!graph.nodes[i].is("Softmax")) continue;
    const std::optional<Chain> chain = Matcher(graph, uses).match(i);
    if (!chain) continue;
    Node made;
    made.name = graph.nodes[i].name;
    std::vector<size_t> nodes = chain->nodes;
    std::sort(nodes.begin(), nodes.end());
    for (size_t at : nodes) {
      const Node& part = graph.nodes[at];
      made.origins.insert(made.origins.end(), part.origins.begin(), part.origins.end());
      made.origin_names.insert(made.origin_names.end(), part.origin_names.begin(), part.origin_names.end());
    }
    made.inputs = {chain->q, chain->k, chain->v, chain->bias, chain->allowed, {}};
    made.outputs = {chain->y, {}};
    ops::write_attention(made, chain->a);
    // The product with the values stands last, behind everything the node reads.
    graph.nodes[*uses.producer[chain->y.pos()]] = std::move(made);
    changed = true;
  }
  if (changed) {
    graph::sort_nodes(graph);
    graph::remove_dead(graph);
  }
  return graph;
}

}  // namespace tarn::passes
