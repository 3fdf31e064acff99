// One node of a model: what it stands for is read, checked, expanded or folded, or becomes a node of the graph.
#include <algorithm>
#include <map>

#include "graph/builder.h"
#include "graph/sequences.h"
#include "ops/operands.h"
#include "support/memory_limit.h"
#include "support/text.h"

namespace tarn::graph {

namespace {

bool is_control(const model::NodeDef& source) {
  return source.domain.empty() && (source.op == "If" || source.op == "Loop" || source.op == "Scan");
}

Node node_of(const model::NodeDef& source) {
  Node node;
  node.op = source.op;
  node.domain = source.domain;
  node.name = source.name;
  node.origins = {source.index};
  node.origin_names = {source.name.empty() ? source.op + (source.outputs.empty() ? "" : "_" + source.outputs[0])
                                           : source.name};
  node.attributes = source.attributes;
  return node;
}

Facts facts_of(const model::NodeDef& source, const Node& node, Scope& scope) {
  Facts facts{node, {}, {}, {}};
  for (ValueId id : node.inputs) {
    facts.types.push_back(id ? scope.graph()[id].type : TensorType{});
    facts.values.push_back(scope.graph().constant(id));
  }
  for (const std::string& name : source.outputs) {
    facts.declared.push_back(scope.declared(name));
    facts.declared_bound.push_back(scope.is_bound(name));
    facts.hints.push_back(scope.hinted(name));
  }
  facts.graph = &scope.graph();
  return facts;
}

// The numbers of an attribute are needed at once; a Constant's may come later, as those of an initializer.
std::optional<Fault> check_attributes_are_there(const model::NodeDef& node) {
  if (node.op == "Constant" && node.domain.empty()) return {};
  for (const auto& [name, attribute] : node.attributes) {
    const Constant* tensor = std::get_if<Constant>(&attribute);
    if (tensor && tensor->is_absent()) {
      return Fault{cat("attribute '", name, "' lies in '", tensor->source(), "', which is not there"),
                   "put '" + tensor->source() + "' beside the model", "E104"};
    }
  }
  return {};
}

}  // namespace

// New values of no known type yet. A first output that the operator always makes is a value even where the model has no
// name for it: whoever takes a node for what it makes finds something.
void Builder::bind_outputs(const model::NodeDef& source, Node& node, Scope& scope) {
  for (size_t i = 0; i < source.outputs.size(); ++i) {
    const std::string& name = source.outputs[i];
    ValueId id;
    if (!name.empty()) {
      id = scope.graph().add_value(name, {});
      scope.bind(name, id);
    } else if (i == 0 && !model::may_omit_first_output(source.domain, source.op, opsets_)) {
      id = scope.graph().add_value(cat(node.origin_names[0], "_0"), {});
    }
    node.outputs.push_back(id);
  }
}

// The values that the node reads. False where it cannot go on, for faults that have been told.
bool Builder::read_inputs(const model::NodeDef& source, Node& node, Scope& scope) {
  for (const std::string& name : source.inputs) {
    ValueId id;
    if (!name.empty()) {
      id = scope.find(name);
      if (!id && scope.find_list(name)) {
        fail("E203", source, "reads the sequence '" + name + "', and is not supported for sequences");
        return false;
      }
      if (!id) {
        fail("E201", source, "reads '" + name + "', which nothing before it produces");
        id = scope.graph().add_value(name, {});
        scope.bind(name, id);
      }
    }
    node.inputs.push_back(id);
  }
  return true;
}

// A node of an operator that has an entry: checked, and perhaps replaced by what it stands for. True: nothing is left
// to do for it.
bool Builder::check_and_expand(const model::NodeDef& source, Node& node, const Facts& facts,
                               const ops::OperatorEntry& entry, Scope& scope, int depth) {
  // What is taken apart is checked as it stands: rules that write bodies take for granted what a definition asks.
  std::optional<Fault> fault = ops::check_operands(facts);
  if (!fault) fault = check_attributes_are_there(source);
  if (!fault && (entry.expand || is_control(source))) {
    if (const auto d = model::check_node(query_for(source, facts))) fault = Fault{d->message, d->hint, d->code};
  }
  if (fault) {
    fail(fault->code, source, fault->message, fault->hint);
    bind_outputs(source, node, scope);
    return true;
  }
  if (source.domain.empty() && source.op == "If" && inline_branch(source, facts, scope, depth)) return true;
  return entry.expand && depth < kMaxDepth && expand_entry(source, node, facts, entry, scope, depth);
}

// The same without one: a function, or not supported.
bool Builder::expand_unknown(const model::NodeDef& source, Node& node, const Facts& facts, bool inputs_known,
                             Scope& scope, int depth) {
  const bool is_standard = model::since_version(source.domain, source.op, opsets_).has_value();
  // A misfit is told of the operator that the model names, not of one that it expands to.
  if (inputs_known && is_standard && !infer(source, facts, nullptr)) {
    bind_outputs(source, node, scope);
    return true;
  }
  if (inputs_known && depth < kMaxDepth && expand(source, node, facts, scope, depth)) return true;
  // Behind a fault nothing can be expanded, but what nobody could expand is told all the same.
  if (!options_.opaque_operators && (inputs_known || !model::has_function(source.domain, source.op))) {
    fail("E203", source, "operator not supported",
         is_standard || !source.domain.empty()
             ? "see `tarn ops`; `--emit arena` plans memory for code with its own kernels"
             : "ai.onnx has no operator of this name");
  }
  return false;
}

// Gives the outputs their types; false where one has none that could be.
bool Builder::set_types(const model::NodeDef& source, const Node& node, const ops::Types& types, bool must_be_known,
                        Scope& scope) {
  const size_t told = faults_.size();
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!node.outputs[i]) continue;
    const TensorType& type = types[i];
    const Checked count = checked_count(type.shape);
    if (type.dtype == DType::undefined) {
      if (must_be_known) {
        fail("E206", source, "the shape of output '" + source.outputs[i] + "' cannot be determined",
             "bind it with --dim, fix an input with --const, or declare the shape in the model");
      }
    } else if (!count || *count > kMaxTensorBytes || type.shape.rank() > kMaxRank) {
      fail("E207", source, "output '" + source.outputs[i] + "' would have the absurd shape " + to_string(type.shape));
    } else {
      scope.graph()[node.outputs[i]].type = type;
    }
  }
  return faults_.size() == told;
}

