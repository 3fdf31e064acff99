// A set of at most 64 * W small numbers, as whole words.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tarn::schedule {

template <int W>
struct Bits {
  std::array<uint64_t, W> words{};

  bool operator==(const Bits&) const = default;
  bool test(int i) const { return words[static_cast<size_t>(i) >> 6] >> (i & 63) & 1; }
  void set(int i) { words[static_cast<size_t>(i) >> 6] |= uint64_t{1} << (i & 63); }

  Bits& operator|=(const Bits& other) {
    for (size_t k = 0; k < W; ++k) words[k] |= other.words[k];
    return *this;
  }
  Bits minus(const Bits& other) const {
    Bits r;
    for (size_t k = 0; k < W; ++k) r.words[k] = words[k] & ~other.words[k];
    return r;
  }
  bool within(const Bits& other) const {
    uint64_t outside = 0;
    for (size_t k = 0; k < W; ++k) outside |= words[k] & ~other.words[k];
    return outside == 0;
  }
  bool meets(const Bits& other) const {
    uint64_t both = 0;
    for (size_t k = 0; k < W; ++k) both |= words[k] & other.words[k];
    return both != 0;
  }
  int count() const {
    int n = 0;
    for (uint64_t word : words) n += std::popcount(word);
    return n;
  }
  template <class Visit>
  void each(Visit visit) const {  // ascending
    for (size_t k = 0; k < W; ++k) {
      for (uint64_t word = words[k]; word != 0; word &= word - 1) visit(static_cast<int>(64 * k) + std::countr_zero(word));
    }
  }
  uint64_t hash() const {  // odd multiplier and shift per word, the finaliser of splitmix64 at the end
    uint64_t h = 0;
    for (uint64_t word : words) {
      h = (h ^ word) * 0x9E3779B97F4A7C15u;
      h ^= h >> 29;
    }
    h = (h ^ h >> 30) * 0xBF58476D1CE4E5B9u;
    return h ^ h >> 27;
  }
};

}  // namespace tarn::schedule
