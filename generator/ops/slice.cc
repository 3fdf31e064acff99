// Slice, in the attribute form of old opsets and the input form of new ones.
#include "ops/movement.h"

#include <algorithm>

#include "ops/folding.h"
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

Answer<Types> infer_slice(const Facts& facts) {
  const auto a = slice_arguments([&](size_t i, const char* name) { return integers_of(facts, i, name); }, facts.node);
  if (!a) return Types{TensorType{}};
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

std::optional<Fault> lower_slice(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const Shape& y = low.shape(node.outputs[0]);
  const auto a = slice_arguments([&](size_t i, const char* name) { return integers_of(node, low, i, name); }, node);
  if (!a) return Fault{"starts, ends, axes or steps are known only at run time", "fix them with --const", "E208"};
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
    return lower_strided(node, low, low.read(node.inputs[0]), low.write(node.outputs[0]), low.dtype(node.inputs[0]), y.dims,
                         geometry.strides, geometry.offset);
  }
  if (cut < 0) cut = 0;
  if (x.rank() == 0) {
    lower_copy(node, low, node.inputs[0], node.outputs[0], View{low.tensor(node.outputs[0]), low.tensor(node.inputs[0]), 0});
    return {};
  }
  lower_part(node, low, node.outputs[0], node.inputs[0], cut, geometry.starts[static_cast<size_t>(cut)], false);
  return {};
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

std::optional<SliceGeometry> slice_geometry(const Shape& x, const std::vector<int64_t>& starts, const std::vector<int64_t>& ends,
                                            const std::vector<int64_t>& axes, const std::vector<int64_t>& steps) {
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
      first = saturating(starts[i] < 0 ? std::max<int64_t>(from_end(starts[i]), -1) : starts[i], -1, d - 1);
      end = saturating(ends[i] < 0 ? (ends[i] >= -d ? ends[i] + d : -1) : ends[i], -1, d - 1);
      // -step overflows for the most negative number only; one element is left then.
      count = first > end ? (step == INT64_MIN ? 1 : (first - end - 1) / -step + 1) : 0;
    }
    g.shape[*axis] = count;
    g.starts[static_cast<size_t>(*axis)] = count > 0 ? first : 0;
    g.steps[static_cast<size_t>(*axis)] = count > 1 ? step : 1;
    g.strides[static_cast<size_t>(*axis)] = count > 1 ? own[static_cast<size_t>(*axis)] * step : own[static_cast<size_t>(*axis)];
    g.offset += g.starts[static_cast<size_t>(*axis)] * own[static_cast<size_t>(*axis)];
  }
  return g;
}

std::vector<Room> slice_rooms() {
  return {{"", "Slice", "any", lower_slice, infer_slice, fold_slice, Layout::axes, permute_slice}};
}

}  // namespace tarn::ops
