#include "plan_spread.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "plan_room.h"
#include "program/spread_constants.h"
#include "program/tuning.h"

namespace tarn {

namespace {

bool has_vectors(const std::string& target) {
  return target != "cortex-m0" && target != "cortex-m3" && target != "cortex-m4" && target != "cortex-m7" &&
         target != "cortex-m33" && !target.starts_with("rv32");
}

// About how many a step takes: of its products, else of the elements that it makes, more where it computes codes.
double instructions_of(const program::Program& program, const program::Operation& operation, bool vectors) {
  const bool computes = operation.kernel.starts_with("tarn_int_") && !operation.kernel.starts_with("tarn_int_table");
  double elements = static_cast<double>(operation.macs) * program::kOfProduct;
  for (const program::Argument& a : operation.arguments) {
    if (operation.macs == 0 && a.role == program::Argument::Role::write)
      elements += (computes ? program::kOfCode : program::kOfElement) *
                  static_cast<double>(program[a.tensor].type.shape.count());
  }
  return (vectors ? program::kOfVectors / program::kOfProduct : 1) * elements;
}

// What is left of that to spend.
double instructions_left(const program::Program& program, const Planned& planned, const std::string& target) {
  double left = 0;
  for (const schedule::Step& step : planned.schedule.steps) {
    const program::Operation& operation = program[step.operation];
    left += program::kMostSpent * instructions_of(program, operation, has_vectors(target)) -
            static_cast<double>(program::spent_instructions(program, operation));
  }
  return left;
}

// Those that save most for their instructions, as many as these allow.
std::vector<program::OperationId> choose(const program::Program& program, std::vector<program::OperationId> able,
                                         double left) {
  const auto cost = [&](program::OperationId id) {
    return static_cast<double>(program::spread_instructions(program, program[id]));
  };
  const auto saved = [&](program::OperationId id) {
    return static_cast<double>(program::spread_saves(program, program[id]));
  };
  std::stable_sort(able.begin(), able.end(), [&](program::OperationId a, program::OperationId b) {
    return saved(a) * cost(b) > saved(b) * cost(a);
  });
  std::vector<program::OperationId> chosen;
  for (const program::OperationId id : able) {
    if (cost(id) > left) continue;
    left -= cost(id);
    chosen.push_back(id);
  }
  return chosen;
}

// Those that find so many bytes, and `more`, beside all that lives then, their own scratch too.
std::vector<program::OperationId> with_gaps(const program::Program& program, const Planned& planned, int64_t more) {
  std::vector<program::OperationId> able;
  for (size_t s = 0; s < planned.schedule.steps.size(); ++s) {
    const program::OperationId id = planned.schedule.steps[s].operation;
    const int64_t bytes = program::spread_bytes(program, program[id]);
    if (bytes > 0 && largest_gap(std::set<lifetimes::BufferId>(), planned, static_cast<int64_t>(s)) >= bytes + more)
      able.push_back(id);
  }
  return able;
}

// True: the arena is as small with it.
bool spread_if_small(const CompileOptions& options, const Variant& variant,
                     const std::vector<program::OperationId>& chosen, program::Program& program, Planned& planned) {
  program::Program other = program;
  program::spread_constants(other, chosen);
  if (weight_bytes(other) + program::kOwnCode >= weight_bytes(program)) return false;
  Planned as_small = plan_variant(other, options, variant);
  if (as_small.plan.arena > planned.plan.arena) return false;
  program = std::move(other);
  planned = std::move(as_small);
  return true;
}

}  // namespace

int64_t weight_bytes(const program::Program& program) {
  return std::accumulate(program.weights.begin(), program.weights.end(), int64_t{0},
                         [](int64_t sum, const program::Weight& weight) { return sum + weight.bytes(); });
}

void spread_where_room(const CompileOptions& options, const Variant& variant, program::Program& program,
                       Planned& planned) {
  if (planned.plan.offsets.size() != planned.planning.items.size()) return;
  // Where steps with next to no room beside them are in the way, those with more.
  std::vector<program::OperationId> tried;
  for (const int64_t more : {int64_t{0}, kRoomForRounding, kRoomForRounding + planned.plan.arena / 16}) {
    std::vector<program::OperationId> chosen =
        choose(program, with_gaps(program, planned, more), instructions_left(program, planned, options.target));
    if (chosen.empty()) return;
    if (std::exchange(tried, chosen) == chosen) continue;  // the same steps
    if (spread_if_small(options, variant, chosen, program, planned)) return;
  }
}

}  // namespace tarn
