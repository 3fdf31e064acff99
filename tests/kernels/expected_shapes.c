/* The kernels that check at run time what decided sizes when the code was generated: what they accept and what they refuse. */
#include <stdio.h>

#include "tarn_expect_axes.h"
#include "tarn_expect_f32.h"
#include "tarn_expect_scales.h"
#include "tarn_expect_shape.h"

static int faults;

static void expect(int holds, const char *what)
{
    if (!holds) {
        printf("FAILED: %s\n", what);
        ++faults;
    }
}
#define EXPECT(condition) expect((condition), #condition)

static int32_t reshape(int32_t copy, int64_t a, int64_t b, int64_t c)
{
    const tarn_expect_shape_params p = {3, 0, copy, 2, {2, 12}, 3, {2, 3, 4}};
    const int64_t shape[3] = {a, b, c};
    return tarn_expect_shape(&p, shape);
}

static int32_t expand(int64_t a, int64_t b)
{
    const tarn_expect_shape_params p = {2, 1, 0, 3, {5, 1, 4}, 3, {5, 3, 4}};
    const int64_t shape[2] = {a, b};
    return tarn_expect_shape(&p, shape);
}

static int32_t unsqueeze(int64_t a, int64_t b)
{
    const tarn_expect_axes_params p = {2, 4, {1, 3, 1, 4}, 2, {3, 4}, 0, 1, 0};
    const int64_t axes[2] = {a, b};
    return tarn_expect_axes(&p, axes);
}

static int32_t reduce(int32_t count, int32_t keep, int64_t a)
{
    const tarn_expect_axes_params kept = {count, 2, {3, 4}, 2, {3, 1}, keep, 0, 1}, all = {count, 2, {3, 4}, 0, {1}, 0, 0, 1};
    return tarn_expect_axes(keep ? &kept : &all, &a);
}

static int32_t scaled(float a, float b)
{
    const tarn_expect_scales_params p = {2, {4, 5}, {8, 7}, 0};
    const float scales[2] = {a, b};
    return tarn_expect_scales(&p, scales, NULL);
}

static int32_t sized(int32_t ratio, int64_t a, int64_t b)
{
    const tarn_expect_scales_params p = {2, {2, 4}, {7, 14}, ratio};
    const int64_t sizes[2] = {a, b};
    return tarn_expect_scales(&p, NULL, sizes);
}

int main(void)
{
    const float list[3] = {7.0f, 2.0f, 9.0f};
    const tarn_expect_f32_params two = {1, 2, {2, 9}}, any = {0, 3, {-1, 2, -1}}, other = {0, 1, {6}};
    EXPECT(reshape(1, 2, 3, 4) == 0);
    EXPECT(reshape(1, 0, -1, 4) == 0);
    EXPECT(reshape(1, 2, 0, 4) == -1);
    EXPECT(reshape(0, 0, 3, 4) == -1);
    EXPECT(reshape(1, -1, -1, 4) == -1);
    EXPECT(reshape(1, 4, 3, 2) == -1);
    EXPECT(reshape(1, 2, 3, -4) == -1);
    EXPECT(reshape(1, 2, 3, INT64_C(4294967300)) == -1);
    EXPECT(expand(3, 4) == 0);
    EXPECT(expand(3, 1) == 0);
    EXPECT(expand(1, 4) == -1);
    EXPECT(expand(3, -1) == -1);
    EXPECT(unsqueeze(0, 2) == 0);
    EXPECT(unsqueeze(-2, -4) == 0);
    EXPECT(unsqueeze(0, 0) == -1);
    EXPECT(unsqueeze(0, 3) == -1);
    EXPECT(unsqueeze(0, 4) == -1);
    EXPECT(unsqueeze(0, -5) == -1);
    EXPECT(reduce(1, 1, 1) == 0);
    EXPECT(reduce(1, 1, -1) == 0);
    EXPECT(reduce(1, 1, 0) == -1);
    EXPECT(reduce(1, 0, 1) == -1);
    EXPECT(reduce(0, 0, 0) == 0);
    EXPECT(scaled(2.0f, 1.5f) == 0);
    EXPECT(scaled(2.0f, 1.7f) == -1);
    EXPECT(scaled(-2.0f, 1.5f) == -1);
    EXPECT(sized(1, 7, 20) == 0);
    EXPECT(sized(2, 7, 20) == -1);
    EXPECT(sized(2, 7, 10) == 0);
    EXPECT(tarn_expect_f32(&two, list) == 0);
    EXPECT(tarn_expect_f32(&any, list) == 0);
    EXPECT(tarn_expect_f32(&other, list) == -1);
    return faults != 0;
}
