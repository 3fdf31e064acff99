#include "quantize/to_model.h"

#include <algorithm>
#include <set>

#include "model/onnx_schema.h"
#include "support/text.h"

namespace tarn::quantize {

namespace {

using graph::Graph;
using graph::ValueId;

// Operators that graphs are built with, as files of that opset write them.
graph::Node as_written(graph::Node node, const Graph& graph, int opset) {
  if (node.is("Gelu") && opset < 20) {
    node.domain = "com.microsoft";
    node.version = 0;
    if (node.text("approximate", "none") == "tanh") node.op = "FastGelu";
    node.attributes.clear();
  }
  if (node.is("Rotary", "tarn") && opset >= 23 && node.integer("second", 0) == 0) {
    model::Attributes attributes{{"interleaved", node.integer("interleaved", 0)},
                                 {"rotary_embedding_dim", 2 * node.integer("half", 0)}};
    if (graph.shape(node.inputs[0]).rank() == 3) attributes["num_heads"] = node.integers("dims")[2];
    node.op = "RotaryEmbedding";
    node.domain.clear();
    node.version = 0;
    node.attributes = std::move(attributes);
  }
  return node;
}

class Writer {
 public:
  explicit Writer(const FileFacts& facts) : facts_(facts) {
    taken_.insert(facts.inputs.begin(), facts.inputs.end());
    taken_.insert(facts.outputs.begin(), facts.outputs.end());
  }

  Diagnostics faults;

  model::GraphDef write(const Graph& graph, std::vector<std::string>& names) {
    for (size_t i = 0; i < graph.values.size(); ++i) {
      if (names[i].empty()) names[i] = fresh(graph.values[i].name);
    }
    model::GraphDef out;
    out.name = facts_.graph_name;
    std::vector<bool> read(graph.values.size(), false);
    const int opset = facts_.opsets.contains("") ? facts_.opsets.at("") : 0;
    for (const graph::Node& node : graph.nodes)
      out.nodes.push_back(write_node(as_written(node, graph, opset), names, read));
    for (const ValueId id : graph.outputs) read[id.pos()] = true;
    for (size_t i = 0; i < graph.values.size(); ++i) {
      if (read[i] && graph.values[i].constant) out.initializers.push_back({names[i], *graph.values[i].constant});
    }
    return out;
  }

  static model::ValueInfo info(const Graph& graph, ValueId id, const std::string& name) {
    model::ValueInfo value{name, {}};
    value.type.kind = model::Type::Kind::tensor;
    value.type.dtype = graph.dtype(id);
    value.type.dims.emplace();
    for (const int64_t d : graph.shape(id).dims) value.type.dims->push_back({d, ""});
    for (const graph::RuntimeDim& dim : graph[id].runtime_dims)
      (*value.type.dims)[static_cast<size_t>(dim.axis)] = {{}, cat("n", dim.symbol)};
    return value;
  }

  std::string fresh(const std::string& wanted) { return fresh(wanted.empty() ? "value" : wanted, taken_, next_); }

 private:
  static std::string fresh(const std::string& base, std::set<std::string>& taken, std::map<std::string, int>& next) {
    std::string name = base;
    for (int n = next[base]; !taken.insert(name).second; ++n) {
      name = cat(base, "_", n + 1);
      next[base] = n + 1;
    }
    return name;
  }

