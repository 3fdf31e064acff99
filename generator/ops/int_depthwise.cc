// Depthwise convolutions of fused integer layers: which kernel, by target and shape.
#include <algorithm>
#include <utility>

#include "ops/int_layers.h"
#include "ops/int_packing.h"
#include "ops/lines.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::Params;
using program::Pitch;

// The shortest output line for which packing columns of the input pays: with at least sixteen channels, and with fewer.
constexpr int64_t kFewestPixels = 7, kFewestOfFew = 3;
constexpr int64_t kRareZones = 2000;  // steps to one within a zone

// Columns under the kernel in one line.
int64_t columns_of(const IntWindow& g) { return (g.pixels.out - 1) * g.pixels.stride + 3; }

bool suits_pairs3x3(const Node& node, const Lowering& low, const IntWindow& g) {
  const Constant* zeros = node.tensor("w_zero");
  bool fits = true;  // the negative zero points, into int8
  for (int64_t i = 0; zeros && i < zeros->count(); ++i) fits = fits && zeros->integer(i) > -128;
  const bool square = g.lines.kernel == 3 && g.pixels.kernel == 3 && g.lines.dilation == 1 && g.pixels.dilation == 1;
  return has_pairs(low) && g.groups >= 4 && fits && square && g.pixels.pad_begin < columns_of(g);
}

// What the kernels of 3 x 3 windows share, from `requant` to `zero`; their kernel and dilation are no question.
std::vector<program::Field> fields_of_3x3(const Node& node, const IntWindow& g) {
  return {requant_field(node),
          {"channels", g.groups},
          {"images", g.images},
          {"in_lines", g.lines.in},
          {"in_pixels", g.pixels.in},
          {"out_lines", g.lines.out},
          {"out_pixels", g.pixels.out},
          {"stride", std::vector<int64_t>{g.lines.stride, g.pixels.stride}},
          {"pad", std::vector<int64_t>{g.lines.pad_begin, g.pixels.pad_begin}},
          {"x_pitch", Pitch{Pitch::Of::pixel, 0}},
          {"y_pitch", Pitch{Pitch::Of::pixel, 4}},
          {"zero", node.integer("x_zero", 0)}};
}

// Those of each channel by themselves.
Argument channel_constants(const Node& node, Lowering& low) {
  const std::vector<int64_t> numbers = node.tensor("constants")->integers();
  return form_constants(node, low, std::vector<int32_t>(numbers.begin(), numbers.end()), {0},
                        std::vector<bool>(numbers.size() / 3, false));
}

void lower_pairs3x3(const Node& node, Lowering& low, const IntWindow& g) {
  const int64_t channels = g.groups;
  const std::string key = low.key(node.inputs[1], cat("/depthwise", node.outputs[0].value));
  const int64_t columns = columns_of(g);
  const Constant* zeros = node.tensor("w_zero");
  Params params{"tarn_int_depthwise3x3_dsp_s8_params", fields_of_3x3(node, g)};
  params.append({{"columns", columns}, {"sums", int64_t{zeros != nullptr}}});
  // Every channel is a pass over the whole lines.
  Walk walk = window_walk(g);
  for (program::Span& span : walk.columns) span = {0, g.pixels.in};
  Operation& operation =
      low.call(node, "tarn_int_depthwise3x3_dsp_s8", std::move(params),
               {low.read(node.inputs[0], std::move(walk), true),
                narrow_where_room(low, pack_columns3(low, key, *low.constant(node.inputs[1]), zeros, channels)),
                channel_constants(node, low), exceptions_argument(node, low), low.write(node.outputs[0], true),
                low.scratch(DType::int32, 8 * columns, "columns"), low.lines(3, DType::int8)});
  set_window_lines(low, operation, "tarn_int_depthwise3x3_dsp_line_s8", g, operation.params,
                   {rows_argument(0, window_map(g.lines)), same_argument(1), same_argument(2), same_argument(3),
                    line_argument(4), number_argument(0), number_argument(g.pixels.out), same_argument(5)});
  if (operation.line_form) operation.line_form->scratch_pixel_bytes = 32 * g.pixels.stride;
  tell(operation, node, g.macs(), channels * (g.area() + 1));
}

