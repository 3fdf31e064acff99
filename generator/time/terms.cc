#include "time/terms.h"

#include <stdexcept>

namespace tarn::timing {

std::optional<Terms> terms_of(const std::string& kernel, const Parameters& parameters) {
  try {
    for (const auto family :
         {int8_terms, int8_plain_terms, int8_mve_terms, float32_terms, elementwise_terms, pool_terms}) {
      if (auto terms = family(kernel, parameters)) return terms;
    }
  } catch (const std::out_of_range&) {  // a field that is not there
  }
  return {};
}

}  // namespace tarn::timing
