/* SPDX-License-Identifier: MIT-0 */
#include "tarn_mel_f32.h"

#include "tarn_math_exp.h"
#include "tarn_math_floor.h"
#include "tarn_math_log.h"

/* 2595 log10(1 + f / 700), by the natural logarithm. */
static double mel_of_f32(double f)
{
    return 1126.9941805389994 * tarn_log(1.0 + (f / 700.0));
}

/* The bin in which the end of band `band` lies, within the spectrum. */
static int32_t mel_bin_f32(double first, double step, int32_t band, double scale, int32_t bins)
{
    const double mel = first + (step * (double)band);
    const double bin = tarn_floor(scale * 700.0 * (tarn_exp(mel / 1126.9941805389994) - 1.0));
    if (!(bin > 0)) {
        return 0;
    }
    return (bin < (double)bins) ? (int32_t)bin : bins;
}

static int64_t mel_number_f32(const void *number, int32_t wide)
{
    if (wide) {
        return *(const int64_t *)number;
    }
    return *(const int32_t *)number;
}

TARN_API int32_t tarn_mel_f32(const tarn_mel_f32_params *p, const void *bands, const void *length, const void *rate,
                              const float *lower, const float *upper, tarn_f32 *y)
{
    const int64_t points = mel_number_f32(length, p->wide);
    const int64_t samples = mel_number_f32(rate, p->wide);
    const double first = mel_of_f32((double)*lower);
    const double step = (mel_of_f32((double)*upper) - first) / (double)(p->bands + 2);
    const double scale = ((double)points + 1.0) / (double)samples;
    int32_t b;
    if ((mel_number_f32(bands, p->wide) != p->bands) || (points < 0) || (((points / 2) + 1) != p->bins) || (samples < 1)) {
        return -1;
    }
    for (b = 0; b < (p->bins * p->bands); ++b) {
        y[b] = tarn_store_f32((tarn_acc_f32)0);
    }
    for (b = 0; b < p->bands; ++b) {
        const int32_t from = mel_bin_f32(first, step, b, scale, p->bins);
        const int32_t peak = mel_bin_f32(first, step, b + 1, scale, p->bins);
        const int32_t to = mel_bin_f32(first, step, b + 2, scale, p->bins);
        int32_t i;
        for (i = from; (i <= peak) && (i < p->bins); ++i) {
            const double rise = (peak > from) ? ((double)(i - from) / (double)(peak - from)) : 1.0;
            y[(i * p->bands) + b] = tarn_store_f32((tarn_acc_f32)rise);
        }
        for (i = peak; (i < to) && (i < p->bins); ++i) {
            y[(i * p->bands) + b] = tarn_store_f32((tarn_acc_f32)((double)(to - i) / (double)(to - peak)));
        }
    }
    return 0;
}
