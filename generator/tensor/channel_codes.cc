#include "tensor/channel_codes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace tarn {

namespace {

constexpr int64_t kSmall = int64_t{1} << 16;  // so few codes are copied: their elements are read faster

// Elements [first, first + out.size()), each in a byte.
void read_codes(const Constant& codes, int64_t first, std::span<uint8_t> out) {
  if (bits_of(codes.dtype()) == 8) return codes.copy_bytes(first, out);
  const std::span<const uint8_t> packed = codes.contiguous();
  if (packed.empty()) {
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = static_cast<uint8_t>(codes.integer(first + static_cast<int64_t>(i)));
    return;
  }
  // The first of those that share a byte stands in its lowest bits.
  const int bits = bits_of(codes.dtype());
  const unsigned each = 8U / static_cast<unsigned>(bits), mask = (1U << bits) - 1,
                 sign = is_signed(codes.dtype()) ? 1U << (bits - 1) : 0;
  auto at = static_cast<size_t>(first);
  for (uint8_t& code : out) {
    const unsigned value = packed[at / each] >> (at % each * static_cast<unsigned>(bits)) & mask;
    code = static_cast<uint8_t>((value ^ sign) - sign);
    ++at;
  }
}

class ChannelCodes final : public MadeBytes {
 public:
  ChannelCodes(const Constant& codes, int axis, const std::vector<int32_t>& less)
      : codes_(codes),
        channels_(codes.shape()[axis]),
        inner_(codes.shape().count(axis + 1, codes.shape().rank())),
        length_(codes.count() / channels_) {
    for (const int32_t l : less) less_.push_back(static_cast<uint8_t>(l));
  }

  void copy(int64_t first, std::span<uint8_t> out) const override {
    // The ends of rows that are not wanted whole, one by one; rows that are, all at once.
    const int64_t end = first + static_cast<int64_t>(out.size());
    int64_t at = first;
    const auto to = [&](int64_t place) { return out.data() + (place - first); };
    if (at % length_ != 0) {
      const int64_t stop = std::min(end, (at / length_ + 1) * length_);
      part_of_row(at / length_, at % length_, {to(at), static_cast<size_t>(stop - at)});
      at = stop;
    }
    const int64_t whole = (end - at) / length_;
    if (whole > 0) rows(at / length_, whole, to(at));
    at += std::max<int64_t>(0, whole) * length_;
    if (at < end) part_of_row(at / length_, 0, {to(at), static_cast<size_t>(end - at)});
    for (int64_t row = first / length_; row * length_ < end; ++row) {
      const uint8_t less = less_[static_cast<size_t>(row)];
      if (less == 0) continue;
      const int64_t begin = std::max(first, row * length_), stop = std::min(end, (row + 1) * length_);
      for (uint8_t* byte = to(begin); byte < to(stop); ++byte) *byte = static_cast<uint8_t>(*byte - less);
    }
  }

 private:
  // Element k of the row of channel c stands at (k / inner * channels + c) * inner + k % inner.
  void part_of_row(int64_t c, int64_t first, std::span<uint8_t> out) const {
    for (size_t i = 0; i < out.size();) {
      const int64_t k = first + static_cast<int64_t>(i);
      const size_t run = std::min(out.size() - i, static_cast<size_t>(inner_ - k % inner_));
      read_codes(codes_, (k / inner_ * channels_ + c) * inner_ + k % inner_, out.subspan(i, run));
      i += run;
    }
  }

  void rows(int64_t first, int64_t count, uint8_t* out) const {
    if (inner_ > 1 || count == 1) {
      for (int64_t r = 0; r < count; ++r) part_of_row(first + r, 0, {out + r * length_, static_cast<size_t>(length_)});
      return;
    }
    // Rows are columns of the codes: squares of them are turned, in which neither side's lines of the cache are many.
    constexpr int64_t kSide = 64;
    std::array<uint8_t, kSide * kSide> square;
    for (int64_t r = 0; r < count; r += kSide) {
      const int64_t wide = std::min(kSide, count - r);
      for (int64_t k = 0; k < length_; k += kSide) {
        const int64_t high = std::min(kSide, length_ - k);
        for (int64_t i = 0; i < high; ++i)
          read_codes(codes_, (k + i) * channels_ + first + r,
                     std::span(square).subspan(static_cast<size_t>(i * kSide), static_cast<size_t>(wide)));
        for (int64_t j = 0; j < wide; ++j) {
          uint8_t* row = out + (r + j) * length_ + k;
          for (int64_t i = 0; i < high; ++i) row[i] = square[static_cast<size_t>(i * kSide + j)];
        }
      }
    }
  }

  Constant codes_;
  int64_t channels_, inner_, length_;
  std::vector<uint8_t> less_;  // by channel
};

}  // namespace

Constant channel_codes(const Constant& codes, int axis, const std::vector<int32_t>& less) {
  const Shape& shape = codes.shape();
  const int64_t channels = shape[axis];
  const TensorType type{DType::int8, Shape{channels, codes.count() / channels}};
  const bool as_they_are = std::all_of(less.begin(), less.end(), [](int32_t l) { return l == 0; });
  const bool in_order = shape.count(0, axis) == 1 || channels == 1;
  if (codes.dtype() == DType::int8 && as_they_are && in_order && !codes.contiguous().empty())
    return codes.reshaped(type.shape);
  Constant made = Constant::made(type, std::make_shared<const ChannelCodes>(codes, axis, less));
  return codes.count() > kSmall ? made : Constant::of(type, made.bytes());
}

ChannelBounds bounds_of_channels(const Constant& codes, int axis) {
  const Shape& shape = codes.shape();
  const int64_t channels = shape[axis], inner = shape.count(axis + 1, shape.rank());
  ChannelBounds bounds{std::vector<int32_t>(static_cast<size_t>(channels), std::numeric_limits<int32_t>::max()),
                       std::vector<int32_t>(static_cast<size_t>(channels), std::numeric_limits<int32_t>::min())};
  const bool below_zero = is_signed(codes.dtype());
  std::array<uint8_t, 4096> piece;
  size_t channel = 0;
  int64_t left = inner;  // of the channel's run
  for (int64_t at = 0; at < codes.count();) {
    const auto count = static_cast<size_t>(std::min<int64_t>(piece.size(), codes.count() - at));
    read_codes(codes, at, {piece.data(), count});
    at += static_cast<int64_t>(count);
    for (size_t i = 0; i < count; ++i) {
      const int32_t code = below_zero ? static_cast<int8_t>(piece[i]) : piece[i];
      bounds.least[channel] = std::min(bounds.least[channel], code);
      bounds.most[channel] = std::max(bounds.most[channel], code);
      if (--left > 0) continue;
      left = inner;
      if (++channel == bounds.least.size()) channel = 0;
    }
  }
  return bounds;
}

}  // namespace tarn
