/* The plain loops of a 1x1 convolution, 24x24x64 -> 64: what kernels are compared with. */
#include "naive.h"

enum { POINTS = 24 * 24, INPUTS = 64, OUTPUTS = 64 };

const uint32_t bench_macs = POINTS * OUTPUTS * INPUTS;
void bench_setup(void);
void bench_run(void);
uint32_t bench_check(void);

static float in[POINTS * INPUTS];
static float weights[OUTPUTS * INPUTS];
static float out[POINTS * OUTPUTS];

void bench_setup(void) {
  naive_fill(in, sizeof in / sizeof in[0]);
  naive_fill(weights, sizeof weights / sizeof weights[0]);
}

void bench_run(void) {
  int32_t p, o, c;
  for (p = 0; p < POINTS; ++p) {
    for (o = 0; o < OUTPUTS; ++o) {
      float sum = 0.0f;
      for (c = 0; c < INPUTS; ++c) {
        sum += in[(p * INPUTS) + c] * weights[(o * INPUTS) + c];
      }
      out[(p * OUTPUTS) + o] = sum;
    }
  }
}

uint32_t bench_check(void) { return naive_sum(out, sizeof out / sizeof out[0]); }
