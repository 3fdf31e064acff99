// What the gathering of a convolution's patches takes with the DSP instructions: tarn_int_conv2d_dsp_run_s8.c.
#pragma once
#include "time/int8_call.h"

namespace tarn::timing {

// Lines of patches that are alike: rows of the kernel, how many of them lie in the image, and what a row meets.
struct PatchLines {
  int64_t lines = 0, rows = 0, valid = 0;
  WindowAxisOf columns;
  int64_t length = 0;   // of a patch, with what fills it up
  bool beside = false;  // pixels follow each other
};
void add_dsp_patch_lines(Int8Call& call, const PatchLines& of);

// What stands behind a patch is written `begins` times.
void add_dsp_padding(Int8Call& call, int64_t begins, int64_t behind);

// Both for all patches of `images` images.
void add_dsp_patches(Int8Call& call, int64_t images, int64_t begins);

// Codes that are widened `times` times, n at a time: sixteen a turn, then four.
void add_widened(Int8Call& call, int64_t times, int64_t n);

}  // namespace tarn::timing
