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

std::optional<Fault> lower_pool(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  if (x.rank() > 5) return Fault{"more than three spatial axes", "", "E208"};
  std::vector<WindowAxis> axes = std::get<0>(window_axes(node, spatial_dims(x, true), {}));
  stand_signals(low, axes);
  WindowAxis one, planes = one, lines = one;
  one.out = planes.out = lines.out = 1;
  const WindowAxis pixels = axes.back();
  if (axes.size() > 1) lines = axes[axes.size() - 2];
  if (axes.size() > 2) planes = axes[axes.size() - 3];
  const bool indices = node.has_output(1);
  const std::string kind = node.op == "MaxPool" ? "maxpool" : node.op == "AveragePool" ? "averagepool" : "lppool";
  const std::string kernel = "tarn_" + kind + (indices ? "_indices_" : "_") + kernel_suffix(dtype);
  Walk walk;
  walk.lines = window_lines(x[0], planes, lines);
  walk.columns = window_spans(pixels);
  Argument from = low.read(node.inputs[0], std::move(walk), true);
  const int64_t channels = x[x.rank() - 1];
  Params line{"tarn_pool_line_params",
              {{"rows", planes.kernel * lines.kernel},
               {"taps", pixels.kernel},
               {"dilation", pixels.dilation},
               {"stride", pixels.stride},
               {"pad", pixels.pad_begin},
               {"pad_end", pixels.pad_end},
               {"in_pixels", pixels.in},
               {"channels", channels},
               {"x_pitch", pitch_of(from, 0, Pitch::Of::pixel, channels)},
               {"y_pitch", Pitch{Pitch::Of::pixel, 1}}}};
  int64_t option = 0;
  if (node.op == "AveragePool") option = node.integer("count_include_pad", 0);
  else if (node.op == "LpPool") option = node.integer("p", 2);
  else option = node.integer("storage_order", 0);
  line.fields.push_back({"option", option});
  Params params{"tarn_pool_params", {{"line", line}, {"images", x[0]}}};
  params.append(axis_fields({planes, lines}));
  params.fields.push_back({"pad_end", std::vector<int64_t>{planes.pad_end, lines.pad_end}});
  params.fields.push_back({"out_pixels", pixels.out});
  params.fields.push_back({"x_line", pitch_of(from, 0, Pitch::Of::line, pixels.in * channels)});
  params.fields.push_back({"y_line", Pitch{Pitch::Of::line, 1}});
  std::vector<Argument> arguments{std::move(from), low.write(node.outputs[0], true)};
  if (indices) {
    arguments.push_back(low.write(node.outputs[1]));
  } else {
    arguments.push_back(low.lines(planes.kernel * lines.kernel, dtype));
  }
  Operation& operation = low.call(node, kernel, std::move(params), std::move(arguments));
  if (indices || axes.size() != 2 || x[0] != 1) return {};
  std::vector<program::LineArgument> one_line{rows_argument(0, window_map(lines)), line_argument(1), number_argument(0),
                                              number_argument(pixels.out)};
  if (node.op == "AveragePool") {
    auto covers = [](const WindowAxis& a) {
      return a.out == 1 && a.kernel == a.in && a.pad_begin == 0 && a.dilation == 1;
    };
    if (covers(lines) && covers(pixels)) {
      // The sums of a global pool are added up in the same order.
      const FieldValue x_pitch = line["x_pitch"];
      set_global_sums(low, operation, channels, lines.in * pixels.in, x_pitch);
      return {};
    }
    // The last windows of a rounded-up pool may stick out of the padding: their size is another one.
    if ((lines.out - 1) * lines.stride + lines.extent() > lines.in + lines.pad_begin + lines.pad_end) return {};
    one_line.push_back(number_argument(lines.kernel));
  }
  const std::string line_kernel = "tarn_" + kind + "_line_" + kernel_suffix(dtype);
  set_lines(low, operation, line_kernel, line_kernel, line, std::move(one_line));
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
