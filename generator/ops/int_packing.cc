#include "ops/int_packing.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <numeric>

#include "program/spread_forms.h"
#include "tensor/byte_rows.h"

namespace tarn::ops {

using Sink = std::function<void(std::span<const uint8_t>)>;

namespace {

// Four by four, `apart` bytes from one four to the next.
void place_fours(const uint8_t* from, size_t count, uint8_t flip, uint8_t* to, int64_t apart) {
  const uint32_t flips = flip * 0x01010101u;
  size_t k = 0;
  for (; k + 4 <= count; k += 4, to += apart) {
    uint32_t four;
    std::memcpy(&four, from + k, sizeof four);
    four ^= flips;
    std::memcpy(to, &four, sizeof four);
  }
  for (size_t j = 0; k + j < count; ++j) to[j] = from[k + j] ^ flip;
}

// The same of the bytes from[order[0]], from[order[1]] ...
void place_fours(const uint8_t* from, const std::vector<int64_t>& order, uint8_t flip, uint8_t* to, int64_t apart) {
  const int64_t* at = order.data();
  size_t k = 0;
  for (; k + 4 <= order.size(); k += 4, to += apart) {
    const uint8_t a = from[at[k]], b = from[at[k + 1]], c = from[at[k + 2]], d = from[at[k + 3]];
    to[0] = a ^ flip;
    to[1] = b ^ flip;
    to[2] = c ^ flip;
    to[3] = d ^ flip;
  }
  for (size_t j = 0; k + j < order.size(); ++j) to[j] = from[at[k + j]] ^ flip;
}

}  // namespace

Argument pack_dots(Lowering& low, const std::string& key, const Constant& w, int64_t groups, int64_t outputs,
                   const std::vector<int64_t>& order, int64_t multiple, bool words, int64_t lanes, uint8_t flip) {
  const auto length = static_cast<int64_t>(order.size());
  const int64_t quads = ceil_div(outputs, lanes), steps = ceil_div(length, multiple) * multiple / 4;
  const int64_t bytes = groups * quads * steps * 4 * lanes;
  return low.weight(key, words ? DType::int32 : DType::int8, words ? bytes / 4 : bytes, {&w}, [=](const Sink& sink) {
    std::vector<uint8_t> block(static_cast<size_t>(steps * 4 * lanes));
    ByteRows source(w, length);
    bool straight = true;
    for (size_t k = 0; k < order.size(); ++k) straight = straight && order[k] == static_cast<int64_t>(k);
    for (int64_t quad = 0; quad < groups * quads; ++quad) {
      const int64_t rows = std::min(lanes, outputs - quad % quads * lanes);
      if (rows < lanes || length % multiple != 0) std::fill(block.begin(), block.end(), uint8_t{0});
      for (int64_t lane = 0; lane < rows; ++lane) {
        const std::span<const uint8_t> from = source.rows(quad / quads * outputs + quad % quads * lanes + lane, 1);
        if (straight) place_fours(from.data(), order.size(), flip, block.data() + lane * 4, 4 * lanes);
        else place_fours(from.data(), order, flip, block.data() + lane * 4, 4 * lanes);
      }
      sink(block);
    }
  });
}

Argument pack_sixteens(Lowering& low, const std::string& key, const Constant& w, int64_t groups, int64_t outputs,
                       const std::vector<int64_t>& order, bool pairs) {
  const auto length = static_cast<int64_t>(order.size());
  const int64_t quads = ceil_div(outputs, int64_t{4}), padded = ceil_div(length, int64_t{16}) * 16;
  return low.weight(key, DType::int8, groups * quads * 4 * padded, {&w}, [=](const Sink& sink) {
    std::vector<uint8_t> block(static_cast<size_t>(4 * padded));
    ByteRows source(w, length);
    for (int64_t quad = 0; quad < groups * quads; ++quad) {
      std::fill(block.begin(), block.end(), uint8_t{0});
      for (int64_t lane = 0; lane < std::min<int64_t>(4, outputs - quad % quads * 4); ++lane) {
        const std::span<const uint8_t> row = source.rows(quad / quads * outputs + quad % quads * 4 + lane, 1);
        const int64_t first = pairs ? lane % 2 * 2 * padded + lane / 2 * 16 : lane * 16, step = pairs ? 32 : 64;
        for (int64_t k = 0; k < length; ++k) {
          block[static_cast<size_t>(first + k / 16 * step + k % 16)] =
              row[static_cast<size_t>(order[static_cast<size_t>(k)])];
        }
      }
      sink(block);
    }
  });
}

Argument sixteens_constants(const Node& node, Lowering& low, int64_t groups, int64_t per_group) {
  const std::vector<int64_t> numbers = node.tensor("constants")->integers();
  const int64_t quads = ceil_div(per_group, int64_t{4}), mask = form_numbers(node).mask;
  std::vector<int32_t> packed(static_cast<size_t>(groups * quads * 12), 0);
  std::vector<bool> padding;
  for (int64_t lane = 0; lane < groups * quads * 4; ++lane) {
    int32_t* quad = packed.data() + lane / 4 * 12;
    const int64_t place = lane % 4, within = lane % (quads * 4);
    padding.push_back(within >= per_group);
    if (within >= per_group) {
      quad[8 + place] = static_cast<int32_t>(mask & -mask);
      continue;
    }
    const auto c = static_cast<size_t>(lane / (quads * 4) * per_group + within);
    quad[place % 2 * 2 + place / 2] = static_cast<int32_t>(numbers[3 * c]);
    quad[4 + place] = static_cast<int32_t>(numbers[3 * c + 1]);
    quad[8 + place] = static_cast<int32_t>(numbers[3 * c + 2]);
  }
  return form_constants(node, low, packed, {0, 2, 1, 3}, padding);
}

Argument pack_depthwise(Lowering& low, const std::string& key, const Constant& w, int64_t channels, int64_t taps,
                        int64_t multiple, bool words, bool late) {
  const int64_t quads = ceil_div(channels, int64_t{4}), padded = ceil_div(taps, multiple) * multiple;
  return low.weight(
      key, words ? DType::int32 : DType::int8, quads * padded * (words ? 1 : 4), {&w}, [=](const Sink& sink) {
        std::vector<uint8_t> block(static_cast<size_t>(quads * padded * 4), 0);
        const std::vector<uint8_t> bytes = w.bytes();
        for (int64_t c = 0; c < channels; ++c) {
          const int64_t lane = c % 4 + (late && c / 4 == quads - 1 ? quads * 4 - channels : 0);
          for (int64_t t = 0; t < taps; ++t)
            block[static_cast<size_t>((c / 4 * padded + t) * 4 + lane)] = bytes[static_cast<size_t>(c * taps + t)];
        }
        sink(block);
      });
}

Argument pack_channels(Lowering& low, const std::string& key, const Constant& w, int64_t channels, int64_t length) {
  const int64_t sixteens = ceil_div(channels, int64_t{16});
  return low.weight(key, DType::int8, sixteens * length * 16, {&w}, [=](const Sink& sink) {
    std::vector<uint8_t> block(static_cast<size_t>(length * 16), 0);
    const std::vector<uint8_t> bytes = w.bytes();
    for (int64_t sixteen = 0; sixteen < sixteens; ++sixteen) {
      const int64_t first = std::max<int64_t>(0, std::min(16 * sixteen, channels - 16));
      for (int64_t i = 0; i < std::min<int64_t>(16, channels); ++i) {
        for (int64_t t = 0; t < length; ++t)
          block[static_cast<size_t>(t * 16 + i)] = bytes[static_cast<size_t>((first + i) * length + t)];
      }
      sink(block);
    }
  });
}

Argument channels_constants(const Node& node, Lowering& low, int64_t channels) {
  const std::vector<int64_t> numbers = node.tensor("constants")->integers();
  const int64_t sixteens = ceil_div(channels, int64_t{16}), mask = form_numbers(node).mask;
  std::vector<int32_t> packed;
  std::vector<bool> padding;
  for (int64_t sixteen = 0; sixteen < sixteens; ++sixteen) {
    const int64_t first = std::max<int64_t>(0, std::min(16 * sixteen, channels - 16));
    for (int64_t k = 0; k < 3; ++k) {
      for (int64_t place = 0; place < 16; ++place) {
        const int64_t c = first + place % 4 * 4 + place / 8 + place / 4 % 2 * 2;
        if (k == 0) padding.push_back(c >= channels);
        // Lanes without a channel never need a closer look.
        packed.push_back(static_cast<int32_t>(c < channels ? numbers[static_cast<size_t>(3 * c + k)]
                                              : k == 2     ? mask & -mask
                                                           : 0));
      }
    }
  }
  std::vector<size_t> order(16);
  std::iota(order.begin(), order.end(), size_t{0});
  return form_constants(node, low, packed, order, padding);
}

Argument pack_columns4(Lowering& low, const std::string& key, const Constant& w, int64_t channels) {
  return low.weight(key, DType::int8, channels * 16 + 4, {&w}, [=](const Sink& sink) {
    std::vector<uint8_t> block(static_cast<size_t>(channels * 16 + 4), 0);
    const std::vector<uint8_t> bytes = w.bytes();
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t t = 0; t < 9; ++t)
        block[static_cast<size_t>(c * 16 + 4 + t % 3 * 4 + t / 3)] = bytes[static_cast<size_t>(c * 9 + t)];
    }
    sink(block);
  });
}

