#include "time/predict.h"

#include <algorithm>

#include "time/by_value.h"
#include "time/rings.h"

namespace tarn::timing {

namespace {

// As fit.py writes it: constants of the executable, since a list of so many models would be made on the stack.
struct FittedTerm {
  const char* name = nullptr;
  Cost cost;
};
struct Fitted {
  const char *target, *kernel, *compiler, *code;
  double median_error, worst_error, cycles_median_error, cycles_worst_error;
  FittedTerm terms[56];  // those without a name are none
};
constexpr Fitted kFitted[] = {
#include "time/coefficients/cortex-m0.inc"
#include "time/coefficients/cortex-m3.inc"
#include "time/coefficients/cortex-m33.inc"
#include "time/coefficients/cortex-m4.inc"
#include "time/coefficients/cortex-m55.inc"
#include "time/coefficients/cortex-m7.inc"
#include "time/coefficients/rv32imac.inc"
#include "time/coefficients/rv32imafc.inc"
};

std::vector<Model> make_models() {
  std::vector<Model> all;
  for (const Fitted& f : kFitted) {
    Model& model = all.emplace_back();
    model.target = f.target;
    model.kernel = f.kernel;
    model.compiler = f.compiler;
    model.code = f.code;
    model.median_error = f.median_error;
    model.worst_error = f.worst_error;
    model.cycles_median_error = f.cycles_median_error;
    model.cycles_worst_error = f.cycles_worst_error;
    for (const FittedTerm& term : f.terms) {
      if (term.name != nullptr) model.coefficients.emplace(term.name, term.cost);
    }
  }
  return all;
}

}  // namespace

const std::vector<Model>& models() {
  static const std::vector<Model> all = make_models();
  return all;
}

const Model* find_model(const std::string& target, const std::string& kernel) {
  const auto at = std::find_if(models().begin(), models().end(),
                               [&](const Model& m) { return m.target == target && m.kernel == kernel; });
  return at == models().end() ? nullptr : &*at;
}

namespace {

// What no fitted call had costs nothing: data alone bring no term that the usual ones have not.
double instructions_of(const Model& model, const Terms& terms) {
  double all = 0;
  for (const Term& term : terms) {
    const auto coefficient = model.coefficients.find(term.name);
    if (coefficient != model.coefficients.end()) all += term.count * coefficient->second.instructions;
  }
  return all;
}

// Of products of two activations data decide where sums lie on ties of rounding, which few have (int8_matmul.cc).
bool sums_lie_on_ties(const std::string& kernel) { return kernel.starts_with("tarn_int_matmul_dsp_"); }
bool has_near(const Terms& terms) {
  return std::any_of(terms.begin(), terms.end(), [](const Term& term) {
    return term.count > 0 && (term.name.starts_with("near_") || term.name.starts_with("few_near_"));
  });
}

}  // namespace

bool software_floats(const std::string& target, const std::string& kernel) {
  const auto has = [&](const char* word) { return kernel.find(word) != std::string::npos; };
  return !core_of(target).floats && (has("_f32") || has("_f16") || has("quantize") || has("qlinear") ||
                                     has("int_product") || has("int_pair") ||  // near a tie
                                     has("_gru_") || has("_lstm_") || has("_rnn_"));
}

bool long_quotients(const std::string& kernel) {
  return kernel.ends_with("64") && (kernel.starts_with("tarn_div_") || kernel.starts_with("tarn_mod_"));
}

void Prediction::add(const Prediction& other, double times) {
  if (missing.empty()) missing = other.missing;
  if (!cost || !other.cost) {
    cost.reset();
    return;
  }
  cost->add(*other.cost, times);
  least += times * other.least;
  most += times * other.most;
  for (const auto& [term, instructions] : other.parts) {
    const auto same = [&, name = term](const auto& part) { return part.first == name; };
    const auto at = std::find_if(parts.begin(), parts.end(), same);
    if (at == parts.end()) parts.emplace_back(term, times * instructions);
    else at->second += times * instructions;
  }
}

void Prediction::subtract(const Cost& saved, const std::string& term) {
  cost->add(saved, -1);
  for (auto& [name, instructions] : parts) {
    if (name == term) instructions -= saved.instructions;
  }
}

Prediction predict(const Model& model, const Terms& terms) {
  Prediction found{Cost{}, 0, 0, "", {}};
  for (const Term& term : terms) {
    if (term.count == 0) continue;
    const auto coefficient = model.coefficients.find(term.name);
    const bool of_zeros = term.name == kNonzero || term.name == kBesideZero;
    if (coefficient == model.coefficients.end() && of_zeros) continue;
    if (coefficient == model.coefficients.end()) return {{}, 0, 0, term.name, {}};
    found.cost->add(coefficient->second, term.count);
    found.parts.emplace_back(term.name, term.count * coefficient->second.instructions);
  }
  found.least = found.most = found.cost->instructions;
  return found;
}

Prediction predict(const std::string& target, const std::string& kernel, const Parameters& parameters,
                   const std::function<bool(const std::string& term)>& wanted) {
  if (const auto like = call_like_ring(kernel, parameters)) return predict(target, like->first, like->second, wanted);
  const Model* model = find_model(target, kernel);
  const auto terms = [&](Data data) {
    std::optional<Terms> all = model ? terms_of(target, kernel, parameters, data) : std::nullopt;
    if (all && wanted) std::erase_if(*all, [&](const Term& term) { return !wanted(term.name); });
    return all;
  };
  const std::optional<Terms> usual = terms(Data::usual);
  if (!usual) return {{}, 0, 0, "kernel", {}};
  Prediction found = predict(*model, *usual);
  if (!found.cost) return found;
  if (const auto share = share_by_size(*model, *usual, parameters)) {
    for (const Term& term : *usual) {
      if (!of_elements(term.name) || !model->coefficients.contains(term.name)) continue;
      Cost saved;
      saved.add(model->coefficients.at(term.name), (1 - *share) * term.count);
      found.subtract(saved, term.name);
    }
  }
  if (const auto zeros = parameters.find("zeros.0"); converts_whole_numbers(kernel) && zeros != parameters.end())
    found.subtract(saved_by_zeros(*model, *usual, zeros->second), "elements");
  const auto plain = parameters.find("plain");
  std::string constants = kNonzero;
  if (plain != parameters.end()) {
    const Cost saved = saved_by_plain_operands(*model, *usual, plain->second, constants);
    found.subtract(saved, constants);
  }
  const bool codes = kernel.starts_with("tarn_int_dequantize_") && software_floats(target, kernel);
  const auto percent = [&](const char* name) {
    const auto at = parameters.find(name);
    return at == parameters.end() ? int64_t{0} : at->second;
  };
  if (codes) found.subtract(saved_by_zero_codes(*model, *usual, percent("zeros.0")), "elements");
  // As far as calls held out were off.
  const bool decided = data_decide(kernel) && (!sums_lie_on_ties(kernel) || has_near(*usual));
  const bool ranges = decided || software_floats(target, kernel) || may_vary_by_value(*model);
  const bool looks = ranges || plain != parameters.end();
  const Terms least = looks ? terms(Data::least).value_or(Terms{}) : *usual;
  const Terms most = ranges ? terms(Data::most).value_or(Terms{}) : *usual;
  const ValueRange shorter = range_by_value(*model, least), longer = range_by_value(*model, most);
  const bool varies =
      software_floats(target, kernel) || long_quotients(kernel) || decided || shorter.known || longer.known;
  const double spread = varies ? model->worst_error / 100 : 0;
  if (decided || software_floats(target, kernel)) {
    found.least = instructions_of(*model, least);
    found.most = instructions_of(*model, most);
  }
  found.least -= shorter.less;
  if (plain != parameters.end()) found.least -= saved_by_plain_weights(target, least, plain->second);
  if (codes) found.least -= saved_by_zero_codes(*model, least, percent("most_zeros.0")).instructions;
  found.least = std::min(found.least, found.cost->instructions);
  found.most += longer.more;
  found.least *= 1 - spread;
  found.most *= 1 + spread;
  return found;
}

}  // namespace tarn::timing
