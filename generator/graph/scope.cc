#include "graph/scope.h"

namespace tarn::graph {

ValueId Scope::find_local(const std::string& name) const {
  auto it = names_.find(name);
  return it == names_.end() ? ValueId() : it->second;
}

ValueId Scope::find(const std::string& name) {
  if (const ValueId id = find_local(name)) return id;
  if (!parent_ || !sees_parent_) return {};
  const ValueId outer = parent_->find(name);
  if (!outer || parent_->graph_ == graph_) return outer;
  const Value& value = (*parent_->graph_)[outer];
  const ValueId inner = graph_->add_value(value.name, value.type);
  (*graph_)[inner].runtime_dims = value.runtime_dims;
  if (value.constant) {
    (*graph_)[inner].constant = value.constant;
  } else {
    captured_.emplace_back(outer, inner);
  }
  bind(name, inner);
  return inner;
}

TensorType Scope::declared(const std::string& name) const {
  auto it = declared_.find(name);
  return it == declared_.end() ? TensorType{} : it->second;
}

Scope Scope::nested() {
  Scope inner(*graph_);
  inner.parent_ = this;
  return inner;
}

Scope Scope::enclosed(Graph& graph) {
  Scope inner(graph);
  inner.parent_ = this;
  inner.sees_parent_ = true;
  return inner;
}

}  // namespace tarn::graph
