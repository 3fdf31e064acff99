/* SPDX-License-Identifier: MIT-0 */
#include "tarn_requant.h"

/* 0 < v < 2^56 to the 24 bits of a float32, ties to even; exponent: what their last bit counts, v's counting as told. */
TARN_SMALL static int32_t requant_rounded(int64_t v, int32_t *exponent)
{
    int64_t v_now = v;
    int32_t high;
    *exponent += 32;
    while (v_now < ((int64_t)1 << 55)) {
        v_now += v_now;
        --*exponent;
    }
    high = (int32_t)(v_now >> 32);
    return high + (((uint32_t)v_now > (0x80000000u - ((uint32_t)high & 1u))) ? 1 : 0);
}

/* The code of floats at the step from code - 1 to code. Their quotient is compared with the odd half between the two: within half
 * of the last of 24 bits it was rounded to it, which is a tie. Beneath 0.5 such a bit is half as much. */
TARN_SMALL static int32_t requant_floats(const tarn_requant_params *p, int32_t code, int32_t key, int32_t m)
{
    const int32_t number = code - p->zero;
    const int32_t sign = (number > 0) ? 1 : -1;
    const int32_t size = sign * key;
    int32_t odd = sign * ((2 * number) - 1);
    int32_t beneath = p->unit;
    int32_t exponent = p->pre - p->post - 31;
    const int32_t scale = requant_rounded((int64_t)m * p->unit, &exponent);
    const int32_t quotient = requant_rounded((int64_t)scale * size, &exponent);
    int64_t off;
    if (odd == 1) {
        beneath >>= 1;
    }
    while (odd < 0x1000000) {
        odd *= 2;
        ++exponent;
    }
    off = ((int64_t)quotient * (int32_t)((uint32_t)1 << exponent)) - ((int64_t)odd * p->unit);
    if (off > p->unit) {
        return code - ((sign > 0) ? 0 : 1);
    }
    if (off < -beneath) {
        return code - ((sign > 0) ? 1 : 0);
    }
    return code - (number & 1);
}

TARN_API int32_t tarn_requant_near(const tarn_requant_params *p, const int32_t *exceptions, int32_t channel,
                                   int32_t key, int32_t t, int32_t m)
{
    int32_t t_left = t;
    int32_t q;
    t_left -= p->half_zone;
    if (p->unit != 0) {
        q = (t_left + (int32_t)((uint32_t)1 << (p->post - 1))) >> p->post;
        if ((q > p->lo) && (q <= p->hi)) {
            return requant_floats(p, q, key, m);
        }
        return tarn_requant_clamp(p, q);
    }
    q = t_left >> p->post;
    if ((((q + p->parity) & 1) != 0) && ((t_left & (int32_t)(((uint32_t)1 << p->post) - 1u)) < p->tie)) {
        --q;
    }
    if (exceptions != NULL) {
        /* The last one that does not begin behind the key. */
        const int32_t begin = exceptions[channel];
        int32_t low = begin;
        int32_t high = exceptions[channel + 1];
        while (low < high) {
            const int32_t middle = low + (((high - low) >> 2) * 2);
            if (exceptions[middle] <= key) {
                low = middle + 2;
            } else {
                high = middle;
            }
        }
        if (low > begin) {
            const uint32_t into = (uint32_t)key - (uint32_t)exceptions[low - 2];
            if (into < ((uint32_t)exceptions[low - 1] >> 8)) {
                const int32_t code = exceptions[low - 1] & 255;
                return (code ^ 128) - 128;
            }
        }
    }
    return tarn_requant_clamp(p, q);
}
