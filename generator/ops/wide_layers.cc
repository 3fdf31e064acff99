// WideConv and WideDense: layers of 16-bit codes with known weights of 8 bits. WideConv: x [N, spatial..., C], weights
// [O, C/group, kernel...], with the attributes of Conv; WideDense: x [..., K], weights [O, K]. Attributes: "x_zero",
// "piece" (elements whose sum fits 32 bits), "codes" and "forms" (see runtime/int16/tarn_wide.h).
#include "ops/elementwise.h"
#include "ops/int_packing.h"
#include "ops/int_window.h"
#include "ops/integer.h"
#include "ops/lines.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::Params;

Argument forms_argument(const Node& node, Lowering& low) {
  return low.weight(low.key(node.outputs[0], "_forms"), *node.tensor("forms"));
}

void lower_patches(const Node& node, Lowering& low, const IntWindow& g, const IntWindow& line, Walk walk) {
  const int64_t area = g.area(), length = ceil_div(area * g.inputs, int64_t{4}) * 4;
  walk.read_before_write = g.groups == 1;
  Params params{"tarn_wide_conv2d_s16_params",
                {wide_field(node, "codes"), {"groups", g.groups}, {"inputs", g.inputs}, {"outputs", g.outputs}}};
  params.append(window_fields(g, 3));
  params.append({{"zero", node.integer("x_zero", 0)}, {"length", length}, {"piece", node.integer("piece", 0)}});
  Operation& operation =
      low.call(node, "tarn_wide_conv2d_s16", std::move(params),
               {low.read(node.inputs[0], std::move(walk), true),
                pack_dots(low, low.key(node.inputs[1], cat("/dots", node.outputs[0].value)),
                          *low.constant(node.inputs[1]), g.groups, g.outputs, patch_order(g), 4, true),
                forms_argument(node, low), low.write(node.outputs[0], true),
                low.scratch(DType::int32, length / 2, "patch"), low.lines(g.lines.kernel, DType::int16)});
  set_window_lines(low, operation, "tarn_wide_conv2d_line_s16", line, operation.params,
                   {rows_argument(0, window_map(line.lines)), same_argument(1), same_argument(2), line_argument(3),
                    number_argument(0), number_argument(line.pixels.out), same_argument(4)});
  tell(operation, node, g.macs(), g.groups * g.outputs * (area * g.inputs + 1));
}

void lower_channels(const Node& node, Lowering& low, const IntWindow& g) {
  const int64_t channels = g.groups;
  Params params{"tarn_wide_depthwise2d_s16_params", {wide_field(node, "codes"), {"channels", channels}}};
  params.append(window_fields(g, 3));
  params.append({{"zero", node.integer("x_zero", 0)}});
  const std::string key = low.key(node.inputs[1], cat("/depthwise", node.outputs[0].value));
  Operation& operation =
      low.call(node, "tarn_wide_depthwise2d_s16", std::move(params),
               {low.read(node.inputs[0], window_walk(g), true),
                pack_depthwise(low, key, *low.constant(node.inputs[1]), channels, g.area()), forms_argument(node, low),
                low.write(node.outputs[0], true), low.lines(g.lines.kernel * (g.pixels.kernel + 1), DType::int16),
                low.scratch(DType::int16, channels, "zeros")});
  set_window_lines(low, operation, "tarn_wide_depthwise_line_s16", g, operation.params,
                   {rows_argument(0, window_map(g.lines)), same_argument(1), same_argument(2), line_argument(3),
                    number_argument(0), number_argument(g.pixels.out), same_argument(4), same_argument(5)});
  tell(operation, node, g.macs(), channels * (g.area() + 1));
}

std::optional<Fault> lower_wide_conv(const Node& node, Lowering& low) {
  const IntWindow g = int_window(node, low);
  // Sums of a channel's own taps are made in one piece.
  if (g.groups > 1 && g.inputs == 1 && g.outputs == 1 && g.area() <= node.integer("piece", 0)) {
    lower_channels(node, low, g);
    return {};
  }
  lower_window(node, low, g, lower_patches);
  return {};
}

std::optional<Fault> lower_wide_dense(const Node& node, Lowering& low) {
  lower_rows(node, low, lower_patches);
  return {};
}

}  // namespace

std::vector<OperatorEntry> wide_layer_entries() {
  return {{"tarn", "WideConv", "int16", lower_wide_conv, nullptr, nullptr, Layout::spatial},
          {"tarn", "WideDense", "int16", lower_wide_dense}};
}

}  // namespace tarn::ops
