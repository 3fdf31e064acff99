// LSTM, GRU and RNN. Constant weights are packed so that one pass over a step makes four sums: the four gates of an
// LSTM unit, or one gate of four units. Weights made at run time are read as they lie.
#include "ops/recurrent.h"

#include <algorithm>
#include <limits>

#include "ops/coded_weights.h"
#include "ops/lowering.h"
#include "ops/packing.h"
#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops {

namespace {

using program::Params;
using program::Pitch;

constexpr size_t kSequence = 0, kW = 1, kR = 2, kB = 3, kSequenceLengths = 4, kH0 = 5, kC0 = 6, kPeep = 7;

struct CellSizes {
  int64_t steps = 0, batch = 0, inputs = 0, units = 0, directions = 1, gates = 1;
  bool batch_first = false;  // layout 1
};

int64_t gates_of(const Node& node) { return node.op == "LSTM" ? 4 : node.op == "GRU" ? 3 : 1; }
// Activation functions of one direction.
size_t functions_of(const Node& node) { return node.op == "LSTM" ? 3 : node.op == "GRU" ? 2 : 1; }

Answer<CellSizes> sizes_of(const Node& node, const Shape& x, const Shape& w, const Shape& r) {
  CellSizes s;
  s.gates = gates_of(node);
  const int64_t layout = node.integer("layout", 0);
  if (layout != 0 && layout != 1) return Fault{cat("layout is ", layout), "it is 0 or 1", "E211"};
  s.batch_first = layout == 1;
  const std::string direction = lower_case(node.text("direction", "forward"));
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional") {
    return Fault{"direction is '" + direction + "'", "it is forward, reverse or bidirectional", "E211"};
  }
  s.directions = direction == "bidirectional" ? 2 : 1;
  if (x.rank() != 3 || w.rank() != 3 || r.rank() != 3) {
    return Fault{cat("X, W and R have three axes, not ", to_string(x), ", ", to_string(w), ", ", to_string(r))};
  }
  s.steps = x[s.batch_first ? 1 : 0];
  s.batch = x[s.batch_first ? 0 : 1];
  s.inputs = x[2];
  s.units = r[2];
  const Checked rows = checked_mul(s.gates, s.units);
  if (!rows || w != Shape{s.directions, *rows, s.inputs} || r != Shape{s.directions, *rows, s.units}) {
    return Fault{cat("weights of ", to_string(w), " and ", to_string(r), " do not fit an input of ", to_string(x))};
  }
  if (node.has("hidden_size") && node.integer("hidden_size", 0) != s.units) {
    return Fault{cat("hidden_size is ", node.integer("hidden_size", 0), ", the weights have ", s.units, " units")};
  }
  return s;
}

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

struct Activation {
  int64_t kind = 0;
  double alpha = 0, beta = 0;
};

struct ActivationName {
  const char* name;
  int64_t kind;  // TARN_ACTIVATION_... of runtime/recurrent/tarn_activation.h
  bool has_alpha, has_beta;
  double alpha, beta;  // defaults
};
constexpr ActivationName kActivations[] = {
    {"sigmoid", 0, false, false, 0, 0},     {"tanh", 1, false, false, 0, 0},
    {"relu", 2, false, false, 0, 0},        {"affine", 3, true, true, 1, 0},
    {"leakyrelu", 4, true, false, 0.01, 0}, {"thresholdedrelu", 5, true, false, 1, 0},
    {"scaledtanh", 6, true, true, 1, 1},    {"hardsigmoid", 7, true, true, 0.2, 0.5},
    {"elu", 8, true, false, 1, 0},          {"softsign", 9, false, false, 0, 0},
    {"softplus", 10, false, false, 0, 0},
};

