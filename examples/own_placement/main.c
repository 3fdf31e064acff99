/* SPDX-License-Identifier: MIT-0
 * The input is a buffer of the firmware's own, as a DMA channel would fill it; the arena lies in a section of its own. */
#include <stdio.h>

#include "digits.h"
#include "samples.h"

static float dma_buffer[DIGITS_IN_IMAGE_COUNT];
static float scores[DIGITS_OUT_SCORES_COUNT];

int main(void) {
    int s, correct = 0;
    unsigned i, best;
    for (s = 0; s < SAMPLE_COUNT; s++) {
        for (i = 0; i < DIGITS_IN_IMAGE_COUNT; i++) dma_buffer[i] = (float)(samples[s].pixels[i] - 'a') / 16.0f;
        if (digits_run(digits_arena, dma_buffer, scores) != DIGITS_OK) return 1;
        for (best = 0, i = 1; i < DIGITS_OUT_SCORES_COUNT; i++) {
            if (scores[i] > scores[best]) best = i;
        }
        correct += (int)best == samples[s].label;
    }
    printf("%d of %d correct; arena %u bytes in .fastram\n", correct, SAMPLE_COUNT, (unsigned)DIGITS_ARENA_BYTES);
    return 0;
}
