// Operands of an operation by what they are to it, instead of by their place in its call.
#pragma once
#include <algorithm>

#include "program/program.h"

namespace tarn::program {

// A kernel's call begins with what it reads: of one that has one input, the input. It may be a weight.
inline Argument& source_operand(Operation& operation) { return operation.arguments.front(); }
inline const Argument& source_operand(const Operation& operation) { return operation.arguments.front(); }

// The first tensor that it writes or updates; none: an id that is not valid.
inline TensorId written_by(const Operation& operation) {
  for (const Argument& a : operation.arguments) {
    if (a.role == Argument::Role::write || a.role == Argument::Role::update) return a.tensor;
  }
  return {};
}

// Of a kernel that joins two element by element.
struct BinaryOperands {
  Argument &a, &b;
};
inline BinaryOperands binary_operands(Operation& operation) {
  return {operation.arguments.at(0), operation.arguments.at(1)};
}

// The first memory of its own.
inline Argument& scratch_operand(Operation& operation) {
  return *std::find_if(operation.arguments.begin(), operation.arguments.end(),
                       [](const Argument& a) { return a.role == Argument::Role::scratch; });
}

// Those of Control::branch and Control::loop, as program.h says.
inline const Argument& branch_condition(const Operation& branch) { return branch.arguments.front(); }

struct LoopOperands {
  const Argument &count, &condition, &number;
  const Argument* begun;  // none: null
};
inline LoopOperands loop_operands(const Operation& loop) {
  const std::vector<Argument>& a = loop.arguments;
  return {a.at(0), a.at(1), a.at(2), a.size() > 3 ? &a.at(3) : nullptr};
}

// Of the ScatterND kernels.
struct ScatterOperands {
  Argument &data, &indices, &updates, &made;
};
inline ScatterOperands scatter_operands(Operation& scatter) {
  std::vector<Argument>& a = scatter.arguments;
  return {a.at(0), a.at(1), a.at(2), a.at(3)};
}

}  // namespace tarn::program
