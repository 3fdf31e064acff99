#include "model/inline_functions.h"

#include <map>
#include <set>
#include <tuple>
#include <unordered_set>

#include "model/bind_function.h"
#include "model/onnx_schema.h"
#include "model/proto_nodes.h"
#include "support/text.h"

namespace tarn::model {

namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
using FunctionKey = std::tuple<std::string, std::string, std::string>;  // domain, name, overload
using OpsetMap = std::map<std::string, int>;

constexpr int kMaxCallDepth = 100;
// Calls of calls grow exponentially; beyond this a model is no model.
constexpr size_t kMaxInlinedBytes = size_t{64} << 20;
constexpr int kMaxCalls = 100'000;
constexpr size_t kMaxPrefix = 128;
constexpr int kMaxGraphDepth = 64;  // a file alone can nest graphs about 30 deep

FunctionKey key_of(const onnx::FunctionProto& f) { return {normal_domain(f.domain()), f.name(), f.overload()}; }
FunctionKey callee_of(const onnx::NodeProto& n) { return {normal_domain(n.domain()), n.op_type(), n.overload()}; }

template <class Visit>
void for_each_node(const Nodes& nodes, const Visit& visit) {
  for (const onnx::NodeProto& node : nodes) {
    visit(node);
    for_each_subgraph(node, [&](const onnx::GraphProto& graph) { for_each_node(graph.node(), visit); });
  }
}

OpsetMap opsets_of(const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>& imports) {
  OpsetMap out;
  for (const auto& import : imports) out[normal_domain(import.domain())] = static_cast<int>(import.version());
  return out;
}

class Inliner {
 public:
  Inliner(onnx::ModelProto* model, const std::string& file) : model_(model), file_(file) {}

  Diagnostics run() {
    for (const onnx::FunctionProto& f : model_->functions()) {
      if (!functions_.emplace(key_of(f), &f).second)
        fault("E201", {}, "two local functions are named '" + f.name() + "'");
    }
    if (faults_.empty()) find_cycles();
    if (!faults_.empty()) return faults_;
    collect_names(model_->graph());
    expand_graph(model_->mutable_graph());
    if (faults_.empty()) model_->clear_functions();
    return faults_;
  }

 private:
  void fault(const char* code, Where where, std::string message, std::string hint = "") {
    where.file = file_;
    faults_.push_back({code, std::move(where), std::move(message), std::move(hint)});
  }

  // Depth-first with an explicit stack: the depth of calls is the file's to choose.
  void find_cycles() {
    enum class State { untouched, open, done };
    std::map<FunctionKey, State> state;
    struct Frame {
      FunctionKey key;
      std::vector<FunctionKey> callees;
      size_t next = 0;
    };
    std::vector<Frame> stack;
    auto push = [&](const FunctionKey& key) {
      state[key] = State::open;
      Frame frame{key, {}, 0};
      for_each_node(functions_.at(key)->node(), [&](const onnx::NodeProto& node) {
        if (functions_.contains(callee_of(node))) frame.callees.push_back(callee_of(node));
      });
      stack.push_back(std::move(frame));
    };
    for (const auto& [root, function] : functions_) {
      if (state[root] != State::untouched) continue;
      push(root);
      while (!stack.empty()) {
        Frame& top = stack.back();
        if (top.next == top.callees.size()) {
          state[top.key] = State::done;
          stack.pop_back();
          continue;
        }
        const FunctionKey callee = top.callees[top.next++];
        if (state[callee] == State::open) {
          return fault("E201", {}, "the local function '" + std::get<1>(callee) + "' calls itself");
        }
        if (state[callee] != State::untouched) continue;
        if (stack.size() >= kMaxCallDepth)
          return fault("E201", {}, cat("local functions call each other more than ", kMaxCallDepth, " deep"));
        push(callee);
      }
    }
  }

  void collect_names(const onnx::GraphProto& graph) {
    for (const auto& value : graph.input()) names_.insert(value.name());
    for (const auto& tensor : graph.initializer()) names_.insert(tensor.name());
    for (const auto& sparse : graph.sparse_initializer()) names_.insert(sparse.values().name());
    for (const onnx::NodeProto& node : graph.node()) {
      names_.insert(node.output().begin(), node.output().end());
      for_each_subgraph(node, [&](const onnx::GraphProto& inner) { collect_names(inner); });
    }
  }

  std::string unique(const std::string& wanted) {
    std::string name = wanted;
    while (!names_.insert(name).second) name = cat(wanted, "_", ++counter_);
    return name;
  }

  void expand_graph(onnx::GraphProto* graph) {
    if (++graph_depth_ > kMaxGraphDepth)
      fault("E103", {}, cat("inlining nests graphs more than ", kMaxGraphDepth, " deep"));
    Nodes old;
    old.Swap(graph->mutable_node());
    for (onnx::NodeProto& node : old) expand_node(&node, graph);
    --graph_depth_;
  }

