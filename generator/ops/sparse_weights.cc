#include "ops/sparse_weights.h"

#include <cstring>
#include <memory>

namespace tarn::ops {

namespace {

using Sink = std::function<void(std::span<const uint8_t>)>;

constexpr int64_t kLeastWeights = 256;
constexpr int64_t kMostLength = 32768;  // of a row: counts have 16 bits, and fill where gaps are long
constexpr int64_t kOfZeros = 5;         // all weights but one of so many are zero
constexpr int64_t kLongestGap = 255;

struct Encoded {
  std::vector<uint8_t> values, gaps;
};

void put(double value, DType dtype, std::vector<uint8_t>& out) {
  if (dtype == DType::int8) {
    out.push_back(static_cast<uint8_t>(static_cast<int8_t>(value)));
    return;
  }
  const auto number = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<uint8_t>(bits >> shift));
}

// One row of a part: what is not zero, and how far apart it lies.
void encode(const std::vector<double>& row, DType dtype, Encoded& encoded) {
  const size_t at = encoded.gaps.size();
  encoded.gaps.insert(encoded.gaps.end(), 2, uint8_t{0});
  int64_t zeros = 0;
  for (const double value : row) {
    if (value == 0 && zeros < kLongestGap) {
      ++zeros;
      continue;
    }
    encoded.gaps.push_back(static_cast<uint8_t>(zeros));
    put(value, dtype, encoded.values);
    zeros = 0;
  }
  const size_t count = encoded.gaps.size() - at - 2;
  encoded.gaps[at] = static_cast<uint8_t>(count & 255);
  encoded.gaps[at + 1] = static_cast<uint8_t>(count >> 8);
}

bool are_mostly_zero(const Constant& source) {
  int64_t others = 0;
  const int64_t most = source.count() / kOfZeros;
  for (int64_t i = 0; i < source.count(); ++i) {
    if (source.real(i) != 0 && ++others > most) return false;
  }
  return true;
}

}  // namespace

std::optional<SparseWeights> sparse_weights(Lowering& low, const std::string& key, const Constant& source,
                                            const QuadPacking& packing, int64_t parts, DType dtype) {
  const auto length = static_cast<int64_t>(packing.order.size());
  const bool scaled = packing.scale != nullptr;
  if (!low.options().sparse || source.is_absent() || (scaled && packing.scale->is_absent())) return {};
  if (packing.rows != packing.group_rows || length == 0 || length % parts != 0 || length / parts > kMostLength)
    return {};
  if (source.count() < kLeastWeights || !are_mostly_zero(source)) return {};
  const auto encoded = std::make_shared<Encoded>();
  std::vector<double> row(static_cast<size_t>(length / parts));
  for (int64_t r = 0; r < packing.rows; ++r) {
    const double scale = scaled ? packing.scale->real(r) : 1;
    for (int64_t first = 0; first < length; first += length / parts) {
      for (size_t k = 0; k < row.size(); ++k)
        row[k] = source.real(r * packing.row_stride + packing.order[static_cast<size_t>(first) + k]) * scale;
      encode(row, dtype, *encoded);
    }
  }
  if (encoded->values.empty()) put(0, dtype, encoded->values);  // C has no array of none
  std::vector<const Constant*> sources = {&source};
  if (scaled) sources.push_back(packing.scale);
  const auto count = static_cast<int64_t>(encoded->values.size()) / bytes_for(dtype, 1);
  SparseWeights weights{
      low.weight(key + "/sparse", dtype, count, sources, [encoded](const Sink& sink) { sink(encoded->values); }),
      low.weight(key + "/gaps", DType::uint8, static_cast<int64_t>(encoded->gaps.size()), sources,
                 [encoded](const Sink& sink) { sink(encoded->gaps); })};
  return weights;
}

}  // namespace tarn::ops
