/* Conversions between float and the small formats, against a search among all values that the format has: nothing is
 * shared with the code under test but the definition of the formats. Then doubles on their way there, and conversions
 * to integers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tarn_math_bfloat16.h"
#include "tarn_math_f4e2m1.h"
#include "tarn_math_f64_to_f32_odd.h"
#include "tarn_math_f8e4m3fn.h"
#include "tarn_math_f8e4m3fnuz.h"
#include "tarn_math_f8e5m2.h"
#include "tarn_math_f8e5m2fnuz.h"
#include "tarn_math_f8e8m0.h"
#include "tarn_math_half.h"
#include "tarn_math_to_int.h"
#include "ulp.h"

static int failed;

static void expect(const char* what, double x, double result, double expected) {
  if (!(result == expected && !signbit(result) == !signbit(expected)) && !(isnan(result) && isnan(expected))) {
    if (failed < 20) {
      printf("%s of %a: %a, expected %a\n", what, x, result, expected);
    }
    ++failed;
  }
}

/* A format of sign, exponent and mantissa: its positive values in the order of their codes. */
typedef struct {
  const char* name;
  int mantissa_bits, bias, largest; /* code of the largest finite number */
  int negative_zero;
  double overflow; /* where the result goes without saturation */
  double values[0x8000];
} format;

static void fill(format* f) {
  int code;
  for (code = 0; code <= f->largest; ++code) {
    const int exponent = code >> f->mantissa_bits;
    const int mantissa = code & ((1 << f->mantissa_bits) - 1);
    f->values[code] = exponent == 0 ? ldexp(mantissa, 1 - f->bias - f->mantissa_bits)
                                    : ldexp(mantissa + (1 << f->mantissa_bits), exponent - f->bias - f->mantissa_bits);
  }
}

/* The value nearest to x, halves to the even code; beyond the largest, as if there were one value more. */
static double nearest(const format* f, double x, int saturate) {
  const double size = fabs(x);
  const double above = 2.0 * f->values[f->largest] - f->values[f->largest - 1];
  const double largest_half = (f->values[f->largest] + above) / 2.0;
  int low = 0;
  int high = f->largest;
  double result;

  if (isnan(x)) {
    return NAN;
  }
  if (size > largest_half || (size == largest_half && (f->largest & 1) != 0)) {
    return copysign(saturate ? f->values[f->largest] : f->overflow, x);
  }
  if (size > f->values[f->largest]) {
    return copysign(f->values[f->largest], x);
  }
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (f->values[middle] <= size) {
      low = middle;
    } else {
      high = middle;
    }
  }
  if (size - f->values[low] == f->values[high] - size) {
    result = f->values[(low & 1) == 0 ? low : high];
  } else {
    result = f->values[size - f->values[low] < f->values[high] - size ? low : high];
  }
  return result == 0.0 && !f->negative_zero ? 0.0 : copysign(result, x);
}

/* Floats of all sizes, and the points around every value of a format where rounding turns. */
static float argument(const format* f, uint64_t i, uint64_t* state) {
  const uint64_t r = random_bits(state);
  const uint32_t code = (uint32_t)(r >> 32) % (uint32_t)(f->largest + 1);
  float x = tarn_f32_from_bits((uint32_t)r);
  if (i % 4u != 0u) {
    x = (float)(i % 4u == 1u ? f->values[code] : (f->values[code] + f->values[code == 0u ? 1u : code - 1u]) / 2.0);
    x = tarn_f32_from_bits((tarn_f32_to_bits(x) + (uint32_t)(r & 3u) - 1u) ^ (uint32_t)(r >> 8 & 1u) << 31);
  }
  return x;
}

static float through_f16(float x, uint32_t saturate) {
  (void)saturate;
  return tarn_f16_to_f32(tarn_f32_to_f16(x));
}
static float through_bf16(float x, uint32_t saturate) {
  (void)saturate;
  return tarn_bf16_to_f32(tarn_f32_to_bf16(x));
}
static float through_f4e2m1(float x, uint32_t saturate) {
  (void)saturate;
  return tarn_f4e2m1_to_f32(tarn_f32_to_f4e2m1(x));
}
#define THROUGH(name)                                             \
  static float through_##name(float x, uint32_t saturate) {       \
    return tarn_##name##_to_f32(tarn_f32_to_##name(x, saturate)); \
  }
