/* SPDX-License-Identifier: MIT-0
 * Four floats at a time with the M-profile vector extension (Cortex-M55): products are added fused, numbers below the normal
 * range are zero, and a NaN is the default one. Elsewhere plain C, which rounds a product before it is added. */
#ifndef TARN_FOURS_MVE_F32_H
#define TARN_FOURS_MVE_F32_H

#include "tarn.h"

#if TARN_GNU && defined(__ARM_FEATURE_MVE)
#define TARN_MVE_FLOATS ((__ARM_FEATURE_MVE & 2) != 0)
#else
#define TARN_MVE_FLOATS 0
#endif
#define TARN_MVE_FLOAT_ASM (TARN_MVE_FLOATS && TARN_USE_ASM)
/* Also with predicates: clang has no name for their register. */
#if defined(__clang__)
#define TARN_MVE_SOME_ASM 0
#else
#define TARN_MVE_SOME_ASM TARN_MVE_FLOAT_ASM
#endif

#if TARN_MVE_FLOATS
#include <arm_mve.h>
typedef float32x4_t tarn_fours_mve_f32;
typedef mve_pred16_t tarn_some_mve_f32;
#else
typedef struct {
    float at[4];
} tarn_fours_mve_f32;
typedef int32_t tarn_some_mve_f32;
#endif

/* The first `count` lanes: all four from there on. */
TARN_FORCE_INLINE tarn_some_mve_f32 tarn_first_mve_f32(int32_t count)
{
#if TARN_MVE_FLOATS
    return vctp32q((uint32_t)count);
#else
    return (count < 4) ? count : 4;
#endif
}

TARN_FORCE_INLINE void tarn_all_mve_f32(tarn_fours_mve_f32 *to, float value)
{
#if TARN_MVE_FLOATS
    *to = vdupq_n_f32(value);
#else
    int32_t i;
    for (i = 0; i < 4; ++i) {
        to->at[i] = value;
    }
#endif
}

TARN_FORCE_INLINE void tarn_get_mve_f32(tarn_fours_mve_f32 *to, const float *from)
{
#if TARN_MVE_FLOATS
    *to = vldrwq_f32(from);
#else
    int32_t i;
    for (i = 0; i < 4; ++i) {
        to->at[i] = from[i];
    }
#endif
}

/* Lanes that are not among them are zero, and not read. */
TARN_FORCE_INLINE void tarn_get_some_mve_f32(tarn_fours_mve_f32 *to, const float *from, tarn_some_mve_f32 some)
{
#if TARN_MVE_FLOATS
    *to = vldrwq_z_f32(from, some);
#else
    int32_t i;
    for (i = 0; i < 4; ++i) {
        to->at[i] = (i < some) ? from[i] : 0.0F;
    }
#endif
}

TARN_FORCE_INLINE void tarn_put_mve_f32(float *to, const tarn_fours_mve_f32 *from)
{
#if TARN_MVE_FLOATS
    vstrwq_f32(to, *from);
#else
    int32_t i;
    for (i = 0; i < 4; ++i) {
        to[i] = from->at[i];
    }
#endif
}

TARN_FORCE_INLINE void tarn_put_some_mve_f32(float *to, const tarn_fours_mve_f32 *from, tarn_some_mve_f32 some)
{
#if TARN_MVE_FLOATS
    vstrwq_p_f32(to, *from, some);
#else
    int32_t i;
    for (i = 0; i < some; ++i) {
        to[i] = from->at[i];
    }
#endif
}

/* s += w * x, lane by lane. */
TARN_FORCE_INLINE void tarn_mac_mve_f32(tarn_fours_mve_f32 *s, const tarn_fours_mve_f32 *w, const tarn_fours_mve_f32 *x)
{
#if TARN_MVE_FLOATS
    *s = vfmaq_f32(*s, *w, *x);
#else
    int32_t i;
    for (i = 0; i < 4; ++i) {
        s->at[i] += w->at[i] * x->at[i];
    }
#endif
}

/* s += w * x with one x for all lanes. */
TARN_FORCE_INLINE void tarn_mac_all_mve_f32(tarn_fours_mve_f32 *s, const tarn_fours_mve_f32 *w, float x)
{
#if TARN_MVE_FLOATS
    *s = vfmaq_n_f32(*s, *w, x);
#else
    int32_t i;
    for (i = 0; i < 4; ++i) {
        s->at[i] += w->at[i] * x;
    }
#endif
}

TARN_FORCE_INLINE void tarn_add_mve_f32(tarn_fours_mve_f32 *s, const tarn_fours_mve_f32 *x)
{
#if TARN_MVE_FLOATS
    *s = vaddq_f32(*s, *x);
#else
    int32_t i;
    for (i = 0; i < 4; ++i) {
        s->at[i] += x->at[i];
    }
#endif
}

/* NaN passes through: of comparisons with one "greater" is false, "less" is true. */
TARN_FORCE_INLINE void tarn_clamp_mve_f32(tarn_fours_mve_f32 *s, float lo, float hi)
{
#if TARN_MVE_SOME_ASM
    /* GCC takes predicates through a general register. */
    __asm__("vdup.32 q7,%1\n\tvpt.f32 gt,q7,%q0\n\tvdupt.32 %q0,%1\n\tvpt.f32 gt,%q0,%2\n\tvdupt.32 %q0,%2"
            : "+w"(*s)
            : "r"(lo), "r"(hi)
            : "q7", "p0");
#elif TARN_MVE_FLOATS
    *s = vdupq_m_n_f32(*s, lo, vcmpgtq_f32(vdupq_n_f32(lo), *s));
    *s = vdupq_m_n_f32(*s, hi, vcmpgtq_n_f32(*s, hi));
#else
    int32_t i;
    for (i = 0; i < 4; ++i) {
        s->at[i] = (s->at[i] < lo) ? lo : s->at[i];
        s->at[i] = (s->at[i] > hi) ? hi : s->at[i];
    }
#endif
}

#endif
