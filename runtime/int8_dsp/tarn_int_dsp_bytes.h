/* SPDX-License-Identifier: MIT-0
 * What tarn_int_dsp_block() over weights of 8 bits, by themselves or two to a half of a word, has in common: all but how weights come out of
 * their words. */
#ifndef TARN_INT_DSP_BYTES_H
#define TARN_INT_DSP_BYTES_H

#include "tarn_int_dsp_patches.h"

#if TARN_INT_DSP_ASM

#define TARN_INT_DSP_PIXEL(a, b, at)                                                                      \
    "ldrd r9,r10,[r0,#" at "]\n\t"                                                                        \
    "smlad " a ",r6,r9," a "\n\tsmlad " a ",r7,r10," a "\n\t"                                             \
    "smlad " b ",r8,r9," b "\n\tsmlad " b ",r11,r10," b "\n\t"
/* Eight elements of six sums, x from r0 + `at` on. */
#define TARN_INT_DSP_EIGHT(weights, at)                                                                   \
    weights TARN_INT_DSP_PIXEL("r2", "r5", at) TARN_INT_DSP_PIXEL("r3", "r12", at "+8")      \
    TARN_INT_DSP_PIXEL("r4", "lr", at "+16") weights TARN_INT_DSP_PIXEL("r2", "r5", at "+24") \
    TARN_INT_DSP_PIXEL("r3", "r12", at "+32") TARN_INT_DSP_PIXEL("r4", "lr", at "+40")
/* On to x from `at` on. Its end less 8 stands at sp + 4. */
#define TARN_INT_DSP_NEXT(at, label) "adds r0,#" at "\n\tldr r6,[sp,#4]\n\tcmp r0,r6\n\tbne " label "\n\t"
/* Of the first two patches. */
#define TARN_INT_DSP_EIGHT_OF_TWO(weights, at)                                                            \
    weights TARN_INT_DSP_PIXEL("r2", "r5", at) TARN_INT_DSP_PIXEL("r3", "r12", at "+8")                   \
    weights TARN_INT_DSP_PIXEL("r2", "r5", at "+24") TARN_INT_DSP_PIXEL("r3", "r12", at "+32")
#if TARN_LESS_CODE
#define TARN_INT_DSP_AIM(eights, way) ""
#define TARN_INT_DSP_AT ""
#define TARN_INT_DSP_EIGHTS(eight, weights, turn) turn ":\n\t" eight(weights, "8") TARN_INT_DSP_NEXT("48", turn "b")
#else
/* Thirty-two elements a turn. The first begins as many eights in as the turns are longer than x, and r0 as far before it: x is a
 * multiple of 48 bytes long, so that the two bits of its length from 16 on tell how many. Where that is stands at sp + 80: the way, the
 * `way` bytes of code from there to the turn, and as many eights of code, which `eights` makes of their number in r6. */
#define TARN_INT_DSP_AIM(eights, way)                                                                     \
    "ldr r6,[sp,#4]\n\tsubs r6,r6,r0\n\tubfx r6,r6,#4,#2\n\tadd r12,r6,r6,lsl #1\n\t"                     \
    "sub r0,r0,r12,lsl #4\n\tstr r0,[sp]\n\t" eights "adds r6,#" way "\n\t"
#define TARN_INT_DSP_AT "add r6,lr\n\tstr r6,[sp,#80]\n\t"
#define TARN_INT_DSP_EIGHTS(eight, weights, turn)                                                         \
    "ldr.w pc,[sp,#80]\n"                                                                                 \
    turn ":\n\t.irp at,8,56,104,152\n\t" eight(weights, "\\at") ".endr\n\t" TARN_INT_DSP_NEXT("192", turn "b")
#endif
/* From the constants in r0, of which `begin` takes four bytes of code to r2 and r5, to six sums. */
#define TARN_INT_DSP_SUMS(begin, weights)                                                                 \
    begin "ldr.n r0,[sp]\n\tmov r3,r2\n\tmov r4,r2\n\tmov r12,r5\n\tmov lr,r5\n\t" TARN_INT_DSP_EIGHTS(TARN_INT_DSP_EIGHT, weights, "2")
#define TARN_INT_DSP_LINE(a, m, c) "lsl " a "," a ",r0\n\tsmmla " a "," a "," m "," c "\n\t"
#define TARN_INT_DSP_LINES                                                                                \
    TARN_INT_DSP_LINE("r2", "r7", "r9") TARN_INT_DSP_LINE("r3", "r7", "r9") TARN_INT_DSP_LINE("r4", "r7", "r9") \
    TARN_INT_DSP_LINE("r5", "r8", "r10") TARN_INT_DSP_LINE("r12", "r8", "r10") TARN_INT_DSP_LINE("lr", "r8", "r10")
