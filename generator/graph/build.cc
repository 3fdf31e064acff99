#include "graph/build.h"

#include <algorithm>
#include <set>

#include "graph/assume.h"
#include "graph/bind.h"
#include "graph/scope.h"
#include "graph/sequences.h"
#include "graph/worlds.h"
#include "model/onnx_schema.h"
#include "ops/body.h"
#include "ops/op.h"
#include "support/text.h"

namespace tarn::graph {

namespace {

using ops::Facts;
using ops::Fault;

// How deep functions and bodies may nest; real models stay below 10, hostile ones do not.
constexpr int kMaxDepth = 40;
// A model whose functions expand to more nodes than this is taken for hostile.
constexpr size_t kMaxNodes = 200'000;

class Builder {
 public:
  Builder(const model::Model& model, const BuildOptions& options)
      : model_(model), options_(options), binding_(options.dims), opsets_(model.opsets) {}

  Result<Built> run();

 private:
  void add_inputs(Scope& scope);
  void add_outputs(Scope& scope);
  void add_nodes(const model::Graph& graph, Scope& scope, int depth);
  void add_node(const model::Node& node, Scope& scope, int depth);
  bool expand_room(const model::Node& node, const Node& resolved, const Facts& facts, const ops::Room& room, Scope& scope, int depth);
  void add_body(const model::Node& node, const Node& resolved, const model::Graph& body, std::map<std::string, int> opsets, Scope& scope,
                int depth);
  bool expand(const model::Node& node, const Node& resolved, const Facts& facts, Scope& scope, int depth);
  bool inline_branch(const model::Node& node, const Facts& facts, Scope& scope, int depth);
  void build_bodies(const model::Node& source, Node& node, Scope& scope, int depth);
  bool take_only_branch(const model::Node& source, const Node& node, size_t told, Scope& scope, int depth);
  void take_branch(const model::Node& source, const model::Graph& branch, Scope& scope, int depth);
  void bind_outputs(const model::Node& source, Node& node, Scope& scope);
  bool fold(const Facts& facts, const ops::Room& room, const ops::Types& types, const Node& node, Scope& scope);
  Facts facts_at(size_t world, const Node& node, const Facts& facts, Scope& scope) const;
  std::optional<std::vector<std::vector<RuntimeDim>>> runtime_dims(const model::Node& source, const Node& node, const Facts& facts,
                                                                   const ops::Room* room, Scope& scope);
  void sample(const Node& node, const Facts& facts, const ops::Room& room, Scope& scope);
  const Constant* value_at(size_t world, ValueId id, const Scope& scope) const;
  std::optional<ops::Types> infer(const model::Node& source, const Facts& facts, const ops::Room* room);
  void merge_declared(const Facts& facts, ops::Types& types, const model::Node& source);
  void declare(const model::Graph& graph, Scope& scope);
  TensorType declared_type(const model::Type& type) const;
  void fail(const std::string& code, const model::Node& node, std::string message, std::string hint = {});

