/* Every float function against the double one of the C library: a sample of all 2^32 arguments, or with TARN_MATH_FULL
 * set in the environment all of them (about an hour on two cores). An argument of the program picks one function.
 * Prints the largest error of each; fails when one is above its limit. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"
#include "ulp.h"

static double reference_sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }
static double reference_softplus(double x) { return (x > 0.0 ? x : 0.0) + log1p(exp(-fabs(x))); }

typedef struct {
  const char* name;
  float (*function)(float);
  double (*reference)(double);
  double limit;
} unary;

typedef struct {
  const unary* f;
  uint64_t first;
  uint64_t step;
  double worst;
  uint32_t at;
} span;

static void* run_span(void* argument) {
  span* s = (span*)argument;
  uint64_t bits;
  for (bits = s->first; bits < (uint64_t)1 << 32; bits += s->step) {
    const float x = tarn_f32_from_bits((uint32_t)bits);
    const double error = ulp_error_f32(s->f->function(x), s->f->reference((double)x));
    if (error > s->worst) {
      s->worst = error;
      s->at = (uint32_t)bits;
    }
  }
  return NULL;
}

static int report(const char* name, double worst, double limit, double x, double y) {
  printf("%-10s %8.4f ulp (limit %.2f) at %a %a%s\n", name, worst, limit, x, y, worst > limit ? "  FAILED" : "");
  fflush(stdout);
  return worst > limit ? 1 : 0;
}

/* Bits around which functions change their formula or their kind, in both signs. */
static void test_corners(span* s) {
  static const uint32_t corner[] = {0x00000000u, 0x00800000u, 0x32000000u, 0x33000000u, 0x39800000u,
                                    0x3f000000u, 0x3f3504f3u, 0x3f490fdbu, 0x3f800000u, 0x3fb504f3u,
                                    0x3fc90fdbu, 0x40490fdbu, 0x407ccccdu, 0x41102cb4u, 0x4120e148u,
                                    0x41b00000u, 0x42b17218u, 0x42b2d4fcu, 0x42cff1b5u, 0x43000000u,
                                    0x43160000u, 0x4b000000u, 0x4b800000u, 0x7f800000u, 0x7fc00000u};
  size_t i;
  uint32_t k;
  for (i = 0; i < sizeof corner / sizeof corner[0]; ++i) {
    for (k = 0; k < 8000u; ++k) {
      const uint32_t bits = (corner[i] + k / 2u - 2000u) ^ (k & 1u) << 31;
      span one = *s;
      one.first = bits;
      one.step = (uint64_t)1 << 32;
      one.worst = 0.0;
      run_span(&one);
      if (one.worst > s->worst) {
        s->worst = one.worst;
        s->at = one.at;
      }
    }
  }
}

static int test_unary(const unary* f, int full) {
  span s[2];
  pthread_t thread;
  const uint64_t step = full ? 1u : 2053u; /* prime, so that all low bits take part */

  memset(s, 0, sizeof s);
  s[0].f = s[1].f = f;
  s[1].first = step;
  s[0].step = s[1].step = 2u * step;
  if (pthread_create(&thread, NULL, run_span, &s[1]) != 0) {
    fputs("no thread\n", stderr);
    return 1;
  }
  run_span(&s[0]);
  pthread_join(thread, NULL);
  test_corners(&s[0]);
  if (s[1].worst > s[0].worst) {
    s[0] = s[1];
  }
  return report(f->name, s[0].worst, f->limit, (double)tarn_f32_from_bits(s[0].at), 0.0);
}

static int test_binary(const char* name, float (*function)(float, float), double (*reference)(double, double),
                       double limit, uint64_t count) {
  uint64_t state = 20;
  double worst = 0.0;
  float at_x = 0.0f;
  float at_y = 0.0f;
  uint64_t i;

  for (i = 0; i < count; ++i) {
    const uint64_t r = random_bits(&state);
    float x = tarn_f32_from_bits((uint32_t)r);
    float y = tarn_f32_from_bits((uint32_t)(r >> 32));
    double error;
    switch (i % 8u) {
      case 1: /* results over the whole range of a power */
        x = fabsf(x);
        y = (float)(random_between(&state, -152.0, 130.0) / log2((double)x));
        break;
      case 2: /* near 1 */
        x = (float)(1.0 + random_between(&state, -1.0, 1.0) * ldexp(1.0, -(int)(r >> 59)));
        y = (float)(random_between(&state, -152.0, 130.0) / log2((double)x));
        break;
      case 3: /* integers and halves, powers that are exact */
        x = (float)((int)(r % 257u) - 128) / 2.0f;
        y = (float)((int)((r >> 32) % 129u) - 64) / 2.0f;
        break;
      case 4: /* like in size */
        y = (float)((double)x * random_between(&state, -4.0, 4.0));
        break;
      case 5: /* equal, zero, infinite */
        y = (r & 1u) ? x : -x;
        x = (r & 2u) ? x : (r & 4u) ? 0.0f : -INFINITY;
        break;
      case 6:
        x = (float)random_between(&state, -10.0, 10.0);
        y = (float)random_between(&state, -10.0, 10.0);
        break;
      default:
        break;
    }
    error = ulp_error_f32(function(x, y), reference((double)x, (double)y));
    if (error > worst) {
      worst = error;
      at_x = x;
      at_y = y;
    }
  }
  return report(name, worst, limit, (double)at_x, (double)at_y);
}

#define ENTRY(name, reference, limit, first, last) {#name, tarn_##name, reference, limit},
static const unary functions[] = {TARN_UNARY_F32(ENTRY)};

int main(int argc, char** argv) {
  const int full = getenv("TARN_MATH_FULL") != NULL;
  int failed = 0;
  size_t i;

  for (i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
    if (argc < 2 || strcmp(argv[1], functions[i].name) == 0) {
      failed += test_unary(&functions[i], full);
    }
  }
#define TEST(name, reference, limit, first_x, last_x, first_y, last_y)                         \
  if (argc < 2 || strcmp(argv[1], #name) == 0) {                                               \
    failed += test_binary(#name, tarn_##name, reference, limit, full ? 400000000u : 2000000u); \
  }
  TARN_BINARY_F32(TEST)
  return failed != 0;
}
