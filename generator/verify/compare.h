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
// An output that passed through floats of fewer bits is compared with their epsilon.
struct Tolerance {
  double relative = 0, absolute = 0, scaled = 0;  // all 0: exact
};
Tolerance tolerance_of(DType type, const Accuracy& accuracy = {});

// Where sums of floats were rounded to codes of b bits on the way, one implementation's sum lies on the other side of a
// tie now and then; the code is off by one, and all that follows moves. No tolerance for single elements tells that
// from a fault, their sum of squares does. Such an output passes as well when no element is off by more than 2^(5-b) of
// the largest, nor the root of the mean square by more than 2^(4-b) of the reference's own (b at most 8 counts as 8).
// For 8 bits that is an eighth and a sixteenth: another implementation of the same model is off by up to 9 % of the
// largest element, a wrong kernel by the output's whole range. Codes may always be off by one.

// 2^(4-b), where codes of b bits on the way may have moved elements of this type; else 0.
double part_moved(DType type, const Accuracy& accuracy);

struct Comparison {
  std::string name;
  double max_abs = 0;      // largest |got - want|
  double max_rel = 0;      // largest |got - want| / |want| among elements larger than the absolute tolerance
  int64_t mismatches = 0;  // elements outside the tolerance
  int64_t moved = 0;       // elements outside that of floats, within that of codes
  int code_bits = 0;
  double absolute = 0;  // the absolute tolerance that was used
  bool shape_differs = false;
  bool operator==(const Comparison&) const = default;
};

// Integers and bool must be equal; NaN equals NaN and an infinity itself.
Comparison compare(const Port& port, const Output& got, const Sample::Expected& want);

// The worse of two comparisons of one output, over several samples.
void accumulate(Comparison& sum, const Comparison& more);

}  // namespace tarn::verify
