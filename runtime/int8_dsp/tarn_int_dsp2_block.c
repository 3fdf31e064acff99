/* SPDX-License-Identifier: MIT-0 */
#include "tarn_int_dsp2_block.h"

#if TARN_INT_DSP_ASM

/* ISO C99 strings end at 4095 characters.
 * Pairs of a in r6 and r7, as their two bits; both outputs' in r8 and r11: of a word's low bits, then of its high ones. */
#define TARN_INT_DSP2_APART "and r6,r8,#0x30003\nand r7,r11,#0x30003\n"
#define TARN_INT_DSP2_LOW "ldr r11,[r1]\nand r8,r11,#0xf000f\nlsr r11,#8\nand r11,#0xf000f\n" TARN_INT_DSP2_APART
#define TARN_INT_DSP2_HIGH                                                                                \
    "ldr r11,[r1],#4\nlsr r8,r11,#4\nand r8,#0xf000f\nlsr r11,#12\nand r11,#0xf000f\n" TARN_INT_DSP2_APART
#define TARN_INT_DSP2_PIXEL(a, b, at)                                                                     \
    "ldrd r9,r10,[r0,#" at "]\n"                                                                        \
    "smlad " a ",r6,r9," a "\nsmlad " a ",r7,r10," a "\n"                                             \
    "smlad " b ",r8,r9," b "\nsmlad " b ",r11,r10," b "\n"
/* Six sums begin with the first output's constant; the constants are in r6. */
#define TARN_INT_DSP2_BEGIN "ldr r0,[sp]\nldr r2,[r6]\nmov r3,r2\nmov r4,r2\nmov r5,r2\nmov r12,r2\nmov lr,r2\n"
/* Until x is at its end, which stands at sp + 4. */
#define TARN_INT_DSP2_NEXT(label) "ldr r6,[sp,#4]\nadds r0,#48\ncmp r0,r6\nbne " label "\n"
/* The sums of a and b: low, and begin(b) + (both - low) / 4, each less 2 * sum of the patch, which stands from sp + 80 on. */
#define TARN_INT_DSP2_TAKE_APART                                                                          \
    "ldr r6,[sp,#8]\nldr r7,[r6,#4]\nsub r5,r2\nsub r12,r3\nsub lr,r4\n"              \
    "add r5,r7,r5,asr #2\nadd r12,r7,r12,asr #2\nadd lr,r7,lr,asr #2\n"                             \
    "ldrd r7,r8,[sp,#80]\nldr r9,[sp,#88]\nsub r2,r7\nsub r3,r8\nsub r4,r9\n" \
    "sub r5,r7\nsub r12,r8\nsub lr,r9\n"
/* Twice the sums of the patches; those that are not there have the first one's. */
#define TARN_INT_DSP2_PATCHES                                                                             \
    "ldrd r0,r5,[sp]\nmovs r2,#0\nmovs r3,#0\nmovs r4,#0\nmov r8,#0x20002\n"                  \
    "14:ldrd r6,r7,[r0]\nsmlad r2,r6,r8,r2\nsmlad r2,r7,r8,r2\n"                                \
    "ldrd r6,r7,[r0,#8]\nsmlad r3,r6,r8,r3\nsmlad r3,r7,r8,r3\n"                                    \
    "ldrd r6,r7,[r0,#16]\nsmlad r4,r6,r8,r4\nsmlad r4,r7,r8,r4\n"                                   \
    "adds r0,#24\ncmp r0,r5\nbne 14b\n"                                                             \
    "ldrd r6,r9,[sp,#16]\ncmp r6,#0\nit eq\nmoveq r3,r2\ncmp r9,#0\nit eq\nmoveq r4,r2\n"  \
    "strd r2,r3,[sp,#80]\nstr r4,[sp,#88]\n"
#define TARN_INT_DSP2_LINE(a, m, c) "lsl " a ",r0\nsmmla " a "," a "," m "," c "\n"
#define TARN_INT_DSP2_LINES                                                                               \
    TARN_INT_DSP2_LINE("r2", "r7", "r9") TARN_INT_DSP2_LINE("r3", "r7", "r9") TARN_INT_DSP2_LINE("r4", "r7", "r9") \
    TARN_INT_DSP2_LINE("r5", "r8", "r10") TARN_INT_DSP2_LINE("r12", "r8", "r10") TARN_INT_DSP2_LINE("lr", "r8", "r10")
#define TARN_INT_DSP2_SHIFT(a) "asr " a ",r0\nssat " a ",#8," a "\n"
/* The way to a pair of outputs, as in tarn_int_dsp_block(). */
#define TARN_INT_DSP2_WAY "1:str lr,[sp,#76]\nldr r6,[sp,#8]\nbx lr\n"
#define TARN_INT_DSP2_FEWER                                                                               \
    "7:bl 1f\n" TARN_INT_DSP2_BEGIN                                                                \
    "9:" TARN_INT_DSP2_LOW TARN_INT_DSP2_PIXEL("r2", "r5", "0") TARN_INT_DSP2_PIXEL("r3", "r12", "8") \
    TARN_INT_DSP2_HIGH TARN_INT_DSP2_PIXEL("r2", "r5", "24") TARN_INT_DSP2_PIXEL("r3", "r12", "32")    \
    TARN_INT_DSP2_NEXT("9b") "0:mov r4,r2\nmov lr,r5\nb 8b\n"
