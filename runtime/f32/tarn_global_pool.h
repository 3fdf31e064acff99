/* SPDX-License-Identifier: MIT-0
 * What pools over whole images have in common. */
#ifndef TARN_GLOBAL_POOL_H
#define TARN_GLOBAL_POOL_H

#include "tarn.h"

/* Images channels last; `pixels` counts those of one image, x_pitch elements apart. option: p of the Lp norm. */
typedef struct {
    int32_t images, pixels, channels, x_pitch, option;
} tarn_global_pool_params;

#endif
