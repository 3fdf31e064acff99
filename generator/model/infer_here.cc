// Shape rules of our own: operators for which onnx 1.22 has none, or one that stops short of what is known.
#include <cmath>
#include <numeric>

#include "model/infer_rules.h"
#include "support/text.h"

namespace tarn::model {

namespace {

using Types = std::vector<Type>;

// The first output of this type; further ones unknown.
Types one(const NodeFacts& facts, Type type) {
  Types out(static_cast<size_t>(facts.outputs()));
  if (!out.empty()) out[0] = std::move(type);
  return out;
}

Result<Types> constant(const NodeFacts& facts) {
  const Attributes& attributes = facts.node().attributes;
  if (attributes.size() != 1)
    return facts.fault("E205", cat("it has ", attributes.size(), " values; it must have one"));
  struct ValueType {
    Type operator()(const Constant& v) const { return tensor_type(v.dtype(), v.shape()); }
    Type operator()(int64_t) const { return tensor_type(DType::int64, Shape{}); }
    Type operator()(float) const { return tensor_type(DType::float32, Shape{}); }
    Type operator()(const std::string&) const { return tensor_type(DType::string, Shape{}); }
    Type operator()(const std::vector<int64_t>& v) const { return list(DType::int64, v.size()); }
    Type operator()(const std::vector<float>& v) const { return list(DType::float32, v.size()); }
    Type operator()(const std::vector<std::string>& v) const { return list(DType::string, v.size()); }
    Type operator()(const std::vector<Constant>&) const { return {}; }
    Type operator()(const GraphDefPtr&) const { return {}; }
    Type operator()(const std::vector<GraphDefPtr>&) const { return {}; }
    Type operator()(const Type&) const { return {}; }
    static Type list(DType dtype, size_t size) { return tensor_type(dtype, Shape{static_cast<int64_t>(size)}); }
  };
  return one(facts, std::visit(ValueType{}, attributes.begin()->second));
}

Result<Types> same_as_input(const NodeFacts& facts) { return one(facts, facts.type(0)); }

// Shapes broadcast as far as numbers are known; symbols survive where the other side is 1 or the same.
Result<Types> comparison(const NodeFacts& facts) {
  if (facts.rank(0) < 0 || facts.rank(1) < 0) return one(facts, tensor_type(DType::boolean, std::nullopt));
  const auto rank = static_cast<size_t>(std::max(facts.rank(0), facts.rank(1)));
  std::vector<Dim> dims(rank);
  for (size_t i = 0; i < rank; ++i) {
    auto at = [&](int input) -> Dim {
      const std::vector<Dim>& d = *facts.type(input).dims;
      return i + d.size() < rank ? Dim{1, ""} : d[i + d.size() - rank];
    };
    const Dim a = at(0), b = at(1);
    if (a == b || b.value == 1) {
      dims[i] = a;
    } else if (a.value == 1 || (b.value && !a.value)) {
      dims[i] = b;
    } else if (a.value && !b.value) {
      dims[i] = a;
    } else if (a.value) {
      return facts.fault("E205",
                         cat(to_string(facts.type(0)), " and ", to_string(facts.type(1)), " cannot be broadcast"));
    }
  }
  return one(facts, tensor_type(DType::boolean, std::move(dims)));
}

Result<Types> range(const NodeFacts& facts) {
  const Type unknown_length = tensor_type(facts.dtype(0), std::vector<Dim>(1));
  const Constant *start = facts.value(0), *limit = facts.value(1), *delta = facts.value(2);
  if (!start || !limit || !delta) return one(facts, unknown_length);
  if (start->dtype() != limit->dtype() || start->dtype() != delta->dtype()) {
    return facts.fault("E205", "start, limit and delta must be of one type");
  }
  if (delta->real(0) == 0) return facts.fault("E211", "delta is 0");
  double count = 0;
  if (is_integer(start->dtype())) {
    // Through long double nothing below 2^64 is lost.
    const long double span = static_cast<long double>(limit->integer(0)) - static_cast<long double>(start->integer(0));
    count = static_cast<double>(std::ceil(span / static_cast<long double>(delta->integer(0))));
  } else if (start->dtype() == DType::float64) {
    count = std::ceil((limit->real(0) - start->real(0)) / delta->real(0));
  } else {
    // The difference is taken in float32, as the standard's own rule and ONNX Runtime do.
    const float span = static_cast<float>(limit->real(0)) - static_cast<float>(start->real(0));
    count = std::ceil(static_cast<double>(span) / delta->real(0));
  }
  if (std::isnan(count)) return facts.fault("E211", "start, limit or delta is not a number");
  if (count > static_cast<double>(kMaxTensorBytes))
    return facts.fault("E207", cat("it would have ", count, " elements"));
  return one(facts, tensor_type(facts.dtype(0), Shape{count > 0 ? static_cast<int64_t>(count) : 0}));
}

// Elements of one frame: the window's length and frame_length must agree. Negative when neither is known.
Result<int64_t> stft_frame(const NodeFacts& facts) {
  const int64_t window = facts.dim(2, 0).value_or(-1);
  const auto given = facts.integers(3);
  if (!given) return window;
  if (window >= 0 && given->front() != window) {
    return facts.fault("E205", cat("the window has ", window, " elements, frame_length is ", given->front()));
  }
  return given->front();
}

// [batch, frames, frequencies, 2]
Result<Types> stft(const NodeFacts& facts) {
  std::vector<Dim> dims(4);
  if (facts.rank(0) >= 0) {
    if (facts.rank(0) < 2)
      return facts.fault("E205", "the signal is " + to_string(facts.type(0)) + "; [batch, length] is needed");
    dims[0] = (*facts.type(0).dims)[0];
  }
  dims[3].value = 2;
  const Result<int64_t> frame = stft_frame(facts);
  if (!frame) return frame.faults();
  if (*frame >= 0) dims[2].value = facts.attribute("onesided", int64_t{1}) != 0 ? *frame / 2 + 1 : *frame;
  const auto signal = facts.dim(0, 1);
  const auto step = facts.integers(1);
  if (signal && *frame >= 0 && step) {
    if (*frame > *signal)
      return facts.fault("E205", cat("a frame of ", *frame, " elements is longer than the signal of ", *signal));
    dims[1].value = (*signal - *frame) / step->front() + 1;
  }
  return one(facts, tensor_type(facts.dtype(0), std::move(dims)));
}

// The length along the axis depends on the condition's value.
Result<Types> compress(const NodeFacts& facts) {
  if (!facts.has_attribute("axis")) return one(facts, tensor_type(facts.dtype(0), std::vector<Dim>(1)));
  if (facts.rank(0) < 0) return one(facts, tensor_type(facts.dtype(0), std::nullopt));
  const std::optional<int> axis = normalise_axis(facts.attribute("axis", int64_t{0}), facts.rank(0));
  if (!axis)
    return facts.fault("E211", cat("axis ", facts.attribute("axis", int64_t{0}), " of ", to_string(facts.type(0))));
  std::vector<Dim> dims = *facts.type(0).dims;
  dims[static_cast<size_t>(*axis)] = {};
  return one(facts, tensor_type(facts.dtype(0), std::move(dims)));
}

// Only when the shape is an input; without it the library knows the rule.
std::optional<Result<Types>> max_unpool(const NodeFacts& facts) {
  const auto shape = facts.integers(2);
  if (!shape) return {};
  return one(facts, tensor_type(facts.dtype(0), Shape(*shape)));
}

// Sizes that are not known: the library takes them for an empty list.
std::optional<Result<Types>> resize(const NodeFacts& facts) {
  if (!facts.has(3) || facts.integers(3) || facts.dim(3, 0)) return {};
  if (facts.rank(0) < 0) return one(facts, tensor_type(facts.dtype(0), std::nullopt));
  return one(facts, tensor_type(facts.dtype(0), std::vector<Dim>(static_cast<size_t>(facts.rank(0)))));
}

}  // namespace

std::optional<Result<std::vector<Type>>> infer_here(const NodeFacts& facts) {
  const std::string& op = facts.node().op;
  if (facts.node().domain == "ai.onnx.ml") return infer_ml(facts);
  const bool unranked = facts.rank(0) < 0 || facts.rank(1) < 0 || facts.rank(2) < 0;
  if (op == "FlexAttention" && unranked) return one(facts, tensor_type(facts.dtype(0), std::nullopt));
  if (!facts.node().domain.empty()) return {};
  if (op == "Constant") return constant(facts);
  if (op == "GroupNormalization" || op == "MeanVarianceNormalization") return same_as_input(facts);
  if (op == "GreaterOrEqual" || op == "LessOrEqual") return comparison(facts);
  if (op == "Range") return range(facts);
  if (op == "STFT") return stft(facts);
  if (op == "Compress") return compress(facts);
  if (op == "MaxUnpool") return max_unpool(facts);
  if (op == "Resize") return resize(facts);
  if (op == "Einsum") return infer_einsum(facts);
  if (op == "Attention") return infer_attention(facts);
  return {};
}

}  // namespace tarn::model
