/* Runs every network of table.h as planned with states, and beside it the same without, whose states are copied by hand. Memory is
 * poisoned, runs of two arenas alternate, states are saved, lost and restored, and reset begins anew. All bits must agree. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t kept, plain, bytes; /* offsets in the two arenas; of a state: of its input and output in the plain one */
} place;
typedef struct {
    uint64_t seed;
    uint32_t kept_bytes, plain_bytes, state_bytes;
    int (*kept_run)(void *arena);
    int (*plain_run)(void *arena);
    void (*reset)(void *arena);
    void (*save)(const void *arena, void *block);
    void (*restore)(void *arena, const void *block);
    const place *inputs, *outputs, *states;
    uint32_t input_count, output_count, state_count;
} network;

#include "table.h"

#define RUNS 9u

static uint32_t random_state = 1u;
static float random_number(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (float)((int32_t)(random_state >> 16) % 1024 - 512) / 256.0f;
}

typedef struct {
    uint8_t *kept, *plain;
    uint32_t seed;
} stream;

static void begin(const network *n, stream *s)
{
    uint32_t k;
    memset(s->kept, 0xa5, n->kept_bytes);
    memset(s->plain, 0x5a, n->plain_bytes);
    n->reset(s->kept);
    for (k = 0; k < n->state_count; ++k) memset(s->plain + n->states[k].kept, 0, n->states[k].bytes);
}

static int step(const network *n, stream *s, uint32_t run)
{
    uint8_t *next = malloc(n->plain_bytes + 1u);
    uint32_t k, i;
    int wrong = 0;
    random_state = s->seed + run * 7919u;
    for (k = 0; k < n->input_count; ++k) {
        for (i = 0; i < n->inputs[k].bytes; i += 4u) {
            const float v = random_number();
            memcpy(s->kept + n->inputs[k].kept + i, &v, 4u);
            memcpy(s->plain + n->inputs[k].plain + i, &v, 4u);
        }
    }
    if (n->kept_run(s->kept) != 0 || n->plain_run(s->plain) != 0) wrong = 1;
    for (k = 0; k < n->output_count; ++k) {
        if (memcmp(s->kept + n->outputs[k].kept, s->plain + n->outputs[k].plain, n->outputs[k].bytes) != 0) {
            printf("seed %llu: run %u, output %u differs\n", (unsigned long long)n->seed, run, k);
            wrong = 1;
        }
    }
    memcpy(next, s->plain, n->plain_bytes);
    for (k = 0; k < n->state_count; ++k)
        memcpy(s->plain + n->states[k].kept, next + n->states[k].plain, n->states[k].bytes);
    free(next);
    return wrong;
}

static int check(const network *n)
{
    stream a = {malloc(n->kept_bytes), malloc(n->plain_bytes), 17u}, b = {malloc(n->kept_bytes), malloc(n->plain_bytes), 99u};
    uint8_t *block = malloc(n->state_bytes + 1u);
    uint32_t run;
    int wrong = 0;
    begin(n, &a);
    begin(n, &b);
    for (run = 0; run < RUNS && !wrong; ++run) {
        wrong = step(n, &a, run);
        if (!wrong && run % 2u == 1u) wrong = step(n, &b, run);
        if (run == RUNS / 2u) {
            n->save(a.kept, block);
            memset(a.kept, 0x3c, n->kept_bytes);
            n->restore(a.kept, block);
        }
    }
    begin(n, &a);
    if (!wrong) wrong = step(n, &a, 0u);
    free(a.kept);
    free(a.plain);
    free(b.kept);
    free(b.plain);
    free(block);
    return wrong;
}

int main(void)
{
    uint32_t k;
    int wrong = 0;
    for (k = 0; k < sizeof networks / sizeof networks[0]; ++k) wrong += check(&networks[k]);
    printf("%u networks, %d wrong\n", (unsigned)(sizeof networks / sizeof networks[0]), wrong);
    return wrong != 0;
}
