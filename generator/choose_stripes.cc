#include "choose_stripes.h"

#include <algorithm>
#include <set>

#include "passes/stripes.h"
#include "program/share_weights.h"
#include "stream/network/chains.h"
#include "stream/network/net.h"
#include "stream/schedule/segment_cuts.h"
#include "tuning.h"

namespace tarn {

struct StripeCandidate {
  graph::ValueId end;
  int64_t stripes = 0, extra_macs = 0;
};

struct StripedNetwork {
  graph::Graph graph;
  program::Program program;
  std::vector<stream::Layers> layers;
};

struct StripeMemo::QuickPlan {
  StripeCandidate candidate;
  StripedNetwork built;
  std::vector<stream::JoinedLayers> choices;
};

namespace {

int64_t macs_of(const program::Program& program) {
  int64_t macs = 0;
  for (const program::Operation& operation : program.operations) macs += operation.macs;
  return macs;
}

// Weights that stripes share count once.
void count_parameters_once(program::Program& program) {
  std::set<std::pair<std::vector<std::string>, std::vector<program::WeightId>>> seen;
  for (program::Operation& operation : program.operations) {
    std::vector<program::WeightId> weights;
    for (const program::Argument& a : operation.arguments) {
      if (a.weight.valid()) weights.push_back(a.weight);
    }
    if (!weights.empty() && !seen.insert({operation.nodes, std::move(weights)}).second) operation.parameters = 0;
  }
}

class StripeChooser {
 public:
  StripeChooser(const graph::Graph& graph, const program::Program& program, const stream::LinePlan& without,
                const StripeRequest& request)
      : graph_(graph),
        request_(request),
        without_(without),
        macs_(macs_of(program)),
        share_(request.share),
        memo_(request.memo ? *request.memo : own_) {
    share_.columns = true;
    share_.pieces = request.options.mode == stream::Mode::fed;
  }

  // More work allowed never makes a larger arena: what is planned within a budget is planned within each larger one
  // too, so whether a candidate is planned depends on those alone that take less work.
  std::optional<Striped> run() {
    const size_t most = kMostPlans + static_cast<size_t>(std::clamp(request_.limits.effort, 0, 3));
    std::vector<QuickPlan> planned;
    std::vector<int64_t> bounds;  // of those that were planned
    int64_t least = without_.arena;
    for (const StripeCandidate& candidate : within_budget()) {
      const int64_t bound = bound_of(candidate);
      // The bound is that of the best segments found in a quick search: plans fall below it by a little.
      if (bound >= without_.arena || bound - bound / kBelowBound >= least) continue;
      const auto better = std::count_if(bounds.begin(), bounds.end(), [&](int64_t other) { return other <= bound; });
      if (static_cast<size_t>(better) >= most) continue;
      bounds.push_back(bound);
      QuickPlan one = planned_of(candidate);
      if (!one) continue;
      least = std::min(least, one->choices.front().best.plan.arena);
      planned.push_back(std::move(one));
    }
    std::stable_sort(planned.begin(), planned.end(), [](const QuickPlan& a, const QuickPlan& b) {
      return a->choices.front().best.plan.arena < b->choices.front().best.plan.arena;
    });
    for (const QuickPlan& one : planned) finish(*one);
    if (best_) share_between_stripes();
    return std::move(best_);
  }

 private:
  using QuickPlan = std::shared_ptr<const StripeMemo::QuickPlan>;

  bool affordable(int64_t extra) const {
    return static_cast<double>(extra) * 100 <= request_.options.recompute * static_cast<double>(macs_);
  }

  // By the work that is done twice. Which ends are looked at depends on no budget.
  std::vector<StripeCandidate> within_budget() const {
    std::vector<StripeCandidate> candidates;
    const std::vector<graph::ValueId> ends = passes::stripe_ends(graph_);
    const size_t step = ends.size() * static_cast<size_t>(kMostStripes - 1) / kMostLooks + 1;
    for (size_t i = 0; i < ends.size(); i += step) {
      if (graph_[ends[i]].type.bytes() >= without_.arena) continue;
      for (int64_t stripes = 2; stripes <= kMostStripes; ++stripes) {
        const std::optional<int64_t> extra = passes::extra_macs(graph_, ends[i], stripes);
        if (!extra || !affordable(*extra)) break;
        candidates.push_back({ends[i], stripes, *extra});
      }
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const StripeCandidate& a, const StripeCandidate& b) { return a.extra_macs < b.extra_macs; });
    return candidates;
  }

  StripeMemo::Key key_of(const StripeCandidate& candidate) const { return {candidate.end.pos(), candidate.stripes}; }

