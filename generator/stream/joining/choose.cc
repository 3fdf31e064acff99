#include "stream/joining/choose.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "stream/joining/peak.h"
#include "stream/joining/recompute.h"
#include "stream/joining/spare_time.h"
#include "stream/tuning.h"

namespace tarn::stream {

namespace {

class JoiningSearch {
 public:
  JoiningSearch(const Program& program, const Options& options, Lines lines, const SearchLimits& limits)
      : program_(program),
        options_(options),
        lines_(lines),
        limits_(limits),
        work_{0, kJoiningWork[static_cast<size_t>(std::clamp(limits.effort, 0, 3))] / limits.part} {}

  std::vector<JoinedLayers> run(const std::vector<Layers>& all) {
    for (const Layers& layers : all) consider(layers, {});
    if (options_.line_buffers) {
      const JoinedLayers apart = best_;
      for (const Layers& layers : all) {
        std::vector<Chain> chains = find_chains(program_, layers.storage, layers.order);
        if (!chains.empty()) consider(layers, std::move(chains));
      }
      for (const Layers& layers : all) pixel_by_pixel(layers);
      refine();
      if (options_.recompute > 0) recomputing_ = recompute_lines(best_, program_, *layers_, options_, lines_, limits_);
      if (options_.lines == Lines::ring)
        best_ = cheaper(spare_time(std::move(best_), program_, *layers_, options_, limits_, work_), apart, program_,
                        limits_);
    }
    std::vector<JoinedLayers> found;
    found.push_back(std::move(best_));
    if (!least_.net.nodes.empty()) found.push_back(std::move(least_));
    std::move(recomputing_.begin(), recomputing_.end(), std::back_inserter(found));
    return found;
  }

 private:
  void consider(const Layers& layers, std::vector<Chain> chains) {
    if (evaluate(layers, std::move(chains), limits_.effort)) layers_ = &layers;
  }

  // Chunks of one pixel need the least memory and the most time. If they make the arena smaller, each chunk is then
  // widened as far as that arena allows.
  void pixel_by_pixel(const Layers& layers) {
    std::vector<Chain> chains = find_chains(program_, layers.storage, layers.order);
    const std::vector<Chain> wide = chains;
    for (Chain& chain : chains) chain.chunk = 1;
    if (is_refined() || chains.empty() || !evaluate(layers, chains, limits_.effort)) return;
    layers_ = &layers;
    for (const int64_t budget : {best_.best.plan.arena, best_.best.lives.bound}) {
      chains = best_.chains;
      for (size_t c = 0; c < chains.size(); ++c) widen(chains[c], wide[c].chunk, budget);
      if (evaluate(layers, std::move(chains), limits_.effort, true)) return;
    }
  }

  // The widest chunk up to `most` with which no more than `budget` bytes are alive while the chain runs.
  void widen(Chain& chain, int64_t most, int64_t budget) const {
    const int64_t beside = alive_beside(best_, chain);
    for (Chain wider = chain; wider.chunk < most;) {
      ++wider.chunk;
      if (beside + own_bytes(program_, wider) <= budget) chain.chunk = wider.chunk;
    }
  }

  // The work that is left is reserved for spare_time().
  bool is_refined() const { return work_.done >= work_.limit / 100 * (lines_ == Lines::ring ? kRefinedPercent : 100); }

  bool evaluate(const Layers& layers, std::vector<Chain> chains, int effort, bool or_equal = false) {
    if (work_.over() && !best_.net.nodes.empty()) return false;
    JoinedLayers next;
    next.net = make_net(program_, layers.storage, layers.order, options_, chains);
    const int64_t below = best_.net.nodes.empty() ? INT64_MAX : best_.best.plan.arena + (or_equal ? 1 : 0);
    SearchLimits limits = limits_;
    limits.effort = effort;
    Work part = work_.part(work_.limit / kJoiningShares);
    next.best = search_cuts(next.net, lines_, limits, below, part);
    work_.done = part.done;
    next.chains = std::move(chains);
    next.storage = layers.storage;
    next.order = layers.order;
    if (!best_.net.nodes.empty() && next.best.plan.arena >= best_.best.plan.arena + (or_equal ? 1 : 0)) {
      keep_least(std::move(next));
      return false;
    }
    keep_least(std::move(best_));  // none at first, of which nothing is packed
    best_ = std::move(next);
    return true;
  }

  void keep_least(JoinedLayers&& other) {
    if (lines_ == Lines::ring || other.best.packing.items.empty()) return;
    if (least_.net.nodes.empty() || other.best.lives.bound < least_.best.lives.bound) least_ = std::move(other);
  }

  // Changes one chain at a time: a smaller chunk, or layers that are not joined.
  void refine() {
    int trials = kRefineTrials << std::clamp(limits_.effort, 0, 3);
    while (found_better(trials)) {
    }
  }

  bool found_better(int& trials) {
    for (size_t chain : chains_at_peak(best_)) {
      for (const int64_t chunk : {int64_t{1}, int64_t{2}, int64_t{0}}) {
        if (chunk == best_.chains[chain].chunk) continue;
        if (trials-- <= 0 || is_refined()) return false;
        std::vector<Chain> chains = best_.chains;
        if (chunk > 0) chains[chain].chunk = chunk;
        else chains.erase(chains.begin() + static_cast<std::ptrdiff_t>(chain));
        if (evaluate(*layers_, std::move(chains), std::max(0, limits_.effort - 1))) return true;
      }
    }
    return false;
  }

  const Program& program_;
  const Options& options_;
  const Lines lines_;  // how candidates are packed, which may differ from options_.lines
  const SearchLimits limits_;
  Work work_;
  const Layers* layers_ = nullptr;
  JoinedLayers best_;
  JoinedLayers least_;
  std::vector<JoinedLayers> recomputing_;
};

}  // namespace

std::vector<JoinedLayers> choose(const Program& program, const std::vector<Layers>& layers, const Options& options,
                                 const SearchLimits& limits) {
  std::vector<JoinedLayers> found = JoiningSearch(program, options, options.lines, limits).run(layers);
  if (options.lines == Lines::ring) return found;
  // Rings are packed faster, so more ways of joining are tried with them. The best of those is a candidate for tables.
  SearchLimits less = limits;
  less.part *= 4;
  std::vector<JoinedLayers> rings = JoiningSearch(program, options, Lines::ring, less).run(layers);
  for (JoinedLayers& choice : rings) found.push_back(std::move(choice));
  return found;
}

JoinedLayers finish(std::vector<JoinedLayers> choices, const SearchLimits& limits) {
  const planner::Problem first = choices.front().best.packing.problem;
  JoinedLayers* best = nullptr;
  for (JoinedLayers& choice : choices) {
    const bool again = best && choice.best.packing.problem == first;
    if (again || (best && choice.best.lives.bound >= best->best.plan.arena)) continue;
    finish(choice.net, choice.best, limits);
    if (!best || choice.best.plan.arena < best->best.plan.arena) best = &choice;
  }
  return std::move(*best);
}

}  // namespace tarn::stream