// The functions of all directions. activation_alpha and activation_beta hold either a number for each function, or one
// for each that uses it.
Answer<std::vector<Activation>> activations_of(const Node& node, const CellSizes& s) {
  const size_t each = functions_of(node), wanted = each * static_cast<size_t>(s.directions);
  std::vector<std::string> names = node.texts("activations");
  if (names.empty()) {
    for (int64_t d = 0; d < s.directions; ++d) {
      if (each > 1) names.push_back("sigmoid");
      for (size_t i = each > 1 ? 1 : 0; i < each; ++i) names.push_back("tanh");
    }
  }
  // The default of RNN names both directions' ("Tanh", "Tanh"), and converters write it down for one.
  if (each == 1 && names.size() > wanted) names.resize(wanted);
  if (names.size() != wanted)
    return Fault{cat(names.size(), " activations are named, ", wanted, " needed"), "", "E211"};
  const std::vector<double> alphas = node.reals("activation_alpha"), betas = node.reals("activation_beta");
  size_t next_alpha = 0, next_beta = 0;
  std::vector<Activation> result;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string name = lower_case(names[i]);
    const auto* row =
        std::find_if(std::begin(kActivations), std::end(kActivations), [&](const auto& a) { return name == a.name; });
    if (row == std::end(kActivations)) return Fault{"activation '" + names[i] + "' is not defined", "", "E211"};
    Activation a{row->kind, row->alpha, row->beta};
    auto take = [&](const std::vector<double>& list, size_t& next, bool used, double& value) {
      if (!used) return;
      const size_t at = list.size() == names.size() ? i : next++;
      if (at < list.size()) value = list[at];
    };
    take(alphas, next_alpha, row->has_alpha, a.alpha);
    take(betas, next_beta, row->has_beta, a.beta);
    result.push_back(a);
  }
  return result;
}

// The usual functions have kernels that link nothing else.
bool are_usual(const std::vector<Activation>& activations, size_t each) {
  for (size_t i = 0; i < activations.size(); ++i) {
    const int64_t usual = each > 1 && i % each == 0 ? 0 : 1;
    if (activations[i].kind != usual) return false;
  }
  return true;
}

// Field of the params: one function of both directions (a single direction's twice).
FieldValue activation_field(const std::vector<Activation>& all, size_t each, size_t which, DType dtype) {
  Params pair;
  for (size_t d = 0; d < 2; ++d) {
    const Activation& a = all[std::min(d * each + which, all.size() - each + which)];
    pair.fields.push_back(
        {"",
         Params{"", {{"kind", a.kind}, {"alpha", real_field(a.alpha, dtype)}, {"beta", real_field(a.beta, dtype)}}}});
  }
  return pair;
}

// First weights of the packed rows: LSTM unit by unit, its four gates side by side; else gate by gate, units in fours.
std::vector<int64_t> packed_rows(const CellSizes& s, int64_t length) {
  std::vector<int64_t> rows;
  const int64_t padded = ceil_div(s.units, int64_t{4}) * 4;
  for (int64_t d = 0; d < s.directions; ++d) {
    const int64_t base = d * s.gates * s.units;
    if (s.gates == 4) {
      for (int64_t unit = 0; unit < s.units; ++unit) {
        for (int64_t gate = 0; gate < 4; ++gate) rows.push_back((base + gate * s.units + unit) * length);
      }
      continue;
    }
    for (int64_t gate = 0; gate < s.gates; ++gate) {
      for (int64_t unit = 0; unit < padded; ++unit)
        rows.push_back(unit < s.units ? (base + gate * s.units + unit) * length : -1);
    }
  }
  return rows;
}

// GRU: the reset gate is applied to what the recurrent weights give, not to the state before them.
bool applies_reset_last(const Node& node) { return node.integer("linear_before_reset", 0) != 0; }

