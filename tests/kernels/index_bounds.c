/* Indices, sizes and bounds that come with the data: whatever they are, no kernel reads or writes outside its tensors. Run under
 * the address and undefined-behaviour sanitizers. */
#include <stdio.h>
#include "tarn_gather_b4.h"
#include "tarn_gather_nd_b4.h"
#include "tarn_gather_elements_b4.h"
#include "tarn_scatter_nd_b4.h"
#include "tarn_scatter_elements_b4.h"
#include "tarn_reverse_sequence_b4.h"
#include "tarn_tensor_scatter_b4.h"
#include "tarn_topk_f32.h"
#include "tarn_slice_run_time_b4.h"
#include "tarn_range_s32.h"
#include "tarn_range_f32.h"
#define CHECK(c) do { if (!(c)) { printf("line %d\n", __LINE__); bad = 1; } } while (0)
int main(void) {
    int bad = 0;
    const int64_t huge[] = {INT64_MIN, INT64_MAX, -6, 5, 4, -5};
    float x[20], y[40];
    for (int i = 0; i < 20; ++i) x[i] = (float)i;
    for (int i = 0; i < 6; ++i) {
        tarn_gather_params g = {1, 5, 4, 1, 1};
        CHECK(tarn_gather_b4(&g, x, huge + i, y) == (i < 4 ? -1 : 0));
        tarn_gather_nd_params n = {1, 1, 1, 4, 20, {5}, {4}, 1, 0, 20};
        CHECK(tarn_gather_nd_b4(&n, x, huge + i, y) == (i < 4 ? -1 : 0));
        CHECK(tarn_scatter_nd_b4(&n, x, huge + i, x, y) == (i < 4 ? -1 : 0));
        tarn_gather_elements_params e = {2, {1, 1, 1, 1, 1, 1, 1, 1}, {0, 1}, 4, 5, 1, 0, 20};
        CHECK(tarn_gather_elements_b4(&e, x, huge + i, y) == (i < 4 ? -1 : 0));
        CHECK(tarn_scatter_elements_b4(&e, x, huge + i, x, y) == (i < 4 ? -1 : 0));
    }
    for (int i = 0; i < 6; ++i) {
        tarn_reverse_sequence_params r = {1, 4, 5, 20, 5};
        CHECK(tarn_reverse_sequence_b4(&r, x, huge + i, y) == (huge[i] >= 0 && huge[i] <= 4 ? 0 : -1));
        for (int c = 0; c < 2; ++c) {
            tarn_tensor_scatter_params t = {1, 1, 5, 2, 4, c};
            const int right = tarn_tensor_scatter_b4(&t, x, x, huge + i, y) == 0;
            CHECK(right == (c && huge[i] >= 0));
            for (int j = 0; right && j < 8; ++j) CHECK(y[(huge[i] % 5 * 4 + j) % 20] == x[j]);
        }
        tarn_topk_f32_params k = {1, 20, 1, 3, 1};
        int64_t idx[8], f;
        CHECK(tarn_topk_f32(&k, x, huge + i, y, idx, NULL) == -1);
        CHECK(tarn_topk_f32(&k, x, huge + i, y, idx, &f) == -1 && f == 0);
        for (int j = 0; j < 6; ++j) for (int m = 0; m < 6; ++m) {
            tarn_slice_part_params p = {1, {20, 1, 1, 1, 1, 1, 1, 1}, {0}, 1, 1, 0, 20};
            int64_t size = -1;
            CHECK(tarn_slice_part(&p, huge + i, huge + j, NULL, huge + m, &size) == 0 && size >= 0 && size <= 20);
            p.out[0] = (int32_t)size;
            CHECK(tarn_slice_run_time_b4(&p, x, huge + i, huge + j, NULL, huge + m, y) == 0);
            int32_t a = (int32_t)(huge[i] >> 32 ? (huge[i] >> 32) : huge[i]), b = (int32_t)(huge[j] >> 32 ? huge[j] >> 32 : huge[j]), c = (int32_t)huge[m];
            tarn_range_s32_params rp = {10};
            int32_t out[10];
            int64_t found = -1;
            tarn_range_s32(&rp, &a, &b, &c, out, &found);
            CHECK(found >= 0 && found <= 10);
            tarn_range_f32_params rf = {10};
            float fa = (float)a, fb = (float)b, fc = (float)c;
            tarn_range_f32(&rf, &fa, &fb, &fc, y, &found);
            CHECK(found >= 0 && found <= 10);
        }
    }
    const int64_t nine = 0;
    tarn_slice_part_params p = {1, {20, 1, 1, 1, 1, 1, 1, 1}, {0}, 1, 1, 0, 20};
    int64_t size = -1;
    CHECK(tarn_slice_part(&p, &nine, huge + 1, NULL, &nine, &size) == -1);
    puts(bad ? "bad" : "good");
    return bad;
}
