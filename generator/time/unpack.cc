// Terms of the decoder of packed weights; its numbers are those of program::Weight::Plain::work.
#include "time/call_terms.h"

namespace tarn::timing {

// tarn_unpack.c: tables of codes, made anew where a sequence has others than the one before, then byte by byte.
std::optional<Terms> unpack_terms(const std::string& kernel, const CallTerms& given) {
  if (kernel != "tarn_unpack") return {};
  CallTerms call = given;
  call.add("call", 1);
  for (const char* name : {"sequences", "tables", "symbols", "entries", "long_symbols", "long_entries", "copied",
                           "filled", "threes", "rest", "long_codes", "zero_codes", "zeros", "values", "long_values"})
    call.add(name, call.knows(name) ? call[name] : 0);
  return call.take();
}

}  // namespace tarn::timing
