#include "ops/lower.h"

#include <algorithm>
#include <map>
#include <set>

#include "graph/worlds.h"
#include "ops/indexed.h"
#include "ops/lines.h"
#include "ops/movement.h"
#include "ops/runtime_sizes.h"
#include "support/memory_limit.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

// A graph output needs a tensor of its own that an operation writes: a constant or an input is copied into one.
void bind_outputs(const Graph& graph, Lowering& low, program::Program& program) {
  for (ValueId id : graph.outputs) {
    const bool is_input = std::find(graph.inputs.begin(), graph.inputs.end(), id) != graph.inputs.end();
    TensorId tensor;
    if (low.constant(id) || is_input) {
      tensor = low.new_tensor(graph[id].name + "_out", graph.dtype(id), graph.shape(id), program::Kind::output);
      const int64_t bytes = graph[id].type.bytes();
      Node node;
      node.op = "Identity";
      node.origin_names = {graph[id].name};
      if (bytes > 0) {
        low.call(node, "tarn_copy", program::copy_params(bytes), {low.read(id), low.write(tensor)});
      }
    } else {
      tensor = low.tensor(id);
      program[tensor].kind = program::Kind::output;
    }
    program.outputs.push_back(tensor);
  }
}

// Reports tell tensors apart by name: a second one of the same name gets a number. Inputs and outputs keep theirs.
void make_names_unique(program::Program& program) {
  std::set<std::string> taken;
  std::map<std::string, int> next;  // by name: the number to try first; all below are taken
  std::vector<bool> done(program.tensors.size(), false);
  auto name = [&](size_t i) {
    if (done[i]) return;
    done[i] = true;
    std::string& text = program.tensors[i].name;
    const std::string base = text;
    if (taken.insert(text).second) return;
    int& n = next.try_emplace(base, 2).first->second;
    do text = cat(base, "#", n++);
    while (!taken.insert(text).second);
  };
  for (TensorId id : program.inputs) name(id.pos());
  for (TensorId id : program.outputs) name(id.pos());
  for (size_t i = 0; i < program.tensors.size(); ++i) name(i);
}

bool makes_nothing(const Graph& graph, const Node& node) {
  return std::all_of(node.outputs.begin(), node.outputs.end(),
                     [&](ValueId id) { return !id || graph.shape(id).count() == 0; });
}

void hold_tensors(const Node& node, Lowering& low) {
  std::vector<Argument> arguments;
  for (const auto* list : {&node.inputs, &node.captures}) {
    for (ValueId id : *list) {
      if (id && !low.constant(id)) arguments.push_back(low.read(low.tensor(id)));
    }
  }
  for (ValueId id : node.outputs) {
    if (id) arguments.push_back(low.write(id));
  }
  low.call(node, "", {}, std::move(arguments));
}

// Element types that no C type stands for. A caller's own kernels may know complex numbers.
bool has_no_c_type(DType dtype, bool own_kernels) {
  const bool complex = dtype == DType::complex64 || dtype == DType::complex128;
  return dtype == DType::string || (complex && !own_kernels);
}

std::optional<Fault> refuse_types(const Node& node, const Graph& graph, bool own_kernels) {
  for (const auto* list : {&node.inputs, &node.outputs}) {
    for (ValueId id : *list) {
      if (id && has_no_c_type(graph.dtype(id), own_kernels)) {
        return Fault{"'" + graph[id].name + "' is a tensor of " + to_string(graph.dtype(id)), "", "E204"};
      }
    }
  }
  return {};
}

// Those that pass through or that nobody reads: no node tells of them.
Diagnostics refuse_ports(const Graph& graph, const LowerOptions& options) {
  Diagnostics faults;
  for (const auto* list : {&graph.inputs, &graph.outputs}) {
    for (ValueId id : *list) {
      if (!has_no_c_type(graph.dtype(id), options.opaque_operators)) continue;
      faults.push_back({"E204",
                        {.file = options.file, .node = {}, .node_name = {}, .op = {}, .tensor = graph[id].name},
                        "a tensor of " + to_string(graph.dtype(id)),
                        {}});
    }
  }
  return faults;
}

// The C structs hold 32-bit numbers.
std::optional<Fault> too_large(const program::Params& params) {
  for (const Field& field : params.fields) {
    auto fits = [](int64_t v) { return v >= INT32_MIN && v <= INT32_MAX; };
    bool good = true;
    if (const auto* v = std::get_if<int64_t>(&field.value)) good = fits(*v);
    if (const auto* v = std::get_if<std::vector<int64_t>>(&field.value)) good = std::all_of(v->begin(), v->end(), fits);
    if (const auto* v = std::get_if<program::Params>(&field.value)) {
      if (auto fault = too_large(*v)) return fault;
    }
    if (!good) return Fault{"a size of this operator exceeds 32 bits (" + field.name + ")", "", "E207"};
  }
  return {};
}

}  // namespace

