#include <algorithm>
#include <map>
#include <set>

#include "graph/assume.h"
#include "graph/builder.h"
#include "support/text.h"

namespace tarn::graph {

namespace {

// A model whose functions expand to more nodes than this is taken for hostile.
constexpr size_t kMaxNodes = 25'000;

using Shapes = std::map<std::string, const Shape*>;

Shape transposed_back(const model::NodeDef& node, const Shape& shape) {
  const auto at = node.attributes.find("perm");
  const auto* given = at == node.attributes.end() ? nullptr : std::get_if<std::vector<int64_t>>(&at->second);
  Shape before = shape;
  for (int i = 0; i < shape.rank(); ++i) {
    const int64_t from = given == nullptr                      ? shape.rank() - 1 - i
                         : i < static_cast<int>(given->size()) ? (*given)[static_cast<size_t>(i)]
                                                               : -1;
    if (from < 0 || from >= shape.rank()) return shape;
    before[static_cast<int>(from)] = shape[i];
  }
  return before;
}

// The shape that a node's first input is likely to have where the first output has `shape`; nothing where that does not
// tell it. `weights`: shapes of initializers.
std::optional<Shape> shape_before(const model::NodeDef& node, const Shape& shape, const Shapes& weights) {
  static const std::set<std::string> same = {"BatchNormalization",
                                             "CastLike",
                                             "CumSum",
                                             "DequantizeLinear",
                                             "GroupNormalization",
                                             "Hardmax",
                                             "InstanceNormalization",
                                             "LRN",
                                             "LayerNormalization",
                                             "LogSoftmax",
                                             "LpNormalization",
                                             "MeanVarianceNormalization",
                                             "QuantizeLinear",
                                             "RMSNormalization",
                                             "Softmax"};
  if (!node.domain.empty()) return {};
  if (same.contains(node.op)) return shape;
  if (node.op == "Transpose") return transposed_back(node, shape);
  const auto weight = node.inputs.size() > 1 ? weights.find(node.inputs[1]) : weights.end();
  if (weight == weights.end() || weight->second->rank() != 2 || shape.rank() < 2) return {};
  const auto flag = [&](const char* name) {
    const auto at = node.attributes.find(name);
    const auto* value = at == node.attributes.end() ? nullptr : std::get_if<int64_t>(&at->second);
    return value != nullptr && *value != 0;
  };
  if (node.op != "MatMul" && (node.op != "Gemm" || flag("transA"))) return {};
  Shape before = shape;
  before[shape.rank() - 1] = (*weight->second)[node.op == "Gemm" && flag("transB") ? 1 : 0];
  return before;
}

std::string qualified(const model::NodeDef& node) {
  return node.domain.empty() ? node.op : node.domain + "." + node.op;
}

}  // namespace

// A body or function used twice meets the same fault twice; it is told once.
void Builder::tell(Diagnostics& told, const std::string& code, const model::NodeDef& node, std::string message,
                   std::string hint) const {
  Where where{.file = model_.path, .node = {}, .node_name = node.name, .op = qualified(node), .tensor = {}};
  if (node.index >= 0) where.node = node.index;
  Diagnostic d{code, where, std::move(message), std::move(hint)};
  if (std::find(told.begin(), told.end(), d) == told.end()) told.push_back(std::move(d));
}

void Builder::fail(const std::string& code, const model::NodeDef& node, std::string message, std::string hint) {
  tell(faults_, code, node, std::move(message), std::move(hint));
}

void Builder::warn(const std::string& code, const model::NodeDef& node, std::string message) {
  tell(warnings_, code, node, std::move(message), {});
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

void Builder::declare(const model::GraphDef& graph, Scope& scope) {
  for (const auto* list : {&graph.value_info, &graph.outputs}) {
    for (const model::ValueInfo& info : *list) {
      if (info.type.dims) {
        for (const model::Dim& dim : *info.type.dims) declared_symbols_.insert(dim.symbol);
      }
      const TensorType type = declared_type(info.type);
      if (type.dtype == DType::undefined) continue;
      const bool bound = std::any_of(info.type.dims->begin(), info.type.dims->end(),
                                     [&](const model::Dim& dim) { return binding_.is_bound(dim); });
      scope.declare(info.name, type, bound);
      if (!bound) scope.hint(info.name, type.shape);
    }
  }
  Shapes weights;
  for (const model::Initializer& init : graph.initializers) weights.emplace(init.name, &init.value.shape());
  for (size_t n = graph.nodes.size(); n-- > 0;) {
    const model::NodeDef& node = graph.nodes[n];
    const Shape* shape = node.outputs.empty() ? nullptr : scope.hinted(node.outputs[0]);
    const ops::OperatorEntry* entry = shape ? ops::find_entry(node.domain, node.op) : nullptr;
    if (const auto before = shape ? shape_before(node, *shape, weights) : std::nullopt; before && !node.inputs.empty())
      scope.hint(node.inputs[0], *before);
    if (!entry || entry->layout != ops::Layout::elementwise) continue;
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
                         cat("dimensions are 0 or more, at most ", kMaxRank, " of them, and a tensor takes at most ",
                             kMaxTensorBytes >> 20, " MiB")});
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
      faults_.push_back(
          {"E209", {.file = model_.path}, "--const names '" + name + "', which is no input", "inputs: " + join(names)});
    }
  }
}