// Axes that a rule marks on several outputs of one node have one size, so that these can be put together.
void Builder::set_marks(const std::vector<ops::RuntimeMark>& marks, const ops::Types& types, const Node& node,
                        Scope& scope) {
  std::map<std::pair<int, int64_t>, int> symbols;  // by group and largest size
  for (const ops::RuntimeMark& mark : marks) {
    const ValueId output = node.outputs[static_cast<size_t>(mark.output)];
    if (!output) continue;
    std::erase_if(scope.graph()[output].runtime_dims, [&](const RuntimeDim& d) { return d.axis == mark.axis; });
    if (mark.known) {
      scope.graph()[output].runtime_dims.push_back(*mark.known);
      continue;
    }
    const int64_t most = types[static_cast<size_t>(mark.output)].shape[mark.axis];
    const std::pair key(mark.group, most);
    if (!symbols.contains(key)) symbols[key] = worlds_.add_symbol(most);
    scope.graph()[output].runtime_dims.push_back({mark.axis, symbols[key], 1, 0});
  }
}

// Builds the bodies of a branch, loop or scan. True when one branch alone can be built, and has taken the node's place.
bool Builder::add_bodies(const model::NodeDef& source, Node& node, Scope& scope, int depth) {
  const size_t before = faults_.size();
  const Worlds worlds = worlds_;
  build_bodies(source, node, scope, depth);
  if (source.op != "If" || faults_.size() == before) return false;
  worlds_ = worlds;
  return take_only_branch(source, node, before, scope, depth);
}

// Whether sizes or values of an operand are known only at run time.
bool Builder::reads_runtime_sizes(const Node& node, const Scope& scope) const {
  return std::any_of(node.inputs.begin(), node.inputs.end(), [&](ValueId id) {
    return id.valid() &&
           (!scope.graph()[id].runtime_dims.empty() || (!scope.graph().constant(id) && value_at(0, id, scope)));
  });
}

void Builder::add_node(const model::NodeDef& source, Scope& scope, int depth) {
  ++nodes_added_;
  const AtWork at({"reading it", source.index, source.name, source.op,
                   source.outputs.empty() ? std::string_view() : source.outputs[0]});
  if (auto unfolded = unfold_sequence(source, scope)) {
    if (unfolded->fault) fail(unfolded->fault->code, source, unfolded->fault->message, unfolded->fault->hint);
    for (const model::NodeDef& step : unfolded->nodes) {
      if (!unfolded->fault) add_node(step, scope, depth);
    }
    return;
  }
  Node node = node_of(source);
  if (!read_inputs(source, node, scope)) return;
  const bool inputs_known =
      std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId id) { return !id || scope.graph()[id].known(); });
  node.version = model::since_version(source.domain, source.op, opsets_).value_or(1);
  Facts facts = facts_of(source, node, scope);
  const ops::OperatorEntry* entry = ops::find_entry(source.domain, source.op);
  if (entry && inputs_known && check_and_expand(source, node, facts, *entry, scope, depth)) return;
  if (!entry && expand_unknown(source, node, facts, inputs_known, scope, depth)) return;

  bind_outputs(source, node, scope);
  if (!inputs_known && !options_.opaque_operators) return;

  ops::Types types(source.outputs.size());
  std::vector<ops::RuntimeMark> marks;
  facts.marks = &marks;
  // The largest sizes stand for those that are known only at run time.
  for (size_t i = 0; i < node.inputs.size(); ++i) facts.values[i] = value_at(0, node.inputs[i], scope);
  const bool runtime = reads_runtime_sizes(node, scope);
  if ((entry || options_.opaque_operators) && inputs_known) {
    if (entry && is_control(source) && add_bodies(source, node, scope, depth)) return;
    std::optional<ops::Types> inferred = infer(source, facts, entry);
    if (!inferred) return;
    types = std::move(*inferred);
    types.resize(source.outputs.size());
  }
  if (!runtime && marks.empty() && !merge_declared(facts, types, source)) return;
  facts.marks = nullptr;
  if (!set_types(source, node, types, entry || options_.opaque_operators, scope)) return;
  if (entry && inputs_known && runtime) {
    const auto dims = runtime_dims(source, node, facts, entry, scope);
    if (!dims) return;
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i]) scope.graph()[node.outputs[i]].runtime_dims = (*dims)[i];
    }
    sample(node, facts, *entry, scope);
  } else if (entry && inputs_known && fold(facts, *entry, types, node, scope)) {
    return;
  }
  set_marks(marks, types, node, scope);
  scope.graph().nodes.push_back(std::move(node));
}

}  // namespace tarn::graph
