/* States in 8 bits beside the floats that were written: never more than a step off, a step never more than 1/63 of the largest
 * value that the column has held, and what was encoded once is encoded again to the same values. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tarn_state_decode.h"
#include "tarn_state_encode.h"
#include "tarn_state_scatter_nd.h"

enum { COLUMNS = 5, ROWS = 12, COUNT = COLUMNS * ROWS };

static uint32_t seed = 1u;
static int faults = 0;

static float number(int32_t spread)
{
    seed = seed * 1664525u + 1013904223u;
    return ldexpf((float)((int32_t)(seed >> 9) - (1 << 22)) / (float)(1 << 22), (int)((seed >> 3) % (uint32_t)spread) - spread / 2);
}

static void check(int good, const char *what, int32_t i)
{
    if (!good && ++faults < 20) {
        printf("%s at %d\n", what, (int)i);
    }
}

/* `held`: the largest value of each column so far. */
static void compare(const int8_t *state, const float *values, const float *held, float steps)
{
    static const tarn_state_params params = {COLUMNS, COUNT};
    float got[COUNT];
    int32_t i;
    tarn_state_decode(&params, state, got);
    for (i = 0; i < COUNT; ++i) {
        const float step = tarn_state_scale(state[i % COLUMNS]);
        check(fabsf(got[i] - values[i]) <= steps * step * 1.0001f, "too far off", i);
        check(step <= held[i % COLUMNS] / 63.0f || step < 1e-37f, "too large a step", i);
    }
}

static void scatter(int32_t spread)
{
    static const tarn_state_scatter_nd_params params = {
        {1, 1, 1, COLUMNS, COUNT, {ROWS}, {COLUMNS}, 1, 0, COUNT}, {COLUMNS, COUNT}};
    int8_t state[COLUMNS + COUNT] = {0}, copied[COLUMNS + COUNT];
    float values[COUNT] = {0}, held[COLUMNS] = {0}, row[COLUMNS];
    int32_t turn, c;
    for (turn = 0; turn < 400; ++turn) {
        const int64_t at = turn % ROWS;
        const int64_t outside = ROWS;
        for (c = 0; c < COLUMNS; ++c) {
            row[c] = (turn % 7 == 3) ? 0.0f : number(spread);
            values[at * COLUMNS + c] = row[c];
            held[c] = fmaxf(held[c], fabsf(row[c]));
        }
        check(tarn_state_scatter_nd(&params, state, &at, row, copied) == 0, "refused", turn);
        check(tarn_state_scatter_nd(&params, state, &at, row, state) == 0, "refused", turn);
        check(memcmp(state, copied, sizeof state) == 0, "in place differs", turn);
        check(tarn_state_scatter_nd(&params, state, &outside, row, copied) == -1, "an index outside is taken", turn);
        compare(state, values, held, 1.0f);
    }
}

static void encode(int32_t spread)
{
    static const tarn_state_params params = {COLUMNS, COUNT};
    int8_t state[COLUMNS + COUNT], again[COLUMNS + COUNT];
    float values[COUNT], held[COLUMNS] = {0}, back[COUNT], twice[COUNT];
    int32_t i;
    for (i = 0; i < COUNT; ++i) {
        values[i] = number(spread);
        held[i % COLUMNS] = fmaxf(held[i % COLUMNS], fabsf(values[i]));
    }
    tarn_state_encode(&params, values, state);
    compare(state, values, held, 0.5f);
    tarn_state_decode(&params, state, back);
    tarn_state_encode(&params, back, again);
    tarn_state_decode(&params, again, twice);
    check(memcmp(back, twice, sizeof back) == 0, "not the same once more", 0);
}

static void odd_numbers(void)
{
    static const tarn_state_params params = {1, 4};
    const float values[4] = {NAN, 0.0f, -0.0f, 1.0f};
    const float large[4] = {INFINITY, -INFINITY, 3.4e38f, 0.0f};
    float back[4];
    int8_t state[5];
    tarn_state_encode(&params, values, state);
    tarn_state_decode(&params, state, back);
    check(back[0] == 0.0f && back[1] == 0.0f && back[2] == 0.0f && back[3] == 1.0f, "NaN and zeroes", 0);
    tarn_state_encode(&params, large, state);
    tarn_state_decode(&params, state, back);
    check(back[0] > 3.3e38f && !isinf(back[0]) && back[1] < -3.3e38f && !isinf(back[1]) && back[3] == 0.0f, "infinities", 0);
    memset(state, 0, sizeof state);
    tarn_state_decode(&params, state, back);
    check(back[0] == 0.0f && back[3] == 0.0f, "zeroes", 0);
}

int main(void)
{
    int32_t spread;
    for (spread = 1; spread < 250; spread = 2 * spread + 1) {
        scatter(spread);
        encode(spread);
    }
    odd_numbers();
    printf("%d faults\n", faults);
    return faults != 0;
}