  const model::Model& model_;
  const BuildOptions& options_;
  Binding binding_;
  std::map<std::string, int> opsets_;
  Diagnostics faults_, warnings_;
  std::set<std::string> declared_symbols_;
  size_t nodes_added_ = 0;
  Worlds worlds_;
  SampledValues sampled_;  // by graph
};

std::string qualified(const model::Node& node) { return node.domain.empty() ? node.op : node.domain + "." + node.op; }

void Builder::fail(const std::string& code, const model::Node& node, std::string message, std::string hint) {
  Where where{.file = model_.path, .node = {}, .node_name = node.name, .op = qualified(node), .tensor = {}};
  if (node.index >= 0) where.node = node.index;
  Diagnostic d{code, where, std::move(message), std::move(hint)};
  // A body or function used twice meets the same fault twice; it is told once.
  if (std::find(faults_.begin(), faults_.end(), d) == faults_.end()) faults_.push_back(std::move(d));
}

// The type a model declares for a value, as far as numbers can be put to it; undefined when it cannot.
TensorType Builder::declared_type(const model::Type& type) const {
  TensorType result;
  if (type.kind != model::Type::Kind::tensor || !type.dims) return result;
  for (const model::Dim& dim : *type.dims) {
    const std::optional<int64_t> value = binding_.declared_dim(dim);
    if (!value || *value < 0) return result;
    result.shape.dims.push_back(*value);
  }
  if (!checked_count(result.shape)) return {};
  result.dtype = type.dtype;
  return result;
}

void Builder::declare(const model::Graph& graph, Scope& scope) {
  for (const auto* list : {&graph.value_info, &graph.outputs}) {
    for (const model::ValueInfo& info : *list) {
      if (info.type.dims) {
        for (const model::Dim& dim : *info.type.dims) declared_symbols_.insert(dim.symbol);
      }
      const TensorType type = declared_type(info.type);
      if (type.dtype == DType::undefined) continue;
      const bool bound = std::any_of(info.type.dims->begin(), info.type.dims->end(), [&](const model::Dim& dim) { return binding_.is_bound(dim); });
      scope.declare(info.name, type, bound);
      if (!bound) scope.hint(info.name, type.shape);
    }
  }
  for (size_t n = graph.nodes.size(); n-- > 0;) {
    const model::Node& node = graph.nodes[n];
    const Shape* shape = node.outputs.empty() ? nullptr : scope.hinted(node.outputs[0]);
    const ops::Room* room = shape ? ops::find_room(node.domain, node.op) : nullptr;
    if (shape && node.op == "CastLike" && node.domain.empty() && !node.inputs.empty()) scope.hint(node.inputs[0], Shape(*shape));
    if (!room || room->layout != ops::Layout::elementwise) continue;
    for (const std::string& name : node.inputs) scope.hint(name, Shape(*shape));
  }
}

void Builder::add_inputs(Scope& scope) {
  for (const model::ValueInfo& input : model_.graph.inputs) {
    auto fixed = options_.constants.find(input.name);
    if (fixed != options_.constants.end()) {
      scope.bind(input.name, scope.graph().add_constant(input.name, fixed->second));
      continue;
    }
    Where where{.file = model_.path, .node = {}, .node_name = {}, .op = {}, .tensor = input.name};
    if (input.type.kind != model::Type::Kind::tensor) {
      faults_.push_back({"E204", where, "the input is no tensor", "sequences, optionals and maps are not supported"});
      scope.bind(input.name, scope.graph().add_value(input.name, {}));
      continue;
    }
    if (!input.type.dims) {
      faults_.push_back({"E206", where, "the input's rank is not declared", "declare its shape in the model"});
      scope.bind(input.name, scope.graph().add_value(input.name, {}));
      continue;
    }
    TensorType type{input.type.dtype, {}};
    bool complete = true;
    for (size_t axis = 0; axis < input.type.dims->size(); ++axis) {
      const auto value = binding_.input_dim((*input.type.dims)[axis], input.name, static_cast<int>(axis));
      complete = complete && value;
      type.shape.dims.push_back(value.value_or(1));
    }
    const Checked count = checked_count(type.shape);
    if (type.shape.rank() > kMaxRank || !count || *count > kMaxTensorBytes) {
      faults_.push_back({"E207", where, "absurd shape " + to_string(type.shape),
                         "dimensions are 0 or more, at most 8 of them"});
      complete = false;
    }
    if (!complete) type = {};
    scope.bind(input.name, scope.graph().add_value(input.name, type));
    scope.graph().inputs.push_back(scope.graph_value(input.name));
    const auto assumed = options_.assumptions.find(input.name);
    if (assumed == options_.assumptions.end()) continue;
    scope.graph().expectations.push_back({scope.graph().inputs.size() - 1, assumed->second.checked});
    scope.bind(input.name, scope.graph().add_constant(input.name, assumed->second.value));
  }
  for (const auto& [name, value] : options_.constants) {
    if (!scope.find(name)) {
      std::vector<std::string> names;
      for (const model::ValueInfo& input : model_.graph.inputs) names.push_back(input.name);
      faults_.push_back({"E209", {.file = model_.path}, "--const names '" + name + "', which is no input",
                         "inputs: " + join(names)});
    }
  }
}

void Builder::add_outputs(Scope& scope) {
  for (const model::ValueInfo& output : model_.graph.outputs) {
    const ValueId id = scope.find(output.name);
    if (!id && scope.find_list(output.name)) {
      faults_.push_back({"E204", {.file = model_.path, .node = {}, .node_name = {}, .op = {}, .tensor = output.name},
                         "the graph output is a sequence", "sequences and optionals are supported inside a model only"});
      continue;
    }
    if (!id) {
      faults_.push_back({"E201", {.file = model_.path, .node = {}, .node_name = {}, .op = {}, .tensor = output.name},
                         "the graph output is never produced", {}});
      continue;
    }
    scope.graph().outputs.push_back(id);
  }
}

void Builder::add_nodes(const model::Graph& graph, Scope& scope, int depth) {
  declare(graph, scope);
  for (const model::Initializer& init : graph.initializers) {
    if (scope.find_local(init.name)) continue;  // an input given by --const wins
    scope.bind(init.name, scope.graph().add_constant(init.name, init.value));
  }
  for (const model::Node& node : graph.nodes) {
    if (nodes_added_ > kMaxNodes) return;
    add_node(node, scope, depth);
  }
}

// The types of a node's outputs; empty when a fault was told.
std::optional<ops::Types> Builder::infer(const model::Node& source, const Facts& facts, const ops::Room* room) {
  model::NodeQuery query{&source, &opsets_, {}, {}};
  for (size_t i = 0; i < facts.types.size(); ++i) {
    model::Type type;
    if (facts.types[i].dtype != DType::undefined) {
      type.kind = model::Type::Kind::tensor;
      type.dtype = facts.types[i].dtype;
      type.dims.emplace();
      for (int64_t d : facts.types[i].shape.dims) type.dims->push_back({d, {}});
    }
    query.input_types.push_back(std::move(type));
    query.input_values.push_back(facts.values[i]);
  }
  if (room && room->infer) {
    // A room's rule takes for granted what the standard asks of every node.
    if (const auto fault = model::check_node(query)) {
      fail(fault->code, source, fault->message, fault->hint);
      return {};
    }
    ops::Answer<ops::Types> answer = room->infer(facts);
    if (const Fault* fault = std::get_if<Fault>(&answer)) {
      fail(fault->code, source, fault->message, fault->hint);
      return {};
    }
    return std::get<ops::Types>(std::move(answer));
  }
  Result<std::vector<model::Type>> inferred = model::infer_types(query);
  if (!inferred) {
    for (const Diagnostic& d : inferred.faults()) fail(d.code, source, d.message, d.hint);
    return {};
  }
  ops::Types types;
  for (const model::Type& type : *inferred) types.push_back(declared_type(type));
  types.resize(source.outputs.size());
  return types;
}

// What the rules could not tell is taken from the model's own declarations; where both speak, the rules win.
void Builder::merge_declared(const Facts& facts, ops::Types& types, const model::Node& source) {
  for (size_t i = 0; i < types.size() && i < source.outputs.size(); ++i) {
    const TensorType& declared = facts.declared[i];
    if (declared.dtype == DType::undefined) continue;
    if (types[i].dtype == DType::undefined) {
      types[i] = declared;
    } else if (types[i] != declared) {
      warnings_.push_back({"W201",
                           {.file = model_.path, .node = {}, .node_name = {}, .op = {}, .tensor = source.outputs[i]},
                           "declared as " + to_string(declared) + ", computed as " + to_string(types[i]),
                           {}});
    }
  }
}

bool Builder::fold(const Facts& facts, const ops::Room& room, const ops::Types& types, const Node& node, Scope& scope) {
  if (!room.fold) return false;
  std::optional<ops::Constants> values = room.fold(facts, types);
  if (!values) return false;
  for (size_t i = 0; i < node.outputs.size() && i < values->size(); ++i) {
    if (!node.outputs[i]) continue;
    Value& value = scope.graph()[node.outputs[i]];
    value.type = (*values)[i].type();
    value.constant = std::make_shared<const Constant>(std::move((*values)[i]));
  }
  return true;
}

// New values of no known type yet.
void Builder::bind_outputs(const model::Node& source, Node& node, Scope& scope) {
  for (const std::string& name : source.outputs) {
    ValueId id;
    if (!name.empty()) {
      id = scope.graph().add_value(name, {});
      scope.bind(name, id);
    }
    node.outputs.push_back(id);
  }
}

void Builder::add_node(const model::Node& source, Scope& scope, int depth) {
  ++nodes_added_;
  if (auto unfolded = unfold_sequence(source, scope)) {
    if (unfolded->fault) fail(unfolded->fault->code, source, unfolded->fault->message, unfolded->fault->hint);
    for (const model::Node& step : unfolded->nodes) {
      if (!unfolded->fault) add_node(step, scope, depth);
    }
    return;
  }
  Node node;
  node.op = source.op;
  node.domain = source.domain;
  node.name = source.name;
  node.origins = {source.index};
  node.origin_names = {source.name.empty() ? source.op + (source.outputs.empty() ? "" : "_" + source.outputs[0])
                                           : source.name};
  node.attributes = source.attributes;
  bool inputs_known = true;
  for (const std::string& name : source.inputs) {
    ValueId id;
    if (!name.empty()) {
      id = scope.find(name);
      if (!id && scope.find_list(name)) {
        fail("E203", source, "reads the sequence '" + name + "', and is not supported for sequences");
        return;
      }
      if (!id) {
        fail("E201", source, "reads '" + name + "', which nothing before it produces");
        id = scope.graph().add_value(name, {});
        scope.bind(name, id);
      }
      inputs_known = inputs_known && scope.graph()[id].known();
    }
    node.inputs.push_back(id);
  }

  Facts facts{node, {}, {}, {}};
  for (ValueId id : node.inputs) {
    facts.types.push_back(id ? scope.graph()[id].type : TensorType{});
    facts.values.push_back(scope.graph().constant(id));
  }
  for (const std::string& name : source.outputs) {
    facts.declared.push_back(scope.declared(name));
    facts.declared_bound.push_back(scope.is_bound(name));
  }
  facts.graph = &scope.graph();
  for (const std::string& name : source.outputs) facts.hints.push_back(scope.hinted(name));

  const ops::Room* room = ops::find_room(source.domain, source.op);
  const std::optional<int> version = model::since_version(source.domain, source.op, opsets_);
  node.version = version.value_or(1);

  if (room && inputs_known && source.op == "If" && source.domain.empty() && inline_branch(source, facts, scope, depth)) return;
  if (room && room->expand && inputs_known && depth < kMaxDepth && expand_room(source, node, facts, *room, scope, depth)) return;
  if (!room) {
    // A misfit is told of the operator that the model names, not of one that it expands to.
    if (inputs_known && version && !infer(source, facts, nullptr)) return bind_outputs(source, node, scope);
    if (inputs_known && depth < kMaxDepth && expand(source, node, facts, scope, depth)) return;
    // Behind a fault nothing can be expanded, but what nobody could expand is told all the same.
    if (!options_.opaque_operators && (inputs_known || !model::has_function(source.domain, source.op))) {
      fail("E203", source, "operator not supported",
           version || !source.domain.empty() ? "see `tarn ops`; `--emit arena` plans memory for code with its own kernels"
                                             : "ai.onnx has no operator of this name");
    }
  }

  bind_outputs(source, node, scope);
  if (!inputs_known && !options_.opaque_operators) return;

  ops::Types types(source.outputs.size());
  std::vector<ops::RuntimeMark> marks;
  facts.marks = &marks;
  // The largest sizes stand for those that are known only at run time.
  for (size_t i = 0; i < node.inputs.size(); ++i) facts.values[i] = value_at(0, node.inputs[i], scope);
  const bool runtime = std::any_of(node.inputs.begin(), node.inputs.end(), [&](ValueId id) {
    return id.valid() && (!scope.graph()[id].runtime_dims.empty() || (!scope.graph().constant(id) && value_at(0, id, scope)));
  });
  if ((room || options_.opaque_operators) && inputs_known) {
    if (room && room->domain.empty() && (source.op == "If" || source.op == "Loop" || source.op == "Scan")) {
      const size_t before = faults_.size();
      const Worlds worlds = worlds_;
      build_bodies(source, node, scope, depth);
      if (source.op == "If" && faults_.size() > before) {
        worlds_ = worlds;
        if (take_only_branch(source, node, before, scope, depth)) return;
      }
    }
    std::optional<ops::Types> inferred = infer(source, facts, room);
    if (!inferred) return;
    types = std::move(*inferred);
    types.resize(source.outputs.size());
  }
  if (!runtime && marks.empty()) merge_declared(facts, types, source);
  const size_t told = faults_.size();
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!node.outputs[i]) continue;
    const TensorType& type = types[i];
    const Checked count = checked_count(type.shape);
    if (type.dtype == DType::undefined) {
      if (room || options_.opaque_operators) {
        fail("E206", source, "the shape of output '" + source.outputs[i] + "' cannot be determined",
             "bind it with --dim, fix an input with --const, or declare the shape in the model");
      }
    } else if (!count || *count > kMaxTensorBytes || type.shape.rank() > kMaxRank) {
      fail("E207", source, "output '" + source.outputs[i] + "' would have the absurd shape " + to_string(type.shape));
    } else {
      scope.graph()[node.outputs[i]].type = type;
    }
  }
  facts.marks = nullptr;
  if (faults_.size() > told) return;
  if (room && inputs_known && runtime) {
    const auto dims = runtime_dims(source, node, facts, room, scope);
    if (!dims) return;
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i]) scope.graph()[node.outputs[i]].runtime_dims = (*dims)[i];
    }
    sample(node, facts, *room, scope);
  } else if (room && inputs_known && fold(facts, *room, types, node, scope)) {
    return;
  }
  for (const ops::RuntimeMark& mark : marks) {
    const ValueId output = node.outputs[static_cast<size_t>(mark.output)];
    if (!output) continue;
    const int symbol = worlds_.add_symbol(types[static_cast<size_t>(mark.output)].shape[mark.axis]);
    // Axes that a rule marks on several outputs of one node have one size.
    std::erase_if(scope.graph()[output].runtime_dims, [&](const RuntimeDim& d) { return d.axis == mark.axis; });
    scope.graph()[output].runtime_dims.push_back({mark.axis, symbol, 1, 0});
  }
  scope.graph().nodes.push_back(std::move(node));
}

