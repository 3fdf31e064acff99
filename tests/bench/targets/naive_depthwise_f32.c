/* The plain loops of a depthwise 3x3 convolution, 24x24x64 with a border: what kernels are compared with. */
#include "naive.h"

enum { LINES = 24, PIXELS = 24, CHANNELS = 64 };

const uint32_t bench_macs = LINES * PIXELS * CHANNELS * 9;
void bench_setup(void);
void bench_run(void);
uint32_t bench_check(void);

static float in[(LINES + 2) * (PIXELS + 2) * CHANNELS];
static float weights[9 * CHANNELS];
static float out[LINES * PIXELS * CHANNELS];

void bench_setup(void) {
  naive_fill(in, sizeof in / sizeof in[0]);
  naive_fill(weights, sizeof weights / sizeof weights[0]);
}

void bench_run(void) {
  int32_t y, x, c, ky, kx;
  for (y = 0; y < LINES; ++y) {
    for (x = 0; x < PIXELS; ++x) {
      for (c = 0; c < CHANNELS; ++c) {
        float sum = 0.0f;
        for (ky = 0; ky < 3; ++ky) {
          for (kx = 0; kx < 3; ++kx) {
            sum +=
                in[((((y + ky) * (PIXELS + 2)) + x + kx) * CHANNELS) + c] * weights[(((ky * 3) + kx) * CHANNELS) + c];
          }
        }
        out[(((y * PIXELS) + x) * CHANNELS) + c] = sum;
      }
    }
  }
}

uint32_t bench_check(void) { return naive_sum(out, sizeof out / sizeof out[0]); }
