// IntConv and IntDense: int8 layers with known weights, requantised to int8.
//
// IntConv: x [N, spatial..., C], weights [O, C/group, kernel...] (int8, minus "w_zero" where that attribute is), with the
// attributes of Conv and "x_zero". IntDense: x [..., K], weights [O, K]. Exceptions of grouped layers count channels in
// packed order, four lanes a quad.
#include <algorithm>

#include "ops/elementwise.h"
#include "ops/integer.h"
#include "ops/lines.h"
#include "ops/window.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::Params;
using program::Pitch;
using Sink = std::function<void(std::span<const uint8_t>)>;

constexpr int64_t kMostScratch = 2048;  // bytes, where a single patch is not larger

struct Geometry2 {
  int64_t images = 1, groups = 1, inputs = 1, outputs = 1;  // channels per group
  WindowAxis lines, pixels;
  int64_t area() const { return lines.kernel * pixels.kernel; }
  bool pointwise() const {
    auto plain = [](const WindowAxis& a) { return a.kernel == 1 && a.stride == 1 && a.pad_begin == 0 && a.pad_end == 0; };
    return groups == 1 && plain(lines) && plain(pixels);
  }
  bool whole() const {
    auto covers = [](const WindowAxis& a) { return a.kernel == a.in && a.dilation == 1 && a.pad_begin == 0 && a.out == 1; };
    return groups == 1 && images == 1 && covers(lines) && covers(pixels);
  }
};

Geometry2 geometry_of(const Node& node, const Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &w = low.shape(node.inputs[1]);
  Geometry2 g;
  g.images = x[0];
  g.groups = node.integer("group", 1);
  g.inputs = w[1];
  g.outputs = w[0] / g.groups;
  const std::vector<int64_t> in(x.dims.begin() + 1, x.dims.end() - 1), kernel(w.dims.begin() + 2, w.dims.end());
  std::vector<WindowAxis> axes = std::get<0>(window_axes(node, in, kernel));
  stand_signals(low, axes);
  g.pixels = axes.back();
  if (axes.size() > 1) g.lines = axes[0];
  else g.lines.out = 1;
  return g;
}

// [groups][ceil(outputs/4)][ceil(k/4)][4 outputs][4 of k]; `order`: where element k of a row stands in the model.
// `flip`: 0x80 makes unsigned bytes, 128 higher; what fills up stays 0. `words`: as 32-bit words, for kernels that load several bytes at a time.
Argument pack_dots(Lowering& low, const std::string& key, const Constant& w, int64_t groups, int64_t outputs,
                   const std::vector<int64_t>& order, int64_t multiple = 4, bool words = false, int64_t lanes = 4, uint8_t flip = 0) {
  const auto length = static_cast<int64_t>(order.size());
  const int64_t quads = ceil_div(outputs, lanes), steps = ceil_div(length, multiple) * multiple / 4;
  const int64_t bytes = groups * quads * steps * 4 * lanes;
  return low.weight(key, words ? DType::int32 : DType::int8, words ? bytes / 4 : bytes, {&w}, [=](const Sink& sink) {
    std::vector<uint8_t> block(static_cast<size_t>(steps * 4 * lanes));
    const std::vector<uint8_t> bytes = w.bytes();
    for (int64_t quad = 0; quad < groups * quads; ++quad) {
      std::fill(block.begin(), block.end(), uint8_t{0});
      for (int64_t lane = 0; lane < lanes; ++lane) {
        const int64_t within = quad % quads * lanes + lane;
        if (within >= outputs) break;
        const int64_t row = (quad / quads * outputs + within) * length;
        for (int64_t k = 0; k < length; ++k) {
          block[static_cast<size_t>(k / 4 * 4 * lanes + lane * 4 + k % 4)] =
              bytes[static_cast<size_t>(row + order[static_cast<size_t>(k)])] ^ flip;
        }
      }
      sink(block);
    }
  });
}

