#include "program/states.h"

#include <algorithm>

#include "support/text.h"

namespace tarn::program {

namespace {

std::ptrdiff_t position(const std::vector<std::string>& names, const std::string& name) {
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? -1 : at - names.begin();
}

Operation copy(const Program& program, TensorId from, TensorId to) {
  Operation operation;
  operation.kernel = "tarn_copy";
  operation.op = "State";
  operation.nodes = {program[to].name};
  operation.params = copy_params(program[to].bytes());
  Argument read, write;
  read.role = Argument::Role::read;
  read.tensor = from;
  write.role = Argument::Role::write;
  write.tensor = to;
  operation.arguments = {read, write};
  return operation;
}

}  // namespace

Diagnostics keep_states(Program& program, const std::vector<std::pair<std::string, std::string>>& pairs,
                        const std::string& file) {
  Diagnostics faults;
  auto refuse = [&](const std::string& tensor, const std::string& what) {
    Where where;
    where.file = file;
    where.tensor = tensor;
    faults.push_back(
        {"E209", where, what, "--state OUT=IN takes an output and an input of the model, of one type and shape"});
  };
  for (const auto& [out, in] : pairs) {
    const std::ptrdiff_t o = position(program.output_names, out), i = position(program.input_names, in);
    if (o < 0) refuse(out, "the model has no output of this name");
    if (i < 0) refuse(in, "the model has no input of this name, or it is a state already");
    if (o < 0 || i < 0) continue;
    const TensorId from = program.outputs[static_cast<size_t>(o)], to = program.inputs[static_cast<size_t>(i)];
    if (program[from].type.dtype != program[to].type.dtype || program[from].bytes() != program[to].bytes() ||
        !program[from].runtime.empty()) {
      refuse(out, cat("it is ", to_string(program[from].type), ", but '", in, "' is ", to_string(program[to].type)));
      continue;
    }
    program[to].kind = Kind::state;
    program.states.push_back(to);
    program.epilogue.push_back(OperationId(program.operations.size()));
    program.operations.push_back(copy(program, from, to));
    program.inputs.erase(program.inputs.begin() + i);
    program.input_names.erase(program.input_names.begin() + i);
  }
  return faults;
}

}  // namespace tarn::program
