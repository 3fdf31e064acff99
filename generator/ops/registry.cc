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

const std::vector<Room>& all_rooms() {
  // clang-format off: one family a line
  static const std::vector<Room> rooms = [] {
    std::vector<Room> all;
    for (std::vector<Room> (*family)() : {
             unary_rooms,
             binary_rooms,
             variadic_rooms,
             pow_rooms,
             clip_rooms,
             where_rooms,
             cast_rooms,
             reduce_rooms,
             softmax_rooms,
             argmax_rooms,
             scan_rooms,
             layernorm_rooms,
             loss_rooms,
             matrices_rooms,
             einsum_rooms,
             reshape_rooms,
             transpose_rooms,
             concat_rooms,
             slice_rooms,
             expand_rooms,
             meta_rooms,
             conv_rooms,
             convtranspose_rooms,
             matrix_rooms,
             pool_rooms,
             norm_rooms,
             pad_rooms,
             crop_rooms,
             resize_rooms,
             spatial_norm_rooms,
             sampling_rooms,
             unpool_rooms,
             blocks_rooms,
             recurrent_rooms,
             attention_rooms,
             rotary_rooms,
             ml_rooms,
             trees_rooms,
             support_vector_rooms,
             microsoft_rooms,
             microsoft_attention_rooms,
             microsoft_recurrent_rooms,
             microsoft_quantized_rooms,
             microsoft_tensor_rooms,
             control_rooms,
             selection_rooms,
             integer_layer_rooms,
             dynamic_rooms,
             integer_norm_rooms,
             integer_pool_rooms,
             wide_layer_rooms,
             wide_elementwise_rooms,
             integer_elementwise_rooms,
             integer_matmul_rooms,
             integer_transposed_rooms,
             integer_softmax_rooms,
             integer_border_rooms,
             gather_rooms,
             scatter_rooms,
             ranking_rooms,
             quantize_rooms,
             fourier_rooms,
             window_rooms,
             ngram_rooms,
             random_rooms,
             integer_conv_rooms,
             integer_matrix_rooms,
             qlinear_rooms,
         }) {
      // clang-format on
      for (Room& room : family()) all.push_back(std::move(room));
    }
    std::sort(all.begin(), all.end(),
              [](const Room& a, const Room& b) { return std::tie(a.domain, a.op) < std::tie(b.domain, b.op); });
    // With two, which one counts would be up to the sort.
    TARN_CHECK(std::adjacent_find(all.begin(), all.end(), [](const Room& a, const Room& b) {
                 return a.domain == b.domain && a.op == b.op;
               }) == all.end());
    return all;
  }();
  return rooms;
}

const Room* find_room(const std::string& domain, const std::string& op) {
  const std::vector<Room>& rooms = all_rooms();
  auto it = std::lower_bound(rooms.begin(), rooms.end(), std::tie(domain, op),
                             [](const Room& room, const auto& key) { return std::tie(room.domain, room.op) < key; });
  return it != rooms.end() && it->domain == domain && it->op == op ? &*it : nullptr;
}

}  // namespace tarn::ops
