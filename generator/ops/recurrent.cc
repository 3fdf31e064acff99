// LSTM, GRU and RNN. Constant weights are packed so that one pass over a step makes four sums: the four gates of an
// LSTM unit, or one gate of four units. Weights made at run time are read as they lie.
#include "ops/recurrent.h"

#include "ops/recurrent_cell.h"
#include "support/text.h"

namespace tarn::ops {

namespace recurrent {
namespace {

using program::Params;
using program::Pitch;

Shape state_shape(const CellSizes& s) {
  return s.batch_first ? Shape{s.batch, s.directions, s.units} : Shape{s.directions, s.batch, s.units};
}

Answer<Types> infer_recurrent(const Facts& facts) {
  if (!facts.has(kSequence) || !facts.has(kW) || !facts.has(kR)) return Fault{"needs X, W and R"};
  Answer<CellSizes> answer = sizes_of(facts.node, facts.shape(kSequence), facts.shape(kW), facts.shape(kR));
  if (const Fault* fault = std::get_if<Fault>(&answer)) return *fault;
  const CellSizes& s = std::get<CellSizes>(answer);
  const DType type = facts.types[kSequence].dtype;
  const Shape state = state_shape(s);
  const struct {
    size_t input;
    Shape shape;
  } wanted[] = {{kB, {s.directions, 2 * s.gates * s.units}},
                {kSequenceLengths, {s.batch}},
                {kH0, state},
                {kC0, state},
                {kPeep, {s.directions, 3 * s.units}}};
  for (const auto& [input, shape] : wanted) {
    if (!facts.has(input)) continue;
    if (facts.shape(input) != shape)
      return Fault{cat("input ", input, " is ", to_string(facts.types[input]), ", not ", to_string(shape))};
    if (input != kSequenceLengths && facts.types[input].dtype != type)
      return Fault{cat("input ", input, " is of another element type than X")};
  }
  Shape y =
      s.batch_first ? Shape{s.batch, s.steps, s.directions, s.units} : Shape{s.steps, s.directions, s.batch, s.units};
  return Types{{type, std::move(y)}, {type, state}, {type, state}};
}

Params shared_params(const Node& node, const CellSizes& s, bool packed, bool has_y, size_t y_at, DType dtype) {
  // x: [steps][batch][inputs] or [batch][steps][inputs]; y: [steps][directions][batch][units] or
  // [batch][steps][directions][units].
  const FieldValue y_none = int64_t{0};
  auto y_pitch = [&](int64_t scale) -> FieldValue {
    return has_y ? FieldValue{Pitch{Pitch::Of::pixel, y_at, scale}} : y_none;
  };
  return {"",
          {{"steps", s.steps},
           {"batch", s.batch},
           {"inputs", s.inputs},
           {"units", s.units},
           {"directions", s.directions},
           {"reverse", int64_t{runs_backwards(node)}},
           {"x_time", Pitch{Pitch::Of::pixel, kSequence, s.batch_first ? 1 : s.batch}},
           {"x_batch", Pitch{Pitch::Of::pixel, kSequence, s.batch_first ? s.steps : 1}},
           {"y_time", y_pitch(s.batch_first ? s.directions : s.directions * s.batch)},
           {"y_batch", y_pitch(s.batch_first ? s.steps * s.directions : 1)},
           {"y_direction", y_pitch(s.batch_first ? 1 : s.batch)},
           {"s_batch", s.batch_first ? s.directions * s.units : s.units},
           {"s_direction", s.batch_first ? s.units : s.batch * s.units},
           {"packed", int64_t{packed}},
           {"clip", clip_field(node, dtype)}}};
}

// The operands of a call, and where those stand that others are tied to.
struct CellArguments {
  std::vector<Argument> all;
  size_t y_at = 0;
};

CellArguments arguments_of(const Node& node, Lowering& low, const CellSizes& s, const CellOperands& weights,
                           DType dtype) {
  const bool lstm = node.op == "LSTM";
  const bool has_y = node.has_output(0), has_h = node.has_output(1), has_c = lstm && node.has_output(2);
  auto optional = [&](size_t i) { return node.has_input(i) ? low.read(node.inputs[i]) : low.none(); };
  CellArguments made{{low.read(node.inputs[kSequence])}};
  std::vector<Argument>& all = made.all;
  all.insert(all.end(), weights.weights.begin(), weights.weights.end());
  all.insert(all.end(), {weights.b, optional(kSequenceLengths), optional(kH0)});
  if (lstm) {
    all.push_back(optional(kC0));
    all.push_back(optional(kPeep));
  }
  // One state beside the final one when y does not keep them; GRU and RNN have no output that does without the state.
  int64_t states = has_y ? 0 : has_h ? (s.steps > 1 ? 1 : 0) : lstm ? 2 : 0;
  if (lstm && !has_c) ++states;
  if (node.op == "GRU" && !applies_reset_last(node)) ++states;
  all.push_back(states > 0 ? low.scratch(dtype, states * s.units, node.op + "_state") : low.none());
  made.y_at = all.size();
  auto output = [&](size_t i) { return node.has_output(i) ? low.write(node.outputs[i]) : low.none(); };
  all.push_back(output(0));
  all.push_back(output(1));
  if (lstm) all.push_back(output(2));
  // The first state is read before the last one is written: where every state between is part of y, or is kept in the
  // last one's place, which is the cell's.
  const size_t h_at = all.size() - (lstm ? 2 : 1), weights_end = 1 + weights.weights.size();
  if (has_y && has_h) all[h_at].over = weights_end + 2;
  if (has_c) all[h_at + 1].over = weights_end + 3;
  all[kSequence].pitched = all[kSequence].role == Argument::Role::read;
  all[made.y_at].pitched = has_y;
  // Steps are written in ascending order, each after its input has been read.
  const bool forward = lower_case(node.text("direction", "forward")) == "forward";
  if (has_y && all[kSequence].pitched && s.batch == 1 && forward) all[kSequence].walk = Walk{.identity = true};
  return made;
}

// A constant has no pitch of its own.
Params params_for(const Node& node, const CellSizes& s, const CellOperands& weights, const CellArguments& arguments,
                  const std::vector<Activation>& activations, DType dtype) {
  Params all = shared_params(node, s, weights.packed, node.has_output(0), arguments.y_at, dtype);
  if (arguments.all[kSequence].role != Argument::Role::read) {
    all["x_time"] = s.inputs * (s.batch_first ? 1 : s.batch);
    all["x_batch"] = s.inputs * (s.batch_first ? s.steps : 1);
  }
  return cell_params(node, weights, std::move(all), activations, dtype);
}

std::optional<Fault> lower_recurrent(const Node& node, Lowering& low) {
  const DType dtype = low.dtype(node.inputs[kSequence]);
  if (!is_float(dtype) || bits_of(dtype) < 16) return Fault{"not for element type " + to_string(dtype), "", "E204"};
  const Answer<CellSizes> sizes =
      sizes_of(node, low.shape(node.inputs[kSequence]), low.shape(node.inputs[kW]), low.shape(node.inputs[kR]));
  if (const Fault* fault = std::get_if<Fault>(&sizes)) return *fault;
  const CellSizes& s = std::get<CellSizes>(sizes);
  const Answer<std::vector<Activation>> answer = activations_of(node, s);
  if (const Fault* fault = std::get_if<Fault>(&answer)) return *fault;
  const auto& activations = std::get<std::vector<Activation>>(answer);

  const CellOperands weights = weights_of(node, low, s, dtype);
  CellArguments arguments = arguments_of(node, low, s, weights, dtype);
  Params params = params_for(node, s, weights, arguments, activations, dtype);
  const std::string kernel = cat("tarn_", lower_case(node.op), are_usual(node, activations) ? "_" : "_any_",
                                 weights.form, kernel_suffix(dtype));
  Operation& operation = low.call(node, kernel, std::move(params), std::move(arguments.all));
  operation.note = weights.note;
  operation.macs = s.directions * s.steps * s.batch * s.gates * s.units * (s.inputs + s.units);
  operation.parameters += count_parameters(node, low);
  return {};
}

}  // namespace
}  // namespace recurrent

std::vector<OperatorEntry> recurrent_entries() {
  std::vector<OperatorEntry> entries;
  for (const char* op : {"LSTM", "GRU", "RNN"})
    entries.push_back({"", op, "floats", recurrent::lower_recurrent, recurrent::infer_recurrent});
  return entries;
}

}  // namespace tarn::ops