#define TARN_INT_DSP2_SINGLE                                                                              \
    "10:bl 1b\n" TARN_INT_DSP2_BEGIN                                                               \
    "11:" TARN_INT_DSP2_LOW TARN_INT_DSP2_PIXEL("r2", "r5", "0")                                  \
    TARN_INT_DSP2_HIGH TARN_INT_DSP2_PIXEL("r2", "r5", "24")                                           \
    TARN_INT_DSP2_NEXT("11b") "mov r3,r2\nmov r12,r5\nb 0b"

TARN_NAKED TARN_API void tarn_int_dsp2_block(const tarn_int_dsp2_block_state *s TARN_UNUSED, const int8_t *w TARN_UNUSED)
{
    __asm__("push {r4-r11,lr}\nsub sp,#100\nmov r12,sp\n"
            "ldm r0!,{r2-r11}\nstm r12!,{r2-r11}\nldm r0,{r2-r4}\nstm r12,{r2-r4}\n" TARN_INT_DSP2_PATCHES
            "cmp r6,#0\nbeq.w 10f\ncmp r9,#0\nbeq.w 7f\nbl 1f\n" TARN_INT_DSP2_BEGIN
            "2:" TARN_INT_DSP2_LOW TARN_INT_DSP2_PIXEL("r2", "r5", "0") TARN_INT_DSP2_PIXEL("r3", "r12", "8")
            TARN_INT_DSP2_PIXEL("r4", "lr", "16") TARN_INT_DSP2_HIGH TARN_INT_DSP2_PIXEL("r2", "r5", "24")
            TARN_INT_DSP2_PIXEL("r3", "r12", "32") TARN_INT_DSP2_PIXEL("r4", "lr", "40") TARN_INT_DSP2_NEXT("2b")
            "8:" TARN_INT_DSP2_TAKE_APART
            "ldrd r7,r8,[r6,#8]\nldrd r9,r10,[r6,#16]\nldrd r0,r11,[sp,#28]\n"
            "cmn r11,#1\nbne 5f\n" /* a mask of all bits: there are no zones */
            TARN_INT_DSP2_LINES
            "6:ldr r0,[sp,#36]\n"
            TARN_INT_DSP2_SHIFT("r2") TARN_INT_DSP2_SHIFT("r3") TARN_INT_DSP2_SHIFT("r4") TARN_INT_DSP2_SHIFT("r5")
            TARN_INT_DSP2_SHIFT("r12") TARN_INT_DSP2_SHIFT("lr")
            "ldr r0,[sp,#12]\nldrd r7,r8,[sp,#16]\n"
            "bfi r4,lr,#8,#24\nbfi r3,r12,#8,#24\nbfi r2,r5,#8,#24\n"
            "strh r4,[r0,r8]\nstrh r3,[r0,r7]\nstrh r2,[r0],#2\nldr r6,[sp,#8]\n"
            "4:adds r6,#24\nstrd r6,r0,[sp,#8]\nldr r7,[sp,#24]\ncmp r0,r7\nit ne\nldrne pc,[sp,#76]\n"
            "add sp,#100\npop {r4-r11,pc}\n"
            "5:add r6,sp,#52\nstm r6,{r2,r3,r4,r5,r12,lr}\n"
            TARN_INT_DSP2_LINES
            "tst r2,r11\nitttt ne\ntstne r3,r11\ntstne r4,r11\ntstne r5,r11\ntstne r12,r11\n"
            "it ne\ntstne lr,r11\nbne 6b\n"
            "3:mov r4,r1\nmov r0,sp\nbl %c0\nmov r1,r4\n"
            "ldrd r6,r0,[sp,#8]\nadds r0,#2\nb 4b\n" TARN_INT_DSP2_FEWER TARN_INT_DSP2_WAY TARN_INT_DSP2_SINGLE
            : : "i"(tarn_int_dsp_near));
}

#else

TARN_API void tarn_int_dsp2_block(const tarn_int_dsp2_block_state *state, const int8_t *w)
{
    const int8_t *w_at = w;
    tarn_int_dsp2_block_state s = *state;
    const int32_t pixels = (s.second == 0) ? 1 : (s.third == 0) ? 2 : 3;
    static const int32_t place[4] = {0, 2, 1, 3};
    do {
        const int16_t *x = s.x;
        int32_t i;
        for (i = 0; i < 6; ++i) {
            s.sums[i] = s.q[i / 3];
        }
        do {
            int32_t k;
            for (k = 0; k < 8; ++k) {
                const uint32_t both = ((uint32_t)w_at[k % 4] >> (k / 4 * 4)) & 15u;
                const int32_t low = (int32_t)(both & 3u) - 2;
                const int32_t high = (int32_t)(both >> 2) - 2;
                for (i = 0; i < pixels; ++i) {
                    const int32_t v = x[(k / 4 * 12) + (4 * i) + place[k % 4]];
                    s.sums[i] += low * v;
                    s.sums[3 + i] += high * v;
                }
            }
            w_at += 4;
            x += 24;
        } while (x != s.end);
        tarn_int_dsp_near(&s);
        s.q += 6;
        s.y += 2;
    } while (s.y != s.y_end);
}

#endif
