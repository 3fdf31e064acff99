/* Special values of C99, Annex F, and results that are exact. NaN is always the one quiet NaN. */
#include <stdio.h>

#include "functions.h"
#include "tarn_math_bits.h"
#include "tarn_math_ldexpf.h"

#define Z 0x00000000u
#define MZ 0x80000000u
#define ONE 0x3f800000u
#define MONE 0xbf800000u
#define TWO 0x40000000u
#define MTWO 0xc0000000u
#define HALF 0x3f000000u
#define MHALF 0xbf000000u
#define INF 0x7f800000u
#define MINF 0xff800000u
#define NAN_IN 0xffa12345u /* negative, signalling, with a payload */
#define QNAN 0x7fc00000u
#define TINY 0x00000001u /* least subnormal */
#define MTINY 0x80000001u
#define MAX 0x7f7fffffu
#define MMAX 0xff7fffffu

typedef struct {
  const char* name;
  float (*f)(float);
  double (*wide)(double); /* the double function of the same name, or 0 */
  uint32_t argument;
  uint32_t result;
} case_1;

typedef struct {
  const char* name;
  float (*f)(float, float);
  double (*wide)(double, double);
  uint32_t x, y;
  uint32_t result;
} case_2;

#define U(name, argument, result) \
  { #name, tarn_##name##f, tarn_##name, argument, result }
#define F(name, argument, result) \
  { #name, tarn_##name##f, 0, argument, result }
#define B(name, x, y, result) \
  { #name, tarn_##name##f, tarn_##name, x, y, result }
#define A(x, y, result) \
  { "atan2", tarn_atan2f, 0, x, y, result }

/* clang-format off */
static const case_1 unary[] = {
    U(exp, Z, ONE), U(exp, MZ, ONE), U(exp, INF, INF), U(exp, MINF, Z), U(exp, NAN_IN, QNAN), U(exp, MAX, INF),
    U(exp, MMAX, Z), U(exp, TINY, ONE), F(exp2, Z, ONE), F(exp2, MZ, ONE), F(exp2, INF, INF), F(exp2, MINF, Z),
    F(exp2, NAN_IN, QNAN), F(exp2, 0x42fe0000u, 0x7f000000u) /* 127 */, F(exp2, 0x43000000u, INF) /* 128 */,
    F(exp2, 0xc3150000u, TINY) /* -149 */, F(exp2, 0xc3160000u, Z) /* -150 */,
    F(exp2, 0xc2fc0000u, 0x00800000u) /* -126 */, F(exp2, ONE, TWO), F(exp2, MONE, HALF), U(expm1, Z, Z),
    U(expm1, MZ, MZ), U(expm1, INF, INF), U(expm1, MINF, MONE), U(expm1, NAN_IN, QNAN), U(expm1, TINY, TINY),
    U(expm1, MTINY, MTINY), U(expm1, MMAX, MONE), U(log, Z, MINF), U(log, MZ, MINF), U(log, ONE, Z), U(log, MONE, QNAN),
    U(log, MTINY, QNAN), U(log, MINF, QNAN), U(log, INF, INF), U(log, NAN_IN, QNAN), F(log2, Z, MINF),
    F(log2, MZ, MINF), F(log2, ONE, Z), F(log2, MONE, QNAN), F(log2, INF, INF), F(log2, MINF, QNAN),
    F(log2, NAN_IN, QNAN), F(log2, TWO, ONE), F(log2, TINY, 0xc3150000u), F(log2, 0x7f000000u, 0x42fe0000u),
    F(log2, HALF, MONE), U(log1p, Z, Z), U(log1p, MZ, MZ), U(log1p, MONE, MINF), U(log1p, MTWO, QNAN),
    U(log1p, INF, INF), U(log1p, MINF, QNAN), U(log1p, NAN_IN, QNAN), U(log1p, TINY, TINY), U(log1p, MTINY, MTINY),
    U(tanh, Z, Z), U(tanh, MZ, MZ), U(tanh, INF, ONE), U(tanh, MINF, MONE), U(tanh, NAN_IN, QNAN), U(tanh, TINY, TINY),
    U(tanh, MAX, ONE), U(sigmoid, Z, HALF), U(sigmoid, MZ, HALF), U(sigmoid, INF, ONE), U(sigmoid, MINF, Z),
    U(sigmoid, NAN_IN, QNAN), U(sigmoid, MMAX, Z), U(softplus, INF, INF), U(softplus, MINF, Z),
    U(softplus, NAN_IN, QNAN), U(softplus, MAX, MAX), U(softplus, MMAX, Z), U(erf, Z, Z), U(erf, MZ, MZ),
    U(erf, INF, ONE), U(erf, MINF, MONE), U(erf, NAN_IN, QNAN), F(erfc, Z, ONE), F(erfc, MZ, ONE), F(erfc, INF, Z),
    F(erfc, MINF, TWO), F(erfc, NAN_IN, QNAN), U(sin, Z, Z), U(sin, MZ, MZ), U(sin, INF, QNAN), U(sin, MINF, QNAN),
    U(sin, NAN_IN, QNAN), U(sin, TINY, TINY), U(cos, Z, ONE), U(cos, MZ, ONE), U(cos, INF, QNAN), U(cos, NAN_IN, QNAN),
    U(cos, TINY, ONE), U(tan, Z, Z), U(tan, MZ, MZ), U(tan, INF, QNAN), U(tan, NAN_IN, QNAN), U(tan, MTINY, MTINY),
    U(asin, Z, Z), U(asin, MZ, MZ), U(asin, TWO, QNAN), U(asin, INF, QNAN), U(asin, NAN_IN, QNAN), U(acos, ONE, Z),
    U(acos, TWO, QNAN), U(acos, MTWO, QNAN), U(acos, MINF, QNAN), U(acos, NAN_IN, QNAN), U(atan, Z, Z), U(atan, MZ, MZ),
    U(atan, NAN_IN, QNAN), U(atan, TINY, TINY), U(sinh, Z, Z), U(sinh, MZ, MZ), U(sinh, INF, INF), U(sinh, MINF, MINF),
    U(sinh, NAN_IN, QNAN), U(sinh, MAX, INF), U(cosh, Z, ONE), U(cosh, MZ, ONE), U(cosh, INF, INF), U(cosh, MINF, INF),
    U(cosh, NAN_IN, QNAN), U(asinh, Z, Z), U(asinh, MZ, MZ), U(asinh, INF, INF), U(asinh, MINF, MINF),
    U(asinh, NAN_IN, QNAN), U(acosh, ONE, Z), U(acosh, HALF, QNAN), U(acosh, MONE, QNAN), U(acosh, INF, INF),
    U(acosh, MINF, QNAN), U(acosh, NAN_IN, QNAN), U(atanh, Z, Z), U(atanh, MZ, MZ), U(atanh, ONE, INF),
    U(atanh, MONE, MINF), U(atanh, TWO, QNAN), U(atanh, INF, QNAN), U(atanh, NAN_IN, QNAN), U(sqrt, Z, Z),
    U(sqrt, MZ, MZ), U(sqrt, INF, INF), U(sqrt, MONE, QNAN), U(sqrt, MTINY, QNAN), U(sqrt, MINF, QNAN),
    U(sqrt, NAN_IN, QNAN), U(sqrt, 0x40800000u, TWO), U(floor, Z, Z), U(floor, MZ, MZ), U(floor, INF, INF),
    U(floor, MINF, MINF), U(floor, NAN_IN, QNAN), U(floor, MHALF, MONE), U(floor, HALF, Z), U(floor, MTINY, MONE),
    U(floor, MMAX, MMAX), U(ceil, Z, Z), U(ceil, MZ, MZ), U(ceil, INF, INF), U(ceil, NAN_IN, QNAN), U(ceil, MHALF, MZ),
    U(ceil, TINY, ONE), U(trunc, Z, Z), U(trunc, MZ, MZ), U(trunc, MINF, MINF), U(trunc, NAN_IN, QNAN),
    U(trunc, MHALF, MZ), U(rint, Z, Z), U(rint, MZ, MZ), U(rint, INF, INF), U(rint, NAN_IN, QNAN), U(rint, HALF, Z),
    U(rint, MHALF, MZ), U(rint, 0x3fc00000u, TWO) /* 1.5 */, U(rint, 0x40200000u, TWO) /* 2.5 */,
    U(rint, 0x3f000001u, ONE), U(round, HALF, ONE), U(round, MHALF, MONE), U(round, 0x3effffffu, Z), U(round, MZ, MZ),
    U(round, 0x40200000u, 0x40400000u) /* 2.5 */, U(round, INF, INF), U(round, NAN_IN, QNAN),
};
/* clang-format on */

/* clang-format off */
static const case_2 binary[] = {
    B(pow, Z, ONE, Z), B(pow, MZ, ONE, MZ), B(pow, MZ, TWO, Z), B(pow, Z, MONE, INF), B(pow, MZ, MONE, MINF),
    B(pow, MZ, MTWO, INF), B(pow, MZ, HALF, Z), B(pow, MZ, MHALF, INF), B(pow, Z, MINF, INF), B(pow, Z, INF, Z),
    B(pow, MONE, INF, ONE), B(pow, MONE, MINF, ONE), B(pow, ONE, NAN_IN, ONE), B(pow, ONE, INF, ONE),
    B(pow, NAN_IN, Z, ONE), B(pow, NAN_IN, MZ, ONE), B(pow, NAN_IN, ONE, QNAN), B(pow, TWO, NAN_IN, QNAN),
    B(pow, MTWO, HALF, QNAN), B(pow, MTWO, TWO, 0x40800000u), B(pow, MTWO, 0x40400000u, 0xc1000000u) /* (-2)^3 */,
    B(pow, MONE, 0x4b800001u, ONE) /* an even integer */, B(pow, MONE, 0x4b7fffffu, MONE) /* the largest odd one */,
    B(pow, MONE, MAX, ONE), B(pow, HALF, MINF, INF), B(pow, TWO, MINF, Z), B(pow, HALF, INF, Z), B(pow, TWO, INF, INF),
    B(pow, MTWO, INF, INF), B(pow, MINF, MONE, MZ), B(pow, MINF, MTWO, Z), B(pow, MINF, MHALF, Z),
    B(pow, MINF, ONE, MINF), B(pow, MINF, TWO, INF), B(pow, MINF, HALF, INF), B(pow, INF, MONE, Z),
    B(pow, INF, TINY, INF), B(pow, TWO, MMAX, Z), B(pow, MAX, TWO, INF), B(pow, MMAX, 0x40400000u, MINF),
    B(pow, TWO, TINY, ONE), B(pow, 0x40400000u, 0x40a00000u, 0x43730000u) /* 3^5 = 243 */,
    B(pow, 0x40800000u, HALF, TWO), B(pow, MONE, MONE, MONE), A(Z, ONE, Z), A(MZ, ONE, MZ), A(Z, MONE, 0x40490fdbu),
    A(MZ, MONE, 0xc0490fdbu), A(Z, Z, Z), A(MZ, Z, MZ), A(Z, MZ, 0x40490fdbu), A(MZ, MZ, 0xc0490fdbu),
    A(ONE, Z, 0x3fc90fdbu), A(MONE, MZ, 0xbfc90fdbu), A(ONE, INF, Z), A(MONE, INF, MZ), A(ONE, MINF, 0x40490fdbu),
    A(MONE, MINF, 0xc0490fdbu), A(INF, ONE, 0x3fc90fdbu), A(MINF, MONE, 0xbfc90fdbu), A(INF, INF, 0x3f490fdbu),
    A(INF, MINF, 0x4016cbe4u), A(MINF, INF, 0xbf490fdbu), A(MINF, MINF, 0xc016cbe4u), A(NAN_IN, ONE, QNAN),
    A(ONE, NAN_IN, QNAN), A(TINY, ONE, TINY), A(ONE, ONE, 0x3f490fdbu), A(MONE, MONE, 0xc016cbe4u), A(TINY, MAX, Z),
    A(MTINY, MAX, MZ), B(fmod, Z, ONE, Z), B(fmod, MZ, ONE, MZ), B(fmod, ONE, Z, QNAN), B(fmod, INF, ONE, QNAN),
    B(fmod, ONE, INF, ONE), B(fmod, MONE, MINF, MONE), B(fmod, NAN_IN, ONE, QNAN), B(fmod, ONE, NAN_IN, QNAN),
    B(fmod, MTWO, ONE, MZ), B(fmod, 0x40b00000u, 0x40400000u, 0x40200000u) /* 5.5 % 3 */,
    B(fmod, 0xc0b00000u, 0x40400000u, 0xc0200000u),
};
/* clang-format on */

/* A float constant as a double; subnormals keep their kind, the least subnormal, not their value. */
static double widen(uint32_t bits) {
  if ((bits & 0x7fffffffu) == TINY) {
    return tarn_f64_from_bits(((uint64_t)(bits & MZ) << 32) | 1u);
  }
  if ((bits & 0x7fffffffu) == MAX) {
    return tarn_f64_from_bits(((uint64_t)(bits & MZ) << 32) | (TARN_F64_INF - 1u));
  }
  if ((bits & 0x7fffffffu) > INF) {
    return tarn_f64_from_bits(bits == QNAN ? TARN_F64_NAN : 0xfff0000012345678u);
  }
  return (double)tarn_f32_from_bits(bits);
}

/* Whether the double function has the same exact answer: not where the answer is pi or depends on the format. */
static int same_for_double(uint32_t bits) {
  const uint32_t size = bits & 0x7fffffffu;
  return size != 0x3effffffu && size != 0x3f000001u && size != 0x4b800001u && size != 0x4b7fffffu;
}

static int failed;

static void expect_f32(const char* name, uint32_t x, uint32_t y, uint32_t result, uint32_t expected) {
  if (result != expected) {
    printf("%sf(%08x, %08x): %08x, expected %08x\n", name, x, y, result, expected);
    failed = 1;
  }
}

static void expect_f64(const char* name, double x, double y, double result, double expected) {
  if (tarn_f64_to_bits(result) != tarn_f64_to_bits(expected)) {
    printf("%s(%a, %a): %a, expected %a\n", name, x, y, result, expected);
    failed = 1;
  }
}

static void test_ldexpf(void) {
  static const struct {
    uint32_t x;
    int32_t n;
    uint32_t result;
  } cases[] = {
      {ONE, 0, ONE},
      {ONE, 127, 0x7f000000u},
      {ONE, 128, INF},
      {MONE, 2000000000, MINF},
      {ONE, -126, 0x00800000u},
      {ONE, -149, TINY},
      {ONE, -150, Z},
      {0x3f800001u, -150, TINY},
      {0x3fc00000u, -149, 0x00000002u},
      {0x40200000u, -149, 0x00000002u},
      {MONE, -2000000000, MZ},
      {TINY, 149, ONE},
      {TINY, 276, 0x7f000000u},
      {TINY, -1, Z},
      {0x00000003u, -1, 0x00000002u},
      {Z, 5, Z},
      {MZ, -5, MZ},
      {INF, -5, INF},
      {NAN_IN, 1, QNAN},
      {MAX, -1, 0x7effffffu},
      {MAX, -254, 0x007fffffu + 1u},
  };
  size_t i;
  for (i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    expect_f32("ldexp", cases[i].x, (uint32_t)cases[i].n,
               tarn_f32_to_bits(tarn_ldexpf(tarn_f32_from_bits(cases[i].x), cases[i].n)), cases[i].result);
  }
}

static void test_bits(void) {
  expect_f32("fabs", MINF, 0, tarn_f32_to_bits(tarn_fabsf(tarn_f32_from_bits(MINF))), INF);
  expect_f32("copysign", ONE, MZ, tarn_f32_to_bits(tarn_copysignf(1.0f, tarn_f32_from_bits(MZ))), MONE);
  expect_f32("isnan", NAN_IN, 0, (uint32_t)tarn_isnanf(tarn_f32_from_bits(NAN_IN)), 1);
  expect_f32("isnan", INF, 0, (uint32_t)tarn_isnanf(tarn_f32_from_bits(INF)), 0);
  expect_f32("isinf", MINF, 0, (uint32_t)tarn_isinff(tarn_f32_from_bits(MINF)), 1);
  expect_f32("isinf", QNAN, 0, (uint32_t)tarn_isinff(tarn_f32_from_bits(QNAN)), 0);
  expect_f64("fabs", -1.5, 0, tarn_fabs(-1.5), 1.5);
  expect_f64("copysign", 1.5, -0.0, tarn_copysign(1.5, -0.0), -1.5);
}

int main(void) {
  size_t i;
  for (i = 0; i < sizeof unary / sizeof unary[0]; ++i) {
    const case_1* c = &unary[i];
    expect_f32(c->name, c->argument, 0, tarn_f32_to_bits(c->f(tarn_f32_from_bits(c->argument))), c->result);
    if (c->wide != 0 && same_for_double(c->argument)) {
      expect_f64(c->name, widen(c->argument), 0.0, c->wide(widen(c->argument)), widen(c->result));
    }
  }
  for (i = 0; i < sizeof binary / sizeof binary[0]; ++i) {
    const case_2* c = &binary[i];
    expect_f32(c->name, c->x, c->y, tarn_f32_to_bits(c->f(tarn_f32_from_bits(c->x), tarn_f32_from_bits(c->y))),
               c->result);
    if (c->wide != 0 && same_for_double(c->y)) {
      expect_f64(c->name, widen(c->x), widen(c->y), c->wide(widen(c->x), widen(c->y)), widen(c->result));
    }
  }
  test_ldexpf();
  test_bits();
  printf("%u cases%s\n", (unsigned)(sizeof unary / sizeof unary[0] + sizeof binary / sizeof binary[0]),
         failed ? ": FAILED" : "");
  return failed;
}
