// Operators whose result's size depends on data (note [run-time sizes] in op.h): the largest size is planned, the
// kernel stores the actual one.
#include "ops/selection.h"

#include <algorithm>

#include "ops/folding.h"
#include "ops/indexed.h"
#include "ops/lowering.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

// The largest size: what the data can give, or less if the model declares less.
int64_t largest(const Facts& facts, size_t output, int axis, int64_t natural) {
  const TensorType& declared = facts.declared[output];
  if (declared.dtype == DType::undefined || axis >= declared.shape.rank()) return natural;
  return std::min(natural, declared.shape[axis]);
}

// Where the elements that are not zero stand, if they are known.
std::optional<std::vector<int64_t>> nonzero_places(const Constant* x) {
  if (!x || x->is_absent() || x->count() > kMaxFoldedElements) return {};
  if (!is_float(x->dtype()) && !is_integer(x->dtype()) && x->dtype() != DType::boolean) return {};
  std::vector<int64_t> places;
  for (int64_t i = 0; i < x->count(); ++i) {
    if (x->real(i) != 0) places.push_back(i);
  }
  return places;
}

Answer<Types> infer_nonzero(const Facts& facts) {
  const Shape& x = facts.shape(0);
  const int64_t rank = std::max(1, x.rank());
  if (const auto places = nonzero_places(facts.value(0)))
    return Types{{DType::int64, Shape{rank, static_cast<int64_t>(places->size())}}};
  if (facts.marks) facts.marks->push_back({0, 1});
  return Types{{DType::int64, Shape{rank, largest(facts, 0, 1, x.count())}}};
}

// Exporters make ranges of it, and the indices of masks.
std::optional<Constants> fold_nonzero(const Facts& facts, const Types& outputs) {
  const auto places = nonzero_places(facts.value(0));
  if (!places) return {};
  const Shape& x = facts.shape(0);
  std::vector<int64_t> at;
  at.reserve(static_cast<size_t>(outputs[0].shape.count()));
  for (int axis = 0; axis < x.rank(); ++axis) {
    const int64_t inner = x.count(axis + 1, x.rank());
    for (const int64_t place : *places) at.push_back(place / inner % x[axis]);
  }
  if (x.rank() == 0) at.assign(places->size(), 0);
  return Constants{Constant::ints(DType::int64, outputs[0].shape, at)};
}

std::optional<Fault> lower_nonzero(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  std::vector<int64_t> dims(8, 1);
  for (int i = 0; i < x.rank(); ++i) dims[static_cast<size_t>(i)] = x[i];
  const std::string kernel = "tarn_nonzero_" + kernel_suffix(low.dtype(node.inputs[0]));
  Operation& operation =
      low.call(node, kernel,
               {kernel + "_params",
                {{"rank", std::max<int64_t>(1, x.rank())},
                 {"dims", dims},
                 {"count", x.count()},
                 {"capacity", low.shape(node.outputs[0])[1]}}},
               {low.read(node.inputs[0]), low.write(node.outputs[0]), low.size_of(node.outputs[0], 1)});
  operation.returns_status = true;
  return {};
}

// The tensor as slices along an axis, or as single elements when there is no axis.
struct Slices {
  int64_t outer = 1, size = 1, inner = 1;
  int axis = -1;
};
std::optional<Slices> slices_of(const Node& node, const Shape& x) {
  if (!node.has("axis")) return Slices{1, x.count(), 1, -1};
  const auto axis = normalise_axis(node.integer("axis", 0), x.rank());
  if (!axis) return {};
  return Slices{x.count(0, *axis), x[*axis], x.count(*axis + 1, x.rank()), *axis};
}

// How many slices a condition keeps, if it is known.
std::optional<int64_t> kept(const Constant* condition) {
  if (!condition || condition->is_absent()) return {};
  int64_t count = 0;
  for (int64_t v : condition->integers()) count += v != 0;
  return count;
}

