// Softmax, LogSoftmax and Hardmax. Before opset 13 they worked on the input flattened to a matrix at `axis`, since then
// along that axis.
#include "ops/softmax.h"

#include <algorithm>

#include "ops/elementwise.h"
#include "ops/lines.h"
#include "support/text.h"

namespace tarn::ops {

std::optional<Vectors> softmax_vectors(const Node& node, const Shape& x) {
  const bool flattened = node.version < 13;
  // A scalar is a vector of one element.
  if (x.rank() == 0) return Vectors{};
  const int64_t given = node.integer("axis", flattened ? 1 : -1);
  if (flattened && given == x.rank()) return Vectors{x.count(), 1, 1};
  const auto axis = normalise_axis(given, x.rank());
  if (!axis) return {};
  if (flattened) return Vectors{x.count(0, *axis), x.count(*axis, x.rank()), 1};
  return Vectors{x.count(0, *axis), x[*axis], x.count(*axis + 1, x.rank())};
}

std::optional<std::vector<int>> permute_softmax(Graph&, Node& node, const std::vector<int>& to) {
  if (node.version < 13) {
    // Flattening at an axis survives when the axes on either side of it stay on their side.
    const auto rank = static_cast<int>(to.size());
    const auto axis = normalise_axis(node.integer("axis", 1), rank);
    if (!axis) return {};
    for (int i = 0; i < rank; ++i) {
      if ((i < *axis) != (to[static_cast<size_t>(i)] < *axis)) return {};
    }
    return to;
  }
  const auto axis = normalise_axis(node.integer("axis", -1), static_cast<int>(to.size()));
  if (!axis) return {};
  node.attributes["axis"] = static_cast<int64_t>(to[static_cast<size_t>(*axis)]);
  return to;
}

namespace {

using program::Pitch;

Answer<Types> infer_softmax(const Facts& facts) {
  if (!facts.has(0)) return Fault{"has no input"};
  if (!softmax_vectors(facts.node, facts.shape(0))) return Fault{"axis is outside " + to_string(facts.shape(0))};
  return Types{facts.types[0]};
}

std::optional<Fault> lower_softmax_axis(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  if (!is_kernel_float(dtype)) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  const Vectors v = *softmax_vectors(node, x);
  std::string name = node.op;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  Argument from = low.read(node.inputs[0]), to = low.write(node.outputs[0]);
  FieldValue x_pitch = v.count * v.inner, y_pitch = v.count * v.inner;
  // A vector that is one pixel: the tensors may be views, and y may take the place of x.
  if (v.inner == 1 && v.count == default_geometry(x).channels && from.role == Argument::Role::read) {
    from.walk = elementwise_walk();
    from.pitched = to.pitched = true;
    x_pitch = Pitch{Pitch::Of::pixel, 0};
    y_pitch = Pitch{Pitch::Of::pixel, 1};
  }
  const bool pixels = from.walk.has_value();
  Operation& operation = low.call(
      node, "tarn_" + name + "_" + kernel_suffix(dtype),
      {"tarn_softmax_params",
       {{"outer", v.outer}, {"count", v.count}, {"inner", v.inner}, {"x_pitch", x_pitch}, {"y_pitch", y_pitch}}},
      {std::move(from), std::move(to)});
  if (!pixels) return {};
  set_pixels_of_line(low, operation, x);
  return {};
}

}  // namespace

std::vector<OperatorEntry> softmax_entries() {
  std::vector<OperatorEntry> entries;
  for (const char* op : {"Softmax", "LogSoftmax", "Hardmax"}) {
    entries.push_back({"", op, "floats", lower_softmax_axis, infer_softmax, nullptr, Layout::axes, permute_softmax});
  }
  return entries;
}

}  // namespace tarn::ops
