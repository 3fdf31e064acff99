#include "model/check_graph.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/proto_nodes.h"
#include "support/text.h"
#include "tensor/shape.h"

namespace tarn::model {

namespace {

using Names = std::unordered_set<std::string_view>;

class StructureCheck {
 public:
  explicit StructureCheck(const std::string& file) : file_(file) {}

  void graph(const onnx::GraphProto& g, bool outermost) {
    scopes_.emplace_back();
    for (const auto& input : g.input()) {
      define_input(input);
      declared_type(input, outermost);
    }
    std::unordered_set<std::string_view> initializers;
    auto define_initializer = [&](const std::string& name) {
      if (name.empty()) return fault(where_tensor(file_, ""), "an initializer has no name");
      if (!initializers.insert(name).second) return fault(where_tensor(file_, name), "two initializers have this name");
      if (!scopes_.back().insert(name).second) return;  // it gives an input its default
      if (outer_scope_has(name)) fault(where_tensor(file_, name), "an initializer hides a value of an outer graph");
    };
    for (const auto& tensor : g.initializer()) define_initializer(tensor.name());
    for (const auto& sparse : g.sparse_initializer()) define_initializer(sparse.values().name());

    const std::unordered_map<std::string_view, int> producers = find_producers(g);
    for (int i = 0; i < g.node_size(); ++i) node(g, i, producers);
    for (const auto& value : g.value_info()) declared_type(value, false);
    outputs(g);
    scopes_.pop_back();
  }

  Diagnostics take() { return std::move(faults_); }

 private:
  void fault(Where where, std::string message, const char* code = "E201") {
    if (faults_.size() < kMaxFaults) faults_.push_back({code, std::move(where), std::move(message), ""});
  }

  bool outer_scope_has(std::string_view name) const {
    return std::any_of(scopes_.begin(), scopes_.end() - 1, [&](const Names& names) { return names.contains(name); });
  }
  bool visible(std::string_view name) const { return scopes_.back().contains(name) || outer_scope_has(name); }

  void define_input(const onnx::ValueInfoProto& input) {
    const std::string& name = input.name();
    if (name.empty()) return fault(where_tensor(file_, ""), "a graph input has no name");
    if (outer_scope_has(name)) return fault(where_tensor(file_, name), "a graph input hides a value of an outer graph");
    if (!scopes_.back().insert(name).second) fault(where_tensor(file_, name), "two graph inputs have this name");
  }

  static std::unordered_map<std::string_view, int> find_producers(const onnx::GraphProto& g) {
    std::unordered_map<std::string_view, int> producers;
    for (int i = 0; i < g.node_size(); ++i) {
      for (const std::string& output : g.node(i).output()) producers.emplace(output, i);
    }
    return producers;
  }

  void node(const onnx::GraphProto& g, int position, const std::unordered_map<std::string_view, int>& producers) {
    const onnx::NodeProto& n = g.node(position);
    const Where where = where_node(file_, n);
    if (n.op_type().empty()) fault(where, "the node names no operator");
    if (n.input().empty() && n.output().empty()) fault(where, "the node has neither inputs nor outputs");
    for (const std::string& input : n.input()) {
      if (input.empty() || visible(input)) continue;
      const auto producer = producers.find(input);
      if (producer == producers.end()) {
        fault(where,
              "input '" + input + "' is made by no node, and is neither an input nor an initializer of the graph");
      } else if (faults_.size() < kMaxFaults && reaches(g, position, producer->second, producers)) {
        fault(where, "input '" + input + "' depends on this node's own output: the graph has a cycle");
      } else {
        fault(where, "input '" + input + "' is made only later: the nodes are not in topological order");
      }
      scopes_.back().insert(input);
      said_.insert(input);  // once is enough
    }
    for_each_subgraph(n, [&](const onnx::GraphProto& inner) { graph(inner, false); });
    for (const std::string& output : n.output()) {
      if (output.empty()) continue;
      if (outer_scope_has(output)) {
        fault(where, "output '" + output + "' hides a value of an outer graph");
      } else if (!scopes_.back().insert(output).second && !said_.contains(output)) {
        fault(where, "output '" + output + "' is made twice, or is an input of the graph");
      }
    }
  }

  // Does the node at `to` use, directly or not, what the node at `from` makes?
  bool reaches(const onnx::GraphProto& g, int from, int to,
               const std::unordered_map<std::string_view, int>& producers) {
    std::vector<int> pending{to};
    std::set<int> seen{to};
    while (!pending.empty() && --steps_left_ > 0) {
      const int at = pending.back();
      pending.pop_back();
      if (at == from) return true;
      for (const std::string& input : g.node(at).input()) {
        const auto producer = producers.find(input);
        if (producer != producers.end() && seen.insert(producer->second).second) pending.push_back(producer->second);
      }
    }
    return false;
  }

  void outputs(const onnx::GraphProto& g) {
    for (const auto& output : g.output()) {
      const Where where = where_tensor(file_, output.name());
      if (output.name().empty()) {
        fault(where, "a graph output has no name");
      } else if (!scopes_.back().contains(output.name())) {
        fault(where, "this graph output is made by no node of the graph");
      }
      declared_type(output, false);
    }
  }

  void declared_type(const onnx::ValueInfoProto& value, bool required) {
    const Where where = where_tensor(file_, value.name());
    const bool known = value.has_type() && value.type().value_case() != onnx::TypeProto::VALUE_NOT_SET;
    if (required && !known) return fault(where, "the graph input has no type", "E107");
    if (!known) return;
    if (!value.type().has_tensor_type()) return;
    const auto& tensor = value.type().tensor_type();
    const std::optional<DType> dtype = dtype_from_onnx(tensor.elem_type());
    if (!dtype && (required || tensor.elem_type() != 0)) {
      fault(where, cat("its element type, number ", tensor.elem_type(), ", is unknown"), "E107");
    }
    if (!tensor.has_shape()) return;
    if (tensor.shape().dim_size() > kMaxRank) {
      return fault(
          where,
          cat("it is declared with ", tensor.shape().dim_size(), " dimensions; at most ", kMaxRank, " are supported"),
          "E207");
    }
    Shape shape;
    for (const auto& dim : tensor.shape().dim()) {
      // Some exporters write -1 where they mean an unknown dimension.
      const bool number = dim.has_dim_value() && dim.dim_value() != -1;
      if (number && dim.dim_value() < 0)
        return fault(where, cat("it is declared with a dimension of ", dim.dim_value()), "E207");
      shape.dims.push_back(number ? dim.dim_value() : 1);
    }
    if (!checked_bytes({dtype.value_or(DType::uint8), shape})) {
      fault(where, "its declared shape " + to_string(shape) + " is absurd", "E207");
    }
  }

  static constexpr size_t kMaxFaults = 1000;  // a hostile model has as many as it likes
  const std::string& file_;
  int64_t steps_left_ = 1'000'000;  // for telling cycles from wrong orders, in all
  std::vector<Names> scopes_;
  std::unordered_set<std::string_view> said_;
  Diagnostics faults_;
};

}  // namespace

Diagnostics check_structure(const onnx::ModelProto& model, const std::string& file) {
  StructureCheck check(file);
  check.graph(model.graph(), true);
  return check.take();
}

}  // namespace tarn::model
