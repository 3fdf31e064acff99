/* tarn_shift_b4 in place and elsewhere against a copy made element by element from a third tensor: windows that move up, down and not at
 * all, in runs of every size, with what is new in front, behind and between. */
#include <stdio.h>
#include <string.h>

#include "tarn_shift_b4.h"

enum { MOST = 96 };

static uint32_t seed = 7u;
static int32_t below(int32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int32_t)((seed >> 10) % (uint32_t)n);
}

int main(void)
{
    int32_t turn;
    int faults = 0;
    for (turn = 0; turn < 20000; ++turn) {
        tarn_shift_params p;
        uint32_t x[MOST], added[MOST], apart[MOST], place[MOST], expected[MOST];
        int32_t o, i;
        memset(&p, 0, sizeof p);
        p.outer = 1 + below(5);
        p.pitch = 2 + below(MOST / 5 - 2);
        p.kept = 1 + below(p.pitch - 1);
        p.from = below(p.pitch - p.kept + 1);
        p.to = below(p.pitch - p.kept + 1);
        p.added_outer = below(p.outer + 1);
        p.y_pitch = p.pitch;
        p.added_count = p.pitch - p.kept;
        p.y_to = p.to == 0 ? p.kept : 0;
        if (p.to > 0) p.added_count = p.to;
        p.added_pitch = p.added_count + below(2);
        p.added_from = below(3);
        if (p.added_from + p.added_outer * p.added_pitch > MOST) continue;
        for (i = 0; i < MOST; ++i) {
            x[i] = 0x01010101u * (uint32_t)below(256);
            added[i] = 0x01010101u * (uint32_t)below(256);
            apart[i] = 0x01010101u * (uint32_t)below(256);
        }
        memcpy(place, x, sizeof x);
        memcpy(expected, x, sizeof x);
        for (o = 0; o < p.outer; ++o)
            for (i = 0; i < p.kept; ++i) expected[o * p.pitch + p.to + i] = x[o * p.pitch + p.from + i];
        for (o = 0; o < p.added_outer; ++o)
            for (i = 0; i < p.added_count; ++i) expected[p.y_to + o * p.y_pitch + i] = added[p.added_from + o * p.added_pitch + i];
        tarn_shift_b4(&p, place, added, place);
        tarn_shift_b4(&p, x, added, apart);
        for (o = 0; o < p.outer; ++o)
            for (i = 0; i < p.kept; ++i)
                if (apart[o * p.pitch + p.to + i] != expected[o * p.pitch + p.to + i]) faults++;
        if (memcmp(place, expected, sizeof place) != 0) faults++;
    }
    printf("%d faults\n", faults);
    return faults != 0;
}
