// Entries of the recurrent layers.
#pragma once
#include <vector>

#include "ops/op.h"

namespace tarn::ops {

std::vector<OperatorEntry> recurrent_entries();  // LSTM, GRU, RNN

}  // namespace tarn::ops
