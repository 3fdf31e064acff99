#include "quantize/scheme.h"

#include <algorithm>
#include <set>

#include "quantize/tuning.h"
#include "support/disjoint_sets.h"

namespace tarn::quantize {

namespace {

using graph::Graph;
using graph::Node;
using graph::ValueId;

class Planner {
 public:
  Planner(const Graph& graph, const SchemeOptions& options)
      : g_(graph), uses_(graph::find_uses(graph)), options_(options) {
    for (const Node& node : g_.nodes)
      scheme_.kinds.push_back(is_named(graph, node, options.floats) ? Kind::other : kind_of(g_, node));
    // Their kernels take codes of 8 bits.
    for (size_t i = 0; i < g_.nodes.size(); ++i) {
      if (scheme_.kinds[i] == Kind::recurrent && is_wide(g_.nodes[i])) scheme_.kinds[i] = Kind::other;
    }
    inside_.assign(g_.values.size(), false);
    keep_steps_in_floats();
    leave_to_floats();
    root_.assign(g_.values.size(), ValueId());
    behind_.assign(g_.nodes.size(), false);
    stepped_.assign(g_.nodes.size(), false);
  }

  Scheme plan() {
    if (options_.open_outputs) find_open_outputs();
    if (options_.open_outputs) open_amid_floats();
    for (size_t i = 0; options_.alone && i < g_.nodes.size(); ++i) {
      if (i != *options_.alone) scheme_.kinds[i] = Kind::other;
    }
    find_steps();
    find_functions();
    choose_widths();
    assign_groups();
    return std::move(scheme_);
  }

 private:
  const Node* only_reader(ValueId id) const {
    const std::span<const size_t> readers = uses_.readers[id.pos()];
    return readers.size() == 1 && !uses_.is_output[id.pos()] ? &g_.nodes[readers[0]] : nullptr;
  }
  size_t position(const Node& node) const { return static_cast<size_t>(&node - g_.nodes.data()); }

  // Everything from the last layers up to the output `id`.
  bool open_from(ValueId id, std::vector<size_t>& nodes, std::vector<ValueId>& values) const {
    if (!id || !uses_.producer[id.pos()] || !is_activation(g_, id)) return false;
    values.push_back(id);
    const size_t at = *uses_.producer[id.pos()];
    const Node& node = g_.nodes[at];
    const Kind kind = scheme_.kinds[at];
    if (kind == Kind::layer && is_wide(node)) values.pop_back();  // no kernel adds up 16-bit codes and gives floats
    if (kind == Kind::layer) return node.op != "ConvTranspose";
    if (kind == Kind::other && kind_of(g_, node) == Kind::layer) return true;
    const bool small = g_.shape(id).count() <= kMostBehind;
    const bool view = node.op == "Reshape" || node.op == "Flatten" || node.op == "Squeeze" || node.op == "Unsqueeze";
    const bool follows = kind == Kind::softmax || kind == Kind::function || node.op == "LogSoftmax" || view ||
                         (small && (kind == Kind::move || kind == Kind::affine || kind == Kind::concat));
    if (!follows || node.op == "Gather") return false;
    nodes.push_back(at);
    for (const ValueId from : node.inputs) {
      if (!is_activation(g_, from)) continue;
      if (!only_reader(from) || !open_from(from, nodes, values)) return false;
    }
    return true;
  }

  void find_open_outputs() {
    for (const ValueId id : g_.outputs) {
      std::vector<size_t> nodes;
      std::vector<ValueId> values;
      if (!uses_.readers[id.pos()].empty() || !open_from(id, nodes, values)) continue;
      for (const size_t node : nodes) behind_[node] = true;
      for (const ValueId value : values) inside_[value.pos()] = true;
    }
  }

