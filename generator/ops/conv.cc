// Conv: one, two or three spatial axes, groups, depthwise, dilation, auto_pad; weights packed for the kernels' blocks.
#include "ops/conv.h"

#include "ops/coded_weights.h"
#include "ops/elementwise.h"
#include "ops/lines.h"
#include "ops/packing.h"
#include "ops/window.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::BlockRange;
using program::Params;
using program::Pitch;

Answer<Types> infer_conv(const Facts& facts) {
  if (!facts.has(0) || !facts.has(1)) return Fault{"needs an input and weights"};
  const Shape &x = facts.shape(0), &w = facts.shape(1);
  if (x.rank() < 3 || w.rank() != x.rank())
    return Fault{cat("input ", to_string(x), " and weights ", to_string(w), " do not fit")};
  const int64_t group = facts.node.integer("group", 1);
  if (group < 1 || x[1] != w[1] * group || w[0] % group != 0) {
    return Fault{cat("input ", to_string(x), ", weights ", to_string(w), " and group ", group, " do not fit")};
  }
  if (facts.has(2) && facts.shape(2) != Shape{w[0]})
    return Fault{"bias " + to_string(facts.shape(2)) + " for weights " + to_string(w)};
  auto axes = window_axes(facts.node, spatial_dims(x, false), spatial_dims(w, false));
  if (const Fault* fault = std::get_if<Fault>(&axes)) return *fault;
  Shape y{x[0], w[0]};
  for (const WindowAxis& a : std::get<0>(axes)) y.dims.push_back(a.out);
  return Types{{facts.types[0].dtype, std::move(y)}};
}

// Everything the kernels need to know, with missing axes filled in as ones.
struct Geometry3 {
  int64_t images = 1, groups = 1, inputs = 1, outputs = 1;  // channels per group
  WindowAxis planes, lines, pixels;
};

Geometry3 geometry_of(const Node& node, const Lowering& low) {
  const Shape &x = low.shape(node.inputs[0]), &w = low.shape(node.inputs[1]);
  Geometry3 g;
  g.images = x[0];
  g.groups = node.integer("group", 1);
  g.inputs = w[1];
  g.outputs = w[0] / g.groups;
  std::vector<WindowAxis> axes = std::get<0>(window_axes(node, spatial_dims(x, true), spatial_dims(w, false)));
  stand_signals(low, axes);
  g.pixels = axes.back();
  if (axes.size() > 1) g.lines = axes[axes.size() - 2];
  if (axes.size() > 2) g.planes = axes[axes.size() - 3];
  for (WindowAxis* a : {&g.planes, &g.lines}) {
    if (a->in == 1 && a->out == 0) a->out = 1;
  }
  return g;
}

// Positions in one row of the model's weights [inputs][planes][lines][pixels] in the kernels' order
// [planes][lines][pixels] [inputs].
std::vector<int64_t> kernel_order(const Geometry3& g) {
  const int64_t area = g.planes.kernel * g.lines.kernel * g.pixels.kernel;
  std::vector<int64_t> order;
  for (int64_t tap = 0; tap < area; ++tap) {
    for (int64_t c = 0; c < g.inputs; ++c) order.push_back(c * area + tap);
  }
  return order;
}

Walk conv_walk(const Geometry3& g) {
  Walk walk;
  walk.lines = window_lines(g.images, g.planes, g.lines);
  walk.columns = window_spans(g.pixels);
  walk.block_pixels = 4;
  return walk;
}

bool is_pointwise(const Geometry3& g) {
  return g.groups == 1 && g.planes.plain() && g.lines.plain() && g.pixels.plain();
}

// The kernel covers the whole image and makes one pixel: a product with the flattened image.
bool is_whole(const Geometry3& g) {
  auto covers = [](const WindowAxis& a) {
    return a.kernel == a.in && a.dilation == 1 && a.pad_begin == 0 && a.out == 1;
  };
  return g.groups == 1 && covers(g.planes) && covers(g.lines) && covers(g.pixels);
}

