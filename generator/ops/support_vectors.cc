// SVMRegressor and SVMClassifier: kernel values of an example with every support vector, then weighted sums of them.
#include <algorithm>

#include "ops/lowering.h"
#include "ops/ml.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

// Kernel values [examples, vectors].
Answer<std::string> kernel_values(const Facts& facts, Body& body, const std::string& x, const TensorType& type,
                                  const std::vector<double>& vectors, int64_t count) {
  const std::string kind = facts.node.text("kernel_type", "LINEAR");
  const std::vector<double> parameters = facts.node.reals("kernel_params");
  auto parameter = [&](size_t i, double otherwise) {
    return body.number(i < parameters.size() ? parameters[i] : otherwise, type.dtype);
  };
  const Constant table = Constant::floats(type.dtype, Shape{count, type.shape[1]}, vectors);
  if (kind == "RBF") {
    const std::string squares = body.add("Distances", {x}, {{"points", table}}, "tarn");
    return body.add("Exp", {body.add("Neg", {body.add("Mul", {squares, parameter(0, 0)})})});
  }
  const std::string products = body.add("Gemm", {x, body.constant(table)}, {{"transB", int64_t{1}}});
  if (kind == "LINEAR") return products;
  if (kind != "POLY" && kind != "SIGMOID") return Fault{"kernel_type '" + kind + "' is unknown", "", "E211"};
  const std::string moved = body.add("Add", {body.add("Mul", {products, parameter(0, 0)}), parameter(1, 0)});
  if (kind == "SIGMOID") return body.add("Tanh", {moved});
  return body.add("Pow", {moved, parameter(2, 0)});
}

Answer<model::GraphDefPtr> expand_vector_regressor(const Facts& facts) {
  Body body(facts);
  TensorType type;
  const std::string x = examples_of(facts, body, type);
  const Node& node = facts.node;
  const std::vector<double> rho = node.reals("rho"), coefficients = node.reals("coefficients");
  const int64_t supports = node.integer("n_supports", 0);
  // Without support vectors the coefficients are the only one, of weight 1.
  const std::vector<double> vectors = supports > 0 ? node.reals("support_vectors") : coefficients;
  const int64_t count = supports > 0 ? supports : 1;
  if (rho.empty() || static_cast<int64_t>(vectors.size()) != count * type.shape[1] ||
      (supports > 0 && static_cast<int64_t>(coefficients.size()) != supports)) {
    return Fault{cat("its vectors and coefficients do not fit ", type.shape[1], " features"), "", "E211"};
  }
  Answer<std::string> values = kernel_values(facts, body, x, type, vectors, count);
  if (const Fault* fault = std::get_if<Fault>(&values)) return *fault;
  const std::vector<double> weights = supports > 0 ? coefficients : std::vector<double>{1};
  std::string y =
      body.add("Gemm",
               {std::get<std::string>(values), body.constant(Constant::floats(type.dtype, Shape{1, count}, weights)),
                body.constant(Constant::floats(type.dtype, Shape{1}, {rho[0]}))},
               {{"transB", int64_t{1}}});
  if (node.integer("one_class", 0) != 0) {
    const std::string above = body.add("Greater", {y, body.number(0, type.dtype)});
    y = body.add("Where", {above, body.number(1, type.dtype), body.number(-1, type.dtype)});
  }
  body.output(0, body.cast(y, type.dtype, DType::float32));
  return body.finish();
}

// The weights [vectors, pairs] of the decisions between any two classes. Row r of the coefficients is, for vectors of
// class i, that of the r-th of all other classes.
Constant pair_weights(const std::vector<double>& coefficients, const std::vector<int64_t>& per_class, int64_t vectors,
                      DType dtype) {
  const auto classes = static_cast<int64_t>(per_class.size()), pairs = classes * (classes - 1) / 2;
  std::vector<double> weights(static_cast<size_t>(vectors * pairs), 0);
  std::vector<int64_t> first(per_class.size() + 1, 0);
  for (size_t c = 0; c < per_class.size(); ++c) first[c + 1] = first[c] + per_class[c];
  int64_t pair = 0;
  for (int64_t i = 0; i < classes; ++i) {
    for (int64_t j = i + 1; j < classes; ++j, ++pair) {
      for (const auto& [own, row] : {std::pair(i, j - 1), std::pair(j, i)}) {
        for (int64_t v = first[static_cast<size_t>(own)]; v < first[static_cast<size_t>(own) + 1]; ++v) {
          weights[static_cast<size_t>(v * pairs + pair)] = coefficients[static_cast<size_t>(row * vectors + v)];
        }
      }
    }
  }
  return Constant::floats(dtype, Shape{vectors, pairs}, weights);
}

