// IntLSTM, IntGRU, IntRNN: a recurrent layer of floats whose sequence X is int8 codes ("x_scale", "x_zero") and whose
// sequence Y becomes such ("y_scale", "y_zero"). Initial and final states are floats. Inputs, outputs and the other
// attributes are those of the layer of floats.
#include <algorithm>

#include "ops/integer.h"
#include "ops/recurrent.h"
#include "ops/recurrent_cell.h"
#include "support/text.h"

namespace tarn::ops {

namespace recurrent {
namespace {

using program::Params;
using program::Pitch;

// The node as a layer of floats. Nothing: it is none.
std::optional<Node> cell_of(const Node& node) {
  Node cell = node;
  if (node.domain == "tarn" && node.op.starts_with("Int")) {
    cell.domain.clear();
    cell.op = node.op.substr(3);
  }
  if (!is_recurrent(cell)) return {};
  return cell;
}

std::optional<CellSizes> packed_sizes(const Graph& graph, const Node& cell, const IsKnown& known) {
  if (!cell.has_input(kSequence) || !cell.has_input(kW) || !cell.has_input(kR) || !is_packed(cell, known)) return {};
  const Answer<CellSizes> sizes =
      sizes_of(cell, graph.shape(cell.inputs[kSequence]), graph.shape(cell.inputs[kW]), graph.shape(cell.inputs[kR]));
  const CellSizes* s = std::get_if<CellSizes>(&sizes);
  if (!s || s->inputs == 0 || s->units == 0) return {};
  const Answer<std::vector<Activation>> answer = activations_of(cell, *s);
  const auto* activations = std::get_if<std::vector<Activation>>(&answer);
  if (!activations || !are_usual(cell, *activations)) return {};
  return *s;
}

// Of one step, whose row of x lies in scratch and whose row of y is the state.
Params step_params(const Node& cell, const CellSizes& s, bool packed) {
  return {"",
          {{"steps", int64_t{1}},
           {"batch", int64_t{1}},
           {"inputs", s.inputs},
           {"units", s.units},
           {"directions", int64_t{1}},
           {"reverse", int64_t{0}},
           {"x_time", s.inputs},
           {"x_batch", s.inputs},
           {"y_time", s.units},
           {"y_batch", s.units},
           {"y_direction", s.units},
           {"s_batch", s.units},
           {"s_direction", s.units},
           {"packed", int64_t{packed}},
           {"clip", clip_field(cell, DType::float32)}}};
}

std::vector<Field> row_fields(const Node& node, int64_t count, const std::string& of) {
  return {{"outer", int64_t{1}},
          {"inner", count},
          {"x_pitch", count},
          {"y_pitch", count},
          {"scale", Float32{node.real(of + "_scale", 1)}},
          {"zero", node.integer(of + "_zero", 0)}};
}

Params codes_params(const Node& node, const CellSizes& s, FieldValue x_time, FieldValue y_time) {
  std::vector<Field> to = row_fields(node, s.units, "y");
  to.push_back({"lo", int64_t{-128}});
  to.push_back({"hi", int64_t{127}});
  return {"",
          {{"steps", s.steps},
           {"reverse", int64_t{runs_backwards(node)}},
           {"x_time", std::move(x_time)},
           {"y_time", std::move(y_time)},
           {"x", Params{"", row_fields(node, s.inputs, "x")}},
           {"y", Params{"", std::move(to)}}}};
}

// The row of x, two states by turns, and what the cell itself needs.
Argument scratch_of(const Node& cell, Lowering& low, const CellSizes& s) {
  int64_t states = 2;
  if (cell.op == "LSTM" && !cell.has_output(2)) ++states;
  if (cell.op == "GRU" && !applies_reset_last(cell)) ++states;
  return low.scratch(DType::float32, s.inputs + states * s.units, cell.op + "_state");
}

std::optional<Fault> lower_int_recurrent(const Node& node, Lowering& low) {
  const Node cell = *cell_of(node);
  const Shape& x = low.shape(node.inputs[kSequence]);
  const auto s = std::get<CellSizes>(sizes_of(cell, x, low.shape(node.inputs[kW]), low.shape(node.inputs[kR])));
  const auto activations = std::get<std::vector<Activation>>(activations_of(cell, s));
  const CellOperands weights = weights_of(cell, low, s, DType::float32);
  const bool lstm = cell.op == "LSTM", has_y = node.has_output(0);
  const auto optional = [&](size_t i) { return node.has_input(i) ? low.read(node.inputs[i]) : low.none(); };
  const auto output = [&](size_t i) { return node.has_output(i) ? low.write(node.outputs[i]) : low.none(); };
  std::vector<Argument> all{low.read(node.inputs[kSequence])};
  all.insert(all.end(), weights.weights.begin(), weights.weights.end());
  all.push_back(weights.b);
  const size_t h0_at = all.size();
  all.push_back(optional(kH0));
  if (lstm) all.insert(all.end(), {optional(kC0), low.none()});
  all.push_back(scratch_of(cell, low, s));
  const size_t y_at = all.size();
  all.insert(all.end(), {output(0), output(1)});
  if (lstm) all.push_back(output(2));
  // The first states are read before the last ones are written.
  if (node.has_output(1)) all[y_at + 1].over = h0_at;
  if (lstm && node.has_output(2)) all[y_at + 2].over = h0_at + 1;
  const bool pitched = all[kSequence].role == Argument::Role::read;
  all[kSequence].pitched = pitched;
  all[y_at].pitched = has_y;
  // Steps are written in ascending order, each after its input has been read.
  if (has_y && pitched && !runs_backwards(node)) all[kSequence].walk = Walk{.identity = true};
  const std::string kernel = cat("tarn_", lower_case(cell.op), "_", weights.form, "s8");
  const FieldValue x_time = pitched ? FieldValue{Pitch{Pitch::Of::pixel, kSequence}} : FieldValue{s.inputs},
                   y_time = has_y ? FieldValue{Pitch{Pitch::Of::pixel, y_at}} : FieldValue{int64_t{0}};
  Params step = cell_params(cell, weights, step_params(cell, s, weights.packed), activations, DType::float32);
  Operation& operation = low.call(node, kernel,
                                  {cat("tarn_", lower_case(cell.op), weights.w_codes ? "_coded" : "", "_s8_params"),
                                   {{"codes", codes_params(node, s, x_time, y_time)}, {"step", std::move(step)}}},
                                  std::move(all));
  operation.note = cat("floats between codes", weights.note.empty() ? "" : ", ", weights.note);
  operation.macs = s.steps * s.gates * s.units * (s.inputs + s.units);
  operation.parameters += count_parameters(node, low);
  return {};
}

}  // namespace
}  // namespace recurrent

bool is_recurrent(const Node& node) { return node.is("LSTM") || node.is("GRU") || node.is("RNN"); }

bool is_packed_recurrent(const Graph& graph, const Node& node) {
  const std::optional<Node> cell = recurrent::cell_of(node);
  return cell && recurrent::packed_sizes(graph, *cell, [&](ValueId id) { return graph.constant(id) != nullptr; });
}

bool takes_codes(const Graph& graph, const Node& node, const recurrent::IsKnown& known) {
  if (!is_recurrent(node) || node.has_input(recurrent::kSequenceLengths) || node.has_input(recurrent::kPeep))
    return false;
  const std::optional<recurrent::CellSizes> s = recurrent::packed_sizes(graph, node, known);
  if (!s || s->batch != 1 || s->directions != 1 || s->steps < 1) return false;
  const std::vector<ValueId>& inputs = node.inputs;
  return std::all_of(inputs.begin(), inputs.end(), [&](ValueId id) {
    return !id || (graph.dtype(id) == DType::float32 && graph[id].runtime_dims.empty());
  });
}

std::vector<OperatorEntry> integer_recurrent_entries() {
  std::vector<OperatorEntry> entries;
  for (const char* op : {"IntLSTM", "IntGRU", "IntRNN"})
    entries.push_back({"tarn", op, "int8", recurrent::lower_int_recurrent});
  return entries;
}

}  // namespace tarn::ops