// Input and recurrent bias added up, in the order of the packed rows. GRU: a fourth row keeps the recurrent bias of the
// hidden gate apart when the reset gate is applied to it.
Argument pack_biases(Lowering& low, const Node& node, const CellSizes& s, DType dtype) {
  const Constant& b = *low.constant(node.inputs[kB]);
  const bool apart = node.op == "GRU" && applies_reset_last(node);
  const int64_t padded = s.gates == 4 ? s.units : ceil_div(s.units, int64_t{4}) * 4, rows = s.gates == 3 ? 4 : s.gates;
  const int64_t count = s.directions * rows * padded;
  return low.weight(
      low.key(node.inputs[kB], cat("/", node.op, apart ? "_apart" : "")), dtype, count, {&b}, [=](const auto& sink) {
        std::vector<uint8_t> bytes(static_cast<size_t>(bytes_for(dtype, count)), 0);
        for (int64_t d = 0; d < s.directions; ++d) {
          auto input = [&](int64_t gate, int64_t unit) { return b.real((2 * d * s.gates + gate) * s.units + unit); };
          auto recurrent = [&](int64_t gate, int64_t unit) {
            return b.real(((2 * d + 1) * s.gates + gate) * s.units + unit);
          };
          for (int64_t gate = 0; gate < s.gates; ++gate) {
            for (int64_t unit = 0; unit < s.units; ++unit) {
              const int64_t at = s.gates == 4 ? unit * 4 + gate : gate * padded + unit;
              const bool split = apart && gate == 2;
              write_double(dtype, bytes.data(), d * rows * padded + at,
                           input(gate, unit) + (split ? 0 : recurrent(gate, unit)));
              if (split) write_double(dtype, bytes.data(), (d * rows + 3) * padded + unit, recurrent(gate, unit));
            }
          }
        }
        sink(bytes);
      });
}

struct CellOperands {
  bool packed = false;
  std::vector<Argument> weights;  // W and R, each one operand, or three when they are coded
  std::string form, note;         // as of LayerWeights
  std::optional<Params> w_codes, r_codes;
  Argument b;
};

template <class IsConstant>
bool is_packed(const Node& node, const IsConstant& constant) {
  return constant(node.inputs[kW]) && constant(node.inputs[kR]) && (!node.has_input(kB) || constant(node.inputs[kB]));
}

CellOperands weights_of(const Node& node, Lowering& low, const CellSizes& s, DType dtype) {
  CellOperands o;
  o.packed = is_packed(node, [&](ValueId id) { return low.constant(id) != nullptr; });
  if (!o.packed) {
    o.weights = {low.read(node.inputs[kW]), low.read(node.inputs[kR])};
    o.b = node.has_input(kB) ? low.read(node.inputs[kB]) : low.none();
    return o;
  }
  const std::vector<LayerWeights> both = recurrent_weights(
      node, low,
      {{node.inputs[kW], packed_rows(s, s.inputs), s.inputs}, {node.inputs[kR], packed_rows(s, s.units), s.units}});
  const LayerWeights &w = both[0], &r = both[1];
  o.weights = w.operands;
  o.weights.insert(o.weights.end(), r.operands.begin(), r.operands.end());
  o.form = w.form;
  o.note = w.note;
  o.w_codes = w.codes;
  o.r_codes = r.codes;
  o.b = node.has_input(kB) ? pack_biases(low, node, s, dtype) : low.none();
  return o;
}