struct Weights : LayerWeights {
  Argument bias;
};

// `vectors`: where the target has them.
Weights pack(const Node& node, Lowering& low, const Geometry3& g, bool depthwise, bool vectors) {
  const DType dtype = low.dtype(node.inputs[0]);
  const Constant& w = *low.constant(node.inputs[1]);
  // A scale that was folded in belongs to this node alone.
  const std::string own = node.tensor("weight_scale") ? cat("/", node.outputs[0].value) : "";
  const int64_t rows = g.groups * g.outputs;
  QuadPacking packing{rows, depthwise ? rows : g.outputs, w.count() / std::max<int64_t>(1, rows), kernel_order(g),
                      node.tensor("weight_scale")};
  if (vectors) packing.vectors = vector_form_of(low, dtype);
  // Products with a whole image or a pixel are of one row.
  if (vectors && !depthwise && g.groups == 1)
    packing.sparse_parts = is_pointwise(g) || is_whole(g) ? 1 : g.lines.kernel;
  Weights result{layer_weights(node, low, low.key(node.inputs[1], (depthwise ? "/depthwise" : "/conv") + own),
                               node.inputs[1], packing),
                 low.none()};
  if (node.has_input(2)) {
    result.bias = pack_bias(low, low.key(node.inputs[2], "/bias"), *low.constant(node.inputs[2]), rows,
                            packing.group_rows, dtype, 1, result.lanes);
  }
  return result;
}

// The operands of a layer's kernel in their order.
std::vector<Argument> operands_of(Argument x, Weights weights, Argument residual, Argument y) {
  std::vector<Argument> all{std::move(x)};
  for (Argument& operand : weights.operands) all.push_back(std::move(operand));
  all.push_back(std::move(weights.bias));
  all.push_back(std::move(residual));
  all.push_back(std::move(y));
  return all;
}

// Those of its call for one line.
std::vector<program::LineArgument> line_operands(const Node& node, const Weights& weights, program::LineArgument x,
                                                 int64_t pixels) {
  std::vector<program::LineArgument> all{std::move(x)};
  for (size_t i = 1; i < weights.residual_at(); ++i) all.push_back(same_argument(i));
  all.push_back(node.has_input(3) ? line_argument(weights.residual_at()) : same_argument(weights.residual_at()));
  all.insert(all.end(), {line_argument(weights.y_at()), number_argument(0), number_argument(pixels), apart_argument()});
  return all;
}

int64_t macs_of(const Node& node, const Lowering& low, const Geometry3& g) {
  return low.shape(node.outputs[0]).count() * g.inputs * g.planes.kernel * g.lines.kernel * g.pixels.kernel;
}

int64_t parameters_of(const Node& node, const Lowering& low) {
  int64_t count = low.shape(node.inputs[1]).count();
  if (node.has_input(2)) count += low.shape(node.inputs[2]).count();
  return count;
}

// Residual operand: the fourth input, read just before the pixel is written.
Argument residual(const Node& node, Lowering& low, const Weights& weights) {
  if (!node.has_input(3)) return low.none();
  return low.read(node.inputs[3], residual_walk(weights, 4), true);
}

bool is_volume(const Geometry3& g) { return g.planes.in > 1 || g.planes.kernel > 1 || g.planes.out > 1; }

constexpr size_t kX = 0;  // position of the kernels' input

FieldValue residual_pitch(const Node& node, const Weights& weights, Pitch::Of of) {
  if (!node.has_input(3)) return int64_t{0};
  return Pitch{of, weights.residual_at()};
}

