#include "program/stage_weights.h"

#include <algorithm>

#include "support/checked.h"

namespace tarn::program {

namespace {

Staging make_staging(const Program& program, const Operation& operation, const std::function<bool(WeightId)>& is_staged,
                     int64_t& bytes) {
  Staging staging;
  bytes = 0;
  for (const Argument& argument : operation.arguments) {
    if (argument.role != Argument::Role::weight || !is_staged(argument.weight)) continue;
    const bool there = std::any_of(staging.parts.begin(), staging.parts.end(),
                                   [&](const Staging::Part& part) { return part.weight == argument.weight; });
    if (there) continue;
    staging.parts.push_back({argument.weight, bytes});
    bytes = round_up(bytes + plain_bytes(program[argument.weight]), kStagedApart);
  }
  return staging;
}

}  // namespace

int64_t plain_bytes(const Weight& weight) { return weight.plain ? weight.plain->bytes() : weight.bytes(); }
DType plain_dtype(const Weight& weight) { return weight.plain ? weight.plain->dtype : weight.dtype; }

void stage_weights(Program& program, const std::function<bool(WeightId)>& is_staged, int64_t work) {
  for (Operation& operation : program.operations) {
    int64_t bytes = 0;
    Staging staging = make_staging(program, operation, is_staged, bytes);
    if (staging.parts.empty()) continue;
    staging.work = bytes;
    // One that was staged before keeps its buffer, and what it works with behind it.
    const int64_t behind =
        operation.staging ? program[operation.staging->buffer].bytes() - operation.staging->work : work;
    if (operation.staging) {
      staging.buffer = operation.staging->buffer;
    } else {
      staging.buffer = TensorId(program.tensors.size());
      Tensor buffer;
      buffer.name = (operation.nodes.empty() ? operation.op : operation.nodes[0]) + "_weights";
      buffer.kind = Kind::scratch;
      program.tensors.push_back(std::move(buffer));
    }
    program[staging.buffer].type = {DType::uint8, Shape({bytes + behind})};
    program[staging.buffer].geometry = {1, 1, bytes + behind};
    for (Argument& argument : operation.arguments) {
      if (argument.role == Argument::Role::weight && is_staged(argument.weight)) argument.tensor = staging.buffer;
    }
    operation.staging = std::move(staging);
  }
}

void stage_all_weights(Program& program, int64_t buffer) {
  stage_weights(
      program, [](WeightId) { return true; }, 0);
  for (Operation& operation : program.operations) {
    if (operation.staging) operation.staging->alone = program[operation.staging->buffer].bytes() > buffer / 2;
  }
}

}  // namespace tarn::program