// `roomy`: so much scratch would make it faster.
void lower_pairs(const Node& node, Lowering& low, const IntWindow& g, int64_t roomy) {
  const int64_t channels = g.groups;
  const std::string key = low.key(node.inputs[1], cat("/depthwise", node.outputs[0].value));
  Params params{"tarn_int_depthwise2d_dsp_s8_params", {requant_field(node), {"channels", channels}}};
  params.append(window_fields(g, 4));
  params.append({{"zero", node.integer("x_zero", 0)}});
  Operation& operation = low.call(
      node, "tarn_int_depthwise2d_dsp_s8", std::move(params),
      {low.read(node.inputs[0], window_walk(g), true),
       narrow_where_room(low,
                         pack_depthwise(low, key, *low.constant(node.inputs[1]), channels, g.area(), 3, true, true)),
       quad_constants(node, low, 1, channels, 4, true), exceptions_argument(node, low),
       low.write(node.outputs[0], true), low.lines(ceil_div(g.area(), int64_t{3}) * 3 + g.lines.kernel, DType::int8),
       low.scratch(DType::int8, channels, "zeros")});
  set_window_lines(
      low, operation, "tarn_int_depthwise_dsp_line_s8", g, operation.params,
      {rows_argument(0, window_map(g.lines)), same_argument(1), same_argument(2), same_argument(3), line_argument(4),
       number_argument(0), number_argument(g.pixels.out), same_argument(5), same_argument(6)});
  operation.wish = roomy;
  tell(operation, node, g.macs(), channels * (g.area() + 1));
}

// Pixels of a line that are made at a time.
int64_t piece_of(const IntWindow& g) {
  const int64_t most = (kMostPatches / 64 - 2) / g.pixels.stride / 4 * 4;
  return ceil_div(ceil_div(g.pixels.out, ceil_div(g.pixels.out, most)), int64_t{4}) * 4;
}

bool takes_columns(const Node& node, const Lowering& low, const IntWindow& g) {
  const bool square = g.lines.kernel == 3 && g.pixels.kernel == 3 && g.lines.dilation == 1 && g.pixels.dilation == 1;
  const bool long_enough = g.pixels.out >= (g.groups < 16 ? kFewestOfFew : kFewestPixels);
  if (!has_sixteens(low) || node.tensor("w_zero") || !square || g.pixels.stride > 2 || !long_enough) return false;
  // A value within a zone costs its pixels, or the line, a second, slow pass, and so does every value of a form whose
  // product cannot be doubled.
  const FormNumbers form = form_numbers(node);
  return form.pre > 0 &&
         (form.mask == -1 || (form.half_zone > 0 && 2 * form.half_zone * kRareZones <= int64_t{1} << form.post));
}

void lower_columns(const Node& node, Lowering& low, const IntWindow& g) {
  const int64_t channels = g.groups, piece = piece_of(g);
  const std::string key = low.key(node.inputs[1], cat("/depthwise", node.outputs[0].value));
  Params params{"tarn_int_depthwise3x3_mve_s8_params", fields_of_3x3(node, g)};
  params.append({{"piece", piece}});
  // Sixteen channels are a pass over a whole piece.
  Walk walk = window_walk(g);
  for (size_t first = 0; first < walk.columns.size(); first += static_cast<size_t>(piece)) {
    const size_t end = std::min(walk.columns.size(), first + static_cast<size_t>(piece));
    program::Span all = walk.columns[first];
    for (size_t i = first; i < end; ++i)
      all = {std::min(all.first, walk.columns[i].first), std::max(all.end, walk.columns[i].end)};
    std::fill(walk.columns.begin() + static_cast<std::ptrdiff_t>(first),
              walk.columns.begin() + static_cast<std::ptrdiff_t>(end), all);
  }
  Operation& operation =
      low.call(node, "tarn_int_depthwise3x3_mve_s8", std::move(params),
               {low.read(node.inputs[0], std::move(walk), true),
                narrow_where_room(low, pack_columns4(low, key, *low.constant(node.inputs[1]), channels)),
                channel_constants(node, low), exceptions_argument(node, low), low.write(node.outputs[0], true),
                low.scratch(DType::int32, 16 * (2 + g.pixels.stride * piece), "columns"), low.lines(3, DType::int8)});
  set_window_lines(low, operation, "tarn_int_depthwise3x3_mve_line_s8", g, operation.params,
                   {rows_argument(0, window_map(g.lines)), same_argument(1), same_argument(2), same_argument(3),
                    line_argument(4), number_argument(0), number_argument(g.pixels.out), same_argument(5)});
  tell(operation, node, g.macs(), channels * (g.area() + 1));
}

// False: not for these weights.
bool lower_sixteens(const Node& node, Lowering& low, const IntWindow& g) {
  const int64_t channels = g.groups;
  const std::optional<ChannelWeights> made = channel_weights(node, *low.constant(node.inputs[1]), channels, g.area());
  if (!made) return false;
  const std::string key = low.key(node.inputs[1], cat("/depthwise", node.outputs[0].value));
  Params params{"tarn_int_depthwise2d_mve_s8_params", {requant_field(node), {"channels", channels}}};
  params.append(window_fields(g, 4));
  params.append({{"zero", node.integer("x_zero", 0)}, {"times", made->times}});
  Operation& operation = low.call(
      node, "tarn_int_depthwise2d_mve_s8", std::move(params),
      {low.read(node.inputs[0], window_walk(g), true),
       narrow_where_room(low, pack_channels(low, key, made->weights, channels, made->length)),
       channels_constants(node, low, channels), exceptions_argument(node, low), low.write(node.outputs[0], true),
       low.lines(made->length + g.lines.kernel, DType::int8), low.scratch(DType::int8, channels, "zeros")});
  set_window_lines(
      low, operation, "tarn_int_depthwise_mve_line_s8", g, operation.params,
      {rows_argument(0, window_map(g.lines)), same_argument(1), same_argument(2), same_argument(3), line_argument(4),
       number_argument(0), number_argument(g.pixels.out), same_argument(5), same_argument(6)});
  tell(operation, node, g.macs(), channels * (g.area() + 1));
  return true;
}