Params shared_params(const Node& node, const CellSizes& s, bool packed, bool has_y, size_t y_at, DType dtype) {
  // x: [steps][batch][inputs] or [batch][steps][inputs]; y: [steps][directions][batch][units] or
  // [batch][steps][directions][units].
  const FieldValue y_none = int64_t{0};
  auto y_pitch = [&](int64_t scale) -> FieldValue {
    return has_y ? FieldValue{Pitch{Pitch::Of::pixel, y_at, scale}} : y_none;
  };
  const double clip = node.real("clip", 0);
  return {"",
          {{"steps", s.steps},
           {"batch", s.batch},
           {"inputs", s.inputs},
           {"units", s.units},
           {"directions", s.directions},
           {"reverse", int64_t{lower_case(node.text("direction", "forward")) == "reverse"}},
           {"x_time", Pitch{Pitch::Of::pixel, kSequence, s.batch_first ? 1 : s.batch}},
           {"x_batch", Pitch{Pitch::Of::pixel, kSequence, s.batch_first ? s.steps : 1}},
           {"y_time", y_pitch(s.batch_first ? s.directions : s.directions * s.batch)},
           {"y_batch", y_pitch(s.batch_first ? s.steps * s.directions : 1)},
           {"y_direction", y_pitch(s.batch_first ? 1 : s.batch)},
           {"s_batch", s.batch_first ? s.directions * s.units : s.units},
           {"s_direction", s.batch_first ? s.units : s.batch * s.units},
           {"packed", int64_t{packed}},
           {"clip", real_field(clip > 0 ? clip : std::numeric_limits<double>::infinity(), dtype)}}};
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

Params params_of(const Node& node, const CellSizes& s, const CellOperands& weights, const CellArguments& arguments,
                 const std::vector<Activation>& activations, DType dtype) {
  const std::string op = lower_case(node.op), suffix = kernel_suffix(dtype);
  const bool has_y = node.has_output(0);
  Params params{cat("tarn_", op, "_", suffix, "_params"),
                {{"all", shared_params(node, s, weights.packed, has_y, arguments.y_at, dtype)}}};
  // A constant has no pitch of its own.
  if (arguments.all[kSequence].role != Argument::Role::read) {
    auto& shared = std::get<Params>(params["all"]);
    shared["x_time"] = s.inputs * (s.batch_first ? 1 : s.batch);
    shared["x_batch"] = s.inputs * (s.batch_first ? s.steps : 1);
  }
  if (node.op == "LSTM") params.fields.push_back({"input_forget", int64_t{node.integer("input_forget", 0) != 0}});
  if (node.op == "GRU") params.fields.push_back({"linear_before_reset", int64_t{applies_reset_last(node)}});
  static const char* const names[] = {"f", "g", "h"};
  const size_t each = functions_of(node);
  for (size_t i = 0; i < each; ++i) params.fields.push_back({names[i], activation_field(activations, each, i, dtype)});
  if (!weights.w_codes) return params;
  return {cat("tarn_", op, "_coded_", suffix, "_params"),
          {{"plain", std::move(params)}, {"w", *weights.w_codes}, {"r", *weights.r_codes}}};
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
  Params params = params_of(node, s, weights, arguments, activations, dtype);
  const std::string kernel =
      cat("tarn_", lower_case(node.op), are_usual(activations, functions_of(node)) ? "_" : "_any_", weights.form,
          kernel_suffix(dtype));
  Operation& operation = low.call(node, kernel, std::move(params), std::move(arguments.all));
  operation.note = weights.note;
  operation.macs = s.directions * s.steps * s.batch * s.gates * s.units * (s.inputs + s.units);
  for (size_t i : {kW, kR, kB, kPeep}) {
    if (node.has_input(i) && low.constant(node.inputs[i])) operation.parameters += low.shape(node.inputs[i]).count();
  }
  return {};
}

}  // namespace

bool is_packed_recurrent(const graph::Graph& graph, const Node& node) {
  if (!node.is("LSTM") && !node.is("GRU") && !node.is("RNN")) return false;
  if (!node.has_input(kSequence) || !node.has_input(kW) || !node.has_input(kR)) return false;
  if (!is_packed(node, [&](ValueId id) { return graph.constant(id) != nullptr; })) return false;
  const Answer<CellSizes> sizes =
      sizes_of(node, graph.shape(node.inputs[kSequence]), graph.shape(node.inputs[kW]), graph.shape(node.inputs[kR]));
  const CellSizes* s = std::get_if<CellSizes>(&sizes);
  if (!s || s->inputs == 0 || s->units == 0) return false;
  const Answer<std::vector<Activation>> answer = activations_of(node, *s);
  const auto* activations = std::get_if<std::vector<Activation>>(&answer);
  return activations && are_usual(*activations, functions_of(node));
}

std::vector<OperatorEntry> recurrent_entries() {
  std::vector<OperatorEntry> entries;
  for (const char* op : {"LSTM", "GRU", "RNN"}) entries.push_back({"", op, "floats", lower_recurrent, infer_recurrent});
  return entries;
}

}  // namespace tarn::ops
