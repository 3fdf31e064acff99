#include "time/terms.h"

#include <stdexcept>

#include "time/call_terms.h"

namespace tarn::timing {

Core core_of(const std::string& target) {
  const bool soft = target == "cortex-m0" || target == "cortex-m3" || target == "rv32imac";
  return {.vectors = target == "cortex-m55", .floats = !soft, .divides = target != "cortex-m0"};
}

bool data_decide(const std::string& kernel) { return kernel == "tarn_attention_f32" || kernel == "tarn_topk_f32"; }

std::optional<Terms> terms_of(const std::string& target, const std::string& kernel, const Parameters& parameters,
                              Data data) {
  const CallTerms call(parameters, core_of(target), data);
  try {
    if (call.core().vectors) {
      if (auto terms = sums_mve_terms(kernel, call)) return terms;
    }
    for (const auto family : {int8_terms, int8_plain_terms, int8_mve_terms, float32_terms, float32_mve_terms,
                              elementwise_terms, pool_terms, sequence_terms, move_terms}) {
      if (auto terms = family(kernel, call)) return terms;
    }
  } catch (const std::out_of_range&) {  // a field that is not there
  }
  return {};
}

}  // namespace tarn::timing
