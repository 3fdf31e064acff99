/* SPDX-License-Identifier: MIT-0 */
/* tarn.h - what every tarn kernel includes: compile-time switches, fixed-width types, dialect macros and the guards
 * that keep floating-point results the same on every compiler. Kernels include it; the public header of a model does
 * not, because the guards at the end act on all code that follows. */
#ifndef TARN_H
#define TARN_H

/* ---- Switches: define them on the command line, or uncomment them here ------------------------------------------ */

/* Call expf, tanhf, sqrt ... of the platform's math library instead of tarn's own functions. Results then depend on
 * that library: the same model may give other bits on other machines. */
/* #define TARN_USE_LIBM 1 */

/* All kernels are part of one source file: every tarn function is static there. */
/* #define TARN_SINGLE_FILE 1 */

/* No inline assembly. It is used for single instructions that C does not reach without a library call (square root) or
 * that GCC misses (a move from an FPU register); the C beside it gives the same bits. */
/* #define TARN_NO_ASM 1 */

/* Compile although -ffast-math or -ffinite-math-only is on. Results may then differ between machines, and NaN and
 * infinities are not handled as ONNX says. */
/* #define TARN_ALLOW_FAST_MATH 1 */

/* Compile although the compiler keeps more precision than the type has (x87). Results may then differ. */
/* #define TARN_ALLOW_EXCESS_PRECISION 1 */

/* Leave the compiler's own rule for fused multiply-add in force. Results may then differ. */
/* #define TARN_ALLOW_CONTRACTION 1 */

/* ---- You usually don't need to change anything below this line -------------------------------------------------- */

#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* Every compiler has them; what analyses code without the system's headers goes on. */
#if defined(FLT_RADIX) && (FLT_RADIX != 2 || FLT_MANT_DIG != 24 || FLT_MAX_EXP != 128)
#error "tarn needs float to be IEEE 754 binary32"
#endif
#if (defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0)) && \
    !defined(TARN_ALLOW_FAST_MATH)
#error "compile tarn's files without -ffast-math, or define TARN_ALLOW_FAST_MATH"
#endif
#if defined(__FLT_EVAL_METHOD__) && !defined(TARN_ALLOW_EXCESS_PRECISION)
#if __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16
#error "float is computed with excess precision: use -msse2 -mfpmath=sse, or define TARN_ALLOW_EXCESS_PRECISION"
#endif
#endif

#if defined(__GNUC__) || defined(__clang__)
#define TARN_GNU 1
#else
#define TARN_GNU 0
#endif

#if TARN_GNU && !defined(TARN_NO_ASM)
#define TARN_USE_ASM 1
#else
#define TARN_USE_ASM 0
#endif

#if TARN_GNU
#define TARN_UNUSED __attribute__((unused))
#define TARN_NOINLINE __attribute__((noinline))
#define TARN_SMALL __attribute__((cold)) /* gains little by being fast: optimised for size */
#define TARN_ALIGNED(bytes) __attribute__((aligned(bytes)))
#define TARN_SECTION(name) __attribute__((section(name)))
/* A function that is assembly alone: the compiler must not conclude from its body what it reads, calls or leaves unchanged.
 * Its text may stand at any even address and in any partition of a link-time build, so it takes no address relative to itself
 * (adr and literals count on an alignment that -Os does not give), and names functions that it calls as operands. */
#if defined(__clang__)
#define TARN_NAKED __attribute__((naked, noinline))
#else
#define TARN_NAKED __attribute__((naked, noipa))
#endif
#else
#define TARN_UNUSED
#define TARN_NOINLINE
#define TARN_SMALL
#define TARN_ALIGNED(bytes)
#define TARN_SECTION(name)
#endif

/* For functions defined in headers. */
#define TARN_INLINE static inline TARN_UNUSED

/* For the inner blocks of kernels, whose accumulators stay in registers only when they are inlined. Where nothing is (-fno-inline, -O0),
 * gcc cannot do it with those that are called through a constant pointer either, and would end in an error. */
#if TARN_GNU && !defined(__NO_INLINE__)
#define TARN_FORCE_INLINE static inline __attribute__((always_inline, unused))
#else
#define TARN_FORCE_INLINE TARN_INLINE
#endif

/* Compiled for size, kernels do without special cases that only save time: one way through the same sums. */
#if defined(__OPTIMIZE_SIZE__)
#define TARN_LESS_CODE 1
#else
#define TARN_LESS_CODE 0
#endif

/* In front of every other function. */
#ifdef TARN_SINGLE_FILE
#define TARN_API static TARN_UNUSED
#else
#define TARN_API
#endif

#if !defined(__cplusplus)
#define TARN_RESTRICT restrict
#elif TARN_GNU || defined(_MSC_VER)
#define TARN_RESTRICT __restrict
#else
#define TARN_RESTRICT
#endif

/* Around the declarations of every header. */
#ifdef __cplusplus
#define TARN_BEGIN_C extern "C" {
#define TARN_END_C }
#else
#define TARN_BEGIN_C
#define TARN_END_C
#endif

/* A check at compile time that works in C99: an array of negative size is an error. The name says what went wrong. */
#define TARN_STATIC_ASSERT(condition, name) typedef char tarn_assert_##name[(condition) ? 1 : -1] TARN_UNUSED

TARN_STATIC_ASSERT(sizeof(float) == 4, float_has_32_bits);

/* Infinities and NaN as constants, without math.h. */
#if TARN_GNU
#define TARN_INF_F __builtin_inff()
#define TARN_NAN_F __builtin_nanf("")
#define TARN_INF_D __builtin_inf()
#define TARN_NAN_D __builtin_nan("")
#else
#include <math.h>
#define TARN_INF_F INFINITY
#define TARN_NAN_F NAN
#define TARN_INF_D ((double)INFINITY)
#define TARN_NAN_D ((double)NAN)
#endif

/* a * b + c stays two rounded operations. GCC contracts in its gnu dialects and has no standard pragma; clang obeys the
 * standard pragma except under -ffp-contract=fast, which no macro reveals: do not use that option. */
#ifndef TARN_ALLOW_CONTRACTION
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#else
#pragma STDC FP_CONTRACT OFF
#endif
#endif

/* GCC for cores with nothing but 16-bit Thumb instructions gives stack back by popping into r1 to r3, in functions that it optimises for
 * size, and takes these to be unchanged where the same file calls such a function (-fipa-ra; seen with 12.2 at -Os): it may not. */
#if defined(__thumb__) && !defined(__thumb2__) && defined(__GNUC__) && !defined(__clang__)
#if __GNUC__ >= 5
#pragma GCC optimize("no-ipa-ra")
#endif
#endif

#endif /* TARN_H */
