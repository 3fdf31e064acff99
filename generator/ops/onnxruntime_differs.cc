// What ONNX Runtime 1.32 does was found by running it on all small sizes, kernels, strides and dilations, and on all
// modes of Resize.
#include "ops/onnxruntime_differs.h"

#include <algorithm>
#include <cmath>

#include "ops/resize_axes.h"
#include "ops/resize_table.h"
#include "ops/spatial.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

constexpr const char* kPads = "state the pads as numbers (auto_pad NOTSET) and both agree";

struct ResizedAxis {
  int64_t in = 1, kernel = 1, stride = 1, dilation = 1, output_padding = 0;
  int64_t extent() const { return (kernel - 1) * dilation + 1; }
};

std::vector<ResizedAxis> window_of(const Graph& graph, const Node& node, size_t weights) {
  const Shape& x = graph.shape(node.inputs[0]);
  std::vector<int64_t> kernel = node.integers("kernel_shape");
  if (kernel.empty() && node.has_input(weights)) {
    const Shape& w = graph.shape(node.inputs[weights]);
    if (w.rank() == x.rank()) kernel.assign(w.dims.begin() + 2, w.dims.end());
  }
  const std::vector<int64_t> strides = node.integers("strides"), dilations = node.integers("dilations"),
                             output = node.integers("output_padding");
  std::vector<ResizedAxis> axes;
  for (size_t i = 0; i < kernel.size() && static_cast<int>(i) + 2 < x.rank(); ++i) {
    const auto at = [&](const std::vector<int64_t>& list, int64_t otherwise) {
      return i < list.size() ? list[i] : otherwise;
    };
    axes.push_back({x[static_cast<int>(i) + 2], kernel[i], at(strides, 1), at(dilations, 1), at(output, 0)});
  }
  return axes;
}

// Windows whose padding is found automatically. Where a stride steps over more than the window sees, the padding that
// keeps ceil(in / stride) positions is less than nothing: ONNX takes none, ONNX Runtime cuts at the beginning. Its
// pools leave dilations out of account.
bool same_padding_differs(const ResizedAxis& a, bool pool, bool upper) {
  const int64_t out = (a.in + a.stride - 1) / a.stride;
  const int64_t wanted = (out - 1) * a.stride + a.extent() - a.in, total = std::max<int64_t>(wanted, 0);
  if (!pool) return wanted <= (upper ? -3 : -4);
  const int64_t theirs = (out - 1) * a.stride + a.kernel - a.in;
  const int64_t head = upper ? total / 2 : total - total / 2, their_head = (upper ? theirs : theirs + 1) / 2;
  return head != their_head || (a.dilation > 1 && (a.in + theirs - a.extent()) / a.stride + 1 != out);
}

std::string window_differs(const Graph& graph, const Node& node) {
  const std::string pad = node.text("auto_pad", "NOTSET");
  if (pad != "SAME_UPPER" && pad != "SAME_LOWER") return {};
  const bool pool = node.op == "MaxPool" || node.op == "AveragePool" || node.op == "LpPool";
  const bool conv = node.op == "Conv" || node.op == "ConvInteger" || node.op == "QLinearConv";
  if (node.op == "ConvTranspose") {
    for (const ResizedAxis& a : window_of(graph, node, 1)) {
      if (!node.has("output_shape") && a.extent() + a.output_padding < a.stride)
        return "makes an axis shorter than its input times the stride";
    }
  }
  if (!pool && !conv) return {};
  for (const ResizedAxis& a : window_of(graph, node, node.op == "QLinearConv" ? 3 : 1)) {
    if (same_padding_differs(a, pool, pad == "SAME_UPPER"))
      return a.dilation > 1 && pool ? "pads for a window without its dilation"
                                    : "begins further inside where the stride is larger than the window";
  }
  return {};
}

// Where ONNX Runtime has a position under half_pixel_symmetric: the offset in float32, the rest in doubles.
float symmetric_place(const ResizeAxis& axis, int32_t o) {
  const float width = axis.scale * static_cast<float>(axis.in), adjustment = static_cast<float>(axis.out) / width;
  const float offset = static_cast<float>(axis.in) / 2.0f * (1.0f - adjustment);
  return static_cast<float>(static_cast<double>(offset) + (o + 0.5) / static_cast<double>(axis.scale) - 0.5);
}

// The pixel that ONNX Runtime takes: of the place in float32, and what lies this near to halfway between two lies
// there.
int32_t their_pixel(const tarn_resize_rule& rule, const ResizeAxis& axis, int32_t o) {
  constexpr float kNear = 1e-6f;
  const float at = rule.transform == TARN_RESIZE_HALF_PIXEL_SYMMETRIC ? symmetric_place(axis, o)
                                                                      : tarn_resize_source(&rule, &axis, o);
  const int32_t below = tarn_resize_floor(at);
  const bool halfway = std::fabs(at - static_cast<float>(below) - 0.5f) <= kNear;
  int32_t pixel = tarn_resize_nearest_of(&rule, axis.scale, at);
  if (halfway && rule.nearest == TARN_RESIZE_PREFER_FLOOR) pixel = below;
  if (halfway && rule.nearest == TARN_RESIZE_PREFER_CEIL) pixel = below + 1;
  return std::clamp(pixel, 0, axis.in - 1);
}

