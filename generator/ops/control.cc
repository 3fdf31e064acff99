// If, Loop and Scan. Their bodies are lowered into the same program: their tensors are planned with all others.
//
// note [carried values]: a value that a loop carries has one tensor. It is filled before the loop, read by the body
// under the name of the body's input, and at the end of each trip takes what the body made of it. Those copies come
// after everything else in the body; one that another carried value is made of is saved first.
#include "ops/control.h"

#include <algorithm>

#include "ops/control_types.h"
#include "ops/indexed.h"
#include "ops/lowering.h"
#include "ops/movement.h"
#include "support/check.h"
#include "support/text.h"

namespace tarn::ops {

namespace {

using program::Control;
using program::OperationId;

// A tensor or constant of an outer value for a body: constants have been copied in by the builder.
void bind_captures(const Node& node, const Graph& body, Lowering& outer, Lowering& inner) {
  const size_t formal = body.inputs.size() - node.captures.size();
  for (size_t i = 0; i < node.captures.size(); ++i) inner.bind(body.inputs[formal + i], outer.tensor(node.captures[i]));
}

// A copy to be written at the end of a body. Values that are still to be overwritten are saved before.
struct Move {
  ValueId from;  // of the body
  TensorId to;
  bool part = false;  // `from` may be smaller: it fills the beginning of `to`
};

void copy_beginning(const Node& node, Lowering& low, ValueId from, TensorId to) {
  const int64_t bytes = low.graph()[from].type.bytes();
  if (bytes == 0) return;
  low.call(node, "tarn_copy", program::copy_params(bytes), {low.read(from), low.write(to)});
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
    const bool overwritten_before = std::any_of(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(i),
                                                [&](const Move& m) { return m.to == source; });
    if (!overwritten_before) continue;
    const graph::Value& value = body[moves[i].from];
    const TensorId saved =
        low.new_tensor(value.name + "_saved", value.type.dtype, value.type.shape, program::Kind::activation);
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
Operation& add_loop(const Node& node, Lowering& low, Argument trips, Argument condition, Argument number,
                    std::vector<OperationId> body, std::optional<int64_t> most) {
  Operation& operation = low.call(node, "", {}, {std::move(trips), std::move(condition), std::move(number)});
  operation.control = Control::loop;
  operation.bodies.push_back(std::move(body));
  operation.max_trips = most;
  return operation;
}

// Writes x to, or reads it from, position [trip] of the axis of a larger tensor.
void move_slice(const Node& node, Lowering& low, TensorId part, TensorId whole, TensorId number, int axis, bool into,
                bool backwards) {
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

// What the scan outputs of a loop say of its trips.
struct Scanned {
  std::optional<int64_t> most;     // so many have room
  std::optional<Argument> counts;  // where the number of trips is kept, when a size depends on it
};

// Each trip writes its parts of the scan outputs, from number `carried` on.
Scanned write_scans(const Node& node, Lowering& low, Lowering& inner, size_t carried, TensorId number) {
  const Graph& body = node.bodies[0];
  Scanned scanned;
  for (size_t i = carried; i + 1 < body.outputs.size(); ++i) {
    const ValueId output = i < node.outputs.size() ? node.outputs[i] : ValueId();
    if (!output) continue;
    scanned.most = std::min(low.shape(output)[0], scanned.most.value_or(INT64_MAX));
    if (Argument to = low.size_of(output, 0); to.role == Argument::Role::write) scanned.counts = std::move(to);
    const ValueId made = body.outputs[1 + i];
    if (low.shape(output).count() == 0) {
      low.tensor(output);
      continue;
    }
    const TensorId part = inner.constant(made)
                              ? inner.new_tensor("part", body.dtype(made), body.shape(made), program::Kind::activation)
                              : inner.tensor(made);
    if (inner.constant(made)) inner.copy(node, inner.read(made), part);
    move_slice(node, inner, part, low.tensor(output), number, 0, true, false);
  }
  return scanned;
}

std::optional<Fault> lower_loop(const Node& node, Lowering& low) {
  const Graph& body = node.bodies[0];
  const size_t carried = node.inputs.size() > 2 ? node.inputs.size() - 2 : 0;
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
    const TensorId state =
        i < node.outputs.size() && node.outputs[i]
            ? low.tensor(node.outputs[i])
            : low.new_tensor(low.graph()[value].name + "_state", type.dtype, type.shape, program::Kind::activation);
    low.copy(node, low.read(value), state);
    inner.bind(body.inputs[i + 2], state);
    moves.push_back({body.outputs[i + 1], state});
  }
  low.add_faults(inner.lower_nodes());
  Scanned scanned = write_scans(node, low, inner, carried, number);
  write_moves(node, body, inner, moves, false);
  // Fewer trips than the scan outputs have room for would leave parts of them unwritten.
  const Constant* count = node.has_input(0) ? low.constant(node.inputs[0]) : nullptr;
  const bool known = count != nullptr && !count->is_absent();
  Argument trips = node.has_input(0) && !known ? low.read(node.inputs[0]) : low.none();
  Argument go_on;
  go_on.role = Argument::Role::update;
  go_on.tensor = condition;
  Operation& loop =
      add_loop(node, low, std::move(trips), std::move(go_on), low.write(number), std::move(operations), scanned.most);
  if (known) loop.trips = count->integer(0);
  if (scanned.counts) loop.arguments.push_back(std::move(*scanned.counts));
  return {};
}

std::optional<Fault> lower_scan(const Node& node, Lowering& low) {
  const Graph& body = node.bodies[0];
  std::vector<TensorType> types;
  for (ValueId id : node.inputs) types.push_back(id ? low.graph()[id].type : TensorType{});
  const ScanShape shape = *scan_shape(node, types);
  const std::vector<int64_t> in_axes = node.integers("scan_input_axes"), out_axes = node.integers("scan_output_axes"),
                             in_directions = node.integers(shape.first ? "directions" : "scan_input_directions"),
                             out_directions = node.integers("scan_output_directions");
  auto at = [](const std::vector<int64_t>& values, size_t i, int64_t otherwise = 0) {
    return i < values.size() ? values[i] : otherwise;
  };
  std::vector<OperationId> operations;
  Lowering inner(body, low, operations);
  bind_captures(node, body, low, inner);
  const TensorId number = low.new_tensor("trip", DType::int64, Shape{}, program::Kind::activation);
  std::vector<Move> moves;
  for (size_t i = 0; i < shape.states; ++i) {
    const graph::Value& value = low.graph()[node.inputs[shape.first + i]];
    const TensorId state =
        i < node.outputs.size() && node.outputs[i]
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
    if (body.shape(formal).count() > 0)
      move_slice(node, inner, inner.tensor(formal), whole, number, axis, false, at(in_directions, k) != 0);
  }
  low.add_faults(inner.lower_nodes());
  for (size_t i = shape.states; i < node.outputs.size(); ++i) {
    if (!node.outputs[i] || low.shape(node.outputs[i]).count() == 0) continue;
    const size_t k = i - shape.states;
    const ValueId made = body.outputs[i];
    const int axis = *normalise_axis(at(out_axes, k, shape.axis), low.shape(node.outputs[i]).rank());
    const TensorId part = inner.constant(made)
                              ? inner.new_tensor("part", body.dtype(made), body.shape(made), program::Kind::activation)
                              : inner.tensor(made);
    if (inner.constant(made)) inner.copy(node, inner.read(made), part);
    move_slice(node, inner, part, low.tensor(node.outputs[i]), number, axis, true, at(out_directions, k) != 0);
  }
  write_moves(node, body, inner, moves, false);
  add_loop(node, low, low.none(), low.none(), low.write(number), std::move(operations), shape.trips).trips =
      shape.trips;
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

std::vector<OperatorEntry> control_entries() {
  return {
      {"tarn", "Checked", "any", lower_checked, infer_checked},
      {"", "If", "any", lower_if, infer_if, nullptr, Layout::fixed, nullptr,
       "branches of equal ranks, unless the condition is known"},
      {"", "Loop", "any", lower_loop, infer_loop, nullptr, Layout::fixed, nullptr, "carried values keep their shapes"},
      {"", "Scan", "any", lower_scan, infer_scan, nullptr, Layout::fixed, nullptr,
       "opset 8: without lengths, a batch of one"},
  };
}

}  // namespace tarn::ops
