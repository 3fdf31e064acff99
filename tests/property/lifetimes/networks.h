// Random networks of one layer, lowered as the generator does it, with channels last throughout.
#pragma once
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "lifetimes/storage.h"
#include "ops/lower.h"
#include "ops/op.h"
#include "passes/passes.h"

namespace tarn::tests {

// The same numbers on every machine: distributions of the standard library differ.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  int64_t between(int64_t least, int64_t most) {
    return least + static_cast<int64_t>(engine_() % static_cast<uint64_t>(most - least + 1));
  }
  bool coin() { return between(0, 1) == 1; }
  template <class T>
  T one_of(std::initializer_list<T> list) {
    return *(list.begin() + between(0, static_cast<int64_t>(list.size()) - 1));
  }
  std::vector<double> numbers(int64_t count) {
    std::vector<double> all;
    for (int64_t i = 0; i < count; ++i) all.push_back(static_cast<double>(between(-1000, 1000)) / 1000);
    return all;
  }

 private:
  std::mt19937_64 engine_;
};

class Network {
 public:
  explicit Network(Random& random) : random_(random) {}

  graph::ValueId input(const Shape& shape) {
    const graph::ValueId id = graph_.add_value("x", {DType::float32, shape});
    graph_.inputs.push_back(id);
    return id;
  }
  graph::ValueId weights(const Shape& shape) {
    return graph_.add_constant("w", Constant::floats(DType::float32, shape, random_.numbers(shape.count())));
  }
  graph::ValueId integers(const std::vector<int64_t>& values) {
    return graph_.add_constant("i", Constant::ints(DType::int64, Shape{static_cast<int64_t>(values.size())}, values));
  }
  // Adds a node whose first output becomes the network's; none where its shape rule refuses the attributes.
  graph::ValueId add(const std::string& op, int version, std::vector<graph::ValueId> inputs,
                     graph::Attributes attributes) {
    graph::Node node;
    node.op = op;
    node.version = version;
    node.name = op;
    node.inputs = std::move(inputs);
    node.attributes = std::move(attributes);
    ops::Facts facts{node, {}, {}, {TensorType{}}};
    for (graph::ValueId id : node.inputs) {
      facts.types.push_back(id ? graph_[id].type : TensorType{});
      facts.values.push_back(graph_.constant(id));
    }
    TensorType type = facts.types[0];
    if (const ops::OperatorEntry* entry = ops::find_entry("", op); entry && entry->infer) {
      auto types = entry->infer(facts);
      if (!std::holds_alternative<ops::Types>(types)) return {};
      type = std::get<ops::Types>(types)[0];
    }
    if (type.dtype == DType::undefined || type.shape.count() == 0) return {};
    const graph::ValueId y = graph_.add_value(op, type);
    node.outputs = {y};
    graph_.nodes.push_back(std::move(node));
    graph_.outputs = {y};
    return y;
  }
  const Shape& shape(graph::ValueId id) const { return graph_.shape(id); }

  std::optional<program::Program> lowered() {
    graph::Graph graph = passes::run_passes(graph_, {.nhwc_inputs = true, .nhwc_outputs = true}, {});
    Result<program::Program> program = ops::lower(graph, {});
    if (!program) return {};
    return std::move(*program);
  }

 private:
  Random& random_;
  graph::Graph graph_;
};

}  // namespace tarn::tests
