// Convolutions over patches that are too long for scratch, taken in parts (runtime/int8_dsp/
// tarn_int_conv2d_dsp_parts_line_s8.h): how long a part is, and how many outputs go together.
#pragma once
#include <cstdint>

namespace tarn::ops {

// How a convolution by parts uses its scratch (tarn_int_conv2d_dsp_parts_s8).
struct Parts {
  int64_t part = 0, together = 0, bytes = 0;
  // For each multiply-accumulate. The loads of more would take more cycles than a pixel at a time does, which
  // takes 1.4.
  double instructions = 1.2;
};

// What takes least instructions with at most `most` bytes of scratch, for patches of `length` inputs in runs of `run`.
// part 0: nothing does.
Parts parts_within(int64_t most, int64_t length, int64_t outputs, int64_t run);

}  // namespace tarn::ops
