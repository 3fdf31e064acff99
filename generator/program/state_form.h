// The form in which states of float32 are stored in fewer bits.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "program/program.h"
#include "tensor/constant.h"

namespace tarn::program {

// What --state-type names.
std::string to_string(StateType);
std::optional<StateType> state_type_from(const std::string& name);

// How many columns of a state in int8 have scales of their own: its last axis, where that saves more than it takes.
int64_t state_columns(const Shape& shape);

// The stored form of first values.
std::vector<uint8_t> stored_bytes(const Constant& values, StateType type);

}  // namespace tarn::program
