#include "ops/int_halves.h"

#include <algorithm>
#include <cstdlib>

#include "tensor/byte_rows.h"

namespace tarn::ops {

namespace {

constexpr int64_t kMostSum = (int64_t{1} << 23) - 1;  // 256 times as much, modulo 2^32, is still told apart
constexpr int64_t kMostCode = 128;

}  // namespace

bool fits_halves(const Constant& w, int64_t groups, int64_t outputs) {
  if (w.is_absent() || w.dtype() != DType::int8 || w.count() == 0) return false;
  const int64_t length = w.count() / (groups * outputs);
  ByteRows rows(w, length);
  for (int64_t output = 0; output < groups * outputs; ++output) {
    if (output % outputs % 2 != 0 || output % outputs + 1 == outputs) continue;
    const auto* a = reinterpret_cast<const int8_t*>(rows.rows(output, 2).data());
    const int8_t* b = a + length;
    int64_t sum = 0;
    for (int64_t k = 0; k < length; ++k) {
      if (b[k] == -128 && a[k] < 0) return false;
      sum += kMostCode * std::abs(b[k]);
    }
    if (sum > kMostSum) return false;
  }
  return true;
}

Argument pack_halves(Lowering& low, const std::string& key, const Constant& w, int64_t groups, int64_t outputs,
                     const std::vector<int64_t>& order, int64_t multiple, int64_t pairs) {
  const auto length = static_cast<int64_t>(order.size());
  const int64_t blocks = ceil_div(outputs, 2 * pairs), padded = ceil_div(length, multiple) * multiple;
  return low.weight(key + "/halves", DType::int32, groups * blocks * padded / 2 * pairs, {&w}, [=](const auto& sink) {
    std::vector<uint8_t> block(static_cast<size_t>(2 * padded * pairs));
    std::vector<int8_t> rows(static_cast<size_t>(2 * pairs * length));
    ByteRows source(w, length);
    for (int64_t at = 0; at < groups * blocks; ++at) {
      const int64_t first = at % blocks * 2 * pairs;
      const std::span<const uint8_t> there =
          source.rows(at / blocks * outputs + first, std::min(2 * pairs, outputs - first));
      std::fill(std::copy(there.begin(), there.end(), rows.begin()), rows.end(), int8_t{0});
      const auto weight = [&](int64_t row, int64_t k) {
        return k < length ? rows[static_cast<size_t>(row * length + order[static_cast<size_t>(k)])] : 0;
      };
      auto to = block.begin();
      for (int64_t four = 0; four < padded; four += 4) {
        for (int64_t row = 0; row < 2 * pairs; row += 2) {
          for (const int64_t k : {four, four + 2, four + 1, four + 3}) {
            const auto half = static_cast<uint16_t>(256 * weight(row + 1, k) + weight(row, k));
            *to++ = static_cast<uint8_t>(half & 255);
            *to++ = static_cast<uint8_t>(half >> 8);
          }
        }
      }
      sink(block);
    }
  });
}

}  // namespace tarn::ops
