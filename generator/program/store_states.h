// States of float32 in fewer bits.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "program/state_form.h"

namespace tarn::program {

struct StoreOptions {
  StateType type = StateType::none;
  // Inputs and outputs stay the floats that they are; what they hold goes through the stored form. For comparison.
  bool as_ports = false;
};

// The states of float32 among `pairs` (output, input) take the stored form: float16, or as int8 what runtime/quantise's
// tarn_state.h says. Attention reads keys and values and ScatterND writes slices as they are stored; for all else the
// state is widened into a tensor of the run, and narrowed when the next one is made. Inputs and outputs of these names
// become the stored ones. What was stored, by the input's name: its type as a model's tensor.
std::vector<std::pair<std::string, TensorType>> store_states(
    Program& program, const std::vector<std::pair<std::string, std::string>>& pairs, const StoreOptions& options);

}  // namespace tarn::program
