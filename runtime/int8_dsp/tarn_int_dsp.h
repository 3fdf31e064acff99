/* SPDX-License-Identifier: MIT-0
 * Pairs of 16-bit products for processors with them (Cortex-M4, M7, M33, M55), in plain C elsewhere. Codes are widened four at a
 * time into two words, (0, 2) and (1, 3), so that codes and weights meet without being reordered. */
#ifndef TARN_INT_DSP_H
#define TARN_INT_DSP_H

#include "tarn_requant.h"

/* The loops in assembly need nearly every register, which only a naked function gets from every compiler. */
#if TARN_USE_ASM && defined(__ARM_FEATURE_DSP) && defined(__thumb2__)
#define TARN_INT_DSP_ASM 1
#else
#define TARN_INT_DSP_ASM 0
#endif

#endif