  // What a layer's kernel applies to its sums goes with it.
  void keep_steps_in_floats() {
    for (size_t i = 0; i < g_.nodes.size(); ++i) {
      if (scheme_.kinds[i] != Kind::other || kind_of(g_, g_.nodes[i]) != Kind::layer) continue;
      ValueId v = g_.nodes[i].outputs[0];
      const bool image = g_.nodes[i].op == "Conv" || g_.nodes[i].op == "ConvTranspose";
      const int axis = image ? 1 : g_.shape(v).rank() - 1;
      for (const Node* next = only_reader(v); next && is_step(g_, *next, v, axis); next = only_reader(v)) {
        scheme_.kinds[position(*next)] = Kind::other;
        v = next->outputs[0];
      }
    }
  }

  bool multiplies(size_t at) const {
    const Kind kind = scheme_.kinds[at];
    return kind == Kind::layer || kind == Kind::product || kind == Kind::recurrent;
  }

  // Only nodes in floats read what it makes; moves are looked through.
  bool goes_to_floats(const Node& node) const {
    if (node.outputs.size() != 1 || uses_.is_output[node.outputs[0].pos()]) return false;
    const std::span<const size_t> readers = uses_.readers[node.outputs[0].pos()];
    return !readers.empty() && std::all_of(readers.begin(), readers.end(), [&](size_t at) {
      return scheme_.kinds[at] == Kind::other || (scheme_.kinds[at] == Kind::move && goes_to_floats(g_.nodes[at]));
    });
  }

  // Layers whose sums go to floats hand them over as such.
  void open_amid_floats() {
    for (size_t i = 0; i < g_.nodes.size(); ++i) {
      const Node& node = g_.nodes[i];
      const bool opens = scheme_.kinds[i] == Kind::layer && node.op != "ConvTranspose" && !is_wide(node);
      if (opens && goes_to_floats(node)) inside_[node.outputs[0].pos()] = true;
    }
  }

  // Codes amid floats that no layer reads or makes lose something and gain nothing: functions and sums of what was
  // computed in floats are computed before it becomes codes, those that only such nodes read are too, and so is all
  // that no layer or product is connected with.
  void leave_to_floats() {
    std::vector<bool> floats(g_.values.size(), false);  // made by a node that stays in floats
    for (size_t i = 0; i < g_.nodes.size(); ++i) {
      Kind& kind = scheme_.kinds[i];
      const std::vector<ValueId>& inputs = g_.nodes[i].inputs;
      const bool fed = operand_of(g_, g_.nodes[i]) && std::all_of(inputs.begin(), inputs.end(), [&](ValueId id) {
                         return !is_activation(g_, id) || floats[id.pos()];
                       });
      const bool moves = kind == Kind::move || kind == Kind::concat;
      if (fed && !moves && !multiplies(i)) kind = Kind::other;
      for (const ValueId id : g_.nodes[i].outputs) {
        if (id) floats[id.pos()] = kind == Kind::other || (fed && moves);
      }
    }
    for (size_t i = g_.nodes.size(); i-- > 0;) {
      Kind& kind = scheme_.kinds[i];
      const bool moves = kind == Kind::move || kind == Kind::concat;
      if (!moves && !multiplies(i) && goes_to_floats(g_.nodes[i])) kind = Kind::other;
    }
    DisjointSets connected(g_.nodes.size());
    for (size_t i = 0; i < g_.nodes.size(); ++i) {
      for (const ValueId id : g_.nodes[i].inputs) {
        const std::optional<size_t> from = id ? uses_.producer[id.pos()] : std::nullopt;
        if (from && scheme_.kinds[i] != Kind::other && scheme_.kinds[*from] != Kind::other) connected.join(i, *from);
      }
    }
    std::vector<bool> used(g_.nodes.size(), false);
    bool any = false;
    for (size_t i = 0; i < g_.nodes.size(); ++i) {
      if (multiplies(i)) used[connected.find(i)] = any = true;
    }
    for (size_t i = 0; any && i < g_.nodes.size(); ++i) {
      if (!used[connected.find(i)]) scheme_.kinds[i] = Kind::other;
    }
  }

