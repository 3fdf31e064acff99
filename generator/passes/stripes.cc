#include "passes/stripes.h"

#include <algorithm>
#include <map>
#include <set>

#include "ops/op.h"
#include "ops/window.h"
#include "support/text.h"

namespace tarn::passes {

namespace {

using graph::Node;

constexpr int kRank = 4, kColumns = 2, kChannels = 3;  // N, H, W, C
constexpr size_t kMostNodes = 1000;                    // a leading part ends among so many

// Columns [first, end) of an image.
struct Range {
  int64_t first = 0, end = 0;
  bool operator==(const Range&) const = default;
};

Range join_ranges(const Range& a, const Range& b) {
  if (a.first >= a.end) return b;
  return {std::min(a.first, b.first), std::max(a.end, b.end)};
}

bool is_image(const Graph& graph, ValueId id) {
  return graph.shape(id).rank() == kRank && graph.shape(id)[0] == 1 && graph.shape(id).count() > 0 &&
         graph[id].runtime_dims.empty();
}

bool has_window(const Node& node) {
  static const std::set<std::string> own = {"Conv", "MaxPool", "AveragePool", "LpPool"},
                                     ours = {"IntConv", "WideConv", "IntAveragePool"};
  return node.domain.empty() ? own.contains(node.op) : node.domain == "tarn" && ours.contains(node.op);
}

bool is_layer(const Node& node) { return node.op == "Conv" || node.op == "IntConv" || node.op == "WideConv"; }

std::vector<ops::WindowAxis> axes_of(const Graph& graph, const Node& node) {
  const std::vector<int64_t> in = ops::spatial_dims(graph.shape(node.inputs[0]), true);
  std::vector<int64_t> kernel;
  if (is_layer(node)) kernel = ops::spatial_dims(graph.shape(node.inputs[1]), false);
  auto axes = ops::window_axes(node, in, kernel);
  return std::holds_alternative<ops::Fault>(axes) ? std::vector<ops::WindowAxis>{} : std::get<0>(axes);
}

// A constant that is the same in every column.
bool same_in_columns(const graph::Graph& graph, ValueId id) {
  const Shape& shape = graph.shape(id);
  return shape.rank() < 2 || shape[shape.rank() - 2] == 1;
}

bool takes_image(const Graph& graph, const Node& node, ValueId id) {
  return is_image(graph, id) && graph.shape(id)[1] == graph.shape(node.outputs[0])[1] &&
         graph.shape(id)[kColumns] == graph.shape(node.outputs[0])[kColumns];
}

// Pixel by pixel, and alike in all columns.
bool is_pointwise(const Graph& graph, const Node& node) {
  const ops::OperatorEntry* entry = ops::find_entry(node.domain, node.op);
  if (!entry || !entry->lower) return false;
  if (node.is("Affine", "tarn") || node.is("BatchNormalization")) {
    return node.channels_last && takes_image(graph, node, node.inputs[0]) &&
           std::all_of(node.inputs.begin() + 1, node.inputs.end(),
                       [&](ValueId id) { return !id || graph.constant(id); });
  }
  if (node.is("Concat")) {
    return normalise_axis(node.integer("axis", 1), kRank) == kChannels &&
           std::all_of(node.inputs.begin(), node.inputs.end(),
                       [&](ValueId id) { return id && !graph.constant(id) && takes_image(graph, node, id); });
  }
  if (node.is("Split")) {
    return normalise_axis(node.integer("axis", 0), kRank) == kChannels && !graph.constant(node.inputs[0]) &&
           takes_image(graph, node, node.inputs[0]);
  }
  if (node.is("Slice")) {
    return node.inputs.size() == 1 && node.integers("axes") == std::vector<int64_t>{kChannels} &&
           !graph.constant(node.inputs[0]) && takes_image(graph, node, node.inputs[0]);
  }
  static const std::set<std::string> refused = {"Dropout",          "Bernoulli", "QuantizeLinear",
                                                "DequantizeLinear", "Identity",  "BitCast"};
  if (entry->layout != ops::Layout::elementwise || refused.contains(node.op) || node.integer("broadcast", 0) != 0 ||
      node.outputs.size() != 1)
    return false;
  for (ValueId id : node.inputs) {
    if (!id) continue;
    if (graph.constant(id) ? !same_in_columns(graph, id) : !takes_image(graph, node, id)) return false;
  }
  return true;
}

bool can_be_striped(const Graph& graph, const Node& node) {
  if (!node.bodies.empty() || node.inputs.empty() || !node.has_input(0)) return false;
  for (ValueId id : node.outputs) {
    if (!id || !is_image(graph, id)) return false;
  }
  if (!has_window(node)) return is_pointwise(graph, node);
  if (!node.channels_last || node.outputs.size() != 1 || !is_image(graph, node.inputs[0]) ||
      graph.constant(node.inputs[0]))
    return false;
  if (is_layer(node) &&
      (!node.has_input(1) || !graph.constant(node.inputs[1]) || graph.shape(node.inputs[1]).rank() != kRank))
    return false;
  for (size_t i = 1; i < node.inputs.size(); ++i) {
    const ValueId id = node.inputs[i];
    if (id && !graph.constant(id) && !takes_image(graph, node, id)) return false;
  }
  const std::vector<ops::WindowAxis> axes = axes_of(graph, node);
  if (axes.size() != 2 || axes[1].out != graph.shape(node.outputs[0])[kColumns]) return false;
  // Windows that stick out of the padding count fewer elements than others.
  return (axes[1].out - 1) * axes[1].stride + axes[1].extent() <= axes[1].in + axes[1].pad_begin + axes[1].pad_end;
}

// The nodes before `end`, ascending; none when they cannot all be striped, or somebody else needs what they make.
std::vector<size_t> leading_part(const Graph& graph, const graph::Uses& uses, ValueId end) {
  std::vector<bool> needed(graph.values.size(), false), inside(graph.nodes.size(), false);
  needed[end.pos()] = true;
  std::vector<size_t> part;
  for (size_t n = graph.nodes.size(); n-- > 0;) {
    const Node& node = graph.nodes[n];
    const bool wanted =
        std::any_of(node.outputs.begin(), node.outputs.end(), [&](ValueId id) { return id && needed[id.pos()]; });
    if (!wanted) continue;
    if (!can_be_striped(graph, node)) return {};
    inside[n] = true;
    part.push_back(n);
    // What a node makes beside what is wanted of it is made in stripes as well.
    for (const std::vector<ValueId>* ids : {&node.inputs, &node.outputs}) {
      for (ValueId id : *ids) {
        if (id && !graph.constant(id)) needed[id.pos()] = true;
      }
    }
  }
  for (size_t v = 0; v < graph.values.size(); ++v) {
    if (!needed[v] || ValueId(v) == end) continue;
    if (uses.is_output[v] || !is_image(graph, ValueId(v))) return {};
    for (size_t reader : uses.readers[v]) {
      if (!inside[reader]) return {};
    }
  }
  std::reverse(part.begin(), part.end());
  return part;
}

// What a node reads of an operand to make columns `made` of its outputs; for a window also the pads that are left.
struct Need {
  Range range;
  int64_t pad_begin = 0, pad_end = 0;
};

std::optional<Need> need_of(const Graph& graph, const Node& node, size_t input, const Range& made) {
  if (input > 0 || !has_window(node)) return Need{made, 0, 0};
  const ops::WindowAxis axis = axes_of(graph, node)[1];
  const int64_t first = made.first * axis.stride - axis.pad_begin,
                end = (made.end - 1) * axis.stride - axis.pad_begin + axis.extent();
  const Need need{{std::max<int64_t>(0, first), std::min(axis.in, end)},
                  std::max<int64_t>(0, -first),
                  std::max<int64_t>(0, end - axis.in)};
  if (need.range.first >= need.range.end) return {};
  return need;
}

// The columns of every value that one stripe needs, given those of the end.
class Stripe {
 public:
  Stripe(const Graph& graph, const std::vector<size_t>& part, ValueId end, Range range) : graph_(graph) {
    ranges_[end] = range;
    for (size_t i = part.size(); i-- > 0 && complete_;) spread(graph.nodes[part[i]]);
  }

