/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dsp4_block.h"
#include "tarn_int_dsp_narrow.h"

#if TARN_INT_DSP_ASM

/* Pairs of a as their low bits; whole bytes, with b. */
#define TARN_INT_DSP4_WEIGHTS                                                                             \
    "ldr r11,[r1],#4\nsxtb16 r8,r11\nsxtb16 r11,r11,ror #8\nand r6,r8,#0xf000f\nand r7,r11,#0xf000f\n"
/* The sums of a and b: begin(b) + (whole - low) / 16, and low - 8 * sum of the patch. */
#define TARN_INT_DSP4_TAKE_APART                                                                          \
    "ldr r6,[sp,#8]\nldr r7,[r6,#4]\nsub r5,r2\nsub r12,r3\nsub lr,r4\n"                             \
    "add r5,r7,r5,asr #4\nadd r12,r7,r12,asr #4\nadd lr,r7,lr,asr #4\n"                                \
    "ldrd r7,r8,[sp,#80]\nldr r9,[sp,#88]\nsub r2,r7\nsub r3,r8\nsub r4,r9\n"

TARN_NAKED TARN_API void tarn_int_dsp4_block(const tarn_int_dsp4_block_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED)
{
    __asm__(TARN_INT_DSP_NARROW_BLOCK("0x80008", TARN_INT_DSP4_WEIGHTS, TARN_INT_DSP4_WEIGHTS, TARN_INT_DSP4_TAKE_APART) : : "i"(tarn_int_dsp_near));
}

#else

static void int_dsp4_weights(const int8_t *w, int32_t k, int32_t *a, int32_t *b)
{
    *a = (int32_t)((uint32_t)w[k] & 15u) - 8;
    *b = (w[k] - (int32_t)((uint32_t)w[k] & 15u)) / 16;
}

TARN_API void tarn_int_dsp4_block(const tarn_int_dsp4_block_state *state, const int8_t *w)
{
    tarn_int_dsp_any_block(state, w, 4, 4, int_dsp4_weights);
}

#endif
