// Slice, in the attribute form of old opsets and the input form of new ones.
#include <algorithm>

#include "ops/folding.h"
#include "ops/indexed.h"
#include "ops/movement.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::View;

int64_t saturating(int64_t value, int64_t lo, int64_t hi) { return std::clamp(value, lo, hi); }

struct SliceArguments {
  std::vector<int64_t> starts, ends, axes, steps;
};

template <class Source>
std::optional<SliceArguments> slice_arguments(const Source& get, const Node& node) {
  SliceArguments a;
  auto starts = get(1, "starts"), ends = get(2, "ends");
  if (!starts || !ends) return {};
  a.starts = *starts;
  a.ends = *ends;
  if (node.has("axes") || node.has_input(3)) {
    auto axes = get(3, "axes");
    if (!axes) return {};
    a.axes = *axes;
  } else {
    for (size_t i = 0; i < a.starts.size(); ++i) a.axes.push_back(static_cast<int64_t>(i));
  }
  if (node.has_input(4) || node.has("steps")) {
    auto steps = get(4, "steps");
    if (!steps) return {};
    a.steps = *steps;
  } else {
    a.steps.assign(a.starts.size(), 1);
  }
  return a;
}

// A single integer as another value plus a constant, as far as the graph tells; the root invalid for a constant alone.
struct Sum {
  ValueId root;
  int64_t plus = 0;
};
std::optional<Sum> sum_of(const Graph& graph, ValueId id) {
  Sum sum{id, 0};
  for (size_t n = graph.nodes.size(); n-- > 0 && sum.root;) {
    if (const Constant* known = graph.constant(sum.root)) {
      if (known->is_absent() || known->count() != 1) return {};
      return Sum{{}, sum.plus + known->integer(0)};
    }
    const Node& node = graph.nodes[n];
    if (node.outputs.empty() || node.outputs[0] != sum.root || !node.domain.empty() || node.inputs.empty()) continue;
    if (graph.shape(sum.root).count() != 1) return {};
    if (node.op == "Unsqueeze" || node.op == "Squeeze" || node.op == "Reshape" || node.op == "Identity") {
      sum.root = node.inputs[0];
    } else if (node.op == "Add" || node.op == "Sub") {
      const Constant* right = graph.constant(node.inputs[1]);
      const Constant* left = graph.constant(node.inputs[0]);
      const bool use_left = !right && left && node.op == "Add";
      const Constant* known = use_left ? left : right;
      if (!known || known->is_absent() || known->count() != 1) return sum;
      const int64_t by = known->integer(0);
      if (by > INT32_MAX || by < -INT32_MAX) return {};
      sum.plus += node.op == "Add" ? by : -by;
      sum.root = node.inputs[use_left ? 1 : 0];
    } else {
      return sum;
    }
  }
  return sum;
}

// The axes that bounds known only at run time may cut.
template <class Get>
std::vector<int> cut_axes(const Get& get, const Node& node, int rank, int64_t count) {
  std::vector<int> axes;
  const bool given = node.has("axes") || node.has_input(3);
  const auto known = given ? get(3, "axes") : std::optional<std::vector<int64_t>>{};
  for (int i = 0; i < rank; ++i) {
    bool cut = given ? !known : i < count;
    for (int64_t axis : known.value_or(std::vector<int64_t>{})) cut = cut || normalise_axis(axis, rank) == i;
    if (cut) axes.push_back(i);
  }
  return axes;
}

// Bounds that are known only at run time make what the model promises, a part of known length at a place that is not
// known, or anything up to the whole.
Answer<Types> infer_run_time(const Facts& facts) {
  const Node& node = facts.node;
  if (facts.promised(0)) return Types{TensorType{}};
  if (!facts.has(0) || !facts.has(1) || !facts.has(2)) return Types{TensorType{}};
  auto get = [&](size_t i, const char* name) { return integers_of(facts, i, name); };
  const std::vector<int> axes = cut_axes(get, node, facts.shape(0).rank(), facts.shape(1).count());
  Shape y = facts.shape(0);
  const auto steps = node.has_input(4) ? get(4, "steps") : std::vector<int64_t>{};
  const bool one_by_one = steps && std::all_of(steps->begin(), steps->end(), [](int64_t step) { return step == 1; });
  if (axes.size() == 1 && facts.graph && one_by_one) {
    const auto first = sum_of(*facts.graph, node.inputs[1]), end = sum_of(*facts.graph, node.inputs[2]);
    if (first && end && first->root && first->root == end->root && end->plus > first->plus &&
        end->plus - first->plus <= y[axes[0]]) {
      y[axes[0]] = end->plus - first->plus;
      return Types{{facts.types[0].dtype, y}};
    }
  }
  for (int axis : axes) {
    const TensorType& declared = facts.declared[0];
    if (declared.dtype != DType::undefined && declared.shape.rank() == y.rank())
      y[axis] = std::min(y[axis], declared.shape[axis]);
    if (facts.marks) facts.marks->push_back({0, axis, axis});
  }
  return Types{{facts.types[0].dtype, y}};
}

