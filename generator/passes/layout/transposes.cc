#include "passes/layout/transposes.h"

#include <algorithm>
#include <map>

#include "graph/replacements.h"
#include "ops/op.h"

namespace tarn::passes {

std::optional<Perm> transpose_of(const Node& node) {
  if (!node.is("Transpose")) return {};
  Perm perm;
  for (int64_t axis : node.integers("perm")) perm.push_back(static_cast<int>(axis));
  return perm;
}

Node transpose(ValueId from, ValueId to, const Perm& perm) {
  Node node;
  node.op = "Transpose";
  node.version = 1;
  node.inputs = {from};
  node.outputs = {to};
  node.attributes["perm"] = std::vector<int64_t>(perm.begin(), perm.end());
  return node;
}

Node transpose_for(const Node& node, ValueId from, ValueId to, const Perm& perm) {
  Node result = transpose(from, to, perm);
  result.origins = node.origins;
  result.origin_names = node.origin_names;
  return result;
}

ValueId permuted_value(Graph& graph, ValueId of, const Perm& perm) {
  const graph::Value value = graph[of];
  const ValueId id = graph.add_value(value.name, {value.type.dtype, permuted(value.type.shape, perm)});
  for (graph::RuntimeDim dim : value.runtime_dims) {
    dim.axis = static_cast<int>(std::find(perm.begin(), perm.end(), dim.axis) - perm.begin());
    graph[id].runtime_dims.push_back(dim);
  }
  return id;
}

void make_reshape(const Graph& graph, Node& node, ValueId from) {
  node.op = "Reshape";
  node.version = 1;
  node.inputs = {from};
  node.attributes.clear();
  node.attributes["shape"] = graph.shape(node.outputs[0]).dims;
}

// A Transpose without perm reverses the axes; say so.
void spell_out_permutations(Graph& graph) {
  for (Node& node : graph.nodes) {
    if (!node.is("Transpose")) continue;
    std::vector<int64_t> perm = node.integers("perm");
    const int rank = graph.shape(node.inputs[0]).rank();
    if (perm.empty()) {
      for (int i = rank; i-- > 0;) perm.push_back(i);
    }
    for (int64_t& axis : perm) axis = axis < 0 ? axis + rank : axis;
    node.attributes["perm"] = perm;
  }
}

void tidy_transposes(Graph& graph) {
  graph::Uses uses = graph::find_uses(graph);
  graph::Replacements replacements(graph);
  std::map<std::pair<ValueId, Perm>, ValueId> known;
  for (Node& node : graph.nodes) {
    std::optional<Perm> perm = transpose_of(node);
    if (!perm) continue;
    node.inputs[0] = replacements.now(node.inputs[0]);
    if (const auto& producer = uses.producer[node.inputs[0].pos()]) {
      if (const auto first = transpose_of(graph.nodes[*producer])) {
        *perm = compose(*first, *perm);
        node.inputs[0] = graph.nodes[*producer].inputs[0];
        node.attributes["perm"] = std::vector<int64_t>(perm->begin(), perm->end());
      }
    }
    const ValueId x = node.inputs[0], y = node.outputs[0];
    if (is_identity(*perm)) {
      if (!uses.is_output[y.pos()]) {
        replacements.replace(y, x);
      } else if (!uses.is_output[x.pos()] && uses.producer[x.pos()]) {
        graph[x].name = graph[y].name;
        uses.is_output[x.pos()] = true;
        replacements.replace(y, x);
      }
      continue;
    }
    auto [it, added] = known.try_emplace({x, *perm}, y);
    if (!added && !uses.is_output[y.pos()]) replacements.replace(y, it->second);
  }
  replacements.apply(graph);
  graph::remove_dead(graph);
}

namespace {

bool is_read_once(const graph::Uses& uses, ValueId x) {
  return uses.readers[x.pos()].size() == 1 && !uses.is_output[x.pos()];
}

// The Transpose takes its operand's producer's operand, and the producer comes behind it.
void change_places(Graph& graph, Node& producer, Node& transposing) {
  const Perm perm = *transpose_of(transposing);
  const ValueId moved = permuted_value(graph, producer.inputs[0], perm), y = transposing.outputs[0];
  Node later = std::move(producer);
  producer = transpose(later.inputs[0], moved, perm);
  producer.origins = transposing.origins;
  producer.origin_names = transposing.origin_names;
  later.inputs[0] = moved;
  later.outputs = {y};
  transposing = std::move(later);
}

// One operand, and single numbers beside it.
bool works_by_element(const Graph& graph, const Node& node) {
  const ops::OperatorEntry* entry = ops::find_entry(node.domain, node.op);
  if (!entry || entry->layout != ops::Layout::elementwise || node.outputs.size() != 1 || !node.has_input(0) ||
      graph.shape(node.inputs[0]) != graph.shape(node.outputs[0]))
    return false;
  return std::all_of(node.inputs.begin() + 1, node.inputs.end(), [&](ValueId input) {
    return !input || (graph.constant(input) && graph.shape(input).count() == 1);
  });
}

}  // namespace

void transpose_codes(Graph& graph) {
  const graph::Uses uses = graph::find_uses(graph);
  for (Node& node : graph.nodes) {
    if (!transpose_of(node) || !is_read_once(uses, node.inputs[0])) continue;
    const auto producer = uses.producer[node.inputs[0].pos()];
    if (!producer) continue;
    Node& qdq = graph.nodes[*producer];
    if (qdq.is("IntDequantize", "tarn") && !graph.constant(qdq.inputs[0])) change_places(graph, qdq, node);
  }
}

void transpose_inputs(Graph& graph) {
  const graph::Uses uses = graph::find_uses(graph);
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    if (!transpose_of(graph.nodes[n])) continue;
    // From the last that is done to the input to the first.
    std::vector<size_t> producers;
    ValueId x = graph.nodes[n].inputs[0];
    while (is_read_once(uses, x) && uses.producer[x.pos()]) {
      const Node& node = graph.nodes[*uses.producer[x.pos()]];
      if (!works_by_element(graph, node) ||
          bytes_for(graph.dtype(node.inputs[0]), 8) > bytes_for(graph.dtype(node.outputs[0]), 8))
        break;
      producers.push_back(*uses.producer[x.pos()]);
      x = node.inputs[0];
    }
    if (!is_read_once(uses, x) || std::find(graph.inputs.begin(), graph.inputs.end(), x) == graph.inputs.end())
      continue;
    size_t at = n;
    for (size_t producer : producers) {
      change_places(graph, graph.nodes[producer], graph.nodes[at]);
      at = producer;
    }
  }
}

}  // namespace tarn::passes