  // Appends the node to the graph, or what the call that it is stands for.
  void expand_node(onnx::NodeProto* node, onnx::GraphProto* graph) {
    if (!faults_.empty()) return;
    for_each_subgraph(*node, [&](onnx::GraphProto& inner) { expand_graph(&inner); });
    const auto callee = functions_.find(callee_of(*node));
    if (callee == functions_.end()) {
      graph->add_node()->Swap(node);
    } else {
      expand_call(*node, *callee->second, graph);
    }
  }

  void expand_call(const onnx::NodeProto& call, const onnx::FunctionProto& function, onnx::GraphProto* graph) {
    const Where where = where_node(file_, call);
    if (call.input_size() > function.input_size() || call.output_size() > function.output_size()) {
      return fault("E201", where,
                   cat("the call has ", call.input_size(), " inputs and ", call.output_size(),
                       " outputs, the function ", function.input_size(), " and ", function.output_size()));
    }
    size_t references = 0;
    for_each_node(function.node(), [&](const onnx::NodeProto& node) {
      for (const auto& attribute : node.attribute()) references += !attribute.ref_attr_name().empty();
    });
    inlined_bytes_ += function.ByteSizeLong() + references * call.ByteSizeLong();
    if (++calls_ > kMaxCalls || inlined_bytes_ > kMaxInlinedBytes)
      return fault("E103", where, "the model's functions grow beyond every limit when inlined");
    if (!import_opsets(function, where)) return;

    std::string prefix = call.name().empty() ? cat(call.op_type(), "_", ++counter_) : call.name();
    if (prefix.size() > kMaxPrefix) prefix = cat("call_", ++counter_);
    std::map<std::string, std::string> renamed;
    for (int i = 0; i < function.input_size(); ++i)
      renamed[function.input(i)] = i < call.input_size() ? call.input(i) : "";
    std::vector<std::pair<std::string, std::string>> passed_through;  // an output that is an input
    for (int i = 0; i < function.output_size(); ++i) {
      const std::string actual = i < call.output_size() ? call.output(i) : "";
      const auto [it, fresh] = renamed.emplace(function.output(i), actual);
      if (!fresh && !actual.empty()) passed_through.emplace_back(it->second, actual);
      if (fresh && actual.empty()) it->second = unique(prefix + "/" + function.output(i));
    }
    // Names that the body does not define are renamed too: they must not catch a value of the caller by chance.
    auto rename = [&](const std::string& name) -> std::string {
      if (name.empty()) return name;
      const auto [it, fresh] = renamed.emplace(name, "");
      if (fresh) it->second = unique(prefix + "/" + name);
      return it->second;
    };

    Nodes body = function.node();
    bind_attributes(&body, bindings_of(function, call));
    for (const onnx::ValueInfoProto& value : function.value_info()) {
      if (renamed.contains(value.name())) continue;
      onnx::ValueInfoProto* declared = graph->add_value_info();
      *declared = value;
      declared->set_name(rename(value.name()));
    }
    for (onnx::NodeProto& node : body) {
      rename_values(&node, rename);
      if (!node.name().empty()) node.set_name(prefix + "/" + node.name());
      set_node_index(&node, where.node.value_or(-1));
      expand_node(&node, graph);
    }
    for (const auto& [from, to] : passed_through) {
      onnx::NodeProto* identity = graph->add_node();
      identity->set_op_type("Identity");
      identity->add_input(from);
      identity->add_output(to);
      set_node_index(identity, where.node.value_or(-1));
    }
  }

  // The body runs under the model's imports from now on: every operator in it must mean the same there.
  bool import_opsets(const onnx::FunctionProto& function, const Where& where) {
    if (!imported_.insert(&function).second) return true;
    const OpsetMap own = opsets_of(function.opset_import());
    OpsetMap merged = opsets_of(model_->opset_import());
    for (const auto& [domain, version] : own) {
      if (merged.emplace(domain, version).second) {
        auto* import = model_->add_opset_import();
        import->set_domain(domain);
        import->set_version(version);
      }
    }
    const size_t before = faults_.size();
    for_each_node(function.node(), [&](const onnx::NodeProto& node) {
      const std::string domain = normal_domain(node.domain());
      const auto mine = own.find(domain);
      if (mine == own.end() || mine->second == merged.at(domain) || functions_.contains(callee_of(node))) return;
      if (since_version(domain, node.op_type(), own) == since_version(domain, node.op_type(), merged)) return;
      fault("E108", where,
            cat("the function '", function.name(), "' uses ", op_name(node), " of opset ", mine->second,
                ", the model imports opset ", merged.at(domain)),
            "export the model and its functions for one opset");
    });
    return faults_.size() == before;
  }

  onnx::ModelProto* model_;
  const std::string& file_;
  std::map<FunctionKey, const onnx::FunctionProto*> functions_;
  std::unordered_set<std::string> names_;
  std::set<const onnx::FunctionProto*> imported_;  // only asked for membership
  size_t inlined_bytes_ = 0;
  int counter_ = 0;
  int calls_ = 0;
  int graph_depth_ = 0;
  Diagnostics faults_;
};

}  // namespace

Diagnostics inline_functions(onnx::ModelProto* model, const std::string& file) {
  if (model->functions().empty()) return {};
  return Inliner(model, file).run();
}

}  // namespace tarn::model
