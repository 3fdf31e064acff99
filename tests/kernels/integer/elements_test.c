/* Kernels that take several codes at a time where the processor can, against their own plain C (elements_plain.c): sums and
 * products of two operands, tables, pools, and codes of sums, over random numbers. Runs on an emulated Cortex-M55 and a Cortex-M4. */
#include "layers.h"
#include "tarn_int_add_s8.h"
#include "tarn_int_averagepool_line_s8.h"
#include "tarn_int_codes_s8.h"
#include "tarn_int_global_average_s8.h"
#include "tarn_int_pair_s8.h"
#include "tarn_int_product_s8.h"
#include "tarn_int_table_s8.h"
#include "tarn_maxpool_line_s8.h"

void plain_int_add_s8(const tarn_int_add_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y, const int32_t *exceptions);
void plain_int_pair_s8(const tarn_int_pair_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y);
void plain_int_product_s8(const tarn_int_product_s8_params *p, const int8_t *a, const int8_t *b, int8_t *y, const int32_t *factors);
void plain_int_codes_s8(const tarn_requant_params *p, const int32_t *q, const int32_t *exceptions, int32_t slot, const int32_t *sums,
                        int32_t count, int8_t *y);
void plain_int_averagepool_line_s8(const tarn_int_averagepool_s8_params *p, const int8_t *const *x, const int32_t *q,
                                   const int32_t *exceptions, int8_t *y, int32_t first, int32_t end);
void plain_int_global_average_s8(const tarn_int_global_average_s8_params *p, const int8_t *x, const int32_t *q,
                                 const int32_t *exceptions, int8_t *y);
void plain_int_table_s8(const tarn_int_table_s8_params *p, const int8_t *x, const int8_t *table, int8_t *y);
void plain_maxpool_line_s8(const tarn_pool_line_params *p, const tarn_s8 *const *rows, tarn_s8 *y, int32_t first, int32_t end);

static int8_t left[kMost], right[kMost], is[kMost], wanted[kMost];

static void fill(int8_t *codes)
{
    int32_t i;
    for (i = 0; i < kMost; ++i) codes[i] = (int8_t)between(-128, 127);
}

/* Nothing is written beside the result either. */
static int differs(const char *name)
{
    int32_t i = 0;
    while (i < kMost && is[i] == wanted[i]) ++i;
    if (i == kMost) return 0;
    semihost_print(name);
    semihost_print(": wrong\n");
    return 1;
}

static tarn_requant_params random_form(int32_t post)
{
    tarn_requant_params form;
    const int32_t bits = between(0, post - 3);
    form.pre = below(3);
    form.post = post;
    form.half_zone = below(4) == 0 ? 0 : 1 << bits;
    form.mask = form.half_zone == 0 ? -1 : (1 << post) - (2 << bits);
    form.tie = below(2) == 0 ? 0 : below(form.half_zone + 1);
    form.parity = below(2);
    form.lo = below(2) == 0 ? -128 : between(-128, 0);
    form.hi = below(2) == 0 ? 127 : between(1, 127);
    form.unit = 0;
    form.zero = 0;
    return form;
}

static int32_t list[64];
static const int32_t *random_exceptions(void)
{
    int32_t i;
    if (below(2) == 0) return NULL;
    list[0] = 2;
    list[1] = 62;
    for (i = 2; i < 62; i += 2) {
        list[i] = -32768 + (i - 2) * 1092 + below(1092);
        list[i + 1] = (between(1, 999) << 8) | below(256);
    }
    return list;
}

static tarn_int_own_s8_params random_own(int32_t op)
{
    tarn_int_own_s8_params own;
    own.op = op;
    own.a_scale = (float)between(1, 40) / 1000.0f;
    own.b_scale = (float)between(1, 40) / 1000.0f;
    own.y_scale = (float)between(1, 40) / 1000.0f;
    own.a_zero = between(-128, 127);
    own.b_zero = between(-128, 127);
    own.zero = between(-128, 127);
    own.lo = below(2) == 0 ? -128 : between(-128, 0);
    own.hi = below(2) == 0 ? 127 : between(1, 127);
    return own;
}