  model::NodeDef write_node(const graph::Node& node, const std::vector<std::string>& names, std::vector<bool>& read) {
    model::NodeDef out;
    if (!node.name.empty()) out.name = fresh(node.name, taken_nodes_, next_node_);
    out.op = node.op;
    out.domain = node.domain;
    const std::optional<int> since = model::since_version(node.domain, node.op, facts_.opsets);
    const bool known = node.domain == "com.microsoft" || (since && (node.version == 0 || *since == node.version));
    if (node.domain == "tarn" || !known) {
      Where where{.file = facts_.path, .node_name = node.name, .op = node.op};
      if (!node.origins.empty()) where.node = node.origins.front();
      faults.push_back({"E421", where, cat("no file of opset ", facts_.opsets.at(""), " can hold this operator"), {}});
    }
    const auto name_of = [&](ValueId id) { return id ? names[id.pos()] : std::string(); };
    for (const ValueId id : node.inputs) {
      out.inputs.push_back(name_of(id));
      if (id) read[id.pos()] = true;
    }
    for (const ValueId id : node.outputs) out.outputs.push_back(name_of(id));
    for (const auto& [name, attribute] : node.attributes) {
      if (!std::holds_alternative<model::GraphDefPtr>(attribute)) out.attributes[name] = attribute;
    }
    for (const ValueId id : node.captures) read[id.pos()] = true;
    for (size_t b = 0; b < node.bodies.size(); ++b) {
      const char* name = node.op != "If" ? "body" : b == 0 ? "then_branch" : "else_branch";
      out.attributes[name] = std::make_shared<const model::GraphDef>(write_body(node, node.bodies[b], names));
    }
    return out;
  }

  // Inputs that stand for captured values are called as those are.
  model::GraphDef write_body(const graph::Node& node, const Graph& body, const std::vector<std::string>& outer) {
    std::vector<std::string> names(body.values.size());
    const size_t formal = body.inputs.size() - node.captures.size();
    for (size_t i = formal; i < body.inputs.size(); ++i)
      names[body.inputs[i].pos()] = outer[node.captures[i - formal].pos()];
    model::GraphDef out = write(body, names);
    for (size_t i = 0; i < formal; ++i) out.inputs.push_back(info(body, body.inputs[i], names[body.inputs[i].pos()]));
    // What is handed through, or twice, gets a name of its own.
    std::set<std::string> made;
    for (const model::NodeDef& inner : out.nodes) made.insert(inner.outputs.begin(), inner.outputs.end());
    for (const ValueId id : body.outputs) {
      std::string name = names[id.pos()];
      if (made.erase(name) == 0) {
        out.nodes.push_back({-1, "", "Identity", "", {name}, {fresh(name)}, {}});
        name = out.nodes.back().outputs[0];
      }
      out.outputs.push_back(info(body, id, name));
    }
    return out;
  }

  const FileFacts& facts_;
  std::set<std::string> taken_, taken_nodes_;  // onnxruntime refuses two nodes of one name
  std::map<std::string, int> next_, next_node_;
};

}  // namespace

Result<model::Model> to_model(const Graph& graph, const FileFacts& facts, std::vector<std::string>* told) {
  Writer writer(facts);
  std::vector<std::string> names(graph.values.size());
  for (size_t i = 0; i < graph.inputs.size(); ++i)
    names[graph.inputs[i].pos()] = i < facts.inputs.size() ? facts.inputs[i] : std::string();
  std::vector<bool> direct(graph.outputs.size(), false);  // the value has the output's name
  for (size_t i = 0; i < graph.outputs.size() && i < facts.outputs.size(); ++i) {
    const size_t at = graph.outputs[i].pos();
    if (!names[at].empty() || graph.values[at].constant) continue;
    names[at] = facts.outputs[i];
    direct[i] = true;
  }
  model::Model model;
  model.path = facts.path;
  model.ir_version = facts.ir_version;
  model.opsets = facts.opsets;
  model.graph = writer.write(graph, names);
  const std::vector<model::NodeDef>& nodes = model.graph.nodes;
  if (std::any_of(nodes.begin(), nodes.end(),
                  [](const model::NodeDef& node) { return node.domain == "com.microsoft"; }))
    model.opsets.emplace("com.microsoft", 1);
  for (const ValueId id : graph.inputs) model.graph.inputs.push_back(Writer::info(graph, id, names[id.pos()]));
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    const ValueId id = graph.outputs[i];
    std::string name = names[id.pos()];
    if (i < facts.outputs.size() && !direct[i]) {
      model.graph.nodes.push_back({-1, "", "Identity", "", {name}, {facts.outputs[i]}, {}});
      name = facts.outputs[i];
    }
    model.graph.outputs.push_back(Writer::info(graph, id, name));
  }
  if (!writer.faults.empty()) return writer.faults;
  if (told) *told = std::move(names);
  return model;
}

}  // namespace tarn::quantize
