// Terms of a call for tests that look at single ones.
#pragma once
#include <map>
#include <string>

#include "time/terms.h"

namespace tarn::timing {

// Empty where the call is not modelled.
inline std::map<std::string, double> terms_by_name(const std::string& target, const std::string& kernel,
                                                   const Parameters& parameters) {
  std::map<std::string, double> counts;
  for (const Term& term : terms_of(target, kernel, parameters).value_or(Terms{})) counts[term.name] = term.count;
  return counts;
}

}  // namespace tarn::timing
