/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dsp_block.h"
#include "tarn_int_dsp_bytes.h"

#if TARN_INT_DSP_ASM

#define TARN_INT_DSP_WEIGHTS                                                                              \
    "ldrd r6,r8,[r1],#8\n\t"                                                                              \
    "sxtb16 r7,r6,ror #8\n\tsxtb16 r6,r6\n\tsxtb16 r11,r8,ror #8\n\tsxtb16 r8,r8\n\t"
/* An eight takes 160 bytes, and 120 of two patches. */
#define TARN_INT_DSP_EIGHTS_OF_CODE "add r6,r6,r6,lsl #2\n\tlsls r6,r6,#5\n\t"
#define TARN_INT_DSP_EIGHTS_OF_TWO_OF_CODE "rsb r6,r6,r6,lsl #4\n\tlsls r6,r6,#3\n\t"

TARN_NAKED TARN_API void tarn_int_dsp_block(const tarn_int_dsp_block_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED)
{
    __asm__(TARN_INT_DSP_BYTES_BLOCK("ldrd r2,r5,[r0]\n\t", TARN_INT_DSP_WEIGHTS, TARN_INT_DSP_EIGHTS_OF_CODE, TARN_INT_DSP_EIGHTS_OF_TWO_OF_CODE, "")
            : : "i"(tarn_int_dsp_near));
}

#else

static void int_dsp_weights(const int8_t *w, int32_t k, int32_t *a, int32_t *b)
{
    *a = w[k];
    *b = w[k + 4];
}

TARN_API void tarn_int_dsp_block(const tarn_int_dsp_block_state *state, const int8_t *w)
{
    tarn_int_dsp_any_block(state, w, 8, 4, int_dsp_weights);
}

#endif
