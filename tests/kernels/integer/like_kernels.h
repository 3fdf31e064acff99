/* Kernels that are the text of others with names replaced (generator/emit/kernels.cc), made from those so that a test can call them. */
#ifndef TARN_TEST_LIKE_KERNELS_H
#define TARN_TEST_LIKE_KERNELS_H

#include "tarn_int_conv2d_dsp_groups_line_s8.h"
#include "tarn_int_conv2d_dsp_groups_s8.h"
#include "tarn_int_conv2d_dsp_line_s8.h"
#include "tarn_int_conv2d_dsp_parts_s8.h"
#include "tarn_int_conv2d_dsp_s8.h"
#include "tarn_int_depthwise2d_dsp_s8.h"
#include "tarn_int_depthwise_few_line_s8.h"
#include "tarn_int_dsp_halves_block.h"
#include "tarn_int_dsp_halves_part.h"

/* The driver of few channels is the text of that of four (generator/emit/kernels.cc). */
#define tarn_int_depthwise2d_dsp_s8 tarn_int_depthwise2d_few_s8
#define tarn_int_depthwise2d_dsp_s8_params tarn_int_depthwise2d_few_s8_params
#define tarn_int_depthwise_dsp_line_s8 tarn_int_depthwise_few_line_s8
#define tarn_int_depthwise_dsp_weight tarn_int_depthwise_few_weight
#include "tarn_int_depthwise2d_dsp_s8.c"
#undef tarn_int_depthwise2d_dsp_s8
#undef tarn_int_depthwise2d_dsp_s8_params
#undef tarn_int_depthwise_dsp_line_s8
#undef tarn_int_depthwise_dsp_weight

/* So are convolutions over weights two to a half of a word, but for their block. */
#define tarn_int_dsp_block tarn_int_dsp_halves_block
#define tarn_int_conv2d_dsp_begin_s8 tarn_int_conv2d_dsp_halves_begin_s8
#define tarn_int_conv2d_dsp_columns_s8 tarn_int_conv2d_dsp_halves_columns_s8
#define tarn_int_conv2d_dsp_end_s8 tarn_int_conv2d_dsp_halves_end_s8
#define tarn_int_conv2d_dsp_s8 tarn_int_conv2d_dsp_halves_s8
#define tarn_int_conv2d_dsp_line_s8 tarn_int_conv2d_dsp_halves_line_s8
#define tarn_int_conv2d_dsp_groups_s8 tarn_int_conv2d_dsp_halves_groups_s8
#define tarn_int_conv2d_dsp_groups_line_s8 tarn_int_conv2d_dsp_halves_groups_line_s8
#include "tarn_int_conv2d_dsp_run_s8.c"
#include "tarn_int_conv2d_dsp_s8.c"
#include "tarn_int_conv2d_dsp_line_s8.c"
#include "tarn_int_conv2d_dsp_groups_line_s8.c"
#include "tarn_int_conv2d_dsp_groups_s8.c"
#undef tarn_int_dsp_block
#undef tarn_int_conv2d_dsp_begin_s8
#undef tarn_int_conv2d_dsp_columns_s8
#undef tarn_int_conv2d_dsp_end_s8
#undef tarn_int_conv2d_dsp_s8
#undef tarn_int_conv2d_dsp_line_s8
#undef tarn_int_conv2d_dsp_groups_s8
#undef tarn_int_conv2d_dsp_groups_line_s8

/* And convolutions by parts over such weights. */
#define tarn_int_dsp_part tarn_int_dsp_halves_part
#define tarn_int_dsp_part_state tarn_int_dsp_halves_part_state
#define tarn_int_dsp_part_begin tarn_int_dsp_halves_part_begin
#define tarn_int_dsp_part_second tarn_int_dsp_halves_part_second
#define tarn_int_dsp_part_weights tarn_int_dsp_halves_part_weights
#define tarn_int_dsp_widen_three tarn_int_dsp_halves_widen_three
#define tarn_int_conv2d_dsp_parts_begin_s8 tarn_int_conv2d_dsp_halves_parts_begin_s8
#define tarn_int_conv2d_dsp_parts_columns_s8 tarn_int_conv2d_dsp_halves_parts_columns_s8
#define tarn_int_conv2d_dsp_parts_end_s8 tarn_int_conv2d_dsp_halves_parts_end_s8
#define tarn_int_conv2d_dsp_parts_line_s8 tarn_int_conv2d_dsp_halves_parts_line_s8
#define tarn_int_conv2d_dsp_parts_s8 tarn_int_conv2d_dsp_halves_parts_s8
#undef TARN_INT_DSP_PART_WEIGHTS
#define TARN_INT_DSP_PART_WEIGHTS TARN_INT_DSP_HALVES_PART_WEIGHTS
#include "tarn_int_dsp_part.c"
#include "tarn_int_conv2d_dsp_parts_line_s8.c"
#include "tarn_int_conv2d_dsp_parts_s8.c"
#undef tarn_int_dsp_part
#undef tarn_int_dsp_part_state
#undef tarn_int_dsp_part_begin
#undef tarn_int_dsp_part_second
#undef tarn_int_dsp_part_weights
#undef tarn_int_dsp_widen_three
#undef tarn_int_conv2d_dsp_parts_begin_s8
#undef tarn_int_conv2d_dsp_parts_columns_s8
#undef tarn_int_conv2d_dsp_parts_end_s8
#undef tarn_int_conv2d_dsp_parts_line_s8
#undef tarn_int_conv2d_dsp_parts_s8

#endif
