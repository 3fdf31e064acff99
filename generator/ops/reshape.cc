// Operators that leave the bytes as they are: in a plan they are views, and cost nothing.
#include <algorithm>

#include "ops/folding.h"
#include "ops/indexed.h"
#include "ops/movement.h"
#include "ops/run_time_shapes.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

std::optional<Constants> fold_reshape(const Facts& facts, const Types& outputs) {
  const Constant* x = facts.value(0);
  if (!x || (facts.has(1) && !facts.value(1))) return {};
  Constants constants{x->reshaped(outputs[0].shape)};
  for (size_t i = 1; i < outputs.size(); ++i) return {};
  return constants;
}

std::optional<Fault> lower_reshape(const Node& node, Lowering& low) {
  const Shape &before = low.shape(node.inputs[0]), &after = low.shape(node.outputs[0]);
  if (node.op == "Reshape") check_shape(node, low, false, node.integer("allowzero", 0) == 0);
  if (node.op == "Squeeze")
    check_axes(node, low, before, after, {.keep = false, .ones = true, .none_means_all = false});
  if (node.op == "Unsqueeze")
    check_axes(node, low, after, before, {.keep = false, .ones = true, .none_means_all = false});
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

// The same elements in the shape that later nodes need, of `rank` axes: of leading axes of one
// element, which broadcasting adds, only as many as that leaves. Undefined when there is no such shape.
Answer<Types> as_hinted(const Facts& facts, int64_t rank) {
  if (rank < 0 || !facts.hint() || facts.declared[0].dtype != DType::undefined) return Types{TensorType{}};
  Shape shape = *facts.hint();
  while (shape.rank() > rank && shape[0] == 1) shape.dims.erase(shape.dims.begin());
  const Checked count = checked_count(shape);
  if (shape.rank() != rank || !count || *count != facts.shape(0).count()) return Types{TensorType{}};
  return Types{{facts.types[0].dtype, std::move(shape)}};
}

Answer<Types> infer_reshape(const Facts& facts) {
  const auto wanted = integers_of(facts, 1, "shape");
  if (!wanted) {
    // The shape is only known at run time: the declared one is trusted, else that of what is made of it; every run
    // checks that the values lead there.
    if (facts.declared[0].dtype == DType::undefined) return as_hinted(facts, facts.shape(1).count());
    if (facts.shape(1) != Shape{facts.declared[0].shape.rank()}) {
      return Fault{"a shape of " + to_string(facts.shape(1)) + " for an output declared as " +
                   to_string(facts.declared[0].shape)};
    }
    return same_count(facts, facts.declared[0].shape);
  }
  const Shape& x = facts.shape(0);
  const bool allow_zero = facts.node.integer("allowzero", 0) != 0;
  Shape shape;
  Checked known = 1;
  int open = -1;
  for (size_t i = 0; i < wanted->size(); ++i) {
    int64_t d = (*wanted)[i];
    if (d == 0 && !allow_zero) {
      if (static_cast<int>(i) >= x.rank())
        return Fault{"shape " + to_string(Shape(*wanted)) + " copies an axis that the input lacks"};
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
    if (!axes) return as_hinted(facts, x.rank() - facts.shape(1).count());
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
  if (!axes) return as_hinted(facts, x.rank() + facts.shape(1).count());
  const int rank = x.rank() + static_cast<int>(axes->size());
  if (rank > kMaxRank) return Fault{cat("would have rank ", rank), "", "E207"};
  std::vector<bool> added(static_cast<size_t>(rank), false);
  for (int64_t axis : *axes) {
    const auto at = normalise_axis(axis, rank);
    if (!at || added[static_cast<size_t>(*at)])
      return Fault{cat("axis ", axis, " is outside the result, or given twice")};
    added[static_cast<size_t>(*at)] = true;
  }
  Shape shape;
  int from = 0;
  for (int i = 0; i < rank; ++i) shape.dims.push_back(added[static_cast<size_t>(i)] ? 1 : x[from++]);
  return Types{{facts.types[0].dtype, std::move(shape)}};
}

Answer<Types> infer_same(const Facts& facts) { return Types{facts.types[0]}; }

// In inference Dropout passes its input on; the mask is all true.
Answer<Types> infer_dropout(const Facts& facts) {
  const DType mask = facts.node.version >= 10 ? DType::boolean : facts.types[0].dtype;
  return Types{facts.types[0], {mask, facts.shape(0)}};
}

std::optional<Constants> fold_dropout(const Facts& facts, const Types& outputs) {
  if (!facts.value(0) || may_drop(facts.node, [&](size_t i) { return facts.value(i); })) return {};
  Constants constants{*facts.value(0)};
  if (outputs.size() > 1)
    constants.push_back(Constant::splat(outputs[1], Constant::scalar(outputs[1].dtype, 1).bytes()));
  return constants;
}

void lower_ones(const Node& node, Lowering& low, ValueId y) {
  const DType dtype = low.dtype(y);
  const std::string kernel = "tarn_fill_" + bytes_suffix(dtype);
  low.call(node, kernel, {kernel + "_params", {{"count", low.shape(y).count()}}},
           {low.weight(low.key(y, "/ones"), Constant::scalar(dtype, 1)), low.write(y)});
}

std::optional<Fault> lower_dropout(const Node& node, Lowering& low) {
  if (!may_drop(node, [&](size_t i) { return low.constant(node.inputs[i]); })) {
    if (node.has_output(1)) lower_ones(node, low, node.outputs[1]);
    return node.has_output(0) ? lower_reshape(node, low) : std::nullopt;
  }
  const DType dtype = low.dtype(node.inputs[0]);
  if (!is_kernel_float(dtype))
    return Fault{"training mode is not supported for element type " + to_string(dtype), "", "E204"};
  const bool rated = node.has_input(1);
  if ((rated && (low.dtype(node.inputs[1]) != dtype || low.shape(node.inputs[1]).count() != 1)) ||
      (node.has_input(2) && low.shape(node.inputs[2]).count() != 1)) {
    return Fault{"the ratio is no single " + to_string(dtype), "", "E204"};
  }
  const std::string kernel = "tarn_dropout_" + kernel_suffix(dtype);
  low.call(node, kernel,
           {kernel + "_params",
            {{"count", low.shape(node.inputs[0]).count()}, {"seed", static_cast<int32_t>(node.integer("seed", 0))}}},
           {low.read(node.inputs[0]), rated ? low.read(node.inputs[1]) : low.none(),
            node.has_input(2) ? low.read(node.inputs[2]) : low.none(), low.scratch(DType::uint32, 624, "generator"),
            low.write(node.outputs[0]), node.has_output(1) ? low.write(node.outputs[1]) : low.none()});
  return {};
}

}  // namespace

bool may_drop(const Node& node, const std::function<const Constant*(size_t)>& value) {
  if (!node.has_input(2)) return false;
  const Constant *training = value(2), *ratio = node.has_input(1) ? value(1) : nullptr;
  if (training && !training->is_absent() && training->count() == 1 && training->integer(0) == 0) return false;
  return !(ratio && !ratio->is_absent() && ratio->count() == 1 && ratio->real(0) == 0.0);
}

std::vector<OperatorEntry> reshape_entries() {
  const std::string any = "any";
  return {
      {"", "Reshape", any, lower_reshape, infer_reshape, fold_reshape},
      {"", "Flatten", any, lower_reshape, infer_flatten, fold_reshape},
      {"", "Squeeze", any, lower_reshape, infer_squeeze, fold_reshape},
      {"", "Unsqueeze", any, lower_reshape, infer_unsqueeze, fold_reshape},
      {"", "Identity", any, lower_reshape, infer_same, fold_reshape, Layout::elementwise},
      {"", "Dropout", "floats", lower_dropout, infer_dropout, fold_dropout, Layout::elementwise, nullptr,
       "the same draws in every run"},
  };
}

}  // namespace tarn::ops
