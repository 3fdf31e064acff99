// Transposes pass operators: elementwise ones, those whose axes can change, and reshapes that keep the axes apart.
#include "passes/layout/sink.h"

#include <algorithm>
#include <iterator>

#include "ops/op.h"
#include "passes/layout/transposes.h"

namespace tarn::passes {

namespace {

bool is_reshape(const Node& node) {
  return node.is("Reshape") || node.is("Flatten") || node.is("Squeeze") || node.is("Unsqueeze");
}

// A spatial operator stands further down, with nothing on the way that a transpose could not pass.
bool meets_spatial(const std::vector<std::vector<const Node*>>& readers, ValueId from) {
  std::vector<ValueId> open{from};
  std::vector<bool> seen(readers.size(), false);
  while (!open.empty()) {
    const ValueId id = open.back();
    open.pop_back();
    if (seen[id.pos()]) continue;
    seen[id.pos()] = true;
    for (const Node* node : readers[id.pos()]) {
      if (const auto perm = transpose_of(*node)) {
        if (*perm == channels_last(static_cast<int>(perm->size()))) return true;
        continue;
      }
      const ops::OperatorEntry* entry = ops::find_entry(node->domain, node->op);
      if (!entry || (entry->layout != ops::Layout::elementwise && entry->layout != ops::Layout::axes)) continue;
      for (ValueId output : node->outputs) {
        if (output) open.push_back(output);
      }
    }
  }
  return false;
}

// An operand that no transpose makes: constants are permuted, numbers stay, what moves nothing gets a free transpose.
bool adapt(Graph& graph, ValueId id, const Perm& back, int rank, bool elementwise, ValueId& out,
           std::vector<Node>& added) {
  const Shape shape = graph.shape(id);
  if (elementwise && shape.count() == 1 && shape.rank() <= 1) {
    out = id;
    return true;
  }
  Shape full = shape;
  while (elementwise && full.rank() < rank) full.dims.insert(full.dims.begin(), 1);
  if (full.rank() != rank) return false;
  if (const Constant* c = graph.constant(id)) {
    auto moved = permuted(*c, full, back);
    if (!moved) return false;
    out = graph.add_constant(graph[id].name, std::move(*moved));
    return true;
  }
  if (full != shape || !moves_nothing(full, back)) return false;
  out = permuted_value(graph, id, back);
  added.push_back(transpose(id, out, back));
  return true;
}

// One walk along the nodes. What a node becomes takes its place, and the walk goes on behind the first of it: graphs of
// many thousand nodes are not moved about for each.
class Walk {
 public:
  explicit Walk(Graph& graph) : graph_(graph) {
    waiting_.assign(std::make_move_iterator(graph.nodes.rbegin()), std::make_move_iterator(graph.nodes.rend()));
    for (const Node& node : waiting_) note(node);
  }

  bool run() {
    bool changed = false;
    while (!waiting_.empty()) {
      Node node = std::move(waiting_.back());
      waiting_.pop_back();
      std::vector<Node> became = follows_transpose(node) ? sink(node) : std::vector<Node>();
      if (became.empty()) {
        done_.push_back(std::move(node));
        continue;
      }
      changed = true;
      for (const Node& part : became) note(part);
      done_.push_back(std::move(became[0]));
      waiting_.insert(waiting_.end(), std::make_move_iterator(became.rbegin()),
                      std::make_move_iterator(became.rend() - 1));
    }
    graph_.nodes = std::move(done_);
    return changed;
  }

 private:
  struct Turned {
    ValueId source;
    Perm perm;
  };
  struct Chosen {
    Perm perm;
    bool free = true;  // it moves nothing
  };

  void note(const Node& node) {
    turned_.resize(graph_.values.size());
    const std::optional<Perm> perm = transpose_of(node);
    for (ValueId output : node.outputs) {
      if (!output) continue;
      if (perm) turned_[output.pos()] = Turned{node.inputs[0], *perm};
      else turned_[output.pos()].reset();
    }
  }

  const Turned* turned(ValueId id) const {
    return id && id.pos() < turned_.size() && turned_[id.pos()] ? &*turned_[id.pos()] : nullptr;
  }

  bool follows_transpose(const Node& node) const {
    return std::any_of(node.inputs.begin(), node.inputs.end(), [&](ValueId id) { return turned(id) != nullptr; });
  }

  // `node` is one of them too.
  std::vector<std::vector<const Node*>> find_readers(const Node& node) const {
    std::vector<std::vector<const Node*>> readers(graph_.values.size());
    auto add = [&](const Node& reader) {
      for (ValueId id : reader.inputs) {
        if (id) readers[id.pos()].push_back(&reader);
      }
      for (ValueId id : reader.captures) {
        if (id) readers[id.pos()].push_back(&reader);
      }
    };
    for (const Node& reader : done_) add(reader);
    add(node);
    for (const Node& reader : waiting_) add(reader);
    return readers;
  }

  // What the node becomes when a Transpose moves from its operands to its results. Nothing: there is none, or it cannot
  // pass.
  std::vector<Node> sink(const Node& node);
  std::vector<Node> sink_through_reshape(const Node& node);
  std::optional<Chosen> choose(const Node& node, size_t operands, bool elementwise, int rank) const;
  bool turn_outputs(Node& node, const Perm& perm, bool elementwise, std::vector<Node>& after);

