// SVMRegressor: kernel values of an example with every support vector, then their weighted sum.
#include "ops/lowering.h"
#include "ops/ml.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

// Kernel values [examples, vectors].
Answer<std::string> kernel_values(const Facts& facts, Body& body, const std::string& x, const TensorType& type, const std::vector<double>& vectors,
                                  int64_t count) {
  const std::string kind = facts.node.text("kernel_type", "LINEAR");
  const std::vector<double> parameters = facts.node.reals("kernel_params");
  auto parameter = [&](size_t i, double otherwise) { return body.number(i < parameters.size() ? parameters[i] : otherwise, type.dtype); };
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

Answer<model::GraphPtr> expand_regressor(const Facts& facts) {
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
  const Answer<std::string> values = kernel_values(facts, body, x, type, vectors, count);
  if (const Fault* fault = std::get_if<Fault>(&values)) return *fault;
  const std::vector<double> weights = supports > 0 ? coefficients : std::vector<double>{1};
  std::string y = body.add("Gemm", {std::get<std::string>(values), body.constant(Constant::floats(type.dtype, Shape{1, count}, weights)),
                                    body.constant(Constant::floats(type.dtype, Shape{1}, {rho[0]}))},
                           {{"transB", int64_t{1}}});
  if (node.integer("one_class", 0) != 0) {
    const std::string above = body.add("Greater", {y, body.number(0, type.dtype)});
    y = body.add("Where", {above, body.number(1, type.dtype), body.number(-1, type.dtype)});
  }
  body.output(0, body.cast(y, type.dtype, DType::float32));
  return body.finish();
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
  Operation& operation =
      low.call(node, kernel, {kernel + "_params", {{"examples", x[0]}, {"points", points.shape()[0]}, {"size", x[1]}}},
               {low.read(node.inputs[0]), low.weight(low.key(node.outputs[0], "/points"), points), low.write(node.outputs[0])});
  operation.macs = x.count() * points.shape()[0];
  operation.parameters = points.count();
  return {};
}

}  // namespace

std::vector<Room> support_vector_rooms() {
  Room regressor{"ai.onnx.ml", "SVMRegressor", "numbers"};
  regressor.expand = expand_regressor;
  return {regressor, {"tarn", "Distances", "floats", lower_distances, infer_distances}};
}

}  // namespace tarn::ops
