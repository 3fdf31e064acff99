// --weights image: the weights as one file apart from the code, and the functions by which the code takes it.
#pragma once
#include <array>
#include <string>

#include "emit/parts.h"

namespace tarn::emit {

// The head of an image, as runtime/types/tarn_image_check.h describes it.
struct ImageHeader {
  static constexpr int64_t kBytes = 64;
  static constexpr size_t kCrcAt = 28;
  std::string plan;    // 16 hexadecimal digits
  int64_t bytes = 0;   // of the image
  uint32_t crc = 0;    // of all of it but these four bytes
  std::string sha256;  // of the model, 64 hexadecimal digits

  std::array<uint8_t, kBytes> encode() const;
  // None where the bytes are no header of this format.
  static std::optional<ImageHeader> decode(std::span<const uint8_t> bytes);
};

// The weights are read from an image.
bool has_image(const Analysis& analysis);
// Stands for all that the code of a plan takes for granted of its weights: images of one id can stand for each other.
std::string image_plan(const Context& context);
OutputFile image_file(const Context& context);
std::vector<int64_t> image_offsets(const program::Program& program);  // of each weight
int64_t image_bytes(const Context& context);

// Macros for the weights, by the names that arrays would have: they lie behind a pointer `weights_image`.
std::string image_weights(const Context& context);
// For NAME.h: additional statuses, sizes and functions; nothing where there is no image.
std::string image_statuses(const Context& context);
std::string image_api(const Context& context);
// For NAME.c: the functions; and the pointer, set from the arena, with what to do where there is none.
std::string image_source(const Context& context);
std::string image_pointer(const Context& context, int indent, const std::string& otherwise);

}  // namespace tarn::emit
