/* A digest of every function over many arguments, one line each. It must be the same on every machine, with every
 * compiler and with every option: host and targets print it, and a script compares. Runs without an operating system.
 */
#include "functions.h"
#include "tarn_math_bfloat16.h"
#include "tarn_math_f4e2m1.h"
#include "tarn_math_f64_to_f32_odd.h"
#include "tarn_math_f8e4m3fn.h"
#include "tarn_math_f8e4m3fnuz.h"
#include "tarn_math_f8e5m2.h"
#include "tarn_math_f8e5m2fnuz.h"
#include "tarn_math_f8e8m0.h"
#include "tarn_math_half.h"
#include "tarn_math_ldexpf.h"
#include "tarn_math_to_int.h"

#ifdef TARN_TEST_TARGET
#include "semihost.h"
#else
#include <stdio.h>
#define semihost_print(text) (void)fputs(text, stdout)
#endif

#ifndef DIGEST_COUNT
#define DIGEST_COUNT 1500u
#endif

static void print_line(const char* name, uint32_t digest) {
  char line[10];
  int i;
  for (i = 0; i < 8; ++i) {
    line[i] = "0123456789abcdef"[(digest >> (28 - 4 * i)) & 15u];
  }
  line[8] = '\n';
  line[9] = '\0';
  semihost_print(name);
  semihost_print(" ");
  semihost_print(line);
}

/* FNV-1a over words. */
static uint32_t mix(uint32_t digest, uint32_t word) { return (digest ^ word) * 16777619u; }

static uint32_t mix64(uint32_t digest, uint64_t word) {
  return mix(mix(digest, (uint32_t)word), (uint32_t)(word >> 32));
}

static uint64_t next(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state ^ (*state >> 32);
}

/* One argument in four is any bits; the others have exponents near that of 1. */
static float argument_f32(uint32_t i, uint64_t r) {
  const uint32_t near_1 = 0x3d800000u + ((uint32_t)r & 0x007fffffu) + (((uint32_t)(r >> 32) % 10u) << 23);
  return tarn_f32_from_bits((i & 3u) == 0u ? (uint32_t)r : near_1 | ((uint32_t)(r >> 8) & 0x80000000u));
}

static double argument_f64(uint32_t i, uint64_t r) {
  const uint64_t near_1 = 0x3fb0000000000000u + (r & 0x000fffffffffffffu) + ((r >> 52) % 10u << 52);
  return tarn_f64_from_bits((i & 3u) == 0u ? r : near_1 | (r << 12 & 0x8000000000000000u));
}

#define START                    \
  uint64_t state = 1;            \
  uint32_t digest = 2166136261u; \
  uint32_t i;                    \
  for (i = 0; i < DIGEST_COUNT; ++i)

static void digest_f32(const char* name, float (*f)(float)) {
  START { digest = mix(digest, tarn_f32_to_bits(f(argument_f32(i, next(&state))))); }
  print_line(name, digest);
}

static void digest_f64(const char* name, double (*f)(double)) {
  START { digest = mix64(digest, tarn_f64_to_bits(f(argument_f64(i, next(&state))))); }
  print_line(name, digest);
}

static void digest_f32_f32(const char* name, float (*f)(float, float)) {
  START {
    const float x = argument_f32(i, next(&state));
    digest = mix(digest, tarn_f32_to_bits(f(x, argument_f32(i >> 2, next(&state)))));
  }
  print_line(name, digest);
}

static void digest_f64_f64(const char* name, double (*f)(double, double)) {
  START {
    const double x = argument_f64(i, next(&state));
    digest = mix64(digest, tarn_f64_to_bits(f(x, argument_f64(i >> 2, next(&state)))));
  }
  print_line(name, digest);
}

static void digest_conversions(void) {
  START {
    const uint64_t r = next(&state);
    const float x = argument_f32(i, r);
    const double d = argument_f64(i, next(&state));
    const uint8_t code = (uint8_t)(r >> 40);
    digest = mix(digest, tarn_f32_to_f16(x) | (uint32_t)tarn_f32_to_bf16(x) << 16);
    digest = mix(digest, tarn_f32_to_f8e4m3fn(x, i & 1u) | (uint32_t)tarn_f32_to_f8e4m3fnuz(x, i & 1u) << 8);
    digest = mix(digest, tarn_f32_to_f8e5m2(x, i & 1u) | (uint32_t)tarn_f32_to_f8e5m2fnuz(x, i & 1u) << 8);
    digest = mix(digest, tarn_f32_to_f8e8m0(x, i & 1u, i % 3u) | (uint32_t)tarn_f32_to_f4e2m1(x) << 8);
    digest = mix(digest, tarn_f32_to_bits(tarn_f16_to_f32((uint16_t)r)));
    digest = mix(digest, tarn_f32_to_bits(tarn_f8e4m3fn_to_f32(code)));
    digest = mix(digest, tarn_f32_to_bits(tarn_f8e4m3fnuz_to_f32(code)));
    digest = mix(digest, tarn_f32_to_bits(tarn_f8e5m2_to_f32(code)));
    digest = mix(digest, tarn_f32_to_bits(tarn_f8e5m2fnuz_to_f32(code)));
    digest = mix(digest, tarn_f32_to_bits(tarn_f8e8m0_to_f32(code)));
    digest = mix(digest, tarn_f32_to_bits(tarn_f4e2m1_to_f32((uint8_t)(code & 15u))));
    digest = mix(digest, tarn_f32_to_bits(tarn_f64_to_f32_odd(d)));
    digest = mix(digest, tarn_f32_to_bits(tarn_ldexpf(x, (int32_t)(r >> 50) - 8192)));
    digest = mix(digest, (uint32_t)tarn_f32_to_i32(x) ^ tarn_f32_to_u32(x));
    digest = mix64(digest, (uint64_t)tarn_f32_to_i64(x) ^ tarn_f32_to_u64(x));
    digest = mix(digest, (uint32_t)tarn_f64_to_i32(d) ^ tarn_f64_to_u32(d));
    digest = mix64(digest, (uint64_t)tarn_f64_to_i64(d) ^ tarn_f64_to_u64(d));
    digest = mix(digest, (uint32_t)tarn_f32_round_to_i32(x));
  }
  print_line("conversions", digest);
}

int main(void) {
#define DIGEST_F32(name, reference, limit, first, last) digest_f32(#name, tarn_##name);
#define DIGEST_F64(name, reference, limit, first, last) digest_f64(#name, tarn_##name);
#define DIGEST_F32_F32(name, reference, limit, a, b, c, d) digest_f32_f32(#name, tarn_##name);
#define DIGEST_F64_F64(name, reference, limit, a, b, c, d) digest_f64_f64(#name, tarn_##name);
  TARN_UNARY_F32(DIGEST_F32)
  TARN_BINARY_F32(DIGEST_F32_F32)
  TARN_UNARY_F64(DIGEST_F64)
  TARN_BINARY_F64(DIGEST_F64_F64)
  digest_conversions();
  return 0;
}
