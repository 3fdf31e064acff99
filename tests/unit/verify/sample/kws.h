/* kws.h: a hand-written sample of what tarn emits. One float32[16] in, one float32[4] out. */
#ifndef KWS_H
#define KWS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KWS_ARENA_BYTES 96u
#define KWS_ARENA_ALIGN 16u
#define KWS_WEIGHTS_BYTES 688u
#define KWS_STEPS 3u

#define KWS_IN_MFCC_COUNT 16u
#define KWS_IN_MFCC_BYTES 64u
#define KWS_OUT_SCORES_COUNT 4u
#define KWS_OUT_SCORES_BYTES 16u

typedef enum kws_status { KWS_OK = 0, KWS_ERR_NULL = -1, KWS_ERR_STEP = -2 } kws_status;

#ifndef KWS_NO_STATIC_ARENA
extern uint8_t kws_arena[KWS_ARENA_BYTES];
#endif

float *kws_input_mfcc(void *arena);
const float *kws_output_scores(const void *arena);
kws_status kws_run(void *arena);
kws_status kws_run_step(void *arena, uint32_t step);

#ifdef __cplusplus
}
#endif
#endif /* KWS_H */