Answer<Types> infer_compress(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs an input and a condition"};
  const auto slices = slices_of(facts.node, facts.shape(0));
  if (!slices) return Fault{"axis is outside " + to_string(facts.shape(0))};
  if (facts.shape(1).rank() != 1 || facts.shape(1)[0] > slices->size) {
    return Fault{cat("a condition of ", to_string(facts.shape(1)), " for ", slices->size, " slices")};
  }
  Shape y = slices->axis < 0 ? Shape{0} : facts.shape(0);
  const int axis = std::max(0, slices->axis);
  const auto count = kept(facts.value(1));
  y[axis] = count ? *count : largest(facts, 0, axis, facts.shape(1)[0]);
  if (!count && facts.marks) facts.marks->push_back({0, axis});
  return Types{{facts.types[0].dtype, std::move(y)}};
}

std::optional<Constants> fold_compress(const Facts& facts, const Types& outputs) {
  if (!all_known(facts) || any_absent(facts)) return {};
  const Slices slices = *slices_of(facts.node, facts.shape(0));
  if (facts.shape(0).count() > kMaxFoldedElements) return {};
  const std::vector<int64_t> condition = facts.value(1)->integers();
  std::vector<int64_t> from;
  for (int64_t o = 0; o < slices.outer; ++o) {
    for (size_t i = 0; i < condition.size(); ++i) {
      for (int64_t k = 0; k < slices.inner && condition[i] != 0; ++k)
        from.push_back((o * slices.size + static_cast<int64_t>(i)) * slices.inner + k);
    }
  }
  auto result = pick(*facts.value(0), outputs[0], from);
  if (!result) return {};
  return Constants{std::move(*result)};
}

std::optional<Fault> lower_compress(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  if (auto fault = refuse_odd_bytes(dtype)) return fault;
  const Slices slices = *slices_of(node, low.shape(node.inputs[0]));
  const int axis = std::max(0, slices.axis);
  const bool known = kept(low.constant(node.inputs[1])).has_value();
  Operation& operation = low.call(node, "tarn_compress_" + bytes_suffix(dtype),
                                  {"tarn_compress_params",
                                   {{"outer", slices.outer},
                                    {"size", slices.size},
                                    {"inner", slices.inner},
                                    {"count", low.shape(node.inputs[1])[0]},
                                    {"capacity", low.shape(node.outputs[0])[axis]}}},
                                  {low.read(node.inputs[0]), low.read(node.inputs[1]), low.write(node.outputs[0]),
                                   known ? low.none() : low.size_of(node.outputs[0], axis)});
  operation.returns_status = !known;
  return {};
}

Answer<Types> infer_unique(const Facts& facts) {
  if (!facts.has(0)) return Fault{"needs an input"};
  const Shape& x = facts.shape(0);
  const auto slices = slices_of(facts.node, x);
  if (!slices) return Fault{"axis is outside " + to_string(x)};
  const int axis = std::max(0, slices->axis);
  int64_t most = slices->size;
  for (size_t i : {size_t{0}, size_t{1}, size_t{3}}) {
    if (i < facts.declared.size()) most = largest(facts, i, i == 0 ? axis : 0, most);
  }
  Shape y = slices->axis < 0 ? Shape{0} : x;
  y[axis] = most;
  if (facts.marks) {
    facts.marks->push_back({0, axis});
    for (int i : {1, 3}) {
      if (static_cast<size_t>(i) < facts.declared.size()) facts.marks->push_back({i, 0});
    }
  }
  return Types{{facts.types[0].dtype, y},
               {DType::int64, Shape{most}},
               {DType::int64, Shape{slices->size}},
               {DType::int64, Shape{most}}};
}

