#include "stream/endless.h"

#include <algorithm>
#include <numeric>

#include "planner/index.h"
#include "planner/plan.h"
#include "stream/network/extend_signal.h"
#include "stream/network/grid.h"
#include "stream/schedule/looped_schedule.h"
#include "stream/schedule/pull.h"
#include "stream/tuning.h"
#include "support/check.h"

namespace tarn::stream {

namespace {

constexpr int64_t kFewestFrames = 64, kMostFrames = 1 << 16;
constexpr int64_t kMostCounted = int64_t{1} << 30;  // lines that an actor may count before its counter is lowered

class Pusher {
 public:
  explicit Pusher(const Net& net) : net_(net), done_(net.nodes.size(), 0), readers_(net.nodes.size()) {
    for (size_t n = 0; n < net.nodes.size(); ++n) {
      for (const Access& access : net.nodes[n].reads) {
        for (int producer : access.producers) {
          std::vector<size_t>& readers = readers_[Z(producer)];
          if (readers.empty() || readers.back() != n) readers.push_back(n);
        }
      }
    }
  }

  std::vector<Step> run() {
    bool fed = true;
    while (fed) {
      fed = false;
      for (size_t n = 0; n < net_.nodes.size(); ++n) {
        if (net_.nodes[n].actor.what != Actor::What::feed || done_[n] >= net_.nodes[n].lines) continue;
        step(n);
        fed = true;
      }
    }
    return std::move(steps_);
  }

 private:
  void step(size_t n) {
    steps_.push_back({static_cast<int>(n), done_[n]++, 1});
    for (size_t reader : readers_[n]) {
      while (ready(reader)) step(reader);
    }
  }

  bool ready(size_t n) const {
    const NetNode& node = net_.nodes[n];
    if (done_[n] >= node.lines) return false;
    for (const Access& access : node.reads) {
      const Span span = access.at(done_[n]);
      for (int producer : access.producers) {
        const NetNode& from = net_.nodes[Z(producer)];
        if (span.first < span.end &&
            done_[Z(producer)] < std::clamp<int64_t>(span.end - from.made.first, 0, from.lines))
          return false;
      }
    }
    return true;
  }

  const Net& net_;
  Progress done_;
  std::vector<std::vector<size_t>> readers_;
  std::vector<Step> steps_;
};

// The first step from which on all repeat themselves after `period` steps, and all windows lie within the signal;
// absent: not seen often enough.
std::optional<size_t> loop_of(const Program& program, const Net& net, const std::vector<Step>& steps, size_t period) {
  size_t first = 0;
  for (size_t i = 0; i + period < steps.size(); ++i) {
    if (steps[i].actor != steps[i + period].actor) first = i + 1;
  }
  for (size_t i = first; i < steps.size(); ++i) {
    const NetNode& node = net.nodes[Z(steps[i].actor)];
    for (OperationId id : node.actor.operations) {
      for (const program::LineArgument& line : program[id].line_form->calls[0].arguments) {
        // What is no window has a map that leaves no operand; a feed has no other.
        const program::LineMap& m = line.map;
        if (steps[i].first_line * m.scale + m.first + std::min<int64_t>(0, (m.count - 1) * m.step) < 0) first = i;
      }
    }
  }
  while (first < steps.size() && net.nodes[Z(steps[first].actor)].actor.what != Actor::What::feed) ++first;
  if (first + kLoopPasses * period > steps.size()) return {};
  return first;
}

// Repetitions after which the next line of every ring lies in the same slot again.
int64_t passes_of(const Net& net, const Lives& lives, const std::vector<int64_t>& lines) {
  int64_t passes = 1, most = 1;
  for (int64_t n : lines) most = std::max(most, n);
  for (size_t n = 0; n < net.nodes.size() && passes <= kMostCounted / most; ++n) {
    if (net.nodes[n].memory < 0) continue;
    const int64_t slots = lives.slots[Z(net.nodes[n].memory)];
    passes = std::lcm(passes, slots / std::gcd(slots, lines[n]));
  }
  return passes > kMostCounted / most ? 0 : passes;
}

// 0, 1, 2, 3, 4, 6, 8, 12, 16 ...: numbers of few prime factors have small common multiples.
int64_t rounder(int64_t slots) {
  int64_t power = 1;
  while (power < slots) power *= 2;
  return power / 4 * 3 >= slots ? power / 4 * 3 : power;
}

class EndlessPlanner {
 public:
  EndlessPlanner(const Options& options, const SearchLimits& limits) : options_(options), limits_(limits) {}