// The class that wins most pairs, the first of equals: int64 [N].
std::string winners(Body& body, const std::string& decisions, int64_t classes, DType dtype) {
  const int64_t pairs = classes * (classes - 1) / 2;
  std::vector<double> change(static_cast<size_t>(pairs * classes), 0), otherwise(static_cast<size_t>(classes), 0);
  int64_t pair = 0;
  for (int64_t i = 0; i < classes; ++i) {
    for (int64_t j = i + 1; j < classes; ++j, ++pair) {
      change[static_cast<size_t>(pair * classes + i)] = 1;
      change[static_cast<size_t>(pair * classes + j)] = -1;
      otherwise[static_cast<size_t>(j)] += 1;
    }
  }
  const std::string won = body.cast(body.add("Greater", {decisions, body.number(0, dtype)}), DType::boolean, dtype);
  const std::string votes =
      body.add("Gemm", {won, body.constant(Constant::floats(dtype, Shape{pairs, classes}, change)),
                        body.constant(Constant::floats(dtype, Shape{classes}, otherwise))});
  return body.add("ArgMax", {votes}, {{"axis", int64_t{1}}, {"keepdims", int64_t{0}}});
}

// One score per class and no support vectors.
Answer<std::string> linear_scores(const Facts& facts, Body& body, const std::string& x, const TensorType& type,
                                  int64_t classes, std::string& numbers) {
  const std::vector<double> coefficients = facts.node.reals("coefficients");
  if (classes < 1 || static_cast<int64_t>(coefficients.size()) != classes * type.shape[1]) {
    return Fault{cat(coefficients.size(), " coefficients for ", classes, " classes and ", type.shape[1], " features"),
                 "", "E211"};
  }
  if (facts.node.text("kernel_type", "LINEAR") != "LINEAR")
    return Fault{"a kernel without support vectors is not supported", "", "E203"};
  const std::string scores =
      body.add("Gemm",
               {x, body.constant(Constant::floats(type.dtype, Shape{classes, type.shape[1]}, coefficients)),
                body.constant(Constant::floats(type.dtype, Shape{1}, {facts.node.reals("rho")[0]}))},
               {{"transB", int64_t{1}}});
  numbers = body.add("ArgMax", {scores}, {{"axis", int64_t{1}}, {"keepdims", int64_t{0}}});
  if (classes == 2 && facts.node.reals("prob_a").empty()) {
    // The second of two classes also wins wherever the larger score is above a bound.
    const bool positive = std::all_of(coefficients.begin(), coefficients.end(), [](double c) { return c >= 0; });
    const std::string most = body.add("ReduceMax", {scores, body.ints({1})}, {{"keepdims", int64_t{0}}});
    const std::string above =
        body.add(positive ? "GreaterOrEqual" : "Greater", {most, body.number(positive ? 0.5 : 0.0, type.dtype)});
    numbers = body.add("Where", {above, body.ints({1}), numbers});
  }
  return scores;
}

Answer<std::string> vector_scores(const Facts& facts, Body& body, const std::string& x, const TensorType& type,
                                  int64_t classes, std::string& numbers) {
  const Node& node = facts.node;
  const std::vector<int64_t> per_class = node.integers("vectors_per_class");
  const std::vector<double> rho = node.reals("rho"), coefficients = node.reals("coefficients"),
                            vectors = node.reals("support_vectors"), a = node.reals("prob_a"), b = node.reals("prob_b");
  const int64_t pairs = classes * (classes - 1) / 2;
  Checked count = 0;
  for (int64_t v : per_class) count = v < 0 ? Checked() : checked_add(count, v);
  const Checked numbers_wanted = checked_mul(count, type.shape[1]);
  if (!count || static_cast<int64_t>(per_class.size()) != classes || classes < 2 || classes > 1000 || !numbers_wanted ||
      static_cast<int64_t>(vectors.size()) != *numbers_wanted ||
      static_cast<int64_t>(coefficients.size()) != (classes - 1) * *count || static_cast<int64_t>(rho.size()) < pairs ||
      a.size() != b.size() || (!a.empty() && static_cast<int64_t>(a.size()) < pairs)) {
    return Fault{cat("its vectors, coefficients and probabilities do not fit ", classes, " classes and ", type.shape[1],
                     " features"),
                 "", "E211"};
  }
  auto list = [&](const std::vector<double>& values) {
    return body.constant(Constant::floats(type.dtype, Shape{pairs},
                                          {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(pairs)}));
  };
  Answer<std::string> values = kernel_values(facts, body, x, type, vectors, *count);
  if (std::holds_alternative<Fault>(values)) return values;
  const std::string decisions =
      body.add("Gemm", {std::get<std::string>(values),
                        body.constant(pair_weights(coefficients, per_class, *count, type.dtype)), list(rho)});
  numbers = winners(body, decisions, classes, type.dtype);
  if (a.empty()) {
    if (classes > 2) return decisions;
    // Two classes share one decision d. As ONNX Runtime has it, a softmax is not taken: the scores are 1 - d and d.
    const std::string transform = node.text("post_transform", "NONE");
    if (transform == "SOFTMAX" || transform == "SOFTMAX_ZERO") {
      return body.add("Concat", {body.add("Sub", {body.number(1, type.dtype), decisions}), decisions},
                      {{"axis", int64_t{1}}});
    }
    if (transform == "PROBIT") {
      return Fault{
          "PROBIT for two classes without probabilities is not supported: the standard gives the second class no score",
          "use post_transform NONE", "E203"};
    }
    return body.add("Concat", {body.add("Neg", {decisions}), decisions}, {{"axis", int64_t{1}}});
  }
  const std::string moved = body.add("Add", {body.add("Mul", {decisions, list(a)}), list(b)});
  const std::string shares = body.add("Clip", {body.add("Sigmoid", {body.add("Neg", {moved})}),
                                               body.number(1e-7, type.dtype), body.number(1 - 1e-7, type.dtype)});
  return body.add("PairProbabilities", {shares}, {{"classes", classes}}, "tarn");
}

