#include "program/prefix_code.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace tarn::program {

namespace {

constexpr int kLongest = 11;
constexpr int kLookedUp = 8;  // bits that the decoder looks up at once, and the most for numbers of zeros

// One of the two codes: symbols from `first` to `end`.
struct Alphabet {
  size_t first, end;
  int longest;
};
constexpr Alphabet kBytes{0, kByteSymbols, kLongest}, kZeros{kByteSymbols, kSymbols, kLookedUp};

double entropy_of(std::span<const uint64_t> counts) {
  double all = 0, sum = 0;
  for (const uint64_t count : counts) {
    if (count == 0) continue;
    const auto n = static_cast<double>(count);
    all += n;
    sum += n * std::log2(n);
  }
  return all > 0 ? all * std::log2(all) - sum : 0;
}

// Package-merge (Larmore and Hirschberg 1990): of as many lists as a code has bits, of symbols and pairs, each paired
// from the list before, the 2n - 2 lightest of the last say how often each symbol is chosen, which is its length.
void find_lengths(const Histogram& counts, const Alphabet& alphabet, CodeLengths& lengths) {
  struct Item {
    uint64_t weight = 0;
    std::array<uint8_t, kSymbols> chosen{};
  };
  std::vector<size_t> symbols;
  for (size_t s = alphabet.first; s < alphabet.end; ++s) {
    if (counts[s] > 0) symbols.push_back(s);
  }
  if (symbols.size() < 2) {
    for (const size_t s : symbols) lengths[s] = 1;
    return;
  }
  std::vector<Item> singles;
  for (const size_t s : symbols) {
    Item item;
    item.weight = counts[s];
    item.chosen[s] = 1;
    singles.push_back(item);
  }
  const auto lighter = [](const Item& a, const Item& b) { return a.weight < b.weight; };
  std::stable_sort(singles.begin(), singles.end(), lighter);
  std::vector<Item> list = singles;
  for (int round = 1; round < alphabet.longest; ++round) {
    std::vector<Item> pairs;
    for (size_t i = 0; i + 1 < list.size(); i += 2) {
      Item pair = list[i];
      pair.weight += list[i + 1].weight;
      for (size_t s = 0; s < kSymbols; ++s)
        pair.chosen[s] = static_cast<uint8_t>(pair.chosen[s] + list[i + 1].chosen[s]);
      pairs.push_back(pair);
    }
    list.clear();
    std::merge(singles.begin(), singles.end(), pairs.begin(), pairs.end(), std::back_inserter(list), lighter);
  }
  for (size_t i = 0; i < 2 * symbols.size() - 2; ++i) {
    for (size_t s = 0; s < kSymbols; ++s) lengths[s] = static_cast<uint8_t>(lengths[s] + list[i].chosen[s]);
  }
}

}  // namespace

double entropy_bits(const Histogram& counts) {
  const std::span<const uint64_t> all(counts);
  return entropy_of(all.first(kByteSymbols)) + entropy_of(all.subspan(kByteSymbols));
}

CodeLengths best_lengths(const Histogram& counts) {
  CodeLengths lengths{};
  find_lengths(counts, kBytes, lengths);
  find_lengths(counts, kZeros, lengths);
  return lengths;
}

uint64_t coded_bits(const Histogram& counts, const CodeLengths& lengths) {
  uint64_t bits = 0;
  for (size_t s = 0; s < kSymbols; ++s) bits += counts[s] * lengths[s];
  return bits;
}

namespace {

// Symbols in the order of their codes, by length.
std::array<std::vector<size_t>, kLongest + 1> by_length(const CodeLengths& lengths, const Alphabet& alphabet) {
  std::array<std::vector<size_t>, kLongest + 1> symbols;
  for (size_t s = alphabet.first; s < alphabet.end; ++s) {
    if (lengths[s] > 0) symbols[lengths[s]].push_back(s);
  }
  return symbols;
}

// The first bit lowest.
uint16_t reversed(uint32_t code, int length) {
  uint32_t out = 0;
  for (int i = 0; i < length; ++i) out = out << 1 | (code >> i & 1);
  return static_cast<uint16_t>(out);
}

std::array<uint16_t, kSymbols> canonical_codes(const CodeLengths& lengths) {
  std::array<uint16_t, kSymbols> codes{};
  for (const Alphabet& alphabet : {kBytes, kZeros}) {
    const auto symbols = by_length(lengths, alphabet);
    uint32_t code = 0;
    for (int length = 1; length <= kLongest; ++length) {
      for (const size_t s : symbols[static_cast<size_t>(length)]) codes[s] = reversed(code++, length);
      code <<= 1;
    }
  }
  return codes;
}

}  // namespace

std::vector<uint8_t> stored_code(const CodeLengths& lengths, bool runs) {
  std::vector<uint8_t> out;
  const auto put = [&](const Alphabet& alphabet) {
    const auto symbols = by_length(lengths, alphabet);
    for (size_t length = 1; length < symbols.size(); ++length)
      out.push_back(static_cast<uint8_t>(symbols[length].size()));
    for (const std::vector<size_t>& of : symbols) {
      for (const size_t s : of) out.push_back(static_cast<uint8_t>(s));
    }
  };
  put(kBytes);
  if (runs) put(kZeros);
  out.resize((out.size() + 3) / 4 * 4);
  return out;
}

int64_t decoder_bytes(const CodeLengths& lengths, bool runs) {
  std::set<int> beginnings;  // of longer codes
  const std::array<uint16_t, kSymbols> codes = canonical_codes(lengths);
  for (size_t s = 0; s < kSymbols; ++s) {
    if (lengths[s] > kLookedUp) beginnings.insert(codes[s] & ((1 << kLookedUp) - 1));
  }
  return (runs ? 4 : 2) * (1 << kLookedUp) +
         2 * (1 << (kLongest - kLookedUp)) * static_cast<int64_t>(beginnings.size());
}

CodeWriter::CodeWriter(const CodeLengths& lengths) : lengths_(lengths), codes_(canonical_codes(lengths)) {}

void CodeWriter::put(size_t symbol, std::vector<uint8_t>& out) {
  bits_ |= static_cast<uint32_t>(codes_[symbol]) << held_;
  for (held_ += lengths_[symbol]; held_ >= 8; held_ -= 8) {
    out.push_back(static_cast<uint8_t>(bits_));
    bits_ >>= 8;
  }
}

void CodeWriter::finish(std::vector<uint8_t>& out) {
  if (held_ > 0) out.push_back(static_cast<uint8_t>(bits_));
  held_ = 0;
  bits_ = 0;
}

}  // namespace tarn::program
