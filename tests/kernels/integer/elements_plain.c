/* The kernels of elements_test.c in plain C, under other names. */
#define TARN_NO_ASM 1
#define tarn_int_add_s8 plain_int_add_s8
#define tarn_int_pair_s8 plain_int_pair_s8
#define tarn_int_product_s8 plain_int_product_s8
#define tarn_int_codes_s8 plain_int_codes_s8
#define tarn_int_averagepool_line_s8 plain_int_averagepool_line_s8
#define tarn_int_global_average_s8 plain_int_global_average_s8
#define tarn_int_table_s8 plain_int_table_s8
#define tarn_maxpool_line_s8 plain_maxpool_line_s8
#include "tarn_int_add_s8.c"
#include "tarn_int_averagepool_line_s8.c"
#include "tarn_int_codes_s8.c"
#include "tarn_int_global_average_s8.c"
#include "tarn_int_pair_s8.c"
#include "tarn_int_product_s8.c"
#include "tarn_int_table_s8.c"
#include "tarn_maxpool_line_s8.c"
