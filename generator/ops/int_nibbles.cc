#include "ops/int_nibbles.h"

#include <algorithm>

#include "tensor/byte_rows.h"
#include "tensor/channel_codes.h"

namespace tarn::ops {

namespace {

constexpr int64_t kLongest = 65536;  // 16 * 8 * 128 times as many stay within 32 bits

}  // namespace

std::string narrow_weights(const Constant& w, int64_t length) {
  if (w.is_absent() || length > kLongest) return "";
  const int64_t row = w.shape().rank() > 0 && w.shape()[0] > 0 ? w.count() / w.shape()[0] : 0;
  ByteRows rows(w, row);
  int least = 0, greatest = 0;
  // Most weights show with the first of them that they are none.
  for (int64_t o = 0; row > 0 && o < w.shape()[0] && least >= -8 && greatest <= 7; ++o) {
    const int8_t* codes = rows.codes(o);
    const auto [lo, hi] = std::minmax_element(codes, codes + row);
    least = std::min<int>(least, *lo);
    greatest = std::max<int>(greatest, *hi);
  }
  const auto within = [=](int most) { return least >= -most - 1 && greatest <= most; };
  return within(1) ? "2" : within(7) ? "4" : "";
}

std::string narrow_weights(const Node& node, const Constant& w, int64_t length) {
  return node.tensor("w_zero") ? "" : narrow_weights(w, length);
}

std::optional<ShiftedWeights> shift_weights(const Node& node, const Constant& w, int64_t length) {
  // Pieces of the inputs' sum meet weights too, and are as large as 256 inputs.
  if (node.tensor("w_zero") || w.is_absent() || length > kLongest / 4 || w.count() == 0) return {};
  const int64_t outputs = w.shape()[0], row = w.count() / outputs;
  const std::string narrow = narrow_weights(w, length);
  if (narrow == "2") return {};
  for (const int64_t most : {int64_t{1}, int64_t{7}}) {
    if (most == 7 && narrow == "4") break;
    std::vector<int64_t> zeros;
    ByteRows rows(w, row);
    for (int64_t o = 0; o < outputs; ++o) {
      const int8_t* codes = rows.codes(o);
      const auto [least, greatest] = std::minmax_element(codes, codes + row);
      const int64_t zero = *least < -most - 1 || *greatest > most ? -most - 1 - *least : 0;
      if (*greatest + zero > most || zero > 2 * most + 1 || zero < -2 * most) break;
      zeros.push_back(zero);
    }
    if (static_cast<int64_t>(zeros.size()) < outputs) continue;
    std::vector<int32_t> less;
    for (const int64_t zero : zeros) less.push_back(static_cast<int32_t>(-zero));
    ShiftedWeights shifted{node, channel_codes(w, 0, less).reshaped(w.shape()), most};
    shifted.node.attributes["w_zero"] = Constant::ints(DType::int32, Shape{outputs}, zeros);
    return shifted;
  }
  return {};
}

Argument pack_nibbles(Lowering& low, const std::string& key, const Constant& w, int64_t groups, int64_t outputs,
                      const std::vector<int64_t>& order, int64_t multiple, int64_t pairs) {
  const auto length = static_cast<int64_t>(order.size());
  const int64_t blocks = ceil_div(outputs, 2 * pairs), words = ceil_div(length, multiple) * multiple / 4 * pairs;
  return low.weight(key + "/nibbles", DType::int32, groups * blocks * words, {&w}, [=](const auto& sink) {
    ByteRows rows(w, length);
    std::vector<uint8_t> block(static_cast<size_t>(words * 4));
    for (int64_t b = 0; b < groups * blocks; ++b) {
      std::fill(block.begin(), block.end(), uint8_t{8});
      for (int64_t lane = 0; lane < 2 * pairs; ++lane) {
        const int64_t output = b % blocks * 2 * pairs + lane;
        if (output >= outputs) break;
        const int8_t* row = rows.codes(b / blocks * outputs + output);
        for (int64_t k = 0; k < length; ++k) {
          const int64_t weight = row[order[static_cast<size_t>(k)]];
          uint8_t& byte = block[static_cast<size_t>((k / 4 * pairs + lane / 2) * 4 + k % 4)];
          byte = static_cast<uint8_t>(byte + (lane % 2 == 0 ? weight : 16 * weight));
        }
      }
      sink(block);
    }
  });
}

Argument pack_nibble_sixteens(Lowering& low, const std::string& key, const Constant& w, int64_t groups, int64_t outputs,
                              const std::vector<int64_t>& order, bool pairs) {
  const auto length = static_cast<int64_t>(order.size());
  const int64_t quads = ceil_div(outputs, int64_t{4}), padded = ceil_div(length, int64_t{16}) * 16;
  return low.weight(key + "/nibbles", DType::int8, groups * quads * 2 * padded, {&w}, [=](const auto& sink) {
    ByteRows rows(w, length);
    std::vector<uint8_t> block(static_cast<size_t>(2 * padded));
    for (int64_t quad = 0; quad < groups * quads; ++quad) {
      std::fill(block.begin(), block.end(), uint8_t{0});
      for (int64_t lane = 0; lane < std::min<int64_t>(4, outputs - quad % quads * 4); ++lane) {
        const int64_t first = pairs ? lane % 2 * padded : lane / 2 * 16, step = pairs ? 16 : 32;
        const bool high = pairs ? lane < 2 : lane % 2 == 0;
        const int8_t* row = rows.codes(quad / quads * outputs + quad % quads * 4 + lane);
        for (int64_t k = 0; k < length; ++k) {
          const auto code = static_cast<uint8_t>(row[order[static_cast<size_t>(k)]] & 15);
          uint8_t& byte = block[static_cast<size_t>(first + k / 16 * step + k % 16)];
          byte = static_cast<uint8_t>(byte | (high ? code << 4 : code));
        }
      }
      sink(block);
    }
  });
}

}  // namespace tarn::ops