  // What a kernel applies to its sums is no tensor.
  void find_steps() {
    for (size_t i = 0; i < g_.nodes.size(); ++i) {
      const Node& core = g_.nodes[i];
      const Kind kind = scheme_.kinds[i];
      const bool sums = kind == Kind::layer || kind == Kind::pair || kind == Kind::pool || kind == Kind::product ||
                        kind == Kind::affine;
      if (!sums || stepped_[i] || behind_[i] || inside_[core.outputs[0].pos()]) continue;
      const int rank = g_.shape(core.outputs[0]).rank();
      const bool images = core.op == "Conv" || core.op == "ConvTranspose" || kind == Kind::affine;
      const int axis = kind != Kind::layer && kind != Kind::affine ? -1 : images ? 1 : rank - 1;
      ValueId v = core.outputs[0];
      for (const Node* next = only_reader(v); next && !behind_[position(*next)] && is_step(g_, *next, v, axis);
           next = only_reader(v)) {
        inside_[v.pos()] = true;
        stepped_[position(*next)] = true;
        v = next->outputs[0];
      }
    }
  }

  // Functions of functions of one tensor of codes are one table.
  void find_functions() {
    // What others read as well has codes of its own.
    const auto root = [&](ValueId id) { return root_[id.pos()] && only_reader(id) ? root_[id.pos()] : id; };
    std::vector<int> depth(g_.values.size(), 0);
    for (size_t i = 0; i < g_.nodes.size(); ++i) {
      const Node& node = g_.nodes[i];
      if (stepped_[i] || behind_[i]) continue;
      if (scheme_.kinds[i] != Kind::function && scheme_.kinds[i] != Kind::pair) continue;
      const ValueId out = node.outputs[0];
      if (scheme_.kinds[i] == Kind::function) {
        const ValueId x = operand_of(g_, node);
        root_[out.pos()] = root(x);
        depth[out.pos()] = depth[x.pos()];
        continue;
      }
      const ValueId a = node.inputs[0], b = node.inputs[1];
      const bool joins = node.op == "Add" || node.op == "Sub" || node.op == "Mul" || node.op == "Div";
      if (!joins || !is_activation(g_, a) || !is_activation(g_, b) || root(a) != root(b)) continue;
      if (root(a) == a && root(b) == b) continue;  // x + x is a pair
      if (g_.shape(a) != g_.shape(out) || g_.shape(b) != g_.shape(out)) continue;
      const int deep = std::max(depth[a.pos()], depth[b.pos()]) + 1;
      if (deep > kDeepest) continue;
      root_[out.pos()] = root(a);
      depth[out.pos()] = deep;
    }
    for (size_t v = 0; v < g_.values.size(); ++v) {
      if (!root_[v]) continue;
      const Node* reader = only_reader(ValueId(v));
      if (reader && !behind_[position(*reader)] && root_[reader->outputs[0].pos()] == root_[v]) inside_[v] = true;
    }
  }

  // The tensor whose codes hold what `id` is made into by steps and functions.
  ValueId end_of(ValueId id) const {
    while (inside_[id.pos()]) {
      const Node* reader = only_reader(id);
      if (!reader || behind_[position(*reader)]) return {};
      if (scheme_.kinds[position(*reader)] == Kind::other && !stepped_[position(*reader)]) return {};
      id = reader->outputs[0];
    }
    return id;
  }

  bool is_wide(const Node& node) const {
    if (is_named(g_, node, options_.narrow)) return false;
    return options_.bits == 16 || (node.op != "ConvTranspose" && is_named(g_, node, options_.wide));
  }

  // What no node makes as codes, inputs and results of floats, is made as its readers want it.
  std::vector<bool> wanted_wide() const {
    std::vector<bool> wanted(g_.values.size(), options_.bits == 16);
    for (size_t i = g_.nodes.size(); i-- > 0;) {
      const Node& node = g_.nodes[i];
      const bool wide = scheme_.kinds[i] == Kind::layer
                            ? is_wide(node)
                            : scheme_.kinds[i] == Kind::move && wanted[node.outputs[0].pos()];
      if (wide && is_activation(g_, node.inputs[0])) wanted[node.inputs[0].pos()] = true;
    }
    return wanted;
  }

