#include "ops/int_nibbles.h"

#include <algorithm>

namespace tarn::ops {

namespace {

constexpr int64_t kLongest = 65536;  // 16 * 8 * 128 times as many stay within 32 bits

}  // namespace

std::string narrow_weights(const Constant& w, int64_t length) {
  if (w.is_absent() || length > kLongest) return "";
  const std::vector<int64_t> weights = w.integers();
  const auto within = [&](int64_t most) {
    return std::all_of(weights.begin(), weights.end(), [=](int64_t w) { return w >= -most - 1 && w <= most; });
  };
  return within(1) ? "2" : within(7) ? "4" : "";
}

std::string narrow_weights(const Node& node, const Constant& w, int64_t length) {
  return node.tensor("w_zero") ? "" : narrow_weights(w, length);
}

std::optional<ShiftedWeights> shift_weights(const Node& node, const Constant& w, int64_t length) {
  // Pieces of the inputs' sum meet weights too, and are as large as 256 inputs.
  if (node.tensor("w_zero") || w.is_absent() || length > kLongest / 4 || w.count() == 0) return {};
  const std::vector<int64_t> values = w.integers();
  const int64_t outputs = w.shape()[0], row = static_cast<int64_t>(values.size()) / outputs;
  const std::string narrow = narrow_weights(w, length);
  if (narrow == "2") return {};
  for (const int64_t most : {int64_t{1}, int64_t{7}}) {
    if (most == 7 && narrow == "4") break;
    std::vector<int64_t> zeros, stored(values);
    for (int64_t o = 0; o < outputs; ++o) {
      const auto begin = stored.begin() + o * row, end = begin + row;
      const auto [least, greatest] = std::minmax_element(begin, end);
      const int64_t zero = *least < -most - 1 || *greatest > most ? -most - 1 - *least : 0;
      if (*greatest + zero > most || zero > 2 * most + 1 || zero < -2 * most) break;
      for (auto at = begin; at != end; ++at) *at += zero;
      zeros.push_back(zero);
    }
    if (static_cast<int64_t>(zeros.size()) < outputs) continue;
    ShiftedWeights shifted{node, Constant::ints(DType::int8, w.shape(), stored), most};
    shifted.node.attributes["w_zero"] = Constant::ints(DType::int32, Shape{outputs}, zeros);
    return shifted;
  }
  return {};
}

Argument pack_nibbles(Lowering& low, const std::string& key, const Constant& w, int64_t outputs,
                      const std::vector<int64_t>& order, int64_t multiple, int64_t pairs) {
  const auto length = static_cast<int64_t>(order.size());
  const int64_t blocks = ceil_div(outputs, 2 * pairs), words = ceil_div(length, multiple) * multiple / 4 * pairs;
  return low.weight(key + "/nibbles", DType::int32, blocks * words, {&w}, [=](const auto& sink) {
    const std::vector<int64_t> weights = w.integers();
    std::vector<uint8_t> block(static_cast<size_t>(words * 4));
    for (int64_t b = 0; b < blocks; ++b) {
      std::fill(block.begin(), block.end(), uint8_t{8});
      for (int64_t lane = 0; lane < 2 * pairs; ++lane) {
        const int64_t output = b * 2 * pairs + lane;
        if (output >= outputs) break;
        for (int64_t k = 0; k < length; ++k) {
          const int64_t weight = weights[static_cast<size_t>(output * length + order[static_cast<size_t>(k)])];
          uint8_t& byte = block[static_cast<size_t>((k / 4 * pairs + lane / 2) * 4 + k % 4)];
          byte = static_cast<uint8_t>(byte + (lane % 2 == 0 ? weight : 16 * weight));
        }
      }
      sink(block);
    }
  });
}

Argument pack_nibble_sixteens(Lowering& low, const std::string& key, const Constant& w, int64_t outputs,
                              const std::vector<int64_t>& order, bool pairs) {
  const auto length = static_cast<int64_t>(order.size());
  const int64_t quads = ceil_div(outputs, int64_t{4}), padded = ceil_div(length, int64_t{16}) * 16;
  return low.weight(key + "/nibbles", DType::int8, quads * 2 * padded, {&w}, [=](const auto& sink) {
    const std::vector<int64_t> weights = w.integers();
    std::vector<uint8_t> block(static_cast<size_t>(2 * padded));
    for (int64_t quad = 0; quad < quads; ++quad) {
      std::fill(block.begin(), block.end(), uint8_t{0});
      for (int64_t lane = 0; lane < std::min<int64_t>(4, outputs - quad * 4); ++lane) {
        const int64_t first = pairs ? lane % 2 * padded : lane / 2 * 16, step = pairs ? 16 : 32;
        const bool high = pairs ? lane < 2 : lane % 2 == 0;
        for (int64_t k = 0; k < length; ++k) {
          const auto code = static_cast<uint8_t>(
              weights[static_cast<size_t>((quad * 4 + lane) * length + order[static_cast<size_t>(k)])] & 15);
          uint8_t& byte = block[static_cast<size_t>(first + k / 16 * step + k % 16)];
          byte = static_cast<uint8_t>(byte | (high ? code << 4 : code));
        }
      }
      sink(block);
    }
  });
}

}  // namespace tarn::ops
