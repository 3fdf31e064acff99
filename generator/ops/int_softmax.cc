// IntSoftmax: Softmax of int8 codes ("x_scale") to codes ("y_scale", "y_zero"), with "axis" and the node's version as
// Softmax has them.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/integer.h"
#include "ops/lines.h"
#include "ops/softmax.h"
#include "program/operands.h"

namespace tarn::ops {

namespace {

using program::Pitch;

// 256 exponentials. The largest table entry, the sum of a whole vector times half a step, and a whole step fit 32 bits.
std::vector<int64_t> exponentials(double x_scale, double y_scale, int64_t count) {
  const double room = std::fmin(1.0, 1.0 / (static_cast<double>(count) * y_scale));
  const double one = std::floor(std::ldexp(room, 31));
  std::vector<int64_t> table;
  for (int d = 0; d < 256; ++d) table.push_back(std::llround(std::exp(-d * x_scale) * one));
  return table;
}

std::optional<Fault> lower_int_softmax(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const Vectors v = *softmax_vectors(node, x);
  Argument from = low.read(node.inputs[0]), to = low.write(node.outputs[0]);
  FieldValue x_pitch = v.count * v.inner, y_pitch = v.count * v.inner;
  if (v.inner == 1 && v.count == default_geometry(x).channels && from.role == Argument::Role::read) {
    from.walk = elementwise_walk();
    from.pitched = to.pitched = true;
    x_pitch = Pitch{Pitch::Of::pixel, 0};
    y_pitch = Pitch{Pitch::Of::pixel, 2};
  }
  const double x_scale = node.real("x_scale", 1), y_scale = node.real("y_scale", 1);
  const std::vector<int64_t> table = exponentials(x_scale, y_scale, v.count);
  Argument weights = low.weight(low.key(node.outputs[0], "_exp"), Constant::ints(DType::uint32, Shape{256}, table));
  Operation& operation = low.call(node, "tarn_int_softmax_s8",
                                  {"tarn_int_softmax_s8_params",
                                   {{"outer", v.outer},
                                    {"count", v.count},
                                    {"inner", v.inner},
                                    {"x_pitch", x_pitch},
                                    {"y_pitch", y_pitch},
                                    {"half_step", static_cast<int64_t>(std::llround(std::ldexp(y_scale, 31)))},
                                    {"zero", node.integer("y_zero", 0)}}},
                                  {std::move(from), std::move(weights), std::move(to)});
  operation.note = "table of 256 exponentials";
  if (!source_operand(operation).walk) return {};
  set_pixels_of_line(low, operation, x);
  return {};
}

}  // namespace

std::vector<OperatorEntry> integer_softmax_entries() {
  return {{"tarn", "IntSoftmax", "int8", lower_int_softmax, nullptr, nullptr, Layout::axes, permute_softmax}};
}

}  // namespace tarn::ops