// Without a walk, x is one pixel that is read as a whole.
void lower_dense(const Node& node, Lowering& low, const Geometry3& g, std::optional<Walk> walk) {
  const bool pitched = walk.has_value();
  const DType dtype = low.dtype(node.inputs[0]);
  const Weights w = pack(node, low, g, false, true);
  const std::string kernel = dense_kernel(w, dtype);
  Argument x = pitched ? low.read(node.inputs[0], input_walk(w, std::move(*walk)), true) : low.read(node.inputs[0]);
  const FieldValue x_pitch = pitched ? pitch_of(x, kX, Pitch::Of::pixel, w.columns) : FieldValue{w.columns};
  Operation& operation =
      low.call(node, kernel,
               dense_params(node, w, dtype, g.images * g.planes.out * g.lines.out * g.pixels.out, g.outputs, x_pitch,
                            residual_pitch(node, w, Pitch::Of::pixel)),
               operands_of(std::move(x), w, residual(node, low, w), low.write(node.outputs[0], true)));
  operation.macs = macs_of(node, low, g);
  operation.parameters = parameters_of(node, low);
  operation.note = w.note;
  Params line = operation.params;
  line["pixels"] = g.pixels.out;
  set_lines(low, operation, kernel, kernel + "_line", std::move(line),
            line_operands(node, w, line_argument(kX), g.pixels.out));
  if (operation.line_form) operation.line_form->joins = pitched;
}

Params line_params(const Node& node, const Argument& x, const Weights& w, const std::string& kind, const Geometry3& g,
                   DType dtype, bool depthwise) {
  // Coded weights have one struct for both kinds: channels of a depthwise layer are groups.
  const bool channels = depthwise && !w.coded();
  const std::string suffix = kernel_suffix(dtype);
  Params params{w.coded() ? "tarn_conv_line_coded_" + suffix + "_params"
                          : "tarn_" + kind + "_line_" + w.form + suffix + "_params",
                {{"rows", g.planes.kernel * g.lines.kernel},
                 {"taps", g.pixels.kernel},
                 {"dilation", g.pixels.dilation},
                 {"stride", g.pixels.stride},
                 {"pad", g.pixels.pad_begin},
                 {"in_pixels", g.pixels.in}}};
  params.fields.push_back({channels ? "channels" : "groups", g.groups});
  if (!channels) {
    params.fields.push_back({"inputs", g.inputs});
    params.fields.push_back({"outputs", g.outputs});
  }
  params.fields.push_back({"x_pitch", pitch_of(x, kX, Pitch::Of::pixel, g.groups * g.inputs)});
  params.fields.push_back({"y_pitch", Pitch{Pitch::Of::pixel, w.y_at()}});
  params.fields.push_back({"r_pitch", residual_pitch(node, w, Pitch::Of::pixel)});
  params.fields.push_back({"lo", clamp_low(node, dtype)});
  params.fields.push_back({"hi", clamp_high(node, dtype)});
  if (w.coded()) params.fields.push_back({"w", *w.codes});
  return params;
}

// Weights that are only known at run time are read as the model stores them.
std::optional<Fault> lower_dynamic(const Node& node, Lowering& low, const Geometry3& g) {
  const DType dtype = low.dtype(node.inputs[0]);
  const std::string kernel = "tarn_conv_plain_" + kernel_suffix(dtype);
  Params params{kernel + "_params",
                {{"images", g.images}, {"groups", g.groups}, {"inputs", g.inputs}, {"outputs", g.outputs}}};
  params.append(axis_fields({g.planes, g.lines, g.pixels}));
  params.fields.push_back({"lo", clamp_low(node, dtype)});
  params.fields.push_back({"hi", clamp_high(node, dtype)});
  Operation& operation =
      low.call(node, kernel, std::move(params),
               {low.read(node.inputs[0], conv_walk(g)), low.read(node.inputs[1]),
                node.has_input(2) ? low.read(node.inputs[2]) : low.none(), low.write(node.outputs[0])});
  operation.macs = macs_of(node, low, g);
  return {};
}

