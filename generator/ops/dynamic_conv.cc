// DynamicConv and DynamicDense: int8 codes whose scale and zero point may be made at run time, times known weights, to
// floats.
//
// DynamicConv: x [N, spatial..., C] (int8), weights [O, C/group, kernel...] (int8, minus "w_zero" where that attribute
// is), x_scale and x_zero (as the model has it: 128 higher than x's without "x_signed"), w_scale [1 or O], bias [O];
// the attributes of Conv. DynamicDense: x
// [..., K], weights [O, K], the others alike.
#include <utility>

#include "ops/int_packing.h"
#include "ops/int_window.h"
#include "ops/integer.h"
#include "ops/lines.h"
#include "ops/packing.h"
#include "support/text.h"
#include "tensor/byte_rows.h"

namespace tarn::ops {

namespace {

program::Params params_of(const Node& node, const Lowering& low, const IntWindow& g, int64_t length, size_t y) {
  program::Params params{"tarn_dynamic_conv2d_f32_params",
                         {{"groups", g.groups}, {"inputs", g.inputs}, {"outputs", g.outputs}}};
  params.append(window_fields(g, y));
  params.append({{"length", length},
                 {"zero_flip", node.integer("x_signed", 0) * 0x80},
                 {"scale_step", int64_t{low.shape(node.inputs[4]).count() > 1}},
                 {"lo", clamp_low(node, DType::float32)},
                 {"hi", clamp_high(node, DType::float32)}});
  return params;
}

Argument read_or_none(const Node& node, Lowering& low, size_t i) {
  return node.has_input(i) ? low.read(node.inputs[i]) : low.none();
}

// What goes by lines has its scales from the start.
bool is_static(const Node& node, const Lowering& low) {
  const auto known = [&](size_t i) { return !node.has_input(i) || low.constant(node.inputs[i]); };
  return known(2) && known(3);
}

// Sums of the weights of each lane, less their zero points.
Argument lane_sums(const Node& node, Lowering& low, const IntWindow& g) {
  const Constant& weights = *low.constant(node.inputs[1]);
  const Constant* zeros = node.tensor("w_zero");
  const int64_t lanes = ceil_div(g.outputs, int64_t{4}) * 4, length = g.area() * g.inputs;
  std::vector<int32_t> sums(static_cast<size_t>(g.groups * lanes), 0);
  ByteRows rows(weights, length);
  for (int64_t c = 0; c < g.groups * g.outputs; ++c) {
    int64_t sum = zeros ? -length * zeros->integer(c) : 0;
    const int8_t* row = rows.codes(c);
    for (int64_t k = 0; k < length; ++k) sum += row[k];
    sums[static_cast<size_t>(c / g.outputs * lanes + c % g.outputs)] = static_cast<int32_t>(sum);
  }
  return low.weight(low.key(node.outputs[0], "_sums"), sums);
}

void lower_dynamic_depthwise(const Node& node, Lowering& low, const IntWindow& g) {
  const std::string key = low.key(node.inputs[1], cat("/depthwise", node.outputs[0].value));
  Operation& operation =
      low.call(node, "tarn_dynamic_depthwise_f32", params_of(node, low, g, g.area(), 7),
               {low.read(node.inputs[0], window_walk(g), true),
                pack_depthwise(low, key, *low.constant(node.inputs[1]), g.groups, g.area()),
                weight_zeros(node, low, 1, g.groups), read_or_none(node, low, 2), read_or_none(node, low, 3),
                low.read(node.inputs[4]), read_or_none(node, low, 5), low.write(node.outputs[0], true),
                low.lines(g.area() + g.lines.kernel, DType::int8)});
  if (is_static(node, low)) {
    set_window_lines(low, operation, "tarn_dynamic_depthwise_line_f32", g, operation.params,
                     {rows_argument(0, window_map(g.lines)), same_argument(1), same_argument(2), same_argument(3),
                      same_argument(4), same_argument(5), same_argument(6), line_argument(7), number_argument(0),
                      number_argument(g.pixels.out), same_argument(8)});
  }
  tell(operation, node, g.macs(), g.groups * (g.area() + 1));
}

// `line`: the layer as lines of pixels, where `g` may be one long line.
void lower_dynamic_patches(const Node& node, Lowering& low, const IntWindow& g, const IntWindow& line, Walk walk) {
  const std::vector<int64_t> order = patch_order(g);
  const auto inputs = static_cast<int64_t>(order.size());
  const int64_t length = ceil_div(inputs, int64_t{4}) * 4;
  const bool pairs = has_pairs(low);
  const std::string key = low.key(node.inputs[1], cat("/dots", node.outputs[0].value));
  Operation& operation = low.call(
      node, pairs ? "tarn_dynamic_conv2d_dsp_f32" : "tarn_dynamic_conv2d_f32", params_of(node, low, g, length, 8),
      {low.read(node.inputs[0], std::move(walk), true),
       pack_dots(low, key, *low.constant(node.inputs[1]), g.groups, g.outputs, order, 4, pairs),
       lane_sums(node, low, g), weight_zeros(node, low, g.groups, g.outputs), read_or_none(node, low, 2),
       read_or_none(node, low, 3), low.read(node.inputs[4]), read_or_none(node, low, 5),
       low.write(node.outputs[0], true), low.scratch(DType::int8, length, "patch"),
       low.lines(g.lines.kernel, DType::int8)});
  if (is_static(node, low)) {
    std::vector<program::LineArgument> arguments{rows_argument(0, window_map(line.lines))};
    for (size_t i = 1; i <= 7; ++i) arguments.push_back(same_argument(i));
    arguments.insert(arguments.end(),
                     {line_argument(8), number_argument(0), number_argument(line.pixels.out), same_argument(9)});
    set_window_lines(low, operation, pairs ? "tarn_dynamic_conv2d_dsp_line_f32" : "tarn_dynamic_conv2d_line_f32", line,
                     operation.params, std::move(arguments));
  }
  tell(operation, node, g.macs(), g.groups * g.outputs * (inputs + 1));
}

std::optional<Fault> lower_dynamic_conv(const Node& node, Lowering& low) {
  const IntWindow g = int_window(node, low);
  if (g.groups > 1 && g.inputs == 1 && g.outputs == 1) lower_dynamic_depthwise(node, low, g);
  else lower_dynamic_patches(node, low, g, g, window_walk(g));
  return {};
}

std::optional<Fault> lower_dense(const Node& node, Lowering& low) {
  lower_rows(node, low, lower_dynamic_patches);
  return {};
}

}  // namespace

std::vector<OperatorEntry> dynamic_entries() {
  return {{"tarn", "DynamicConv", "int8", lower_dynamic_conv, nullptr, nullptr, Layout::spatial},
          {"tarn", "DynamicDense", "int8", lower_dense}};
}

}  // namespace tarn::ops
