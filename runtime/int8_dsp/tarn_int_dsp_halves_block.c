/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dsp_halves_block.h"
#include "tarn_int_dsp_bytes.h"

#if TARN_INT_DSP_ASM

/* Low bytes of both words; all of them. */
#define TARN_INT_DSP_HALVES_WEIGHTS "ldrd r8,r11,[r1],#8\n\tsxtb16 r6,r8\n\tsxtb16 r7,r11\n\t"
/* An eight takes 144 bytes, and 104 of two patches. */
#define TARN_INT_DSP_HALVES_EIGHTS_OF_CODE "add r6,r6,r6,lsl #3\n\tlsls r6,r6,#4\n\t"
#define TARN_INT_DSP_HALVES_EIGHTS_OF_TWO_OF_CODE "add r6,r6,r12,lsl #2\n\tlsls r6,r6,#3\n\t"
/* All sums begin as the first output's. Those of the second: begin(b) + (all - low) / 256. */
#define TARN_INT_DSP_HALVES_BEGIN "ldr.n r2,[r0]\n\tmov r5,r2\n\t"
#define TARN_INT_DSP_HALVES_TAKE_APART                                                                          \
    "ldr r6,[sp,#8]\n\tldr r7,[r6,#4]\n\tsub r5,r2\n\tsub r12,r3\n\tsub lr,r4\n\t"                      \
    "add r5,r7,r5,asr #8\n\tadd r12,r7,r12,asr #8\n\tadd lr,r7,lr,asr #8\n\t"

TARN_NAKED TARN_API void tarn_int_dsp_halves_block(const tarn_int_dsp_halves_block_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED)
{
    __asm__(TARN_INT_DSP_BYTES_BLOCK(TARN_INT_DSP_HALVES_BEGIN, TARN_INT_DSP_HALVES_WEIGHTS, TARN_INT_DSP_HALVES_EIGHTS_OF_CODE,
                                     TARN_INT_DSP_HALVES_EIGHTS_OF_TWO_OF_CODE, TARN_INT_DSP_HALVES_TAKE_APART)
            : : "i"(tarn_int_dsp_near));
}

#else

static void int_dsp_halves_weights(const int8_t *w, int32_t k, int32_t *a, int32_t *b)
{
    static const int32_t place[4] = {0, 4, 2, 6};
    *a = w[place[k]];
    *b = w[place[k] + 1] + ((*a < 0) ? 1 : 0);
}

TARN_API void tarn_int_dsp_halves_block(const tarn_int_dsp_halves_block_state *state, const int8_t *w)
{
    tarn_int_dsp_any_block(state, w, 8, 4, int_dsp_halves_weights);
}

#endif