Answer<Types> infer_slice(const Facts& facts) {
  const auto a = slice_arguments([&](size_t i, const char* name) { return integers_of(facts, i, name); }, facts.node);
  if (!a) return infer_run_time(facts);
  const auto geometry = slice_geometry(facts.shape(0), a->starts, a->ends, a->axes, a->steps);
  if (!geometry) return Fault{"starts, ends, axes and steps do not describe a part of " + to_string(facts.shape(0))};
  return Types{{facts.types[0].dtype, geometry->shape}};
}

std::optional<Constants> fold_slice(const Facts& facts, const Types& outputs) {
  if (!facts.value(0)) return {};
  const auto a = slice_arguments([&](size_t i, const char* name) { return integers_of(facts, i, name); }, facts.node);
  if (!a) return {};
  const auto geometry = slice_geometry(facts.shape(0), a->starts, a->ends, a->axes, a->steps);
  if (!geometry) return {};
  auto result = pick_strided(*facts.value(0), outputs[0], geometry->strides, geometry->offset);
  if (!result) return {};
  return Constants{std::move(*result)};
}

// Bounds that are known only at run time: sizes that they decide first, then the slice, which checks that they make y.
std::optional<Fault> lower_run_time(const Node& node, Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  if (auto fault = refuse_odd_bytes(dtype)) return fault;
  if (x.rank() < 1 || x.rank() != y.rank())
    return Fault{"starts, ends, axes or steps are known only at run time", "fix them with --const", "E208"};
  const int64_t count = low.shape(node.inputs[1]).count();
  const DType bounds = low.dtype(node.inputs[1]);
  std::vector<Argument> lists;
  for (size_t i = 1; i < 5; ++i) {
    const bool fits =
        !node.has_input(i) || (low.dtype(node.inputs[i]) == bounds && low.shape(node.inputs[i]) == Shape{count});
    if (!fits || (bounds != DType::int32 && bounds != DType::int64))
      return Fault{"starts, ends, axes and steps are no integers of one type and number"};
    lists.push_back(node.has_input(i) ? low.read(node.inputs[i]) : low.none());
  }
  auto params = [&](int axis) {
    return program::Params{"tarn_slice_part_params",
                           {{"rank", static_cast<int64_t>(x.rank())},
                            {"in", padded_to(x.dims, 8, 1)},
                            {"out", axis < 0 ? padded_to(y.dims, 8, 1) : std::vector<int64_t>(8, 0)},
                            {"count", count},
                            {"wide", int64_t{bounds == DType::int64}},
                            {"axis", static_cast<int64_t>(std::max(0, axis))},
                            {"capacity", axis < 0 ? int64_t{0} : y[axis]}}};
  };
  auto get = [&](size_t i, const char* name) { return integers_of(node, low, i, name); };
  for (int axis : cut_axes(get, node, x.rank(), count)) {
    // An axis that is x's own as it is has the symbol of x.
    auto symbol_of = [&](ValueId id) {
      for (const graph::RuntimeDim& dim : low.graph()[id].runtime_dims) {
        if (dim.axis == axis) return dim.symbol;
      }
      return -1;
    };
    if (symbol_of(node.outputs[0]) < 0 || symbol_of(node.outputs[0]) == symbol_of(node.inputs[0])) continue;
    Operation& size = low.call(node, "tarn_slice_part", params(axis),
                               {lists[0], lists[1], lists[2], lists[3], low.size_of(node.outputs[0], axis)});
    size.returns_status = true;
  }
  Operation& slice =
      low.call(node, "tarn_slice_run_time_" + bytes_suffix(dtype), params(-1),
               {low.read(node.inputs[0]), lists[0], lists[1], lists[2], lists[3], low.write(node.outputs[0])});
  slice.returns_status = true;
  return {};
}

