/* The plain loops of a 3x3 convolution, 16x16x32 -> 64, input with its border: what kernels are compared with. */
#include "naive.h"

enum { LINES = 16, PIXELS = 16, INPUTS = 32, OUTPUTS = 64 };

const uint32_t bench_macs = LINES * PIXELS * OUTPUTS * 9 * INPUTS;
void bench_setup(void);
void bench_run(void);
uint32_t bench_check(void);

static float in[(LINES + 2) * (PIXELS + 2) * INPUTS];
static float weights[OUTPUTS * 9 * INPUTS];
static float out[LINES * PIXELS * OUTPUTS];

void bench_setup(void) {
  naive_fill(in, sizeof in / sizeof in[0]);
  naive_fill(weights, sizeof weights / sizeof weights[0]);
}

void bench_run(void) {
  int32_t y, x, o, ky, kx, c;
  for (y = 0; y < LINES; ++y) {
    for (x = 0; x < PIXELS; ++x) {
      for (o = 0; o < OUTPUTS; ++o) {
        float sum = 0.0f;
        for (ky = 0; ky < 3; ++ky) {
          for (kx = 0; kx < 3; ++kx) {
            const float *p = &in[(((y + ky) * (PIXELS + 2)) + x + kx) * INPUTS];
            const float *w = &weights[((((o * 3) + ky) * 3) + kx) * INPUTS];
            for (c = 0; c < INPUTS; ++c) {
              sum += p[c] * w[c];
            }
          }
        }
        out[(((y * PIXELS) + x) * OUTPUTS) + o] = sum;
      }
    }
  }
}

uint32_t bench_check(void) { return naive_sum(out, sizeof out / sizeof out[0]); }
