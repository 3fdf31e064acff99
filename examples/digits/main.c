/* SPDX-License-Identifier: MIT-0
 * Classifies the held-out digits with the emitted network and prints how many it gets right. The same file runs on the
 * host and on the board. */
#include <stdio.h>

#include "digits.h"
#include "samples.h"

static int largest(const float *scores, int count) {
  int best = 0, i;
  for (i = 1; i < count; ++i) {
    if (scores[i] > scores[best]) best = i;
  }
  return best;
}

int main(void) {
  int correct = 0, s;
  unsigned i;
  for (s = 0; s < SAMPLE_COUNT; ++s) {
    float *image = digits_input_image(digits_arena); /* does not survive a run: filled before each one */
    for (i = 0; i < DIGITS_IN_IMAGE_COUNT; ++i) image[i] = (float)(samples[s].pixels[i] - 'a') / 16.0f;
    if (digits_run(digits_arena) != DIGITS_OK) return 1;
    correct += largest(digits_output_scores(digits_arena), DIGITS_OUT_SCORES_COUNT) == samples[s].label;
  }
  printf("%d of %d correct\n", correct, SAMPLE_COUNT);
  return 0;
}
