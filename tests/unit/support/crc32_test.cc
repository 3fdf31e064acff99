#include "support/crc32.h"

#include <gtest/gtest.h>

#include <string>

namespace tarn {
namespace {

TEST(Crc32, HasThePublishedCheckValue) {
  const std::string text = "123456789";
  const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  Crc32 whole, pieces;
  whole.add(bytes);
  pieces.add(bytes.first(4));
  pieces.add({});
  pieces.add(bytes.subspan(4));
  EXPECT_EQ(whole.value(), 0xcbf43926);
  EXPECT_EQ(pieces.value(), whole.value());
  EXPECT_EQ(Crc32().value(), 0u);
}

}  // namespace
}  // namespace tarn
