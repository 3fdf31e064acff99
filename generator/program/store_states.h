// States of float32 in fewer bits.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/program.h"
#include "tensor/constant.h"

namespace tarn::program {

// What --state-type names.
std::string to_string(StateType);
std::optional<StateType> state_type_from(const std::string& name);

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

// How many columns of a state in int8 have scales of their own: its last axis, where that saves more than it takes.
int64_t state_columns(const Shape& shape);

// The stored form of first values.
std::vector<uint8_t> stored_bytes(const Constant& values, StateType type);

}  // namespace tarn::program
