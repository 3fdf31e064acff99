// Scope: which value a name means while a graph is being built. Names of a function body are its own; a body of If,
// Loop or Scan also sees the names around it, and what it takes from there is captured.
#pragma once
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"

namespace tarn::graph {

class Scope {
 public:
  explicit Scope(Graph& graph) : graph_(&graph) {}

  Graph& graph() const { return *graph_; }
  void bind(const std::string& name, ValueId id) { names_[name] = id; }
  // The value a name means here; captures it from an enclosing graph when need be. Invalid: unknown.
  ValueId find(const std::string& name);
  ValueId find_local(const std::string& name) const;
  ValueId graph_value(const std::string& name) const { return find_local(name); }

  // A shape that a value must have for what is made of it, element by element, to have its declared shape; unless it is
  // repeated on the way. Only for rules that have it checked at run time.
  void hint(const std::string& name, const Shape& shape) { hints_.try_emplace(name, shape); }
  const Shape* hinted(const std::string& name) const {
    const auto it = hints_.find(name);
    return it == hints_.end() ? nullptr : &it->second;
  }

  // Names of a sequence's items, in this scope; null when the name is no sequence made in it. And optional values that
  // are known to hold nothing.
  void bind_list(const std::string& name, std::vector<std::string> items) { lists_[name] = std::move(items); }
  const std::vector<std::string>* find_list(const std::string& name) const {
    const auto it = lists_.find(name);
    return it == lists_.end() ? nullptr : &it->second;
  }
  void bind_nothing(const std::string& name) { nothing_.insert(name); }
  bool is_nothing(const std::string& name) const { return nothing_.contains(name); }

  // `bound`: a size of the type is only the largest that the value may have.
  void declare(const std::string& name, TensorType type, bool bound) {
    if (bound) bounds_.insert(name);
    declared_[name] = std::move(type);
  }
  TensorType declared(const std::string& name) const;
  bool is_bound(const std::string& name) const { return bounds_.contains(name); }

  // A scope over the same graph for the body of a function: sees no outer names,
  Scope nested();
  // ... or, for a branch that is inlined, sees them.
  void see_outer_names() { sees_parent_ = true; }
  // A scope over another graph that lies inside this one.
  Scope enclosed(Graph& inner);
  const std::vector<std::pair<ValueId, ValueId>>& captured() const { return captured_; }

 private:
  Graph* graph_;
  Scope* parent_ = nullptr;
  bool sees_parent_ = false;
  std::map<std::string, ValueId> names_;
  std::map<std::string, TensorType> declared_;
  std::map<std::string, Shape> hints_;
  std::set<std::string> bounds_, nothing_;
  std::map<std::string, std::vector<std::string>> lists_;
  std::vector<std::pair<ValueId, ValueId>> captured_;  // outer value, its stand-in here
};

}  // namespace tarn::graph
