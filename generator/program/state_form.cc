#include "program/state_form.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "program/tuning.h"
#include "tensor/numeric.h"

namespace tarn::program {

namespace {

// As tarn_state.h does it.
uint32_t scale_for(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  bits &= 0x7fffffffu;
  if (bits == 0 || bits > 0x7f800000u) return 0;
  const uint32_t number = (bits + 0x10000u) >> 23;
  return std::clamp<uint32_t>(number > 7 ? number - 5 : 2, 2, 249);
}

}  // namespace

std::string to_string(StateType type) {
  switch (type) {
    case StateType::none: return "";
    case StateType::f16: return "f16";
    case StateType::int8: return "int8";
    case StateType::ring: return "ring";
  }
  return "";
}

std::optional<StateType> state_type_from(const std::string& name) {
  if (name == "f16") return StateType::f16;
  if (name == "int8") return StateType::int8;
  return {};
}

int64_t state_columns(const Shape& shape) {
  const int64_t last = shape.rank() > 0 ? shape[shape.rank() - 1] : 1;
  return last > 0 && shape.count() / last >= kLeastRows ? last : 1;
}

std::vector<uint8_t> stored_bytes(const Constant& values, StateType type) {
  const std::vector<double> reals = values.reals();
  std::vector<uint8_t> bytes;
  if (type == StateType::f16) {
    for (const double v : reals) {
      const uint16_t half = float_to_half(static_cast<float>(v));
      bytes.push_back(static_cast<uint8_t>(half & 255));
      bytes.push_back(static_cast<uint8_t>(half >> 8));
    }
    return bytes;
  }
  const auto columns = static_cast<size_t>(state_columns(values.shape()));
  bytes.assign(columns + reals.size(), 0);
  for (size_t i = 0; i < reals.size(); ++i) {
    uint8_t& scale = bytes[i % columns];
    scale = static_cast<uint8_t>(std::max<uint32_t>(scale, scale_for(static_cast<float>(reals[i]))));
  }
  for (size_t i = 0; i < reals.size(); ++i) {
    const int scale = bytes[i % columns];
    if (scale == 0 || std::isnan(reals[i])) continue;
    const double steps = std::clamp(std::ldexp(reals[i], 128 - scale), -127.0, 127.0);
    bytes[columns + i] = static_cast<uint8_t>(static_cast<int8_t>(std::round(steps)));
  }
  return bytes;
}

}  // namespace tarn::program