std::optional<Fault> lower_unique(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  if (refuse_odd_bytes(dtype)) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  const Slices slices = *slices_of(node, low.shape(node.inputs[0]));
  const int axis = std::max(0, slices.axis);
  if (!node.has_output(0)) return Fault{"an omitted first output is not supported"};
  auto output = [&](size_t i) { return node.has_output(i) ? low.write(node.outputs[i]) : low.none(); };
  // One number for all outputs.
  const std::string kernel = "tarn_unique_" + kernel_suffix(dtype);
  std::vector<Argument> arguments{low.read(node.inputs[0]),
                                  output(0),
                                  output(1),
                                  output(2),
                                  output(3),
                                  low.size_of(node.outputs[0], axis),
                                  low.scratch(DType::int32, slices.size, "order"),
                                  low.scratch(DType::int32, slices.size, "groups")};
  Operation& operation = low.call(node, kernel,
                                  {kernel + "_params",
                                   {{"outer", slices.outer},
                                    {"size", slices.size},
                                    {"inner", slices.inner},
                                    {"capacity", low.shape(node.outputs[0])[axis]},
                                    {"sorted", int64_t{node.integer("sorted", 1) != 0}}}},
                                  std::move(arguments));
  operation.returns_status = true;
  return {};
}

Answer<Types> infer_nms(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs boxes and scores"};
  const Shape &boxes = facts.shape(0), &scores = facts.shape(1);
  if (boxes.rank() != 3 || scores.rank() != 3 || boxes[2] != 4 || boxes[0] != scores[0] || boxes[1] != scores[2]) {
    return Fault{cat("boxes of ", to_string(boxes), " and scores of ", to_string(scores), " do not fit")};
  }
  for (size_t i = 2; i < 5; ++i) {
    if (facts.has(i) && facts.shape(i).count() != 1) return Fault{cat("input ", i, " is no single number")};
  }
  int64_t of_class = boxes[1];
  if (!facts.has(2)) of_class = 0;
  if (facts.value(2) && !facts.value(2)->is_absent())
    of_class = std::clamp<int64_t>(facts.value(2)->integer(0), 0, of_class);
  const Checked most = checked_mul(checked_mul(boxes[0], scores[1]), of_class);
  if (!most) return Fault{"absurdly many boxes", "", "E207"};
  if (facts.marks) facts.marks->push_back({0, 0});
  return Types{{DType::int64, Shape{largest(facts, 0, 0, *most), 3}}};
}

std::optional<Fault> lower_nms(const Node& node, Lowering& low) {
  const Shape &boxes = low.shape(node.inputs[0]), &scores = low.shape(node.inputs[1]);
  const DType types[5] = {DType::float32, DType::float32, DType::int64, DType::float32, DType::float32};
  for (size_t i = 0; i < 5; ++i) {
    if (node.has_input(i) && low.dtype(node.inputs[i]) != types[i])
      return Fault{cat("input ", i, " is no ", to_string(types[i])), "", "E204"};
  }
  auto optional = [&](size_t i) { return node.has_input(i) ? low.read(node.inputs[i]) : low.none(); };
  std::vector<Argument> arguments{low.read(node.inputs[0]),
                                  low.read(node.inputs[1]),
                                  optional(2),
                                  optional(3),
                                  optional(4),
                                  low.write(node.outputs[0]),
                                  low.size_of(node.outputs[0], 0),
                                  low.scratch(DType::int32, boxes[1], "order")};
  Operation& operation = low.call(node, "tarn_nms",
                                  {"tarn_nms_params",
                                   {{"batches", boxes[0]},
                                    {"classes", scores[1]},
                                    {"count", boxes[1]},
                                    {"centers", int64_t{node.integer("center_point_box", 0) != 0}},
                                    {"capacity", low.shape(node.outputs[0])[0]}}},
                                  std::move(arguments));
  operation.returns_status = true;
  return {};
}

}  // namespace

std::vector<OperatorEntry> selection_entries() {
  return {{"", "NonZero", "any", lower_nonzero, infer_nonzero, fold_nonzero},
          {"", "Compress", "any", lower_compress, infer_compress, fold_compress},
          {"", "Unique", "numbers", lower_unique, infer_unique},
          {"", "NonMaxSuppression", "float32", lower_nms, infer_nms}};
}

}  // namespace tarn::ops
