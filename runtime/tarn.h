/* SPDX-License-Identifier: MIT-0
 * tarn.h - what every kernel includes. */
#ifndef TARN_H
#define TARN_H

#include <stddef.h>
#include <stdint.h>

/* Kernels have external linkage, unless they are pasted into one file. */
#ifndef TARN_API
#define TARN_API
#endif

/* Inner blocks of kernels: their accumulators stay in registers only when they are inlined. */
#if defined(__GNUC__)
#define TARN_INLINE static inline __attribute__((always_inline))
#else
#define TARN_INLINE static inline
#endif

#ifdef __cplusplus
#define TARN_EXTERN_C_BEGIN extern "C" {
#define TARN_EXTERN_C_END }
#else
#define TARN_EXTERN_C_BEGIN
#define TARN_EXTERN_C_END
#endif

#endif
