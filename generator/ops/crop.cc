// CenterCropPad: cut or padded evenly at both ends.
#include "ops/movement.h"
#include "ops/pad.h"
#include "ops/run_time_shapes.h"
#include "ops/spatial.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

Answer<Types> infer_crop(const Facts& facts) {
  if (!facts.has(0)) return Fault{"needs an input"};
  const Shape& x = facts.shape(0);
  const auto wanted = integers_of(facts, 1, "");
  if (!wanted) {
    const TensorType& declared = facts.declared.empty() ? TensorType{} : facts.declared[0];
    if (declared.dtype != DType::undefined && declared.shape.rank() != x.rank()) {
      return Fault{"declared as " + to_string(declared) + " from " + to_string(x)};
    }
    return Types{TensorType{}};
  }
  std::vector<int64_t> axes = facts.node.integers("axes");
  if (!facts.node.has("axes")) {
    for (int i = 0; i < x.rank(); ++i) axes.push_back(i);
  }
  if (axes.size() != wanted->size()) return Fault{cat(wanted->size(), " sizes for ", axes.size(), " axes")};
  Shape y = x;
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto axis = normalise_axis(axes[i], x.rank());
    if (!axis || (*wanted)[i] < 0)
      return Fault{cat("axis ", axes[i], " cannot become ", (*wanted)[i], " elements long")};
    y[*axis] = (*wanted)[i];
  }
  return Types{{facts.types[0].dtype, std::move(y)}};
}

// Half of the difference goes to either end, the smaller half to the beginning.
std::optional<Fault> lower_crop(const Node& node, Lowering& low) {
  if (auto fault = refuse_padding(node, low)) return fault;
  const Shape &x = low.shape(node.inputs[0]), &y = low.shape(node.outputs[0]);
  Padding padding;
  if (decides_at_run_time(node, low, 1)) {
    std::vector<int64_t> axes = node.integers("axes"), sizes;
    for (int i = 0; i < x.rank() && !node.has("axes"); ++i) axes.push_back(i);
    std::vector<bool> named(x.dims.size(), false);
    for (int64_t axis : axes) {
      const auto at = normalise_axis(axis, x.rank());
      if (!at) return Fault{cat("axis ", axis, " is outside ", to_string(x))};
      named[static_cast<size_t>(*at)] = true;
      sizes.push_back(y[*at]);
    }
    for (int i = 0; i < x.rank(); ++i) {
      if (!named[static_cast<size_t>(i)] && x[i] != y[i]) return Fault{to_string(x) + " cannot become " + to_string(y)};
    }
    if (low.shape(node.inputs[1]).count() != static_cast<int64_t>(sizes.size()))
      return Fault{"the sizes do not fit the axes"};
    check_numbers(node, low, 1, sizes);
  }
  for (int i = 0; i < x.rank(); ++i) {
    const int64_t difference = y[i] - x[i];
    padding.begin.push_back(difference / 2);
    padding.end.push_back(difference - difference / 2);
  }
  lower_padding(node, low, padding, PadMode::constant, low.none());
  return {};
}

std::optional<std::vector<int>> permute_crop(Graph&, Node& node, const std::vector<int>& to) {
  node.inputs.resize(1);  // the shapes say all
  return to;
}

}  // namespace

std::vector<OperatorEntry> crop_entries() {
  return {{"", "CenterCropPad", "any", lower_crop, infer_crop, nullptr, Layout::axes, permute_crop}};
}

}  // namespace tarn::ops
