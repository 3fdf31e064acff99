// Operators that leave the bytes as they are: in a plan they are views, and cost nothing.
#include <algorithm>

#include "ops/folding.h"
#include "ops/movement.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

std::optional<Constants> fold_reshape(const Facts& facts, const Types& outputs) {
  const Constant* x = facts.value(0);
  if (!x) return {};
  Constants constants{x->reshaped(outputs[0].shape)};
  for (size_t i = 1; i < outputs.size(); ++i) return {};
  return constants;
}

std::optional<Fault> lower_reshape(const Node& node, Lowering& low) {
  if (low.constant(node.inputs[0])) {
    lower_copy(node, low, node.inputs[0], node.outputs[0], {});
  } else {
    lower_copy(node, low, node.inputs[0], node.outputs[0],
               program::View{low.tensor(node.outputs[0]), low.tensor(node.inputs[0]), 0});
  }
  return {};
}

Answer<Types> same_count(const Facts& facts, Shape shape) {
  const Checked before = checked_count(facts.shape(0)), after = checked_count(shape);
  if (!before || !after || *before != *after) {
    return Fault{cat(to_string(facts.shape(0)), " cannot become ", to_string(shape), ": ", before.value_or(-1), " and ",
                     after.value_or(-1), " elements")};
  }
  return Types{{facts.types[0].dtype, std::move(shape)}};
}

Answer<Types> infer_reshape(const Facts& facts) {
  const auto wanted = integers_of(facts, 1, "shape");
  if (!wanted) {
    // The shape is only known at run time: the declared one is trusted.
    if (facts.declared[0].dtype != DType::undefined) return same_count(facts, facts.declared[0].shape);
    return Types{TensorType{}};
  }
  const Shape& x = facts.shape(0);
  const bool allow_zero = facts.node.integer("allowzero", 0) != 0;
  Shape shape;
  Checked known = 1;
  int open = -1;
  for (size_t i = 0; i < wanted->size(); ++i) {
    int64_t d = (*wanted)[i];
    if (d == 0 && !allow_zero) {
      if (static_cast<int>(i) >= x.rank()) return Fault{"shape " + to_string(Shape(*wanted)) + " copies an axis that the input lacks"};
      d = x[static_cast<int>(i)];
    }
    if (d == -1) {
      if (open >= 0) return Fault{"shape " + to_string(Shape(*wanted)) + " has two -1"};
      open = static_cast<int>(i);
    } else if (d < 0) {
      return Fault{"shape " + to_string(Shape(*wanted)) + " has a negative dimension"};
    } else {
      known = checked_mul(known, d);
    }
    shape.dims.push_back(d);
  }
  if (open >= 0) {
    if (!known || *known == 0 || x.count() % *known != 0) {
      return Fault{"-1 in shape " + to_string(Shape(*wanted)) + " has no value for " + to_string(x)};
    }
    shape[open] = x.count() / *known;
  }
  return same_count(facts, std::move(shape));
}

Answer<Types> infer_flatten(const Facts& facts) {
  const Shape& x = facts.shape(0);
  int64_t axis = facts.node.integer("axis", 1);
  if (axis < 0) axis += x.rank();
  if (axis < 0 || axis > x.rank()) return Fault{cat("axis ", axis, " is outside ", to_string(x))};
  const int at = static_cast<int>(axis);
  return Types{{facts.types[0].dtype, Shape{x.count(0, at), x.count(at, x.rank())}}};
}

Answer<Types> infer_squeeze(const Facts& facts) {
  const Shape& x = facts.shape(0);
  std::vector<bool> drop(x.dims.size(), false);
  const bool given = facts.node.has("axes") || facts.node.has_input(1);
  if (given) {
    const auto axes = integers_of(facts, 1, "axes");
    if (!axes) return Types{TensorType{}};
    for (int64_t axis : *axes) {
      const auto at = normalise_axis(axis, x.rank());
      if (!at) return Fault{cat("axis ", axis, " is outside ", to_string(x))};
      if (x[*at] != 1) return Fault{cat("axis ", axis, " of ", to_string(x), " is not 1")};
      drop[static_cast<size_t>(*at)] = true;
    }
  } else {
    for (int i = 0; i < x.rank(); ++i) drop[static_cast<size_t>(i)] = x[i] == 1;
  }
  Shape shape;
  for (int i = 0; i < x.rank(); ++i) {
    if (!drop[static_cast<size_t>(i)]) shape.dims.push_back(x[i]);
  }
  return Types{{facts.types[0].dtype, std::move(shape)}};
}

Answer<Types> infer_unsqueeze(const Facts& facts) {
  const Shape& x = facts.shape(0);
  const auto axes = integers_of(facts, 1, "axes");
  if (!axes) return Types{TensorType{}};
  const int rank = x.rank() + static_cast<int>(axes->size());
  if (rank > kMaxRank) return Fault{cat("would have rank ", rank), "", "E207"};
  std::vector<bool> added(static_cast<size_t>(rank), false);
  for (int64_t axis : *axes) {
    const auto at = normalise_axis(axis, rank);
    if (!at || added[static_cast<size_t>(*at)]) return Fault{cat("axis ", axis, " is outside the result, or given twice")};
    added[static_cast<size_t>(*at)] = true;
  }
  Shape shape;
  int from = 0;
  for (int i = 0; i < rank; ++i) shape.dims.push_back(added[static_cast<size_t>(i)] ? 1 : x[from++]);
  return Types{{facts.types[0].dtype, std::move(shape)}};
}

Answer<Types> infer_same(const Facts& facts) { return Types{facts.types[0]}; }

// In inference Dropout passes its input on; the mask is all true. Training mode is refused.
Answer<Types> infer_dropout(const Facts& facts) {
  if (facts.has(2) && !(facts.value(2) && !facts.value(2)->is_absent() && facts.value(2)->integer(0) == 0) &&
      !(facts.value(1) && !facts.value(1)->is_absent() && facts.value(1)->real(0) == 0.0)) {
    return Fault{"training mode is not supported", "export the model for inference", "E208"};
  }
  const DType mask = facts.node.version >= 10 ? DType::boolean : facts.types[0].dtype;
  return Types{facts.types[0], {mask, facts.shape(0)}};
}

std::optional<Constants> fold_dropout(const Facts& facts, const Types& outputs) {
  if (!facts.value(0)) return {};
  Constants constants{*facts.value(0)};
  if (outputs.size() > 1) constants.push_back(Constant::splat(outputs[1], {1}));
  return constants;
}

}  // namespace

std::vector<Room> reshape_rooms() {
  const std::string any = "any";
  return {
      {"", "Reshape", any, lower_reshape, infer_reshape, fold_reshape},
      {"", "Flatten", any, lower_reshape, infer_flatten, fold_reshape},
      {"", "Squeeze", any, lower_reshape, infer_squeeze, fold_reshape},
      {"", "Unsqueeze", any, lower_reshape, infer_unsqueeze, fold_reshape},
      {"", "Identity", any, lower_reshape, infer_same, fold_reshape, Layout::elementwise},
      {"", "Dropout", "floats", lower_reshape, infer_dropout, fold_dropout, Layout::elementwise, nullptr, "inference only"},
  };
}

}  // namespace tarn::ops
