// IntConv and IntDense: int8 layers with known weights, requantised to int8.
//
// IntConv: x [N, spatial..., C], weights [O, C/group, kernel...] (int8, minus "w_zero" where that attribute is), with the
// attributes of Conv and "x_zero". IntDense: x [..., K], weights [O, K]. Exceptions of grouped layers count channels in
// packed order, four lanes a quad.
#include "ops/int_layers.h"

#include <algorithm>

#include "ops/elementwise.h"
#include "ops/integer.h"

namespace tarn::ops {

namespace {

std::optional<Fault> lower_conv(const Node& node, Lowering& low) {
  const IntWindow g = int_window(node, low);
  if (g.groups > 1 && g.inputs == 1 && g.outputs == 1) {
    lower_int_depthwise(node, low, g);
    return {};
  }
  if (g.whole()) {
    lower_vector(node, low, g.area() * g.inputs, g.outputs, patch_order(g));
    return {};
  }
  if (!g.pointwise()) {
    lower_patches(node, low, g, g, window_walk(g));
    return {};
  }
  // One long line of pixels.
  IntWindow line = g;
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
  const IntWindow g = int_pixels(rows, inputs, outputs);
  Walk walk;
  walk.identity = true;
  IntWindow line = g;
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
