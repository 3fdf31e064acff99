// Steps that belong to states and stem from no node of the model.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>

#include "program/program.h"

namespace tarn::program {

// An operand that a step reads or writes.
Argument operand(Argument::Role role, TensorId tensor);

// A step from one tensor to another, named after the second.
Operation state_step(const Program& program, const std::string& kernel, Params params, TensorId from, TensorId to,
                     const std::string& note = {});

// The number of a field whose operands are dense.
std::optional<int64_t> dense_number(const Program& program, const Operation& operation, size_t field);

// Does the operation, or one inside it, write the tensor?
bool writes(const Program& program, OperationId operation, TensorId tensor);

// For each tensor those that it may be a view of because it is taken from them: it holds what it should as long as they
// do.
using Wholes = std::multimap<TensorId, TensorId>;
Wholes wholes_of(const Program& program);

// The tensor, and all that it may be a view of.
std::set<TensorId> may_lie_in(const Wholes& wholes, TensorId tensor);

// The tensor is read late, when a state may have been written over: it is no view of one.
void keep_out_of_states(Program& program, TensorId tensor);

}  // namespace tarn::program
