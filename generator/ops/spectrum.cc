// Windows and mel weights: tables that nearly always are constants.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "ops/folding.h"
#include "ops/indexed.h"
#include "ops/movement.h"
#include "ops/signal.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

constexpr int64_t kMaxSize = 1 << 24;

DType output_type(const Node& node) {
  return dtype_from_onnx(static_cast<int>(std::clamp<int64_t>(node.integer("output_datatype", 1), 0, 1000)))
      .value_or(DType::float32);
}

std::optional<int64_t> known_integer(const Facts& facts, size_t i) {
  const Constant* value = facts.value(i);
  if (!value || value->is_absent() || value->count() != 1) return {};
  return value->integer(0);
}

std::optional<double> known_real(const Facts& facts, size_t i) {
  const Constant* value = facts.value(i);
  if (!value || value->is_absent() || value->count() != 1) return {};
  return value->real(0);
}

// The formulas of ONNX: sums of cosines over a circle of `size` parts, or one less. A symmetric window of one number is
// 0 / 0 by them, no number.
Constant window(const Node& node, const TensorType& type) {
  const int64_t size = type.shape.count();
  const double parts = static_cast<double>(node.integer("periodic", 1) != 0 ? size : size - 1);
  double a = 0.5, b = 0.5, c = 0;
  if (node.op == "HammingWindow") a = 25.0 / 46, b = 21.0 / 46;
  if (node.op == "BlackmanWindow") a = 0.42, b = 0.5, c = 0.08;
  std::vector<double> values;
  for (int64_t i = 0; i < size; ++i) {
    const double turn =
        parts == 0 ? std::numeric_limits<double>::quiet_NaN() : 2 * std::numbers::pi * static_cast<double>(i) / parts;
    values.push_back(a - b * std::cos(turn) + c * std::cos(2 * turn));
  }
  return Constant::floats(type.dtype, type.shape, values);
}

Answer<Types> infer_window(const Facts& facts) {
  const DType type = output_type(facts.node);
  if (!facts.has(0) || facts.shape(0).count() != 1) return Fault{"needs a size"};
  const auto size = known_integer(facts, 0);
  if (!size) return Types{TensorType{}};
  if (*size < 0 || *size > kMaxSize) return Fault{cat("a window of ", *size), "", "E211"};
  return Types{{type, Shape{*size}}};
}

std::optional<Constants> fold_window(const Facts& facts, const Types& outputs) {
  if (!known_integer(facts, 0)) return {};
  return Constants{window(facts.node, outputs[0])};
}

// A size that is known only at run time must be the declared one.
std::optional<Fault> lower_window(const Node& node, Lowering& low) {
  const TensorType& type = low.graph()[node.outputs[0]].type;
  if (auto fault = refuse_odd_bytes(type.dtype)) return fault;
  if (type.shape.rank() != 1 || type.shape[0] > kMaxSize || type.dtype != output_type(node))
    return Fault{"an output of " + to_string(type)};
  lower_expected(node, low, node.inputs[0], {type.shape[0]});
  low.copy(node, low.weight(low.key(node.outputs[0], "/window"), window(node, type)), low.tensor(node.outputs[0]));
  return {};
}

struct Mel {
  int64_t bands, length, rate;
  double lower, upper;
};
std::optional<Mel> mel_of(const Facts& facts) {
  const auto bands = known_integer(facts, 0), length = known_integer(facts, 1), rate = known_integer(facts, 2);
  const auto lower = known_real(facts, 3), upper = known_real(facts, 4);
  if (!bands || !length || !rate || !lower || !upper) return {};
  return Mel{*bands, *length, *rate, *lower, *upper};
}