// [ceil(channels/4)][taps, rounded up][4].
Argument pack_depthwise(Lowering& low, const std::string& key, const Constant& w, int64_t channels, int64_t taps,
                        int64_t multiple = 1, bool words = false) {
  const int64_t quads = ceil_div(channels, int64_t{4}), padded = ceil_div(taps, multiple) * multiple;
  return low.weight(key, words ? DType::int32 : DType::int8, quads * padded * (words ? 1 : 4), {&w}, [=](const Sink& sink) {
    std::vector<uint8_t> block(static_cast<size_t>(quads * padded * 4), 0);
    const std::vector<uint8_t> bytes = w.bytes();
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t t = 0; t < taps; ++t) {
        block[static_cast<size_t>((c / 4 * padded + t) * 4 + c % 4)] = bytes[static_cast<size_t>(c * taps + t)];
      }
    }
    sink(block);
  });
}

// [channels][3 columns] words: the weights of three lines and the negative zero point.
Argument pack_columns3(Lowering& low, const std::string& key, const Constant& w, const Constant* zeros, int64_t channels) {
  const std::vector<int64_t> zero = zeros ? zeros->integers() : std::vector<int64_t>{0};
  return low.weight(key, DType::int32, channels * 3, {&w}, [=](const Sink& sink) {
    std::vector<uint8_t> block(static_cast<size_t>(channels * 12), 0);
    const std::vector<uint8_t> bytes = w.bytes();
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t t = 0; t < 9; ++t) block[static_cast<size_t>(c * 12 + t % 3 * 4 + t / 3)] = bytes[static_cast<size_t>(c * 9 + t)];
      const auto taken = static_cast<uint8_t>(-zero[zero.size() == 1 ? 0 : static_cast<size_t>(c)]);
      for (int64_t column = 0; column < 3; ++column) block[static_cast<size_t>(c * 12 + column * 4 + 3)] = taken;
    }
    sink(block);
  });
}

// `add`: what the stored weights are higher by.
Argument weight_zeros(const Node& node, Lowering& low, int64_t groups, int64_t per_group, int64_t add = 0) {
  const Constant* zeros = node.tensor("w_zero");
  if (!zeros && add == 0) return low.none();
  const int64_t quads = ceil_div(per_group, int64_t{4});
  std::vector<int32_t> packed(static_cast<size_t>(groups * quads * 4), 0);
  for (int64_t c = 0; c < groups * per_group; ++c) {
    packed[static_cast<size_t>((c / per_group * quads + c % per_group / 4) * 4 + c % per_group % 4)] =
        static_cast<int32_t>(add + (zeros ? zeros->integer(zeros->count() == 1 ? 0 : c) : 0));
  }
  return low.weight(low.key(node.outputs[0], "_w_zero"), packed);
}

// Exceptions by packed channel: the unused lanes of a group's last quad have none.
Argument packed_exceptions(const Node& node, Lowering& low, int64_t groups, int64_t per_group) {
  const Constant* exceptions = node.tensor("exceptions");
  if (!exceptions || per_group % 4 == 0 || groups == 1) return exceptions_argument(node, low);
  const std::vector<int64_t> numbers = exceptions->integers();
  const int64_t lanes = ceil_div(per_group, int64_t{4}) * 4, channels = groups * per_group;
  std::vector<int32_t> packed;
  const int64_t more = groups * lanes - channels;
  for (int64_t lane = 0; lane <= groups * lanes; ++lane) {
    const int64_t c = std::min(lane / lanes * per_group + std::min(lane % lanes, per_group), channels);
    packed.push_back(static_cast<int32_t>(numbers[static_cast<size_t>(c)] + more));
  }
  for (size_t i = static_cast<size_t>(channels) + 1; i < numbers.size(); ++i) packed.push_back(static_cast<int32_t>(numbers[i]));
  return low.weight(low.key(node.outputs[0], "_exceptions"), packed);
}

