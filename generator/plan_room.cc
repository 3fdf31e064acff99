#include "plan_room.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tarn {

namespace {

// The longest stretch of the arena in which nothing lies that lives in a step, but for the operation's own scratch.
int64_t largest_gap(const program::Operation& operation, const Planned& planned, int64_t step) {
  std::set<lifetimes::BufferId> own;
  for (const program::Argument& argument : operation.arguments) {
    if (argument.role == program::Argument::Role::scratch) own.insert(planned.storage[argument.tensor].buffer);
  }
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

}  // namespace

bool give_room(const program::Program& program, const Planned& planned, graph::Graph& graph) {
  if (planned.plan.offsets.size() != planned.planning.items.size()) return false;
  // What rounds sizes up may come in twice: for patches and for their bytes.
  constexpr int64_t kRounding = 64;
  std::set<std::vector<std::string>> layers;  // by the names of the model's nodes in them
  for (size_t s = 0; s < planned.schedule.steps.size(); ++s) {
    const program::Operation& operation = program[planned.schedule.steps[s].operation];
    if (operation.wish == 0 || operation.nodes.empty()) continue;
    if (largest_gap(operation, planned, static_cast<int64_t>(s)) >= operation.wish + kRounding)
      layers.insert(operation.nodes);
  }
  if (layers.empty()) return false;
  for (graph::Node& node : graph.nodes) {
    if (layers.contains(node.origin_names)) node.attributes["roomy"] = int64_t{1};
  }
  return true;
}

void take_room(graph::Graph& graph) {
  for (graph::Node& node : graph.nodes) node.attributes.erase("roomy");
}

}  // namespace tarn
