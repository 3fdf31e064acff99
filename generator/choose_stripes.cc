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

struct StripeCandidate {
  graph::ValueId end;
  int64_t stripes = 0, extra_macs = 0;
  int64_t bound = 0;
};

class StripeChooser {
 public:
  StripeChooser(const graph::Graph& graph, const program::Program& program, const stream::LinePlan& without,
                const StripeRequest& request)
      : graph_(graph), request_(request), without_(without), macs_(macs_of(program)), share_(request.share) {
    share_.columns = true;
    share_.pieces = request.options.mode == stream::Mode::fed;
  }

  std::optional<Striped> run() {
    std::vector<StripeCandidate> candidates = within_budget();
    for (StripeCandidate& candidate : candidates) candidate.bound = look_at(candidate);
    std::erase_if(candidates, [&](const StripeCandidate& c) { return c.bound >= without_.arena; });
    std::sort(candidates.begin(), candidates.end(), [](const StripeCandidate& a, const StripeCandidate& b) {
      return std::tuple(a.bound, a.extra_macs, a.end, a.stripes) < std::tuple(b.bound, b.extra_macs, b.end, b.stripes);
    });
    const size_t plans = kMostPlans + static_cast<size_t>(std::clamp(request_.limits.effort, 0, 3));
    if (candidates.size() > plans) candidates.resize(plans);
    std::vector<PlannedStripes> planned;
    for (const StripeCandidate& candidate : candidates) {
      if (std::optional<PlannedStripes> one = plan(candidate)) planned.push_back(std::move(*one));
    }
    std::stable_sort(planned.begin(), planned.end(), [](const PlannedStripes& a, const PlannedStripes& b) {
      return a.choices.front().best.plan.arena < b.choices.front().best.plan.arena;
    });
    for (PlannedStripes& one : planned) finish(std::move(one));
    if (best_) share_between_stripes();
    return std::move(best_);
  }

 private:
  bool affordable(int64_t extra) const {
    return static_cast<double>(extra) * 100 <= request_.options.recompute * static_cast<double>(macs_);
  }

  // The most stripes that each end allows tell most; of the others those with more stripes.
  std::vector<StripeCandidate> within_budget() const {
    std::vector<StripeCandidate> candidates;
    for (graph::ValueId end : passes::stripe_ends(graph_)) {
      if (graph_[end].type.bytes() >= without_.arena) continue;
      for (int64_t stripes = 2; stripes <= kMostStripes; ++stripes) {
        const std::optional<int64_t> extra = passes::extra_macs(graph_, end, stripes);
        if (!extra || !affordable(*extra)) break;
        candidates.push_back({end, stripes, *extra, 0});
      }
    }
    while (candidates.size() > kMostLooks) thin_out(candidates);
    return candidates;
  }

  // Leaves out every other number of stripes, the highest of each end apart.
  static void thin_out(std::vector<StripeCandidate>& candidates) {
    std::vector<StripeCandidate> left;
    for (size_t i = 0; i < candidates.size(); ++i) {
      const bool last = i + 1 == candidates.size() || candidates[i + 1].end != candidates[i].end;
      const bool even = candidates[i].stripes % 2 == 0 && candidates.size() <= 2 * kMostLooks;
      if (last || even) left.push_back(candidates[i]);
    }
    if (left.size() == candidates.size()) left.resize(kMostLooks);
    candidates = std::move(left);
  }

  struct Built {
    graph::Graph graph;
    program::Program program;
    std::vector<stream::Layers> layers;
  };

  std::optional<Built> build(const StripeCandidate& candidate) const {
    std::optional<graph::Graph> graph = passes::cut_into_stripes(graph_, candidate.end, candidate.stripes);
    if (!graph) return {};
    Result<program::Program> program = request_.lower(*graph);
    if (!program) return {};
    Built built{std::move(*graph), std::move(*program), {}};
    stream::Layers layers{lifetimes::assign_storage(built.program, share_, false), {}};
    for (program::OperationId id : built.program.main) {
      if (!layers.storage.left_out[id.pos()]) layers.order.push_back(id);
    }
    built.layers = stream::layers_of(built.program, layers.storage, layers.order, share_);
    return built;
  }

  struct PlannedStripes {
    StripeCandidate candidate;
    Built built;
    std::vector<stream::JoinedLayers> choices;
  };

  // What the best segments have alive, with layers joined wherever they can be.
  int64_t look_at(const StripeCandidate& candidate) const {
    const std::optional<Built> built = build(candidate);
    if (!built) return INT64_MAX;
    const stream::Layers& layers = built->layers.front();
    std::vector<stream::Chain> chains;
    if (request_.options.line_buffers) chains = stream::find_chains(built->program, layers.storage, layers.order);
    const stream::Net net = stream::make_net(built->program, layers.storage, layers.order, request_.options, chains);
    return stream::find_segment_cuts(net, kLookWork, without_.arena).lines_bound;
  }

  // Packed quickly.
  std::optional<PlannedStripes> plan(const StripeCandidate& candidate) const {
    std::optional<Built> built = build(candidate);
    if (!built || !affordable(macs_of(built->program) - macs_)) return {};
    stream::SearchLimits limits = request_.limits;
    limits.placements = kPlacements;
    limits.part *= kPlanPart;
    std::vector<stream::JoinedLayers> choices = stream::choose(built->program, built->layers, request_.options, limits);
    return PlannedStripes{candidate, std::move(*built), std::move(choices)};
  }

  // Packed thoroughly, if that can still make it the best.
  void finish(PlannedStripes planned) {
    const StripeCandidate& candidate = planned.candidate;
    stream::SearchLimits limits = request_.limits;
    limits.useful = best_ ? best_->plan.arena : without_.arena;
    const stream::JoinedLayers choice = stream::finish(std::move(planned.choices), limits);
    stream::LinePlan plan = stream::plan_of(choice, request_.options, limits);
    if (plan.arena >= limits.useful || !stream::not_emitted(planned.built.program, plan).empty()) return;
    plan.stripes = candidate.stripes;
    plan.stripes_end = graph_[candidate.end].name;
    plan.extra_macs = macs_of(planned.built.program) - macs_;
    plan.macs = macs_;
    best_ = Striped{std::move(planned.built.graph), std::move(planned.built.program), std::move(plan)};
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
  std::optional<Striped> best_;
};

}  // namespace

std::optional<Striped> choose_stripes(const graph::Graph& graph, const program::Program& program,
                                      const stream::LinePlan& without, const StripeRequest& request) {
  return StripeChooser(graph, program, without, request).run();
}

}  // namespace tarn