// The value of an input in a world: a constant, or what was computed from sizes.
const Constant* Builder::value_at(size_t world, ValueId id, const Scope& scope) const {
  if (!id) return nullptr;
  if (const Constant* c = scope.graph().constant(id)) return c;
  const auto graph = sampled_.find(&scope.graph());
  if (graph == sampled_.end()) return nullptr;
  const auto it = graph->second.find(id);
  if (it == graph->second.end()) return nullptr;
  // Values older than a symbol do not depend on it: they are what they are in the base world, or in the last one that
  // changes all symbols there were.
  const size_t known = it->second.size();
  if (world < known) return it->second[world].get();
  return it->second[Worlds::is_joint(world) && known > 2 ? known - 1 : 1].get();
}

Facts Builder::facts_at(size_t world, const Node& node, const Facts& facts, Scope& scope) const {
  Facts at{node, facts.types, facts.values, facts.declared};
  at.declared_bound = facts.declared_bound;
  at.graph = facts.graph;
  at.hints = facts.hints;
  const std::vector<int64_t> symbols = worlds_.values(world);
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (!node.inputs[i]) continue;
    at.types[i].shape = shape_at(scope.graph()[node.inputs[i]], symbols);
    at.values[i] = value_at(world, node.inputs[i], scope);
  }
  return at;
}

