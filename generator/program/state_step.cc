#include "program/state_step.h"

#include <algorithm>

#include "program/blocks.h"

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

std::optional<int64_t> dense_number(const Program& program, const Operation& operation, size_t field) {
  const FieldValue& value = operation.params.fields[field].value;
  if (const auto* fixed = std::get_if<int64_t>(&value)) return *fixed;
  const auto geometry = [&](size_t argument) -> const Geometry* {
    const TensorId id = operation.arguments[argument].tensor;
    return id.valid() && program[id].runtime.empty() ? &program[id].geometry : nullptr;
  };
  if (const auto* pitch = std::get_if<Pitch>(&value)) {
    const Geometry* g = geometry(pitch->argument);
    if (!g) return {};
    return g->channels * (pitch->of == Pitch::Of::line ? g->pixels : 1) * pitch->scale + pitch->plus;
  }
  if (const auto* run = std::get_if<program::Run>(&value)) {
    const Geometry* g = geometry(run->argument);
    if (!g) return {};
    return run->outer ? g->lines * g->pixels : g->channels * run->scale;
  }
  return {};
}

bool writes(const Program& program, OperationId operation, TensorId tensor) {
  bool found = false;
  visit_arguments(program, operation, [&](OperationId, const Argument& a) {
    found = found || (a.tensor == tensor && a.role != Argument::Role::read);
  });
  return found;
}

Wholes wholes_of(const Program& program) {
  Wholes wholes;
  for (const Operation& operation : program.operations) {
    if (!operation.view) continue;
    const View& view = *operation.view;
    const bool taken = std::any_of(operation.arguments.begin(), operation.arguments.end(), [&](const Argument& a) {
      return a.tensor == view.part && a.role == Argument::Role::write;
    });
    if (taken) wholes.emplace(view.part, view.whole);
  }
  return wholes;
}

std::set<TensorId> may_lie_in(const Wholes& wholes, TensorId tensor) {
  std::set<TensorId> found{tensor};
  std::vector<TensorId> open{tensor};
  while (!open.empty()) {
    const auto [first, end] = wholes.equal_range(open.back());
    open.pop_back();
    for (auto at = first; at != end; ++at) {
      if (found.insert(at->second).second) open.push_back(at->second);
    }
  }
  return found;
}

void keep_out_of_states(Program& program, TensorId tensor) {
  const Wholes wholes = wholes_of(program);
  for (Operation& operation : program.operations) {
    if (!operation.view || operation.view->part != tensor) continue;
    const std::set<TensorId> within = may_lie_in(wholes, operation.view->whole);
    if (std::any_of(program.states.begin(), program.states.end(), [&](TensorId id) { return within.contains(id); }))
      operation.view.reset();
  }
}

}  // namespace tarn::program
