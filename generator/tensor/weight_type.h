// How weights of float layers are stored: --weight-type.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tarn {

struct WeightType {
  // model: codes that DequantizeLinear or MatMulNBits makes floats of, as they are; f32: nothing in fewer bits.
  enum class Kind { f32, f16, int8, int4, int2, model } kind = Kind::int8;
  // What shares a scale: the whole tensor, an output channel, or `block` weights of one that are multiplied in a row.
  enum class Share { tensor, channel, block } share = Share::channel;
  int64_t block = 0;
  bool asymmetric = false;  // codes have a zero point
  bool operator==(const WeightType&) const = default;
};

// model|f32|f16|int8|int4[:tensor|channel|block=N][,asymmetric]; nothing if it is none of them.
std::optional<WeightType> weight_type_from(std::string_view text);
std::string to_string(const WeightType&);
int bits_of_weight(const WeightType&);  // 0: model

// One --weight-type: of all layers, or of the one that is named so.
struct WeightRule {
  std::string layer;
  WeightType type;
};
// [LAYER=]TYPE; the layer's name may hold any characters.
std::optional<WeightRule> weight_rule_from(std::string_view text);

}  // namespace tarn
