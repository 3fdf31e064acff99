// Operators of com.microsoft that optimisers fuse standard ones into; taken apart again.
#pragma once
#include <vector>

#include "ops/op.h"

namespace tarn::ops {

std::vector<Room> microsoft_rooms();            // layers, activations, normalisations
std::vector<Room> microsoft_attention_rooms();  // attention and rotary embeddings
std::vector<Room> microsoft_recurrent_rooms();  // DynamicQuantizeLSTM
std::vector<Room> microsoft_quantized_rooms();  // QLinearConv, QLinearWhere, quantised tables
std::vector<Room> microsoft_tensor_rooms();     // Inverse, CDist, and what the standard has under another name

}  // namespace tarn::ops