void tell(Operation& operation, const Node& node, int64_t macs, int64_t parameters) {
  operation.macs = macs;
  operation.parameters = parameters;
  operation.note = node.text("form", "");
}

// Processors with pairs of 16-bit products.
bool has_pairs(const Lowering& low) {
  const std::string& target = low.options().target;
  return target == "cortex-m4" || target == "cortex-m7" || target == "cortex-m33" || target == "cortex-m55";
}

// Weights with zero points, and all of them where only unsigned bytes are loaded at once, are stored as unsigned bytes that meet
// unsigned inputs.
bool as_unsigned(const Node& node, const Lowering& low) { return node.tensor("w_zero") || low.options().target == "cortex-m0"; }

void lower_vector(const Node& node, Lowering& low, int64_t inputs, int64_t outputs, const std::vector<int64_t>& order) {
  const std::string key = low.key(node.inputs[1], cat("/dots", node.outputs[0].value));
  const Constant& w = *low.constant(node.inputs[1]);
  if (has_pairs(low) && inputs % 4 == 0 && !node.tensor("w_zero")) {
    Operation& operation =
        low.call(node, "tarn_int_dense_dsp_s8",
                 {"tarn_int_dense_dsp_s8_params", {requant_field(node), {"inputs", inputs}, {"outputs", outputs}}},
                 {low.read(node.inputs[0]), pack_dots(low, key, w, 1, outputs, order, 4, true), quad_constants(node, low, 1, outputs),
                  exceptions_argument(node, low), low.write(node.outputs[0])});
    tell(operation, node, inputs * outputs, inputs * outputs + outputs);
    return;
  }
  const bool is_unsigned = as_unsigned(node, low);
  Argument weights = pack_dots(low, key, w, 1, outputs, order, 4, false, 4, is_unsigned ? 0x80 : 0);
  Operation& operation =
      low.call(node, "tarn_int_dense_s8",
               {"tarn_int_dense_s8_params", {requant_field(node), {"inputs", inputs}, {"outputs", outputs}}},
               {low.read(node.inputs[0]), std::move(weights), quad_constants(node, low, 1, outputs),
                weight_zeros(node, low, 1, outputs, is_unsigned ? 128 : 0), exceptions_argument(node, low), low.write(node.outputs[0])});
  tell(operation, node, inputs * outputs, inputs * outputs + outputs);
}

std::vector<Field> window_fields(const Geometry2& g, size_t y) {
  return {{"rows", g.lines.kernel},
          {"taps", g.pixels.kernel},
          {"images", g.images},
          {"in_lines", g.lines.in},
          {"in_pixels", g.pixels.in},
          {"out_lines", g.lines.out},
          {"out_pixels", g.pixels.out},
          {"stride", std::vector<int64_t>{g.lines.stride, g.pixels.stride}},
          {"dilation", std::vector<int64_t>{g.lines.dilation, g.pixels.dilation}},
          {"pad", std::vector<int64_t>{g.lines.pad_begin, g.pixels.pad_begin}},
          {"x_pitch", Pitch{Pitch::Of::pixel, 0}},
          {"y_pitch", Pitch{Pitch::Of::pixel, y}}};
}

void append(Params& params, std::vector<Field> fields) {
  for (Field& field : fields) params.fields.push_back(std::move(field));
}

Walk walk_of(const Geometry2& g) {
  Walk walk;
  WindowAxis one;
  one.out = 1;
  walk.lines = window_lines(g.images, one, g.lines);
  walk.columns = window_spans(g.pixels);
  return walk;
}

// Pixels whose patches are held at a time: four need many registers.
int64_t block_for(const Lowering& low, int64_t length, int64_t groups, bool is_unsigned) {
  const bool many = low.options().target.starts_with("rv32");
  return many && groups == 1 && !is_unsigned && 4 * length <= kMostScratch ? 4 : 1;
}

