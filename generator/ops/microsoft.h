// Operators of com.microsoft that optimisers fuse standard ones into; taken apart again.
#pragma once
#include <vector>

#include "ops/op.h"

namespace tarn::ops {

std::vector<OperatorEntry> microsoft_entries();  // layers, activations, normalisations
std::vector<OperatorEntry> microsoft_attention_entries();
std::vector<OperatorEntry> microsoft_grouped_entries();    // grouped attention and rotary embeddings
std::vector<OperatorEntry> microsoft_recurrent_entries();  // DynamicQuantizeLSTM
std::vector<OperatorEntry> microsoft_quantized_entries();  // QLinearConv, QLinearWhere, quantised tables
std::vector<OperatorEntry> microsoft_tensor_entries();  // Inverse, CDist, and what the standard has under another name

}  // namespace tarn::ops
