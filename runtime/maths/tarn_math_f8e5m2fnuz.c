/* tarn_math_f8e5m2fnuz.c - see tarn_math_small_float.h. */
#include "tarn_math_f8e5m2fnuz.h"

#include "tarn_math_small_float.h"

TARN_API uint8_t tarn_f32_to_f8e5m2fnuz(float x, uint32_t saturate) { return tarn_fnuz_from_f32(x, saturate, 2u, 16u); }

TARN_API float tarn_f8e5m2fnuz_to_f32(uint8_t code) { return tarn_fnuz_to_f32(code, 2u, 16u); }
