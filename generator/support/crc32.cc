#include "support/crc32.h"

#include <array>

namespace tarn {

namespace {

std::array<uint32_t, 256> make_table() {
  std::array<uint32_t, 256> table;
  for (uint32_t byte = 0; byte < table.size(); ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    table[byte] = crc;
  }
  return table;
}

}  // namespace

void Crc32::add(std::span<const uint8_t> bytes) {
  static const std::array<uint32_t, 256> table = make_table();
  for (const uint8_t byte : bytes) crc_ = crc_ >> 8 ^ table[(crc_ ^ byte) & 255];
}

}  // namespace tarn