void Builder::add_outputs(Scope& scope) {
  for (const model::ValueInfo& output : model_.graph.outputs) {
    const ValueId id = scope.find(output.name);
    if (!id && scope.find_list(output.name)) {
      faults_.push_back({"E204",
                         {.file = model_.path, .node = {}, .node_name = {}, .op = {}, .tensor = output.name},
                         "the graph output is a sequence",
                         "sequences and optionals are supported inside a model only"});
      continue;
    }
    if (!id) {
      faults_.push_back({"E201",
                         {.file = model_.path, .node = {}, .node_name = {}, .op = {}, .tensor = output.name},
                         "the graph output is never produced",
                         {}});
      continue;
    }
    scope.graph().outputs.push_back(id);
  }
}

void Builder::add_nodes(const model::GraphDef& graph, Scope& scope, int depth) {
  declare(graph, scope);
  for (const model::Initializer& init : graph.initializers) {
    if (scope.find_local(init.name)) continue;  // an input given by --const wins
    scope.bind(init.name, scope.graph().add_constant(init.name, init.value));
  }
  for (const model::NodeDef& node : graph.nodes) {
    if (nodes_added_ > kMaxNodes) return;
    add_node(node, scope, depth);
  }
}

Result<Built> Builder::run() {
  Built built;
  Scope scope(built.graph);
  declare(model_.graph, scope);
  add_inputs(scope);
  const Diagnostics open = binding_.faults(model_.path);
  for (const Diagnostic& d : open) faults_.push_back(d);
  const size_t of_inputs = faults_.size();
  add_nodes(model_.graph, scope, 0);
  if (nodes_added_ > kMaxNodes) {
    faults_.push_back({"E207", {.file = model_.path}, cat("the model expands to more than ", kMaxNodes, " nodes"), {}});
  }
  add_outputs(scope);
  for (const std::string& name : binding_.unknown_names(declared_symbols_)) {
    faults_.push_back({"E209", {.file = model_.path}, "--dim names '" + name + "', which the model does not have", {}});
  }
  // Of what follows from an input without a size no shape can be told: that is said once.
  if (!open.empty())
    faults_.erase(std::remove_if(faults_.begin() + static_cast<std::ptrdiff_t>(of_inputs), faults_.end(),
                                 [](const Diagnostic& fault) { return fault.code == "E206"; }),
                  faults_.end());
  if (!faults_.empty()) return faults_;
  built.dims = binding_.used();
  built.opsets = model_.opsets;
  built.symbols = worlds_.largest();
  built.grown = std::move(grown_);
  built.warnings = std::move(warnings_);
  remove_dead(built.graph);
  return built;
}

Result<Built> build(const model::Model& model, const BuildOptions& options) {
  Result<Built> built = Builder(model, options).run();
  if (built) return built;
  const auto attempt = [&](const BuildOptions& with) { return Builder(model, with).run(); };
  if (std::optional<Built> assumed = build_assuming(model, options, built.faults(), attempt))
    return std::move(*assumed);
  return built;
}

}  // namespace tarn::graph
