// If, Loop and Scan. Their bodies are lowered into the same program: their tensors are planned with all others.
//
// note [carried values]: a value that a loop carries has one tensor. It is filled before the loop, read by the body under
// the name of the body's input, and at the end of each trip takes what the body made of it. Those copies come after
// everything else in the body; one that another carried value is made of is saved first.
#include "ops/control.h"

#include <algorithm>
#include <map>

#include "ops/indexed.h"
#include "ops/lowering.h"
#include "ops/movement.h"
#include "support/check.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::Control;
using program::OperationId;

constexpr int kOwnGroups = 1000;  // marks that share their symbol with no other

std::optional<graph::RuntimeDim> runtime_dim(const graph::Value& value, int axis) {
  for (const graph::RuntimeDim& dim : value.runtime_dims) {
    if (dim.axis == axis) return dim;
  }
  return {};
}

// The larger sizes of both branches.
Answer<Types> infer_if(const Facts& facts) {
  if (facts.node.bodies.size() != 2) return Types(facts.node.outputs.size());
  const Graph &yes = facts.node.bodies[0], &no = facts.node.bodies[1];
  Types types;
  std::map<std::pair<int64_t, int64_t>, int> groups;  // by the sizes in both branches
  for (size_t i = 0; i < facts.declared.size(); ++i) {
    if (i >= yes.outputs.size() || i >= no.outputs.size()) return Fault{"its branches have fewer outputs than it has"};
    const graph::Value &a = yes[yes.outputs[i]], &b = no[no.outputs[i]];
    types.push_back(a.type);
    if (!a.known() || !b.known()) continue;
    if (a.type.dtype != b.type.dtype || a.type.shape.rank() != b.type.shape.rank()) {
      return Fault{cat("output ", i, " is ", to_string(a.type), " in one branch and ", to_string(b.type), " in the other"),
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
        facts.marks->push_back({output, axis, groups.try_emplace({from_a, from_b}, static_cast<int>(groups.size())).first->second});
      }
    }
  }
  return types;
}

