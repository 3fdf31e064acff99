// IntPrelu: PRelu of int8 codes ("x_zero"). The form's channels are those of the image below zero, and one for all
// numbers that are not.
#include "ops/elementwise.h"
#include "ops/integer.h"
#include "ops/lines.h"

namespace tarn::ops {

namespace {

using program::Pitch;

std::optional<Fault> lower_int_prelu(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const int64_t channels = x[x.rank() - 1];
  const std::vector<int64_t> constants = node.tensor("constants")->integers();
  std::vector<int32_t> forms;
  for (size_t i = 0; i < constants.size(); ++i) {
    if (i % 3 != 0) forms.push_back(static_cast<int32_t>(constants[i]));
  }
  Operation& operation = low.call(
      node, "tarn_int_prelu_s8",
      {"tarn_int_prelu_s8_params",
       {requant_field(node),
        {"pixels", x.count(0, x.rank() - 1)},
        {"channels", channels},
        {"x_pitch", Pitch{Pitch::Of::pixel, 0}},
        {"y_pitch", Pitch{Pitch::Of::pixel, 3}},
        {"zero", node.integer("x_zero", 0)}}},
      {low.read(node.inputs[0], elementwise_walk(), true), low.weight(low.key(node.outputs[0], "_requant"), forms),
       exceptions_argument(node, low), low.write(node.outputs[0], true)});
  operation.note = node.text("form", "");
  operation.parameters = channels;
  set_pixels_of_line(low, operation, x, "pixels");
  return {};
}

}  // namespace

std::vector<OperatorEntry> integer_prelu_entries() {
  return {{"tarn", "IntPrelu", "int8", lower_int_prelu, nullptr, nullptr, Layout::spatial}};
}

}  // namespace tarn::ops
