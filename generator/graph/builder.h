// From the model's nodes to the graph's, one by one: names resolved, types told, constants folded, functions and known
// branches taken apart. The parts of Builder: build.cc walks the nodes, node_types.cc tells their types and values,
// node_bodies.cc builds the graphs inside them.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "graph/bind.h"
#include "graph/build.h"
#include "graph/scope.h"
#include "graph/worlds.h"
#include "model/onnx_schema.h"
#include "ops/op.h"

namespace tarn::graph {

using ops::Facts;
using ops::Fault;

class Builder {
 public:
  Builder(const model::Model& model, const BuildOptions& options)
      : model_(model), options_(options), binding_(options.dims), opsets_(model.opsets) {}

  Result<Built> run();

 private:
  // How deep functions and bodies may nest; real models stay below 10, hostile ones do not.
  static constexpr int kMaxDepth = 40;

  void add_inputs(Scope& scope);
  void add_outputs(Scope& scope);
  void add_nodes(const model::GraphDef& graph, Scope& scope, int depth);
  void add_node(const model::NodeDef& node, Scope& scope, int depth);
  bool expand_entry(const model::NodeDef& node, const Node& resolved, const Facts& facts,
                    const ops::OperatorEntry& entry, Scope& scope, int depth);
  void add_body(const model::NodeDef& node, const Node& resolved, const model::GraphDef& body,
                std::map<std::string, int> opsets, Scope& scope, int depth);
  bool expand(const model::NodeDef& node, const Node& resolved, const Facts& facts, Scope& scope, int depth);
  bool inline_branch(const model::NodeDef& node, const Facts& facts, Scope& scope, int depth);
  void build_bodies(const model::NodeDef& source, Node& node, Scope& scope, int depth);
  bool add_bodies(const model::NodeDef& source, Node& node, Scope& scope, int depth);
  bool take_only_branch(const model::NodeDef& source, const Node& node, size_t told, Scope& scope, int depth);
  void take_branch(const model::NodeDef& source, const model::GraphDef& branch, Scope& scope, int depth);
  void bind_outputs(const model::NodeDef& source, Node& node, Scope& scope);
  bool read_inputs(const model::NodeDef& source, Node& node, Scope& scope);
  bool check_and_expand(const model::NodeDef& source, Node& node, const Facts& facts, const ops::OperatorEntry& entry,
                        Scope& scope, int depth);
  bool expand_unknown(const model::NodeDef& source, Node& node, const Facts& facts, bool inputs_known, Scope& scope,
                      int depth);
  bool set_types(const model::NodeDef& source, const Node& node, const ops::Types& types, bool must_be_known,
                 Scope& scope);
  void set_marks(const std::vector<ops::RuntimeMark>& marks, const ops::Types& types, const Node& node, Scope& scope);
  bool fold(const Facts& facts, const ops::OperatorEntry& entry, const ops::Types& types, const Node& node,
            Scope& scope);
  Facts facts_at(size_t world, const Node& node, const Facts& facts, Scope& scope) const;
  std::optional<std::vector<std::vector<RuntimeDim>>> runtime_dims(const model::NodeDef& source, const Node& node,
                                                                   const Facts& facts, const ops::OperatorEntry* entry,
                                                                   Scope& scope);
  void sample(const Node& node, const Facts& facts, const ops::OperatorEntry& entry, Scope& scope);
  bool reads_runtime_sizes(const Node& node, const Scope& scope) const;
  const Constant* value_at(size_t world, ValueId id, const Scope& scope) const;
  model::NodeQuery query_for(const model::NodeDef& source, const Facts& facts) const;
  std::optional<ops::Types> infer(const model::NodeDef& source, const Facts& facts, const ops::OperatorEntry* entry);
  bool merge_declared(const Facts& facts, ops::Types& types, const model::NodeDef& source);
  void declare(const model::GraphDef& graph, Scope& scope);
  TensorType declared_type(const model::Type& type) const;
  void fail(const std::string& code, const model::NodeDef& node, std::string message, std::string hint = {});
  void warn(const std::string& code, const model::NodeDef& node, std::string message);
  void tell(Diagnostics& told, const std::string& code, const model::NodeDef& node, std::string message,
            std::string hint) const;

  const model::Model& model_;
  const BuildOptions& options_;
  Binding binding_;
  std::map<std::string, int> opsets_;
  Diagnostics faults_, warnings_;
  std::set<std::string> declared_symbols_;
  size_t nodes_added_ = 0;
  std::set<std::string> grown_;  // Built::grown
  Worlds worlds_;
  SampledValues sampled_;  // by graph
};

}  // namespace tarn::graph