// The layer's constants for inputs that are 128 higher.
Node for_unsigned(const Node& node, const Constant& w) {
  Node made = node;
  std::vector<int64_t> constants = node.tensor("constants")->integers();
  const std::vector<int64_t> weights = w.integers();
  const Constant* zeros = node.tensor("w_zero");
  const auto length = static_cast<int64_t>(weights.size()) / w.shape()[0];
  for (int64_t c = 0; c < w.shape()[0]; ++c) {
    int64_t sum = zeros ? -length * zeros->integer(zeros->count() == 1 ? 0 : c) : 0;
    for (int64_t k = 0; k < length; ++k) sum += weights[static_cast<size_t>(c * length + k)];
    constants[static_cast<size_t>(3 * c)] -= 128 * sum;
  }
  made.attributes["constants"] = Constant::ints(DType::int32, node.tensor("constants")->shape(), constants);
  return made;
}

// A line takes the params of the whole call, with the sizes of a tensor that is not one long line.
void set_window_lines(Lowering& low, Operation& operation, const std::string& kernel, const Geometry2& line, Params params,
                      std::vector<program::LineArgument> arguments) {
  if (line.images != 1) return;
  for (Field& field : params.fields) {
    if (field.name == "in_lines") field.value = line.lines.in;
    if (field.name == "in_pixels") field.value = line.pixels.in;
    if (field.name == "out_lines") field.value = line.lines.out;
    if (field.name == "out_pixels") field.value = line.pixels.out;
  }
  set_lines(low, operation, kernel, kernel, std::move(params), std::move(arguments));
}

// Weights with zero points meet the sum of the inputs, which stands behind them in pieces of 16 bits, each of them twice: a
// zero point may need two weights.
struct SummedWeights {
  Constant weights;
  std::vector<int64_t> order;
  int64_t pieces = 0;
};

SummedWeights with_sums(const Node& node, const Constant& w, const std::vector<int64_t>& order) {
  const Constant* zeros = node.tensor("w_zero");
  if (!zeros) return {w, order, 0};
  const auto length = static_cast<int64_t>(order.size());
  const int64_t rounded = ceil_div(length, int64_t{4}) * 4, pieces = ceil_div(128 * length, int64_t{32767}), all = rounded + 2 * pieces;
  const std::vector<int64_t> from = w.integers();
  std::vector<int64_t> values(static_cast<size_t>(w.shape()[0] * all), 0);
  SummedWeights summed;
  for (int64_t o = 0; o < w.shape()[0]; ++o) {
    int64_t* row = values.data() + o * all;
    for (int64_t k = 0; k < length; ++k) row[k] = from[static_cast<size_t>(o * length + order[static_cast<size_t>(k)])];
    const int64_t zero = zeros->integer(zeros->count() == 1 ? 0 : o), half = std::clamp<int64_t>(-zero, -127, 127);
    for (int64_t i = 0; i < pieces; ++i) {
      row[rounded + 2 * i] = half;
      row[rounded + 2 * i + 1] = -zero - half;
    }
  }
  for (int64_t k = 0; k < all; ++k) summed.order.push_back(k);
  summed.weights = Constant::ints(DType::int8, Shape{w.shape()[0], all}, values);
  summed.pieces = pieces;
  return summed;
}

