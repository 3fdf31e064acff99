// Pools: a window per output (max, average, Lp norm), or the whole image.
#include <cmath>

#include "ops/conv.h"
#include "ops/lines.h"
#include "ops/packing.h"
#include "ops/window.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::Params;
using program::Pitch;

Answer<Types> infer_pool(const Facts& facts) {
  const Shape& x = facts.shape(0);
  if (x.rank() < 3) return Fault{"needs images, not " + to_string(x)};
  auto axes = window_axes(facts.node, spatial_dims(x, false), {});
  if (const Fault* fault = std::get_if<Fault>(&axes)) return *fault;
  Shape y{x[0], x[1]};
  for (const WindowAxis& a : std::get<0>(axes)) y.dims.push_back(a.out);
  Types types{{facts.types[0].dtype, y}};
  if (facts.node.op == "MaxPool") types.push_back({DType::int64, y});
  return types;
}

Answer<Types> infer_global(const Facts& facts) {
  const Shape& x = facts.shape(0);
  if (x.rank() < 3) return Fault{"needs images, not " + to_string(x)};
  Shape y{x[0], x[1]};
  for (int i = 2; i < x.rank(); ++i) y.dims.push_back(1);
  return Types{{facts.types[0].dtype, std::move(y)}};
}

struct PoolAxes {
  WindowAxis planes, lines, pixels;  // missing ones have one place
};

PoolAxes pool_axes(const std::vector<WindowAxis>& axes) {
  PoolAxes a;
  a.planes.out = a.lines.out = 1;
  a.pixels = axes.back();
  if (axes.size() > 1) a.lines = axes[axes.size() - 2];
  if (axes.size() > 2) a.planes = axes[axes.size() - 3];
  return a;
}

int64_t option_of(const Node& node) {
  if (node.op == "AveragePool") return node.integer("count_include_pad", 0);
  if (node.op == "LpPool") return node.integer("p", 2);
  return node.integer("storage_order", 0);
}

Params pool_line_params(const Node& node, const Argument& from, const PoolAxes& a, int64_t channels) {
  return {"tarn_pool_line_params",
          {{"rows", a.planes.kernel * a.lines.kernel},
           {"taps", a.pixels.kernel},
           {"dilation", a.pixels.dilation},
           {"stride", a.pixels.stride},
           {"pad", a.pixels.pad_begin},
           {"pad_end", a.pixels.pad_end},
           {"in_pixels", a.pixels.in},
           {"channels", channels},
           {"x_pitch", pitch_of(from, 0, Pitch::Of::pixel, channels)},
           {"y_pitch", Pitch{Pitch::Of::pixel, 1}},
           {"option", option_of(node)}}};
}

// The same line by line, where a line of the result needs no more than the lines of its windows.
void set_pool_lines(const Node& node, Lowering& low, Operation& operation, const std::string& kernel, const PoolAxes& a,
                    Params line) {
  std::vector<program::LineArgument> arguments{rows_argument(0, window_map(a.lines)), line_argument(1),
                                               number_argument(0), number_argument(a.pixels.out)};
  if (node.op == "AveragePool") {
    auto covers = [](const WindowAxis& axis) {
      return axis.out == 1 && axis.kernel == axis.in && axis.pad_begin == 0 && axis.dilation == 1;
    };
    if (covers(a.lines) && covers(a.pixels)) {
      // The sums of a global pool are added up in the same order.
      const FieldValue x_pitch = line["x_pitch"];
      const int64_t channels = std::get<int64_t>(line["channels"]);
      set_global_sums(low, operation, channels, a.lines.in * a.pixels.in, x_pitch);
      return;
    }
    // The last windows of a rounded-up pool may stick out of the padding: their size is another one.
    if ((a.lines.out - 1) * a.lines.stride + a.lines.extent() > a.lines.in + a.lines.pad_begin + a.lines.pad_end)
      return;
    arguments.push_back(number_argument(a.lines.kernel));
  }
  set_lines(low, operation, kernel, kernel, std::move(line), std::move(arguments));
  if (operation.line_form) operation.line_form->joins = a.pixels.plain();
}

