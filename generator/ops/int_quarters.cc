#include "ops/int_quarters.h"

#include <algorithm>

#include "tensor/byte_rows.h"

namespace tarn::ops {

namespace {

// Where a weight of 2 bits stands in its block, and whether it is stored 2 higher.
struct Place {
  int64_t byte = 0;
  int shift = 0;
  bool higher = false;
};

// Blocks of `lanes` of a group's outputs, `bytes` each; lanes and elements that fill up weigh nothing.
template <class PlaceOf>
Argument pack_quarters(Lowering& low, const std::string& key, DType type, const Constant& w, int64_t groups,
                       int64_t outputs, const std::vector<int64_t>& order, int64_t lanes, int64_t padded,
                       PlaceOf place_of) {
  const auto length = static_cast<int64_t>(order.size());
  const int64_t blocks = ceil_div(outputs, lanes), bytes = padded * lanes / 4;
  const int64_t count = groups * blocks * bytes / (type == DType::int32 ? 4 : 1);
  return low.weight(key + "/quarters", type, count, {&w}, [=](const auto& sink) {
    ByteRows rows(w, length);
    std::vector<uint8_t> block(static_cast<size_t>(bytes));
    for (int64_t b = 0; b < groups * blocks; ++b) {
      std::fill(block.begin(), block.end(), uint8_t{0});
      for (int64_t lane = 0; lane < lanes; ++lane) {
        const int64_t output = b % blocks * lanes + lane;
        const int8_t* row = output < outputs ? rows.codes(b / blocks * outputs + output) : nullptr;
        for (int64_t k = 0; k < padded; ++k) {
          const Place place = place_of(lane, k);
          const int64_t weight = row && k < length ? row[order[static_cast<size_t>(k)]] : 0;
          const auto code = static_cast<unsigned>(weight + (place.higher ? 2 : 0)) & 3U;
          uint8_t& byte = block[static_cast<size_t>(place.byte)];
          byte = static_cast<uint8_t>(byte | code << place.shift);
        }
      }
      sink(block);
    }
  });
}

}  // namespace

Argument pack_quarter_pairs(Lowering& low, const std::string& key, const Constant& w, int64_t groups, int64_t outputs,
                            const std::vector<int64_t>& order) {
  const int64_t padded = ceil_div(static_cast<int64_t>(order.size()), int64_t{8}) * 8;
  return pack_quarters(low, key, DType::int32, w, groups, outputs, order, 2, padded, [](int64_t lane, int64_t k) {
    return Place{k / 8 * 4 + k % 4, static_cast<int>(2 * lane + k / 4 % 2 * 4), true};
  });
}

Argument pack_quarter_fours(Lowering& low, const std::string& key, const Constant& w, int64_t outputs,
                            const std::vector<int64_t>& order) {
  const int64_t padded = ceil_div(static_cast<int64_t>(order.size()), int64_t{4}) * 4;
  return pack_quarters(low, key, DType::int32, w, 1, outputs, order, 4, padded, [](int64_t lane, int64_t k) {
    return Place{k, static_cast<int>(2 * lane), lane < 3};
  });
}

Argument pack_quarter_sixteens(Lowering& low, const std::string& key, const Constant& w, int64_t groups,
                               int64_t outputs, const std::vector<int64_t>& order, bool pairs) {
  const int64_t padded = ceil_div(static_cast<int64_t>(order.size()), int64_t{16}) * 16;
  return pack_quarters(low, key, DType::int8, w, groups, outputs, order, 4, padded, [pairs](int64_t lane, int64_t k) {
    return Place{k, static_cast<int>(6 - 2 * (lane % 2 * 2 + lane / 2)), !pairs && lane > 0};
  });
}

}  // namespace tarn::ops
