/* mix.c: a hand-written sample of what tarn emits with --io caller. */
#include "mix.h"

#ifndef MIX_NO_STATIC_ARENA
#ifdef MIX_ARENA_SECTION
__attribute__((section(MIX_ARENA_SECTION)))
#endif
__attribute__((aligned(MIX_ARENA_ALIGN))) uint8_t mix_arena[MIX_ARENA_BYTES];
#endif

mix_status mix_run_step(void *arena, uint32_t step, const float *a, const int8_t *b, const float *nothing, float *kept,
                        double *sums, uint8_t *flags) {
  uint32_t *count = (uint32_t *)arena;
  int32_t i;
  (void)nothing;
  if (step == 0u) {
    *count = 0u;
    for (i = 0; i < 6; ++i) {
      if (a[i] > 0.0f) {
        kept[*count] = a[i];
        ++*count;
      }
    }
  } else if (step == 1u) {
    for (i = 0; i < 6; ++i) {
      sums[i] = (double)a[i] + b[i];
      flags[i] = (uint8_t)(b[i] > 0);
    }
  } else {
    return MIX_ERR_STEP;
  }
  return MIX_OK;
}

mix_status mix_run(void *arena, const float *a, const int8_t *b, const float *nothing, float *kept, double *sums,
                   uint8_t *flags) {
  (void)mix_run_step(arena, 0u, a, b, nothing, kept, sums, flags);
  return mix_run_step(arena, 1u, a, b, nothing, kept, sums, flags);
}

uint32_t mix_dim_kept_0(const void *arena) { return *(const uint32_t *)arena; }
