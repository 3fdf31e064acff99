// In which form a layer computes: bits of its weights, and of the numbers that go through it.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace tarn::quantize {

struct LayerForm {
  int weights = 8;  // bits: 4 or 8 of codes; 16 or 32 of floats
  int numbers = 8;  // bits: 8 or 16 of codes; 32: floats
  bool floats() const { return numbers == 32; }
  int bits() const { return floats() || numbers == 8 ? weights : numbers; }
  bool operator==(const LayerForm&) const = default;
};

inline constexpr LayerForm kInt4{4, 8}, kInt8{8, 8}, kInt16{8, 16}, kFloat16{16, 32}, kFloat32{32, 32};

// As `--layer-bits` takes it: 4, 8, 16 (weights of 8 bits, numbers of 16), f16 (floats with weights of 16 bits), 32 or
// float. Nothing for other words.
std::optional<LayerForm> layer_form(std::string_view word);

// The word that `--layer-bits` takes for it, and the name that reports have: int4, int8, int16, float16, float32.
std::string word_of(const LayerForm& form);
std::string type_of(const LayerForm& form);

}  // namespace tarn::quantize
