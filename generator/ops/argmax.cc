// ArgMax and ArgMin.
#include <algorithm>

#include "ops/lines.h"
#include "ops/lowering.h"
#include "ops/softmax.h"
#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

Answer<Types> infer_argmax(const Facts& facts) {
  const Shape& x = facts.shape(0);
  const auto axis = normalise_axis(facts.node.integer("axis", 0), x.rank());
  if (!axis) return Fault{"axis is outside " + to_string(x)};
  if (x[*axis] == 0 && x.count(0, *axis) * x.count(*axis + 1, x.rank()) > 0) return Fault{"the axis has no elements"};
  Shape y = x;
  if (facts.node.integer("keepdims", 1) != 0) y[*axis] = 1;
  else y.dims.erase(y.dims.begin() + *axis);
  return Types{{DType::int64, std::move(y)}};
}

std::optional<Constants> fold_argmax(const Facts& facts, const Types& outputs) {
  const Constant* x = facts.value(0);
  if (!x || x->is_absent() || x->count() > (1 << 20)) return {};
  const Shape& shape = x->shape();
  const int axis = *normalise_axis(facts.node.integer("axis", 0), shape.rank());
  const int64_t count = shape[axis], inner = shape.count(axis + 1, shape.rank()), outer = shape.count(0, axis);
  const bool last = facts.node.integer("select_last_index", 0) != 0, most = facts.node.op == "ArgMax";
  std::vector<int64_t> places;
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      int64_t at = 0;
      for (int64_t k = 1; k < count; ++k) {
        const int64_t a = (o * count + at) * inner + i, b = (o * count + k) * inner + i;
        const bool whole = !is_float(x->dtype());
        const bool equal = whole ? x->integer(a) == x->integer(b) : x->real(a) == x->real(b);
        const bool less = whole ? x->integer(a) < x->integer(b) : x->real(a) < x->real(b);
        if (equal ? last : less == most) at = k;
      }
      places.push_back(at);
    }
  }
  return Constants{Constant::ints(DType::int64, outputs[0].shape, places)};
}

std::optional<Fault> lower_argmax(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const int axis = *normalise_axis(node.integer("axis", 0), x.rank());
  const std::string kernel =
      (node.op == "ArgMax" ? "tarn_argmax_" : "tarn_argmin_") + kernel_suffix(low.dtype(node.inputs[0]));
  Operation& operation = low.call(node, kernel,
                                  {"tarn_argmax_params",
                                   {{"outer", x.count(0, axis)},
                                    {"count", x[axis]},
                                    {"inner", x.count(axis + 1, x.rank())},
                                    {"last", node.integer("select_last_index", 0) != 0 ? int64_t{1} : int64_t{0}}}},
                                  {low.read(node.inputs[0]), low.write(node.outputs[0])});
  program::Params line = operation.params;
  line["outer"] = axis + 1 == x.rank() ? low.geometry(x).pixels : int64_t{1};
  set_reduced_lines(low, operation, node, x, axis == x.rank() - 2, axis == x.rank() - 1, std::move(line));
  return {};
}

// With keepdims the output has the input's axes; without, a permutation would have to lose one.
std::optional<std::vector<int>> permute_argmax(Graph&, Node& node, const std::vector<int>& to) {
  const auto axis = normalise_axis(node.integer("axis", 0), static_cast<int>(to.size()));
  if (!axis) return {};
  const int moved = to[static_cast<size_t>(*axis)];
  node.attributes["axis"] = static_cast<int64_t>(moved);
  if (node.integer("keepdims", 1) != 0) return to;
  std::vector<int> rest;
  for (size_t i = 0; i < to.size(); ++i) {
    if (static_cast<int>(i) == *axis) continue;
    rest.push_back(to[i] > moved ? to[i] - 1 : to[i]);
  }
  return rest;
}

}  // namespace

std::vector<OperatorEntry> argmax_entries() {
  std::vector<OperatorEntry> entries;
  for (const char* op : {"ArgMax", "ArgMin"}) {
    entries.push_back(
        {"", op, "floats, integers", lower_argmax, infer_argmax, fold_argmax, Layout::axes, permute_argmax});
  }
  return entries;
}

}  // namespace tarn::ops
