// Concat and Split: a copy per part, which disappears where the part can lie in the whole.
#include <algorithm>

#include "ops/folding.h"
#include "ops/movement.h"
#include "ops/run_time_shapes.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

Answer<Types> infer_concat(const Facts& facts) {
  if (!facts.has(0)) return Fault{"has no inputs"};
  Shape shape = facts.shape(0);
  const auto axis = normalise_axis(facts.node.integer("axis", 1), shape.rank());
  if (!axis) return Fault{"axis is outside " + to_string(shape)};
  for (size_t i = 1; i < facts.types.size(); ++i) {
    const Shape& other = facts.shape(i);
    bool fits = facts.has(i) && other.rank() == shape.rank() && facts.types[i].dtype == facts.types[0].dtype;
    for (int d = 0; fits && d < shape.rank(); ++d) fits = d == *axis || other[d] == shape[d];
    if (!fits)
      return Fault{
          cat("input ", i, " is ", to_string(facts.types[i]), ", which does not join ", to_string(facts.types[0]))};
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
  int64_t start = 0;
  for (ValueId input : node.inputs) {
    if (low.shape(input).count() > 0) {
      if (auto fault = lower_part(node, low, input, node.outputs[0], axis, start, true)) return fault;
    }
    start += low.shape(input)[axis];
  }
  return {};
}

// Lengths that only a run knows are those that the model declares, as far as they are parts of what is split.
Answer<Types> declared_parts(const Facts& facts, int axis) {
  const Shape& x = facts.shape(0);
  Types types;
  Checked sum = 0;
  for (const TensorType& declared : facts.declared) {
    types.push_back(declared);
    if (declared.dtype == DType::undefined) return types;  // cannot be told
    const int rank = declared.shape.rank();
    bool fits = declared.dtype == facts.types[0].dtype && rank == x.rank();
    for (int d = 0; fits && d < rank; ++d) fits = d == axis || declared.shape[d] == x[d];
    sum = fits ? checked_add(sum, declared.shape[axis]) : Checked();
    if (!sum) return Fault{cat(to_string(declared), " is declared, which is no part of ", to_string(facts.types[0]))};
  }
  if (*sum != x[axis]) return Fault{cat("the declared parts of axis ", axis, " have ", *sum, " of ", x[axis])};
  if (facts.has(1) && facts.shape(1) != Shape{static_cast<int64_t>(types.size())})
    return Fault{cat(types.size(), " outputs, and lengths of shape ", to_string(facts.shape(1)))};
  return types;
}

Answer<Types> infer_split(const Facts& facts) {
  const Shape& x = facts.shape(0);
  const auto axis = normalise_axis(facts.node.integer("axis", 0), x.rank());
  if (!axis) return Fault{"axis is outside " + to_string(x)};
  const auto count =
      static_cast<int64_t>(facts.node.outputs.empty() ? facts.declared.size() : facts.node.outputs.size());
  std::vector<int64_t> sizes;
  if (facts.node.has("split") || facts.node.has_input(1)) {
    const auto given = integers_of(facts, 1, "split");
    if (!given) {
      return declared_parts(facts, *axis);
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
    return Fault{
        cat("cannot split axis ", *axis, " of ", to_string(x), " into [", join(sizes), "] for ", count, " outputs")};
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
  if (!x || (facts.has(1) && !facts.value(1))) return {};
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
  int64_t start = 0;
  std::vector<int64_t> sizes;
  for (ValueId output : node.outputs) sizes.push_back(output ? low.shape(output)[axis] : -1);
  check_numbers(node, low, 1, sizes);
  for (ValueId output : node.outputs) {
    if (!output) return Fault{"an omitted output is not supported", "", "E208"};
    if (low.shape(output).count() > 0) {
      if (auto fault = lower_part(node, low, output, node.inputs[0], axis, start, false)) return fault;
    }
    start += low.shape(output)[axis];
  }
  return {};
}

std::optional<std::vector<int>> permute_axis(Graph&, Node& node, const std::vector<int>& to) {
  const auto axis = normalise_axis(node.integer("axis", node.op == "Concat" ? 1 : 0), static_cast<int>(to.size()));
  if (!axis) return {};
  node.attributes["axis"] = static_cast<int64_t>(to[static_cast<size_t>(*axis)]);
  return to;
}

}  // namespace

std::vector<OperatorEntry> concat_entries() {
  return {{"", "Concat", "any", lower_concat, infer_concat, fold_concat, Layout::axes, permute_axis},
          {"", "Split", "any", lower_split, infer_split, fold_split, Layout::axes, permute_axis}};
}

}  // namespace tarn::ops
