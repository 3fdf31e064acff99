#include "plan_room.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "schedule/read_ahead.h"

namespace tarn {

namespace {

// But for the operation's own scratch.
int64_t largest_gap(const program::Operation& operation, const Planned& planned, int64_t step) {
  std::set<lifetimes::BufferId> own;
  for (const program::Argument& argument : operation.arguments) {
    if (argument.role == program::Argument::Role::scratch) own.insert(planned.storage[argument.tensor].buffer);
  }
  return largest_gap(own, planned, step);
}

// Layers by the names of the model's nodes in them.
using LayerNames = std::set<std::vector<std::string>>;

bool mark_roomy(const LayerNames& layers, graph::Graph& graph) {
  for (graph::Node& node : graph.nodes) {
    if (layers.contains(node.origin_names)) node.attributes["roomy"] = int64_t{1};
  }
  return !layers.empty();
}

bool is_complete(const Planned& planned) { return planned.plan.offsets.size() == planned.planning.items.size(); }

}  // namespace

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

bool give_room(const program::Program& program, const Planned& planned, graph::Graph& graph) {
  if (!is_complete(planned)) return false;
  LayerNames layers;
  for (size_t s = 0; s < planned.schedule.steps.size(); ++s) {
    const program::Operation& operation = program[planned.schedule.steps[s].operation];
    if (operation.wish == 0 || operation.nodes.empty()) continue;
    if (largest_gap(operation, planned, static_cast<int64_t>(s)) >= operation.wish + kRoomForRounding)
      layers.insert(operation.nodes);
  }
  return mark_roomy(layers, graph);
}

bool give_all_room(const program::Program& program, graph::Graph& graph) {
  LayerNames layers;
  for (const program::Operation& operation : program.operations) {
    if (operation.wish != 0 && !operation.nodes.empty()) layers.insert(operation.nodes);
  }
  return mark_roomy(layers, graph);
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
  LayerNames layers;
  for (const graph::Node& node : from.nodes) {
    if (node.attributes.contains("roomy")) layers.insert(node.origin_names);
  }
  mark_roomy(layers, graph);
}

void take_room(graph::Graph& graph) {
  for (graph::Node& node : graph.nodes) node.attributes.erase("roomy");
}

}  // namespace tarn