  // Where these layers have no endless plan, why() names the reason.
  void consider(const ExtendedSignal& extended, const Layers& layers) {
    JoinedLayers choice;
    choice.net = make_net(extended.program, layers.storage, layers.order, options_, {});
    choice.storage = layers.storage;
    const Net& net = choice.net;
    if (!steady(extended.program, net)) return;
    Endless endless;
    const size_t period = period_of(extended, net, endless.lines);
    std::vector<Step> steps = push_all(net);
    const std::optional<size_t> first = loop_of(extended.program, net, steps, period);
    if (!first) {
      again_ = true;
      return;
    }
    steps.resize(*first + (steps.size() - *first) / period * period);
    choice.best.cuts.assign(net.nodes.size(), false);
    choice.best.lives = find_lives(net, steps);
    endless.passes = passes_of(net, choice.best.lives, endless.lines);
    if (endless.passes == 0) {
      for (int64_t& slots : choice.best.lives.slots) slots = rounder(slots);
      endless.passes = passes_of(net, choice.best.lives, endless.lines);
    }
    if (endless.passes == 0) return static_cast<void>(refuse("the rings of its lines meet again too late"));
    // No ring holds all lines of this signal: a step of the last pass would read the first one, and the same step of
    // the pass before a line in front of it.
    choice.best.packing = make_packing(net, steps, choice.best.lives, Places::together, limits_.alignment, true);
    choice.best.plan = planner::solve(choice.best.packing.problem, planner::Strategy::automatic, {limits_.effort});
    choice.best.steps = steps;
    if (made_ && choice.best.plan.arena >= result_.plan.arena) return;
    take(extended, choice, *first, period, std::move(endless));
  }

  bool again() const { return again_; }
  bool made() const { return made_; }
  const std::string& why() const { return why_; }
  EndlessPlan result() { return std::move(result_); }

 private:
  bool refuse(std::string why) {
    why_ = std::move(why);
    return false;
  }

  // Every node makes single lines, in rings. What works on all of them is named before what makes them for it; what
  // reads all of them makes them stand together.
  bool steady(const Program& program, const Net& net) {
    if (net.nodes.size() > kLongestSegment) return refuse("it has too many operations");
    const auto named = [&](const NetNode& node, const char* what) {
      const bool operation = node.actor.what == Actor::What::operation;
      return refuse((operation ? program[node.actor.operations[0]].op : "a port") + what);
    };
    for (const NetNode& node : net.nodes) {
      if (node.actor.whole) return named(node, " works on all steps at once");
    }
    for (const NetNode& node : net.nodes) {
      for (const Access& access : node.reads) {
        if (access.producers.empty()) return named(node, " reads all steps at once");
      }
      if (node.memory >= 0 && net.contiguous.at(Z(node.memory)))
        return named(node, " makes steps that must stand together");
    }
    return true;
  }

