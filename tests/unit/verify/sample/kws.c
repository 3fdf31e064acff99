/* kws.c: a hand-written sample of what tarn emits. */
#include "kws.h"

#include <stddef.h>

#include "kws_weights.h"
#include "tarn_gemm_f32.h"
#include "tarn_logistic_f32.h"

#ifndef KWS_NO_STATIC_ARENA
#ifdef KWS_ARENA_SECTION
__attribute__((section(KWS_ARENA_SECTION)))
#endif
__attribute__((aligned(KWS_ARENA_ALIGN))) uint8_t kws_arena[KWS_ARENA_BYTES];
#endif

/* Arena map:  [0, 64) mfcc, steps 0..1;  [64, 96) hidden, steps 0..2;  [0, 16) scores, steps 1..3 */
static float *at(void *arena, size_t offset) { return (float *)(void *)((uint8_t *)arena + offset); }

float *kws_input_mfcc(void *arena) { return at(arena, 0u); }

const float *kws_output_scores(const void *arena) { return (const float *)arena; }

kws_status kws_run_step(void *arena, uint32_t step) {
  kws_status status = KWS_OK;
  if (arena == NULL) {
    status = KWS_ERR_NULL;
  } else if (step == 0u) {
    tarn_gemm_f32(at(arena, 0u), kws_w_fc1, kws_b_fc1, at(arena, 64u), 16, 8, 0.0f);
  } else if (step == 1u) {
    tarn_gemm_f32(at(arena, 64u), kws_w_fc2, kws_b_fc2, at(arena, 0u), 8, 4, -1e30f);
  } else if (step == 2u) {
    tarn_logistic_f32(at(arena, 0u), at(arena, 0u), 4);
  } else {
    status = KWS_ERR_STEP;
  }
  return status;
}

kws_status kws_run(void *arena) {
  kws_status status = KWS_OK;
  uint32_t step;
  for (step = 0u; (step < KWS_STEPS) && (status == KWS_OK); ++step) {
    status = kws_run_step(arena, step);
  }
  return status;
}
