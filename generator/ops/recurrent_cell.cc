#include "ops/recurrent_cell.h"

#include <algorithm>
#include <limits>

#include "ops/packing.h"
#include "support/text.h"
#include "tensor/numeric.h"

namespace tarn::ops::recurrent {

namespace {

using program::Params;

int64_t gates_of(const Node& node) { return node.op == "LSTM" ? 4 : node.op == "GRU" ? 3 : 1; }
// Activation functions of one direction.
size_t functions_of(const Node& node) { return node.op == "LSTM" ? 3 : node.op == "GRU" ? 2 : 1; }

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

}  // namespace

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

bool are_usual(const Node& node, const std::vector<Activation>& activations) {
  const size_t each = functions_of(node);
  for (size_t i = 0; i < activations.size(); ++i) {
    const int64_t usual = each > 1 && i % each == 0 ? 0 : 1;
    if (activations[i].kind != usual) return false;
  }
  return true;
}

bool applies_reset_last(const Node& node) { return node.integer("linear_before_reset", 0) != 0; }

bool runs_backwards(const Node& node) { return lower_case(node.text("direction", "forward")) == "reverse"; }

bool is_packed(const Node& node, const IsKnown& known) {
  return known(node.inputs[kW]) && known(node.inputs[kR]) && (!node.has_input(kB) || known(node.inputs[kB]));
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

int64_t count_parameters(const Node& node, const Lowering& low) {
  int64_t count = 0;
  for (size_t i : {kW, kR, kB, kPeep}) {
    if (node.has_input(i) && low.constant(node.inputs[i])) count += low.shape(node.inputs[i]).count();
  }
  return count;
}

FieldValue clip_field(const Node& node, DType dtype) {
  const double clip = node.real("clip", 0);
  return real_field(clip > 0 ? clip : std::numeric_limits<double>::infinity(), dtype);
}

Params cell_params(const Node& node, const CellOperands& weights, Params all,
                   const std::vector<Activation>& activations, DType dtype) {
  const std::string op = lower_case(node.op), suffix = kernel_suffix(dtype);
  Params params{cat("tarn_", op, "_", suffix, "_params"), {{"all", std::move(all)}}};
  if (node.op == "LSTM") params.fields.push_back({"input_forget", int64_t{node.integer("input_forget", 0) != 0}});
  if (node.op == "GRU") params.fields.push_back({"linear_before_reset", int64_t{applies_reset_last(node)}});
  static const char* const names[] = {"f", "g", "h"};
  const size_t each = functions_of(node);
  for (size_t i = 0; i < each; ++i) params.fields.push_back({names[i], activation_field(activations, each, i, dtype)});
  if (!weights.w_codes) return params;
  return {cat("tarn_", op, "_coded_", suffix, "_params"),
          {{"plain", std::move(params)}, {"w", *weights.w_codes}, {"r", *weights.r_codes}}};
}

}  // namespace tarn::ops::recurrent