namespace {

// Trained numbers that no product counts: what normalisation left in a layer; tables looked up; tensors added,
// multiplied or joined in. Single numbers are not trained, and four axes are a mask's.
void count_other_parameters(const graph::Graph& graph, const Node& node, program::Operation& operation) {
  operation.parameters += node.integer("folded_parameters", 0);
  if (operation.parameters > 0 || operation.macs > 0 || !node.domain.empty()) return;
  static const std::set<std::string> takes = {"Add", "Concat", "Div", "Gather", "Mul", "PRelu", "Sub"};
  if (!takes.contains(node.op)) return;
  for (const ValueId id : node.inputs) {
    const Constant* c = id ? graph.constant(id) : nullptr;
    if (c && is_float(c->dtype()) && c->count() > 1 && c->shape().rank() <= 3) operation.parameters += c->count();
  }
}

}  // namespace

Diagnostics Lowering::lower_nodes() {
  Diagnostics faults;
  for (const Node& node : graph_.nodes) {
    const AtWork at({"writing its calls", node.origins.empty() ? -1 : node.origins[0], node.name, node.op,
                     node.has_output(0) ? std::string_view(graph_[node.outputs[0]].name) : std::string_view()});
    if (makes_nothing(graph_, node)) {
      // Empty tensors still exist, with no bytes.
      for (ValueId id : node.outputs) {
        if (id) tensor(id);
      }
      continue;
    }
    const OperatorEntry* entry = find_entry(node.domain, node.op);
    std::optional<Fault> fault = refuse_types(node, graph_, options_.opaque_operators);
    if (!fault && options_.opaque_operators && (!entry || !entry->lower)) {
      hold_tensors(node, *this);
      continue;
    }
    const size_t before = program_.operations.size(), listed = operations_->size();
    if (fault) {
    } else if (!entry || !entry->lower) {
      fault = Fault{"operator not supported in this form", entry ? entry->limits : "", "E203"};
    } else {
      fault = entry->lower(node, *this);
      for (size_t i = before; i < program_.operations.size() && !fault; ++i)
        fault = too_large(program_.operations[i].params);
      if (fault && options_.opaque_operators) {
        program_.operations.resize(before);
        operations_->resize(listed);
        hold_tensors(node, *this);
        fault.reset();
      }
    }
    if (!fault && program_.operations.size() > before)
      count_other_parameters(graph_, node, program_.operations[before]);
    if (fault) {
      Where where{.file = options_.file,
                  .node_name = node.name,
                  .op = node.domain.empty() ? node.op : node.domain + "." + node.op};
      if (!node.origins.empty() && node.origins[0] >= 0) where.node = node.origins[0];
      faults.push_back({fault->code == "E205" ? "E208" : fault->code, where, fault->message, fault->hint});
    }
    // Those of bodies have been told by their own nodes.
    for (Diagnostic& d : nested_faults_) faults.push_back(std::move(d));
    nested_faults_.clear();
  }
  return faults;
}

namespace {

bool is_uniform(const Constant& c) {
  if (c.is_splat()) return true;
  const std::span<const uint8_t> bytes = c.contiguous();
  const auto size = static_cast<size_t>(std::max<int64_t>(1, bytes_for(c.dtype(), 1)));
  return bytes.size() > size &&
         std::equal(bytes.begin() + static_cast<std::ptrdiff_t>(size), bytes.end(), bytes.begin());
}

// The same elements, in the same order or, of a matrix, in that of its transpose.
bool holds_same_elements(const Constant& a, const Constant& b) {
  if (a.dtype() != b.dtype() || a.count() != b.count()) return false;
  if (a.is_absent() || b.is_absent()) return a.same_as(b);
  if (a.shape() == b.shape() && a.same_as(b)) return true;
  const std::span<const uint8_t> left = a.contiguous(), right = b.contiguous();
  const bool turned =
      a.shape().rank() == 2 && b.shape().rank() == 2 && a.shape()[0] == b.shape()[1] && bits_of(a.dtype()) >= 8;
  if (!turned || left.empty() || left.size() != right.size()) return false;
  const auto size = static_cast<size_t>(bits_of(a.dtype()) / 8), rows = static_cast<size_t>(a.shape()[0]),
             columns = static_cast<size_t>(a.shape()[1]);
  for (size_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c < columns; ++c) {
      if (!std::equal(&left[(r * columns + c) * size], &left[(r * columns + c) * size] + size,
                      &right[(c * rows + r) * size]))
        return false;
    }
  }
  return true;
}

