#include "ops/control_types.h"

#include <algorithm>
#include <map>

#include "support/text.h"

namespace tarn::ops {

namespace {

constexpr int kOwnGroups = 1000;  // marks that share their symbol with no other

std::optional<graph::RuntimeDim> runtime_dim(const graph::Value& value, int axis) {
  for (const graph::RuntimeDim& dim : value.runtime_dims) {
    if (dim.axis == axis) return dim;
  }
  return {};
}

}  // namespace

namespace {

// A body takes what the operator hands it, no more and no less; behind that come the values around it that it reads.
std::optional<Fault> check_formals(const Facts& facts, const Graph& body, size_t wanted) {
  const size_t formals = body.inputs.size() - facts.node.captures.size();
  if (formals == wanted) return {};
  return Fault{cat("its body has ", formals, " inputs, the node hands it ", wanted)};
}

}  // namespace

// The larger sizes of both branches.
Answer<Types> infer_if(const Facts& facts) {
  if (facts.node.bodies.size() != 2) return Types(facts.node.outputs.size());
  const Graph &yes = facts.node.bodies[0], &no = facts.node.bodies[1];
  for (const Graph& body : facts.node.bodies) {
    if (auto fault = check_formals(facts, body, 0)) return *fault;
  }
  Types types;
  std::map<std::pair<int64_t, int64_t>, int> groups;  // by the sizes in both branches
  for (size_t i = 0; i < facts.declared.size(); ++i) {
    if (i >= yes.outputs.size() || i >= no.outputs.size()) return Fault{"its branches have fewer outputs than it has"};
    const graph::Value &a = yes[yes.outputs[i]], &b = no[no.outputs[i]];
    types.push_back(a.type);
    if (!a.known() || !b.known()) continue;
    if (a.type.dtype != b.type.dtype || a.type.shape.rank() != b.type.shape.rank()) {
      return Fault{
          cat("output ", i, " is ", to_string(a.type), " in one branch and ", to_string(b.type), " in the other"),
          "branches of different ranks need a condition that is known: fix it with --const", "E208"};
    }
    for (int axis = 0; axis < a.type.shape.rank(); ++axis) {
      const auto in_a = runtime_dim(a, axis), in_b = runtime_dim(b, axis);
      const int64_t from_a = a.type.shape[axis], from_b = b.type.shape[axis];
      types[i].shape[axis] = std::max(from_a, from_b);
      if (!facts.marks || (!in_a && !in_b && from_a == from_b)) continue;
      const auto output = static_cast<int>(i);
      if (in_a && in_a == in_b) {
        facts.marks->push_back({output, axis, 0, in_a});
      } else if (in_a || in_b) {
        facts.marks->push_back({output, axis, static_cast<int>(facts.marks->size()) + kOwnGroups});
      } else {
        facts.marks->push_back(
            {output, axis, groups.try_emplace({from_a, from_b}, static_cast<int>(groups.size())).first->second});
      }
    }
  }
  return types;
}

namespace {

// Loops carry tensors of one size.
std::optional<Fault> check_sizes(const Facts& facts, const Graph& body, size_t first_output) {
  const Fault fault{
      "a tensor whose size is known only at run time goes into the loop as a carried or scanned value, or comes out of "
      "it",
      "fix the size: --dim for an input, --const for the value that decides it", "E208"};
  const auto is_runtime = [](const Graph& graph, ValueId id) { return id && !graph[id].runtime_dims.empty(); };
  for (ValueId id : facts.node.inputs) {
    if (facts.graph && is_runtime(*facts.graph, id)) return fault;
  }
  for (size_t i = first_output; i < body.outputs.size(); ++i) {
    if (is_runtime(body, body.outputs[i])) return fault;
  }
  return {};
}

// The number of trips and the condition, which the body makes anew, are single numbers.
std::optional<Fault> check_scalars(const Facts& facts, const Graph& body) {
  const char* const names[] = {"number of trips", "condition"};
  for (size_t i = 0; i < 2; ++i) {
    if (facts.has(i) && facts.shape(i).count() != 1)
      return Fault{cat("its ", names[i], " is ", to_string(facts.types[i]), ", no single number")};
  }
  const graph::Value& made = body[body.outputs[0]];
  if (made.known() && (made.type.dtype != DType::boolean || made.type.shape.count() != 1))
    return Fault{cat("its body makes the condition ", to_string(made.type), ", no single truth value")};
  return {};
}

// Does the loop end only when its trips are done? The body hands the condition on as it was, which is true.
bool never_ends_early(const Facts& facts, const Graph& body) {
  ValueId condition = body.outputs[0];
  for (size_t n = body.nodes.size(); n-- > 0;) {
    const Node& node = body.nodes[n];
    if (node.is("Identity") && node.has_input(0) && node.has_output(0) && node.outputs[0] == condition)
      condition = node.inputs[0];
  }
  if (const Constant* value = body.constant(condition)) return !value->is_absent() && value->integer(0) != 0;
  if (body.inputs.size() < 2 || condition != body.inputs[1]) return false;
  if (!facts.has(1)) return true;
  const Constant* begins = facts.value(1);
  return begins && !begins->is_absent() && begins->integer(0) != 0;
}

std::optional<int64_t> constant_trips(const Facts& facts) {
  const Constant* m = facts.value(0);
  if (!m || m->is_absent() || m->count() != 1) return {};
  return std::max<int64_t>(0, m->integer(0));
}

}  // namespace

Answer<Types> infer_loop(const Facts& facts) {
  if (facts.node.bodies.size() != 1) return Types(facts.declared.size());
  const Graph& body = facts.node.bodies[0];
  const size_t carried = facts.node.inputs.size() > 2 ? facts.node.inputs.size() - 2 : 0;
  const size_t outputs = body.outputs.size();
  if (auto fault = check_formals(facts, body, 2 + carried)) return *fault;
  if (outputs < 1 + carried) return Fault{"its body has too few outputs"};
  if (auto fault = check_scalars(facts, body)) return *fault;
  if (auto fault = check_sizes(facts, body, 1)) return *fault;
  const auto trips = constant_trips(facts);
  const bool to_the_end = never_ends_early(facts, body);
  // What the scan outputs have room for together, and how many parts the model promises.
  int64_t most = trips.value_or(INT64_MAX);
  std::optional<int64_t> promised;
  for (size_t i = carried; i < facts.declared.size(); ++i) {
    if (facts.declared[i].dtype == DType::undefined || facts.declared[i].shape.rank() == 0) continue;
    most = std::min(most, facts.declared[i].shape[0]);
    if (facts.promised(i)) promised = facts.declared[i].shape[0];
  }
  Types types;
  for (size_t i = 0; i < facts.declared.size(); ++i) {
    if (i + 1 >= outputs) return Fault{"its body has too few outputs"};
    TensorType type = body[body.outputs[i + 1]].type;
    if (i < carried) {
      const TensorType& before = facts.types[i + 2];
      if (type.dtype != DType::undefined && before.dtype != DType::undefined && type != before) {
        return Fault{cat("carried value ", i, " goes in as ", to_string(before), " and comes out as ", to_string(type)),
                     "a carried value whose shape changes from trip to trip is not supported", "E208"};
      }
      types.push_back(type);
      continue;
    }
    if (trips && (to_the_end || promised)) {
      type.shape.dims.insert(type.shape.dims.begin(), *trips);
    } else if (promised) {
      type.shape.dims.insert(type.shape.dims.begin(), *promised);
    } else if (most != INT64_MAX) {
      type.shape.dims.insert(type.shape.dims.begin(), most);
      if (facts.marks) facts.marks->push_back({static_cast<int>(i), 0});
    } else if (i < facts.hints.size() && facts.hints[i] && facts.hints[i]->rank() == type.shape.rank() + 1) {
      type.shape = *facts.hints[i];
    } else {
      return Fault{cat("output ", i, " has one part per trip, and how many trips there are is not known"),
                   "fix the trip count with --const, or bind the output's first dimension with --dim", "E210"};
    }
    types.push_back(std::move(type));
  }
  return types;
}

std::optional<ScanShape> scan_shape(const Node& node, const std::vector<TensorType>& types) {
  const int64_t scans = node.integer("num_scan_inputs", 0);
  const size_t first = node.version < 9 ? 1 : 0;
  if (scans < 1 || scans > static_cast<int64_t>(types.size()) - static_cast<int64_t>(first)) return {};
  ScanShape s{first, types.size() - first - static_cast<size_t>(scans), static_cast<size_t>(scans), 0,
              static_cast<int64_t>(first)};
  const std::vector<int64_t> axes = node.integers("scan_input_axes");
  for (size_t k = 0; k < s.scans; ++k) {
    const Shape& shape = types[s.first + s.states + k].shape;
    const auto axis = normalise_axis(k < axes.size() ? axes[k] : s.axis, shape.rank());
    if (!axis) return {};
    if (k > 0 && shape[*axis] != s.trips) return {};
    s.trips = shape[*axis];
  }
  return s;
}

Answer<Types> infer_scan(const Facts& facts) {
  const bool batched = facts.node.version < 9;
  for (size_t i = 1; i < facts.types.size() && batched; ++i) {
    if (facts.has(0) || facts.shape(i).rank() == 0 || facts.shape(i)[0] != 1) {
      return Fault{"Scan of opset 8 is supported for a batch of one, without sequence lengths",
                   "convert the model to opset 9 or later", "E203"};
    }
  }
  if (facts.node.bodies.size() != 1) return Types(facts.declared.size());
  const Graph& body = facts.node.bodies[0];
  if (auto fault = check_sizes(facts, body, 0)) return *fault;
  const auto shape = scan_shape(facts.node, facts.types);
  if (!shape) return Fault{"its scan inputs do not have the same length"};
  if (auto fault = check_formals(facts, body, shape->states + shape->scans)) return *fault;
  if (body.outputs.size() < shape->states) return Fault{"its body has too few outputs"};
  const std::vector<int64_t> axes = facts.node.integers("scan_output_axes");
  Types types;
  for (size_t i = 0; i < facts.declared.size(); ++i) {
    if (i >= body.outputs.size()) return Fault{"its body has too few outputs"};
    TensorType type = body[body.outputs[i]].type;
    if (batched) type.shape.dims.insert(type.shape.dims.begin(), 1);
    if (i < shape->states) {
      if (type != facts.types[shape->first + i] && type.dtype != DType::undefined) {
        return Fault{cat("state ", i, " goes in as ", to_string(facts.types[shape->first + i]), " and comes out as ",
                         to_string(type)),
                     "", "E208"};
      }
    } else if (type.dtype != DType::undefined) {
      const size_t k = i - shape->states;
      const auto axis = normalise_axis(k < axes.size() ? axes[k] : shape->axis, type.shape.rank() + 1);
      if (!axis) return Fault{"a scan output axis is out of range"};
      type.shape.dims.insert(type.shape.dims.begin() + *axis, shape->trips);
    }
    types.push_back(std::move(type));
  }
  return types;
}

}  // namespace tarn::ops
