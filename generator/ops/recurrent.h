// Entries of the recurrent layers.
#pragma once
#include <vector>

#include "ops/op.h"

namespace tarn::ops {

std::vector<Room> recurrent_rooms();  // LSTM, GRU, RNN

}  // namespace tarn::ops
