// IntConvTranspose: x [N, spatial..., C], weights [O, C/group, kernel...] (int8), with the attributes of ConvTranspose
// and "x_zero".
#include "ops/conv.h"
#include "ops/int_window.h"
#include "ops/integer.h"
#include "ops/lines.h"
#include "ops/walks.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::Params;
using program::Pitch;

// [groups][ceil(outputs/4)][taps][inputs][4]; outputs of a group.
Argument pack_taps(Lowering& low, const std::string& key, const Constant& w, int64_t groups, int64_t outputs,
                   int64_t inputs, int64_t area) {
  const int64_t quads = ceil_div(outputs, int64_t{4});
  std::vector<int64_t> packed(static_cast<size_t>(groups * quads * area * inputs * 4), 0);
  const std::vector<int64_t> values = w.integers();
  for (int64_t channel = 0; channel < groups * outputs; ++channel) {
    const int64_t o = channel % outputs, quad = channel / outputs * quads + o / 4;
    for (int64_t c = 0; c < inputs; ++c) {
      for (int64_t tap = 0; tap < area; ++tap) {
        packed[static_cast<size_t>(((quad * area + tap) * inputs + c) * 4 + o % 4)] =
            values[static_cast<size_t>((channel * inputs + c) * area + tap)];
      }
    }
  }
  return low.weight(key, Constant::ints(DType::int8, Shape{static_cast<int64_t>(packed.size())}, packed));
}

std::optional<Fault> lower_int_transposed(const Node& node, Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &w = low.shape(node.inputs[1]);
  IntWindow g;
  g.images = x[0];
  g.groups = node.integer("group", 1);
  g.inputs = w[1];
  g.outputs = w[0] / g.groups;
  std::vector<WindowAxis> axes = std::get<0>(transposed_axes(node, spatial_dims(x, true), spatial_dims(w, false)));
  stand_signals(low, axes);
  if (axes.size() > 1) g.lines = axes[0];
  g.pixels = axes.back();
  Argument from = low.read(node.inputs[0]);
  if (from.role == Argument::Role::read) {
    std::vector<std::vector<program::Span>> spans(1);
    for (const WindowAxis& a : axes) spans.push_back(reaching(a));
    spans.emplace_back();
    from.walk = axes_walk(x, low.shape(node.outputs[0]), spans);
    from.pitched = true;
  }
  Params params{"tarn_int_convtranspose_s8_params",
                {requant_field(node), {"groups", g.groups}, {"inputs", g.inputs}, {"outputs", g.outputs}}};
  params.append(window_fields(g, 4, pitch_of(from, 0, Pitch::Of::pixel, g.groups * g.inputs)));
  params.append({{"zero", node.integer("x_zero", 0)}});
  Argument weights = pack_taps(low, low.key(node.inputs[1], cat("/taps", node.outputs[0].value)),
                               *low.constant(node.inputs[1]), g.groups, g.outputs, g.inputs, g.area());
  Operation& operation =
      low.call(node, "tarn_int_convtranspose_s8", std::move(params),
               {std::move(from), std::move(weights), quad_constants(node, low, g.groups, g.outputs),
                exceptions_argument(node, low), low.write(node.outputs[0], true),
                low.scratch(DType::int32, 2 * g.pixels.kernel, "taps"), low.lines(g.lines.kernel, DType::int8)});
  operation.macs = x.count() * g.outputs * g.area();
  operation.parameters = g.groups * g.outputs * (g.inputs * g.area() + 1);
  operation.note = node.text("form", "");
  if (axes.size() != 2 || x[0] != 1) return {};
  set_lines(low, operation, "tarn_int_convtranspose_line_s8", "tarn_int_convtranspose_line_s8", operation.params,
            {rows_argument(0, reaching_map(g.lines)), same_argument(1), same_argument(2), same_argument(3),
             line_argument(4), number_argument(0), number_argument(g.pixels.out), same_argument(5)});
  return {};
}

}  // namespace

std::vector<OperatorEntry> integer_transposed_entries() {
  return {{"tarn", "IntConvTranspose", "int8", lower_int_transposed, nullptr, nullptr, Layout::spatial}};
}

}  // namespace tarn::ops
