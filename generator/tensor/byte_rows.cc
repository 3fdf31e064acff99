#include "tensor/byte_rows.h"

#include <algorithm>

#include "support/check.h"

namespace tarn {

namespace {

// What stands in a cache of the second level; and rows so many that bytes of a column, where rows are columns of the
// model's, are read by lines of the cache.
constexpr int64_t kBytesAtOnce = int64_t{256} << 10, kRowsAtOnce = 64;

}  // namespace

ByteRows::ByteRows(const Constant& source, int64_t length)
    : source_(source), length_(length), all_(length == 0 ? 0 : source.count() / length), there_(source.contiguous()) {
  TARN_CHECK(bits_of(source.dtype()) == 8);
}

std::span<const uint8_t> ByteRows::rows(int64_t first, int64_t count) {
  const auto part = [&](std::span<const uint8_t> of, int64_t row) {
    return of.subspan(static_cast<size_t>(row * length_), static_cast<size_t>(count * length_));
  };
  if (!there_.empty()) return part(there_, first);
  if (first < first_ || first + count > first_ + count_) {
    const int64_t together = std::max({count, kRowsAtOnce, kBytesAtOnce / std::max<int64_t>(1, length_)});
    first_ = first;
    count_ = std::min(together, all_ - first);
    copy_.resize(static_cast<size_t>(count_ * length_));
    source_.copy_bytes(first_ * length_, copy_);
  }
  return part(copy_, first - first_);
}

}  // namespace tarn
