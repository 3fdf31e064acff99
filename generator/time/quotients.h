// Quotients: divisions in software, where a core has no instruction for them.
#pragma once
#include <bit>
#include <cstdint>

namespace tarn::timing {

// A division in software takes four bits of the quotient at a time, and longer for each that is set.
struct Quotients {
  int64_t steps = 0, ones = 0;
  void add(uint64_t quotient, int64_t times = 1) {
    const auto bits = static_cast<int64_t>(std::bit_width(quotient));
    steps += bits < 2 ? 0 : times * ((bits + 3) / 4);
    ones += times * std::popcount(quotient);
  }
};

}  // namespace tarn::timing
