// Steps that belong to states and stem from no node of the model.
#pragma once
#include <string>

#include "program/program.h"

namespace tarn::program {

// An operand that a step reads or writes.
Argument operand(Argument::Role role, TensorId tensor);

// A step from one tensor to another, named after the second.
Operation state_step(const Program& program, const std::string& kernel, Params params, TensorId from, TensorId to,
                     const std::string& note = {});

}  // namespace tarn::program
