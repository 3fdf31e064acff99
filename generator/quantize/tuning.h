// The numbers of quantisation that a bench sets: tests/bench/quantise/quantise.py, networks of TARN_SHARED_DIR against
// onnxruntime's calibration. tests/bench/tuning/move.py tells what each does.
#pragma once
#include <cstddef>
#include <cstdint>

#include "support/tuned.h"

namespace tarn::quantize {

// Samples that others are judged by: ranges and biases that come from some are tried on the rest.
TARN_TUNED(size_t, kParts, 4);             // of the samples
TARN_TUNED(size_t, kMostOfAPart, 1 << 11);  // numbers of a tensor that are kept of each

// Biases of the last layers.
TARN_TUNED(size_t, kMostCorrecting, 32);                     // samples
TARN_TUNED(int64_t, kMostCorrectingMacs, 2'000'000'000);  // of all of their runs

}  // namespace tarn::quantize
