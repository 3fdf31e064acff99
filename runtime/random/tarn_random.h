/* SPDX-License-Identifier: MIT-0
 * Numbers that look random: the i-th depends on the seed and i alone, so every run and every machine has the same ones. */
#ifndef TARN_RANDOM_H
#define TARN_RANDOM_H

#include "tarn.h"

/* 64 bits; SplitMix64 of Steele, Lea and Flood (OOPSLA 2014). */
TARN_INLINE uint64_t tarn_random_bits(int32_t seed, int32_t i)
{
    uint64_t z = ((uint64_t)(uint32_t)seed << 32) + (((uint64_t)(uint32_t)i + 1u) * 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* In [0, 1), a multiple of 2^-24: exact in float and double. */
TARN_INLINE float tarn_random_unit(int32_t seed, int32_t i)
{
    return (float)(int32_t)(tarn_random_bits(seed, i) >> 40) * 0.000000059604644775390625f;
}

#endif
