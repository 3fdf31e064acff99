#include "line_costs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "emit/line_work.h"
#include "report/line_time.h"
#include "stream/network/grid.h"
#include "stream/network/net.h"
#include "time/lines.h"

namespace tarn {

namespace {

using stream::Actor;
using stream::Chain;

// Rings of most windows; only cores that divide step by step take longer for other lengths.
constexpr int64_t kUsualSlots = 3;

// All layers apart, with no addresses.
stream::LinePlan plan_apart(const program::Program& program, const stream::Layers& layers,
                            const stream::Options& options) {
  stream::Net net = stream::make_net(program, layers.storage, layers.order, options, {});
  stream::LinePlan plan;
  plan.mode = options.mode;
  plan.storage = layers.storage;
  plan.memories = std::move(net.memories);
  for (stream::Memory& memory : plan.memories) {
    if (memory.lines == 1) continue;
    memory.addressing = stream::Addressing::ring;
    memory.slots = std::min(memory.lines, kUsualSlots);
  }
  plan.views = std::move(net.views);
  for (stream::NetNode& node : net.nodes) plan.actors.push_back(std::move(node.actor));
  return plan;
}

class LineCosts {
 public:
  LineCosts(Analysis& analysis, const stream::Layers& layers)
      : analysis_(analysis),
        target_(analysis.options.target),
        plan_(plan_apart(analysis.program, layers, analysis.options.stream)),
        layers_(plan_.actors.size()) {}

  // Nothing: part of it is not modelled.
  std::optional<double> by_lines() {
    double time = 0;
    for (size_t a = 0; a < layers_; ++a) {
      const std::optional<double> step = time_of(plan_.actors[a]);
      if (!step) return {};
      const Actor& actor = plan_.actors[a];
      if (actor.what == Actor::What::operation && !actor.whole) line_of_[actor.operations.front()] = *step;
      time += *step * static_cast<double>(actor.whole ? 1 : actor.lines);
    }
    return time;
  }

  // Nothing: part of it is not modelled.
  std::optional<int64_t> of_chain(const Chain& chain) {
    const auto [at, is_new] = chains_.try_emplace({chain.operations, chain.mid, chain.chunk, chain.recompute});
    if (is_new) at->second = counted(chain);
    return at->second;
  }

 private:
  std::optional<int64_t> counted(const Chain& chain) {
    const stream::ChainShape shape = stream::shape_of(analysis_.program, chain);
    Actor joined;
    joined.operations = chain.operations;
    joined.line_buffer = shape.form;
    joined.lines = static_cast<int64_t>(shape.fresh.size());
    const std::optional<double> step = time_of(joined);
    if (!step) return {};
    double time = *step * static_cast<double>(joined.lines);
    for (const program::OperationId id : chain.operations) {
      const auto line = line_of_.find(id);
      if (line == line_of_.end()) return {};
      const program::TensorId made = stream::only_result(analysis_.program[id]);
      time -= line->second * static_cast<double>(analysis_.program[made].geometry.lines);
    }
    return std::llround(time);
  }

  // A step of an actor, for a line in the middle.
  std::optional<double> time_of(Actor actor) {
    const int64_t line = actor.lines / 2;
    std::optional<stream::LinePlan> plan(std::move(plan_));
    plan->actors.push_back(std::move(actor));
    analysis_.stream.swap(plan);
    const std::optional<double> time = time_of_last(line);
    analysis_.stream.swap(plan);
    plan->actors.pop_back();
    plan_ = std::move(*plan);
    return time;
  }

  std::optional<double> time_of_last(int64_t line) {
    const emit::LineStep step = emit::line_step(analysis_, static_cast<int>(analysis_.stream->actors.size()) - 1, line);
    const timing::Prediction around =
        timing::predict_terms(target_, timing::kLineDriver, report::driver_terms(target_, step));
    if (!around.cost) return {};
    double time = around.cost->instructions;
    for (const emit::LineKernelCall& call : step.calls) {
      const auto [at, is_new] = calls_.try_emplace(call);
      if (is_new) {
        if (const timing::Prediction p = timing::predict_line(target_, report::timed_call(analysis_, call)); p.cost)
          at->second = p.cost->instructions;
      }
      if (!at->second) return {};
      time += *at->second;
    }
    return time;
  }

  Analysis& analysis_;
  const std::string target_;
  stream::LinePlan plan_;
  const size_t layers_;
  std::map<program::OperationId, double> line_of_;
  std::map<emit::LineKernelCall, std::optional<double>> calls_;
  std::map<std::tuple<std::vector<program::OperationId>, size_t, int64_t, bool>, std::optional<int64_t>> chains_;
};

}  // namespace

std::optional<stream::Costs> line_costs(Analysis& analysis, const stream::Layers& layers, int64_t time_by_layers) {
  if (time_by_layers == 0) return {};
  const auto counted = std::make_shared<LineCosts>(analysis, layers);
  const std::optional<double> by_lines = counted->by_lines();
  if (!by_lines) return {};
  const stream::Costs estimated = stream::estimated_costs(analysis.program);
  return stream::Costs{{time_by_layers, std::llround(*by_lines)}, [counted, estimated](const Chain& chain) {
                         const std::optional<int64_t> cost = counted->of_chain(chain);
                         return cost ? *cost : estimated.of_chain(chain);
                       }};
}

std::optional<stream::Costs> line_costs(const CompileOptions& options, const program::Program& program,
                                        const stream::Layers& layers) {
  const auto network = std::make_shared<Analysis>();
  network->options = options;
  network->program = program;
  network->storage = layers.storage;
  std::optional<stream::Costs> costs = line_costs(*network, layers, 1);
  if (!costs) return {};
  costs->times.by_layers = costs->times.by_lines;
  costs->of_chain = [network, of_chain = std::move(costs->of_chain)](const Chain& chain) { return of_chain(chain); };
  return costs;
}

}  // namespace tarn
