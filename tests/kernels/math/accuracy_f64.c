/* Every double function against the long double one of the C library (64 bits of mantissa or more), on random and
 * structured arguments; TARN_MATH_FULL in the environment takes a hundred times as many. An argument of the program
 * picks one function. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"
#include "ulp.h"

static long double reference_sigmoid(long double x) { return 1.0L / (1.0L + expl(-x)); }
static long double reference_softplus(long double x) { return (x > 0.0L ? x : 0.0L) + log1pl(expl(-fabsl(x))); }

static int report(const char* name, double worst, double limit, double x, double y) {
  printf("%-10s %8.4f ulp (limit %.2f) at %a %a%s\n", name, worst, limit, x, y, worst > limit ? "  FAILED" : "");
  fflush(stdout);
  return worst > limit ? 1 : 0;
}

/* Arguments of many kinds: any bits, the range that networks use, small ones, ones next to 1, multiples of pi/2. */
static double unary_argument(uint64_t i, uint64_t* state, double first, double last) {
  static const uint64_t corner[] = {0x0000000000000000u, 0x0010000000000000u, 0x3c90000000000000u, 0x3e40000000000000u,
                                    0x3fe0000000000000u, 0x3fe6a09e667f3bcdu, 0x3fe921fb54442d18u, 0x3ff0000000000000u,
                                    0x3ff6a09e667f3bcdu, 0x4000000000000000u, 0x4018000000000000u, 0x40862e42fefa39efu,
                                    0x408633ce8fb9f87eu, 0x4090000000000000u, 0x4330000000000000u, 0x4340000000000000u,
                                    0x7fe0000000000000u, 0x7ff0000000000000u, 0x7ff8000000000000u, 0xc0874910d52d3053u};
  const uint64_t r = random_bits(state);
  switch (i % 8u) {
    case 0:
      return tarn_f64_from_bits(r);
    case 1:
      return random_between(state, -750.0, 750.0);
    case 2:
      return random_between(state, -1.0, 1.0) * ldexp(1.0, -(int)(r >> 58));
    case 3:
      return ((r & 1u) ? 1.0 : -1.0) * (1.0 + random_between(state, -1.0, 1.0) * ldexp(1.0, -(int)(r >> 58)));
    case 4:
      return (double)(r >> 40) * 0x1.921fb54442d18p+0;
    case 5:
      return tarn_f64_from_bits(corner[(r >> 8) % (sizeof corner / sizeof corner[0])] + (r >> 56) - 128u);
    default:
      return random_between(state, first, last);
  }
}

static int test_unary(const char* name, double (*function)(double), long double (*reference)(long double), double limit,
                      double first, double last, uint64_t count) {
  uint64_t state = 64;
  double worst = 0.0;
  double at = 0.0;
  uint64_t i;

  for (i = 0; i < count; ++i) {
    const double x = unary_argument(i, &state, first, last);
    const double error = ulp_error_f64(function(x), reference((long double)x));
    if (error > worst) {
      worst = error;
      at = x;
    }
  }
  return report(name, worst, limit, at, 0.0);
}

static int test_binary(const char* name, double (*function)(double, double),
                       long double (*reference)(long double, long double), double limit, uint64_t count) {
  uint64_t state = 20;
  double worst = 0.0;
  double at_x = 0.0;
  double at_y = 0.0;
  uint64_t i;

  for (i = 0; i < count; ++i) {
    const uint64_t r = random_bits(&state);
    double x = tarn_f64_from_bits(r);
    double y = tarn_f64_from_bits(random_bits(&state));
    double error;
    switch (i % 8u) {
      case 1: /* results over the whole range of a power */
        x = fabs(x);
        y = random_between(&state, -1080.0, 1026.0) / log2(x);
        break;
      case 2: /* near 1 */
        x = 1.0 + random_between(&state, -1.0, 1.0) * ldexp(1.0, -(int)(r >> 58));
        y = random_between(&state, -1080.0, 1026.0) / log2(x);
        break;
      case 3: /* integers and halves, powers that are exact */
        x = (double)((int)(r % 257u) - 128) / 2.0;
        y = (double)((int)((r >> 32) % 129u) - 64) / 2.0;
        break;
      case 4: /* like in size */
        y = x * random_between(&state, -4.0, 4.0);
        break;
      case 5: /* where the table of pow begins again */
        x = 1.41421350 + random_between(&state, 0.0, 1e-7);
        y = random_between(&state, -2000.0, 2000.0);
        break;
      case 6:
        x = random_between(&state, -10.0, 10.0);
        y = random_between(&state, -10.0, 10.0);
        break;
      default:
        break;
    }
    error = ulp_error_f64(function(x, y), reference((long double)x, (long double)y));
    if (error > worst) {
      worst = error;
      at_x = x;
      at_y = y;
    }
  }
  return report(name, worst, limit, at_x, at_y);
}

int main(int argc, char** argv) {
  const uint64_t count = getenv("TARN_MATH_FULL") != NULL ? 20000000u : 200000u;
  int failed = 0;

  if (LDBL_MANT_DIG < 64) {
    puts("long double is no wider than double here: nothing to compare with");
    return 77;
  }
#define TEST_UNARY(name, reference, limit, first, last)                             \
  if (argc < 2 || strcmp(argv[1], #name) == 0) {                                    \
    failed += test_unary(#name, tarn_##name, reference, limit, first, last, count); \
  }
#define TEST_BINARY(name, reference, limit, first_x, last_x, first_y, last_y) \
  if (argc < 2 || strcmp(argv[1], #name) == 0) {                              \
    failed += test_binary(#name, tarn_##name, reference, limit, count);       \
  }
  TARN_UNARY_F64(TEST_UNARY)
  TARN_BINARY_F64(TEST_BINARY)
  return failed != 0;
}
