// Terms: how often each part of a kernel's loops runs in one call, from the call's parameters alone.
//
// A call's predicted instructions are the sum over its terms of count times coefficient; coefficients are fitted to
// executed instructions, per target (predict.h). The terms of a kernel follow the loops of its source in runtime/.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tarn::timing {

// The fields of a call's parameter struct as they are emitted, pitches and ranges filled in. A field of a nested
// struct is "requant.mask", one of an array "stride.1" (emit/fields.h).
using Parameters = std::map<std::string, int64_t>;

struct Term {
  std::string name;
  double count = 0;
};
using Terms = std::vector<Term>;

// Nothing for a kernel that is not modelled, or whose parameters lack a field that its terms need.
std::optional<Terms> terms_of(const std::string& kernel, const Parameters& parameters);

// One file per family.
std::optional<Terms> int8_terms(const std::string& kernel, const Parameters& parameters);
std::optional<Terms> int8_plain_terms(const std::string& kernel, const Parameters& parameters);
std::optional<Terms> int8_mve_terms(const std::string& kernel, const Parameters& parameters);
std::optional<Terms> float32_terms(const std::string& kernel, const Parameters& parameters);
std::optional<Terms> elementwise_terms(const std::string& kernel, const Parameters& parameters);
std::optional<Terms> pool_terms(const std::string& kernel, const Parameters& parameters);

}  // namespace tarn::timing
