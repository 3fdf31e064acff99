// Types of nodes' outputs, values that are known, and sizes that are known only at run time.
#include <algorithm>

#include "graph/builder.h"
#include "support/text.h"

namespace tarn::graph {

// What the model's side asks about a node: its inputs as they turned out to be.
model::NodeQuery Builder::query_for(const model::NodeDef& source, const Facts& facts) const {
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
  return query;
}

// The types of a node's outputs; empty when a fault was told.
std::optional<ops::Types> Builder::infer(const model::NodeDef& source, const Facts& facts,
                                         const ops::OperatorEntry* entry) {
  const model::NodeQuery query = query_for(source, facts);
  if (entry && entry->infer) {
    // An entry's rule takes for granted what the standard asks of every node.
    if (const auto fault = model::check_node(query)) {
      fail(fault->code, source, fault->message, fault->hint);
      return {};
    }
    ops::Answer<ops::Types> answer = entry->infer(facts);
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

namespace {

// May a value of the type that the standard's rule tells, which may leave sizes open, be of the declared one?
bool may_be(const model::Type& type, const TensorType& declared) {
  if (type.kind != model::Type::Kind::tensor) return true;
  if (type.dtype != DType::undefined && type.dtype != declared.dtype) return false;
  if (!type.dims) return true;
  if (type.dims->size() != declared.shape.dims.size()) return false;
  for (size_t axis = 0; axis < type.dims->size(); ++axis) {
    if ((*type.dims)[axis].value.value_or(declared.shape.dims[axis]) != declared.shape.dims[axis]) return false;
  }
  return true;
}

}  // namespace

// What the rules could not tell is taken from the model's own declarations, as far as the standard's rule allows: what
// writes the calls takes the rank and the element type for granted. Where both speak, the rules win. False: a fault was
// told.
bool Builder::merge_declared(const Facts& facts, ops::Types& types, const model::NodeDef& source) {
  std::optional<Result<std::vector<model::Type>>> standard;
  for (size_t i = 0; i < types.size() && i < source.outputs.size(); ++i) {
    const TensorType& declared = facts.declared[i];
    if (declared.dtype == DType::undefined) continue;
    if (types[i].dtype == DType::undefined) {
      if (!standard) standard = model::infer_types(query_for(source, facts));
      if (*standard && i < (*standard)->size() && !may_be((**standard)[i], declared)) {
        fail("E205", source,
             cat("output '", source.outputs[i], "' is declared as ", to_string(declared), ", which it cannot be"));
        return false;
      }
      types[i] = declared;
    } else if (types[i] != declared) {
      Where where;
      where.file = model_.path;
      where.tensor = source.outputs[i];
      warnings_.push_back(
          {"W201", where, "declared as " + to_string(declared) + ", computed as " + to_string(types[i]), {}});
    }
  }
  return true;
}

namespace {

// A constant may be so much larger than those that it replaces. What is larger is made at run time, where that can be.
constexpr int64_t kMostGrowth = 64 << 10;
constexpr int64_t kMostUniform = int64_t{1} << 26;

// Elements that only change their type or their place are no more than there were.
bool grows_too_much(const Facts& facts, const ops::Types& types) {
  int64_t made = 0, elements = 0, replaced = 0, most = 0;
  std::vector<const Constant*> counted;
  for (const TensorType& type : types) {
    if (type.dtype == DType::undefined) continue;
    made += type.bytes();
    elements += type.shape.count();
  }
  for (const Constant* value : facts.values) {
    if (!value || std::find(counted.begin(), counted.end(), value) != counted.end()) continue;
    counted.push_back(value);
    replaced += value->is_splat() ? 0 : value->type().bytes();
    most = std::max(most, value->is_splat() ? 0 : value->count());
  }
  // One number repeated takes no memory here; layers may have such weights.
  const bool uniform = facts.node.is("ConstantOfShape") || (facts.value(0) && facts.value(0)->is_splat());
  if (uniform && elements <= kMostUniform) return false;
  return made > replaced + kMostGrowth && elements > most;
}

// No rule computes with complex numbers; a node of them stays, and is refused where its calls are written.
bool has_complex(const Facts& facts) {
  return std::any_of(facts.types.begin(), facts.types.end(), [](const TensorType& type) {
    return type.dtype == DType::complex64 || type.dtype == DType::complex128;
  });
}

}  // namespace

bool Builder::fold(const Facts& facts, const ops::OperatorEntry& entry, const ops::Types& types, const Node& node,
                   Scope& scope) {
  if (!entry.fold || (entry.lower && has_complex(facts))) return false;
  const std::string& first =
      node.outputs.empty() || !node.outputs[0] ? std::string() : scope.graph()[node.outputs[0]].name;
  if (entry.lower && options_.left.contains(first)) return false;
  if (entry.lower && grows_too_much(facts, types)) {
    // Also what is none for want of constants: it is none at other sizes either.
    grown_.insert(first);
    return false;
  }
  const bool floats = std::all_of(types.begin(), types.end(), [](const TensorType& t) { return is_float(t.dtype); });
  if (!options_.fold_floats && entry.lower && floats) return false;
  std::optional<ops::Constants> values = entry.fold(facts, types);
  if (!values) {
    // Rules have bounds of their own.
    if (entry.lower) grown_.insert(first);
    return false;
  }
  for (size_t i = 0; i < node.outputs.size() && i < values->size(); ++i) {
    if (!node.outputs[i]) continue;
    Value& value = scope.graph()[node.outputs[i]];
    value.type = (*values)[i].type();
    value.constant = std::make_shared<const Constant>(std::move((*values)[i]));
  }
  return true;
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
std::optional<std::vector<std::vector<RuntimeDim>>> Builder::runtime_dims(const model::NodeDef& source,
                                                                          const Node& node, const Facts& facts,
                                                                          const ops::OperatorEntry* entry,
                                                                          Scope& scope) {
  std::vector<std::vector<RuntimeDim>> dims(node.outputs.size());
  std::vector<ops::Types> seen;
  std::vector<ops::RuntimeMark> ignored;
  for (size_t world = 1; world < worlds_.count(); ++world) {
    Facts at = facts_at(world, node, facts, scope);
    at.marks = &ignored;
    const size_t told = faults_.size();
    std::optional<ops::Types> types = infer(source, at, entry);
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
    // Of the largest sizes, which the graph's type is made of.
    const int rank = scope.graph()[node.outputs[o]].type.shape.rank();
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
void Builder::sample(const Node& node, const Facts& facts, const ops::OperatorEntry& entry, Scope& scope) {
  if (!entry.fold || (entry.lower && has_complex(facts))) return;
  std::vector<std::vector<std::shared_ptr<const Constant>>> results(node.outputs.size());
  for (size_t world = 0; world < worlds_.count(); ++world) {
    const Facts at = facts_at(world, node, facts, scope);
    ops::Types types;
    const std::vector<int64_t> symbols = worlds_.values(world);
    for (ValueId id : node.outputs)
      types.push_back(id ? TensorType{scope.graph().dtype(id), shape_at(scope.graph()[id], symbols)} : TensorType{});
    // Only the numbers that shapes are made of: small whole ones. A size that falls below nothing is no size.
    for (const TensorType& type : types) {
      if (std::any_of(type.shape.dims.begin(), type.shape.dims.end(), [](int64_t d) { return d < 0; })) return;
      if (type.dtype != DType::undefined &&
          (!(is_integer(type.dtype) || type.dtype == DType::boolean) || type.shape.count() > 64))
        return;
    }
    std::optional<ops::Constants> values = entry.fold(at, types);
    if (!values) return;
    for (size_t i = 0; i < results.size(); ++i) {
      results[i].push_back(i < values->size() ? std::make_shared<const Constant>(std::move((*values)[i])) : nullptr);
    }
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (node.outputs[i] && results[i][0]) sampled_[&scope.graph()][node.outputs[i]] = std::move(results[i]);
  }
}

}  // namespace tarn::graph
