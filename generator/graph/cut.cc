#include "graph/cut.h"

#include <algorithm>

namespace tarn::graph {

namespace {

ValueId find_value(const Graph& graph, const std::string& name) {
  for (size_t i = 0; i < graph.values.size(); ++i) {
    if (graph.values[i].name == name && graph.values[i].known()) return ValueId(i);
  }
  return {};
}

// Every value that `to` is computed from, `to` itself included.
std::vector<bool> needed_for(const Graph& graph, ValueId to) {
  std::vector<bool> needed(graph.values.size(), false);
  needed[to.pos()] = true;
  for (size_t n = graph.nodes.size(); n-- > 0;) {
    const Node& node = graph.nodes[n];
    const bool runs = std::any_of(node.outputs.begin(), node.outputs.end(),
                                  [&](ValueId id) { return id.valid() && needed[id.pos()]; });
    if (!runs) continue;
    for (const auto* list : {&node.inputs, &node.captures}) {
      for (ValueId id : *list) {
        if (id.valid()) needed[id.pos()] = true;
      }
    }
  }
  return needed;
}

}  // namespace

Result<Done> cut(Graph& graph, const std::string& between, const std::string& file) {
  auto refuse = [&](const std::string& what) {
    Where where;
    where.file = file;
    return Diagnostic{
        "E209", where, what,
        "--cut A:B takes two tensors of the model; a viewer or the report's tensor list shows their names"};
  };
  // Names may hold colons themselves.
  ValueId from, to;
  for (size_t at = between.find(':'); at != std::string::npos && !(from.valid() && to.valid());
       at = between.find(':', at + 1)) {
    from = find_value(graph, between.substr(0, at));
    to = find_value(graph, between.substr(at + 1));
  }
  if (!from.valid() || !to.valid())
    return refuse("--cut " + between + ": there are no two such tensors after folding constants");
  if (graph.constant(from) || graph.constant(to)) return refuse("--cut " + between + ": one of them is a constant");
  if (!graph[from].runtime_dims.empty() || !graph[to].runtime_dims.empty())
    return refuse("--cut " + between + ": a size is known only at run time");

  sort_nodes(graph);
  // Whoever made A still may, for others; what is read from here on is the new input.
  const Uses uses = find_uses(graph);
  if (const auto producer = uses.producer[from.pos()]) {
    const ValueId elsewhere = graph.add_value(graph[from].name + "_before_cut", graph[from].type);
    for (ValueId& id : graph.nodes[*producer].outputs) {
      if (id == from) id = elsewhere;
    }
  }
  const std::vector<bool> needed = needed_for(graph, to);
  if (!needed[from.pos()]) return refuse("--cut " + between + ": the second does not depend on the first");
  std::vector<ValueId> inputs{from};
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const bool expected = std::any_of(graph.expectations.begin(), graph.expectations.end(),
                                      [&](const Expectation& e) { return e.input == i; });
    if (graph.inputs[i] != from && (needed[graph.inputs[i].pos()] || expected)) inputs.push_back(graph.inputs[i]);
  }
  for (Expectation& e : graph.expectations) {
    e.input = static_cast<size_t>(std::find(inputs.begin(), inputs.end(), graph.inputs[e.input]) - inputs.begin());
  }
  graph.inputs = std::move(inputs);
  graph.outputs = {to};
  remove_dead(graph);
  return Done{};
}

}  // namespace tarn::graph
