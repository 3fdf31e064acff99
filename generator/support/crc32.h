// CRC-32 of Ethernet and zip (reflected, polynomial 0x04c11db7), of bytes that come in pieces.
#pragma once
#include <cstdint>
#include <span>

namespace tarn {

class Crc32 {
 public:
  void add(std::span<const uint8_t> bytes);
  uint32_t value() const { return ~crc_; }

 private:
  uint32_t crc_ = 0xffffffff;
};

}  // namespace tarn
