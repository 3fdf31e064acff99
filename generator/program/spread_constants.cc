#include "program/spread_constants.h"

#include <algorithm>

#include "program/stage_weights.h"

namespace tarn::program {

namespace {

// Where they are spread out, a call of its own takes as much code as some constants do.
constexpr int64_t kLeastSpread = 96;
// Instructions.
constexpr int64_t kOfEach = 7, kOfFactor = 14;

bool is_spread(const Weight& weight) { return weight.spread && !weight.plain; }

}  // namespace

int64_t spread_bytes(const Program& program, const Operation& operation) {
  int64_t bytes = 0;
  for (const Argument& a : operation.arguments) {
    if (a.role != Argument::Role::weight || !is_spread(program[a.weight])) continue;
    const auto own = static_cast<int64_t>(program[a.weight].spread->own.size());
    if (program[a.weight].bytes() - 4 * own < kLeastSpread) return 0;
    bytes += program[a.weight].bytes();
  }
  return bytes;
}

int64_t spread_instructions(const Program& program, const Operation& operation) {
  int64_t count = 0;
  for (const Argument& a : operation.arguments) {
    if (a.role == Argument::Role::weight && is_spread(program[a.weight]))
      count += (program[a.weight].spread->form == Weight::Spread::Form::factors ? kOfFactor : kOfEach) *
               program[a.weight].count / 3;
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
    weight.plain = Weight::Plain{weight.dtype, weight.count, 0};
    weight.count = static_cast<int64_t>(weight.spread->own.size());
    weight.write = [own = weight.spread->own](const auto& sink) {
      std::vector<uint8_t> bytes;
      for (const int32_t number : own) {
        for (int shift = 0; shift < 32; shift += 8)
          bytes.push_back(static_cast<uint8_t>(static_cast<uint32_t>(number) >> shift));
      }
      sink(bytes);
    };
  }
  // Beside those that are unpacked.
  stage_weights(
      program, [&](WeightId id) { return program[id].plain.has_value(); }, 0);
  for (Operation& operation : program.operations) {
    if (operation.staging)
      operation.staging->made = std::any_of(operation.staging->parts.begin(), operation.staging->parts.end(),
                                            [&](const Staging::Part& part) { return chosen[part.weight.pos()]; });
  }
}

const char* spreading_kernel(const Weight::Spread& spread) {
  return spread.form == Weight::Spread::Form::factors ? "tarn_int_spread_factors" : "tarn_int_spread";
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