Answer<model::GraphDefPtr> expand_vector_classifier(const Facts& facts) {
  Body body(facts);
  TensorType type;
  const Node& node = facts.node;
  const std::string x = examples_of(facts, body, type);
  const int64_t classes = label_count(node);
  if (node.reals("rho").empty()) return Fault{"has no rho", "", "E211"};
  const std::vector<int64_t> per_class = node.integers("vectors_per_class");
  const bool linear = std::all_of(per_class.begin(), per_class.end(), [](int64_t v) { return v == 0; });
  std::string numbers;
  Answer<std::string> scores = linear ? linear_scores(facts, body, x, type, classes, numbers)
                                      : vector_scores(facts, body, x, type, classes, numbers);
  if (const Fault* fault = std::get_if<Fault>(&scores)) return *fault;
  body.output(0, labels_of(facts, body, numbers));
  std::string transform = node.text("post_transform", "NONE");
  const bool one_decision = !linear && classes == 2 && node.reals("prob_a").empty();
  if (one_decision && (transform == "SOFTMAX" || transform == "SOFTMAX_ZERO")) transform = "NONE";  // see vector_scores
  scores = post_transform(body, std::get<std::string>(scores), transform, type.dtype);
  if (const Fault* fault = std::get_if<Fault>(&scores)) return *fault;
  body.output(1, body.cast(std::get<std::string>(scores), type.dtype, DType::float32));
  return body.finish();
}

Answer<Types> infer_pair_probabilities(const Facts& facts) {
  return Types{{facts.types[0].dtype, Shape{facts.shape(0)[0], facts.node.integer("classes", 2)}}};
}

std::optional<Fault> lower_pair_probabilities(const Node& node, Lowering& low) {
  const Shape& y = low.shape(node.outputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  const std::string kernel = "tarn_pair_probabilities_" + kernel_suffix(dtype);
  low.call(node, kernel, {kernel + "_params", {{"examples", y[0]}, {"classes", y[1]}}},
           {low.read(node.inputs[0]),
            low.scratch(dtype == DType::float64 ? dtype : DType::float32, y[1] * (y[1] + 1), "pairs"),
            low.write(node.outputs[0])});
  return {};
}

Answer<Types> infer_distances(const Facts& facts) {
  const Constant* points = facts.node.tensor("points");
  if (!points) return Fault{"has no points"};
  return Types{{facts.types[0].dtype, Shape{facts.shape(0)[0], points->shape()[0]}}};
}

std::optional<Fault> lower_distances(const Node& node, Lowering& low) {
  const Shape& x = low.shape(node.inputs[0]);
  const DType dtype = low.dtype(node.inputs[0]);
  const Constant& points = *node.tensor("points");
  const std::string kernel = "tarn_distances_" + kernel_suffix(dtype);
  Operation& operation = low.call(
      node, kernel, {kernel + "_params", {{"examples", x[0]}, {"points", points.shape()[0]}, {"size", x[1]}}},
      {low.read(node.inputs[0]), low.weight(low.key(node.outputs[0], "/points"), points), low.write(node.outputs[0])});
  operation.macs = x.count() * points.shape()[0];
  operation.parameters = points.count();
  return {};
}

}  // namespace

std::vector<OperatorEntry> support_vector_entries() {
  OperatorEntry regressor{"ai.onnx.ml", "SVMRegressor", "numbers"};
  regressor.expand = expand_vector_regressor;
  OperatorEntry classifier{"ai.onnx.ml", "SVMClassifier", "numbers"};
  classifier.expand = expand_vector_classifier;
  classifier.limits =
      "labels that are strings cannot be put out; their scores can; no PROBIT of two classes without probabilities";
  return {regressor,
          classifier,
          {"tarn", "PairProbabilities", "floats", lower_pair_probabilities, infer_pair_probabilities},
          {"tarn", "Distances", "floats", lower_distances, infer_distances}};
}

}  // namespace tarn::ops
