#include "choose_stripes.h"

#include <algorithm>
#include <set>

#include "passes/stripes.h"
#include "program/macs.h"
#include "program/share_weights.h"
#include "stream/joining/recompute.h"
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

struct RecomputeMemo::QuickPlan {
  StripeCandidate candidate;
  bool recomputes = false;
  StripedNetwork built;
  std::vector<stream::JoinedLayers> choices;
};

namespace {

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
  StripeChooser(const graph::Graph& graph, const program::Program& program, int64_t without, int64_t useful,
                const StripeRequest& request)
      : graph_(graph),
        request_(request),
        without_(without),
        useful_(useful),
        macs_(program::macs_of(program)),
        share_(request.share),
        memo_(request.memo ? *request.memo : own_) {
    share_.columns = true;
    share_.pieces = request.options.mode == stream::Mode::fed;
  }

  // More work allowed never makes a larger arena: what is planned within a budget is planned within each larger one
  // too, so whether a candidate is planned depends on those alone that take less work.
  std::optional<Striped> run() {
    std::vector<QuickPlan> planned;
    Looks keeping{without_, {}}, recomputing{without_, {}};
    for (const StripeCandidate& candidate : within_budget()) {
      const auto [kept, recomputed] = bounds_of(candidate);
      const bool keeps = is_promising(kept, keeping), recomputes = is_promising(recomputed, recomputing);
      if (!keeps && !recomputes) continue;
      QuickPlan one = planned_of(candidate, recomputes);
      if (!one) continue;
      if (keeps) keeping.least = std::min(keeping.least, one->choices.front().best.plan.arena);
      for (const stream::JoinedLayers& choice : one->choices) {
        if (recomputes && affordable(extra_macs(*one, choice)))
          recomputing.least = std::min(recomputing.least, choice.best.plan.arena);
      }
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
  using QuickPlan = std::shared_ptr<const RecomputeMemo::QuickPlan>;

  // Candidates of one kind so far: the least arena of their quick plans, in bytes, and the bounds of those planned.
  struct Looks {
    int64_t least = 0;
    std::vector<int64_t> bounds;
  };

  // The bound is that of the best segments found in a quick search: plans fall below it by a little.
  bool is_promising(int64_t bound, Looks& looks) const {
    if (bound >= without_ || bound - bound / kBelowBound >= looks.least) return false;
    const size_t most = kMostPlans + static_cast<size_t>(std::clamp(request_.limits.effort, 0, 3));
    const auto better =
        std::count_if(looks.bounds.begin(), looks.bounds.end(), [&](int64_t other) { return other <= bound; });
    if (static_cast<size_t>(better) >= most) return false;
    looks.bounds.push_back(bound);
    return true;
  }

  bool affordable(int64_t extra) const { return stream::is_within(request_.options.recompute, extra, macs_); }

  // By the work that is done twice. Which ends are looked at depends on no budget.
  std::vector<StripeCandidate> within_budget() const {
    std::vector<StripeCandidate> candidates;
    const std::vector<graph::ValueId> ends = passes::stripe_ends(graph_);
    const size_t step = ends.size() * static_cast<size_t>(kMostStripes - 1) / kMostLooks + 1;
    for (size_t i = 0; i < ends.size(); i += step) {
      if (graph_[ends[i]].type.bytes() >= without_) continue;
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

  RecomputeMemo::Key key_of(const StripeCandidate& candidate) const { return {candidate.end.pos(), candidate.stripes}; }

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

  std::pair<int64_t, int64_t> bounds_of(const StripeCandidate& candidate) {
    const auto [at, is_new] = memo_.bounds.try_emplace(key_of(candidate));
    if (is_new) at->second = look_at(candidate);
    return at->second;
  }

  // What the best segments have alive, with layers joined wherever they can be: where those keep lines, and where they
  // recompute them.
  std::pair<int64_t, int64_t> look_at(const StripeCandidate& candidate) const {
    const std::optional<StripedNetwork> built = build(candidate);
    if (!built) return {INT64_MAX, INT64_MAX};
    const stream::Layers& layers = built->layers.front();
    std::vector<stream::Chain> chains;
    if (request_.options.line_buffers) chains = stream::find_chains(built->program, layers.storage, layers.order);
    const int64_t kept = bound_with(*built, chains);
    const auto recomputes = [](const stream::Chain& chain) { return chain.mid > 0; };
    if (std::none_of(chains.begin(), chains.end(), recomputes)) return {kept, INT64_MAX};
    for (stream::Chain& chain : chains) {
      chain.recompute = recomputes(chain);
      chain.chunk = 1;
    }
    return {kept, bound_with(*built, chains)};
  }

  int64_t bound_with(const StripedNetwork& built, const std::vector<stream::Chain>& chains) const {
    const stream::Layers& layers = built.layers.front();
    const stream::Net net = stream::make_net(built.program, layers.storage, layers.order, request_.options, chains);
    return stream::find_segment_cuts(net, kLookWork, without_).lines_bound;
  }

  // Nothing where it takes more work than the budget allows.
  QuickPlan planned_of(const StripeCandidate& candidate, bool recompute) {
    QuickPlan& known = memo_.planned[{key_of(candidate), recompute}];
    if (!known) known = plan(candidate, recompute);
    return known && affordable(program::macs_of(known->built.program) - macs_) ? known : nullptr;
  }

  // Packed quickly.
  QuickPlan plan(const StripeCandidate& candidate, bool recompute) const {
    std::optional<StripedNetwork> built = build(candidate);
    if (!built || !affordable(program::macs_of(built->program) - macs_)) return {};
    stream::Options options = request_.options;
    if (!recompute) options.recompute = 0;
    stream::SearchLimits limits = request_.limits;
    limits.placements = kPlacements;
    limits.part *= kPlanPart;
    const std::optional<stream::Costs> costs =
        request_.costs ? request_.costs(built->program, built->layers.front()) : std::nullopt;
    if (costs) limits.costs = &*costs;
    std::vector<stream::JoinedLayers> choices = stream::choose(built->program, built->layers, options, limits);
    return std::make_shared<const RecomputeMemo::QuickPlan>(
        RecomputeMemo::QuickPlan{candidate, recompute, std::move(*built), std::move(choices)});
  }

  // Packed thoroughly, if that can still make it the best.
  void finish(const RecomputeMemo::QuickPlan& planned) {
    const int64_t useful = best_ ? best_->plan.arena : useful_;
    std::vector<stream::JoinedLayers> choices =
        stream::choices_within(planned.choices, planned.built.program, request_.options.recompute,
                               program::macs_of(planned.built.program) - macs_, macs_);
    const auto [at, is_new] =
        memo_.finished.try_emplace({key_of(planned.candidate), planned.recomputes, choices.size(), useful});
    if (is_new) at->second = finished(planned, std::move(choices), useful);
    if (at->second) best_ = Striped{planned.built.graph, planned.built.program, *at->second};
  }

  // Of the stripes and of the lines that joined layers recompute.
  int64_t extra_macs(const RecomputeMemo::QuickPlan& planned, const stream::JoinedLayers& choice) const {
    const program::Program& program = planned.built.program;
    return program::macs_of(program) - macs_ + stream::extra_macs_of(program, choice.chains);
  }

  std::optional<stream::LinePlan> finished(const RecomputeMemo::QuickPlan& planned,
                                           std::vector<stream::JoinedLayers> choices, int64_t useful) const {
    const StripeCandidate& candidate = planned.candidate;
    stream::SearchLimits limits = request_.limits;
    limits.useful = useful;
    const stream::JoinedLayers choice = stream::finish(std::move(choices), limits);
    stream::LinePlan plan = stream::plan_of(choice, request_.options, limits);
    if (plan.arena >= useful || !stream::not_emitted(planned.built.program, plan).empty()) return {};
    plan.stripes = candidate.stripes;
    plan.stripes_end = graph_[candidate.end].name;
    plan.recomputed = stream::recomputed(choice.chains);
    plan.extra_macs = extra_macs(planned, choice);
    plan.macs = macs_;
    return plan;
  }

  void share_between_stripes() {
    program::share_weights(best_->program);
    count_parameters_once(best_->program);
  }

  const graph::Graph& graph_;
  const StripeRequest& request_;
  const int64_t without_, useful_;
  const int64_t macs_;
  lifetimes::ShareOptions share_;
  RecomputeMemo own_;
  RecomputeMemo& memo_;
  std::optional<Striped> best_;
};

}  // namespace

std::optional<Striped> choose_stripes(const graph::Graph& graph, const program::Program& program, int64_t without,
                                      int64_t useful, const StripeRequest& request) {
  return StripeChooser(graph, program, without, useful, request).run();
}

}  // namespace tarn
