// Operators of com.microsoft that optimisers fuse standard ones into; taken apart again.
#pragma once
#include <vector>

#include "ops/op.h"

namespace tarn::ops {

std::vector<Room> microsoft_rooms();            // layers, activations, normalisations
std::vector<Room> microsoft_attention_rooms();  // attention and rotary embeddings
std::vector<Room> microsoft_recurrent_rooms();  // DynamicQuantizeLSTM

}  // namespace tarn::ops
