#include "cli/made_up.h"

#include "tensor/numeric.h"

namespace tarn::cli {

Constant made_up(const TensorType& type, uint64_t seed) {
  std::vector<uint8_t> bytes(static_cast<size_t>(type.bytes()));
  uint64_t state = seed * 2862933555777941757ull + 3037000493ull;
  for (int64_t i = 0; i < type.shape.count(); ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    const double unit = static_cast<double>(state >> 40) / static_cast<double>(1 << 24);
    if (is_float(type.dtype)) write_double(type.dtype, bytes.data(), i, unit * 2 - 1);
    else write_int(type.dtype, bytes.data(), i, static_cast<int64_t>(unit * 4));
  }
  return Constant::of(type, std::move(bytes));
}

}  // namespace tarn::cli
