// Values that a model stores as codes, with scales that groups of them share: what DequantizeLinear makes of constants.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tensor/constant.h"

namespace tarn {

// The tensor as [outer][size][inner]; element [o][a][i] has scale o * s_outer + a / block * s_axis + i * s_inner.
struct ScaleGeometry {
  int64_t outer = 1, size = 1, inner = 1, block = 1, s_outer = 0, s_axis = 0, s_inner = 0;
  int64_t scale_of(int64_t element) const {
    const int64_t o = element / (size * inner), rest = element % (size * inner);
    return o * s_outer + rest / inner / block * s_axis + rest % inner * s_inner;
  }
};

struct CodedValues {
  Constant codes;                 // integers of 2 to 8 bits
  Constant scales;                // real numbers
  std::optional<Constant> zeros;  // as many; none: 0
  ScaleGeometry geometry;         // of the codes
  std::string name = {};          // of the codes in the model

  int64_t zero_at(int64_t scale) const { return zeros ? zeros->integer(scale) : 0; }
  // In float32 arithmetic: the difference is exact, the product rounded once.
  float value_of(int64_t code) const {
    const int64_t scale = geometry.scale_of(code);
    return static_cast<float>(codes.integer(code) - zero_at(scale)) * static_cast<float>(scales.real(scale));
  }
};

// Where the elements of a constant of `dims` are found among the codes, if not one after the other.
struct CodePlaces {
  int64_t first = 0;
  std::vector<int64_t> dims, strides;

  int64_t of(int64_t element) const {
    int64_t place = first;
    for (size_t axis = dims.size(); axis-- > 0;) {
      place += element % dims[axis] * strides[axis];
      element /= dims[axis];
    }
    return place;
  }
};

}  // namespace tarn