// How the sizes of a node's outputs depend on the symbols (note [run-time sizes]).
std::optional<std::vector<std::vector<RuntimeDim>>> Builder::runtime_dims(const model::Node& source, const Node& node, const Facts& facts,
                                                                          const ops::Room* room, Scope& scope) {
  std::vector<std::vector<RuntimeDim>> dims(node.outputs.size());
  std::vector<ops::Types> seen;
  std::vector<ops::RuntimeMark> ignored;
  for (size_t world = 1; world < worlds_.count(); ++world) {
    Facts at = facts_at(world, node, facts, scope);
    at.marks = &ignored;
    const size_t told = faults_.size();
    std::optional<ops::Types> types = infer(source, at, room);
    if (!types) {
      faults_.resize(told);
      fail("E208", source, "its result needs a size that is known only at run time to be a certain number",
           "fix the size: --dim for an input, --const for the value that decides it");
      return {};
    }
    types->resize(node.outputs.size());
    seen.push_back(std::move(*types));
  }
  for (size_t o = 0; o < node.outputs.size(); ++o) {
    if (!node.outputs[o] || seen.empty()) continue;
    const int rank = seen[0][o].shape.rank();
    for (int axis = 0; axis < rank; ++axis) {
      std::vector<int64_t> sizes;
      for (const ops::Types& types : seen) {
        if (types[o].shape.rank() != rank) {
          fail("E208", source, "the rank of output '" + source.outputs[o] + "' depends on a run-time size");
          return {};
        }
        sizes.push_back(types[o].shape[axis]);
      }
      const auto dim = worlds_.fit(sizes);
      if (!dim) {
        fail("E208", source, "a size of output '" + source.outputs[o] + "' is no linear function of one run-time size",
             "fix the size: --dim for an input, --const for the value that decides it");
        return {};
      }
      if (dim->scale != 0) dims[o].push_back({axis, dim->symbol, dim->scale, dim->offset});
    }
  }
  return dims;
}