  bool complete() const { return complete_; }
  Range at(ValueId id) const { return ranges_.at(id); }

  // All that a node makes has the same columns.
  Range made(const Node& node) const {
    Range all;
    for (ValueId id : node.outputs) {
      const auto found = ranges_.find(id);
      if (found != ranges_.end()) all = join_ranges(all, found->second);
    }
    return all;
  }

 private:
  void spread(const Node& node) {
    const Range range = made(node);
    for (ValueId id : node.outputs) ranges_[id] = range;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const ValueId id = node.inputs[i];
      if (!id || graph_.constant(id)) continue;
      const std::optional<Need> need = need_of(graph_, node, i, range);
      if (!need) {
        complete_ = false;
        return;
      }
      ranges_[id] = join_ranges(ranges_[id], need->range);
    }
  }

  const Graph& graph_;
  std::map<ValueId, Range> ranges_;
  bool complete_ = true;
};

std::vector<Stripe> stripes_of(const Graph& graph, const std::vector<size_t>& part, ValueId end, int64_t count) {
  const int64_t columns = graph.shape(end)[kColumns];
  std::vector<Stripe> stripes;
  for (int64_t k = 0; k < count; ++k) {
    stripes.emplace_back(graph, part, end, Range{columns * k / count, columns * (k + 1) / count});
    if (!stripes.back().complete()) return {};
  }
  return stripes;
}

// Writes the nodes of one stripe after the other.
class Writer {
 public:
  Writer(const Graph& graph, const std::vector<size_t>& part, ValueId end)
      : from_(graph), part_(part), end_(end), result_(graph) {
    result_.nodes.clear();
    for (size_t n : part) inside_.insert(n);
    for (size_t n : part) {
      for (ValueId id : graph.nodes[n].outputs) made_.insert(id);
    }
  }

