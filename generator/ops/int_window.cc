#include "ops/int_window.h"

#include <algorithm>
#include <utility>

#include "ops/lines.h"

namespace tarn::ops {

using program::Params;
using program::Pitch;

namespace {

// Single pixels of all images in one long line.
IntWindow long_line(const IntWindow& g) {
  IntWindow line = g;
  line.images = 1;
  line.lines = WindowAxis{1, 1};
  line.pixels = WindowAxis{g.images * g.lines.in * g.pixels.in, g.images * g.lines.in * g.pixels.in};
  return line;
}

// A product in the lines that its output has.
IntWindow by_lines(IntWindow g, const Node& node, const Lowering& low) {
  const Geometry tensor = low.geometry(low.shape(node.outputs[0]));
  g.lines = WindowAxis{tensor.lines, tensor.lines};
  g.pixels = WindowAxis{tensor.pixels, tensor.pixels};
  return g;
}

}  // namespace

IntWindow int_window(const Node& node, const Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &w = low.shape(node.inputs[1]);
  IntWindow g;
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

IntWindow dense_window(const Node& node, const Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &w = low.shape(node.inputs[1]);
  const int64_t rows = x.count() / std::max<int64_t>(1, w[1]);
  IntWindow g;
  g.inputs = w[1];
  g.outputs = w[0];
  g.lines = WindowAxis{1, 1};
  g.pixels = WindowAxis{rows, rows};
  return g;
}

std::vector<Field> window_fields(const IntWindow& g, size_t y, FieldValue x_pitch) {
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
          {"x_pitch", std::move(x_pitch)},
          {"y_pitch", Pitch{Pitch::Of::pixel, y}}};
}

Walk window_walk(const IntWindow& g) {
  Walk walk;
  WindowAxis one;
  one.out = 1;
  walk.lines = window_lines(g.images, one, g.lines);
  walk.columns = window_spans(g.pixels);
  return walk;
}

void lower_window(const Node& node, Lowering& low, const IntWindow& g, PatchLowering lower) {
  if (!g.pointwise()) return lower(node, low, g, g, window_walk(g));
  Walk walk;
  walk.identity = true;
  lower(node, low, long_line(g), g, std::move(walk));
}

void lower_rows(const Node& node, Lowering& low, PatchLowering lower) {
  const IntWindow g = dense_window(node, low);
  Walk walk;
  walk.identity = true;
  lower(node, low, g, by_lines(g, node, low), std::move(walk));
}

std::vector<int64_t> patch_order(const IntWindow& g) {
  std::vector<int64_t> order;
  for (int64_t tap = 0; tap < g.area(); ++tap) {
    for (int64_t c = 0; c < g.inputs; ++c) order.push_back(c * g.area() + tap);
  }
  return order;
}

void set_window_lines(Lowering& low, Operation& operation, const std::string& kernel, const IntWindow& line,
                      Params params, std::vector<program::LineArgument> arguments) {
  if (line.images != 1) return;
  for (Field& field : params.fields) {
    if (field.name == "in_lines") field.value = line.lines.in;
    if (field.name == "in_pixels") field.value = line.pixels.in;
    if (field.name == "out_lines") field.value = line.lines.out;
    if (field.name == "out_pixels") field.value = line.pixels.out;
  }
  set_lines(low, operation, kernel, kernel, std::move(params), std::move(arguments));
  if (!operation.line_form) return;
  operation.line_form->columns = window_map(line.pixels);
  operation.line_form->joins = line.pointwise();
}

bool has_room(const Node& node) { return node.integer("roomy", 0) != 0; }

void tell(Operation& operation, const Node& node, int64_t macs, int64_t parameters) {
  operation.macs = macs;
  operation.parameters = parameters;
  operation.note = node.text("form", "");
}

bool has_pairs(const Lowering& low) {
  const std::string& target = low.options().target;
  return target == "cortex-m4" || target == "cortex-m7" || target == "cortex-m33" || target == "cortex-m55";
}

bool has_sixteens(const Lowering& low) { return low.options().target == "cortex-m55"; }

}  // namespace tarn::ops
