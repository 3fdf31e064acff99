#include "stream/make_plan.h"

#include <algorithm>

#include "planner/index.h"
#include "stream/network/grid.h"
#include "stream/schedule/looped_schedule.h"
#include "stream/tuning.h"

namespace tarn::stream {

namespace {

// Turns a table whose lines lie as in a ring into a ring.
void simplify_tables(LinePlan& plan) {
  for (Memory& memory : plan.memories) {
    if (memory.addressing != Addressing::table) continue;
    const int64_t base = memory.table[0], places = memory.slots;
    for (int64_t slots = 1; slots <= places && base >= 0; ++slots) {
      bool same = slots == places || places == memory.lines;
      for (int64_t l = 0; same && l < places; ++l) {
        same = memory.table[Z(l)] < 0 || memory.table[Z(l)] == base + l % slots * memory.line_bytes;
      }
      if (!same) continue;
      memory.addressing = slots == memory.lines ? Addressing::resident : Addressing::ring;
      memory.base = base;
      memory.slots = slots;
      memory.table.clear();
      break;
    }
  }
}

void place(const Net& net, const PackedCuts& best, LinePlan& plan) {
  plan.memories = net.memories;
  plan.views = net.views;
  std::vector<bool> placed(net.memories.size(), false);
  for (size_t i = 0; i < best.packing.items.size(); ++i) {
    const Packed& packed = best.packing.items[i];
    const size_t m = Z(packed.memory);
    Memory& memory = plan.memories[m];
    placed[m] = true;
    if (packed.line >= 0) {
      memory.addressing = Addressing::table;
      memory.slots = packed.step;
      memory.table.resize(Z(memory.slots), -1);
      memory.table[Z(packed.line)] = best.plan.offsets[i];
      continue;
    }
    memory.base = best.plan.offsets[i];
    memory.slots = best.lives.slots[m];
    memory.addressing = memory.slots >= memory.lines ? Addressing::resident : Addressing::ring;
  }
  simplify_tables(plan);
  for (LineView& view : plan.views) {
    if (!placed[Z(view.memory)]) view.memory = -1;
  }
}

std::vector<Segment> segments_of(const Net& net, const PackedCuts& best) {
  std::vector<Segment> segments(1);
  std::vector<size_t> segment_of(net.nodes.size(), 0);
  for (size_t n = 0; n < net.nodes.size(); ++n) {
    if (best.cuts[n]) segments.emplace_back();
    segment_of[n] = segments.size() - 1;
    for (OperationId id : net.nodes[n].actor.operations) segments.back().operations.push_back(id);
  }
  // Nodes between two cuts run between them: the steps of a segment follow one another.
  for (size_t s = 0; s < best.steps.size(); ++s) {
    Segment& segment = segments[segment_of[Z(best.steps[s].actor)]];
    if (segment.end_step == 0) segment.first_step = s;
    segment.end_step = s + 1;
  }
  std::erase_if(segments, [](const Segment& s) { return s.end_step == 0; });
  return segments;
}

// Two lines that a step makes and reads share bytes. Of joined layers the last one makes lines: what those before it
// read they have read for a chunk when it begins.
void find_overlapping(const Net& net, const PackedCuts& best, LinePlan& plan) {
  for (const Step& step : best.steps) {
    const NetNode& node = net.nodes[Z(step.actor)];
    Actor& actor = plan.actors[Z(step.actor)];
    if (node.memory < 0 || actor.whole || actor.accumulate || actor.at_once > 1) continue;
    const Memory& y = plan.memories[Z(node.memory)];
    for (const Access& access : node.reads) {
      if (net.outside[Z(access.memory)] || net.outside[Z(node.memory)]) continue;
      if (access.operation + 1 < actor.operations.size()) continue;
      const Memory& x = plan.memories[Z(access.memory)];
      actor.overlapping =
          actor.overlapping || !lines_over(x, access.at(step.first_line), y, node.made.first + step.first_line).empty();
    }
  }
}

}  // namespace

std::vector<Layers> layers_of(const Program& program, const lifetimes::Storage& storage,
                              const std::vector<OperationId>& order, const lifetimes::ShareOptions& share) {
  std::vector<Layers> layers{{storage, order}};
  lifetimes::ShareOptions copied = share;
  copied.parts = false;
  const bool outside = std::any_of(storage.buffers.begin(), storage.buffers.end(),
                                   [](const lifetimes::Buffer& b) { return b.external; });
  Layers other{lifetimes::assign_storage(program, copied, outside), {}};
  if (other.storage.left_out == storage.left_out) return layers;
  for (OperationId id : program.main) {
    if (!other.storage.left_out[id.pos()]) other.order.push_back(id);
  }
  layers.push_back(std::move(other));
  return layers;
}

std::optional<JoinedLayers> look_at_longer_steps(const JoinedLayers& choice, const Program& program,
                                                 const Options& options, const SearchLimits& limits, int64_t at_once) {
  JoinedLayers longer{choice.storage, choice.order, choice.chains, {}, {}};
  // What a chunk of several pixels is to joined layers, a step of several lines is where lines have one.
  std::erase_if(longer.chains, [&](const Chain& chain) {
    return program[only_result(program[chain.operations.back()])].geometry.pixels == 1;
  });
  longer.net = make_net(program, choice.storage, choice.order, options, longer.chains, at_once);
  const bool any = std::any_of(longer.net.nodes.begin(), longer.net.nodes.end(),
                               [](const NetNode& node) { return node.actor.at_once > 1; });
  if (!any) return {};
  Work work{0, kLongerSteps / limits.part};
  longer.best = search_cuts(longer.net, options.lines, limits, INT64_MAX, work);
  return longer;
}

std::optional<JoinedLayers> with_longer_steps(const JoinedLayers& choice, const Program& program,
                                              const Options& options, const SearchLimits& limits, int64_t at_once) {
  std::optional<JoinedLayers> longer = look_at_longer_steps(choice, program, options, limits, at_once);
  if (longer) finish(longer->net, longer->best, limits);
  return longer;
}

LinePlan plan_of(const JoinedLayers& choice, const Options& options, const SearchLimits& limits) {
  const Net& net = choice.net;
  const PackedCuts& best = choice.best;
  LinePlan plan;
  plan.mode = options.mode;
  plan.drain = options.drain;
  plan.lines = options.lines;
  plan.storage = choice.storage;
  plan.driver = net.driver;
  for (const NetNode& node : net.nodes) plan.actors.push_back(node.actor);
  place(net, best, plan);
  find_overlapping(net, best, plan);
  plan.steps = best.steps;
  plan.loops = find_schedule_loops(plan.steps);
  plan.segments = segments_of(net, best);
  plan.arena = best.plan.arena;
  plan.bound = best.lives.bound;
  for (size_t m = 0; m < net.memories.size(); ++m) {
    if (net.memories[m].holds != Memory::Holds::scratch && net.memories[m].holds != Memory::Holds::window) continue;
    for (const LineLife& life : best.lives.lines[m])
      plan.bound_scratch += life.born == best.lives.bound_step ? net.memories[m].line_bytes : 0;
  }
  // The packer's proof holds for rings of these lengths. The plan's bound holds for any placement of the lines.
  const int64_t excess = plan.arena - plan.bound;
  plan.proof = excess < limits.alignment ? planner::Proof::optimal : planner::Proof::best_found;
  plan.search_nodes = best.plan.search_nodes;
  plan.smallest_of_rings = options.lines == Lines::ring && best.plan.proof == planner::Proof::optimal &&
                           plan.proof != planner::Proof::optimal;
  return plan;
}

std::string not_emitted(const Program& program, const LinePlan& plan) {
  for (const Actor& actor : plan.actors) {
    if (!actor.operations.empty() || actor.lines == 1) continue;
    const TensorId id = actor.tensor;
    if (program[id].geometry.lines != actor.lines
            ? plan.views[id.pos()].offset != 0 || plan.views[id.pos()].first_line != 0
            : !plan.views[id.pos()].by_lines) {
      return "'" + program[id].name + "' in other lines than its own";
    }
  }
  return "";
}

}  // namespace tarn::stream
