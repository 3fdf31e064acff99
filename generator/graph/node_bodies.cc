// Nodes that hold or stand for graphs: functions, If, Loop and Scan.
#include <algorithm>

#include "graph/builder.h"
#include "ops/body.h"
#include "support/text.h"

namespace tarn::graph {

// Replaces an operator that the standard defines as a function by its body.
bool Builder::expand(const model::NodeDef& source, const Node& resolved, const Facts& facts, Scope& scope, int depth) {
  const model::NodeQuery query = query_for(source, facts);
  std::map<std::string, int> body_opsets;
  const model::GraphDefPtr body = model::function_body(query, &body_opsets);
  if (!body) return false;
  add_body(source, resolved, *body, std::move(body_opsets), scope, depth);
  return true;
}

// The same for an operator whose entry says what it is made of.
bool Builder::expand_entry(const model::NodeDef& source, const Node& resolved, const Facts& facts,
                           const ops::OperatorEntry& entry, Scope& scope, int depth) {
  const ops::Answer<model::GraphDefPtr> answer = entry.expand(facts);
  if (const Fault* fault = std::get_if<Fault>(&answer)) {
    if (options_.opaque_operators) return false;
    fail(fault->code, source, fault->message, fault->hint);
    for (const std::string& name : source.outputs) {
      if (!name.empty()) scope.bind(name, scope.graph().add_value(name, {}));
    }
    return true;
  }
  const model::GraphDefPtr& body = std::get<model::GraphDefPtr>(answer);
  if (!body) return false;
  std::map<std::string, int> opsets = opsets_;
  opsets[""] = ops::kBodyOpset;
  add_body(source, resolved, *body, std::move(opsets), scope, depth);
  return true;
}

void Builder::add_body(const model::NodeDef& source, const Node& resolved, const model::GraphDef& body,
                       std::map<std::string, int> body_opsets, Scope& scope, int depth) {
  Scope inner = scope.nested();
  for (size_t i = 0; i < body.inputs.size(); ++i) {
    const ValueId actual = i < resolved.inputs.size() ? resolved.inputs[i] : ValueId();
    if (!body.inputs[i].name.empty() && actual) inner.bind(body.inputs[i].name, actual);
  }
  std::swap(opsets_, body_opsets);
  add_nodes(body, inner, depth + 1);
  std::swap(opsets_, body_opsets);
  for (size_t i = 0; i < source.outputs.size() && i < body.outputs.size(); ++i) {
    if (source.outputs[i].empty()) continue;
    const ValueId made = inner.find(body.outputs[i].name);
    if (!made && body.outputs[i].name.empty()) fail("E203", source, cat("its output ", i, " is not supported"));
    const bool handed_through =
        std::find(resolved.inputs.begin(), resolved.inputs.end(), made) != resolved.inputs.end();
    if (made && !handed_through) scope.graph()[made].name = source.outputs[i];
    scope.bind(source.outputs[i], made ? made : scope.graph().add_value(source.outputs[i], {}));
  }
}

// An If whose condition is known becomes the branch that it takes.
bool Builder::inline_branch(const model::NodeDef& source, const Facts& facts, Scope& scope, int depth) {
  const Constant* condition = facts.value(0);
  if (!condition || condition->is_absent() || condition->count() != 1 || depth >= kMaxDepth) return false;
  auto it = source.attributes.find(condition->integer(0) != 0 ? "then_branch" : "else_branch");
  if (it == source.attributes.end() || !std::holds_alternative<model::GraphDefPtr>(it->second)) return false;
  take_branch(source, *std::get<model::GraphDefPtr>(it->second), scope, depth);
  return true;
}

void Builder::take_branch(const model::NodeDef& source, const model::GraphDef& branch, Scope& scope, int depth) {
  if (branch.outputs.size() < source.outputs.size()) {
    fail("E205", source, "its branches have fewer outputs than it has");
    return;
  }
  Scope inner = scope.nested();
  inner.see_outer_names();
  add_nodes(branch, inner, depth + 1);
  for (size_t i = 0; i < source.outputs.size() && i < branch.outputs.size(); ++i) {
    if (source.outputs[i].empty()) continue;
    const ValueId made = inner.find(branch.outputs[i].name);
    if (!made) fail("E201", source, "the branch never produces its output '" + branch.outputs[i].name + "'");
    scope.bind(source.outputs[i], made ? made : scope.graph().add_value(source.outputs[i], {}));
  }
}

// An If of which one branch cannot be with these sizes (a model for several of them) becomes the other; every run
// checks that the condition asks for it. `told`: how many faults there were before its branches were built.
bool Builder::take_only_branch(const model::NodeDef& source, const Node& node, size_t told, Scope& scope, int depth) {
  if (depth >= kMaxDepth || node.inputs.size() != 1 || !node.inputs[0] ||
      scope.graph()[node.inputs[0]].type.shape.count() != 1)
    return false;
  constexpr const char* kNames[] = {"then_branch", "else_branch"};
  const model::GraphDef* branches[2] = {nullptr, nullptr};
  bool fits[2] = {true, true};
  std::string why;  // the first fault of the branch that cannot be
  for (size_t b = 0; b < 2; ++b) {
    const auto it = source.attributes.find(kNames[b]);
    if (it == source.attributes.end() || !std::holds_alternative<model::GraphDefPtr>(it->second)) return false;
    branches[b] = std::get<model::GraphDefPtr>(it->second).get();
  }
  const size_t warned = warnings_.size();
  const Diagnostics both = faults_;
  faults_.resize(told);
  bool misfits = true;
  for (size_t b = 0; b < 2; ++b) {
    const Worlds worlds = worlds_;
    Graph probe;
    Scope inner = scope.enclosed(probe);
    add_nodes(*branches[b], inner, depth + 1);
    sampled_.erase(&probe);
    worlds_ = worlds;
    fits[b] = faults_.size() == told;
    misfits = misfits && std::all_of(faults_.begin() + static_cast<std::ptrdiff_t>(told), faults_.end(),
                                     [](const Diagnostic& d) { return d.code == "E205" || d.code == "E211"; });
    if (!fits[b]) why = faults_[told].message;
    faults_.resize(told);
    warnings_.resize(warned);
  }
  if (!misfits || fits[0] == fits[1]) {
    faults_ = both;
    return false;
  }
  warn("W204", source,
       cat("the ", fits[0] ? "else" : "then", " branch cannot be with these sizes (", why,
           "): runs for which the condition asks for it end with a status"));
  take_branch(source, *branches[fits[0] ? 0 : 1], scope, depth);
  for (const std::string& name : source.outputs) {
    const ValueId made = name.empty() ? ValueId() : scope.find(name);
    if (!made || !scope.graph()[made].known()) continue;
    Node check;
    check.op = "Checked";
    check.domain = "tarn";
    check.version = 1;
    check.name = source.name;
    check.origins = node.origins;
    check.origin_names = node.origin_names;
    check.attributes["holds"] = int64_t{fits[0]};
    check.inputs = {made, node.inputs[0]};
    const ValueId checked = scope.graph().add_value(name, scope.graph()[made].type);
    scope.graph()[checked].runtime_dims = scope.graph()[made].runtime_dims;
    check.outputs = {checked};
    scope.graph().nodes.push_back(std::move(check));
    scope.bind(name, checked);
  }
  return true;
}

namespace {

// The type that an operator gives the i-th of its body's `count` formal inputs.
TensorType formal_type(const Graph& graph, const Node& node, size_t i, size_t count) {
  if (node.op == "Loop") {
    // trip number, condition, then the carried values
    if (i == 0) return {DType::int64, {}};
    if (i == 1) return {DType::boolean, {}};
    return i < node.inputs.size() && node.inputs[i] ? graph[node.inputs[i]].type : TensorType{};
  }
  // Scan of opset 8: the lengths are its first input, and its tensors have a batch axis that the body does not see.
  const size_t batch_axes = node.version < 9 ? 1 : 0;
  if (node.op != "Scan" || i + batch_axes >= node.inputs.size() || !node.inputs[i + batch_axes]) return {};
  TensorType type = graph[node.inputs[i + batch_axes]].type;
  if (batch_axes > 0 && type.shape.rank() > 0) type.shape.dims.erase(type.shape.dims.begin());
  const int64_t scanned = node.integer("num_scan_inputs", 0);
  const size_t states = count - static_cast<size_t>(std::clamp<int64_t>(scanned, 0, static_cast<int64_t>(count)));
  if (i < states || type.shape.rank() == 0) return type;
  const std::vector<int64_t> axes = node.integers("scan_input_axes");
  const int64_t axis = i - states < axes.size() ? axes[i - states] : 0;
  if (const std::optional<int> at = normalise_axis(axis, type.shape.rank()))
    type.shape.dims.erase(type.shape.dims.begin() + *at);
  return type;
}

// Each outer value that a body of the node reads becomes one more input of this body; `own`: outer and inner values of
// those that it reads itself.
void take_captures(const Graph& graph, const std::vector<ValueId>& captures,
                   const std::vector<std::pair<ValueId, ValueId>>& own, Graph& body) {
  for (ValueId outer : captures) {
    ValueId within;
    for (const auto& [from, to] : own) {
      if (from == outer) within = to;
    }
    if (!within) {
      within = body.add_value(graph[outer].name, graph[outer].type);
      body[within].runtime_dims = graph[outer].runtime_dims;
    }
    body.inputs.push_back(within);
  }
}

}  // namespace

// The graphs inside If, Loop and Scan. Their formal inputs have the types that the operator gives them; every outer
// value they read becomes one more input of each body and a capture of the node.
void Builder::build_bodies(const model::NodeDef& source, Node& node, Scope& scope, int depth) {
  if (depth >= kMaxDepth) return fail("E207", source, "bodies nest too deeply");
  std::vector<std::string> names;
  if (source.op == "If") names = {"then_branch", "else_branch"};
  else names = {"body"};
  std::vector<ValueId> captures;
  std::vector<std::vector<std::pair<ValueId, ValueId>>> captured;  // per body: outer, inner
  for (const std::string& name : names) {
    auto it = source.attributes.find(name);
    if (it == source.attributes.end() || !std::holds_alternative<model::GraphDefPtr>(it->second)) {
      return fail("E201", source, "has no graph '" + name + "'");
    }
    const model::GraphDef& body = *std::get<model::GraphDefPtr>(it->second);
    Graph inner_graph;
    Scope inner = scope.enclosed(inner_graph);
    for (size_t i = 0; i < body.inputs.size(); ++i) {
      const TensorType type = formal_type(scope.graph(), node, i, body.inputs.size());
      inner.bind(body.inputs[i].name, inner_graph.add_value(body.inputs[i].name, type));
      inner_graph.inputs.push_back(inner.graph_value(body.inputs[i].name));
    }
    add_nodes(body, inner, depth + 1);
    for (const model::ValueInfo& output : body.outputs) {
      const ValueId id = inner.find(output.name);
      if (!id) fail("E201", source, "its body never produces '" + output.name + "'");
      inner_graph.outputs.push_back(id ? id : inner_graph.add_value(output.name, {}));
    }
    sampled_.erase(&inner_graph);
    captured.push_back(inner.captured());
    for (const auto& [outer, within] : inner.captured()) {
      if (std::find(captures.begin(), captures.end(), outer) == captures.end()) captures.push_back(outer);
    }
    node.bodies.push_back(std::move(inner_graph));
    node.attributes.erase(name);
  }
  for (size_t b = 0; b < node.bodies.size(); ++b) {
    take_captures(scope.graph(), captures, captured[b], node.bodies[b]);
    remove_dead(node.bodies[b]);
  }
  node.captures = captures;
}

}  // namespace tarn::graph
