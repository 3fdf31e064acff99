#include "quantize/masks.h"

#include <algorithm>
#include <cmath>

#include "quantize/tuning.h"

namespace tarn::quantize {

using graph::Graph;
using graph::Node;
using graph::ValueId;

namespace {

bool over_last_axis(const Graph& graph, const Node& node) {
  const int rank = graph.shape(node.inputs[0]).rank();
  const int64_t axis = node.integer("axis", -1);
  return node.is("Softmax") && rank > 0 && (axis == -1 || axis == rank - 1);
}

// The same numbers in the same order, rows of the last axis kept together.
bool keeps_rows(const Graph& graph, const Node& node) {
  if (!node.is("Reshape") && !node.is("Squeeze") && !node.is("Unsqueeze") && !node.is("Identity")) return false;
  const Shape &x = graph.shape(node.inputs[0]), &y = graph.shape(node.outputs[0]);
  return x.rank() > 0 && y.rank() > 0 && x[x.rank() - 1] == y[y.rank() - 1];
}

// From the last value to the first: a value's readers come before it.
std::map<ValueId, int64_t> rows_of_softmax(const Graph& graph, const graph::Uses& uses) {
  std::map<ValueId, int64_t> rows;
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    const Node& maker = graph.nodes[i];
    if (maker.outputs.size() != 1 || !is_activation(graph, maker.outputs[0])) continue;
    const ValueId v = maker.outputs[0];
    const std::span<const size_t> readers = uses.readers[v.pos()];
    const bool all = std::all_of(readers.begin(), readers.end(), [&](size_t reader) {
      const Node& node = graph.nodes[reader];
      if (node.inputs[0] != v) return false;
      return over_last_axis(graph, node) || (keeps_rows(graph, node) && rows.contains(node.outputs[0]));
    });
    if (all && !readers.empty() && !uses.is_output[v.pos()]) rows[v] = graph.shape(v)[graph.shape(v).rank() - 1];
  }
  return rows;
}

}  // namespace

void bound_masks(Graph& graph) {
  const graph::Uses uses = graph::find_uses(graph);
  const std::map<ValueId, int64_t> rows = rows_of_softmax(graph, uses);
  for (Node& node : graph.nodes) {
    if (!node.is("Add") || !rows.contains(node.outputs[0])) continue;
    for (ValueId& id : node.inputs) {
      const Constant* c = graph.constant(id);
      if (!c || c->is_absent() || c->dtype() != DType::float32) continue;
      std::vector<double> numbers = c->reals();
      const bool low = std::any_of(numbers.begin(), numbers.end(), [](double v) { return v < -kMostMask; });
      if (!low) continue;
      for (double& v : numbers) v = std::max(v, -kMostMask);
      id = graph.add_constant(graph[id].name, Constant::floats(DType::float32, c->shape(), numbers));
    }
  }
}

Masks::Masks(const Graph& graph) : graph_(graph) {
  const graph::Uses uses = graph::find_uses(graph);
  rows_ = rows_of_softmax(graph, uses);
  const auto sum_of = [&](ValueId v, size_t reader) -> std::optional<Sum> {
    const Node& node = graph.nodes[reader];
    if (!node.is("Add") || !rows_.contains(node.outputs[0]) || node.inputs[0] == node.inputs[1]) return {};
    return Sum{node.outputs[0], node.inputs[node.inputs[0] == v ? 1 : 0]};
  };
  for (size_t at = 0; at < graph.values.size(); ++at) {
    const ValueId v(at);
    if (!uses.readers[at].empty() && !uses.is_output[at] && (is_activation(graph, v) || graph.constant(v))) {
      std::vector<Sum> sums;
      for (const size_t reader : uses.readers[at]) {
        if (const std::optional<Sum> sum = sum_of(v, reader)) sums.push_back(*sum);
      }
      if (sums.size() == uses.readers[at].size()) operands_[v] = std::move(sums);
    }
  }
}

std::vector<ValueId> Masks::watched() const {
  std::vector<ValueId> ids;
  for (const auto& [id, row] : rows_) ids.push_back(id);
  for (const auto& [id, sums] : operands_) {
    for (const Sum& sum : sums) {
      if (!graph_.constant(sum.other)) ids.push_back(sum.other);
    }
  }
  return ids;
}

void Masks::add(ValueId id, const std::vector<float>& numbers) {
  const auto found = rows_.find(id);
  const size_t row = found == rows_.end() ? numbers.size() : static_cast<size_t>(found->second);
  Seen& seen = seen_[id];
  for (size_t first = 0; row > 0 && first + row <= numbers.size(); first += row) {
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(first);
    const float most = *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(row));
    if (!(most > kMasked) || !std::isfinite(most)) continue;
    seen.least_of_largest = seen.any ? std::min(seen.least_of_largest, most) : most;
    seen.largest = seen.any ? std::max(seen.largest, most) : most;
    seen.any = true;
  }
}

std::optional<float> Masks::floor_of(ValueId id) const {
  if (rows_.contains(id)) {
    const auto found = seen_.find(id);
    if (found == seen_.end() || !found->second.any) return {};
    return found->second.least_of_largest - kFar;
  }
  const auto sums = operands_.find(id);
  if (sums == operands_.end()) return {};
  std::optional<float> least;
  for (const Sum& sum : sums->second) {
    const std::optional<float> floor = floor_of(sum.result);
    if (!floor) return {};
    float other = 0;
    if (const Constant* c = graph_.constant(sum.other)) {
      const std::vector<double> numbers = c->reals();
      other = static_cast<float>(*std::max_element(numbers.begin(), numbers.end()));
    } else {
      const auto found = seen_.find(sum.other);
      if (found == seen_.end() || !found->second.any) return {};
      other = found->second.largest;
    }
    least = std::min(least.value_or(*floor - other), *floor - other);
  }
  return least;
}

}  // namespace tarn::quantize