// False: not for this layer.
bool lower_pairs(const Node& node, Lowering& low, const Geometry2& g, const Geometry2& line, Walk walk, const std::vector<int64_t>& order) {
  if (!has_pairs(low) || g.groups != 1) return false;
  const bool zeros = node.tensor("w_zero") != nullptr;
  const SummedWeights summed = with_sums(node, *low.constant(node.inputs[1]), order);
  const int64_t length = ceil_div(static_cast<int64_t>(summed.order.size()), int64_t{8}) * 8;
  const bool wide = 6 * length + (g.inputs % 4 != 0 ? length : 0) <= kMostScratch, bytes = !wide || g.inputs % 4 != 0;
  if (zeros && !wide) return false;
  walk.read_before_write = true;
  Params params{"tarn_int_conv2d_dsp_s8_params", {requant_field(node), {"inputs", g.inputs}, {"outputs", g.outputs}}};
  append(params, window_fields(g, 4));
  append(params, {{"zero", node.integer("x_zero", 0)}, {"length", length}, {"wide", int64_t{wide}}, {"sums", summed.pieces}});
  const std::string key = low.key(node.inputs[1], cat("/dots", node.outputs[0].value));
  Operation& operation = low.call(
      node, "tarn_int_conv2d_dsp_s8", std::move(params),
      {low.read(node.inputs[0], std::move(walk), true), pack_dots(low, key, summed.weights, 1, g.outputs, summed.order, 8, true, wide ? 2 : 4),
       quad_constants(node, low, 1, g.outputs, wide ? 2 : 4), exceptions_argument(node, low), low.write(node.outputs[0], true),
       wide ? low.scratch(DType::int32, 3 * length / 2, "patches") : low.none(),
       bytes ? low.scratch(DType::int8, length, "patch") : low.none(), low.lines(g.lines.kernel, DType::int8)});
  set_window_lines(low, operation, "tarn_int_conv2d_dsp_line_s8", line, operation.params,
                   {rows_argument(0, window_map(line.lines)), same_argument(1), same_argument(2), same_argument(3), line_argument(4),
                    number_argument(0), number_argument(line.pixels.out), same_argument(5), same_argument(6)});
  const int64_t pixels = g.images * g.lines.out * g.pixels.out, inputs = static_cast<int64_t>(order.size());
  tell(operation, node, pixels * g.outputs * inputs, g.outputs * (inputs + 1));
  return true;
}

// `line`: the layer as lines of pixels, where `g` is one long line.
void lower_patches(const Node& node, Lowering& low, const Geometry2& g, const Geometry2& line, Walk walk) {
  const int64_t area = g.area(), length = ceil_div(area * g.inputs, int64_t{4}) * 4;
  std::vector<int64_t> order;
  for (int64_t tap = 0; tap < area; ++tap) {
    for (int64_t c = 0; c < g.inputs; ++c) order.push_back(c * area + tap);
  }
  if (lower_pairs(node, low, g, line, walk, order)) return;
  const bool is_unsigned = as_unsigned(node, low);
  const int64_t block = block_for(low, length, g.groups, is_unsigned);
  const Constant& w = *low.constant(node.inputs[1]);
  walk.read_before_write = g.groups == 1;
  Params params{"tarn_int_conv2d_s8_params",
                {requant_field(node), {"groups", g.groups}, {"inputs", g.inputs}, {"outputs", g.outputs}}};
  append(params, window_fields(g, 5));
  append(params, {{"zero", node.integer("x_zero", 0)}, {"length", length}, {"block", block}});
  Argument weights =
      pack_dots(low, low.key(node.inputs[1], cat("/dots", node.outputs[0].value)), w, g.groups, g.outputs, order, 4, false, 4,
                is_unsigned ? 0x80 : 0);
  Operation& operation =
      low.call(node, "tarn_int_conv2d_s8", std::move(params),
               {low.read(node.inputs[0], std::move(walk), true), std::move(weights),
                quad_constants(is_unsigned ? for_unsigned(node, w) : node, low, g.groups, g.outputs),
                weight_zeros(node, low, g.groups, g.outputs, is_unsigned ? 128 : 0), packed_exceptions(node, low, g.groups, g.outputs),
                low.write(node.outputs[0], true), low.scratch(DType::int8, block * length, "patches"),
                low.lines(g.lines.kernel, DType::int8)});
  set_window_lines(low, operation, "tarn_int_conv2d_line_s8", line, operation.params,
                   {rows_argument(0, window_map(line.lines)), same_argument(1), same_argument(2), same_argument(3), same_argument(4),
                    line_argument(5), number_argument(0), number_argument(line.pixels.out), same_argument(6)});
  const int64_t pixels = g.images * g.lines.out * g.pixels.out, channels = g.groups * g.outputs;
  tell(operation, node, pixels * channels * area * g.inputs, channels * (area * g.inputs + 1));
}