std::string resize_differs(const Graph& graph, const Node& node) {
  const auto rule = rule_of(node);
  if (!rule) return {};
  const ResizeLists known = known_of(
      node, [&](size_t i) { return node.has_input(i) && graph.shape(node.inputs[i]).count() > 0; },
      [&](size_t i) { return graph.constant(node.inputs[i]); }, rule->transform == TARN_RESIZE_CROP);
  const Shape& x = graph.shape(node.inputs[0]);
  if (known.unknown || x.count() == 0 || graph.shape(node.outputs[0]).count() == 0) return {};
  const auto answer = axes_of(node, x, known);
  if (std::holds_alternative<Fault>(answer)) return {};
  const std::vector<ResizeAxis>& axes = std::get<0>(answer);
  const bool same_shape =
      std::all_of(axes.begin(), axes.end(), [](const ResizeAxis& axis) { return axis.in == axis.out; });
  for (const ResizeAxis& axis : axes) {
    const ResizeTable table = table_of(*rule, axis);
    if (same_shape && !table.unchanged()) return "copies what keeps its shape";
    if (rule->transform == TARN_RESIZE_CROP && axis.in == axis.out && !table.unchanged())
      return "takes all of an axis that keeps its length, not the part that roi names";
    if (rule->transform == TARN_RESIZE_ALIGN_CORNERS && axis.in > 1 && axis.out > 1 &&
        axis.length != static_cast<float>(axis.out))
      return cat("stretches to the ", axis.out, " pixels that it makes, not to scale times size");
    if (same_shape || rule->mode != TARN_RESIZE_NEAREST) continue;
    for (int32_t o = 0; o < axis.out; ++o) {
      const int32_t ours = table.starts[static_cast<size_t>(o)], theirs = their_pixel(*rule, axis, o);
      if (ours >= 0 && ours != theirs)
        return cat("takes pixel ", theirs, ", not ", ours, ", for pixel ", o, ": it rounds where that one lies");
    }
  }
  return {};
}

// ONNX Runtime reads the largest numbers as "to the end, whichever way": ONNX has them in front of a backward slice.
std::string slice_differs(const Graph& graph, const Node& node) {
  if (!node.has_input(4)) return {};
  const Constant *ends = graph.constant(node.inputs[2]), *steps = graph.constant(node.inputs[4]);
  if (!ends || !steps || ends->is_absent() || steps->is_absent() || graph.shape(node.inputs[0]).count() == 0) return {};
  for (int64_t i = 0; i < std::min(ends->count(), steps->count()); ++i) {
    const int64_t end = ends->integer(i);
    if (steps->integer(i) < 0 && (end == INT32_MAX || end == INT64_MAX))
      return cat("takes all down to the first element for an end of ", end, " with a negative step, which is nothing");
  }
  return {};
}

// A single row or column between corners stands nowhere in particular: ONNX's text divides by zero there, its three
// axes say -1.
std::string affine_grid_differs(const Graph& graph, const Node& node) {
  if (node.integer("align_corners", 0) == 0) return {};
  const Shape& y = graph.shape(node.outputs[0]);
  for (int axis = 1; axis < y.rank() - 1; ++axis) {
    if (y[axis] == 1) return "has the only place along an axis at 1, not -1";
  }
  return {};
}

// The mean of one element is itself, and it deviates by nothing. ONNX adds 1e-9 to what divides.
std::string normalization_differs(const Graph& graph, const Node& node) {
  const Shape& x = graph.shape(node.inputs[0]);
  std::vector<int64_t> axes = node.integers("axes");
  if (!node.has("axes")) axes = {0, 2, 3};
  for (const int64_t axis : axes) {
    const auto at = normalise_axis(axis, x.rank());
    if (!at || x[*at] != 1) return {};
  }
  return x.count() > 0 && !axes.empty() ? "divides nothing by nothing where one element is normalised: NaN, not 0"
                                        : std::string();
}

// What it does otherwise (empty: nothing), and what makes both agree.
struct Difference {
  std::string what;
  const char* hint;
};

Difference difference_of(const Graph& graph, const Node& node) {
  if (node.op == "Resize" || node.op == "Upsample")
    return {resize_differs(graph, node),
            "sizes that divide, or another coordinate_transformation_mode, leave nothing to choose"};
  if (node.op == "Slice") return {slice_differs(graph, node), "an end of INT64_MIN is the beginning for both"};
  if (node.op == "AffineGrid")
    return {affine_grid_differs(graph, node), "with align_corners=0 a single place is in the middle for both"};
  if (node.op == "MeanVarianceNormalization")
    return {normalization_differs(graph, node),
            "it is 0 whatever comes in: leave it out, or normalise over an axis of more elements"};
  return {window_differs(graph, node), kPads};
}

}  // namespace

Diagnostics onnxruntime_differences(const Graph& graph, const std::string& file) {
  Diagnostics found;
  for (const Node& node : graph.nodes) {
    for (const Graph& body : node.bodies) {
      const Diagnostics inner = onnxruntime_differences(body, file);
      found.insert(found.end(), inner.begin(), inner.end());
    }
    if (!node.domain.empty() || !node.has_input(0) || !node.has_output(0)) continue;
    const Difference difference = difference_of(graph, node);
    if (difference.what.empty()) continue;
    Where where{.file = file, .node = {}, .node_name = node.name, .op = node.op, .tensor = {}};
    if (!node.origins.empty() && node.origins[0] >= 0) where.node = node.origins[0];
    found.push_back({"W202", where, "follows ONNX; ONNX Runtime does not: it " + difference.what, difference.hint});
  }
  return found;
}

}  // namespace tarn::ops