// When all inputs are known in every world, so are the outputs: that is how sizes travel through shape arithmetic.
void Builder::sample(const Node& node, const Facts& facts, const ops::Room& room, Scope& scope) {
  if (!room.fold) return;
  std::vector<std::vector<std::shared_ptr<const Constant>>> results(node.outputs.size());
  for (size_t world = 0; world < worlds_.count(); ++world) {
    const Facts at = facts_at(world, node, facts, scope);
    ops::Types types;
    const std::vector<int64_t> symbols = worlds_.values(world);
    for (ValueId id : node.outputs) types.push_back(id ? TensorType{scope.graph().dtype(id), shape_at(scope.graph()[id], symbols)} : TensorType{});
    // Only the numbers that shapes are made of: small whole ones.
    for (const TensorType& type : types) {
      if (type.dtype != DType::undefined && (!(is_integer(type.dtype) || type.dtype == DType::boolean) || type.shape.count() > 64)) return;
    }
    std::optional<ops::Constants> values = room.fold(at, types);
    if (!values) return;
    for (size_t i = 0; i < results.size(); ++i) {
      results[i].push_back(i < values->size() ? std::make_shared<const Constant>(std::move((*values)[i])) : nullptr);
    }
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (node.outputs[i] && results[i][0]) sampled_[&scope.graph()][node.outputs[i]] = std::move(results[i]);
  }
}