  Graph write(const std::vector<Stripe>& stripes) {
    Node join_ranges;
    join_ranges.op = "Concat";
    join_ranges.version = 13;
    join_ranges.attributes["axis"] = int64_t{kColumns};
    join_ranges.outputs = {end_};
    for (size_t n : part_) {
      join_ranges.name = from_.nodes[n].name;
      join_ranges.origin_names = {from_.nodes[n].name};
      if (!from_.nodes[n].origins.empty()) join_ranges.origins = {from_.nodes[n].origins.front()};
    }
    for (const Stripe& stripe : stripes) {
      ++number_;
      values_.clear();
      slices_.clear();
      for (size_t n : part_) copy(from_.nodes[n], stripe);
      join_ranges.inputs.push_back(values_.at(end_));
    }
    result_.nodes.push_back(std::move(join_ranges));
    for (size_t n = 0; n < from_.nodes.size(); ++n) {
      if (!inside_.contains(n)) result_.nodes.push_back(from_.nodes[n]);
    }
    graph::sort_nodes(result_);
    graph::remove_dead(result_);
    return std::move(result_);
  }

 private:
  ValueId narrow(ValueId like, const Range& range, const char* what) {
    const graph::Value value = from_[like];
    TensorType type = value.type;
    type.shape[kColumns] = range.end - range.first;
    return result_.add_value(cat(value.name, what, number_), type);
  }

  void copy(const Node& node, const Stripe& stripe) {
    const Range made = stripe.made(node);
    Node copy = node;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const ValueId id = node.inputs[i];
      if (!id || from_.constant(id)) continue;
      const Need need = *need_of(from_, node, i, made);
      copy.inputs[i] = columns(id, stripe.at(id), need.range);
      if (i == 0 && has_window(node)) set_pads(copy, axes_of(from_, node)[0], need);
    }
    for (ValueId& id : copy.outputs) {
      const ValueId own = narrow(id, made, " stripe ");
      values_[id] = own;
      id = own;
    }
    result_.nodes.push_back(std::move(copy));
  }

  static void set_pads(Node& node, const ops::WindowAxis& lines, const Need& need) {
    node.attributes.erase("auto_pad");
    node.attributes.erase("ceil_mode");
    // Windows beyond the last line were not counted; without ceil_mode they are not either.
    const int64_t used = (lines.out - 1) * lines.stride + lines.extent() - lines.in - lines.pad_begin;
    node.attributes["pads"] =
        std::vector<int64_t>{lines.pad_begin, need.pad_begin, std::max(lines.pad_end, used), need.pad_end};
  }

