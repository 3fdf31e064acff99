#include "passes/strided_view.h"

#include <algorithm>

namespace tarn::passes {

namespace {

using graph::Node;

// One axis of a value: its digits, outermost first. A pair is (extent, weight in the source).
struct Part {
  int64_t extent, weight;
};
using Axes = std::vector<std::vector<Part>>;
// Where a value's elements stand in its source.
struct Layout {
  Axes axes;
  int64_t first = 0;
};

constexpr size_t kMaxChain = 8;

Axes axes_of(const Shape& shape) {
  Axes axes;
  const std::vector<int64_t> strides = strides_of(shape);
  for (size_t i = 0; i < shape.dims.size(); ++i) axes.push_back({{shape.dims[i], strides[i]}});
  return axes;
}

// The same elements in another shape: digits are split where its axes ask for it.
std::optional<Axes> reshape(const Axes& axes, const Shape& shape) {
  std::vector<Part> parts;
  for (const auto& axis : axes) {
    for (const Part& part : axis) {
      if (part.extent != 1) parts.push_back(part);
    }
  }
  Axes result;
  size_t next = 0;
  for (int64_t wanted : shape.dims) {
    std::vector<Part> axis;
    while (wanted != 1) {
      if (next == parts.size()) return {};
      Part& part = parts[next];
      if (wanted % part.extent == 0) {
        axis.push_back(part);
        wanted /= part.extent;
        ++next;
      } else if (part.extent % wanted == 0) {
        part.extent /= wanted;
        axis.push_back({wanted, part.weight * part.extent});
        wanted = 1;
      } else {
        return {};
      }
    }
    result.push_back(std::move(axis));
  }
  return next == parts.size() ? std::optional(result) : std::nullopt;
}

enum class Kind { none, transpose, reshape, expand, slice, gather, split };

Kind kind_of(const Node& node) {
  if (!node.domain.empty() || node.channels_last || node.inputs.empty() || !node.inputs[0] || node.outputs.empty())
    return Kind::none;
  if (node.op == "Split") return Kind::split;
  if (node.outputs.size() != 1) return Kind::none;
  if (node.op == "Slice") return Kind::slice;
  if (node.op == "Gather") return Kind::gather;
  if (node.op == "Transpose") return Kind::transpose;
  if (node.op == "Reshape" || node.op == "Flatten" || node.op == "Squeeze" || node.op == "Unsqueeze" ||
      node.op == "Identity")
    return Kind::reshape;
  if (node.op == "Expand") return Kind::expand;
  return Kind::none;
}

// A part of one axis; nothing where the axis is spread over several digits.
bool cut(Layout& layout, int axis, int64_t first, int64_t step, int64_t extent) {
  std::vector<Part>& parts = layout.axes[static_cast<size_t>(axis)];
  if (parts.size() > 1) return false;
  if (parts.empty()) return first == 0 && extent == 1;
  layout.first += first * parts[0].weight;
  parts[0] = {extent, parts[0].weight * step};
  return true;
}

bool cut_slice(const Graph& graph, const Node& node, Layout& layout) {
  const Shape &x = graph.shape(node.inputs[0]), &y = graph.shape(node.outputs[0]);
  std::vector<int64_t> lists[4];  // starts, ends, axes, steps
  static const char* const names[] = {"starts", "ends", "axes", "steps"};
  for (size_t i = 0; i < 4; ++i) {
    if (node.has_input(i + 1)) {
      const Constant* c = graph.constant(node.inputs[i + 1]);
      if (!c || c->is_absent()) return false;
      lists[i] = c->integers();
    } else {
      lists[i] = node.integers(names[i]);
    }
  }
  for (size_t i = 0; i < lists[0].size(); ++i) {
    const auto axis = normalise_axis(i < lists[2].size() ? lists[2][i] : static_cast<int64_t>(i), x.rank());
    const int64_t step = i < lists[3].size() ? lists[3][i] : 1;
    if (!axis || step < 1) return false;
    const int64_t n = x[*axis], from = lists[0][i];
    const int64_t first = std::clamp<int64_t>(from < 0 ? (from < -n ? 0 : from + n) : from, 0, n);
    if (!cut(layout, *axis, first, step, y[*axis])) return false;
  }
  return true;
}

bool cut_split(const Graph& graph, const Node& node, ValueId output, Layout& layout) {
  const auto axis = normalise_axis(node.integer("axis", 0), graph.shape(node.inputs[0]).rank());
  if (!axis) return false;
  int64_t first = 0;
  for (ValueId id : node.outputs) {
    if (!id) return false;
    if (id == output) return cut(layout, *axis, first, 1, graph.shape(id)[*axis]);
    first += graph.shape(id)[*axis];
  }
  return false;
}

bool cut_gather(const Graph& graph, const Node& node, Layout& layout) {
  const Shape& x = graph.shape(node.inputs[0]);
  const Constant* index = node.has_input(1) ? graph.constant(node.inputs[1]) : nullptr;
  const auto axis = normalise_axis(node.integer("axis", 0), x.rank());
  if (!index || index->is_absent() || index->count() != 1 || index->shape().rank() > 1 || !axis) return false;
  const int64_t at = index->integer(0) < 0 ? index->integer(0) + x[*axis] : index->integer(0);
  if (at < 0 || at >= x[*axis] || !cut(layout, *axis, at, 1, 1)) return false;
  if (index->shape().rank() == 0) layout.axes.erase(layout.axes.begin() + *axis);
  return true;
}

std::optional<Layout> apply(const Graph& graph, const Node& node, ValueId output, Layout layout) {
  const Shape& y = graph.shape(output);
  switch (kind_of(node)) {
    case Kind::none: return {};
    case Kind::slice: return cut_slice(graph, node, layout) ? std::optional(layout) : std::nullopt;
    case Kind::split: return cut_split(graph, node, output, layout) ? std::optional(layout) : std::nullopt;
    case Kind::gather: return cut_gather(graph, node, layout) ? std::optional(layout) : std::nullopt;
    case Kind::reshape: {
      auto axes = reshape(layout.axes, y);
      return axes ? std::optional(Layout{*axes, layout.first}) : std::nullopt;
    }
    case Kind::transpose: {
      std::vector<int64_t> perm = node.integers("perm");
      if (perm.empty()) {
        for (size_t i = layout.axes.size(); i-- > 0;) perm.push_back(static_cast<int64_t>(i));
      }
      if (perm.size() != layout.axes.size()) return {};
      Layout result{{}, layout.first};
      for (int64_t p : perm) {
        const auto axis = normalise_axis(p, static_cast<int>(layout.axes.size()));
        if (!axis) return {};
        result.axes.push_back(layout.axes[static_cast<size_t>(*axis)]);
      }
      return result;
    }
    case Kind::expand: {
      const Shape& x = graph.shape(node.inputs[0]);
      if (x.rank() > y.rank()) return {};
      Layout result{{}, layout.first};
      for (int i = 0; i < y.rank(); ++i) {
        const int from = i - (y.rank() - x.rank());
        if (from >= 0 && x[from] == y[i]) result.axes.push_back(layout.axes[static_cast<size_t>(from)]);
        else result.axes.push_back({{y[i], 0}});
      }
      return result;
    }
  }
  return {};
}

View view_of(ValueId other, const Layout& layout, std::vector<size_t> nodes) {
  View view{other, layout.first, {}, std::move(nodes)};
  for (const auto& axis : layout.axes) {
    for (const Part& part : axis) {
      if (part.extent != 1) view.digits.push_back({part.extent, 0, part.weight});
    }
  }
  int64_t weight = 1;
  for (size_t i = view.digits.size(); i-- > 0;) {
    view.digits[i].here = weight;
    weight *= view.digits[i].extent;
  }
  return view;
}

// Bytes move: the value costs memory of its own.
bool moves(const Graph& graph, const Node& node) {
  const Kind kind = kind_of(node);
  if (kind == Kind::expand) return graph.shape(node.inputs[0]).count() != graph.shape(node.outputs[0]).count();
  return kind != Kind::reshape;
}

// Whether all that comes of a value goes into one node, by way of rearrangements.
bool feeds_only(const Graph& graph, const Uses& uses, ValueId value, size_t consumer, size_t depth) {
  if (uses.is_output[value.pos()] || depth > kMaxChain) return false;
  for (size_t reader : uses.readers[value.pos()]) {
    if (reader == consumer) continue;
    const Node& node = graph.nodes[reader];
    if (kind_of(node) == Kind::none || node.inputs[0] != value) return false;
    for (ValueId output : node.outputs) {
      if (output && !feeds_only(graph, uses, output, consumer, depth + 1)) return false;
    }
  }
  return true;
}

}  // namespace

std::optional<std::vector<Digit>> digits_of_walk(const View& view, int64_t step, int64_t extent) {
  if (extent > 1 && step == 0) return std::vector<Digit>{{extent, 0, 0}};
  std::vector<Digit> taken;  // innermost first
  size_t i = view.digits.size();
  int64_t left = extent, at = step;
  while (left != 1) {
    // The digit that holds the weight `at`.
    while (i > 0 && view.digits[i - 1].here * view.digits[i - 1].extent <= at) --i;
    if (i == 0) return {};
    Digit digit = view.digits[i - 1];
    if (at % digit.here != 0 || digit.here * digit.extent % at != 0) return {};
    const int64_t skipped = at / digit.here;
    digit = {digit.extent / skipped, at, digit.there * skipped};
    if (left % digit.extent == 0) {
      left /= digit.extent;
    } else if (digit.extent % left == 0) {
      digit.extent = left;
      left = 1;
    } else {
      return {};
    }
    at *= digit.extent;
    if (!taken.empty() && digit.there == taken.back().there * taken.back().extent) {
      taken.back().extent *= digit.extent;
    } else {
      taken.push_back(digit);
    }
  }
  std::reverse(taken.begin(), taken.end());
  return taken;
}

std::optional<int64_t> step_there(const View& view, int64_t step, int64_t extent) {
  const auto digits = digits_of_walk(view, step, extent);
  if (!digits || digits->size() > 1) return {};
  return digits->empty() ? 0 : digits->front().there;
}

std::vector<View> sources_of(const Graph& graph, const Uses& uses, ValueId value, size_t consumer) {
  std::vector<View> views;
  std::vector<size_t> chain;     // the nodes between, nearest first
  std::vector<ValueId> results;  // what each of them makes
  if (graph.shape(value).count() == 0) return views;
  ValueId at = value;
  while (chain.size() < kMaxChain) {
    const auto& producer = uses.producer[at.pos()];
    if (!producer || kind_of(graph.nodes[*producer]) == Kind::none) break;
    const Node& node = graph.nodes[*producer];
    if (moves(graph, node) && !feeds_only(graph, uses, at, consumer, 0)) break;
    // The whole must not live longer for the sake of a part.
    const Kind kind = kind_of(node);
    const bool cuts = kind == Kind::slice || kind == Kind::split || kind == Kind::gather;
    if (cuts && !feeds_only(graph, uses, node.inputs[0], consumer, 0)) break;
    chain.push_back(*producer);
    results.push_back(at);
    at = node.inputs[0];
    std::optional<Layout> layout = Layout{axes_of(graph.shape(at))};
    for (size_t i = chain.size(); i-- > 0 && layout;)
      layout = apply(graph, graph.nodes[chain[i]], results[i], std::move(*layout));
    if (layout) views.push_back(view_of(at, *layout, chain));
  }
  return views;
}

std::vector<View> destinations_of(const Graph& graph, const Uses& uses, ValueId value) {
  std::vector<View> views;
  std::vector<size_t> chain;
  if (graph.shape(value).count() == 0) return views;
  ValueId at = value;
  std::optional<Layout> layout = Layout{axes_of(graph.shape(at))};
  while (chain.size() < kMaxChain) {
    if (uses.is_output[at.pos()] || uses.readers[at.pos()].size() != 1) break;
    const size_t reader = uses.readers[at.pos()][0];
    const Node& node = graph.nodes[reader];
    const Kind kind = kind_of(node);
    if ((kind != Kind::transpose && kind != Kind::reshape) || node.inputs[0] != at) break;
    layout = apply(graph, node, node.outputs[0], std::move(*layout));
    if (!layout) break;
    chain.push_back(reader);
    at = node.outputs[0];
    // Seen from `value`: weights here and there change places.
    View view = view_of(at, *layout, chain);
    for (Digit& digit : view.digits) std::swap(digit.here, digit.there);
    std::sort(view.digits.begin(), view.digits.end(), [](const Digit& a, const Digit& b) { return a.here > b.here; });
    views.push_back(std::move(view));
  }
  return views;
}

}  // namespace tarn::passes