  // Can it be made from 16-bit codes?
  bool has_wide_kernel(size_t at) const {
    const Node& node = g_.nodes[at];
    const ValueId out = node.outputs[0];
    switch (scheme_.kinds[at]) {
      case Kind::pair: return (node.op == "Add" || node.op == "Sub" || node.op == "Mul") && !root_[out.pos()];
      case Kind::pool: return node.op != "ReduceSum";
      case Kind::concat: return true;
      case Kind::function: return !inside_[out.pos()] && !inside_[operand_of(g_, node).pos()];
      default: return false;
    }
  }

  void choose_widths() {
    const std::vector<bool> wanted = wanted_wide();
    scheme_.width.assign(g_.nodes.size(), options_.bits);
    scheme_.made.assign(g_.values.size(), options_.bits);
    for (size_t v = 0; v < g_.values.size(); ++v) {
      if (wanted[v] && !uses_.producer[v]) scheme_.made[v] = 16;
    }
    for (size_t i = 0; i < g_.nodes.size(); ++i) {
      const Node& node = g_.nodes[i];
      const Kind kind = scheme_.kinds[i];
      const auto made = [&](ValueId id) { return is_activation(g_, id) ? scheme_.made[id.pos()] : 0; };
      int& width = scheme_.width[i];
      if (kind == Kind::layer) width = is_wide(node) ? 16 : 8;
      else if (options_.bits == 16) width = 16;
      else if (stepped_[i]) width = made(operand_of(g_, node));
      else if (kind == Kind::other || kind == Kind::recurrent) width = 8;
      else if (kind == Kind::move && is_activation(g_, node.inputs[0])) width = made(node.inputs[0]);
      else if (has_wide_kernel(i)) {
        for (const ValueId id : node.inputs) width = std::max(width, made(id));
      }
      for (const ValueId id : node.outputs) {
        if (id) scheme_.made[id.pos()] = kind == Kind::other && wanted[id.pos()] ? 16 : width;
      }
    }
  }

  void link_scales(DisjointSets& scales, DisjointSets& linked) const {
    for (size_t i = 0; i < g_.nodes.size(); ++i) {
      const Node& node = g_.nodes[i];
      const Kind kind = scheme_.kinds[i];
      if (behind_[i]) continue;
      const size_t out = node.outputs.empty() || !node.outputs[0] ? 0 : node.outputs[0].pos();
      if (kind == Kind::move && is_activation(g_, node.inputs[0])) {
        scales.join(node.inputs[0].pos(), out);
        linked.join(node.inputs[0].pos(), out);
      }
      if (kind == Kind::concat) {
        for (const ValueId id : node.inputs) {
          if (!is_activation(g_, id)) continue;
          linked.join(id.pos(), out);
          if (only_reader(id)) scales.join(id.pos(), out);
        }
      }
      if ((kind == Kind::function || kind == Kind::pair) && root_[out]) linked.join(root_[out].pos(), out);
    }
  }