// Replaces an operator that the standard defines as a function by its body.
bool Builder::expand(const model::Node& source, const Node& resolved, const Facts& facts, Scope& scope, int depth) {
  model::NodeQuery query{&source, &opsets_, {}, {}};
  for (size_t i = 0; i < facts.types.size(); ++i) {
    model::Type type;
    if (resolved.inputs[i]) {
      type.kind = model::Type::Kind::tensor;
      type.dtype = facts.types[i].dtype;
      type.dims.emplace();
      for (int64_t d : facts.types[i].shape.dims) type.dims->push_back({d, {}});
    }
    query.input_types.push_back(std::move(type));
    query.input_values.push_back(facts.values[i]);
  }
  std::map<std::string, int> body_opsets;
  const model::GraphPtr body = model::function_body(query, &body_opsets);
  if (!body) return false;
  add_body(source, resolved, *body, std::move(body_opsets), scope, depth);
  return true;
}

// The same for an operator whose room says what it is made of.
bool Builder::expand_room(const model::Node& source, const Node& resolved, const Facts& facts, const ops::Room& room, Scope& scope,
                          int depth) {
  const ops::Answer<model::GraphPtr> answer = room.expand(facts);
  if (const Fault* fault = std::get_if<Fault>(&answer)) {
    if (options_.opaque_operators) return false;
    fail(fault->code, source, fault->message, fault->hint);
    for (const std::string& name : source.outputs) {
      if (!name.empty()) scope.bind(name, scope.graph().add_value(name, {}));
    }
    return true;
  }
  std::map<std::string, int> opsets = opsets_;
  opsets[""] = ops::kBodyOpset;
  add_body(source, resolved, *std::get<model::GraphPtr>(answer), std::move(opsets), scope, depth);
  return true;
}

void Builder::add_body(const model::Node& source, const Node& resolved, const model::Graph& body,
                       std::map<std::string, int> body_opsets, Scope& scope, int depth) {
  Scope inner = scope.nested();
  for (size_t i = 0; i < body.inputs.size(); ++i) {
    const ValueId actual = i < resolved.inputs.size() ? resolved.inputs[i] : ValueId();
    if (!body.inputs[i].name.empty() && actual) inner.bind(body.inputs[i].name, actual);
  }
  std::swap(opsets_, body_opsets);
  add_nodes(body, inner, depth + 1);
  std::swap(opsets_, body_opsets);
  for (size_t i = 0; i < source.outputs.size() && i < body.outputs.size(); ++i) {
    if (source.outputs[i].empty()) continue;
    const ValueId made = inner.find(body.outputs[i].name);
    if (!made && body.outputs[i].name.empty()) fail("E203", source, cat("its output ", i, " is not supported"));
    const bool handed_through = std::find(resolved.inputs.begin(), resolved.inputs.end(), made) != resolved.inputs.end();
    if (made && !handed_through) scope.graph()[made].name = source.outputs[i];
    scope.bind(source.outputs[i], made ? made : scope.graph().add_value(source.outputs[i], {}));
  }
}

