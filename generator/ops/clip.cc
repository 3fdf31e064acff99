// Clip. Its bounds were attributes before opset 11 and are inputs since; with known bounds fuse_clamp takes it into the
// layer before it.
#include <algorithm>
#include <limits>

#include "ops/elementwise.h"
#include "ops/folding.h"
#include "ops/lines.h"
#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

using program::Pitch;
using program::Run;

Answer<Types> infer_clip(const Facts& facts) {
  if (!facts.has(0)) return Fault{"has no input"};
  for (size_t i = 1; i < 3; ++i) {
    if (!facts.has(i)) continue;
    if (facts.types[i].dtype != facts.types[0].dtype || facts.shape(i).count() != 1) {
      return Fault{cat("bound ", to_string(facts.types[i]), " is no number of type ", to_string(facts.types[0].dtype))};
    }
  }
  return Types{facts.types[0]};
}

// NaN passes through; when the bounds cross, the upper one wins.
template <class T>
T clamp_to(T v, std::optional<T> lo, std::optional<T> hi) {
  if (lo && v < *lo) v = *lo;
  return hi && v > *hi ? *hi : v;
}

std::optional<Constants> fold_clip(const Facts& facts, const Types& outputs) {
  const Constant* x = facts.value(0);
  if (!x || !all_known(facts)) return {};
  if (any_absent(facts)) return absent_like(facts, outputs);
  const TensorType& type = outputs[0];
  if (type.shape.count() > kMaxFoldedElements || type.dtype == DType::uint64) return {};
  std::vector<uint8_t> bytes(static_cast<size_t>(type.bytes()));
  std::optional<double> lo, hi;
  if (facts.node.has("min")) lo = facts.node.real("min", 0);
  if (facts.node.has("max")) hi = facts.node.real("max", 0);
  if (facts.value(1)) lo = facts.value(1)->real(0);
  if (facts.value(2)) hi = facts.value(2)->real(0);
  std::optional<int64_t> least, most;
  if (!is_float(type.dtype)) {
    if (facts.value(1)) least = facts.value(1)->integer(0);
    if (facts.value(2)) most = facts.value(2)->integer(0);
  }
  for (int64_t i = 0; i < type.shape.count(); ++i) {
    if (is_float(type.dtype)) write_double(type.dtype, bytes.data(), i, clamp_to(x->real(i), lo, hi));
    else write_int(type.dtype, bytes.data(), i, clamp_to(x->integer(i), least, most));
  }
  return Constants{Constant::of(type, std::move(bytes))};
}

std::optional<Fault> lower_clip(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[0]);
  if (!is_kernel_type(dtype)) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  auto bound = [&](const char* attribute, size_t input) {
    if (node.has_input(input)) return low.read(node.inputs[input]);
    if (!node.has(attribute)) return low.none();
    const double value = node.real(attribute, 0);
    return low.weight(cat("clip:", attribute, "=", value, "/", to_string(dtype)), Constant::scalar(dtype, value));
  };
  const std::string kernel = "tarn_clip_" + kernel_suffix(dtype);
  Argument x = low.read(node.inputs[0], elementwise_walk(), true);
  Operation& operation =
      low.call(node, kernel,
               {kernel + "_params",
                {{"outer", Run{true, 3}},
                 {"inner", Run{false, 3}},
                 {"x_pitch", pitch_of(x, 0, Pitch::Of::pixel, default_geometry(low.shape(node.inputs[0])).channels)},
                 {"y_pitch", Pitch{Pitch::Of::pixel, 3}}}},
               {x, bound("min", 1), bound("max", 2), low.write(node.outputs[0], true)});
  set_line_by_line(low, operation, operation.params);
  return {};
}

}  // namespace

std::vector<OperatorEntry> clip_entries() {
  return {{"", "Clip", "floats, integers", lower_clip, infer_clip, fold_clip, Layout::elementwise}};
}

}  // namespace tarn::ops
