/* SPDX-License-Identifier: MIT-0
 * Feeds a recurrent network frame by frame: its memory stays in the arena from run to run. At the end the scores are those
 * of the same network run over all frames at once. */
#include <stdio.h>

#include "keyword.h"
#include "whole.h"

#define FRAMES (WHOLE_IN_FEATURES_COUNT / KEYWORD_IN_FEATURES_COUNT)

static float feature(unsigned frame, unsigned i) { return (float)((frame * 7 + i * 3) % 11) / 11.0f - 0.5f; }

int main(void) {
    unsigned f, i, same = 1;
    keyword_reset(keyword_arena);
    for (f = 0; f < FRAMES; f++) {
        float *in = keyword_input_features(keyword_arena);
        for (i = 0; i < KEYWORD_IN_FEATURES_COUNT; i++) in[i] = feature(f, i);
        if (keyword_run(keyword_arena) != KEYWORD_OK) return 1;
    }
    for (f = 0; f < FRAMES; f++) {
        for (i = 0; i < KEYWORD_IN_FEATURES_COUNT; i++) {
            whole_input_features(whole_arena)[f * KEYWORD_IN_FEATURES_COUNT + i] = feature(f, i);
        }
    }
    if (whole_run(whole_arena) != WHOLE_OK) return 1;
    for (i = 0; i < KEYWORD_OUT_SCORES_COUNT; i++) {
        const float a = keyword_output_scores(keyword_arena)[i], b = whole_output_scores(whole_arena)[i];
        printf("class %u: %.6f frame by frame, %.6f at once\n", i, (double)a, (double)b);
        if (a - b > 1e-6f || b - a > 1e-6f) same = 0;
    }
    printf("arena %u bytes frame by frame, %u at once\n", (unsigned)KEYWORD_ARENA_BYTES, (unsigned)WHOLE_ARENA_BYTES);
    return same ? 0 : 1;
}
