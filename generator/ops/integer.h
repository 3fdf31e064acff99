// Fused integer layers: what passes/integer makes of quantised networks. Their codes are int8; requantisation is a
// proven form (see requant/requant.h), carried by the attributes named here.
#pragma once
#include <vector>

#include "ops/lowering.h"
#include "ops/op.h"
#include "requant/requant.h"

namespace tarn::ops {

// Attributes of a fused layer: "requant" (integers: pre, post, half_zone, mask, tie, parity, lo, hi, unit, zero),
// "constants" (int32 [channels][3]: where the accumulator begins, m, c), "exceptions" (int32, absent without any),
// "multiplier" (that channels' m are short factors of, absent without any), "form" (for the report).
void set_form(Node& node, const requant::Form& form, const std::vector<int64_t>& begin, const std::string& text);

// The numbers of "requant" by name.
struct FormNumbers {
  int64_t pre = 0, post = 0, half_zone = 0, mask = 0, tie = 0, parity = 0, lo = 0, hi = 0, unit = 0, zero = 0;
};
FormNumbers form_numbers(const Node& node);

// The field of kernels of 16-bit codes: attribute "codes" (lo, hi, parity, near).
Field wide_field(const Node& node, const char* name);
// The field `requant` of the kernels' params.
Field requant_field(const Node& node);
Argument exceptions_argument(const Node& node, Lowering& low);
// The constants of a layer, in blocks of begins, as many m and as many c. `order`: where in a block the begin of each
// lane stands. `padding`: lanes of nobody's, which need never a closer look.
Argument form_constants(const Node& node, Lowering& low, const std::vector<int32_t>& packed,
                        const std::vector<size_t>& order, const std::vector<bool>& padding);
// Constants in groups of four (or `lanes`) channels, {begin, m, c} times four, in no zone for one without channel;
// channels are `groups` runs of `per_group`. `late`: fewer than four at the end of a run take the last places.
Argument quad_constants(const Node& node, Lowering& low, int64_t groups, int64_t per_group, int64_t lanes = 4,
                        bool late = false);

std::vector<OperatorEntry> integer_layer_entries();        // IntConv, IntDense
std::vector<OperatorEntry> integer_pool_entries();         // IntAveragePool, IntMean
std::vector<OperatorEntry> integer_elementwise_entries();  // IntAdd, IntMul, IntTable, IntFlip
std::vector<OperatorEntry> wide_layer_entries();           // WideConv, WideDense
std::vector<OperatorEntry> wide_elementwise_entries();     // WideAdd, WideMul, WideScale
std::vector<OperatorEntry> integer_matmul_entries();       // IntMatMul
std::vector<OperatorEntry> integer_transposed_entries();   // IntConvTranspose
std::vector<OperatorEntry> integer_norm_entries();         // IntLayerNorm, IntGroupNorm
std::vector<OperatorEntry> integer_prelu_entries();        // IntPrelu
std::vector<OperatorEntry> integer_softmax_entries();      // IntSoftmax
std::vector<OperatorEntry> dynamic_entries();              // DynamicConv, DynamicDense
std::vector<OperatorEntry> integer_qdq_entries();          // IntQuantize, IntDequantize

}  // namespace tarn::ops
