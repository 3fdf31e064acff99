/* SPDX-License-Identifier: MIT-0
 * What tarn_int_dsp_block() over weights of 4 and of 2 bits has in common: all but how weights come out of their words. */
#ifndef TARN_INT_DSP_NARROW_H
#define TARN_INT_DSP_NARROW_H

#include "tarn_int_dsp_patches.h"

#if TARN_INT_DSP_ASM

/* ISO C99 strings end at 4095 characters, hence no white space.
 * A pair of elements of a in r6 and of the others in r7; both outputs' in r8 and r11. */
#define TARN_INT_DSP_NARROW_PIXEL(a, b, at)                                                               \
    "ldrd r9,r10,[r0,#" at "]\n"                                                                          \
    "smlad " a ",r6,r9," a "\nsmlad " a ",r7,r10," a "\n"                                               \
    "smlad " b ",r8,r9," b "\nsmlad " b ",r11,r10," b "\n"
/* Six sums begin with the first output's constant; the constants are in r6. */
#define TARN_INT_DSP_NARROW_BEGIN "ldr r0,[sp]\nldr r2,[r6]\nmov r3,r2\nmov r4,r2\nmov r5,r2\nmov r12,r2\nmov lr,r2\n"
/* Until x is at its end, which stands at sp + 4. */
#define TARN_INT_DSP_NARROW_NEXT(label) "ldr r6,[sp,#4]\nadds r0,#48\ncmp r0,r6\nbne " label "\n"
/* `times` (two of 16 bits) the sums of the patches to sp + 80 and on; those that are not there have the first one's. */
#define TARN_INT_DSP_NARROW_PATCHES(times)                                                                \
    "ldrd r0,r5,[sp]\nmovs r2,#0\nmovs r3,#0\nmovs r4,#0\nmov r8,#" times "\n"                       \
    "14:ldrd r6,r7,[r0]\nsmlad r2,r6,r8,r2\nsmlad r2,r7,r8,r2\n"                                       \
    "ldrd r6,r7,[r0,#8]\nsmlad r3,r6,r8,r3\nsmlad r3,r7,r8,r3\n"                                       \
    "ldrd r6,r7,[r0,#16]\nsmlad r4,r6,r8,r4\nsmlad r4,r7,r8,r4\n"                                      \
    "adds r0,#24\ncmp r0,r5\nbne 14b\n"                                                                \
    "ldrd r6,r9,[sp,#16]\ncmp r6,#0\nit eq\nmoveq r3,r2\ncmp r9,#0\nit eq\nmoveq r4,r2\n"          \
    "strd r2,r3,[sp,#80]\nstr r4,[sp,#88]\n"
#define TARN_INT_DSP_NARROW_LINE(a, m, c) "lsl " a ",r0\nsmmla " a "," a "," m "," c "\n"
#define TARN_INT_DSP_NARROW_LINES                                                                         \
    TARN_INT_DSP_NARROW_LINE("r2", "r7", "r9") TARN_INT_DSP_NARROW_LINE("r3", "r7", "r9")                 \
    TARN_INT_DSP_NARROW_LINE("r4", "r7", "r9") TARN_INT_DSP_NARROW_LINE("r5", "r8", "r10")                \
    TARN_INT_DSP_NARROW_LINE("r12", "r8", "r10") TARN_INT_DSP_NARROW_LINE("lr", "r8", "r10")
