#include "ops/body.h"

#include "support/text.h"

namespace tarn::ops {

Body::Body(const Facts& facts) : facts_(facts), outputs_(facts.declared.size()) {
  graph_.name = facts.node.op;
  for (size_t i = 0; i < facts.types.size(); ++i) graph_.inputs.push_back({input(i), {}});
}

std::string Body::input(size_t i) const { return facts_.has(i) ? cat("input_", i) : ""; }

std::vector<std::string> Body::add(size_t outputs, const std::string& op, std::vector<std::string> inputs,
                                   model::Attributes attributes, const std::string& domain) {
  model::NodeDef node;
  node.index = facts_.node.origins.empty() ? -1 : facts_.node.origins[0];
  node.name = facts_.node.name;
  node.op = op;
  node.domain = domain;
  node.inputs = std::move(inputs);
  node.attributes = std::move(attributes);
  for (size_t i = 0; i < outputs; ++i) node.outputs.push_back(cat(op, "_", count_++));
  std::vector<std::string> names = node.outputs;
  graph_.nodes.push_back(std::move(node));
  return names;
}

std::string Body::add(const std::string& op, std::vector<std::string> inputs, model::Attributes attributes,
                      const std::string& domain) {
  return add(1, op, std::move(inputs), std::move(attributes), domain)[0];
}

std::string Body::constant(Constant value) {
  std::string name = cat("constant_", count_++);
  graph_.initializers.push_back({name, std::move(value)});
  return name;
}

std::string Body::ints(const std::vector<int64_t>& values) {
  return constant(Constant::ints(DType::int64, Shape{static_cast<int64_t>(values.size())}, values));
}

std::string Body::number(double value, DType dtype) { return constant(Constant::scalar(dtype, value)); }

std::string Body::reshape(const std::string& x, const std::vector<int64_t>& shape) {
  return add("Reshape", {x, ints(shape)});
}

std::string Body::transpose(const std::string& x, const std::vector<int64_t>& perm) {
  return add("Transpose", {x}, {{"perm", perm}});
}

std::string Body::cast(const std::string& x, DType from, DType to) {
  return from == to ? x : add("Cast", {x}, {{"to", int64_t{to_onnx(to)}}});
}

void Body::output(size_t i, const std::string& name) {
  if (i < outputs_.size()) outputs_[i] = name;
}

model::GraphDefPtr Body::finish() {
  for (std::string& name : outputs_) graph_.outputs.push_back({std::move(name), {}});
  return std::make_shared<const model::GraphDef>(std::move(graph_));
}

}  // namespace tarn::ops