THROUGH(f8e4m3fn)
THROUGH(f8e4m3fnuz)
THROUGH(f8e5m2)
THROUGH(f8e5m2fnuz)

static void test_format(const char* name, float (*through)(float, uint32_t), int mantissa_bits, int bias, int largest,
                        int negative_zero, double overflow, int has_nan) {
  static format f;
  uint64_t state = 7;
  uint64_t i;

  f.name = name;
  f.mantissa_bits = mantissa_bits;
  f.bias = bias;
  f.largest = largest;
  f.negative_zero = negative_zero;
  f.overflow = overflow;
  fill(&f);
  for (i = 0; i < 400000u; ++i) {
    const float x = argument(&f, i, &state);
    const uint32_t saturate = mantissa_bits > 3 ? 0u : (uint32_t)(i >> 3) & 1u;
    if (!isnan(x) || has_nan) {
      expect(name, (double)x, (double)through(x, saturate), nearest(&f, (double)x, (int)saturate));
    }
    /* A double goes the same way, rounded once. */
    if (mantissa_bits > 3 && !isnan(x)) {
      const double d = (double)x * (1.0 + ldexp(random_between(&state, -1.0, 1.0), -(int)(20 + i % 33u)));
      expect(name, d, (double)through(tarn_f64_to_f32_odd(d), 0u), nearest(&f, d, 0));
    }
  }
}

static void test_codes(void) {
  int code;
  for (code = 0; code < 256; ++code) { /* every code that is not NaN comes back */
    const uint8_t c = (uint8_t)code;
    if (!isnan(tarn_f8e4m3fn_to_f32(c))) {
      expect("f8e4m3fn code", code, tarn_f32_to_f8e4m3fn(tarn_f8e4m3fn_to_f32(c), 0u), code);
    }
    if (!isnan(tarn_f8e5m2_to_f32(c))) {
      expect("f8e5m2 code", code, tarn_f32_to_f8e5m2(tarn_f8e5m2_to_f32(c), 0u), code);
    }
    expect("f8e4m3fnuz code", code, tarn_f32_to_f8e4m3fnuz(tarn_f8e4m3fnuz_to_f32(c), 0u), code);
    expect("f8e5m2fnuz code", code, tarn_f32_to_f8e5m2fnuz(tarn_f8e5m2fnuz_to_f32(c), 0u), code);
    expect("f8e8m0 code", code, tarn_f32_to_f8e8m0(tarn_f8e8m0_to_f32(c), 0u, (uint32_t)code % 3u), code);
    if (code < 16) {
      expect("f4e2m1 code", code, tarn_f32_to_f4e2m1(tarn_f4e2m1_to_f32(c)), code);
    }
  }
  /* NaN keeps its sign where the format has one; infinity as the table of ONNX's Cast says. */
  expect("f8e4m3fn NaN", 0, tarn_f32_to_f8e4m3fn(-tarn_f32_from_bits(TARN_F32_NAN), 1u), 0xff);
  expect("f8e5m2 NaN", 0, tarn_f32_to_f8e5m2(tarn_f32_from_bits(TARN_F32_NAN), 1u), 0x7e);
  expect("f8e5m2 inf", 0, tarn_f32_to_f8e5m2(-INFINITY, 0u), 0xfc);
  expect("f8e5m2 inf", 0, tarn_f32_to_f8e5m2(-INFINITY, 1u), 0xfb);
  expect("f16 NaN", 0, tarn_f32_to_f16(tarn_f32_from_bits(0xff800001u)), 0xfe00);
  expect("bf16 NaN", 0, tarn_f32_to_bf16(tarn_f32_from_bits(0x7f800001u)), 0x7fc0);
  expect("f4e2m1 NaN", 0, tarn_f32_to_f4e2m1(tarn_f32_from_bits(TARN_F32_NAN)), 8);
}

