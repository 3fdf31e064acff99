// IntLayerNorm: LayerNormalization of int8 codes ("x_scale") to codes ("y_scale", "y_zero") over the axes from "axis"
// on, with "epsilon"; its scale and bias are known: one number, or one per element of a vector.
#include "ops/elementwise.h"
#include "ops/integer.h"
#include "ops/lines.h"

namespace tarn::ops {

namespace {

using program::Pitch;

// In steps of the output.
Argument in_steps(const Node& node, Lowering& low, size_t input, const char* what) {
  if (!node.has_input(input)) return low.none();
  std::vector<float> values;
  for (double v : low.constant(node.inputs[input])->reals())
    values.push_back(static_cast<float>(v / node.real("y_scale", 1)));
  return low.weight(low.key(node.outputs[0], what), values);
}

std::optional<Fault> lower_int_layernorm(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const int axis = static_cast<int>(*normalise_axis(node.integer("axis", -1), x.rank()));
  const int64_t outer = x.count(0, axis), count = x.count(axis, x.rank());
  Argument from = low.read(node.inputs[0]), to = low.write(node.outputs[0]);
  FieldValue x_pitch = count, y_pitch = count;
  const bool pixels = count == default_geometry(x).channels && from.role == Argument::Role::read;
  if (pixels) {
    from.walk = elementwise_walk();
    from.pitched = to.pitched = true;
    x_pitch = Pitch{Pitch::Of::pixel, 0};
    y_pitch = Pitch{Pitch::Of::pixel, 3};
  }
  const auto step = [&](size_t i) { return int64_t{node.has_input(i) && low.shape(node.inputs[i]).count() > 1}; };
  Operation& operation =
      low.call(node, "tarn_int_layernorm_s8",
               {"tarn_int_layernorm_s8_params",
                {{"outer", outer},
                 {"count", count},
                 {"x_pitch", x_pitch},
                 {"y_pitch", y_pitch},
                 {"scale_step", step(1)},
                 {"bias_step", step(2)},
                 {"x_scale", Float32{node.real("x_scale", 1)}},
                 {"epsilon", Float32{node.real("epsilon", 1e-5)}},
                 {"zero", node.integer("y_zero", 0)}}},
               {std::move(from), in_steps(node, low, 1, "_scale"), in_steps(node, low, 2, "_bias"), std::move(to)});
  operation.note = "sums in integers, elements in floats";
  for (size_t i = 1; i < 3; ++i) operation.parameters += node.has_input(i) ? low.shape(node.inputs[i]).count() : 0;
  if (!pixels) return {};
  set_pixels_of_line(low, operation, x);
  return {};
}

}  // namespace

std::vector<OperatorEntry> integer_norm_entries() { return {{"tarn", "IntLayerNorm", "int8", lower_int_layernorm}}; }

}  // namespace tarn::ops
