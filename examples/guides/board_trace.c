/* SPDX-License-Identifier: MIT-0
 * Prints a run of the digits network for `tarn compare`. On a board put() writes to the serial port. */
#include <stdio.h>

#include "digits_trace.h"
#include "samples.h"

static void put(void *user, char character) { (void)putc(character, (FILE *)user); }

int main(void) {
  float *image = digits_input_image(digits_arena);
  unsigned i;
  for (i = 0; i < DIGITS_IN_IMAGE_COUNT; ++i) image[i] = (float)(samples[0].pixels[i] - 'a') / 16.0f;
  return digits_trace(digits_arena, put, stdout) == DIGITS_OK ? 0 : 1;
}
