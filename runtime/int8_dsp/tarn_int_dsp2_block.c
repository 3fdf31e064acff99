/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dsp2_block.h"
#include "tarn_int_dsp_narrow.h"

#if TARN_INT_DSP_ASM

/* Pairs of a as their two bits; both outputs': of a word's low bits, then of its high ones. */
#define TARN_INT_DSP2_APART "and r6,r8,#0x30003\nand r7,r11,#0x30003\n"
#define TARN_INT_DSP2_LOW "ldr r11,[r1]\nand r8,r11,#0xf000f\nlsr r11,#8\nand r11,#0xf000f\n" TARN_INT_DSP2_APART
#define TARN_INT_DSP2_HIGH                                                                                \
    "ldr r11,[r1],#4\nlsr r8,r11,#4\nand r8,#0xf000f\nlsr r11,#12\nand r11,#0xf000f\n" TARN_INT_DSP2_APART
/* The sums of a and b: low, and begin(b) + (both - low) / 4, each less 2 * sum of the patch. */
#define TARN_INT_DSP2_TAKE_APART                                                                          \
    "ldr r6,[sp,#8]\nldr r7,[r6,#4]\nsub r5,r2\nsub r12,r3\nsub lr,r4\n"                             \
    "add r5,r7,r5,asr #2\nadd r12,r7,r12,asr #2\nadd lr,r7,lr,asr #2\n"                                \
    "ldrd r7,r8,[sp,#80]\nldr r9,[sp,#88]\nsub r2,r7\nsub r3,r8\nsub r4,r9\n"                        \
    "sub r5,r7\nsub r12,r8\nsub lr,r9\n"

TARN_NAKED TARN_API void tarn_int_dsp2_block(const tarn_int_dsp2_block_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED)
{
    __asm__(TARN_INT_DSP_NARROW_BLOCK("0x20002", TARN_INT_DSP2_LOW, TARN_INT_DSP2_HIGH, TARN_INT_DSP2_TAKE_APART) : : "i"(tarn_int_dsp_near));
}

#else

static void int_dsp2_weights(const int8_t *w, int32_t k, int32_t *a, int32_t *b)
{
    const uint32_t both = ((uint32_t)w[k % 4] >> (k / 4 * 4)) & 15u;
    *a = (int32_t)(both & 3u) - 2;
    *b = (int32_t)(both >> 2) - 2;
}

TARN_API void tarn_int_dsp2_block(const tarn_int_dsp2_block_state *state, const int8_t *w)
{
    tarn_int_dsp_any_block(state, w, 4, 8, int_dsp2_weights);
}

#endif