// A matrix that several operations use, as it is or transposed (word tables of language models), is one set of
// parameters: it counts where it is used first. Small or uniform ones may be equal by chance.
void count_ties_once(const Graph& graph, program::Program& program) {
  constexpr int64_t kLarge = 4096;
  std::map<std::vector<std::string>, Operation*> counting;
  for (Operation& operation : program.operations) {
    if (operation.parameters >= kLarge) counting.emplace(operation.nodes, &operation);
  }
  std::vector<const Constant*> counted;
  std::set<std::vector<std::string>> seen;  // of several nodes that stand for one, stripes for instance, the first
  for (const Node& node : graph.nodes) {
    const auto found = counting.find(node.origin_names);
    if (found == counting.end() || !seen.insert(node.origin_names).second) continue;
    for (ValueId id : node.inputs) {
      const Constant* c = id ? graph.constant(id) : nullptr;
      if (!c || c->count() < kLarge || c->shape().rank() < 2 || c->is_strings() ||
          found->second->parameters < c->count() || is_uniform(*c))
        continue;
      const bool tied = std::any_of(counted.begin(), counted.end(),
                                    [&](const Constant* earlier) { return holds_same_elements(*c, *earlier); });
      if (tied) found->second->parameters -= c->count();
      else counted.push_back(c);
    }
  }
}

// A program of more steps is no firmware; planning it would take minutes.
constexpr size_t kMostSteps = 25'000;

Result<program::Program> lower_once(const graph::Graph& graph, const LowerOptions& options) {
  program::Program program;
  program.input_names = options.input_names;
  program.output_names = options.output_names;
  Lowering low(
      graph, program,
      {options.file, options.target, options.opaque_operators, options.time_lines, options.input_rows, options.sparse});
  if (Diagnostics faults = refuse_ports(graph, options); !faults.empty()) return faults;
  for (ValueId id : graph.inputs) {
    const TensorId tensor = low.tensor(id);
    program[tensor].kind = program::Kind::input;
    program.inputs.push_back(tensor);
  }
  for (const graph::Expectation& expectation : graph.expectations) {
    const ValueId input = graph.inputs[expectation.input];
    Node node;
    node.op = "Input";
    node.origin_names = {graph[input].name};
    lower_expected(node, low, input, expectation.values);
  }
  Diagnostics faults = low.lower_nodes();
  if (!faults.empty()) return faults;
  if (options.timed) low.tell_likely_values();
  if (program.operations.size() > kMostSteps) {
    return Diagnostic{
        "E207",
        {.file = options.file},
        cat("the network takes ", program.operations.size(), " steps; at most ", kMostSteps, " are planned"),
        {}};
  }
  bind_outputs(graph, low, program);
  if (options.endless) set_single_lines(program);
  make_names_unique(program);
  count_ties_once(graph, program);
  return program;
}

}  // namespace

bool runs_along_time(const graph::Graph& graph) {
  bool steps = false;
  for (const Node& node : graph.nodes) {
    if (!node.bodies.empty()) return false;
    const OperatorEntry* entry = find_entry(node.domain, node.op);
    if (!entry || entry->layout != Layout::spatial || !node.has_input(0)) continue;
    for (ValueId id : {node.inputs[0], node.outputs[0]}) {
      const Geometry g = default_geometry(graph.shape(id));
      if (g.lines != 1) return false;
      steps = steps || g.pixels > 1;
    }
    if (graph.shape(node.inputs[0]).rank() < 4) continue;
    // Windows that reach beyond the only line.
    std::vector<int64_t> kernel = node.integers("kernel_shape");
    if (kernel.empty() && node.has_input(1)) {
      const std::vector<int64_t>& weights = graph.shape(node.inputs[1]).dims;
      if (weights.size() < 3) continue;  // numbers by channel
      kernel.assign(weights.begin() + 2, weights.end());
    }
    const std::vector<int64_t> pads = node.integers("pads");
    if (kernel.size() != 2 || kernel[0] != 1 || (pads.size() == 4 && pads[0] + pads[2] != 0)) return false;
  }
  return steps;
}

Result<program::Program> lower(const graph::Graph& graph, const LowerOptions& options) {
  if (options.symbols.empty()) return lower_once(graph, options);
  graph::Worlds worlds;
  for (int64_t most : options.symbols) worlds.add_symbol(most);
  std::vector<program::Program> programs;
  for (size_t world = 1; world < worlds.count(); ++world) {
    Result<program::Program> program = lower_once(in_world(graph, worlds.values(world)), options);
    if (!program) return program.faults();
    programs.push_back(std::move(*program));
  }
  return join_worlds(std::move(programs), options.symbols, options.file);
}

}  // namespace tarn::ops