std::optional<ChannelWeights> channel_weights(const Node& node, const Constant& w, int64_t channels, int64_t taps) {
  const Constant* zeros = node.tensor("w_zero");
  const std::vector<int64_t> from = w.integers();
  if (!zeros) {
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t t = taps % 2; t < taps; t += 2) {
        const size_t at = static_cast<size_t>(c * taps + t);
        if (from[at] == -128 && from[at + 1] == -128) return {};
      }
    }
    return ChannelWeights{w, taps, 1};
  }
  std::vector<int64_t> values;
  for (int64_t i = 0; i < channels * taps; ++i) {
    const int64_t weight = from[static_cast<size_t>(i)] - zeros->integer(zeros->count() == 1 ? 0 : i / taps);
    const int64_t half = std::clamp<int64_t>(weight, -127, 127);
    if (weight - half > 127 || weight - half < -128) return {};
    values.push_back(half);
    values.push_back(weight - half);
  }
  return ChannelWeights{Constant::ints(DType::int8, Shape{channels, 2 * taps}, values), 2 * taps, 2};
}

Argument pack_columns3(Lowering& low, const std::string& key, const Constant& w, const Constant* zeros,
                       int64_t channels) {
  const std::vector<int64_t> zero = zeros ? zeros->integers() : std::vector<int64_t>{0};
  return low.weight(key, DType::int32, channels * 3, {&w}, [=](const Sink& sink) {
    std::vector<uint8_t> block(static_cast<size_t>(channels * 12), 0);
    const std::vector<uint8_t> bytes = w.bytes();
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t t = 0; t < 9; ++t)
        block[static_cast<size_t>(c * 12 + t % 3 * 4 + t / 3)] = bytes[static_cast<size_t>(c * 9 + t)];
      const auto taken = static_cast<uint8_t>(-zero[zero.size() == 1 ? 0 : static_cast<size_t>(c)]);
      for (int64_t column = 0; column < 3; ++column) block[static_cast<size_t>(c * 12 + column * 4 + 3)] = taken;
    }
    sink(block);
  });
}