// Fewer than four channels.
void lower_few(const Node& node, Lowering& low, const IntWindow& g) {
  const int64_t channels = g.groups, area = g.area(), padded = ceil_div(area, int64_t{3}) * 3;
  const Constant& w = *low.constant(node.inputs[1]);
  Params params{"tarn_int_depthwise2d_few_s8_params", {requant_field(node), {"channels", channels}}};
  params.append(window_fields(g, 4));
  params.append({{"zero", node.integer("x_zero", 0)}});
  Argument weights =
      low.weight(low.key(node.inputs[1], "/few"), DType::int8, channels * padded, {&w}, [=, &w](const auto& sink) {
        std::vector<uint8_t> rows(static_cast<size_t>(channels * padded), 0);
        const std::vector<uint8_t> bytes = w.bytes();
        for (int64_t i = 0; i < channels * area; ++i)
          rows[static_cast<size_t>(i / area * padded + i % area)] = bytes[static_cast<size_t>(i)];
        sink(rows);
      });
  weights = narrow_where_room(low, std::move(weights));
  Operation& operation =
      low.call(node, "tarn_int_depthwise2d_few_s8", std::move(params),
               {low.read(node.inputs[0], window_walk(g), true), std::move(weights), channel_constants(node, low),
                exceptions_argument(node, low), low.write(node.outputs[0], true),
                low.lines(padded + g.lines.kernel, DType::int8), low.scratch(DType::int8, channels, "zeros")});
  set_window_lines(
      low, operation, "tarn_int_depthwise_few_line_s8", g, operation.params,
      {rows_argument(0, window_map(g.lines)), same_argument(1), same_argument(2), same_argument(3), line_argument(4),
       number_argument(0), number_argument(g.pixels.out), same_argument(5), same_argument(6)});
  tell(operation, node, g.macs(), channels * (area + 1));
}

void lower_plain(const Node& node, Lowering& low, const IntWindow& g, int64_t roomy) {
  const int64_t channels = g.groups;
  const std::string key = low.key(node.inputs[1], cat("/depthwise", node.outputs[0].value));
  Params params{"tarn_int_depthwise2d_s8_params", {requant_field(node), {"channels", channels}}};
  params.append(window_fields(g, 5));
  params.append({{"zero", node.integer("x_zero", 0)}});
  Argument weights =
      narrow_where_room(low, pack_depthwise(low, key, *low.constant(node.inputs[1]), channels, g.area()));
  Operation& operation = low.call(
      node, "tarn_int_depthwise2d_s8", std::move(params),
      {low.read(node.inputs[0], window_walk(g), true), std::move(weights), quad_constants(node, low, 1, channels),
       weight_zeros(node, low, 1, channels), exceptions_argument(node, low), low.write(node.outputs[0], true),
       low.lines(g.area() + g.lines.kernel, DType::int8), low.scratch(DType::int8, channels, "zeros")});
  set_window_lines(
      low, operation, "tarn_int_depthwise_line_s8", g, operation.params,
      {rows_argument(0, window_map(g.lines)), same_argument(1), same_argument(2), same_argument(3), same_argument(4),
       line_argument(5), number_argument(0), number_argument(g.pixels.out), same_argument(6), same_argument(7)});
  operation.wish = roomy;
  tell(operation, node, g.macs(), channels * (g.area() + 1));
}

}  // namespace

void lower_int_depthwise(const Node& node, Lowering& low, const IntWindow& g) {
  if (takes_columns(node, low, g)) return lower_columns(node, low, g);
  if (has_sixteens(low) && lower_sixteens(node, low, g)) return;
  const int64_t columns = 32 * columns_of(g);
  const bool suits = suits_pairs3x3(node, low, g);
  const int64_t roomy = suits ? columns : 0;
  if (suits && (columns <= kMostPatches || has_room(node))) lower_pairs3x3(node, low, g);
  else if (has_pairs(low) && g.groups >= 4 && !node.tensor("w_zero")) lower_pairs(node, low, g, roomy);
  else if (has_pairs(low) && !node.tensor("w_zero")) lower_few(node, low, g);
  else lower_plain(node, low, g, roomy);
}

}  // namespace tarn::ops