static void test_e8m0(void) {
  uint64_t state = 9;
  uint64_t i;
  for (i = 0; i < 200000u; ++i) {
    float x = fabsf(tarn_f32_from_bits((uint32_t)random_bits(&state)));
    const uint32_t round = (uint32_t)i % 3u;
    const uint32_t saturate = (uint32_t)(i / 3u) & 1u;
    double down;
    double result;
    int exponent;
    if (i % 5u == 0u) {
      x = ldexpf(i % 2u == 0u ? 1.0f : 1.5f, (int)(i % 290u) - 150);
    }
    if (isnan(x)) {
      continue;
    }
    (void)frexp((double)x, &exponent);
    down = x == 0.0f ? 0.0 : isinf(x) ? INFINITY : ldexp(1.0, exponent - 1);
    result = down;
    if (round == 1u && (double)x > down) {
      result = 2.0 * down;
    } else if (round == 2u && (double)x >= 1.5 * down) {
      result = 2.0 * down;
    }
    if (result > 0x1p+127) {
      result = saturate ? 0x1p+127 : NAN;
    } else if ((double)x < 0x1p-127) {
      result = saturate ? 0x1p-127 : NAN;
    }
    expect("f8e8m0", (double)x, (double)tarn_f8e8m0_to_f32(tarn_f32_to_f8e8m0(x, saturate, round)), result);
  }
}

static double clamp(double x, double low, double high) { return isnan(x) ? 0.0 : x < low ? low : x > high ? high : x; }

static void test_integers(void) {
  uint64_t state = 11;
  uint64_t i;
  for (i = 0; i < 200000u; ++i) {
    const uint64_t r = random_bits(&state);
    double d = i % 2u == 0u ? tarn_f64_from_bits(r) : random_between(&state, -1.0, 1.0) * ldexp(1.0, (int)(r % 66u));
    float x = i % 2u == 0u ? tarn_f32_from_bits((uint32_t)r) : (float)d;
    if (i % 16u == 7u) { /* halves, and the ends of the ranges */
      x = (float)((int)(r % 1024u) - 512) / 2.0f;
      d = ldexp((r & 1u) ? 1.0 : -1.0, 31 + (int)(r >> 8) % 34) + (double)((int)(r >> 16 & 15) - 8) / 4.0;
    }
    expect("f32 to i32", (double)x, tarn_f32_to_i32(x), clamp(trunc((double)x), -0x1p+31, 0x1p+31 - 1) + 0.0);
    expect("f32 to u32", (double)x, tarn_f32_to_u32(x), clamp(trunc((double)x), 0.0, 0x1p+32 - 1) + 0.0);
    expect("f64 to i32", d, tarn_f64_to_i32(d), clamp(trunc(d), -0x1p+31, 0x1p+31 - 1) + 0.0);
    expect("f64 to u32", d, tarn_f64_to_u32(d), clamp(trunc(d), 0.0, 0x1p+32 - 1) + 0.0);
    expect("f32 to i64", (double)x, (double)tarn_f32_to_i64(x), clamp(trunc((double)x), -0x1p+63, 0x1p+63) + 0.0);
    expect("f32 to u64", (double)x, (double)tarn_f32_to_u64(x), clamp(trunc((double)x), 0.0, 0x1p+64) + 0.0);
    expect("f64 to i64", d, (double)tarn_f64_to_i64(d), clamp(trunc(d), -0x1p+63, 0x1p+63) + 0.0);
    expect("f64 to u64", d, (double)tarn_f64_to_u64(d), clamp(trunc(d), 0.0, 0x1p+64) + 0.0);
    expect("f32 rounded", (double)x, tarn_f32_round_to_i32(x), clamp(rint((double)x), -0x1p+31, 0x1p+31 - 1) + 0.0);
  }
}

int main(void) {
  test_format("f16", through_f16, 10, 15, 0x7bff, 1, INFINITY, 1);
  test_format("bf16", through_bf16, 7, 127, 0x7f7f, 1, INFINITY, 1);
  test_format("f8e4m3fn", through_f8e4m3fn, 3, 7, 0x7e, 1, NAN, 1);
  test_format("f8e4m3fnuz", through_f8e4m3fnuz, 3, 8, 0x7f, 0, NAN, 1);
  test_format("f8e5m2", through_f8e5m2, 2, 15, 0x7b, 1, INFINITY, 1);
  test_format("f8e5m2fnuz", through_f8e5m2fnuz, 2, 16, 0x7f, 0, NAN, 1);
  test_format("f4e2m1", through_f4e2m1, 1, 1, 7, 1, 6.0, 0);
  test_codes();
  test_e8m0();
  test_integers();
  printf(failed ? "%d conversions FAILED\n" : "all conversions right\n", failed);
  return failed != 0;
}
