// BatchNormalization becomes a per-channel multiply and add while passes run (passes/fold_affine.cc); what no layer
// takes in is lowered here.
#include "ops/body.h"
#include "ops/conv.h"
#include "ops/elementwise.h"
#include "ops/lines.h"
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
  Argument from = low.read(node.inputs[0], elementwise_walk(), true);
  const FieldValue x_pitch = pitch_of(from, 0, Pitch::Of::pixel, channels);
  Operation& operation =
      low.call(node, kernel,
               {kernel + "_params",
                {{"outer", channels ? x.count() / channels : 0},
                 {"channels", channels},
                 {"x_pitch", x_pitch},
                 {"y_pitch", Pitch{Pitch::Of::pixel, 3}},
                 {"lo", clamp_low(node, dtype)},
                 {"hi", clamp_high(node, dtype)}}},
               {std::move(from), low.read(node.inputs[1]), low.read(node.inputs[2]), low.write(node.outputs[0], true)});
  operation.macs = x.count();
  operation.parameters = 2 * channels;
  set_pixels_of_line(low, operation, x);
  return {};
}

// With statistics that are known only at run time, or those of the batch itself.
std::optional<Fault> lower_batch(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  const bool training = node.version >= 14 && node.integer("training_mode", 0) != 0;
  if (dtype != DType::float32 && dtype != DType::float64 && dtype != DType::float16 && dtype != DType::bfloat16) {
    return Fault{"not for element type " + to_string(dtype), "", "E204"};
  }
  if (!training && (node.has_output(1) || node.has_output(2)))
    return Fault{"outputs of training, without training_mode"};
  const int64_t channels = x.rank() >= 2 ? x[x.rank() - 1] : 1, pixels = x.count() / channels;
  for (size_t i = 1; i < 5; ++i) {
    if (low.shape(node.inputs[i]).count() != channels || low.dtype(node.inputs[i]) != dtype) {
      return Fault{"input " + std::to_string(i) + " is no list of " + to_string(dtype) + ", one per channel"};
    }
  }
  const std::string type = "tarn_batchnorm_" + kernel_suffix(dtype) + "_params";
  Argument from = low.read(node.inputs[0], elementwise_walk(), true);
  const FieldValue x_pitch = pitch_of(from, 0, Pitch::Of::pixel, channels);
  std::vector<Argument> arguments{std::move(from)};
  for (size_t i = 1; i < 5; ++i) arguments.push_back(low.read(node.inputs[i]));
  arguments.push_back(
      low.scratch(dtype == DType::float64 ? DType::float64 : DType::float32, (training ? 2 : 1) * channels, "factors"));
  arguments.push_back(low.write(node.outputs[0], true));
  for (size_t i = 1; i < 3 && training; ++i)
    arguments.push_back(node.has_output(i) ? low.write(node.outputs[i]) : low.none());
  Operation& operation =
      low.call(node, (training ? "tarn_batchnorm_training_" : "tarn_batchnorm_") + kernel_suffix(dtype),
               {type,
                {{"pixels", pixels},
                 {"channels", channels},
                 {"x_pitch", x_pitch},
                 {"y_pitch", Pitch{Pitch::Of::pixel, 6}},
                 {"epsilon", real_field(node.real("epsilon", 1e-5), dtype)},
                 {"momentum", real_field(node.real("momentum", 0.9), dtype)}}},
               std::move(arguments));
  operation.macs = x.count();
  return {};
}

// Before opset 9 statistics may be those of every pixel and channel: with all of these as channels, an image is one
// pixel.
Answer<model::GraphDefPtr> expand_batch(const Facts& facts) {
  if (facts.node.version >= 9 || facts.node.integer("spatial", 1) != 0) return nullptr;
  const Shape& x = facts.shape(0);
  if (x.rank() < 2) return Fault{"statistics per pixel (spatial = 0) of less than two axes"};
  const Shape image(std::vector<int64_t>(x.dims.begin() + 1, x.dims.end()));
  for (size_t i = 1; i < 5; ++i) {
    if (facts.shape(i) != image) {
      return Fault{"input " + std::to_string(i) + " has not the shape of an image"};
    }
  }
  for (size_t i = 1; i < facts.declared.size(); ++i) {
    if (facts.node.has_output(i)) return Fault{"outputs of training"};
  }
  Body body(facts);
  const int64_t values = x[0] ? x.count() / x[0] : 1;
  std::vector<std::string> inputs{body.reshape(body.input(0), {x[0], values})};
  for (size_t i = 1; i < 5; ++i) inputs.push_back(body.reshape(body.input(i), {values}));
  const std::string y = body.add("BatchNormalization", std::move(inputs),
                                 {{"epsilon", static_cast<float>(facts.node.real("epsilon", 1e-5))}});
  body.output(0, body.reshape(y, x.dims));
  return body.finish();
}

}  // namespace

std::vector<OperatorEntry> norm_entries() {
  OperatorEntry affine{"tarn", "Affine", "floats", lower_affine};
  affine.layout = Layout::spatial;
  OperatorEntry batch{"", "BatchNormalization", "floats", lower_batch};
  batch.layout = Layout::spatial;
  batch.expand = expand_batch;
  batch.limits = "statistics of the element type of the images unless they are constant";
  return {affine, batch};
}

}  // namespace tarn::ops
