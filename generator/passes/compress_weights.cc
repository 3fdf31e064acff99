// --weight-type, and weights that the model itself stores as codes: layers that have kernels for weights in fewer bits
// are told which to use.
#include <algorithm>

#include "ops/coded_weights.h"
#include "passes/passes.h"
#include "support/nearest.h"
#include "support/text.h"
#include "tensor/coded_values.h"
#include "tensor/numeric.h"

namespace tarn::passes {

namespace {

using graph::Node;

constexpr const char* kHint =
    "Conv of up to two spatial axes, Gemm, MatMul, Gather, LSTM, GRU and RNN of float32 with constant weights can be";

bool is_named(const Graph& graph, const Node& node, const std::string& layer) {
  if (node.name == layer || std::count(node.origin_names.begin(), node.origin_names.end(), layer) > 0) return true;
  return std::any_of(node.inputs.begin(), node.inputs.end(), [&](graph::ValueId id) {
    const Constant* constant = id.valid() ? graph.constant(id) : nullptr;
    return constant && (graph[id].name == layer || (constant->codes() && constant->codes()->name == layer));
  });
}

// Whether float16 holds every number: what was folded into weights since may have changed them.
bool is_half(const Constant& weights) {
  if (weights.is_absent()) return true;
  for (int64_t i = 0; i < weights.count(); ++i) {
    const auto weight = static_cast<float>(weights.real(i));
    if (half_to_float(float_to_half(weight)) != weight) return false;
    if (weights.is_splat()) break;
  }
  return true;
}

class Compression {
 public:
  Compression(const std::vector<WeightRule>& rules, const ModelForms& forms, bool widen, std::string file)
      : rules_(rules),
        forms_(forms),
        widen_(widen),
        file_(std::move(file)),
        applied_(rules.size()),
        seen_(rules.size()) {}

  void run(Graph& graph) {
    for (Node& node : graph.nodes) {
      for (Graph& body : node.bodies) run(body);
      choose(graph, node);
    }
  }

  Diagnostics unused() {
    for (size_t i = 0; i < rules_.size(); ++i) {
      if (applied_[i]) continue;
      const std::string& layer = rules_[i].layer;
      if (layer.empty() && std::any_of(applied_.begin(), applied_.end(), [](bool b) { return b; })) continue;
      if (layer.empty()) {
        add("E209", {}, "--weight-type " + to_string(rules_[i].type) + " finds no layer to store so", kHint);
      } else if (seen_[i]) {
        add("E209", layer, "--weight-type: the weights of this layer cannot be stored as " + to_string(rules_[i].type),
            kHint);
      } else {
        add("E209", layer, "--weight-type names no layer of the model",
            names_.empty() ? kHint : known_names(layer, names_, "layers"));
      }
    }
    return std::move(faults_);
  }

 private:
  void add(std::string code, std::string node, std::string message, std::string hint) {
    Where where;
    where.file = file_;
    where.node_name = std::move(node);
    faults_.push_back({std::move(code), std::move(where), std::move(message), std::move(hint)});
  }

  // The last rule that names the layer, else the last for all.
  void choose(const Graph& graph, Node& node) {
    const std::vector<graph::ValueId> weights = ops::codable_weights(graph, node);
    const bool can = !weights.empty(),
               codes = can && std::all_of(weights.begin(), weights.end(),
                                          [&](graph::ValueId id) { return graph.constant(id)->codes() != nullptr; });
    if (can) names_.insert(names_.end(), node.origin_names.begin(), node.origin_names.end());
    std::optional<size_t> chosen;
    for (size_t i = 0; i < rules_.size(); ++i) {
      const bool named = !rules_[i].layer.empty();
      if (named && !is_named(graph, node, rules_[i].layer)) continue;
      if (named) seen_[i] = true;
      if (!can) continue;
      applied_[i] = true;
      if (named || !chosen || rules_[*chosen].layer.empty()) chosen = i;
    }
    if (!chosen && !(codes && forms_.codes)) {
      const WeightType half{.kind = WeightType::Kind::f16};
      const bool kept = can && std::all_of(weights.begin(), weights.end(), [&](graph::ValueId id) {
                          return forms_.halves.contains(graph[id].name) && is_half(*graph.constant(id)) &&
                                 ops::not_codable(*graph.constant(id), half).empty();
                        });
      if (kept) node.attributes["weight_type"] = to_string(half);
      return;
    }
    WeightType kept;
    kept.kind = WeightType::Kind::model;
    const WeightType& type = chosen ? rules_[*chosen].type : kept;
    if (type.kind == WeightType::Kind::f32) return;
    for (graph::ValueId id : weights) {
      const std::string why = ops::not_codable(*graph.constant(id), type);
      if (why.empty()) continue;
      if (!chosen) return;
      add("E204", node.name, cat(why, " cannot be stored as ", to_string(type)), "leave this layer out");
      return;
    }
    node.attributes["weight_type"] = to_string(type);
    if (widen_) node.attributes["widened"] = int64_t{1};
  }

  const std::vector<WeightRule>& rules_;
  const ModelForms& forms_;
  bool widen_;
  std::string file_;
  std::vector<bool> applied_, seen_;
  std::vector<std::string> names_;
  Diagnostics faults_;
};

}  // namespace

Result<Graph> compress_weights(Graph graph, const std::vector<WeightRule>& rules, const ModelForms& forms, bool widen,
                               const std::string& file) {
  Compression compression(rules, forms, widen, file);
  compression.run(graph);
  if (Diagnostics faults = compression.unused(); !faults.empty()) return faults;
  return graph;
}

}  // namespace tarn::passes
