// Transpose.
#include "ops/movement.h"

#include <algorithm>

#include "ops/folding.h"
#include "support/text.h"
#include "tensor/permutation.h"

namespace tarn::ops {

namespace {

std::optional<Perm> permutation_of(const Node& node, int rank) {
  std::vector<int64_t> given = node.integers("perm");
  if (given.empty()) {
    for (int i = rank; i-- > 0;) given.push_back(i);
  }
  Perm perm;
  std::vector<bool> seen(static_cast<size_t>(rank), false);
  for (int64_t axis : given) {
    const auto at = normalise_axis(axis, rank);
    if (!at || seen[static_cast<size_t>(*at)]) return {};
    seen[static_cast<size_t>(*at)] = true;
    perm.push_back(*at);
  }
  if (static_cast<int>(perm.size()) != rank) return {};
  return perm;
}

Answer<Types> infer_transpose(const Facts& facts) {
  const Shape& x = facts.shape(0);
  const auto perm = permutation_of(facts.node, x.rank());
  if (!perm) return Fault{"perm is no permutation of the axes of " + to_string(x)};
  Shape shape;
  for (int axis : *perm) shape.dims.push_back(x[axis]);
  return Types{{facts.types[0].dtype, std::move(shape)}};
}

std::vector<int64_t> transposed_strides(const Shape& x, const std::vector<int>& perm) {
  const std::vector<int64_t> own = strides_of(x);
  std::vector<int64_t> strides;
  for (int axis : perm) strides.push_back(own[static_cast<size_t>(axis)]);
  return strides;
}

std::optional<Constants> fold_transpose(const Facts& facts, const Types& outputs) {
  if (!facts.value(0)) return {};
  const auto perm = permutation_of(facts.node, facts.shape(0).rank());
  auto result = pick_strided(*facts.value(0), outputs[0], transposed_strides(facts.shape(0), *perm));
  if (!result) return {};
  return Constants{std::move(*result)};
}

using program::View;

std::optional<Fault> lower_transpose(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const auto perm = permutation_of(node, x.rank());
  if (moves_nothing(x, *perm) && !low.constant(node.inputs[0])) {
    lower_copy(node, low, node.inputs[0], node.outputs[0], View{low.tensor(node.outputs[0]), low.tensor(node.inputs[0]), 0});
    return {};
  }
  return lower_strided(node, low, low.read(node.inputs[0]), low.write(node.outputs[0]), low.dtype(node.inputs[0]),
                       low.shape(node.outputs[0]).dims, transposed_strides(x, *perm), 0);
}

}  // namespace

std::vector<Room> transpose_rooms() {
  return {{"", "Transpose", "any", lower_transpose, infer_transpose, fold_transpose}};
}

}  // namespace tarn::ops
