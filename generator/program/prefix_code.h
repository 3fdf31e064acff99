// Prefix codes of at most 11 bits for bytes, and of at most 8 for how many zeros stand before one, as
// runtime/types/tarn_unpack.h reads them.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tarn::program {

inline constexpr size_t kByteSymbols = 256, kZeroSymbols = 16;  // the latter: 0 to 15 zeros
inline constexpr size_t kSymbols = kByteSymbols + kZeroSymbols;

// How often each byte comes, then each number of zeros: two codes that know nothing of each other.
using Histogram = std::array<uint64_t, kSymbols>;
using CodeLengths = std::array<uint8_t, kSymbols>;  // 0: no code

// Bits that the best codes of any kind need, one symbol at a time.
double entropy_bits(const Histogram&);

// The prefix codes of least bits.
CodeLengths best_lengths(const Histogram&);
uint64_t coded_bits(const Histogram&, const CodeLengths&);
// The codes as the decoder reads them, filled up to a multiple of four bytes; and the bytes of its tables.
std::vector<uint8_t> stored_code(const CodeLengths&, bool runs);
int64_t decoder_bytes(const CodeLengths&, bool runs);

// Tells symbols of bytes that come one by one: bytes alone, or in turn how many zeros there are and what follows them.
template <class Take>
class Symbols {
 public:
  Symbols(bool runs, Take take) : runs_(runs), take_(std::move(take)) {}

  void add(uint8_t byte) {
    if (runs_ && byte == 0) {
      if (++zeros_ == kZeroSymbols - 1) flush();
      return;
    }
    if (runs_) take_(kByteSymbols + zeros_);
    zeros_ = 0;
    take_(byte);
  }
  // At the end.
  void flush() {
    if (zeros_ > 0) take_(kByteSymbols + zeros_);
    zeros_ = 0;
  }

 private:
  bool runs_;
  Take take_;
  size_t zeros_ = 0;
};

// Canonical codes one after the other, from the lowest bit of each byte on.
class CodeWriter {
 public:
  explicit CodeWriter(const CodeLengths& lengths);
  void put(size_t symbol, std::vector<uint8_t>& out);
  void finish(std::vector<uint8_t>& out);

 private:
  CodeLengths lengths_;
  std::array<uint16_t, kSymbols> codes_{};
  uint32_t bits_ = 0;
  unsigned held_ = 0;
};

}  // namespace tarn::program