Argument weight_zeros(const Node& node, Lowering& low, int64_t groups, int64_t per_group, int64_t add, int64_t factor) {
  const Constant* zeros = node.tensor("w_zero");
  if (!zeros && add == 0) return low.none();
  const int64_t quads = ceil_div(per_group, int64_t{4});
  std::vector<int32_t> packed(static_cast<size_t>(groups * quads * 4), 0);
  for (int64_t c = 0; c < groups * per_group; ++c) {
    packed[static_cast<size_t>((c / per_group * quads + c % per_group / 4) * 4 + c % per_group % 4)] =
        static_cast<int32_t>(add + factor * (zeros ? zeros->integer(zeros->count() == 1 ? 0 : c) : 0));
  }
  return low.weight(low.key(node.outputs[0], "_w_zero"), packed);
}

Argument packed_exceptions(const Node& node, Lowering& low, int64_t groups, int64_t per_group, int64_t block) {
  const Constant* exceptions = node.tensor("exceptions");
  if (!exceptions || per_group % block == 0 || (groups == 1 && block == 4)) return exceptions_argument(node, low);
  const std::vector<int64_t> numbers = exceptions->integers();
  const int64_t lanes = ceil_div(per_group, block) * block, channels = groups * per_group;
  std::vector<int32_t> packed;
  const int64_t more = groups * lanes - channels;
  for (int64_t lane = 0; lane <= groups * lanes; ++lane) {
    const int64_t c = std::min(lane / lanes * per_group + std::min(lane % lanes, per_group), channels);
    packed.push_back(static_cast<int32_t>(numbers[static_cast<size_t>(c)] + more));
  }
  for (size_t i = static_cast<size_t>(channels) + 1; i < numbers.size(); ++i)
    packed.push_back(static_cast<int32_t>(numbers[i]));
  return low.weight(low.key(node.outputs[0], "_exceptions"), packed);
}

