/* SPDX-License-Identifier: MIT-0 */
#include "tarn_dropout_f32.h"

static void dropout_seed_f32(uint32_t *state, uint32_t seed)
{
    int32_t i;
    state[0] = seed;
    for (i = 1; i < 624; ++i) {
        state[i] = (1812433253U * (state[i - 1] ^ (state[i - 1] >> 30))) + (uint32_t)i;
    }
}

static uint32_t dropout_next_f32(uint32_t *state, int32_t *at)
{
    const int32_t i = *at, next = (i == 623) ? 0 : (i + 1);
    const uint32_t joined = (state[i] & 0x80000000U) | (state[next] & 0x7fffffffU);
    uint32_t v = state[(i < 227) ? (i + 397) : (i - 227)] ^ (joined >> 1) ^ (((joined & 1U) != 0U) ? 0x9908b0dfU : 0U);
    state[i] = v;
    *at = next;
    v ^= v >> 11;
    v ^= (v << 7) & 0x9d2c5680U;
    v ^= (v << 15) & 0xefc60000U;
    return v ^ (v >> 18);
}

TARN_API void tarn_dropout_f32(const tarn_dropout_f32_params *p, const tarn_f32 *x, const tarn_f32 *ratio, const uint8_t *training,
                               uint32_t *state, tarn_f32 *y, uint8_t *mask)
{
    const tarn_acc_f32 share = ratio ? tarn_load_f32(*ratio) : (tarn_acc_f32)0.5;
    const int drops = (!training || (*training != 0)) && (share > (tarn_acc_f32)0) && (share < (tarn_acc_f32)1);
    const tarn_acc_f32 grow = drops ? ((tarn_acc_f32)1 / ((tarn_acc_f32)1 - share)) : (tarn_acc_f32)1;
    /* A draw has 53 bits, which is exact: the share is multiplied by a power of two. */
    const uint64_t least = drops ? (uint64_t)(share * (tarn_acc_f32)9007199254740992.0) : 0U;
    int32_t i, at = 0;
    if (drops) {
        dropout_seed_f32(state, (uint32_t)p->seed);
    }
    for (i = 0; i < p->count; ++i) {
        int stays = 1;
        if (drops) {
            const uint64_t high = dropout_next_f32(state, &at) >> 5;
            stays = ((high << 26) | (dropout_next_f32(state, &at) >> 6)) >= least;
        }
        y[i] = tarn_store_f32(stays ? tarn_load_f32(x[i]) * grow : (tarn_acc_f32)0);
        if (mask) {
            mask[i] = (uint8_t)stays;
        }
    }
}
