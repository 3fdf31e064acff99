// TopK, OneHot and ReverseSequence.
#include <algorithm>

#include "ops/folding.h"
#include "ops/indexed.h"
#include "ops/movement.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

// How many are wanted, if that is known.
std::optional<int64_t> wanted(const std::optional<std::vector<int64_t>>& k) {
  if (!k || k->size() != 1) return {};
  return (*k)[0];
}

std::optional<int64_t> wanted(const Facts& facts) {
  if (facts.node.has("k")) return facts.node.integer("k", -1);
  return wanted(integers_of(facts, 1, ""));
}

// An unknown k is what the model declares, or anything up to the length of the axis.
Answer<Types> infer_topk(const Facts& facts) {
  if (!facts.has(0)) return Fault{"needs an input"};
  Shape y = facts.shape(0);
  const auto axis = normalise_axis(facts.node.integer("axis", -1), y.rank());
  if (!axis) return Fault{"axis is outside " + to_string(y)};
  const auto k = wanted(facts);
  if (k) {
    if (*k < 0 || *k > y[*axis])
      return Fault{cat("k is ", *k, " along axis ", *axis, " of ", to_string(y)), "", "E211"};
    y[*axis] = *k;
  } else {
    bool promised = false;
    for (size_t i = 0; i < facts.declared.size(); ++i) {
      if (facts.declared[i].dtype == DType::undefined || facts.declared[i].shape.rank() != y.rank()) continue;
      y[*axis] = std::min(y[*axis], facts.declared[i].shape[*axis]);
      promised = promised || facts.promised(i);
    }
    if (!promised && facts.marks) {
      facts.marks->push_back({0, *axis});
      facts.marks->push_back({1, *axis});
    }
  }
  return Types{{facts.types[0].dtype, y}, {DType::int64, y}};
}

std::optional<Fault> lower_topk(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  const int axis = *normalise_axis(node.integer("axis", -1), x.rank());
  const Shape& y = low.shape(node.has_output(0) ? node.outputs[0] : node.outputs[1]);
  const bool known = node.has("k") || low.constant(node.inputs[1]);
  if (!known && low.dtype(node.inputs[1]) != DType::int64) return Fault{"k is no int64"};
  auto output = [&](size_t i, DType type, const char* what) {
    return node.has_output(i) ? low.write(node.outputs[i]) : low.scratch(type, y.count(), what);
  };
  const std::string kernel = "tarn_topk_" + kernel_suffix(dtype);
  Argument values = output(0, dtype, "values"), indices = output(1, DType::int64, "indices");
  Argument found = known ? low.none() : low.size_of(node.outputs[node.has_output(0) ? 0 : 1], axis);
  Operation& operation =
      low.call(node, kernel,
               {kernel + "_params",
                {{"outer", x.count(0, axis)},
                 {"size", x[axis]},
                 {"inner", x.count(axis + 1, x.rank())},
                 {"k", y[axis]},
                 {"largest", int64_t{node.integer("largest", 1) != 0}}}},
               {low.read(node.inputs[0]), known ? low.none() : low.read(node.inputs[1]), values, indices, found});
  operation.returns_status = !known;
  return {};
}

std::optional<int64_t> depth_of(const Facts& facts) { return wanted(integers_of(facts, 1, "")); }

Answer<Types> infer_onehot(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1) || !facts.has(2)) return Fault{"needs indices, depth and values"};
  const Shape& x = facts.shape(0);
  const auto axis = normalise_axis(facts.node.integer("axis", -1), x.rank() + 1);
  if (!axis) return Fault{"axis is outside the result"};
  if (facts.shape(1).count() != 1 || facts.shape(2).count() != 2) {
    return Fault{cat("depth of ", to_string(facts.shape(1)), " and values of ", to_string(facts.shape(2)),
                     " are not 1 and 2 numbers")};
  }
  std::optional<int64_t> depth = depth_of(facts);
  if (depth && *depth < 1) return Fault{cat("the depth is ", *depth), "", "E211"};
  if (!depth) {
    const TensorType& declared = facts.declared[0];
    if (declared.dtype == DType::undefined || declared.shape.rank() != x.rank() + 1) return Types{TensorType{}};
    depth = declared.shape[*axis];
  }
  Shape y = x;
  y.dims.insert(y.dims.begin() + *axis, *depth);
  return Types{{facts.types[2].dtype, std::move(y)}};
}

