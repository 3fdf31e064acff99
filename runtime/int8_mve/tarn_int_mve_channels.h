/* SPDX-License-Identifier: MIT-0
 * Sums over taps for sixteen channels at a time, for processors with the M-profile vector extension, in plain C elsewhere. */
#ifndef TARN_INT_MVE_CHANNELS_H
#define TARN_INT_MVE_CHANNELS_H

#include "tarn_int_mve.h"

TARN_BEGIN_C

/* All channels of one pixel. The assembly counts on the order of the members up to `sums`. */
typedef struct {
    const int8_t *const *taps;  /* channel 0 under each tap */
    int32_t pairs, odd;         /* taps: 2 * pairs + odd */
    int8_t *y;                  /* channel 0 */
    int32_t last;               /* the first channel of the last sixteen */
    int32_t pre, down;          /* of the form; down: 24 less post */
    int32_t closer;             /* 0: no zones; the mask, or 1: sums are kept */
    int32_t bytes;              /* of the weights of sixteen channels */
    int32_t channels;
    int32_t sums[16];           /* [4][4]: of four channels 0, then 2, 1 and 3 */
    const tarn_requant_params *p;
    const int32_t *exceptions;
} tarn_int_mve_channels_state;

/* Writes a pixel. Sixteens begin at channel 0, 16, ...; the last of them ends with the last channel. w: [sixteens][taps][16], where the
 * products of taps 2i + odd and the next one add up within 16 bits; q: by sixteen {begin, m, c} in the order of `sums`. */
TARN_API void tarn_int_mve_channels(tarn_int_mve_channels_state *s, const int8_t *w, const int32_t *q);

/* Writes the sixteen channels from `channel` on, as far as they are there, from s->sums, which need no longer be kept then. */
TARN_API void tarn_int_mve_channels_near(tarn_int_mve_channels_state *s, const int32_t *q, int32_t channel);

/* Moves n pointers. */
TARN_FORCE_INLINE void tarn_int_mve_forward(const int8_t **taps, int32_t n, int32_t bytes)
{
#if TARN_INT_MVE_ASM
    __asm__ volatile("wlstp.32 lr,%1,1f\n"
                     "2:\n\tvldrw.32 q0,[%0]\n\tvadd.i32 q0,q0,%2\n\tvstrw.32 q0,[%0],#16\n\tletp lr,2b\n1:"
                     : "+r"(taps)
                     : "r"(n), "r"(bytes)
                     : "lr", "q0", "memory");
#else
    while (--n >= 0) {
        *taps++ += bytes;
    }
#endif
}

TARN_END_C
#endif
