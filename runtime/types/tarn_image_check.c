/* SPDX-License-Identifier: MIT-0 */
#include "tarn_image_check.h"

#define TARN_IMAGE_CHECK_HEADER 64u
#define TARN_IMAGE_CHECK_CRC_AT 28u

static uint32_t tarn_image_check_word(const uint8_t *at)
{
    return (uint32_t)at[0] | ((uint32_t)at[1] << 8) | ((uint32_t)at[2] << 16) | ((uint32_t)at[3] << 24);
}

/* Four bits at a time: a table of bytes would be a kilobyte. */
static uint32_t tarn_image_check_crc(uint32_t crc, const uint8_t *at, uint32_t bytes)
{
    static const uint32_t table[16] = {0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu, 0x76dc4190u, 0x6b6b51f4u,
                                       0x4db26158u, 0x5005713cu, 0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
                                       0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};
    uint32_t i;
    for (i = 0; i < bytes; ++i) {
        crc ^= at[i];
        crc = (crc >> 4) ^ table[crc & 15u];
        crc = (crc >> 4) ^ table[crc & 15u];
    }
    return crc;
}

TARN_API int32_t tarn_image_check(const tarn_image_check_params *p, const void *image, uint32_t readable, int32_t whole)
{
    static const uint8_t magic[8] = {0x54u, 0x41u, 0x52u, 0x4eu, 0x57u, 0x47u, 0x54u, 0x53u}; /* TARNWGTS */
    const uint8_t *at = (const uint8_t *)image;
    uint32_t crc = 0xffffffffu, i;
    if (readable < TARN_IMAGE_CHECK_HEADER) {
        return -2;
    }
    for (i = 0; i < 8u; ++i) {
        if (at[i] != magic[i]) {
            return -1;
        }
    }
    if (tarn_image_check_word(at + 8) != 1u || tarn_image_check_word(at + 16) != p->plan_low ||
        tarn_image_check_word(at + 20) != p->plan_high || tarn_image_check_word(at + 24) != p->bytes) {
        return -1;
    }
    if (readable < p->bytes) {
        return -2;
    }
    if (whole == 0) {
        return 0;
    }
    crc = tarn_image_check_crc(crc, at, TARN_IMAGE_CHECK_CRC_AT);
    crc = tarn_image_check_crc(crc, at + TARN_IMAGE_CHECK_CRC_AT + 4u, p->bytes - TARN_IMAGE_CHECK_CRC_AT - 4u);
    return (crc ^ 0xffffffffu) == tarn_image_check_word(at + TARN_IMAGE_CHECK_CRC_AT) ? 0 : -2;
}
