/* SPDX-License-Identifier: MIT-0
 * Two networks that never run at the same time, in one arena as large as the larger of the two. */
#include <stdio.h>

#include "digits.h"
#include "samples.h"
#include "words.h"

/* A union is as large as its largest member; the double aligns it, the attribute aligns it further where needed. */
static union {
    double align;
    uint8_t digits[DIGITS_ARENA_BYTES];
    uint8_t words[WORDS_ARENA_BYTES];
} arena __attribute__((aligned(DIGITS_ARENA_ALIGN > WORDS_ARENA_ALIGN ? DIGITS_ARENA_ALIGN : WORDS_ARENA_ALIGN)));

static int digit(const sample *s) {
    float *image = digits_input_image(&arena);
    const float *scores;
    unsigned i, best = 0;
    for (i = 0; i < DIGITS_IN_IMAGE_COUNT; i++) image[i] = (float)(s->pixels[i] - 'a') / 16.0f;
    if (digits_run(&arena) != DIGITS_OK) return -1;
    scores = digits_output_scores(&arena);
    for (i = 1; i < DIGITS_OUT_SCORES_COUNT; i++) {
        if (scores[i] > scores[best]) best = i;
    }
    return (int)best;
}

static float word(void) {
    float *in = words_input_features(&arena);
    unsigned i;
    for (i = 0; i < WORDS_IN_FEATURES_COUNT; i++) in[i] = (float)(i % 11) / 11.0f - 0.5f;
    return words_run(&arena) == WORDS_OK ? words_output_scores(&arena)[0] : -1.0f;
}

int main(void) {
    const float first = word();
    int s, correct = 0;
    for (s = 0; s < 20; s++) correct += digit(&samples[s]) == samples[s].label && word() == first;
    printf("%d of 20 digits, words unchanged in between; one arena of %u bytes instead of %u + %u\n", correct, (unsigned)sizeof arena,
           (unsigned)DIGITS_ARENA_BYTES, (unsigned)WORDS_ARENA_BYTES);
    return correct >= 18 ? 0 : 1;
}
