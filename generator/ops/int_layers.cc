// IntConv and IntDense: int8 layers with known weights, requantised to int8.
//
// IntConv: x [N, spatial..., C], weights [O, C/group, kernel...] (int8, minus "w_zero" where that attribute is), with
// the attributes of Conv and "x_zero". IntDense: x [..., K], weights [O, K]. Exceptions of grouped layers count
// channels in packed order, four lanes a quad.
#include "ops/int_layers.h"

#include "ops/elementwise.h"
#include "ops/integer.h"

namespace tarn::ops {

namespace {

std::optional<Fault> lower_int_conv(const Node& node, Lowering& low) {
  const IntWindow g = int_window(node, low);
  if (g.groups > 1 && g.inputs == 1 && g.outputs == 1) {
    lower_int_depthwise(node, low, g);
    return {};
  }
  if (g.whole()) {
    lower_vector(node, low, g.area() * g.inputs, g.outputs, patch_order(g));
    return {};
  }
  lower_window(node, low, g, lower_patches);
  return {};
}

std::optional<Fault> lower_int_dense(const Node& node, Lowering& low) {
  const IntWindow g = dense_window(node, low);
  if (g.pixels.out == 1) {
    lower_vector(node, low, g.inputs, g.outputs, patch_order(g));
    return {};
  }
  lower_rows(node, low, lower_patches);
  return {};
}

}  // namespace

std::vector<OperatorEntry> integer_layer_entries() {
  return {{"tarn", "IntConv", "int8", lower_int_conv, nullptr, nullptr, Layout::spatial},
          {"tarn", "IntDense", "int8", lower_int_dense}};
}

}  // namespace tarn::ops