std::optional<Fault> lower_pool(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  if (x.rank() > 5) return Fault{"more than three spatial axes", "", "E208"};
  std::vector<WindowAxis> axes = std::get<0>(window_axes(node, spatial_dims(x, true), {}));
  stand_signals(low, axes);
  const PoolAxes a = pool_axes(axes);
  const bool indices = node.has_output(1);
  const std::string kind = node.op == "MaxPool" ? "maxpool" : node.op == "AveragePool" ? "averagepool" : "lppool";
  Walk walk;
  walk.lines = window_lines(x[0], a.planes, a.lines);
  walk.columns = window_spans(a.pixels);
  Argument from = low.read(node.inputs[0], std::move(walk), true);
  const int64_t channels = x[x.rank() - 1];
  Params line = pool_line_params(node, from, a, channels);
  Params params{"tarn_pool_params", {{"line", line}, {"images", x[0]}}};
  params.append(axis_fields({a.planes, a.lines}));
  params.fields.push_back({"pad_end", std::vector<int64_t>{a.planes.pad_end, a.lines.pad_end}});
  params.fields.push_back({"out_pixels", a.pixels.out});
  params.fields.push_back({"x_line", pitch_of(from, 0, Pitch::Of::line, a.pixels.in * channels)});
  params.fields.push_back({"y_line", Pitch{Pitch::Of::line, 1}});
  std::vector<Argument> arguments{std::move(from), low.write(node.outputs[0], true)};
  arguments.push_back(indices ? low.write(node.outputs[1]) : low.lines(a.planes.kernel * a.lines.kernel, dtype));
  const std::string suffix = kernel_suffix(dtype);
  Operation& operation =
      low.call(node, "tarn_" + kind + (indices ? "_indices_" : "_") + suffix, std::move(params), std::move(arguments));
  if (!indices && axes.size() == 2 && x[0] == 1)
    set_pool_lines(node, low, operation, "tarn_" + kind + "_line_" + suffix, a, std::move(line));
  return {};
}

std::optional<Fault> lower_global(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  const int64_t channels = x[x.rank() - 1];
  const std::string kind = node.op == "GlobalAveragePool" ? "average" : node.op == "GlobalMaxPool" ? "max" : "lp";
  const std::string kernel = "tarn_global_" + kind + "pool_" + kernel_suffix(dtype);
  Argument from = low.read(node.inputs[0], Walk{}, true);
  const FieldValue x_pitch = pitch_of(from, 0, Pitch::Of::pixel, channels);
  Operation& operation = low.call(node, kernel,
                                  {"tarn_global_pool_params",
                                   {{"images", x[0]},
                                    {"pixels", x.count(1, x.rank() - 1)},
                                    {"channels", channels},
                                    {"x_pitch", x_pitch},
                                    {"option", node.integer("p", 2)}}},
                                  {std::move(from), low.write(node.outputs[0])});
  DType sums = dtype == DType::float64 ? DType::float64 : DType::float32;
  if (!is_float(dtype)) sums = is_signed(dtype) ? DType::int32 : DType::uint32;
  if (x[0] == 1 && (x.rank() == 4 || (x.rank() == 3 && low.options().time_lines))) {
    set_sums(low, operation, kernel, operation.params, sums, channels, {sums_argument(sums), line_argument(1)});
  }
  return {};
}

}  // namespace

std::vector<OperatorEntry> pool_entries() {
  const std::string limits = "at most 3 spatial axes";
  return {
      {"", "MaxPool", "floats, int8, uint8", lower_pool, infer_pool, nullptr, Layout::spatial, nullptr, limits},
      {"", "AveragePool", "floats", lower_pool, infer_pool, nullptr, Layout::spatial, nullptr, limits},
      {"", "LpPool", "floats", lower_pool, infer_pool, nullptr, Layout::spatial, nullptr, limits},
      {"", "GlobalAveragePool", "floats", lower_global, infer_global, nullptr, Layout::spatial},
      {"", "GlobalMaxPool", "floats", lower_global, infer_global, nullptr, Layout::spatial},
      {"", "GlobalLpPool", "floats", lower_global, infer_global, nullptr, Layout::spatial},
  };
}

}  // namespace tarn::ops