/* Back to the constants, for those of the form. */
#define TARN_INT_DSP_CONSTANTS "ldr r6,[sp,#8]\n\tldrd r7,r8,[r6,#8]\n\tldrd r9,r10,[r6,#16]\n\t"
#define TARN_INT_DSP_SHIFT ".irp a,r2,r3,r4,r5,r12,lr\n\tasr \\a,r10\n\tssat \\a,#8,\\a\n\t.endr\n\t"

/* The way to a pair of outputs, whose constants are in r0, stands at sp + 76. It is the return address of the bl before it, which
 * is right wherever the function lies: adr would take it to be aligned to four, and with -Os it need not be. */
#define TARN_INT_DSP_WAY "13:\n\tstr lr,[sp,#76]\n\tldr r0,[sp,#8]\n\t" TARN_INT_DSP_AT "bx lr\n"

/* The same for two pixels: the third gets the first one's sums. */
#define TARN_INT_DSP_FEWER(begin, weights, eights)                                                        \
    "7:\n\t" TARN_INT_DSP_AIM(eights, "14") "bl 13f\n\t" begin "ldr.n r0,[sp]\n\tmov r3,r2\n\tmov r12,r5\n\t" \
    TARN_INT_DSP_EIGHTS(TARN_INT_DSP_EIGHT_OF_TWO, weights, "9") "\n"                                     \
    "12:\n\tmov r4,r2\n\tmov lr,r5\n\tb 8b\n"

/* And for a single pixel. */
#define TARN_INT_DSP_SINGLE(begin, weights)                                                               \
    "10:\n\tbl 13b\n\t" begin "ldr r0,[sp]\n"                                                            \
    "11:\n\t" weights TARN_INT_DSP_PIXEL("r2", "r5", "8") weights TARN_INT_DSP_PIXEL("r2", "r5", "32")     \
    TARN_INT_DSP_NEXT("48", "11b") "mov r3,r2\n\tmov r12,r5\n\tb 12b"

/* The whole: `weights` brings those of four elements from r1 to r6 and r7, of the first output, and to r8 and r11; `apart` gets what
 * these sum up to out of r2 to r5, r12 and lr. */
#define TARN_INT_DSP_BYTES_BLOCK(begin, weights, eights, eights_of_two, apart)                                        \
    "push {r4-r11,lr}\n\tsub sp,#84\n\tmov r12,sp\n\t"                                                    \
    "ldm r0!,{r2-r11}\n\tsubs r2,#8\n\tsubs r3,#8\n\tstm r12!,{r2-r11}\n\tldm r0,{r2-r4}\n\tstm r12,{r2-r4}\n\t" \
    "ldrd r6,r9,[sp,#16]\n\tldr r0,[sp]\n\tcmp r6,#0\n\tbeq.w 10f\n\tcmp r9,#0\n\tbeq.w 7f\n\t" TARN_INT_DSP_AIM(eights, "18") \
    "bl 13f\n\t" TARN_INT_DSP_SUMS(begin, weights)                                                        \
    "8:\n\t" apart "ldrd r0,r11,[sp,#28]\n\t"                                                             \
    "cmn r11,#1\n\tbne 5f\n\t" /* a mask of all bits: there are no zones */                               \
    TARN_INT_DSP_CONSTANTS TARN_INT_DSP_LINES                                                             \
    "6:\n\tadd r0,sp,#8\n\tldm r0,{r0,r6,r7,r8,r9}\n\tldr r10,[sp,#36]\n\t"                               \
    TARN_INT_DSP_SHIFT                                                                                    \
    "bfi r4,lr,#8,#24\n\tbfi r3,r12,#8,#24\n\tbfi r2,r5,#8,#24\n\t"                                       \
    "strh r4,[r6,r8]\n\tstrh r3,[r6,r7]\n\tstrh r2,[r6],#2\n"                                             \
    "4:\n\tadds r0,#24\n\tstrd r0,r6,[sp,#8]\n\tcmp r6,r9\n\tit ne\n\tldrne pc,[sp,#76]\n\t"              \
    "add sp,#84\n\tpop {r4-r11,pc}\n"                                                                     \
    "5:\n\tadd r6,sp,#52\n\tstm r6,{r2,r3,r4,r5,r12,lr}\n\t" TARN_INT_DSP_CONSTANTS                       \
    TARN_INT_DSP_LINES                                                                                    \
    "tst r2,r11\n\titttt ne\n\ttstne r3,r11\n\ttstne r4,r11\n\ttstne r5,r11\n\ttstne r12,r11\n\t"         \
    "it ne\n\ttstne lr,r11\n\tbne 6b\n"                                                                   \
    "3:\n\tmov r4,r1\n\tmov r0,sp\n\tbl %c0\n\tmov r1,r4\n\t"                                             \
    "ldrd r0,r6,[sp,#8]\n\tldr r9,[sp,#24]\n\tadds r6,#2\n\tb 4b\n" TARN_INT_DSP_FEWER(begin, weights, eights_of_two) TARN_INT_DSP_WAY TARN_INT_DSP_SINGLE(begin, weights)

#endif
#endif
