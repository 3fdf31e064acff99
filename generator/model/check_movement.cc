// Constant positions must lie inside what they point into.
#include "model/infer_rules.h"
#include "support/text.h"

namespace tarn::model {

namespace {

// Indices that an input holds all point along the same axis.
std::optional<Diagnostic> check_along_axis(const NodeFacts& facts, int64_t default_axis) {
  const auto indices = facts.integers(1);
  const std::optional<int> axis = normalise_axis(facts.attribute("axis", default_axis), std::max(facts.rank(0), 0));
  if (!indices || !axis) return {};
  const auto dim = facts.dim(0, *axis);
  if (!dim) return {};
  for (const int64_t index : *indices) {
    if (index < -*dim || index >= *dim)
      return facts.fault("E211", cat("index ", index, " lies outside axis ", *axis, " of ", *dim, " elements"));
  }
  return {};
}

// The last axis of the indices holds positions along as many axes of the data, from `first` on.
std::optional<Diagnostic> check_tuples(const NodeFacts& facts, int first) {
  const Constant* indices = facts.value(1);
  const auto values = facts.integers(1);
  if (!values || indices->shape().rank() == 0) return {};
  const int64_t width = indices->shape()[indices->shape().rank() - 1];
  for (size_t i = 0; i < values->size(); ++i) {
    const int axis = first + static_cast<int>(static_cast<int64_t>(i) % width);
    const auto dim = facts.dim(0, axis);
    const int64_t index = (*values)[i];
    if (dim && (index < -*dim || index >= *dim)) {
      return facts.fault("E211", cat("index ", index, " lies outside axis ", axis, " of ", *dim, " elements"));
    }
  }
  return {};
}

std::optional<Diagnostic> check_gather_nd(const NodeFacts& facts) {
  const int64_t batch = facts.attribute("batch_dims", int64_t{0});
  const int data = facts.rank(0), indices = facts.rank(1);
  if (batch < 0 || (data >= 0 && batch >= data) || (indices >= 0 && batch >= indices)) {
    return facts.fault("E211",
                       cat("batch_dims is ", batch, " for data of rank ", data, " and indices of rank ", indices));
  }
  return check_tuples(facts, static_cast<int>(batch));
}

}  // namespace

std::optional<Diagnostic> check_movement(const NodeFacts& facts) {
  if (!facts.node().domain.empty()) return {};
  const std::string& op = facts.node().op;
  if (op == "Gather" || op == "GatherElements" || op == "ScatterElements" || op == "Scatter")
    return check_along_axis(facts, 0);
  if (op == "GatherND") return check_gather_nd(facts);
  if (op == "ScatterND") return check_tuples(facts, 0);
  return {};
}

}  // namespace tarn::model