// Loops carry tensors of one size.
std::optional<Fault> check_sizes(const Facts& facts, const Graph& body, size_t first_output) {
  const Fault fault{"a tensor whose size is known only at run time goes into the loop as a carried or scanned value, or comes out of it",
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

// Does the loop end only when its trips are done? The body hands the condition on as it was, which is true.
bool never_ends_early(const Facts& facts, const Graph& body) {
  ValueId condition = body.outputs[0];
  for (size_t n = body.nodes.size(); n-- > 0;) {
    const Node& node = body.nodes[n];
    if (node.is("Identity") && node.has_input(0) && node.has_output(0) && node.outputs[0] == condition) condition = node.inputs[0];
  }
  if (const Constant* value = body.constant(condition)) return !value->is_absent() && value->integer(0) != 0;
  if (body.inputs.size() < 2 || condition != body.inputs[1]) return false;
  if (!facts.has(1)) return true;
  const Constant* begins = facts.value(1);
  return begins && !begins->is_absent() && begins->integer(0) != 0;
}

// The positions of a Loop's or Scan's body outputs: carried values first, then one per scan output.
struct Carried {
  size_t first_input = 0, count = 0;  // in the node's inputs
};

std::optional<int64_t> constant_trips(const Facts& facts) {
  const Constant* m = facts.value(0);
  if (!m || m->is_absent() || m->count() != 1) return {};
  return std::max<int64_t>(0, m->integer(0));
}

Answer<Types> infer_loop(const Facts& facts) {
  if (facts.node.bodies.size() != 1) return Types(facts.declared.size());
  const Graph& body = facts.node.bodies[0];
  const size_t carried = facts.node.inputs.size() > 2 ? facts.node.inputs.size() - 2 : 0;
  const size_t outputs = body.outputs.size();
  if (outputs < 1 + carried) return Fault{"its body has too few outputs"};
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

// note [scan 8]: before opset 9 the first input holds the lengths of the sequences, and every tensor has a batch axis before
// all others. Without lengths and with a batch of one it is the later Scan along axis 1.
struct ScanShape {
  size_t first = 0;              // input of the first state
  size_t states = 0, scans = 0;  // inputs
  int64_t trips = 0;
  int64_t axis = 0;              // along which parts go when nothing is said
};

std::optional<ScanShape> scan_shape(const Node& node, const std::vector<TensorType>& types) {
  const int64_t scans = node.integer("num_scan_inputs", 0);
  const size_t first = node.version < 9 ? 1 : 0;
  if (scans < 1 || scans + static_cast<int64_t>(first) > static_cast<int64_t>(types.size())) return {};
  ScanShape s{first, types.size() - first - static_cast<size_t>(scans), static_cast<size_t>(scans), 0, static_cast<int64_t>(first)};
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
      return Fault{"Scan of opset 8 is supported for a batch of one, without sequence lengths", "convert the model to opset 9 or later", "E203"};
    }
  }
  if (facts.node.bodies.size() != 1) return Types(facts.declared.size());
  const Graph& body = facts.node.bodies[0];
  if (auto fault = check_sizes(facts, body, 0)) return *fault;
  const auto shape = scan_shape(facts.node, facts.types);
  if (!shape) return Fault{"its scan inputs do not have the same length"};
  const std::vector<int64_t> axes = facts.node.integers("scan_output_axes");
  Types types;
  for (size_t i = 0; i < facts.declared.size(); ++i) {
    if (i >= body.outputs.size()) return Fault{"its body has too few outputs"};
    TensorType type = body[body.outputs[i]].type;
    if (batched) type.shape.dims.insert(type.shape.dims.begin(), 1);
    if (i < shape->states) {
      if (type != facts.types[shape->first + i] && type.dtype != DType::undefined) {
        return Fault{cat("state ", i, " goes in as ", to_string(facts.types[shape->first + i]), " and comes out as ", to_string(type)), "", "E208"};
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

// A tensor or constant of an outer value for a body: constants have been copied in by the builder.
void bind_captures(const Node& node, const Graph& body, Lowering& outer, Lowering& inner) {
  const size_t formal = body.inputs.size() - node.captures.size();
  for (size_t i = 0; i < node.captures.size(); ++i) inner.bind(body.inputs[formal + i], outer.tensor(node.captures[i]));
}

// A copy to be written at the end of a body. Values that are still to be overwritten are saved before.
struct Move {
  ValueId from;    // of the body
  TensorId to;
  bool part = false;  // `from` may be smaller: it fills the beginning of `to`
};

void copy_beginning(const Node& node, Lowering& low, ValueId from, TensorId to) {
  const int64_t bytes = low.graph()[from].type.bytes();
  if (bytes == 0) return;
  low.call(node, "tarn_copy",
           {"tarn_copy_params",
            {{"outer", int64_t{1}}, {"inner", bytes}, {"x_pitch", bytes}, {"y_pitch", bytes}, {"x_offset", int64_t{0}}, {"y_offset", int64_t{0}}}},
           {low.read(from), low.write(to)});
}

// Stores sizes of run-time axes: what they are in this body.
struct OwnSize {
  size_t output = 0;
  int axis = 0;
  Argument to;
};
void store_sizes(const Node& node, const Graph& body, Lowering& low, const std::vector<OwnSize>& sizes) {
  for (const OwnSize& size : sizes) {
    std::vector<int64_t> values(8, 0);
    values[0] = body.shape(body.outputs[size.output])[size.axis];
    low.call(node, "tarn_sizes", {"tarn_sizes_params", {{"count", int64_t{1}}, {"values", values}}}, {size.to});
  }
}

// `fresh`: the targets hold nothing yet, so a value may be made right there.
void write_moves(const Node& node, const Graph& body, Lowering& low, std::vector<Move> moves, bool fresh) {
  for (size_t i = 0; i < moves.size(); ++i) {
    if (low.constant(moves[i].from)) continue;
    const TensorId source = low.tensor(moves[i].from);
    const bool overwritten_before =
        std::any_of(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(i), [&](const Move& m) { return m.to == source; });
    if (!overwritten_before) continue;
    const graph::Value& value = body[moves[i].from];
    const TensorId saved = low.new_tensor(value.name + "_saved", value.type.dtype, value.type.shape, program::Kind::activation);
    low.copy(node, low.read(source), saved);
    low.bind(moves[i].from, saved);
  }
  for (const Move& move : moves) {
    if (move.part) {
      copy_beginning(node, low, move.from, move.to);
    } else if (low.constant(move.from)) {
      low.copy(node, low.read(move.from), move.to);
    } else if (low.tensor(move.from) != move.to) {
      // What comes from outside the body has other readers.
      const bool own = std::find(body.inputs.begin(), body.inputs.end(), move.from) == body.inputs.end();
      low.copy(node, low.read(low.tensor(move.from)), move.to, fresh && own);
    }
  }
}

std::optional<Fault> lower_if(const Node& node, Lowering& low) {
  std::vector<TensorId> results;
  for (ValueId output : node.outputs) results.push_back(output ? low.tensor(output) : TensorId());
  std::vector<OwnSize> sizes;
  std::vector<bool> partial(node.outputs.size(), false);
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!node.outputs[i]) continue;
    for (const graph::RuntimeDim& dim : low.graph()[node.outputs[i]].runtime_dims) {
      Argument to = low.size_of(node.outputs[i], dim.axis);
      if (to.role == Argument::Role::write) sizes.push_back({i, dim.axis, std::move(to)});
      partial[i] = true;
    }
  }
  std::vector<std::vector<OperationId>> bodies(2);
  for (size_t b = 0; b < 2; ++b) {
    const Graph& body = node.bodies[b];
    Lowering inner(body, low, bodies[b]);
    bind_captures(node, body, low, inner);
    low.add_faults(inner.lower_nodes());
    std::vector<Move> moves;
    for (size_t i = 0; i < results.size(); ++i) {
      if (results[i].valid()) moves.push_back({body.outputs[i], results[i], partial[i]});
    }
    store_sizes(node, body, inner, sizes);
    write_moves(node, body, inner, moves, true);
  }
  Operation& operation = low.call(node, "", {}, {low.read(node.inputs[0])});
  operation.control = Control::branch;
  operation.bodies = std::move(bodies);
  return {};
}

// Operands of a loop's own call: trip count, condition, number of the trip.
void add_loop(const Node& node, Lowering& low, Argument trips, Argument condition, Argument number,
              std::vector<OperationId> body, std::optional<int64_t> most, std::optional<Argument> made = {}) {
  Operation& operation = low.call(node, "", {}, {std::move(trips), std::move(condition), std::move(number)});
  operation.control = Control::loop;
  operation.bodies.push_back(std::move(body));
  operation.max_trips = most;
  if (made) operation.arguments.push_back(std::move(*made));
}

// Writes x to, or reads it from, position [trip] of the axis of a larger tensor.
void move_slice(const Node& node, Lowering& low, TensorId part, TensorId whole, TensorId number, int axis, bool into, bool backwards) {
  const Shape w = low.program()[whole].type.shape;
  TARN_CHECK(!is_packed(low.program()[whole].type.dtype));  // a pass has unpacked them
  const int64_t element = low.program()[whole].element_bytes();
  const int64_t run = w.count(axis + 1, w.rank()) * element;
  low.call(node, into ? "tarn_slice_put" : "tarn_slice_get",
           {"tarn_slice_params",
            {{"outer", w.count(0, axis)},
             {"inner", run},
             {"pitch", axis > 0 ? w[axis] * run : run},  // the length may be known only behind the loop
             {"length", backwards ? w[axis] : 0},
             {"backwards", int64_t{backwards}}}},
           {low.read(number), low.read(into ? part : whole), low.write(into ? whole : part)});
}

std::optional<Fault> lower_loop(const Node& node, Lowering& low) {
  const Graph& body = node.bodies[0];
  const size_t carried = node.inputs.size() > 2 ? node.inputs.size() - 2 : 0;
  const size_t scans = body.outputs.size() - 1 - carried;
  std::vector<OperationId> operations;
  Lowering inner(body, low, operations);
  bind_captures(node, body, low, inner);

  const TensorId number = low.new_tensor("trip", DType::int64, Shape{}, program::Kind::activation);
  const TensorId condition = low.new_tensor("condition", DType::boolean, Shape{}, program::Kind::activation);
  inner.bind(body.inputs[0], number);
  inner.bind(body.inputs[1], condition);
  // Without a condition given the loop begins.
  Argument begins = node.has_input(1) ? low.read(node.inputs[1])
                                      : low.weight("0/true:loop_begins", Constant::scalar(DType::boolean, 1));
  low.copy(node, std::move(begins), condition);
  std::vector<Move> moves{{body.outputs[0], condition}};
  for (size_t i = 0; i < carried; ++i) {
    const ValueId value = node.inputs[i + 2];
    if (!value) return Fault{"an omitted carried value is not supported", "", "E208"};
    const TensorType& type = low.graph()[value].type;
    const TensorId state = i < node.outputs.size() && node.outputs[i]
                               ? low.tensor(node.outputs[i])
                               : low.new_tensor(low.graph()[value].name + "_state", type.dtype, type.shape, program::Kind::activation);
    low.copy(node, low.read(value), state);
    inner.bind(body.inputs[i + 2], state);
    moves.push_back({body.outputs[i + 1], state});
  }
  low.add_faults(inner.lower_nodes());
  std::optional<int64_t> most;
  std::optional<Argument> made_trips;
  for (size_t k = 0; k < scans; ++k) {
    const ValueId output = carried + k < node.outputs.size() ? node.outputs[carried + k] : ValueId();
    if (!output) continue;
    most = std::min(low.shape(output)[0], most.value_or(INT64_MAX));
    if (Argument to = low.size_of(output, 0); to.role == Argument::Role::write) made_trips = std::move(to);
    const ValueId made = body.outputs[1 + carried + k];
    if (low.shape(output).count() == 0) {
      low.tensor(output);
      continue;
    }
    const TensorId part = inner.constant(made) ? inner.new_tensor("part", body.dtype(made), body.shape(made), program::Kind::activation)
                                               : inner.tensor(made);
    if (inner.constant(made)) inner.copy(node, inner.read(made), part);
    move_slice(node, inner, part, low.tensor(output), number, 0, true, false);
  }
  write_moves(node, body, inner, moves, false);
  // Fewer trips than the scan outputs have room for would leave parts of them unwritten.
  Argument trips = node.has_input(0) ? low.read(node.inputs[0]) : low.none();
  Argument go_on;
  go_on.role = Argument::Role::update;
  go_on.tensor = condition;
  add_loop(node, low, std::move(trips), std::move(go_on), low.write(number), std::move(operations), most, std::move(made_trips));
  return {};
}

std::optional<Fault> lower_scan(const Node& node, Lowering& low) {
  const Graph& body = node.bodies[0];
  std::vector<TensorType> types;
  for (ValueId id : node.inputs) types.push_back(id ? low.graph()[id].type : TensorType{});
  const ScanShape shape = *scan_shape(node, types);
  const std::vector<int64_t> in_axes = node.integers("scan_input_axes"), out_axes = node.integers("scan_output_axes"),
                             in_directions = node.integers(shape.first ? "directions" : "scan_input_directions"), out_directions = node.integers("scan_output_directions");
  auto at = [](const std::vector<int64_t>& values, size_t i, int64_t otherwise = 0) { return i < values.size() ? values[i] : otherwise; };
  std::vector<OperationId> operations;
  Lowering inner(body, low, operations);
  bind_captures(node, body, low, inner);
  const TensorId number = low.new_tensor("trip", DType::int64, Shape{}, program::Kind::activation);
  std::vector<Move> moves;
  for (size_t i = 0; i < shape.states; ++i) {
    const graph::Value& value = low.graph()[node.inputs[shape.first + i]];
    const TensorId state = i < node.outputs.size() && node.outputs[i]
                               ? low.tensor(node.outputs[i])
                               : low.new_tensor(value.name + "_state", value.type.dtype, value.type.shape, program::Kind::activation);
    low.copy(node, low.read(node.inputs[shape.first + i]), state);
    inner.bind(body.inputs[i], state);
    moves.push_back({body.outputs[i], state});
  }
  for (size_t k = 0; k < shape.scans; ++k) {
    const ValueId value = node.inputs[shape.first + shape.states + k], formal = body.inputs[shape.states + k];
    const int axis = *normalise_axis(at(in_axes, k, shape.axis), low.shape(value).rank());
    TensorId whole;
    if (low.constant(value)) {
      whole = low.new_tensor(low.graph()[value].name, low.dtype(value), low.shape(value), program::Kind::activation);
      low.copy(node, low.read(value), whole);
    } else {
      whole = low.tensor(value);
    }
    if (body.shape(formal).count() > 0) move_slice(node, inner, inner.tensor(formal), whole, number, axis, false, at(in_directions, k) != 0);
  }
  low.add_faults(inner.lower_nodes());
  for (size_t i = shape.states; i < node.outputs.size(); ++i) {
    if (!node.outputs[i] || low.shape(node.outputs[i]).count() == 0) continue;
    const size_t k = i - shape.states;
    const ValueId made = body.outputs[i];
    const int axis = *normalise_axis(at(out_axes, k, shape.axis), low.shape(node.outputs[i]).rank());
    const TensorId part = inner.constant(made) ? inner.new_tensor("part", body.dtype(made), body.shape(made), program::Kind::activation)
                                               : inner.tensor(made);
    if (inner.constant(made)) inner.copy(node, inner.read(made), part);
    move_slice(node, inner, part, low.tensor(node.outputs[i]), number, axis, true, at(out_directions, k) != 0);
  }
  write_moves(node, body, inner, moves, false);
  Argument trips = low.weight(cat("0/", shape.trips, ":trips_", shape.trips), Constant::ints(DType::int64, {}, {shape.trips}));
  add_loop(node, low, std::move(trips), low.none(), low.write(number), std::move(operations), shape.trips);
  return {};
}

Answer<Types> infer_checked(const Facts& facts) { return Types{facts.types[0]}; }

// Its first operand, where the second holds what the attribute says.
std::optional<Fault> lower_checked(const Node& node, Lowering& low) {
  if (!low.constant(node.inputs[1])) lower_expected(node, low, node.inputs[1], {node.integer("holds", 1)});
  std::optional<program::View> same;
  if (!low.constant(node.inputs[0])) same = program::View{low.tensor(node.outputs[0]), low.tensor(node.inputs[0]), 0};
  lower_copy(node, low, node.inputs[0], node.outputs[0], same);
  return {};
}

}  // namespace

std::vector<Room> control_rooms() {
  return {
      {"tarn", "Checked", "any", lower_checked, infer_checked},
      {"", "If", "any", lower_if, infer_if, nullptr, Layout::fixed, nullptr, "branches of equal ranks, unless the condition is known"},
      {"", "Loop", "any", lower_loop, infer_loop, nullptr, Layout::fixed, nullptr, "carried values keep their shapes"},
      {"", "Scan", "any", lower_scan, infer_scan, nullptr, Layout::fixed, nullptr, "opset 9 and later"},
  };
}

}  // namespace tarn::ops