// Of windows over images or volumes; `type` names their struct.
Params image_params(const Node& node, const Argument& x, const Weights& w, const std::string& type, const Params& line,
                    const Geometry3& g) {
  Params params{type, {{"line", line}, {"images", g.images}}};
  auto add = [&](const char* name, FieldValue value) { params.fields.push_back({name, std::move(value)}); };
  const bool volume = is_volume(g);
  if (volume) {
    add("in_planes", g.planes.in);
    add("out_planes", g.planes.out);
    add("kernel_planes", g.planes.kernel);
    add("stride_planes", g.planes.stride);
    add("pad_planes", g.planes.pad_begin);
    add("dilation_planes", g.planes.dilation);
  }
  add("in_lines", g.lines.in);
  add("out_lines", g.lines.out);
  if (volume) add("kernel_lines", g.lines.kernel);
  else add("out_pixels", g.pixels.out);
  add("stride", g.lines.stride);
  add("pad", g.lines.pad_begin);
  add("dilation", g.lines.dilation);
  if (volume) add("out_pixels", g.pixels.out);
  add("x_line", pitch_of(x, kX, Pitch::Of::line, g.pixels.in * g.groups * g.inputs));
  add("y_line", Pitch{Pitch::Of::line, w.y_at()});
  add("r_line", residual_pitch(node, w, Pitch::Of::line));
  if (!w.vectors()) {
    add("block_first", BlockRange{false, false});
    add("block_end", BlockRange{true, false});
  }
  return params;
}

void lower_windows(const Node& node, Lowering& low, const Geometry3& g) {
  const DType dtype = low.dtype(node.inputs[0]);
  const bool volume = is_volume(g), depthwise = g.inputs == 1 && g.outputs == 1 && g.groups > 1 && !volume;
  const std::string suffix = kernel_suffix(dtype), kind = depthwise ? "depthwise" : "conv";
  const Weights w = pack(node, low, g, depthwise, !volume);
  Walk walk = input_walk(w, conv_walk(g));
  walk.by_channel = depthwise;
  Argument x = low.read(node.inputs[0], std::move(walk), true);
  const std::string kernel = "tarn_" + kind + (volume ? "3d_" : "2d_") + w.form + suffix;
  const std::string type = w.coded() ? "tarn_images_coded_" + suffix + "_params" : kernel + "_params";
  const Params line = line_params(node, x, w, kind, g, dtype, depthwise);
  Params params = image_params(node, x, w, type, line, g);
  std::vector<Argument> operands =
      operands_of(std::move(x), w, residual(node, low, w), low.write(node.outputs[0], true));
  operands.push_back(low.lines(g.planes.kernel * g.lines.kernel, dtype));
  Operation& operation = low.call(node, kernel, std::move(params), std::move(operands));
  operation.macs = macs_of(node, low, g);
  operation.parameters = parameters_of(node, low);
  operation.note = w.note;
  if (volume || g.images != 1) return;
  const std::string one_line = "tarn_" + kind + "_line_" + w.form + suffix;
  set_lines(low, operation, one_line, one_line, line,
            line_operands(node, w, rows_argument(kX, window_map(g.lines)), g.pixels.out));
  if (operation.line_form) operation.line_form->joins = g.pixels.plain();
}

std::optional<Fault> lower_conv(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  if (dtype != DType::float32 && dtype != DType::float64 && dtype != DType::float16 && dtype != DType::bfloat16) {
    return Fault{"not for element type " + to_string(dtype), "", "E204"};
  }
  if (low.shape(node.inputs[0]).rank() > 5) return Fault{"more than three spatial axes", "", "E208"};
  const Geometry3 g = geometry_of(node, low);
  if (!low.constant(node.inputs[1]) || (node.has_input(2) && !low.constant(node.inputs[2]))) {
    return lower_dynamic(node, low, g);
  }
  if (is_pointwise(g)) {
    Walk walk;
    walk.identity = true;
    lower_dense(node, low, g, std::move(walk));
    return {};
  }
  if (is_whole(g)) {
    // The image is one pixel of planes * lines * pixels * inputs channels: dense, and read as a whole.
    lower_dense(node, low, g, {});
    return {};
  }
  lower_windows(node, low, g);
  return {};
}

}  // namespace

std::vector<OperatorEntry> conv_entries() {
  return {{"", "Conv", "floats", lower_conv, infer_conv, nullptr, Layout::spatial, nullptr, "at most 3 spatial axes"}};
}

}  // namespace tarn::ops
