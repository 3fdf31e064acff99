// A set of at most 64 * W small numbers, as whole words.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tarn::schedule {

// Ones of a word. Without a target option the compilers make std::popcount a library call.
constexpr int count_ones(uint64_t x) {
  x -= (x >> 1) & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
  return static_cast<int>((x * 0x0101010101010101u) >> 56);
}

template <int W>
struct Bits {
  std::array<uint64_t, W> words{};

  bool operator==(const Bits& other) const {
    uint64_t different = 0;
    for (size_t k = 0; k < W; ++k) different |= words[k] ^ other.words[k];
    return different == 0;
  }
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
  bool empty() const {
    uint64_t any = 0;
    for (uint64_t word : words) any |= word;
    return any == 0;
  }
  // All words joined into one.
  uint64_t folded() const {
    uint64_t all = 0;
    for (const uint64_t word : words) all |= word;
    return all;
  }
  int count() const {
    int n = 0;
    for (uint64_t word : words) n += count_ones(word);
    return n;
  }
  int last() const {  // -1: none
    for (size_t k = W; k-- > 0;) {
      if (words[k] != 0) return static_cast<int>(64 * k) + 63 - std::countl_zero(words[k]);
    }
    return -1;
  }
  template <class Visit>
  void each(Visit visit) const {  // ascending
    for (size_t k = 0; k < W; ++k) {
      for (uint64_t word = words[k]; word != 0; word &= word - 1)
        visit(static_cast<int>(64 * k) + std::countr_zero(word));
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