static int pairs(void)
{
    const int32_t outer = between(1, 4), inner = below(3) == 0 ? between(1, 9) : between(1, 300);
    const int32_t kind = below(4), a_step = kind == 1 ? 0 : 1, b_step = kind == 2 ? 0 : 1;
    const int32_t pitch = inner + below(5), in_place = kind == 0 && below(2) == 0;
    const tarn_requant_params form = random_form(between(10, 18));
    const int32_t unit = 1 << form.post;
    const int8_t *a = left;
    int bad = 0;
    tarn_int_add_s8_params add = {outer, inner, pitch, pitch, pitch, a_step, b_step, form, between(-unit, unit), between(-unit, unit), between(-9 * unit, 9 * unit)};
    tarn_int_pair_s8_params pair = {outer, inner, pitch, pitch, pitch, a_step, b_step, add.a_factor, add.b_factor, add.constant, form.mask, form.post, random_own(below(2))};
    tarn_int_product_s8_params product = {outer, inner, pitch, pitch, pitch, a_step, b_step, between(1, 1 << (form.post > 14 ? 14 : form.post)) , add.constant, form.mask, form.post, random_own(2)};
    const int32_t *exceptions = random_exceptions();
    if (in_place) a = is;
    memcpy(is, left, kMost);
    memcpy(wanted, left, kMost);
    plain_int_add_s8(&add, left, right, wanted, exceptions);
    tarn_int_add_s8(&add, a, right, is, exceptions);
    bad |= differs("add");
    memcpy(is, left, kMost);
    memcpy(wanted, left, kMost);
    plain_int_pair_s8(&pair, left, right, wanted);
    tarn_int_pair_s8(&pair, a, right, is);
    bad |= differs("pair");
    memcpy(is, left, kMost);
    memcpy(wanted, left, kMost);
    plain_int_product_s8(&product, left, right, wanted, NULL);
    tarn_int_product_s8(&product, a, right, is, NULL);
    return bad | differs("product");
}

/* The result may lie anywhere before the codes, or on them. */
static int tables(void)
{
    const int32_t outer = between(1, 9), inner = between(1, below(3) == 0 ? 300 : 40), pitch = inner + below(4), at = below(kMost / 4);
    const tarn_int_table_s8_params table = {outer, inner, pitch, pitch};
    const int32_t before = below(at < 40 ? at + 1 : 41) * below(2);
    memcpy(wanted, left, kMost);
    memcpy(is, left, kMost);
    plain_int_table_s8(&table, left + at, right, wanted + at - before);
    tarn_int_table_s8(&table, is + at, right, is + at - before);
    return differs("table");
}

static int pools(void)
{
    static int32_t slots[3 * 1024];
    const int8_t *rows[20];
    const int32_t channels = below(4) == 0 ? between(33, 70) : between(1, 33), count = between(1, below(4) == 0 ? 19 : 3), pixels = between(1, 30);
    const int32_t taps = between(1, below(4) == 0 ? 19 : 3), stride = between(1, 3), dilation = between(1, 2), pad = below(taps);
    const int32_t x_pitch = channels + below(4), y_pitch = channels + below(4);
    const int32_t room = pixels + 2 * pad - (taps - 1) * dilation - 1, out = room < 0 ? 0 : room / stride + 1;
    tarn_int_averagepool_s8_params average = {random_form(between(4, 20)), channels, count, taps, 1, 1, pixels, 1, out, {1, stride}, {1, dilation}, {0, pad},
                                              x_pitch, y_pitch, below(2), between(-128, 127)};
    tarn_int_global_average_s8_params whole = {average.requant, 1, between(1, 600), channels, x_pitch, y_pitch};
    const tarn_pool_line_params largest = {count, taps, dilation, stride, pad, pad, pixels, channels, x_pitch, y_pitch, 0};
    const int32_t *exceptions = below(3) == 0 ? random_exceptions() : NULL;
    int32_t i;
    int bad = 0;
    if (exceptions != NULL) average.by_count = 0;
    for (i = 0; i < 3 * 1024; i += 3) {
        slots[i] = between(-999, 999);
        slots[i + 1] = between(1 << 20, 1 << 30);
        slots[i + 2] = between(-64, 64) << average.requant.post;
    }
    for (i = 0; i < count; ++i) rows[i] = below(5) == 0 ? NULL : left + i * 3000 + below(9);
    memset(is, 77, kMost);
    memset(wanted, 77, kMost);
    plain_int_averagepool_line_s8(&average, rows, slots, exceptions, wanted, 0, out);
    tarn_int_averagepool_line_s8(&average, rows, slots, exceptions, is, 0, out);
    bad |= differs("averagepool");
    plain_maxpool_line_s8(&largest, rows, wanted, 0, out);
    tarn_maxpool_line_s8(&largest, rows, is, 0, out);
    bad |= differs("maxpool");
    plain_int_global_average_s8(&whole, left, slots, exceptions, wanted);
    tarn_int_global_average_s8(&whole, left, slots, exceptions, is);
    return bad | differs("global average");
}

int main(void)
{
    int bad = 0;
    int32_t round;
    fill(left);
    fill(right);
    for (round = 0; round < 300 && !bad; ++round) bad = pairs() | tables() | pools();
    semihost_exit((uint32_t)bad);
    return bad;
}