  std::optional<StripedNetwork> build(const StripeCandidate& candidate) const {
    std::optional<graph::Graph> graph = passes::cut_into_stripes(graph_, candidate.end, candidate.stripes);
    if (!graph) return {};
    Result<program::Program> program = request_.lower(*graph);
    if (!program) return {};
    StripedNetwork built{std::move(*graph), std::move(*program), {}};
    stream::Layers layers{lifetimes::assign_storage(built.program, share_, false), {}};
    for (program::OperationId id : built.program.main) {
      if (!layers.storage.left_out[id.pos()]) layers.order.push_back(id);
    }
    built.layers = stream::layers_of(built.program, layers.storage, layers.order, share_);
    return built;
  }

  int64_t bound_of(const StripeCandidate& candidate) {
    const auto [at, is_new] = memo_.bounds.try_emplace(key_of(candidate), 0);
    if (is_new) at->second = look_at(candidate);
    return at->second;
  }

  // What the best segments have alive, with layers joined wherever they can be.
  int64_t look_at(const StripeCandidate& candidate) const {
    const std::optional<StripedNetwork> built = build(candidate);
    if (!built) return INT64_MAX;
    const stream::Layers& layers = built->layers.front();
    std::vector<stream::Chain> chains;
    if (request_.options.line_buffers) chains = stream::find_chains(built->program, layers.storage, layers.order);
    const stream::Net net = stream::make_net(built->program, layers.storage, layers.order, request_.options, chains);
    return stream::find_segment_cuts(net, kLookWork, without_.arena).lines_bound;
  }

  // Nothing where it takes more work than the budget allows.
  QuickPlan planned_of(const StripeCandidate& candidate) {
    QuickPlan& known = memo_.planned[key_of(candidate)];
    if (!known) known = plan(candidate);
    return known && affordable(macs_of(known->built.program) - macs_) ? known : nullptr;
  }

  // Packed quickly.
  QuickPlan plan(const StripeCandidate& candidate) const {
    std::optional<StripedNetwork> built = build(candidate);
    if (!built || !affordable(macs_of(built->program) - macs_)) return {};
    stream::SearchLimits limits = request_.limits;
    limits.placements = kPlacements;
    limits.part *= kPlanPart;
    const std::optional<stream::Costs> costs =
        request_.costs ? request_.costs(built->program, built->layers.front()) : std::nullopt;
    if (costs) limits.costs = &*costs;
    std::vector<stream::JoinedLayers> choices = stream::choose(built->program, built->layers, request_.options, limits);
    return std::make_shared<const StripeMemo::QuickPlan>(
        StripeMemo::QuickPlan{candidate, std::move(*built), std::move(choices)});
  }

  // Packed thoroughly, if that can still make it the best.
  void finish(const StripeMemo::QuickPlan& planned) {
    const int64_t useful = best_ ? best_->plan.arena : without_.arena;
    const auto [at, is_new] = memo_.finished.try_emplace({key_of(planned.candidate), useful});
    if (is_new) at->second = finished(planned, useful);
    if (at->second) best_ = Striped{planned.built.graph, planned.built.program, *at->second};
  }

  std::optional<stream::LinePlan> finished(const StripeMemo::QuickPlan& planned, int64_t useful) const {
    const StripeCandidate& candidate = planned.candidate;
    stream::SearchLimits limits = request_.limits;
    limits.useful = useful;
    const stream::JoinedLayers choice = stream::finish(planned.choices, limits);
    stream::LinePlan plan = stream::plan_of(choice, request_.options, limits);
    if (plan.arena >= useful || !stream::not_emitted(planned.built.program, plan).empty()) return {};
    plan.stripes = candidate.stripes;
    plan.stripes_end = graph_[candidate.end].name;
    plan.extra_macs = macs_of(planned.built.program) - macs_;
    plan.macs = macs_;
    return plan;
  }

  void share_between_stripes() {
    program::share_weights(best_->program);
    count_parameters_once(best_->program);
  }

  const graph::Graph& graph_;
  const StripeRequest& request_;
  const stream::LinePlan& without_;
  const int64_t macs_;
  lifetimes::ShareOptions share_;
  StripeMemo own_;
  StripeMemo& memo_;
  std::optional<Striped> best_;
};

}  // namespace

std::optional<Striped> choose_stripes(const graph::Graph& graph, const program::Program& program,
                                      const stream::LinePlan& without, const StripeRequest& request) {
  return StripeChooser(graph, program, without, request).run();
}

}  // namespace tarn
