// The families of operators. A new family is one line here.
#include <algorithm>
#include <map>

#include "ops/attention.h"
#include "ops/cast.h"
#include "ops/control.h"
#include "ops/conv.h"
#include "ops/einsum.h"
#include "ops/elementwise.h"
#include "ops/indexed.h"
#include "ops/integer.h"
#include "ops/microsoft.h"
#include "ops/ml.h"
#include "ops/movement.h"
#include "ops/op.h"
#include "ops/qlinear.h"
#include "ops/quantize.h"
#include "ops/recurrent.h"
#include "ops/reduce.h"
#include "ops/selection.h"
#include "ops/signal.h"
#include "ops/softmax.h"
#include "ops/spatial.h"
#include "support/check.h"

namespace tarn::ops {

const std::vector<OperatorEntry>& all_entries() {
  // clang-format off: one family a line
  static const std::vector<OperatorEntry> entries = [] {
    std::vector<OperatorEntry> all;
    for (std::vector<OperatorEntry> (*family)() : {
             unary_entries,
             binary_entries,
             variadic_entries,
             pow_entries,
             clip_entries,
             where_entries,
             cast_entries,
             reduce_entries,
             softmax_entries,
             argmax_entries,
             scan_entries,
             layernorm_entries,
             loss_entries,
             matrices_entries,
             einsum_entries,
             reshape_entries,
             transpose_entries,
             concat_entries,
             slice_entries,
             expand_entries,
             meta_entries,
             conv_entries,
             convtranspose_entries,
             matrix_entries,
             pool_entries,
             norm_entries,
             pad_entries,
             crop_entries,
             resize_entries,
             spatial_norm_entries,
             sampling_entries,
             unpool_entries,
             blocks_entries,
             recurrent_entries,
             attention_entries,
             rotary_entries,
             ml_entries,
             trees_entries,
             support_vector_entries,
             microsoft_entries,
             microsoft_attention_entries,
             microsoft_grouped_entries,
             microsoft_recurrent_entries,
             microsoft_quantized_entries,
             microsoft_tensor_entries,
             control_entries,
             selection_entries,
             integer_layer_entries,
             dynamic_entries,
             integer_norm_entries,
             integer_prelu_entries,
             integer_pool_entries,
             wide_layer_entries,
             wide_elementwise_entries,
             integer_elementwise_entries,
             integer_matmul_entries,
             integer_transposed_entries,
             integer_softmax_entries,
             integer_recurrent_entries,
             integer_qdq_entries,
             gather_entries,
             scatter_entries,
             ranking_entries,
             quantize_entries,
             fourier_entries,
             window_entries,
             ngram_entries,
             random_entries,
             integer_conv_entries,
             integer_matrix_entries,
             qlinear_entries,
         }) {
      // clang-format on
      for (OperatorEntry& entry : family()) all.push_back(std::move(entry));
    }
    std::sort(all.begin(), all.end(), [](const OperatorEntry& a, const OperatorEntry& b) {
      return std::tie(a.domain, a.op) < std::tie(b.domain, b.op);
    });
    // With two, which one counts would be up to the sort.
    TARN_CHECK(std::adjacent_find(all.begin(), all.end(), [](const OperatorEntry& a, const OperatorEntry& b) {
                 return a.domain == b.domain && a.op == b.op;
               }) == all.end());
    return all;
  }();
  return entries;
}

const OperatorEntry* find_entry(const std::string& domain, const std::string& op) {
  const std::vector<OperatorEntry>& entries = all_entries();
  auto it = std::lower_bound(
      entries.begin(), entries.end(), std::tie(domain, op),
      [](const OperatorEntry& entry, const auto& key) { return std::tie(entry.domain, entry.op) < key; });
  return it != entries.end() && it->domain == domain && it->op == op ? &*it : nullptr;
}

}  // namespace tarn::ops
