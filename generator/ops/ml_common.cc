#include <cmath>

#include "ops/ml.h"

namespace tarn::ops {

std::string examples_of(const Facts& facts, Body& body, TensorType& type) {
  type = facts.types[0];
  std::string x = body.input(0);
  if (!is_float(type.dtype) || bits_of(type.dtype) < 16) {
    x = body.cast(x, type.dtype, DType::float32);
    type.dtype = DType::float32;
  }
  if (type.shape.rank() != 2) {
    const int64_t features = type.shape.rank() == 0 ? 1 : type.shape[type.shape.rank() - 1];
    type.shape = Shape{features > 0 ? type.shape.count() / features : 0, features};
    x = body.reshape(x, type.shape.dims);
  }
  return x;
}

namespace {

// exp(s - max) / sum, where scores that are 0 count for nothing in the sum.
std::string softmax_zero(Body& body, const std::string& s, DType dtype) {
  const std::string axes = body.ints({-1});
  const std::string most = body.add("ReduceMax", {s, axes}, {{"keepdims", int64_t{1}}});
  const std::string counts = body.add("Greater", {body.add("Abs", {s}), body.number(1e-7, dtype)});
  const std::string e = body.add("Exp", {body.add("Sub", {s, most})});
  const std::string rest = body.add("Mul", {s, body.add("Exp", {body.add("Neg", {most})})});
  const std::string part = body.add("Where", {counts, e, body.number(0, dtype)});
  const std::string sum = body.add("ReduceSum", {part, axes}, {{"keepdims", int64_t{1}}});
  return body.add("Div", {body.add("Where", {counts, e, rest}), sum});
}

// The quantile of the normal distribution, with the inverse error function as Winitzki approximates it.
std::string probit(Body& body, const std::string& s, DType dtype) {
  const double a = 0.147;
  const std::string one = body.number(1, dtype);
  const std::string x = body.add("Sub", {body.add("Mul", {s, body.number(2, dtype)}), one});
  const std::string product = body.add("Mul", {body.add("Sub", {one, x}), body.add("Add", {one, x})});
  const std::string l = body.add("Log", {product});
  const std::string v =
      body.add("Add", {body.number(2 / (M_PI * a), dtype), body.add("Mul", {l, body.number(0.5, dtype)})});
  const std::string w = body.add("Mul", {l, body.number(1 / a, dtype)});
  const std::string root = body.add("Sqrt", {body.add("Sub", {body.add("Mul", {v, v}), w})});
  const std::string inverse = body.add("Mul", {body.add("Sign", {x}), body.add("Sqrt", {body.add("Sub", {root, v})})});
  return body.add("Mul", {inverse, body.number(std::sqrt(2.0), dtype)});
}

}  // namespace

Answer<std::string> post_transform(Body& body, const std::string& scores, const std::string& kind, DType dtype) {
  if (kind.empty() || kind == "NONE") return scores;
  if (kind == "SOFTMAX") return body.add("Softmax", {scores}, {{"axis", int64_t{-1}}});
  if (kind == "LOGISTIC") return body.add("Sigmoid", {scores});
  if (kind == "SOFTMAX_ZERO") return softmax_zero(body, scores, dtype);
  if (kind == "PROBIT") return probit(body, scores, dtype);
  return Fault{"post_transform '" + kind + "' is unknown", "", "E211"};
}

std::string post_transform_name(int64_t number) {
  static const char* const names[] = {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"};
  return number >= 0 && number < 5 ? names[number] : "of number " + std::to_string(number);
}

namespace {
const char* integers_attribute(const Node& node) {
  return node.has("classlabels_int64s") ? "classlabels_int64s" : "classlabels_ints";
}
}  // namespace

int64_t label_count(const Node& node) {
  const size_t texts = node.texts("classlabels_strings").size();
  return static_cast<int64_t>(texts > 0 ? texts : node.integers(integers_attribute(node)).size());
}

std::string labels_of(const Facts& facts, Body& body, const std::string& numbers) {
  if (!facts.node.texts("classlabels_strings").empty()) return body.add("TextLabels", {numbers}, {}, "tarn");
  const std::vector<int64_t> labels = facts.node.integers(integers_attribute(facts.node));
  if (labels.empty()) return numbers;
  return body.add("Gather", {body.ints(labels), numbers}, {{"axis", int64_t{0}}});
}

}  // namespace tarn::ops