// An If whose condition is known becomes the branch that it takes.
bool Builder::inline_branch(const model::Node& source, const Facts& facts, Scope& scope, int depth) {
  const Constant* condition = facts.value(0);
  if (!condition || condition->is_absent() || condition->count() != 1 || depth >= kMaxDepth) return false;
  auto it = source.attributes.find(condition->integer(0) != 0 ? "then_branch" : "else_branch");
  if (it == source.attributes.end() || !std::holds_alternative<model::GraphPtr>(it->second)) return false;
  take_branch(source, *std::get<model::GraphPtr>(it->second), scope, depth);
  return true;
}

void Builder::take_branch(const model::Node& source, const model::Graph& branch, Scope& scope, int depth) {
  Scope inner = scope.nested();
  inner.see_outer_names();
  add_nodes(branch, inner, depth + 1);
  for (size_t i = 0; i < source.outputs.size() && i < branch.outputs.size(); ++i) {
    if (source.outputs[i].empty()) continue;
    const ValueId made = inner.find(branch.outputs[i].name);
    if (!made) fail("E201", source, "the branch never produces its output '" + branch.outputs[i].name + "'");
    scope.bind(source.outputs[i], made ? made : scope.graph().add_value(source.outputs[i], {}));
  }
}

// An If of which one branch cannot be with these sizes (a model for several of them) becomes the other; every run checks that
// the condition asks for it. `told`: how many faults there were before its branches were built.
bool Builder::take_only_branch(const model::Node& source, const Node& node, size_t told, Scope& scope, int depth) {
  if (depth >= kMaxDepth || node.inputs.size() != 1 || !node.inputs[0] || scope.graph()[node.inputs[0]].type.shape.count() != 1) return false;
  constexpr const char* kNames[] = {"then_branch", "else_branch"};
  const model::Graph* branches[2] = {nullptr, nullptr};
  bool fits[2] = {true, true};
  for (size_t b = 0; b < 2; ++b) {
    const auto it = source.attributes.find(kNames[b]);
    if (it == source.attributes.end() || !std::holds_alternative<model::GraphPtr>(it->second)) return false;
    branches[b] = std::get<model::GraphPtr>(it->second).get();
  }
  const size_t warned = warnings_.size();
  const Diagnostics both = faults_;
  faults_.resize(told);
  bool misfits = true;
  for (size_t b = 0; b < 2; ++b) {
    const Worlds worlds = worlds_;
    Graph probe;
    Scope inner = scope.enclosed(probe);
    add_nodes(*branches[b], inner, depth + 1);
    sampled_.erase(&probe);
    worlds_ = worlds;
    fits[b] = faults_.size() == told;
    misfits = misfits && std::all_of(faults_.begin() + static_cast<std::ptrdiff_t>(told), faults_.end(),
                                     [](const Diagnostic& d) { return d.code == "E205" || d.code == "E211"; });
    faults_.resize(told);
    warnings_.resize(warned);
  }
  if (!misfits || fits[0] == fits[1]) {
    faults_ = both;
    return false;
  }
  take_branch(source, *branches[fits[0] ? 0 : 1], scope, depth);
  for (const std::string& name : source.outputs) {
    const ValueId made = name.empty() ? ValueId() : scope.find(name);
    if (!made || !scope.graph()[made].known()) continue;
    Node check;
    check.op = "Checked";
    check.domain = "tarn";
    check.version = 1;
    check.name = source.name;
    check.origins = node.origins;
    check.origin_names = node.origin_names;
    check.attributes["holds"] = int64_t{fits[0]};
    check.inputs = {made, node.inputs[0]};
    const ValueId checked = scope.graph().add_value(name, scope.graph()[made].type);
    scope.graph()[checked].runtime_dims = scope.graph()[made].runtime_dims;
    check.outputs = {checked};
    scope.graph().nodes.push_back(std::move(check));
    scope.bind(name, checked);
  }
  return true;
}

