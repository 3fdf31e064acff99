#include "passes/read_corners.h"

#include <algorithm>
#include <map>

#include "ops/attention.h"

namespace tarn::passes {

namespace {

using graph::Graph;
using graph::Node;
using graph::ValueId;

constexpr size_t kBias = 3, kAllowed = 4;  // inputs of attention

bool fits_within(const Shape& part, const Shape& whole) {
  if (part.rank() != whole.rank()) return false;
  for (int axis = 0; axis < part.rank(); ++axis) {
    if (part[axis] > whole[axis]) return false;
  }
  return true;
}

// Only the first axis that is longer than one is shorter than the whole's: its elements are then the first ones.
bool is_beginning(const Shape& part, const Shape& whole) {
  int axis = 0;
  while (axis < part.rank() && whole[axis] == 1) ++axis;
  for (++axis; axis < part.rank(); ++axis) {
    if (part[axis] != whole[axis]) return false;
  }
  return true;
}

// The elements of the part are those of the whole at the same positions.
bool is_corner(const Constant& part, const Constant& whole) {
  if (part.dtype() != whole.dtype() || bits_of(part.dtype()) < 8 || part.shape().rank() == 0) return false;
  const std::vector<uint8_t> own = part.bytes(), others = whole.bytes();
  const int last = part.shape().rank() - 1;
  const std::vector<int64_t> steps = strides_of(whole.shape());
  const int64_t element = bytes_for(part.dtype(), 1), row = part.shape()[last] * element;
  std::vector<int64_t> at(static_cast<size_t>(last), 0);
  for (int64_t first = 0; first < static_cast<int64_t>(own.size()); first += row) {
    int64_t place = 0;
    for (int axis = 0; axis < last; ++axis) place += at[static_cast<size_t>(axis)] * steps[static_cast<size_t>(axis)];
    if (!std::equal(own.begin() + first, own.begin() + first + row, others.begin() + place * element)) return false;
    for (int axis = last; axis-- > 0;) {
      if (++at[static_cast<size_t>(axis)] < part.shape()[axis]) break;
      at[static_cast<size_t>(axis)] = 0;
    }
  }
  return true;
}

// The kernel's steps over the part, as steps over the whole: each is that of one of its axes. False where axes are
// taken together as one, which lie apart in the whole.
bool take_steps(const Shape& part, const Shape& whole, ops::Steps& steps) {
  const std::vector<int64_t> own = strides_of(part), others = strides_of(whole);
  const auto long_axes = std::count_if(part.dims.begin(), part.dims.end(), [](int64_t extent) { return extent > 1; });
  const auto stepped = std::count_if(steps.begin(), steps.end(), [](int64_t step) { return step != 0; });
  if (long_axes != stepped) return false;
  for (int64_t& step : steps) {
    for (int axis = 0; axis < part.rank() && step != 0; ++axis) {
      if (part[axis] == 1 || own[static_cast<size_t>(axis)] != step) continue;
      step = others[static_cast<size_t>(axis)];
      break;
    }
  }
  return true;
}

}  // namespace

Graph read_corners(Graph graph, const Graph& largest) {
  std::map<std::string, ValueId> named;
  for (size_t i = 0; i < largest.values.size(); ++i) {
    if (largest.values[i].constant) named.emplace(largest.values[i].name, ValueId(i));
  }
  for (Node& node : graph.nodes) {
    if (!node.is("Attention", "tarn")) continue;
    for (const size_t input : {kBias, kAllowed}) {
      const Constant* part = node.has_input(input) ? graph.constant(node.inputs[input]) : nullptr;
      if (part == nullptr || part->is_absent() || part->count() == 0) continue;
      const std::string name = graph[node.inputs[input]].name;
      const auto found = named.find(name);
      if (found == named.end()) continue;
      const Constant& whole = *largest.constant(found->second);
      if (whole.is_absent() || !fits_within(part->shape(), whole.shape()) ||
          is_beginning(part->shape(), whole.shape()) || !is_corner(*part, whole))
        continue;
      ops::Attention attention = ops::read_attention(node);
      ops::Steps& steps = input == kBias ? attention.bias : attention.allowed;
      if (!take_steps(part->shape(), whole.shape(), steps)) continue;
      ops::write_attention(node, attention);
      node.inputs[input] = graph.add_constant(name, whole);
    }
  }
  graph::remove_dead(graph);
  return graph;
}

}  // namespace tarn::passes
