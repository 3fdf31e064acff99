// Products over weights of fewer bits (tarn_coded_f32.h), as recurrent layers make them too.
#pragma once
#include <string>

#include "time/call_terms.h"

namespace tarn::timing {

// `times` the products of n inputs with four rows of codes that lie as the params `layout` ("w." or "r.", behind a
// field that they are part of) say.
void add_coded_products(CallTerms& call, const std::string& kernel, const std::string& layout, const std::string& part,
                        int64_t times, int64_t n);

}  // namespace tarn::timing
