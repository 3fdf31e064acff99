#include "program/state_step.h"

namespace tarn::program {

Argument operand(Argument::Role role, TensorId tensor) {
  Argument argument;
  argument.role = role;
  argument.tensor = tensor;
  return argument;
}

Operation state_step(const Program& program, const std::string& kernel, Params params, TensorId from, TensorId to,
                     const std::string& note) {
  Operation operation;
  operation.kernel = kernel;
  operation.op = "State";
  operation.nodes = {program[to].name};
  operation.note = note;
  operation.params = std::move(params);
  operation.arguments = {operand(Argument::Role::read, from), operand(Argument::Role::write, to)};
  return operation;
}

}  // namespace tarn::program
