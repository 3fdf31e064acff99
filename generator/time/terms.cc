#include "time/terms.h"

#include <set>
#include <stdexcept>
#include <string_view>

#include "support/text.h"
#include "time/call_terms.h"

namespace tarn::timing {

Core core_of(const std::string& target) {
  const bool soft = target == "cortex-m0" || target == "cortex-m3" || target == "rv32imac";
  const bool vectors = target == "cortex-m55", dsp = target.starts_with("cortex-") && !soft && !vectors;
  return {.vectors = vectors,
          .dsp = dsp,
          .floats = !soft,
          .divides = target != "cortex-m0",
          .unaligned = dsp || vectors || target == "cortex-m3"};
}

bool data_decide(const std::string& kernel) {
  for (const char* layer : {"tarn_attention_", "tarn_topk_", "tarn_lstm_", "tarn_gru_", "tarn_rnn_", "tarn_trees_",
                            "tarn_int_product_", "tarn_int_matmul_dsp_"}) {
    if (kernel.starts_with(layer)) return true;
  }
  return false;
}

bool converts_whole_numbers(const std::string& kernel) {
  constexpr std::string_view kCast = "tarn_cast_";
  if (!kernel.starts_with(kCast) || kernel.size() <= kCast.size()) return false;
  const char from = kernel[kCast.size()];
  return (from == 's' || from == 'u') && (kernel.ends_with("_f32") || kernel.ends_with("_f16"));
}

std::vector<std::string> written_for(const std::string& kernel) {
  std::vector<std::string> names{kernel};
  // The type may stand before a further part: tarn_add_f16_nd.
  const std::string nd = kernel.ends_with("_nd") ? "_nd" : "";
  const std::string stem = kernel.substr(0, kernel.size() - nd.size());
  const size_t at = stem.rfind('_');
  if (at == std::string::npos) return names;
  const std::string type = stem.substr(at + 1), layer = stem.substr(0, at);
  static const std::set<std::string> numbers{"f64", "f16", "bf16", "s8",  "s16", "s32",
                                             "s64", "u8",  "u16",  "u32", "u64", "bool"};
  if (numbers.contains(type)) names.push_back(layer + "_f32" + nd);
  if (type == "s16" && layer.starts_with("tarn_int_")) names.push_back(layer + "_s8");
  if (type == "b1" || type == "b2" || type == "b8") names.push_back(layer + "_b4");
  for (const std::string width : {"dsp", "mve"}) {
    for (const std::string form : {"4", "2", "_halves"}) {
      const size_t at_form = stem.find(cat("_", width, form, "_"));
      if (at_form == std::string::npos) continue;
      names.push_back(std::string(stem).replace(at_form + 1, width.size() + form.size(), width));
    }
  }
  return names;
}

std::optional<Terms> terms_of(const std::string& target, const std::string& kernel, const Parameters& parameters,
                              Data data) {
  const CallTerms call(parameters, core_of(target), data);
  try {
    if (call.core().vectors) {
      if (auto terms = sums_mve_terms(kernel, call)) return terms;
    }
    if (call.core().dsp) {
      if (auto terms = sums_dsp_terms(kernel, call)) return terms;
    }
    for (const std::string& written : written_for(kernel)) {
      for (const auto family :
           {int8_terms,        int8_plain_terms, int8_mve_terms,    int_matmul_terms, float32_terms,
            float32_mve_terms, coded_terms,      elementwise_terms, pool_terms,       sequence_terms,
            transposed_terms,  int8_phase_terms, move_terms,        resample_terms,   wide_terms,
            scatter_terms,     picking_terms,    spread_terms,      sparse_terms,     unpack_terms}) {
        if (auto terms = family(written, call)) return terms;
      }
    }
    for (const std::string& written : written_for(kernel)) {
      if (auto terms = walk_terms(written, call)) return terms;
    }
  } catch (const std::out_of_range&) {  // a field that is not there
  }
  return {};
}

}  // namespace tarn::timing