Answer<Types> infer_mel(const Facts& facts) {
  for (size_t i = 0; i < 5; ++i) {
    if (!facts.has(i) || facts.shape(i).count() != 1) return Fault{cat("input ", i, " is no single number")};
  }
  const auto bands = known_integer(facts, 0), length = known_integer(facts, 1);
  if (!bands || !length) return Types{TensorType{}};
  if (*bands < 1 || *length < 0 || *bands > kMaxSize || *length > kMaxSize || (*length / 2 + 1) * *bands > kMaxSize) {
    return Fault{cat(*bands, " bands of a transform of ", *length, " points"), "", "E211"};
  }
  const auto rate = known_integer(facts, 2);
  if (rate && *rate < 1) return Fault{cat("a rate of ", *rate), "", "E211"};
  return Types{{output_type(facts.node), Shape{*length / 2 + 1, *bands}}};
}

std::optional<Constants> fold_mel(const Facts& facts, const Types& outputs) {
  const auto mel = mel_of(facts);
  if (!mel) return {};
  const int64_t bins = outputs[0].shape[0];
  const double per_mel = 2595 / std::numbers::ln10;
  const double first = per_mel * std::log(1 + mel->lower / 700), last = per_mel * std::log(1 + mel->upper / 700);
  const double step = (last - first) / static_cast<double>(mel->bands + 2);
  auto bin = [&](int64_t band) {
    const double hertz = 700 * (std::exp((first + step * static_cast<double>(band)) / per_mel) - 1);
    const double at = std::floor(static_cast<double>(mel->length + 1) * hertz / static_cast<double>(mel->rate));
    return at > 0 ? static_cast<int64_t>(std::min(at, static_cast<double>(bins))) : int64_t{0};
  };
  std::vector<double> values(static_cast<size_t>(outputs[0].shape.count()), 0);
  for (int64_t b = 0; b < mel->bands; ++b) {
    const int64_t from = bin(b), peak = bin(b + 1), to = bin(b + 2);
    auto at = [&](int64_t i) -> double& { return values[static_cast<size_t>(i * mel->bands + b)]; };
    for (int64_t i = from; i <= peak && i < bins; ++i)
      at(i) = peak > from ? static_cast<double>(i - from) / static_cast<double>(peak - from) : 1;
    for (int64_t i = peak; i < to && i < bins; ++i)
      at(i) = static_cast<double>(to - i) / static_cast<double>(to - peak);
  }
  return Constants{Constant::floats(outputs[0].dtype, outputs[0].shape, values)};
}

std::optional<Fault> lower_mel(const Node& node, Lowering& low) {
  const Shape& y = low.shape(node.outputs[0]);
  const DType type = low.dtype(node.outputs[0]), whole = low.dtype(node.inputs[0]);
  const bool wide = whole == DType::int64;
  bool fits = wide || whole == DType::int32;
  for (size_t i = 1; i < 3; ++i) fits = fits && low.dtype(node.inputs[i]) == whole;
  for (size_t i = 3; i < 5; ++i) fits = fits && low.dtype(node.inputs[i]) == DType::float32;
  if (!fits || y.rank() != 2)
    return Fault{"known only at run time, and not int32 or int64 with float32", "fix the inputs with --const", "E204"};
  if (type != DType::float32 && type != DType::float64 && type != DType::float16 && type != DType::bfloat16) {
    return Fault{"not for element type " + to_string(type), "", "E204"};
  }
  const std::string kernel = "tarn_mel_" + kernel_suffix(type);
  Operation& operation =
      low.call(node, kernel, {kernel + "_params", {{"bins", y[0]}, {"bands", y[1]}, {"wide", int64_t{wide}}}},
               {low.read(node.inputs[0]), low.read(node.inputs[1]), low.read(node.inputs[2]), low.read(node.inputs[3]),
                low.read(node.inputs[4]), low.write(node.outputs[0])});
  operation.returns_status = true;
  return {};
}

}  // namespace

std::vector<OperatorEntry> window_entries() {
  std::vector<OperatorEntry> entries;
  for (const char* op : {"HannWindow", "HammingWindow", "BlackmanWindow"})
    entries.push_back({"", op, "numbers", lower_window, infer_window, fold_window});
  entries.push_back({"", "MelWeightMatrix", "floats", lower_mel, infer_mel, fold_mel});
  return entries;
}

}  // namespace tarn::ops
