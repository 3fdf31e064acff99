// Terms of the kernels that spread constants out before a call; their parameters are program::spread_parameters().
#include "time/call_terms.h"

namespace tarn::timing {

namespace {

constexpr int64_t kCodes = 256, kByte = 8;

// Numbers of a layer's outputs: `lanes` of them at a time, then as many m and c.
Terms numbers(CallTerms call) {
  const bool pairs = call.knows("m") && call["m"] == 0;  // each is followed by an m of its own
  const int64_t made = call["count"] / (pairs ? 2 : 1);
  call.add("spread_call", 1);
  call.add(pairs ? "spread_pairs" : "spread_numbers", made);
  call.add(pairs ? "spread_blocks_of_pairs" : "spread_blocks", made / call["lanes"]);
  return call.take();
}

// How many bytes are fetched for numbers of `width` bits, and for how many of them at least one. A code of the one
// kernel needs a byte at most.
Terms bits(CallTerms call, int64_t count) {
  const int64_t width = call["width"];
  int64_t bytes = 0, fetching = 0, have = 0;
  for (int64_t i = 0; i < count; ++i) {
    fetching += have < width ? 1 : 0;
    for (; have < width; have += kByte) ++bytes;
    have -= width;
  }
  call.add("spread_call", 1);
  call.add("spread_numbers", count);
  call.add("spread_bytes", bytes);
  call.add("spread_fetching", fetching);
  return call.take();
}

Terms narrow(CallTerms call) {
  call.add("spread_call", 1);
  call.add("spread_words", call["count"]);
  call.add("spread_made", call["count"] * (kByte / call["width"]));
  return call.take();
}

Terms exponentials(CallTerms call) {
  call.add("spread_call", 1);
  return call.take();
}

}  // namespace

std::optional<Terms> spread_terms(const std::string& kernel, const CallTerms& call) {
  if (kernel == "tarn_int_spread" || kernel == "tarn_int_spread_factors") return numbers(call);
  if (kernel == "tarn_int_spread_codes") return bits(call, kCodes);
  if (kernel == "tarn_int_spread_shorts") return bits(call, call["count"]);
  if (kernel == "tarn_int_spread_narrow") return narrow(call);
  if (kernel == "tarn_int_spread_exponentials") return exponentials(call);
  return {};
}

}  // namespace tarn::timing