void lower_depthwise(const Node& node, Lowering& low, const Geometry2& g) {
  const int64_t area = g.area(), channels = g.groups;
  const std::string key = low.key(node.inputs[1], cat("/depthwise", node.outputs[0].value));
  const int64_t macs = g.images * g.lines.out * g.pixels.out * channels * area;
  const int64_t columns = (g.pixels.out - 1) * g.pixels.stride + 3;
  const bool square = g.lines.kernel == 3 && g.pixels.kernel == 3 && g.lines.dilation == 1 && g.pixels.dilation == 1;
  const Constant* zeros = node.tensor("w_zero");
  bool fits = true;  // the negative zero points, into int8
  for (int64_t i = 0; zeros && i < zeros->count(); ++i) fits = fits && zeros->integer(i) > -128;
  if (has_pairs(low) && channels % 4 == 0 && fits && square && g.pixels.out >= 4 && 32 * columns <= kMostScratch &&
      g.pixels.pad_begin < columns) {
    Params params{"tarn_int_depthwise3x3_dsp_s8_params",
                  {requant_field(node),
                   {"channels", channels},
                   {"images", g.images},
                   {"in_lines", g.lines.in},
                   {"in_pixels", g.pixels.in},
                   {"out_lines", g.lines.out},
                   {"out_pixels", g.pixels.out},
                   {"stride", std::vector<int64_t>{g.lines.stride, g.pixels.stride}},
                   {"pad", std::vector<int64_t>{g.lines.pad_begin, g.pixels.pad_begin}},
                   {"x_pitch", Pitch{Pitch::Of::pixel, 0}},
                   {"y_pitch", Pitch{Pitch::Of::pixel, 4}},
                   {"zero", node.integer("x_zero", 0)},
                   {"columns", columns},
                   {"sums", int64_t{zeros != nullptr}}}};
    // Every channel is a pass over the whole lines.
    Walk walk = walk_of(g);
    for (program::Span& span : walk.columns) span = {0, g.pixels.in};
    Operation& operation =
        low.call(node, "tarn_int_depthwise3x3_dsp_s8", std::move(params),
                 {low.read(node.inputs[0], std::move(walk), true), pack_columns3(low, key, *low.constant(node.inputs[1]), zeros, channels),
                  quad_constants(node, low, 1, channels), exceptions_argument(node, low), low.write(node.outputs[0], true),
                  low.scratch(DType::int32, 8 * columns, "columns"), low.lines(3, DType::int8)});
    set_window_lines(low, operation, "tarn_int_depthwise3x3_dsp_line_s8", g, operation.params,
                     {rows_argument(0, window_map(g.lines)), same_argument(1), same_argument(2), same_argument(3), line_argument(4),
                      number_argument(0), number_argument(g.pixels.out), same_argument(5)});
    tell(operation, node, macs, channels * (area + 1));
    return;
  }
  if (has_pairs(low) && channels % 4 == 0 && !node.tensor("w_zero")) {
    Params params{"tarn_int_depthwise2d_dsp_s8_params", {requant_field(node), {"channels", channels}}};
    append(params, window_fields(g, 4));
    append(params, {{"zero", node.integer("x_zero", 0)}});
    Operation& operation = low.call(
        node, "tarn_int_depthwise2d_dsp_s8", std::move(params),
        {low.read(node.inputs[0], walk_of(g), true), pack_depthwise(low, key, *low.constant(node.inputs[1]), channels, area, 3, true),
         quad_constants(node, low, 1, channels), exceptions_argument(node, low), low.write(node.outputs[0], true),
         low.lines(ceil_div(area, int64_t{3}) * 3 + g.lines.kernel, DType::int8), low.scratch(DType::int8, channels, "zeros")});
    set_window_lines(low, operation, "tarn_int_depthwise_dsp_line_s8", g, operation.params,
                     {rows_argument(0, window_map(g.lines)), same_argument(1), same_argument(2), same_argument(3), line_argument(4),
                      number_argument(0), number_argument(g.pixels.out), same_argument(5), same_argument(6)});
    tell(operation, node, macs, channels * (area + 1));
    return;
  }
  Params params{"tarn_int_depthwise2d_s8_params", {requant_field(node), {"channels", channels}}};
  append(params, window_fields(g, 5));
  append(params, {{"zero", node.integer("x_zero", 0)}});
  Argument weights = pack_depthwise(low, key, *low.constant(node.inputs[1]), channels, area);
  Operation& operation =
      low.call(node, "tarn_int_depthwise2d_s8", std::move(params),
               {low.read(node.inputs[0], walk_of(g), true), std::move(weights), quad_constants(node, low, 1, channels),
                weight_zeros(node, low, 1, channels), exceptions_argument(node, low), low.write(node.outputs[0], true),
                low.lines(area + g.lines.kernel, DType::int8), low.scratch(DType::int8, channels, "zeros")});
  set_window_lines(low, operation, "tarn_int_depthwise_line_s8", g, operation.params,
                   {rows_argument(0, window_map(g.lines)), same_argument(1), same_argument(2), same_argument(3), same_argument(4),
                    line_argument(5), number_argument(0), number_argument(g.pixels.out), same_argument(6), same_argument(7)});
  tell(operation, node, macs, channels * (area + 1));
}

