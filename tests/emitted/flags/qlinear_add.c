/* A digest of sums of 8-bit codes whose scales come with the data, for every rounding of their doubles. */
#include "tarn_qlinear_add.h"

#ifdef TARN_TEST_TARGET
#include "semihost.h"
#else
#include <stdio.h>
#define semihost_print(text) (void)fputs(text, stdout)
#endif

enum { kRows = 7, kColumns = 13 };

int main(void) {
  static const tarn_qlinear_params p = {2, {kRows, kColumns}, {kColumns, 1}, {0, 1}, -128, 127};
  static int8_t a[kRows * kColumns], b[kColumns], y[kRows * kColumns];
  uint32_t state = 7, digest = 2166136261u, round, i;
  char text[10];
  for (round = 0; round < 200; ++round) {
    float scales[3];
    int8_t zeros[3];
    for (i = 0; i < kRows * kColumns; ++i) a[i] = (int8_t)((state = state * 1664525u + 1013904223u) >> 24);
    for (i = 0; i < kColumns; ++i) b[i] = (int8_t)((state = state * 1664525u + 1013904223u) >> 24);
    for (i = 0; i < 3; ++i) {
      scales[i] = (float)(1u + ((state = state * 1664525u + 1013904223u) >> 12)) / 16777216.0f;
      zeros[i] = (int8_t)(state >> 4);
    }
    tarn_qlinear_add(&p, a, &scales[0], &zeros[0], b, &scales[1], &zeros[1], &scales[2], &zeros[2], y);
    for (i = 0; i < kRows * kColumns; ++i) digest = (digest ^ (uint8_t)y[i]) * 16777619u;
  }
  for (i = 0; i < 8; ++i) text[i] = "0123456789abcdef"[(digest >> (28 - 4 * i)) & 15u];
  text[8] = '\n';
  text[9] = 0;
  semihost_print(text);
  return 0;
}
