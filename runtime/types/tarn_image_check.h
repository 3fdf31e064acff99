/* SPDX-License-Identifier: MIT-0
 * Whether an image of weights belongs to this code, and has arrived whole. An image begins with 64 bytes, numbers least
 * byte first: "TARNWGTS"; the format, 1; 0; 64 bits that stand for the plan whose code reads it; the bytes of the whole
 * image; the CRC-32 (of Ethernet and zip) of all other bytes of the image in order; the SHA-256 of the model. */
#ifndef TARN_IMAGE_CHECK_H
#define TARN_IMAGE_CHECK_H

#include "tarn.h"

TARN_BEGIN_C

/* The plan, its first half in `plan_high`, and the bytes of its images. */
typedef struct {
    uint32_t plan_high, plan_low, bytes;
} tarn_image_check_params;

/* 0: it does; -1: it is no image, or one of another format or plan; -2: it is cut or damaged. `readable`: how many
 * bytes there are at `image`; no other is read. `whole` 0: its header alone is looked at. */
TARN_API int32_t tarn_image_check(const tarn_image_check_params *p, const void *image, uint32_t readable, int32_t whole);

TARN_END_C
#endif
