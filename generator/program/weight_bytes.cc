#include "program/weight_bytes.h"

#include <span>

namespace tarn::program {

std::vector<uint8_t> bytes_of(const Weight& weight) {
  std::vector<uint8_t> bytes;
  if (!weight.missing.empty() || !weight.write) return bytes;
  bytes.reserve(static_cast<size_t>(weight.bytes()));
  weight.write([&](std::span<const uint8_t> part) { bytes.insert(bytes.end(), part.begin(), part.end()); });
  return bytes;
}

}  // namespace tarn::program
