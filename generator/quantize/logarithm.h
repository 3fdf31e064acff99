// Logarithms that have the same bits on every machine: those of C libraries depend on the library and, through fused
// multiplications, on the processor, and what they decide goes into the file that is written.
#pragma once

namespace tarn::quantize {

double natural_log(double x);  // to a few parts in 2^52; of 0 and less: minus infinity

// 10 log10 of a ratio.
double decibels_of(double ratio);

}  // namespace tarn::quantize
