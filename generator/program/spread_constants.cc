#include "program/spread_constants.h"

#include <algorithm>

#include "program/spread_forms.h"
#include "program/stage_weights.h"
#include "program/tuning.h"
#include "support/checked.h"

namespace tarn::program {

namespace {

bool is_spread(const Weight& weight) {
  return weight.spread && !weight.plain && weight.bytes() - stored_bytes(*weight.spread) >= kLeastSpread;
}

}  // namespace

int64_t spread_bytes(const Program& program, const Operation& operation) {
  int64_t bytes = 0;
  for (const Argument& a : operation.arguments) {
    if (a.role != Argument::Role::weight || !is_spread(program[a.weight])) continue;
    bytes = round_up(bytes, kStagedApart) + program[a.weight].bytes();
  }
  return bytes;
}

int64_t spread_saves(const Program& program, const Operation& operation) {
  int64_t bytes = 0;
  for (const Argument& a : operation.arguments) {
    if (a.role == Argument::Role::weight && is_spread(program[a.weight]))
      bytes += program[a.weight].bytes() - stored_bytes(*program[a.weight].spread);
  }
  return bytes;
}

int64_t spent_instructions(const Program& program, const Operation& operation) {
  int64_t count = 0;
  for (const Argument& a : operation.arguments) {
    if (!a.weight.valid()) continue;
    const Weight& weight = program[a.weight];
    if (weight.spread && weight.plain) count += spreading_instructions(*weight.spread, weight.plain->count);
  }
  return count;
}

int64_t spread_instructions(const Program& program, const Operation& operation) {
  int64_t count = 0;
  for (const Argument& a : operation.arguments) {
    if (a.role == Argument::Role::weight && is_spread(program[a.weight]))
      count += spreading_instructions(*program[a.weight].spread, program[a.weight].count);
  }
  return count;
}

void spread_constants(Program& program, const std::vector<OperationId>& operations) {
  std::vector<bool> chosen(program.weights.size(), false), other(program.weights.size(), false);
  for (size_t i = 0; i < program.operations.size(); ++i) {
    const bool taken = std::find(operations.begin(), operations.end(), OperationId(i)) != operations.end();
    for (const Argument& a : program.operations[i].arguments) {
      if (a.weight.valid()) (taken && is_spread(program[a.weight]) ? chosen : other)[a.weight.pos()] = true;
    }
  }
  for (size_t i = 0; i < program.weights.size(); ++i) {
    Weight& weight = program.weights[i];
    chosen[i] = chosen[i] && !other[i];
    if (!chosen[i]) continue;
    weight.plain = Weight::Plain{weight.dtype, weight.count, 0, {}};
    weight.dtype = stored_dtype(*weight.spread);
    weight.count = stored_count(*weight.spread);
    if (weight.spread->form == Weight::Spread::Form::narrow) {
      weight.plain->write = std::move(weight.write);
      weight.write = [spread = *weight.spread, write = weight.plain->write](const auto& sink) {
        write_narrow(spread, write, sink);
      };
      continue;
    }
    weight.write = [bytes = stored_numbers(*weight.spread)](const auto& sink) { sink(bytes); };
  }
  // Beside those that are unpacked.
  stage_weights(
      program, [&](WeightId id) { return program[id].plain.has_value(); }, 0);
  for (Operation& operation : program.operations) {
    if (operation.staging)
      operation.staging->made = std::any_of(
          operation.staging->parts.begin(), operation.staging->parts.end(),
          [&](const Staging::Part& part) { return program[part.weight].spread && program[part.weight].plain; });
  }
}

std::set<std::string> spreading_kernels(const Program& program) {
  std::set<std::string> kernels;
  for (const Operation& operation : program.operations) {
    if (!operation.staging || !operation.staging->made) continue;
    for (const Staging::Part& part : operation.staging->parts) {
      if (program[part.weight].spread) kernels.insert(spreading_kernel(*program[part.weight].spread));
    }
  }
  return kernels;
}

}  // namespace tarn::program