  // Those of a value's columns, where the stripe has `held` of them.
  ValueId columns(ValueId id, const Range& held, const Range& wanted) {
    const bool input = !made_.contains(id);
    if (!input && held == wanted) return values_.at(id);
    const Range from = input ? Range{0, from_.shape(id)[kColumns]} : held;
    const auto [found, added] = slices_.try_emplace({id, wanted.first, wanted.end});
    if (!added) return found->second;
    // What a stripe needs of an input is taken from it once.
    if (input && held != wanted) return found->second = slice(id, columns(id, held, held), held, wanted);
    return found->second = slice(id, input ? id : values_.at(id), from, wanted);
  }

  ValueId slice(ValueId like, ValueId source, const Range& from, const Range& wanted) {
    Node slice;
    slice.op = "Slice";
    slice.version = 1;
    slice.name = from_[like].name;
    slice.origin_names = {from_[like].name};
    slice.inputs = {source};
    slice.attributes["starts"] = std::vector<int64_t>{wanted.first - from.first};
    slice.attributes["ends"] = std::vector<int64_t>{wanted.end - from.first};
    slice.attributes["axes"] = std::vector<int64_t>{kColumns};
    slice.outputs = {narrow(like, wanted, " columns ")};
    result_.nodes.push_back(slice);
    return slice.outputs[0];
  }

  const Graph& from_;
  const std::vector<size_t>& part_;
  const ValueId end_;
  Graph result_;
  std::set<size_t> inside_;
  std::set<ValueId> made_;
  int number_ = 0;
  std::map<ValueId, ValueId> values_;  // of this stripe
  std::map<std::tuple<ValueId, int64_t, int64_t>, ValueId> slices_;
};

int64_t macs_in_columns(const Graph& graph, const Node& node, int64_t columns) {
  if (!is_layer(node)) return 0;
  const Shape &y = graph.shape(node.outputs[0]), &w = graph.shape(node.inputs[1]);
  return y[1] * columns * y[kChannels] * w.count(1, w.rank());
}

}  // namespace

std::vector<ValueId> stripe_ends(const Graph& graph) {
  const graph::Uses uses = graph::find_uses(graph);
  std::vector<ValueId> ends;
  for (size_t n = 0; n < std::min(graph.nodes.size(), kMostNodes); ++n) {
    const Node& node = graph.nodes[n];
    for (ValueId id : node.outputs) {
      if (!id || !is_image(graph, id) || graph.constant(id) || graph.shape(id)[kColumns] < 2 ||
          uses.is_output[id.pos()])
        continue;
      const std::vector<size_t> part = leading_part(graph, uses, id);
      // Without a window no column is made twice, and none is saved.
      const bool window = std::any_of(part.begin(), part.end(), [&](size_t n) { return has_window(graph.nodes[n]); });
      if (window) ends.push_back(id);
    }
  }
  return ends;
}

std::optional<int64_t> extra_macs(const Graph& graph, ValueId end, int64_t stripes) {
  const std::vector<size_t> part = leading_part(graph, graph::find_uses(graph), end);
  if (part.empty() || stripes < 1 || stripes > graph.shape(end)[kColumns]) return {};
  const std::vector<Stripe> all = stripes_of(graph, part, end, stripes);
  if (all.empty()) return {};
  int64_t extra = 0;
  for (size_t n : part) {
    const Node& node = graph.nodes[n];
    extra -= macs_in_columns(graph, node, graph.shape(node.outputs[0])[kColumns]);
    for (const Stripe& stripe : all)
      extra += macs_in_columns(graph, node, stripe.made(node).end - stripe.made(node).first);
  }
  return extra;
}

std::optional<Graph> cut_into_stripes(const Graph& graph, ValueId end, int64_t stripes) {
  const std::vector<size_t> part = leading_part(graph, graph::find_uses(graph), end);
  if (part.empty() || stripes < 2 || stripes > graph.shape(end)[kColumns]) return {};
  const std::vector<Stripe> all = stripes_of(graph, part, end, stripes);
  if (all.empty()) return {};
  return Writer(graph, part, end).write(all);
}

}  // namespace tarn::passes
