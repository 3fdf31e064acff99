#include "ops/movement.h"

#include <algorithm>

#include "ops/folding.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::Params;
using program::View;

int64_t saturating(int64_t value, int64_t lo, int64_t hi) { return std::clamp(value, lo, hi); }

// Transpose ---------------------------------------------------------------------------------------------------------

std::optional<std::vector<int>> permutation_of(const Node& node, int rank) {
  std::vector<int64_t> given = node.integers("perm");
  if (given.empty()) {
    for (int i = rank; i-- > 0;) given.push_back(i);
  }
  std::vector<int> perm;
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

// Axes of one element may go anywhere: if the others keep their order, no byte moves.
bool moves_nothing(const Shape& x, const std::vector<int>& perm) {
  int last = -1;
  for (int axis : perm) {
    if (x[axis] == 1) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

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

// Concat, Split -----------------------------------------------------------------------------------------------------

// A part of a tensor along one axis: does it lie in the whole as lines, pixels or channels that keep the whole's pitch?
// If so, the view; `start` counts along the axis.
std::optional<View> view_along(Lowering& low, ValueId part, ValueId whole, int axis, int64_t start) {
  if (low.constant(part) || low.constant(whole)) return {};
  const Shape& shape = low.shape(whole);
  const int64_t offset = start * shape.count(axis + 1, shape.rank());
  const int from_end = shape.rank() - axis;  // 1: channels, 2: pixels, more: lines
  if (from_end > 2 && shape.count(0, axis) != 1) return {};
  return View{low.tensor(part), low.tensor(whole), offset};
}

Answer<Types> infer_concat(const Facts& facts) {
  if (!facts.has(0)) return Fault{"has no inputs"};
  Shape shape = facts.shape(0);
  const auto axis = normalise_axis(facts.node.integer("axis", 1), shape.rank());
  if (!axis) return Fault{"axis is outside " + to_string(shape)};
  for (size_t i = 1; i < facts.types.size(); ++i) {
    const Shape& other = facts.shape(i);
    bool fits = facts.has(i) && other.rank() == shape.rank() && facts.types[i].dtype == facts.types[0].dtype;
    for (int d = 0; fits && d < shape.rank(); ++d) fits = d == *axis || other[d] == shape[d];
    if (!fits) return Fault{cat("input ", i, " is ", to_string(facts.types[i]), ", which does not join ", to_string(facts.types[0]))};
    const Checked sum = checked_add(shape[*axis], other[*axis]);
    if (!sum) return Fault{"the joined axis is absurdly long", "", "E207"};
    shape[*axis] = *sum;
  }
  return Types{{facts.types[0].dtype, std::move(shape)}};
}

std::optional<Constants> fold_concat(const Facts& facts, const Types& outputs) {
  if (!all_known(facts)) return {};
  if (any_absent(facts)) return absent_like(facts, outputs);
  if (is_packed(outputs[0].dtype)) return {};
  const int axis = *normalise_axis(facts.node.integer("axis", 1), outputs[0].shape.rank());
  if (outputs[0].dtype == DType::string) return {};
  const int64_t element = bytes_for(outputs[0].dtype, 1);
  const int64_t outer = outputs[0].shape.count(0, axis);
  std::vector<uint8_t> bytes;
  bytes.reserve(static_cast<size_t>(outputs[0].bytes()));
  for (int64_t o = 0; o < outer; ++o) {
    for (const Constant* part : facts.values) {
      const int64_t run = part->shape().count(axis, part->shape().rank()) * element;
      std::vector<uint8_t> piece(static_cast<size_t>(run));
      part->copy_bytes(o * run, piece);
      bytes.insert(bytes.end(), piece.begin(), piece.end());
    }
  }
  return Constants{Constant::of(outputs[0], std::move(bytes))};
}

// One copy per part; each disappears when the part can be made in place.
std::optional<Fault> lower_concat(const Node& node, Lowering& low) {
  const Shape& y = low.shape(node.outputs[0]);
  const int axis = *normalise_axis(node.integer("axis", 1), y.rank());
  const int64_t element = bytes_for(low.dtype(node.outputs[0]), 1);
  const int64_t outer = y.count(0, axis), whole = y.count(axis, y.rank());
  int64_t start = 0;
  for (ValueId input : node.inputs) {
    const Shape& x = low.shape(input);
    const int64_t run = x.count(axis, x.rank());
    if (x.count() > 0) {
      Operation& operation =
          low.call(node, "tarn_copy",
                   {"tarn_copy_params",
                    {{"outer", outer},
                     {"inner", run * element},
                     {"x_pitch", run * element},
                     {"y_pitch", whole * element},
                     {"x_offset", int64_t{0}},
                     {"y_offset", start * y.count(axis + 1, y.rank()) * element}}},
                   {low.read(input), low.write(node.outputs[0])});
      operation.view = view_along(low, input, node.outputs[0], axis, start);
    }
    start += x[axis];
  }
  return {};
}

Answer<Types> infer_split(const Facts& facts) {
  const Shape& x = facts.shape(0);
  const auto axis = normalise_axis(facts.node.integer("axis", 0), x.rank());
  if (!axis) return Fault{"axis is outside " + to_string(x)};
  const auto count = static_cast<int64_t>(facts.node.outputs.empty() ? facts.declared.size() : facts.node.outputs.size());
  std::vector<int64_t> sizes;
  if (facts.node.has("split") || facts.node.has_input(1)) {
    const auto given = integers_of(facts, 1, "split");
    if (!given) {
      Types types;
      for (const TensorType& declared : facts.declared) types.push_back(declared);
      return types;
    }
    sizes = *given;
  } else {
    // Equal parts; from opset 18 on the last one may be shorter.
    const int64_t part = ceil_div(x[*axis], std::max<int64_t>(1, count));
    for (int64_t i = 0; i < count; ++i) sizes.push_back(std::clamp<int64_t>(x[*axis] - i * part, 0, part));
  }
  Checked sum = 0;
  for (int64_t s : sizes) sum = s < 0 ? Checked() : checked_add(sum, s);
  if (!sum || *sum != x[*axis] || static_cast<int64_t>(sizes.size()) != count) {
    return Fault{cat("cannot split axis ", *axis, " of ", to_string(x), " into [", join(sizes), "] for ", count, " outputs")};
  }
  Types types;
  for (int64_t s : sizes) {
    Shape shape = x;
    shape[*axis] = s;
    types.push_back({facts.types[0].dtype, std::move(shape)});
  }
  return types;
}

std::optional<Constants> fold_split(const Facts& facts, const Types& outputs) {
  const Constant* x = facts.value(0);
  if (!x) return {};
  const int axis = *normalise_axis(facts.node.integer("axis", 0), x->shape().rank());
  const std::vector<int64_t> strides = strides_of(x->shape());
  Constants constants;
  int64_t start = 0;
  for (const TensorType& type : outputs) {
    auto part = pick_strided(*x, type, strides, start * strides[static_cast<size_t>(axis)]);
    if (!part) return {};
    constants.push_back(std::move(*part));
    start += type.shape[axis];
  }
  return constants;
}

std::optional<Fault> lower_split(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const int axis = *normalise_axis(node.integer("axis", 0), x.rank());
  const int64_t element = bytes_for(low.dtype(node.inputs[0]), 1);
  int64_t start = 0;
  for (ValueId output : node.outputs) {
    if (!output) return Fault{"an omitted output is not supported", "", "E208"};
    const Shape& y = low.shape(output);
    const int64_t run = y.count(axis, y.rank());
    if (y.count() > 0) {
      Operation& operation =
          low.call(node, "tarn_copy",
                   {"tarn_copy_params",
                    {{"outer", x.count(0, axis)},
                     {"inner", run * element},
                     {"x_pitch", x.count(axis, x.rank()) * element},
                     {"y_pitch", run * element},
                     {"x_offset", start * x.count(axis + 1, x.rank()) * element},
                     {"y_offset", int64_t{0}}}},
                   {low.read(node.inputs[0]), low.write(output)});
      operation.view = view_along(low, output, node.inputs[0], axis, start);
    }
    start += y[axis];
  }
  return {};
}

// Slice -------------------------------------------------------------------------------------------------------------

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
  if (node.has_input(4)) {
    auto steps = get(4, "");
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
  const int64_t element = bytes_for(low.dtype(node.inputs[0]), 1);
  const int64_t start = geometry.starts[static_cast<size_t>(cut)], run = y.count(cut, y.rank());
  Operation& operation = low.call(node, "tarn_copy",
                                  {"tarn_copy_params",
                                   {{"outer", x.count(0, cut)},
                                    {"inner", run * element},
                                    {"x_pitch", x.count(cut, x.rank()) * element},
                                    {"y_pitch", run * element},
                                    {"x_offset", start * x.count(cut + 1, x.rank()) * element},
                                    {"y_offset", int64_t{0}}}},
                                  {low.read(node.inputs[0]), low.write(node.outputs[0])});
  operation.view = view_along(low, node.outputs[0], node.inputs[0], cut, start);
  return {};
}

// Expand, Tile ------------------------------------------------------------------------------------------------------

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
  if (!facts.value(0)) return {};
  auto result = pick_strided(*facts.value(0), outputs[0], expanded_strides(facts.shape(0), outputs[0].shape));
  if (!result) return {};
  return Constants{std::move(*result)};
}

std::optional<Fault> lower_expand(const Node& node, Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  if (x.count() == y.count() && !low.constant(node.inputs[0])) {
    lower_copy(node, low, node.inputs[0], node.outputs[0], View{low.tensor(node.outputs[0]), low.tensor(node.inputs[0]), 0});
    return {};
  }
  return lower_strided(node, low, low.read(node.inputs[0]), low.write(node.outputs[0]), low.dtype(node.inputs[0]), y.dims,
                       expanded_strides(x, y), 0);
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
  if (!facts.value(0) || outputs[0].shape.count() > (1 << 22)) return {};
  std::vector<int64_t> dims, strides;
  tiled(facts.shape(0), outputs[0].shape, dims, strides);
  auto result = pick_strided(*facts.value(0), {outputs[0].dtype, Shape(dims)}, strides);
  if (!result) return {};
  return Constants{result->reshaped(outputs[0].shape)};
}

std::optional<Fault> lower_tile(const Node& node, Lowering& low) {
  std::vector<int64_t> dims, strides;
  tiled(low.shape(node.inputs[0]), low.shape(node.outputs[0]), dims, strides);
  return lower_strided(node, low, low.read(node.inputs[0]), low.write(node.outputs[0]), low.dtype(node.inputs[0]), dims,
                       strides, 0);
}

bool permute_axis(Graph&, Node& node, const std::vector<int>& perm) {
  const auto rank = static_cast<int>(perm.size());
  const auto axis = normalise_axis(node.integer("axis", node.op == "Concat" ? 1 : 0), rank);
  if (!axis) return false;
  const auto at = std::find(perm.begin(), perm.end(), *axis) - perm.begin();
  node.attributes["axis"] = static_cast<int64_t>(at);
  return true;
}

}  // namespace

std::optional<std::vector<int64_t>> integers_of(const Facts& facts, size_t index, const std::string& attribute) {
  if (facts.node.has(attribute)) return facts.node.integers(attribute);
  const Constant* value = facts.value(index);
  if (!value || value->is_absent()) return {};
  return value->integers();
}

std::optional<std::vector<int64_t>> integers_of(const Node& node, const Lowering& low, size_t index,
                                                const std::string& attribute) {
  if (node.has(attribute)) return node.integers(attribute);
  const Constant* value = node.has_input(index) ? low.constant(node.inputs[index]) : nullptr;
  if (!value || value->is_absent()) return {};
  return value->integers();
}

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

void lower_copy(const Node& node, Lowering& low, ValueId x, ValueId y, std::optional<View> view) {
  const int64_t bytes = low.graph()[x].type.bytes();
  Operation& operation = low.call(node, "tarn_copy",
                                  {"tarn_copy_params",
                                   {{"outer", int64_t{1}},
                                    {"inner", bytes},
                                    {"x_pitch", bytes},
                                    {"y_pitch", bytes},
                                    {"x_offset", int64_t{0}},
                                    {"y_offset", int64_t{0}}}},
                                  {low.read(x), low.write(y)});
  operation.view = std::move(view);
}

std::optional<Fault> lower_strided(const Node& node, Lowering& low, Argument x, Argument y, DType dtype,
                                   std::vector<int64_t> dims, std::vector<int64_t> strides, int64_t offset) {
  if (is_packed(dtype)) return Fault{"elements smaller than a byte cannot be moved one by one", "", "E204"};
  // Join axes that x walks through evenly, and drop those of one element.
  std::vector<int64_t> joined, steps;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 1) continue;
    if (!joined.empty() && steps.back() == strides[i] * dims[i]) {
      joined.back() *= dims[i];
      steps.back() = strides[i];
    } else {
      joined.push_back(dims[i]);
      steps.push_back(strides[i]);
    }
  }
  if (joined.empty()) {
    joined.push_back(1);
    steps.push_back(1);
  }
  if (joined.size() > 8) return Fault{"more than 8 axes", "", "E208"};
  const auto rank = static_cast<int64_t>(joined.size());
  joined.resize(8, 1);
  steps.resize(8, 0);
  const std::string kernel = "tarn_strided_" + bytes_suffix(dtype);
  low.call(node, kernel, {"tarn_strided_params", {{"rank", rank}, {"dims", joined}, {"strides", steps}, {"offset", offset}}},
           {std::move(x), std::move(y)});
  return {};
}

std::vector<Room> movement_rooms() {
  const std::string any = "any";
  return {
      {"", "Transpose", any, lower_transpose, infer_transpose, fold_transpose},
      {"", "Concat", any, lower_concat, infer_concat, fold_concat, Layout::axes, permute_axis},
      {"", "Split", any, lower_split, infer_split, fold_split, Layout::axes, permute_axis},
      {"", "Slice", any, lower_slice, infer_slice, fold_slice},
      {"", "Expand", any, lower_expand, infer_expand, fold_expand},
      {"", "Tile", any, lower_tile, infer_tile, fold_tile},
  };
}

}  // namespace tarn::ops
