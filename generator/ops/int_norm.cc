// IntLayerNorm: LayerNormalization of int8 codes ("x_scale") to codes ("y_scale", "y_zero") over the axes from "axis"
// on, with "epsilon"; its scale and bias are known: one number, or one per element of a vector.
// IntGroupNorm: the same of "group" channels over all pixels of an image; scale and bias are known for each channel.
#include "ops/elementwise.h"
#include "ops/integer.h"
#include "ops/lines.h"
#include "ops/norm_form.h"
#include "program/spread_forms.h"

namespace tarn::ops {

namespace {

using program::Pitch;

std::vector<double> numbers_of(const Node& node, const Lowering& low, size_t input) {
  return node.has_input(input) ? low.constant(node.inputs[input])->reals() : std::vector<double>();
}

NormForm form_of(const Node& node, const Lowering& low, int64_t count) {
  return *norm_form({.count = count,
                     .epsilon = node.real("epsilon", 1e-5),
                     .x_scale = node.real("x_scale", 1),
                     .y_scale = node.real("y_scale", 1),
                     .y_zero = node.integer("y_zero", 0),
                     .scale = numbers_of(node, low, 1),
                     .bias = numbers_of(node, low, 2)});
}

program::Field norm_field(const NormForm& form) {
  const auto word = [](uint64_t bits) { return int64_t{static_cast<int32_t>(static_cast<uint32_t>(bits))}; };
  return {"norm", program::Params{"tarn_int_norm_params",
                                  {{"epsilon_high", word(form.epsilon >> 32)},
                                   {"epsilon_low", word(form.epsilon)},
                                   {"room", int64_t{form.room}},
                                   {"z_bits", int64_t{form.z_bits}},
                                   {"post", int64_t{form.post}}}}};
}

Argument numbers_argument(const Node& node, Lowering& low, const char* what, const std::vector<int32_t>& numbers) {
  Argument argument = low.weight(low.key(node.outputs[0], what), numbers);
  low.program().weights[argument.weight.pos()].spread = program::short_numbers(numbers);
  return argument;
}

// What reports tell of a normalisation.
void tell_norm(const Node& node, const Lowering& low, Operation& operation) {
  operation.note = "in integers";
  for (size_t i = 1; i < 3; ++i) operation.parameters += node.has_input(i) ? low.shape(node.inputs[i]).count() : 0;
}

std::optional<Fault> lower_int_layernorm(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const int axis = static_cast<int>(*normalise_axis(node.integer("axis", -1), x.rank()));
  const int64_t outer = x.count(0, axis), count = x.count(axis, x.rank());
  const NormForm form = form_of(node, low, count);
  Argument from = low.read(node.inputs[0]), to = low.write(node.outputs[0]);
  FieldValue x_pitch = count, y_pitch = count;
  const bool pixels = count == default_geometry(x).channels && from.role == Argument::Role::read;
  if (pixels) {
    from.walk = elementwise_walk();
    from.pitched = to.pitched = true;
    x_pitch = Pitch{Pitch::Of::pixel, 0};
    y_pitch = Pitch{Pitch::Of::pixel, 3};
  }
  const auto step = [](const std::vector<int32_t>& numbers) { return int64_t{numbers.size() > 1}; };
  Operation& operation = low.call(node, "tarn_int_layernorm_s8",
                                  {"tarn_int_layernorm_s8_params",
                                   {{"outer", outer},
                                    {"count", count},
                                    {"x_pitch", x_pitch},
                                    {"y_pitch", y_pitch},
                                    {"scale_step", step(form.scale)},
                                    {"bias_step", step(form.bias)},
                                    norm_field(form)}},
                                  {std::move(from), numbers_argument(node, low, "_scale", form.scale),
                                   numbers_argument(node, low, "_bias", form.bias), std::move(to)});
  tell_norm(node, low, operation);
  if (!pixels) return {};
  set_pixels_of_line(low, operation, x);
  return {};
}

std::optional<Fault> lower_int_groupnorm(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const int64_t channels = x[x.rank() - 1], pixels = x.count(1, x.rank() - 1), group = node.integer("group", 1);
  const NormForm form = form_of(node, low, group * pixels);
  Operation& operation =
      low.call(node, "tarn_int_groupnorm_s8",
               {"tarn_int_groupnorm_s8_params",
                {{"images", x[0]},
                 {"pixels", pixels},
                 {"channels", channels},
                 {"group", group},
                 {"x_pitch", Pitch{Pitch::Of::pixel, 0}},
                 {"y_pitch", Pitch{Pitch::Of::pixel, 4}},
                 norm_field(form)}},
               {low.read(node.inputs[0], elementwise_walk(), true), numbers_argument(node, low, "_scale", form.scale),
                numbers_argument(node, low, "_bias", form.bias), low.scratch(DType::int32, 2 * channels, "lines"),
                low.write(node.outputs[0], true)});
  tell_norm(node, low, operation);
  operation.macs = x.count();
  return {};
}

}  // namespace

std::vector<OperatorEntry> integer_norm_entries() {
  return {{"tarn", "IntLayerNorm", "int8", lower_int_layernorm},
          {"tarn", "IntGroupNorm", "int8", lower_int_groupnorm, nullptr, nullptr, Layout::spatial}};
}

}  // namespace tarn::ops