#define TARN_INT_DSP_NARROW_SHIFT(a) "asr " a ",r0\nssat " a ",#8," a "\n"
/* Codes of six sums; those in zones by tarn_int_dsp_near(), which is operand 0. Back to where the way began, or the end. */
#define TARN_INT_DSP_NARROW_CODES                                                                         \
    "ldrd r7,r8,[r6,#8]\nldrd r9,r10,[r6,#16]\nldrd r0,r11,[sp,#28]\n"                                 \
    "cmn r11,#1\nbne 5f\n" /* a mask of all bits: there are no zones */                                 \
    TARN_INT_DSP_NARROW_LINES                                                                             \
    "6:ldr r0,[sp,#36]\n"                                                                                \
    TARN_INT_DSP_NARROW_SHIFT("r2") TARN_INT_DSP_NARROW_SHIFT("r3") TARN_INT_DSP_NARROW_SHIFT("r4")       \
    TARN_INT_DSP_NARROW_SHIFT("r5") TARN_INT_DSP_NARROW_SHIFT("r12") TARN_INT_DSP_NARROW_SHIFT("lr")      \
    "ldr r0,[sp,#12]\nldrd r7,r8,[sp,#16]\n"                                                            \
    "bfi r4,lr,#8,#24\nbfi r3,r12,#8,#24\nbfi r2,r5,#8,#24\n"                                          \
    "strh r4,[r0,r8]\nstrh r3,[r0,r7]\nstrh r2,[r0],#2\nldr r6,[sp,#8]\n"                             \
    "4:adds r6,#24\nstrd r6,r0,[sp,#8]\nldr r7,[sp,#24]\ncmp r0,r7\nit ne\nldrne pc,[sp,#76]\n"     \
    "add sp,#100\npop {r4-r11,pc}\n"                                                                    \
    "5:add r6,sp,#52\nstm r6,{r2,r3,r4,r5,r12,lr}\n"                                                    \
    TARN_INT_DSP_NARROW_LINES                                                                             \
    "tst r2,r11\nitttt ne\ntstne r3,r11\ntstne r4,r11\ntstne r5,r11\ntstne r12,r11\n"               \
    "it ne\ntstne lr,r11\nbne 6b\n"                                                                    \
    "3:mov r4,r1\nmov r0,sp\nbl %c0\nmov r1,r4\nldrd r6,r0,[sp,#8]\nadds r0,#2\nb 4b\n"
/* Two patches, one patch, and where the way goes on from. */
#define TARN_INT_DSP_NARROW_FEWER(low, high)                                                              \
    "7:bl 1f\n" TARN_INT_DSP_NARROW_BEGIN                                                                \
    "9:" low TARN_INT_DSP_NARROW_PIXEL("r2", "r5", "0") TARN_INT_DSP_NARROW_PIXEL("r3", "r12", "8")       \
    high TARN_INT_DSP_NARROW_PIXEL("r2", "r5", "24") TARN_INT_DSP_NARROW_PIXEL("r3", "r12", "32")         \
    TARN_INT_DSP_NARROW_NEXT("9b") "0:mov r4,r2\nmov lr,r5\nb 8b\n"                                    \
    "1:str lr,[sp,#76]\nldr r6,[sp,#8]\nbx lr\n"                                                       \
    "10:bl 1b\n" TARN_INT_DSP_NARROW_BEGIN                                                               \
    "11:" low TARN_INT_DSP_NARROW_PIXEL("r2", "r5", "0") high TARN_INT_DSP_NARROW_PIXEL("r2", "r5", "24") \
    TARN_INT_DSP_NARROW_NEXT("11b") "mov r3,r2\nmov r12,r5\nb 0b"
/* The whole: `low` and `high` bring the weights of four elements to the registers, `apart` the sums of a and b out of theirs. */
#define TARN_INT_DSP_NARROW_BLOCK(times, low, high, apart)                                                \
    "push {r4-r11,lr}\nsub sp,#100\nmov r12,sp\n"                                                      \
    "ldm r0!,{r2-r11}\nstm r12!,{r2-r11}\nldm r0,{r2-r4}\nstm r12,{r2-r4}\n"                          \
    TARN_INT_DSP_NARROW_PATCHES(times)                                                                    \
    "cmp r6,#0\nbeq.w 10f\ncmp r9,#0\nbeq.w 7f\nbl 1f\n" TARN_INT_DSP_NARROW_BEGIN                   \
    "2:" low TARN_INT_DSP_NARROW_PIXEL("r2", "r5", "0") TARN_INT_DSP_NARROW_PIXEL("r3", "r12", "8")       \
    TARN_INT_DSP_NARROW_PIXEL("r4", "lr", "16") high TARN_INT_DSP_NARROW_PIXEL("r2", "r5", "24")          \
    TARN_INT_DSP_NARROW_PIXEL("r3", "r12", "32") TARN_INT_DSP_NARROW_PIXEL("r4", "lr", "40")              \
    TARN_INT_DSP_NARROW_NEXT("2b") "8:" apart TARN_INT_DSP_NARROW_CODES TARN_INT_DSP_NARROW_FEWER(low, high)

#endif
#endif
