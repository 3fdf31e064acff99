#include "ops/int_halves.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace tarn::ops {

namespace {

constexpr int64_t kMostSum = (int64_t{1} << 23) - 1;  // 256 times as much, modulo 2^32, is still told apart
constexpr int64_t kMostCode = 128;

}  // namespace

bool fits_halves(const Constant& w, int64_t outputs) {
  if (w.is_absent() || w.dtype() != DType::int8) return false;
  const std::vector<int64_t> weights = w.integers();
  const int64_t length = std::ssize(weights) / outputs;
  for (int64_t second = 1; second < outputs; second += 2) {
    const int64_t *b = weights.data() + second * length, *a = b - length;
    int64_t sum = 0;
    for (int64_t k = 0; k < length; ++k) {
      if (b[k] == -128 && a[k] < 0) return false;
      sum += kMostCode * std::abs(b[k]);
    }
    if (sum > kMostSum) return false;
  }
  return true;
}

Argument pack_halves(Lowering& low, const std::string& key, const Constant& w, int64_t outputs,
                     const std::vector<int64_t>& order) {
  const auto length = static_cast<int64_t>(order.size());
  const int64_t quads = ceil_div(outputs, int64_t{4});
  return low.weight(key + "/halves", DType::int32, quads * length, {&w}, [=](const auto& sink) {
    const std::vector<int64_t> weights = w.integers();
    const auto weight = [&](int64_t output, int64_t k) {
      return output < outputs ? weights[static_cast<size_t>(output * length + order[static_cast<size_t>(k)])] : 0;
    };
    std::vector<uint8_t> block(static_cast<size_t>(4 * length));
    for (int64_t quad = 0; quad < quads; ++quad) {
      auto to = block.begin();
      for (int64_t four = 0; four < length; four += 4) {
        for (const int64_t output : {quad * 4, quad * 4 + 2}) {
          for (const int64_t k : {four, four + 2, four + 1, four + 3}) {
            const auto half = static_cast<uint16_t>(256 * weight(output + 1, k) + weight(output, k));
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