Argument group_exceptions(const Node& node, Lowering& low, int64_t groups, int64_t per_group) {
  const Constant* exceptions = node.tensor("exceptions");
  if (!exceptions) return low.none();
  const std::vector<int64_t> numbers = exceptions->integers();
  const int64_t begins = ceil_div(per_group, int64_t{2}) * 2 + 1, more = groups * begins - (groups * per_group + 1);
  std::vector<int32_t> packed;
  for (int64_t i = 0; i < groups * begins; ++i) {
    const int64_t group = i / begins, c = group * per_group + std::min(i % begins, per_group);
    packed.push_back(static_cast<int32_t>(numbers[static_cast<size_t>(c)] + more - group * begins));
  }
  for (size_t i = static_cast<size_t>(groups * per_group) + 1; i < numbers.size(); ++i)
    packed.push_back(static_cast<int32_t>(numbers[i]));
  return low.weight(low.key(node.outputs[0], "_exceptions"), packed);
}

Argument narrow_where_room(Lowering& low, Argument weights) {
  program::Weight& weight = low.program().weights[weights.weight.pos()];
  weight.spread = program::narrow_bytes(weight);
  return weights;
}

Node for_unsigned(const Node& node, const Constant& w) {
  Node made = node;
  std::vector<int64_t> constants = node.tensor("constants")->integers();
  const Constant* zeros = node.tensor("w_zero");
  const int64_t length = w.count() / w.shape()[0];
  ByteRows rows(w, length);
  for (int64_t c = 0; c < w.shape()[0]; ++c) {
    int64_t sum = zeros ? -length * zeros->integer(zeros->count() == 1 ? 0 : c) : 0;
    const int8_t* row = rows.codes(c);
    for (int64_t k = 0; k < length; ++k) sum += row[k];
    constants[static_cast<size_t>(3 * c)] -= 128 * sum;
  }
  made.attributes["constants"] = Constant::ints(DType::int32, node.tensor("constants")->shape(), constants);
  return made;
}

namespace {

// The rows of a layer's weights in the order of its patches, then its zero points: see SummedWeights.
class SummedRows final : public MadeBytes {
 public:
  SummedRows(const Constant& w, std::vector<int64_t> order, int64_t all, std::vector<std::array<uint8_t, 2>> halves)
      : w_(w), order_(std::move(order)), all_(all), halves_(std::move(halves)) {}

  void copy(int64_t first, std::span<uint8_t> out) const override {
    ByteRows rows(w_, static_cast<int64_t>(order_.size()));
    std::vector<uint8_t> row(static_cast<size_t>(all_));
    const int64_t end = first + static_cast<int64_t>(out.size());
    for (int64_t at = first; at < end;) {
      const int64_t output = at / all_, stop = std::min(end, (output + 1) * all_);
      fill(rows.rows(output, 1), halves_[static_cast<size_t>(output)], row);
      std::copy_n(row.begin() + at % all_, stop - at, out.begin() + (at - first));
      at = stop;
    }
  }

 private:
  void fill(std::span<const uint8_t> from, const std::array<uint8_t, 2>& halves, std::vector<uint8_t>& row) const {
    for (size_t k = 0; k < order_.size(); ++k) row[k] = from[static_cast<size_t>(order_[k])];
    const size_t rounded = (order_.size() + 3) / 4 * 4;
    for (size_t i = rounded; i < row.size(); ++i) row[i] = halves[i % 2];
  }

  Constant w_;
  std::vector<int64_t> order_;
  int64_t all_;
  std::vector<std::array<uint8_t, 2>> halves_;  // of each output's negative zero point
};

int64_t pieces_of_sums(int64_t length) { return ceil_div(128 * length, int64_t{32767}); }

}  // namespace

int64_t length_with_sums(const Node& node, int64_t length) {
  return node.tensor("w_zero") ? ceil_div(length, int64_t{4}) * 4 + 2 * pieces_of_sums(length) : length;
}

SummedWeights with_sums(const Node& node, const Constant& w, const std::vector<int64_t>& order, int64_t most) {
  const Constant* zeros = node.tensor("w_zero");
  if (!zeros) return {w, order, 0};
  const auto length = static_cast<int64_t>(order.size());
  const int64_t all = length_with_sums(node, length);
  std::vector<std::array<uint8_t, 2>> halves;
  for (int64_t o = 0; o < w.shape()[0]; ++o) {
    const int64_t zero = zeros->integer(zeros->count() == 1 ? 0 : o), half = std::clamp<int64_t>(-zero, -most, most);
    halves.push_back({static_cast<uint8_t>(half), static_cast<uint8_t>(-zero - half)});
  }
  SummedWeights summed;
  for (int64_t k = 0; k < all; ++k) summed.order.push_back(k);
  summed.weights = Constant::made({DType::int8, Shape{w.shape()[0], all}},
                                  std::make_shared<const SummedRows>(w, order, all, std::move(halves)));
  summed.pieces = pieces_of_sums(length);
  return summed;
}

}  // namespace tarn::ops
