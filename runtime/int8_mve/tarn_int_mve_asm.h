/* SPDX-License-Identifier: MIT-0
 * Whether the M-profile vector extension (Cortex-M55) is there and may be written in assembly. */
#ifndef TARN_INT_MVE_ASM_H
#define TARN_INT_MVE_ASM_H

#include "tarn.h"

#if TARN_USE_ASM && defined(__ARM_FEATURE_MVE) && defined(__thumb2__)
#define TARN_INT_MVE_ASM 1
#else
#define TARN_INT_MVE_ASM 0
#endif

#endif