std::optional<Constants> fold_onehot(const Facts& facts, const Types& outputs) {
  const int64_t count = outputs[0].shape.count();
  if (!all_known(facts) || any_absent(facts) || count > (1 << 20) || is_packed(outputs[0].dtype)) return {};
  const Shape& y = outputs[0].shape;
  const int axis = *normalise_axis(facts.node.integer("axis", -1), y.rank());
  const int64_t depth = y[axis], inner = y.count(axis + 1, y.rank());
  std::vector<int64_t> picked;
  for (int64_t i = 0; i < count; ++i) {
    int64_t index = facts.value(0)->integer(i / (depth * inner) * inner + i % inner);
    if (index < 0) index += depth;
    picked.push_back(index == i / inner % depth);
  }
  auto result = pick(*facts.value(2), outputs[0], picked);
  if (!result) return {};
  return Constants{std::move(*result)};
}

std::optional<Fault> lower_onehot(const Node& node, Lowering& low) {
  const Shape& y = low.shape(node.outputs[0]);
  const DType dtype = low.dtype(node.outputs[0]);
  if (auto fault = refuse_odd_bytes(dtype)) return fault;
  const int axis = *normalise_axis(node.integer("axis", -1), y.rank());
  if (!low.constant(node.inputs[1])) lower_expected(node, low, node.inputs[1], {y[axis]});
  const std::string kernel = "tarn_onehot_" + kernel_suffix(low.dtype(node.inputs[0]));
  low.call(node, kernel,
           {kernel + "_params",
            {{"outer", y.count(0, axis)},
             {"depth", y[axis]},
             {"inner", y.count(axis + 1, y.rank())},
             {"bytes", bytes_for(dtype, 1)}}},
           {low.read(node.inputs[0]), low.read(node.inputs[2]), low.write(node.outputs[0])});
  return {};
}

Answer<Types> infer_reverse(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs an input and lengths"};
  const Shape& x = facts.shape(0);
  const int64_t time = facts.node.integer("time_axis", 0), batch = facts.node.integer("batch_axis", 1);
  if (x.rank() < 2 || !((time == 0 && batch == 1) || (time == 1 && batch == 0))) {
    return Fault{cat("time axis ", time, " and batch axis ", batch, " of ", to_string(x), " are not 0 and 1")};
  }
  if (facts.shape(1) != Shape{x[static_cast<int>(batch)]})
    return Fault{"lengths of " + to_string(facts.shape(1)) + " do not fit " + to_string(x)};
  return Types{facts.types[0]};
}

std::optional<Fault> lower_reverse(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  if (auto fault = refuse_odd_bytes(dtype)) return fault;
  if (low.dtype(node.inputs[1]) != DType::int64) return Fault{"lengths are no int64", "", "E204"};
  const int time = node.integer("time_axis", 0) == 0 ? 0 : 1;
  const int64_t inner = x.count(2, x.rank());
  Operation& operation = low.call(node, "tarn_reverse_sequence_" + bytes_suffix(dtype),
                                  {"tarn_reverse_sequence_params",
                                   {{"batch", x[1 - time]},
                                    {"time", x[time]},
                                    {"inner", inner},
                                    {"batch_pitch", time == 0 ? inner : x[1] * inner},
                                    {"time_pitch", time == 0 ? x[1] * inner : inner}}},
                                  {low.read(node.inputs[0]), low.read(node.inputs[1]), low.write(node.outputs[0])});
  operation.returns_status = true;
  return {};
}

}  // namespace

std::vector<OperatorEntry> ranking_entries() {
  return {{"", "TopK", "numbers", lower_topk, infer_topk},
          {"", "OneHot", "any", lower_onehot, infer_onehot, fold_onehot},
          {"", "ReverseSequence", "any", lower_reverse, infer_reverse}};
}

}  // namespace tarn::ops
