// Runs of bytes that kernels move a word at a time (runtime/shapes/tarn_words.h).
#pragma once
#include "time/call_terms.h"

namespace tarn::timing {

// tarn_words.h: whether runs of so many bytes are moved by words. numbers: offsets, pitches and lengths in bytes,
// or-ed; to: whether the output begins at a word.
inline bool words_fit(const CallTerms& call, int64_t numbers, int64_t bytes, const std::string& to = "word.1") {
  constexpr int64_t kLeast = 8;
  if (bytes < kLeast) return false;
  return call.core().unaligned || (numbers % 4 == 0 && call["word.0"] != 0 && call[to] != 0);
}

// Runs moved by words, four at a time; what is left byte by byte.
inline void add_word_runs(CallTerms& call, int64_t runs, int64_t bytes) {
  call.add("word_runs", runs);
  call.add("fours", runs * (bytes / 16));
  call.add("runs_of_fours", bytes >= 16 ? runs : 0);
  call.add("rests", bytes % 16 >= 4 ? runs : 0);
  call.add("words", runs * (bytes % 16 / 4));
  call.add("tails", bytes % 4 != 0 ? runs : 0);
  call.add("tail_bytes", runs * (bytes % 4));
}

}  // namespace tarn::timing
