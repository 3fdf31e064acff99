/* SPDX-License-Identifier: MIT-0
 * Averages of eight neighbouring channels of codes at a time with AVX2, each in the order and with the roundings of
 * tarn_qlinear_averagepool.c. */
#ifndef TARN_QLINEAR_AVERAGE_AVX2_H
#define TARN_QLINEAR_AVERAGE_AVX2_H

#include "tarn_qlinear_averagepool.h"

#if TARN_USE_ASM && defined(__AVX2__)
#define TARN_QLINEAR_AVERAGE_AVX2 1
#else
#define TARN_QLINEAR_AVERAGE_AVX2 0
#endif

#if TARN_QLINEAR_AVERAGE_AVX2

#include <immintrin.h>

/* The averages of channels first to first + 7, channels last, around an output whose kernel begins at `at`. */
TARN_INLINE void tarn_qlinear_average_avx2(const tarn_qlinear_averagepool_params *p, const uint8_t *x, const int32_t *at, float scale,
                                           int32_t zero, float *to)
{
    const __m256i zeros = _mm256_set1_epi32(zero);
    const __m256 scales = _mm256_set1_ps(scale);
    __m256 sum = _mm256_setzero_ps();
    int32_t cells = 0;
    int32_t i;
    int32_t j;
    int32_t k;
    for (i = 0; i < p->kernel[0]; ++i) {
        for (j = 0; j < p->kernel[1]; ++j) {
            for (k = 0; k < p->kernel[2]; ++k) {
                const int32_t z = at[0] + (i * p->dilation[0]);
                const int32_t line = at[1] + (j * p->dilation[1]);
                const int32_t column = at[2] + (k * p->dilation[2]);
                if ((z >= 0) && (z < p->in[0]) && (line >= 0) && (line < p->in[1]) && (column >= 0) && (column < p->in[2])) {
                    const ptrdiff_t from = (ptrdiff_t)(((((z * p->in[1]) + line) * p->in[2]) + column) * p->channels);
                    const __m128i bytes = _mm_loadl_epi64((const __m128i *)(const void *)(x + from));
                    const __m256i codes = (p->lo < 0) ? _mm256_cvtepi8_epi32(bytes) : _mm256_cvtepu8_epi32(bytes);
                    sum = _mm256_add_ps(sum, _mm256_mul_ps(scales, _mm256_cvtepi32_ps(_mm256_sub_epi32(codes, zeros))));
                    ++cells;
                }
            }
        }
    }
    cells = (p->include_pad != 0) ? (p->kernel[0] * p->kernel[1] * p->kernel[2]) : cells;
    sum = (cells > 0) ? _mm256_div_ps(sum, _mm256_set1_ps((float)cells)) : _mm256_setzero_ps();
    _mm256_storeu_ps(to, sum);
}

#endif
#endif
