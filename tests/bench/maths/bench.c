/* Calls every function on arguments that networks give it, between two marks for the instruction counter. The first
 * pair of marks holds the empty loop. Prints the names in the order of the marks. */
#include "functions.h"
#include "semihost.h"
#include "tarn_math_half.h"
#include "tarn_math_to_int.h"

#define COUNT 200u

void bench_mark(void);
__attribute__((noinline)) void bench_mark(void) { __asm__ volatile("" ::: "memory"); }

static float x_f32[COUNT];
static float y_f32[COUNT];
static volatile float sink_f32;
static volatile double sink_f64;

/* Uniform in [first, last]. */
static void fill(float* out, uint32_t seed, float first, float last) {
  uint32_t i;
  for (i = 0; i < COUNT; ++i) {
    seed = seed * 1664525u + 1013904223u;
    out[i] = first + (last - first) * ((float)(seed >> 8) / 16777216.0f);
  }
}

static void run_f32(const char* name, float (*f)(float), float first, float last) {
  uint32_t i;
  fill(x_f32, 1u, first, last);
  semihost_print(name);
  bench_mark();
  for (i = 0; i < COUNT; ++i) {
    sink_f32 = f(x_f32[i]);
  }
  bench_mark();
}

static void run_f32_f32(const char* name, float (*f)(float, float), float first, float last, float first_y,
                        float last_y) {
  uint32_t i;
  fill(x_f32, 1u, first, last);
  fill(y_f32, 2u, first_y, last_y);
  semihost_print(name);
  bench_mark();
  for (i = 0; i < COUNT; ++i) {
    sink_f32 = f(x_f32[i], y_f32[i]);
  }
  bench_mark();
}

static void run_f64(const char* name, double (*f)(double), float first, float last) {
  static double x[COUNT];
  uint32_t i;
  fill(x_f32, 1u, first, last);
  for (i = 0; i < COUNT; ++i) {
    x[i] = (double)x_f32[i];
  }
  semihost_print(name);
  bench_mark();
  for (i = 0; i < COUNT; ++i) {
    sink_f64 = f(x[i]);
  }
  bench_mark();
}

static void run_f64_f64(const char* name, double (*f)(double, double), float first, float last, float first_y,
                        float last_y) {
  uint32_t i;
  fill(x_f32, 1u, first, last);
  fill(y_f32, 2u, first_y, last_y);
  semihost_print(name);
  bench_mark();
  for (i = 0; i < COUNT; ++i) {
    sink_f64 = f((double)x_f32[i], (double)y_f32[i]);
  }
  bench_mark();
}

__attribute__((noinline)) static float nothing(float x) { return x; }
static float half(float x) { return tarn_f16_to_f32(tarn_f32_to_f16(x)); }
static float round_to_int(float x) { return tarn_f32_from_bits((uint32_t)tarn_f32_round_to_i32(x)); }

int main(void) {
  run_f32("nothing\n", nothing, 0, 1);
#define RUN_F32(name, reference, limit, first, last) run_f32(#name "\n", tarn_##name, (float)(first), (float)(last));
#define RUN_F64(name, reference, limit, first, last) run_f64(#name "\n", tarn_##name, (float)(first), (float)(last));
#define RUN_F32_F32(name, reference, limit, a, b, c, d) \
  run_f32_f32(#name "\n", tarn_##name, (float)(a), (float)(b), (float)(c), (float)(d));
#define RUN_F64_F64(name, reference, limit, a, b, c, d) \
  run_f64_f64(#name "\n", tarn_##name, (float)(a), (float)(b), (float)(c), (float)(d));
  TARN_UNARY_F32(RUN_F32)
  TARN_BINARY_F32(RUN_F32_F32)
  run_f32("f16 and back\n", half, -8, 8);
  run_f32("round_to_i32\n", round_to_int, -200, 200);
#ifndef TARN_BENCH_F32_ONLY
  TARN_UNARY_F64(RUN_F64)
  TARN_BINARY_F64(RUN_F64_F64)
#endif
  return 0;
}
