/* mix.h: a hand-written sample of what tarn emits with --io caller: three inputs, one of them empty, and three outputs,
 * one of which has a length known only at run time. */
#ifndef MIX_H
#define MIX_H

#include <stdint.h>

#define MIX_ARENA_BYTES 32u
#define MIX_ARENA_ALIGN 16u
#define MIX_STEPS 2u

typedef enum mix_status { MIX_OK = 0, MIX_ERR_STEP = -2 } mix_status;

#ifndef MIX_NO_STATIC_ARENA
extern uint8_t mix_arena[MIX_ARENA_BYTES];
#endif

/* kept: the positive elements of a, at most 6; sums: a + b; flags: b > 0 */
mix_status mix_run(void *arena, const float *a, const int8_t *b, const float *nothing, float *kept, double *sums,
                   uint8_t *flags);
mix_status mix_run_step(void *arena, uint32_t step, const float *a, const int8_t *b, const float *nothing, float *kept,
                        double *sums, uint8_t *flags);
uint32_t mix_dim_kept_0(const void *arena);

#endif
