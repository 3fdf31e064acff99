#include "time/by_value.h"

#include <algorithm>
#include <iterator>

#include "support/text.h"

namespace tarn::timing {

namespace {

// "elements", "8_signed" (tarn_quantize_f32): of a call one of them is there.
bool counts_elements(const std::string& term) {
  return term == "elements" || (!term.empty() && term[0] >= '1' && term[0] <= '9' && term.ends_with("signed"));
}

double coefficient_of(const Model& model, const std::string& term) {
  const auto at = model.coefficients.find(term);
  return at == model.coefficients.end() ? 0 : at->second.instructions;
}

// A function that a kernel calls so often for each unit of a term.
struct Called {
  const char *kernel, *term;
  double times;
};

std::vector<Called> called_by(const std::string& kernel) {
  constexpr const char *kExp = "tarn_exp_f32", *kTanh = "tarn_tanh_f32", *kSigmoid = "tarn_sigmoid_f32";
  const auto is = [&](const char* layer) { return kernel.starts_with(layer); };
  if (is("tarn_softmax_") || is("tarn_logsoftmax_")) return {{kExp, "elements", 1}};
  if (is("tarn_attention_")) return {{kExp, "keys", 1}};
  if (is("tarn_lstm_")) return {{kSigmoid, "units", 3}, {kTanh, "units", 2}};
  if (is("tarn_rnn_")) return {{kTanh, "units", 1}};
  if (is("tarn_gru_")) {
    return {{kSigmoid, "units", 2}, {kTanh, "units", 1}, {kSigmoid, "linear_units", 2}, {kTanh, "linear_units", 1}};
  }
  return {};
}

}  // namespace

bool may_vary_by_value(const Model& model) {
  return find_model(model.target, model.kernel + kByValue) || !called_by(model.kernel).empty();
}

ValueRange range_by_value(const Model& model, const Terms& terms) {
  ValueRange range;
  const auto add = [&](double usual, double count, const Model& values) {
    range.known = true;
    range.less += std::max(0.0, usual - count * coefficient_of(values, "least"));
    range.more += std::max(0.0, count * coefficient_of(values, "most") - usual);
  };
  if (const Model* own = find_model(model.target, model.kernel + kByValue)) {
    double count = 0, usual = 0;
    for (const Term& term : terms) {
      if (counts_elements(term.name)) count += term.count;
      if (of_elements(term.name)) usual += term.count * coefficient_of(model, term.name);
    }
    add(usual, count, *own);
    return range;
  }
  for (const Called& called : called_by(model.kernel)) {
    const Model* function = find_model(model.target, called.kernel);
    const Model* values = find_model(model.target, std::string(called.kernel) + kByValue);
    if (!function || !values) continue;
    for (const Term& term : terms) {
      if (term.name != called.term) continue;
      const double count = called.times * term.count;
      add(count * (coefficient_of(*function, "elements") + coefficient_of(*function, kNonzero)), count, *values);
    }
  }
  return range;
}

bool of_elements(const std::string& term) { return counts_elements(term) || term == kNonzero || term == kBesideZero; }

bool measured_by_size(const std::string& target, const std::string& kernel) {
  const Model* values = find_model(target, kernel + kByValue);
  return values && values->coefficients.contains(kMeasuredAtZero);
}

std::optional<double> share_by_size(const Model& model, const Terms& terms, const Parameters& parameters) {
  const auto zeros = parameters.find(kLikely);
  if (zeros == parameters.end() || !measured_by_size(model.target, model.kernel)) return {};
  const Model& values = *find_model(model.target, model.kernel + kByValue);
  double each = static_cast<double>(zeros->second) * coefficient_of(values, kMeasuredAtZero);
  for (size_t i = 0; i < std::size(kMeasuredAt); ++i) {
    const auto share = parameters.find(cat(kLikely, ".", i));
    if (share != parameters.end()) each += static_cast<double>(share->second) * coefficient_of(values, kMeasuredAt[i]);
  }
  double count = 0, usual = 0;
  for (const Term& term : terms) {
    if (counts_elements(term.name)) count += term.count;
    if (of_elements(term.name)) usual += term.count * coefficient_of(model, term.name);
  }
  if (usual <= 0) return {};
  return count * each / static_cast<double>(kLikelyParts) / usual;
}

Cost saved_by_zeros(const Model& model, const Terms& terms, int64_t percent) {
  Cost saved;
  const Model* values = find_model(model.target, model.kernel + kByValue);
  const auto elements = model.coefficients.find("elements");
  if (!values || elements == model.coefficients.end() || elements->second.instructions <= 0) return saved;
  const double part = std::max(0.0, 1 - coefficient_of(*values, "least") / elements->second.instructions);
  for (const Term& term : terms) {
    if (term.name == elements->first)
      saved.add(elements->second, part * term.count * static_cast<double>(percent) / 100);
  }
  return saved;
}

Cost saved_by_zero_codes(const Model& model, const Terms& terms, int64_t percent) {
  Cost saved;
  const Model* product = find_model(model.target, "tarn_mul_f32");
  const Model* conversion = find_model(model.target, "tarn_cast_s8_f32");
  const Model* values = find_model(model.target, std::string("tarn_cast_s8_f32") + kByValue);
  const auto elements = model.coefficients.find("elements");
  if (!product || !conversion || !values || elements == model.coefficients.end()) return saved;
  const double each =
      coefficient_of(*conversion, "elements") - coefficient_of(*values, "least") + coefficient_of(*product, kNonzero);
  const double part = std::clamp(each / std::max(1.0, elements->second.instructions), 0.0, 1.0);
  for (const Term& term : terms) {
    if (term.name == elements->first)
      saved.add(elements->second, part * term.count * static_cast<double>(percent) / 100);
  }
  return saved;
}

namespace {

// The kernel whose operation it is, and the terms that count how often.
struct Constants {
  const char* function = nullptr;
  std::vector<const char*> counted = {};
};
Constants constants_of(const std::string& kernel) {
  constexpr const char *kProduct = "tarn_mul_f32", *kQuotient = "tarn_div_f32";
  const auto is = [&](const char* layer) { return kernel.starts_with(layer); };
  if (is("tarn_mul_f")) return {kProduct, {kNonzero}};
  if (is("tarn_div_f")) return {kQuotient, {kNonzero}};
  if (is("tarn_int_quantize_")) return {kQuotient, {kNonzero}};
  if (is("tarn_int_dequantize_")) return {kProduct, {kNonzero}};
  if (is("tarn_dense_f") || is("tarn_conv2d_f") || is("tarn_depthwise2d_f")) return {kProduct, {"products", kNonzero}};
  return {};
}

}  // namespace

Cost saved_by_plain_operands(const Model& model, const Terms& terms, int64_t percent, std::string& term) {
  Cost saved;
  const Constants constants = constants_of(model.kernel);
  if (!constants.function) return saved;
  // One that was measured for itself, halves for example.
  const bool own = find_model(model.target, model.kernel + kByValue) != nullptr &&
                   find_model(model.target, model.kernel + kByValue)->coefficients.contains("plain");
  const Model* function = own ? &model : find_model(model.target, constants.function);
  const Model* values = function ? find_model(model.target, function->kernel + kByValue) : nullptr;
  if (!values || !values->coefficients.contains("plain")) return saved;
  const auto nonzero = function->coefficients.find(kNonzero);
  if (nonzero == function->coefficients.end()) return saved;
  // Zeros of the first operand are short as they are.
  const double each =
      coefficient_of(*function, "elements") + nonzero->second.instructions - coefficient_of(*values, "plain");
  const double part = std::clamp(each / std::max(1.0, nonzero->second.instructions), 0.0, 1.0);
  for (const char* name : constants.counted) {
    for (const Term& counted : terms) {
      if (counted.name != name) continue;
      // What is measured as part of an element is taken off there.
      term = model.coefficients.contains(name) && coefficient_of(model, name) > 0 ? name : "elements";
      saved.add(nonzero->second, part * counted.count * static_cast<double>(percent) / 100);
    }
  }
  return saved;
}

double saved_by_plain_weights(const std::string& target, const Terms& terms, int64_t percent) {
  double each = 0;
  for (const char* kernel : {"tarn_mul_f32", "tarn_add_f32"}) {
    const Model* values = find_model(target, std::string(kernel) + kByValue);
    if (values) each += coefficient_of(*values, "most") - coefficient_of(*values, "least");
  }
  double products = 0;
  for (const Term& term : terms) {
    if (term.name == "products" || term.name == kNonzero) products += term.count;
  }
  return each * products * static_cast<double>(percent) / 100;
}

}  // namespace tarn::timing
