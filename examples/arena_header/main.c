/* SPDX-License-Identifier: MIT-0
 * The firmware's own kernels, at the addresses that tarn planned. */
#define FRONTEND_ARENA_IMPLEMENTATION
#include "frontend_arena.h"

#include <stdio.h>

static void smooth(const float *x, float *y, int n) {
    int i;
    for (i = 0; i < n; i++) y[i] = 0.5f * x[i] + 0.25f * (x[i > 0 ? i - 1 : 0] + x[i < n - 1 ? i + 1 : n - 1]);
}

static void decimate(const float *x, float *y, int n) {
    int i;
    for (i = 0; i < n; i++) y[i] = x[2 * i];
}

static void energy(const float *x, float *y, int bands, int width) {
    int b, i;
    for (b = 0; b < bands; b++) {
        float sum = 0;
        for (i = 0; i < width; i++) sum += x[b * width + i] * x[b * width + i];
        y[b] = sum;
    }
}

int main(void) {
    float *samples = FRONTEND_PTR_SAMPLES(frontend_arena);
    const float *bands = FRONTEND_PTR_ENERGY(frontend_arena);
    int i;
    for (i = 0; i < 512; i++) samples[i] = (float)(i % 64 < 32 ? 1 : -1) * (float)i / 512.0f;
    smooth(samples, FRONTEND_PTR_SMOOTH(frontend_arena), 512);
    decimate(FRONTEND_PTR_SMOOTH(frontend_arena), FRONTEND_PTR_HALF(frontend_arena), 256);
    energy(FRONTEND_PTR_HALF(frontend_arena), FRONTEND_PTR_ENERGY(frontend_arena), 8, 32);
    printf("arena %u bytes;", (unsigned)FRONTEND_ARENA_BYTES);
    /* In thousandths: to print floating point, small C libraries want a heap. */
    for (i = 0; i < 8; i++) {
        const long thousandths = (long)(bands[i] * 1000.0f + 0.5f);
        printf(" %ld.%03ld", thousandths / 1000, thousandths % 1000);
    }
    printf("\n");
    return 0;
}