// The graphs inside If, Loop and Scan. Their formal inputs have the types that the operator gives them; every outer
// value they read becomes one more input of each body and a capture of the node.
void Builder::build_bodies(const model::Node& source, Node& node, Scope& scope, int depth) {
  if (depth >= kMaxDepth) return fail("E207", source, "bodies nest too deeply");
  std::vector<std::string> names;
  if (source.op == "If") names = {"then_branch", "else_branch"};
  else names = {"body"};
  std::vector<ValueId> captures;
  std::vector<std::vector<std::pair<ValueId, ValueId>>> captured;  // per body: outer, inner
  for (const std::string& name : names) {
    auto it = source.attributes.find(name);
    if (it == source.attributes.end() || !std::holds_alternative<model::GraphPtr>(it->second)) {
      return fail("E201", source, "has no graph '" + name + "'");
    }
    const model::Graph& body = *std::get<model::GraphPtr>(it->second);
    Graph inner_graph;
    Scope inner = scope.enclosed(inner_graph);
    // Scan of opset 8: the lengths are its first input, and its tensors have a batch axis that the body does not see.
    const size_t batch_axes = source.op == "Scan" && node.version < 9 ? 1 : 0;
    for (size_t i = 0; i < body.inputs.size(); ++i) {
      TensorType type;
      if (source.op == "Loop") {
        // trip number, condition, then the carried values
        if (i == 0) type = {DType::int64, {}};
        else if (i == 1) type = {DType::boolean, {}};
        else if (i < node.inputs.size() && node.inputs[i]) type = scope.graph()[node.inputs[i]].type;
      } else if (source.op == "Scan" && i + batch_axes < node.inputs.size() && node.inputs[i + batch_axes]) {
        type = scope.graph()[node.inputs[i + batch_axes]].type;
        if (batch_axes > 0 && type.shape.rank() > 0) type.shape.dims.erase(type.shape.dims.begin());
        const int64_t scanned = node.integer("num_scan_inputs", 0);
        const size_t states = body.inputs.size() - static_cast<size_t>(std::clamp<int64_t>(scanned, 0, static_cast<int64_t>(body.inputs.size())));
        if (i >= states && type.shape.rank() > 0) {
          const std::vector<int64_t> axes = node.integers("scan_input_axes");
          const int64_t axis = i - states < axes.size() ? axes[i - states] : 0;
          const std::optional<int> at = normalise_axis(axis, type.shape.rank());
          if (at) type.shape.dims.erase(type.shape.dims.begin() + *at);
        }
      }
      inner.bind(body.inputs[i].name, inner_graph.add_value(body.inputs[i].name, type));
      inner_graph.inputs.push_back(inner.graph_value(body.inputs[i].name));
    }
    add_nodes(body, inner, depth + 1);
    for (const model::ValueInfo& output : body.outputs) {
      const ValueId id = inner.find(output.name);
      if (!id) fail("E201", source, "its body never produces '" + output.name + "'");
      inner_graph.outputs.push_back(id ? id : inner_graph.add_value(output.name, {}));
    }
    sampled_.erase(&inner_graph);
    captured.push_back(inner.captured());
    for (const auto& [outer, within] : inner.captured()) {
      if (std::find(captures.begin(), captures.end(), outer) == captures.end()) captures.push_back(outer);
    }
    node.bodies.push_back(std::move(inner_graph));
    node.attributes.erase(name);
  }
  for (size_t b = 0; b < node.bodies.size(); ++b) {
    Graph& body = node.bodies[b];
    for (ValueId outer : captures) {
      ValueId within;
      for (const auto& [from, to] : captured[b]) {
        if (from == outer) within = to;
      }
      if (!within) {
        within = body.add_value(scope.graph()[outer].name, scope.graph()[outer].type);
        body[within].runtime_dims = scope.graph()[outer].runtime_dims;
      }
      body.inputs.push_back(within);
    }
    remove_dead(body);
  }
  node.captures = captures;
}

Result<Built> Builder::run() {
  Built built;
  Scope scope(built.graph);
  declare(model_.graph, scope);
  add_inputs(scope);
  for (const Diagnostic& d : binding_.faults(model_.path)) faults_.push_back(d);
  add_nodes(model_.graph, scope, 0);
  if (nodes_added_ > kMaxNodes) {
    faults_.push_back({"E207", {.file = model_.path}, cat("the model expands to more than ", kMaxNodes, " nodes"), {}});
  }
  add_outputs(scope);
  for (const std::string& name : binding_.unknown_names(declared_symbols_)) {
    faults_.push_back({"E209", {.file = model_.path}, "--dim names '" + name + "', which the model does not have", {}});
  }
  if (!faults_.empty()) return faults_;
  built.dims = binding_.used();
  built.opsets = model_.opsets;
  built.symbols = worlds_.largest();
  built.warnings = std::move(warnings_);
  remove_dead(built.graph);
  return built;
}

}  // namespace

Result<Built> build(const model::Model& model, const BuildOptions& options) {
  Result<Built> built = Builder(model, options).run();
  if (built) return built;
  const auto attempt = [&](const BuildOptions& with) { return Builder(model, with).run(); };
  if (std::optional<Built> assumed = build_assuming(model, options, built.faults(), attempt)) return std::move(*assumed);
  return built;
}

}  // namespace tarn::graph