std::optional<Fault> lower_conv(const Node& node, Lowering& low) {
  const Geometry2 g = geometry_of(node, low);
  if (g.groups > 1 && g.inputs == 1 && g.outputs == 1) {
    lower_depthwise(node, low, g);
    return {};
  }
  if (g.whole()) {
    std::vector<int64_t> order;
    for (int64_t tap = 0; tap < g.area(); ++tap) {
      for (int64_t c = 0; c < g.inputs; ++c) order.push_back(c * g.area() + tap);
    }
    lower_vector(node, low, g.area() * g.inputs, g.outputs, order);
    return {};
  }
  if (!g.pointwise()) {
    lower_patches(node, low, g, g, walk_of(g));
    return {};
  }
  // One long line of pixels.
  Geometry2 line = g;
  line.images = 1;
  line.lines = WindowAxis{1, 1};
  line.pixels = WindowAxis{g.images * g.lines.in * g.pixels.in, g.images * g.lines.in * g.pixels.in};
  Walk walk;
  walk.identity = true;
  lower_patches(node, low, line, g, std::move(walk));
  return {};
}

std::optional<Fault> lower_dense(const Node& node, Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &w = low.shape(node.inputs[1]);
  const int64_t inputs = w[1], outputs = w[0], rows = x.count() / std::max<int64_t>(1, inputs);
  if (rows == 1) {
    std::vector<int64_t> order;
    for (int64_t k = 0; k < inputs; ++k) order.push_back(k);
    lower_vector(node, low, inputs, outputs, order);
    return {};
  }
  Geometry2 g;
  g.inputs = inputs;
  g.outputs = outputs;
  g.lines = WindowAxis{1, 1};
  g.pixels = WindowAxis{rows, rows};
  Walk walk;
  walk.identity = true;
  Geometry2 line = g;
  const Geometry tensor = low.geometry(low.shape(node.outputs[0]));
  line.lines = WindowAxis{tensor.lines, tensor.lines};
  line.pixels = WindowAxis{tensor.pixels, tensor.pixels};
  lower_patches(node, low, g, line, std::move(walk));
  return {};
}

}  // namespace

std::vector<Room> integer_layer_rooms() {
  return {{"tarn", "IntConv", "int8", lower_conv, nullptr, nullptr, Layout::spatial},
          {"tarn", "IntDense", "int8", lower_dense}};
}

}  // namespace tarn::ops
