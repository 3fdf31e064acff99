// Transpose.
#include <algorithm>

#include "ops/folding.h"
#include "ops/movement.h"
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

// Pixels out of depth are spelled as a reshape to more axes, a transpose and a reshape back. What stands between them
// is seen in the lines of the image, when nothing else reads it and its outermost axis stays where it is.
void see_as_image(Lowering& low, ValueId x, const Shape& y) {
  const graph::Graph& graph = low.graph();
  const Shape& shape = low.shape(x);
  std::vector<int64_t> sizes;
  for (int64_t d : shape.dims) {
    if (d != 1) sizes.push_back(d);
  }
  const auto first = std::find_if(y.dims.begin(), y.dims.end(), [](int64_t d) { return d != 1; });
  if (shape.rank() < 5 || sizes.size() < 3 || first == y.dims.end() || *first != sizes[0] || low.constant(x)) return;
  int64_t readers = std::count(graph.outputs.begin(), graph.outputs.end(), x);
  bool reshaped = false;
  for (const Node& node : graph.nodes) {
    readers += std::count(node.inputs.begin(), node.inputs.end(), x) +
               std::count(node.captures.begin(), node.captures.end(), x);
    reshaped = reshaped || (node.op == "Reshape" && !node.outputs.empty() && node.outputs[0] == x);
  }
  if (reshaped && readers == 1) low.set_geometry(x, {sizes[0], sizes[1], shape.count() / (sizes[0] * sizes[1])});
}

// Shuffled channels are spelled in the same way. Where nothing moves but within pixels, both sides are seen in these,
// when reshapes make the one and take the other.
void see_as_pixels(Lowering& low, ValueId x, ValueId y, const Perm& perm) {
  const graph::Graph& graph = low.graph();
  const Shape& shape = low.shape(x);
  int still = 0;
  while (still < shape.rank() && perm[static_cast<size_t>(still)] == still) ++still;
  if (still < 2 || shape.rank() < 4 || low.constant(x)) return;
  int64_t readers = std::count(graph.outputs.begin(), graph.outputs.end(), x);
  bool made = false, taken = std::find(graph.outputs.begin(), graph.outputs.end(), y) == graph.outputs.end();
  for (const Node& node : graph.nodes) {
    const auto reads = [&](ValueId id) {
      return std::count(node.inputs.begin(), node.inputs.end(), id) +
             std::count(node.captures.begin(), node.captures.end(), id);
    };
    readers += reads(x);
    made = made || (node.op == "Reshape" && !node.outputs.empty() && node.outputs[0] == x);
    taken = taken && (node.op == "Reshape" || reads(y) == 0);
  }
  if (!made || !taken || readers != 1) return;
  const Geometry pixels{shape.count(0, still - 1), shape[still - 1], shape.count(still, shape.rank())};
  low.set_geometry(x, pixels);
  low.set_geometry(y, pixels);
}

// An input that is an image in planes, and read by nobody else.
bool is_input_in_planes(const Lowering& low, ValueId x, const Perm& perm) {
  const graph::Graph& graph = low.graph();
  const Shape& shape = low.shape(x);
  if (!low.options().input_rows || shape.rank() != 4 || shape[0] != 1 || perm != Perm{0, 2, 3, 1} ||
      std::min({shape[1], shape[2], shape[3]}) < 2 || is_packed(low.dtype(x)) ||
      std::find(graph.inputs.begin(), graph.inputs.end(), x) == graph.inputs.end() ||
      std::find(graph.outputs.begin(), graph.outputs.end(), x) != graph.outputs.end())
    return false;
  const graph::Uses uses = graph::find_uses(graph);
  return uses.readers[x.pos()].size() == 1;
}

// Its rows are brought into the order of the lines where they stand; then line r is made from line r.
std::optional<Fault> lower_planes(const Node& node, Lowering& low, ValueId x, ValueId y) {
  const int64_t planes = low.shape(x)[1], lines = low.shape(x)[2], pixels = low.shape(x)[3];
  low.set_geometry(x, {lines, planes, pixels});
  low.call(node, "tarn_rows",
           {"tarn_rows_params", {{"planes", planes}, {"lines", lines}, {"row", pixels * bytes_for(low.dtype(x), 1)}}},
           {low.update(x)});
  program::Walk walk;
  for (int64_t r = 0; r < lines; ++r) walk.lines.push_back({r, r + 1});
  walk.columns.assign(static_cast<size_t>(pixels), {0, planes});
  return lower_strided(node, low, low.read(x, std::move(walk)), low.write(y), low.dtype(x), {lines, pixels, planes},
                       {planes * pixels, 1, pixels}, 0);
}

std::optional<Fault> lower_transpose(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const auto perm = permutation_of(node, x.rank());
  if (moves_nothing(x, *perm) && !low.constant(node.inputs[0])) {
    lower_copy(node, low, node.inputs[0], node.outputs[0],
               View{low.tensor(node.outputs[0]), low.tensor(node.inputs[0]), 0});
    return {};
  }
  if (is_input_in_planes(low, node.inputs[0], *perm)) return lower_planes(node, low, node.inputs[0], node.outputs[0]);
  see_as_image(low, node.inputs[0], low.shape(node.outputs[0]));
  see_as_pixels(low, node.inputs[0], node.outputs[0], *perm);
  return lower_strided(node, low, low.read(node.inputs[0]), low.write(node.outputs[0]), low.dtype(node.inputs[0]),
                       low.shape(node.outputs[0]).dims, transposed_strides(x, *perm), 0);
}

}  // namespace

std::vector<OperatorEntry> transpose_entries() {
  return {{"", "Transpose", "any", lower_transpose, infer_transpose, fold_transpose}};
}

}  // namespace tarn::ops
