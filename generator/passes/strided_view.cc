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

enum class Kind { none, transpose, reshape, expand };

Kind kind_of(const Node& node) {
  if (!node.domain.empty() || node.channels_last || node.inputs.empty() || !node.inputs[0] || node.outputs.size() != 1) return Kind::none;
  if (node.op == "Transpose") return Kind::transpose;
  if (node.op == "Reshape" || node.op == "Flatten" || node.op == "Squeeze" || node.op == "Unsqueeze" || node.op == "Identity") return Kind::reshape;
  if (node.op == "Expand") return Kind::expand;
  return Kind::none;
}

std::optional<Axes> apply(const Graph& graph, const Node& node, const Axes& axes) {
  const Shape& y = graph.shape(node.outputs[0]);
  switch (kind_of(node)) {
    case Kind::none: return {};
    case Kind::reshape: return reshape(axes, y);
    case Kind::transpose: {
      std::vector<int64_t> perm = node.integers("perm");
      if (perm.empty()) {
        for (size_t i = axes.size(); i-- > 0;) perm.push_back(static_cast<int64_t>(i));
      }
      if (perm.size() != axes.size()) return {};
      Axes result;
      for (int64_t p : perm) {
        const auto axis = normalise_axis(p, static_cast<int>(axes.size()));
        if (!axis) return {};
        result.push_back(axes[static_cast<size_t>(*axis)]);
      }
      return result;
    }
    case Kind::expand: {
      const Shape& x = graph.shape(node.inputs[0]);
      if (x.rank() > y.rank()) return {};
      Axes result;
      for (int i = 0; i < y.rank(); ++i) {
        const int from = i - (y.rank() - x.rank());
        if (from >= 0 && x[from] == y[i]) result.push_back(axes[static_cast<size_t>(from)]);
        else result.push_back({{y[i], 0}});
      }
      return result;
    }
  }
  return {};
}

View view_of(ValueId other, const Axes& axes, std::vector<size_t> nodes) {
  View view{other, {}, std::move(nodes)};
  for (const auto& axis : axes) {
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
  return kind == Kind::transpose;
}

}  // namespace

std::optional<std::vector<Digit>> digits_of_walk(const View& view, int64_t step, int64_t extent) {
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

std::vector<View> sources_of(const Graph& graph, const Uses& uses, ValueId value) {
  std::vector<View> views;
  std::vector<size_t> chain;  // the nodes between, nearest first
  if (graph.shape(value).count() == 0) return views;
  ValueId at = value;
  while (chain.size() < kMaxChain) {
    const auto& producer = uses.producer[at.pos()];
    if (!producer || kind_of(graph.nodes[*producer]) == Kind::none) break;
    const Node& node = graph.nodes[*producer];
    const bool shared = uses.readers[at.pos()].size() > 1 || uses.is_output[at.pos()];
    if (moves(graph, node) && shared) break;
    chain.push_back(*producer);
    at = node.inputs[0];
    std::optional<Axes> axes = axes_of(graph.shape(at));
    for (size_t i = chain.size(); i-- > 0 && axes;) axes = apply(graph, graph.nodes[chain[i]], *axes);
    if (axes) views.push_back(view_of(at, *axes, chain));
  }
  return views;
}

std::vector<View> destinations_of(const Graph& graph, const Uses& uses, ValueId value) {
  std::vector<View> views;
  std::vector<size_t> chain;
  if (graph.shape(value).count() == 0) return views;
  ValueId at = value;
  std::optional<Axes> axes = axes_of(graph.shape(at));
  while (chain.size() < kMaxChain) {
    if (uses.is_output[at.pos()] || uses.readers[at.pos()].size() != 1) break;
    const size_t reader = uses.readers[at.pos()][0];
    const Node& node = graph.nodes[reader];
    const Kind kind = kind_of(node);
    if ((kind != Kind::transpose && kind != Kind::reshape) || node.inputs[0] != at) break;
    axes = apply(graph, node, *axes);
    if (!axes) break;
    chain.push_back(reader);
    at = node.outputs[0];
    // Seen from `value`: weights here and there change places.
    View view = view_of(at, *axes, chain);
    for (Digit& digit : view.digits) std::swap(digit.here, digit.there);
    std::sort(view.digits.begin(), view.digits.end(), [](const Digit& a, const Digit& b) { return a.here > b.here; });
    views.push_back(std::move(view));
  }
  return views;
}

}  // namespace tarn::passes
