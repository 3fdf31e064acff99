// IntAveragePool: a pool of codes over windows with requantisation. Attributes of AveragePool; channel n - 1 of the
// form is that of n elements under the window when "by_count" is set, else there is one.
#include <algorithm>

#include "ops/int_window.h"
#include "ops/integer.h"
#include "ops/lines.h"
#include "ops/window.h"

namespace tarn::ops {

namespace {

using program::Pitch;

Argument forms_of(const Node& node, Lowering& low, bool wide) {
  const std::vector<int64_t> numbers = node.tensor(wide ? "forms" : "constants")->integers();
  return low.weight(low.key(node.outputs[0], "_requant"), std::vector<int32_t>(numbers.begin(), numbers.end()));
}

// One window as large as the image x.
std::optional<Fault> lower_global(const Node& node, Lowering& low, const Shape& x) {
  const DType code = low.dtype(node.inputs[0]);
  const bool wide = code == DType::int16;
  const std::string kernel = "tarn_int_global_average_" + kernel_suffix(code);
  const int64_t channels = x[x.rank() - 1];
  Operation& operation = low.call(node, kernel,
                                  {kernel + "_params",
                                   {wide ? wide_field(node, "requant") : requant_field(node),
                                    {"images", x[0]},
                                    {"pixels", x.count(1, x.rank() - 1)},
                                    {"channels", channels},
                                    {"x_pitch", Pitch{Pitch::Of::pixel, 0}},
                                    {"y_pitch", Pitch{Pitch::Of::pixel, 3}}}},
                                  {low.read(node.inputs[0], {}, true), forms_of(node, low, wide),
                                   exceptions_argument(node, low), low.write(node.outputs[0], true)});
  operation.note = node.text("form", "");
  if (x[0] != 1) return {};
  set_sums(low, operation, "tarn_int_global_sums_" + kernel_suffix(code), operation.params, DType::int32, channels,
           {same_argument(1), same_argument(2), sums_argument(DType::int32), line_argument(3)});
  return {};
}

std::optional<Fault> lower_average(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const std::vector<int64_t> in(x.dims.begin() + 1, x.dims.end() - 1);
  std::vector<WindowAxis> axes = std::get<0>(window_axes(node, in, {}));
  stand_signals(low, axes);
  WindowAxis lines, pixels = axes.back();
  lines.out = 1;
  if (axes.size() > 1) lines = axes[0];
  auto covers = [](const WindowAxis& a) {
    return a.out == 1 && a.kernel == a.in && a.pad_begin == 0 && a.dilation == 1;
  };
  if (covers(lines) && covers(pixels) && node.integer("by_count", 0) == 0) return lower_global(node, low, x);
  const DType code = low.dtype(node.inputs[0]);
  const bool wide = code == DType::int16;
  const std::string kernel = "tarn_int_averagepool_" + kernel_suffix(code),
                    line = "tarn_int_averagepool_line_" + kernel_suffix(code);
  IntWindow g;
  g.images = x[0];
  g.lines = lines;
  g.pixels = pixels;
  program::Params params{kernel + "_params",
                         {wide ? wide_field(node, "requant") : requant_field(node), {"channels", x[x.rank() - 1]}}};
  params.append(window_fields(g, 3));
  params.append({{"by_count", node.integer("by_count", 0)}, {"zero", node.integer("x_zero", 0)}});
  Operation& operation =
      low.call(node, kernel, std::move(params),
               {low.read(node.inputs[0], window_walk(g), true), forms_of(node, low, wide),
                exceptions_argument(node, low), low.write(node.outputs[0], true), low.lines(lines.kernel, code)});
  operation.note = node.text("form", "");
  if (x[0] != 1 || axes.size() != 2) return {};
  set_lines(low, operation, line, line, operation.params,
            {rows_argument(0, window_map(lines)), same_argument(1), same_argument(2), line_argument(3),
             number_argument(0), number_argument(pixels.out)});
  if (operation.line_form) operation.line_form->joins = pixels.plain();
  return {};
}

// IntMean: the mean of whole images of codes, as numbers: (sum - n * x_zero) * scale.
std::optional<Fault> lower_mean(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const int64_t pixels = x.count(1, x.rank() - 1);
  Operation& operation = low.call(node, "tarn_int_mean_s8",
                                  {"tarn_int_mean_s8_params",
                                   {{"images", x[0]},
                                    {"pixels", pixels},
                                    {"channels", x[x.rank() - 1]},
                                    {"x_pitch", Pitch{Pitch::Of::pixel, 0}},
                                    {"y_pitch", Pitch{Pitch::Of::pixel, 1}},
                                    {"begin", -pixels * node.integer("x_zero", 0)},
                                    {"scale", Float32{node.real("scale", 1)}}}},
                                  {low.read(node.inputs[0], {}, true), low.write(node.outputs[0], true)});
  if (x[0] != 1) return {};
  set_sums(low, operation, "tarn_int_mean_sums_s8", operation.params, DType::int32, x[x.rank() - 1],
           {sums_argument(DType::int32), line_argument(1)});
  return {};
}

}  // namespace

std::vector<OperatorEntry> integer_pool_entries() {
  return {{"tarn", "IntAveragePool", "int8, int16", lower_average, nullptr, nullptr, Layout::spatial},
          {"tarn", "IntMean", "int8", lower_mean, nullptr, nullptr, Layout::spatial}};
}

}  // namespace tarn::ops
