#include "time/predict.h"

#include <algorithm>

namespace tarn::timing {

const std::vector<Model>& models() {
  static const std::vector<Model> all = {
#include "time/coefficients/cortex-m33.inc"
#include "time/coefficients/cortex-m4.inc"
#include "time/coefficients/cortex-m55.inc"
#include "time/coefficients/cortex-m7.inc"
  };
  return all;
}

const Model* find_model(const std::string& target, const std::string& kernel) {
  const auto at = std::find_if(models().begin(), models().end(),
                               [&](const Model& m) { return m.target == target && m.kernel == kernel; });
  return at == models().end() ? nullptr : &*at;
}

Prediction predict(const std::string& target, const std::string& kernel, const Parameters& parameters) {
  const Model* model = find_model(target, kernel);
  const std::optional<Terms> terms = model ? terms_of(target, kernel, parameters) : std::nullopt;
  if (!terms) return {{}, "kernel", {}};
  Prediction found{Cost{}, "", {}};
  for (const Term& term : *terms) {
    if (term.count == 0) continue;
    const auto coefficient = model->coefficients.find(term.name);
    if (coefficient == model->coefficients.end()) return {{}, term.name, {}};
    found.cost->add(coefficient->second, term.count);
    found.parts.emplace_back(term.name, term.count * coefficient->second.instructions);
  }
  return found;
}

}  // namespace tarn::timing
