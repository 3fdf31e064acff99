#include "plan_room.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "program/spread_constants.h"
#include "schedule/read_ahead.h"

namespace tarn {

namespace {

// The longest stretch of the arena in which nothing lies that lives in a step, but for `own`.
int64_t largest_gap(const std::set<lifetimes::BufferId>& own, const Planned& planned, int64_t step) {
  std::vector<std::pair<int64_t, int64_t>> taken;
  for (size_t i = 0; i < planned.planning.items.size(); ++i) {
    const lifetimes::BufferId buffer = planned.planning.items[i];
    const lifetimes::Life& life = planned.planning.lives[buffer.pos()];
    if (step < life.first || step >= life.end || own.contains(buffer)) continue;
    const int64_t offset = planned.plan.offsets[i];
    taken.push_back({offset, offset + planned.planning.problem.items[i].size});
  }
  std::sort(taken.begin(), taken.end());
  int64_t largest = 0, free = 0;
  for (const auto& [begin, end] : taken) {
    largest = std::max(largest, begin - free);
    free = std::max(free, end);
  }
  return std::max(largest, planned.plan.arena - free);
}

// But for the operation's own scratch.
int64_t largest_gap(const program::Operation& operation, const Planned& planned, int64_t step) {
  std::set<lifetimes::BufferId> own;
  for (const program::Argument& argument : operation.arguments) {
    if (argument.role == program::Argument::Role::scratch) own.insert(planned.storage[argument.tensor].buffer);
  }
  return largest_gap(own, planned, step);
}

}  // namespace

namespace {

bool is_complete(const Planned& planned) { return planned.plan.offsets.size() == planned.planning.items.size(); }

}  // namespace

bool give_room(const program::Program& program, const Planned& planned, graph::Graph& graph) {
  if (!is_complete(planned)) return false;
  std::set<std::vector<std::string>> layers;  // by the names of the model's nodes in them
  for (size_t s = 0; s < planned.schedule.steps.size(); ++s) {
    const program::Operation& operation = program[planned.schedule.steps[s].operation];
    if (operation.wish == 0 || operation.nodes.empty()) continue;
    if (largest_gap(operation, planned, static_cast<int64_t>(s)) >= operation.wish + kRoomForRounding)
      layers.insert(operation.nodes);
  }
  if (layers.empty()) return false;
  for (graph::Node& node : graph.nodes) {
    if (layers.contains(node.origin_names)) node.attributes["roomy"] = int64_t{1};
  }
  return true;
}

std::optional<program::Program> with_spread(const program::Program& program, const Planned& planned,
                                            const std::string& target, int64_t more) {
  constexpr int64_t kOwnCode = 96;  // bytes of what spreads them
  if (!is_complete(planned)) return {};
  // Of the instructions of all products, about as many as these take together may be spent, those where they matter
  // least first.
  constexpr double kMostSpent = 0.015, kOfProduct = 1.3, kOfVectors = 0.4;
  const bool vectors = target != "cortex-m0" && target != "cortex-m3" && target != "cortex-m4" &&
                       target != "cortex-m7" && target != "cortex-m33" && !target.starts_with("rv32");
  std::vector<program::OperationId> able, chosen;
  double left = 0;
  for (size_t s = 0; s < planned.schedule.steps.size(); ++s) {
    const program::OperationId id = planned.schedule.steps[s].operation;
    left += kMostSpent * (vectors ? kOfVectors : kOfProduct) * static_cast<double>(program[id].macs);
    const int64_t bytes = program::spread_bytes(program, program[id]);
    // Beside all that lives then, its own scratch too.
    const bool fits =
        bytes > 0 && largest_gap(std::set<lifetimes::BufferId>(), planned, static_cast<int64_t>(s)) >= bytes + more;
    if (fits) able.push_back(id);
  }
  const auto cost = [&](program::OperationId id) {
    return static_cast<double>(program::spread_instructions(program, program[id]));
  };
  std::stable_sort(able.begin(), able.end(), [&](program::OperationId a, program::OperationId b) {
    return static_cast<double>(program[a].macs) * cost(b) > static_cast<double>(program[b].macs) * cost(a);
  });
  for (const program::OperationId id : able) {
    if (cost(id) > left) break;
    left -= cost(id);
    chosen.push_back(id);
  }
  if (chosen.empty()) return {};
  program::Program other = program;
  program::spread_constants(other, chosen);
  int64_t saved = -kOwnCode;
  for (size_t i = 0; i < program.weights.size(); ++i) saved += program.weights[i].bytes() - other.weights[i].bytes();
  if (saved <= 0) return {};
  return other;
}

std::optional<program::Program> with_early_reads(const program::Program& program, const Planned& planned,
                                                 int64_t more) {
  if (!is_complete(planned)) return {};
  const schedule::Schedule& schedule = planned.schedule;
  program::Program other = program;
  bool any = false;
  for (size_t s = 0; s < schedule.steps.size(); ++s) {
    std::optional<program::Staging>& staging = other[schedule.steps[s].operation].staging;
    if (!staging) continue;
    const size_t begin = schedule::read_begin(program, schedule, s);
    staging->early = true;
    const size_t early = schedule::read_begin(other, schedule, s);
    const std::set<lifetimes::BufferId> own = {planned.storage[staging->buffer].buffer};
    const int64_t bytes = program[staging->buffer].bytes() + more;
    bool fits = early < begin;
    for (size_t between = early; fits && between < begin; ++between)
      fits = largest_gap(own, planned, static_cast<int64_t>(between)) >= bytes;
    staging->early = fits;
    any = any || fits;
  }
  return any ? std::optional(std::move(other)) : std::nullopt;
}

void give_the_same_room(const graph::Graph& from, graph::Graph& graph) {
  std::set<std::vector<std::string>> layers;
  for (const graph::Node& node : from.nodes) {
    if (node.attributes.contains("roomy")) layers.insert(node.origin_names);
  }
  for (graph::Node& node : graph.nodes) {
    if (layers.contains(node.origin_names)) node.attributes["roomy"] = int64_t{1};
  }
}

void take_room(graph::Graph& graph) {
  for (graph::Node& node : graph.nodes) node.attributes.erase("roomy");
}

}  // namespace tarn