std::optional<Fault> lower_slice(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const Shape& y = low.shape(node.outputs[0]);
  const auto a = slice_arguments([&](size_t i, const char* name) { return integers_of(node, low, i, name); }, node);
  if (!a) return lower_run_time(node, low);
  const SliceGeometry geometry = *slice_geometry(x, a->starts, a->ends, a->axes, a->steps);
  // Cut along a single axis by steps of one: a run of bytes per outer index, perhaps a view.
  int cut = -1, cuts = 0;
  for (int i = 0; i < x.rank(); ++i) {
    if (x[i] != y[i] || geometry.steps[static_cast<size_t>(i)] != 1) {
      cut = i;
      ++cuts;
    }
  }
  const bool plain = cuts == 0 || (cuts == 1 && geometry.steps[static_cast<size_t>(cut)] == 1);
  if (!plain || low.constant(node.inputs[0])) {
    return lower_strided(node, low, low.read(node.inputs[0]), low.write(node.outputs[0]), low.dtype(node.inputs[0]),
                         y.dims, geometry.strides, geometry.offset);
  }
  if (cut < 0) cut = 0;
  if (x.rank() == 0) {
    lower_copy(node, low, node.inputs[0], node.outputs[0],
               View{low.tensor(node.outputs[0]), low.tensor(node.inputs[0]), 0});
    return {};
  }
  return lower_part(node, low, node.outputs[0], node.inputs[0], cut, geometry.starts[static_cast<size_t>(cut)], false);
}

// Spells out the axes of a Slice, then renames them.
std::optional<std::vector<int>> permute_slice(Graph& graph, Node& node, const std::vector<int>& to) {
  const auto rank = static_cast<int>(to.size());
  auto get = [&](size_t i, const char* name) -> std::optional<std::vector<int64_t>> {
    if (node.has(name)) return node.integers(name);
    const Constant* c = node.has_input(i) ? graph.constant(node.inputs[i]) : nullptr;
    if (!c || c->is_absent()) return {};
    return c->integers();
  };
  const auto a = slice_arguments(get, node);
  if (!a) return {};
  std::vector<int64_t> axes;
  for (int64_t axis : a->axes) {
    const auto at = normalise_axis(axis, rank);
    if (!at) return {};
    axes.push_back(to[static_cast<size_t>(*at)]);
  }
  node.attributes["starts"] = a->starts;
  node.attributes["ends"] = a->ends;
  node.attributes["axes"] = axes;
  node.attributes["steps"] = a->steps;
  node.inputs.resize(1);
  return to;
}

}  // namespace

std::optional<SliceGeometry> slice_geometry(const Shape& x, const std::vector<int64_t>& starts,
                                            const std::vector<int64_t>& ends, const std::vector<int64_t>& axes,
                                            const std::vector<int64_t>& steps) {
  if (starts.size() != ends.size() || axes.size() != starts.size() || steps.size() != starts.size()) return {};
  SliceGeometry g;
  g.shape = x;
  const std::vector<int64_t> own = strides_of(x);
  g.strides = own;
  g.starts.assign(x.dims.size(), 0);
  g.steps.assign(x.dims.size(), 1);
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto axis = normalise_axis(axes[i], x.rank());
    const int64_t step = steps[i];
    if (!axis || step == 0) return {};
    const int64_t d = x[*axis];
    auto from_end = [&](int64_t v) { return v < 0 && v >= -d ? v + d : v; };
    int64_t first, end, count;
    if (step > 0) {
      first = saturating(starts[i] < 0 ? std::max<int64_t>(from_end(starts[i]), 0) : starts[i], 0, d);
      end = saturating(ends[i] < 0 ? std::max<int64_t>(from_end(ends[i]), 0) : ends[i], 0, d);
      count = end > first ? (end - first - 1) / step + 1 : 0;
    } else {
      // A start in front of the axis is its first element; no axis of none has one.
      first = std::min(std::max<int64_t>(from_end(starts[i]), 0), d - 1);
      end = saturating(ends[i] < 0 ? (ends[i] >= -d ? ends[i] + d : -1) : ends[i], -1, d - 1);
      // -step overflows for the most negative number only; one element is left then.
      count = first > end ? (step == INT64_MIN ? 1 : (first - end - 1) / -step + 1) : 0;
    }
    g.shape[*axis] = count;
    g.starts[static_cast<size_t>(*axis)] = count > 0 ? first : 0;
    g.steps[static_cast<size_t>(*axis)] = count > 1 ? step : 1;
    g.strides[static_cast<size_t>(*axis)] =
        count > 1 ? own[static_cast<size_t>(*axis)] * step : own[static_cast<size_t>(*axis)];
    g.offset += g.starts[static_cast<size_t>(*axis)] * own[static_cast<size_t>(*axis)];
  }
  return g;
}

std::vector<OperatorEntry> slice_entries() {
  return {{"", "Slice", "any", lower_slice, infer_slice, fold_slice, Layout::axes, permute_slice}};
}

}  // namespace tarn::ops