  Graph& graph_;
  std::vector<Node> done_, waiting_;           // the next one stands last
  std::vector<std::optional<Turned>> turned_;  // by value: what a Transpose makes
};

// Transpose, then Reshape, becomes Reshape, then Transpose, where the axes that the reshape joins still lie side by
// side before the transpose. Where they do not (channels are shuffled), they are first brought together by a Transpose
// of their own, if the one that comes out at the end will meet a spatial operator.
std::vector<Node> Walk::sink_through_reshape(const Node& node) {
  const Turned* before = turned(node.inputs[0]);
  if (!before) return {};
  const ValueId source = before->source, result = node.outputs[0];
  if (!graph_[source].runtime_dims.empty() || !graph_[result].runtime_dims.empty() || graph_.shape(result).count() == 0)
    return {};
  const std::optional<ReshapeOrder> order = reshape_order(graph_.shape(source), before->perm, graph_.shape(result));
  if (!order) return {};
  const bool gathers = !moves_nothing(graph_.shape(source), order->gather);
  if (is_identity(order->after)) {
    if (gathers) return {};
  } else if (gathers && (order->after != inverse(channels_last(graph_.shape(result).rank())) ||
                         !meets_spatial(find_readers(node), result))) {
    return {};
  }
  std::vector<Node> nodes;
  ValueId from = source;
  if (gathers) {
    from = permuted_value(graph_, source, order->gather);
    nodes.push_back(transpose_for(node, source, from, order->gather));
  }
  const ValueId made = permuted_value(graph_, result, inverse(order->after));
  Node reshape = node;
  reshape.outputs = {made};
  make_reshape(graph_, reshape, from);
  nodes.push_back(std::move(reshape));
  nodes.push_back(transpose_for(node, made, result, order->after));
  return nodes;
}

// The transposition that goes behind `node`: that of an operand, rather one that moves something.
std::optional<Walk::Chosen> Walk::choose(const Node& node, size_t operands, bool elementwise, int rank) const {
  std::optional<Chosen> chosen;
  for (size_t k = 0; k < operands; ++k) {
    const Turned* before = turned(node.inputs[k]);
    if (!before || (elementwise && static_cast<int>(before->perm.size()) != rank)) continue;
    if (chosen && !chosen->free) break;
    chosen = Chosen{before->perm, moves_nothing(graph_.shape(before->source), before->perm)};
  }
  return chosen;
}

// `node` writes values that `perm` is still to be applied to; false when an output has other axes.
bool Walk::turn_outputs(Node& node, const Perm& perm, bool elementwise, std::vector<Node>& after) {
  const ValueId first = node.outputs[0];
  for (ValueId& output : node.outputs) {
    if (!output) continue;
    // A number that comes with the result has no axes to move.
    if (elementwise && output != first && graph_.shape(output).rank() == 0) continue;
    if (static_cast<int>(perm.size()) != graph_.shape(output).rank()) return false;
    if (is_identity(perm)) continue;
    const ValueId made = permuted_value(graph_, output, inverse(perm));
    after.push_back(transpose_for(node, made, output, perm));
    output = made;
  }
  return true;
}

std::vector<Node> Walk::sink(const Node& original) {
  if (is_reshape(original)) return sink_through_reshape(original);
  const ops::OperatorEntry* entry = ops::find_entry(original.domain, original.op);
  if (!entry || (entry->layout != ops::Layout::elementwise && entry->layout != ops::Layout::axes)) return {};
  const bool elementwise = entry->layout == ops::Layout::elementwise;
  Node node = original;
  const size_t operands = elementwise || node.is("Concat") ? node.inputs.size() : 1;
  int rank = 0;
  for (ValueId id : node.outputs) {
    if (id) rank = std::max(rank, graph_.shape(id).rank());
  }
  const std::optional<Chosen> chosen = choose(node, operands, elementwise, rank);
  if (!chosen) return {};
  const Perm back = inverse(chosen->perm);

  std::vector<ValueId> inputs = node.inputs;
  std::vector<Node> added;
  for (size_t k = 0; k < operands; ++k) {
    const ValueId id = node.inputs[k];
    if (!id) continue;
    const Turned* before = turned(id);
    if (before && before->perm == chosen->perm) {
      inputs[k] = before->source;
    } else if (!adapt(graph_, id, back, rank, elementwise, inputs[k], added)) {
      return {};
    }
  }
  // Free transposes may sink past an operator, but must not swap places with others for ever.
  if (chosen->free && !added.empty()) return {};
  node.inputs = inputs;
  Perm result = chosen->perm;
  if (!elementwise) {
    // Old axis j of the operand stands at perm[j] in the untransposed one.
    const auto to = entry->permute ? entry->permute(graph_, node, chosen->perm) : std::nullopt;
    if (!to) return {};
    result = *to;
  }
  std::vector<Node> after;
  if (!turn_outputs(node, result, elementwise, after)) return {};
  std::vector<Node> nodes = std::move(added);
  nodes.push_back(std::move(node));
  std::move(after.begin(), after.end(), std::back_inserter(nodes));
  return nodes;
}

}  // namespace

bool sink(Graph& graph) { return Walk(graph).run(); }

}  // namespace tarn::passes