  // Lines of each node in one pass, and the steps of all.
  static size_t period_of(const ExtendedSignal& extended, const Net& net, std::vector<int64_t>& lines) {
    const auto rate = [&](const NetNode& node) {
      if (node.actor.what == Actor::What::feed) return extended.rates[extended.program.inputs[node.actor.port].pos()];
      if (node.actor.what == Actor::What::drain) return extended.rates[extended.program.outputs[node.actor.port].pos()];
      return extended.rates[only_result(extended.program[node.actor.operations[0]]).pos()];
    };
    int64_t frames = 1, period = 0;
    for (const NetNode& node : net.nodes) frames = std::lcm(frames, rate(node).frames);
    for (const NetNode& node : net.nodes) {
      lines.push_back(rate(node).lines * (frames / rate(node).frames));
      period += lines.back();
    }
    return Z(period);
  }

  void take(const ExtendedSignal& extended, const JoinedLayers& choice, size_t first, size_t period, Endless endless) {
    made_ = true;
    LinePlan plan = stream::plan_of(choice, options_, limits_);
    const std::vector<Step> before(plan.steps.begin(), plan.steps.begin() + static_cast<std::ptrdiff_t>(first));
    const std::vector<Step> pass(plan.steps.begin() + static_cast<std::ptrdiff_t>(first),
                                 plan.steps.begin() + static_cast<std::ptrdiff_t>(first + period));
    plan.loops = find_schedule_loops(before);
    endless.prologue = plan.loops.size();
    const std::vector<ScheduleLoop> steady = find_schedule_loops(pass);
    plan.loops.insert(plan.loops.end(), steady.begin(), steady.end());
    result_.program = extended.program;
    result_.beginning = plan;
    for (size_t passes = 1; passes < (plan.steps.size() - first) / period; ++passes) {
      result_.beginning.loops.insert(result_.beginning.loops.end(), steady.begin(), steady.end());
    }
    std::vector<int64_t> done(plan.actors.size(), 0);
    for (const Step& step : plan.steps) ++done[Z(step.actor)];
    for (size_t n = 0; n < done.size(); ++n) result_.beginning.actors[n].lines = done[n];
    plan.steps.resize(first + period);
    for (Segment& segment : plan.segments) segment.end_step = std::min(segment.end_step, plan.steps.size());
    plan.endless = std::move(endless);
    result_.plan = std::move(plan);
  }

  const Options& options_;
  const SearchLimits& limits_;
  EndlessPlan result_;
  bool made_ = false, again_ = false;
  std::string why_;
};

}  // namespace

std::vector<Step> push_all(const Net& net) { return Pusher(net).run(); }

EndlessPlan make_endless(const Program& program, const lifetimes::ShareOptions& share, const Options& options,
                         const SearchLimits& limits) {
  EndlessPlan none;
  for (int64_t frames = kFewestFrames; frames <= kMostFrames; frames *= 2) {
    const ExtendedSignal extended = extend_signal(program, frames);
    none.obstacle = extended.obstacle;
    if (!extended.obstacle.empty()) return none;
    // Windows of more steps than there are make none.
    if (std::any_of(extended.program.tensors.begin(), extended.program.tensors.end(),
                    [](const program::Tensor& t) { return t.geometry.lines < 1; }))
      continue;
    const lifetimes::Storage storage = lifetimes::assign_storage(extended.program, share, false);
    std::vector<OperationId> order;
    for (OperationId id : extended.program.main) {
      if (!storage.left_out[id.pos()]) order.push_back(id);
    }
    EndlessPlanner planner(options, limits);
    for (const Layers& layers : layers_of(extended.program, storage, order, share)) planner.consider(extended, layers);
    if (planner.made()) {
      EndlessPlan made = planner.result();
      // The caller knows the signal by the length that the model has for it.
      for (Actor& actor : made.plan.actors) {
        if (actor.what == Actor::What::feed) actor.lines = program[program.inputs[actor.port]].geometry.lines;
        if (actor.what == Actor::What::drain) actor.lines = program[program.outputs[actor.port]].geometry.lines;
      }
      return made;
    }
    none.obstacle = planner.why();
    if (!planner.again()) return none;
  }
  none.obstacle = "its steps do not repeat themselves";
  return none;
}

}  // namespace tarn::stream