  void assign_groups() {
    DisjointSets scales(g_.values.size()), linked(g_.values.size());
    link_scales(scales, linked);
    std::vector<bool> wanted(g_.values.size(), false);
    const auto want = [&](ValueId id) {
      if (is_activation(g_, id) && !inside_[id.pos()]) wanted[linked.find(id.pos())] = true;
    };
    for (size_t i = 0; i < g_.nodes.size(); ++i) {
      const Kind kind = scheme_.kinds[i];
      const bool computes = kind != Kind::other && kind != Kind::move && kind != Kind::function && kind != Kind::concat;
      if (!computes || stepped_[i] || behind_[i] || (kind == Kind::pair && root_[g_.nodes[i].outputs[0].pos()]))
        continue;
      if (kind == Kind::recurrent) {
        want(g_.nodes[i].inputs[0]);
        const ValueId y = g_.nodes[i].outputs[0];
        if (y && (uses_.is_output[y.pos()] || !uses_.readers[y.pos()].empty())) want(y);
        continue;
      }
      for (const ValueId id : g_.nodes[i].inputs) want(id);
      if (const ValueId end = end_of(g_.nodes[i].outputs[0])) want(end);
      if (kind == Kind::layer) {
        scheme_.layers.push_back(i);
        scheme_.ends.push_back(end_of(g_.nodes[i].outputs[0]));
      }
    }
    std::vector<int> number(g_.values.size(), -1);
    scheme_.group.assign(g_.values.size(), -1);
    for (size_t v = 0; v < g_.values.size(); ++v) {
      if (!is_activation(g_, ValueId(v)) || inside_[v] || !wanted[linked.find(v)]) continue;
      int& n = number[scales.find(v)];
      if (n < 0) n = scheme_.groups++;
      scheme_.group[v] = n;
    }
    sort_nodes_out();
  }

  void sort_nodes_out() {
    for (size_t i = 0; i < g_.nodes.size(); ++i) {
      const Node& node = g_.nodes[i];
      const Kind kind = scheme_.kinds[i];
      const ValueId out = node.outputs.empty() ? ValueId() : node.outputs[0];
      const bool floats = (out && g_.dtype(out) == DType::float32) || operand_of(g_, node);
      if (behind_[i]) scheme_.behind.push_back(i);
      const bool codes = out && (scheme_.has_codes(out) || inside_[out.pos()]);
      const bool computes = kind == Kind::other || kind == Kind::recurrent || !codes;
      if (!behind_[i] && floats && computes) scheme_.in_floats.push_back(i);
      if (behind_[i] || stepped_[i] || kind == Kind::other || !codes) continue;
      for (size_t input = 0; input < node.inputs.size(); ++input) {
        const Constant* c = g_.constant(node.inputs[input]);
        const bool data = kind == Kind::concat || kind == Kind::pair || (kind == Kind::move && input == 0);
        if (!c || !data || c->dtype() != DType::float32) continue;
        scheme_.known.push_back({i, input, kind == Kind::pair ? -1 : scheme_.group[out.pos()]});
      }
    }
  }

  const Graph& g_;
  const graph::Uses uses_;
  const SchemeOptions& options_;
  Scheme scheme_;
  std::vector<bool> inside_;   // by value: no tensor of its own in the integer network, or one of floats at its end
  std::vector<ValueId> root_;  // by value: of whose codes it is a function
  std::vector<bool> behind_, stepped_;  // by node
};

}  // namespace

bool is_named(const Graph& graph, const Node& node, const std::set<std::string>& names) {
  if (names.empty()) return false;
  if (names.contains(node.name) || (node.has_input(1) && names.contains(graph[node.inputs[1]].name))) return true;
  return std::any_of(node.outputs.begin(), node.outputs.end(),
                     [&](ValueId id) { return id && names.contains(graph[id].name); });
}

std::vector<LayerEnd> layer_ends(const Graph& graph, const Scheme& scheme) {
  std::vector<LayerEnd> ends;
  for (size_t l = 0; l < scheme.layers.size(); ++l) {
    const size_t layer = scheme.layers[l];
    ends.push_back({layer, scheme.ends[l] ? scheme.ends[l] : graph.nodes[layer].outputs[0], true});
  }
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (scheme.kinds[i] == Kind::other && kind_of(graph, graph.nodes[i]) == Kind::layer)
      ends.push_back({i, graph.nodes[i].outputs[0], false});
  }
  return ends;
}

Scheme make_scheme(const Graph& graph, const SchemeOptions& options) { return Planner(graph, options).plan(); }

}  // namespace tarn::quantize
