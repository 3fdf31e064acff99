// BatchNormalization becomes a per-channel multiply and add while passes run (passes/fold_affine.cc); what no layer takes
// in is lowered here.
#include "ops/conv.h"
#include "ops/elementwise.h"
#include "ops/packing.h"

namespace tarn::ops {

namespace {

using program::Pitch;

// x * scale[c] + shift[c], clamped; the channel is the last axis.
std::optional<Fault> lower_affine(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  const int64_t channels = x[x.rank() - 1];
  const std::string kernel = "tarn_affine_" + kernel_suffix(dtype);
  Operation& operation = low.call(node, kernel,
                                  {kernel + "_params",
                                   {{"pixels", channels ? x.count() / channels : 0},
                                    {"channels", channels},
                                    {"x_pitch", Pitch{Pitch::Of::pixel, 0}},
                                    {"y_pitch", Pitch{Pitch::Of::pixel, 3}},
                                    {"lo", clamp_low(node, dtype)},
                                    {"hi", clamp_high(node, dtype)}}},
                                  {low.read(node.inputs[0], elementwise_walk(), true), low.read(node.inputs[1]),
                                   low.read(node.inputs[2]), low.write(node.outputs[0], true)});
  operation.macs = x.count();
  operation.parameters = 2 * channels;
  return {};
}

}  // namespace

std::vector<Room> norm_rooms() {
  Room affine{"tarn", "Affine", "floats", lower_affine};
  affine.layout = Layout::spatial;
  Room batch{"", "BatchNormalization", "floats"};
  batch.limits = "inference, with constant statistics";
  return {affine, batch};
}

}  // namespace tarn::ops
