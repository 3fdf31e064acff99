/* SPDX-License-Identifier: MIT-0
 * tarn_requant() for the inner loops of kernels for processors with 16-bit products: what a layer has for all channels
 * stands in local variables. */
#ifndef TARN_INT_DSP_REQUANT_H
#define TARN_INT_DSP_REQUANT_H

#include "tarn_int_dsp.h"
#include "tarn_requant.h"

TARN_BEGIN_C

typedef struct {
    const tarn_requant_params *p;
    const int32_t *exceptions;
    int32_t pre, post, mask;
    int32_t bounded;            /* the codes are clamped to less than int8 holds */
} tarn_int_dsp_form;

TARN_FORCE_INLINE tarn_int_dsp_form tarn_int_dsp_form_of(const tarn_requant_params *p, const int32_t *exceptions)
{
    tarn_int_dsp_form f;
    f.p = p;
    f.exceptions = exceptions;
    f.pre = p->pre;
    f.post = p->post;
    f.mask = p->mask;
    f.bounded = (p->lo > -128) || (p->hi < 127);
    return f;
}

TARN_FORCE_INLINE int8_t tarn_int_dsp_requant(const tarn_int_dsp_form *f, int32_t channel, int32_t acc, int32_t m, int32_t c)
{
    int32_t t;
    int32_t q;
#if TARN_INT_DSP_ASM
    __asm__("lsl %0,%1,%2\n\tsmmla %0,%0,%3,%4" : "=&r"(t) : "r"(acc), "r"(f->pre), "r"(m), "r"(c));
#else
    t = c + tarn_mulhi_s32((int32_t)((uint32_t)acc << f->pre), m);
#endif
    if ((t & f->mask) == 0) {
        return (int8_t)tarn_requant_near(f->p, f->exceptions, channel, acc, t, m);
    }
    if (f->bounded != 0) {
        return (int8_t)tarn_requant_clamp(f->p, t >> f->post);
    }
#if TARN_INT_DSP_ASM
    __asm__("ssat %0,#8,%1" : "=r"(q) : "r"(t >> f->post));
#else
    q = t >> f->post;
    q = (q < -128) ? -128 : q;
    q = (q > 127) ? 127 : q;
#endif
    return (int8_t)q;
}

TARN_END_C
#endif
