/* Data for the naive kernels: small whole numbers, so that sums are exact whatever their order. */
#ifndef NAIVE_H
#define NAIVE_H

#include <stdint.h>

static uint32_t naive_state = 1u;

static inline void naive_fill(float *to, uint32_t count) {
  uint32_t i;
  for (i = 0u; i < count; ++i) {
    naive_state = (naive_state * 1664525u) + 1013904223u;
    to[i] = (float)((int32_t)(naive_state >> 28) - 8);
  }
}

static inline uint32_t naive_sum(const float *from, uint32_t count) {
  uint32_t sum = 0u;
  uint32_t i;
  for (i = 0u; i < count; ++i) {
    sum = (sum * 31u) + (uint32_t)(int32_t)from[i];
  }
  return sum;
}

#endif
