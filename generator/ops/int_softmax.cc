// IntSoftmax: Softmax of int8 codes ("x_scale") to codes ("y_scale", "y_zero"), with "axis" and the node's version as
// Softmax has them.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/integer.h"
#include "ops/lines.h"
#include "ops/softmax.h"
#include "program/operands.h"
#include "program/spread_forms.h"

namespace tarn::ops {

namespace {

using program::Pitch;

// 256 exponentials, the same whether they are stored or spread out. The largest table entry, the sum of a whole vector
// times half a step, and a whole step fit 32 bits. The one code of a vector differs from none.
Argument exponentials_argument(const Node& node, Lowering& low, int64_t count) {
  const double x_scale = node.real("x_scale", 1), y_scale = node.real("y_scale", 1);
  const double room = std::fmin(1.0, 1.0 / (static_cast<double>(count) * y_scale));
  program::Weight::Spread spread =
      program::exponentials(x_scale, static_cast<int64_t>(std::floor(std::ldexp(room, 31))));
  std::vector<int64_t> table = program::spread_numbers(spread);
  if (count == 1) table.resize(1);
  const Shape shape{static_cast<int64_t>(table.size())};
  Argument argument = low.weight(low.key(node.outputs[0], "_exp"), Constant::ints(DType::uint32, shape, table));
  if (count > 1) low.program().weights[argument.weight.pos()].spread = std::move(spread);
  return argument;
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
  const double y_scale = node.real("y_scale", 1);
  Argument table = exponentials_argument(node, low, v.count);
  Operation& operation = low.call(node, "tarn_int_softmax_s8",
                                  {"tarn_int_softmax_s8_params",
                                   {{"outer", v.outer},
                                    {"count", v.count},
                                    {"inner", v.inner},
                                    {"x_pitch", x_pitch},
                                    {"y_pitch", y_pitch},
                                    {"half_step", static_cast<int64_t>(std::llround(std::ldexp(y_scale, 31)))},
                                    {"zero", node.integer("y_zero", 0)}}},
                                  {std::move(from), std::move(table), std::move(to)});
  operation.note = v.count == 1 ? "table of one exponential" : "table of 256 exponentials";
  if (!source_operand(operation).walk) return {};
  set_pixels_of_line(low, operation, x);
  return {};
}

}  // namespace

std::vector<OperatorEntry> integer_softmax_entries() {
  return {{"tarn", "IntSoftmax", "int8", lower_int_softmax, nullptr, nullptr, Layout::axes, permute_softmax}};
}

}  // namespace tarn::ops
