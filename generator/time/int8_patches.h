// What the gathering of a convolution's patches takes with the DSP instructions: tarn_int_conv2d_dsp_run_s8.c.
#pragma once
#include "time/int8_call.h"

namespace tarn::timing {

// Adds the terms of all patches of `images` images; `begins` times what stands behind a patch is written.
void add_dsp_patches(Int8Call& call, int64_t images, int64_t begins);

// Codes that are widened `times` times, n at a time: sixteen a turn, then four.
void add_widened(Int8Call& call, int64_t times, int64_t n);

}  // namespace tarn::timing
