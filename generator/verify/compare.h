// Compares outputs with a reference by the rule of ONNX's backend tests, widened for large networks.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tensor/dtype.h"
#include "verify/firmware.h"

namespace tarn::verify {

// An element passes when |got - want| <= absolute + relative * |want|, where
//   relative = 1e-3, and for floats of fewer bits 4 of their epsilons;
//   absolute = the larger of 1e-7 and scaled * max |want|.
// `scaled` is 2^-15 for float32 and float64. A float32 sum of n products is off by about sqrt(n) * 2^-24 of its largest
// partial sum: 2^-17 for the largest layers (n near 2^14). A few layers of that, and a reference that was made
// with another order of summation, stay below 2^-15; a wrong kernel is off by far more. Elements near zero
// inherit this error from their neighbours, which no relative tolerance allows for.
struct Tolerance {
  double relative = 0, absolute = 0, scaled = 0;  // all 0: exact
};
Tolerance tolerance_of(DType type);

struct Comparison {
  std::string name;
  double max_abs = 0;      // largest |got - want|
  double max_rel = 0;      // largest |got - want| / |want| among elements larger than the absolute tolerance
  int64_t mismatches = 0;  // elements outside the tolerance
  double absolute = 0;     // the absolute tolerance that was used
  bool shape_differs = false;
  bool operator==(const Comparison&) const = default;
};

// Integers and bool must be equal; NaN equals NaN and an infinity itself.
Comparison compare(const Port& port, const Output& got, const Sample::Expected& want);

// The worse of two comparisons of one output, over several samples.
void accumulate(Comparison& sum, const Comparison& more);

}  // namespace tarn::verify
