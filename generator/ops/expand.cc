// Expand and Tile.
#include <algorithm>

#include "ops/folding.h"
#include "ops/movement.h"
#include "ops/run_time_shapes.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::View;

Answer<Types> infer_expand(const Facts& facts) {
  const auto wanted = integers_of(facts, 1, "shape");
  if (!wanted) return Types{TensorType{}};
  const Shape target(*wanted);
  if (!checked_count(target)) return Fault{"absurd shape " + to_string(target), "", "E207"};
  const auto shape = broadcast(facts.shape(0), target);
  if (!shape) return Fault{to_string(facts.shape(0)) + " does not expand to " + to_string(target)};
  return Types{{facts.types[0].dtype, *shape}};
}

std::vector<int64_t> expanded_strides(const Shape& x, const Shape& y) {
  const std::vector<int64_t> own = strides_of(x);
  std::vector<int64_t> strides(y.dims.size(), 0);
  for (int i = 0; i < x.rank(); ++i) {
    if (x[i] != 1) strides[static_cast<size_t>(i + y.rank() - x.rank())] = own[static_cast<size_t>(i)];
  }
  return strides;
}

std::optional<Constants> fold_expand(const Facts& facts, const Types& outputs) {
  if (!facts.value(0) || !facts.value(1)) return {};
  auto result = pick_strided(*facts.value(0), outputs[0], expanded_strides(facts.shape(0), outputs[0].shape));
  if (!result) return {};
  return Constants{std::move(*result)};
}

std::optional<Fault> lower_expand(const Node& node, Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  const auto joint = broadcast(x, y);
  if (!joint || *joint != y || low.shape(node.inputs[1]).count() > y.rank())
    return Fault{to_string(x) + " does not expand to " + to_string(y)};
  check_shape(node, low, true, false);
  if (x.count() == y.count() && !low.constant(node.inputs[0])) {
    lower_copy(node, low, node.inputs[0], node.outputs[0],
               View{low.tensor(node.outputs[0]), low.tensor(node.inputs[0]), 0});
    return {};
  }
  return lower_strided(node, low, low.read(node.inputs[0]), low.write(node.outputs[0]), low.dtype(node.inputs[0]),
                       y.dims, expanded_strides(x, y), 0);
}

Answer<Types> infer_tile(const Facts& facts) {
  const auto repeats = integers_of(facts, 1, "");
  if (!repeats) return Types{TensorType{}};
  const Shape& x = facts.shape(0);
  if (static_cast<int>(repeats->size()) != x.rank()) return Fault{cat(repeats->size(), " repeats for ", to_string(x))};
  Shape shape;
  for (int i = 0; i < x.rank(); ++i) {
    const int64_t times = (*repeats)[static_cast<size_t>(i)];
    const Checked d = times < 0 ? Checked() : checked_mul(x[i], times);
    if (!d) return Fault{cat("repeats ", times, " times"), "", "E207"};
    shape.dims.push_back(*d);
  }
  return Types{{facts.types[0].dtype, std::move(shape)}};
}

// Each axis becomes two: the repeat, which does not move in x, and the axis itself.
void tiled(const Shape& x, const Shape& y, std::vector<int64_t>& dims, std::vector<int64_t>& strides) {
  const std::vector<int64_t> own = strides_of(x);
  for (int i = 0; i < x.rank(); ++i) {
    dims.push_back(x[i] == 0 ? 0 : y[i] / x[i]);
    strides.push_back(0);
    dims.push_back(x[i]);
    strides.push_back(own[static_cast<size_t>(i)]);
  }
}

std::optional<Constants> fold_tile(const Facts& facts, const Types& outputs) {
  if (!facts.value(0) || !facts.value(1) || outputs[0].shape.count() > kMaxFoldedElements) return {};
  std::vector<int64_t> dims, strides;
  tiled(facts.shape(0), outputs[0].shape, dims, strides);
  auto result = pick_strided(*facts.value(0), {outputs[0].dtype, Shape(dims)}, strides);
  if (!result) return {};
  return Constants{result->reshaped(outputs[0].shape)};
}

std::optional<Fault> lower_tile(const Node& node, Lowering& low) {
  std::vector<int64_t> dims, strides, repeats;
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  if (x.rank() != y.rank()) return Fault{to_string(x) + " does not repeat to " + to_string(y)};
  for (int i = 0; i < x.rank(); ++i) {
    if (x[i] == 0 ? y[i] != 0 : y[i] % x[i] != 0) return Fault{to_string(x) + " does not repeat to " + to_string(y)};
    repeats.push_back(x[i] == 0 ? -1 : y[i] / x[i]);
  }
  check_numbers(node, low, 1, repeats);
  tiled(x, y, dims, strides);
  return lower_strided(node, low, low.read(node.inputs[0]), low.write(node.outputs[0]), low.dtype(node.inputs[0]), dims,
                       strides, 0);
}

// A list with a number for each axis, of a node that keeps how many there are.
std::optional<std::vector<int>> permute_numbers(Graph& graph, Node& node, const std::vector<int64_t>& numbers,
                                                const std::vector<int>& to) {
  const Constant* known = node.has_input(1) ? graph.constant(node.inputs[1]) : nullptr;
  if (!known || known->is_absent() || numbers.size() != to.size()) return {};
  std::vector<int64_t> moved(numbers.size());
  for (size_t i = 0; i < to.size(); ++i) moved[static_cast<size_t>(to[i])] = numbers[i];
  const Shape rank{static_cast<int64_t>(moved.size())};
  node.inputs[1] = graph.add_constant(graph[node.inputs[1]].name, Constant::ints(DType::int64, rank, moved));
  return to;
}

std::optional<std::vector<int>> permute_expand(Graph& graph, Node& node, const std::vector<int>& to) {
  return permute_numbers(graph, node, graph.shape(node.outputs[0]).dims, to);
}

std::optional<std::vector<int>> permute_tile(Graph& graph, Node& node, const std::vector<int>& to) {
  const Constant* repeats = node.has_input(1) ? graph.constant(node.inputs[1]) : nullptr;
  if (!repeats || repeats->is_absent()) return {};
  return permute_numbers(graph, node, repeats->integers(), to);
}

}  // namespace

std::vector<OperatorEntry> expand_entries() {
  return {{"", "Expand", "any", lower_expand, infer_expand, fold_expand, Layout::axes, permute_expand},
          {"", "Tile", "any", lower_tile, infer_tile, fold_tile, Layout::axes, permute_tile}};
}

}  // namespace tarn::ops
